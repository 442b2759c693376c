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

func TestWhatIsSeenIsKeptAndWhatIsHiddenGoes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ written, name string }{
		"spaces":                {"  Forest \t\n Walk ", "Forest Walk"},
		"a formula":             {"=SUM(A1:A9)", "=SUM(A1:A9)"},
		"markup":                {"<script>alert(1)</script>", "<script>alert(1)</script>"},
		"a hidden space":        {"Star\u200bgazing", "Stargazing"},
		"a turned direction":    {"\u202egnizagratS", "gnizagratS"},
		"a zero byte":           {"Star\x00gazing", "Stargazing"},
		"hidden tags":           {"Walk\U000e0041\U000e0042", "Walk"},
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
	for _, none := range []string{"", "  ", "\u200b", "\u3164", "\u200d", " - _ ", "\u00a0"} {
		if err := forms.Name("extra", &none); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q is a name: %v", none, err)
		}
	}
	long := strings.Repeat("é", 121)
	if err := forms.Name("extra", &long); !fault.Is(err, fault.Invalid) {
		t.Errorf("121 letters are a name: %v", err)
	}
	if got := forms.Text(" One.\r\n\n  Two.\x00\t "); got != "One.\n\n  Two." {
		t.Errorf("a text becomes %q", got)
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
	if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.From(err).Message, "the extra Coco (COCO) is like that already") {
		t.Errorf("no change is previewed: %v", err)
	}
	forms.Changed(&d, "Description", "A walk.", &empty, forms.Plain)
	p, err := d.Preview("extra", "Coco", target, nil)
	want := tool.Preview{Title: "Change the extra Coco (COCO)", Lines: []tool.Line{{Label: "Description", Before: "A walk.", After: "none"}}, Targets: []tool.Target{target}}
	if diff := cmp.Diff(want, p); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
