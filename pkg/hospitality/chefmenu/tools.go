package chefmenu

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/list_chef_menu_items.md
var listText string

//go:embed tools/get_chef_menu_item_details.md
var detailsText string

//go:embed tools/toggle_chef_menu_availability.md
var toggleText string

// kind is what an item is called in sentences.
const kind = "dish"

type listInput struct {
	Category  string `json:"category,omitempty" jsonschema:"starters, local mains, continental mains, local sides or continental sides; all when left out"`
	Available *bool  `json:"available,omitempty" jsonschema:"true for the dishes that are offered, false for those that are not; both when left out"`
}

// Check reads the category.
func (in *listInput) Check() error { return tidyCategory(&in.Category) }

// tidyCategory reads a category in place; "" stays.
func tidyCategory(category *string) error {
	if *category == "" {
		return nil
	}
	c, err := ParseCategory(*category)
	*category = string(c)
	return err
}

type itemInput struct {
	Item string `json:"item" jsonschema:"the dish's code or name, such as SMOKED-CORN-SOUP"`
}

type toggleInput struct {
	Item      string `json:"item" jsonschema:"the dish's code or name, such as SMOKED-CORN-SOUP"`
	Available *bool  `json:"available,omitempty" jsonschema:"true to offer it, false to take it off the menu; the opposite of now when left out"`
}

// Tools returns the tools with which an assistant sees and changes the menu.
func Tools(store Store) []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "list_chef_menu_items", Effect: tool.Reads, Description: listText},
			func(ctx context.Context, by identity.Caller, in listInput) (list, error) {
				items, err := store.List(ctx, by)
				return selected(items, in), err
			}),
		tool.New(tool.Spec{Name: "get_chef_menu_item_details", Effect: tool.Reads, Description: detailsText},
			func(ctx context.Context, by identity.Caller, in itemInput) (details, error) {
				i, err := find(ctx, store, by, in.Item)
				return details{i}, err
			}),
		createTool(store),
		updateTool(store),
		deleteTool(store),
		// One dish is off for an evening and back the next: small, and undone by
		// the same call. So it runs unasked.
		tool.New(tool.Spec{Name: "toggle_chef_menu_availability", Effect: tool.Writes, Description: toggleText},
			func(ctx context.Context, by identity.Caller, in toggleInput) (toggled, error) {
				items, err := store.List(ctx, by)
				if err != nil {
					return toggled{}, err
				}
				i, err := names.Act(items, in.Item, kind, func(code string) (Item, error) {
					return store.Toggle(ctx, by, code, in.Available)
				})
				return toggled{i}, err
			}),
	}
}

func find(ctx context.Context, store Store, by identity.Caller, wanted string) (Item, error) {
	items, err := store.List(ctx, by)
	if err != nil {
		return Item{}, err
	}
	return names.Find(items, wanted, kind)
}

func selected(items []Item, in listInput) list {
	l := list{Items: []Item{}, category: Category(in.Category)}
	for _, i := range items {
		if (in.Category == "" || i.Category == l.category) && (in.Available == nil || i.Available == *in.Available) {
			l.Items = append(l.Items, i)
		}
	}
	return l
}

type list struct {
	Items    []Item `json:"items"`
	category Category
}

// Table lays the menu out.
func (l list) Table() render.Table {
	t := render.Table{Title: "Chef's menu", Columns: []render.Column{
		render.Column{Key: "name", Label: "Dish"}.Opens("get_chef_menu_item_details", "item", "code"),
		render.Column{Key: "code", Label: "Code"}.Opens("get_chef_menu_item_details", "item", ""),
		{Key: "category", Label: "Category"},
		{Key: "price", Label: "Price", Right: true}, {Key: "dietary", Label: "Dietary"},
		{Key: "available", Label: "Available"},
	}}
	for _, i := range l.Items {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(i.Name), render.Text(i.Code), render.Text(i.Category.Words()),
			render.Money(i.Price, i.Currency),
			render.Text(forms.Joined(i.Dietary)), render.Yes(i.Available),
		})
	}
	return t
}

// Summarize says how many there are.
func (l list) Summarize() string {
	what := "the menu"
	if l.category != "" {
		what = "the " + l.category.Words()
	}
	off := 0
	for _, i := range l.Items {
		if !i.Available {
			off++
		}
	}
	switch {
	case len(l.Items) == 0:
		return "There is no such dish on " + what + "."
	case off == 0:
		return fmt.Sprintf("%s of %s.", dishes(len(l.Items)), what)
	}
	return fmt.Sprintf("%s of %s, %d of them not available at present.", dishes(len(l.Items)), what, off)
}

func dishes(n int) string {
	if n == 1 {
		return "One dish"
	}
	return fmt.Sprintf("%d dishes", n)
}

type details struct{ Item }

// Table lays the facts out, one a row.
func (d details) Table() render.Table {
	t := render.Table{Title: d.Name + " (" + d.Code + ")", Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "value", Label: "Value"}}}
	for _, fact := range []struct {
		label string
		value render.Cell
	}{
		{"Description", render.Text(d.Description)}, {"Category", render.Text(d.Category.Words())},
		{"Price", render.Money(d.Price, d.Currency)}, {"Dietary", render.Text(forms.Joined(d.Dietary))},
		{"Available", render.Yes(d.Available)},
	} {
		if fact.value.Text != "" {
			t.Rows = append(t.Rows, []render.Cell{render.Text(fact.label), fact.value})
		}
	}
	return t
}

// Summarize says what it is in a sentence.
func (d details) Summarize() string {
	text := fmt.Sprintf("%s (%s), of the %s, costs %s", d.Name, d.Code, d.Category.Words(), d.Price.Format(d.Currency))
	if len(d.Dietary) > 0 {
		text += " and is " + strings.Join(d.Dietary, ", ")
	}
	return text + "." + d.offered(" It is not available at present.")
}

// Count is one: a dish.
func (d details) Count() int { return 1 }

// offered returns the sentence for a dish that is off the menu, "" for one on it.
func (i Item) offered(off string) string {
	if i.Available {
		return ""
	}
	return off
}

type toggled struct{ Item }

// Summarize says what it is now.
func (t toggled) Summarize() string {
	if t.Available {
		return t.Name + " (" + t.Code + ") is available now."
	}
	return t.Name + " (" + t.Code + ") is not available now. It stays on record and can be offered again."
}

// Count is one: the dish.
func (t toggled) Count() int { return 1 }
