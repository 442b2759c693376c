package flights

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Supplier sells flights. Its errors are fault errors with a sentence of the supplier's
// or of ours, and these codes among others: offer_expired, offer_unavailable (gone),
// price_changed, no_flights (an unknown route), supplier_timeout, supplier_rate_limited,
// unsupported, invalid_passenger. Methods that act (Order, Pay, Cancel) are called once
// for a key; an error of theirs that is marked with effect.NotDone says that nothing
// happened, any other that it is not known.
type Supplier interface {
	// Search returns offers for a query, the cheapest first: all that came within the
	// supplier's time, up to a bound of the adapter's.
	Search(ctx context.Context, by identity.Caller, q Query) (Found, error)
	// Offer returns an offer at its price of now.
	Offer(ctx context.Context, by identity.Caller, id string) (Offer, error)
	// Order holds or buys. An answer in state Pending is not an error.
	Order(ctx context.Context, by identity.Caller, key string, o NewOrder) (Order, error)
	// Find looks for the order that was made of an offer under a key.
	Find(ctx context.Context, by identity.Caller, key, offerID string) (Order, bool, error)
	// Get returns an order as it is now.
	Get(ctx context.Context, by identity.Caller, id string) (Order, error)
	// Pay pays a held order from the organisation's balance. The price must be that of now.
	Pay(ctx context.Context, by identity.Caller, key, id string, price money.Price) (Order, error)
	// Quote says what cancelling would give back; it cancels nothing.
	Quote(ctx context.Context, by identity.Caller, id string) (Cancellation, error)
	// Cancel cancels an order for the refund of a quote.
	Cancel(ctx context.Context, by identity.Caller, c Cancellation) (Cancellation, error)
}

// NewOrder is what is ordered.
type NewOrder struct {
	Offer Offer
	// Hold says that nothing is paid now.
	Hold bool
	// Travellers are in the order of Offer.Passengers.
	Travellers []Person
}

// Person is a traveller as an airline needs them. It goes to the supplier only: never into
// a prompt, a log or the outbox.
type Person struct {
	Title     string // mr, mrs, ms, miss, dr
	Gender    string // m, f
	Given     string
	Family    string
	Born      calendar.Date
	Email     string
	Phone     string     // E.164
	Documents []Document // those to send
	// Infant is the index of the infant that travels on this adult's lap, or -1.
	Infant int
}

// Document is an identity document.
type Document struct {
	Type    string // passport
	Number  string
	Country string // ISO 3166, which issued it
	Expires calendar.Date
}
