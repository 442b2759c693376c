package analytics

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

const revenueNote = "Room = nightly prices and further guests, before discount. Package, other = what a package's " +
	"price holds beside the room. Revenue = room − discount + extras + package, other; it is without tax. ADR = " +
	"(room − discount) ÷ nights. A booking's extras, package and tax are spread evenly over its room-nights; nights " +
	"outside of the period do not count, nor do cancelled bookings and no-shows. Day use is revenue of its day, " +
	"without a night."

// MaxDays bounds the rows of a report by day, and the nights of a calendar.
const MaxDays = 366

type revenueInput struct {
	periodInput
	By By `json:"by,omitempty" jsonschema:"what to part the revenue by; by room type when left out"`
}

// Check fills in the parts and bounds the days.
func (in *revenueInput) Check() error {
	in.By = cmp.Or(in.By, ByRoom)
	if err := in.periodInput.Check(); err != nil {
		return err
	}
	if days := in.Start.Until(in.End) + 1; in.By == ByDay && days > MaxDays {
		return fault.New(fault.Invalid, "These are %d days; at most %d can be listed day by day. By week or month "+
			"they fit.", days, MaxDays)
	}
	return nil
}

// revenueLine is one part with its sums.
type revenueLine struct {
	Part         string        `json:"part"`
	Code         string        `json:"code,omitempty"`
	From         calendar.Date `json:"from,omitzero"` // of a stretch of time
	Nights       int           `json:"nights"`
	Room         money.Amount  `json:"room"`
	Discount     money.Amount  `json:"discount"`
	RoomRevenue  money.Amount  `json:"roomRevenue"` // room − discount
	Extras       money.Amount  `json:"extras"`
	PackageOther money.Amount  `json:"packageOther"`
	Revenue      money.Amount  `json:"revenue"`
	Tax          money.Amount  `json:"tax"`
	WithTax      money.Amount  `json:"withTax"`
	ADR          *money.Amount `json:"adr"`
}

type revenueReport struct {
	From     calendar.Date `json:"from"`
	To       calendar.Date `json:"to"` // the first day after the period
	Days     int           `json:"days"`
	Currency string        `json:"currency"`
	By       By            `json:"by"`
	Parts    []revenueLine `json:"parts"`
	Total    revenueLine   `json:"total"`
	Note     string        `json:"note"`

	period period
	days   []Day // of the calendar that a report by day has
}

func newRevenueReport(p period, currency string, by By, parts []Revenue) (revenueReport, error) {
	r := revenueReport{From: p.From, To: p.To, Days: p.Days(), Currency: currency, By: by, Parts: []revenueLine{},
		Note: revenueNote + p.unfinished(), period: p}
	sum := Revenue{}
	for _, part := range parts {
		l, err := newRevenueLine(by, part)
		if err != nil {
			return revenueReport{}, err
		}
		r.Parts = append(r.Parts, l)
		sum.Nights += part.Nights
		for _, one := range []struct{ to, from *money.Amount }{
			{&sum.Room, &part.Room}, {&sum.Discount, &part.Discount}, {&sum.Extras, &part.Extras},
			{&sum.PackageOther, &part.PackageOther}, {&sum.Tax, &part.Tax},
		} {
			if *one.to, err = one.to.Add(*one.from); err != nil {
				return revenueReport{}, err
			}
		}
	}
	total, err := newRevenueLine(by, sum)
	total.Part, total.Code, total.From = "Total", "", calendar.Date{}
	r.Total = total
	return r, err
}

func newRevenueLine(by By, part Revenue) (revenueLine, error) {
	l := revenueLine{
		Part: part.Name, Code: part.Key, Nights: part.Nights, Room: part.Room, Discount: part.Discount,
		Extras: part.Extras, PackageOther: part.PackageOther, Tax: part.Tax,
	}
	switch by {
	case ByRoom:
	case ByChannel:
		l.Part, l.Code = strings.ReplaceAll(part.Name, "_", " "), ""
	default:
		if part.Key != "" {
			if err := l.From.UnmarshalText([]byte(part.Key)); err != nil {
				return l, fmt.Errorf("a part of the revenue: %w", err)
			}
		}
		l.Part, l.Code = by.label(l.From), ""
	}
	var err error
	if l.RoomRevenue, err = l.Room.Sub(l.Discount); err != nil {
		return l, err
	}
	l.Revenue = l.RoomRevenue
	for _, more := range []money.Amount{l.Extras, l.PackageOther} {
		if l.Revenue, err = l.Revenue.Add(more); err != nil {
			return l, err
		}
	}
	l.WithTax, err = l.Revenue.Add(l.Tax)
	l.ADR = ratio(l.RoomRevenue, money.FromInt(l.Nights), digits)
	return l, err
}

// label names a stretch of time by its first day.
func (b By) label(first calendar.Date) string {
	switch b {
	case ByMonth:
		return first.Time().Format("Jan 2006")
	case ByWeek:
		return "week from " + first.Show()
	}
	return first.Show()
}

// Table lays the parts out, and the total.
func (r revenueReport) Table() render.Table {
	heads := map[By]string{ByRoom: "Room", ByChannel: "Channel", ByDay: "Day", ByWeek: "Week", ByMonth: "Month"}
	t := render.Table{Title: "Revenue, " + r.period.span(), About: revenueNote,
		Note: strings.TrimSpace(strings.TrimPrefix(r.Note, revenueNote))}
	t.Columns = []render.Column{
		{Key: "part", Label: heads[r.By], Priority: 1}, {Key: "nights", Label: "Nights", Right: true, Priority: 1},
		{Key: "room", Label: "Room", Right: true},
		{Key: "discount", Label: "Discount", Right: true}, {Key: "extras", Label: "Extras", Right: true},
		{Key: "package", Label: "Package, other", Right: true},
		{Key: "revenue", Label: "Revenue", Right: true, Priority: 1},
		{Key: "tax", Label: "Tax", Right: true}, {Key: "with_tax", Label: "With tax", Right: true},
		{Key: "adr", Label: "ADR", Right: true, Priority: 1},
	}
	amount := func(a money.Amount) render.Cell { return render.Money(a, r.Currency) }
	for _, l := range append(r.Parts[:len(r.Parts):len(r.Parts)], r.Total) {
		t.Rows = append(t.Rows, []render.Cell{
			render.Text(l.Part), render.Int(l.Nights), amount(l.Room), amount(l.Discount), amount(l.Extras),
			amount(l.PackageOther),
			amount(l.Revenue), amount(l.Tax), amount(l.WithTax), cell(l.ADR, amount),
		})
	}
	return t
}

// Summarize says the total.
func (r revenueReport) Summarize() string {
	return fmt.Sprintf("%s: %s of revenue without tax from %d nights (rooms %s after %s of discounts, extras %s, "+
		"packages beside the room %s), and %s of tax.",
		r.period.span(), r.Total.Revenue.Format(r.Currency), r.Total.Nights, r.Total.RoomRevenue.Format(r.Currency),
		r.Total.Discount.Format(r.Currency),
		r.Total.Extras.Format(r.Currency), r.Total.PackageOther.Format(r.Currency), r.Total.Tax.Format(r.Currency))
}

// Count is the number of parts.
func (r revenueReport) Count() int { return len(r.Parts) }
