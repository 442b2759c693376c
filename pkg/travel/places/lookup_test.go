package places_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// What people write means what testdata/names.txt says, and several things only where
// it says so.
func TestNames(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		n++
		name, wanted, _ := strings.Cut(line, " = ")
		wanted, open := strings.CutSuffix(wanted, " +")
		want := strings.Split(wanted, " ")
		if wanted == "-" {
			want = nil
		} else if strings.Contains(wanted, "/") {
			want = []string{wanted}
		}
		var got []string
		for i, p := range places.Lookup(name) {
			if i < len(want) && strings.Contains(want[i], "/") || p.Code == "" {
				got = append(got, p.Name+"/"+p.Country)
				continue
			}
			got = append(got, p.Code)
		}
		if open && len(got) > len(want) {
			got = got[:len(want)]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if n < 150 {
		t.Errorf("%d names are tried", n)
	}
}

// What Label writes is understood again, so that people and models may repeat it.
func TestLabelsAreUnderstood(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"LON", "LHR", "BOM", "NYC", "JFK", "BRU", "ZRH", "GOI", "GOX", "MUC", "SGF", "PWM",
		"DPS",
		"PNQ", "DPS", "TFS"} {
		p, ok := places.ByCode(code)
		if !ok {
			t.Errorf("no %s", code)
			continue
		}
		got := places.Lookup(p.Label())
		if len(got) != 1 || got[0].Code != p.Code || got[0].Kind != p.Kind {
			t.Errorf("%s: %+v", p.Label(), got)
		}
	}
	for _, name := range []string{"Springfield", "San Jose", "Birmingham", "Portland", "Valencia", "Columbus"} {
		for _, p := range places.Lookup(name) {
			got := places.Lookup(p.Label())
			if len(got) != 1 || got[0].Lat != p.Lat || got[0].Lon != p.Lon {
				t.Errorf("%s: %+v", p.Label(), got)
			}
		}
	}
}

// A guess at a spelling is told from a name.
func TestKnown(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"Barcelona": true, "barcelona": true, "bcn": true, "Portland, Maine": true,
		"London (LON), United Kingdom": true, "München": true, "Barcelna": false, "Banglore": false, "": false,
		"asdfgh": false} {
		if got := places.Known(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAirportsOfACity(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"London":      {"LHR", "LGW", "STN", "LTN", "LCY", "SEN"},
		"Goa, India":  {"GOI", "GOX"},
		"Mumbai":      {"BOM", "NMI"},
		"Noida":       {"DXN", "DEL"},
		"Bangkok":     {"BKK", "DMK"},
		"Jaipur":      {"JAI"},
		"Hallstatt":   nil,
		"New York":    {"JFK", "EWR", "LGA"},
		"Hong Kong":   {"HKG"},
		"Phnom Penh":  {"KTI"},
		"Navi Mumbai": {"NMI", "BOM"},
	} {
		got := places.Lookup(name)
		if len(got) != 1 || got[0].Kind != places.City || !slices.Equal(got[0].Airports, want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{"Hallstatt": {"SZG", "LNZ"}, "Bruges": {"OST"}, "Hampi": {"VDY"}} {
		p := places.Lookup(name)[0]
		near := places.Nearest(p.Lat, p.Lon, 3)
		var codes []string
		for i, a := range near {
			codes = append(codes, a.Code)
			if i > 0 && places.Distance(p, near[i-1]) > places.Distance(p, a) {
				t.Errorf("%s: %s is nearer than %s", name, a.Code, near[i-1].Code)
			}
		}
		if len(near) != 3 || !slices.Equal(codes[:len(want)], want) {
			t.Errorf("%s: %q", name, codes)
		}
	}
	nan := 0.0
	nan /= nan
	for _, at := range [][2]float64{{91, 0}, {0, 181}, {nan, 0}} {
		if got := places.Nearest(at[0], at[1], 3); got != nil {
			t.Errorf("%v: %+v", at, got)
		}
	}
	if places.Nearest(0, 0, 0) != nil || len(places.Nearest(0, 179.99, 1)) != 1 {
		t.Error("none, or one beside the date line")
	}
}

// The distances between airports are those of their great circles, within the half
// per cent that a sphere is off and the kilometre that coordinates are.
func TestDistance(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]float64{
		{"LHR", "JFK"}: 5555, {"BOM", "DEL"}: 1138, {"SYD", "SCL"}: 11340, {"LHR", "LHR"}: 0, {"NAN", "APW"}: 1210,
	} {
		a, _ := places.ByCode(pair[0])
		b, _ := places.ByCode(pair[1])
		got := places.Distance(a, b)
		if diff := got - want; diff > want*0.006+2 || diff < -want*0.006-2 {
			t.Errorf("%v: %.0f km, want %.0f", pair, got, want)
		}
	}
}
