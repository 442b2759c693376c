// Package options composes two or three plans of a trip from what specialists found, in
// code: who stays where, what is done in which order, what it costs. A model gives them
// words afterwards; it changes no figure.
package options

import (
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Option is one plan (S4-9).
type Option struct {
	ID          string      `json:"id"` // "opt-1"
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Highlights  []string    `json:"highlights"`
	Tier        trip.Budget `json:"tier"`
	Pace        trip.Pace   `json:"pace"`
	Focus       string      `json:"focus"`  // the interest that weighs most: "history"
	Style       string      `json:"style"`  // of the stay: "hostel", "hotel", "boutique"
	Dining      string      `json:"dining"` // "street food and markets", "casual", "fine dining"
	// EstimatedTotalCost is Totals in words and says for whom: "€640–820 for 2 people".
	EstimatedTotalCost string    `json:"estimatedTotalCost"`
	Totals             []Total   `json:"totals"` // one a currency
	Costs              []Line    `json:"costs"`  // they add up to Totals, to the cent
	Itinerary          Itinerary `json:"itinerary"`
	Tags               []string  `json:"tags"`
	// Gaps say what is missing of it, in sentences.
	Gaps []string `json:"gaps,omitempty"`
}

// Total is the sum of the costs of a currency.
type Total struct {
	From     money.Amount `json:"from"`
	To       money.Amount `json:"to"`
	Currency string       `json:"currency"`
}

// Category is what money is spent on.
type Category string

// The categories, in their order.
const (
	CostTransport Category = "transport"
	CostStay      Category = "stay"
	CostFood      Category = "food"
	CostActivity  Category = "activities"
)

// Line is one cost of an option for all travellers.
type Line struct {
	Category Category           `json:"category"`
	Label    string             `json:"label"`         // "3 nights at …, 1 room"
	Code     string             `json:"code"`          // of the recommendation
	Day      int                `json:"day,omitempty"` // 0 for all of the trip
	From     money.Amount       `json:"from"`
	To       money.Amount       `json:"to"`
	Currency string             `json:"currency"`
	Source   specialists.Source `json:"source"`
}

// Itinerary is an option by day.
type Itinerary struct {
	Summary string `json:"summary"`
	Days    []Day  `json:"days"` // every day of the range
	// AlternativeOptions are what else was found, to swap for.
	AlternativeOptions Alternatives `json:"alternativeOptions"`
}

// Alternatives are recommendations that the option does not use (S4-43).
type Alternatives struct {
	Transport []specialists.Recommendation `json:"transport"`
	Stays     []specialists.Recommendation `json:"stays"`
	Dining    []specialists.Recommendation `json:"dining"`
}

// Day is one day.
type Day struct {
	Number int           `json:"dayNumber"` // from 1
	Date   calendar.Date `json:"date"`
	City   string        `json:"city"`
	Title  string        `json:"title"`
	Note   string        `json:"note,omitempty"`
	// Transport are journeys of the day, and of the kind local how to get around in the city.
	// Accommodation is where the night is, nil on the last day and where none was found.
	Transport     []Entry `json:"transport"`
	Accommodation *Entry  `json:"accommodation,omitempty"`
	Meals         []Entry `json:"meals"`
	Activities    []Entry `json:"activities"` // in walking order
}

// Entry is one thing of a day.
type Entry struct {
	Code string `json:"code,omitempty"` // of the recommendation, or of the sight: "A4"
	Name string `json:"name"`
	// Kind is the meal or the mode of transport: "lunch", "flight"; "" otherwise.
	Kind   string  `json:"kind,omitempty"`
	Detail string  `json:"detail,omitempty"`
	Number string  `json:"number,omitempty"` // of a live flight
	Starts string  `json:"starts,omitempty"` // local clock: "09:30"; "" where no time is set
	Ends   string  `json:"ends,omitempty"`
	Nights int     `json:"nights,omitempty"` // how many days later it ends
	Walk   int     `json:"walk,omitempty"`   // minutes on foot from the entry before
	Area   string  `json:"area,omitempty"`
	Lat    float64 `json:"lat,omitempty"`
	Lon    float64 `json:"lon,omitempty"`
	// Source is "" of a must-do that no source knows: it stands in the person's own words.
	Source specialists.Source `json:"source"`
	// MustDo is the wish of the person that it fulfils, "" for none.
	MustDo string `json:"mustDo,omitempty"`
}

// Set is all options of a run (S4-8).
type Set struct {
	Options        []Option `json:"options"`
	ComparisonNote string   `json:"comparisonNote"`
	Assumptions    []string `json:"assumptions"`
	Risks          []string `json:"risks"`
	Questions      []string `json:"questions"`
	// Axes are what the options are compared by, with the value of each option in order.
	Axes []Axis `json:"axes"`
	// Tiers is what the rule of S4-10 says of the totals: "budget is 42 % below mid".
	Tiers []string `json:"tiers"`
	// Degraded has public codes of what the options do without.
	Degraded []string `json:"degraded,omitempty"`
}

// Axis is one way in which options may differ.
type Axis struct {
	Name   string   `json:"name"` // budget, pace, stay, dining, focus
	Values []string `json:"values"`
}
