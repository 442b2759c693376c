package hospitality_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// F-59: what no booking can be is refused before anybody is asked, in a sentence
// that says what to write instead.
func TestImpossibleBookingsAreExplained(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 2)
	h.cabin("COCO-NUT", "Coconut", 1)
	h.extra("DINNER", "Chef's Dinner", 1000, "guest", false)
	ok := map[string]string{"room": `"COCO"`, "check_in": `"2031-03-10"`, "check_out": `"2031-03-12"`, "adults": `2`,
		"guest_name": `"Asha"`}
	tests := map[string]struct {
		change, says string
		kind         fault.Kind
	}{
		"backwards": {`"check_out":"2031-03-09"`,
			"The check-out (09-Mar-2031) must come after the check-in (10-Mar-2031).", fault.Invalid},
		"no night":              {`"check_out":"2031-03-10"`, "must come after", fault.Invalid},
		"four hundred nights":   {`"check_out":"2032-04-13"`, "a stay of 400 nights; at most 365", fault.Invalid},
		"longer than it is let": {`"check_out":"2031-05-10"`, "is let for at most 30 nights", fault.Unprocessable},
		"a day that is not":     {`"check_in":"2031-02-29"`, "is not a date", fault.Invalid},
		"yesterday": {`"check_in":"2031-01-14","check_out":"2031-01-16"`,
			"The arrival on 14-Jan-2031 is in the past.", fault.Unprocessable},
		"a spreadsheet's number": {`"check_in":47917`,
			"47917 looks like a spreadsheet's number of a day; if so, it is 2031-03-10.", fault.Invalid},
		"the same as a text":     {`"check_in":"47917"`, "if so, it is 2031-03-10", fault.Invalid},
		"digits of Devanagari":   {`"check_in":"२०३१-०३-१०"`, "in the form YYYY-MM-DD", fault.Invalid},
		"a number in Devanagari": {`"adults":"२"`, "adults must be a whole number", fault.Invalid},
		"a million guests":       {`"adults":1000000`, "adults must be from 1 to 200", fault.Invalid},
		"nobody":                 {`"adults":0`, "adults must be from 1 to 200", fault.Invalid},
		"children below zero":    {`"children":-1`, "children must be from 0 to 200", fault.Invalid},
		"more than beds":         {`"adults":3`, "3 guests do not fit", fault.Unprocessable},
		"no name":                {`"guest_name":" \u200b "`, "needs a name", fault.Invalid},
		"a name of spaces":       {`"guest_name":"   "`, "The guest needs a name.", fault.Invalid},
		"a name without end": {`"guest_name":"` + strings.Repeat("a", 161) + `"`, "longer than 160 letters",
			fault.Invalid},
		"no e-mail": {`"guest_email":"asha"`, `"asha" is not an e-mail address`, fault.Invalid},
		"two numbers in one": {`"phone":"+91 98765 43210"`, "The country code and the number are two things",
			fault.Invalid},
		"a country by name": {`"country":"India"`, "not a country in two letters such as IN", fault.Invalid},
		"an unknown room":   {`"room":"CACAO"`, `There is no room type "CACAO".`, fault.NotFound},
		"a room nearly":     {`"room":"COCOO"`, `Did you mean Coco (COCO)`, fault.NotFound},
		"an unknown unit": {`"unit":"COCO-7"`,
			"Coco (COCO) has no unit \"COCO-7\". Its units are COCO, COCO-2.", fault.NotFound},
		"an unknown extra": {`"extras":[{"extra":"diner"}]`, "Did you mean Chef's Dinner (DINNER)?",
			fault.NotFound},
		"an extra twice": {`"extras":[{"extra":"DINNER"},{"extra":"chef's dinner"}]`,
			"stands in the extras twice", fault.Invalid},
		"an unknown coupon": {`"coupon":"NOPE"`, "There is no coupon with the code NOPE.", fault.NotFound},
		"a hold of a booking": {`"hold_hours":3`, "hold_hours is for a booking with the status pending",
			fault.Invalid},
		"an unknown way": {`"channel":"pigeon"`, `"pigeon" is none of the ways`, fault.Invalid},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var parts []string
			for key, value := range ok {
				if !strings.Contains(tc.change, `"`+key+`"`) {
					parts = append(parts, `"`+key+`":`+value)
				}
			}
			_, err := h.look("create_reservation", "{"+strings.Join(append(parts, tc.change), ",")+"}")
			if tc.kind == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			sentence(t, err, tc.kind, tc.says)
		})
	}
	if n := len(h.sql(`select from public.reservations where org_id = $1`)); n != 0 {
		t.Errorf("%d were booked", n)
	}
	// A name that two types bear is asked about.
	h.sql(`insert into public.room_types (org_id, entity_id, code, name, capacity, weekday_price, weekend_price)
		values ($1, $2, 'NUT-2', 'Coconut', 2, 1, 1)`, h.by.Entity.ID)
	_, err := h.look("create_reservation",
		`{"room":"coconut","check_in":"2031-03-10","check_out":"2031-03-12","adults":1,"guest_name":"A"}`)
	sentence(t, err, fault.Invalid, `Several are called "coconut". Which one is meant`)
}

