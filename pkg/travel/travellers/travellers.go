// Package travellers keeps the people for whom a person books, with what airlines ask
// for. What is personal goes by a form to its own endpoint: models see a Summary and
// nothing else.
package travellers

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// Summary is all that a model, a prompt and a log may know of a traveller.
type Summary struct {
	Code string       `json:"code"` // "PAX-1"
	Kind flights.Kind `json:"kind"` // today, or on the day that was asked for
	// Complete says that a flight can be ordered; Missing are the labels of the fields that
	// are wanted otherwise.
	Complete bool     `json:"complete"`
	Missing  []string `json:"missing,omitempty"`
	// Passport says whether one is there; PassportExpires is when it does.
	Passport        bool           `json:"passport"`
	PassportExpires *calendar.Date `json:"passportExpires,omitempty"`
	Self            bool           `json:"self"` // the person who asks
}

// Traveller is a profile as its form shows it to its owner.
type Traveller struct {
	Code      string        `json:"code"`
	Self      bool          `json:"self"`
	Title     string        `json:"title"`  // mr, mrs, ms, miss, dr; "" unknown
	Gender    string        `json:"gender"` // m, f; "" unknown
	Given     string        `json:"givenName"`
	Family    string        `json:"familyName"`
	Born      calendar.Date `json:"bornOn"`
	Email     string        `json:"email"`
	Phone     string        `json:"phone"` // E.164
	Passport  *Passport     `json:"passport"`
	Version   int           `json:"version"`
	UpdatedAt time.Time     `json:"updatedAt"`
}

// Passport is an identity document. Number is the last two signs behind dots when it is
// read; written that way it stays as it was.
type Passport struct {
	Number  string        `json:"number"`
	Country string        `json:"country"` // ISO 3166, which issued it
	Expires calendar.Date `json:"expires"`
}

// Store keeps the caller's own travellers. No other person reads them, whatever their role.
type Store interface {
	// Summaries returns what models may know, with kinds as of a day (zero: today by the
	// database).
	Summaries(ctx context.Context, by identity.Caller, on calendar.Date) ([]Summary, error)
	List(ctx context.Context, by identity.Caller) ([]Traveller, error)
	Save(ctx context.Context, by identity.Caller, t Traveller) (Traveller, error) // Code "" makes one
	Delete(ctx context.Context, by identity.Caller, code string, version int) error
	// People returns the whole data of travellers for an order, in the order of the codes,
	// full numbers of documents included. It is called only while an order is made.
	People(ctx context.Context, by identity.Caller, codes []string) ([]flights.Person, error)
}
