package frontdesk

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/get_house_facts.md
var getHouseFactsText string

//go:embed tools/set_house_facts.md
var setHouseFactsText string

// Fact names something that a property tells its guests.
type Fact string

// facts are all of them with what people call them, in the order in which they
// are shown.
func facts() []struct {
	fact  Fact
	label string
} {
	return []struct {
		fact  Fact
		label string
	}{
		{"checkInTime", "Check-in from"}, {"checkOutTime", "Check-out until"},
		{"freeCancelDays", "Free cancellation"}, {"cancellationTerms", "Cancellation terms"},
		{"depositPercent", "Deposit"}, {"address", "Address"}, {"directions", "Directions"}, {"phone", "Phone"},
		{"email", "E-mail"}, {"houseRules", "House rules"},
	}
}

// House is what a property tells its guests.
type House struct {
	Name    string          `json:"name"`
	Facts   map[Fact]string `json:"facts"` // "" for what it says nothing of
	Key     string          `json:"-"`
	Version int             `json:"-"`
}

// show is a fact as people read it.
func (f Fact) show(value string) string {
	n, err := strconv.Atoi(value)
	switch {
	case value == "" || err != nil:
		return value
	case f == "freeCancelDays" && n == 0:
		return "until the day of arrival"
	case f == "freeCancelDays":
		return "until " + count(n, "day") + " before arrival"
	case f == "depositPercent":
		return value + " % of the total"
	}
	return value
}

// Table lays the facts out, one a row.
func (h House) Table() render.Table {
	t := render.Table{Title: h.Name, Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "value", Label: "Value"}}}
	for _, f := range facts() {
		if value := f.fact.show(h.Facts[f.fact]); value != "" {
			t.Rows = append(t.Rows, []render.Cell{render.Text(f.label), render.Text(value)})
		}
	}
	return t
}

// Summarize says when guests come and go, and until when cancelling is free.
func (h House) Summarize() string {
	var parts []string
	for _, f := range facts()[:3] {
		if value := f.fact.show(h.Facts[f.fact]); value != "" {
			parts = append(parts, strings.ToLower(f.label)+" "+value)
		}
	}
	if len(parts) == 0 {
		return h.Name + " has not said when guests come and go."
	}
	return h.Name + ": " + strings.Join(parts, ", ") + "."
}

// Count is one: a property.
func (h House) Count() int { return 1 }

type noInput struct{}

func houseFactsTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "get_house_facts", Effect: tool.Reads, Description: getHouseFactsText,
		Extension: "guests ask at every desk when they may come and how they find the house"},
		func(ctx context.Context, by identity.Caller, _ noInput) (House, error) { return store.House(ctx, by) })
}

type houseInput struct {
	Fact  factName `json:"fact" jsonschema:"what guests are told"`
	Value string   `json:"value" limits:"note" jsonschema:"as guests read it; times as 14:00, days as a number, empty removes it"`
}

// factName is a fact that can be changed.
type factName string

// Values returns the closed set.
func (factName) Values() []string {
	return []string{"check_in_time", "check_out_time", "free_cancel_days", "cancellation_terms", "address",
		"directions",
		"phone", "email", "house_rules"}
}

// fact returns check_in_time as checkInTime.
func (n factName) fact() Fact {
	first, rest, _ := strings.Cut(string(n), "_")
	for word := range strings.SplitSeq(rest, "_") {
		if word != "" {
			first += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return Fact(first)
}

var clock = regexp.MustCompile(`^([01]?[0-9]|2[0-3]):[0-5][0-9]$`)

// Check tidies the value and refuses what the database would refuse.
func (in *houseInput) Check() error {
	limit := 254
	switch in.Fact {
	case "cancellation_terms", "directions", "house_rules":
		limit = 4000
	case "check_in_time", "check_out_time":
		if in.Value != "" && !clock.MatchString(in.Value) {
			return fault.New(fault.Invalid, "%s must be a time such as 14:00, not %.20q.", in.Fact, in.Value)
		}
		if len(in.Value) == 4 {
			in.Value = "0" + in.Value
		}
	case "free_cancel_days":
		if n, err := strconv.Atoi(in.Value); in.Value != "" && (err != nil || n < 0 || n > 365) {
			return fault.New(fault.Invalid, "free_cancel_days must be a number from 0 to 365, not %.20q.", in.Value)
		}
	}
	return forms.Words("text", &in.Value, limit)
}

type houseChanged struct{ House }

// Summarize says that it is so now.
func (h houseChanged) Summarize() string { return "Guests of " + h.Name + " are told so from now on." }

func setHouseFactsTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "set_house_facts", Effect: tool.Changes, Description: setHouseFactsText,
		Extension: "what guests are told changes, and an administrator should not need a database for it"},
		func(ctx context.Context, by identity.Caller, in houseInput) (houseChanged, error) {
			h, err := store.SetHouse(ctx, by, map[Fact]string{in.Fact.fact(): in.Value})
			return houseChanged{h}, err
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in houseInput) (tool.Preview, error) {
			if by.Role != identity.Admin {
				return tool.Preview{}, fault.New(fault.Forbidden,
					"Only administrators may change what the house tells its guests.")
			}
			h, err := store.House(ctx, by)
			if err != nil {
				return tool.Preview{}, err
			}
			var d forms.Diff
			for _, f := range facts() {
				if f.fact == in.Fact.fact() {
					forms.Changed(&d, f.label, h.Facts[f.fact], &in.Value, f.fact.show)
				}
			}
			if len(d.Lines) == 0 {
				return tool.Preview{}, fault.New(fault.Invalid, "%s tells its guests so already.", h.Name).
					WithCode("nothing_to_change")
			}
			return tool.Preview{Title: fmt.Sprintf("Change what guests of %s are told", h.Name), Lines: d.Lines,
				Targets: []tool.Target{{Table: "entities", Key: h.Key, Version: h.Version}}}, nil
		}))
}
