// Package bookingfile makes a draft of itinerary items from the confirmation of a booking:
// the text of a PDF, or what a model reads in a picture.
//
// A draft is found by the forms in which flights, airports, days and times are written,
// in code. What was not found is missing and never guessed. What stands in a file is
// untrusted: words in it fill fields, and are never followed.
package bookingfile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// Flight is a flight of a confirmation. Times are local to their airports; a zero one was
// not found.
type Flight struct {
	Number      string            `json:"number"`      // "BA117"
	Origin      string            `json:"origin"`      // IATA code; "" was not found
	Destination string            `json:"destination"` // IATA code
	Departs     calendar.DateTime `json:"departs"`
	Arrives     calendar.DateTime `json:"arrives"`
	Line        int               `json:"line"` // of the file, where its number stands
}

// Hotel is the stay of a confirmation.
type Hotel struct {
	Name     string        `json:"name"`
	Location string        `json:"location"`
	CheckIn  calendar.Date `json:"checkIn"`
	CheckOut calendar.Date `json:"checkOut"`
	Line     int           `json:"line"`
}

// Draft is what was read of a confirmation.
type Draft struct {
	File      string   `json:"file"`
	Reference string   `json:"reference,omitempty"`
	Flights   []Flight `json:"flights,omitempty"`
	Hotel     *Hotel   `json:"hotel,omitempty"`
	// Missing are sentences on what was not found, Problems on what does not fit.
	Missing  []string `json:"missing,omitempty"`
	Problems []string `json:"problems,omitempty"`
}

// Complete reports whether the draft can be put into an itinerary.
func (d Draft) Complete() bool {
	return len(d.Missing) == 0 && len(d.Problems) == 0 && (len(d.Flights) > 0 || d.Hotel != nil)
}

// Bounds of what is read.
const (
	maxLines   = 2000
	maxFlights = 12
)

var (
	flightNumber = regexp.MustCompile(`\b([A-Z][A-Z0-9]|[0-9][A-Z]) ?([0-9]{2,4})\b`)
	airportCode  = regexp.MustCompile(`\b[A-Z]{3}\b`)
	clockTime    = regexp.MustCompile(`(?i)\b([01]?[0-9]|2[0-3])[:.h]([0-5][0-9])` +
		`(?:\s*([ap])\.?m\.?)?(\s*\(?\+\s?[12]\b)?`)
	reference = regexp.MustCompile(`(?i)\b(?:booking|reservation|confirmation|record locator|pnr|airline)` +
		`[ -]*(?:reference|number|code|no\.?|locator|ref\.?|id)?\s*(?:[:#]|is)\s*#?([A-Z0-9][A-Z0-9-]{4,15})\b`)
	labelled = regexp.MustCompile(`(?i)^\s*(hotel|property|accommodation|address|location|city|check[ -]?in|arrival|` +
		`check[ -]?out|departure)(?: date)?\s*[:\-–]\s*(.+)$`)
)

// Read makes a draft of a text. Today tells the year of days that have none.
func Read(file, text string, today calendar.Date) Draft {
	d := Draft{File: file}
	lines := strings.Split(text, "\n")
	lines = lines[:min(len(lines), maxLines)]
	if m := reference.FindStringSubmatch(text); m != nil && strings.ToUpper(m[1]) == m[1] {
		d.Reference = m[1]
	}
	d.readFlights(lines, today)
	d.readHotel(lines, today)
	if len(d.Flights) == 0 && d.Hotel == nil {
		d.Missing = append(d.Missing, "The file names no flight with its airports, and no hotel with its nights.")
	}
	return d
}

// readFlights reads the flights: each begins where its number stands and ends before the
// next one. A confirmation that names route and day before the number has them above.
func (d *Draft) readFlights(lines []string, today calendar.Date) {
	type found struct {
		number string
		line   int
	}
	var all []found
	for n, line := range lines {
		for _, at := range flightNumber.FindAllStringSubmatchIndex(line, -1) {
			number := line[at[2]:at[3]] + line[at[4]:at[5]]
			timed := at[1] < len(line) && strings.ContainsRune(":.,/%", rune(line[at[1]])) // "AT 18:30"
			if !timed && !slices.ContainsFunc(all, func(f found) bool { return f.number == number }) {
				all = append(all, found{number, n})
			}
		}
	}
	// In a file whose last number has no route behind it, routes and days stand above.
	headed := len(all) > 0 && len(airportsIn(strings.Join(lines[all[len(all)-1].line:], "\n"))) < 2
	for i, f := range all {
		if len(d.Flights) == maxFlights {
			d.Problems = append(d.Problems, fmt.Sprintf("The file has more than %d flights.", maxFlights))
			return
		}
		from, to := 0, len(lines)
		if i > 0 {
			from = all[i-1].line + 1
		}
		if i+1 < len(all) {
			to = all[i+1].line
		}
		below := strings.Join(lines[f.line:max(to, f.line+1)], "\n")
		if i+1 < len(all) && all[i+1].line == f.line {
			below = lines[f.line]
		}
		above := strings.Join(lines[min(from, f.line):f.line], "\n")
		flight := Flight{Number: f.number, Line: f.line + 1}
		codes := airportsIn(below)
		if headed {
			codes = airportsIn(above + "\n" + lines[f.line])
		} else if len(codes) < 2 {
			codes = airportsIn(above + "\n" + below)
		}
		if len(codes) < 2 {
			continue // a number of something else
		}
		flight.Origin, flight.Destination = codes[0], codes[1]
		clocks := clocksIn(below)
		if len(clocks) < 2 {
			clocks = clocksIn(above + "\n" + below)
		}
		if headed {
			below, above = above+"\n"+lines[f.line], below // the days of the header count
		}
		d.times(&flight, clocks, above, below, today)
		d.Flights = append(d.Flights, flight)
	}
}

