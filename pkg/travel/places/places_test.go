package places_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// The file is the one that its head describes, and no larger than may be.
func TestFileIsWhole(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("places.bin")
	if err != nil {
		t.Fatal(err)
	}
	if most := 400_000; len(file) > most {
		t.Errorf("the file has %d bytes, more than %d", len(file), most)
	}
	head, packed, found := bytes.Cut(file, []byte("\n\n"))
	sum := regexp.MustCompile(`sha256:([0-9a-f]{64})`).FindSubmatch(head)
	if !found || sum == nil {
		t.Fatalf("the file has no head: %.100q", file)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(packed)); got != string(sum[1]) {
		t.Errorf("the checksum is %s, and the head says %s", got, sum[1])
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]places.Place{
		"LHR": {Kind: places.Airport, Name: "London Heathrow", City: "London", Country: "GB", Zone: "Europe/London"},
		"lon": {Kind: places.City, Name: "London", City: "London", Country: "GB", Zone: "Europe/London"},
		"NMI": {Kind: places.Airport, Name: "Navi Mumbai International", City: "Navi Mumbai", Country: "IN",
			Zone: "Asia/Kolkata"},
		"nyc": {Kind: places.City, Name: "New York", City: "New York", Country: "US", Zone: "America/New_York"},
	} {
		got, ok := places.ByCode(code)
		if !ok || got.Kind != want.Kind || got.Name != want.Name || got.City != want.City ||
			got.Country != want.Country ||
			got.Zone != want.Zone {
			t.Errorf("%s: %+v", code, got)
		}
		if got.Location() == nil {
			t.Errorf("%s: no zone %q", code, got.Zone)
		}
	}
	for _, code := range []string{"", "Q", "!!!", "LOND", "ÄÖ", "\xff\xff\xff"} {
		if p, ok := places.ByCode(code); ok {
			t.Errorf("%q: %+v", code, p)
		}
	}
	if p, _ := places.ByCode("DXN"); p.Opens == "" {
		t.Errorf("a new airport without the day on which it opens: %+v", p)
	}
	if _, err := time.LoadLocation("Asia/Kolkata"); err != nil {
		t.Fatal(err)
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"London":                "London (LON), United Kingdom",
		"Springfield, Missouri": "Springfield (SGF), Missouri, United States",
		"CDG":                   "Charles de Gaulle International (CDG), Paris, France",
		"Hallstatt":             "Hallstatt, Austria",
		"Singapore":             "Singapore (SIN)",
	} {
		got := places.Lookup(name)
		if len(got) != 1 || got[0].Label() != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
