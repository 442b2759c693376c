package tools_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	standin "github.com/bellhop-ai/bellhop/infra/local/duffel"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// A flight is held, stands in the itinerary, is paid, and is cancelled with the refund shown
// first.
func TestAFlightIsHeldPaidAndCancelled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	// On this route of the test mode everything can be held.
	asked := map[string]any{"origin": "JFK", "destination": "EWR", "departureDate": d.day(30),
		"returnDate": d.day(32), "passengerCount": 3, "ages": []int{7}, "holdable": true}
	found := d.call(d.manager, "search_flights", asked)
	offer := d.holdable(found)

	// Nobody is entered yet: the form is asked for.
	_, err := d.ask(d.manager, "hold_flight", map[string]any{"offer": offer})
	q, ok := errors.AsType[*tool.Question](err)
	if !ok || len(q.Parts()) != 1 || q.Parts()[0].Kind != "travellers" {
		t.Fatalf("without travellers: %v", err)
	}
	wantCode(t, "without travellers", err, "travellers_missing")
	d.family(d.manager)

	// One who may only look may not hold.
	if _, err := d.ask(d.viewer, "hold_flight", map[string]any{"offer": offer}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a viewer holds: %v", err)
	}
	trip := d.call(d.manager, "add_activity_to_itinerary", map[string]any{"title": "Jazz", "place": "Newark",
		"date": d.day(31), "startTime": "20:00"})["trip"].(string)
	p, err := d.ask(d.manager, "hold_flight", map[string]any{"offer": offer, "trip": trip})
	if err != nil {
		t.Fatal(err)
	}
	if p.Tier != "MEDIUM" || p.Preview.Line("Paid now") != "nothing" || p.Preview.Line("Pay by") == "" ||
		!strings.Contains(p.Preview.Line("Travellers"), "PAX-1 (adult)") ||
		!strings.Contains(p.Preview.Line("Travellers"), "(child)") || p.Preview.Line("Total") == "" {
		t.Errorf("the preview is %+v", p.Preview)
	}
	r, err := d.agree(d.manager, p)
	if err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	held := members(t, r.Data)
	if held["state"] != "held" || held["paid"] != false || !strings.Contains(r.Text, "Pay by") {
		t.Errorf("held is %v", held)
	}
	booking := held["code"].(string)
	shown := d.call(d.manager, "show_itinerary", map[string]any{"trip": trip})
	var statuses []string
	for _, i := range list(shown["items"]) {
		statuses = append(statuses, i["type"].(string)+" "+i["status"].(string))
	}
	if strings.Join(statuses, ", ") != "flight held, activity planned, flight held" {
		t.Errorf("the itinerary has %v", statuses)
	}

	p, err = d.ask(d.manager, "pay_held_flight", map[string]any{"booking": booking})
	if err != nil {
		t.Fatal(err)
	}
	if p.Tier != "HIGH" || !strings.Contains(p.Preview.Line("Paid now"), "balance") {
		t.Errorf("the preview of the payment is %+v", p.Preview)
	}
	if r, err = d.agree(d.manager, p); err != nil {
		t.Fatal(err)
	}
	if paid := members(t, r.Data); paid["state"] != "confirmed" || paid["paid"] != true || paid["reference"] == nil {
		t.Errorf("paid is %v", paid)
	}
	if n := d.calls("POST", "/air/payments"); n != 1 {
		t.Errorf("%d payments", n)
	}
	_, err = d.ask(d.manager, "pay_held_flight", map[string]any{"booking": booking})
	wantCode(t, "paying again", err, "not_held")

	// The airline changes its times.
	if err := d.supplier.Change(d.supplier.Orders()[0]); err != nil {
		t.Fatal(err)
	}
	now := d.call(d.manager, "get_booking", map[string]any{"booking": booking})
	if words, _ := now["change"].(string); !strings.HasPrefix(words, "The airline changed ") {
		t.Errorf("after a change it is %v", now)
	}

	p, err = d.ask(d.manager, "cancel_booking", map[string]any{"booking": booking})
	if err != nil {
		t.Fatal(err)
	}
	refund := p.Preview.Line("Refund")
	if refund == "" || p.Preview.Line("Refunded to") == "" || len(p.Preview.Warnings) == 0 {
		t.Errorf("the preview of the cancellation is %+v", p.Preview)
	}
	if r, err = d.agree(d.manager, p); err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	if gone := members(t, r.Data); gone["state"] != "cancelled" ||
		!strings.Contains(refund, gone["refunded"].(string)) {
		t.Errorf("cancelled is %v, shown was %s", gone, refund)
	}
	for _, i := range list(d.call(d.manager, "show_itinerary", map[string]any{"trip": trip})["items"]) {
		if i["type"] == "flight" && i["status"] != "cancelled" {
			t.Errorf("in the itinerary is %v", i)
		}
	}
	_, err = d.ask(d.manager, "cancel_booking", map[string]any{"booking": booking})
	wantCode(t, "cancelling again", err, "already_cancelled")
	if _, err = d.try(d.viewer, "get_booking", map[string]any{"booking": booking}); !fault.Is(err, fault.NotFound) {
		t.Errorf("another person's booking: %v", err)
	}
	d.quiet()
}

