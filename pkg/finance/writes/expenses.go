package writes

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

func line(label, before, after string) tool.Line {
	return tool.Line{Label: label, Before: before, After: after}
}

// title writes a name as people would: "Credit note".
func title(name string) string {
	name = kindName(name)
	return strings.ToUpper(name[:1]) + name[1:]
}

type expenseArguments struct {
	Account     string `json:"account"`
	Amount      *paise `json:"amount"`
	Description string `json:"description"`
	Date        string `json:"date,omitempty"`
	PaidFrom    string `json:"paid_from,omitempty"`
	Vendor      string `json:"vendor,omitempty"`
	GST         number `json:"gst_rate"`
}

func createExpense(d *draft, in expenseArguments) error {
	us, err := d.ours()
	if err != nil {
		return err
	}
	date, err := day("Date", in.Date, d.today)
	if err != nil {
		return err
	}
	a, err := d.account(in.Account)
	if err != nil {
		return err
	}
	words := strings.TrimSpace(in.PaidFrom)
	if words == "" {
		words = "bank"
	}
	from, err := d.account(words)
	if err != nil {
		return err
	}
	switch {
	case a.Type != "expense":
		return fault.New(fault.Invalid, "%s is no expense account.", a.Name)
	case !from.Cash:
		return fault.New(fault.Invalid, "%s is no bank or cash account.", from.Name)
	case in.Amount == nil || *in.Amount <= 0:
		return fault.New(fault.Invalid, "The amount must be more than 0.")
	}
	var vendor contact
	home := us.StateCode
	if strings.TrimSpace(in.Vendor) != "" {
		if vendor, err = d.contact("vendor", in.Vendor); err != nil {
			return err
		}
		home = vendor.StateCode
	}
	amount, rate := *in.Amount, in.GST.or(0)
	var cgst, igst paise
	if home == us.StateCode {
		cgst, err = amount.at(rate, 200, 2)
	} else {
		igst, err = amount.at(rate, 100, 2)
	}
	if err != nil {
		return err
	}
	total := amount + 2*cgst + igst
	d.p.Title = fmt.Sprintf("Record an expense of %s for %s", total, in.Description)
	d.numbered("EXP", date)
	d.line("Date", rupees.Date(date))
	d.line("For", in.Description)
	d.line("Account", a.Code+" "+a.Name)
	d.line("Paid from", from.Code+" "+from.Name)
	if vendor.Code != "" {
		d.line("Vendor", vendor.Name+" ("+vendor.Code+")")
	}
	d.line("Amount without GST", amount.String())
	half := percent(new(big.Rat).Quo(rate, big.NewRat(2, 1)))
	if cgst != 0 {
		d.line("CGST "+half, cgst.String())
		d.line(gst.StateTax(us.StateCode)+" "+half, cgst.String())
	}
	if igst != 0 {
		d.line("IGST "+percent(rate), igst.String())
	}
	d.line("Total", total.String())
	d.line("In words", rupees.Words(total.amount()))
	if rate.Sign() > 0 {
		d.warn("The GST becomes a part of the cost: enter a bill to claim input credit.")
		d.warnRate(rate, date)
	}
	if from.Role == "cash" && total > cashPaid {
		d.warn("%s in cash: an expense of which more than ₹10,000 is paid in cash on a day is disallowed "+
			"(Income-tax Act, section 40A(3)).", total)
	}
	if err := d.on(date); err != nil {
		return err
	}
	d.new.add(a, total)
	d.new.add(from, -total)
	return d.likeExpenses(a, date, total)
}

// spent is an expense as lists show it.
type spent struct {
	Number      string        `json:"number"`
	Date        calendar.Date `json:"date"`
	Description string        `json:"description"`
	Account     string        `json:"account"`
	AccountCode string        `json:"account_code"`
	Total       paise         `json:"total"`
	Status      string        `json:"status"`
}

func (d *draft) likeExpenses(a account, date calendar.Date, total paise) error {
	arguments := ofDays(date.AddDays(-alikeDays), date.AddDays(alikeDays))
	arguments["account"] = a.Code
	rows, err := all[spent](d, "list_expenses", "expenses", arguments)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.Total == total {
			d.warn("Possible duplicate: %s of %s, %s, has the same account and total (%s).", r.Number,
				rupees.Date(r.Date), r.Description, r.Total)
		}
	}
	return nil
}
