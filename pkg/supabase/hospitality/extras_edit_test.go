package hospitality_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// S0-37
func TestAnExtraIsShownByCodeOrName(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.must("create_extra", `{"name":"Chef's Dinner","price":950.5,"per":"guest","category":"Food","tax_rate":5,`+
		`"selection_required":true,"description":"Three courses."}`)
	want := [][]string{
		{"Description", "Three courses."}, {"Category", "food"}, {"Price", "₹950.50"}, {"Counts", "per guest"},
		{"Tax", "5 %"},
		{"Guests choose beforehand", "yes"}, {"Active", "yes"},
	}
	for _, called := range []string{"CHEFS-DINNER", "chef's dinner", "Chefs Dinner", " CHEF’S  dinner"} {
		r := h.must("get_extra_details", `{"extra":"`+called+`"}`)
		if diff := cmp.Diff(want, rows(r)); diff != "" ||
			r.Text != "Chef's Dinner (CHEFS-DINNER) costs ₹950.50 per guest." {
			t.Errorf("%q is %q (-want +got):\n%s", called, r.Text, diff)
		}
	}
	// S0-17: it never guesses.
	_, err := h.run("get_extra_details", `{"extra":"dinner"}`)
	sentence(t, err, fault.NotFound, `There is no extra "dinner". Did you mean Chef's Dinner (CHEFS-DINNER)?`)
}

// S0-37: what is given changes, the rest stays; the preview shows exactly that.
func TestAnExtraIsChanged(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.must("create_extra", stargazing)
	change := `{"extra":"stargazing","price":50,"name":"Star walk","description":"With a guide.","per":"guest"}`
	want := tool.Preview{Title: "Change the extra Stargazing (STARGAZING)", Lines: []tool.Line{
		{Label: "Name", Before: "Stargazing", After: "Star walk"}, {Label: "Price", Before: "₹45.00", After: "₹50.00"},
		{Label: "Description", Before: "none", After: "With a guide."},
	}, Warnings: []string{"Its code stays STARGAZING."}, Targets: []tool.Target{{Table: "extras", Key: "STARGAZING",
		Version: 1}}}
	if diff := cmp.Diff(want, h.shown("update_extra", change)); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	h.viewersAndStrangersChangeNothing(t, "update_extra", change)
	act := h.ask("update_extra", change)
	r, err := act.yes()
	if err != nil || r.Text != "Changed the extra Star walk (STARGAZING). It costs ₹50.00 per guest." {
		t.Fatalf("%q, %v", r.Text, err)
	}
	listed := rows(h.must("list_extras", `{}`))
	if diff := cmp.Diff([][]string{{"Star walk", "STARGAZING", "experience", "₹50.00", "per guest", "18 %", "yes"}},
		listed); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	// F-37: the same yes again gives the same answer, although the old name is gone.
	again, err := act.yes()
	if err != nil || string(again.Data) != string(r.Data) {
		t.Errorf("again: %s, %v", again.Data, err)
	}
	// Inactive extras are found too, and can be sold again.
	if r := h.must("update_extra", `{"extra":"Star walk","active":false}`); r.Text != "Changed the extra Star walk "+
		"(STARGAZING). It costs ₹50.00 per guest and is not sold at present." {
		t.Errorf("it says %q", r.Text)
	}
	if r := h.must("list_extras", `{}`); r.Records != 0 {
		t.Errorf("it is still sold: %s", r.Data)
	}
	h.must("update_extra", `{"extra":"STARGAZING","active":true,"description":""}`)
	if r := h.must("get_extra_details", `{"extra":"STARGAZING"}`); !strings.Contains(string(r.Data),
		`"description":""`) {
		t.Errorf("the description stays: %s", r.Data)
	}
}

