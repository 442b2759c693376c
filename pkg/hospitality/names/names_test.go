package names_test

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
)

type item [2]string

func (i item) Naming() (code, name string) { return i[0], i[1] }

func TestNamesAreFound(t *testing.T) {
	list := []item{{"COCO", "Coco"}, {"OLD-BARN", "Old Barn"}, {"CAFE", "Café Room"}, {"TWIN-1", "Twin"},
		{"TWIN-2", "Twin"}, {"BIRCH", "Coco Birch"}, {"MEAL", "Chef's Dinner"},
		{"ELM", "Ash"}, {"ASH", "Rowan"}, {"ROSE", "Rose"}, {"ROSE-2", "Rosé"}}
	tests := map[string]struct {
		wanted, code, says string
		kind               fault.Kind
	}{
		"by code in any case":             {wanted: "coco", code: "COCO"},
		"by name with other spaces":       {wanted: " old   barn ", code: "OLD-BARN"},
		"with a hyphen for a space":       {wanted: "old-barn", code: "OLD-BARN"},
		"with letters composed otherwise": {wanted: "Cafe\u0301 room", code: "CAFE"},
		"with an invisible sign":          {wanted: "co\u200bco", code: "COCO"},
		"asks which of two": {wanted: "twin", kind: fault.Invalid,
			says: "Twin (TWIN-1), Twin (TWIN-2)"},
		"without its accent":                 {wanted: "cafe room", code: "CAFE"},
		"without its apostrophe":             {wanted: "chefs dinner", code: "MEAL"},
		"with its accent, where that tells":  {wanted: "rosé", code: "ROSE-2"},
		"asks when it is a code and a name":  {wanted: "ash", kind: fault.Invalid, says: "Ash (ELM), Rowan (ASH)"},
		"an exact code is never asked about": {wanted: " ASH ", code: "ASH"},
		"offers what one letter is away from": {wanted: "Koko Birch", kind: fault.NotFound,
			says: "Did you mean Coco Birch (BIRCH)?"},
		"lists all where nothing is near": {wanted: "Penthouse", kind: fault.NotFound,
			says: "There are: Coco (COCO), Old Barn (OLD-BARN)"},
		"an empty name finds nothing": {wanted: " ", kind: fault.NotFound, says: "There are: "},
		"cuts what is too long": {wanted: strings.Repeat("x", 500), kind: fault.NotFound,
			says: strings.Repeat("x", 60) + "…"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := names.Find(list, tc.wanted, "room type")
			if fault.KindOf(err) != tc.kind || got[0] != tc.code {
				t.Fatalf("found %v, %v", got, err)
			}
			if err != nil && !strings.Contains(fault.From(err).Message, tc.says) {
				t.Errorf("it says %q, want %q", fault.From(err).Message, tc.says)
			}
		})
	}
	if _, err := names.Find([]item{}, "coco", "room type"); !strings.Contains(err.Error(), "none at all") {
		t.Errorf("an empty list: %v", err)
	}
}

// A write is sent even when nothing is found, because a repeated call no longer
// finds what the first one removed; but what never was is not found.
func TestARepeatedWriteIsLeftToTheStore(t *testing.T) {
	list := []item{{"TWIN-1", "Twin"}, {"TWIN-2", "Twin"}, {"COCO", "Coco"}}
	gone := fault.New(fault.NotFound, "There is no such record.")
	tests := map[string]struct {
		wanted, sent string
		answer       error
		kind         fault.Kind
		says         string
	}{
		"what is found is written to by its code": {wanted: "coco", sent: "COCO"},
		"what was done before is answered":        {wanted: "Old Barn", sent: "Old Barn"},
		"what never was is not found": {wanted: "Cocos", sent: "Cocos", answer: gone, kind: fault.NotFound,
			says: "Did you mean Coco (COCO)?"},
		"what is unclear is not written to": {wanted: "twin", kind: fault.Invalid, says: "Which one"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			sent := ""
			_, err := names.Act(list, tc.wanted, "room type", func(code string) (string, error) {
				sent = code
				return code, tc.answer
			})
			if sent != tc.sent || fault.KindOf(err) != tc.kind {
				t.Fatalf("it wrote to %q: %v", sent, err)
			}
			if err != nil && !strings.Contains(fault.From(err).Message, tc.says) {
				t.Errorf("it says %q", fault.From(err).Message)
			}
		})
	}
}

// S0-17: it never guesses. Whatever is asked for, what is found is called so,
// letter for letter once case, spaces and accents are left aside; and what is
// found once is found in every way of writing it.
func FuzzNothingIsGuessed(f *testing.F) {
	for _, s := range []string{"coco", "Old Barn", " old-barn ", "CAFÉ", "cafe", "chefs dinner", "Coc", "", "\u200b",
		"Ｃｏｃｏ", "तारे", "ROSE"} {
		f.Add(s)
	}
	list := []item{{"COCO", "Coco"}, {"OLD-BARN", "Old Barn"}, {"CAFE-2", "Café"}, {"MEAL", "Chef's Dinner"},
		{"STARS", "तारे"}, {"ROSE", "Rosé"}, {"R", "Rose"}}
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= '\u0300' && r <= '\u036f' || r == '\'' || r == '’' {
				return -1
			}
			return r
		}, norm.NFD.String(names.Fold(s)))
	}
	f.Fuzz(func(t *testing.T, wanted string) {
		got, err := names.Find(list, wanted, "thing")
		if err != nil {
			if k := fault.KindOf(err); k != fault.NotFound && k != fault.Invalid {
				t.Fatalf("%q: %v", wanted, err)
			}
			return
		}
		if b := bare(wanted); b != bare(got[0]) && b != bare(got[1]) {
			t.Fatalf("%q finds %v", wanted, got)
		}
		for _, written := range []string{"  " + wanted, wanted + "\t", "\u200b" + wanted} {
			if again, err := names.Find(list, written, "thing"); err == nil && again != got {
				t.Errorf("%q finds %v, but %q finds %v", wanted, got, written, again)
			}
		}
	})
}
