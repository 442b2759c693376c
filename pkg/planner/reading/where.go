package reading

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
	"github.com/bellhop-ai/bellhop/pkg/travel/reading"
)

var (
	somewhere = lazily(`(?:(?:to|in|go|going|we|i|want|would|like|travel|for|just) ` +
		`)*(?:(?:somewhere|some place|someplace|anywhere|a (?:place|city|destination)|any (?:city|place))` +
		`(?: (?:that is|that's|which is|where it's|really|nice|and|with|by|near|the|in|not|too|far|close|` +
		`else))*(?: (warm|hot|sunny|sea|beach|sun|cold|snow(?:y)?|cool|new|nice|europe|asia|america|exotic|` +
		`cheap|quiet|different))*)`)
	addCue = lazily(`(?:\b(?:and |then )?(?:also|add|plus|as well as|after that|then|afterwards|` +
		`another stop in|continue to|go on to)(?: to| in| visit| go to)*|, and)$`)
	removeCue = lazily(`\b(?:not|drop|skip|remove|without|leave out|instead of|rather than|cancel|` +
		`except|no|forget)(?: to| in| the)*$`)
	onward = lazily(`\b(?:leaving|depart(?:ing|ure)?|start(?:ing)?|fly(?:ing)? out|coming|` +
		`travell?ing|live|based|home is|home:)(?: (?:from|in|at|out of))?(?: the)?$`)
	lateCue    = lazily(`^(?: as well| too| also)\b`)
	backHome   = lazily(`\b(?:back|return(?:ing)?|home)(?: again)?(?: to)?$`)
	insteadCue = lazily(`\b(?:instead|rather|actually|change (?:it |the destination |that )?to|make ` +
		`(?:it|that)|not)\b`)
)

// where reads the places.
func (r *reader) where() {
	u := &r.out.Update
	var asked *questions.Question
	r.Take(somewhere(), func(g []string, from, to int) bool {
		q := r.somewhere(g[1])
		asked = &q
		return true
	})
	r.country()
	var stops, adds, drops []trip.Place
	for _, s := range r.Spots() {
		before := strings.TrimRight(r.Low()[max(0, s.From-40):s.From], " ")
		role := s.Role
		if onward().MatchString(before) {
			role = reading.From
		}
		if role == reading.BackTo || backHome().MatchString(before) && r.c.Trip.Origin != nil {
			continue
		}
		f := trip.Destinations
		if role == reading.From || role == reading.Bare && r.originMeant() {
			f = trip.Origin
		}
		at := placeOf(s.Candidates[0])
		if removeCue().MatchString(before) && f == trip.Destinations {
			for _, c := range s.Candidates {
				if p := placeOf(c); slices.ContainsFunc(r.c.Trip.Destinations, p.Same) {
					drops = append(drops, p)
				}
			}
			r.give(f, s.From, s.To)
			continue
		}
		if len(s.Candidates) > 1 {
			if p, ok := r.among(s.Candidates, f); ok {
				at = p
			} else {
				r.which(f, s)
				continue
			}
		}
		r.give(f, s.From, s.To)
		switch {
		case f == trip.Origin:
			u.Origin = &at
		case len(adds) > 0, len(r.c.Trip.Destinations) > 0 &&
			(addCue().MatchString(before) || lateCue().MatchString(r.Low()[s.To:])):
			adds = append(adds, at)
		default:
			stops = append(stops, at)
		}
	}
	// "Not Rome but Florence" and "instead of Rome" name what is replaced.
	switch {
	case len(drops) > 0 && len(stops) > 0:
		u.Destinations = nil
		for _, p := range r.c.Trip.Destinations {
			if !slices.ContainsFunc(drops, p.Same) {
				u.Destinations = append(u.Destinations, p)
			} else if len(stops) > 0 {
				u.Destinations, stops = append(u.Destinations, stops...), nil
			}
		}
		u.Destinations = append(u.Destinations, stops...)
	default:
		u.Destinations, u.RemoveDestinations = stops, drops
	}
	u.AddDestinations = adds
	if asked != nil && len(stops) == 0 && len(adds) == 0 {
		r.ask(*asked)
	}
	r.home()
}

// originMeant reports whether a place without a word before it answers where they start.
func (r *reader) originMeant() bool {
	if r.open(trip.Destinations) || len(r.c.Trip.Destinations) == 0 {
		return false
	}
	return r.open(trip.Origin) && r.c.Trip.Origin == nil && !insteadCue().MatchString(r.Low())
}

// among returns the place that is known already of several with one name.
func (r *reader) among(list []places.Place, f trip.Field) (trip.Place, bool) {
	for _, c := range list {
		p := placeOf(c)
		if f == trip.Destinations && slices.ContainsFunc(r.c.Trip.Destinations, p.Same) ||
			f == trip.Origin && r.c.Trip.Origin != nil && r.c.Trip.Origin.Same(p) {
			return p, true
		}
	}
	return trip.Place{}, false
}

