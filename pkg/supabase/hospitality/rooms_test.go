package hospitality_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// S0-36
func TestRoomTypesAreListedByName(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("ZEN", "Zen", 1)
	h.cabin("COCO", "Coco", 3)
	h.sql(`insert into public.room_types (org_id, entity_id, code, name, capacity, weekday_price, weekend_price,
		active)
		values ($1, $2, 'BARN', 'Barn', 8, 7000, 7500, false)`, h.by.Entity.ID)

	want := [][]string{
		{"Coco", "COCO", "2", "3", "₹5,200.00", "₹6,400.50", "1 to 30"},
		{"Zen", "ZEN", "2", "1", "₹5,200.00", "₹6,400.50", "1 to 30"},
	}
	r := h.must("list_room_types", `{}`)
	if diff := cmp.Diff(want, rows(r)); diff != "" || r.Records != 2 {
		t.Errorf("%d records (-want +got):\n%s", r.Records, diff)
	}
	all := rows(h.must("list_room_types", `{"include_inactive":true}`))
	if len(all) != 3 || !slices.Equal(all[0], []string{"Barn", "BARN", "8", "1", "₹7,000.00", "₹7,500.00", "1 to 30",
		"no"}) {
		t.Errorf("with the inactive ones: %q", all)
	}
}

// S0-17: what is looked up is found however it is called, and a wrong name is
// answered with what there is.
func TestARoomIsFoundByCodeOrName(t *testing.T) {
	t.Parallel()
	h := demo(t)
	for _, called := range []string{"COCO", "coco", "Coco", " coco ", "OLD-BARN", "old barn", "Old  Barn"} {
		r := h.must("get_room_type_details", `{"room":"`+called+`"}`)
		if !strings.Contains(strings.ToLower(string(r.Data)), `"code":"`+
			strings.ToLower(strings.Join(strings.Fields(called), "-"))+`"`) {
			t.Errorf("%q finds %s", called, r.Data)
		}
	}
	_, err := h.run("get_room_type_details", `{"room":"Cocoo"}`)
	sentence(t, err, fault.NotFound, `There is no room type "Cocoo". Did you mean Coco (COCO)?`)
	_, err = h.run("get_room_type_details", `{"room":"Presidential"}`)
	sentence(t, err, fault.NotFound, "There are: Birch (BIRCH), Buransh (BURANSH), Coco (COCO)")
}

// F-42: another tenant's rooms are not there, by whatever name.
func TestAnotherTenantsRoomsAreNotThere(t *testing.T) {
	t.Parallel()
	mine, other := newHotel(t), newHotel(t)
	other.cabin("SECRET", "Secret", 1)
	if r := mine.must("list_room_types", `{"include_inactive":true}`); r.Records != 0 {
		t.Errorf("it lists %s", r.Data)
	}
	// Nor when a user claims the other property as the chosen one.
	mine.by.Entity = other.by.Entity
	if r := mine.must("list_room_types", `{}`); r.Records != 0 {
		t.Errorf("with the other's property chosen it lists %s", r.Data)
	}
	_, err := mine.run("get_room_type_details", `{"room":"SECRET"}`)
	sentence(t, err, fault.NotFound, "there are none")
}
