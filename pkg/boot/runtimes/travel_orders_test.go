package runtimes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/duffel"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// personal is what agency.travellers enters of people.
const personal = `Quennell|Ottilie|Barnaby|Persis|P1234567|P2345678|P3456789|1984-03-09|1982-10-21|2019-05-14|2079460018|2079460019`

// supplierIDs are ids by which the supplier names offers, orders, passengers and the like.
var supplierIDs = regexp.MustCompile(`\b(?:off|ord|orq|pas|quo|rat|ssr|srr|bok|ore)_[A-Za-z0-9]{6,}`)

// foundIn returns, table by table, how many rows of the database match a pattern anywhere.
func foundIn(t testing.TB, pattern string) map[string]any {
	t.Helper()
	var parts []string
	for _, row := range localtest.SQL(t, `select n.nspname as schema, c.relname as name from pg_class c
		join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and not c.relispartition
		and n.nspname not in ('pg_catalog', 'information_schema') order by 1, 2`) {
		name := fmt.Sprintf(`%q.%q`, row["schema"], row["name"])
		parts = append(parts, `select '`+strings.ReplaceAll(name, `"`, "")+`' as name, count(*) as n from `+name+
			` r where to_jsonb(r)::text ~ $1`)
	}
	if len(parts) < 50 {
		t.Fatalf("only %d tables are looked at", len(parts))
	}
	found := map[string]any{}
	for _, row := range localtest.SQL(t, `select * from (`+strings.Join(parts, " union all ")+`) x where n > 0`,
		pattern) {
		found[row["name"].(string)] = row["n"]
	}
	return found
}

// quiet holds that nothing personal of the travellers is in a prompt, in the log, or in any
// table but their own.
func (a agency) quiet(model *script.Server) {
	a.t.Helper()
	hidden := regexp.MustCompile(personal)
	if found := foundIn(a.t, personal); len(found) != 1 || found["public.travellers"] == nil {
		a.t.Errorf("tables with personal data: %v", found)
	}
	if got := hidden.FindString(a.logs.String()); got != "" || a.logs.Len() == 0 {
		a.t.Errorf("the log of %d bytes has %q", a.logs.Len(), got)
	}
	if model == nil {
		return
	}
	for i, r := range model.Requests() {
		if got := hidden.FindString(string(r.Body)) + supplierIDs.FindString(string(r.Body)); got != "" {
			a.t.Errorf("request %d to the model has %q", i, got)
		}
	}
}

// The search that the tests of orders begin with, by words alone.
const family = "flights from London to Lisbon on 4 December, back on 6 December, two adults and a child of 7"

// Held, paid for, cancelled and booked by rules: each is shown with its price first and done
// once, and who travels stands in no table but that of travellers.
func TestAJourneyByRules(t *testing.T) {
	t.Parallel()
	b := newTravel(t, "rules")
	b.travellers(b.org.Manager)
	c := b.as(b.org.Manager, "id", uuid.NewString())
	if a := c.ask(family); a.Usage.Calls != 0 || !a.part(t, "flights", new(any)) {
		t.Fatal(a)
	}
	hold := c.ask("hold the second one")
	if hold.Confirmation == nil || hold.Confirmation.Tool != "hold_flight" ||
		!strings.Contains(hold.Reply, "PAX-3 (child)") ||
		b.sent(http.MethodPost, "/air/orders") != 0 {
		t.Fatal(hold)
	}
	if held := c.approve(hold); !strings.Contains(held.Reply, "TB-0001) is held for") ||
		!held.part(t, "booking", new(any)) {
		t.Error(held)
	}
	pay := c.ask("pay TB-0001")
	if pay.Confirmation == nil || pay.Confirmation.Tier != "HIGH" || b.sent(http.MethodPost, "/air/payments") != 0 {
		t.Fatal(pay)
	}
	if paid := c.approve(pay); !strings.Contains(paid.Reply, "is booked for") {
		t.Error(paid)
	}
	// By the airline's reference, which people have in their mails.
	ref := localtest.SQL(t, `select reference from public.travel_bookings where org_id = $1`, b.org.ID)[0]["reference"]
	gone := c.approve(c.ask(fmt.Sprintf("cancel the booking with the reference %s", ref)))
	if !strings.Contains(gone.Reply, "is cancelled") {
		t.Error(gone)
	}
	c.ask(family) // the airlines sell one offer of a search
	booked := c.approve(c.ask("book the first one"))
	if !strings.Contains(booked.Reply, "TB-0002") || b.sent(http.MethodPost, "/air/orders") != 2 ||
		b.sent(http.MethodPost, "/air/payments") != 1 {
		t.Errorf("%s\n%v", booked, b.supplier.Calls())
	}
	b.quiet(nil)
}

