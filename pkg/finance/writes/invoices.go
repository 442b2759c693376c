package writes

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

type invoiceArguments struct {
	Number   string          `json:"number,omitempty"`
	Customer string          `json:"customer"`
	Date     string          `json:"date,omitempty"`
	DueDate  string          `json:"due_date,omitempty"`
	Place    string          `json:"place_of_supply,omitempty"`
	Lines    []lineArguments `json:"lines"`
	Notes    *string         `json:"notes,omitempty"`
	Version  int             `json:"version,omitempty"`
}

func createInvoice(d *draft, in invoiceArguments) error {
	v, err := d.invoice(in)
	if err != nil {
		return err
	}
	d.p.Title = fmt.Sprintf("Issue an invoice of %s to %s", v.total, v.contact.Name)
	d.numbered("INV", v.date)
	d.showDates(v)
	if err := d.showParties(v); err != nil {
		return err
	}
	d.showLines(v)
	if in.Notes != nil {
		d.optional("Notes", *in.Notes)
	}
	if err := d.on(v.date); err != nil {
		return err
	}
	if err := d.postDocument(v, 0, &d.new); err != nil {
		return err
	}
	if v.contact.Credit != nil && *v.contact.Credit > 0 && v.contact.Balance+v.total > *v.contact.Credit {
		d.warn("%s would owe %s, more than its credit limit of %s.", v.contact.Name, v.contact.Balance+v.total,
			*v.contact.Credit)
	}
	if err := d.likeDocuments(v); err != nil {
		return err
	}
	return d.moveStock(v)
}

// invoice computes an invoice from its arguments.
func (d *draft) invoice(in invoiceArguments) (*document, error) {
	c, err := d.ours()
	if err != nil {
		return nil, err
	}
	v := &document{kind: "invoice"}
	if v.date, err = day("Date", in.Date, d.today); err != nil {
		return nil, err
	}
	if v.contact, err = d.contact("customer", in.Customer); err != nil {
		return nil, err
	}
	v.gstin, v.place = v.contact.GSTIN, v.contact.StateCode
	if strings.TrimSpace(in.Place) != "" {
		code, ok := gst.StateCode(in.Place)
		if !ok {
			return nil, fault.New(fault.Invalid, "There is no state %q.", in.Place)
		}
		v.place = code
	}
	switch v.place {
	case "96":
		v.supply = "export"
	case c.StateCode:
		v.supply = "intra"
	default:
		v.supply = "inter"
	}
	if err := d.dueOn(v, in.DueDate); err != nil {
		return nil, err
	}
	return v, d.compute(v, in.Lines, v.date)
}

func (d *draft) dueOn(v *document, given string) error {
	var err error
	if v.due, err = day("Due date", given, dueDate(v.date, v.contact)); err != nil {
		return err
	}
	if v.due.Before(v.date) {
		return fault.New(fault.Invalid, "The due date (%s) is before the date (%s).", rupees.Date(v.due),
			rupees.Date(v.date))
	}
	if v.kind == "bill" && v.contact.MSME && v.date.Until(v.due) > 45 {
		d.warn("%s is a micro or small enterprise: it is to be paid within 45 days (MSMED Act, section 15).",
			v.contact.Name)
	}
	return nil
}

type billArguments struct {
	Number        string          `json:"number,omitempty"`
	Vendor        string          `json:"vendor"`
	VendorNumber  string          `json:"vendor_number,omitempty"`
	Date          string          `json:"date,omitempty"`
	DueDate       string          `json:"due_date,omitempty"`
	Lines         []lineArguments `json:"lines"`
	TDSSection    string          `json:"tds_section,omitempty"`
	ReverseCharge bool            `json:"reverse_charge,omitempty"`
	Notes         *string         `json:"notes,omitempty"`
	Version       int             `json:"version,omitempty"`
}

func createBill(d *draft, in billArguments) error {
	v, err := d.bill(in)
	if err != nil {
		return err
	}
	d.p.Title = fmt.Sprintf("Enter a bill of %s of %s", v.total, v.contact.Name)
	d.numbered("BILL", v.date)
	if in.VendorNumber == "" {
		d.line("Vendor's number", "none")
		d.warn("The vendor's number of the bill is missing: input credit needs it, and so does noticing a " +
			"second entry.")
	} else {
		d.line("Vendor's number", in.VendorNumber)
		for _, f := range gst.CheckNumber(in.VendorNumber) {
			d.warn("%s", f.Text)
		}
	}
	d.showDates(v)
	if err := d.showParties(v); err != nil {
		return err
	}
	d.showLines(v)
	if in.Notes != nil {
		d.optional("Notes", *in.Notes)
	}
	if err := d.on(v.date); err != nil {
		return err
	}
	if err := d.postDocument(v, 0, &d.new); err != nil {
		return err
	}
	if err := d.sameVendorNumber(v, in.VendorNumber); err != nil {
		return err
	}
	if err := d.likeDocuments(v); err != nil {
		return err
	}
	return d.moveStock(v)
}

// bill computes a bill from its arguments.
func (d *draft) bill(in billArguments) (*document, error) {
	c, err := d.ours()
	if err != nil {
		return nil, err
	}
	v := &document{kind: "bill", reverseCharge: in.ReverseCharge, place: c.StateCode, supply: "inter"}
	if v.date, err = day("Date", in.Date, d.today); err != nil {
		return nil, err
	}
	if v.contact, err = d.contact("vendor", in.Vendor); err != nil {
		return nil, err
	}
	v.gstin = v.contact.GSTIN
	if v.contact.StateCode == c.StateCode {
		v.supply = "intra"
	}
	if v.tdsSection = strings.TrimSpace(in.TDSSection); v.tdsSection == "" {
		v.tdsSection = v.contact.TDSSection
	}
	if strings.EqualFold(v.tdsSection, "none") {
		v.tdsSection = ""
		if v.contact.TDSSection != "" {
			d.warn("No tax is deducted, although %s is usually deducted from %s.", v.contact.TDSSection,
				v.contact.Name)
		}
	}
	if err := d.dueOn(v, in.DueDate); err != nil {
		return nil, err
	}
	return v, d.compute(v, in.Lines, v.date)
}
