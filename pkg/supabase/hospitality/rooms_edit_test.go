package hospitality_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

const pine = `{"name":"Pine","capacity":4,"weekday_price":5000,"weekend_price":6000.5,"units":3,"amenities":["wifi",` +
	`" wood  stove","WiFi"],"closed_arrival_days":["sunday","monday"],"ceiling_price":7000}`

// units returns the codes of all units of a type with whether each is active.
func (h *hotel) units(code string) []string {
	h.t.Helper()
	var out []string
	for _, r := range h.sql(`select r.code || ' ' || r.active as unit from public.rooms r join public.room_types t on
		t.org_id = r.org_id and t.id = r.room_type_id
		where r.org_id = $1 and t.code = $2 order by length(r.code), r.code`, code) {
		out = append(out, r["unit"].(string))
	}
	return out
}

// S0-36
func TestARoomTypeIsPreviewedAndAddedWithItsUnits(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	want := tool.Preview{Title: "Add the room type Pine", Lines: []tool.Line{
		{Label: "Property", After: "Test House"}, {Label: "Name", After: "Pine"}, {Label: "Units", After: "3"},
		{Label: "Guests at most", After: "4"}, {Label: "Guests included", After: "2"},
		{Label: "Each further guest per night", After: "₹0.00"},
		{Label: "Weekday night", After: "₹5,000.00"}, {Label: "Weekend night", After: "₹6,000.50"},
		{Label: "Nights", After: "1 to 30"},
		{Label: "No night above", After: "₹7,000.00"}, {Label: "No arrivals on", After: "sunday, monday"},
		{Label: "Amenities", After: "wifi, wood stove"},
	}}
	if diff := cmp.Diff(want, h.shown("create_room_type", pine)); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	h.viewersAndStrangersChangeNothing(t, "create_room_type", pine)
	act := h.ask("create_room_type", pine)
	for range 2 { // F-37
		r, err := act.yes()
		if err != nil || r.Text != "Added the room type Pine (PINE) with 3 units: ₹5,000.00 on weekdays, ₹6,000.50 "+
			"on weekend nights." {
			t.Fatalf("%q, %v", r.Text, err)
		}
		var data struct {
			Units             []string
			ClosedArrivalDays []string
			FloorPrice        *json.Number
			CeilingPrice      json.Number
		}
		if err := json.Unmarshal(r.Data, &data); err != nil ||
			!slices.Equal(data.Units, []string{"PINE", "PINE-2", "PINE-3"}) ||
			!slices.Equal(data.ClosedArrivalDays, []string{"monday", "sunday"}) || data.FloorPrice != nil ||
			data.CeilingPrice != "7000.00" {
			t.Errorf("%s, %v", r.Data, err)
		}
	}
	_, err := h.look("create_room_type", `{"name":" PINE","capacity":2,"weekday_price":1}`)
	sentence(t, err, fault.Conflict, "There is already a room type called Pine (PINE).")
	// A code that a unit of another type bears is passed over.
	h.must("create_room_type", `{"name":"Pine 2b","capacity":2,"weekday_price":1}`)
	h.sql(`update public.rooms set code = 'OAK-2' where org_id = $1 and code = 'PINE-2B'`)
	h.must("create_room_type", `{"name":"Oak","capacity":1,"weekday_price":1,"units":2}`)
	if got := h.units("OAK"); !slices.Equal(got, []string{"OAK true", "OAK-3 true"}) {
		t.Errorf("the units of Oak are %q", got)
	}
}

