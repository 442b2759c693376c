package coupons

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

var codes = regexp.MustCompile(`^[A-Z0-9][A-Z0-9_-]{0,39}$`)

type createInput struct {
	Code string `json:"code" jsonschema:"what guests type, such as SUMMER10"`
	Fields
}

// Check tidies what is given and refuses what the database would refuse.
func (in *createInput) Check() error {
	in.Code = strings.ToUpper(strings.TrimSpace(in.Code))
	switch {
	case !codes.MatchString(in.Code):
		return fault.New(fault.Invalid, "A coupon code has 1 to 40 letters A to Z, digits, hyphens or underscores "+
			"and begins with a letter or a digit.")
	case in.Kind == "" || in.Amount == nil:
		return fault.New(fault.Invalid, "A new coupon needs a kind (percent or fixed) and an amount.")
	}
	return in.Fields.check()
}

type updateInput struct {
	Coupon string `json:"coupon" jsonschema:"the coupon's code or name"`
	Fields
	Clear []Field `json:"clear,omitempty" jsonschema:"limits to remove"`
}

// Field is a limit of a coupon that can be removed.
type Field string

// Values returns the closed set.
func (Field) Values() []string {
	return []string{"max_discount", "valid_from", "valid_to", "stay_from", "stay_to", "min_nights", "min_amount",
		"usage_limit"}
}

// Check tidies what is given and refuses what the database would refuse.
func (in *updateInput) Check() error { return in.Fields.check() }

func (f *Fields) check() error {
	var errs []error
	if f.Name != nil {
		*f.Name = forms.Line(*f.Name)
		errs = append(errs, forms.Words("name", f.Name, 120))
	}
	if f.Description != nil {
		errs = append(errs, forms.Words("description", f.Description, 2000))
	}
	if f.MaxDiscount != nil {
		errs = append(errs, forms.Price("max_discount", *f.MaxDiscount))
	}
	if f.MinAmount != nil {
		errs = append(errs, forms.Price("min_amount", *f.MinAmount))
	}
	if f.MinNights != nil {
		errs = append(errs, forms.Between("min_nights", *f.MinNights, 1, 365))
	}
	if f.UsageLimit != nil {
		errs = append(errs, forms.Between("usage_limit", *f.UsageLimit, 1, 1000000))
	}
	errs = append(errs, worth(f.Kind, f.Amount), inOrder("booking", f.ValidFrom, f.ValidTo),
		inOrder("nights", f.StayFrom, f.StayTo))
	return cmp.Or(errs...)
}

// worth refuses amounts that nothing can be.
func worth(kind Kind, amount *money.Amount) error {
	switch {
	case amount == nil:
		return nil
	case amount.Negative() || amount.IsZero():
		return fault.New(fault.Invalid, "The amount must be above zero.")
	case kind == "percent" && amount.Cmp(money.FromInt(100)) > 0:
		return fault.New(fault.Invalid, "A percentage is at most 100, not %s.", amount)
	case amount.Decimals() > 2:
		return fault.New(fault.Invalid, "The amount has at most two decimals.")
	}
	return forms.Price("amount", *amount)
}

func inOrder(what string, from, to *calendar.Date) error {
	if from != nil && to != nil && to.Before(*from) {
		return fault.New(fault.Invalid, "The dates of %s are in the wrong order: they would end on %s, before they "+
			"begin on %s.", what, to.Show(), from.Show())
	}
	return nil
}

// resolved returns the fields with codes in place of names.
func (f Fields) resolved(ctx context.Context, store Store, by identity.Caller, kind Kind) (Fields, error) {
	cents := []*money.Amount{f.MaxDiscount, f.MinAmount}
	if kind == "fixed" {
		cents = append(cents, f.Amount)
	}
	if err := forms.Cents(by.Entity.Currency, cents...); err != nil || f.Rooms == nil && f.Packages == nil {
		return f, err
	}
	rooms, packages, err := store.Things(ctx, by)
	if err != nil {
		return f, err
	}
	for _, each := range []struct {
		list   **[]string
		things []Thing
		kind   string
	}{{&f.Rooms, rooms, "room type"}, {&f.Packages, packages, "package"}} {
		if *each.list == nil {
			continue
		}
		found := []string{}
		for _, wanted := range **each.list {
			t, err := names.Find(each.things, wanted, each.kind)
			if err != nil {
				return f, err
			}
			found = append(found, t.Code)
		}
		slices.Sort(found)
		found = slices.Compact(found)
		*each.list = &found
	}
	return f, nil
}

