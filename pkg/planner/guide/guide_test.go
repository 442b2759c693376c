package guide_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/currency"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// What each city has at least, and the first six, which people ask for most.
const (
	leastEats, leastSights   = 12, 12
	richEats, richSights     = 20, 20
	leastStays               = 2 // of a tier
	mostKilometres           = 60
	mostBytes                = 350 << 10
	fewestAreas, mostAreas   = 3, 5
	mostWordsOfACharacter    = 12
	longestVisit, shortestOf = 480, 15 // minutes
)

func TestCities(t *testing.T) {
	t.Parallel()
	codes := guide.Codes()
	for _, name := range []string{"Boston", "Lisbon", "London", "Paris", "New York", "Rome", "Barcelona", "Edinburgh",
		"Amsterdam", "Delhi", "Jaipur", "Mumbai", "Goa", "San Francisco", "Tokyo", "Kyoto", "Singapore", "Dubai",
		"Istanbul", "Vienna", "Prague", "Berlin", "Copenhagen", "Dublin", "Madrid", "Venice", "Florence", "Athens"} {
		if found := places.Lookup(name); len(found) == 0 || !slices.Contains(codes, found[0].Code) {
			t.Errorf("%s is missing", name)
		}
	}
	size := int64(0)
	for _, code := range codes {
		if info, err := os.Stat(filepath.Join("data", strings.ToLower(code)+".json")); err != nil {
			t.Error(err)
		} else {
			size += info.Size()
		}
		t.Run(code, func(t *testing.T) {
			c, ok := guide.Of(code)
			if !ok {
				t.Fatal("not found")
			}
			checkCity(t, c)
			checkAreas(t, c)
			checkStays(t, c)
			checkEats(t, c)
			checkSights(t, c)
			checkRest(t, c)
		})
	}
	if size > mostBytes {
		t.Errorf("the cities have %d bytes, more than %d", size, mostBytes)
	}
}

func checkCity(t *testing.T, c guide.City) {
	found := places.Lookup(c.Name)
	if len(found) == 0 || found[0].Code != c.Code || found[0].Country != c.Country || found[0].Name != c.Name {
		t.Fatalf("places takes %q for %+v", c.Name, found)
	}
	if len(c.Airports) == 0 || !slices.Equal(c.Airports, commonOf(c.Airports, found[0].Airports)) {
		t.Errorf("the airports are %q, those of places %q", c.Airports, found[0].Airports)
	}
	if _, err := currency.ParseISO(c.Currency); err != nil {
		t.Error(err)
	}
	if slices.Min(c.Highs[:]) < -5 || slices.Max(c.Highs[:]) > 45 || c.High(time.December) != c.Highs[11] {
		t.Errorf("the temperatures are %v", c.Highs)
	}
	if _, err := time.Parse("2006-01", c.Checked); err != nil {
		t.Error(err)
	}
}

// commonOf returns those of a that are in b.
func commonOf(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !slices.Contains(b, s) })
}

// near complains about a point that is not in the city or close to it.
func near(t *testing.T, c guide.City, name string, lat, lon float64) {
	t.Helper()
	at := places.Lookup(c.Name)[0]
	if km := places.Distance(at, places.Place{Lat: lat, Lon: lon}); km > mostKilometres {
		t.Errorf("%s is %.0f km from the city", name, km)
	}
}

// unique complains about what is empty or occurs twice.
func unique(t *testing.T, what string, names []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, name := range names {
		key := strings.ToLower(strings.TrimSpace(name))
		if key == "" || seen[key] || key != strings.ToLower(name) {
			t.Errorf("%s: %q is empty, has spaces around it or occurs twice", what, name)
		}
		seen[key] = true
	}
}

// priced complains about a range that is not one of the city's.
func priced(t *testing.T, c guide.City, name string, r guide.Range, free bool) {
	t.Helper()
	if r.Currency != c.Currency || r.From.Cmp(r.To) > 0 || r.From.Negative() || !free && r.To.IsZero() {
		t.Errorf("%s costs %+v", name, r)
	}
	if r.From.Decimals() > money.Digits(r.Currency) || r.To.Decimals() > money.Digits(r.Currency) {
		t.Errorf("%s costs %s to %s, which %s cannot be", name, r.From, r.To, r.Currency)
	}
}

func closing(t *testing.T, name string, days []string) {
	t.Helper()
	for _, d := range days {
		if !slices.ContainsFunc(weekdays(), func(w time.Weekday) bool { return strings.ToLower(w.String()) == d }) {
			t.Errorf("%s: %q is no weekday", name, d)
		}
	}
	if len(days) > 6 {
		t.Errorf("%s is hardly ever open: %q", name, days)
	}
	unique(t, name+": closing days", days)
}

func weekdays() []time.Weekday {
	return []time.Weekday{time.Sunday, time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday,
		time.Saturday}
}

func names[T any](list []T, name func(T) string) []string {
	var all []string
	for _, x := range list {
		all = append(all, name(x))
	}
	return all
}

