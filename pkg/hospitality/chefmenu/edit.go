package chefmenu

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/create_chef_menu_item.md
var createText string

//go:embed tools/update_chef_menu_item.md
var updateText string

//go:embed tools/delete_chef_menu_item.md
var deleteText string

type createInput struct {
	Name        string       `json:"name" jsonschema:"the name of the dish"`
	Category    string       `json:"category" jsonschema:"starters, local mains, continental mains, local sides or continental sides"`
	Price       money.Amount `json:"price" jsonschema:"the price of one serving in the property's currency, without tax; 0 where it costs nothing extra"`
	Description string       `json:"description,omitempty" limits:"note" jsonschema:"a sentence for guests"`
	Dietary     []string     `json:"dietary,omitempty" jsonschema:"words such as vegetarian, vegan, gluten-free or contains nuts"`
	Available   *bool        `json:"available,omitempty" jsonschema:"false to prepare it without offering it yet"`
}

// Check tidies the texts and refuses what the database would refuse.
func (in *createInput) Check() error {
	if in.Category == "" {
		in.Category = "none" // which is no category, and refused as such
	}
	return cmp.Or(forms.Name(kind, &in.Name), tidyCategory(&in.Category), forms.Price("price", in.Price),
		forms.Words("description", &in.Description, 2000), forms.List("dietary words", &in.Dietary, 20))
}

func (in createInput) item(currency string) Item {
	return Item{Name: in.Name, Description: in.Description, Category: Category(in.Category), Price: in.Price,
		Currency: currency,
		Dietary:  in.Dietary, Available: in.Available == nil || *in.Available}
}

func createTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "create_chef_menu_item", Effect: tool.Changes, Description: createText},
		func(ctx context.Context, by identity.Caller, in createInput) (created, error) {
			if err := forms.Cents(by.Entity.Currency, &in.Price); err != nil {
				return created{}, err
			}
			i, err := store.Create(ctx, by, in.item(by.Entity.Currency))
			return created{i}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in createInput) (tool.Preview, error) {
			return previewCreate(ctx, store, by, in)
		}))
}

func previewCreate(ctx context.Context, store Store, by identity.Caller, in createInput) (tool.Preview, error) {
	if err := forms.Cents(by.Entity.Currency, &in.Price); err != nil {
		return tool.Preview{}, err
	}
	items, err := store.List(ctx, by)
	if err != nil {
		return tool.Preview{}, err
	}
	if other, taken := names.Taken(items, in.Name); taken {
		return tool.Preview{}, other.taken()
	}
	i := in.item(by.Entity.Currency)
	p := tool.Preview{Title: "Add the dish " + i.Name, Lines: []tool.Line{
		{Label: "Property", After: by.Entity.Name}, {Label: "Name", After: i.Name},
		{Label: "Category", After: i.Category.Words()},
		{Label: "Price", After: i.Price.Format(i.Currency)},
	}}
	if len(i.Dietary) > 0 {
		p.Lines = append(p.Lines, tool.Line{Label: "Dietary", After: forms.Joined(i.Dietary)})
	}
	if i.Description != "" {
		p.Lines = append(p.Lines, tool.Line{Label: "Description", After: i.Description})
	}
	p.Lines = append(p.Lines, tool.Line{Label: "Available", After: forms.Yes(i.Available)})
	if i.Price.IsZero() {
		p.Warnings = append(p.Warnings, "It will cost nothing.")
	}
	return p, nil
}

// taken is the error for a second dish of i's name.
func (i Item) taken() error {
	return fault.New(fault.Conflict, "There is already a dish called %s (%s) in the %s.%s", i.Name, i.Code,
		i.Category.Words(),
		i.offered(" It is not available at present.")).WithCode("duplicate")
}

type created struct{ Item }

// Summarize says what was added.
func (c created) Summarize() string {
	return fmt.Sprintf("Added the dish %s (%s) to the %s: %s.%s", c.Name, c.Code, c.Category.Words(),
		c.Price.Format(c.Currency),
		c.offered(" It is not offered yet."))
}

// Count is one: the new dish.
func (c created) Count() int { return 1 }

type updateInput struct {
	Item        string        `json:"item" jsonschema:"the code or the present name of the dish to change"`
	Name        *string       `json:"name,omitempty" jsonschema:"the new name; the code stays"`
	Category    string        `json:"category,omitempty" jsonschema:"starters, local mains, continental mains, local sides or continental sides"`
	Price       *money.Amount `json:"price,omitempty" jsonschema:"the new price of one serving in the property's currency, without tax"`
	Description *string       `json:"description,omitempty" limits:"note" jsonschema:"a sentence for guests; an empty text removes it"`
	Dietary     *[]string     `json:"dietary,omitempty" jsonschema:"words such as vegetarian or vegan: the whole list, not only what is new; an empty list removes them"`
	Available   *bool         `json:"available,omitempty" jsonschema:"whether it is offered"`
}

