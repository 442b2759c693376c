package packages

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/hospitality/extras"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/rooms"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/list_packages.md
var listText string

//go:embed tools/get_package_details.md
var detailsText string

//go:embed tools/create_package.md
var createText string

//go:embed tools/update_package.md
var updateText string

//go:embed tools/delete_package.md
var deleteText string

// Service is what the tools work with: the packages, and what they are made of.
type Service struct {
	Packages Store
	Rooms    rooms.Store
	Extras   extras.Store
}

type listInput struct {
	IncludeInactive bool `json:"include_inactive,omitempty" jsonschema:"with those that are out of use"`
}

type packageInput struct {
	Package string `json:"package" jsonschema:"the package's code or name"`
}

// Tools returns the tools with which an assistant sees, adds, changes and
// removes packages.
func Tools(d Service) []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "list_packages", Effect: tool.Reads, Description: listText},
			func(ctx context.Context, by identity.Caller, in listInput) (list, error) {
				packages, err := d.Packages.List(ctx, by, in.IncludeInactive)
				return list{packages}, err
			}),
		tool.New(tool.Spec{Name: "get_package_details", Effect: tool.Reads, Description: detailsText},
			func(ctx context.Context, by identity.Caller, in packageInput) (details, error) {
				p, err := d.find(ctx, by, in.Package)
				return details{p}, err
			}),
		tool.New(tool.Spec{Name: "create_package", Effect: tool.Changes, Description: createText}, d.create,
			tool.Previewed(d.previewCreate)),
		tool.New(tool.Spec{Name: "update_package", Effect: tool.Changes, Description: updateText}, d.update,
			tool.Previewed(d.previewUpdate)),
		tool.New(tool.Spec{Name: "delete_package", Effect: tool.Destroys, Description: deleteText}, d.delete,
			tool.Previewed(d.previewDelete)),
	}
}

func (s Service) find(ctx context.Context, by identity.Caller, wanted string) (Package, error) {
	packages, err := s.Packages.List(ctx, by, true)
	if err != nil {
		return Package{}, err
	}
	return names.Find(packages, wanted, "package")
}

type list struct {
	Packages []Package `json:"packages"`
}

// Table lays the list out.
func (l list) Table() render.Table {
	t := render.Table{Title: "Packages", Columns: []render.Column{
		render.Column{Key: "name", Label: "Package"}.Opens("get_package_details", "package", "code"),
		render.Column{Key: "code", Label: "Code"}.Opens("get_package_details", "package", ""),
		{Key: "price", Label: "Price", Right: true},
		{Key: "per", Label: "Counts"},
		{Key: "nights", Label: "Nights"}, {Key: "guests", Label: "Guests", Right: true},
		{Key: "rooms", Label: "Rooms"},
		{Key: "extras", Label: "Extras"}, {Key: "valid", Label: "Valid"}, {Key: "active", Label: "Active"},
	}}
	for _, p := range l.Packages {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(p.Name), render.Text(p.Code), render.Money(p.Price, p.Currency), render.Text(p.Per.Words()),
			render.Text(p.nights()),
			render.Int(p.IncludedGuests), render.Text(roomNames(p.Rooms)), render.Text(extraNames(p.Extras)),
			render.Text(p.validity()), render.Yes(p.Active),
		})
	}
	return t
}

// Summarize says how many there are.
func (l list) Summarize() string {
	switch len(l.Packages) {
	case 0:
		return "The property has no packages."
	case 1:
		return "The property has one package."
	}
	return fmt.Sprintf("The property has %d packages.", len(l.Packages))
}

func roomNames(parts []Part) string {
	if len(parts) == 0 {
		return "every room type"
	}
	shown := make([]string, len(parts))
	for i, p := range parts {
		shown[i] = p.Name
	}
	return strings.Join(shown, ", ")
}

func extraNames(parts []Part) string {
	shown := make([]string, len(parts))
	for i, p := range parts {
		shown[i] = p.Name
		if p.Quantity > 1 {
			shown[i] = fmt.Sprintf("%d × %s", p.Quantity, p.Name)
		}
	}
	return strings.Join(shown, ", ")
}

type details struct{ Package }

// Table lays the facts out, one a row.
func (d details) Table() render.Table {
	t := render.Table{Title: d.Name + " (" + d.Code + ")", Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "value", Label: "Value"}}}
	for _, fact := range []struct {
		label string
		value render.Cell
	}{
		{"Description", render.Text(d.Description)}, {"Price", render.Money(d.Price, d.Currency)},
		{"Counts", render.Text(d.Per.Words())},
		{"Share of the room", render.Cell{Text: forms.Percentage(d.RoomSharePercent), Value: d.RoomSharePercent}},
		{"Nights", render.Text(d.nights())},
		{"Guests per room", render.Int(d.IncludedGuests)}, {"Rooms", render.Text(roomNames(d.Rooms))},
		{"Extras", render.Text(extraNames(d.Extras))}, {"Nights from and to", render.Text(d.validity())},
		{"Active", render.Yes(d.Active)},
	} {
		if fact.value.Text != "" {
			t.Rows = append(t.Rows, []render.Cell{render.Text(fact.label), fact.value})
		}
	}
	return t
}

// Summarize says what it is in a sentence.
func (d details) Summarize() string {
	text := fmt.Sprintf("%s (%s) costs %s for %s nights and up to %d guests a room, in %s", d.Name, d.Code, d.costs(),
		d.nights(), d.IncludedGuests, roomNames(d.Rooms))
	if len(d.Extras) > 0 {
		text += ", with " + extraNames(d.Extras)
	}
	text += "."
	if !d.Active {
		text += " It is not sold at present."
	}
	return text
}

// Count is one: a package.
func (d details) Count() int { return 1 }