func TestARoomTypeIsCheckedBeforeAnybodyIsAsked(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	tests := map[string]struct{ tool, arguments, says string }{
		"no room for anybody": {"create_room_type", `{"name":"A","capacity":0,"weekday_price":1}`,
			"capacity must be from 1 to 50, not 0"},
		"a name of spaces": {"create_room_type", `{"name":" \u200b","capacity":1,"weekday_price":1}`,
			"needs a name"},
		"a negative price": {"create_room_type", `{"name":"A","capacity":1,"weekday_price":-1}`,
			"weekday price must not be below zero"},
		"a price beyond measure": {"create_room_type",
			`{"name":"A","capacity":1,"weekday_price":1,"weekend_price":10000000}`,
			"weekend price must not be above 9999999"},
		"stays that cannot be": {"create_room_type",
			`{"name":"A","capacity":1,"weekday_price":1,"min_stay":5,"max_stay":3}`,
			"min_stay (5) must not be above max_stay (3)"},
		"more included than fit": {"create_room_type",
			`{"name":"A","capacity":1,"weekday_price":1,"included_guests":2}`,
			"included_guests (2) must not be above the capacity (1)"},
		"a floor above the ceiling": {"create_room_type",
			`{"name":"A","capacity":1,"weekday_price":1,"floor_price":9,"ceiling_price":8}`,
			"floor_price (9) must not be above ceiling_price (8)"},
		"no units": {"create_room_type", `{"name":"A","capacity":1,"weekday_price":1,"units":0}`,
			"units must be from 1 to 200"},
		"an unknown weekday": {"create_room_type",
			`{"name":"A","capacity":1,"weekday_price":1,"closed_arrival_days":["sun"]}`, "must be one of monday"},
		"a fraction of a paisa": {"create_room_type", `{"name":"A","capacity":1,"weekday_price":1.001}`,
			"at most 2 decimals"},
		"nothing to change": {"update_room_type", `{"room":"COCO"}`,
			"Nothing would change: the room type Coco (COCO)"},
		"nothing new": {"update_room_type", `{"room":"COCO","units":1,"weekday_price":5200.00}`,
			"Nothing would change"},
		"a limit removed by null": {"update_room_type", `{"room":"COCO","floor_price":null}`,
			"To remove a limit, name it in clear."},
		"a shorter longest stay": {"update_room_type", `{"room":"COCO","min_stay":31}`,
			"min_stay (31) must not be above max_stay (30)"},
		"too few guests": {"update_room_type", `{"room":"COCO","capacity":1}`,
			"included_guests (2) must not be above the capacity (1)"},
		"too many included": {"update_room_type", `{"room":"COCO","included_guests":60}`,
			"included_guests must be from 1 to 50"},
		"given and cleared": {"update_room_type", `{"room":"COCO","floor_price":1,"clear":["floor_price"]}`,
			"both given and to be cleared"},
		"no name left": {"update_room_type", `{"room":"COCO","name":""}`, "needs a name"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := h.look(tc.tool, tc.arguments)
			sentence(t, err, fault.Invalid, tc.says)
		})
	}
}

// S0-36: what is given changes, the rest stays; the preview says what a new
// price does not touch.
func TestARoomTypeIsChanged(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.must("create_room_type", pine)
	h.sql(`insert into public.seasonal_pricing (org_id, entity_id, name, starts_on, ends_on, weekday_price) values
		($1, $2, 'Diwali', '2031-11-10', '2031-11-16', 9000), ($1, $2, 'Long ago', '2030-01-01', '2030-02-01', 9000)`,
		h.by.Entity.ID)
	code := h.book("2031-01-20", "2031-01-22", "confirmed", 5000, 0, "PINE")
	change := `{"room":"pine","weekday_price":7200,"min_stay":2,"units":5,"clear":["ceiling_price"],` +
		`"floor_price":7500,"closed_arrival_days":[]}`
	want := tool.Preview{Title: "Change the room type Pine (PINE)", Lines: []tool.Line{
		{Label: "Weekday night", Before: "₹5,000.00", After: "₹7,200.00"}, {Label: "No night below", Before: "none",
			After: "₹7,500.00"},
		{Label: "No night above", Before: "₹7,000.00", After: "none"}, {Label: "Nights", Before: "1 to 30",
			After: "2 to 30"},
		{Label: "No arrivals on", Before: "monday, sunday", After: "none"}, {Label: "Units", Before: "3", After: "5"},
	}, Warnings: []string{
		"Bookings that exist keep the price that they were made at.",
		"₹7,200.00 lies outside of the limits of a night's price, so nights cost the limit instead.",
		"Seasons with prices of their own stay as they are: DIWALI.",
	}, Targets: []tool.Target{{Table: "room_types", Key: "PINE", Version: 1}}}
	if diff := cmp.Diff(want, h.shown("update_room_type", change)); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	h.viewersAndStrangersChangeNothing(t, "update_room_type", change)
	act := h.ask("update_room_type", change)
	r, err := act.yes()
	if err != nil || r.Text != "Changed the room type Pine (PINE): 5 units for up to 4, ₹7,200.00 on weekdays, "+
		"₹6,000.50 on weekend nights." {
		t.Fatalf("%q, %v", r.Text, err)
	}
	again, err := act.yes() // F-37
	if err != nil || string(again.Data) != string(r.Data) {
		t.Errorf("again: %s, %v", again.Data, err)
	}
	now := h.sql(`select min_stay, max_stay, capacity, floor_price::text, ceiling_price, closed_arrival_days::text,
		amenities::text, version from public.room_types where org_id = $1`)[0]
	if diff := cmp.Diff(map[string]any{"min_stay": int32(2), "max_stay": int32(30), "capacity": int32(4),
		"floor_price": "7500.00", "ceiling_price": nil,
		"closed_arrival_days": "{}", "amenities": `{wifi,"wood stove"}`, "version": int32(2)}, now); diff != "" {
		t.Errorf("it is (-want +got):\n%s", diff)
	}
	if kept := h.sql(`select room_total::text as total from public.reservations where org_id = $1 and code = $2`,
		code); kept[0]["total"] != "5000.00" {
		t.Errorf("the booking is now %v", kept)
	}
}

