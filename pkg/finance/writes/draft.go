package writes

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// draft is a preview that is being made.
type draft struct {
	ctx   context.Context
	by    identity.Caller
	read  Reader
	today calendar.Date // at the company

	p        tool.Preview
	old, new posting // old is what the write takes back
	changes  bool    // the postings are shown as changes

	company  *company
	accounts []account
	rates    map[calendar.Date]taxRates
	products map[string]product
	moved    map[string]movement // what the old document moved of products
}

func zone(by identity.Caller) *time.Location {
	if z, err := by.Entity.Location(); err == nil && by.Entity.TimeZone != "" {
		return z
	}
	return time.FixedZone("IST", 5*60*60+30*60)
}

func (d *draft) line(label, value string) {
	d.p.Lines = append(d.p.Lines, tool.Line{Label: label, After: value})
}

// optional is line for a value that may be empty.
func (d *draft) optional(label, value string) {
	if value != "" {
		d.line(label, value)
	}
}

// change shows a value that the write changes.
func (d *draft) change(label, before, after string) {
	if before != after {
		d.p.Lines = append(d.p.Lines, tool.Line{Label: label, Before: before, After: after})
	}
}

func (d *draft) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(d.p.Warnings, text) {
		d.p.Warnings = append(d.p.Warnings, text)
	}
}

// target says which record of the ledger the write is about.
func (d *draft) target(kind, key string, version int) {
	t := tool.Target{Table: "ledger:" + kind, Key: key, Version: version}
	if key != "" && !slices.Contains(d.p.Targets, t) {
		d.p.Targets = append(d.p.Targets, t)
	}
}

// ask reads from the ledger.
func ask[Out any](d *draft, name string, arguments any) (Out, error) {
	var out Out
	raw, err := d.read(d.ctx, d.by, name, arguments)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return out, fault.Wrap(fault.Upstream, err, "The books gave an answer that can't be read.")
	}
	return out, nil
}

// maxPages is how many pages of a list are read, of a hundred records.
const maxPages = 30

// all reads every page of a list.
func all[Row any](d *draft, name, noun string, arguments map[string]any) ([]Row, error) {
	arguments["limit"] = 100
	var rows []Row
	for range maxPages {
		page, err := ask[map[string]json.RawMessage](d, name, arguments)
		if err != nil {
			return nil, err
		}
		var some []Row
		var cursor string
		if err := json.Unmarshal(page[noun], &some); err != nil {
			return nil, fault.Wrap(fault.Upstream, err, "The books gave an answer that can't be read.")
		}
		rows = append(rows, some...)
		if json.Unmarshal(page["cursor"], &cursor) != nil || cursor == "" {
			return rows, nil
		}
		arguments["cursor"] = cursor
	}
	return rows, nil
}

// company is what the books say of the company itself.
type company struct {
	Name      string        `json:"name"`
	GSTIN     string        `json:"gstin"`
	PAN       string        `json:"pan"`
	State     string        `json:"state"`
	StateCode string        `json:"state_code"`
	RoundOff  bool          `json:"round_off"`
	Begins    calendar.Date `json:"books_begin"`
	Closed    []struct {
		Month  string `json:"month"`
		Status string `json:"status"`
	} `json:"closed_months"`
}

// ours returns the company.
func (d *draft) ours() (*company, error) {
	if d.company != nil {
		return d.company, nil
	}
	found, err := ask[struct{ Company company }](d, "get_company", struct{}{})
	if err != nil {
		return nil, err
	}
	d.company = &found.Company
	return d.company, nil
}

// account is one account of the chart.
type account struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Role   string `json:"role"`
	Cash   bool   `json:"bank_or_cash"`
	Active bool   `json:"active"`
}

// noBalances is a day before all books: the chart of accounts is wanted without
// its balances, which take longer than all else.
const noBalances = "2000-01-01"

// account finds one by role, code or name, as the books do.
func (d *draft) account(words string) (account, error) {
	if d.accounts == nil {
		list, err := all[account](d, "get_charts_of_accounts", "accounts", map[string]any{"as_of": noBalances})
		if err != nil {
			return account{}, err
		}
		d.accounts = list
	}
	words = strings.TrimSpace(words)
	for _, fits := range []func(account) bool{
		func(a account) bool { return a.Role != "" && a.Role == words },
		func(a account) bool { return a.Code == strings.ToUpper(words) },
		func(a account) bool { return strings.EqualFold(a.Name, words) },
	} {
		if i := slices.IndexFunc(d.accounts, fits); i >= 0 {
			return d.accounts[i], nil
		}
	}
	return account{}, fault.New(fault.Unprocessable, "There is no account %q in the books.", words)
}

// taxRates is what is in force on a day.
type taxRates struct {
	GST []number
	TDS []struct {
		Section     string
		Description string
		Rate        number
	}
}

func (d *draft) ratesOn(day calendar.Date) (taxRates, error) {
	if r, ok := d.rates[day]; ok {
		return r, nil
	}
	r, err := ask[taxRates](d, "get_tax_rates", map[string]any{"date": day.String()})
	if err != nil {
		return r, err
	}
	if d.rates == nil {
		d.rates = map[calendar.Date]taxRates{}
	}
	d.rates[day] = r
	return r, nil
}

