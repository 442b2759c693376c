package hospitality_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// S0-21, S0-40, F-59
func TestARoomIsAvailableOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 2)
	code := h.book("2031-03-10", "2031-03-12", "confirmed", 5200, 0, "COCO")
	h.book("2031-03-10", "2031-03-12", "cancelled", 5200, 0, "BIRCH")
	h.block("2031-03-14", "2031-03-16", "BIRCH")
	tests := map[string]struct{ arguments, says string }{
		"free before the booking": {`{"room":"coco","check_in":"2031-03-08","check_out":"2031-03-10"}`,
			"Coco (COCO) is available from 08-Mar-2031 to 10-Mar-2031 (2 nights)."},
		"free on the day the other leaves": {`{"room":"Coco","check_in":"2031-03-12","check_out":"2031-03-13"}`,
			"Coco (COCO) is available from 12-Mar-2031 to 13-Mar-2031 (1 night)."},
		"taken in between": {`{"room":"COCO","check_in":"2031-03-11","check_out":"2031-03-14"}`,
			"Coco (COCO) is not available from 11-Mar-2031 to 14-Mar-2031 (3 nights): it is taken by booking " + code +
				" (10-Mar-2031 to 12-Mar-2031). It is free for as many nights from 12-Mar-2031."},
		"a cancelled booking takes nothing": {`{"room":"BIRCH","check_in":"2031-03-10","check_out":"2031-03-12",` +
			`"guests":4}`, "Birch (BIRCH) is available"},
		"one unit blocked, one free": {`{"room":"BIRCH","check_in":"2031-03-14","check_out":"2031-03-15"}`,
			"is available"},
		"too many people for what is free": {`{"room":"BIRCH","check_in":"2031-03-14","check_out":"2031-03-15",` +
			`"guests":3}`, "it sleeps at most 2"},
		"longer than it is let": {`{"room":"BIRCH","check_in":"2031-04-01","check_out":"2031-05-15"}`,
			"the longest stay is 30 nights"},
		"a day gone by": {`{"room":"BIRCH","check_in":"2031-01-14","check_out":"2031-01-15"}`,
			"the check-in lies in the past"},
		"the leap day is a night": {`{"room":"BIRCH","check_in":"2032-02-28","check_out":"2032-03-01"}`,
			"(2 nights)"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			r := h.must("check_availability", tc.arguments)
			if !strings.Contains(r.Text, tc.says) {
				t.Errorf("it says %q, want %q", r.Text, tc.says)
			}
		})
	}
	r := h.must("check_all_availability", `{"check_in":"2031-03-11","check_out":"2031-03-12"}`)
	want := [][]string{
		{"Birch", "BIRCH", "2", "yes", "2 of 2", "₹5,200.00", "₹6,400.50", "", "11-Mar-2031"},
		{"Coco", "COCO", "2", "no", "0 of 1", "₹5,200.00", "₹6,400.50", "it is taken by booking " + code +
			" (10-Mar-2031 to 12-Mar-2031)", "12-Mar-2031"},
	}
	if diff := cmp.Diff(want, rows(r)); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
	if r.Text != "1 of 2 room types can be booked from 11-Mar-2031 to 12-Mar-2031 (1 night): Birch (BIRCH)." {
		t.Errorf("it says %q", r.Text)
	}
}

// F-59
func TestImpossibleDatesAreRefusedInASentence(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	tests := map[string]struct{ arguments, says string }{
		"no night": {`{"check_in":"2031-03-10","check_out":"2031-03-10"}`,
			"The check-out (10-Mar-2031) must come after the check-in (10-Mar-2031)."},
		"backwards": {`{"check_in":"2031-03-10","check_out":"2031-03-09"}`, "must come after"},
		"a year and a day": {`{"check_in":"2031-03-10","check_out":"2032-03-10"}`,
			"a stay of 366 nights; at most 365"},
		"no such day":         {`{"check_in":"2031-02-29","check_out":"2031-03-02"}`, "is not a date"},
		"another form":        {`{"check_in":"10/03/2031","check_out":"2031-03-12"}`, "in the form YYYY-MM-DD"},
		"one of them missing": {`{"check_in":"2031-03-10"}`, `"check_out" is missing`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := h.run("check_all_availability", tc.arguments)
			sentence(t, err, fault.Invalid, tc.says)
		})
	}
}

// S0-40, S0-50
func TestReservationsAreFoundAndShown(t *testing.T) {
	t.Parallel()
	h := demo(t)
	r := h.must("search_reservations", `{"query":"pebbleworth, tilda","limit":5}`)
	if r.Records > 5 {
		t.Errorf("a limit of 5 gives %d", r.Records)
	}
	r = h.must("search_reservations", `{"query":"Tilda Pebbleworth","statuses":["confirmed"]}`)
	var found struct {
		Reservations []struct{ Code, Guest, Status, CheckIn string }
		Matches      int
	}
	if err := json.Unmarshal(r.Data, &found); err != nil {
		t.Fatal(err)
	}
	if len(found.Reservations) == 0 || found.Reservations[0].Guest != "Tilda Pebbleworth" ||
		found.Reservations[0].Status != "confirmed" {
		t.Fatalf("found %s", r.Data)
	}
	code := found.Reservations[0].Code
	d := h.must("get_reservation_details", `{"code":"`+strings.ToLower(code)+`"}`)
	for _, want := range []string{"Reservation " + code + " of Tilda Pebbleworth: Saffron from ",
		" (3 nights), confirmed. The total is ₹"} {
		if !strings.Contains(d.Text, want) {
			t.Errorf("it says %q, want %q in it", d.Text, want)
		}
	}
	if plain := d.Table.Plain(); !strings.Contains(plain, "Special requests | Step-free please") ||
		!strings.Contains(plain, "Extra | Chef's Dinner") {
		t.Errorf("the table is\n%s", plain)
	}
	if !strings.Contains(rows(r)[0][3], "-20") {
		t.Errorf("the check-in is shown as %q", rows(r)[0][3])
	}
	_, err := h.run("get_reservation_details", `{"code":"ZZZZZZ"}`)
	sentence(t, err, fault.NotFound, `There is no reservation "ZZZZZZ"`)
	_, err = h.run("get_reservation_details", `{"code":"GRP-ABCDEF"}`)
	sentence(t, err, fault.NotFound, "is the code of a group")
}

// F-43: whatever the words hold, they are looked for and nothing else.
func TestWordsOfASearchAreNoSyntax(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.book("2031-03-10", "2031-03-12", "confirmed", 5200, 0, "COCO")
	for _, words := range []string{"%", "_", "*", "x,or=(status.eq.confirmed)", ")", `\"`, "' or true --",
		"eq.confirmed", "\u202e"} {
		arguments, err := json.Marshal(map[string]any{"query": words})
		if err != nil {
			t.Fatal(err)
		}
		if r := h.must("search_reservations", string(arguments)); r.Records != 0 ||
			r.Text != "No reservation matches." {
			t.Errorf("%q finds %s", words, r.Data)
		}
	}
	if r := h.must("search_reservations",
		`{"query":"test gu","from":"2031-03-11","to":"2031-03-11"}`); r.Records != 1 {
		t.Errorf("a part of the name finds %s", r.Data)
	}
	if r := h.must("search_reservations", `{"from":"2031-03-12"}`); r.Records != 0 {
		t.Errorf("the day of departure counts as a night: %s", r.Data)
	}
}