// S0-36, S0-17: a renamed type is answered again, and is found by its new name.
func TestARoomTypeIsRenamedOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("B7", "Old Barn", 1)
	act := h.ask("update_room_type", `{"room":"old barn","name":"Hay Loft"}`)
	for range 2 {
		if r, err := act.yes(); err != nil || !strings.HasPrefix(r.Text, "Changed the room type Hay Loft (B7)") {
			t.Fatalf("%q, %v", r.Text, err)
		}
	}
	_, err := h.run("get_room_type_details", `{"room":"old barn"}`)
	sentence(t, err, fault.NotFound, "Hay Loft (B7)")
	h.must("get_room_type_details", `{"room":"HAY-LOFT"}`)
}

// S0-36: two approvals at once of one name give one room type.
func TestARoomNameIsGivenOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	acts := []asked{h.ask("create_room_type", `{"name":"Pine","capacity":1,"weekday_price":1}`),
		h.ask("create_room_type", `{"name":"PINE","capacity":2,"weekday_price":2}`),
		h.ask("update_room_type", `{"room":"COCO","name":"pine"}`)}
	errs := make([]error, len(acts))
	var wait sync.WaitGroup
	for i := range acts {
		wait.Go(func() { _, errs[i] = acts[i].yes() })
	}
	wait.Wait()
	if n := len(h.sql(`select from public.room_types where org_id = $1 and lower(name) = 'pine'`)); n != 1 {
		t.Errorf("%d are called Pine: %v", n, errs)
	}
	done := slices.DeleteFunc(errs, func(err error) bool { return fault.Is(err, fault.Conflict) })
	if len(done) != 1 || done[0] != nil {
		t.Errorf("not refused: %v", done)
	}
}

