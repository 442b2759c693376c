package pricing

import (
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Show draws the prices: of one stay night by night, of several by room and
// arrival. The figures are those of the table. It offers to book one stay, or the
// cheapest of several, and to see how that one's price comes about.
func (s simulated) Show() []part.Data {
	if len(s.Quotes) == 0 {
		return nil
	}
	g := grid{}
	if len(s.Quotes) == 1 {
		q := s.Quotes[0]
		for _, l := range q.Lines {
			g.add(l.RoomCode, l.Night, l.Amount)
		}
		return append(g.draw("Price by night, "+q.title(), q.Currency), s.next()...)
	}
	for _, q := range s.Quotes {
		g.add(q.Room.Name, q.CheckIn, q.Total)
	}
	return append(g.draw("Total by arrival", s.Quotes[0].Currency), s.next()...)
}

// next offers the stay that Summarize names, where a booking would be for what was
// asked: one room of its type, without package, coupon and extras.
func (s simulated) next() []part.Data {
	q := s.cheapest()
	if q == nil || q.Units != 1 || q.Package != nil || q.Coupon != nil || len(q.Extras) > 0 {
		return nil
	}
	stay := map[string]any{"room": q.Room.Code, "check_in": q.CheckIn, "check_out": q.CheckOut}
	list := []part.Choice{part.Call("Book "+q.title(), "create_reservation", stay)}
	if len(s.Quotes) > 1 {
		list = append(list, part.Call("How that price comes about", "simulate_pricing", stay))
	}
	return part.Next(append(list, part.Call("Seasons of "+q.Room.Name, "get_seasonal_pricing",
		map[string]any{"room": q.Room.Code}))...)
}

// Show offers the prices of nights over the seasons, which a chart draws as
// lines.
func (s seasons) Show() []part.Data {
	var list []part.Choice
	for _, each := range s.Seasons {
		if !each.Active || each.Weekday == nil && each.Weekend == nil || len(list) == 3 {
			continue
		}
		arguments := map[string]any{"check_in": each.Starts, "compare_days": min(most, each.Starts.Until(each.Ends)+1)}
		if each.Room != nil {
			arguments["room"] = each.Room.Code
		} else {
			arguments["compare_days"] = min(12, each.Starts.Until(each.Ends)+1)
		}
		list = append(list, part.Call("Prices in "+each.Name, "simulate_pricing", arguments))
	}
	return part.Next(list...)
}

// grid holds prices by room and day.
type grid struct {
	rooms  []string
	days   []calendar.Date
	prices map[string]map[calendar.Date]money.Amount
}

func (g *grid) add(room string, day calendar.Date, price money.Amount) {
	if g.prices == nil {
		g.prices = map[string]map[calendar.Date]money.Amount{}
	}
	if g.prices[room] == nil {
		g.prices[room] = map[calendar.Date]money.Amount{}
		g.rooms = append(g.rooms, room)
	}
	if !slices.Contains(g.days, day) {
		g.days = append(g.days, day)
	}
	g.prices[room][day] = price
}

// draw makes a line for each room over several days, or a bar for each room of
// one day. A single price is no chart.
func (g *grid) draw(title, currency string) []part.Data {
	c := chart.Chart{Title: title, Form: chart.Lines, Unit: currency}
	slices.SortFunc(g.days, func(a, b calendar.Date) int { return b.Until(a) })
	for _, room := range g.rooms {
		series := chart.Series{Name: room}
		for _, day := range g.days {
			if price, ok := g.prices[room][day]; ok {
				series.Values = append(series.Values, &price)
			} else {
				series.Values = append(series.Values, nil)
			}
		}
		c.Series = append(c.Series, series)
	}
	for _, day := range g.days {
		c.Labels = append(c.Labels, day.Show())
	}
	if len(g.days) == 1 {
		c.Form, c.Labels, c.Title = chart.Bars, g.rooms, title+", "+g.days[0].Show()
		bars := chart.Series{Name: "Price"}
		for _, series := range c.Series {
			bars.Values = append(bars.Values, series.Values...)
		}
		c.Series = []chart.Series{bars}
	}
	if c.Len()*len(c.Series) < 2 || c.Check() != nil {
		return nil // more rooms or days than can be told apart: the table has them
	}
	return []part.Data{part.Draw(c)}
}