// An offer that changed its price between view and consent asks anew with both prices, and
// nothing is bought; one that expired is refused.
//
// F-48
func TestAnotherPriceAsksAnew(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.family(d.manager)
	offers := d.search(d.manager, "LHR", "JFK", nil)
	p, err := d.ask(d.manager, "book_flight", map[string]any{"offer": offers[0]})
	if err != nil {
		t.Fatal(err)
	}
	old := p.Preview.Line("Total")
	if err := d.supplier.Reprice(d.id(d.manager, offers[0]), "4321.00"); err != nil {
		t.Fatal(err)
	}
	_, err = d.agree(d.manager, p)
	changed, ok := errors.AsType[*consent.Changed](err)
	if !ok || d.calls("POST", "/air/orders") != 0 {
		t.Fatalf("%v, and %d orders", err, d.calls("POST", "/air/orders"))
	}
	now := changed.Proposal.Preview
	if now.Line("Total") == old || !strings.Contains(now.Line("Total"), "4,321") || len(now.Warnings) == 0 ||
		!strings.Contains(now.Warnings[0], "The price was "+old) || len(now.Changed) == 0 {
		t.Errorf("asked anew is %+v", now)
	}
	r, err := d.agree(d.manager, changed.Proposal)
	if err != nil {
		t.Fatal(err)
	}
	if got := members(t, r.Data); got["state"] != "confirmed" || got["price"] != now.Line("Total") {
		t.Errorf("booked is %v", got)
	}

	late := d.search(d.manager, "LHR", "JFK", nil)
	p, err = d.ask(d.manager, "book_flight", map[string]any{"offer": late[0]})
	if err != nil {
		t.Fatal(err)
	}
	d.later(45 * time.Minute)
	_, err = d.agree(d.manager, p)
	if f := fault.From(err); f == nil || f.Kind != fault.Gone {
		t.Errorf("an expired offer: %v", err)
	}
	if n := d.calls("POST", "/air/orders"); n != 1 {
		t.Errorf("%d orders", n)
	}
}

// Two clicks at once are one order.
func TestTwoClicksAreOneOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.family(d.manager)
	offers := d.search(d.manager, "LHR", "JFK", nil)
	p, err := d.ask(d.manager, "book_flight", map[string]any{"offer": offers[0]})
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	done := make([]error, 4)
	for i := range done {
		wait.Go(func() { _, done[i] = d.consent.Execute(t.Context(), d.manager, p, d.tool(p.Tool)) })
	}
	wait.Wait()
	won := 0
	for _, err := range done {
		if err == nil {
			won++
		} else if f := fault.From(err); f.Kind == fault.Internal {
			t.Errorf("%v (%v)", err, errors.Unwrap(err))
		}
	}
	if n := d.calls("POST", "/air/orders"); n != 1 || won == 0 {
		t.Errorf("%d orders, %d answers", n, won)
	}
	if n := len(d.supplier.Orders()); n != 1 {
		t.Errorf("%d orders at the supplier", n)
	}
	if got := list(d.call(d.manager, "list_bookings", map[string]any{})["bookings"]); len(got) != 1 {
		t.Errorf("bookings are %v", got)
	}
}

// What is only accepted is pending, and is told when it failed or became an order.
//
// F-48
func TestAnAcceptedOrderIsToldAsPending(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.family(d.manager)
	for outcome, want := range map[standin.Outcome]string{standin.Created: "confirmed",
		standin.CreationFailed: "failed"} {
		offers := d.search(d.manager, "LHR", "JFK", nil)
		p, err := d.ask(d.manager, "book_flight", map[string]any{"offer": offers[0]})
		if err != nil {
			t.Fatal(err)
		}
		d.supplier.Accept202(outcome)
		r, err := d.agree(d.manager, p)
		if err != nil {
			t.Fatal(err)
		}
		pending := members(t, r.Data)
		if pending["state"] != "pending" || !strings.Contains(r.Text, "not confirmed yet") {
			t.Errorf("accepted is %v: %s", pending, r.Text)
		}
		orders := d.supplier.Orders()
		if err := d.supplier.Settle(orders[len(orders)-1]); err != nil {
			t.Fatal(err)
		}
		now := d.call(d.manager, "get_booking", map[string]any{"booking": pending["code"]})
		if now["state"] != want {
			t.Errorf("%s: it is %v", outcome, now)
		}
	}
	d.quiet()
}