// S0-36: units come and go; those with guests to come stay, and past stays keep theirs.
func TestTheNumberOfUnitsChanges(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 4)
	past := h.book("2031-01-10", "2031-01-15", "checked_out", 100, 0, "COCO-3") // left this morning
	h.book("2031-01-14", "2031-01-16", "checked_in", 100, 0, "COCO-4")          // in the house
	h.book("2031-03-01", "2031-03-02", "cancelled", 100, 0, "COCO-2")           // comes no more
	h.block("2031-06-01", "2031-06-02", "COCO")

	_, err := h.look("update_room_type", `{"room":"COCO","units":1}`)
	sentence(t, err, fault.Conflict, "Of Coco (COCO), COCO, COCO-4 cannot go: booked or blocked from today on, "+
		"and not all of their stays can move to units that remain.")
	_, err = h.run("update_room_type", `{"room":"COCO","units":1}`)
	sentence(t, err, fault.Conflict, "COCO, COCO-4 cannot go")

	h.must("update_room_type", `{"room":"COCO","units":2}`)
	if got := h.units("COCO"); !slices.Equal(got, []string{"COCO true", "COCO-2 false", "COCO-3 false",
		"COCO-4 true"}) {
		t.Errorf("of two: %q", got)
	}
	if r := h.must("get_reservation_details", `{"code":"`+past+`"}`); !strings.Contains(string(r.Data), "COCO-3") {
		t.Errorf("the past stay is %s", r.Data)
	}
	h.must("update_room_type", `{"room":"COCO","units":5}`)
	if got := h.units("COCO"); !slices.Equal(got, []string{"COCO true", "COCO-2 true", "COCO-3 true", "COCO-4 true",
		"COCO-5 true"}) {
		t.Errorf("of five: %q", got)
	}
	// A change of units alone counts as a change of the type.
	p := h.shown("update_room_type", `{"room":"COCO","active":false}`)
	if p.Targets[0].Version != 3 || !slices.Equal(p.Warnings, []string{"It has 1 booking to come; they stay."}) {
		t.Errorf("the preview is %+v", p)
	}
}

// S0-36: what changed since the preview voids the yes.
func TestARoomTypeThatChangedSinceThePreviewIsLeftAlone(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	dearer, gone := h.ask("update_room_type", `{"room":"COCO","weekday_price":9000}`),
		h.ask("delete_room_type", `{"room":"COCO"}`)
	h.must("update_room_type", `{"room":"COCO","units":2}`)
	for _, act := range []asked{dearer, gone} {
		_, err := act.yes()
		sentence(t, err, fault.Conflict, "changed by somebody since the preview")
	}
	if listed := rows(h.must("list_room_types", `{}`)); listed[0][4] != "₹5,200.00" {
		t.Errorf("it is %q", listed)
	}
}

// S0-18, S0-36
func TestARoomTypeIsDeletedOnlyWhileNothingDependsOnIt(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	for _, name := range []string{"Booked", "Blocked", "Packaged", "Couponed", "Free"} {
		h.cabin(strings.ToUpper(name), name, 2)
	}
	h.book("2030-01-20", "2030-01-22", "checked_out", 100, 0, "BOOKED-2")
	h.block("2031-06-01", "2031-06-02", "BLOCKED")
	h.sql(`with p as (insert into public.packages (org_id, entity_id, name, price) values ($1, $2, 'Honeymoon', 1),
		($1, $2, 'Workation', 1) returning *)
		insert into public.packages_rooms (org_id, entity_id, package_id, room_type_id)
		select p.org_id, p.entity_id, p.id, t.id from p join public.room_types t on t.org_id = p.org_id
		where (p.code, t.code) in (('HONEYMOON', 'PACKAGED'), ('WORKATION', 'PACKAGED'), ('WORKATION', 'FREE'))`,
		h.by.Entity.ID)
	h.sql(`with c as (insert into public.coupons (org_id, entity_id, code, kind, amount) values ($1, $2, 'TEN',
		'percent', 10) returning *)
		insert into public.coupon_rooms (org_id, entity_id, coupon_id, room_type_id)
		select c.org_id, c.entity_id, c.id, t.id from c join public.room_types t on t.org_id = c.org_id where t.code
			= 'COUPONED'`, h.by.Entity.ID)

	for room, says := range map[string]string{
		"Booked": "Booked (BOOKED) has 1 booking, the last until 22-Jan-2030, so it cannot be deleted. To stop " +
			"letting it, make it inactive: its bookings stay as they are.",
		"Blocked": "Blocked (BLOCKED) has 1 blocked period, so it cannot be deleted. Unblock the dates first, or " +
			"make it inactive.",
		"Packaged": "is the only room type of the package HONEYMOON, so it cannot be deleted.",
		"Couponed": "is the only room type for which the coupon TEN holds; without it the coupon would hold for all.",
	} {
		_, err := h.look("delete_room_type", `{"room":"`+room+`"}`)
		sentence(t, err, fault.Conflict, says)
		_, err = h.run("delete_room_type", `{"room":"`+room+`"}`)
		sentence(t, err, fault.Conflict, says)
	}
	want := tool.Preview{Title: "Delete the room type Free (FREE)", Lines: []tool.Line{
		{Label: "Property", After: "Test House"}, {Label: "Room type", Before: "Free (FREE)", After: "deleted"},
		{Label: "Units", Before: "FREE, FREE-2", After: "deleted"},
	}, Warnings: []string{"It cannot be brought back. To only stop letting it, make it inactive instead.",
		"It is taken out of what names it: WORKATION. Its own seasons go with it."},
		Targets: []tool.Target{{Table: "room_types", Key: "FREE", Version: 1}}}
	if diff := cmp.Diff(want, h.shown("delete_room_type", `{"room":"free"}`)); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	h.viewersAndStrangersChangeNothing(t, "delete_room_type", `{"room":"Free"}`)
	act := h.ask("delete_room_type", `{"room":"free"}`)
	for range 2 { // F-37
		if r, err := act.yes(); err != nil || r.Text != "Deleted the room type FREE and its units." {
			t.Fatalf("%q, %v", r.Text, err)
		}
	}
	if got := h.units("FREE"); len(got) != 0 {
		t.Errorf("units are left: %q", got)
	}
	// What cannot be deleted can be taken out of the offer, and let again.
	h.must("update_room_type", `{"room":"Booked","active":false}`)
	if r := h.must("list_room_types", `{}`); strings.Contains(string(r.Data), "BOOKED") {
		t.Errorf("it is still let: %s", r.Data)
	}
	h.must("update_room_type", `{"room":"Booked","active":true}`)
}

