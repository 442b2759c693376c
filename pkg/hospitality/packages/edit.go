package packages

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

type extraInput struct {
	Extra    string `json:"extra" jsonschema:"the extra's code or name"`
	Quantity *int   `json:"quantity,omitempty" jsonschema:"how many of it"`
}

type createInput struct {
	Name             string         `json:"name" jsonschema:"what guests call it"`
	Price            money.Amount   `json:"price" jsonschema:"the price without tax"`
	Per              Per            `json:"per" jsonschema:"what the price counts for"`
	Rooms            []string       `json:"rooms,omitempty" jsonschema:"codes or names of its room types; none for all"`
	Extras           []extraInput   `json:"extras,omitempty" jsonschema:"the extras that it contains"`
	Description      string         `json:"description,omitempty" limits:"note" jsonschema:"text for guests"`
	RoomSharePercent *money.Amount  `json:"room_share_percent,omitempty" jsonschema:"part of the price that is room revenue, in percent"`
	MinNights        *int           `json:"min_nights,omitempty" jsonschema:"shortest stay in nights"`
	MaxNights        *int           `json:"max_nights,omitempty" jsonschema:"longest stay in nights"`
	IncludedGuests   *int           `json:"included_guests,omitempty" jsonschema:"guests that the price includes"`
	ValidFrom        *calendar.Date `json:"valid_from,omitempty" jsonschema:"first night for which it is sold"`
	ValidTo          *calendar.Date `json:"valid_to,omitempty" jsonschema:"last night for which it is sold"`
}

// Check tidies the texts and refuses what the database would refuse.
func (in *createInput) Check() error {
	p := in.pack()
	err := p.tidy()
	in.Name, in.Description = p.Name, p.Description
	return cmp.Or(err, quantities(in.Extras))
}

func (in createInput) pack() Package {
	return Package{
		Name: in.Name, Description: in.Description, Price: in.Price, Per: in.Per,
		RoomSharePercent: or(in.RoomSharePercent, money.FromInt(100)),
		MinNights:        or(in.MinNights, 1), MaxNights: in.MaxNights, IncludedGuests: or(in.IncludedGuests, 2),
		ValidFrom: in.ValidFrom, ValidTo: in.ValidTo, Active: true,
	}
}

func or[T any](given *T, otherwise T) T {
	if given != nil {
		return *given
	}
	return otherwise
}

// tidy tidies the texts of a package and checks each field and how they fit.
func (p *Package) tidy() error {
	return cmp.Or(
		forms.Name("package", &p.Name), forms.Words("description", &p.Description, 4000),
		forms.Price("price", p.Price),
		forms.Percent("room_share_percent", p.RoomSharePercent), forms.Between("min_nights", p.MinNights, 1, 365),
		forms.Between("max_nights", or(p.MaxNights, 365), 1, 365), forms.Between("included_guests", p.IncludedGuests,
			1, 50), p.fits())
}

// fits checks the fields that depend on each other.
func (p *Package) fits() error {
	switch {
	case p.MaxNights != nil && p.MinNights > *p.MaxNights:
		return fault.New(fault.Invalid, "min_nights (%d) must not be above max_nights (%d).", p.MinNights,
			*p.MaxNights)
	case p.ValidFrom != nil && p.ValidTo != nil && p.ValidTo.Before(*p.ValidFrom):
		return fault.New(fault.Invalid, "valid_from (%s) must not be after valid_to (%s).", p.ValidFrom.Show(),
			p.ValidTo.Show())
	}
	return nil
}

func quantities(extras []extraInput) error {
	for _, e := range extras {
		if err := forms.Between("quantity", or(e.Quantity, 1), 1, 100); err != nil {
			return err
		}
	}
	return nil
}

// parts are the room types and extras that the caller named, with what the person
// should know of them and the rows that were looked at.
type parts struct {
	rooms, extras []Part
	warnings      []string
	targets       []tool.Target
}

// resolve finds what is named; nil lists are left out.
func (s Service) resolve(ctx context.Context, by identity.Caller, rooms []string, extras []extraInput) (parts, error) {
	got := parts{rooms: []Part{}, extras: []Part{}}
	if len(rooms) > 0 {
		types, err := s.Rooms.List(ctx, by, true)
		if err != nil {
			return got, err
		}
		for _, wanted := range rooms {
			t, err := names.Find(types, wanted, "room type")
			if err != nil {
				return got, err
			}
			if slices.ContainsFunc(got.rooms, func(p Part) bool { return p.Code == t.Code }) {
				continue
			}
			got.rooms = append(got.rooms, Part{Code: t.Code, Name: t.Name})
			got.targets = append(got.targets, tool.Target{Table: "room_types", Key: t.Code, Version: t.Version})
			if !t.Active {
				got.warnings = append(got.warnings, t.Name+" ("+t.Code+") is not let at present.")
			}
		}
	}
	if len(extras) == 0 {
		return got, nil
	}
	all, err := s.Extras.List(ctx, by, true)
	if err != nil {
		return got, err
	}
	for _, wanted := range extras {
		e, err := names.Find(all, wanted.Extra, "extra")
		if err != nil {
			return got, err
		}
		if slices.ContainsFunc(got.extras, func(p Part) bool { return p.Code == e.Code }) {
			return got, fault.New(fault.Invalid, "%s (%s) is named twice; say its quantity instead.", e.Name, e.Code)
		}
		got.extras = append(got.extras, Part{Code: e.Code, Name: e.Name, Quantity: or(wanted.Quantity, 1)})
		got.targets = append(got.targets, tool.Target{Table: "extras", Key: e.Code, Version: e.Version})
		if !e.Active {
			got.warnings = append(got.warnings, e.Name+" ("+e.Code+") is not sold at present.")
		}
	}
	return got, nil
}

