package gst

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/calculate_gst.md
var calculateText string

//go:embed tools/check_tax_details.md
var checkText string

// Tools returns the tools that compute GST and check particulars. They read nothing.
func Tools(now calendar.Clock) []tool.Tool {
	s := service{now}
	return []tool.Tool{
		tool.New(tool.Spec{Name: "calculate_gst", Effect: tool.Reads, Description: calculateText,
			Extension: "models word figures, and compute none"}, s.calculate),
		tool.New(tool.Spec{Name: "check_tax_details", Effect: tool.Reads, Description: checkText,
			Extension: "warnings before a record is made"}, s.check),
	}
}

type service struct{ now calendar.Clock }

// day is the date that was given, or today at the company's place.
func (s service) day(by identity.Caller, given string) (calendar.Date, error) {
	if strings.TrimSpace(given) != "" {
		return rupees.ParseDate(given)
	}
	zone, err := by.Entity.Location()
	if err != nil {
		zone = time.FixedZone("IST", 5*60*60+30*60)
	}
	return calendar.Today(s.now(), zone), nil
}

type calculateInput struct {
	Amount   string `json:"amount" jsonschema:"as the person said it: 1,00,000 or 2.5 lakh"`
	Rate     string `json:"rate" jsonschema:"per cent: 5, 18 or 40"`
	Includes bool   `json:"includes_gst,omitempty" jsonschema:"true when GST is in the amount already"`
	From     string `json:"from_state" jsonschema:"the supplier's state, by name or code, or its GSTIN"`
	To       string `json:"to_state,omitempty" jsonschema:"the place of supply likewise; left out for the same state"`
	Date     string `json:"date,omitempty" jsonschema:"of the supply; today when left out"`
}

// calculated is the tax on an amount.
type calculated struct {
	Taxable    money.Amount `json:"taxable"`
	Rate       money.Amount `json:"rate"`
	Tax        Tax          `json:"tax"`
	Total      money.Amount `json:"total"`
	Interstate bool         `json:"interstate"`
	StateTax   string       `json:"state_tax"` // SGST or UTGST
	From       string       `json:"from_state"`
	To         string       `json:"place_of_supply"`
	Findings   []Finding    `json:"findings"`
}

func (s service) calculate(_ context.Context, by identity.Caller, in calculateInput) (calculated, error) {
	amount, err := rupees.Parse(in.Amount)
	if err != nil {
		return calculated{}, err
	}
	rate, err := money.Parse(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(in.Rate), "%")))
	if err != nil || rate.Negative() || rate.Cmp(money.FromInt(100)) >= 0 {
		return calculated{}, fault.New(fault.Invalid, "%q is not a rate in per cent, such as 18.", cut(in.Rate))
	}
	on, err := s.day(by, in.Date)
	if err != nil {
		return calculated{}, err
	}
	from, err := stateOf(in.From)
	if err != nil {
		return calculated{}, err
	}
	to := from
	if strings.TrimSpace(in.To) != "" {
		if to, err = stateOf(in.To); err != nil {
			return calculated{}, err
		}
	}
	out := calculated{Taxable: amount.Round(2), Rate: rate.Round(rate.Decimals()), Interstate: Interstate(from, to),
		StateTax: StateTax(to), From: stateText(from), To: stateText(to), Findings: CheckRate(rate, on)}
	if in.Includes {
		if out.Taxable, err = without(amount, rate); err != nil {
			return calculated{}, err
		}
	}
	out.Tax = Split(out.Taxable, rate, out.Interstate)
	tax, err := out.Tax.Total()
	if err == nil {
		out.Total, err = out.Taxable.Add(tax)
	}
	return out, err
}

// without returns the taxable value in an amount with tax.
func without(amount, rate money.Amount) (money.Amount, error) {
	whole, err := rate.Add(money.FromInt(100))
	if err != nil {
		return money.Zero, err
	}
	factor, _ := whole.Quo(money.FromInt(100), 6) // exact: a rate has at most a few digits
	taxable, _ := amount.Quo(factor, 2)           // not by zero
	return taxable, nil
}

// stateOf reads a state by its name, its code or the GSTIN of a registration there.
func stateOf(s string) (string, error) {
	if code, ok := StateCode(s); ok {
		return code, nil
	}
	if g, _, err := CheckGSTIN(s); err == nil {
		if _, ok := StateName(g.State); ok {
			return g.State, nil
		}
	}
	return "", fault.New(fault.Invalid, "%q is not a state of India. Write its name or code, or a GSTIN.", cut(s))
}

