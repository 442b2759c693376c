// Package guide is the listed source of the trip planner: facts about cities, their
// places to stay, restaurants, sights and ground transport, which are a part of the
// program. A plan can be made of them without a model, and what a model proposes can
// be compared with them. Prices are wide, typical ranges that were written down at a
// date; none of them is an offer. docs/planner-guide.md says where the facts come from
// and how a city is added.
//
// What the functions return is shared by all callers, who must not change it.
package guide

import (
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Tier is a level of money.
type Tier string

// The tiers, the cheapest first.
const (
	Low  Tier = "low"
	Mid  Tier = "mid"
	High Tier = "high"
)

// Tiers returns all tiers, the cheapest first.
func Tiers() []Tier { return []Tier{Low, Mid, High} }

// Meal is what people eat at a time of the day.
type Meal string

// The meals in the order of a day; snacks have no time.
const (
	Breakfast Meal = "breakfast"
	Lunch     Meal = "lunch"
	Dinner    Meal = "dinner"
	Snacks    Meal = "snacks"
)

// Meals returns all meals.
func Meals() []Meal { return []Meal{Breakfast, Lunch, Dinner, Snacks} }

// Tags returns the vocabulary of a sight's tags.
func Tags() []string {
	return []string{"history", "art", "food", "nature", "views", "architecture", "markets", "beach", "nightlife",
		"family", "shopping", "religion", "science", "music", "sport"}
}

// Diets returns the vocabulary of what an Eat can serve.
func Diets() []string { return []string{"vegetarian", "vegan", "gluten_free", "halal", "kosher"} }

// Range is from the usual lowest to the usual highest price of something. In the files
// the amounts are decimal strings and the currency is that of the city or of the link.
type Range struct {
	From     money.Amount `json:"from"`
	To       money.Amount `json:"to"`
	Currency string       `json:"currency,omitempty"` // ISO 4217
}

// Free reports whether nothing has to be paid.
func (r Range) Free() bool { return r.To.IsZero() }

// City is everything that is listed about one city. Coordinates are in degrees.
type City struct {
	// Code is the code that places.Lookup returns for the city: its metropolitan code or
	// that of its first airport. Kyoto, which has no airport, has KIX.
	Code     string   `json:"code"`
	Name     string   `json:"name"`
	Country  string   `json:"country"`  // ISO 3166-1 alpha-2
	Currency string   `json:"currency"` // ISO 4217
	Checked  string   `json:"checked"`  // the month in which the facts were last checked: "2026-11"
	Airports []string `json:"airports"` // IATA codes, the main one first
	Highs    [12]int  `json:"highs"`    // the usual highest temperature of a day in °C, January first
	Areas    []Area   `json:"areas"`
	Stays    []Stay   `json:"stays"`
	Eats     []Eat    `json:"eats"`
	Sights   []Sight  `json:"sights"`
	Local    []Local  `json:"local"`
	Season   []Season `json:"season"`
}

// Area is a neighbourhood.
type Area struct {
	Name        string  `json:"name"`
	Lat         float64 `json:"lat"`
	Lon         float64 `json:"lon"`
	Character   string  `json:"character"`   // at most twelve words
	Walkability string  `json:"walkability"` // "high", "medium" or "low"
}

// Stay is a hotel or hostel, or, with the kind "area", what is usual in an area where no
// single house is named. The price is of a room for a night, for two people where the
// room has two beds.
type Stay struct {
	Kind      string   `json:"kind,omitempty"` // "" for a house, "area"
	Tier      Tier     `json:"tier"`
	Name      string   `json:"name"`
	Type      string   `json:"type"` // "hotel", "hostel", "guesthouse" …
	Area      string   `json:"area"`
	Address   string   `json:"address,omitempty"`
	Lat       float64  `json:"lat"`
	Lon       float64  `json:"lon"`
	Price     Range    `json:"price"`         // per room and night
	Bed       *Range   `json:"bed,omitempty"` // per bed and night in a dormitory; nil where there is none
	RoomType  string   `json:"roomType"`
	Amenities []string `json:"amenities"`
	Pros      []string `json:"pros"`
	Cons      []string `json:"cons"`
	BestFor   string   `json:"bestFor"`
	// BookingPlatforms are general: "the hotel's own site". A file may leave them out.
	BookingPlatforms []string `json:"bookingPlatforms,omitempty"`
	BookingTips      string   `json:"bookingTips,omitempty"`
}

// Eat is a place to eat. The price is per person for a usual meal without alcohol.
type Eat struct {
	Tier    Tier     `json:"tier"`
	Meals   []Meal   `json:"meals"` // the meals it is listed for; it may serve others
	Name    string   `json:"name"`
	Cuisine string   `json:"cuisine"`
	Area    string   `json:"area"`
	Lat     float64  `json:"lat"`
	Lon     float64  `json:"lon"`
	MustTry []string `json:"mustTry"`
	Price   Range    `json:"price"`
	// Dietary lists what it is known to serve. What is not listed is not known: it does
	// not say that there is none.
	Dietary     []string `json:"dietary,omitempty"`
	Reservation bool     `json:"reservation,omitempty"` // a table is usually booked
	ClosedOn    []string `json:"closedOn,omitempty"`    // weekdays, "monday"; none where not known
	Note        string   `json:"note,omitempty"`
}

// Serves reports whether the place is listed for a meal.
func (e Eat) Serves(m Meal) bool { return slices.Contains(e.Meals, m) }

// OpenOn reports whether no closing day is known on a weekday.
func (e Eat) OpenOn(day time.Weekday) bool { return openOn(e.ClosedOn, day) }

// Sight is something to see or to do. An excursion with a guide or by train has the point
// where it begins, and its minutes include the way.
type Sight struct {
	Name     string   `json:"name"`
	Lat      float64  `json:"lat"`
	Lon      float64  `json:"lon"`
	Area     string   `json:"area"`
	Minutes  int      `json:"minutes"` // for a usual visit, without the way
	Tags     []string `json:"tags"`    // of Tags
	Indoor   bool     `json:"indoor,omitempty"`
	Evening  bool     `json:"evening,omitempty"`  // it takes place in the evening only
	Price    Range    `json:"price"`              // per adult, 0 to 0 where nothing is paid
	Child    *Range   `json:"child,omitempty"`    // per child; nil where not known
	ClosedOn []string `json:"closedOn,omitempty"` // weekdays, "monday"; none where not known
	Tier     Tier     `json:"tier,omitempty"`     // where it belongs to one: a private tour is high; "" for all
	Note     string   `json:"note,omitempty"`
}

// OpenOn reports whether no closing day is known on a weekday.
func (s Sight) OpenOn(day time.Weekday) bool { return openOn(s.ClosedOn, day) }

func openOn(closed []string, day time.Weekday) bool {
	return !slices.Contains(closed, strings.ToLower(day.String()))
}

// Local is a way to get around in the city, or between an airport and its centre.
type Local struct {
	Option  string `json:"option"`
	Airport string `json:"airport,omitempty"` // IATA code of the airport whose way to the centre it is; "" for around
	Price   Range  `json:"price"`
	Per     string `json:"per"`               // "ride", "day", "person" or "vehicle"
	Minutes int    `json:"minutes,omitempty"` // from the airport to the centre
	Note    string `json:"note,omitempty"`
}

// Season is what to expect in some months of the year.
type Season struct {
	Months []int  `json:"months"` // 1 to 12
	Risk   string `json:"risk"`   // of Risks
	Note   string `json:"note"`
}

// Risks returns the vocabulary of the risks of a Season.
func Risks() []string {
	return []string{"heat", "cold", "rain", "monsoon", "storms", "smog", "crowds", "closures"}
}

// InMonth returns what to expect in a month.
func (c City) InMonth(m time.Month) []Season {
	var list []Season
	for _, s := range c.Season {
		if slices.Contains(s.Months, int(m)) {
			list = append(list, s)
		}
	}
	return list
}

// High returns the usual highest temperature of a day in a month, in °C.
func (c City) High(m time.Month) int { return c.Highs[(int(m)+11)%12] }

// Of returns the city with an IATA code, or the city that an airport with that code
// serves. Case does not matter.
func Of(code string) (City, bool) {
	c, ok := shelf().byCode[strings.ToUpper(strings.TrimSpace(code))]
	if !ok {
		return City{}, false
	}
	return *c, true
}

// Codes returns the codes of all cities in alphabetical order.
func Codes() []string { return slices.Clone(shelf().codes) }