// Check tidies what is given and refuses what the database would refuse.
func (in *updateInput) Check() error {
	errs := []error{tidyCategory(&in.Category)}
	if in.Name != nil {
		errs = append(errs, forms.Name(kind, in.Name))
	}
	if in.Price != nil {
		errs = append(errs, forms.Price("price", *in.Price))
	}
	if in.Description != nil {
		errs = append(errs, forms.Words("description", in.Description, 2000))
	}
	if in.Dietary != nil {
		errs = append(errs, forms.List("dietary words", in.Dietary, 20))
	}
	return cmp.Or(errs...)
}

func (in updateInput) changes() Changes {
	return Changes{Name: in.Name, Description: in.Description, Category: Category(in.Category), Price: in.Price,
		Dietary: in.Dietary, Available: in.Available}
}

func updateTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "update_chef_menu_item", Effect: tool.Changes, Description: updateText},
		func(ctx context.Context, by identity.Caller, in updateInput) (updated, error) {
			if err := forms.Cents(by.Entity.Currency, in.Price); err != nil {
				return updated{}, err
			}
			items, err := store.List(ctx, by)
			if err != nil {
				return updated{}, err
			}
			i, err := names.Act(items, in.Item, kind, func(code string) (Item, error) {
				return store.Update(ctx, by, code, in.changes())
			})
			return updated{i}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in updateInput) (tool.Preview, error) {
			return previewUpdate(ctx, store, by, in)
		}))
}

func previewUpdate(ctx context.Context, store Store, by identity.Caller, in updateInput) (tool.Preview, error) {
	if err := forms.Cents(by.Entity.Currency, in.Price); err != nil {
		return tool.Preview{}, err
	}
	items, err := store.List(ctx, by)
	if err != nil {
		return tool.Preview{}, err
	}
	i, err := names.Find(items, in.Item, kind)
	if err != nil {
		return tool.Preview{}, err
	}
	if in.Name == nil {
		effect.Only(ctx, i.Code)
	} else if other, taken := names.Taken(items, *in.Name); taken && other.Code != i.Code {
		return tool.Preview{}, other.taken()
	}
	var d forms.Diff
	var warnings []string
	if forms.Changed(&d, "Name", i.Name, in.Name, forms.Plain) {
		warnings = append(warnings, "Its code stays "+i.Code+".")
	}
	if c := Category(in.Category); c != "" {
		forms.Changed(&d, "Category", i.Category, &c, Category.Words)
	}
	forms.Changed(&d, "Price", i.Price, in.Price, forms.In(i.Currency))
	forms.Changed(&d, "Dietary", i.Dietary, in.Dietary, forms.Joined)
	forms.Changed(&d, "Description", i.Description, in.Description, forms.Plain)
	forms.Changed(&d, "Available", i.Available, in.Available, forms.Yes)
	return d.Preview(kind, i.Name, i.target(), warnings)
}

func (i Item) target() tool.Target {
	return tool.Target{Table: "chef_menu_items", Key: i.Code, Version: i.Version}
}

type updated struct{ Item }

// Summarize says what it is now.
func (u updated) Summarize() string {
	return fmt.Sprintf("Changed the dish %s (%s) of the %s: %s.%s", u.Name, u.Code, u.Category.Words(),
		u.Price.Format(u.Currency),
		u.offered(" It is not available at present."))
}

// Count is one: the changed dish.
func (u updated) Count() int { return 1 }

func deleteTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "delete_chef_menu_item", Effect: tool.Destroys, Description: deleteText},
		func(ctx context.Context, by identity.Caller, in itemInput) (deleted, error) {
			items, err := store.List(ctx, by)
			if err != nil {
				return deleted{}, err
			}
			code, err := names.Act(items, in.Item, kind, func(code string) (string, error) {
				return store.Delete(ctx,
					by, code)
			})
			return deleted{code}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in itemInput) (tool.Preview, error) {
			return previewDelete(ctx, store, by, in)
		}))
}

func previewDelete(ctx context.Context, store Store, by identity.Caller, in itemInput) (tool.Preview, error) {
	i, err := find(ctx, store, by, in.Item)
	if err != nil {
		return tool.Preview{}, err
	}
	effect.Only(ctx, i.Code)
	chosen, err := store.Chosen(ctx, by, i.Code)
	if err != nil {
		return tool.Preview{}, err
	}
	if chosen > 0 {
		selections := "1 selection"
		if chosen > 1 {
			selections = fmt.Sprintf("%d selections", chosen)
		}
		return tool.Preview{}, fault.New(fault.Conflict,
			"%s (%s) is chosen in %s of guests, so it cannot be deleted. Make it unavailable instead.",
			i.Name, i.Code, selections).WithCode("in_use")
	}
	return tool.Preview{
		Title: "Delete the dish " + i.Name + " (" + i.Code + ")",
		Lines: []tool.Line{
			{Label: "Property", After: by.Entity.Name}, {Label: "Dish", Before: i.Name + " (" + i.Code + ")",
				After: "deleted"},
			{Label: "Category", Before: i.Category.Words(), After: "deleted"},
		},
		Warnings: []string{"It cannot be brought back. To only take it off the menu, make it unavailable instead."},
		Targets:  []tool.Target{i.target()},
	}, nil
}

type deleted struct {
	Code string `json:"deleted"`
}

// Summarize says what is gone.
func (d deleted) Summarize() string { return "Deleted the dish " + d.Code + "." }
