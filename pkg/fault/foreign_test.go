package fault_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

func TestWordsOfOtherSystemsAreShortenedForTheLog(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"what it quotes": {`invalid input syntax for type uuid: "Asha Meadowlark"`,
			"invalid input syntax for type uuid: …"},
		"what it quotes singly": {"The model 'asha' does not exist", "The model … does not exist"},
		"what it repeats":       {"failed to parse filter (eq.Asha Meadowlark)", "failed to parse filter …"},
		"an address":            {"no mailbox asha@example.com here", "no mailbox … here"},
		"a card":                {"card 4111 1111 1111 1111 refused", "card … refused"},
		"a phone":               {"call +91 98765-43210 now", "call +91 … now"},
		"a passport":            {"passport K1234567 unknown", "passport … unknown"},
		"a key":                 {"bad key sk_live_" + strings.Repeat("a", 30), "bad key …"},
		"an assignment":         {"password=hunter refused", "… refused"},
		"what says something": {"canceling statement due to statement timeout (57014) after 8 s",
			"canceling statement due to statement timeout … after 8 s"},
		"nothing": {"", ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := fault.Foreign(tc.text); got != tc.want {
				t.Errorf("it became %q, want %q", got, tc.want)
			}
		})
	}
	if got := fault.Foreign(strings.Repeat("word ", 1000)); len(got) > 310 {
		t.Errorf("%d bytes are left", len(got))
	}
}
