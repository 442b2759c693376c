package hospitality_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// named gives a booking a guest, and what else is to be known of it.
func (h *hotel) named(code, guest, requests string, adults int) {
	h.t.Helper()
	h.sql(`update public.reservations set guest_name = $3, special_requests = $4, adults = $5::int where org_id =
		$1 and code = $2`,
		code, guest, requests, adults)
}

// kind returns the part of a kind, decoded.
func kind[D any](t *testing.T, r tool.Result, name string) D {
	t.Helper()
	var d D
	for _, p := range r.Parts {
		if p.Kind == name {
			if err := json.Unmarshal(p.Data, &d); err != nil {
				t.Fatal(err)
			}
			return d
		}
	}
	t.Fatalf("there is no part of the kind %s: %v", name, r.Refused)
	return d
}

// offered checks what an answer offers to go on with: each choice is a call of a
// tool that there is, with arguments that it has. What only looks something up
// can be made as it is; what changes something may be a form to fill in.
func (h *hotel) offered(r tool.Result) {
	h.t.Helper()
	for _, p := range r.Parts {
		if p.Kind != "choices" {
			continue
		}
		var d part.Choices
		if err := json.Unmarshal(p.Data, &d); err != nil {
			h.t.Fatal(err)
		}
		for _, c := range d.Choices {
			i := slices.IndexFunc(catalogue(h.client), func(t tool.Tool) bool { return t.Name() == c.Tool })
			if i < 0 {
				h.t.Errorf("%q calls the tool %q, which there is not", c.Label, c.Tool)
				continue
			}
			_, err := catalogue(h.client)[i].Prepare(c.Arguments)
			if err != nil && (catalogue(h.client)[i].Effect() == tool.Reads ||
				!strings.Contains(fault.From(err).Message, "is missing")) {
				h.t.Errorf("%q calls %s with %s: %v", c.Label, c.Tool, c.Arguments, err)
			}
		}
	}
}

