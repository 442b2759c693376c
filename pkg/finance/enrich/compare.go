package enrich

import (
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

var (
	compareOne = phrase{"%[1]s %[2]s (%[3]s, before %[4]s)", "%[1]s %[2]s (%[3]s, pehle %[4]s)",
		"%[1]s %[2]s (%[3]s, पहले %[4]s)"}
	compareSpans = phrase{
		"%[1]s to %[2]s against %[3]s to %[4]s: %[5]s.",
		"%[1]s se %[2]s, %[3]s se %[4]s ke mukable: %[5]s.",
		"%[1]s से %[2]s, %[3]s से %[4]s की तुलना में: %[5]s।"}
	compareBare = phrase{"Against the period before: %[1]s.",
		"Pichhle period ke mukable: %[1]s.", "पिछली अवधि की तुलना में: %[1]s।"}
	compareLength = phrase{
		" The two periods differ in length: %[1]s and %[2]s days.",
		" Dono periods barabar nahi hain: %[1]s aur %[2]s din.",
		" दोनों अवधियाँ बराबर नहीं हैं: %[1]s और %[2]s दिन।"}
	growthOf  = phrase{"%[1]s %[2]s", "%[1]s %[2]s", "%[1]s %[2]s"}
	growthAll = phrase{"Against the period of the same length before: %[1]s.",
		"Pichhle utne hi samay ke mukable: %[1]s.",
		"पिछली समान अवधि की तुलना में: %[1]s।"}
)

// compared says the changes of a table whose rows have a current and a previous
// figure. The changes are computed from the two, whatever the answer says of them.
func (b *builder) compared(t table) {
	code, ok := t.currency()
	if !ok || len(t.rows) > 40 {
		return
	}
	var says []sentence
	c := chart.Chart{Title: "Compared with the period before", Form: chart.Bars, Unit: code,
		Series: []chart.Series{{Name: "Now"}, {Name: "Before"}}}
	for _, row := range t.rows {
		metric := row.first("metric", "name", "label")
		is, now := row.amount("current")
		was, before := row.amount("previous")
		if metric == "" || !now || !before {
			return
		}
		c.Labels = append(c.Labels, heading(forPeople(language.English).word(metric)))
		c.Series[0].Values = append(c.Series[0].Values, &is)
		c.Series[1].Values = append(c.Series[1].Values, &was)
		if is.IsZero() && was.IsZero() {
			continue
		}
		says = append(says, say(compareOne, word(metric), change(is, was, code), in(code, is), in(code, was)))
	}
	if len(says) == 0 {
		return
	}
	b.draw(part.Draw(c))
	from, to, ok := t.span("from", "to")
	pFrom, pTo, pOK := t.span("previous_from", "previous_to")
	if !ok || !pOK {
		b.add(Trend, t.tool, t.member, say(compareBare, says))
		return
	}
	lines := []sentence{say(compareSpans, from, to, pFrom, pTo, says)}
	if n, m := from.Until(to)+1, pFrom.Until(pTo)+1; n != m {
		lines = append(lines, say(compareLength, n, m))
	}
	b.add(Trend, t.tool, t.member, joined(lines))
}

func (t table) span(from, to string) (calendar.Date, calendar.Date, bool) {
	f, ok := t.parent.date(from)
	l, also := t.parent.date(to)
	return f, l, ok && also
}

// growths says the growth that a dashboard gives. The figures of the period
// before are not in such an answer, so it is the tool's own.
func (b *builder) growths(d document) {
	var says []sentence
	for _, key := range []string{"revenue", "profit"} {
		rate, ok := d.fields.amount(key + "_growth_percent")
		if ok {
			metric := word(map[string]string{"revenue": "revenue", "profit": "net_profit"}[key])
			says = append(says, say(growthOf, metric, sign(rate)+" "+unsigned(rate).Round(1).String()+" %"))
		}
	}
	if len(says) > 0 {
		b.add(Trend, d.tool, d.member, say(growthAll, says))
	}
}

// amounts says totals of an answer in the Indian format.
func (b *builder) amounts(d document) {
	code := d.fields.text("currency")
	if code == "" {
		code = "INR"
	}
	if d.member != "" && d.member != "/totals" && d.member != "/data" || !iso.MatchString(code) {
		return
	}
	var says []sentence
	for _, key := range totals {
		if a, ok := d.fields.amount(key); ok && isMoney(d, key) {
			says = append(says, sentence{phrase{"%[1]s %[2]s"}, []any{word(key), in(code, a)}})
		}
	}
	if len(says) > 0 {
		b.add(Currency, d.tool, d.member, sentence{phrase{"Amounts in the Indian format: %[1]s."}, []any{says}})
	}
}

// totals are members that are amounts, in the order in which they are said.
var totals = []string{"total", "total_amount", "revenue", "expenses", "gross_profit", "net_profit", "cash",
	"cash_flow", "receivables", "receivables_overdue", "payables", "payables_overdue", "overdue",
	"days_over_90", "assets", "liabilities", "equity", "opening", "closing", "net", "output", "credit",
	"total_value", "balance", "amount", "book_balance", "statement_balance"}

// isMoney reports whether a total is money: in a list, "total" counts its records.
func isMoney(d document, key string) bool {
	_, counts := d.fields["count"]
	return key != "total" || !counts
}
