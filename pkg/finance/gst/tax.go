package gst

import (
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Tax is a tax by its heads, in rupees. SGST is UTGST in some union territories,
// see [StateTax]. A head that is not charged is 0.
type Tax struct {
	CGST money.Amount `json:"cgst"`
	SGST money.Amount `json:"sgst"`
	IGST money.Amount `json:"igst"`
}

// Total returns the sum of the heads. It reports an error when the sum is too
// large for an amount.
func (t Tax) Total() (money.Amount, error) {
	sum, err := t.CGST.Add(t.SGST)
	if err != nil {
		return money.Zero, err
	}
	return sum.Add(t.IGST)
}

// Split returns the tax on a taxable value at a rate in per cent: IGST between
// states, otherwise CGST and SGST at half the rate each. Each head is rounded to
// 0.01 on its own, half away from zero, so CGST and SGST together may differ from
// IGST by 0.01. The rate must be below 100.
func Split(taxable, rate money.Amount, interstate bool) Tax {
	at := func(percent string) money.Amount {
		// Factors below one: the product of an amount and them is never too large.
		factor, _ := rate.Mul(money.MustParse(percent))
		tax, _ := taxable.Mul(factor)
		return tax.Round(2)
	}
	if interstate {
		return Tax{IGST: at("0.01")}
	}
	half := at("0.005")
	return Tax{CGST: half, SGST: half}
}

// CheckTax says what is wrong with the tax on a line: heads that do not belong to
// the place of supply, and heads that differ from those of [Split].
func CheckTax(taxable, rate money.Amount, interstate bool, t Tax) []Finding {
	switch {
	case !interstate && !t.IGST.IsZero():
		return []Finding{found("gst_igst_inside",
			"IGST is charged although supplier and place of supply are in the same state: CGST and SGST are due.")}
	case interstate && !(t.CGST.IsZero() && t.SGST.IsZero()):
		return []Finding{found("gst_cgst_across",
			"CGST and SGST are charged although the place of supply is in another state: IGST is due.")}
	}
	var list []Finding
	want := Split(taxable, rate, interstate)
	for _, h := range []struct {
		name      string
		got, want money.Amount
	}{{"CGST", t.CGST, want.CGST}, {"SGST", t.SGST, want.SGST}, {"IGST", t.IGST, want.IGST}} {
		if h.got.Cmp(h.want) != 0 {
			list = append(list, found("gst_amount", "%s of %s at %s %% is %s, not %s.", h.name, rupees.Format(taxable),
				rate.Round(rate.Decimals()), rupees.Format(h.want), rupees.Format(h.got)))
		}
	}
	return list
}

// Interstate reports whether a supply from one state to another place bears IGST.
// Both are codes of two digits.
func Interstate(supplier, place string) bool { return supplier != place }

// Supply is what decides the place of supply. States are codes of two digits, 96
// for another country; what is not known is left empty.
type Supply struct {
	Supplier string // the supplier's state
	Customer string // the state of the customer's address
	GSTIN    string // the customer's GSTIN; empty for one without registration
	Service  bool   // of services; otherwise of goods
	Delivery string // where the goods are delivered
	// Property is where the immovable property is to which a service relates, such as
	// a hotel room, or where a service like a meal or an event is performed.
	Property string
	SEZ      bool // to a special economic zone
}

// Place is a place of supply.
type Place struct {
	Code, Name string
	Interstate bool   // IGST is due, otherwise CGST and the tax of StateTax
	Why        string // a sentence for people
}

// PlaceOfSupply returns the place of supply by sections 10 and 12 of the IGST Act,
// and what is contradictory in the particulars.
func PlaceOfSupply(s Supply) (Place, []Finding) {
	var findings []Finding
	registered := ""
	if s.GSTIN != "" {
		g, more, err := CheckGSTIN(s.GSTIN)
		if err != nil {
			more = []Finding{found("gstin_form", "The customer's GSTIN has not 15 letters and digits.")}
		}
		registered = g.State
		findings = append(findings, more...)
	}
	if registered != "" && s.Customer != "" && registered != s.Customer {
		findings = append(findings, found("place_state_differs",
			"The customer's address is in %s, but its GSTIN is of %s.", stateText(s.Customer), stateText(registered)))
	}
	p := Place{Code: s.Supplier, Why: "The customer has no address on record: it is where the supplier is."}
	switch {
	case s.Property != "":
		p.Code, p.Why = s.Property, "The service is performed there, or its property is there."
	case !s.Service && s.Delivery != "":
		p.Code, p.Why = s.Delivery, "The goods are delivered there."
	case s.Service && registered != "":
		p.Code, p.Why = registered, "The customer is registered there."
	case s.Customer != "":
		p.Code, p.Why = s.Customer, "The customer's address is there."
	case registered != "":
		p.Code, p.Why = registered, "The customer is registered there."
	}
	name, ok := StateName(p.Code)
	if !ok {
		findings = append(findings, found("place_unknown",
			"%q is not the code of a state: the place of supply is not known.", p.Code))
	}
	p.Name, p.Interstate = name, s.SEZ || Interstate(s.Supplier, p.Code)
	if s.SEZ {
		p.Why += " A supply to a special economic zone bears IGST."
	}
	return p, findings
}

// stateText returns "Kerala (32)".
func stateText(code string) string {
	if name, ok := StateName(code); ok {
		return fmt.Sprintf("%s (%s)", name, code)
	}
	return code
}
