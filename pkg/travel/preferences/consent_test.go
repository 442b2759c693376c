package preferences_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
)

// S1-33: what is only mentioned is not remembered, until the person asks for it or agreed.
func TestWhatMayBeRemembered(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Remember that we fly no red-eyes": true, "from now on business class": true, "yes please": true,
		"Set BLR as my home airport": true, "haan": true, "याद रखना: मैं शाकाहारी हूँ": true, "ok, do that": true,
		"We said no red-eyes": false, "I am vegetarian": false, "my home airport is BLR": false, "": false,
		"yes, and find me a hotel in Lisbon where they have vegan food": false, "Jamaica next week": false,
		"okra is what I eat": false,
	} {
		ctx := preferences.WithMessage(t.Context(), text)
		if got := preferences.Agreed(ctx, preferences.Preferences{}); got != want {
			t.Errorf("%q: %t", text, got)
		}
		if !preferences.Agreed(ctx, preferences.Preferences{Learn: true}) {
			t.Errorf("%q of a person who agreed", text)
		}
	}
	if !preferences.Agreed(t.Context(), preferences.Preferences{}) {
		t.Error("a form is refused")
	}
}
