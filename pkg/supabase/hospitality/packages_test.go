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

const honeymoon = `{"name":"Honeymoon","price":19500,"per":"stay","rooms":["walnut","Coco","COCO"],"extras":[{"extra":"dinner"},{"extra":"BONFIRE","quantity":2}],
	"room_share_percent":80,"min_nights":3,"max_nights":3,"valid_from":"2031-02-01","valid_to":"2031-03-31","description":"For two."}`

// packaged is a hotel with two cabins and two extras.
func packaged(t *testing.T) *hotel {
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("WALNUT", "Walnut", 1)
	h.must("create_extra", `{"name":"Dinner","price":950,"per":"guest"}`)
	h.must("create_extra", `{"name":"Bonfire","price":1200,"per":"stay"}`)
	return h
}

// S0-38: a package is previewed and added with its rooms and extras, once.
func TestAPackageIsPreviewedAndAddedWithItsParts(t *testing.T) {
	t.Parallel()
	h := packaged(t)
	want := tool.Preview{Title: "Add the package Honeymoon", Lines: []tool.Line{
		{Label: "Property", After: "Test House"}, {Label: "Name", After: "Honeymoon"},
		{Label: "Price per stay", After: "₹19,500.00"},
		{Label: "Share of the room", After: "80 %"}, {Label: "Nights", After: "3"},
		{Label: "Guests per room", After: "2"},
		{Label: "Rooms", After: "Walnut, Coco"}, {Label: "Extras", After: "Dinner, 2 × Bonfire"},
		{Label: "Nights from and to", After: "01-Feb-2031 to 31-Mar-2031"}, {Label: "Description", After: "For two."},
	}, Targets: []tool.Target{{Table: "room_types", Key: "WALNUT", Version: 1}, {Table: "room_types", Key: "COCO",
		Version: 1},
		{Table: "extras", Key: "DINNER", Version: 1}, {Table: "extras", Key: "BONFIRE", Version: 1}}}
	if diff := cmp.Diff(want, h.shown("create_package", honeymoon)); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	h.viewersAndStrangersChangeNothing(t, "create_package", honeymoon)
	act := h.ask("create_package", honeymoon)
	var first string
	for range 2 { // F-37
		r, err := act.yes()
		if err != nil || r.Text != "Added the package Honeymoon (HONEYMOON): ₹19,500.00 per stay." {
			t.Fatalf("%q, %v", r.Text, err)
		}
		if first == "" {
			first = string(r.Data)
		}
		if first != string(r.Data) {
			t.Errorf("the answers are %s and %s", first, r.Data)
		}
	}
	r := h.must("get_package_details", `{"package":" honeymoon "}`)
	if want := "Honeymoon (HONEYMOON) costs ₹19,500.00 per stay for 3 nights and up to 2 guests a room, in Coco, " +
		"Walnut, with 2 × Bonfire, Dinner."; r.Text != want {
		t.Errorf("it says %q", r.Text)
	}
	listed := rows(h.must("list_packages", `{}`))
	if diff := cmp.Diff([][]string{{"Honeymoon", "HONEYMOON", "₹19,500.00", "per stay", "3", "2", "Coco, Walnut",
		"2 × Bonfire, Dinner",
		"01-Feb-2031 to 31-Mar-2031", "yes"}}, listed); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	_, err := h.look("create_package", `{"name":"HONEYMOON","price":1,"per":"night"}`)
	sentence(t, err, fault.Conflict, "There is already a package called Honeymoon (HONEYMOON): ₹19,500.00 per stay.")
}

