package reading_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/reading"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// now is a Monday.
var now = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)

func today() calendar.Date { return calendar.Of(now) }

func date(t *testing.T, s string) calendar.Date {
	t.Helper()
	d, err := calendar.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func city(t *testing.T, code string) trip.Place {
	t.Helper()
	p, ok := places.ByCode(code)
	if !ok {
		t.Fatalf("no place %s", code)
	}
	return trip.Place{Name: p.Name, Code: p.Code, Country: p.Country, Zone: p.Zone, Lat: p.Lat, Lon: p.Lon}
}

// boston is a trip of which everything critical is known.
func boston(t *testing.T) trip.Context {
	t.Helper()
	from := city(t, "LON")
	boston := city(t, "BOS")
	boston.Name = "Boston"
	return trip.Context{Origin: &from, Destinations: []trip.Place{boston}, Budget: trip.Mid,
		Dates:      trip.DateRange{Start: date(t, "2027-02-12"), End: date(t, "2027-02-15")},
		Travellers: &trip.Travellers{Adults: 2}}
}

// known returns what a line of the table is read in.
func known(t *testing.T, what string) reading.Context {
	t.Helper()
	c := reading.Context{Now: now, Mode: "CLARIFY"}
	switch what {
	case "B":
		c.Trip = boston(t)
		c.Trip.Origin, c.Trip.Budget = nil, ""
	case "C":
		c.Trip, c.Mode = boston(t), "CONFIRM"
	case "F":
		c.Trip, c.Mode = boston(t), "FINALIZE"
		c.Trip.Destinations = []trip.Place{city(t, "LIS")}
		c.Options = []reading.Shown{{ID: "opt-1", Title: "Lisbon on a small budget", Tier: trip.Low},
			{ID: "opt-2", Title: "Balanced Lisbon", Tier: trip.Mid},
			{ID: "opt-3", Title: "Lisbon in style", Tier: trip.High}}
	}
	switch what {
	case "K": // a family, when the plans are shown
		c = known(t, "F")
		c.Trip.Travellers = &trip.Travellers{Adults: 2, Children: []int{5, 9}}
	case "G": // two plans are shown
		c = known(t, "F")
		c.Options = c.Options[:2]
	case "D": // the days of a weekend in December are asked
		c.Trip = boston(t)
		c.Trip.Dates = trip.DateRange{Nights: 2}
		c.Ledger.Ask(now, reading.Read("a weekend in December", c).Ask...)
	}
	if what == "B" || what == "Q" {
		c.Ledger.Ask(now, questions.For(c.Trip, c.Ledger, today())...)
	}
	return c
}

// shown writes a reading as the table does.
func shown(r reading.Reading) string {
	words := []string{string(r.Intent)}
	add := func(name, value string) {
		if value != "" {
			words = append(words, strings.TrimSuffix(name+"="+value, "="))
		}
	}
	flag := func(name string, is bool) {
		if is {
			words = append(words, name)
		}
	}
	codes := func(list []trip.Place) string {
		var out []string
		for _, p := range list {
			out = append(out, p.Code)
		}
		return strings.Join(out, ",")
	}
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	u := r.Update
	add("to", codes(u.Destinations))
	add("add", codes(u.AddDestinations))
	add("drop", codes(u.RemoveDestinations))
	if u.Origin != nil {
		add("from", u.Origin.Code)
	}
	end := u.Dates.End
	if end.IsZero() && !u.Dates.Start.IsZero() && u.Dates.Nights > 0 {
		end = u.Dates.Start.AddDays(u.Dates.Nights)
	}
	switch {
	case slices.Contains(r.Skipped, trip.Dates):
	case !u.Dates.Start.IsZero() || !end.IsZero():
		add("dates", strings.ReplaceAll(u.Dates.Start.String()+".."+end.String(), "0000-00-00", ""))
	default:
		add("nights", number(u.Dates.Nights))
	}
	add("shift", number(u.Shift))
	add("longer", number(u.Longer))
	if p := u.Travellers; p != nil && !slices.Contains(r.Skipped, trip.Party) {
		s := fmt.Sprint(p.Adults)
		if len(p.Children) > 0 {
			s += "+" + strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Children), " ", ","), "[]")
		}
		add("party", s)
	}
	add("budget", string(u.Budget))
	if u.Most != nil {
		add("most", u.Most.Currency+u.Most.Amount.String())
	}
	add("pace", string(u.Pace))
	add("likes", strings.Join(u.Interests.Add, ","))
	add("-likes", strings.Join(u.Interests.Remove, ","))
	add("diet", strings.Join(u.Dietary.Add, ","))
	if u.HotelStyle != nil {
		add("style", *u.HotelStyle)
	}
	add("must", strings.Join(u.MustDos.Add, ";"))
	add("no", strings.Join(u.Constraints.Add, ";"))
	flag("local", u.LocalOnly != nil && *u.LocalOnly)
	flag("car", u.OwnCar != nil && *u.OwnCar)
	for _, s := range u.Exclude {
		add("exclude", string(s))
	}
	add("opt", r.Option)
	add("day", number(r.Swap.Day))
	add("meal", r.Swap.Meal)
	add("with", r.Swap.With)
	add("share", number(r.ShareDays))
	fields := func(list []trip.Field) string {
		var out []string
		for _, f := range list {
			out = append(out, string(f))
		}
		return strings.Join(out, ",")
	}
	var ask, problems []trip.Field
	for _, q := range r.Ask {
		ask = append(ask, q.Field)
	}
	for _, p := range r.Problems {
		problems = append(problems, p.Field)
	}
	add("ask", fields(ask))
	add("problem", fields(problems))
	add("skip", fields(r.Skipped))
	flag("refused", len(r.Refused) > 0)
	flag("rest", r.Rest != "")
	flag("sure", r.Sure)
	return strings.Join(words, " ")
}