func TestAChangeOfAnExtraIsCheckedBeforeAnybodyIsAsked(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.must("create_extra", stargazing)
	h.must("create_extra", `{"name":"Bonfire","price":10,"per":"stay"}`)
	tests := map[string]struct {
		arguments, says string
		kind            fault.Kind
	}{
		"nothing given": {`{"extra":"BONFIRE"}`,
			"Nothing would change: the extra Bonfire (BONFIRE) is like that already.", fault.Invalid},
		"nothing new": {`{"extra":"BONFIRE","price":10.00,"name":" Bonfire"}`, "Nothing would change",
			fault.Invalid},
		"a name of two words": {`{"extra":"BONFIRE","name":"star-gazing"}`, "", ""},
		"a taken name": {`{"extra":"BONFIRE","name":"STARGAZING "}`,
			"There is already an extra called Stargazing (STARGAZING)", fault.Conflict},
		"no name":               {`{"extra":"BONFIRE","name":"\u200b "}`, "needs a name", fault.Invalid},
		"a negative price":      {`{"extra":"BONFIRE","price":-0.01}`, "below zero", fault.Invalid},
		"a fraction of a paisa": {`{"extra":"BONFIRE","price":1.001}`, "at most 2 decimals", fault.Invalid},
		"a tax of 1000 percent": {`{"extra":"BONFIRE","tax_rate":1000}`, "from 0 to 100 percent", fault.Invalid},
		"no category":           {`{"extra":"BONFIRE","category":" "}`, "must not be empty", fault.Invalid},
		"an unknown extra": {`{"extra":"Sauna","price":1}`,
			"There are: Bonfire (BONFIRE), Stargazing (STARGAZING)", fault.NotFound},
		"a misspelt argument": {`{"extra":"BONFIRE","taxRate":1}`, `Did you mean "tax_rate"?`, fault.Invalid},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := h.look("update_extra", tc.arguments)
			if tc.kind == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			sentence(t, err, tc.kind, tc.says)
		})
	}
}

// S0-37: what changed since the preview voids the yes.
func TestAnExtraThatChangedSinceThePreviewIsLeftAlone(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.must("create_extra", stargazing)
	cheaper, gone := h.ask("update_extra", `{"extra":"STARGAZING","price":40}`),
		h.ask("delete_extra", `{"extra":"STARGAZING"}`)
	h.must("update_extra", `{"extra":"STARGAZING","price":60}`)
	for _, act := range []asked{cheaper, gone} {
		_, err := act.yes()
		sentence(t, err, fault.Conflict, "changed by somebody since the preview")
	}
	if listed := rows(h.must("list_extras", `{}`)); listed[0][3] != "₹60.00" {
		t.Errorf("it is %q", listed)
	}
}

// S0-37: two approvals at once of one name give one extra.
func TestANameIsGivenOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	acts := make([]asked, 6)
	for i := range acts {
		acts[i] = h.ask("create_extra", `{"name":"`+[]string{"Stargazing", "STARGAZING", " stargazing "}[i%3]+
			`","price":`+string(rune('1'+i))+`,"per":"stay"}`)
	}
	errs := make([]error, len(acts))
	var wait sync.WaitGroup
	for i := range acts {
		wait.Go(func() { _, errs[i] = acts[i].yes() })
	}
	wait.Wait()
	done := 0
	for _, err := range errs {
		if err == nil {
			done++
			continue
		}
		sentence(t, err, fault.Conflict, "There is already an extra called")
	}
	if listed := rows(h.must("list_extras", `{}`)); done != 1 || len(listed) != 1 {
		t.Errorf("%d were done: %q", done, listed)
	}
}

