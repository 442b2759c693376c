package packages

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

type updateInput struct {
	Package          string         `json:"package" jsonschema:"the package's code or name"`
	Name             *string        `json:"name,omitempty" jsonschema:"what guests call it"`
	Price            *money.Amount  `json:"price,omitempty" jsonschema:"the price without tax"`
	Per              Per            `json:"per,omitempty" jsonschema:"what the price counts for"`
	Rooms            *[]string      `json:"rooms,omitempty" jsonschema:"codes or names of its room types; none for all"`
	Extras           *[]extraInput  `json:"extras,omitempty" jsonschema:"the extras that it contains"`
	Description      *string        `json:"description,omitempty" limits:"note" jsonschema:"text for guests"`
	RoomSharePercent *money.Amount  `json:"room_share_percent,omitempty" jsonschema:"part of the price that is room revenue, in percent"`
	MinNights        *int           `json:"min_nights,omitempty" jsonschema:"shortest stay in nights"`
	MaxNights        *int           `json:"max_nights,omitempty" jsonschema:"longest stay in nights"`
	IncludedGuests   *int           `json:"included_guests,omitempty" jsonschema:"guests that the price includes"`
	ValidFrom        *calendar.Date `json:"valid_from,omitempty" jsonschema:"first night for which it is sold"`
	ValidTo          *calendar.Date `json:"valid_to,omitempty" jsonschema:"last night for which it is sold"`
	Active           *bool          `json:"active,omitempty" jsonschema:"false takes it out of use, true brings it back"`
	Clear            []Limit        `json:"clear,omitempty" jsonschema:"limits to remove"`
}

// Check tidies what is given and refuses what no package can be.
func (in *updateInput) Check() error {
	// Whatever is not given is taken from a package that is in order.
	p := in.on(Package{Name: "x", MinNights: 1, IncludedGuests: 1})
	if err := cmp.Or(p.tidy(), quantities(or(in.Extras, nil))); err != nil {
		return err
	}
	if in.Name != nil {
		in.Name = &p.Name
	}
	if in.Description != nil {
		in.Description = &p.Description
	}
	for field, given := range map[Limit]bool{MaxNights: in.MaxNights != nil, ValidFrom: in.ValidFrom != nil,
		ValidTo: in.ValidTo != nil} {
		if given && slices.Contains(in.Clear, field) {
			return fault.New(fault.Invalid, "%s is both given and to be cleared.", field)
		}
	}
	return nil
}

// on returns the package with the changes made; parts are left out.
func (in updateInput) on(p Package) Package {
	p.Name, p.Description = or(in.Name, p.Name), or(in.Description, p.Description)
	p.Price, p.Per = or(in.Price, p.Price), cmp.Or(in.Per, p.Per)
	p.RoomSharePercent = or(in.RoomSharePercent, p.RoomSharePercent)
	p.MinNights, p.MaxNights = or(in.MinNights, p.MinNights), cmp.Or(in.MaxNights, p.MaxNights)
	p.IncludedGuests = or(in.IncludedGuests, p.IncludedGuests)
	p.ValidFrom, p.ValidTo = cmp.Or(in.ValidFrom, p.ValidFrom), cmp.Or(in.ValidTo, p.ValidTo)
	p.Active = or(in.Active, p.Active)
	for _, field := range in.Clear {
		switch field {
		case MaxNights:
			p.MaxNights = nil
		case ValidFrom:
			p.ValidFrom = nil
		case ValidTo:
			p.ValidTo = nil
		}
	}
	return p
}

