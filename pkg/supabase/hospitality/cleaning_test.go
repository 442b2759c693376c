package hospitality_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/frontdesk"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// states are the units of the hotel that are not clean, with the role of who said so.
func (h *hotel) dirty() string {
	h.t.Helper()
	var list []string
	for _, row := range h.sql(`select u.code || coalesce(' by ' || m.role, '') as unit from public.rooms u
		left join public.memberships m on m.org_id = u.org_id and m.user_id = u.cleaning_by
		where u.org_id = $1 and u.cleaning_state = 'to_clean' order by u.code`) {
		list = append(list, row["unit"].(string))
	}
	return strings.Join(list, ", ")
}

// offers are the choices of an answer by their labels.
func offers(t *testing.T, r tool.Result) map[string]part.Choice {
	t.Helper()
	list := map[string]part.Choice{}
	for _, c := range kind[part.Choices](t, r, "choices").Choices {
		list[c.Label] = c
	}
	return list
}

// A check-out leaves a room to be cleaned, in its own transaction and by whoever did it;
// nights, check-ins and cancellations do not. The morning counts down as rooms are cleaned.
func TestARoomIsToBeCleanedAfterItsGuests(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("BIRCH", "Birch", 3)
	h.cabin("COCO", "Coco", 1)
	leaves := h.book("2031-01-12", "2031-01-15", "checked_in", 0, 0, "BIRCH-2", "COCO")
	h.named(leaves, "Ojas Kitewala", "", 1)
	h.named(h.book("2031-01-14", "2031-01-17", "confirmed", 0, 0, "BIRCH"), "Bram Dov", "", 1)
	comes := h.book("2031-01-15", "2031-01-18", "confirmed", 0, 0, "COCO")
	h.named(comes, "Asha Meadowlark", "", 2)
	h.must("update_reservation_status", `{"code":"Bram Dov","status":"checked_in"}`)
	if got := h.dirty(); got != "" {
		t.Fatalf("to be cleaned before anybody has left: %s", got)
	}
	if p := h.shown("update_reservation_status", `{"code":"`+comes+
		`","status":"checked_in"}`); !strings.Contains(strings.Join(p.Warnings, " "),
		"The guest before is still in COCO.") {
		t.Errorf("the check-in into an occupied room warns of %q", p.Warnings)
	}
	section := func() string {
		m := kind[part.Morning](t, h.must("get_morning", `{}`), "morning")
		s := m.Sections[2]
		lines := []string{fmt.Sprintf("%s %d", s.Title, s.Count)}
		for _, i := range s.Items {
			line := i.Title + ": " + strings.SplitN(i.Detail, " · since", 2)[0]
			for _, c := range i.Do {
				line += " [" + c.Label + "]"
			}
			lines = append(lines, strings.TrimSuffix(line+", "+i.Note, ", "))
		}
		for _, c := range s.Do {
			lines = append(lines, "["+c.Label+"]")
		}
		return strings.Join(lines, "\n")
	}
	if diff := cmp.Diff("To clean 2\nCOCO: occupied · Ojas Kitewala is still in it, Asha Meadowlark arrives today\n"+
		"BIRCH-2: occupied · Ojas Kitewala is still in it", section()); diff != "" {
		t.Errorf("before the check-out (-want +got):\n%s", diff)
	}
	h.must("update_reservation_status", `{"code":"`+leaves+`","status":"checked_out"}`)
	if got := h.dirty(); got != "BIRCH-2 by manager, COCO by manager" {
		t.Fatalf("after the check-out: %s", got)
	}
	if diff := cmp.Diff("To clean 2\nCOCO: to clean [Clean], Asha Meadowlark arrives today\nBIRCH-2: to clean "+
		"[Clean]\n[All 2 clean]",
		section()); diff != "" {
		t.Errorf("after it (-want +got):\n%s", diff)
	}
	if p := h.shown("update_reservation_status", `{"code":"`+comes+
		`","status":"checked_in"}`); !strings.Contains(strings.Join(p.Warnings, " "),
		"COCO is not clean yet.") {
		t.Errorf("the check-in warns of %q", p.Warnings)
	}
	list := h.must("list_rooms_to_clean", `{}`)
	if list.Text != "2 of 4 rooms are still to be cleaned: BIRCH-2, COCO (Asha Meadowlark arrives today)." {
		t.Errorf("the list says %q", list.Text)
	}
	set := h.must("set_room_clean", string(offers(t, list)["COCO is clean"].Arguments))
	if set.Text != "COCO is clean now." || h.dirty() != "BIRCH-2 by manager" {
		t.Errorf("it says %q, left is %s", set.Text, h.dirty())
	}
	if got := section(); got != "To clean 1\nBIRCH-2: to clean [Clean]" {
		t.Errorf("after one: %s", got)
	}
	if p := h.shown("update_reservation_status", `{"code":"`+comes+`","status":"checked_in"}`); len(p.Warnings) > 0 {
		t.Errorf("the check-in into a clean room warns of %q", p.Warnings)
	}
	h.must("set_room_clean", string(offers(t, set)["Undo: to clean again"].Arguments))
	if got := h.dirty(); got != "BIRCH-2 by manager, COCO by manager" {
		t.Errorf("undone: %s", got)
	}
	h.must("update_reservation_status", `{"code":"`+comes+`","status":"checked_in"}`) // allowed all the same
	for tool, want := range map[string]string{"get_room_type_details": "BIRCH-2", "get_tape_chart": "to clean"} {
		if r := h.must(tool, map[string]string{"get_room_type_details": `{"room":"BIRCH"}`,
			"get_tape_chart": `{}`}[tool]); !strings.Contains(fmt.Sprint(r.Table.Rows), want) {
			t.Errorf("%s does not show it: %v", tool, r.Table.Rows)
		}
	}
	if r := h.must("get_change_history", `{"code":"COCO"}`); !strings.Contains(fmt.Sprint(r.Table.Rows),
		"clean → to clean") {
		t.Errorf("the history: %v", r.Table.Rows)
	}
}

