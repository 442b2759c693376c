package hospitality_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

func (h *hotel) money(code string) map[string]any {
	h.t.Helper()
	return h.sql(`select r.room_total, r.extras_total, r.tax_total, r.total, r.deposit_due,
		(select string_agg(u.code || ' ' || s.period::text, ',') from public.stays s join public.rooms u on u.org_id
			= s.org_id and u.id = s.room_id
		 where s.org_id = r.org_id and s.reservation_id = r.id and s.active) as stays,
		(select count(*)::int || ' × ' || min(n.amount) from public.reservation_nights n where n.org_id = r.org_id
			and n.reservation_id = r.id) as nights,
		(select coalesce(string_agg(x.code || ' ' || e.quantity, ',' order by x.code), '') from
			public.reservation_extras e join public.extras x on x.org_id = e.org_id and x.id = e.extra_id
		 where e.org_id = r.org_id and e.reservation_id = r.id) as extras
		from public.reservations r where r.org_id = $1 and r.code = $2`, code)[0]
}

// S0-26, S0-27, S0-41: the old is shown beside the new, all fields go in one call,
// and only what prices is priced anew.
func TestAReservationIsEdited(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 2)
	h.cabin("BIRCH", "Birch", 1)
	h.extra("DINNER", "Chef's Dinner", 1000, "guest", true)
	h.extra("BIKE", "Bicycle", 300, "night", false)
	h.settings(`{"depositPercent": 20, "roomTaxRate": 5}`)
	// 3 × 5,200.00 = 15,600.00, tax 780.00; deposit 20 % of 16,380.00 = 3,276.00.
	code := h.coded("create_reservation", asha+
		`,"phone_country_code":"+91","phone":"98765 43210","guest_email":"asha@guests.example"}`)
	edit := func(changes string) string { return `{"code":"` + code + `",` + changes + `}` }

	// From now on a night costs 8,000.00. What is agreed stays agreed.
	h.sql(`update public.room_types set weekday_price = 8000 where org_id = $1 and code = 'COCO'`)
	phone := edit(`"phone":"11111 22222","guest_email":"","special_requests":"Quiet"`)
	lines(t, h.sheet("edit_reservation", phone),
		"Change reservation "+code+" of Asha Rao",
		"Reservation "+code+": Asha Rao, Coco (COCO), 10-Mar-2031 to 13-Mar-2031 (3 nights)",
		"E-mail: asha@guests.example → none",
		"Phone: 98765 43210 → 11111 22222",
		"Special requests: none → Quiet",
	)
	if r := h.does("edit_reservation", phone); r.Text != "Changed reservation "+code+
		" of Asha Rao: COCO, 10-Mar-2031 to 13-Mar-2031 (3 nights), 2 adults. The total is ₹16,380.00, of which "+
		"₹16,380.00 is still to be paid." {
		t.Errorf("it says %q", r.Text)
	}
	kept := h.sql(`select guest_phone_country_code, guest_phone, guest_email, special_requests from
		public.reservations where org_id = $1`)
	if diff := cmp.Diff([]map[string]any{{"guest_phone_country_code": "+91", "guest_phone": "11111 22222",
		"guest_email": nil, "special_requests": "Quiet"}}, kept); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}

	// Extras alone: the nights keep their price. Two dinners 2,000.00 and 200.00 tax; 18,580.00
	// in all, deposit 3,716.00.
	dinner := edit(`"extras":[{"extra":"dinner"}]`)
	lines(t, h.sheet("edit_reservation", dinner),
		"Change reservation "+code+" of Asha Rao",
		"Reservation "+code+": Asha Rao, Coco (COCO), 10-Mar-2031 to 13-Mar-2031 (3 nights)",
		"Extras: none → 1 × Chef's Dinner",
		"Extras: ₹0.00 → ₹2,000.00",
		"Tax: ₹780.00 → ₹980.00",
		"Total: ₹16,380.00 → ₹18,580.00",
		"Difference: +₹2,200.00",
		"Deposit: ₹3,276.00 → ₹3,716.00",
	)
	h.does("edit_reservation", dinner)
	h.sql(`update public.extra_selections set status = 'completed' where org_id = $1`)
	h.sql(`update public.extra_selections set choices = '[{"date": "2031-03-11", "items": []}]' where org_id = $1`)
	if got := h.sheet("edit_reservation",
		edit(`"check_in":"2031-03-20","check_out":"2031-03-22"`)); !strings.Contains(got,
		"! Chef's Dinner is set for 11-Mar-2031, outside of the new stay") {
		t.Errorf("it shows\n%s", got)
	}
	// The list is replaced as a whole: three bicycles for three nights, 2,700.00 and 270.00 tax; no dinner any more.
	bikes := edit(`"extras":[{"extra":"Bicycle","quantity":3}]`)
	if got := h.sheet("edit_reservation", bikes); !strings.Contains(got, "Extras: 1 × Chef's Dinner → 3 × Bicycle") ||
		!strings.Contains(got, "! What the guest chose for Chef's Dinner is lost.") {
		t.Errorf("it shows\n%s", got)
	}
	h.does("edit_reservation", bikes)
	want := map[string]any{"room_total": "15600.00", "extras_total": "2700.00", "tax_total": "1050.00",
		"total": "19350.00", "deposit_due": "3870.00",
		"stays": "COCO [2031-03-10,2031-03-13)", "nights": "3 × 5200.00", "extras": "BIKE 3"}
	if diff := cmp.Diff(want, h.money(code)); diff != "" {
		t.Errorf("after the extras (-want +got):\n%s", diff)
	}
	if n := len(h.sql(`select from public.extra_selections where org_id = $1`)); n != 0 {
		t.Error("the dinner's choices are still there")
	}

	// Other nights, at the price of today: 2 × 8,000.00; the bicycles for two nights 1,800.00. Tax 800.00 + 180.00.
	moved := edit(`"check_in":"2031-03-11"`)
	lines(t, h.sheet("edit_reservation", moved),
		"Change reservation "+code+" of Asha Rao",
		"Reservation "+code+": Asha Rao, Coco (COCO), 10-Mar-2031 to 13-Mar-2031 (3 nights)",
		"Check-in: 10-Mar-2031 → 11-Mar-2031",
		"Length: 3 nights → 2 nights",
		"Nights: ₹15,600.00 → ₹16,000.00",
		"Extras: ₹2,700.00 → ₹1,800.00",
		"Tax: ₹1,050.00 → ₹980.00",
		"Total: ₹19,350.00 → ₹18,780.00",
		"Difference: -₹570.00",
		"Deposit: ₹3,870.00 → ₹3,756.00",
	)
	h.does("edit_reservation", moved)
	// Another guest wants this very unit on the new nights: the guest gets the other one of the type. No one pinned
	// it, so the question does not name it.
	h.coded("create_reservation", `{"room":"COCO","unit":"COCO","check_in":"2031-03-13","check_out":"2031-03-15",`+
		`"adults":1,"guest_name":"Bram"}`)
	if got := h.sheet("edit_reservation", edit(`"check_out":"2031-03-14"`)); strings.Contains(got, "unit") {
		t.Errorf("it shows\n%s", got)
	}
	h.does("edit_reservation", edit(`"check_out":"2031-03-14","adults":1`))
	want = map[string]any{"room_total": "24000.00", "extras_total": "2700.00", "tax_total": "1470.00",
		"total": "28170.00", "deposit_due": "5634.00",
		"stays": "COCO-2 [2031-03-11,2031-03-14)", "nights": "3 × 8000.00", "extras": "BIKE 3"}
	if diff := cmp.Diff(want, h.money(code)); diff != "" {
		t.Errorf("after the dates (-want +got):\n%s", diff)
	}
	// Another room: Birch still costs 5,200.00.
	h.does("edit_reservation", edit(`"room":"birch"`))
	if m := h.money(code); m["stays"] != "BIRCH [2031-03-11,2031-03-14)" || m["room_total"] != "15600.00" {
		t.Errorf("after the move %v", m)
	}
	dov := h.coded("create_reservation", `{"room":"BIRCH","check_in":"2031-03-14","check_out":"2031-03-16",`+
		`"adults":1,"guest_name":"Dov"}`)
	_, err := h.look("edit_reservation", edit(`"check_out":"2031-03-15"`))
	sentence(t, err, fault.Conflict, "Birch (BIRCH) is taken from 11-Mar-2031 to 15-Mar-2031: booking "+dov+
		" (14-Mar-2031 to 16-Mar-2031).")
	_, err = h.run("edit_reservation", edit(`"check_out":"2031-03-15"`))
	sentence(t, err, fault.Conflict, "Free on these days: Coco (COCO).")
	for changes, says := range map[string]string{
		`"adults":3`:                             "3 guests do not fit",
		`"check_out":"2031-03-11"`:               "must be 1 to 365 nights after",
		`"check_in":"2031-01-14"`:                "in the past",
		`"room":"COCO","check_out":"2031-05-11"`: "at most 30 nights",
	} {
		_, err := h.look("edit_reservation", edit(changes))
		sentence(t, err, fault.Unprocessable, says)
	}
	_, err = h.look("edit_reservation", edit(`"adults":1,"check_in":"2031-03-11"`))
	sentence(t, err, fault.Conflict, "is like that already")
	_, err = h.prepare("edit_reservation", edit(`"ignore_restrictions":true`))
	sentence(t, err, fault.Invalid, "What should change in reservation "+code)
	h.does("cancel_reservation", `{"code":"`+code+`"}`)
	_, err = h.look("edit_reservation", edit(`"check_out":"2031-03-13"`))
	sentence(t, err, fault.Unprocessable, "is cancelled; only its guest and notes can still be changed")
	h.does("update_reservation_details", edit(`"notes":"Called twice"`))
}

