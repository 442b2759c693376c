package duffel_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"
)

// person is a complete traveller.
func person(id any, born string) m {
	return m{"id": id, "title": "ms", "gender": "f", "given_name": "Amelia", "family_name": "Earhart",
		"born_on": born, "email": "amelia@example.com", "phone_number": "+442080160508"}
}

// pick is the first offer of Duffel Airways for which a condition holds.
func pick(t *testing.T, found reply, fits func(any) bool) any {
	t.Helper()
	for _, o := range offersOf(found) {
		if at(o, "owner", "iata_code") == "ZZ" && (fits == nil || fits(o)) {
			return o
		}
	}
	t.Fatalf("no offer fits; status %d, %v", found.status, found.Errors)
	return nil
}

// instant is an order of an offer that is paid at once.
func instant(o any) m {
	paid := m{"type": "balance", "amount": at(o, "total_amount"), "currency": at(o, "total_currency")}
	return m{"type": "instant", "selected_offers": []any{at(o, "id")}, "payments": []any{paid},
		"passengers": []any{person(at(o, "passengers", 0, "id"), "1990-07-24")}}
}

func held(o any) m {
	body := instant(o)
	delete(body, "payments")
	body["type"] = "pay_later"
	return body
}

// with is a body with a member changed.
func with(body m, name string, value any) m {
	other := maps.Clone(body)
	other[name] = value
	return other
}

func TestAnOrderIsPaidCancelledAndRefunded(t *testing.T) {
	c := start(t, nil)
	// The refund is allowed for a penalty.
	o := pick(t, c.search("LHR", "JFK"), func(o any) bool {
		return at(o, "conditions", "refund_before_departure", "allowed") == true
	})
	priced := c.call("GET", "/air/offers/"+at(o, "id").(string)+"?return_available_services=true", nil)
	bag := at(priced.Data, "available_services", 0)
	if at(bag, "total_amount") != "20.00" || at(bag, "metadata", "maximum_weight_kg") != 23.0 {
		t.Errorf("the bag is %v", bag)
	}
	body := with(instant(priced.Data), "services", []any{m{"id": at(bag, "id"), "quantity": 1}})
	if got := c.call("POST", "/air/orders", body); got.code() != "payment_amount_does_not_match_order_amount" {
		t.Errorf("the bag was not paid: %d %s", got.status, got.code())
	}
	due := fmt.Sprintf("%.2f", price(t, priced.Data)+20)
	body["payments"] = []any{m{"type": "balance", "amount": due, "currency": "GBP"}}
	body["metadata"] = m{"bellhop": "K7M2-3"}
	bought := c.call("POST", "/air/orders", body)
	if bought.status != http.StatusCreated || at(bought.Data, "total_amount") != due ||
		at(bought.Data, "documents", 0, "type") != "electronic_ticket" ||
		at(bought.Data, "payment_status", "awaiting_payment") != false {
		t.Fatalf("%d %v", bought.status, bought)
	}
	if got := c.call("POST", "/air/orders", instant(o)); got.code() != "offer_request_already_booked" {
		t.Errorf("a second order: %d %s", got.status, got.code())
	}
	id := at(bought.Data, "id").(string)
	list := c.call("GET", "/air/orders?offer_id="+at(o, "id").(string), nil)
	if at(list.Data, 0, "id") != id || at(list.Data, 0, "metadata", "bellhop") != "K7M2-3" {
		t.Errorf("found %v", list.Data)
	}
	if none := c.call("GET", "/air/orders?booking_reference=NONE", nil); len(none.Data.([]any)) != 0 {
		t.Error("an order of another reference")
	}

	first := c.call("POST", "/air/order_cancellations", m{"order_id": id})
	quote := c.call("POST", "/air/order_cancellations", m{"order_id": id})
	if want := fmt.Sprintf("%.2f", price(t, priced.Data)+20-40); at(quote.Data, "refund_amount") != want ||
		at(quote.Data, "refund_to") != "balance" || at(quote.Data, "confirmed_at") != nil {
		t.Fatalf("the quote is %v, want %s", quote.Data, want)
	}
	confirm := func(r reply) reply {
		return c.call("POST", "/air/order_cancellations/"+at(r.Data, "id").(string)+"/actions/confirm", nil)
	}
	if got := confirm(first); got.code() != "order_cancellation_stale" {
		t.Errorf("the older quote: %d %s", got.status, got.code())
	}
	if got := confirm(quote); got.status != http.StatusOK || at(got.Data, "confirmed_at") == nil {
		t.Errorf("confirmed: %v", got)
	}
	if got := confirm(quote); got.code() != "already_cancelled" {
		t.Errorf("twice: %s", got.code())
	}
	if now := c.call("GET", "/air/orders/"+id, nil); at(now.Data, "cancelled_at") == nil ||
		at(now.Data, "available_actions", 0) != "update" {
		t.Errorf("the order is %v", now.Data)
	}
}

