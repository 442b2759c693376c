package duffel_test

import (
	"net/http"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// TestCitiesOfBellhopAreKnown searches from every metropolitan code that Bellhop may send.
func TestCitiesOfBellhopAreKnown(t *testing.T) {
	c := start(t, nil)
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			for d := 'A'; d <= 'Z'; d++ {
				p, is := places.ByCode(string([]rune{a, b, d}))
				if !is || p.Kind != places.City {
					continue
				}
				got := c.call("GET", "/places/suggestions?query="+p.Code, nil)
				if got.status != http.StatusOK || at(got.Data, 0, "iata_code") != p.Code {
					t.Errorf("%s is not known", p.Label())
				}
			}
		}
	}
}