func checkAreas(t *testing.T, c guide.City) {
	unique(t, "areas", names(c.Areas, func(a guide.Area) string { return a.Name }))
	if n := len(c.Areas); n < fewestAreas || n > mostAreas {
		t.Errorf("%d areas", n)
	}
	for _, a := range c.Areas {
		near(t, c, a.Name, a.Lat, a.Lon)
		if n := len(strings.Fields(a.Character)); n == 0 || n > mostWordsOfACharacter {
			t.Errorf("the character of %s has %d words", a.Name, n)
		}
		if !slices.Contains([]string{"high", "medium", "low"}, a.Walkability) {
			t.Errorf("the walkability of %s is %q", a.Name, a.Walkability)
		}
	}
}

func checkStays(t *testing.T, c guide.City) {
	unique(t, "stays", names(c.Stays, func(s guide.Stay) string { return s.Name }))
	count := map[guide.Tier]int{}
	for _, s := range c.Stays {
		count[s.Tier]++
		near(t, c, s.Name, s.Lat, s.Lon)
		priced(t, c, s.Name, s.Price, false)
		if s.Bed != nil {
			priced(t, c, s.Name, *s.Bed, false)
		}
		if s.Kind != "" && s.Kind != "area" {
			t.Errorf("%s is of the kind %q", s.Name, s.Kind)
		}
		if (s.Type == "hostel") != (s.Bed != nil) {
			t.Errorf("%s is a %s; beds cost %v", s.Name, s.Type, s.Bed)
		}
		if s.Type == "" || s.Area == "" || s.RoomType == "" || s.BestFor == "" || len(s.Amenities) == 0 ||
			len(s.Pros) == 0 || len(s.Cons) == 0 || len(s.BookingPlatforms) == 0 {
			t.Errorf("%s lacks something: %+v", s.Name, s)
		}
	}
	for _, tier := range guide.Tiers() {
		if count[tier] < leastStays {
			t.Errorf("%d stays of the tier %s", count[tier], tier)
		}
		delete(count, tier)
	}
	if len(count) > 0 {
		t.Errorf("unknown tiers: %v", count)
	}
}

func checkEats(t *testing.T, c guide.City) {
	unique(t, "eats", names(c.Eats, func(e guide.Eat) string { return e.Name }))
	least := leastEats
	if rich(c.Code) {
		least = richEats
	}
	if len(c.Eats) < least {
		t.Errorf("%d places to eat", len(c.Eats))
	}
	for _, e := range c.Eats {
		near(t, c, e.Name, e.Lat, e.Lon)
		priced(t, c, e.Name, e.Price, false)
		closing(t, e.Name, e.ClosedOn)
		if e.Cuisine == "" || e.Area == "" || len(e.MustTry) == 0 || len(e.Meals) == 0 {
			t.Errorf("%s lacks something: %+v", e.Name, e)
		}
		if !slices.Contains(guide.Tiers(), e.Tier) || len(commonMeals(e.Meals)) != len(e.Meals) {
			t.Errorf("%s is of the tier %q for %q", e.Name, e.Tier, e.Meals)
		}
		if d := commonOf(e.Dietary, guide.Diets()); !slices.Equal(d, e.Dietary) && len(e.Dietary) > 0 {
			t.Errorf("%s: unknown diet among %q", e.Name, e.Dietary)
		}
	}
	for _, tier := range []guide.Tier{guide.Low, guide.Mid} {
		for _, meal := range []guide.Meal{guide.Breakfast, guide.Lunch, guide.Dinner} {
			if !slices.ContainsFunc(c.Eats, func(e guide.Eat) bool {
				return e.Tier == tier && e.Serves(meal) && slices.Contains(e.Dietary, "vegetarian")
			}) {
				t.Errorf("no vegetarian %s of the tier %s", meal, tier)
			}
		}
	}
	for _, tier := range guide.Tiers() {
		for _, day := range weekdays() {
			if missing := dayOf(c.Eats, tier, day, guide.Meals()); missing != "" {
				t.Errorf("on a %s no %s of the tier %s can be had that is not eaten at already", day, missing, tier)
			}
		}
	}
}

func commonMeals(list []guide.Meal) []guide.Meal {
	return slices.DeleteFunc(slices.Clone(list), func(m guide.Meal) bool { return !slices.Contains(guide.Meals(), m) })
}

// dayOf returns the first meal for which a day has no place of its own, "" when each
// meal has one.
func dayOf(eats []guide.Eat, tier guide.Tier, day time.Weekday, meals []guide.Meal) guide.Meal {
	for n := range meals {
		if !seated(eats, tier, day, meals[:n+1], make([]bool, len(eats))) {
			return meals[n]
		}
	}
	return ""
}

// seated reports whether each meal can be had at another place.
func seated(eats []guide.Eat, tier guide.Tier, day time.Weekday, meals []guide.Meal, used []bool) bool {
	if len(meals) == 0 {
		return true
	}
	for i, e := range eats {
		if used[i] || e.Tier != tier || !e.Serves(meals[0]) || !e.OpenOn(day) {
			continue
		}
		used[i] = true
		if seated(eats, tier, day, meals[1:], used) {
			return true
		}
		used[i] = false
	}
	return false
}

