package hospitality_test

import (
	"strings"
	"testing"
)

// What housekeeping says is found; what is not understood changes nothing.
func TestHousekeepingIsUnderstood(t *testing.T) {
	clean := func(rooms string) string { return `set_room_clean {"rooms":[` + rooms + `],"state":"clean"}` }
	for said, want := range map[string]string{
		"which rooms are still dirty?": `list_rooms_to_clean {}`,
		"what is left to clean":        `list_rooms_to_clean {}`,
		"kaun se kamre gande hain?":    `list_rooms_to_clean {}`,
		"mark COCO as clean":           clean(`"COCO"`),
		"BIRCH-2 is clean":             clean(`"BIRCH-2"`),
		"saaf ho gaya Birch":           clean(`"Birch"`),
		"COCO and Deodar are clean":    clean(`"COCO","Deodar"`),
		"mark COCO as dirty":           `set_room_clean {"rooms":["COCO"],"state":"dirty"}`,
		"is the pool clean?":           "",
		"Birch 2 is dirty again":       "", // a number after a name is asked about
	} {
		t.Run(said, func(t *testing.T) {
			_, calls, reply := newSession(t).say(said)
			if want == "" && strings.HasPrefix(calls, "set_") || want != "" && calls != want {
				t.Errorf("it calls %q, want %q, and says %q", calls, want, reply)
			}
		})
	}
}
