package hospitality_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

const soup = `{"name":"Corn Soup","category":"Starter","price":220,"dietary":["vegetarian"],` +
	`"description":"From the fire."}`

// S0-33, S0-44
func TestTheChefsMenuIsListedInTheOrderOfAMeal(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	for _, dish := range []string{
		`{"name":"Mash","category":"continental side","price":160}`,
		`{"name":"Risotto","category":"Continental Mains","price":520.5}`, soup,
		`{"name":"Raita","category":"side (local)","price":120}`,
		`{"name":"Curry","category":"local main course","price":620,"available":false}`,
		`{"name":"Chainsoo","category":"local_mains","price":380,"dietary":["vegan"," gluten-free","Vegan"]}`,
	} {
		h.must("create_chef_menu_item", dish)
	}
	r := h.must("list_chef_menu_items", `{}`)
	want := [][]string{
		{"Corn Soup", "CORN-SOUP", "starters", "₹220.00", "vegetarian", "yes"}, {"Chainsoo", "CHAINSOO", "local mains",
			"₹380.00", "vegan, gluten-free", "yes"},
		{"Curry", "CURRY", "local mains", "₹620.00", "", "no"}, {"Risotto", "RISOTTO", "continental mains", "₹520.50",
			"", "yes"},
		{"Raita", "RAITA", "local sides", "₹120.00", "", "yes"}, {"Mash", "MASH", "continental sides", "₹160.00", "",
			"yes"},
	}
	if diff := cmp.Diff(want, rows(r)); diff != "" ||
		r.Text != "6 dishes of the menu, 1 of them not available at present." {
		t.Errorf("%q (-want +got):\n%s", r.Text, diff)
	}
	for arguments, names := range map[string]string{
		`{"category":"Local mains"}`:                    "Chainsoo Curry",
		`{"category":"local mains","available":true}`:   "Chainsoo",
		`{"available":false}`:                           "Curry",
		`{"category":"sides, local","available":false}`: "",
	} {
		var got []string
		for _, row := range rows(h.must("list_chef_menu_items", arguments)) {
			got = append(got, row[0])
		}
		if strings.Join(got, " ") != names {
			t.Errorf("%s lists %q", arguments, got)
		}
	}
	_, err := h.run("list_chef_menu_items", `{"category":"mains"}`)
	sentence(t, err, fault.Invalid, "Which mains: local mains or continental mains?")
	if r := h.must("get_chef_menu_item_details",
		`{"item":"corn soup"}`); r.Text != "Corn Soup (CORN-SOUP), of the starters, costs ₹220.00 and is vegetarian." {
		t.Errorf("it says %q", r.Text)
	}
	_, err = h.run("get_chef_menu_item_details", `{"item":"soup"}`)
	sentence(t, err, fault.NotFound, `There is no dish "soup". Did you mean Corn Soup (CORN-SOUP)?`)
}