func checkSights(t *testing.T, c guide.City) {
	// A place to eat that is a sight too would be twice on a day.
	unique(t, "sights and eats", append(names(c.Sights, func(s guide.Sight) string { return s.Name }),
		names(c.Eats, func(e guide.Eat) string { return e.Name })...))
	least := leastSights
	if rich(c.Code) {
		least = richSights
	}
	if len(c.Sights) < least {
		t.Errorf("%d sights", len(c.Sights))
	}
	free, indoor := 0, 0
	for _, s := range c.Sights {
		near(t, c, s.Name, s.Lat, s.Lon)
		priced(t, c, s.Name, s.Price, true)
		if s.Child != nil {
			priced(t, c, s.Name, *s.Child, true)
		}
		closing(t, s.Name, s.ClosedOn)
		if s.Area == "" || s.Minutes < shortestOf || s.Minutes > longestVisit || len(s.Tags) == 0 {
			t.Errorf("%s lacks something: %+v", s.Name, s)
		}
		if known := commonOf(s.Tags, guide.Tags()); !slices.Equal(known, s.Tags) {
			t.Errorf("%s: unknown tag among %q", s.Name, s.Tags)
		}
		if s.Tier != "" && !slices.Contains(guide.Tiers(), s.Tier) {
			t.Errorf("%s is of the tier %q", s.Name, s.Tier)
		}
		if slices.Contains(s.Tags, "nightlife") && !s.Evening {
			t.Errorf("%s is nightlife by day", s.Name)
		}
		if s.Price.From.IsZero() {
			free++
		}
		if s.Indoor {
			indoor++
		}
	}
	if free < 3 || indoor < 3 {
		t.Errorf("%d sights may be free and %d are indoors", free, indoor)
	}
}

func checkRest(t *testing.T, c guide.City) {
	fromAirport, around := 0, 0
	for _, l := range c.Local {
		priced(t, c, l.Option, l.Price, true)
		if !slices.Contains([]string{"ride", "day", "person", "vehicle"}, l.Per) || l.Option == "" {
			t.Errorf("%+v", l)
		}
		switch {
		case l.Airport == "":
			around++
		case !slices.Contains(c.Airports, l.Airport) || l.Minutes <= 0:
			t.Errorf("%s is from %s in %d minutes", l.Option, l.Airport, l.Minutes)
		case l.Airport == c.Airports[0]:
			fromAirport++
		}
	}
	if around < 2 || fromAirport < 1 {
		t.Errorf("%d ways around and %d from the main airport", around, fromAirport)
	}
	if len(c.Season) == 0 {
		t.Error("nothing is said of the seasons")
	}
	for _, s := range c.Season {
		if len(s.Months) == 0 || slices.Min(s.Months) < 1 || slices.Max(s.Months) > 12 || s.Note == "" ||
			!slices.Contains(guide.Risks(), s.Risk) {
			t.Errorf("%+v", s)
		}
	}
}

func rich(code string) bool {
	return slices.Contains([]string{"BOS", "LIS", "LON", "PAR", "NYC", "ROM"}, code)
}

func TestOf(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{"BOS": "Boston", " lis ": "Lisbon", "LON": "London", "LGW": "London",
		"KIX": "Kyoto", "ITM": "Kyoto", "NRT": "Tokyo", "GOX": "Goa", "XXX": "", "": ""} {
		if c, ok := guide.Of(code); c.Name != want || ok != (want != "") {
			t.Errorf("%q is %q, %v", code, c.Name, ok)
		}
	}
	if c, _ := guide.Of("BOS"); len(c.InMonth(time.January)) == 0 || len(c.InMonth(time.July)) != 0 {
		t.Error("Boston's winter")
	}
}

// A Range is written as it is read.
func TestRange(t *testing.T) {
	t.Parallel()
	var r guide.Range
	if err := json.Unmarshal([]byte(`{"from":"12.00","to":"18.50"}`), &r); err != nil || r.From.String() != "12.00" {
		t.Fatal(r, err)
	}
	text, err := json.Marshal(r)
	if err != nil || string(text) != `{"from":12.00,"to":18.50}` {
		t.Errorf("%s, %v", text, err)
	}
	if r.Free() || !(guide.Range{}).Free() {
		t.Error("free")
	}
}

// The texts say what is there; they do not advertise it.
func TestTextsArePlain(t *testing.T) {
	t.Parallel()
	praise := regexp.MustCompile(`\b(amazing|stunning|breathtaking|vibrant|hidden gem|must-see|world-class|iconic|` +
		`unforgettable|best|charming|delicious|luxurious|nestled|bustling|legendary|famous)\b`)
	files, err := filepath.Glob("data/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, name := range append(files, "links.json") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range praise.FindAllString(string(text), -1) {
			t.Errorf("%s praises: %q", name, word)
		}
	}
}
