package enrich

import (
	"maps"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// series is a table in which each row is of a period.
type series struct {
	table
	periods []period // ascending
	values  []money.Amount
	whole   []bool // that the row has all of its period
	measure string // the member with the values
	subject word
	code    string // currency, "" for plain numbers
	expects bool   // that the figures are a forecast
}

// periodMembers may name the period of a row.
var periodMembers = []string{"period", "month", "quarter", "year", "fiscal_year", "financial_year", "label", "name"}

// measures are the members that are taken as the figure of a row, the first that all
// rows have.
var measures = []string{"amount", "revenue", "closing", "net_profit", "total", "value", "balance", "expenses", "net",
	"taxable", "quantity", "count"}

// counted are measures that are no money.
var counted = []string{"quantity", "count", "documents", "units", "days"}

// maxPeriods bounds a series.
const maxPeriods = 120

// series reads the table as one; false when it is none.
func (t table) series(today calendar.Date) (series, bool) {
	if len(t.rows) < 2 || len(t.rows) > maxPeriods || t.odd > 0 {
		return series{}, false
	}
	s := series{table: t}
	member := ""
	for _, key := range periodMembers {
		if list, ok := t.periods(key); ok {
			s.periods, member = list, key
			break
		}
	}
	if member == "" {
		return series{}, false
	}
	for _, key := range t.numbers(member) {
		values, exact := t.column(key)
		if exact && !slices.Contains(values, nil) {
			s.measure = key
			for _, v := range values {
				s.values = append(s.values, *v)
			}
			break
		}
	}
	code, ok := t.currency()
	if s.measure == "" || !ok {
		return series{}, false
	}
	if !slices.Contains(counted, s.measure) {
		s.code = code
	}
	s.sort()
	for i := 1; i < len(s.periods); i++ {
		if s.periods[i].n == s.periods[i-1].n {
			return series{}, false // two figures of a period: rows are not only by period
		}
	}
	s.expects = strings.Contains(t.tool, "forecast")
	s.subject = s.about()
	s.whole = make([]bool, len(s.periods))
	for i, p := range s.periods {
		s.whole[i] = s.complete(p, today)
	}
	return s, true
}

// periods reads a member of all rows; false where one is no period, or they differ in
// length.
func (t table) periods(key string) ([]period, bool) {
	var list []period
	for _, row := range t.rows {
		p, ok := parsePeriod(row.text(key))
		if !ok || len(list) > 0 && (p.grain != list[0].grain || p.fiscal != list[0].fiscal ||
			p.undated != list[0].undated) {
			return nil, false
		}
		if d, dated := p.days(); dated && (d.From.Year < 1950 || d.From.Year > 2150) {
			return nil, false
		}
		list = append(list, p)
	}
	// Months without years are a series only in the order of a calendar: otherwise
	// nothing tells which follows which.
	for i := 1; i < len(list); i++ {
		if list[i].undated {
			if list[i].n != (list[i-1].n+1)%12 || i >= 12 {
				return nil, false
			}
			list[i].n = list[i-1].n + 1
		}
	}
	for i := range list {
		if list[i].undated && list[i].n > 11 {
			list[i].n -= 12 // shown by its month; the order stays that of the rows
		}
	}
	return list, true
}

// numbers lists members that may be the figure, the preferred ones first.
func (t table) numbers(except string) []string {
	var others []string
	for _, key := range slices.Sorted(maps.Keys(t.rows[0])) {
		if key == except || slices.Contains(periodMembers, key) || slices.Contains(measures, key) ||
			strings.HasSuffix(key, "_id") || strings.Contains(key, "percent") || key == "id" || key == "code" {
			continue
		}
		if _, ok := figure(t.rows[0][key]); ok {
			others = append(others, key)
		}
	}
	return append(slices.Clone(measures), others...)
}

// sort puts the periods in ascending order; those without a year keep the order of the
// rows.
func (s *series) sort() {
	if s.periods[0].undated {
		return
	}
	index := make([]int, len(s.periods))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(a, b int) int { return s.periods[a].n - s.periods[b].n })
	periods, values, rows := slices.Clone(s.periods), slices.Clone(s.values), slices.Clone(s.rows)
	for to, from := range index {
		s.periods[to], s.values[to], rows[to] = periods[from], values[from], s.rows[from]
	}
	s.rows = rows
}