// S0-44
func TestADishIsPreviewedAndAddedOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	want := tool.Preview{Title: "Add the dish Corn Soup", Lines: []tool.Line{
		{Label: "Property", After: "Test House"}, {Label: "Name", After: "Corn Soup"},
		{Label: "Category", After: "starters"}, {Label: "Price", After: "₹220.00"},
		{Label: "Dietary", After: "vegetarian"}, {Label: "Description", After: "From the fire."},
		{Label: "Available", After: "yes"},
	}}
	if diff := cmp.Diff(want, h.shown("create_chef_menu_item", soup)); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	h.viewersAndStrangersChangeNothing(t, "create_chef_menu_item", soup)
	acts := []asked{h.ask("create_chef_menu_item", soup), h.ask("create_chef_menu_item",
		strings.Replace(soup, "Corn Soup", "CORN-SOUP", 1))}
	errs := make([]error, len(acts))
	var wait sync.WaitGroup
	for i := range acts {
		wait.Go(func() { _, errs[i] = acts[i].yes() })
	}
	wait.Wait()
	done := slices.DeleteFunc(errs, func(err error) bool { return fault.Is(err, fault.Conflict) })
	if n := len(h.sql(`select from public.chef_menu_items where org_id = $1`)); n != 1 || len(done) != 1 ||
		done[0] != nil {
		t.Errorf("%d dishes, %v", n, errs)
	}
	_, err := h.look("create_chef_menu_item", `{"name":"corn soup","category":"local sides","price":1}`)
	sentence(t, err, fault.Conflict, "There is already a dish called C")
	for arguments, says := range map[string]string{
		`{"name":"A","category":"main","price":1}`:      "Which mains",
		`{"name":"A","category":"","price":1}`:          "The category must be",
		`{"name":" ","category":"starters","price":1}`:  "needs a name",
		`{"name":"A","category":"starters","price":-1}`: "below zero",
		`{"name":"A","category":"starters","price":1,"dietary":["` + strings.Repeat("x", 61) +
			`"]}`: "longer than 60 letters",
		`{"name":"A","category":"starters"}`: `"price" is missing`,
	} {
		_, err := h.look("create_chef_menu_item", arguments)
		sentence(t, err, fault.Invalid, says)
	}
}

// S0-33, S0-44: off the menu and on again, without deleting.
func TestADishIsTakenOffAndOfferedAgain(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.must("create_chef_menu_item", soup)
	h.viewersAndStrangersChangeNothing(t, "toggle_chef_menu_availability", `{"item":"Corn Soup"}`)
	off := "Corn Soup (CORN-SOUP) is not available now. It stays on record and can be offered again."
	on := "Corn Soup (CORN-SOUP) is available now."
	for _, step := range [][2]string{
		{`{"item":"corn soup"}`, off}, {`{"item":"CORN-SOUP"}`, on}, {`{"item":"Corn Soup","available":true}`, on},
		{`{"item":"Corn Soup","available":false}`, off}, {`{"item":"Corn Soup","available":false}`, off},
	} {
		if r := h.must("toggle_chef_menu_availability", step[0]); r.Text != step[1] {
			t.Errorf("%s: %q", step[0], r.Text)
		}
	}
	// F-37: it runs unasked, and still once for each call.
	call, err := h.prepare("toggle_chef_menu_availability", `{"item":"Corn Soup"}`)
	if err != nil {
		t.Fatal(err)
	}
	ctx := h.consented(call)
	for range 3 {
		if r, err := call.Run(ctx, h.by); err != nil || r.Text != on {
			t.Errorf("%q, %v", r.Text, err)
		}
	}
	_, err = h.run("toggle_chef_menu_availability", `{"item":"Trout"}`)
	sentence(t, err, fault.NotFound, "There are: Corn Soup (CORN-SOUP)")
}

