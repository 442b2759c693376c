package options

import (
	"slices"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
)

func itoa(n int) string { return strconv.Itoa(n) }

// plus and times are exact. Amounts beyond 19 digits do not occur in what is planned: a
// result that has no room stays at the first amount, and the sums of an option are checked
// by its caller against its lines in the same way.
func plus(a, b money.Amount) money.Amount {
	if sum, err := a.Add(b); err == nil {
		return sum
	}
	return a
}

func times(a money.Amount, n int) money.Amount {
	if product, err := a.Mul(money.FromInt(n)); err == nil {
		return product
	}
	return a
}

func half(a money.Amount) money.Amount {
	h, _ := a.Quo(money.FromInt(2), 2)
	return h
}

// percent returns a as a percentage of b, and ok false where b is 0.
func percent(a, b money.Amount) (n int, ok bool) {
	q, ok := times(a, 100).Quo(b, 0)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(q.String())
	return n, err == nil
}

// share returns a divided by b for ranking and for drawing, 0 where b is 0.
func share(a, b money.Amount) float64 {
	q, ok := a.Quo(b, 4)
	if !ok {
		return 0
	}
	x, err := strconv.ParseFloat(q.String(), 64)
	if err != nil {
		return 0
	}
	return x
}

// ledger adds up the costs of an option, one line for each thing.
type ledger struct {
	lines []Line
}

// add counts a cost n times.
func (l *ledger) add(line Line, from, to money.Amount, n int) {
	line.From, line.To = times(from, n), times(to, n)
	if line.Currency == "" || n == 0 {
		return
	}
	l.lines = append(l.lines, line)
}

// addCost counts the cost of a recommendation.
func (l *ledger) addCost(line Line, c specialists.Cost, n int) {
	line.Currency = c.Currency
	if line.Source = c.Source; line.Source == "" {
		line.Source = specialists.Model
	}
	l.add(line, c.From, c.To, n)
}

// totals returns the sum of the lines by currency, in the order of their first lines.
func totals(lines []Line) []Total {
	list := []Total{}
	for _, line := range lines {
		i := slices.IndexFunc(list, func(t Total) bool { return t.Currency == line.Currency })
		if i < 0 {
			list = append(list, Total{Currency: line.Currency})
			i = len(list) - 1
		}
		list[i].From, list[i].To = plus(list[i].From, line.From), plus(list[i].To, line.To)
	}
	return list
}

// sort brings lines into the order of their categories, keeping that of days.
func sortLines(lines []Line) {
	order := []Category{CostTransport, CostStay, CostFood, CostActivity}
	slices.SortStableFunc(lines, func(a, b Line) int {
		return slices.Index(order, a.Category) - slices.Index(order, b.Category)
	})
}
