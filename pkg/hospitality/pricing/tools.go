package pricing

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/list_pricing_models.md
var listPricingModelsText string

//go:embed tools/get_pricing_model_details.md
var getPricingModelDetailsText string

//go:embed tools/simulate_pricing.md
var simulatePricingText string

//go:embed tools/get_seasonal_pricing.md
var getSeasonalPricingText string

type listInput struct{}

type detailsInput struct {
	Model string `json:"model,omitempty" jsonschema:"the model's code or name; the default model when left out"`
}

type seasonalInput struct {
	Room  string        `json:"room,omitempty" jsonschema:"the code or name of a room type, for the seasons that hold for it"`
	Start calendar.Date `json:"start_date,omitzero" jsonschema:"seasons with a day from this one on, YYYY-MM-DD"`
	End   calendar.Date `json:"end_date,omitzero" jsonschema:"seasons with a day until this one, YYYY-MM-DD"`
}

// Tools returns the tools with which an assistant explains and changes prices.
// now decides which day a stay is booked on.
func Tools(store Store, now calendar.Clock) []tool.Tool {
	return []tool.Tool{
		tool.New(tool.Spec{Name: "list_pricing_models", Effect: tool.Reads, Description: listPricingModelsText},
			func(ctx context.Context, by identity.Caller, _ listInput) (models, error) {
				all, err := store.Models(ctx, by)
				return models{all}, err
			}),
		tool.New(tool.Spec{Name: "get_pricing_model_details", Effect: tool.Reads,
			Description: getPricingModelDetailsText},
			func(ctx context.Context, by identity.Caller, in detailsInput) (model, error) {
				m, err := findModel(ctx, store, by, in.Model)
				return model{m}, err
			}),
		tool.New(tool.Spec{Name: "simulate_pricing", Effect: tool.Reads, Description: simulatePricingText,
			Shows: []string{"chart", "choices"}},
			func(ctx context.Context, by identity.Caller, in simulateInput) (simulated, error) {
				return simulate(ctx, store, by, now, in)
			}),
		tool.New(tool.Spec{Name: "get_seasonal_pricing", Effect: tool.Reads, Description: getSeasonalPricingText,
			Shows: []string{"choices"}},
			func(ctx context.Context, by identity.Caller, in seasonalInput) (seasons, error) {
				return seasonal(ctx, store, by, in)
			}),
		setSeasonTool(store),
		removeSeasonTool(store),
		setTierTool(store),
		removeTierTool(store),
	}
}

// findModel returns the model of that code or name; "" means the default one.
func findModel(ctx context.Context, store Store, by identity.Caller, wanted string) (Model, error) {
	all, err := store.Models(ctx, by)
	if err != nil {
		return Model{}, err
	}
	if wanted != "" {
		return names.Find(all, wanted, "pricing model")
	}
	for _, m := range all {
		if m.Default {
			return m, nil
		}
	}
	return Model{}, fault.New(fault.NotFound, "The property has no default pricing model.")
}

func seasonal(ctx context.Context, store Store, by identity.Caller, in seasonalInput) (seasons, error) {
	all, err := store.Seasons(ctx, by)
	if err != nil {
		return seasons{}, err
	}
	code := ""
	if in.Room != "" {
		sold, err := store.Sold(ctx, by)
		if err != nil {
			return seasons{}, err
		}
		room, err := names.Find(sold.Rooms, in.Room, "room type")
		if err != nil {
			return seasons{}, err
		}
		code = room.Code
	}
	found := seasons{Seasons: []Season{}}
	for _, s := range all {
		if code != "" && s.Room != nil && s.Room.Code != code || s.Ends.Before(in.Start) || !in.End.IsZero() &&
			s.Starts.After(in.End) {
			continue
		}
		found.Seasons = append(found.Seasons, s)
	}
	return found, nil
}

type models struct {
	Models []Model `json:"models"`
}

// Table lays the list out.
func (m models) Table() render.Table {
	t := render.Table{Title: "Pricing models", Columns: []render.Column{
		{Key: "name", Label: "Model"}, {Key: "code", Label: "Code"}, {Key: "default", Label: "Default"},
		{Key: "active", Label: "Active"},
		{Key: "tiers", Label: "Tiers"}, {Key: "rooms", Label: "Rooms that name it"},
	}}
	for _, each := range m.Models {
		tiers := make([]string, len(each.Tiers))
		for i, r := range each.Tiers {
			tiers[i] = r.Name + " " + signed(r.Adjustment)
		}
		t.Rows = append(t.Rows, []render.Cell{render.Text(each.Name), render.Text(each.Code), render.Yes(each.Default),
			render.Yes(each.Active),
			render.Text(strings.Join(tiers, ", ")), render.Text(each.rooms())})
	}
	return t
}