// S0-36, S0-21: guests who come while units are taken away keep their room.
func TestNobodyIsBookedIntoAUnitThatGoes(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 3)
	const stay = `{"room":"COCO","check_in":"2031-03-15","check_out":"2031-03-17","adults":1,"guest_name":"`
	acts := []asked{h.ask("update_room_type", `{"room":"COCO","units":1}`), h.ask("create_reservation", stay+`Asha"}`),
		h.ask("create_reservation", stay+`Bram"}`), h.ask("create_reservation", stay+`Esme"}`)}
	errs := make([]error, len(acts))
	var wait sync.WaitGroup
	for i := range acts {
		wait.Go(func() { _, errs[i] = acts[i].yes() })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil && !fault.Is(err, fault.Conflict) {
			t.Errorf("refused otherwise than by a sentence: %v", err)
		}
	}
	units, stays := h.units("COCO"), len(h.sql(`select from public.stays where org_id = $1 and active`))
	active := len(slices.DeleteFunc(slices.Clone(units), func(u string) bool { return !strings.HasSuffix(u, "true") }))
	lost := h.sql(`select from public.stays s join public.rooms r on r.org_id = s.org_id and r.id = s.room_id
		where s.org_id = $1 and s.active and not r.active`)
	if len(lost) != 0 || stays == 0 || stays > active {
		t.Errorf("%d stays, %d of them lost; the units are %q, the errors %v", stays, len(lost), units, errs)
	}
	if errs[0] == nil && active != 1 {
		t.Errorf("the units are %q although they were taken away", units)
	}
}

// Weekdays are names to people and ISO numbers in the table, each once and in order.
func TestClosedWeekdaysAreStoredByNumber(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.must("create_room_type", pine)
	r := h.must("update_room_type", `{"room":"PINE","closed_departure_days":["sunday","friday","sunday"],`+
		`"clear":["ceiling_price"]}`)
	stored := h.sql(`select closed_arrival_days::text as arrival, closed_departure_days::text as departure,
		ceiling_price
		from public.room_types where org_id = $1`)[0]
	want := map[string]any{"arrival": "{1,7}", "departure": "{5,7}", "ceiling_price": nil}
	if diff := cmp.Diff(want, stored); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
	var data struct{ ClosedArrivalDays, ClosedDepartureDays []string }
	if err := json.Unmarshal(r.Data, &data); err != nil || !slices.Equal(data.ClosedArrivalDays,
		[]string{"monday", "sunday"}) ||
		!slices.Equal(data.ClosedDepartureDays, []string{"friday", "sunday"}) {
		t.Errorf("people read %s, %v", r.Data, err)
	}
}
