package privacy_test

import (
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
