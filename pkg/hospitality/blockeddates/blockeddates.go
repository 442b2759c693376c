// Package blockeddates keeps rooms out of sale for some nights: for maintenance,
// staff holiday, renovation or another reason.
//
// People name the first and the last night of a block, both included. Inside,
// nights are half-open ranges as everywhere.
package blockeddates

import (
	"context"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Reason says why rooms are not let.
type Reason string

// Values returns the closed set.
func (Reason) Values() []string {
	return []string{"maintenance", "staff_holiday", "renovation", "other"}
}

// Words returns the reason as people say it.
func (r Reason) Words() string {
	if r == "other" {
		return "another reason"
	}
	return strings.ReplaceAll(string(r), "_", " ")
}

// Unit is one room that can be blocked.
type Unit struct {
	Code     string // of the unit; a type's first one bears the type's code
	TypeCode string
	TypeName string
	Active   bool // it is let at present, and so is its type
}

// Span is some units for the nights of a range.
type Span struct {
	Units  []string // codes
	Nights calendar.Range
}

// Block is a period in which units are not let, all of them for the same
// nights.
type Block struct {
	Code    string
	Reason  Reason
	Note    string
	Version int
	Span
}

// Move is a stay that makes room for a block: it moves to another unit of its type.
type Move struct {
	Code     string        `json:"code"` // of the reservation
	Guest    string        `json:"guest"`
	CheckIn  calendar.Date `json:"check_in"`
	CheckOut calendar.Date `json:"check_out"`
	From     string        `json:"unit"`
	To       string        `json:"to_unit"`
}

// Filter says which blocks are looked for. Empty fields select all.
type Filter struct {
	Nights calendar.Range // blocks with a night in it; either side may be open
	Units  []string       // blocks that hold one of these
	Reason Reason
}

// Store keeps the blocks of properties. Each method acts for by and sees only
// what by may see, in by's chosen property.
type Store interface {
	// Units returns the property's units ordered by type and code, those that
	// are not let at present too.
	Units(ctx context.Context, by identity.Caller) ([]Unit, error)

	// List returns the blocks that match f by their first night, at most 500.
	List(ctx context.Context, by identity.Caller, f Filter) ([]Block, error)

	// Plan returns what is blocked already within the span, one unit and
	// stretch each, clipped to it. It refuses what Block refuses.
	Plan(ctx context.Context, by identity.Caller, span Span) ([]Block, error)

	// Moves returns the stays that Block moves to other units of their types, by
	// arrival: those to come that nobody pinned to a unit of the span.
	Moves(ctx context.Context, by identity.Caller, span Span) ([]Move, error)

	// Block blocks what is not blocked yet of the span, moves the stays that
	// Moves names, and returns the new blocks. Nights of other bookings, or none left to block, are a fault.Conflict
	// error that names what is there, and nothing is blocked. Under an effect's
	// claim it happens once: a second call returns the same blocks.
	Block(ctx context.Context, by identity.Caller, span Span, reason Reason, note string) ([]Block, error)

	// Unblock frees the nights of the span from all blocks and returns what
	// was freed. Blocks that reach beyond it keep their other nights and
	// units; bookings are not touched. It returns a fault.NotFound error when
	// nothing of the span is blocked. Under an effect's claim it happens once.
	Unblock(ctx context.Context, by identity.Caller, span Span) ([]Span, error)
}

// nights is the number of nights times units.
func (s Span) nights() int { return s.Nights.Days() * len(s.Units) }