// S0-18, S0-37
func TestAnExtraIsDeletedOnlyWhileNothingDependsOnIt(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.must("create_extra", stargazing)
	h.must("create_extra", `{"name":"Bonfire","price":10,"per":"stay"}`)
	h.must("create_extra", `{"name":"Sauna","price":10,"per":"stay"}`)
	h.cabin("COCO", "Coco", 1)
	code := h.book("2031-01-20", "2031-01-22", "cancelled", 100, 0, "COCO")
	h.sql(`insert into public.reservation_extras (org_id, entity_id, reservation_id, extra_id, unit_price, per)
		select r.org_id, r.entity_id, r.id, x.id, 45, 'guest' from public.reservations r join public.extras x on
			x.org_id = r.org_id
		where r.org_id = $1 and r.code = $2 and x.code = 'STARGAZING'`, code)
	h.sql(`with p as (insert into public.packages (org_id, entity_id, name, price) values ($1, $2, 'Honeymoon', 1)
		returning *)
		insert into public.packages_extras (org_id, entity_id, package_id, extra_id)
		select p.org_id, p.entity_id, p.id, x.id from p join public.extras x on x.org_id = p.org_id where x.code in
			('STARGAZING', 'BONFIRE')`, h.by.Entity.ID)

	_, err := h.look("delete_extra", `{"extra":"Stargazing"}`)
	sentence(t, err, fault.Conflict, "Stargazing (STARGAZING) is used in 1 booking and 1 package (HONEYMOON), so it "+
		"cannot be deleted. To stop selling it, make it inactive: bookings that have it keep it.")
	_, err = h.look("delete_extra", `{"extra":"Bonfire"}`)
	sentence(t, err, fault.Conflict, "Bonfire (BONFIRE) is used in 1 package (HONEYMOON)")
	// The act refuses it as well, since the booking may have come since the preview.
	_, err = h.run("delete_extra", `{"extra":"Stargazing"}`)
	sentence(t, err, fault.Conflict, "is used in 1 booking")

	want := tool.Preview{Title: "Delete the extra Sauna (SAUNA)", Lines: []tool.Line{
		{Label: "Property", After: "Test House"}, {Label: "Extra", Before: "Sauna (SAUNA)", After: "deleted"},
		{Label: "Price", Before: "₹10.00 per stay", After: "deleted"},
	}, Warnings: []string{"It cannot be brought back. To only stop selling it, make it inactive instead."},
		Targets: []tool.Target{{Table: "extras", Key: "SAUNA", Version: 1}}}
	if diff := cmp.Diff(want, h.shown("delete_extra", `{"extra":"sauna"}`)); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	h.viewersAndStrangersChangeNothing(t, "delete_extra", `{"extra":"Sauna"}`)
	act := h.ask("delete_extra", `{"extra":"sauna"}`)
	for range 2 { // F-37
		r, err := act.yes()
		if err != nil || r.Text != "Deleted the extra SAUNA." {
			t.Fatalf("%q, %v", r.Text, err)
		}
	}
	if listed := rows(h.must("list_extras", `{}`)); len(listed) != 2 {
		t.Errorf("there are %q", listed)
	}
	// In use, it can still be taken off sale; the preview says what that leaves.
	p := h.shown("update_extra", `{"extra":"Stargazing","active":false,"price":99}`)
	if diff := cmp.Diff([]string{"Bookings that have it keep the price they agreed to.",
		"It stays part of HONEYMOON."}, p.Warnings); diff != "" {
		t.Errorf("the warnings (-want +got):\n%s", diff)
	}
}

// F-61: names are stored as they are written; what is dangerous elsewhere is only
// text here. What no one sees is in none.
func TestNamesAreStoredExactlyAndShownSafely(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	for _, name := range []string{"=SUM(A1:A9)", "<script>alert(1)</script>", "'; drop table extras; --",
		"तारे देखना"} {
		h.must("create_extra", `{"name":"`+name+`","price":1,"per":"stay"}`)
		if kept := h.sql(`select code from public.extras where org_id = $1 and name = $2`, name); len(kept) != 1 {
			t.Errorf("%q is kept %d times", name, len(kept))
		}
		r := h.must("get_extra_details", `{"extra":"`+name+`"}`)
		if html := r.Table.HTML(); strings.Contains(html, "<script>") {
			t.Errorf("it is shown as %s", html)
		}
	}
	for _, name := range []string{"Moon\u200blight", "\u202eklaw", "W\u0430lk"} {
		_, err := h.prepare("create_extra", `{"name":"`+name+`","price":1,"per":"stay"}`)
		sentence(t, err, fault.Invalid, "; write ")
	}
}
