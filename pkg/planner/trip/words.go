package trip

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// Summary returns all that is known as lines of plain text for the person to confirm, and
// a last line with what was not said (S4-4).
func (c Context) Summary() string {
	var lines, open []string
	line := func(name, value string) {
		if value == "" {
			open = append(open, strings.ToLower(name))
			return
		}
		lines = append(lines, name+": "+value)
	}
	switch {
	case c.Origin != nil:
		line("Origin", c.Origin.Label())
	case c.LocalOnly:
		line("Origin", "none, the trip begins at the destination")
	case !c.WantsOrigin():
		line("Origin", "none, without transport")
	default:
		line("Origin", "")
	}
	cities := make([]string, len(c.Destinations))
	for i, p := range c.Destinations {
		cities[i] = p.Label()
	}
	line("Destinations", strings.Join(cities, ", then "))
	line("Dates", c.Dates.words())
	if c.Travellers != nil {
		line("Travellers", c.Travellers.words())
	} else {
		line("Travellers", "")
	}
	budget := map[Budget]string{Low: "low", Mid: "mid-range", High: "high"}[c.Budget]
	if c.Most != nil {
		budget = strings.TrimPrefix(budget+", at most "+c.Most.String()+" for all", ", ")
	}
	line("Budget", budget)
	line("Pace", string(c.Preferences.Pace))
	line("Interests", list(c.Preferences.Interests))
	line("Dietary", list(c.Preferences.Dietary))
	line("Hotel style", c.Preferences.HotelStyle)
	line("Must-dos", strings.Join(c.MustDos, "; "))
	constraints := strings.Join(c.Constraints, "; ")
	if c.OwnCar {
		constraints = strings.TrimPrefix(constraints+"; own car at the destination", "; ")
	}
	for _, s := range c.Excluded {
		what := map[Specialist]string{Transport: "no transport", Stay: "no place to stay", Food: "no restaurants"}[s]
		constraints = strings.TrimPrefix(constraints+"; "+what+" wanted", "; ")
	}
	line("Constraints", constraints)
	if len(open) > 0 {
		lines = append(lines, "Not said: "+strings.Join(open, ", "))
	}
	return strings.Join(lines, "\n")
}

// Title returns the cities and the days: "Boston, 12 to 15 Feb 2027"; "New trip" where no
// city is known.
func (c Context) Title() string {
	title := names(c.Destinations)
	if title == "" {
		title = "New trip"
	}
	if d := c.Dates.Days(); d > 0 {
		title += ", " + Span(c.Dates.Start, c.Dates.End)
	}
	return title
}

// Detail returns who travels, with what budget and from where: "2 adults · mid budget ·
// from London". What is not known is left out.
func (c Context) Detail() string {
	var parts []string
	if c.Travellers != nil && c.Travellers.Count() > 0 {
		parts = append(parts, c.Travellers.words())
	}
	if c.Budget != "" {
		parts = append(parts, string(c.Budget)+" budget")
	}
	if c.Origin != nil {
		parts = append(parts, "from "+c.Origin.Name)
	}
	return strings.Join(parts, " · ")
}

// Label returns the place with its country: "Boston, United States".
func (p Place) Label() string {
	if country := places.CountryName(p.Country); country != "" && country != p.Name {
		return p.Name + ", " + country
	}
	return p.Name
}

// Span writes two days for people: "12 to 15 Feb 2027", "27 Feb to 2 Mar 2027".
func Span(from, to calendar.Date) string {
	layout := "2"
	switch {
	case from == to:
		return to.Time().Format("2 Jan 2006")
	case from.Year != to.Year:
		layout = "2 Jan 2006"
	case from.Month != to.Month:
		layout = "2 Jan"
	}
	return from.Time().Format(layout) + " to " + to.Time().Format("2 Jan 2006")
}

func showDay(d calendar.Date) string { return d.Time().Format("Mon 2 Jan 2006") }

// words writes the dates with how long they are; "" where nothing is known.
func (d DateRange) words() string {
	switch days := d.Days(); {
	case days == 1:
		return showDay(d.Start) + " (1 day)"
	case days > 1:
		return fmt.Sprintf("%s to %s (%s, %s)", showDay(d.Start), showDay(d.End), counted(days, "day"),
			counted(days-1, "night"))
	case !d.Start.IsZero():
		return "from " + showDay(d.Start)
	case !d.End.IsZero():
		return "until " + showDay(d.End)
	case d.Nights > 0:
		return counted(d.Nights, "night") + ", days open"
	}
	return ""
}

// words writes who travels: "2 adults, 1 child (7)".
func (t Travellers) words() string {
	if t.Count() == 0 {
		return ""
	}
	s := counted(t.Adults, "adult")
	if n := len(t.Children); n > 0 {
		ages := make([]string, n)
		for i, age := range t.Children {
			ages[i] = strconv.Itoa(age)
		}
		children := "children"
		if n == 1 {
			children = "child"
		}
		s += fmt.Sprintf(", %d %s (%s)", n, children, and(ages))
	}
	return s
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func names(cities []Place) string {
	list := make([]string, len(cities))
	for i, p := range cities {
		list[i] = p.Name
	}
	return and(list)
}

func and(list []string) string {
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}

// list joins wishes of a vocabulary: "gluten_free" is "gluten-free" for people.
func list(of []string) string { return strings.ReplaceAll(strings.Join(of, ", "), "_", "-") }