// S1-5: the same by a model, which knows travellers and offers by their codes alone.
func TestAJourneyByAModel(t *testing.T) {
	t.Parallel()
	hold, book, cancel := []script.Call{{Name: "hold_flight"}}, []script.Call{{Name: "book_flight"}},
		[]script.Call{{Name: "cancel_booking", Arguments: `{"booking":"TB-0001"}`}}
	model := script.Start(t, script.Step{Calls: []script.Call{{Name: "search_flights", Arguments: toLisbon},
		{Name: "list_travellers"}}}, script.Step{Text: "Which one?"}, script.Step{Calls: hold},
		script.Step{Calls: cancel},
		step("search_flights", toLisbon), script.Step{Text: "Which one?"}, script.Step{Calls: book},
		script.Step{Calls: []script.Call{{Name: "get_booking", Arguments: `{"booking":"TB-0002"}`}}},
		script.Step{Text: "All is well."})
	b := newTravel(t, model.URL)
	b.travellers(b.org.Manager)
	c := b.as(b.org.Manager, "id", uuid.NewString())
	var shown struct {
		Offers []struct{ Code, Hold string }
	}
	if a := c.ask("To Lisbon, two of us and a child of 7"); !a.part(t, "flights", &shown) || len(shown.Offers) < 2 {
		t.Fatal(a)
	}
	held := ""
	for _, o := range shown.Offers {
		if held == "" && o.Hold != "" {
			held = o.Code
		}
	}
	hold[0].Arguments = `{"offer":"` + held + `","travellers":["PAX-1","PAX-2","PAX-3"]}`
	if a := c.approve(c.ask("Hold that for me")); !strings.Contains(a.Reply, "TB-0001") ||
		!strings.Contains(a.Reply, "held") {
		t.Error(a)
	}
	if a := c.approve(c.ask("Cancel TB-0001 please")); !strings.Contains(a.Reply, "cancelled") {
		t.Error(a)
	}
	if a := c.ask("Search again"); !a.part(t, "flights", &shown) {
		t.Fatal(a)
	}
	book[0].Arguments = `{"offer":"` + shown.Offers[0].Code + `"}`
	if a := c.approve(c.ask("Book the cheapest")); !strings.Contains(a.Reply, "TB-0002") {
		t.Error(a)
	}
	if a := c.ask("How is TB-0002?"); !a.part(t, "booking", new(any)) || len(model.Unused()) > 0 {
		t.Errorf("%s, left %v", a, model.Unused())
	}
	b.quiet(model)
}

// cheapest returns the supplier's id of the first offer of the newest search.
func (a agency) cheapest() string {
	a.t.Helper()
	rows := localtest.SQL(a.t, `select found::text as found from public.travel_searches where org_id = $1 order by
		at desc limit 1`,
		a.org.ID)
	var found struct{ Offers []struct{ ID string } }
	if len(rows) != 1 || json.Unmarshal([]byte(rows[0]["found"].(string)), &found) != nil || len(found.Offers) == 0 {
		a.t.Fatalf("%v", rows)
	}
	return found.Offers[0].ID
}

// F-48: what is only accepted is told as pending, and as failed once the airline says so.
func TestAnAcceptedOrderMayFail(t *testing.T) {
	t.Parallel()
	b := newTravel(t, "rules")
	b.travellers(b.org.Manager)
	c := b.as(b.org.Manager, "id", uuid.NewString())
	c.ask(family)
	ask := c.ask("book the first one")
	b.supplier.Accept202(duffel.CreationFailed)
	if a := c.approve(ask); !strings.Contains(a.Reply, "not confirmed yet") || strings.Contains(a.Reply, "is booked") {
		t.Fatal(a)
	}
	if err := b.supplier.Settle(b.supplier.Orders()[0]); err != nil {
		t.Fatal(err)
	}
	a := c.ask("what is the status of TB-0001?")
	var shown struct{ State string }
	if !a.part(t, "booking", &shown) || shown.State != "failed" || b.sent(http.MethodPost, "/air/orders") != 1 {
		t.Errorf("%+v %s", shown, a)
	}
}

