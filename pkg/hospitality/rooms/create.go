package rooms

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/create_room_type.md
var createRoomTypeText string

const maxUnits = 200

type createInput struct {
	Name                string        `json:"name" jsonschema:"what guests call it"`
	Capacity            int           `json:"capacity" jsonschema:"how many guests fit in"`
	WeekdayPrice        money.Amount  `json:"weekday_price" jsonschema:"price of a night, Sunday to Thursday"`
	WeekendPrice        *money.Amount `json:"weekend_price,omitempty" jsonschema:"price of a Friday or Saturday night"`
	Units               *int          `json:"units,omitempty" jsonschema:"how many rooms of this type"`
	Description         string        `json:"description,omitempty" limits:"note" jsonschema:"text for guests"`
	IncludedGuests      *int          `json:"included_guests,omitempty" jsonschema:"guests that the price includes"`
	ExtraGuestPrice     money.Amount  `json:"extra_guest_price,omitzero" jsonschema:"per night of each further guest"`
	MinStay             *int          `json:"min_stay,omitempty" jsonschema:"shortest stay in nights"`
	MaxStay             *int          `json:"max_stay,omitempty" jsonschema:"longest stay in nights"`
	FloorPrice          *money.Amount `json:"floor_price,omitempty" jsonschema:"the least a night may cost"`
	CeilingPrice        *money.Amount `json:"ceiling_price,omitempty" jsonschema:"the most a night may cost"`
	ClosedArrivalDays   []Weekday     `json:"closed_arrival_days,omitempty" jsonschema:"weekdays on which nobody may arrive"`
	ClosedDepartureDays []Weekday     `json:"closed_departure_days,omitempty" jsonschema:"weekdays on which nobody may leave"`
	Amenities           []string      `json:"amenities,omitempty" jsonschema:"all it offers, such as wifi"`
}

// Check tidies the texts and refuses what the database would refuse.
func (in *createInput) Check() error {
	t := in.room()
	err := cmp.Or(t.tidy(), forms.Between("units", in.units(), 1, maxUnits))
	in.Name, in.Description, in.Amenities = t.Name, t.Description, t.Amenities
	return err
}

func (in createInput) units() int { return or(in.Units, 1) }

func (in createInput) room() Type {
	return Type{
		Name: in.Name, Description: in.Description, Capacity: in.Capacity,
		IncludedGuests: or(in.IncludedGuests, max(1, min(2, in.Capacity))), ExtraGuestPrice: in.ExtraGuestPrice,
		WeekdayPrice: in.WeekdayPrice, WeekendPrice: or(in.WeekendPrice, in.WeekdayPrice),
		FloorPrice: in.FloorPrice, CeilingPrice: in.CeilingPrice, MinStay: or(in.MinStay, 1),
		MaxStay:           or(in.MaxStay, max(30, or(in.MinStay, 1))),
		ClosedArrivalDays: in.ClosedArrivalDays, ClosedDepartureDays: in.ClosedDepartureDays, Amenities: in.Amenities,
		Active: true,
	}
}

func or[T any](given *T, otherwise T) T {
	if given != nil {
		return *given
	}
	return otherwise
}

// tidy tidies the texts of a type and checks each field and how they fit.
func (t *Type) tidy() error {
	return cmp.Or(
		forms.Name("room type", &t.Name), forms.Words("description", &t.Description, 4000),
		forms.List("amenities", &t.Amenities, 60),
		forms.Between("capacity", t.Capacity, 1, 50), forms.Between("included_guests", t.IncludedGuests, 1, 50),
		forms.Between("min_stay", t.MinStay, 1, 365), forms.Between("max_stay", t.MaxStay, 1, 365),
		forms.Price("weekday price", t.WeekdayPrice), forms.Price("weekend price", t.WeekendPrice),
		forms.Price("price of a further guest", t.ExtraGuestPrice),
		forms.Price("floor price", or(t.FloorPrice, money.Amount{})),
		forms.Price("ceiling price", or(t.CeilingPrice, money.Amount{})),
		t.fits())
}

// fits checks the fields that depend on each other.
func (t Type) fits() error {
	switch {
	case t.IncludedGuests > t.Capacity:
		return fault.New(fault.Invalid, "included_guests (%d) must not be above the capacity (%d).", t.IncludedGuests,
			t.Capacity)
	case t.MinStay > t.MaxStay:
		return fault.New(fault.Invalid, "min_stay (%d) must not be above max_stay (%d).", t.MinStay, t.MaxStay)
	case t.FloorPrice != nil && t.CeilingPrice != nil && t.FloorPrice.Cmp(*t.CeilingPrice) > 0:
		return fault.New(fault.Invalid, "floor_price (%s) must not be above ceiling_price (%s).", t.FloorPrice,
			t.CeilingPrice)
	}
	return nil
}