func TestAPackageIsCheckedBeforeAnybodyIsAsked(t *testing.T) {
	t.Parallel()
	h := packaged(t)
	h.must("create_package", honeymoon)
	tests := map[string]struct {
		tool, arguments, says string
		kind                  fault.Kind
	}{
		"a negative price": {"create_package", `{"name":"A","price":-1,"per":"stay"}`, "below zero",
			fault.Invalid},
		"a share of 1000 percent": {"create_package", `{"name":"A","price":1,"per":"stay","room_share_percent":1000}`,
			"room_share_percent must be from 0 to 100", fault.Invalid},
		"a price per guest": {"create_package", `{"name":"A","price":1,"per":"guest"}`,
			"per must be one of stay, night", fault.Invalid},
		"fewest above most": {"create_package",
			`{"name":"A","price":1,"per":"stay","min_nights":4,"max_nights":3}`,
			"min_nights (4) must not be above max_nights (3)", fault.Invalid},
		"an end before its start": {"create_package",
			`{"name":"A","price":1,"per":"stay","valid_from":"2031-03-02","valid_to":"2031-03-01"}`,
			"valid_from (02-Mar-2031) must not be after valid_to (01-Mar-2031)", fault.Invalid},
		"no such day": {"create_package", `{"name":"A","price":1,"per":"stay","valid_from":"2031-02-30"}`,
			"", fault.Invalid},
		"no guests": {"create_package", `{"name":"A","price":1,"per":"stay","included_guests":0}`,
			"included_guests must be from 1 to 50", fault.Invalid},
		"an unknown room": {"create_package", `{"name":"A","price":1,"per":"stay","rooms":["Cocoo"]}`,
			`There is no room type "Cocoo". Did you mean Coco (COCO)?`, fault.NotFound},
		"an unknown extra": {"create_package",
			`{"name":"A","price":1,"per":"stay","extras":[{"extra":"Sauna"}]}`,
			"There are: Bonfire (BONFIRE), Dinner (DINNER)", fault.NotFound},
		"an extra twice": {"create_package",
			`{"name":"A","price":1,"per":"stay","extras":[{"extra":"Dinner"},{"extra":"DINNER"}]}`,
			"Dinner (DINNER) is named twice", fault.Invalid},
		"none of an extra": {"create_package",
			`{"name":"A","price":1,"per":"stay","extras":[{"extra":"Dinner","quantity":0}]}`,
			"quantity must be from 1 to 100", fault.Invalid},
		"a name of spaces": {"create_package", `{"name":"\u00a0","price":1,"per":"stay"}`, "needs a name",
			fault.Invalid},
		"nothing to change": {"update_package",
			`{"package":"HONEYMOON","rooms":["Coco","Walnut"],"max_nights":3}`,
			"Nothing would change: the package Honeymoon (HONEYMOON)", fault.Invalid},
		"a limit removed by null": {"update_package", `{"package":"HONEYMOON","valid_to":null}`,
			"To remove a limit, name it in clear.", fault.Invalid},
		"fewest above the most": {"update_package", `{"package":"HONEYMOON","min_nights":4}`,
			"min_nights (4) must not be above max_nights (3)", fault.Invalid},
		"given and cleared": {"update_package", `{"package":"HONEYMOON","max_nights":4,"clear":["max_nights"]}`,
			"both given and to be cleared", fault.Invalid},
		"an unknown package": {"update_package", `{"package":"Hunnymoon","price":1}`,
			"Did you mean Honeymoon (HONEYMOON)?", fault.NotFound},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := h.look(tc.tool, tc.arguments)
			sentence(t, err, tc.kind, tc.says)
		})
	}
}

