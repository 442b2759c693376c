package enrich

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// History of an expense that its anomalies are judged by: the months before, at most
// six, of which there must be three with something in them.
const (
	minHistory = 3
	maxHistory = 6
)

var (
	anomalyOf = phrase{
		"⚠ %[1]s in %[2]s: %[3]s is %[4]s times the average of %[5]s in the months before.",
		"⚠ %[2]s mein %[1]s: %[3]s, pichhle mahino ke ausat %[5]s ka %[4]s guna.",
		"⚠ %[2]s में %[1]s: %[3]s, पिछले महीनों के औसत %[5]s का %[4]s गुना।"}
	anomalyOpen = phrase{
		" The month is not over yet.", " Mahina abhi poora nahi hua.", " महीना अभी पूरा नहीं हुआ है।"}
	anomalyCount = phrase{
		" %[1]s months count.", " %[1]s mahine gine gaye.", " %[1]s महीने गिने गए।"}
)

// anomaly is an expense that stands out.
type anomaly struct {
	of      any // name or word
	in      period
	amount  money.Amount
	average money.Amount
	times   money.Amount
	months  int  // of the average; 0 where the tool does not say
	open    bool // the month is not over
}

func (a anomaly) sentence(code string) sentence {
	lines := []sentence{say(anomalyOf, a.of, a.in, in(code, a.amount), a.times.Round(1).String(), in(code, a.average))}
	if a.months > 0 {
		lines = append(lines, say(anomalyCount, a.months))
	}
	if a.open {
		lines = append(lines, say(anomalyOpen))
	}
	return joined(lines)
}

// stands returns what is unusual about an amount beside an average: at least twice as
// much. An average that is not positive has no multiple.
func stands(amount, average money.Amount) (times money.Amount, ok bool) {
	twice, err := average.Mul(money.FromInt(2))
	if err != nil || !positive(average) || amount.Cmp(twice) < 0 {
		return money.Zero, false
	}
	return amount.Quo(average, 1)
}

// anomalies finds expenses of a month that are at least twice the usual.
func (b *builder) anomalies(t table) {
	code, ok := t.currency()
	if !ok {
		return
	}
	var found []anomaly
	switch s, series := t.series(b.today); {
	case series && s.spends():
		found = s.anomalies(s.subject)
	case t.tool == "list_expenses":
		found = b.booked(t)
	default:
		found = b.detected(t)
	}
	slices.SortStableFunc(found, func(x, y anomaly) int {
		return cmp.Or(y.amount.Cmp(x.amount), y.in.n-x.in.n)
	})
	for _, a := range found {
		b.add(Anomaly, t.tool, t.member, a.sentence(code))
	}
}

// spends reports whether the figures of a series are what was spent in a month.
func (s series) spends() bool {
	return !s.expects && s.periods[0].grain == monthly && slices.Contains([]word{"expenses", "expense",
		"cost_of_sales", "cash_out"}, s.subject)
}

// anomalies are the months of a series that stand out from those before. A month that
// is not over counts when it is already too much, and never as history.
func (s series) anomalies(of any) []anomaly {
	var found []anomaly
	for i := range s.periods {
		var history []*money.Amount
		for j := i - 1; j >= 0 && len(history) < maxHistory; j-- {
			if s.whole[j] && positive(s.values[j]) {
				history = append(history, &s.values[j])
			}
		}
		if len(history) < minHistory {
			continue
		}
		total, ok := sum(history)
		if !ok {
			continue
		}
		months := money.FromInt(len(history))
		average, _ := total.Quo(months, 2)
		// The comparison is exact: n × amount against 2 × the sum, without the rounded
		// average.
		scaled, err := s.values[i].Mul(months)
		if err != nil {
			continue
		}
		if _, ok := stands(scaled, total); !ok {
			continue
		}
		times, ok := scaled.Quo(total, 1)
		if !ok {
			continue
		}
		found = append(found, anomaly{of, s.periods[i], s.values[i], average, times, len(history), !s.whole[i]})
	}
	return found
}

// detected are the anomalies that a tool says it found, as far as its figures bear them
// out.
func (b *builder) detected(t table) []anomaly {
	var found []anomaly
	for _, row := range t.rows {
		p, ok := parsePeriod(row.first("month", "period"))
		amount, has := row.amount("amount")
		average, known := row.amount("average")
		of := row.first("name", "account", "category", "label")
		if !ok || !has || !known || of == "" {
			return nil
		}
		if times, ok := stands(amount, average); ok {
			days, dated := p.days()
			found = append(found, anomaly{name(of), p, amount, average, times, 0, dated && days.To.After(b.today)})
		}
	}
	return found
}

// booked sums single expenses up by account and month. The oldest month of a page is
// left out, since the page may begin in its middle.
func (b *builder) booked(t table) []anomaly {
	sums := map[string]map[int]money.Amount{}
	var accounts []string
	oldest := 0
	for i, row := range t.rows {
		day, dated := row.date("date")
		amount, ok := row.amount("total")
		account := row.first("account", "category")
		if !dated || !ok || account == "" {
			return nil
		}
		n := 12*day.Year + int(day.Month) - 1
		if i == 0 || n < oldest {
			oldest = n
		}
		if void(row) {
			continue
		}
		if sums[account] == nil {
			sums[account] = map[int]money.Amount{}
			accounts = append(accounts, account)
		}
		total, err := sums[account][n].Add(amount)
		if err != nil {
			return nil
		}
		sums[account][n] = total
	}
	var found []anomaly
	for _, account := range accounts {
		s := series{table: t}
		for n, total := range sums[account] {
			if n > oldest || !t.partial() {
				s.periods = append(s.periods, period{grain: monthly, n: n})
				s.values = append(s.values, total)
			}
		}
		if len(s.periods) <= minHistory {
			continue
		}
		s.rows = make([]record, len(s.periods))
		s.sort()
		for _, p := range s.periods {
			s.whole = append(s.whole, s.complete(p, b.today))
		}
		found = append(found, s.anomalies(name(strings.TrimSpace(account)))...)
	}
	return found
}