// A guest who is here and gets another unit leaves the first one to be cleaned, whatever
// way the stay is changed; a guest to come, or other changes, leave none.
func TestAChangeOfUnitLeavesOneToClean(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("BIRCH", "Birch", 3)
	here := h.book("2031-01-14", "2031-01-17", "checked_in", 100, 0, "BIRCH-2")
	later := h.book("2031-01-20", "2031-01-22", "confirmed", 100, 0, "BIRCH-2")
	h.must("edit_reservation", `{"code":"`+later+`","unit":"BIRCH-3"}`)
	h.must("edit_reservation", `{"code":"`+here+`","special_requests":"A cot."}`)
	if got := h.dirty(); got != "" {
		t.Fatalf("a change of a stay to come leaves %s", got)
	}
	h.must("edit_reservation", `{"code":"`+here+`","unit":"BIRCH-3"}`)
	if got := h.dirty(); got != "BIRCH-2 by manager" {
		t.Errorf("the change of unit leaves %q", got)
	}
}

// A room is meant by its code, its name or its number; what is unclear is asked, and what is
// not there names what is.
func TestRoomsAreCleanedByTheirNames(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("BIRCH", "Birch", 3)
	h.cabin("COCO", "Coco Suite", 1)
	to := func(state, rooms string) (string, error) {
		r, err := h.run("set_room_clean", `{"rooms":`+rooms+`,"state":"`+state+`"}`)
		return r.Text, err
	}
	for _, step := range [][3]string{
		{"dirty", `["birch 2","coco suite","BIRCH-3","Birch 1"]`,
			"BIRCH, BIRCH-2, BIRCH-3, COCO are to be cleaned now."},
		{"clean", `["Birch-2","birch 2"]`, "BIRCH-2 is clean now."},
		{"clean", `["birch 1"]`, "BIRCH is clean now."},
		{"clean", `["Birch"]`, "BIRCH-3 is clean now."}, // the only one of them that is dirty
		{"clean", `["COCO"]`, "COCO is clean now."},
	} {
		if got, err := to(step[0], step[1]); err != nil || got != step[2] {
			t.Errorf("%s %s: %q, %v", step[0], step[1], got, err)
		}
	}
	got, err := to("clean", `["COCO"]`)
	if err != nil || !strings.HasPrefix(got, "Already clean: COCO since ") ||
		!strings.HasSuffix(got, "(Max Testwright).") {
		t.Errorf("once more: %q, %v", got, err)
	}
	// What changes nothing is no effect: each effect has its change in the audit.
	same, err := h.prepare("set_room_clean", `{"rooms":["COCO"]}`)
	if err != nil {
		t.Fatal(err)
	}
	r, err := same.Run(effect.With(t.Context(), effect.Claim{Key: "act-same-same-same", ArgsHash: same.Hash,
		Tool: "set_room_clean", Turn: "turn-1", Assistant: "hospitality"}), h.by)
	if n := len(h.sql(`select from public.effects where org_id = $1 and key = 'act-same-same-same'`)); n != 0 ||
		err != nil || !strings.HasPrefix(r.Text, "Already clean: COCO") {
		t.Errorf("%d effects, %q, %v", n, r.Text, err)
	}
	_, err = to("dirty", `["Birch"]`)
	sentence(t, err, fault.Invalid, "Birch has several rooms. Which one is meant: Birch 1, Birch 2, Birch 3?")
	_, err = to("dirty", `["COCO","Birch 4"]`)
	sentence(t, err, fault.NotFound, `There is no room "Birch 4". Did you mean Birch 1 (BIRCH), Birch 2 (BIRCH-2), `+
		`Birch 3 (BIRCH-3)?`)
	if got := h.dirty(); got != "" {
		t.Errorf("half of a call was done: %s", got)
	}
	_, err = to("spotless", `["COCO"]`)
	sentence(t, err, fault.Invalid, "clean, dirty")
	if all := h.must("list_rooms_to_clean", `{}`); all.Text != "All 4 rooms are clean." {
		t.Errorf("it says %q", all.Text)
	}
	if one := h.must("list_rooms_to_clean", `{"room":"Birch 2"}`); one.Text != "BIRCH-2 is clean." {
		t.Errorf("of one room it says %q", one.Text)
	}
}

