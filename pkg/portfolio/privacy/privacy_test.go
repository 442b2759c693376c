package privacy_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	got := privacy.Redact("We did a kitchen at 14 Rosewood Lane in May.")
	if want := "We did a kitchen in May."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The number of a house may follow its street.
func TestANumberBehindItsStreet(t *testing.T) {
	for _, said := range []string{"Somewhere near Harrogate, on Skipton Road 14",
		"It was in Leeds Road 7a, a bathroom"} {
		if got := privacy.Redact(said); strings.ContainsAny(got, "0123456789") {
			t.Errorf("%q: %q", said, got)
		}
	}
}
