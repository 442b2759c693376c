package extras

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

type updateInput struct {
	Extra string `json:"extra" jsonschema:"the extra's code or name"`
	Changes
}

// Check tidies what is given and refuses what the database would refuse.
func (in *updateInput) Check() error {
	var errs []error
	if in.Name != nil {
		errs = append(errs, forms.Name("extra", in.Name))
	}
	if in.Category != nil {
		errs = append(errs, category(in.Category))
	}
	if in.Description != nil {
		errs = append(errs, forms.Words("description", in.Description, 4000))
	}
	if in.Price != nil {
		errs = append(errs, forms.Price("price", *in.Price))
	}
	if in.TaxRate != nil {
		errs = append(errs, forms.Percent("tax_rate", *in.TaxRate))
	}
	return cmp.Or(errs...)
}

func updateTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "update_extra", Effect: tool.Changes, Description: updateExtraText},
		func(ctx context.Context, by identity.Caller, in updateInput) (updated, error) {
			if err := forms.Cents(by.Entity.Currency, in.Price); err != nil {
				return updated{}, err
			}
			extras, err := store.List(ctx, by, true)
			if err != nil {
				return updated{}, err
			}
			e, err := names.Act(extras, in.Extra, "extra", func(code string) (Extra, error) {
				return store.Update(ctx, by, code, in.Changes)
			})
			return updated{e}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in updateInput) (tool.Preview, error) {
			return previewUpdate(ctx, store, by, in)
		}))
}

func previewUpdate(ctx context.Context, store Store, by identity.Caller, in updateInput) (tool.Preview, error) {
	if err := forms.Cents(by.Entity.Currency, in.Price); err != nil {
		return tool.Preview{}, err
	}
	extras, err := store.List(ctx, by, true)
	if err != nil {
		return tool.Preview{}, err
	}
	e, err := names.Find(extras, in.Extra, "extra")
	if err != nil {
		return tool.Preview{}, err
	}
	if in.Name == nil {
		effect.Only(ctx, e.Code)
	} else if other, taken := names.Taken(extras, *in.Name); taken && other.Code != e.Code {
		return tool.Preview{}, other.taken()
	}
	use, err := store.Use(ctx, by, e.Code)
	if err != nil {
		return tool.Preview{}, err
	}
	var d forms.Diff
	renamed := forms.Changed(&d, "Name", e.Name, in.Name, forms.Plain)
	costs := forms.Changed(&d, "Price", e.Price, in.Price, forms.In(e.Currency))
	if in.Per != "" {
		costs = forms.Changed(&d, "Counts", e.Per, &in.Per, Per.Words) || costs
	}
	forms.Changed(&d, "Category", e.Category, in.Category, forms.Plain)
	forms.Changed(&d, "Description", e.Description, in.Description, forms.Plain)
	costs = forms.Changed(&d, "Tax", e.TaxRate, in.TaxRate, forms.Rate) || costs
	forms.Changed(&d, "Guests choose beforehand", e.SelectionRequired, in.SelectionRequired, forms.Yes)
	stopped := forms.Changed(&d, "Active", e.Active, in.Active, forms.Yes) && !*in.Active

	var warnings []string
	if renamed {
		warnings = append(warnings, "Its code stays "+e.Code+".")
	}
	if costs && use.Bookings > 0 {
		warnings = append(warnings, "Bookings that have it keep the price they agreed to.")
	}
	if stopped && len(use.Packages) > 0 {
		warnings = append(warnings, "It stays part of "+strings.Join(use.Packages, ", ")+".")
	}
	return d.Preview("extra", e.Name, e.target(), warnings)
}

func (e Extra) target() tool.Target {
	return tool.Target{Table: "extras", Key: e.Code, Version: e.Version}
}

type updated struct{ Extra }

// Summarize says what it is now.
func (u updated) Summarize() string {
	text := fmt.Sprintf("Changed the extra %s (%s). It costs %s", u.Name, u.Code, u.costs())
	if !u.Active {
		text += " and is not sold at present"
	}
	return text + "."
}

// Count is one: the changed extra.
func (u updated) Count() int { return 1 }

type deleteInput struct {
	Extra string `json:"extra" jsonschema:"the extra's code or name"`
}

func deleteTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "delete_extra", Effect: tool.Destroys, Description: deleteExtraText},
		func(ctx context.Context, by identity.Caller, in deleteInput) (deleted, error) {
			extras, err := store.List(ctx, by, true)
			if err != nil {
				return deleted{}, err
			}
			code, err := names.Act(extras, in.Extra, "extra", func(code string) (string, error) {
				return store.Delete(ctx, by, code)
			})
			return deleted{code}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in deleteInput) (tool.Preview, error) {
			e, err := find(ctx, store, by, in.Extra)
			if err != nil {
				return tool.Preview{}, err
			}
			effect.Only(ctx, e.Code)
			use, err := store.Use(ctx, by, e.Code)
			if err != nil {
				return tool.Preview{}, err
			}
			if use.Obstacle != "" {
				return tool.Preview{}, fault.New(fault.Conflict, "%s", use.Obstacle).WithCode("in_use")
			}
			return tool.Preview{
				Title: "Delete the extra " + e.Name + " (" + e.Code + ")",
				Lines: []tool.Line{
					{Label: "Property", After: by.Entity.Name}, {Label: "Extra", Before: e.Name + " (" + e.Code + ")",
						After: "deleted"},
					{Label: "Price", Before: e.costs(), After: "deleted"},
				},
				Warnings: []string{"It cannot be brought back. To only stop selling it, make it inactive instead."},
				Targets:  []tool.Target{e.target()},
			}, nil
		}))
}

type deleted struct {
	Code string `json:"deleted"`
}

// Summarize says what is gone.
func (d deleted) Summarize() string { return "Deleted the extra " + d.Code + "." }