// What was seen is what is changed, once: a button that was shown before the room got dirty
// again, a repeated request, and two at once.
func TestARoomIsCleanedOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.must("set_room_clean", `{"rooms":["COCO"],"state":"dirty"}`)
	old := string(offers(t, h.must("list_rooms_to_clean", `{}`))["COCO is clean"].Arguments)
	call, err := h.prepare("set_room_clean", `{"rooms":["COCO"]}`)
	if err != nil {
		t.Fatal(err)
	}
	ctx := effect.With(t.Context(), effect.Claim{Key: "act-once-once-once", ArgsHash: call.Hash,
		Tool: "set_room_clean",
		Turn: "turn-1", Assistant: "hospitality"})
	for range 2 { // the answer of the first request was lost
		if r, err := call.Run(ctx, h.by); err != nil || r.Text != "COCO is clean now." {
			t.Fatalf("%q, %v", r.Text, err)
		}
	}
	if n := len(h.sql(`select from public.audit where org_id = $1 and effect_key = 'act-once-once-once'`)); n != 1 {
		t.Errorf("%d changes", n)
	}
	h.must("set_room_clean", `{"rooms":["COCO"],"state":"dirty"}`)
	_, err = h.run("set_room_clean", old)
	sentence(t, err, fault.Conflict, "COCO has changed since it was shown.")
	before := h.sql(`select count(*) as n from public.audit where org_id = $1 and table_name = 'rooms'`)[0]["n"].(int64)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if _, err := h.run("set_room_clean", `{"rooms":["COCO"]}`); err != nil && !fault.Is(err, fault.Conflict) {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if n := h.sql(`select count(*) as n from public.audit where org_id = $1 and table_name = 'rooms'`)[0]["n"].(int64) - before; n != 1 {
		t.Errorf("eight at once make %d changes", n)
	}
}

// Who may look sees the states and changes none, in the tool or in the table; nor does
// another organisation.
func TestOnlyStaffCleanRooms(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.must("set_room_clean", `{"rooms":["COCO"],"state":"dirty"}`)
	store := hospitality.NewFrontDesk(h.client)
	units := []frontdesk.SeenUnit{{Unit: "COCO"}}
	today := mustDate(t, "2031-01-15")

	viewer := *h
	viewer.by = h.as(h.org.Viewer.Token)
	if _, err := viewer.run("set_room_clean", `{"rooms":["COCO"]}`); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a viewer: %v", err)
	}
	ctx := effect.With(t.Context(), effect.Claim{Key: "act-viewer-viewer", ArgsHash: strings.Repeat("0", 64),
		Tool: "set_room_clean",
		Turn: "turn-1", Assistant: "hospitality"})
	if _, err := store.SetStates(ctx, viewer.by, units, frontdesk.Clean, today); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a viewer past the tool: %v", err)
	}
	list := viewer.must("list_rooms_to_clean", `{}`)
	for _, p := range list.Parts {
		if p.Kind == "choices" {
			t.Errorf("a viewer may press %s", p.Data)
		}
	}
	other := newHotel(t)
	if _, err := other.run("set_room_clean", `{"rooms":["COCO"]}`); !fault.Is(err, fault.NotFound) {
		t.Errorf("another organisation: %v", err)
	}
	their := other.by
	their.Entity = h.by.Entity
	if states, err := store.States(t.Context(), their, today, []string{"COCO"}); err != nil || len(states) != 0 {
		t.Errorf("another organisation sees %v, %v", states, err)
	}
	if _, err := store.SetStates(ctx, their, units, frontdesk.Clean, today); err == nil {
		t.Error("another organisation sets a state")
	}
	if got := h.dirty(); got != "COCO by manager" {
		t.Errorf("it is now: %q", got)
	}
	// Time and user are the database's, also where the table is written directly.
	localtest.SQL(t, `update public.rooms set cleaning_state = 'clean', cleaning_since = '2001-01-01', cleaning_by =
		gen_random_uuid()
		where org_id = $1`, h.by.OrgID)
	row := h.sql(`select cleaning_by is null and cleaning_since > now() - interval '1 hour' as kept from
		public.rooms where org_id = $1`)[0]
	if row["kept"] != true {
		t.Errorf("a request's own time is kept: %v", row)
	}
	var data struct{ Rooms []frontdesk.UnitState }
	if err := json.Unmarshal(h.must("list_rooms_to_clean", `{"all":true}`).Data, &data); err != nil ||
		len(data.Rooms) != 1 ||
		data.Rooms[0].By != "" || data.Rooms[0].State != "clean" {
		t.Errorf("listed: %+v, %v", data, err)
	}
}
