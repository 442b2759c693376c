package hospitality_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// moving is a hotel whose type Coco has two units: Asha has COCO from 10 to 13
// March, Bram COCO-2 from 14 to 16. A stay from 12 to 15 has a free unit in each
// night, but not the same one.
func moving(t *testing.T) (h *hotel, asha, bram string) {
	h = newHotel(t)
	h.cabin("COCO", "Coco", 2)
	asha = h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-03-10","check_out":"2031-03-13","adults":1,"guest_name":"Asha"}`)
	// Cleo keeps Bram out of the first unit, and goes.
	cleo := h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-03-13","check_out":"2031-03-16","adults":1,"guest_name":"Cleo"}`)
	bram = h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-03-14","check_out":"2031-03-16","adults":1,"guest_name":"Bram"}`)
	h.does("cancel_reservation", `{"code":"`+cleo+`"}`)
	return h, asha, bram
}

// unitOf is the unit that a reservation's stay takes, with "!" when it is pinned.
func (h *hotel) unitOf(code string) string {
	h.t.Helper()
	return h.sql(`select u.code || case when s.unit_pinned then '!' else '' end as unit
		from public.reservations r join public.stays s on s.org_id = r.org_id and s.reservation_id = r.id
		join public.rooms u on u.org_id = s.org_id and u.id = s.room_id
		where r.org_id = $1 and r.code = $2`, code)[0]["unit"].(string)
}

const dov = `{"room":"COCO","check_in":"2031-03-12","check_out":"2031-03-15","adults":1,"guest_name":"Dov"}`

// Rooms are sold by type: a stay that no one pinned makes room, with its price and
// its nights, and its history tells of it.
func TestAStayMakesRoom(t *testing.T) {
	t.Parallel()
	h, asha, bram := moving(t)
	if a, b := h.unitOf(asha), h.unitOf(bram); a != "COCO" || b != "COCO-2" {
		t.Fatalf("Asha is in %s, Bram in %s", a, b)
	}
	if r := h.must("check_availability", `{"room":"COCO","check_in":"2031-03-12","check_out":"2031-03-15"}`); !strings.Contains(
		r.Text, "Coco (COCO) is available") {
		t.Errorf("it says %q", r.Text)
	}
	before := h.money(bram)
	code := h.coded("create_reservation", dov)
	if got := h.unitOf(code) + " " + h.unitOf(asha) + " " + h.unitOf(bram); got != "COCO-2 COCO COCO" {
		t.Errorf("Dov, Asha and Bram are in %s", got)
	}
	after := h.money(bram)
	for _, what := range []string{"total", "nights"} {
		if before[what] != after[what] {
			t.Errorf("%s was %v and is %v", what, before[what], after[what])
		}
	}
	if r := h.must("get_change_history", `{"code":"`+bram+`"}`); !strings.Contains(string(r.Data), "COCO-2") {
		t.Errorf("its history is %s", r.Data)
	}
	// The fourth one: the 14th is full.
	_, err := h.look("create_reservation", dov)
	sentence(t, err, fault.Conflict, "Coco (COCO) is taken from 12-Mar-2031 to 15-Mar-2031: booking ")
}

// A type may have fewer units than are booked now and then, as long as each night has a
// free one: the stays of the unit that goes move, and the question names them.
func TestStaysMoveOutOfAUnitThatGoes(t *testing.T) {
	t.Parallel()
	h, asha, bram := moving(t)
	p := h.shown("update_room_type", `{"room":"COCO","units":1}`)
	want := tool.Line{Label: bram + " of Bram, 14-Mar-2031 to 16-Mar-2031", Before: "COCO-2", After: "COCO"}
	if !slices.Contains(p.Lines, want) || !slices.Contains(p.Warnings, "1 stay moves to another unit.") {
		t.Errorf("the preview is %+v", p)
	}
	before := h.money(bram)
	h.must("update_room_type", `{"room":"COCO","units":1}`)
	if got := h.unitOf(asha) + " " + h.unitOf(bram); got != "COCO COCO" {
		t.Errorf("Asha and Bram are in %s", got)
	}
	if after := h.money(bram); before["total"] != after["total"] || before["nights"] != after["nights"] {
		t.Errorf("%v was %v", after, before)
	}
	if got := h.units("COCO"); !slices.Equal(got, []string{"COCO true", "COCO-2 false"}) {
		t.Errorf("the units are %q", got)
	}
	if r := h.must("get_change_history", `{"code":"`+bram+`"}`); !strings.Contains(string(r.Data), "COCO-2") {
		t.Errorf("its history is %s", r.Data)
	}
	// With a night that has no other unit it is refused, and so it is when no stay may move.
	h.must("update_room_type", `{"room":"COCO","units":2}`)
	h.coded("create_reservation", dov)
	_, err := h.look("update_room_type", `{"room":"COCO","units":1}`)
	sentence(t, err, fault.Conflict, "cannot go: booked or blocked from today on")
}

