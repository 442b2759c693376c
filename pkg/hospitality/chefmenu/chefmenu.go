// Package chefmenu holds the menu of a hotel's private chef: its dishes, and
// which of them are offered.
package chefmenu

import (
	"context"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Category is one of the five parts of the menu.
type Category string

// The parts, in the order of a meal.
const (
	Starters         Category = "starters"
	LocalMains       Category = "local_mains"
	ContinentalMains Category = "continental_mains"
	LocalSides       Category = "local_sides"
	ContinentalSides Category = "continental_sides"
)

// Categories returns the parts in the order of a meal.
func Categories() []Category {
	return []Category{Starters, LocalMains, ContinentalMains, LocalSides, ContinentalSides}
}

// Words returns the category as people say it: "local mains".
func (c Category) Words() string { return strings.ReplaceAll(string(c), "_", " ") }

// ParseCategory reads a category as people write it: "Local mains", "starter",
// "side dish (continental)", "Indian main course". Anything else is a
// fault.Invalid error that asks for what is missing.
func ParseCategory(written string) (Category, error) {
	words := strings.FieldsFunc(names.Fold(written), func(r rune) bool { return strings.ContainsRune(" ,()/.", r) })
	has := func(any ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(any, w) })
	}
	starter := has("starter", "starters", "appetizer", "appetizers", "appetiser", "appetisers")
	main, side := has("main", "mains"), has("side", "sides")
	local := has("local", "indian", "regional", "pahadi", "pahari", "desi")
	continental := has("continental", "western", "european")
	switch {
	case starter && !main && !side:
		return Starters, nil
	case main && side || main && starter || side && starter || local && continental:
	case main && local:
		return LocalMains, nil
	case main && continental:
		return ContinentalMains, nil
	case side && local:
		return LocalSides, nil
	case side && continental:
		return ContinentalSides, nil
	case main:
		return "", fault.New(fault.Invalid, "Which mains: local mains or continental mains?")
	case side:
		return "", fault.New(fault.Invalid, "Which sides: local sides or continental sides?")
	}
	return "", fault.New(fault.Invalid, "The category must be starters, local mains, continental mains, local sides "+
		"or continental sides.")
}

// Item is a dish. Price is in Currency.
type Item struct {
	Code        string       `json:"code"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Category    Category     `json:"category"`
	Price       money.Amount `json:"price"`
	Currency    string       `json:"currency"`
	Dietary     []string     `json:"dietary"` // words such as vegan
	Available   bool         `json:"available"`
	Version     int          `json:"-"`
}

// Naming returns the code and the name.
func (i Item) Naming() (code, name string) { return i.Code, i.Name }

// Changes are the fields of a dish that change; nil and "" (of Category) leave
// one as it is.
type Changes struct {
	Name        *string       `json:"name,omitempty"`
	Description *string       `json:"description,omitempty"`
	Category    Category      `json:"category,omitempty"`
	Price       *money.Amount `json:"price,omitempty"`
	Dietary     *[]string     `json:"dietary,omitempty"`
	Available   *bool         `json:"available,omitempty"`
}

// Store keeps the menus of properties. Each method acts for by and sees only
// what by may see, in by's chosen property. Under an effect's claim a write
// happens once: a second call gives the answer of the first.
type Store interface {
	// List returns all dishes, available or not, in the order of a meal and by
	// name in each category.
	List(ctx context.Context, by identity.Caller) ([]Item, error)

	// Create adds a dish and returns it as it now is. The database makes its
	// code; that of i is ignored. A name that is taken is a fault.Conflict
	// error with the code "duplicate".
	Create(ctx context.Context, by identity.Caller, i Item) (Item, error)

	// Update changes the given fields and returns the dish as it now is. No
	// such code is a fault.NotFound error, a name that is taken a
	// fault.Conflict one with the code "duplicate".
	Update(ctx context.Context, by identity.Caller, code string, c Changes) (Item, error)

	// Toggle offers a dish or takes it off the menu and returns it as it now
	// is; with nil the other way round than it was. No such code is a
	// fault.NotFound error.
	Toggle(ctx context.Context, by identity.Caller, code string, available *bool) (Item, error)

	// Chosen counts the selections of guests that name the dish of that code.
	Chosen(ctx context.Context, by identity.Caller, code string) (int, error)

	// Delete removes a dish for good and returns its code. It returns a
	// fault.Conflict error with the code "in_use" while a selection names it.
	Delete(ctx context.Context, by identity.Caller, code string) (string, error)
}