// Guests come and go by their names and their rooms, and what is still to pay is
// said. Today is 15 January 2031.
func TestGuestsAreCheckedInByNameAndOutByRoom(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("SAFFRON", "Saffron", 1)
	h.cabin("BIRCH", "Birch", 2)
	tilda := h.book("2031-01-15", "2031-01-18", "confirmed", 100, 50, "SAFFRON")
	h.named(tilda, "Tilda Pebbleworth", "", 2)
	later := h.book("2031-02-15", "2031-02-18", "confirmed", 100, 0, "SAFFRON")
	h.named(later, "Tilda Pebbleworth", "", 2)
	ojas := h.book("2031-01-13", "2031-01-15", "checked_in", 0, 0, "BIRCH")
	h.named(ojas, "Ojas Kitewala", "", 1)

	call, err := h.prepare("update_reservation_status", `{"code":"tilda","status":"checked_in"}`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := call.Preview(t.Context(), h.by)
	if err != nil || p.Title != "Set "+tilda+" to checked in" ||
		strings.Join(p.Warnings, "") != "₹150.00 is still to be paid for "+tilda+"." {
		t.Fatalf("the question: %+v, %v", p, err)
	}
	in := h.must("update_reservation_status", `{"code":"Tilda","status":"checked_in"}`)
	if in.Text != "Reservation "+tilda+" of Tilda Pebbleworth is checked in now. Still to pay: ₹150.00." {
		t.Errorf("it says %q", in.Text)
	}
	pay := kind[part.Choices](t, in, "choices").Choices
	if len(pay) != 1 || pay[0].Tool != "record_payment" || string(pay[0].Arguments) != `{"amount":150.00,"code":"`+
		tilda+`"}` {
		t.Errorf("it offers %+v", pay)
	}
	if paid := h.must("record_payment", `{"code":"saffron","amount":150,"method":"cash"}`); !strings.HasSuffix(paid.Text,
		"for reservation "+tilda+" of Tilda Pebbleworth. To pay: ₹0.00.") {
		t.Errorf("the payment: %q", paid.Text)
	}
	if out := h.must("update_reservation_status", `{"code":"Birch","status":"checked_out"}`); out.Text !=
		"Reservation "+ojas+" of Ojas Kitewala is checked out now." {
		t.Errorf("it says %q", out.Text)
	}
	if d := h.must("get_reservation_details", `{"code":"tilda pebbleworth"}`); !strings.Contains(d.Text, tilda) {
		t.Errorf("of two bookings that of whoever is here is shown: %q", d.Text)
	}
	// The reason is that of the one booking that can be meant.
	_, err = h.run("update_reservation_status", `{"code":"ojas","status":"checked_in"}`)
	sentence(t, err, fault.Unprocessable, "from there it can't become checked in")
	_, err = h.run("update_reservation_status", `{"code":"Nobody At All","status":"checked_in"}`)
	sentence(t, err, fault.NotFound, `No reservation goes by "Nobody At All"`)
	_, err = h.run("get_reservation_details", `{"code":"ZZZZZZ"}`)
	sentence(t, err, fault.NotFound, "There is no reservation")
}

// Where a name fits several bookings nothing is done, and each is offered.
func TestANameOfSeveralBookingsIsAskedFor(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("BIRCH", "Birch", 3)
	var codes []string
	for _, unit := range []string{"BIRCH", "BIRCH-2"} {
		code := h.book("2031-01-15", "2031-01-17", "confirmed", 100, 0, unit)
		h.named(code, "Gauri Bramblewick", "", 2)
		codes = append(codes, code)
	}
	h.sql(`update public.reservations set group_code = 'GRP-ABCDEF' where org_id = $1`)
	_, err := h.run("update_reservation_status", `{"code":"gauri","status":"no_show"}`)
	sentence(t, err, fault.Invalid, "Several reservations go by “gauri”. Which one?")
	question, asks := errors.AsType[*tool.Question](err)
	if !asks || len(question.Parts()) != 1 {
		t.Fatalf("nothing is offered: %v", err)
	}
	var got []string
	for _, c := range question.Choices.Choices {
		if c.Tool != "update_reservation_status" {
			t.Errorf("a choice runs %s", c.Tool)
		}
		got = append(got, string(c.Arguments))
	}
	want := []string{`{"code":"GRP-ABCDEF","status":"no_show"}`}
	first, second := codes[0], codes[1]
	if second < first {
		first, second = second, first
	}
	for _, code := range []string{first, second} {
		want = append(want, `{"code":"`+code+`","status":"no_show"}`)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the choices (-want +got):\n%s", diff)
	}
	if r := h.must("update_reservation_status", got[0]); r.Records != 2 {
		t.Errorf("the whole group: %s", r.Text)
	}
}

// Who is here, what they eat and what they asked for, and what they are told.
func TestTheDeskAnswersForItsGuests(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("PINE", "Pine", 1)
	here := h.book("2031-01-14", "2031-01-17", "checked_in", 100, 0, "COCO")
	h.named(here, "Asha Meadowlark", "Allergic to nuts.", 3)
	comes := h.book("2031-01-16", "2031-01-19", "confirmed", 100, 0, "PINE")
	h.named(comes, "Lior Larkspur", "", 2)
	h.must("create_extra", `{"name":"Breakfast Basket","price":350,"per":"guest_night","category":"food"}`)
	h.sql(`insert into public.reservation_extras (org_id, entity_id, reservation_id, extra_id, quantity, unit_price,
		per, factor)
		select r.org_id, r.entity_id, r.id, x.id, 1, 350, 'guest_night', 9 from public.reservations r, public.extras x
		where r.org_id = $1 and x.org_id = $1`)

	r := h.must("list_in_house", `{}`)
	if diff := cmp.Diff([]string{"Asha Meadowlark"}, column(r, "guest")); diff != "" || !strings.HasPrefix(r.Text,
		"3 guests in 1 room are in the house: 1 reservation. Still to pay: ₹100.00") {
		t.Errorf("in house: %q %s", r.Text, diff)
	}
	for day, says := range map[string]string{
		"2031-01-15": "15-Jan-2031: Booked: Breakfast Basket for 3. 3 guests in 1 booking sleep here the night " +
			"before.",
		"2031-01-17": "17-Jan-2031: Booked: Breakfast Basket for 5. 5 guests in 2 bookings sleep here the night " +
			"before.",
		"2031-01-14": "14-Jan-2031: No meal is booked. 0 guests in 0 bookings sleep here the night before.",
	} {
		if r := h.must("count_meals", `{"date":"`+day+`"}`); r.Text != says {
			t.Errorf("it says %q, want %q", r.Text, says)
		}
	}
	wishes := h.must("list_guest_needs", `{"about":"NUTS"}`)
	if wishes.Text != "From 15-Jan-2031 to 21-Jan-2031 1 of 2 bookings asked for something with “nuts”." ||
		column(wishes, "code")[0] != here {
		t.Errorf("wishes: %q", wishes.Text)
	}
	if r := h.must("list_guest_needs", `{"about":"gluten"}`); r.Records != 0 {
		t.Errorf("nobody said so: %s", r.Data)
	}

	_, err := h.run("set_house_facts", `{"fact":"directions","value":"By the mill."}`)
	sentence(t, err, fault.Forbidden, "Only administrators")
	h.by = h.as(h.org.Admin.Token)
	for fact, value := range map[string]string{"directions": "By the mill.", "check_in_time": "9:30",
		"free_cancel_days": "3"} {
		h.must("set_house_facts", `{"fact":"`+fact+`","value":"`+value+`"}`)
	}
	house := h.must("get_house_facts", `{}`)
	if !strings.HasSuffix(house.Text, ": check-in from 09:30, free cancellation until 3 days before arrival.") ||
		!strings.Contains(string(house.Data), `"directions":"By the mill."`) {
		t.Errorf("the house: %q %s", house.Text, house.Data)
	}
	if d := h.must("get_reservation_details", `{"code":"`+comes+`"}`); !strings.Contains(string(d.Data),
		`"freeCancelUntil":"2031-01-13"`) {
		t.Errorf("the terms do not hold: %s", d.Data)
	}
}

// Lists go on, and a day to come does not tell of today's late guest.
func TestListsGoOn(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	for _, day := range []string{"01", "03", "05"} {
		h.book("2031-03-"+day, "2031-03-0"+string(day[1]+1), "confirmed", 100, 0, "COCO")
	}
	first := h.must("search_reservations", `{"from":"2031-03-01","limit":2}`)
	if first.Text != "3 reservations match. Showing 1–2 of 3, by arrival." || first.Table.Note !=
		"Showing 1–2 of 3, by arrival." {
		t.Errorf("it says %q", first.Text)
	}
	next := kind[part.Choices](t, first, "choices").Choices[0]
	if next.Label != "Next 1" || next.Tool != "search_reservations" {
		t.Errorf("it offers %+v", next)
	}
	last := h.must(next.Tool, string(next.Arguments))
	if diff := cmp.Diff([]string{"05-Mar-2031"}, column(last, "in")); diff != "" ||
		!strings.HasPrefix(kind[part.Choices](t, last, "choices").Choices[0].Label, "Show ") {
		t.Errorf("the last page goes on: %s", diff)
	}
	due := h.must("list_balances_due", `{"limit":1,"offset":1}`)
	if diff := cmp.Diff([]string{"03-Mar-2031"}, column(due, "in")); diff != "" ||
		due.Text != "3 reservations owe ₹300.00 in all. Showing 2–2 of 3, by arrival." {
		t.Errorf("dues %q: %s", due.Text, diff)
	}

	h.cabin("PINE", "Pine", 1)
	h.book("2031-01-10", "2031-01-13", "checked_in", 100, 0, "PINE")
	for day, late := range map[string]bool{"2031-01-15": true, "2031-01-16": false} {
		r := h.must("list_arrivals_departures", `{"date":"`+day+`"}`)
		if strings.Contains(r.Text, "Still checked in") != late {
			t.Errorf("on %s it says %q", day, r.Text)
		}
	}
}

// A room is found by what it has, by its units and by how many it takes.
func TestRoomsAreFoundByWhatTheyHave(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 2)
	h.cabin("PINE", "Pine", 1)
	h.sql(`update public.room_types set amenities = '{kitchenette,wifi}', capacity = 4 where org_id = $1 and code =
		'COCO'`)
	if r := h.must("list_room_types", `{"amenity":"Kitchen"}`); r.Text != "With Kitchen: Coco (COCO)." {
		t.Errorf("it says %q", r.Text)
	}
	_, err := h.run("list_room_types", `{"amenity":"pool"}`)
	sentence(t, err, fault.NotFound, `No room type has "pool". Amenities are: kitchenette, wifi.`)
	if r := h.must("get_room_type_details", `{"room":"coco-2"}`); !strings.HasPrefix(r.Text, "Coco (COCO)") {
		t.Errorf("by its unit: %q", r.Text)
	}
	stay := func(guests string) string {
		return h.must("check_all_availability", `{"check_in":"2031-03-11","check_out":"2031-03-12","guests":`+guests+
			`}`).Text
	}
	if text := stay("3"); !strings.HasPrefix(text, "1 of 2 room types can be booked for 3 guests") ||
		!strings.HasSuffix(text, ": Coco (COCO).") {
		t.Errorf("three: %q", text)
	}
	if text := stay("10"); !strings.HasSuffix(text, "Together Coco and Pine take 10.") {
		t.Errorf("ten: %q", text)
	}
	h.must("create_coupon", `{"code":"STAY3","kind":"percent","amount":10,"min_nights":3,"rooms":["PINE"]}`)
	if r := h.must("validate_coupon", `{"coupon":"STAY3"}`); r.Text !=
		"The coupon STAY3 is valid: 10 %. Its terms: at least 3 nights; only for PINE." {
		t.Errorf("the coupon: %q", r.Text)
	}
}