// Who named a unit stays in it; what can't be arranged around it is refused, with
// the reason.
func TestANamedUnitIsPinned(t *testing.T) {
	t.Parallel()
	h, asha, bram := moving(t)
	// Naming the unit that it has is a change: it may not move any more.
	lines(t, h.sheet("edit_reservation", `{"code":"`+bram+`","unit":"COCO-2"}`),
		"Change reservation "+bram+" of Bram",
		"Reservation "+bram+": Bram, Coco (COCO), 14-Mar-2031 to 16-Mar-2031 (2 nights)",
		"Room: Coco → Coco, unit COCO-2",
	)
	h.does("edit_reservation", `{"code":"`+bram+`","unit":"COCO-2"}`)
	if got := h.unitOf(bram); got != "COCO-2!" {
		t.Errorf("Bram is in %s", got)
	}
	// Asha makes room instead.
	h.coded("create_reservation", dov)
	if a, b := h.unitOf(asha), h.unitOf(bram); a != "COCO-2" || b != "COCO-2!" {
		t.Errorf("Asha is in %s, Bram in %s", a, b)
	}
	// Each night has a free unit, but who has it can't move.
	_, err := h.look("edit_reservation", `{"code":"`+asha+`","unit":"COCO"}`)
	sentence(t, err, fault.Conflict, "Coco (COCO) has a free unit in each night from 10-Mar-2031 to 13-Mar-2031, "+
		"but not the same one")
	// By hand to another unit: what stands there and is not pinned moves out of the way.
	gita := h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-04-01","check_out":"2031-04-03","adults":1,"guest_name":"Gita"}`)
	hana := h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-04-05","check_out":"2031-04-07","adults":1,"guest_name":"Hana"}`)
	h.does("edit_reservation", `{"code":"`+hana+`","unit":"COCO","check_in":"2031-04-02","check_out":"2031-04-04"}`)
	if g, a := h.unitOf(gita), h.unitOf(hana); g != "COCO-2" || a != "COCO!" {
		t.Errorf("Gita is in %s, Hana in %s", g, a)
	}
	h.does("cancel_reservation", `{"code":"`+bram+`"}`)
	h.does("restore_reservation", `{"code":"`+bram+`"}`)
	if b := h.unitOf(bram); b != "COCO-2!" {
		t.Errorf("Bram is back in %s", b)
	}
}

// F-14, F-67: a yes binds what was shown; that another guest's stay moved, or this
// one's, changes nothing of it. A check-in shows the unit and so binds it.
func TestAMoveLeavesQuestionsTrue(t *testing.T) {
	t.Parallel()
	h, _, bram := moving(t)
	h.does("record_payment", `{"code":"`+bram+`","amount":100,"method":"upi"}`)
	paid := h.ask("record_payment", `{"code":"`+bram+`","amount":250,"method":"cash"}`)
	edited := h.ask("edit_reservation", `{"code":"`+bram+`","special_requests":"Quiet"}`)
	h.coded("create_reservation", dov) // Bram moves
	if got := h.unitOf(bram); got != "COCO" {
		t.Fatalf("Bram is in %s", got)
	}
	if _, err := paid.yes(); err != nil {
		t.Error(err)
	}
	if _, err := edited.yes(); err != nil {
		t.Error(err)
	}

	// Today is 15 January. Esme arrives, and before the yes her room number changes.
	esme := h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-01-15","check_out":"2031-01-17","adults":1,"guest_name":"Esme"}`)
	in := h.ask("update_reservation_status", `{"code":"`+esme+`","status":"checked_in"}`)
	if got := in.proposal.Text(); !strings.Contains(got, "Coco (COCO)") {
		t.Errorf("the question is %s", got)
	}
	h.coded("create_reservation",
		`{"room":"COCO","unit":"COCO","check_in":"2031-01-15","check_out":"2031-01-18","adults":1,`+
			`"guest_name":"Finn"}`)
	_, err := in.yes()
	fresh := in.changed(err)
	if got := fresh.Text(); !strings.Contains(got, "Coco (COCO-2)") {
		t.Errorf("the question is %s", got)
	}
	if _, err := in.next(fresh).yes(); err != nil {
		t.Fatal(err)
	}
	if got := h.unitOf(esme); got != "COCO-2!" {
		t.Errorf("Esme is in %s", got)
	}
	// In the house no one moves her; her stay goes on in her unit, and what comes later makes room.
	gita := h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-01-18","check_out":"2031-01-20","adults":1,"guest_name":"Gita"}`)
	h.does("edit_reservation", `{"code":"`+gita+`","check_in":"2031-01-18","check_out":"2031-01-21"}`)
	h.does("edit_reservation", `{"code":"`+esme+`","check_out":"2031-01-20"}`)
	if e, g := h.unitOf(esme), h.unitOf(gita); e != "COCO-2!" || g != "COCO" {
		t.Errorf("Esme is in %s, Gita in %s", e, g)
	}
}

