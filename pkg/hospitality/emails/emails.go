// Package emails writes to guests about their bookings.
//
// Code writes an email from the stored booking, so nothing in it is a model's
// invention but the note that a person has seen and agreed to. An email goes to
// the address in the booking and nowhere else, at most once for each consent.
package emails

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/hospitality/reservations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Kind is what an email is about.
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

// Property is what an email says of the house. Empty fields are left out.
type Property struct {
	Name         string `json:"name"`
	CheckInTime  string `json:"checkInTime"` // "14:00"
	CheckOutTime string `json:"checkOutTime"`
	Phone        string `json:"phone"`
	Email        string `json:"email"`
	Address      string `json:"address"`
}

// Store reads what emails are made of. Each method acts for by, in by's
// chosen property.
type Store interface {
	// Details returns the reservation; see reservations.Store.
	Details(ctx context.Context, by identity.Caller, code string) (reservations.Details, error)

	// Property returns what the house says of itself.
	Property(ctx context.Context, by identity.Caller) (Property, error)
}
