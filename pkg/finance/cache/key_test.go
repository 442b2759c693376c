package cache_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/finance/cache"
)

func TestSentencesAreComparedWithoutCaseSpacingAndEnd(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"  Who  owes ME money?? ": "who owes me money", "किसका बाकी है।": "किसका बाकी है", "ＧＳＴ due": "gst due",
		"Straße": "strasse", "...": "", "": "", "sales > 5,000.50": "sales > 5,000.50",
		"INV/26-27/0012":           "inv/26-27/0012",
		"who owes me money, ACME?": "who owes me money, acme",
	} {
		if got := cache.Normal(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	for _, pair := range [][2]string{{"invoice 12", "invoice 13"}, {"mat bhejo", "bhejo"}, {"sales 1.5", "sales 15"},
		{"above 100", "below 100"}} {
		if cache.Normal(pair[0]) == cache.Normal(pair[1]) {
			t.Errorf("%q and %q are one question", pair[0], pair[1])
		}
	}
}