// Table shows the tax by head.
func (c calculated) Table() render.Table {
	t := render.Table{Title: fmt.Sprintf("GST of %s %%", c.Rate), Columns: []render.Column{
		{Key: "what", Label: "What"}, {Key: "amount", Label: "Amount", Right: true}}}
	add := func(what string, a money.Amount) {
		t.Rows = append(t.Rows, []render.Cell{render.Text(what), {Text: rupees.Format(a), Value: a}})
	}
	add("Taxable value", c.Taxable)
	if c.Interstate {
		add("IGST", c.Tax.IGST)
	} else {
		add("CGST", c.Tax.CGST)
		add(c.StateTax, c.Tax.SGST)
	}
	add("Total", c.Total)
	return t
}

// Summarize says the tax and what does not fit.
func (c calculated) Summarize() string {
	tax := fmt.Sprintf("CGST %s and %s %s", rupees.Format(c.Tax.CGST), c.StateTax, rupees.Format(c.Tax.SGST))
	if c.Interstate {
		tax = "IGST " + rupees.Format(c.Tax.IGST)
	}
	return strings.TrimSpace(fmt.Sprintf("On %s at %s %%, supplied from %s to %s: %s, in all %s. %s",
		rupees.Format(c.Taxable), c.Rate, c.From, c.To, tax, rupees.Format(c.Total), texts(c.Findings)))
}

// Count is one.
func (c calculated) Count() int { return 1 }

func texts(list []Finding) string {
	var all []string
	for _, f := range list {
		all = append(all, f.Text)
	}
	return strings.Join(all, " ")
}

type checkInput struct {
	GSTIN  string `json:"gstin,omitempty"`
	PAN    string `json:"pan,omitempty"`
	HSN    string `json:"hsn_sac,omitempty"`
	Rate   string `json:"gst_rate,omitempty" jsonschema:"per cent"`
	Date   string `json:"date,omitempty" jsonschema:"for the rate; today when left out"`
	Number string `json:"invoice_number,omitempty"`
}

// Check wants something to check.
func (in *checkInput) Check() error {
	if strings.TrimSpace(in.GSTIN+in.PAN+in.HSN+in.Rate+in.Number) == "" {
		return fault.New(fault.Invalid, "Nothing was given to check: a GSTIN, a PAN, an HSN, a rate or an invoice "+
			"number.")
	}
	return nil
}

// checked is what was found, in the order of the input.
type checked struct {
	Fits     []string  `json:"fits"` // sentences on what has the form that it should have
	Findings []Finding `json:"findings"`
}

func (s service) check(_ context.Context, by identity.Caller, in checkInput) (checked, error) {
	var out checked
	note := func(fits string, findings []Finding, err error) {
		switch {
		case err != nil:
			out.Findings = append(out.Findings, Finding{"form", fault.From(err).Message})
		case len(findings) > 0:
			out.Findings = append(out.Findings, findings...)
		default:
			out.Fits = append(out.Fits, fits)
		}
	}
	if strings.TrimSpace(in.GSTIN) != "" {
		g, findings, err := CheckGSTIN(in.GSTIN)
		note(fmt.Sprintf("%s has the form of a GSTIN of %s and its check character fits; whether it is registered "+
			"was not asked.", g.Text, stateText(g.State)), findings, err)
	}
	if strings.TrimSpace(in.PAN) != "" {
		p, findings, err := CheckPAN(in.PAN)
		note(fmt.Sprintf("%s has the form of the PAN of one kind of holder: %s; whether it was issued was not asked.",
			MaskPAN(p.Text), p.Holder), findings, err)
	}
	if strings.TrimSpace(in.HSN) != "" {
		what := "an HSN of goods"
		if Service(in.HSN) {
			what = "a SAC of services"
		}
		note(fmt.Sprintf("%s has the form of %s.", cut(strings.TrimSpace(in.HSN)), what), CheckHSN(in.HSN), nil)
	}
	if strings.TrimSpace(in.Rate) != "" {
		on, err := s.day(by, in.Date)
		if err != nil {
			return checked{}, err
		}
		rate, err := money.Parse(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(in.Rate), "%")))
		if err != nil {
			err = fault.New(fault.Invalid, "%q is not a rate in per cent, such as 18.", cut(in.Rate))
		}
		note(fmt.Sprintf("%s %% is a rate of GST on %s.", rate.Round(rate.Decimals()), rupees.Date(on)),
			CheckRate(rate, on), err)
	}
	if strings.TrimSpace(in.Number) != "" {
		note(fmt.Sprintf("%s may be the number of an invoice.", cut(strings.TrimSpace(in.Number))),
			CheckNumber(in.Number), nil)
	}
	return out, nil
}

// Summarize says all of it.
func (c checked) Summarize() string {
	return strings.TrimSpace(strings.Join(c.Fits, " ") + " " + texts(c.Findings))
}

// Count is how many things were looked at or found.
func (c checked) Count() int { return len(c.Fits) + len(c.Findings) }