// apply returns the coupon as the fields would make it, and refuses what fits
// neither with each other nor with what is there.
func (f Fields) apply(c Coupon, drop []Field) (Coupon, error) {
	for _, field := range drop {
		switch field {
		case "max_discount":
			c.MaxDiscount = nil
		case "valid_from":
			c.ValidFrom = calendar.Date{}
		case "valid_to":
			c.ValidTo = calendar.Date{}
		case "stay_from":
			c.StayFrom = calendar.Date{}
		case "stay_to":
			c.StayTo = calendar.Date{}
		case "min_nights":
			c.MinNights = nil
		case "min_amount":
			c.MinAmount = nil
		case "usage_limit":
			c.UsageLimit = nil
		}
	}
	set(&c.Name, f.Name)
	set(&c.Description, f.Description)
	c.Kind = cmp.Or(f.Kind, c.Kind)
	set(&c.Amount, f.Amount)
	c.MaxDiscount = cmp.Or(f.MaxDiscount, c.MaxDiscount)
	set(&c.ValidFrom, f.ValidFrom)
	set(&c.ValidTo, f.ValidTo)
	set(&c.StayFrom, f.StayFrom)
	set(&c.StayTo, f.StayTo)
	c.MinNights = cmp.Or(f.MinNights, c.MinNights)
	c.MinAmount = cmp.Or(f.MinAmount, c.MinAmount)
	c.UsageLimit = cmp.Or(f.UsageLimit, c.UsageLimit)
	set(&c.Rooms, f.Rooms)
	set(&c.Packages, f.Packages)
	set(&c.Active, f.Active)
	err := worth(c.Kind, &c.Amount)
	if !c.ValidFrom.IsZero() && !c.ValidTo.IsZero() {
		err = cmp.Or(err, inOrder("booking", &c.ValidFrom, &c.ValidTo))
	}
	if !c.StayFrom.IsZero() && !c.StayTo.IsZero() {
		err = cmp.Or(err, inOrder("nights", &c.StayFrom, &c.StayTo))
	}
	return c, err
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

func createTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "create_coupon", Effect: tool.Changes, Description: createCouponText},
		func(ctx context.Context, by identity.Caller, in createInput) (written, error) {
			f, err := in.resolved(ctx, store, by, in.Kind)
			if err != nil {
				return written{}, err
			}
			c, err := store.Create(ctx, by, in.Code, f)
			return written{c, "Added"}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in createInput) (tool.Preview, error) {
			f, err := in.resolved(ctx, store, by, in.Kind)
			if err != nil {
				return tool.Preview{}, err
			}
			all, err := store.List(ctx, by)
			if err != nil {
				return tool.Preview{}, err
			}
			for _, c := range all {
				if c.Code == in.Code {
					return tool.Preview{}, fault.New(fault.Conflict, "There is already a coupon with the code %s: %s.",
						c.Code, c.worth()).WithCode("duplicate")
				}
			}
			c, err := f.apply(Coupon{Code: in.Code, Currency: by.Entity.Currency, Active: true}, nil)
			if err != nil {
				return tool.Preview{}, err
			}
			return tool.Preview{Title: "Add the coupon " + in.Code, Lines: []tool.Line{
				{Label: "Property", After: by.Entity.Name}, {Label: "Takes off the rooms", After: c.worth()},
				{Label: "Conditions", After: cmp.Or(c.terms(), "none")}, {Label: "Uses", After: c.used()},
				{Label: "Active", After: forms.Yes(c.Active)},
			}}, nil
		}))
}

func updateTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "update_coupon", Effect: tool.Changes, Description: updateCouponText},
		func(ctx context.Context, by identity.Caller, in updateInput) (written, error) {
			all, err := store.List(ctx, by)
			if err != nil {
				return written{}, err
			}
			return names.Act(all, in.Coupon, "coupon", func(code string) (written, error) {
				f, err := in.resolved(ctx, store, by, in.Kind)
				if err != nil {
					return written{}, err
				}
				c, err := store.Update(ctx, by, code, f, in.Clear)
				return written{c, "Changed"}, err
			})
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in updateInput) (tool.Preview, error) {
			was, err := find(ctx, store, by, in.Coupon)
			if err != nil {
				return tool.Preview{}, err
			}
			effect.Only(ctx, was.Code)
			f, err := in.resolved(ctx, store, by, cmp.Or(in.Kind, was.Kind))
			if err != nil {
				return tool.Preview{}, err
			}
			is, err := f.apply(was, in.Clear)
			if err != nil {
				return tool.Preview{}, err
			}
			var d forms.Diff
			forms.Changed(&d, "Name", was.Name, &is.Name, forms.Plain)
			forms.Changed(&d, "Description", was.Description, &is.Description, forms.Plain)
			forms.Changed(&d, "Takes off the rooms", was, &is, Coupon.worth)
			forms.Changed(&d, "Conditions", was, &is, Coupon.terms)
			forms.Changed(&d, "Used", was, &is, Coupon.used)
			forms.Changed(&d, "Active", was.Active, &is.Active, forms.Yes)
			var warnings []string
			if was.Uses > 0 {
				warnings = append(warnings, "Bookings that used it keep their discount.")
			}
			return d.Preview("coupon", cmp.Or(was.Name, was.Code), was.target(), warnings)
		}))
}

func (c Coupon) target() tool.Target {
	return tool.Target{Table: "coupons", Key: c.Code, Version: c.Version}
}

type written struct {
	Coupon
	verb string
}

// Summarize says what it is now.
func (w written) Summarize() string {
	text := fmt.Sprintf("%s the coupon %s: %s off the rooms", w.verb, w.Code, w.worth())
	if terms := w.terms(); terms != "" {
		text += "; " + terms
	}
	if !w.Active {
		text += ". It is out of use"
	}
	return text + "."
}

// Count is one: the coupon.
func (w written) Count() int { return 1 }

type deleteInput struct {
	Coupon string `json:"coupon" jsonschema:"the coupon's code or name"`
}

func deleteTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "delete_coupon", Effect: tool.Destroys, Description: deleteCouponText},
		func(ctx context.Context, by identity.Caller, in deleteInput) (deleted, error) {
			all, err := store.List(ctx, by)
			if err != nil {
				return deleted{}, err
			}
			return names.Act(all, in.Coupon, "coupon", func(code string) (deleted, error) {
				removed, gone, err := store.Delete(ctx, by, code)
				return deleted{Code: removed, Deleted: gone}, err
			})
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in deleteInput) (tool.Preview, error) {
			c, err := find(ctx, store, by, in.Coupon)
			if err != nil {
				return tool.Preview{}, err
			}
			effect.Only(ctx, c.Code)
			p := tool.Preview{Title: "Delete the coupon " + c.Code, Lines: []tool.Line{
				{Label: "Coupon", Before: c.worth(), After: "deleted"}, {Label: "Used", After: c.used()},
			}, Warnings: []string{"It cannot be brought back."}, Targets: []tool.Target{c.target()}}
			if c.Uses > 0 {
				if !c.Active {
					return tool.Preview{},
						fault.New(fault.Conflict,
							"The coupon %s is out of use already. It is kept, since bookings have used it.",
							c.Code).WithCode("unchanged")
				}
				p.Title = "Take the coupon " + c.Code + " out of use"
				p.Lines[0].After = "out of use"
				p.Warnings = []string{"Bookings have used it, so it is kept and taken out of use instead of deleted."}
			}
			return p, nil
		}))
}

type deleted struct {
	Code    string `json:"code"`
	Deleted bool   `json:"deleted"` // false: it was used, so it was only taken out of use
}

// Summarize says what became of it.
func (d deleted) Summarize() string {
	if d.Deleted {
		return "Deleted the coupon " + d.Code + "."
	}
	return "Took the coupon " + d.Code + " out of use. It was kept, since bookings have used it."
}

// Count is one: the coupon.
func (d deleted) Count() int { return 1 }
