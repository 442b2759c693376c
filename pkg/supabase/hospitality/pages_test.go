package hospitality_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// next returns the choice that shows the next page; "" when there is none.
func next(t *testing.T, r tool.Result) (name, arguments string) {
	t.Helper()
	for _, p := range r.Parts {
		if p.Kind != "choices" {
			continue
		}
		for _, c := range kind[part.Choices](t, r, "choices").Choices {
			if strings.HasPrefix(c.Label, "Next ") {
				return c.Tool, string(c.Arguments)
			}
		}
	}
	return "", ""
}

// Every long list is shown to its end, page by page, each row once.
func TestListsAreShownPageByPage(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.chef()
	var codes, selections []string
	for _, days := range [][2]string{{"20", "21"}, {"22", "23"}, {"24", "25"}} {
		code := h.book("2031-01-"+days[0], "2031-01-"+days[1], "confirmed", 100, 0, "COCO")
		h.named(code, "Guest "+days[0], "No nuts, please.", 2)
		codes = append(codes, code)
		selections = append(selections, h.selects(code, "CHEF", "pending", ""))
	}
	h.sql(`update public.reservations set notes = 'Late' where org_id = $1 and code = $2`, codes[0])
	for name, tc := range map[string]struct {
		arguments, column string
		want              []string
		note              string // of the second page
	}{
		"list_balances_due": {`{"limit":1}`, "code", codes, "Showing 2–2 of 3, by arrival."},
		"list_extra_selections": {`{"limit":1}`, "code", selections,
			"Showing 2–2 of 3, those to be served next, then the past ones."},
		"list_guest_needs": {`{"limit":1,"from":"2031-01-18","to":"2031-01-30","about":"nuts"}`, "code", codes,
			"Showing 2–2 of 3, by arrival."},
		"get_change_history": {`{"limit":1,"code":"` + codes[0] + `"}`, "what",
			[]string{"reservation changed", "reservation changed", "room COCO added", "reservation added"},
			"Showing 2–2 of 4, the newest first."},
	} {
		var got []string
		tool, arguments := name, tc.arguments
		for pages := 0; tool != "" && pages < 10; pages++ {
			r := h.must(tool, arguments)
			if pages == 1 && (r.Table.Note != tc.note || !strings.HasSuffix(r.Text, tc.note)) {
				t.Errorf("%s: the second page is %q and %q", name, r.Text, r.Table.Note)
			}
			got = append(got, column(r, tc.column)...)
			tool, arguments = next(t, r)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	// No list ends before its last row: the list of dues did at the 200th.
	if r := h.must("list_balances_due", `{"limit":200,"offset":5000}`); r.Text !=
		"3 reservations owe ₹300.00 in all. There are only 3." {
		t.Errorf("beyond the end: %q", r.Text)
	}
	if r := h.must("list_extra_selections", `{"offset":50}`); r.Text != "There are no more than 50." {
		t.Errorf("beyond the end: %q", r.Text)
	}
	_, err := h.run("get_change_history", `{"offset":50,"code":"`+codes[0]+`"}`)
	sentence(t, err, fault.NotFound, "No further change of")
}