// contact is a customer or a vendor.
type contact struct {
	Code       string `json:"code"`
	Name       string `json:"name"`
	GSTIN      string `json:"gstin"`
	PAN        string `json:"pan"`
	State      string `json:"state"`
	StateCode  string `json:"state_code"`
	Email      string `json:"email"`
	Phone      string `json:"phone"`
	Address    string `json:"address"`
	Notes      string `json:"notes"`
	Terms      int    `json:"terms_days"`
	Credit     *paise `json:"credit_limit"`
	MSME       bool   `json:"msme"`
	TDSSection string `json:"tds_section"`
	Active     bool   `json:"active"`
	Version    int    `json:"version"`
	Balance    paise  `json:"balance"`
}

// contact reads a customer or a vendor.
func (d *draft) contact(kind, words string) (contact, error) {
	found, err := ask[map[string]contact](d, "get_"+kind, map[string]any{kind: words})
	return found[kind], err
}

// day reads a date of the arguments; def where it was left out.
func day(label, text string, def calendar.Date) (calendar.Date, error) {
	if strings.TrimSpace(text) == "" {
		return def, nil
	}
	v, err := rupees.ParseDate(text)
	if err != nil {
		if f := fault.From(err); f.Kind == fault.Invalid {
			return v, fault.New(fault.Invalid, "%s: %s", label, f.Message)
		}
		return v, fault.New(fault.Invalid, "%s: %s", label, err)
	}
	return v, nil
}

// on checks the date of a posting: its month is open, in this financial year, and
// the books have begun.
func (d *draft) on(date calendar.Date) error {
	c, err := d.ours()
	if err != nil {
		return err
	}
	for _, m := range c.Closed {
		if m.Month == date.String()[:7] {
			month := date.Time().Format("January 2006")
			if m.Status == "filed" {
				d.warn("The returns for %s are filed: the books will refuse this. Use a date in an open month.", month)
			} else {
				d.warn("The books of %s are locked: they will refuse this until the month is opened again.", month)
			}
		}
	}
	year, this := rupees.YearOf(date), rupees.YearOf(d.today)
	switch {
	case date.Before(c.Begins):
		d.warn("%s is before the books begin (%s): the books will refuse this.", rupees.Date(date),
			rupees.Date(c.Begins))
	case year != this:
		d.warn("%s is in the financial year %s, not in this one (%s).", rupees.Date(date), year, this)
	case date.After(d.today):
		d.warn("%s is in the future: today is %s.", rupees.Date(date), rupees.Date(d.today))
	}
	return nil
}

// posting is the lines of journals, debits positive.
type posting []postingLine

type postingLine struct {
	account account
	amount  paise
}

// add posts an amount to an account; lines of one account and side are one.
func (p *posting) add(a account, amount paise) {
	if amount == 0 {
		return
	}
	for i, l := range *p {
		if l.account.Code == a.Code && (l.amount > 0) == (amount > 0) {
			(*p)[i].amount += amount
			return
		}
	}
	*p = append(*p, postingLine{a, amount})
}

// net is what is posted to each account, in the order of the lines.
func (p posting) net() posting {
	var out posting
	for _, l := range p {
		i := slices.IndexFunc(out, func(o postingLine) bool { return o.account.Code == l.account.Code })
		if i < 0 {
			out = append(out, l)
		} else {
			out[i].amount += l.amount
		}
	}
	return slices.DeleteFunc(out, func(l postingLine) bool { return l.amount == 0 })
}

func (p posting) of(code string) paise {
	var sum paise
	for _, l := range p {
		if l.account.Code == code {
			sum += l.amount
		}
	}
	return sum
}

func (p posting) difference() paise {
	var sum paise
	for _, l := range p {
		sum += l.amount
	}
	return sum
}

// post is an amount for an account by its role, code or name.
type post struct {
	to     string
	amount paise
}

// post adds what is not zero to a posting.
func (d *draft) post(to *posting, posts ...post) error {
	for _, p := range posts {
		if p.amount == 0 {
			continue
		}
		a, err := d.account(p.to)
		if err != nil {
			return err
		}
		to.add(a, p.amount)
	}
	return nil
}

// side writes an amount with its side: "Dr ₹1,180.00".
func side(amount paise) string {
	switch {
	case amount > 0:
		return "Dr " + amount.String()
	case amount < 0:
		return "Cr " + (-amount).String()
	}
	return paise(0).String()
}

// finish appends the posting.
func (d *draft) finish() error {
	for _, p := range []posting{d.old, d.new} {
		if off := p.difference(); off != 0 {
			return fault.New(fault.Internal, "The posting does not balance: it is off by %s.", off)
		}
	}
	if !d.changes {
		for _, debit := range []bool{true, false} {
			for _, l := range d.new {
				if l.amount > 0 == debit {
					text := side(l.amount)
					d.line(text[:3]+l.account.Code+" "+l.account.Name, text[3:])
				}
			}
		}
		return nil
	}
	before, after := d.old.net(), d.new.net()
	for _, l := range slices.Concat(after, before).accounts() {
		d.change(l.Code+" "+l.Name, side(before.of(l.Code)), side(after.of(l.Code)))
	}
	return nil
}

// accounts returns each account once.
func (p posting) accounts() []account {
	var out []account
	for _, l := range p {
		if !slices.ContainsFunc(out, func(a account) bool { return a.Code == l.account.Code }) {
			out = append(out, l.account)
		}
	}
	return out
}
