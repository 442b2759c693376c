package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sample returns a small world. The order of its rows does not matter to what is written.
func sample(t *testing.T, more string) inputs {
	t.Helper()
	city := func(name, others, lat, lon, kind, country, region, people, zone string) []string {
		row := make([]string, geonamesColumns)
		row[columnName], row[columnPlain], row[columnOthers], row[columnLat], row[columnLon] = name, name, others, lat,
			lon
		row[columnFeature], row[columnCountry], row[columnRegion] = kind, country, region
		row[columnPopulation], row[columnZone] = people, zone
		return row
	}
	in := inputs{
		airports: []airportRow{
			{Name: "London Heathrow Airport", Type: "large_airport", Lat: "51.4706", Lon: "-0.461941", Country: "GB",
				City: "London", Scheduled: "yes", Code: "LHR"},
			{Name: "London Gatwick Airport", Type: "large_airport", Lat: "51.148", Lon: "-0.19", Country: "GB",
				City: "London", Scheduled: "yes", Code: "LGW"},
			{Name: "Chhatrapati Shivaji International Airport", Type: "large_airport", Lat: "19.089", Lon: "72.868",
				Country: "IN", City: "Mumbai", Scheduled: "yes", Code: "BOM"},
			{Name: "Without a code", Type: "medium_airport", Lat: "1", Lon: "1", Country: "IN"},
		},
		countries: []countryRow{{"GB", "United Kingdom"}, {"IN", "India"}},
		regions:   []regionRow{{"GB.ENG", "England"}, {"IN.16", "Maharashtra"}},
		cities: [][]string{
			city("London", "Londres,Лондон,LON", "51.50853", "-0.12574", "PPLC", "GB", "ENG", "8961989",
				"Europe/London"),
			city("Mumbai", "Bombay,मुंबई,bwmbay", "19.07283", "72.88261", "PPLA", "IN", "16", "12691836",
				"Asia/Kolkata"),
			city("Hampi", "", "15.335", "76.462", "PPL", "IN", "", "2000", "Asia/Kolkata"),
			city("Gone", "", "15", "76", "PPLH", "IN", "16", "2000", "Asia/Kolkata"),
		},
		ordinary: "nice\n!the\n",
	}
	var err error
	if in.overlay, err = readOverlay("# a comment\n\nmetro LON; GB; London; LHR LGW\n" + more); err != nil {
		t.Fatal(err)
	}
	return in
}

func written(t *testing.T, in inputs) (*world, []byte) {
	t.Helper()
	w, err := build(in)
	if err != nil {
		t.Fatal(err)
	}
	file, err := w.encode()
	if err != nil {
		t.Fatal(err)
	}
	return w, file
}

// The same inputs give the same bytes, whatever the order of rows, and the head has
// the checksum of what follows.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	w, file := written(t, sample(t, ""))
	other := sample(t, "")
	slices.Reverse(other.cities)
	slices.Reverse(other.airports)
	slices.Reverse(other.countries)
	if _, again := written(t, other); !bytes.Equal(file, again) {
		t.Error("rows in another order give other bytes")
	}
	head, packed, found := bytes.Cut(file, []byte("\n\n"))
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256(packed)); !found || !strings.Contains(string(head), want) {
		t.Errorf("the head is %q, and the checksum %s", head, want)
	}
	if len(w.cities) != 3 || len(w.airports) != 3 {
		t.Errorf("%d cities, %d airports", len(w.cities), len(w.airports))
	}
	for _, c := range w.cities {
		want := map[string]string{"London": "londres лондон", "Mumbai": "bombay मुंबई", "Hampi": ""}[c.name]
		if got := strings.Join(c.others, " "); got != want {
			t.Errorf("%s is also called %q, want %q", c.name, got, want)
		}
	}
	for _, a := range w.airports {
		if a.city == nil || a.zone != map[string]string{"BOM": "Asia/Kolkata"}[a.code] && a.zone != "Europe/London" {
			t.Errorf("%s: %+v", a.code, a)
		}
	}
}

// A line of the overlay that names what is not there is refused, and says so.
func TestOverlayIsChecked(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"metro PAR; FR; Paris; LHR":               `no city "Paris" in FR`,
		"metro BOM; IN; Mumbai; BOM NMI":          `no airport "NMI"`,
		"names GB; Londinium; ; Lundun":           `no city "Londinium" in GB`,
		"weight GB; Londinium; 3":                 `no city "Londinium" in GB`,
		"area IN; Goa; 15.4; 74; GOX; 12;":        `no airport "GOX"`,
		"airport ABC; Nowhere; X; GB; a; b; l; ;": "has 9 fields",
		"area IN; Goa; north; 74; ; 12;":          "invalid syntax",
		"metropolis LON":                          "has 1 fields",
	} {
		o, err := readOverlay(line)
		if err == nil {
			in := sample(t, "")
			in.overlay = o
			_, err = build(in)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// Nothing stands twice in the overlay: the second line would be the one that counts.
func TestOverlayHasNothingTwice(t *testing.T) {
	t.Parallel()
	o, err := readOverlay(overlayText)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	once := func(key string) {
		if seen[key] {
			t.Errorf("%s stands there twice", key)
		}
		seen[key] = true
	}
	for _, a := range o.airports {
		once("airport " + a.Code)
	}
	for _, m := range o.metros {
		once("metro " + m.country + " " + m.city)
	}
	for _, a := range o.areas {
		once("area " + a.country + " " + a.name)
	}
	for _, n := range o.names {
		if n.shown != "" {
			once("shown " + n.country + " " + n.city)
		}
	}
}

func TestMunicipality(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Buenos Aires (Ezeiza)": "Buenos Aires", "Pendik, Istanbul": "Istanbul",
		"Bâle/Mulhouse": "Bâle", "London": "London", "": ""} {
		if got := municipality(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
