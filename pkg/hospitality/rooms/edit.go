package rooms

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/update_room_type.md
var updateRoomTypeText string

//go:embed tools/delete_room_type.md
var deleteRoomTypeText string

type updateInput struct {
	Room string `json:"room" jsonschema:"the room type's code or name"`
	Changes
}

// Check tidies what is given and refuses what no room type can be.
func (in *updateInput) Check() error {
	// Whatever is not given is taken from a type that is in order.
	t := Type{Name: "x", Capacity: 50, IncludedGuests: 1, MinStay: 1, MaxStay: 365}.with(in.Changes)
	if err := t.tidy(); err != nil {
		return err
	}
	if in.Name != nil {
		in.Name = &t.Name
	}
	if in.Description != nil {
		in.Description = &t.Description
	}
	if in.Amenities != nil {
		in.Amenities = &t.Amenities
	}
	for _, field := range in.Clear {
		if field == Floor && in.FloorPrice != nil || field == Ceiling && in.CeilingPrice != nil {
			return fault.New(fault.Invalid, "%s is both given and to be cleared.", field)
		}
	}
	if in.Units == nil {
		return nil
	}
	return forms.Between("units", *in.Units, 1, maxUnits)
}

// with returns the type with the changes made; units are left out.
func (t Type) with(c Changes) Type {
	t.Name, t.Description = or(c.Name, t.Name), or(c.Description, t.Description)
	t.Capacity, t.IncludedGuests = or(c.Capacity, t.Capacity), or(c.IncludedGuests, t.IncludedGuests)
	t.ExtraGuestPrice = or(c.ExtraGuestPrice, t.ExtraGuestPrice)
	t.WeekdayPrice, t.WeekendPrice = or(c.WeekdayPrice, t.WeekdayPrice), or(c.WeekendPrice, t.WeekendPrice)
	t.MinStay, t.MaxStay = or(c.MinStay, t.MinStay), or(c.MaxStay, t.MaxStay)
	t.FloorPrice, t.CeilingPrice = cmp.Or(c.FloorPrice, t.FloorPrice), cmp.Or(c.CeilingPrice, t.CeilingPrice)
	if slices.Contains(c.Clear, Floor) {
		t.FloorPrice = nil
	}
	if slices.Contains(c.Clear, Ceiling) {
		t.CeilingPrice = nil
	}
	t.ClosedArrivalDays = or(c.ClosedArrivalDays, t.ClosedArrivalDays)
	t.ClosedDepartureDays = or(c.ClosedDepartureDays, t.ClosedDepartureDays)
	t.Amenities = or(c.Amenities, t.Amenities)
	t.Active = or(c.Active, t.Active)
	return t
}

func updateTool(store Store, now calendar.Clock) tool.Tool {
	return tool.New(tool.Spec{Name: "update_room_type", Effect: tool.Changes, Description: updateRoomTypeText},
		func(ctx context.Context, by identity.Caller, in updateInput) (updated, error) {
			today, err := today(by, now)
			if err == nil {
				err = Type{}.with(in.Changes).cents(by.Entity.Currency)
			}
			if err != nil {
				return updated{}, err
			}
			types, err := store.List(ctx, by, true)
			if err != nil {
				return updated{}, err
			}
			t, err := names.Act(types, in.Room, "room type", func(code string) (Type, error) {
				return store.Update(ctx, by, code, in.Changes, today)
			})
			return updated{t}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in updateInput) (tool.Preview, error) {
			return previewUpdate(ctx, store, now, by, in)
		}))
}

func today(by identity.Caller, now calendar.Clock) (calendar.Date, error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return calendar.Date{}, err
	}
	return calendar.Today(now(), zone), nil
}

