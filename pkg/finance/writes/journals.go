package writes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
)

type journalArguments struct {
	Date      string `json:"date,omitempty"`
	Narration string `json:"narration"`
	Lines     []struct {
		Account string `json:"account"`
		Debit   *paise `json:"debit,omitempty"`
		Credit  *paise `json:"credit,omitempty"`
		Memo    string `json:"memo,omitempty"`
	} `json:"lines"`
}

func createJournal(d *draft, in journalArguments) error {
	date, err := day("Date", in.Date, d.today)
	if err != nil {
		return err
	}
	var debits paise
	for i, l := range in.Lines {
		a, err := d.account(l.Account)
		if err != nil {
			return err
		}
		var amount paise
		if l.Debit != nil {
			amount += *l.Debit
		}
		if l.Credit != nil {
			amount -= *l.Credit
		}
		if l.Debit != nil && l.Credit != nil && *l.Debit != 0 && *l.Credit != 0 {
			d.warn("Line %d has a debit and a credit; their difference is posted.", i+1)
		}
		debits += max(0, amount)
		d.new.add(a, amount)
		if slices.Contains([]string{"receivable", "payable", "customer_advance", "vendor_advance"}, a.Role) {
			d.warn("%s is kept by invoices, bills and payments: an entry by hand belongs to no customer or vendor.",
				a.Name)
		}
		if !a.Active {
			d.warn("The account %s is not active.", a.Name)
		}
	}
	if off := d.new.difference(); off != 0 {
		return fault.New(fault.Invalid, "The debits and credits differ by %s: %s against %s.", max(off, -off), debits,
			debits-off)
	}
	if len(d.new) < 2 {
		return fault.New(fault.Invalid, "A journal entry needs at least two lines with amounts.")
	}
	d.p.Title = fmt.Sprintf("Post a journal entry of %s: %s", debits, in.Narration)
	d.numbered("JV", date)
	d.line("Date", rupees.Date(date))
	d.line("Narration", in.Narration)
	if err := d.on(date); err != nil {
		return err
	}
	arguments := ofDays(date, date)
	arguments["manual"] = true
	same, err := all[struct {
		Number    string `json:"number"`
		Narration string `json:"narration"`
		Amount    paise  `json:"amount"`
	}](d, "get_journal_entries", "journal_entries", arguments)
	if err != nil {
		return err
	}
	for _, j := range same {
		if j.Amount == debits {
			d.warn("Possible duplicate: %s of the same day, %s, has the same amount (%s).", j.Number, j.Narration,
				j.Amount)
		}
	}
	return nil
}

func deleteJournal(d *draft, in struct {
	Number string `json:"number"`
}) error {
	found, err := ask[map[string]entry](d, "get_journal_entry", map[string]any{"number": in.Number})
	if err != nil {
		return err
	}
	e := found["journal_entry"]
	if e.Status != "posted" {
		return fault.New(fault.Conflict, "%s is taken back already.", e.Number)
	}
	d.p.Title = fmt.Sprintf("Take back the journal entry %s", e.Number)
	d.line("Number", e.Number)
	d.line("Date", rupees.Date(e.Date))
	d.line("Narration", e.Narration)
	if e.Source != "manual" {
		d.warn("%s belongs to a document: the books will refuse this. Void the document instead.", e.Number)
	}
	d.target("journal", e.Number, 0)
	d.takeBack(e)
	d.reverse()
	return d.closed(e.Date)
}

func deleteExpense(d *draft, in struct {
	Number string `json:"number"`
}) error {
	found, err := ask[map[string]spent](d, "get_expense", map[string]any{"number": in.Number})
	if err != nil {
		return err
	}
	e := found["expense"]
	if e.Status == "deleted" {
		return fault.New(fault.Conflict, "%s is deleted already.", e.Number)
	}
	d.p.Title = fmt.Sprintf("Delete the expense %s of %s", e.Number, e.Total)
	d.line("Number", e.Number)
	d.line("Date", rupees.Date(e.Date))
	d.line("For", e.Description)
	d.line("Account", e.AccountCode+" "+e.Account)
	d.line("Total", e.Total.String())
	d.target("expense", e.Number, 0)
	if err := d.standing(e.Number, e.Date); err != nil {
		return err
	}
	d.reverse()
	return d.closed(e.Date)
}

type accountArguments struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Type     string `json:"type"`
	Group    string `json:"group"`
	Cash     bool   `json:"cash,omitempty"`
	Activity string `json:"activity,omitempty"`
}

