package hospitality_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

const stargazing = `{"name":" Stargazing ","price":45,"per":"guest","category":"Experience","tax_rate":18}`

// S0-37
func TestAnExtraIsPreviewedAndAdded(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	call, err := h.prepare("create_extra", stargazing)
	if err != nil {
		t.Fatal(err)
	}
	p, err := call.Preview(t.Context(), h.by)
	if err != nil {
		t.Fatal(err)
	}
	want := tool.Preview{Title: "Add the extra Stargazing", Lines: []tool.Line{
		{Label: "Property", After: "Test House"}, {Label: "Name", After: "Stargazing"},
		{Label: "Price per guest", After: "₹45.00"},
		{Label: "Category", After: "experience"}, {Label: "Tax", After: "18 %"},
	}}
	p.Reads = nil
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	if n := h.sql(`select from public.extras where org_id = $1`); len(n) != 0 {
		t.Error("the preview stored something")
	}
	r := h.must("create_extra", stargazing)
	if r.Text != "Added the extra Stargazing (STARGAZING): ₹45.00 per guest." || r.Records != 1 {
		t.Errorf("it says %q", r.Text)
	}
	listed := rows(h.must("list_extras", `{}`))
	if diff := cmp.Diff([][]string{{"Stargazing", "STARGAZING", "experience", "₹45.00", "per guest", "18 %", "yes"}},
		listed); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}

	// Another one of the same name, however it is written, is refused before anybody is asked.
	for _, name := range []string{"STARGAZING", "  stargazing", "Stargazing "} {
		again, err := h.prepare("create_extra", `{"name":"`+name+`","price":1,"per":"stay"}`)
		if err != nil {
			t.Fatal(err)
		}
		_, err = again.Preview(t.Context(), h.by)
		sentence(t, err, fault.Conflict, "There is already an extra called Stargazing (STARGAZING): ₹45.00 per guest.")
	}
}

func TestAnExtraIsCheckedBeforeAnybodyIsAsked(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	tests := map[string]struct{ arguments, says string }{
		"a name of spaces":           {`{"name":"  ","price":1,"per":"stay"}`, "needs a name"},
		"a price below zero":         {`{"name":"A","price":-1,"per":"stay"}`, "below zero"},
		"a price beyond all measure": {`{"name":"A","price":10000000,"per":"stay"}`, "above 9999999"},
		"a tax above all":            {`{"name":"A","price":1,"per":"stay","tax_rate":101}`, "from 0 to 100"},
		"an unknown unit": {`{"name":"A","price":1,"per":"hour"}`,
			"per must be one of stay, night, guest, guest_night"},
		"no price": {`{"name":"A","per":"stay"}`, `"price" is missing`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := h.prepare("create_extra", tc.arguments)
			sentence(t, err, fault.Invalid, tc.says)
		})
	}
	// F-60: no fraction of a paisa is rounded behind the person's back.
	call, err := h.prepare("create_extra", `{"name":"A","price":1.005,"per":"stay"}`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = call.Preview(t.Context(), h.by)
	sentence(t, err, fault.Invalid, "at most 2 decimals")
}

// F-37: the same claim many times at once is one extra, one audit row, one
// answer.
func TestAClaimedExtraIsAddedOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	call, err := h.prepare("create_extra", stargazing)
	if err != nil {
		t.Fatal(err)
	}
	ctx := h.consented(call)
	claim, _ := effect.From(ctx)
	key := claim.Key
	var wait sync.WaitGroup
	results := make([]tool.Result, 12)
	errs := make([]error, len(results))
	for i := range results {
		wait.Go(func() { results[i], errs[i] = call.Run(ctx, h.by) })
	}
	wait.Wait()
	for i := range results {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		if string(results[i].Data) != string(results[0].Data) {
			t.Errorf("one answer is %s, another %s", results[0].Data, results[i].Data)
		}
	}
	if n := len(h.sql(`select from public.extras where org_id = $1`)); n != 1 {
		t.Errorf("there are %d extras", n)
	}
	audit := h.sql(`select tool, turn, row_key, action from public.audit where org_id = $1 and effect_key = $2`, key)
	if diff := cmp.Diff([]map[string]any{{"tool": "create_extra", "turn": "turn-1", "row_key": "STARGAZING",
		"action": "insert"}}, audit); diff != "" {
		t.Errorf("the audit (-want +got):\n%s", diff)
	}
	did, err := h.client.Outcome(t.Context(), h.by, key)
	if err != nil || did == nil || len(did.Rows) != 1 || did.Rows[0].Key != "STARGAZING" ||
		did.Rows[0].After["price"] != json.Number("45.00") {
		t.Errorf("the outcome is %+v, %v", did, err)
	}
	// The same key for something else does not hand out the first one's row.
	claim.Tool = "another_tool"
	other := effect.With(t.Context(), claim)
	_, err = call.Run(other, h.by)
	sentence(t, err, fault.Conflict, "done before")
}

func TestAViewerAddsNothing(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.by = h.as(h.org.Viewer.Token)
	_, err := h.run("create_extra", stargazing)
	sentence(t, err, fault.Forbidden, "may look")
	// F-39: nor does a user whose role was taken away after the caller was made.
	h.by.Role = "manager"
	_, err = h.run("create_extra", stargazing)
	sentence(t, err, fault.Forbidden, "may look")
}

// Names of columns are told from texts that look like them.
func TestATextThatLooksLikeColumnsStaysAsItIs(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	const text = `{"tax_rate": 5, "maxPrice":"a\"b_c"}: see \\ under_score "isActive" :`
	call, err := json.Marshal(map[string]any{"name": "Kite", "description": text, "price": 5, "per": "stay",
		"tax_rate": 12, "selection_required": true})
	if err != nil {
		t.Fatal(err)
	}
	h.must("create_extra", string(call))
	got := h.sql(`select description, tax_rate::text as tax, selection_required as chosen from public.extras where
		org_id = $1`)[0]
	if got["description"] != text || got["tax"] != "12.00" || got["chosen"] != true {
		t.Errorf("stored is %v", got)
	}
	var list struct {
		Extras []struct{ Description string }
	}
	if err := json.Unmarshal(h.must("list_extras", `{}`).Data, &list); err != nil || len(list.Extras) != 1 ||
		list.Extras[0].Description != text {
		t.Errorf("listed is %+v, %v", list, err)
	}
}
