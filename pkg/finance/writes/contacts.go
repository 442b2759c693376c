package writes

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
)

type contactArguments struct {
	Customer   string `json:"customer,omitempty"`
	Vendor     string `json:"vendor,omitempty"`
	Name       string `json:"name,omitempty"`
	GSTIN      string `json:"gstin,omitempty"`
	PAN        string `json:"pan,omitempty"`
	State      string `json:"state,omitempty"`
	Email      string `json:"email,omitempty"`
	Phone      string `json:"phone,omitempty"`
	Address    string `json:"address,omitempty"`
	Terms      *int   `json:"terms_days,omitempty"`
	Credit     *paise `json:"credit_limit,omitempty"`
	MSME       *bool  `json:"msme,omitempty"`
	TDSSection string `json:"tds_section,omitempty"`
	Notes      string `json:"notes,omitempty"`
	Active     *bool  `json:"active,omitempty"`
}

// applied returns what the contact will be.
func (in contactArguments) applied(c contact) (contact, error) {
	set := func(to *string, value string) {
		if value = strings.TrimSpace(value); value != "" {
			*to = value
		}
	}
	set(&c.Name, in.Name)
	set(&c.GSTIN, strings.ToUpper(in.GSTIN))
	set(&c.PAN, strings.ToUpper(in.PAN))
	set(&c.Email, in.Email)
	set(&c.Phone, in.Phone)
	set(&c.Address, in.Address)
	set(&c.Notes, in.Notes)
	set(&c.TDSSection, in.TDSSection)
	if in.GSTIN != "" {
		g, findings, err := gst.CheckGSTIN(in.GSTIN)
		if err != nil {
			return c, err
		}
		if c.PAN == "" && len(findings) == 0 {
			c.PAN = g.PAN
		}
		if strings.TrimSpace(in.State) == "" && c.StateCode == "" {
			c.StateCode = g.State
		}
	}
	if in.PAN != "" {
		if _, _, err := gst.CheckPAN(in.PAN); err != nil {
			return c, err
		}
	}
	if s := strings.TrimSpace(in.State); s != "" {
		code, ok := gst.StateCode(s)
		if !ok {
			return c, fault.New(fault.Invalid, "There is no state %q.", s)
		}
		c.StateCode = code
	}
	if in.Terms != nil {
		c.Terms = *in.Terms
	}
	if c.Terms < 0 || c.Terms > 365 {
		return c, fault.New(fault.Invalid, "Payment terms are 0 to 365 days.")
	}
	if in.Credit != nil {
		c.Credit = in.Credit
	}
	if in.MSME != nil {
		c.MSME = *in.MSME
	}
	if in.Active != nil {
		c.Active = *in.Active
	}
	return c, nil
}