func createAccount(d *draft, in accountArguments) error {
	if !slices.Contains([]string{"asset", "liability", "equity", "income", "expense"}, in.Type) {
		return fault.New(fault.Invalid, "The type of an account is asset, liability, equity, income or expense.")
	}
	for _, words := range []string{in.Code, in.Name} {
		a, err := d.account(words)
		if err == nil {
			return fault.New(fault.Conflict, "There is an account %s %s already.", a.Code, a.Name)
		} else if fault.KindOf(err) != fault.Unprocessable {
			return err
		}
	}
	for _, a := range d.accounts {
		if alike(a.Name, in.Name) != otherName {
			d.warn("Possible duplicate: the account %s %s has a name that is much like %q.", a.Code, a.Name, in.Name)
		}
	}
	d.p.Title = fmt.Sprintf("Add the account %s %s", strings.ToUpper(in.Code), in.Name)
	d.line("Code", strings.ToUpper(in.Code))
	d.line("Name", in.Name)
	d.line("Type", in.Type)
	d.line("Heading", in.Group)
	if in.Cash {
		d.line("Bank or cash account", "yes")
		if in.Type != "asset" {
			d.warn("A bank or cash account is an asset: the books will refuse this.")
		}
	}
	activity := in.Activity
	if activity == "" {
		activity = "operating"
	}
	d.line("Cash flow", activity)
	return nil
}

type productArguments struct {
	Product         string `json:"product,omitempty"`
	Code            string `json:"code,omitempty"`
	Name            string `json:"name,omitempty"`
	Kind            string `json:"kind,omitempty"`
	Unit            string `json:"unit,omitempty"`
	HSN             string `json:"hsn_sac,omitempty"`
	GST             number `json:"gst_rate"`
	Sale            *paise `json:"sale_price,omitempty"`
	Purchase        *paise `json:"purchase_price,omitempty"`
	Reorder         number `json:"reorder_level"`
	OpeningQuantity number `json:"opening_quantity"`
	OpeningCost     *paise `json:"opening_cost,omitempty"`
	Active          *bool  `json:"active,omitempty"`
}

func price(p *paise) string {
	if p == nil {
		return ""
	}
	return p.String()
}

// likeProducts refuses a product whose code or name is taken and warns of one that
// is much alike.
func (d *draft) likeProducts(code, name, but string) error {
	list, err := all[product](d, "get_products", "products", map[string]any{})
	if err != nil {
		return err
	}
	for _, p := range list {
		switch {
		case p.Code == but:
		case code != "" && p.Code == code, strings.EqualFold(p.Name, name):
			return fault.New(fault.Conflict, "There is a product %s %q already.", p.Code, p.Name)
		case alike(p.Name, name) != otherName:
			d.warn("Possible duplicate: the product %s %q has a name that is much like %q.", p.Code, p.Name, name)
		}
	}
	return nil
}

func (d *draft) checkProduct(hsn string, rate number, today calendar.Date) {
	d.warnHSN(hsn)
	d.warnRate(rate.or(18), today)
}

func createProduct(d *draft, in productArguments) error {
	if strings.TrimSpace(in.Name) == "" {
		return fault.New(fault.Invalid, "The name of the product is missing.")
	}
	kind, unit, code := in.Kind, strings.ToUpper(in.Unit), strings.ToUpper(strings.TrimSpace(in.Code))
	if kind == "" {
		kind = "goods"
	}
	if kind != "goods" && kind != "service" {
		return fault.New(fault.Invalid, "A product is goods or a service.")
	}
	if unit == "" {
		unit = "NOS"
	}
	d.p.Title = fmt.Sprintf("Add the %s %s", map[bool]string{true: "product", false: "service"}[kind == "goods"],
		in.Name)
	d.line("Name", in.Name)
	if code == "" {
		d.line("Code", "the next one")
	} else {
		d.line("Code", code)
		d.target("product", code, 0)
	}
	d.line("Kind", kind)
	d.line("Unit", unit)
	d.optional("HSN or SAC", in.HSN)
	d.line("GST", percent(in.GST.or(18)))
	d.optional("Sale price", price(in.Sale))
	d.optional("Purchase price", price(in.Purchase))
	if in.Reorder.v != nil {
		d.line("Reorder level", in.Reorder.String())
	}
	d.checkProduct(in.HSN, in.GST, d.today)
	if err := d.likeProducts(code, in.Name, ""); err != nil {
		return err
	}
	quantity := in.OpeningQuantity.or(0)
	if quantity.Sign() == 0 {
		return nil
	}
	if quantity.Sign() < 0 || kind != "goods" {
		return fault.New(fault.Invalid, "Only goods have a stock, and it is not below 0.")
	}
	var cost paise
	if in.OpeningCost != nil {
		cost = *in.OpeningCost
	} else if in.Purchase != nil {
		cost = *in.Purchase
	}
	value, err := cost.at(quantity, 1, 2)
	if err != nil {
		return err
	}
	d.line("Opening stock", fmt.Sprintf("%s %s at %s = %s", short(quantity), unit, cost, value))
	if err := d.on(d.today); err != nil {
		return err
	}
	return d.postStock(&d.new, value, "retained_earnings")
}