// A booking without a night, as older systems keep day guests, can still be corrected.
func TestADayGuestsDataIsCorrected(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	code := h.book("2031-03-10", "2031-03-10", "confirmed", 0, 0)
	lines(t, h.sheet("update_reservation_details", `{"code":"`+code+
		`","guest_name":"Asha Rao","phone_country_code":"0091","phone":"(98765) 43210"}`),
		"Change reservation "+code+" of Test Guest",
		"Reservation "+code+": Test Guest, 10-Mar-2031 to 10-Mar-2031 (0 nights)",
		"Guest: Test Guest → Asha Rao",
		"Phone country code: none → +91",
		"Phone: none → 98765 43210",
	)
	if r := h.does("update_reservation_details", `{"code":"`+code+
		`","guest_name":"Asha Rao"}`); !strings.HasPrefix(r.Text, "Changed reservation "+code+" of Asha Rao") {
		t.Errorf("it says %q", r.Text)
	}
}

// F-14: a caller who changed it after the preview voids the yes.
func TestAnEditOfWhatHasChangedIsNotDone(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	code := h.coded("create_reservation", asha+`}`)
	for _, name := range []string{"edit_reservation", "cancel_reservation", "update_reservation_status",
		"update_reservation_details", "delete_reservation"} {
		arguments := map[string]string{
			"edit_reservation": `"check_out":"2031-01-19"`, "cancel_reservation": `"reason":""`,
			"update_reservation_status":  `"status":"checked_in"`,
			"update_reservation_details": `"notes":"x"`,
		}[name]
		call := `{"code":"` + code + `"`
		if arguments != "" {
			call += "," + arguments
		}
		h.on(code, "2031-01-15", "2031-01-18")
		a := h.ask(name, call+"}")
		h.on(code, "2031-01-15", "2031-01-17")
		_, err := a.yes()
		sentence(t, err, fault.Conflict, "It was changed by somebody since the preview, so nothing was done.")
	}
	if m := h.money(code); m["stays"] != "COCO [2031-01-15,2031-01-17)" {
		t.Errorf("it became %v", m)
	}
}