// A cancelled stay that no one pinned comes back in another unit of its type.
func TestACancelledStayComesBackWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	h, asha, bram := moving(t)
	h.does("cancel_reservation", `{"code":"`+bram+`"}`)
	h.coded("create_reservation",
		`{"room":"COCO","unit":"COCO-2","check_in":"2031-03-13","check_out":"2031-03-18","adults":1,`+
			`"guest_name":"Hana"}`)
	h.does("restore_reservation", `{"code":"`+bram+`"}`)
	if b := h.unitOf(bram); b != "COCO" {
		t.Errorf("Bram is back in %s", b)
	}
	h.does("cancel_reservation", `{"code":"`+asha+`"}`)
	h.does("create_group_reservation", `{"rooms":[{"room":"COCO","adults":1},{"room":"COCO","adults":1}],
		"check_in":"2031-03-11","check_out":"2031-03-13","guest_name":"Ivo"}`)
	_, err := h.look("restore_reservation", `{"code":"`+asha+`"}`)
	sentence(t, err, fault.Conflict, "COCO of "+asha+" is taken by booking ")
}

// A block moves the stays that nobody pinned to other units, as its question says;
// when these are others by the yes, it asks anew.
func TestAStayMakesRoomForABlock(t *testing.T) {
	t.Parallel()
	h, asha, bram := moving(t)
	const repair = `{"rooms":["COCO-1"],"start_date":"2031-03-12","end_date":"2031-03-12","reason":"maintenance"}`
	p := h.shown("block_dates", repair)
	moves := tool.Line{Label: asha + " of Asha, 10-Mar-2031 to 13-Mar-2031", Before: "COCO", After: "COCO-2"}
	if !slices.Contains(p.Lines, moves) || !slices.Contains(p.Warnings,
		"1 stay moves to another unit of its room type.") {
		t.Fatalf("the question is %+v", p)
	}
	question := h.ask("block_dates", repair)
	h.does("cancel_reservation", `{"code":"`+asha+`"}`)
	eve := h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-03-12","check_out":"2031-03-13","adults":1,"guest_name":"Eve"}`)
	_, err := question.yes()
	again := question.next(question.changed(err))
	if h.unitOf(eve) != "COCO" {
		t.Errorf("before the second yes Eve is in %s", h.unitOf(eve))
	}
	r, err := again.yes()
	if err != nil || !strings.HasPrefix(r.Text, "Blocked Coco (COCO) on 12-Mar-2031 (1 night) for maintenance") {
		t.Fatalf("%q %v", r.Text, err)
	}
	if got := h.unitOf(eve) + " " + h.unitOf(bram); got != "COCO-2 COCO-2" {
		t.Errorf("Eve and Bram are in %s", got)
	}
	// The other unit of that night is full now, and nothing can give way.
	_, err = h.look("block_dates", `{"rooms":["COCO-2"],"start_date":"2031-03-12","end_date":"2031-03-14",`+
		`"reason":"other"}`)
	sentence(t, err, fault.Conflict, "No way was found to give what is there other units of the type")
	// Who named a unit stays in it.
	h.does("edit_reservation", `{"code":"`+bram+`","unit":"COCO-2"}`)
	_, err = h.look("block_dates", `{"rooms":["COCO-2"],"start_date":"2031-03-15","end_date":"2031-03-15",`+
		`"reason":"other"}`)
	sentence(t, err, fault.Conflict, "a reservation is in the way: "+bram+" of Bram in COCO-2")
}
