package part_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/part"
)

// What a question offers in a list can be pressed; a list of figures, of long items, or
// one that is not asked about cannot.
func TestAQuestionsListIsOffered(t *testing.T) {
	t.Parallel()
	got, ok := part.Options("I am not sure what you mean. Do you want me to:\n- list the room types\n- **list the " +
		"extras**\n\nWhich is it?")
	want := []part.Choice{{Label: "List the room types", Words: "list the room types"},
		{Label: "List the extras", Words: "list the extras"}}
	if !ok || len(got.Choices) != 2 || got.Choices[0].Words != want[0].Words || got.Choices[1].Label != want[1].Label {
		t.Errorf("%+v, %v; want %+v", got, ok, want)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	long := "list allergies, dietary and other special requests of guests who stay on some days, from bookings"
	if got, ok := part.Options("Do you want me to:\n- " + long + "\n\nIs that it?"); !ok ||
		got.Choices[0].Words != long ||
		got.Check() != nil {
		t.Errorf("a long item is %+v, %v", got, ok)
	}
	for name, reply := range map[string]string{
		"an item too long":   "Do you want me to:\n- " + strings.Repeat("list ", 50) + "\n\nIs that it?",
		"no question":        "We have:\n- Deodar\n- Juniper",
		"figures":            "Which one?\n- Deodar at ₹9,000\n- Juniper\n\nWhich is it?",
		"no list":            "Which is it?",
		"text behind":        "- Deodar\n- Juniper\n\nThese are all. More will come.\nShall I go on?",
		"a link":             "- [Deodar](https://example.org)\n- Juniper\n\nWhich?",
		"more than eight":    "- a\n- b\n- c\n- d\n- e\n- f\n- g\n- h\n- i\n\nWhich?",
		"a list of question": "What now?\n- Shall I?",
	} {
		if got, ok := part.Options(reply); ok {
			t.Errorf("%s: offered %+v", name, got)
		}
	}
}