// checkContact warns of what does not fit in a contact's data.
func (d *draft) checkContact(kind string, c contact) {
	if c.PAN != "" {
		if _, findings, err := gst.CheckPAN(c.PAN); err == nil {
			for _, f := range findings {
				d.warn("%s The books will refuse it.", f.Text)
			}
		}
	}
	g, findings, err := gst.CheckGSTIN(c.GSTIN)
	if c.GSTIN == "" || err != nil {
		return
	}
	for _, f := range findings {
		d.warn("%s", f.Text)
	}
	if g.State != "" && c.StateCode != "" && g.State != c.StateCode {
		in, _ := gst.StateName(c.StateCode)
		of, _ := gst.StateName(g.State)
		d.warn("The state is %s, but the GSTIN is of %s: tax is charged by the state.", in, of)
	}
	if g.PAN != "" && c.PAN != "" && g.PAN != c.PAN {
		d.warn("The PAN %s is not the one in the GSTIN (%s).", gst.MaskPAN(c.PAN), gst.MaskPAN(g.PAN))
	}
	if kind == "vendor" && c.MSME && c.Terms > 45 {
		d.warn("A micro or small enterprise is to be paid within 45 days (MSMED Act, section 15); due dates will be " +
			"at most 45 days.")
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func state(code string) string {
	if name, ok := gst.StateName(code); ok {
		return fmt.Sprintf("%s (%s)", name, code)
	}
	return code
}

func limit(c contact) string {
	if c.Credit == nil {
		return ""
	}
	return c.Credit.String()
}

func days(n int) string {
	if n == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", n)
}

func masked(pan string) string {
	if pan == "" {
		return ""
	}
	return gst.MaskPAN(pan)
}

func createContact(d *draft, kind string, in contactArguments) error {
	if strings.TrimSpace(in.Name) == "" {
		return fault.New(fault.Invalid, "The name of the %s is missing.", kind)
	}
	c, err := in.applied(contact{Terms: 30, Active: true})
	if err != nil {
		return err
	}
	if c.StateCode == "" {
		us, err := d.ours()
		if err != nil {
			return err
		}
		c.StateCode = us.StateCode
		d.warn("No state and no GSTIN are given, so the state is ours, %s: it decides between IGST and CGST.",
			state(c.StateCode))
	}
	d.p.Title = fmt.Sprintf("Add the %s %s", kind, c.Name)
	d.line("Name", c.Name)
	d.line("Code", "the next one")
	if c.GSTIN == "" {
		d.line("GSTIN", "none: not registered")
	} else {
		d.line("GSTIN", d.gstin(c.GSTIN, ""))
	}
	d.optional("PAN", masked(c.PAN))
	d.line("State", state(c.StateCode))
	d.optional("E-mail", c.Email)
	d.optional("Phone", c.Phone)
	d.optional("Address", c.Address)
	d.line("Payment terms", days(c.Terms))
	d.optional("Credit limit", limit(c))
	if c.MSME {
		d.line("Micro or small enterprise", "yes")
	}
	d.optional("Usual TDS", c.TDSSection)
	d.optional("Notes", c.Notes)
	d.checkContact(kind, c)
	d.target(kind, contactKey(c), 0)
	return d.likeContacts(kind, c.Name, c.GSTIN, c.PAN, "")
}

// contactKey is what a contact that is not there yet is known by.
func contactKey(c contact) string {
	if c.GSTIN != "" {
		return c.GSTIN
	}
	full, _ := nameKey(c.Name)
	return full
}

func updateContact(d *draft, kind string, in contactArguments) error {
	words := in.Customer
	if kind == "vendor" {
		words = in.Vendor
	}
	old, err := d.contact(kind, words)
	if err != nil {
		return err
	}
	c, err := in.applied(old)
	if err != nil {
		return err
	}
	d.p.Title = fmt.Sprintf("Change the %s %s (%s)", kind, old.Name, old.Code)
	d.change("Name", old.Name, c.Name)
	d.change("GSTIN", old.GSTIN, c.GSTIN)
	d.change("PAN", masked(old.PAN), masked(c.PAN))
	d.change("State", state(old.StateCode), state(c.StateCode))
	d.change("E-mail", old.Email, c.Email)
	d.change("Phone", old.Phone, c.Phone)
	d.change("Address", old.Address, c.Address)
	d.change("Payment terms", days(old.Terms), days(c.Terms))
	d.change("Credit limit", limit(old), limit(c))
	d.change("Micro or small enterprise", yesNo(old.MSME), yesNo(c.MSME))
	d.change("Usual TDS", old.TDSSection, c.TDSSection)
	d.change("Notes", old.Notes, c.Notes)
	d.change("Active", yesNo(old.Active), yesNo(c.Active))
	if len(d.p.Lines) == 0 {
		d.warn("Nothing would change: the %s has these data already.", kind)
		d.line("Name", old.Name)
	}
	d.checkContact(kind, c)
	if !c.Active && old.Balance != 0 {
		d.warn("%s still has an open balance of %s.", old.Name, old.Balance)
	}
	d.target(kind, old.Code, old.Version)
	if c.Name == old.Name && c.GSTIN == old.GSTIN && c.PAN == old.PAN {
		return nil
	}
	return d.likeContacts(kind, c.Name, c.GSTIN, c.PAN, old.Code)
}