// Summarize says how many there are.
func (m models) Summarize() string {
	switch len(m.Models) {
	case 0:
		return "The property has no pricing models: nights cost what rooms and seasons say."
	case 1:
		return "The property has one pricing model."
	}
	return fmt.Sprintf("The property has %d pricing models.", len(m.Models))
}

func (m Model) rooms() string {
	codes := make([]string, len(m.Rooms))
	for i, r := range m.Rooms {
		codes[i] = r.Code
	}
	return strings.Join(codes, ", ")
}

type model struct{ Model }

// Table lays out the tiers.
func (m model) Table() render.Table {
	t := render.Table{Title: m.Name + " (" + m.Code + ")", Columns: []render.Column{
		{Key: "tier", Label: "Tier"}, {Key: "code", Label: "Code"},
		{Key: "occupancy", Label: "Occupancy of the night"},
		{Key: "lead", Label: "Days until arrival"}, {Key: "adjustment", Label: "Price", Right: true},
	}}
	for _, r := range m.Tiers {
		t.Rows = append(t.Rows, []render.Cell{render.Text(r.Name), render.Text(r.Code), render.Text(r.occupancy()),
			render.Text(r.lead()),
			{Text: signed(r.Adjustment), Value: r.Adjustment}})
	}
	return t
}

// Summarize says how the model works.
func (m model) Summarize() string {
	text := fmt.Sprintf("%s (%s) has %d tiers. The tier that holds the occupancy of a night, counted before the new "+
		"booking, changes that night's price; "+
		"where no tier holds, it stays.", m.Name, m.Code, len(m.Tiers))
	if m.Default {
		text += " It is the default: rooms that name no model follow it."
	}
	if !m.Active {
		text += " It is not active, so it changes nothing at present."
	}
	return text
}

// Count is one: a model.
func (m model) Count() int { return 1 }

func (t Tier) occupancy() string {
	if t.Max.Cmp(money.FromInt(100)) == 0 {
		return short(t.Min) + " % and more"
	}
	return fmt.Sprintf("%s %% to under %s %%", short(t.Min), short(t.Max))
}

func (t Tier) lead() string {
	switch {
	case t.LeadMax != nil:
		return fmt.Sprintf("%d to %d", t.LeadMin, *t.LeadMax)
	case t.LeadMin > 0:
		return fmt.Sprintf("%d or more", t.LeadMin)
	}
	return "any"
}

type seasons struct {
	Seasons []Season `json:"seasons"`
}

// Table lays the list out.
func (s seasons) Table() render.Table {
	t := render.Table{Title: "Seasons", Columns: []render.Column{
		{Key: "name", Label: "Season"}, {Key: "code", Label: "Code"}, {Key: "room", Label: "Room"},
		{Key: "first", Label: "First night"},
		{Key: "last", Label: "Last night"}, {Key: "weekday", Label: "Weekday", Right: true},
		{Key: "weekend", Label: "Weekend", Right: true},
		{Key: "rules", Label: "Restrictions"}, {Key: "priority", Label: "Priority", Right: true},
		{Key: "active", Label: "Active"},
	}}
	for _, each := range s.Seasons {
		t.Rows = append(t.Rows, []render.Cell{render.Text(each.Name), render.Text(each.Code), render.Text(each.room()),
			render.Day(each.Starts),
			render.Day(each.Ends), render.Text(each.price(each.Weekday)), render.Text(each.price(each.Weekend)),
			render.Text(each.rules()),
			render.Int(each.Priority), render.Yes(each.Active)})
	}
	return t
}

// Summarize says how many there are and which of several wins.
func (s seasons) Summarize() string {
	switch len(s.Seasons) {
	case 0:
		return "No season holds there: nights cost the rooms' own prices."
	case 1:
		return "There is one season."
	}
	return fmt.Sprintf("There are %d seasons. Where several hold, the higher priority wins, then the shorter one, "+
		"then the newest.", len(s.Seasons))
}

func (s Season) room() string {
	if s.Room == nil {
		return "all rooms"
	}
	return s.Room.Name
}

func (s Season) price(p *money.Amount) string {
	if p == nil {
		return "the room's own"
	}
	return p.Format(s.Currency)
}

func (s Season) rules() string {
	var rules []string
	if s.MinStay != nil {
		rules = append(rules, fmt.Sprintf("at least %d nights", *s.MinStay))
	}
	if s.ClosedArrival {
		rules = append(rules, "no arrival")
	}
	if s.ClosedDeparture {
		rules = append(rules, "no departure")
	}
	return forms.Joined(rules)
}
