package tools_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// A name of several cities is asked about, and each choice means its city: hotels are
// looked for there and not at the airport, which may be in another one.
func TestChoicesOfAPlaceMeanTheCity(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	_, err := d.try(d.viewer, "search_hotels", map[string]any{"location": "Cambridge", "checkIn": d.day(30),
		"checkOut": d.day(32), "guests": 2})
	var q *tool.Question
	if !errors.As(err, &q) || len(q.Choices.Choices) < 3 {
		t.Fatalf("Cambridge: %v", err)
	}
	lats := map[float64]bool{}
	for _, c := range q.Choices.Choices {
		location, _ := members(t, c.Arguments)["location"].(string)
		found := places.Lookup(location)
		if len(found) != 1 || found[0].Kind != places.City || !strings.HasPrefix(found[0].Name, "Cambridge") {
			t.Errorf("%s is looked for in %q: %+v", c.Label, location, found)
			continue
		}
		lats[found[0].Lat] = true
	}
	if len(lats) != len(q.Choices.Choices) {
		t.Errorf("two choices mean one city: %v", lats)
	}
}
