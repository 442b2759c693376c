// Package specialists researches the parts of a trip: transport, stays and food. A
// specialist has no memory and no store: everything that it may know stands in its task.
package specialists

import (
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Task is what a specialist is asked for (S4-6).
type Task struct {
	ID         string          `json:"taskId"`   // "task-1"
	Name       string          `json:"taskName"` // "Transport research"
	Specialist trip.Specialist `json:"specialist"`
	// Instructions carry the requirements, budget, wishes, must-dos, dates and travellers.
	Instructions string `json:"instructions"`
}

// Source says where a recommendation or a cost comes from.
type Source string

// The sources. What a model says is not verified.
const (
	Live   Source = "live"   // a supplier's price of now
	Listed Source = "listed" // the guide that ships with the planner: typical prices
	Model  Source = "model"
)

// Values returns the sources.
func (Source) Values() []string { return []string{string(Live), string(Listed), string(Model)} }

// Per says for what a cost is.
type Per string

// What costs are for.
const (
	PerPerson Per = "person" // once, each
	PerNight  Per = "night"  // each night, of the rooms together
	PerDay    Per = "day"    // each day and person
	PerGroup  Per = "group"  // once, for all
)

// Values returns what costs are for.
func (Per) Values() []string {
	return []string{string(PerPerson), string(PerNight), string(PerDay), string(PerGroup)}
}

// Cost is a price or the range in which it is expected: From is at most To.
type Cost struct {
	From     money.Amount `json:"from"`
	To       money.Amount `json:"to"`
	Currency string       `json:"currency"` // ISO 4217
	Per      Per          `json:"per"`
	Source   Source       `json:"source"`
}

// Recommendation is one thing that a specialist recommends. Its members are those of the
// source document for its kind (S4-19 to S4-21); the others are empty.
type Recommendation struct {
	Code   string      `json:"code,omitempty"` // within the run: "T1", "S2", "F3"
	Source Source      `json:"source,omitempty"`
	Tier   trip.Budget `json:"tier,omitempty"`
	City   string      `json:"city,omitempty"` // name of the destination it is for; of transport, where it leads to
	Name   string      `json:"name,omitempty"`
	Cost   *Cost       `json:"cost,omitempty"` // nil where it is not known
	// EstimatedCost is Cost in words: "€24–30 per person".
	EstimatedCost string   `json:"estimatedCost,omitempty"`
	Pros          []string `json:"pros,omitempty"`
	Cons          []string `json:"cons,omitempty"`
	BestFor       string   `json:"bestFor,omitempty"`
	BookingTips   string   `json:"bookingTips,omitempty"`

	// Of transport.
	Option         string `json:"option,omitempty"` // "Train"
	Mode           string `json:"mode,omitempty"`   // flight, train, bus, car, ferry, local
	Provider       string `json:"provider,omitempty"`
	Route          string `json:"route,omitempty"` // "London → Paris"
	Back           bool   `json:"back,omitempty"`  // includes the journey back
	Distance       string `json:"distance,omitempty"`
	Duration       string `json:"duration,omitempty"`
	Minutes        int    `json:"minutes,omitempty"` // of the duration one way; 0 unknown
	Schedule       string `json:"schedule,omitempty"`
	LocalTransport string `json:"localTransport,omitempty"`
	// Departs to BackArrives are local times of live flights: "2027-02-12T09:15".
	Departs     string `json:"departs,omitempty"`
	Arrives     string `json:"arrives,omitempty"`
	BackDeparts string `json:"backDeparts,omitempty"`
	BackArrives string `json:"backArrives,omitempty"`
	// Numbers and BackNumbers are the numbers of the flights of each way: "BA117, BA2167".
	Numbers     string `json:"flightNumbers,omitempty"`
	BackNumbers string `json:"backFlightNumbers,omitempty"`
	// Offer is the code under which travel keeps the live offer, "" for none.
	Offer string `json:"offer,omitempty"`

	// Of stays and food.
	Type             string   `json:"type,omitempty"` // "Boutique hotel"
	Location         string   `json:"location,omitempty"`
	Address          string   `json:"address,omitempty"`
	Neighborhood     string   `json:"neighborhood,omitempty"`
	Walkability      string   `json:"walkability,omitempty"`
	RoomType         string   `json:"roomType,omitempty"`
	Amenities        []string `json:"amenities,omitempty"`
	BookingPlatforms []string `json:"bookingPlatforms,omitempty"`
	Lat              float64  `json:"lat,omitempty"`
	Lon              float64  `json:"lon,omitempty"`

	// Of food.
	MealType          string   `json:"mealType,omitempty"` // breakfast, lunch, dinner, snacks
	Cuisine           string   `json:"cuisine,omitempty"`
	MustTryDishes     []string `json:"mustTryDishes,omitempty"`
	DietaryOptions    []string `json:"dietaryOptions,omitempty"`
	ReservationNeeded bool     `json:"reservationNeeded,omitempty"`
	Hours             string   `json:"hours,omitempty"`
	ClosedOn          []string `json:"closedOn,omitempty"` // weekdays: "Monday"
	WaitTime          string   `json:"waitTime,omitempty"`
	ReservationTips   string   `json:"reservationTips,omitempty"`
	HistoricalNote    string   `json:"historicalNote,omitempty"`
	Tips              string   `json:"tips,omitempty"`

	// Error and Message stand in the place of all others where the research failed (S4-22).
	Error   string `json:"error,omitempty"`
	Message string `json:"message,omitempty"`
}

// Output is what a specialist answers (S4-17).
type Output struct {
	TaskID           string           `json:"taskId"`
	Agent            string           `json:"agent"` // "TransportAgent", "StayAgent", "FoodAgent"
	Recommendations  []Recommendation `json:"recommendations"`
	QuestionsForUser []string         `json:"questionsForUser"`
	Assumptions      []string         `json:"assumptions"`
	Risks            []string         `json:"risks"`
}

// Failed reports whether the research brought nothing.
func (o Output) Failed() bool {
	for _, r := range o.Recommendations {
		if r.Error == "" {
			return false
		}
	}
	return true
}
