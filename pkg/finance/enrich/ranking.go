package enrich

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// shape says what a list of the ledger is ranked by.
type shape struct {
	names   []string // members that name an item, all that are there
	value   string
	subject word
}

// shapes are those of the ledger's lists. A tool with no names is not ranked: its rows
// are parts of a statement, not items of one kind.
var shapes = map[string]shape{
	"get_all_invoices":             {[]string{"number", "customer"}, "total", "invoices"},
	"get_bills":                    {[]string{"number", "vendor"}, "total", "bills"},
	"get_all_payments":             {[]string{"number", "contact"}, "amount", "payments"},
	"get_all_customers":            {[]string{"name"}, "balance", "receivables"},
	"get_all_vendors":              {[]string{"name"}, "balance", "payables"},
	"get_aged_receivables_report":  {[]string{"contact"}, "total", "receivables"},
	"get_aged_payables_report":     {[]string{"contact"}, "total", "payables"},
	"get_overdue_invoices":         {[]string{"number", "contact"}, "balance", "overdue_invoices"},
	"get_ap_aging":                 {[]string{"number", "contact"}, "balance", "open_bills"},
	"get_upcoming_payments":        {[]string{"number", "contact"}, "balance", "open_bills"},
	"list_expenses":                {[]string{"number", "account"}, "total", "expenses"},
	"get_products":                 {[]string{"name"}, "value", "stock"},
	"get_stock_valuation":          {[]string{"name"}, "value", "stock"},
	"get_itc_summary":              {[]string{"contact"}, "eligible", "input_credit"},
	"get_cash_position":            {[]string{"name"}, "balance", "bank_and_cash"},
	"get_all_sales_credit_notes":   {[]string{"number", "customer"}, "total", "credit_notes"},
	"get_all_purchase_debit_notes": {[]string{"number", "vendor"}, "total", "debit_notes"},
	"get_all_delivery_challans":    {[]string{"number", "customer"}, "value", "delivery_challans"},
	"compare_periods":              {}, "budget_vs_actual": {}, "get_trial_balance": {}, "get_balance_sheet": {},
	"get_cash_flow_statement": {}, "get_day_book": {}, "get_account_ledger": {}, "get_charts_of_accounts": {},
	"get_journal_entries": {}, "get_journal_entry": {}, "get_all_transactions": {}, "get_transaction": {},
	"suggest_bank_matches": {}, "get_bank_reconciliation": {}, "get_gst_summary": {}, "get_gstr1_data": {},
	"get_gstr3b_data": {}, "get_compliance_calendar": {}, "get_stock_movements": {}, "anomaly_detection": {},
	"trend": {}, "forecast": {}, "forecast_cash_flow": {}, "get_payment_reminders": {}, "get_invoice": {},
	"get_bill": {}, "get_credit_note": {}, "get_bank_accounts": {},
}

// nameMembers and amountMembers are looked for in the lists of other servers.
var (
	nameMembers = []string{"name", "label", "title", "customer", "customer_name", "vendor", "vendor_name", "contact",
		"account", "product", "category", "description", "number"}
	amountMembers = []string{"amount", "total", "total_amount", "balance", "amount_due", "revenue", "sales", "value",
		"price"}
	partitions = []string{"section", "type", "activity", "direction", "kind"}
)

type item struct {
	name  string
	value money.Amount
}

var (
	rankItem    = phrase{"%[1]s %[2]s", "%[1]s %[2]s", "%[1]s %[2]s"}
	rankShare   = phrase{"%[1]s %[2]s (%[3]s %%)", "%[1]s %[2]s (%[3]s %%)", "%[1]s %[2]s (%[3]s %%)"}
	rankSection = phrase{"%[1]s (%[2]s)", "%[1]s (%[2]s)", "%[1]s (%[2]s)"}
	rankAll     = phrase{
		"%[1]s, top of %[2]s: %[3]s; lowest: %[4]s.",
		"%[1]s, %[2]s mein sabse upar: %[3]s; sabse kam: %[4]s.",
		"%[1]s, %[2]s में सबसे ऊपर: %[3]s; सबसे कम: %[4]s।"}
	rankPage = phrase{
		"%[1]s, top of the %[2]s shown (there are more): %[3]s; lowest shown: %[4]s.",
		"%[1]s, dikhaye gaye %[2]s mein sabse upar (aur bhi hain): %[3]s; inme sabse kam: %[4]s.",
		"%[1]s, दिखाए गए %[2]s में सबसे ऊपर (और भी हैं): %[3]s; इनमें सबसे कम: %[4]s।"}
	rankOf = phrase{
		" Shares are of %[1]s; the top %[2]s have %[3]s %%.",
		" Hissa %[1]s ka; upar ke %[2]s ka %[3]s %%.",
		" हिस्सा %[1]s का; ऊपर के %[2]s का %[3]s %%।"}
)

// ranking names the first and the last items of a list with their share.
func (b *builder) ranking(t table) {
	if len(t.rows) < 3 {
		return
	}
	if _, ok := t.series(b.today); ok {
		return
	}
	s, ok := t.shape()
	code, single := t.currency()
	if !ok || !single {
		return
	}
	for _, group := range t.groups() {
		b.rank(group, s, code)
	}
}

