package tools_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	standin "github.com/bellhop-ai/bellhop/infra/local/duffel"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/duffel"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/travel"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/tools"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// passport is the number of a document that no model, log or table but its own may hold.
const passport = "XQ7719345"

// desk is an organisation with the tools over the real database and the real protocol.
type desk struct {
	t        *testing.T
	supplier *standin.Server
	consent  *consent.Service
	tools    []tool.Tool
	bookings bookings.Store
	people   travellers.Store

	manager, viewer identity.Caller

	mu      sync.Mutex
	ahead   time.Duration // of the clock
	seen    []string      // all that models read
	today   calendar.Date
	company string // the organisation's id
}

func (d *desk) now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Now().Add(d.ahead)
}

// later moves the clock of the supplier and of the tools.
func (d *desk) later(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ahead += by
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, today: calendar.Of(time.Now().UTC())}
	var err error
	if d.supplier, err = standin.Start(standin.Config{Token: "duffel_test_desk", Now: d.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.supplier.Close() })
	adapter, err := duffel.New(duffel.Config{APIKey: "duffel_test_desk", BaseURL: d.supplier.URL(), Now: d.now})
	if err != nil {
		t.Fatal(err)
	}
	client, err := supabase.New(localtest.Config(t, localtest.Stack(t)))
	if err != nil {
		t.Fatal(err)
	}
	org := localtest.NewOrg(t)
	d.company = org.ID
	localtest.Give(t, localtest.Stack(t), org.ID, "travel")
	for token, by := range map[string]*identity.Caller{org.Manager.Token: &d.manager, org.Viewer.Token: &d.viewer} {
		who, err := client.Whoami(t.Context(), identity.Secret(token))
		if err != nil {
			t.Fatal(err)
		}
		*by, _ = who.Choose("", "")
	}
	d.bookings, d.people = store.NewBookings(client), store.NewTravellers(client)
	d.consent = &consent.Service{Store: control.NewProposals(client), NewID: uuid.NewString,
		Code: func() string { return uuid.NewString()[:4] }}
	d.tools = tools.Tools(tools.Config{Flights: adapter.Flights(), Stays: adapter.Stays(), Bookings: d.bookings,
		Trips: store.NewTrips(client), Travellers: d.people, Preferences: store.NewPreferences(client),
		Outbox: control.NewOutbox(client), Now: d.now})
	return d
}

// day is a day some weeks ahead.
func (d *desk) day(ahead int) string { return d.today.AddDays(ahead).String() }

func (d *desk) tool(name string) tool.Tool {
	d.t.Helper()
	i := slices.IndexFunc(d.tools, func(t tool.Tool) bool { return t.Name() == name })
	if i < 0 {
		d.t.Fatalf("there is no tool %s", name)
	}
	return d.tools[i]
}

// try calls a tool that asks for nothing, as a model does.
func (d *desk) try(by identity.Caller, name string, arguments any) (tool.Result, error) {
	d.t.Helper()
	call, err := d.tool(name).Prepare(encoded(d.t, arguments))
	if err != nil {
		return tool.Result{}, err
	}
	ctx := d.t.Context()
	if call.Tool.Effect() != tool.Reads {
		ctx = effect.With(ctx, effect.Claim{Key: "act-" + uuid.NewString(), ArgsHash: call.Hash, Tool: name,
			Turn: uuid.NewString(), Assistant: "travel"})
	}
	r, err := call.Run(ctx, by)
	d.read(name, r)
	return r, err
}