// which asks which of several places with one name is meant.
func (r *reader) which(f trip.Field, s reading.Spot) {
	q := questions.Question{Field: f, Text: "Which " + s.Words + " do you mean?"}
	for _, c := range s.Candidates[:min(len(s.Candidates), 4)] {
		q.Choices = append(q.Choices, choice(c, f))
	}
	r.ask(q)
}

// choice is a place as the person would answer it.
func choice(p places.Place, f trip.Field) string {
	name := p.Name
	if p.Region != "" && p.Region != p.Name {
		name += ", " + p.Region
	}
	if found := places.Lookup(name); len(found) != 1 || found[0].Code != p.Code {
		if name = p.Name; p.Country != "" && p.Name != places.CountryName(p.Country) {
			name += ", " + places.CountryName(p.Country)
		}
	}
	if f == trip.Origin {
		return "From " + name
	}
	return name
}

// home fills in where the person usually starts.
func (r *reader) home() {
	next, _ := r.c.Trip.Merge(r.out.Update)
	if r.c.Home == "" || next.Origin != nil || !next.WantsOrigin() || len(next.Destinations) == 0 ||
		slices.ContainsFunc(r.out.Ask, func(q questions.Question) bool { return q.Field == trip.Origin }) {
		return
	}
	p, ok := places.ByCode(r.c.Home)
	if !ok || slices.ContainsFunc(next.Destinations, placeOf(p).Same) {
		return
	}
	at := placeOf(p)
	r.out.Update.Origin = &at
	r.assume("I took " + at.Name + ", your home airport, as where you start.")
}

func placeOf(p places.Place) trip.Place {
	name := p.Name
	if p.Kind == places.Airport && p.City != "" && !strings.Contains(p.Name, p.City) {
		name = p.City + " " + p.Name
	}
	return trip.Place{Name: name, Code: p.Code, Country: p.Country, Zone: p.Zone, Lat: p.Lat, Lon: p.Lon}
}

// warm are cities by the months in which their days are usually above 20 degrees and not
// in the rains: climate normals of the national weather services.
var warm = []struct {
	city string
	from time.Month
	to   time.Month // over the end of the year where it is before from
}{
	{"Lisbon", time.May, time.October}, {"Rome", time.May, time.October}, {"Barcelona", time.May, time.October},
	{"Dubai", time.November, time.April}, {"Bangkok", time.November, time.March},
	{"Cape Town", time.November, time.April}, {"Singapore", time.February, time.October},
	{"Marrakesh", time.March, time.May}, {"Athens", time.May, time.October}, {"Delhi", time.February, time.March},
}

// somewhere asks where a trip goes of which a wish alone is known, with three choices that
// fit the season.
func (r *reader) somewhere(wish string) questions.Question {
	q := questions.Question{Field: trip.Destinations, Text: "Where would you like to go?"}
	next, _ := r.c.Trip.Merge(r.out.Update)
	month := r.today.AddDays(30).Month
	if !next.Dates.Start.IsZero() {
		month = next.Dates.Start.Month
	}
	switch wish {
	case "cold", "snow", "snowy", "cool":
		q.Choices = []string{"Stockholm", "Edinburgh", "Boston"}
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
		for _, w := range warm {
			in := month >= w.from && month <= w.to
			if w.from > w.to {
				in = month >= w.from || month <= w.to
			}
			if in && len(q.Choices) < 3 {
				q.Choices = append(q.Choices, w.city)
			}
		}
		q.Text = "Where would you like to go? It is usually warm there in " + month.String() + "."
		if len(q.Choices) > 0 {
			q.Text = "Which city would you like? These are usually warm in " + month.String() + "."
		}
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

var countryAfter = lazily(`(?:(?:to|in|around|through|visit|visiting|see|explore|across) )(?:the ` +
	`)?([a-z][a-z.' -]{1,40})`)

// country asks for the cities where a country alone is named as the destination.
func (r *reader) country() {
	all := countries()
	r.Take(countryAfter(), func(g []string, from, to int) bool {
		words := strings.Fields(g[1])
		for n := min(4, len(words)); n > 0; n-- {
			name := strings.Trim(strings.Join(words[:n], " "), ".'- ")
			code, ok := all[name]
			if !ok {
				continue
			}
			start := to - len(g[1])
			r.Use(from, start+len(name))
			q := questions.Question{Field: trip.Destinations, Text: "Which cities of " + places.CountryName(code) +
				" would you like to see?", Choices: large[code]}
			r.ask(q)
			break
		}
		return false
	})
	// "Rome, Italy" and "Rome in Italy" name a city as well.
	i := slices.IndexFunc(r.out.Ask, func(q questions.Question) bool { return q.Field == trip.Destinations })
	if i >= 0 {
		for _, m := range places.Find(r.Plain()) {
			if m.Candidates[0].Kind == places.City && r.Free(m.Start, min(m.End, len(r.Plain()))) &&
				!strings.HasSuffix(strings.TrimRight(r.Low()[:m.Start], " "), "from") {
				r.out.Ask = slices.Delete(r.out.Ask, i, i+1)
				return
			}
		}
	}
}