// F-48: a price that changed between view and consent asks anew, and an offer that has gone
// is refused; neither orders anything.
func TestWhatChangedAfterItWasShownIsNotOrdered(t *testing.T) {
	t.Parallel()
	b := newTravel(t, "rules")
	b.travellers(b.org.Manager)
	c := b.as(b.org.Manager, "id", uuid.NewString())
	c.ask(family)
	ask := c.ask("book the first one")
	if err := b.supplier.Reprice(b.cheapest(), "4321.00"); err != nil {
		t.Fatal(err)
	}
	anew := c.approve(ask)
	if anew.Confirmation == nil || anew.Confirmation.ID == ask.Confirmation.ID ||
		!strings.Contains(anew.Reply, "4,321") ||
		b.sent(http.MethodPost, "/air/orders") != 0 {
		t.Fatal(anew)
	}
	if err := b.supplier.Withdraw(b.cheapest()); err != nil {
		t.Fatal(err)
	}
	if a := c.approve(anew); strings.Contains(a.Reply, "is booked") || b.sent(http.MethodPost, "/air/orders") != 0 ||
		!strings.Contains(strings.ToLower(a.Reply), "offer") {
		t.Errorf("%d orders: %s", b.sent(http.MethodPost, "/air/orders"), a)
	}
}

// F-48: an order whose answer is lost is looked up and never sent again, and two clicks at
// the same time are one order.
func TestAnOrderIsSentOnce(t *testing.T) {
	t.Parallel()
	b := newTravel(t, "rules")
	b.travellers(b.org.Manager)
	c := b.as(b.org.Manager, "id", uuid.NewString())
	c.ask(family)
	ask := c.ask("book the first one")
	b.supplier.Lose("POST /air/orders")
	if a := c.approve(ask); !strings.Contains(a.Reply, "TB-0001") || !strings.Contains(a.Reply, "is booked") ||
		b.sent(http.MethodPost, "/air/orders") != 1 || len(b.supplier.Orders()) != 1 {
		t.Errorf("%s\n%v", a, b.supplier.Calls())
	}
	c.ask(family) // the airlines sell one offer of a search
	second := c.ask("book the second one")
	if second.Confirmation == nil {
		t.Fatal(second)
	}
	var clicks sync.WaitGroup
	done := make([]int, 4)
	for i := range done {
		clicks.Go(func() {
			done[i], _ = b.call(b.org.Manager, http.MethodPost, "/api/confirmations/"+second.Confirmation.ID,
				map[string]any{"decision": "approve"})
		})
	}
	clicks.Wait()
	if b.sent(http.MethodPost, "/air/orders") != 2 || len(b.supplier.Orders()) != 2 ||
		!strings.Contains(fmt.Sprint(done), "200") {
		t.Errorf("%v: %v", done, b.supplier.Calls())
	}
}

// F-48: where neither the order nor the look-up is answered, the outcome is said to be
// unknown; asking again looks, and orders nothing.
func TestAnUnknownOutcomeIsSaid(t *testing.T) {
	t.Parallel()
	b := newTravel(t, "rules")
	b.travellers(b.org.Manager)
	c := b.as(b.org.Manager, "id", uuid.NewString())
	c.ask(family)
	ask := c.ask("book the first one")
	b.supplier.Lose("POST /air/orders")
	b.supplier.Inject(duffel.Fault{Path: "GET /air/orders", Status: http.StatusServiceUnavailable, Times: 2})
	if a := c.approve(ask); strings.Contains(a.Reply, "is booked") || !strings.Contains(a.Reply, "not known") ||
		!strings.Contains(a.Reply, "TB-0001") {
		t.Errorf("%s", a)
	}
	var shown struct{ State string }
	for range 3 { // the look-ups that still fail
		if a := c.ask("what is the status of TB-0001?"); a.part(t, "booking", &shown) && shown.State == "confirmed" {
			break
		}
	}
	if shown.State != "confirmed" || b.sent(http.MethodPost, "/air/orders") != 1 {
		t.Errorf("%+v after %v", shown, b.supplier.Calls())
	}
}