// The price that was shown is the price that is booked, or nothing is.
func TestAPriceThatMovedIsNotBooked(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	a := h.ask("create_reservation", asha+`}`)
	h.sql(`update public.room_types set weekday_price = 6000 where org_id = $1`)
	_, err := a.yes()
	a.changed(err, tool.Line{Label: "Total", Before: "₹15,600.00", After: "₹18,000.00"})
	code := h.coded("create_reservation", asha+`}`)
	a = h.ask("edit_reservation", `{"code":"`+code+`","check_out":"2031-03-12"}`)
	h.sql(`update public.room_types set weekday_price = 7000 where org_id = $1`)
	_, err = a.yes()
	sentence(t, err, fault.Conflict, "changed by somebody since the preview")
}

// F-61: a name is stored as it was typed, and shown with what it hides.
func TestNamesAreKeptAsTypedAndShownSafely(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 20)
	for name, shown := range map[string]string{
		"आशा राव":                   "आशा राव",
		"  José\u0301  ":            "  José\u0301  ",
		"<script>alert(1)</script>": "<script>alert(1)</script>",
		"=SUM(A1:A9)":               "=SUM(A1:A9)",
		"क्\u200dष 👩\u200d🍳":        "क्\u200dष 👩\u200d🍳",
	} {
		arguments, err := json.Marshal(map[string]any{"room": "COCO", "check_in": "2031-03-10",
			"check_out": "2031-03-12", "adults": 1, "guest_name": name})
		if err != nil {
			t.Fatal(err)
		}
		got := h.sheet("create_reservation", string(arguments))
		if !strings.HasPrefix(got, "Book Coco (COCO) for "+shown+"\n") || strings.Contains(got, "can't be seen") {
			t.Errorf("%q is shown as\n%s", name, got)
		}
		code := h.coded("create_reservation", string(arguments))
		if kept := h.sql(`select guest_name from public.reservations where org_id = $1 and code = $2`,
			code); kept[0]["guest_name"] != name {
			t.Errorf("%q is kept as %q", name, kept[0]["guest_name"])
		}
	}
	for _, name := range []string{"Anna\u202eevE", "Zero\u200bWidth", "Ta\U000e0041g", "\u0410sha"} {
		_, err := h.prepare("create_reservation",
			`{"room":"COCO","check_in":"2031-03-10","check_out":"2031-03-12","adults":1,"guest_name":"`+name+`"}`)
		sentence(t, err, fault.Invalid, "guest_name")
	}
	// A note may hold anything, and the question shows it.
	got := h.sheet("create_reservation", `{"room":"COCO","check_in":"2031-03-10","check_out":"2031-03-12",`+
		`"adults":1,"guest_name":"Asha","notes":"qu\u202eiet"}`)
	if !strings.Contains(got, "qu[U+202E]iet") || !strings.Contains(got, "can't be seen") {
		t.Errorf("it is shown as\n%s", got)
	}
}