// An order whose answer is lost is looked up and not sent again; one that cannot be found
// yet is said to be unknown.
func TestALostAnswerIsLookedUp(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.family(d.manager)
	offers := d.search(d.manager, "LHR", "JFK", nil)
	p, err := d.ask(d.manager, "book_flight", map[string]any{"offer": offers[0]})
	if err != nil {
		t.Fatal(err)
	}
	d.supplier.Lose("POST /air/orders")
	r, err := d.agree(d.manager, p)
	if err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	if got := members(t, r.Data); got["state"] != "confirmed" || got["reference"] == nil {
		t.Errorf("looked up is %v", got)
	}

	// Now neither the order nor the look-up answers.
	offers = d.search(d.manager, "LHR", "CDG", nil)
	if p, err = d.ask(d.manager, "book_flight", map[string]any{"offer": offers[0]}); err != nil {
		t.Fatal(err)
	}
	d.supplier.Lose("POST /air/orders")
	d.supplier.Inject(standin.Fault{Path: "GET /air/orders", Status: 503, Times: 5})
	_, err = d.agree(d.manager, p)
	wantCode(t, "an order of which nothing is known", err, "outcome_unknown")
	if f := fault.From(err); f == nil || !strings.Contains(f.Message, "TB-") {
		t.Errorf("the sentence is %v", err)
	}
	if n := d.calls("POST", "/air/orders"); n != 2 {
		t.Errorf("%d orders were sent", n)
	}
	unknown := list(d.call(d.manager, "list_bookings", map[string]any{"text": "Paris"})["bookings"])
	if len(unknown) != 1 || unknown[0]["state"] != "pending" {
		t.Fatalf("the bookings are %v", unknown)
	}
	for range 5 { // the faults that are left
		r, err := d.try(d.manager, "get_booking", map[string]any{"booking": unknown[0]["code"]})
		if err != nil {
			t.Fatal(err)
		}
		if got := members(t, r.Data); got["state"] == "confirmed" {
			return
		}
	}
	t.Error("the order was not found")
}

// The airline's refusal reaches the person, and the booking is failed.
func TestARefusedOrderIsFailed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.family(d.manager)
	offers := d.search(d.manager, "LHR", "JFK", nil)
	p, err := d.ask(d.manager, "book_flight", map[string]any{"offer": offers[0]})
	if err != nil {
		t.Fatal(err)
	}
	d.supplier.Inject(standin.Fault{Path: "POST /air/orders", Status: 422, Type: "airline_error",
		Code:    "airline_internal",
		Message: "The seats of Cleo Quillwright are gone."})
	_, err = d.agree(d.manager, p)
	f := fault.From(err)
	if f == nil || f.Kind == fault.Internal || strings.Contains(f.Message, "Quillwright") {
		t.Errorf("refused is %v", err)
	}
	got := list(d.call(d.manager, "list_bookings", map[string]any{})["bookings"])
	if len(got) != 1 || got[0]["state"] != "failed" {
		t.Errorf("bookings are %v", got)
	}
	d.quiet()
}

// Prices stay in the currency of the supplier with its digits.
func TestPricesKeepTheirCurrency(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for from, want := range map[string]string{"NRT": "¥", "KWI": "KWD "} {
		found := d.call(d.viewer, "search_flights", map[string]any{"origin": from, "destination": "LHR",
			"departureDate": d.day(30)})
		for _, o := range list(found["offers"]) {
			price := o["price"].(string)
			_, digits, point := strings.Cut(price, ".")
			if !strings.HasPrefix(price, want) || from == "NRT" && point || from == "KWI" && len(digits) != 3 {
				t.Errorf("from %s an offer costs %s", from, price)
			}
		}
	}
}

