package tools_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/tools"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/supabase/planner"
	"github.com/bellhop-ai/bellhop/pkg/supabase/travel"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// base is the address of links in these tests.
const base = "https://plans.example"

// desk is an organisation with the tools over the real database.
type desk struct {
	t       *testing.T
	org     localtest.Org
	consent *consent.Service
	tools   []tool.Tool
	store   planner.Plans
	links   planner.Links
	trips   travel.Trips
	context trip.Context

	manager, viewer identity.Caller
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	client := must[*supabase.Client](t)(supabase.New(localtest.Config(t, localtest.Stack(t))))
	d := &desk{t: t, org: localtest.NewOrg(t), store: planner.NewPlans(client), links: planner.NewLinks(client),
		trips: travel.NewTrips(client)}
	localtest.Give(t, localtest.Stack(t), d.org.ID, "planner")
	for token, by := range map[string]*identity.Caller{d.org.Manager.Token: &d.manager,
		d.org.Viewer.Token: &d.viewer} {
		who := must[identity.Caller](t)(client.Whoami(t.Context(), identity.Secret(token)))
		*by, _ = who.Choose("", "")
	}
	d.consent = &consent.Service{Store: control.NewProposals(client), NewID: uuid.NewString,
		Code: func() string { return uuid.NewString()[:4] }}
	d.tools = must[[]tool.Tool](t)(tools.Tools(tools.Config{Plans: d.store, Now: time.Now, Token: uuid.NewString,
		Base: base}))
	d.context = trip.Context{Origin: place(t, "LON"), Destinations: []trip.Place{*place(t, "BOS")},
		Dates: trip.DateRange{Start: calendar.Of(time.Now()).AddDays(60),
			End: calendar.Of(time.Now()).AddDays(63)},
		Travellers: &trip.Travellers{Adults: 2}, Budget: trip.Mid, MustDos: []string{"Freedom Trail"}}
	return d
}

func place(t *testing.T, code string) *trip.Place {
	t.Helper()
	p, ok := places.ByCode(code)
	if !ok {
		t.Fatal(code)
	}
	return &trip.Place{Name: p.Name, Code: code, Country: p.Country, Zone: p.Zone, Lat: p.Lat, Lon: p.Lon}
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%v (%v)", err, errors.Unwrap(err))
		}
		return v
	}
}

func wantCode(t testing.TB, what string, err error, want string) {
	t.Helper()
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Code != want {
		t.Errorf("%s: the error is %v (%v), want %s", what, err, errors.Unwrap(err), want)
	}
}

// plan records options for the viewer that are made of the guide, in the trip of a code.
func (d *desk) plan(code string) plans.Plan {
	d.t.Helper()
	run := plans.Run{UserMessage: "yes", Mode: "FINALIZE", Status: plans.Succeeded, Context: d.context}
	var outputs []specialists.Output
	for _, task := range specialists.Tasks(d.context) {
		o := specialists.New(specialists.Config{Now: time.Now}).Research(d.t.Context(), d.viewer, task, d.context)
		outputs = append(outputs, o)
		run.Messages = append(run.Messages, plans.Message{Task: task, Output: o})
	}
	set := options.Compose(d.context, outputs, guide.Of, calendar.Of(time.Now()))
	run.Options = &set
	return must[plans.Plan](d.t)(d.store.Record(d.t.Context(), d.viewer, uuid.NewString(), code, run))
}

func (d *desk) prepare(name string, arguments map[string]any) tool.Call {
	d.t.Helper()
	i := slices.IndexFunc(d.tools, func(t tool.Tool) bool { return t.Name() == name })
	if i < 0 {
		d.t.Fatalf("there is no tool %s", name)
	}
	raw := must[[]byte](d.t)(json.Marshal(arguments))
	return must[tool.Call](d.t)(d.tools[i].Prepare(raw))
}

// try calls a tool that asks for nothing, as a model does.
func (d *desk) try(by identity.Caller, name string, arguments map[string]any) (tool.Result, error) {
	d.t.Helper()
	call, ctx := d.prepare(name, arguments), d.t.Context()
	if call.Tool.Effect() != tool.Reads {
		ctx = effect.With(ctx, effect.Claim{Key: "act-" + uuid.NewString(), ArgsHash: call.Hash, Tool: name,
			Turn: uuid.NewString(), Assistant: "planner"})
	} else {
		ctx = effect.ReadOnly(ctx)
	}
	r, err := call.Run(ctx, by)
	if r.Refused != nil {
		d.t.Errorf("%s: a part is missing: %v", name, r.Refused)
	}
	return r, err
}

// ask proposes a call.
func (d *desk) ask(by identity.Caller, name string, arguments map[string]any) (consent.Proposal, error) {
	d.t.Helper()
	return d.consent.Propose(d.t.Context(), by, consent.Where{Assistant: "planner", Agent: "planner",
		Turn: uuid.NewString()}, d.prepare(name, arguments))
}

// agree carries out what was asked.
func (d *desk) agree(by identity.Caller, p consent.Proposal) (tool.Result, error) {
	d.t.Helper()
	i := slices.IndexFunc(d.tools, func(t tool.Tool) bool { return t.Name() == p.Tool })
	return d.consent.Execute(d.t.Context(), by, p, d.tools[i])
}

// titles returns what stands in the viewer's itinerary.
func (d *desk) titles(code string) []string {
	d.t.Helper()
	tr := must[itinerary.Trip](d.t)(d.trips.Trip(d.t.Context(), d.viewer, code))
	var list []string
	for _, i := range tr.Items {
		list = append(list, i.Title)
	}
	return list
}

