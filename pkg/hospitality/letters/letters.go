// Package letters writes to guests about their bookings.
//
// Code writes a letter from the stored booking, so nothing in it is a model's
// invention but the note that a person has seen and agreed to. A letter goes to
// the address in the booking and nowhere else, at most once for each consent.
package letters

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Kind is what a letter is about.
type Kind string

// The kinds.
const (
	Confirmation Kind = "confirmation"
	Change       Kind = "change"
	Cancellation Kind = "cancellation"
)

// Values returns the closed set.
func (Kind) Values() []string {
	return []string{string(Confirmation), string(Change), string(Cancellation)}
}

// Property is what a letter says of the house. Empty fields are left out.
type Property struct {
	Name         string
	CheckInTime  string // "14:00"
	CheckOutTime string
	Phone        string
	Email        string
	Address      string
}

// Store reads what letters are made of. Each method acts for by, in by's
// chosen property.
type Store interface {
	// Details returns the reservation; see reservations.Store.
	Details(ctx context.Context, by identity.Caller, code string) (reservations.Details, error)

	// Property returns what the house says of itself.
	Property(ctx context.Context, by identity.Caller) (Property, error)
}