// S0-44
func TestADishIsChanged(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.must("create_chef_menu_item", soup)
	h.must("create_chef_menu_item", `{"name":"Raita","category":"local sides","price":120}`)
	change := `{"item":"corn soup","name":"Smoked Soup","category":"local side","price":240,"dietary":[]}`
	want := tool.Preview{Title: "Change the dish Corn Soup (CORN-SOUP)", Lines: []tool.Line{
		{Label: "Name", Before: "Corn Soup", After: "Smoked Soup"}, {Label: "Category", Before: "starters",
			After: "local sides"},
		{Label: "Price", Before: "₹220.00", After: "₹240.00"}, {Label: "Dietary", Before: "vegetarian", After: "none"},
	}, Warnings: []string{"Its code stays CORN-SOUP."},
		Targets: []tool.Target{{Table: "chef_menu_items", Key: "CORN-SOUP", Version: 1}}}
	if diff := cmp.Diff(want, h.shown("update_chef_menu_item", change)); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	h.viewersAndStrangersChangeNothing(t, "update_chef_menu_item", change)
	act, late := h.ask("update_chef_menu_item", change), h.ask("update_chef_menu_item",
		`{"item":"CORN-SOUP","price":1}`)
	for range 2 { // F-37
		if r, err := act.yes(); err != nil ||
			r.Text != "Changed the dish Smoked Soup (CORN-SOUP) of the local sides: ₹240.00." {
			t.Fatalf("%q, %v", r.Text, err)
		}
	}
	// What changed since the preview voids the yes.
	_, err := late.yes()
	sentence(t, err, fault.Conflict, "changed by somebody since the preview")
	if r := h.must("get_chef_menu_item_details", `{"item":"Smoked Soup"}`); !strings.Contains(string(r.Data),
		`"description":"From the fire."`) {
		t.Errorf("the description is not kept: %s", r.Data)
	}
	for arguments, says := range map[string]string{
		`{"item":"RAITA","price":120.00,"category":"local sides"}`: "Nothing would change: the dish Raita (RAITA)",
		`{"item":"RAITA","category":"sides"}`:                      "Which sides",
		`{"item":"RAITA","price":0.001}`:                           "at most 2 decimals",
	} {
		_, err := h.look("update_chef_menu_item", arguments)
		sentence(t, err, fault.Invalid, says)
	}
	_, err = h.look("update_chef_menu_item", `{"item":"RAITA","name":"smoked  soup"}`)
	sentence(t, err, fault.Conflict, "There is already a dish called Smoked Soup (CORN-SOUP) in the local sides.")
}

// S0-18, S0-44
func TestADishIsDeletedOnlyWhileNobodyChoseIt(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.must("create_chef_menu_item", soup)
	h.must("create_chef_menu_item", `{"name":"Raita","category":"local sides","price":120}`)
	h.must("create_extra", `{"name":"Dinner","price":10,"per":"stay","selection_required":true}`)
	h.cabin("COCO", "Coco", 1)
	h.book("2031-01-20", "2031-01-22", "confirmed", 100, 0, "COCO")
	h.sql(`insert into public.extra_selections (org_id, entity_id, reservation_id, extra_id, choices)
		select r.org_id, r.entity_id, r.id, x.id, '[{"meal":"dinner","items":["RAITA","CORN-SOUP"]}]'
		from public.reservations r join public.extras x on x.org_id = r.org_id where r.org_id = $1`)
	_, err := h.look("delete_chef_menu_item", `{"item":"Corn Soup"}`)
	sentence(t, err, fault.Conflict, "Corn Soup (CORN-SOUP) is chosen in 1 selection of guests, so it cannot be "+
		"deleted. Make it unavailable instead.")
	_, err = h.run("delete_chef_menu_item", `{"item":"Corn Soup"}`)
	sentence(t, err, fault.Conflict, "Corn Soup (CORN-SOUP) is chosen in 1 selection of guests, so it cannot be "+
		"deleted. Make it unavailable instead.")

	h.sql(`update public.extra_selections set choices = '[{"meal":"dinner","items":["RAITA"]}]' where org_id = $1`)
	h.viewersAndStrangersChangeNothing(t, "delete_chef_menu_item", `{"item":"Corn Soup"}`)
	p := h.shown("delete_chef_menu_item", `{"item":"Corn Soup"}`)
	if p.Title != "Delete the dish Corn Soup (CORN-SOUP)" || len(p.Targets) != 1 {
		t.Errorf("the preview is %+v", p)
	}
	act := h.ask("delete_chef_menu_item", `{"item":"Corn Soup"}`)
	for range 2 { // F-37
		if r, err := act.yes(); err != nil || r.Text != "Deleted the dish CORN-SOUP." {
			t.Fatalf("%q, %v", r.Text, err)
		}
	}
	if listed := rows(h.must("list_chef_menu_items", `{}`)); len(listed) != 1 {
		t.Errorf("left: %q", listed)
	}
}
