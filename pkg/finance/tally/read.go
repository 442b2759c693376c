package tally

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Reader asks the accounting product: it calls a tool that reads, by the name that
// the product gives it, and returns its structured answer.
type Reader = func(ctx context.Context, by identity.Caller, tool string, arguments any) (json.RawMessage, error)

// Groups of Tally for parties.
const (
	debtors   = "Sundry Debtors"
	creditors = "Sundry Creditors"
)

// maxPages bounds a list of the books: 100 records a page.
const maxPages = 100

// account is an account of the books.
type account struct {
	Code, Name, Type, Group, Role string
	Cash                          bool `json:"bank_or_cash"`
}

// posting is an entry of the books as the day book has it.
type posting struct {
	Number    string        `json:"number"`
	Date      calendar.Date `json:"date"`
	Narration string        `json:"narration"`
	Source    string        `json:"source"`
	Status    string        `json:"status"` // posted, reversed or reversal
	Lines     []struct {
		Account string       `json:"account"` // its code
		Name    string       `json:"name"`
		Debit   money.Amount `json:"debit"`
		Credit  money.Amount `json:"credit"`
	} `json:"lines"`
}

// document is a document or a payment in a list.
type document struct {
	Number       string `json:"number"`
	VendorNumber string `json:"vendor_number"`
	Customer     string `json:"customer"`
	Vendor       string `json:"vendor"`
	Contact      string `json:"contact"` // of a payment
	Kind         string `json:"kind"`    // of a payment
}

type contact struct {
	Name, GSTIN, State string
}

// source is the books while they are read.
type source struct {
	ctx  context.Context
	by   identity.Caller
	read Reader
	from calendar.Date
	to   calendar.Date // the last day

	accounts             map[string]account  // by code
	documents            map[string]document // by number
	customers, vendors   map[string]contact  // by name
	used                 map[string]Ledger   // by name
	customerOf, vendorOf map[string]string   // ledgers by name of the party
}

// Read reads the entries from the first to the last day.
func Read(ctx context.Context, by identity.Caller, read Reader, from, to calendar.Date) (Books, error) {
	s := &source{ctx: ctx, by: by, read: read, from: from, to: to, accounts: map[string]account{},
		documents: map[string]document{}, customers: map[string]contact{}, vendors: map[string]contact{},
		used: map[string]Ledger{}, customerOf: map[string]string{}, vendorOf: map[string]string{}}
	var company struct{ Company struct{ Name string } }
	if err := s.ask("get_company", map[string]any{}, &company); err != nil {
		return Books{}, err
	}
	days, err := s.days()
	if err != nil {
		return Books{}, err
	}
	if err := s.masters(); err != nil {
		return Books{}, err
	}
	b := Books{Company: company.Company.Name}
	for _, day := range days {
		var book struct{ Entries []posting }
		if err := s.ask("get_day_book", map[string]any{"date": day}, &book); err != nil {
			return Books{}, err
		}
		for _, p := range book.Entries {
			if p.Status == "posted" {
				b.Vouchers = append(b.Vouchers, s.voucher(p))
			}
		}
	}
	b.Ledgers = slices.SortedFunc(maps.Values(s.used), func(a, b Ledger) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Name, b.Name))
	})
	return b, nil
}

func (s *source) ask(tool string, arguments, into any) error {
	answer, err := s.read(s.ctx, s.by, tool, arguments)
	if err == nil {
		err = json.Unmarshal(answer, into)
	}
	if err != nil && fault.KindOf(err) == fault.Internal {
		err = fault.Wrap(fault.Upstream, fmt.Errorf("answer of %s: %w", tool, err),
			"The books gave an answer that could not be read.")
	}
	return err
}

// all reads a list to its end.
func all[T any](s *source, tool, noun string, period bool) ([]T, error) {
	var list []T
	arguments := map[string]any{"limit": 100}
	if period {
		arguments["from"], arguments["to"] = s.from, s.to
	}
	for range maxPages {
		var page map[string]json.RawMessage
		if err := s.ask(tool, arguments, &page); err != nil {
			return nil, err
		}
		var rows []T
		if err := json.Unmarshal(page[noun], &rows); err != nil {
			return nil, fault.Wrap(fault.Upstream, fmt.Errorf("answer of %s: %w", tool, err),
				"The books gave an answer that could not be read.")
		}
		list = append(list, rows...)
		var cursor string
		if json.Unmarshal(page["cursor"], &cursor) != nil || cursor == "" {
			return list, nil
		}
		arguments["cursor"] = cursor
	}
	return nil, fault.New(fault.TooLarge, "The books have more than %d records for one file. Export a shorter period.",
		100*maxPages)
}

// days returns the days that have entries, ascending.
func (s *source) days() ([]calendar.Date, error) {
	entries, err := all[posting](s, "get_journal_entries", "journal_entries", true)
	if err != nil {
		return nil, err
	}
	var days []calendar.Date
	for _, e := range entries {
		days = append(days, e.Date)
	}
	slices.SortFunc(days, func(a, b calendar.Date) int { return b.Until(a) })
	return slices.Compact(days), nil
}

