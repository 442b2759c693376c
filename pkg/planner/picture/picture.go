// Package picture lays out the options of a planned trip for drawing: bars of costs on a
// common scale, and the blocks of each day by the clock. A page of HTML and a PDF draw the
// same shapes.
package picture

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
)

// Categories returns the categories of costs in the order in which bars stack them.
func Categories() []options.Category {
	return []options.Category{options.CostTransport, options.CostStay, options.CostFood, options.CostActivity}
}

// Name returns a category for people: "Transport".
func Name(c options.Category) string { return strings.ToUpper(string(c[:1])) + string(c[1:]) }

// Ink returns the colour of a category; grey for one that is not known.
func Ink(c options.Category) chart.Ink {
	switch c {
	case options.CostTransport:
		return "s3"
	case options.CostStay:
		return "s1"
	case options.CostFood:
		return "s2"
	case options.CostActivity:
		return "s4"
	}
	return "s6"
}

// pale returns the light form of a category's colour.
func pale(i chart.Ink) chart.Ink {
	if i == "s6" {
		return "h1"
	}
	return "p" + i[1:]
}

// Mixed is the source of a sum whose parts have several.
const Mixed specialists.Source = "mixed"

// Sum is what an option spends on a category in a currency.
type Sum struct {
	Category options.Category
	Currency string
	From, To money.Amount
	Source   specialists.Source
}

// Text returns the amount for people: "€240–300".
func (s Sum) Text() string { return Range(s.From, s.To, s.Currency) }

// Sums adds the costs of an option up by currency and category, in the order of its totals
// and of Categories. Costs whose sum is out of range are left out.
func Sums(o options.Option) []Sum {
	var list []Sum
	for _, t := range o.Totals {
		for _, c := range Categories() {
			s := Sum{Category: c, Currency: t.Currency}
			for _, l := range o.Costs {
				if l.Category != c || l.Currency != t.Currency {
					continue
				}
				from, err := s.From.Add(l.From)
				to, errTo := s.To.Add(l.To)
				if cmp.Or(err, errTo) != nil {
					continue
				}
				s.From, s.To = from, to
				if s.Source != "" && s.Source != l.Source {
					s.Source = Mixed
				} else {
					s.Source = l.Source
				}
			}
			if s.Source != "" {
				list = append(list, s)
			}
		}
	}
	return list
}

// Range returns two amounts for people: "€240–300", or one where they are the same.
func Range(from, to money.Amount, currency string) string {
	low, high := from.Format(currency), to.Format(currency)
	if cut := ".00"; strings.HasSuffix(low, cut) && strings.HasSuffix(high, cut) {
		low, high = strings.TrimSuffix(low, cut), strings.TrimSuffix(high, cut)
	}
	if low == high {
		return low
	}
	return low + "–" + high[strings.IndexAny(high, "0123456789"):]
}

// Says returns what people read of a source: figures of a model are not verified.
func Says(s specialists.Source) string {
	if s == specialists.Model {
		return "unverified"
	}
	return string(s)
}

// Stack is the bar of an option: what it costs at least by category, followed by what
// each category may cost beyond that.
type Stack struct {
	Option   string // its id
	Currency string
	Total    string // "€640–820"
	Parts    []Part
}

// Part is a piece of a bar. From and To are shares of the scale, 0 to 1.
type Part struct {
	Category options.Category
	From, To float64
	May      bool // what the category may cost beyond its least
}

// Stacks returns a bar for each option and currency. The scale of a currency ends at the
// largest total among the options.
func Stacks(set options.Set) []Stack {
	most := map[string]float64{}
	for _, o := range set.Options {
		for _, t := range o.Totals {
			most[t.Currency] = max(most[t.Currency], number(t.To))
		}
	}
	var list []Stack
	for _, o := range set.Options {
		sums := Sums(o)
		for _, t := range o.Totals {
			s := Stack{Option: o.ID, Currency: t.Currency, Total: Range(t.From, t.To, t.Currency)}
			at := 0.0
			for _, may := range []bool{false, true} {
				for _, sum := range sums {
					size := number(sum.From)
					if may {
						size = number(sum.To) - size
					}
					if sum.Currency == t.Currency && size > 0 {
						from := at
						at += size / most[t.Currency]
						s.Parts = append(s.Parts, Part{sum.Category, from, min(at, 1), may})
					}
				}
			}
			list = append(list, s)
		}
	}
	return list
}

// number is an amount as far as it is drawn.
func number(a money.Amount) float64 {
	f, _ := strconv.ParseFloat(a.String(), 64) // an amount is always a number
	return f
}

// Draw returns the bar as a scene without texts.
func (s Stack) Draw(width, height float64) chart.Scene {
	scene := chart.Scene{Width: width, Height: height, Stretch: true}
	scene.Add(chart.Rect{W: width, H: height, Ink: "h0"})
	scene.Add(s.shapes(0, 0, width, height)...)
	return scene
}

func (s Stack) shapes(x, y, width, height float64) []chart.Shape {
	const gap = 1 // between parts
	var list []chart.Shape
	for _, p := range s.Parts {
		ink := Ink(p.Category)
		if p.May {
			ink = pale(ink)
		}
		list = append(list, chart.Rect{X: x + p.From*width, Y: y, W: max((p.To-p.From)*width-gap, 0.5), H: height,
			Ink: ink})
	}
	return list
}
