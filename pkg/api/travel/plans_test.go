package travel_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

func on(t testing.TB, text string) calendar.Date {
	t.Helper()
	d, err := calendar.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// boston is a long weekend, far enough ahead for every clock of these tests.
func boston(t testing.TB) trip.Context {
	return trip.Context{
		Origin: &trip.Place{Name: "London", Code: "LON", Country: "GB", Zone: "Europe/London", Lat: 51.5, Lon: -0.12},
		Destinations: []trip.Place{{Name: "Boston", Code: "BOS", Country: "US", Zone: "America/New_York", Lat: 42.36,
			Lon: -71.06}},
		Dates: trip.DateRange{Start: on(t, "2030-02-15"), End: on(t, "2030-02-18")},
		// What must not be on a public page.
		Travellers: &trip.Travellers{Adults: 2, Children: []int{11}}, Budget: trip.Mid,
		MustDos: []string{"supper with aunt Josephine"}, Constraints: []string{"step-free for Wilhelmina"},
		Preferences: trip.Preferences{Dietary: []string{"nut-free"}, Interests: []string{"history"}},
	}
}

// planned records a run whose options are made of the guide.
func (c client) planned(by localtest.Person, key, code string) plans.Plan {
	c.Helper()
	ctx, now := c.Context(), time.Date(2029, 11, 20, 9, 0, 0, 0, time.UTC)
	r := specialists.New(specialists.Config{Now: func() time.Time { return now }})
	run := plans.Run{UserMessage: "yes, that is right", Mode: "FINALIZE", Status: plans.Succeeded, Context: boston(c)}
	var found []specialists.Output
	for _, task := range specialists.Tasks(run.Context) {
		o := r.Research(ctx, caller(by, c.org), task, run.Context)
		found = append(found, o)
		run.Messages = append(run.Messages, plans.Message{Task: task, Output: o, Millis: 3})
	}
	set := options.Compose(run.Context, found, guide.Of, calendar.Of(now))
	run.Options = &set
	p, err := c.plans.Record(ctx, caller(by, c.org), key, code, run)
	if err != nil {
		c.Fatal(err)
	}
	return p
}

func optionIn(t testing.TB, a reply, id string) part.PlanView {
	t.Helper()
	if a.Options != nil {
		for _, o := range a.Options.Options {
			if o.ID == id {
				return o
			}
		}
	}
	t.Fatalf("there is no option %s: %s", id, a.body)
	return part.PlanView{}
}

// S4-42: a plan is read with its options as people see them, selected into the itinerary, and
// found there by the calendar file. What the person added stays.
func TestAPlanIsReadAndSelected(t *testing.T) {
	t.Parallel()
	c := openFor(t, "planner")
	me := c.org.Viewer
	p := c.planned(me, "turn-1", "")
	at := "/api/trips/" + p.Trip
	if all := c.want(200, "", me, "GET", "/api/plans", nil).Plans; len(all) != 1 || all[0].Trip != p.Trip ||
		all[0].Status != plans.Proposed {
		t.Errorf("plans: %+v", all)
	}
	a := c.want(200, "", me, "GET", at+"/plan", nil)
	if a.header.Get("ETag") != fmt.Sprintf("%q", fmt.Sprint(p.Version)) || a.Options == nil ||
		a.Options.Check() != nil ||
		len(a.Options.Options) < 2 || a.Options.Document != at+"/plan.pdf" || a.Options.Title == "" {
		t.Fatalf("the plan: %s", a.body)
	}
	first, second := a.Options.Options[0], a.Options.Options[1]
	if len(second.Days) != 4 || len(second.Costs) == 0 || len(second.Do) == 0 {
		t.Errorf("the second option: %+v", second)
	}
	c.want(409, "replaced", me, "POST", at+"/selection", object{"run": p.Run + 1, "option": second.ID})
	c.want(409, "changed", me, "POST", at+"/selection", object{"option": second.ID, "version": p.Version + 3})
	c.want(404, "unknown_option", me, "POST", at+"/selection", object{"option": "opt-9"})
	c.want(400, "invalid", me, "POST", at+"/selection", object{"optoin": second.ID})
	if left := c.want(200, "", me, "GET", at, nil).Trip.Items; len(left) != 0 {
		t.Fatalf("refused choices wrote %+v", left)
	}

	a = c.want(200, "", me, "POST", at+"/selection", object{"run": p.Run, "option": second.ID, "version": p.Version})
	if a.Plan.Status != plans.Selected || a.Plan.Option != second.ID || a.Options.Selected != second.ID {
		t.Errorf("selected: %s", a.body)
	}
	made := c.want(200, "", me, "GET", at, nil).Trip
	if !slices.ContainsFunc(made.Items, func(i itinerary.Item) bool { return i.Type == itinerary.Hotel }) ||
		len(made.Items) < 8 {
		t.Fatalf("the itinerary: %+v", made.Items)
	}
	file := c.want(200, "", me, "GET", at+"/calendar.ics", nil)
	if got := strings.Count(file.body, "BEGIN:VEVENT"); got != len(made.Items) {
		t.Errorf("the calendar has %d events of %d", got, len(made.Items))
	}
	own := itinerary.Item{Type: itinerary.Activity, Status: itinerary.Planned, Title: "Concert", Place: "Boston",
		Starts: local(t, "2030-02-16T20:00"), Ends: local(t, "2030-02-16T22:00"), StartZone: "America/New_York",
		EndZone: "America/New_York"}
	if _, err := c.trips.Put(t.Context(), caller(me, c.org), p.Trip, 0, own); err != nil {
		t.Fatal(err)
	}
	c.want(200, "", me, "POST", at+"/selection", object{"option": first.ID})
	again := c.want(200, "", me, "GET", at, nil).Trip
	if !slices.ContainsFunc(again.Items, func(i itinerary.Item) bool { return i.Title == "Concert" }) {
		t.Error("what the person added is gone")
	}

	// A newer run voids the choice, and its options are not those that were seen before.
	newer := c.planned(me, "turn-2", p.Trip)
	if newer.Status != plans.Proposed {
		t.Errorf("the plan of the newer run: %+v", newer)
	}
	c.want(409, "replaced", me, "POST", at+"/selection", object{"run": p.Run, "option": first.ID})
	runs := c.want(200, "", me, "GET", at+"/runs", nil).Runs
	if len(runs) != 2 || runs[0].Number != newer.Run || runs[0].Options != nil {
		t.Errorf("runs: %+v", runs)
	}
	old := c.want(200, "", me, "GET", fmt.Sprintf("%s/runs/%d", at, p.Run), nil).Run
	if old.Options == nil || len(old.Messages) != 3 || old.Messages[0].Output.Agent != "TransportAgent" {
		t.Errorf("the first run: %+v", old)
	}
	c.want(404, "run_not_found", me, "GET", at+"/runs/77", nil)
	c.want(400, "invalid", me, "GET", at+"/runs/newest", nil)
	a = c.want(200, "", me, "DELETE", at+"/plan", nil)
	if len(a.Plan.Context.Destinations) != 0 {
		t.Errorf("after a reset: %+v", a.Plan)
	}
	if kept := c.want(200, "", me, "GET", at, nil).Trip; len(kept.Items) != len(again.Items) {
		t.Errorf("a reset left %d items of %d", len(kept.Items), len(again.Items))
	}
}

// One hotel is swapped without planning anew; where its option is the selected one, the
// itinerary follows.
func TestAHotelIsSwapped(t *testing.T) {
	t.Parallel()
	c := openFor(t, "planner")
	me := c.org.Viewer
	p := c.planned(me, "turn-1", "")
	at := "/api/trips/" + p.Trip
	before := c.want(200, "", me, "GET", at+"/plan", nil)
	id := before.Options.Options[1].ID
	stay := func(a reply) string {
		for _, i := range optionIn(t, a, id).Days[0].Items {
			if i.Kind == "stay" {
				return i.Title
			}
		}
		t.Fatalf("the first night of %s is nowhere", id)
		return ""
	}
	after := c.want(200, "", me, "POST", at+"/swap", object{"run": p.Run, "option": id, "what": "stay"})
	if stay(before) == stay(after) || after.Plan.Version <= p.Version || after.Plan.Run != p.Run {
		t.Errorf("%q became %q: %+v", stay(before), stay(after), after.Plan)
	}
	if now := c.want(200, "", me, "GET", at+"/plan", nil); stay(now) != stay(after) {
		t.Errorf("kept is %q", stay(now))
	}
	if items := c.want(200, "", me, "GET", at, nil).Trip.Items; len(items) != 0 {
		t.Errorf("a swap without a choice wrote %+v", items)
	}
	c.want(200, "", me, "POST", at+"/selection", object{"option": id})
	hotels := func() (names []string) {
		for _, i := range c.want(200, "", me, "GET", at, nil).Trip.Items {
			if i.Type == itinerary.Hotel {
				names = append(names, i.Title)
			}
		}
		return names
	}
	chosen := hotels()
	c.want(200, "", me, "POST", at+"/swap", object{"option": id, "what": "stay"})
	if swapped := hotels(); len(swapped) != len(chosen) || slices.Equal(swapped, chosen) {
		t.Errorf("the itinerary had %q and has %q", chosen, swapped)
	}
	c.want(400, "invalid", me, "POST", at+"/swap", object{"option": id, "what": "weather"})
	c.want(409, "changed", me, "POST", at+"/swap", object{"option": id, "what": "stay", "version": p.Version})
}

// Companions look, others see nothing, and an organisation without the planner does not
// have its addresses (SB-6).
func TestPlansAreTheirOwners(t *testing.T) {
	t.Parallel()
	c := openFor(t, "planner")
	me, other := c.org.Viewer, c.org.Manager
	p := c.planned(me, "turn-1", "")
	at := "/api/trips/" + p.Trip
	for method, paths := range map[string][]string{"GET": {"/plan", "/runs", "/runs/1", "/plan.pdf", "/shares"},
		"POST": {"/selection", "/swap", "/shares"}, "DELETE": {"/plan", "/shares/SH-1"}} {
		for _, path := range paths {
			c.want(404, "trip_not_found", other, method, at+path, bodyFor(method))
		}
	}
	c.want(200, "", me, "POST", at+"/companions", object{"email": other.Email})
	a := c.want(200, "", other, "GET", at+"/plan", nil)
	if a.Plan.Mine || len(a.Options.Options[0].Do) != 0 {
		t.Errorf("to a companion: %+v", a.Plan)
	}
	c.want(200, "", other, "GET", at+"/plan.pdf", nil)
	c.want(403, "not_yours", other, "POST", at+"/selection", object{"option": a.Options.Options[0].ID})
	c.want(403, "not_yours", other, "POST", at+"/shares", object{})

	books := openFor(t, "travel")
	for _, path := range []string{"/api/plans", "/api/trips/TR-0001/plan", "/api/trips/TR-0001/shares"} {
		books.want(404, "unknown_assistant", books.org.Admin, "GET", path, nil)
	}
	books.want(200, "", books.org.Admin, "GET", "/api/trips", nil)
	c.want(404, "unknown_assistant", me, "GET", "/api/travellers", nil)
	if a := c.ask(localtest.Person{Token: "none"}, "GET", "/api/plans", nil); a.status != http.StatusUnauthorized {
		t.Errorf("without a session: %d", a.status)
	}
}

func bodyFor(method string) any {
	if method != "POST" {
		return nil
	}
	return object{}
}

// The PDF has an overview and a page for each option.
func TestAPlanIsSavedAsAPDF(t *testing.T) {
	t.Parallel()
	c := openFor(t, "planner")
	me := c.org.Viewer
	p := c.planned(me, "turn-1", "")
	at := "/api/trips/" + p.Trip
	a := c.want(200, "", me, "GET", at+"/plan.pdf", nil)
	if a.header.Get("Content-Type") != "application/pdf" ||
		a.header.Get("Content-Disposition") != `attachment; filename="`+p.Trip+`-plans.pdf"` ||
		!strings.HasPrefix(a.body, "%PDF-") || strings.Count(a.body, "/Type /Page\n") < 3 {
		t.Errorf("%v: %.20q", a.header, a.body)
	}
	c.want(200, "", me, "GET", at+"/plan.pdf?run=1", nil)
	c.want(404, "run_not_found", me, "GET", at+"/plan.pdf?run=9", nil)
	c.want(400, "invalid", me, "GET", at+"/plan.pdf?run=x", nil)
	empty, err := c.plans.Record(t.Context(), caller(me, c.org), "turn-9", "", plans.Run{Mode: "CLARIFY",
		Status: plans.Succeeded, Context: boston(t)})
	if err != nil {
		t.Fatal(err)
	}
	c.want(404, "no_options", me, "GET", "/api/trips/"+empty.Trip+"/plan.pdf", nil)
	c.want(404, "no_options", me, "POST", "/api/trips/"+empty.Trip+"/selection", object{"option": "opt-1"})
	if a := c.want(200, "", me, "GET", "/api/trips/"+empty.Trip+"/plan", nil); a.Options != nil {
		t.Errorf("without options: %s", a.body)
	}
}

// look opens a public page without a session.
func (c client) look(path string) (int, http.Header, string) {
	c.Helper()
	r, err := http.NewRequestWithContext(c.Context(), http.MethodGet, c.url+path, nil)
	if err != nil {
		c.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		c.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(all)
}

// S4-42: a link shows the plan to people who have it, without what says who travels, until it is
// revoked or ends; then it looks as if it had never been.
func TestAPlanIsShared(t *testing.T) {
	t.Parallel()
	c := openFor(t, "planner")
	me := c.org.Viewer
	p := c.planned(me, "turn-1", "")
	at := "/api/trips/" + p.Trip
	in := func(days int) object { return object{"expires": time.Now().AddDate(0, 0, days)} }
	c.want(422, "bad_fields", me, "POST", at+"/shares", in(182))
	c.want(422, "bad_fields", me, "POST", at+"/shares", in(-1))
	made := c.want(201, "", me, "POST", at+"/shares", in(180))
	path, ok := strings.CutPrefix(made.URL, c.url)
	if !ok || path != "/t/"+made.Token || len(made.Token) < 20 {
		t.Fatalf("made: %s", made.body)
	}
	status, head, html := c.look(path)
	if status != 200 || !strings.Contains(html, "Boston") || !strings.Contains(html, `class="day"`) {
		t.Fatalf("%d: %s", status, html)
	}
	for name, want := range map[string]string{"X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer",
		"Cache-Control": "no-store", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff"} {
		if got := head.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if policy := head.Get("Content-Security-Policy"); !strings.HasPrefix(policy,
		"default-src 'none'; style-src 'sha256-") {
		t.Errorf("the policy is %q", policy)
	}
	for _, secret := range []string{"Josephine", "Wilhelmina", "nut-free", p.Trip, c.org.ID, me.ID, me.Email,
		made.Token, "opt-", "<script"} {
		if strings.Contains(html, secret) {
			t.Errorf("the page shows %q", secret)
		}
	}
	list := c.want(200, "", me, "GET", at+"/shares", nil)
	if len(list.Shares) != 1 || strings.Contains(list.body, made.Token) {
		t.Errorf("links: %s", list.body)
	}
	if log := c.log.String(); strings.Contains(log, made.Token) {
		t.Errorf("the log has the token: %s", log)
	}
	_, _, never := c.look("/t/" + strings.Repeat("A", 26))
	if a := c.want(200, "", me, "DELETE", at+"/shares/"+made.Code, nil); !strings.Contains(a.body, `"revoked":true`) ||
		a.URL != "" {
		t.Errorf("revoked: %s", a.body)
	}
	ending := c.want(201, "", me, "POST", at+"/shares", object{})
	if days := ending.Expires.Sub(ending.Made).Hours() / 24; days < 29.9 || days > 30.1 {
		t.Errorf("the usual link works for %v days", days)
	}
	localtest.SQL(t, `update public.trip_shares set created_at = created_at - interval '40 days',
		expires_at = now() - interval '1 second' where org_id = $1 and code = $2 returning 1`, c.org.ID, ending.Code)
	for name, path := range map[string]string{"revoked": path, "expired": "/t/" + ending.Token, "short": "/t/x",
		"odd": "/t/" + strings.Repeat("%2e", 30)} {
		status, head, html := c.look(path)
		if status != 404 || html != never || head.Get("X-Robots-Tag") != "noindex" ||
			!strings.Contains(html, "There is no plan at this address") {
			t.Errorf("%s: %d %s", name, status, html)
		}
	}
	c.want(404, "share_not_found", me, "DELETE", at+"/shares/SH-99", nil)
}

// One address does not ask for pages without end.
func TestPublicPagesAreLimited(t *testing.T) {
	t.Parallel()
	c := openFor(t, "planner")
	for range 2*120 + 1 { // at most two minutes begin while they are asked
		if status, head, _ := c.look("/t/none"); status == http.StatusTooManyRequests &&
			head.Get("Retry-After") != "" {
			return
		}
	}
	t.Error("241 requests at once were all answered")
}