// Floors of how many sentences are read right that the rules were not made with: of those
// with even numbers, and of the later ones. When they were first read, 45 of 52 and 23 of 30
// were right; some have been mended since.
const (
	floor = 45
	later = 23
)

// The rules were made with the sentences of odd numbers; the others say how well they read
// what they were not made for. A sentence that leaves words over or asks counts as asked: a
// model reads it, or the person says it again. The others are wrong.
func TestSentences(t *testing.T) {
	var right, asked, wrong [3]int
	n := 0
	read := func(file string, halves int) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			parts := strings.Split(strings.TrimSpace(line), " | ")
			if len(parts) != 3 {
				t.Fatalf("%q has not three parts", line)
			}
			half := 2
			if halves == 2 {
				half = n % 2
			}
			n++
			r := reading.Read(parts[1], known(t, parts[0]))
			got := shown(r)
			switch {
			case got == parts[2]:
				right[half]++
				continue
			case r.Rest != "" || len(r.Ask) > 0 || len(r.Problems) > 0 || r.Intent == reading.Other:
				asked[half]++
			default:
				wrong[half]++
			}
			if half == 0 {
				t.Errorf("%d %s: %q\n read %s\n want %s", n, parts[0], parts[1], got, parts[2])
			} else if testing.Verbose() {
				t.Logf("%d %s: %q\n read %s\n want %s", n, parts[0], parts[1], got, parts[2])
			}
		}
	}
	read("testdata/sentences.txt", 2)
	read("testdata/later.txt", 1)
	t.Logf("made with: %d right; even: %d right, %d asked, %d wrong; later: %d right, %d asked, %d wrong", right[0],
		right[1], asked[1], wrong[1], right[2], asked[2], wrong[2])
	if n < 130 || right[1] < floor || right[2] < later {
		t.Errorf("%d and %d sentences are read right, want %d and %d", right[1], right[2], floor, later)
	}
}