func (t Type) cents(currency string) error {
	return forms.Cents(currency, &t.WeekdayPrice, &t.WeekendPrice, &t.ExtraGuestPrice, t.FloorPrice, t.CeilingPrice)
}

func createTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "create_room_type", Effect: tool.Changes, Description: createRoomTypeText},
		func(ctx context.Context, by identity.Caller, in createInput) (created, error) {
			t := in.room()
			if err := t.cents(by.Entity.Currency); err != nil {
				return created{}, err
			}
			t, err := store.Create(ctx, by, t, in.units())
			return created{t}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in createInput) (tool.Preview, error) {
			return previewCreate(ctx, store, by, in)
		}))
}

func previewCreate(ctx context.Context, store Store, by identity.Caller, in createInput) (tool.Preview, error) {
	t := in.room()
	if err := t.cents(by.Entity.Currency); err != nil {
		return tool.Preview{}, err
	}
	types, err := store.List(ctx, by, true)
	if err != nil {
		return tool.Preview{}, err
	}
	if other, taken := names.Taken(types, t.Name); taken {
		return tool.Preview{}, other.taken()
	}
	t.Currency = by.Entity.Currency
	p := tool.Preview{Title: "Add the room type " + t.Name}
	add := func(label, after string) {
		if after != "" {
			p.Lines = append(p.Lines, tool.Line{Label: label, After: after})
		}
	}
	add("Property", by.Entity.Name)
	add("Name", t.Name)
	add("Units", strconv.Itoa(in.units()))
	add("Guests at most", strconv.Itoa(t.Capacity))
	add("Guests included", strconv.Itoa(t.IncludedGuests))
	add("Each further guest per night", t.show(&t.ExtraGuestPrice))
	add("Weekday night", t.show(&t.WeekdayPrice))
	add("Weekend night", t.show(&t.WeekendPrice))
	add("Nights", t.stay())
	add("No night below", t.show(t.FloorPrice))
	add("No night above", t.show(t.CeilingPrice))
	add("No arrivals on", days(t.ClosedArrivalDays))
	add("No departures on", days(t.ClosedDepartureDays))
	add("Amenities", forms.Joined(t.Amenities))
	add("Description", t.Description)
	p.Warnings = t.oddities()
	return p, nil
}

// oddities are what may surprise about prices.
func (t Type) oddities() []string {
	var odd []string
	if t.WeekdayPrice.IsZero() || t.WeekendPrice.IsZero() {
		odd = append(odd, "Some nights cost nothing.")
	}
	for _, p := range []money.Amount{t.WeekdayPrice, t.WeekendPrice} {
		if t.FloorPrice != nil && p.Cmp(*t.FloorPrice) < 0 || t.CeilingPrice != nil && p.Cmp(*t.CeilingPrice) > 0 {
			return append(odd, fmt.Sprintf("%s lies outside of the limits of a night's price, so nights cost the "+
				"limit instead.", t.show(&p)))
		}
	}
	return odd
}

// show writes an amount of the type, "" for none.
func (t Type) show(a *money.Amount) string {
	if a == nil {
		return ""
	}
	return a.Format(t.Currency)
}

func days(list []Weekday) string {
	words := make([]string, len(list))
	for i, d := range list {
		words[i] = string(d)
	}
	return forms.Joined(words)
}

// taken is the error for a second type of t's name.
func (t Type) taken() error {
	state := ""
	if !t.Active {
		state = " It is not let at present."
	}
	return fault.New(fault.Conflict, "There is already a room type called %s (%s).%s", t.Name, t.Code,
		state).WithCode("duplicate")
}

type created struct{ Type }

// Summarize says what was added.
func (c created) Summarize() string {
	return fmt.Sprintf("Added the room type %s (%s) with %s: %s on weekdays, %s on weekend nights.", c.Name, c.Code,
		c.unitCount(),
		c.show(&c.WeekdayPrice), c.show(&c.WeekendPrice))
}

// Count is one: the new room type.
func (c created) Count() int { return 1 }

func (t Type) unitCount() string {
	if len(t.Units) == 1 {
		return "one unit"
	}
	return strconv.Itoa(len(t.Units)) + " units"
}