func (s Service) create(ctx context.Context, by identity.Caller, in createInput) (created, error) {
	p := in.pack()
	got, err := s.resolve(ctx, by, in.Rooms, in.Extras)
	if err = cmp.Or(err, forms.Cents(by.Entity.Currency, &p.Price)); err != nil {
		return created{}, err
	}
	p.Rooms, p.Extras = got.rooms, got.extras
	p, err = s.Packages.Create(ctx, by, p)
	return created{p}, err
}

func (s Service) previewCreate(ctx context.Context, by identity.Caller, in createInput) (tool.Preview, error) {
	p := in.pack()
	p.Currency = by.Entity.Currency
	all, err := s.Packages.List(ctx, by, true)
	if err = cmp.Or(err, forms.Cents(p.Currency, &p.Price)); err != nil {
		return tool.Preview{}, err
	}
	if other, taken := names.Taken(all, p.Name); taken {
		return tool.Preview{}, other.taken()
	}
	got, err := s.resolve(ctx, by, in.Rooms, in.Extras)
	if err != nil {
		return tool.Preview{}, err
	}
	shown := tool.Preview{Title: "Add the package " + p.Name, Lines: []tool.Line{
		{Label: "Property", After: by.Entity.Name}, {Label: "Name", After: p.Name}, {Label: "Price " + p.Per.Words(),
			After: p.Price.Format(p.Currency)},
		{Label: "Share of the room", After: forms.Percentage(p.RoomSharePercent)},
		{Label: "Nights", After: p.nights()},
		{Label: "Guests per room", After: strconv.Itoa(p.IncludedGuests)},
		{Label: "Rooms", After: roomNames(got.rooms)},
		{Label: "Extras", After: cmp.Or(extraNames(got.extras), "none")}, {Label: "Nights from and to",
			After: p.validity()},
	}, Warnings: got.warnings, Targets: got.targets}
	if p.Description != "" {
		shown.Lines = append(shown.Lines, tool.Line{Label: "Description", After: p.Description})
	}
	if p.Price.IsZero() {
		shown.Warnings = append(shown.Warnings, "It will cost nothing.")
	}
	return shown, nil
}

// taken is the error for a second package of p's name.
func (p Package) taken() error {
	state := ""
	if !p.Active {
		state = " It is not sold at present."
	}
	return fault.New(fault.Conflict, "There is already a package called %s (%s): %s.%s", p.Name, p.Code, p.costs(),
		state).WithCode("duplicate")
}

type created struct{ Package }

// Summarize says what was added.
func (c created) Summarize() string {
	return fmt.Sprintf("Added the package %s (%s): %s.", c.Name, c.Code, c.costs())
}

// Count is one: the new package.
func (c created) Count() int { return 1 }

func (s Service) delete(ctx context.Context, by identity.Caller, in packageInput) (deleted, error) {
	all, err := s.Packages.List(ctx, by, true)
	if err != nil {
		return deleted{}, err
	}
	code, err := names.Act(all, in.Package, "package",
		func(code string) (string, error) { return s.Packages.Delete(ctx, by, code) })
	return deleted{code}, err
}

func (s Service) previewDelete(ctx context.Context, by identity.Caller, in packageInput) (tool.Preview, error) {
	p, err := s.find(ctx, by, in.Package)
	if err != nil {
		return tool.Preview{}, err
	}
	effect.Only(ctx, p.Code)
	use, err := s.Packages.Use(ctx, by, p.Code)
	if err != nil {
		return tool.Preview{}, err
	}
	if use.Obstacle != "" {
		return tool.Preview{}, fault.New(fault.Conflict, "%s", use.Obstacle).WithCode("in_use")
	}
	shown := tool.Preview{
		Title: "Delete the package " + p.Name + " (" + p.Code + ")",
		Lines: []tool.Line{
			{Label: "Property", After: by.Entity.Name}, {Label: "Package", Before: p.Name + " (" + p.Code + ")",
				After: "deleted"},
			{Label: "Price", Before: p.costs(), After: "deleted"},
		},
		Warnings: []string{"It cannot be brought back. To only stop selling it, make it inactive instead."},
		Targets:  []tool.Target{p.target()},
	}
	if len(use.Coupons) > 0 {
		shown.Warnings = append(shown.Warnings, "It is taken out of the coupons that name it: "+
			forms.Joined(use.Coupons)+".")
	}
	return shown, nil
}

func (p Package) target() tool.Target {
	return tool.Target{Table: "packages", Key: p.Code, Version: p.Version}
}

type deleted struct {
	Code string `json:"deleted"`
}

// Summarize says what is gone.
func (d deleted) Summarize() string { return "Deleted the package " + d.Code + "." }