// S0-38: what is given changes, the rest stays; lists are whole lists.
func TestAPackageIsChanged(t *testing.T) {
	t.Parallel()
	h := packaged(t)
	h.must("create_package", honeymoon)
	h.cabin("BARN", "Barn", 1)
	h.must("update_room_type", `{"room":"BARN","active":false}`)
	change := `{"package":"honeymoon","name":"Hideaway","price":21000,"per":"night","rooms":["Barn","Coco"],` +
		`"extras":[{"extra":"Bonfire"}],"clear":["max_nights","valid_to"]}`
	want := tool.Preview{Title: "Change the package Honeymoon (HONEYMOON)", Lines: []tool.Line{
		{Label: "Name", Before: "Honeymoon", After: "Hideaway"}, {Label: "Price", Before: "₹19,500.00 per stay",
			After: "₹21,000.00 per night"},
		{Label: "Nights", Before: "3", After: "3 or more"}, {Label: "Rooms", Before: "Coco, Walnut",
			After: "Barn, Coco"},
		{Label: "Extras", Before: "2 × Bonfire, Dinner", After: "Bonfire"},
		{Label: "Nights from and to", Before: "01-Feb-2031 to 31-Mar-2031", After: "from 01-Feb-2031"},
	}, Warnings: []string{"Its code stays HONEYMOON.", "Barn (BARN) is not let at present."},
		Targets: []tool.Target{{Table: "packages", Key: "HONEYMOON", Version: 1}, {Table: "room_types", Key: "BARN",
			Version: 2},
			{Table: "room_types", Key: "COCO", Version: 1}, {Table: "extras", Key: "BONFIRE", Version: 1}}}
	if diff := cmp.Diff(want, h.shown("update_package", change)); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	h.viewersAndStrangersChangeNothing(t, "update_package", change)
	act, late := h.ask("update_package", change), h.ask("update_package", `{"package":"HONEYMOON","price":1}`)
	for range 2 { // F-37
		if r, err := act.yes(); err != nil ||
			r.Text != "Changed the package Hideaway (HONEYMOON). It costs ₹21,000.00 per night for 3 or more nights." {
			t.Fatalf("%q, %v", r.Text, err)
		}
	}
	// What changed since the preview voids the yes.
	_, err := late.yes()
	sentence(t, err, fault.Conflict, "changed by somebody since the preview")
	var data struct {
		Description, ValidFrom, ValidTo string
		MaxNights                       *int
		RoomSharePercent                json.Number
		Rooms, Extras                   []struct {
			Code     string
			Quantity int
		}
	}
	r := h.must("get_package_details", `{"package":"Hideaway"}`)
	if err := json.Unmarshal(r.Data, &data); err != nil || data.Description != "For two." ||
		data.ValidFrom != "2031-02-01" || data.ValidTo != "" ||
		data.MaxNights != nil || data.RoomSharePercent != "80.00" || len(data.Rooms) != 2 ||
		data.Rooms[0].Code != "BARN" ||
		len(data.Extras) != 1 || data.Extras[0].Quantity != 1 {
		t.Errorf("it is %s, %v", r.Data, err)
	}
	// Empty lists: every room type, no extras. Parts alone count as a change of the package.
	h.must("update_package", `{"package":"HONEYMOON","rooms":[],"extras":[]}`)
	if listed := rows(h.must("list_packages", `{}`)); listed[0][6] != "every room type" || listed[0][7] != "" {
		t.Errorf("the list is %q", listed)
	}
	if p := h.shown("update_package", `{"package":"HONEYMOON","active":false}`); p.Targets[0].Version != 3 {
		t.Errorf("the version is %d", p.Targets[0].Version)
	}
	h.must("update_package", `{"package":"HONEYMOON","active":false}`)
	if r := h.must("list_packages", `{}`); r.Records != 0 {
		t.Errorf("it is still sold: %s", r.Data)
	}
	if r := h.must("list_packages", `{"include_inactive":true}`); r.Records != 1 {
		t.Errorf("it is gone: %s", r.Data)
	}
}

// A part that was renamed since the preview is not what the person saw.
func TestAPackageOfPartsThatChangedIsNotMade(t *testing.T) {
	t.Parallel()
	h := packaged(t)
	act := h.ask("create_package", honeymoon)
	h.must("update_extra", `{"extra":"Dinner","price":1}`)
	_, err := act.yes()
	sentence(t, err, fault.Conflict, "changed by somebody since the preview")
	if r := h.must("list_packages", `{}`); r.Records != 0 {
		t.Errorf("there is %s", r.Data)
	}
}

