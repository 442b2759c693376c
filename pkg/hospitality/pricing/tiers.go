package pricing

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/forms"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/names"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/set_pricing_tier.md
var setPricingTierText string

//go:embed tools/remove_pricing_tier.md
var removePricingTierText string

type setTierInput struct {
	Model      string        `json:"model,omitempty" jsonschema:"the model's code or name; the default model when left out"`
	Tier       string        `json:"tier,omitempty" jsonschema:"the code or name of a tier to change; leave it out to add one"`
	Name       *string       `json:"name,omitempty" jsonschema:"what the tier is called, such as Busy; required for a new one"`
	Min        *money.Amount `json:"min_occupancy,omitempty" jsonschema:"the occupancy in percent from which it holds, 0 to under 100; required for a new tier"`
	Max        *money.Amount `json:"max_occupancy,omitempty" jsonschema:"the occupancy in percent below which it holds; 100 includes a full house; required for a new tier"`
	Adjustment *money.Amount `json:"adjustment_percent,omitempty" limits:"signed" jsonschema:"what it adds to the price in percent, -90 to 500; below zero for a reduction; required for a new tier"`
	LeadMin    *int          `json:"lead_days_min,omitempty" jsonschema:"only for stays that begin in at least so many days, 0 to 1000"`
	LeadMax    *int          `json:"lead_days_max,omitempty" jsonschema:"only for stays that begin in at most so many days, 0 to 1000"`
}

// Check tidies what is given and refuses what the database would refuse.
func (in *setTierInput) Check() error {
	var errs []error
	if in.Name != nil {
		errs = append(errs, forms.Name("tier", in.Name))
	}
	if in.Min != nil {
		errs = append(errs, forms.Percent("min_occupancy", *in.Min))
	}
	if in.Max != nil {
		errs = append(errs, forms.Percent("max_occupancy", *in.Max))
	}
	if a := in.Adjustment; a != nil && (a.Cmp(money.FromInt(-90)) < 0 || a.Cmp(money.FromInt(500)) > 0 ||
		a.Decimals() > 2) {
		errs = append(errs, fault.New(fault.Invalid,
			"adjustment_percent must be from -90 to 500, with at most two decimals."))
	}
	if in.LeadMin != nil {
		errs = append(errs, forms.Between("lead_days_min", *in.LeadMin, 0, 1000))
	}
	if in.LeadMax != nil {
		errs = append(errs, forms.Between("lead_days_max", *in.LeadMax, 0, 1000))
	}
	if in.Tier == "" && (in.Name == nil || in.Min == nil || in.Max == nil || in.Adjustment == nil) {
		errs = append(errs, fault.New(fault.Invalid,
			"A new tier needs a name, min_occupancy, max_occupancy and adjustment_percent."))
	}
	return cmp.Or(errs...)
}

// apply returns the tier with what is given, and refuses what cannot be.
func (in setTierInput) apply(t Tier, others []Tier) (Tier, error) {
	if in.Name != nil {
		t.Name = *in.Name
	}
	if in.Min != nil {
		t.Min = *in.Min
	}
	if in.Max != nil {
		t.Max = *in.Max
	}
	if in.Adjustment != nil {
		t.Adjustment = *in.Adjustment
	}
	if in.LeadMin != nil {
		t.LeadMin = *in.LeadMin
	}
	if in.LeadMax != nil {
		t.LeadMax = in.LeadMax
	}
	switch {
	case t.Min.Cmp(t.Max) >= 0:
		return t, fault.New(fault.Invalid,
			"The tier would begin at %s %% and end at %s %% occupancy; it must begin below its end.", short(t.Min),
			short(t.Max))
	case t.LeadMax != nil && *t.LeadMax < t.LeadMin:
		return t, fault.New(fault.Invalid, "lead_days_max must not be below lead_days_min.")
	}
	for _, o := range others {
		if o.Code != t.Code && t.overlaps(o) {
			return t, fault.New(fault.Conflict,
				"It would overlap with the tier %s (%s): %s occupancy, %s days until arrival. Tiers of one model "+
					"must not overlap.",
				o.Name, o.Code, o.occupancy(), o.lead()).WithCode("tiers_overlap")
		}
	}
	return t, nil
}

func (t Tier) overlaps(o Tier) bool {
	return t.Min.Cmp(o.Max) < 0 && o.Min.Cmp(t.Max) < 0 &&
		(o.LeadMax == nil || t.LeadMin <= *o.LeadMax) && (t.LeadMax == nil || o.LeadMin <= *t.LeadMax)
}

// tierOf finds the model and, in it, the tier that the input means; for a new
// one the tier is zero.
func (in setTierInput) tierOf(ctx context.Context, store Store, by identity.Caller) (m Model, was Tier, err error) {
	m, err = findModel(ctx, store, by, in.Model)
	if err == nil && in.Tier != "" {
		was, err = names.Find(m.Tiers, in.Tier, "tier in "+m.Name)
	}
	return m, was, err
}

func setTierTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "set_pricing_tier", Effect: tool.Changes, Description: setPricingTierText,
		Extension: "The source's pricing tools only read; who manages prices must be able to change a tier."},
		func(ctx context.Context, by identity.Caller, in setTierInput) (setTier, error) {
			m, err := findModel(ctx, store, by, in.Model)
			if err != nil {
				return setTier{}, err
			}
			if in.Tier == "" {
				// No look at the others: a repeated call would meet its own row.
				// The preview looked, and the database refuses an overlap.
				t, err := in.apply(Tier{}, nil)
				if err != nil {
					return setTier{}, err
				}
				t, err = store.AddTier(ctx, by, m.Code, t)
				return setTier{Tier: t, Model: m.Code, added: true}, err
			}
			return names.Act(m.Tiers, in.Tier, "tier in "+m.Name, func(code string) (setTier, error) {
				was, found := m.tier(code)
				t, err := in.apply(was, m.Tiers)
				if found && err != nil {
					return setTier{}, err
				}
				t, err = store.ChangeTier(ctx, by, t)
				return setTier{Tier: t, Model: m.Code}, err
			})
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in setTierInput) (tool.Preview, error) {
			m, was, err := in.tierOf(ctx, store, by)
			if err != nil {
				return tool.Preview{}, err
			}
			t, err := in.apply(was, m.Tiers)
			if err != nil {
				return tool.Preview{}, err
			}
			if in.Tier == "" {
				return tool.Preview{Title: "Add the tier " + t.Name + " to " + m.Name, Lines: []tool.Line{
					{Label: "Property", After: by.Entity.Name}, {Label: "Model", After: m.Name + " (" + m.Code + ")"},
					{Label: "Occupancy of the night", After: t.occupancy()}, {Label: "Days until arrival",
						After: t.lead()},
					{Label: "Price", After: signed(t.Adjustment)},
				}, Warnings: []string{keepsPrices}, Targets: []tool.Target{m.target()}}, nil
			}
			var d forms.Diff
			forms.Changed(&d, "Name", was.Name, &t.Name, forms.Plain)
			forms.Changed(&d, "Occupancy of the night", was, &t, Tier.occupancy)
			forms.Changed(&d, "Days until arrival", was, &t, Tier.lead)
			forms.Changed(&d, "Price", was.Adjustment, &t.Adjustment, signed)
			return d.Preview("tier", was.Name, was.target(), []string{keepsPrices})
		}))
}

// tier returns the tier of that code, or one that has only the code.
func (m Model) tier(code string) (t Tier, found bool) {
	for _, t := range m.Tiers {
		if t.Code == code {
			return t, true
		}
	}
	return Tier{Code: code}, false
}

func (t Tier) target() tool.Target {
	return tool.Target{Table: "pricing_tiers", Key: t.Code, Version: t.Version}
}

func (m Model) target() tool.Target {
	return tool.Target{Table: "pricing_models", Key: m.Code, Version: m.Version}
}

type setTier struct {
	Tier
	Model string `json:"model"`
	added bool
}

// Summarize says what holds now.
func (t setTier) Summarize() string {
	verb := "Changed"
	if t.added {
		verb = "Added"
	}
	text := fmt.Sprintf("%s the tier %s (%s) of %s: at %s occupancy the price changes by %s", verb, t.Name, t.Code,
		t.Model, t.occupancy(), signed(t.Adjustment))
	if t.Adjustment.IsZero() {
		text = fmt.Sprintf("%s the tier %s (%s) of %s: at %s occupancy the price stays", verb, t.Name, t.Code, t.Model,
			t.occupancy())
	}
	if t.lead() != "any" {
		text += ", with " + t.lead() + " days until arrival"
	}
	return text + "."
}

// Count is one: the tier.
func (t setTier) Count() int { return 1 }

type removeTierInput struct {
	Model string `json:"model,omitempty" jsonschema:"the model's code or name; the default model when left out"`
	Tier  string `json:"tier" jsonschema:"the code or name of the tier to remove"`
}

// Check refuses a tier without a name, which would mean a new one.
func (in *removeTierInput) Check() error {
	if strings.TrimSpace(in.Tier) == "" {
		return fault.New(fault.Invalid, "Name the tier to remove. The details of the pricing model list the tiers.")
	}
	return nil
}

func removeTierTool(store Store) tool.Tool {
	return tool.New(tool.Spec{Name: "remove_pricing_tier", Effect: tool.Destroys, Description: removePricingTierText,
		Extension: "Tiers that can be set must be removable, too."},
		func(ctx context.Context, by identity.Caller, in removeTierInput) (removed, error) {
			m, err := findModel(ctx, store, by, in.Model)
			if err != nil {
				return removed{}, err
			}
			return names.Act(m.Tiers, in.Tier, "tier in "+m.Name, func(code string) (removed, error) {
				t, _ := m.tier(code)
				return removed{Code: code, what: "tier"}, store.RemoveTier(ctx, by, code, t.Version)
			})
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in removeTierInput) (tool.Preview, error) {
			m, t, err := setTierInput{Model: in.Model, Tier: in.Tier}.tierOf(ctx, store, by)
			if err != nil {
				return tool.Preview{}, err
			}
			return tool.Preview{Title: "Remove the tier " + t.Name + " (" + t.Code + ") of " + m.Name,
				Lines: []tool.Line{
					{Label: "Price at " + t.occupancy() + " occupancy", Before: signed(t.Adjustment),
						After: "no change"},
				}, Warnings: []string{"It cannot be brought back, only set again.", keepsPrices},
				Targets: []tool.Target{t.target()}}, nil
		}))
}