func (s Service) update(ctx context.Context, by identity.Caller, in updateInput) (updated, error) {
	c := Changes{
		Name: in.Name, Description: in.Description, Price: in.Price, Per: in.Per,
		RoomSharePercent: in.RoomSharePercent, MinNights: in.MinNights,
		MaxNights: in.MaxNights, IncludedGuests: in.IncludedGuests, ValidFrom: in.ValidFrom, ValidTo: in.ValidTo,
		Active: in.Active, Clear: in.Clear,
	}
	got, err := s.resolve(ctx, by, or(in.Rooms, nil), or(in.Extras, nil))
	if err = cmp.Or(err, forms.Cents(by.Entity.Currency, in.Price)); err != nil {
		return updated{}, err
	}
	if in.Rooms != nil {
		c.Rooms = &got.rooms
	}
	if in.Extras != nil {
		c.Extras = &got.extras
	}
	all, err := s.Packages.List(ctx, by, true)
	if err != nil {
		return updated{}, err
	}
	p, err := names.Act(all, in.Package, "package", func(code string) (Package, error) {
		return s.Packages.Update(ctx,
			by, code, c)
	})
	return updated{p}, err
}

func (s Service) previewUpdate(ctx context.Context, by identity.Caller, in updateInput) (tool.Preview, error) {
	all, err := s.Packages.List(ctx, by, true)
	if err = cmp.Or(err, forms.Cents(by.Entity.Currency, in.Price)); err != nil {
		return tool.Preview{}, err
	}
	p, err := names.Find(all, in.Package, "package")
	if err != nil {
		return tool.Preview{}, err
	}
	if in.Name == nil {
		effect.Only(ctx, p.Code)
	} else if other, taken := names.Taken(all, *in.Name); taken && other.Code != p.Code {
		return tool.Preview{}, other.taken()
	}
	after := in.on(p)
	if err := after.fits(); err != nil {
		return tool.Preview{}, err
	}
	got, err := s.resolve(ctx, by, or(in.Rooms, nil), or(in.Extras, nil))
	if err != nil {
		return tool.Preview{}, err
	}
	if in.Rooms != nil {
		after.Rooms = sorted(got.rooms)
	}
	if in.Extras != nil {
		after.Extras = sorted(got.extras)
	}
	use, err := s.Packages.Use(ctx, by, p.Code)
	if err != nil {
		return tool.Preview{}, err
	}
	diff, warnings := p.differences(after, use)
	shown, err := diff.Preview("package", p.Name, p.target(), append(warnings, got.warnings...))
	shown.Targets = append(shown.Targets, got.targets...)
	return shown, err
}

// sorted orders parts as the store does.
func sorted(list []Part) []Part {
	return slices.SortedFunc(slices.Values(list), func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Code, b.Code))
	})
}

// differences compares a package with what it is to become.
func (p Package) differences(after Package, use Use) (d forms.Diff, warnings []string) {
	d.Hint = "To remove a limit, name it in clear." // for a caller that wrote null
	line := func(label string, f func(Package) string) bool { return forms.Changed(&d, label, p, &after, f) }
	if line("Name", func(p Package) string { return p.Name }) {
		warnings = append(warnings, "Its code stays "+p.Code+".")
	}
	costs := line("Price", Package.costs)
	costs = line("Share of the room", func(p Package) string { return forms.Percentage(p.RoomSharePercent) }) || costs
	line("Nights", Package.nights)
	line("Guests per room", func(p Package) string { return forms.Whole(p.IncludedGuests) })
	line("Rooms", func(p Package) string { return roomNames(p.Rooms) })
	line("Extras", func(p Package) string { return extraNames(p.Extras) })
	line("Nights from and to", Package.validity)
	line("Description", func(p Package) string { return p.Description })
	line("Active", func(p Package) string { return forms.Yes(p.Active) })
	if use.Bookings > 0 && costs {
		warnings = append(warnings, "Bookings that exist keep the price that they were made at.")
	}
	if use.Bookings > 0 && p.Active && !after.Active {
		warnings = append(warnings, "Bookings that were made with it stay.")
	}
	return d, warnings
}

type updated struct{ Package }

// Summarize says what it is now.
func (u updated) Summarize() string {
	text := fmt.Sprintf("Changed the package %s (%s). It costs %s for %s nights", u.Name, u.Code, u.costs(),
		u.nights())
	if !u.Active {
		text += " and is not sold at present"
	}
	return text + "."
}

// Count is one: the changed package.
func (u updated) Count() int { return 1 }