func previewUpdate(ctx context.Context, store Store, now calendar.Clock, by identity.Caller,
	in updateInput) (tool.Preview, error) {
	today, err := today(by, now)
	if err != nil {
		return tool.Preview{}, err
	}
	types, err := store.List(ctx, by, true)
	if err != nil {
		return tool.Preview{}, err
	}
	t, err := names.Find(types, in.Room, "room type")
	if err != nil {
		return tool.Preview{}, err
	}
	if in.Name == nil {
		effect.Only(ctx, t.Code)
	} else if other, taken := names.Taken(types, *in.Name); taken && other.Code != t.Code {
		return tool.Preview{}, other.taken()
	}
	after := t.with(in.Changes)
	if err := cmp.Or(after.fits(), after.cents(by.Entity.Currency)); err != nil {
		return tool.Preview{}, err
	}
	use, err := store.Use(ctx, by, t.Code, today)
	if err != nil {
		return tool.Preview{}, err
	}
	var moves []Move
	if in.Units != nil && *in.Units < len(t.Units) && len(use.BusyUnits) > 0 {
		if moves, err = store.UnitMoves(ctx, by, t.Code, *in.Units, today); err != nil {
			return tool.Preview{}, err
		}
	}
	d, warnings := t.differences(after, in.Units, use)
	switch len(moves) {
	case 0:
	case 1:
		warnings = append(warnings, "1 stay moves to another unit.")
	default:
		warnings = append(warnings, fmt.Sprintf("%d stays move to other units.", len(moves)))
	}
	p, err := d.Preview("room type", t.Name, t.target(), warnings)
	for _, m := range moves {
		guest, _ := plaintext.Show(m.Guest)
		p.Lines = append(p.Lines, tool.Line{
			Label:  fmt.Sprintf("%s of %s, %s to %s", m.Code, guest, m.CheckIn.Show(), m.CheckOut.Show()),
			Before: m.From, After: m.To,
		})
	}
	return p, err
}

// differences compares a type with what it is to become.
func (t Type) differences(after Type, units *int, use Use) (d forms.Diff, warnings []string) {
	d.Hint = "To remove a limit, name it in clear." // for a caller that wrote null
	amount := func(a *money.Amount) string { return t.show(a) }
	price := forms.In(t.Currency)
	if forms.Changed(&d, "Name", t.Name, &after.Name, forms.Plain) {
		warnings = append(warnings, "Its code stays "+t.Code+".")
	}
	forms.Changed(&d, "Description", t.Description, &after.Description, forms.Plain)
	fewer := forms.Changed(&d, "Guests at most", t.Capacity, &after.Capacity, forms.Whole) &&
		after.Capacity < t.Capacity
	costs := forms.Changed(&d, "Guests included", t.IncludedGuests, &after.IncludedGuests, forms.Whole)
	costs = forms.Changed(&d, "Each further guest per night", t.ExtraGuestPrice, &after.ExtraGuestPrice, price) ||
		costs
	nightly := forms.Changed(&d, "Weekday night", t.WeekdayPrice, &after.WeekdayPrice, price)
	nightly = forms.Changed(&d, "Weekend night", t.WeekendPrice, &after.WeekendPrice, price) || nightly
	limits := forms.Changed(&d, "No night below", t.FloorPrice, &after.FloorPrice, amount)
	limits = forms.Changed(&d, "No night above", t.CeilingPrice, &after.CeilingPrice, amount) || limits
	forms.Changed(&d, "Nights", t.stay(), ptr(after.stay()), forms.Plain)
	forms.Changed(&d, "No arrivals on", t.ClosedArrivalDays, &after.ClosedArrivalDays, days)
	forms.Changed(&d, "No departures on", t.ClosedDepartureDays, &after.ClosedDepartureDays, days)
	forms.Changed(&d, "Amenities", t.Amenities, &after.Amenities, forms.Joined)
	forms.Changed(&d, "Units", len(t.Units), units, forms.Whole)
	stopped := forms.Changed(&d, "Active", t.Active, &after.Active, forms.Yes) && !after.Active

	if costs || nightly || limits {
		warnings = append(warnings, "Bookings that exist keep the price that they were made at.")
		warnings = append(warnings, after.oddities()...)
	}
	if nightly && len(use.Seasons) > 0 {
		warnings = append(warnings, "Seasons with prices of their own stay as they are: "+
			strings.Join(use.Seasons, ", ")+".")
	}
	if fewer && use.Upcoming > 0 {
		warnings = append(warnings, "Bookings of more guests stay as they are.")
	}
	if stopped && use.Upcoming > 0 {
		warnings = append(warnings, fmt.Sprintf("It has %s to come; they stay.", bookings(use.Upcoming)))
	}
	return d, warnings
}

