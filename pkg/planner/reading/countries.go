package reading

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// city reports whether the words before a country and a comma name a city of it.
func (r *reader) city(words [][]int, country string) bool {
	for i := range words {
		name := r.Plain()[words[i][0]:words[len(words)-1][1]]
		if len(places.Lookup(name+", "+country)) > 0 {
			return true
		}
	}
	return false
}

// Usual highest temperatures of a day, in °C, between which people call a city warm, and up
// to which they call it cold.
const (
	warmFrom = 22
	warmTo   = 33
	coldTo   = 8
)

// citiesIn returns three cities of the guide whose days in a month are usually within two
// temperatures, those first of which the guide says the least against it.
func citiesIn(month time.Month, from, to int) []string {
	type city struct {
		name    string
		against int
	}
	var list []city
	for _, code := range guide.Codes() {
		g, ok := guide.Of(code)
		if !ok || g.High(month) < from || g.High(month) > to {
			continue
		}
		c := city{name: g.Name}
		if found := places.Lookup(c.name); len(found) != 1 || found[0].Code != g.Code {
			c.name += ", " + places.CountryName(g.Country)
		}
		for _, s := range g.InMonth(month) {
			if s.Risk != "crowds" && s.Risk != "cold" {
				c.against++
			}
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b city) int { return cmp.Compare(a.against, b.against) })
	var names []string
	for _, c := range list[:min(len(list), 3)] {
		names = append(names, c.name)
	}
	return names
}

// somewhere asks where a trip goes of which a wish alone is known, with three choices that
// fit the season.
func (r *reader) somewhere(wish string) questions.Question {
	q := questions.Question{Field: trip.Destinations, Text: "Where would you like to go?"}
	next, _ := r.c.Trip.Merge(r.out.Update)
	month := r.today.AddDays(30).Month
	if m := aMonth().FindStringSubmatch(r.Low()); m != nil {
		month = monthOf(m[1])
	} else if !next.Dates.Start.IsZero() {
		month = next.Dates.Start.Month
	}
	switch wish {
	case "cold", "snow", "snowy", "cool":
		q.Choices = citiesIn(month, -50, coldTo)
		if len(q.Choices) > 0 {
			q.Text = "Which city would you like? These are usually cold in " + month.String() + "."
		}
	case "", "new", "nice", "europe", "asia", "america", "exotic", "cheap", "quiet", "different":
		switch wish {
		case "asia":
			q.Choices = []string{"Tokyo", "Bangkok", "Singapore"}
		case "america":
			q.Choices = []string{"New York", "Boston", "San Francisco"}
		default:
			q.Choices = []string{"Lisbon", "Rome", "Barcelona"}
		}
	default:
		q.Choices = citiesIn(month, warmFrom, warmTo)
		q.Text = "Which city would you like? These are usually warm in " + month.String() + "."
	}
	return q
}

// large are cities of countries that people name instead of a city.
var large = map[string][]string{
	"IT": {"Rome", "Florence", "Venice"}, "PT": {"Lisbon", "Porto", "Faro"},
	"ES": {"Barcelona", "Madrid", "Seville"}, "FR": {"Paris", "Lyon", "Nice, France"},
	"JP": {"Tokyo", "Kyoto", "Osaka"}, "IN": {"Delhi", "Mumbai", "Jaipur"},
	"GB": {"London, United Kingdom", "Edinburgh", "Manchester, United Kingdom"},
	"US": {"New York", "Boston", "San Francisco"}, "DE": {"Berlin", "Munich", "Hamburg"},
	"GR": {"Athens", "Thessaloniki"}, "TH": {"Bangkok", "Chiang Mai", "Phuket"},
	"NL": {"Amsterdam", "Rotterdam"}, "CH": {"Zurich", "Geneva"}, "AT": {"Vienna", "Salzburg"},
	"AE": {"Dubai", "Abu Dhabi"}, "AU": {"Sydney", "Melbourne"}, "TR": {"Istanbul", "Izmir"},
	"MA": {"Marrakesh", "Casablanca"}, "IE": {"Dublin"}, "CZ": {"Prague"}, "HU": {"Budapest"},
	"SE": {"Stockholm", "Gothenburg"}, "DK": {"Copenhagen"}, "NO": {"Oslo", "Bergen"},
	"HR": {"Dubrovnik", "Split"}, "EG": {"Cairo", "Luxor"}, "ZA": {"Cape Town", "Johannesburg"},
	"VN": {"Hanoi", "Ho Chi Minh City"}, "ID": {"Jakarta"}, "MX": {"Mexico City", "Cancun"},
	"CA": {"Toronto", "Montreal", "Vancouver"}, "BR": {"Rio de Janeiro", "Sao Paulo"}, "LK": {"Colombo"},
	"NP": {"Kathmandu"}, "PE": {"Lima", "Cusco"},
}

// alsoCities are countries that have the name of a city as well.
var alsoCities = []string{"Singapore", "Monaco", "Luxembourg", "Georgia", "Jersey", "Djibouti", "San Marino"}

// countries maps names of countries in small letters to their codes.
var countries = sync.OnceValue(func() map[string]string {
	out := map[string]string{"uk": "GB", "england": "GB", "scotland": "GB", "great britain": "GB",
		"britain": "GB", "usa": "US",
		"the states": "US", "america": "US", "holland": "NL", "uae": "AE",
		"emirates": "AE", "turkey": "TR"}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string(a) + string(b)
			if name := places.CountryName(code); name != "" && !slices.Contains(alsoCities, name) {
				out[strings.ToLower(name)] = code
			}
		}
	}
	return out
})

var wordOf = lazily(`[a-z][a-z'.-]*`)

// country returns the question for cities where a country is named as the destination; it
// is asked where no city is named.
func (r *reader) country() (asked *questions.Question) {
	all := countries()
	words := wordOf().FindAllStringIndex(r.Low(), -1)
	for i := range words {
		for n := min(4, len(words)-i); n > 0; n-- {
			from, to := words[i][0], words[i+n-1][1]
			name := strings.Trim(r.Low()[from:to], ".'-")
			code, ok := all[name]
			before := strings.TrimRight(r.Low()[:from], " ")
			if !ok || !r.Free(from, to) || lastWord(before, "from") ||
				len(name) < 5 && !lastWord(before, "in", "to", "the", "visit", "around") {
				continue
			}
			if strings.HasSuffix(before, ",") && r.city(words[max(0, i-3):i], name) {
				break // "Rome, Italy"
			}
			r.Use(from, to)
			if asked == nil {
				asked = &questions.Question{Field: trip.Destinations, Text: "Which cities of " +
					places.CountryName(code) + " would you like to see?", Choices: large[code]}
			}
			break
		}
	}
	return asked
}
