package forms_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// F-61: what can be stored is stored exactly, but for spaces.
func TestNamesStayAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ written, name string }{
		"spaces":                {"  Forest \t\n Walk ", "Forest Walk"},
		"a formula":             {"=SUM(A1:A9)", "=SUM(A1:A9)"},
		"markup":                {"<script>alert(1)</script>", "<script>alert(1)</script>"},
		"a hidden space":        {"Star\u200bgazing", "Star\u200bgazing"},
		"a turned direction":    {"\u202egnizagratS", "\u202egnizagratS"},
		"a joiner in Hindi":     {"क्\u200dष", "क्\u200dष"},
		"a joined sign":         {"👩\u200d🍳 table", "👩\u200d🍳 table"},
		"an accent written out": {"Cafe\u0301", "Cafe\u0301"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := tc.written
			if err := forms.Name("extra", &got); err != nil || got != tc.name {
				t.Errorf("%q becomes %q, %v", tc.written, got, err)
			}
		})
	}
	for _, none := range []string{"", "  ", "\u200b", "\u3164", "\u200d", " - _ ", "\u00a0", strings.Repeat("é", 121),
		"Star\x00gazing", "Star\x1bgazing"} {
		if err := forms.Name("extra", &none); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q is a name: %v", none, err)
		}
	}
	text := " One.\r\n\n  Two.\t "
	if err := forms.Words("description", &text, 20); err != nil || text != "One.\n\n  Two." {
		t.Errorf("a text becomes %q, %v", text, err)
	}
	bad := "One\x00"
	if err := forms.Words("description", &bad, 20); !fault.Is(err, fault.Invalid) ||
		!strings.Contains(fault.From(err).Message, "The description contains a control sign (U+0000)") {
		t.Errorf("a zero byte in a text: %v", err)
	}
}

func TestListsAreTidied(t *testing.T) {
	t.Parallel()
	words := []string{" wifi", "WiFi", "", "wood  stove"}
	if err := forms.List("amenities", &words, 2); err != nil || !cmp.Equal(words, []string{"wifi", "wood stove"}) {
		t.Errorf("they become %q, %v", words, err)
	}
	three := []string{"a", "b", "c"}
	if err := forms.List("amenities", &three, 2); !fault.Is(err, fault.Invalid) {
		t.Errorf("three of two: %v", err)
	}
}

func TestOnlyWhatReadsOtherwiseIsAChange(t *testing.T) {
	t.Parallel()
	var d forms.Diff
	five, same, empty := money.MustParse("5"), "Coco", ""
	forms.Changed(&d, "Name", "Coco", &same, forms.Plain)
	forms.Changed(&d, "Guests", 2, nil, forms.Whole)
	forms.Changed(&d, "Price", money.MustParse("5.00"), &five, forms.In("INR"))
	target := tool.Target{Table: "extras", Key: "COCO", Version: 3}
	_, err := d.Preview("extra", "Coco", target, nil)
	if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.From(err).Message,
		"the extra Coco (COCO) is like that already") {
		t.Errorf("no change is previewed: %v", err)
	}
	forms.Changed(&d, "Description", "A walk.", &empty, forms.Plain)
	p, err := d.Preview("extra", "Coco", target, nil)
	want := tool.Preview{Title: "Change the extra Coco (COCO)",
		Lines: []tool.Line{{Label: "Description", Before: "A walk.", After: "none"}}, Targets: []tool.Target{target}}
	if diff := cmp.Diff(want, p); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
