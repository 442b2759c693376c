package privacy_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
)

// "is" leads to a number as well as to a standard, whose numbers are short.
func TestANumberAfterIsIsAPhoneNumber(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"My number is 07700 900123.", "the office is 0113 496 0000"} {
		if found := privacy.Find(s); len(found) != 1 || found[0].Kind != privacy.Phone {
			t.Errorf("%q: %v", s, found)
		}
	}
	for _, s := range []string{"The cement is to IS 1489.", "steel as in IS 2062 E250"} {
		if found := privacy.Find(s); len(found) != 0 {
			t.Errorf("%q: %v", s, found)
		}
	}
}
