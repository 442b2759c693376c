package enrich

import (
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// soon is within how many days a due date is worth an alert.
const soon = 7

var (
	owedOverdue = phrase{
		"⚠ Customers owe %[1]s that is overdue.",
		"⚠ Grahakon se %[1]s lena overdue hai.",
		"⚠ ग्राहकों से %[1]s लेना है जिसकी तारीख निकल चुकी है।"}
	owesOverdue = phrase{
		"⚠ Bills of %[1]s are overdue.",
		"⚠ %[1]s ke bill overdue hain.",
		"⚠ %[1]s के बिलों की तारीख निकल चुकी है।"}
	over90 = phrase{
		" %[1]s of it for more than 90 days: %[2]s.",
		" Isme se %[1]s 90 din se zyada purana hai: %[2]s.",
		" इसमें से %[1]s 90 दिन से अधिक पुराना है: %[2]s।"}
	documentsOverdue = phrase{
		"⚠ Overdue %[2]s: %[1]s, %[3]s in all; the oldest is %[4]s of %[5]s, due on %[6]s (%[7]s ago).",
		"⚠ Overdue %[2]s: %[1]s, kul %[3]s; sabse purana %[5]s ka %[4]s, due %[6]s (%[7]s pehle).",
		"⚠ देय तिथि निकल चुके %[2]s: %[1]s, कुल %[3]s; सबसे पुराना %[5]s का %[4]s, देय तिथि %[6]s (%[7]s पहले)।"}
	documentsOver90 = phrase{
		" %[1]s of them for more than 90 days: %[2]s.",
		" Inme se %[1]s 90 din se zyada purane: %[2]s.",
		" इनमें से %[1]s 90 दिन से अधिक पुराने: %[2]s।"}
	shownOver90 = phrase{
		" Of the %[1]s shown, %[2]s for more than 90 days: %[3]s.",
		" Dikhaye gaye %[1]s mein se %[2]s 90 din se zyada purane: %[3]s.",
		" दिखाए गए %[1]s में से %[2]s 90 दिन से अधिक पुराने: %[3]s।"}
	onThisPage = phrase{
		" This counts only the records that are shown; there are more.",
		" Yeh sirf dikhaye gaye records ki ginti hai; aur bhi hain.",
		" यह केवल दिखाए गए रिकॉर्ड की गिनती है; और भी हैं।"}
	documentsSoon = phrase{
		"%[2]s due within %[3]s days: %[1]s, %[4]s in all; the first on %[5]s: %[6]s of %[7]s.",
		"Agle %[3]s din mein due %[2]s: %[1]s, kul %[4]s; pehla %[5]s ko: %[7]s ka %[6]s.",
		"अगले %[3]s दिनों में देय %[2]s: %[1]s, कुल %[4]s; पहला %[5]s को: %[7]s का %[6]s।"}
	cashBelowZero = phrase{
		"⚠ Cash is expected to be below zero: %[1]s at the end of %[2]s; lowest %[3]s at the end of %[4]s.",
		"⚠ Cash zero se neeche jaane ka anumaan hai: %[2]s ke ant mein %[1]s; sabse kam %[3]s, %[4]s ke ant mein.",
		"⚠ नकद शून्य से नीचे जाने का अनुमान है: %[2]s के अंत में %[1]s; सबसे कम %[3]s, %[4]s के अंत में।"}
	accountBelowZero = phrase{
		"⚠ The balance of %[1]s is below zero: %[2]s.",
		"⚠ %[1]s ka balance zero se neeche hai: %[2]s.",
		"⚠ %[1]s का शेष शून्य से नीचे है: %[2]s।"}
	stockLow = phrase{
		"⚠ At or below the reorder level: %[1]s of %[2]s products: %[3]s.",
		"⚠ %[2]s mein se %[1]s product reorder level par ya usse neeche hain: %[3]s.",
		"⚠ %[2]s में से %[1]s उत्पाद रीऑर्डर स्तर पर या उससे नीचे हैं: %[3]s।"}
	stockItem   = phrase{"%[1]s %[2]s (level %[3]s)", "%[1]s %[2]s (level %[3]s)", "%[1]s %[2]s (स्तर %[3]s)"}
	stockMarked = phrase{"%[1]s %[2]s", "%[1]s %[2]s", "%[1]s %[2]s"}
	runway      = phrase{
		"⚠ At the net outflow of the last three whole months the cash lasts %[1]s months.",
		"⚠ Pichhle teen poore mahino ke kharch par cash %[1]s mahine chalega.",
		"⚠ पिछले तीन पूरे महीनों के शुद्ध खर्च पर नकद %[1]s महीने चलेगा।"}
)

// totals are the alerts of sums: what is overdue, and how long the cash lasts.
func (b *builder) totals(d document) {
	code := "INR"
	if overdue, ok := d.fields.amount("receivables_overdue"); ok && positive(overdue) {
		b.add(Alert, d.tool, d.member, say(owedOverdue, in(code, overdue)))
	}
	if overdue, ok := d.fields.amount("payables_overdue"); ok && positive(overdue) {
		b.add(Alert, d.tool, d.member, say(owesOverdue, in(code, overdue)))
	}
	if months, ok := d.fields.amount("runway_months"); ok && months.Cmp(money.FromInt(6)) < 0 && !months.Negative() {
		b.add(Alert, d.tool, d.member, say(runway, months.String()))
	}
}

func positive(a money.Amount) bool { return !a.IsZero() && !a.Negative() }

// alerts are of the rows of a table.
func (b *builder) alerts(t table) {
	code, ok := t.currency()
	if !ok {
		return
	}
	b.aged(t, code)
	b.expected(t, code)
	b.stock(t)
	b.due(t, code)
	if t.tool == "get_cash_position" || t.tool == "get_bank_accounts" {
		for _, row := range t.rows {
			for _, key := range []string{"balance", "statement_balance"} {
				if a, ok := row.amount(key); ok && a.Negative() {
					b.add(Alert, t.tool, t.member, say(accountBelowZero, name(row.first("name", "account")),
						in(code, a)))
				}
			}
		}
	}
}

// buckets are the ages of what is open, as ageing reports name them.
var buckets = []struct{ member, label string }{{"not_due", "Not due"}, {"days_1_30", "1–30 days"},
	{"days_31_60", "31–60 days"}, {"days_61_90", "61–90 days"}, {"days_over_90", "Over 90 days"}}

// aged reads an ageing report: a row for each customer or vendor.
func (b *builder) aged(t table, code string) {
	sums := map[string]money.Amount{}
	for _, key := range []string{"not_due", "days_1_30", "days_31_60", "days_61_90", "days_over_90", "overdue"} {
		values, exact := t.column(key)
		total, ok := sum(values)
		if !exact || !ok {
			return
		}
		sums[key] = total
	}
	c := chart.Chart{Title: "Open by age", Form: chart.Bars, Unit: code, Series: []chart.Series{{Name: "Open"}}}
	for _, bucket := range buckets {
		a := sums[bucket.member]
		c.Labels = append(c.Labels, bucket.label)
		c.Series[0].Values = append(c.Series[0].Values, &a)
	}
	b.draw(part.Draw(c))
	if !positive(sums["overdue"]) {
		return
	}
	format := owedOverdue
	if strings.Contains(t.tool, "payable") || strings.Contains(t.tool, "ap_") {
		format = owesOverdue
	}
	lines := []sentence{say(format, in(code, sums["overdue"]))}
	if positive(sums["days_over_90"]) {
		var worst []item
		for _, row := range t.rows {
			if a, ok := row.amount("days_over_90"); ok && positive(a) {
				worst = append(worst, item{row.first("contact", "name", "customer", "vendor"), a})
			}
		}
		lines = append(lines, say(over90, in(code, sums["days_over_90"]), named(worst, code)))
	}
	if t.partial() {
		lines = append(lines, say(onThisPage))
	}
	b.add(Alert, t.tool, t.member, joined(lines))
}

// maxNamed is how many items a sentence names.
const maxNamed = 5

// named lists the largest items.
func named(items []item, code string) []sentence {
	sortItems(items)
	var out []sentence
	for _, i := range items {
		out = append(out, say(rankItem, name(i.name), in(code, i.value)))
	}
	return few(out)
}

var others = phrase{"and %[1]s more", "aur %[1]s", "और %[1]s"}

// few is the list with as many items as a sentence names, and the count of the rest.
func few(list []sentence) []sentence {
	if len(list) <= maxNamed {
		return list
	}
	return append(list[:maxNamed:maxNamed], say(others, len(list)-maxNamed))
}

// expected finds months at whose end a forecast has less than nothing.
func (b *builder) expected(t table, code string) {
	if !strings.Contains(t.tool, "forecast") {
		return
	}
	s, ok := t.series(b.today)
	if !ok || s.measure != "closing" {
		return
	}
	first, low := -1, -1
	for i, v := range s.values {
		if v.Negative() && first < 0 {
			first = i
		}
		if low < 0 || v.Cmp(s.values[low]) < 0 {
			low = i
		}
	}
	if first >= 0 {
		b.add(Alert, t.tool, t.member, say(cashBelowZero, in(code, s.values[first]), s.periods[first],
			in(code, s.values[low]), s.periods[low]))
	}
}

// stock finds products of which there is too little.
func (b *builder) stock(t table) {
	var low []sentence
	for _, row := range t.rows {
		quantity, counted := row.amount("quantity")
		level, levelled := row.amount("reorder_level")
		marked, _ := row["low"].(bool)
		product := name(row.first("name", "product", "code"))
		switch {
		case counted && levelled && positive(level) && quantity.Cmp(level) <= 0:
			low = append(low, say(stockItem, product, quantity.String(), level.String()))
		case counted && !levelled && marked:
			low = append(low, say(stockMarked, product, quantity.String()))
		}
	}
	if len(low) == 0 {
		return
	}
	lines := []sentence{say(stockLow, len(low), len(t.rows), few(low))}
	if t.partial() {
		lines = append(lines, say(onThisPage))
	}
	b.add(Alert, t.tool, t.member, joined(lines))
}

// openDocument is a row that is an invoice or a bill of which something is open.
type openDocument struct {
	number, contact string
	due             calendar.Date
	balance         money.Amount
}

// due finds documents that are overdue, and those that will be due soon.
func (b *builder) due(t table, code string) {
	var late, next []openDocument
	old, oldest := []item{}, 0
	for _, row := range t.rows {
		due, dated := row.date("due_date")
		balance, ok := row.amount("balance")
		if !dated || !ok || !positive(balance) || void(row) {
			continue
		}
		d := openDocument{row.first("number", "invoice_number", "id_number"), row.first("contact", "customer",
			"vendor", "customer_name", "vendor_name"), due, balance}
		switch by := due.Until(b.today); {
		case by > 0:
			if len(late) > 0 && due.Before(late[oldest].due) {
				oldest = len(late)
			}
			late = append(late, d)
			if by > 90 {
				old = append(old, item{d.number + " " + d.contact, balance})
			}
		case by >= -soon:
			next = append(next, d)
		}
	}
	noun := word(t.noun())
	if len(late) > 0 {
		total, ok := openSum(late)
		if !ok {
			return
		}
		o := late[oldest]
		count, whole := len(late), !t.partial()
		// The ledger's list of overdue invoices counts and adds up those of all pages.
		if all, ok := t.root.whole("total"); ok && !whole && t.tool == "get_overdue_invoices" && t.odd == 0 &&
			count == len(t.rows) {
			if sum, ok := t.root.amount("total_amount"); ok {
				count, total, whole = all, sum, true
			}
		}
		lines := []sentence{say(documentsOverdue, count, noun, in(code, total), name(o.number), name(o.contact),
			o.due, days(o.due.Until(b.today)))}
		switch {
		case len(old) > 0 && t.partial() && whole:
			lines = append(lines, say(shownOver90, len(late), len(old), named(old, code)))
		case len(old) > 0:
			lines = append(lines, say(documentsOver90, len(old), named(old, code)))
		}
		if !whole {
			lines = append(lines, say(onThisPage))
		}
		b.add(Alert, t.tool, t.member, joined(lines))
	}
	if len(next) > 0 {
		total, ok := openSum(next)
		if !ok {
			return
		}
		first := next[0]
		for _, d := range next {
			if d.due.Before(first.due) {
				first = d
			}
		}
		b.add(Alert, t.tool, t.member, say(documentsSoon, len(next), noun, soon, in(code, total), first.due,
			name(first.number), name(first.contact)))
	}
}

func openSum(list []openDocument) (money.Amount, bool) {
	values := make([]*money.Amount, len(list))
	for i := range list {
		values[i] = &list[i].balance
	}
	return sum(values)
}

// void reports whether a row is a document that does not count.
func void(row record) bool {
	switch strings.ToLower(row.first("status", "state")) {
	case "void", "voided", "cancelled", "canceled", "draft", "deleted":
		return true
	}
	return false
}