// A traveller who is not the passenger of the search is refused with the reason.
func TestTravellersFitThePassengers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.family(d.manager)
	offers := d.search(d.manager, "LHR", "JFK", map[string]any{"passengerCount": 2, "ages": []int{}})
	for code, who := range map[string][]string{
		"travellers_misfit":   {"PAX-1", "PAX-3"},
		"traveller_unknown":   {"PAX-1", "PAX-77"},
		"traveller_twice":     {"PAX-1", "PAX-1"},
		"travellers_too_many": {"PAX-1", "PAX-2", "PAX-3"},
		"travellers_missing":  nil, // three are entered, and two travel
	} {
		_, err := d.ask(d.manager, "book_flight", map[string]any{"offer": offers[0], "travellers": who})
		wantCode(t, code, err, code)
	}
	if _, err := d.ask(d.manager, "book_flight", map[string]any{"offer": offers[0],
		"travellers": []string{"pax-2", "PAX-1"}}); err != nil {
		t.Error(err)
	}
}

// A hold that has lapsed is not paid.
func TestALapsedHoldIsNotPaid(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.family(d.manager)
	offers := d.search(d.manager, "JFK", "EWR", map[string]any{"holdable": true})
	p, err := d.ask(d.manager, "hold_flight", map[string]any{"offer": offers[0]})
	if err != nil {
		t.Fatal(err)
	}
	r, err := d.agree(d.manager, p)
	if err != nil {
		t.Fatal(err)
	}
	booking := members(t, r.Data)["code"]
	if p, err = d.ask(d.manager, "pay_held_flight", map[string]any{"booking": booking}); err != nil {
		t.Fatal(err)
	}
	if err := d.supplier.ExpireHold(d.supplier.Orders()[0]); err != nil {
		t.Fatal(err)
	}
	if r, err := d.agree(d.manager, p); err == nil {
		t.Errorf("a lapsed hold is paid: %s", r.Text)
	}
	if n := d.calls("POST", "/air/payments"); n != 0 {
		t.Errorf("%d payments were sent", n)
	}
	if now := d.call(d.manager, "get_booking", map[string]any{"booking": booking}); now["state"] == "held" ||
		now["state"] == "confirmed" {
		t.Errorf("it is %v", now)
	}
}

// A hold stands without a trip: its end is told, it can be put into one, and giving it up
// gives nothing back. A past trip is not the one that is meant.
func TestAHoldWithoutATrip(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.family(d.manager)
	d.call(d.manager, "add_activity_to_itinerary", map[string]any{"title": "Fado", "place": "Lisbon",
		"date": d.day(-40)})
	_, err := d.try(d.manager, "show_itinerary", map[string]any{})
	wantCode(t, "no trip to come", err, "trip_not_found")
	offers := d.search(d.manager, "JFK", "EWR", map[string]any{"holdable": true})
	p, err := d.ask(d.manager, "hold_flight", map[string]any{"offer": offers[0]})
	if err != nil {
		t.Fatal(err)
	}
	r, err := d.agree(d.manager, p)
	if err != nil {
		t.Fatal(err)
	}
	booking := members(t, r.Data)["code"].(string)
	if !strings.Contains(string(r.Parts[0].Data), "Put it into my trip") {
		t.Errorf("the part is %s", r.Parts[0].Data)
	}
	d.later(60 * time.Hour)
	if r, err = d.try(d.manager, "travel_hints", map[string]any{}); err != nil || !strings.Contains(r.Text, booking) {
		t.Errorf("hints are %v, %s", err, r.Text)
	}
	if r, err = d.try(d.manager, "list_bookings", map[string]any{}); err != nil || r.Text != "There is one booking." {
		t.Errorf("bookings are %v, %s", err, r.Text)
	}
	trip := d.call(d.manager, "add_flight_to_itinerary", map[string]any{"booking": booking})
	if items := list(trip["items"]); len(items) != 1 || items[0]["status"] != "held" {
		t.Errorf("the trip is %v", trip)
	}
	// The offer is that booking, and it stands there once.
	for _, again := range []map[string]any{{"offer": offers[0]}, {"booking": booking}} {
		r, err := d.try(d.manager, "add_flight_to_itinerary", again)
		if err != nil || len(list(members(t, r.Data)["items"])) != 1 || !strings.Contains(r.Text, "already") {
			t.Errorf("again: %v, %s", err, r.Data)
		}
	}
	if p, err = d.ask(d.manager, "cancel_booking", map[string]any{"booking": booking}); err != nil {
		t.Fatal(err)
	}
	if r, err = d.agree(d.manager, p); err != nil ||
		!strings.Contains(r.Text, "Nothing was paid, so nothing is given back.") {
		t.Errorf("cancelled is %v, %s", err, r.Text)
	}
}