// F-59: nights are counted by the calendar of the place. Clocks that change, leap
// days and other zones add none and drop none.
func TestNightsAreThePlacesNights(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.sql(`update public.entities set time_zone = 'Europe/Berlin' where org_id = $1`)
	h.by = h.as(h.org.Manager.Token)
	for _, stay := range []struct {
		in, out string
		nights  int
	}{
		{"2031-03-29", "2031-03-31", 2}, // the clocks go forward on the 30th
		{"2031-10-25", "2031-10-27", 2}, // and back on the 26th
		{"2032-02-28", "2032-03-01", 2}, // over the leap day
		{"2031-02-28", "2031-03-01", 1},
		// One leaves and the other comes on the same day.
		{"2031-03-31", "2031-04-02", 2},
		{"2031-03-28", "2031-03-29", 1},
	} {
		code := h.coded("create_reservation", `{"room":"COCO","check_in":"`+stay.in+`","check_out":"`+stay.out+
			`","adults":1,"guest_name":"A"}`)
		lines := h.sql(`select count(*)::int as n from public.reservation_nights n join public.reservations r on
			r.org_id = n.org_id and r.id = n.reservation_id
			where r.org_id = $1 and r.code = $2`, code)
		if lines[0]["n"] != int32(stay.nights) {
			t.Errorf("%s to %s has %v nights", stay.in, stay.out, lines[0]["n"])
		}
	}
	// At the tests' hour (06:30 UTC on the 15th) it is still the 14th in Honolulu and the 15th in Berlin.
	in := `{"room":"COCO","check_in":"2031-01-14","check_out":"2031-01-15","adults":1,"guest_name":"A"}`
	_, err := h.look("create_reservation", in)
	sentence(t, err, fault.Unprocessable, "in the past")
	if got := h.sheet("create_reservation", strings.TrimSuffix(in, "}")+
		`,"ignore_restrictions":true}`); !strings.Contains(got,
		"! Set aside: The arrival on 14-Jan-2031 is in the past.") {
		t.Errorf("it shows\n%s", got)
	}
	h.sql(`update public.entities set time_zone = 'Pacific/Honolulu' where org_id = $1`)
	h.by = h.as(h.org.Manager.Token)
	code := h.coded("create_reservation", in)
	h.does("update_reservation_status", `{"code":"`+code+`","status":"checked_in"}`)
}

func TestStrangersAndViewersBookNothing(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	code := h.coded("create_reservation", asha+`}`)
	viewer, stranger := *h, newHotel(t)
	viewer.by = h.as(h.org.Viewer.Token)
	viewer.by.Role = "manager" // F-39: the role was taken away since
	stranger.by.Entity = h.by.Entity
	for name, arguments := range map[string]string{
		"create_reservation": `{"room":"COCO","check_in":"2031-04-10","check_out":"2031-04-12","adults":1,` +
			`"guest_name":"A"}`,
		"edit_reservation": `{"code":"` + code + `","check_out":"2031-03-12"}`, "cancel_reservation": `{"code":"` +
			code + `"}`,
		"delete_reservation": `{"code":"` + code + `"}`, "record_payment": `{"code":"` + code +
			`","amount":1,"method":"cash"}`,
		"update_reservation_status": `{"code":"` + code + `","status":"no_show"}`,
	} {
		if _, err := viewer.run(name, arguments); !fault.Is(err, fault.Forbidden) {
			t.Errorf("a viewer's %s ends with %v", name, err)
		}
		// F-42: another house's bookings are not there.
		if _, err := stranger.run(name, arguments); !fault.Is(err, fault.NotFound) {
			t.Errorf("a stranger's %s ends with %v", name, err)
		}
	}
	if left := h.sql(`select version from public.reservations where org_id = $1`); len(left) != 1 ||
		left[0]["version"] != int32(1) {
		t.Errorf("left is %v", left)
	}
}
