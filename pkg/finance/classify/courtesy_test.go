package classify_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/finance/classify"
)

// S2-15, S2-49: greetings, thanks, farewells and help in three languages.
func TestCourtesiesAreToldApart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]classify.Courtesy{
		"namaste munimji":     classify.Greeting,
		"Good morning":        classify.Greeting,
		"bahut dhanyavaad":    classify.Thanks,
		"ok thanks":           classify.Thanks,
		"शुक्रिया":            classify.Thanks,
		"alvida":              classify.Farewell,
		"thanks, bye":         classify.Farewell,
		"what can you do?":    classify.Help,
		"aap kaun hain":       classify.Help,
		"haan":                classify.Fine,
		"kahaan":              "",
		"hi, who owes me?":    "",
		"history of payments": "",
	} {
		if got := classify.CourtesyOf(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