// read keeps what models see of an answer, and holds it to its bounds.
func (d *desk) read(name string, r tool.Result) {
	d.t.Helper()
	if r.Refused != nil {
		d.t.Errorf("%s: a part is missing: %v", name, r.Refused)
	}
	if n := len(r.Data) + len(r.Text); n > 4096 {
		d.t.Errorf("%s answers %d bytes", name, n)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen = append(d.seen, string(r.Data), r.Text)
	for _, p := range r.Parts {
		d.seen = append(d.seen, string(p.Data), p.Text, string(p.Arguments))
	}
}

// call is try of a call that works, with the members of its answer.
func (d *desk) call(by identity.Caller, name string, arguments any) map[string]any {
	d.t.Helper()
	r, err := d.try(by, name, arguments)
	if err != nil {
		d.t.Fatalf("%s: %v (%v)", name, err, errors.Unwrap(err))
	}
	return members(d.t, r.Data)
}

// ask proposes a call and returns what the person sees.
func (d *desk) ask(by identity.Caller, name string, arguments any) (consent.Proposal, error) {
	d.t.Helper()
	call, err := d.tool(name).Prepare(encoded(d.t, arguments))
	if err != nil {
		return consent.Proposal{}, err
	}
	p, err := d.consent.Propose(d.t.Context(), by, consent.Where{Assistant: "travel", Agent: "travel",
		Turn: uuid.NewString()}, call)
	for _, l := range p.Preview.Lines {
		d.seen = append(d.seen, l.After)
	}
	d.seen = append(d.seen, p.Preview.Warnings...)
	return p, err
}

// agree carries out what was asked.
func (d *desk) agree(by identity.Caller, p consent.Proposal) (tool.Result, error) {
	r, err := d.consent.Execute(d.t.Context(), by, p, d.tool(p.Tool))
	d.read(p.Tool, r)
	return r, err
}

// family enters two adults and a child of seven with passports.
func (d *desk) family(by identity.Caller) {
	d.t.Helper()
	for i, name := range []string{"Ada", "Ben", "Cleo"} {
		born := d.today.AddDays(-(35 * 365))
		if i == 2 {
			born = d.today.AddDays(-(7*365 + 100))
		}
		if _, err := d.people.Save(d.t.Context(), by, travellers.Traveller{Self: i == 0, Title: "ms", Gender: "f",
			Given: name, Family: "Quillwright", Born: born, Email: "family.quillwright@home.example",
			Phone: "+442079460123", Passport: &travellers.Passport{Number: passport, Country: "GB",
				Expires: d.today.AddDays(2000)}}); err != nil {
			d.t.Fatal(err)
		}
	}
}

// search finds flights for the family and returns the offers' codes, the cheapest first.
func (d *desk) search(by identity.Caller, from, to string, more map[string]any) []string {
	d.t.Helper()
	arguments := map[string]any{"origin": from, "destination": to, "departureDate": d.day(30), "passengerCount": 3,
		"ages": []int{7}}
	for k, v := range more {
		arguments[k] = v
	}
	return codes(d.call(by, "search_flights", arguments), "offers")
}

// holdable is the first offer of a search that can be held.
func (d *desk) holdable(answer map[string]any) string {
	d.t.Helper()
	for _, o := range list(answer["offers"]) {
		if o["hold"] == true {
			return o["code"].(string)
		}
	}
	d.t.Fatal("no offer can be held")
	return ""
}

// calls counts the requests to a path of the supplier.
func (d *desk) calls(method, path string) int {
	n := 0
	for _, c := range d.supplier.Calls() {
		if c.Method == method && strings.HasPrefix(c.Path, path) {
			n++
		}
	}
	return n
}

// id returns the supplier's id of an offer, which only the store knows.
func (d *desk) id(by identity.Caller, offer string) string {
	d.t.Helper()
	s, err := d.bookings.Search(d.t.Context(), by, offer)
	if err != nil {
		d.t.Fatal(err)
	}
	var found struct {
		Offers []struct{ ID string }
	}
	if err := json.Unmarshal(s.Found, &found); err != nil {
		d.t.Fatal(err)
	}
	for n, o := range found.Offers {
		if fmt.Sprintf("%s-%d", s.Code, n+1) == offer {
			return o.ID
		}
	}
	d.t.Fatalf("no offer %s", offer)
	return ""
}

var supplierIDs = regexp.MustCompile(`\b(off|ord|orq|pas|quo|rat|ssr|srr|bok|ore|acc)_[A-Za-z0-9]{6,}`)

// quiet holds that nothing which a model read, and no row of the outbox, of audits and of
// effects, has an id of the supplier or anything personal.
func (d *desk) quiet() {
	d.t.Helper()
	texts := slices.Clone(d.seen)
	for _, table := range []string{"outbox", "audit", "effects", "proposals"} {
		for _, row := range localtest.SQL(d.t, "select to_jsonb(r)::text as text from public."+table+
			" r where org_id = $1", d.company) {
			texts = append(texts, row["text"].(string))
		}
	}
	for _, text := range texts {
		if id := supplierIDs.FindString(text); id != "" {
			d.t.Errorf("an id of the supplier, %s, in %.200s", id, text)
		}
		for _, secret := range []string{passport, "Quillwright", "Cleo", "family.quillwright", "2079460123"} {
			if strings.Contains(text, secret) {
				d.t.Errorf("%s in %.300s", secret, text)
			}
		}
	}
	if len(texts) < 5 {
		d.t.Errorf("only %d texts were looked at", len(texts))
	}
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func members(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// list is a list of objects.
func list(v any) []map[string]any {
	all, _ := v.([]any)
	var out []map[string]any
	for _, one := range all {
		if m, ok := one.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

func codes(answer map[string]any, member string) []string {
	var out []string
	for _, o := range list(answer[member]) {
		out = append(out, o["code"].(string))
	}
	return out
}

func wantCode(t *testing.T, what string, err error, code string) {
	t.Helper()
	if f := fault.From(err); f == nil || f.Code != code {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}
