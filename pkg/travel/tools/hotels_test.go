package tools_test

import (
	"errors"
	"strings"
	"testing"
)

// A hotel is found, its rooms have rates, one is booked with its conditions shown, and
// cancelled.
//
// S1-14
func TestAHotelIsFoundBookedAndCancelled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.family(d.manager)
	asked := map[string]any{"location": "Lisbon", "checkIn": d.day(30), "checkOut": d.day(33)}
	found := d.call(d.manager, "search_hotels", asked)
	hotels := list(found["hotels"])
	if len(hotels) == 0 || hotels[0]["price"] == "" || !strings.Contains(hotels[0]["distance"].(string), "km") {
		t.Fatalf("found is %v", found)
	}
	asked["amenities"] = []string{"pool"}
	asked["priceRange"] = map[string]any{"max": 100000}
	with := d.call(d.manager, "search_hotels", asked)
	for _, h := range list(with["hotels"]) {
		if has, _ := h["amenities"].([]any); !strings.Contains(toText(has), "pool") {
			t.Errorf("%v has no pool", h)
		}
	}
	if notes, _ := with["notes"].([]any); !strings.Contains(toText(notes), "filtered here") {
		t.Errorf("notes are %v", notes)
	}
	rates := d.call(d.manager, "get_hotel_rates", map[string]any{"hotel": hotels[0]["code"]})
	rate := codes(rates, "rates")[0]
	p, err := d.ask(d.manager, "book_hotel", map[string]any{"rate": rate})
	if err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	for _, label := range []string{"Total", "Cancellation", "Payment", "Arrival", "Departure", "Room", "Board"} {
		if p.Preview.Line(label) == "" {
			t.Errorf("the preview has no %s: %+v", label, p.Preview)
		}
	}
	if p.Preview.Line("In the name of") != "PAX-1 (adult)" || p.Tier != "HIGH" {
		t.Errorf("the preview is %+v", p.Preview)
	}
	r, err := d.agree(d.manager, p)
	if err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	booked := members(t, r.Data)
	if booked["state"] != "confirmed" || booked["reference"] == nil || booked["type"] != "hotel" {
		t.Errorf("booked is %v", booked)
	}
	p, err = d.ask(d.manager, "cancel_booking", map[string]any{"booking": booked["code"]})
	if err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	if r, err = d.agree(d.manager, p); err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	if gone := members(t, r.Data); gone["state"] != "cancelled" {
		t.Errorf("cancelled is %v", gone)
	}
	d.quiet()
}

// What cannot be searched for is refused before the supplier is asked.
func TestStaysThatCannotBe(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for code, change := range map[string]map[string]any{
		"date_past":               {"checkIn": d.day(-2)},
		"checkout_before_checkin": {"checkOut": d.day(30)},
		"rooms_without_adults":    {"rooms": 3},
		"place_unknown":           {"location": "Qwxyzzt"},
		"stay_too_long":           {"checkOut": d.day(200)},
	} {
		in := map[string]any{"location": "Lisbon", "checkIn": d.day(30), "checkOut": d.day(33)}
		for k, v := range change {
			in[k] = v
		}
		_, err := d.try(d.viewer, "search_hotels", in)
		wantCode(t, code, err, code)
	}
	if n := d.calls("POST", "/stays"); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// A room whose booking has no answer is looked up, not booked again.
func TestALostBookingOfARoomIsLookedUp(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.family(d.manager)
	found := d.call(d.manager, "search_hotels", map[string]any{"location": "Lisbon", "checkIn": d.day(30),
		"checkOut": d.day(33)})
	rates := d.call(d.manager, "get_hotel_rates", map[string]any{"hotel": codes(found, "hotels")[0]})
	p, err := d.ask(d.manager, "book_hotel", map[string]any{"rate": codes(rates, "rates")[0]})
	if err != nil {
		t.Fatal(err)
	}
	d.supplier.Lose("POST /stays/bookings")
	r, err := d.agree(d.manager, p)
	if err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	if got := members(t, r.Data); got["state"] != "confirmed" || d.calls("POST", "/stays/bookings") != 1 {
		t.Errorf("booked is %v, by %d requests", got, d.calls("POST", "/stays/bookings"))
	}
	// The same rate is another booking only when it is asked for again.
	if _, err := d.agree(d.manager, p); err == nil && d.calls("POST", "/stays/bookings") != 1 {
		t.Error("a second yes booked again")
	}
}