// about is what the figures are of.
func (s series) about() word {
	metric := s.parent.text("metric")
	if metric == "" {
		metric = s.args.text("metric")
	}
	switch {
	case s.tool == "forecast_cash_flow":
		return "forecast_cash"
	case s.expects && metric == "revenue":
		return "forecast_revenue"
	case s.expects && metric == "expenses":
		return "forecast_expenses"
	case metric != "":
		return word(metric)
	case s.tool == "get_revenue_breakdown":
		return "revenue"
	case s.tool == "get_expense_breakdown":
		return "expenses"
	}
	return word(s.measure)
}

// complete reports whether the figure of p is of all of its days.
func (s series) complete(p period, today calendar.Date) bool {
	days, dated := p.days()
	if !dated || s.expects {
		return true
	}
	if !days.To.After(today) {
		last := days.To.AddDays(-1)
		for _, r := range []record{s.parent, s.args} {
			from, ok := r.date("from")
			if ok && from.After(days.From) && from.Before(days.To) {
				return false
			}
			if to, ok := r.date("to"); ok && to.Before(last) && !to.Before(days.From) {
				return false
			}
		}
		return true
	}
	return false
}

// next reports whether the period at i follows the one before it at once.
func (s series) next(i int) bool {
	if s.periods[i].undated {
		return s.periods[i].n == (s.periods[i-1].n+1)%12
	}
	return s.periods[i].n == s.periods[i-1].n+1
}

var (
	trendLast = phrase{
		"%[1]s: %[2]s was %[3]s, %[4]s against %[5]s (%[6]s).",
		"%[1]s: %[2]s mein %[3]s, %[5]s (%[6]s) ke mukable %[4]s.",
		"%[1]s: %[2]s में %[3]s, %[5]s (%[6]s) की तुलना में %[4]s।"}
	trendExpected = phrase{
		"%[1]s, %[2]s: %[3]s, %[4]s against %[5]s (%[6]s).",
		"%[1]s, %[2]s: %[3]s, %[5]s (%[6]s) ke mukable %[4]s.",
		"%[1]s, %[2]s: %[3]s, %[5]s (%[6]s) की तुलना में %[4]s।"}
	trendAlone = phrase{
		"%[1]s: %[2]s was %[3]s; there is no figure of the period before it to compare with.",
		"%[1]s: %[2]s mein %[3]s; tulna ke liye pichhle period ka figure nahi hai.",
		"%[1]s: %[2]s में %[3]s; तुलना के लिए पिछली अवधि का आँकड़ा नहीं है।"}
	trendOver = phrase{
		" Over %[1]s whole periods from %[2]s to %[3]s: %[4]s, highest %[5]s (%[6]s), lowest %[7]s (%[8]s), " +
			"average %[9]s.",
		" %[2]s se %[3]s tak %[1]s poore periods mein: %[4]s, sabse zyada %[5]s (%[6]s), sabse kam %[7]s (%[8]s), " +
			"ausat %[9]s.",
		" %[2]s से %[3]s तक %[1]s पूरी अवधियों में: %[4]s, सबसे अधिक %[5]s (%[6]s), सबसे कम %[7]s (%[8]s), औसत %[9]s।"}
	trendOpen = phrase{
		" %[1]s is not over or not all in the figures: %[2]s so far, not compared.",
		" %[1]s abhi poora nahi hai: ab tak %[2]s, tulna nahi ki gayi.",
		" %[1]s अभी पूरा नहीं है: अब तक %[2]s, तुलना नहीं की गई।"}
	trendSameMonth = phrase{
		" A year before, %[1]s had %[2]s: %[3]s.",
		" Ek saal pehle %[1]s mein %[2]s: %[3]s.",
		" एक साल पहले %[1]s में %[2]s: %[3]s।"}
)

