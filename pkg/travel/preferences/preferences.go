// Package preferences is what a person likes when travelling and what they have decided,
// across conversations. It is learned only with consent, can be seen and edited, and an
// allow-listed part of it reaches prompts.
package preferences

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Preferences are the source document's (S1-19), with the airport of home.
type Preferences struct {
	Airlines      []string `json:"preferredAirlines"`
	Cabin         string   `json:"preferredCabinClass"`
	HotelChains   []string `json:"preferredHotelChains"`
	Dietary       []string `json:"dietaryRestrictions"`
	Accessibility []string `json:"accessibilityNeeds"`
	Budget        Budget   `json:"budgetPreferences"`
	Interests     []string `json:"travelInterests"`
	Home          string   `json:"homeAirport"` // IATA code of an airport or a city
	// Learn says that the assistant may remember what the person says of their preferences
	// and decisions without asking each time. It is false at first.
	Learn bool `json:"learn"`
	// KeepSearches says that searches are kept beyond the day that their offers need. It is
	// true at first.
	KeepSearches bool      `json:"keepSearches"`
	Version      int       `json:"version"`
	UpdatedAt    time.Time `json:"updatedAt"`
}

// Budget has a word for each purpose, such as "economy", "premium", "luxury"; "" is none.
type Budget struct {
	Flights        string `json:"flights"`
	Accommodations string `json:"accommodations"`
	Activities     string `json:"activities"`
}

// Decision is something that the person has decided (S1-33): "no red-eye flights".
type Decision struct {
	Code  string        `json:"code"` // "D-3"
	Text  string        `json:"text"`
	About string        `json:"about"` // flights, hotels, activities, food, budget, other
	On    calendar.Date `json:"on"`
}

// Changes are what changes of preferences; nil members stay.
type Changes struct {
	Airlines      *[]string `json:"preferredAirlines,omitempty"`
	Cabin         *string   `json:"preferredCabinClass,omitempty"`
	HotelChains   *[]string `json:"preferredHotelChains,omitempty"`
	Dietary       *[]string `json:"dietaryRestrictions,omitempty"`
	Accessibility *[]string `json:"accessibilityNeeds,omitempty"`
	Budget        *Budget   `json:"budgetPreferences,omitempty"`
	Interests     *[]string `json:"travelInterests,omitempty"`
	Home          *string   `json:"homeAirport,omitempty"`
	Learn         *bool     `json:"learn,omitempty"`
	KeepSearches  *bool     `json:"keepSearches,omitempty"`
}

// Store keeps the caller's own preferences and decisions.
type Store interface {
	// Get returns the preferences, and false where the person has none.
	Get(ctx context.Context, by identity.Caller) (Preferences, bool, error)
	// Update changes them; version 0 is any. An effect.
	Update(ctx context.Context, by identity.Caller, version int, c Changes) (Preferences, error)
	// Forget deletes preferences and decisions, and the searches that were kept. An effect.
	Forget(ctx context.Context, by identity.Caller) error
	// Decisions returns those that fit a text best, by full text and near spellings, the
	// newest first where the text is "".
	Decisions(ctx context.Context, by identity.Caller, text string, limit int) ([]Decision, error)
	Decide(ctx context.Context, by identity.Caller, d Decision) (Decision, error) // Code "" makes one
	Undecide(ctx context.Context, by identity.Caller, code string) error
}