func updateProduct(d *draft, in productArguments) error {
	p, err := d.product(in.Product)
	if err != nil {
		return err
	}
	d.p.Title = fmt.Sprintf("Change the product %s %s", p.Code, p.Name)
	now := p
	if s := strings.TrimSpace(in.Name); s != "" {
		now.Name = s
	}
	if s := strings.TrimSpace(in.HSN); s != "" {
		now.HSN = s
	}
	if in.GST.v != nil {
		now.GST = in.GST
	}
	if in.Sale != nil {
		now.Sale = in.Sale
	}
	if in.Purchase != nil {
		now.Purchase = in.Purchase
	}
	if in.Reorder.v != nil {
		now.Reorder = in.Reorder
	}
	if in.Active != nil {
		now.Active = *in.Active
	}
	d.change("Name", p.Name, now.Name)
	d.change("HSN or SAC", p.HSN, now.HSN)
	d.change("GST", percent(p.GST.or(0)), percent(now.GST.or(0)))
	d.change("Sale price", price(p.Sale), price(now.Sale))
	d.change("Purchase price", price(p.Purchase), price(now.Purchase))
	d.change("Reorder level", p.Reorder.String(), now.Reorder.String())
	d.change("Active", yesNo(p.Active), yesNo(now.Active))
	if len(d.p.Lines) == 0 {
		d.warn("Nothing would change: the product has these data already.")
		d.line("Name", p.Name)
	}
	d.checkProduct(now.HSN, now.GST, d.today)
	if !now.Active && p.Quantity.or(0).Sign() > 0 {
		d.warn("There are still %s %s in stock.", p.Quantity, p.Unit)
	}
	d.target("product", p.Code, 0)
	if now.Name == p.Name {
		return nil
	}
	return d.likeProducts("", now.Name, p.Code)
}

type adjustArguments struct {
	Product  string `json:"product"`
	Quantity number `json:"quantity"`
	UnitCost *paise `json:"unit_cost,omitempty"`
	Reason   string `json:"reason"`
	Date     string `json:"date,omitempty"`
}

func adjustStock(d *draft, in adjustArguments) error {
	date, err := day("Date", in.Date, d.today)
	if err != nil {
		return err
	}
	p, err := d.product(in.Product)
	if err != nil {
		return err
	}
	quantity := in.Quantity.or(0)
	if p.Kind != "goods" || quantity.Sign() == 0 {
		return fault.New(fault.Invalid, "Stock is of goods, and the quantity is not 0.")
	}
	var value *paise
	if in.UnitCost != nil {
		v, err := in.UnitCost.at(quantity, 1, 2)
		if err != nil {
			return err
		}
		value = &v
	}
	s := p.stock()
	before, worth := short(s.have), s.worth
	moved, ok, err := s.move(quantity, value)
	if err != nil {
		return err
	}
	if !ok {
		return fault.New(fault.Conflict, "There are only %s %s of %s in stock.", before, p.Unit, p.Name)
	}
	d.p.Title = fmt.Sprintf("Adjust the stock of %s by %s %s", p.Name, short(quantity), p.Unit)
	d.line("Date", rupees.Date(date))
	d.line("Product", p.Code+" "+p.Name)
	d.line("Reason", in.Reason)
	d.change("Stock", before+" "+p.Unit, short(s.have)+" "+p.Unit)
	d.change("Value of the stock", worth.String(), s.worth.String())
	d.target("product", p.Code, 0)
	if err := d.on(date); err != nil {
		return err
	}
	return d.postStock(&d.new, moved, "inventory_change")
}