// trend says how a series develops.
func (b *builder) trend(t table) {
	s, ok := t.series(b.today)
	if !ok {
		return
	}
	b.drawSeries(s)
	var whole []int
	for i := range s.periods {
		if s.whole[i] {
			whole = append(whole, i)
		}
	}
	if len(whole) == 0 {
		return
	}
	last := whole[len(whole)-1]
	lines := []sentence{say(trendAlone, s.subject, s.periods[last], in(s.code, s.values[last]))}
	if last > 0 && s.whole[last-1] && s.next(last) {
		format := trendLast
		if s.expects {
			format = trendExpected
		}
		lines[0] = say(format, s.subject, s.periods[last], in(s.code, s.values[last]),
			change(s.values[last], s.values[last-1], s.code), s.periods[last-1], in(s.code, s.values[last-1]))
	}
	if s.periods[last].grain == monthly && !s.periods[last].undated {
		if i := slices.IndexFunc(whole, func(i int) bool { return s.periods[i].n == s.periods[last].n-12 }); i >= 0 {
			lines = append(lines, say(trendSameMonth, s.periods[whole[i]], in(s.code, s.values[whole[i]]),
				change(s.values[last], s.values[whole[i]], s.code)))
		}
	}
	if over, ok := s.over(whole); ok {
		lines = append(lines, over)
	}
	for i := range s.periods {
		if !s.whole[i] {
			lines = append(lines, say(trendOpen, s.periods[i], in(s.code, s.values[i])))
		}
	}
	b.add(Trend, t.tool, t.member, joined(lines))
}

// joined makes one sentence of several.
func joined(lines []sentence) sentence {
	format := strings.Repeat("%s", len(lines))
	args := make([]any, len(lines))
	for i, l := range lines {
		args[i] = l
	}
	return sentence{phrase{format, format, format}, args}
}

// over says how the whole periods developed, from three on.
func (s series) over(whole []int) (sentence, bool) {
	if len(whole) < 3 {
		return sentence{}, false
	}
	first, last := whole[0], whole[len(whole)-1]
	low, high, total := first, first, money.Zero
	for _, i := range whole {
		if s.values[i].Cmp(s.values[low]) < 0 {
			low = i
		}
		if s.values[i].Cmp(s.values[high]) > 0 {
			high = i
		}
		var err error
		if total, err = total.Add(s.values[i]); err != nil {
			return sentence{}, false
		}
	}
	average, ok := total.Quo(money.FromInt(len(whole)), 2)
	return say(trendOver, len(whole), s.periods[first], s.periods[last],
		change(s.values[last], s.values[first], s.code), s.periods[high], in(s.code, s.values[high]), s.periods[low],
		in(s.code, s.values[low]), in(s.code, average)), ok
}

// drawSeries adds the chart of a series.
func (b *builder) drawSeries(s series) {
	p := forPeople(language.English)
	c := chart.Chart{Title: heading(p.text(s.subject)), Form: chart.Bars, Unit: s.code}
	if len(s.periods) > 18 || s.expects {
		c.Form = chart.Lines
	}
	values := make([]*money.Amount, len(s.values))
	for i := range s.values {
		values[i] = &s.values[i]
		label := s.periods[i].show(language.English)
		if !s.whole[i] {
			label += " (so far)"
		}
		c.Labels = append(c.Labels, label)
	}
	c.Series = []chart.Series{{Name: c.Title, Values: values}}
	b.draw(part.Draw(c))
}

// heading begins a text with a capital, also behind the sign of an alert.
func heading(s string) string {
	mark := ""
	if rest, ok := strings.CutPrefix(s, "⚠ "); ok {
		mark, s = "⚠ ", rest
	}
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return mark + s
	}
	return mark + string(s[0]-'a'+'A') + s[1:]
}