// shape is what the table is ranked by.
func (t table) shape() (shape, bool) {
	s, known := shapes[t.tool]
	switch t.tool {
	case "get_revenue_breakdown", "get_expense_breakdown":
		by := t.parent.text("by")
		of := strings.TrimSuffix(strings.TrimPrefix(t.tool, "get_"), "_breakdown")
		return shape{[]string{"label"}, "amount", word(of + "_" + by)}, true
	case "get_profit_loss":
		return shape{[]string{"name"}, "amount", "amount"}, true
	}
	if known {
		return s, s.value != ""
	}
	// A part of a document, such as its lines, is no list to rank.
	if strings.Count(t.member, "/") > 2 {
		return shape{}, false
	}
	for _, key := range nameMembers {
		if t.rows[0].text(key) != "" {
			s.names = []string{key}
			break
		}
	}
	for _, key := range amountMembers {
		if _, ok := t.rows[0].amount(key); ok {
			s.value = key
			break
		}
	}
	s.subject = word(t.noun())
	return s, s.names != nil && s.value != ""
}

// groups parts the rows by the kind that they name, so that income is not ranked with
// expenses.
func (t table) groups() []table {
	for _, key := range partitions {
		if t.rows[0].text(key) == "" || t.tool == "get_products" {
			continue
		}
		var names []string
		groups := map[string]*table{}
		for _, row := range t.rows {
			n := row.text(key)
			if groups[n] == nil {
				names = append(names, n)
				part := t
				part.rows = nil
				part.parent = record{"section": n, "currency": t.parent["currency"], "by": t.parent["by"]}
				groups[n] = &part
			}
			groups[n].rows = append(groups[n].rows, row)
		}
		if len(names) > 6 {
			return nil
		}
		var out []table
		for _, n := range names {
			out = append(out, *groups[n])
		}
		return out
	}
	return []table{t}
}

func (b *builder) rank(t table, s shape, code string) {
	items, exact := t.items(s)
	if len(items) < 3 {
		return
	}
	var subject any = s.subject
	switch section := t.parent.text("section"); {
	case section != "" && t.tool == "get_profit_loss":
		s.subject = word(section)
		subject = s.subject
	case section != "":
		subject = say(rankSection, s.subject, word(section))
	}
	sortItems(items)
	if items[0].value.Cmp(items[len(items)-1].value) == 0 {
		return // nothing is first where all are equal
	}
	values := make([]*money.Amount, len(items))
	for i := range items {
		values[i] = &items[i].value
	}
	total, ok := sum(values)
	// A share says something only where nothing is below zero.
	ok = ok && exact && !total.IsZero() && !items[len(items)-1].value.Negative()
	entry := func(i item) sentence {
		share, has := percent(i.value, total)
		if !ok || !has {
			return say(rankItem, name(i.name), in(code, i.value))
		}
		return say(rankShare, name(i.name), in(code, i.value), share.Round(1).String())
	}
	top := min(3, len(items)-1)
	var first []sentence
	for _, i := range items[:top] {
		first = append(first, entry(i))
	}
	format := rankAll
	if t.partial() {
		format = rankPage
	}
	lines := []sentence{say(format, subject, len(items), first, entry(items[len(items)-1]))}
	if best, okay := sum(values[:top]); ok && okay {
		if share, has := percent(best, total); has {
			lines = append(lines, say(rankOf, in(code, total), top, share.Round(1).String()))
		}
	}
	b.add(Ranking, t.tool, t.member, joined(lines))
	b.drawItems(t, s, items, code)
}

// sortItems puts the largest first, and equal ones by name.
func sortItems(items []item) {
	slices.SortStableFunc(items, func(x, y item) int {
		return cmp.Or(y.value.Cmp(x.value), cmp.Compare(x.name, y.name))
	})
}

// items reads the rows; exact is false where one has no amount that can be read, so
// that a sum would be of too few.
func (t table) items(s shape) (items []item, exact bool) {
	exact = t.odd == 0
	for _, row := range t.rows {
		if void(row) {
			continue
		}
		v, ok := row.amount(s.value)
		var names []string
		for _, key := range s.names {
			if n := row.text(key); n != "" {
				names = append(names, n)
			}
		}
		if ok && v.IsZero() && (s.subject == "receivables" || s.subject == "payables") {
			continue // owes or is owed nothing
		}
		if !ok || len(names) == 0 {
			exact = false
			continue
		}
		items = append(items, item{strings.Join(names, ", "), v})
	}
	return items, exact
}

// drawItems adds the chart of the first items.
func (b *builder) drawItems(t table, s shape, items []item, code string) {
	if t.partial() {
		return
	}
	title := heading(forPeople("en").text(s.subject))
	c := chart.Chart{Title: title, Form: chart.Bars, Unit: code, Series: []chart.Series{{Name: title}}}
	if len(items) > 10 {
		c.Title += ", the first 10"
	}
	for i := range items[:min(10, len(items))] {
		c.Labels = append(c.Labels, short(items[i].name))
		c.Series[0].Values = append(c.Series[0].Values, &items[i].value)
	}
	b.draw(part.Draw(c))
}
