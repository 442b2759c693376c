package names_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
)

type item [2]string

func (i item) Naming() (code, name string) { return i[0], i[1] }

func TestNamesAreFound(t *testing.T) {
	list := []item{{"COCO", "Coco"}, {"OLD-BARN", "Old Barn"}, {"CAFE", "Café Room"}, {"TWIN-1", "Twin"}, {"TWIN-2", "Twin"}, {"BIRCH", "Coco Birch"}}
	tests := map[string]struct {
		wanted, code, says string
		kind               fault.Kind
	}{
		"by code in any case":                 {wanted: "coco", code: "COCO"},
		"by name with other spaces":           {wanted: " old   barn ", code: "OLD-BARN"},
		"with a hyphen for a space":           {wanted: "old-barn", code: "OLD-BARN"},
		"with letters composed otherwise":     {wanted: "Cafe\u0301 room", code: "CAFE"},
		"with an invisible sign":              {wanted: "co\u200bco", code: "COCO"},
		"asks which of two":                   {wanted: "twin", kind: fault.Invalid, says: "Twin (TWIN-1), Twin (TWIN-2)"},
		"offers what one letter is away from": {wanted: "Koko Birch", kind: fault.NotFound, says: "Did you mean Coco Birch (BIRCH)?"},
		"lists all where nothing is near":     {wanted: "Penthouse", kind: fault.NotFound, says: "There are: Coco (COCO), Old Barn (OLD-BARN)"},
		"an empty name finds nothing":         {wanted: " ", kind: fault.NotFound, says: "There are: "},
		"cuts what is too long":               {wanted: strings.Repeat("x", 500), kind: fault.NotFound, says: strings.Repeat("x", 60) + "…"},
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
