package reading

import (
	"regexp"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// Scan reads the parts of a message one after another, for other readers of messages about
// travel. What a part was read from counts as understood and is read by no later part.
// Offsets are bytes of Plain. A Scan is not safe for concurrent use.
type Scan struct{ t *text }

// NewScan returns a scan of a message. Of a long message the beginning is read.
func NewScan(message string) *Scan { return &Scan{newText(message)} }

// MaxText is how many bytes of a message are read.
const MaxText = maxText

// Plain returns the message with plain quotes, dashes and single spaces.
func (s *Scan) Plain() string { return s.t.plain }

// Low returns Plain in small letters of ASCII, with the same offsets.
func (s *Scan) Low() string { return s.t.low }

// Folded returns the message in small letters without marks and words of courtesy at its
// ends.
func (s *Scan) Folded() string { return s.t.folded() }

// Take calls f with the groups of each match of a pattern that stands between words and
// that was not understood yet, and where it is. What f returns true for counts as
// understood.
func (s *Scan) Take(pattern *regexp.Regexp, f func(groups []string, from, to int) bool) {
	s.t.each(func() *regexp.Regexp { return pattern }, func(m match) bool { return f(m.groups, m.from, m.to) })
}

// Use counts a part as understood.
func (s *Scan) Use(from, to int) { s.t.use(from, to) }

// Free reports whether nothing of a part was understood.
func (s *Scan) Free(from, to int) bool { return s.t.free(from, to) }

// Words returns the words that were not understood, without those that add nothing.
func (s *Scan) Words() []string {
	return slices.DeleteFunc(s.t.words(), func(w string) bool { return filler()[lower(w)] })
}

func lower(s string) string {
	low := []byte(s)
	for i, c := range low {
		if c >= 'A' && c <= 'Z' {
			low[i] = c + 'a' - 'A'
		}
	}
	return string(low)
}

// Day is a day or a span of days of a message.
type Day struct {
	From, To  int
	Day, Last calendar.Date // Last is zero for a single day
	// Open says that no single day is meant, and Choices are days to choose from.
	Open    bool
	Choices []calendar.Date
	// Words are how a relative day was said, "" for a date.
	Words string
}

// Days finds the days of the message in their order.
func (s *Scan) Days(today calendar.Date) []Day {
	var out []Day
	for _, w := range s.t.dates(today) {
		out = append(out, Day{From: w.at, To: w.to, Day: w.day, Last: w.last, Open: w.open, Choices: w.choices,
			Words: w.words})
	}
	return out
}

// Shift finds "one day later" and returns by how many days, 0 for none.
func (s *Scan) Shift() int {
	days := 0
	for _, m := range s.t.shifts() {
		days += m.days
	}
	return days
}

// Party finds who travels and returns how many they are after the message, where so many
// travelled before it. An age that was not said is UnknownAge. said is false where the
// message says nothing of them.
func (s *Scan) Party(adults int, children []int) (nAdults int, ages []int, assumed []string, said bool) {
	p := s.t.people()
	if !p.set && len(p.stated) == 0 {
		return adults, children, nil, false
	}
	nAdults, ages, assumed = p.apply(adults, children)
	return nAdults, ages, assumed, true
}

// Role is what a place is for.
type Role int

// The roles of places.
const (
	Bare   Role = Role(bare) // named without a word before it
	From   Role = Role(origin)
	To     Role = Role(destination)
	Within Role = Role(within)
	BackTo Role = Role(backTo)
	Via    Role = Role(via)
)

// Spot is a place that the message names. It has at least one candidate.
type Spot struct {
	From, To   int
	Role       Role
	Words      string
	Candidates []places.Place
}

// Spots finds the places of the message in their order. Everything else should have been
// read before.
func (s *Scan) Spots() []Spot {
	var out []Spot
	for _, p := range s.t.spots() {
		out = append(out, Spot{p.at, p.to, Role(p.role), p.words, p.candidates})
	}
	return out
}

// Amount reads "£400", "40k", "50,000 rupees" as a decimal and a currency; value is "" for
// what is no amount, and currency where none was said.
func Amount(s string) (value, currency string) { return readAmount(s) }

// Number reads a small number as digits or as a word of English or romanised Hindi; 0 for
// none.
func Number(s string) int { return number(s) }