// S0-38: two approvals at once of one name give one package.
func TestAPackageNameIsGivenOnce(t *testing.T) {
	t.Parallel()
	h := packaged(t)
	acts := []asked{h.ask("create_package", honeymoon), h.ask("create_package", strings.Replace(honeymoon, "Honeymoon",
		"honey-MOON", 1)),
		h.ask("create_package", strings.Replace(honeymoon, "Honeymoon", "HONEYMOON", 1))}
	errs := make([]error, len(acts))
	var wait sync.WaitGroup
	for i := range acts {
		wait.Go(func() { _, errs[i] = acts[i].yes() })
	}
	wait.Wait()
	// "honey-MOON" is two words, and another name.
	if n := len(h.sql(`select from public.packages where org_id = $1`)); n != 2 {
		t.Errorf("%d packages: %v", n, errs)
	}
	if refused := slices.DeleteFunc(errs, func(err error) bool { return err == nil }); len(refused) != 1 ||
		!fault.Is(refused[0], fault.Conflict) {
		t.Errorf("refused: %v", refused)
	}
}

// S0-18, S0-38
func TestAPackageIsDeletedOnlyWhileNothingDependsOnIt(t *testing.T) {
	t.Parallel()
	h := packaged(t)
	h.must("create_package", honeymoon)
	h.must("create_package", `{"name":"Workation","price":5600,"per":"night","rooms":["Coco"],`+
		`"extras":[{"extra":"Dinner"}]}`)
	h.must("create_package", `{"name":"Retreat","price":1,"per":"night"}`)
	code := h.book("2031-02-10", "2031-02-13", "cancelled", 100, 0, "COCO")
	h.sql(`update public.reservations r set package_id = p.id from public.packages p where r.org_id = $1 and `+
		`p.org_id = r.org_id and p.code = 'HONEYMOON' and r.code = $2`, code)
	h.sql(`with c as (insert into public.coupons (org_id, entity_id, code, kind, amount) values ($1, $2, 'TEN',
		'percent', 10) returning *)
		insert into public.coupon_packages (org_id, entity_id, coupon_id, package_id)
		select c.org_id, c.entity_id, c.id, p.id from c join public.packages p on p.org_id = c.org_id where p.code =
			'RETREAT'`, h.by.Entity.ID)
	for name, says := range map[string]string{
		"Honeymoon": "Honeymoon (HONEYMOON) is used in 1 booking, so it cannot be deleted. To stop selling it, make " +
			"it inactive: its bookings stay as they are.",
		"Retreat": "Retreat (RETREAT) is the only package for which the coupon TEN holds; without it the coupon " +
			"would hold for all.",
	} {
		_, err := h.look("delete_package", `{"package":"`+name+`"}`)
		sentence(t, err, fault.Conflict, says)
		_, err = h.run("delete_package", `{"package":"`+name+`"}`)
		sentence(t, err, fault.Conflict, says)
	}
	if p := h.shown("update_package", `{"package":"Honeymoon","price":1,"active":false}`); !slices.Equal(p.Warnings,
		[]string{"Bookings that exist keep the price that they were made at.",
			"Bookings that were made with it stay."}) {
		t.Errorf("the warnings are %q", p.Warnings)
	}
	if p := h.shown("delete_package", `{"package":"workation"}`); p.Title != "Delete the package Workation "+
		"(WORKATION)" || p.Targets[0].Version != 1 {
		t.Errorf("the preview is %+v", p)
	}
	h.viewersAndStrangersChangeNothing(t, "delete_package", `{"package":"Workation"}`)
	act := h.ask("delete_package", `{"package":"Workation"}`)
	for range 2 { // F-37
		if r, err := act.yes(); err != nil || r.Text != "Deleted the package WORKATION." {
			t.Fatalf("%q, %v", r.Text, err)
		}
	}
	if extras := h.must("list_extras", `{}`); extras.Records != 2 {
		t.Errorf("its extras went too: %s", extras.Data)
	}
}
