// Package selections holds what guests chose for the extras that ask for a
// choice: meals, dates, wishes.
package selections

import (
	"context"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Status is where a selection stands: pending until the guest has chosen, then
// completed, then submitted to those who prepare it; or not required at all.
type Status string

// Where a selection can stand.
const (
	Pending     Status = "pending"
	Completed   Status = "completed"
	Submitted   Status = "submitted"
	NotRequired Status = "not_required"
)

// Values returns the closed set.
func (Status) Values() []string {
	return []string{string(Pending), string(Completed), string(Submitted), string(NotRequired)}
}

// Words returns the status as people say it.
func (s Status) Words() string {
	if s == NotRequired {
		return "not required"
	}
	return string(s)
}

// before returns the statuses from which s can be reached. A pending or
// completed selection may also keep its status while its choices change.
func (s Status) before() []Status {
	switch s {
	case Pending:
		return []Status{NotRequired, Pending}
	case Completed:
		return []Status{Pending, Completed}
	case Submitted:
		return []Status{Completed}
	case NotRequired:
		return []Status{Pending}
	}
	return nil
}

func (s Status) reaches(to Status) bool { return slices.Contains(to.before(), s) }

// Choice is one meal of one guest, or of all.
type Choice struct {
	Date   calendar.Date `json:"date,omitzero"`
	Meal   string        `json:"meal,omitempty"`
	Guest  string        `json:"guest,omitempty"`
	Dishes []string      `json:"items"` // codes
}

// Selection is what was chosen for one extra of one reservation.
type Selection struct {
	Code              string        `json:"code"`
	Status            Status        `json:"status"`
	ExtraCode         string        `json:"extraCode"`
	Extra             string        `json:"extraName"`
	Reservation       string        `json:"reservationCode"`
	ReservationStatus string        `json:"reservationStatus"`
	Guest             string        `json:"guestName"`
	Rooms             []string      `json:"rooms"` // codes of the units
	CheckIn           calendar.Date `json:"checkIn"`
	CheckOut          calendar.Date `json:"checkOut"`
	Adults            int           `json:"adults"`
	Children          int           `json:"children"`
	SpecialRequests   string        `json:"specialRequests"`
	ServiceDate       calendar.Date `json:"serviceDate"` // the zero Date when none is set
	Choices           []Choice      `json:"choices"`
	Preferences       string        `json:"preferences"`
	Version           int           `json:"-"`
}

// Filter says which selections are looked for. Empty fields select all.
type Filter struct {
	Code        string
	Reservation string // code
	Extra       string // code
	Statuses    []Status
	From, To    calendar.Date // day of service, both included
	Limit       int           // 1 to 200
	Offset      int           // how many to pass over
}

// Found is a part of what was looked for.
type Found struct {
	Selections []Selection
	Matches    int // how many there are in all; 0 where no Selections are left after Offset
}

// Extra is an extra by its code and name.
type Extra struct{ Code, Name string }

// Naming returns the code and the name.
func (e Extra) Naming() (code, name string) { return e.Code, e.Name }

// Dish is something on the chef's menu.
type Dish struct {
	Code, Name string
	Available  bool
	Version    int
}

// Naming returns the code and the name.
func (d Dish) Naming() (code, name string) { return d.Code, d.Name }

// Change is what becomes of a selection. Empty fields stay as they are.
type Change struct {
	To          Status        `json:"status"`
	Choices     []Choice      `json:"choices,omitempty"` // replace all that were there
	Preferences string        `json:"preferences,omitempty"`
	ServiceDate calendar.Date `json:"serviceDate,omitzero"`
	At          time.Time     `json:"-"` // when it is completed or submitted
}

// Store keeps the selections of properties. Each method acts for by and sees
// only what by may see, in by's chosen property.
type Store interface {
	// List returns the selections that match f: those to be served from today
	// on by their day, then the past ones, latest first.
	List(ctx context.Context, by identity.Caller, today calendar.Date, f Filter) (Found, error)

	// Extras returns the property's extras by name.
	Extras(ctx context.Context, by identity.Caller) ([]Extra, error)

	// Dishes returns the chef's menu by name.
	Dishes(ctx context.Context, by identity.Caller) ([]Dish, error)

	// Update changes the selection of that code if its status is one of those
	// in from; otherwise nothing is changed and it returns a fault.Conflict
	// error. The result holds what was stored: code, status, choices,
	// preferences, day of service. Under an effect's claim it happens once.
	Update(ctx context.Context, by identity.Caller, code string, from []Status, c Change) (Selection, error)
}
