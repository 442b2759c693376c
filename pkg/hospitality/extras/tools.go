package extras

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/list_extras.md
var listExtrasText string

//go:embed tools/get_extra_details.md
var getExtraDetailsText string

//go:embed tools/create_extra.md
var createExtraText string

//go:embed tools/update_extra.md
var updateExtraText string

//go:embed tools/delete_extra.md
var deleteExtraText string

type listInput struct {
	IncludeInactive bool `json:"include_inactive,omitempty" jsonschema:"with those that are out of use"`
}

type detailsInput struct {
	Extra string `json:"extra" jsonschema:"the extra's code or name"`
}

type createInput struct {
	Name              string       `json:"name" jsonschema:"what guests call it"`
	Price             money.Amount `json:"price" jsonschema:"the price without tax"`
	Per               Per          `json:"per" jsonschema:"what the price counts for"`
	Category          string       `json:"category,omitempty" jsonschema:"one word for its kind, such as food"`
	Description       string       `json:"description,omitempty" limits:"note" jsonschema:"text for guests"`
	TaxRate           money.Amount `json:"tax_rate,omitzero" jsonschema:"tax in percent"`
	SelectionRequired bool         `json:"selection_required,omitempty" jsonschema:"whether guests choose something for it, such as a meal"`
}

// Check tidies the texts and refuses what the database would refuse.
func (in *createInput) Check() error {
	in.Category = cmp.Or(in.Category, "other")
	return cmp.Or(
		forms.Name("extra", &in.Name), category(&in.Category), forms.Words("description", &in.Description, 4000),
		forms.Price("price", in.Price), forms.Percent("tax_rate", in.TaxRate))
}

// category makes one word of user input.
func category(text *string) error {
	*text = strings.ToLower(forms.Line(*text))
	switch {
	case *text == "":
		return fault.New(fault.Invalid, "The category must not be empty; write other for none.")
	case utf8.RuneCountInString(*text) > 60:
		return fault.New(fault.Invalid, "The category is longer than 60 letters.")
	}
	return nil
}

// Tools returns the tools with which an assistant sees, adds, changes and
// removes extras.
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
				// preview looked, and the database keeps names apart.
				if err := forms.Cents(by.Entity.Currency, &in.Price); err != nil {
					return created{}, err
				}
				e, err := store.Create(ctx, by, in.extra())
				return created{e}, err
			},
			tool.Previewed(func(ctx context.Context, by identity.Caller, in createInput) (tool.Preview, error) {
				return previewCreate(ctx, store, by, in)
			})),
		tool.New(tool.Spec{Name: "get_extra_details", Effect: tool.Reads, Description: getExtraDetailsText},
			func(ctx context.Context, by identity.Caller, in detailsInput) (details, error) {
				e, err := find(ctx, store, by, in.Extra)
				return details{e}, err
			}),
		updateTool(store),
		deleteTool(store),
	}
}

func find(ctx context.Context, store Store, by identity.Caller, wanted string) (Extra, error) {
	extras, err := store.List(ctx, by, true)
	if err != nil {
		return Extra{}, err
	}
	return names.Find(extras, wanted, "extra")
}

func (in createInput) extra() Extra {
	return Extra{
		Name: in.Name, Description: in.Description, Category: in.Category, Price: in.Price, Per: in.Per,
		TaxRate: in.TaxRate, SelectionRequired: in.SelectionRequired, Active: true,
	}
}

func previewCreate(ctx context.Context, store Store, by identity.Caller, in createInput) (tool.Preview, error) {
	if err := forms.Cents(by.Entity.Currency, &in.Price); err != nil {
		return tool.Preview{}, err
	}
	existing, err := store.List(ctx, by, true)
	if err != nil {
		return tool.Preview{}, err
	}
	if e, taken := names.Taken(existing, in.Name); taken {
		return tool.Preview{}, e.taken()
	}
	p := tool.Preview{Title: "Add the extra " + in.Name, Lines: []tool.Line{
		{Label: "Property", After: by.Entity.Name},
		{Label: "Name", After: in.Name},
		{Label: "Price " + in.Per.Words(), After: in.Price.Format(by.Entity.Currency)},
		{Label: "Category", After: in.Category},
		{Label: "Tax", After: forms.Rate(in.TaxRate)},
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

// taken is the error for a second extra of e's name.
func (e Extra) taken() error {
	state := ""
	if !e.Active {
		state = " It is not sold at present."
	}
	return fault.New(fault.Conflict, "There is already an extra called %s (%s): %s.%s", e.Name, e.Code, e.costs(),
		state).WithCode("duplicate")
}

func (e Extra) costs() string { return e.Price.Format(e.Currency) + " " + e.Per.Words() }

type list struct {
	Extras []Extra `json:"extras"`
}

// Table lays the list out.
func (l list) Table() render.Table {
	t := render.Table{Title: "Extras", Columns: []render.Column{
		render.Column{Key: "name", Label: "Extra"}.Opens("get_extra_details", "extra", "code"),
		render.Column{Key: "code", Label: "Code"}.Opens("get_extra_details", "extra", ""),
		{Key: "category", Label: "Category"},
		{Key: "price", Label: "Price", Right: true}, {Key: "per", Label: "Counts"},
		{Key: "tax", Label: "Tax", Right: true},
		{Key: "active", Label: "Active"},
	}}
	for _, e := range l.Extras {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(e.Name), render.Text(e.Code), render.Text(e.Category), render.Money(e.Price, e.Currency),
			render.Text(e.Per.Words()), {Text: forms.Rate(e.TaxRate), Value: e.TaxRate}, render.Yes(e.Active),
		})
	}
	return t
}

// Summarize says how many there are.
func (l list) Summarize() string {
	switch len(l.Extras) {
	case 0:
		return "The property has no extras."
	case 1:
		return "The property has one extra."
	}
	return fmt.Sprintf("The property has %d extras.", len(l.Extras))
}

type details struct{ Extra }

// Table lays the facts out, one a row.
func (d details) Table() render.Table {
	t := render.Table{Title: d.Name + " (" + d.Code + ")", Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "value", Label: "Value"}}}
	for _, fact := range []struct {
		label string
		value render.Cell
	}{
		{"Description", render.Text(d.Description)}, {"Category", render.Text(d.Category)},
		{"Price", render.Money(d.Price, d.Currency)}, {"Counts", render.Text(d.Per.Words())},
		{"Tax", render.Cell{Text: forms.Rate(d.TaxRate), Value: d.TaxRate}},
		{"Guests choose beforehand", render.Yes(d.SelectionRequired)}, {"Active", render.Yes(d.Active)},
	} {
		if fact.value.Text != "" {
			t.Rows = append(t.Rows, []render.Cell{render.Text(fact.label), fact.value})
		}
	}
	return t
}

// Summarize says what it is in a sentence.
func (d details) Summarize() string {
	text := fmt.Sprintf("%s (%s) costs %s.", d.Name, d.Code, d.costs())
	if !d.Active {
		text += " It is not sold at present."
	}
	return text
}

// Count is one: an extra.
func (d details) Count() int { return 1 }

type created struct{ Extra }

// Summarize says what was added.
func (c created) Summarize() string {
	return fmt.Sprintf("Added the extra %s (%s): %s.", c.Name, c.Code, c.costs())
}

// Count is one: the new extra.
func (c created) Count() int { return 1 }