func TestAHeldOrderIsPaidInTimeOrLapses(t *testing.T) {
	c := start(t, nil)
	hold := func() (string, any) {
		o := pick(t, c.search("JFK", "EWR"), nil)
		got := c.call("POST", "/air/orders", held(o))
		if got.status != http.StatusCreated || at(got.Data, "payment_status", "awaiting_payment") != true {
			t.Fatalf("held: %d %v", got.status, got.Errors)
		}
		return at(got.Data, "id").(string), got.Data
	}
	id, order := hold()
	pay := func(id string, amount any) reply {
		return c.call("POST", "/air/payments", m{"order_id": id,
			"payment": m{"type": "balance", "amount": amount, "currency": at(order, "total_currency")}})
	}
	if got := pay(id, "1.00"); got.code() != "payment_amount_does_not_match_order_amount" {
		t.Errorf("another amount: %s", got.code())
	}
	if got := pay(id, at(order, "total_amount")); got.status != http.StatusCreated {
		t.Errorf("paid: %d %v", got.status, got.Errors)
	}
	if got := pay(id, at(order, "total_amount")); got.code() != "already_paid" {
		t.Errorf("paid twice: %s", got.code())
	}
	late, _ := hold()
	if err := c.server.ExpireHold(late); err != nil {
		t.Fatal(err)
	}
	if got := pay(late, at(order, "total_amount")); got.code() != "past_payment_required_by_date" {
		t.Errorf("too late: %s", got.code())
	}
	changed, _ := hold()
	if err := c.server.Change(changed); err != nil {
		t.Fatal(err)
	}
	if got := pay(changed, at(order, "total_amount")); got.code() != "schedule_changed" {
		t.Errorf("after a change: %s", got.code())
	}
}

func TestWhatAnOrderRefuses(t *testing.T) {
	c := start(t, nil)
	found := c.search("LHR", "JFK", m{"type": "adult"}, m{"age": 7}, m{"age": 1})
	o := pick(t, found, nil)
	id := func(i int) any { return at(o, "passengers", i, "id") }
	adult := with(person(id(0), "1990-07-24"), "infant_passenger_id", id(2))
	family := []any{adult, with(person(id(1), "2019-01-02"), "given_name", "Ada"),
		with(person(id(2), "2025-03-04"), "given_name", "Max")}
	good := with(instant(o), "passengers", family)
	lead := func(name string, value any) m {
		return with(good, "passengers", []any{with(adult, name, value), family[1], family[2]})
	}
	for name, test := range map[string]struct {
		body m
		code string
	}{
		"two offers":          {with(good, "selected_offers", []any{"a", "b"}), "validation_length"},
		"a passenger missing": {with(good, "passengers", family[:2]), "validation_length"},
		"no title":            {lead("title", ""), "validation_required"},
		"Devanagari":          {lead("given_name", "मीरा"), "validation_format"},
		"a local number":      {lead("phone_number", "020 8016 0508"), "invalid_phone_number"},
		"no mail address":     {lead("email", "amelia"), "invalid_email_address"},
		"too young":           {lead("born_on", "2010-01-01"), "validation_format"},
		"no one's infant":     {lead("infant_passenger_id", ""), "validation_required"},
		"long metadata":       {with(good, "metadata", m{strings.Repeat("k", 41): "x"}), "validation_length"},
		"another currency": {with(good, "payments", []any{m{"type": "balance", "amount": at(o, "total_amount"),
			"currency": "EUR"}}), "payment_currency_does_not_match_order_currency"},
		"no payment":        {with(good, "payments", []any{}), "validation_required"},
		"a hold with money": {with(good, "type", "pay_later"), "invalid_field_sets"},
	} {
		if got := c.call("POST", "/air/orders", test.body); got.status != 422 || got.code() != test.code {
			t.Errorf("%s: %d %s, want %s", name, got.status, got.code(), test.code)
		}
	}
	if got := c.call("POST", "/air/orders", good); got.status != http.StatusCreated {
		t.Errorf("the good one: %d %v", got.status, got.Errors)
	}
}

func TestOffersExpireAndChange(t *testing.T) {
	c := start(t, nil)
	o := pick(t, c.search("LHR", "JFK"), nil)
	path := "/air/offers/" + at(o, "id").(string)
	if err := c.server.Reprice(at(o, "id").(string), "999.00"); err != nil {
		t.Fatal(err)
	}
	if got := c.call("GET", path, nil); at(got.Data, "total_amount") != "999.00" {
		t.Errorf("it costs %v", at(got.Data, "total_amount"))
	}
	if got := c.call("POST", "/air/orders", instant(o)); got.code() != "payment_amount_does_not_match_order_amount" {
		t.Errorf("at the old price: %s", got.code())
	}
	c.clock.at = c.clock.at.Add(30 * time.Minute)
	if got := c.call("GET", path, nil); got.code() != "offer_no_longer_available" {
		t.Errorf("read after half an hour: %s", got.code())
	}
	if got := c.call("POST", "/air/orders", instant(o)); got.code() != "offer_expired" {
		t.Errorf("ordered after half an hour: %s", got.code())
	}
}

// F-48: what is only accepted becomes an order, or does not.
func TestAnAcceptedOrderIsSettledLater(t *testing.T) {
	c := start(t, nil)
	for outcome, want := range map[duffelOutcome]any{"created": nil, "creation_failed": "creation_failed"} {
		o := pick(t, c.search("LHR", "JFK"), nil)
		c.server.Accept202(outcome)
		got := c.call("POST", "/air/orders", held(o))
		id, _ := at(got.Data, "id").(string)
		if got.status != http.StatusAccepted || at(got.Data, "status") != "pending" {
			t.Fatalf("%d %v", got.status, got.Data)
		}
		if now := c.call("GET", "/air/orders/"+id, nil); at(now.Data, "status") != "pending" {
			t.Errorf("before: %v", now.Data)
		}
		if err := c.server.Settle(id); err != nil {
			t.Fatal(err)
		}
		now := c.call("GET", "/air/orders/"+id, nil)
		if at(now.Data, "status") != want || (want == nil) != (at(now.Data, "booking_reference") != nil) {
			t.Errorf("%s: %v", outcome, now.Data)
		}
	}
}