// A plan is shown, agreed to, and written once; of plans that were replaced none is taken.
func TestAPlanIsTakenByAYes(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.plan("")
	shown := must[tool.Result](t)(d.try(d.viewer, "show_trip_plans", map[string]any{}))
	if len(shown.Parts) != 1 || shown.Parts[0].Kind != "plans" || !strings.Contains(string(shown.Data), p.Trip) {
		t.Errorf("shown is %s with %d parts", shown.Data, len(shown.Parts))
	}
	arguments := map[string]any{"trip": p.Trip, "run": p.Run, "option": "opt-2"}
	late := must[consent.Proposal](t)(d.ask(d.viewer, "select_trip_option", arguments))
	p = d.plan(p.Trip)
	_, err := d.agree(d.viewer, late)
	wantCode(t, "a yes to plans that were replaced", err, "replaced")
	_, err = d.ask(d.viewer, "select_trip_option", arguments)
	wantCode(t, "plans that were replaced", err, "replaced")
	if got := d.titles(p.Trip); len(got) != 0 {
		t.Errorf("the itinerary has %v", got)
	}
	arguments["run"] = p.Run
	yes := must[consent.Proposal](t)(d.ask(d.viewer, "select_trip_option", arguments))
	for range 2 { // the second is a button that was pressed twice
		must[tool.Result](t)(d.agree(d.viewer, yes))
	}
	now := must[plans.Plan](t)(d.store.Plan(t.Context(), d.viewer, p.Trip))
	first := d.titles(p.Trip)
	if now.Option != "opt-2" || now.Status != plans.Selected || len(first) < 8 ||
		!slices.ContainsFunc(first, func(s string) bool { return strings.Contains(s, "Freedom Trail") }) {
		t.Errorf("the plan is %+v with %v", now, first)
	}
	_, err = d.ask(d.viewer, "select_trip_option", arguments)
	wantCode(t, "the same once more", err, "selected_already")

	// Another hotel of the plan that is taken is in the itinerary, too.
	must[tool.Result](t)(d.try(d.viewer, "swap_trip_stay", map[string]any{"trip": p.Trip, "option": "opt-2"}))
	swapped := d.titles(p.Trip)
	if slices.Equal(first, swapped) || len(swapped) != len(first) {
		t.Errorf("after a swap the itinerary is %v", swapped)
	}
	// One of another plan leaves it.
	must[tool.Result](t)(d.try(d.viewer, "swap_trip_stay", map[string]any{"trip": p.Trip, "option": "opt-1"}))
	if got := d.titles(p.Trip); !slices.Equal(got, swapped) {
		t.Errorf("after a swap elsewhere the itinerary is %v", got)
	}
	localtest.Invariants(t, localtest.Stack(t))
}

// A link is made by a yes, shows the plans without signing in, is listed and ends.
func TestALinkIsMadeAndEnded(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.plan("")
	asked := must[consent.Proposal](t)(d.ask(d.viewer, "share_trip_plan", map[string]any{"days": 7}))
	if got := fmt.Sprint(asked.Preview); !strings.Contains(got, "7 days") {
		t.Errorf("the preview is %s", got)
	}
	made := must[tool.Result](t)(d.agree(d.viewer, asked))
	_, rest, found := strings.Cut(made.Text, base+"/t/")
	if !found {
		t.Fatalf("the answer is %s", made.Text)
	}
	token := strings.Fields(rest)[0]
	if strings.Contains(string(made.Data), token) {
		t.Errorf("a model reads the token: %s", made.Data)
	}
	if shown := must[plans.Public](t)(d.links.Open(t.Context(), token)); len(shown.Options.Options) < 2 {
		t.Errorf("the link shows %+v", shown)
	}
	listed := must[tool.Result](t)(d.try(d.viewer, "list_trip_shares", map[string]any{"trip": p.Trip}))
	if !strings.Contains(string(listed.Data), "SH-1") || strings.Contains(string(listed.Data), token) {
		t.Errorf("listed is %s", listed.Data)
	}
	must[tool.Result](t)(d.try(d.viewer, "revoke_trip_share", map[string]any{"trip": p.Trip, "share": "sh-1"}))
	_, err := d.links.Open(t.Context(), token)
	wantCode(t, "a link that ended", err, "link_not_found")
}

// Companions look at plans; what they may not do is refused before they are asked.
func TestPlansAreChangedByTheirOwnerAlone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.plan("")
	arguments := map[string]any{"trip": p.Trip, "option": "opt-1"}
	_, err := d.try(d.manager, "show_trip_plans", map[string]any{"trip": p.Trip})
	wantCode(t, "another user's plans", err, "trip_not_found")
	must[itinerary.Trip](t)(d.trips.Share(t.Context(), d.viewer, p.Trip, d.org.Manager.Email))
	must[tool.Result](t)(d.try(d.manager, "show_trip_plans", map[string]any{"trip": p.Trip}))
	_, err = d.ask(d.manager, "select_trip_option", arguments)
	wantCode(t, "a companion's choice", err, "not_the_owner")
	_, err = d.try(d.manager, "swap_trip_stay", arguments)
	wantCode(t, "a companion's swap", err, "not_the_owner")
	_, err = d.ask(d.manager, "share_trip_plan", map[string]any{"trip": p.Trip})
	wantCode(t, "a companion's link", err, "not_the_owner")
	_, err = d.try(d.manager, "list_trip_shares", map[string]any{"trip": p.Trip})
	wantCode(t, "a companion's list of links", err, "not_yours")
	_, err = d.try(d.manager, "revoke_trip_share", map[string]any{"trip": p.Trip, "share": "SH-1"})
	wantCode(t, "a companion's end of a link", err, "not_yours")
}