func ptr[T any](v T) *T { return &v }

func bookings(n int) string {
	if n == 1 {
		return "1 booking"
	}
	return fmt.Sprintf("%d bookings", n)
}

func (t Type) target() tool.Target {
	return tool.Target{Table: "room_types", Key: t.Code, Version: t.Version}
}

type updated struct{ Type }

// Summarize says what it is now.
func (u updated) Summarize() string {
	text := fmt.Sprintf("Changed the room type %s (%s): %s for up to %d, %s on weekdays, %s on weekend nights", u.Name,
		u.Code, u.unitCount(),
		u.Capacity, u.show(&u.WeekdayPrice), u.show(&u.WeekendPrice))
	if !u.Active {
		text += "; it is not let at present"
	}
	return text + "."
}

// Count is one: the changed room type.
func (u updated) Count() int { return 1 }

type deleteInput struct {
	Room string `json:"room" jsonschema:"the room type's code or name"`
}

func deleteTool(store Store, now calendar.Clock) tool.Tool {
	return tool.New(tool.Spec{Name: "delete_room_type", Effect: tool.Destroys, Description: deleteRoomTypeText},
		func(ctx context.Context, by identity.Caller, in deleteInput) (deleted, error) {
			types, err := store.List(ctx, by, true)
			if err != nil {
				return deleted{}, err
			}
			code, err := names.Act(types, in.Room, "room type", func(code string) (string, error) {
				return store.Delete(ctx, by, code)
			})
			return deleted{code}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in deleteInput) (tool.Preview, error) {
			return previewDelete(ctx, store, now, by, in)
		}))
}

func previewDelete(ctx context.Context, store Store, now calendar.Clock, by identity.Caller,
	in deleteInput) (tool.Preview, error) {
	today, err := today(by, now)
	if err != nil {
		return tool.Preview{}, err
	}
	t, err := Find(ctx, store, by, in.Room)
	if err != nil {
		return tool.Preview{}, err
	}
	effect.Only(ctx, t.Code)
	use, err := store.Use(ctx, by, t.Code, today)
	if err != nil {
		return tool.Preview{}, err
	}
	if use.Obstacle != "" {
		return tool.Preview{}, fault.New(fault.Conflict, "%s", use.Obstacle).WithCode("in_use")
	}
	p := tool.Preview{
		Title: "Delete the room type " + t.Name + " (" + t.Code + ")",
		Lines: []tool.Line{
			{Label: "Property", After: by.Entity.Name}, {Label: "Room type", Before: t.Name + " (" + t.Code + ")",
				After: "deleted"},
			{Label: "Units", Before: strings.Join(t.Units, ", "), After: "deleted"},
		},
		Warnings: []string{"It cannot be brought back. To only stop letting it, make it inactive instead."},
		Targets:  []tool.Target{t.target()},
	}
	if len(use.Removed) > 0 {
		p.Warnings = append(p.Warnings, "It is taken out of what names it: "+strings.Join(use.Removed, ", ")+
			". Its own seasons go with it.")
	}
	return p, nil
}

type deleted struct {
	Code string `json:"deleted"`
}

// Summarize says what is gone.
func (d deleted) Summarize() string { return "Deleted the room type " + d.Code + " and its units." }
