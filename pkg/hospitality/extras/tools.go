package extras

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/list_extras.md
var listExtrasText string

//go:embed tools/create_extra.md
var createExtraText string

type listInput struct {
	IncludeInactive bool `json:"include_inactive,omitempty" jsonschema:"true to list also the extras that are not sold at present"`
}

type createInput struct {
	Name              string       `json:"name" jsonschema:"what guests call it, such as Stargazing"`
	Price             money.Amount `json:"price" jsonschema:"the price in the property's currency, without tax"`
	Per               Per          `json:"per" jsonschema:"what the price counts for: the stay, each night, each guest, or each guest and night"`
	Category          string       `json:"category,omitempty" jsonschema:"one word for its kind, such as food, experience, transport or service"`
	Description       string       `json:"description,omitempty" jsonschema:"a sentence or two for guests"`
	TaxRate           money.Amount `json:"tax_rate,omitzero" jsonschema:"tax in percent, from 0 to 100; none when left out"`
	SelectionRequired bool         `json:"selection_required,omitempty" jsonschema:"true when guests choose something for it before they come, such as a meal"`
}

// Check tidies the texts and refuses what the database would refuse.
func (in *createInput) Check() error {
	in.Name = strings.Join(strings.Fields(in.Name), " ")
	in.Category = strings.ToLower(strings.Join(strings.Fields(in.Category), " "))
	in.Description = strings.TrimSpace(in.Description)
	in.Category = cmp.Or(in.Category, "other")
	limit := money.FromInt(9999999)
	switch {
	case in.Name == "":
		return fault.New(fault.Invalid, "The extra needs a name.")
	case utf8.RuneCountInString(in.Name) > 120:
		return fault.New(fault.Invalid, "The name is longer than 120 letters.")
	case utf8.RuneCountInString(in.Category) > 60:
		return fault.New(fault.Invalid, "The category is longer than 60 letters.")
	case utf8.RuneCountInString(in.Description) > 4000:
		return fault.New(fault.Invalid, "The description is longer than 4,000 letters.")
	case in.Price.Negative():
		return fault.New(fault.Invalid, "The price must not be below zero.")
	case in.Price.Cmp(limit) > 0:
		return fault.New(fault.Invalid, "The price must not be above %s.", limit)
	case in.TaxRate.Negative() || in.TaxRate.Cmp(money.FromInt(100)) > 0 || in.TaxRate.Decimals() > 2:
		return fault.New(fault.Invalid, "tax_rate must be from 0 to 100 percent, with at most two decimals.")
	}
	return nil
}

// Tools returns the tools with which an assistant sees and adds extras.
func Tools(store Store) []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "list_extras", Effect: tool.Reads, Description: listExtrasText},
			func(ctx context.Context, by identity.Caller, in listInput) (list, error) {
				extras, err := store.List(ctx, by, in.IncludeInactive)
				return list{extras}, err
			}),
		tool.New(tool.Spec{Name: "create_extra", Effect: tool.Changes, Description: createExtraText},
			func(ctx context.Context, by identity.Caller, in createInput) (created, error) {
				// No look-up here: a repeated call would find its own row. The
				// preview looked, and nothing was created without one.
				if err := wholeCents(in.Price, by.Entity.Currency); err != nil {
					return created{}, err
				}
				e, err := store.Create(ctx, by, in.extra())
				return created{e}, err
			},
			tool.Previewed(func(ctx context.Context, by identity.Caller, in createInput) (tool.Preview, error) {
				return preview(ctx, store, by, in)
			})),
	}
}

func (in createInput) extra() Extra {
	return Extra{
		Name: in.Name, Description: in.Description, Category: in.Category, Price: in.Price, Per: in.Per,
		TaxRate: in.TaxRate, SelectionRequired: in.SelectionRequired, Active: true,
	}
}

func preview(ctx context.Context, store Store, by identity.Caller, in createInput) (tool.Preview, error) {
	if err := wholeCents(in.Price, by.Entity.Currency); err != nil {
		return tool.Preview{}, err
	}
	existing, err := store.List(ctx, by, true)
	if err != nil {
		return tool.Preview{}, err
	}
	for _, e := range existing {
		if names.Fold(e.Name) != names.Fold(in.Name) {
			continue
		}
		state := ""
		if !e.Active {
			state = " It is not sold at present."
		}
		return tool.Preview{}, fault.New(fault.Conflict, "There is already an extra called %s (%s): %s %s.%s",
			e.Name, e.Code, e.Price.Format(e.Currency), e.Per.Words(), state).WithCode("duplicate")
	}
	p := tool.Preview{Title: "Add the extra " + in.Name, Lines: []tool.Line{
		{Label: "Property", After: by.Entity.Name},
		{Label: "Name", After: in.Name},
		{Label: "Price " + in.Per.Words(), After: in.Price.Format(by.Entity.Currency)},
		{Label: "Category", After: in.Category},
		{Label: "Tax", After: percent(in.TaxRate)},
	}}
	if in.Description != "" {
		p.Lines = append(p.Lines, tool.Line{Label: "Description", After: in.Description})
	}
	if in.SelectionRequired {
		p.Lines = append(p.Lines, tool.Line{Label: "Guests choose beforehand", After: "yes"})
	}
	if in.Price.IsZero() {
		p.Warnings = append(p.Warnings, "It will cost nothing.")
	}
	return p, nil
}

// wholeCents refuses a price that the currency cannot express, instead of
// rounding it behind the person's back.
func wholeCents(price money.Amount, currency string) error {
	if digits := money.Digits(currency); price.Decimals() > digits {
		return fault.New(fault.Invalid, "A price in %s has at most %d decimals.", currency, digits)
	}
	return nil
}

func percent(rate money.Amount) string {
	if rate.IsZero() {
		return "none"
	}
	return rate.Round(rate.Decimals()).String() + " %"
}

type list struct {
	Extras []Extra `json:"extras"`
}

// Table lays the list out.
func (l list) Table() render.Table {
	t := render.Table{Title: "Extras", Columns: []render.Column{
		{Key: "name", Label: "Extra"}, {Key: "code", Label: "Code"}, {Key: "category", Label: "Category"},
		{Key: "price", Label: "Price", Right: true}, {Key: "per", Label: "Counts"}, {Key: "tax", Label: "Tax", Right: true},
		{Key: "active", Label: "Active"},
	}}
	for _, e := range l.Extras {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(e.Name), render.Text(e.Code), render.Text(e.Category), render.Money(e.Price, e.Currency),
			render.Text(e.Per.Words()), {Text: percent(e.TaxRate), Value: e.TaxRate}, render.Yes(e.Active),
		})
	}
	return t
}

// Tell says how many there are.
func (l list) Tell() string {
	switch len(l.Extras) {
	case 0:
		return "The property has no extras."
	case 1:
		return "The property has one extra."
	}
	return fmt.Sprintf("The property has %d extras.", len(l.Extras))
}

type created struct{ Extra }

// Tell says what was added.
func (c created) Tell() string {
	return fmt.Sprintf("Added the extra %s (%s): %s %s.", c.Name, c.Code, c.Price.Format(c.Currency), c.Per.Words())
}

// Count is one: the new extra.
func (c created) Count() int { return 1 }
