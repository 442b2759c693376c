package reading

import (
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// Place returns the city of a name that a model wrote for a field, or the question that has
// to be asked: several have the name, or none that we know.
func Place(name string, f trip.Field) (trip.Place, *questions.Question) {
	name = trip.Clean(name)
	found := places.Lookup(name)
	switch {
	case len(found) == 1 || len(found) > 1 && found[0].Label() == name:
		return placeOf(found[0]), nil
	case len(found) > 1:
		q := questions.Question{Field: f, Critical: f.Critical(), Text: "Which " + name + " do you mean?"}
		for _, p := range found[:min(len(found), 4)] {
			q.Choices = append(q.Choices, choice(p, f))
		}
		return trip.Place{}, &q
	}
	text := "I do not know " + name + ". Which city is it near?"
	if strings.TrimSpace(name) == "" {
		text = "Which city do you mean?"
	}
	return trip.Place{}, &questions.Question{Field: f, Critical: f.Critical(), Text: text}
}
