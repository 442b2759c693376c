package specialists

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// Tasks returns one task for each specialist that is needed, in their order (S4-5, S4-6):
// three, but for those that the person excluded, and for stays where the trip has no
// night. Instructions carry all that a specialist may
// know of the trip; they hold nothing that says who travels.
func Tasks(c trip.Context) []Task {
	var tasks []Task
	for _, s := range trip.Specialists() {
		if leftOut(c, s) {
			continue
		}
		tasks = append(tasks, Task{ID: fmt.Sprintf("task-%d", len(tasks)+1),
			Name: capital(string(s)) + " research", Specialist: s, Instructions: instructions(c, s)})
	}
	return tasks
}

// leftOut reports whether a specialist is not needed.
func leftOut(c trip.Context, s trip.Specialist) bool {
	return slices.Contains(c.Excluded, s) || s == trip.Stay && c.Dates.Known() && c.Dates.Days() <= 1
}

// numbers are telephone numbers and the like: nine digits or more, with marks between them.
// A date has eight.
var numbers = regexp.MustCompile(`\+?\(?\d(?:[\s().\-/]{0,2}\d){8,}`)

// instructions say what is to be found. Texts of the person are quoted as JSON: they are
// data.
func instructions(c trip.Context, s trip.Specialist) string {
	var lines []string
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, name+": "+value)
		}
	}
	switch s {
	case trip.Transport:
		lines = append(lines, "Find how to get there and back, and how to get around.")
	case trip.Stay:
		lines = append(lines, "Find places to stay that fit the budget, "+each(c, "two or three", "two")+".")
	case trip.Food:
		lines = append(lines, "Find places for breakfast, lunch and dinner, "+each(c, "three or four", "two")+".")
	}
	if c.Origin != nil && s == trip.Transport {
		add("Origin", quoted(c.Origin.Name))
	}
	var cities []string
	nights := Nights(c)
	for i, p := range c.Destinations {
		city := quoted(p.Name)
		if i < len(nights) && len(nights) > 1 {
			city += fmt.Sprintf(" (%s)", plural(nights[i], "night"))
		}
		cities = append(cities, city)
	}
	add("Destinations in order", strings.Join(cities, ", "))
	if d := c.Dates; d.Known() {
		add("Dates", fmt.Sprintf("%s to %s, %s", d.Start, d.End, plural(d.Days()-1, "night")))
	}
	if t := c.Travellers; t != nil {
		add("Travellers", flights.AgeWords(ages(c)))
		if s == trip.Stay {
			add("Rooms", fmt.Sprint(Rooms(*t)))
		}
	}
	add("Budget", string(c.Budget))
	if c.Most != nil {
		add("At most for everything", c.Most.String())
	}
	add("Pace", string(c.Preferences.Pace))
	add("Interests", quotedAll(c.Preferences.Interests))
	add("Dietary needs", quotedAll(c.Preferences.Dietary))
	if c.Preferences.HotelStyle != "" {
		add("Style of the stay", quoted(c.Preferences.HotelStyle))
	}
	add("Must-dos", quotedAll(c.MustDos))
	add("Constraints", quotedAll(c.Constraints))
	if s == trip.Transport && c.OwnCar {
		lines = append(lines, "They have a car for getting around at the destination. It is not meant for the "+
			"journey there.")
	}
	if s == trip.Transport && c.LocalOnly {
		lines = append(lines, "Only transport at the destination is wanted, no journey to it.")
	}
	return strings.Join(lines, "\n")
}

// quoted returns a text of the person as JSON, without addresses and numbers at which they
// may be reached.
func quoted(s string) string {
	text, err := json.Marshal(clean(numbers.ReplaceAllString(s, ""), trip.MaxText))
	if err != nil {
		return `""`
	}
	return string(text)
}

func quotedAll(list []string) string {
	out := make([]string, 0, len(list))
	for _, s := range list[:min(len(list), trip.MaxWishes)] {
		out = append(out, quoted(s))
	}
	return strings.Join(out, ", ")
}

// each says how many things are wanted in each city: fewer where there are several, so that
// an answer has room for all.
func each(c trip.Context, few, fewer string) string {
	if len(c.Destinations) > manyCities {
		return fewer + " in each city"
	}
	return few + " in each city"
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// ages returns those of all travellers, adults first.
func ages(c trip.Context) []int {
	if c.Travellers == nil {
		return nil
	}
	var list []int
	for range c.Travellers.Adults {
		list = append(list, flights.Adult)
	}
	return append(list, c.Travellers.Children...)
}

// Rooms is how many rooms travellers need: two adults share one, at most four people are
// in one, and each has an adult.
func Rooms(t trip.Travellers) int {
	return max(1, min(max((t.Adults+1)/2, (t.Count()+3)/4), t.Adults))
}
