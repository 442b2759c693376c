package privacy_test

import (
	"slices"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
)

func TestPeopleWhoAreNamed(t *testing.T) {
	for text, want := range map[string][]string{
		"It was for Mrs Lindqvist and Mr. O’Hara in York.": {"Mrs Lindqvist", "Mr. O’Hara"},
		"The client is called Ada Byron.":                  {"client is called Ada Byron"},
		"We used Miss Print oak and a Velux window.":       {"Miss Print"},
		"The kitchen is in Leeds, with Bosch ovens.":       nil,
		"the client was happy, M6 bolts, Dr":               nil,
	} {
		if got := privacy.Names(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := privacy.WithoutNames("For Mrs Lindqvist in York."); got != "For the client in York." {
		t.Error(got)
	}
}