// masters reads accounts, parties, and whose the documents of the period are.
func (s *source) masters() error {
	accounts, err := all[account](s, "get_charts_of_accounts", "accounts", false)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		s.accounts[a.Code] = a
	}
	for tool, to := range map[string]map[string]contact{"customers": s.customers, "vendors": s.vendors} {
		list, err := all[contact](s, "get_all_"+tool, tool, false)
		if err != nil {
			return err
		}
		for _, c := range list {
			to[c.Name] = c
		}
	}
	for _, list := range []struct{ tool, noun string }{
		{"get_all_invoices", "invoices"}, {"get_bills", "bills"}, {"get_all_sales_credit_notes", "credit_notes"},
		{"get_all_purchase_debit_notes", "debit_notes"}, {"get_all_payments", "payments"},
	} {
		documents, err := all[document](s, list.tool, list.noun, true)
		if err != nil {
			return err
		}
		for _, d := range documents {
			if d.Kind == "receipt" {
				d.Customer = d.Contact
			} else if d.Kind == "payment" {
				d.Vendor = d.Contact
			}
			s.documents[d.Number] = d
		}
	}
	return nil
}

// voucher turns an entry into one. What is owed stands at the party in Tally, where
// the books have one account for all of them.
func (s *source) voucher(p posting) Voucher {
	d := s.documents[p.Number]
	v := Voucher{Type: s.kind(p), Number: p.Number, Date: p.Date, Narration: p.Narration, Reference: d.VendorNumber}
	for _, l := range p.Lines {
		a := s.accounts[l.Account]
		e := Entry{Debit: l.Debit, Credit: l.Credit}
		switch {
		case a.Role == "receivable" && d.Customer != "":
			e.Ledger, e.Party = s.party(d.Customer, debtors), true
		case a.Role == "payable" && d.Vendor != "":
			e.Ledger, e.Party = s.party(d.Vendor, creditors), true
		default:
			e.Ledger = s.ledger(l.Name, a)
		}
		if e.Party {
			v.Party = e.Ledger
		}
		v.Entries = append(v.Entries, e)
	}
	return v
}

// kind is the type of voucher: by what was posted, otherwise by the movement of
// cash and banks.
func (s *source) kind(p posting) string {
	switch p.Source {
	case "invoice":
		return "Sales"
	case "bill":
		return "Purchase"
	case "credit_note":
		return "Credit Note"
	case "debit_note":
		return "Debit Note"
	}
	in, out, other := false, false, false
	for _, l := range p.Lines {
		cash := s.accounts[l.Account].Cash
		in, out, other = in || cash && !l.Debit.IsZero(), out || cash && !l.Credit.IsZero(), other || !cash
	}
	switch {
	case in && out && !other:
		return "Contra"
	case in && !out:
		return "Receipt"
	case out && !in:
		return "Payment"
	}
	return "Journal"
}

// ledger returns the name of an account's ledger and keeps it for the file.
func (s *source) ledger(name string, a account) string {
	group := groupOf(a)
	// A party may have the name of an account, and Tally has each name once.
	for {
		held, taken := s.used[strings.ToLower(name)]
		if !taken || held.Name == name && held.Group == group {
			break
		}
		name += " (account)"
	}
	s.used[strings.ToLower(name)] = Ledger{Name: name, Group: group}
	return name
}

// party returns the name of a party's ledger and keeps it for the file. A customer
// who is a vendor, too, has two.
func (s *source) party(name, group string) string {
	ledgers, contacts, mark := s.customerOf, s.customers, " (customer)"
	if group == creditors {
		ledgers, contacts, mark = s.vendorOf, s.vendors, " (vendor)"
	}
	if known, ok := ledgers[name]; ok {
		return known
	}
	unique := name
	for {
		_, taken := s.used[strings.ToLower(unique)]
		if !taken {
			break
		}
		unique += mark
	}
	c := contacts[name]
	s.used[strings.ToLower(unique)] = Ledger{Name: unique, Group: group, GSTIN: c.GSTIN, State: c.State}
	ledgers[name] = unique
	return unique
}

// groupOf returns the group of Tally to which an account belongs.
func groupOf(a account) string {
	tax := strings.HasPrefix(a.Role, "input_") || strings.HasPrefix(a.Role, "output_") ||
		strings.HasPrefix(a.Role, "tds_") || a.Role == "reverse_charge"
	switch {
	case a.Role == "receivable":
		return debtors
	case a.Role == "payable":
		return creditors
	case a.Role == "cash":
		return "Cash-in-Hand"
	case a.Cash:
		return "Bank Accounts"
	case tax:
		return "Duties & Taxes"
	case a.Role == "inventory":
		return "Stock-in-Hand"
	}
	switch a.Type + "/" + a.Group {
	case "asset/Fixed assets":
		return "Fixed Assets"
	case "liability/Loans":
		return "Loans (Liability)"
	case "equity/Capital":
		return "Capital Account"
	case "income/Revenue":
		return "Sales Accounts"
	case "expense/Cost of sales":
		if a.Role == "purchases" {
			return "Purchase Accounts"
		}
		return "Direct Expenses"
	}
	switch a.Type {
	case "asset":
		return "Current Assets"
	case "liability":
		return "Current Liabilities"
	case "equity":
		return "Reserves & Surplus"
	case "income":
		return "Indirect Incomes"
	case "expense":
		return "Indirect Expenses"
	}
	return "Suspense A/c"
}
