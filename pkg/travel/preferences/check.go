package preferences

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// Problem says what is wrong with a field, by its name in JSON: "homeAirport". Text is a
// sentence for people.
type Problem struct {
	Field string `json:"field"`
	Text  string `json:"text"`
}

// Bounds of what is kept.
const (
	maxEntries  = 20 // of a list
	maxLetters  = 80 // of an entry
	maxBudget   = 40 // letters of a word
	maxDecision = 300
)

var airports = regexp.MustCompile(`^[A-Z]{3}$`)

// Abouts returns what decisions are about.
func Abouts() []string { return []string{"flights", "hotels", "activities", "food", "budget", "other"} }

// Check returns the changes in the form in which they are kept, and what is wrong with
// them.
func Check(c Changes) (Changes, []Problem) {
	var problems []Problem
	wrong := func(field, text string) { problems = append(problems, Problem{field, text}) }
	for _, l := range []struct {
		field string
		list  **[]string
	}{
		{"preferredAirlines", &c.Airlines}, {"preferredHotelChains", &c.HotelChains},
		{"dietaryRestrictions", &c.Dietary}, {"accessibilityNeeds", &c.Accessibility},
		{"travelInterests", &c.Interests},
	} {
		if *l.list == nil {
			continue
		}
		kept := distinct(**l.list)
		*l.list = &kept
		if len(kept) > maxEntries {
			wrong(l.field, "At most 20 entries are kept.")
		}
		for _, entry := range kept {
			if utf8.RuneCountInString(entry) > maxLetters {
				wrong(l.field, "An entry has at most 80 letters.")
				break
			}
		}
	}
	if c.Cabin != nil {
		cabin := strings.ReplaceAll(strings.ToLower(tidy(*c.Cabin)), " ", "_")
		c.Cabin = &cabin
		if cabin != "" && !contains(flights.Cabin("").Values(), cabin) {
			wrong("preferredCabinClass", "The cabin is one of economy, premium_economy, business and first.")
		}
	}
	if c.Budget != nil {
		b := Budget{tidy(c.Budget.Flights), tidy(c.Budget.Accommodations), tidy(c.Budget.Activities)}
		c.Budget = &b
		for _, word := range []string{b.Flights, b.Accommodations, b.Activities} {
			if utf8.RuneCountInString(word) > maxBudget {
				wrong("budgetPreferences", "A budget is a word or two, as economy or luxury.")
				break
			}
		}
	}
	if c.Home != nil {
		home := strings.ToUpper(tidy(*c.Home))
		c.Home = &home
		if home != "" && !airports.MatchString(home) {
			wrong("homeAirport", "The airport of home is the three letters of an airport or a city, as BLR.")
		}
	}
	return c, problems
}

// CheckDecision is Check for a decision. Without About it is about other.
func CheckDecision(d Decision) (Decision, []Problem) {
	var problems []Problem
	d.Text, d.About = tidy(d.Text), strings.ToLower(tidy(d.About))
	if d.About == "" {
		d.About = "other"
	}
	switch n := utf8.RuneCountInString(d.Text); {
	case n == 0:
		problems = append(problems, Problem{"text", "Say what was decided."})
	case n > maxDecision:
		problems = append(problems, Problem{"text", "A decision has at most 300 letters."})
	}
	if !contains(Abouts(), d.About) {
		problems = append(problems,
			Problem{"about", "It is about flights, hotels, activities, food, budget or other."})
	}
	return d, problems
}

// distinct returns the entries that say something, each once whatever its case.
func distinct(list []string) []string {
	kept := []string{}
	for _, entry := range list {
		entry = tidy(entry)
		if entry != "" && !containsFold(kept, entry) {
			kept = append(kept, entry)
		}
	}
	return kept
}

// tidy returns a text with single spaces and none around it.
func tidy(s string) string { return strings.Join(strings.Fields(s), " ") }

func contains(list []string, s string) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}

func containsFold(list []string, s string) bool {
	for _, one := range list {
		if strings.EqualFold(one, s) {
			return true
		}
	}
	return false
}