// times reads when a flight departs and arrives, in the text that has its route, else in
// the one beside it.
func (d *Draft) times(f *Flight, clocks []clock, far, near string, today calendar.Date) {
	days := datesIn(near, today)
	if len(days) == 0 {
		if days = datesIn(far, today); len(days) > 1 {
			days = days[len(days)-1:] // the nearest above
		}
	}
	route := fmt.Sprintf("%s from %s to %s", f.Number, f.Origin, f.Destination)
	switch {
	case len(days) == 0:
		d.Missing = append(d.Missing, "The day of "+route+" was not found.")
		return
	case len(clocks) < 2:
		d.Missing = append(d.Missing, "The times of "+route+" were not found.")
		return
	}
	f.Departs = clocks[0].on(days[0])
	arrives := days[0]
	if len(days) > 1 && days[0].Until(days[1]) <= 2 && !days[1].Before(days[0]) {
		arrives = days[1]
	}
	f.Arrives = clocks[1].on(arrives.AddDays(clocks[1].plus))
	if flying := d.minutes(*f); flying <= 0 && arrives == days[0] && clocks[1].plus == 0 {
		f.Arrives.Date = f.Arrives.Date.AddDays(1) // it lands after midnight
	}
	if flying := d.minutes(*f); flying <= 0 || flying > 20*60 {
		d.Problems = append(d.Problems, "The times of "+route+" do not fit its airports' clocks.")
	}
}

// minutes is how long a flight takes.
func (d *Draft) minutes(f Flight) int {
	from, ok := places.ByCode(f.Origin)
	to, known := places.ByCode(f.Destination)
	if !ok || !known {
		return 0
	}
	return int(f.Arrives.In(to.Location()).Sub(f.Departs.In(from.Location())).Minutes())
}

// airportsIn returns the codes of airports in a text, in order, neighbours once.
func airportsIn(text string) []string {
	var codes []string
	for _, code := range airportCode.FindAllString(text, -1) {
		if strings.Contains(monthNames+dayNames, strings.ToLower(code)) {
			continue
		}
		if _, ok := places.ByCode(code); ok && (len(codes) == 0 || codes[len(codes)-1] != code) {
			codes = append(codes, code)
		}
	}
	return codes
}

// readHotel reads a stay by its labels.
func (d *Draft) readHotel(lines []string, today calendar.Date) {
	var h Hotel
	for n, line := range lines {
		m := labelled.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		label, value := strings.NewReplacer("-", "", " ", "").Replace(strings.ToLower(m[1])), strings.TrimSpace(m[2])
		switch days := datesIn(value, today); {
		case (label == "hotel" || label == "property" || label == "accommodation") && h.Name == "":
			h.Name, h.Line = clip(value), n+1
		case (label == "address" || label == "location" || label == "city") && h.Location == "":
			h.Location = clip(value)
		case (label == "checkin" || label == "arrival") && h.CheckIn.IsZero() && len(days) > 0:
			h.CheckIn = days[0]
		case (label == "checkout" || label == "departure") && h.CheckOut.IsZero() && len(days) > 0:
			h.CheckOut = days[0]
		}
	}
	if h.Name == "" {
		return
	}
	switch {
	case h.CheckIn.IsZero() || h.CheckOut.IsZero():
		d.Missing = append(d.Missing, "The nights at "+h.Name+" were not found.")
	case !h.CheckIn.Before(h.CheckOut):
		d.Problems = append(d.Problems, "The stay at "+h.Name+" ends before it begins.")
	}
	if h.Location == "" {
		d.Missing = append(d.Missing, "Where "+h.Name+" is was not found.")
	}
	d.Hotel = &h
}

// clip returns the first 120 letters of a text.
func clip(text string) string {
	letters := []rune(strings.Join(strings.Fields(text), " "))
	return string(letters[:min(len(letters), 120)])
}
