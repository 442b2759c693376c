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

const clientNote = "Bookings are counted by their arrival. Cancellation rate = cancelled ÷ all bookings of the " +
	"period; no-show rate = no-shows ÷ all bookings of the period. Everything else leaves both out. Guests are told " +
	"apart by e-mail, else by phone, else by name; a repeat guest stayed before or comes more than once in the " +
	"period. Lead time is the days from booking to arrival. Average stay = nights of whole stays ÷ bookings, unlike " +
	"ALOS in the occupancy report. Value is without tax. Day use counts as a guest and as value; repeat guests, " +
	"lead time and average stay leave it out."

type clientsInput struct {
	periodInput
	Top int `json:"top,omitempty" jsonschema:"how many guests of most value to name, 1 to 50; 10 when left out"`
}

// Check fills in how many guests to name.
func (in *clientsInput) Check() error {
	in.Top = cmp.Or(in.Top, 10)
	if in.Top < 1 || in.Top > 50 {
		return fault.New(fault.Invalid, "top must be from 1 to 50.")
	}
	return in.periodInput.Check()
}

type clientReport struct {
	From     calendar.Date `json:"from"`
	To       calendar.Date `json:"to"` // the first day after the period
	Currency string        `json:"currency"`
	Clients
	Counted          int           `json:"counted"` // bookings neither cancelled nor no-shows
	CancellationRate *money.Amount `json:"cancellationPercent"`
	NoShowRate       *money.Amount `json:"noShowPercent"`
	RepeatRate       *money.Amount `json:"repeatPercent"`
	LeadAverage      *money.Amount `json:"leadAverage"` // days
	StayAverage      *money.Amount `json:"stayAverage"` // nights
	PartyAverage     *money.Amount `json:"partyAverage"`
	BookingValue     *money.Amount `json:"bookingValue"` // average
	Note             string        `json:"note"`

	period period
}

func newClientReport(p period, currency string, c Clients) (clientReport, error) {
	r := clientReport{From: p.From, To: p.To, Currency: currency, Clients: c, Note: clientNote + p.unfinished(),
		period: p}
	r.Counted = c.Bookings - c.Cancelled - c.NoShows
	share := func(part, whole int) *money.Amount {
		return ratio(money.FromInt(part*100), money.FromInt(whole), digits)
	}
	counted, overnight := money.FromInt(r.Counted), money.FromInt(r.Overnight)
	r.CancellationRate = share(c.Cancelled, c.Bookings)
	r.NoShowRate = share(c.NoShows, c.Bookings)
	r.RepeatRate = share(c.RepeatGuests, c.OvernightGuests)
	r.LeadAverage = ratio(money.FromInt(c.LeadDays), overnight, digits)
	r.StayAverage = ratio(money.FromInt(c.StayNights), overnight, digits)
	r.PartyAverage = ratio(money.FromInt(c.People), counted, digits)
	r.BookingValue = ratio(c.Value, counted, digits)
	return r, nil
}

// Table lays the report out: a figure a row, then channels, countries, guests.
func (r clientReport) Table() render.Table {
	t := render.Table{Title: "Guests arriving, " + r.period.span(), About: clientNote,
		Note: strings.TrimSpace(strings.TrimPrefix(r.Note, clientNote)), Columns: []render.Column{
			{Key: "what", Label: "What"}, {Key: "value", Label: "Figure", Right: true},
			{Key: "detail", Label: "Detail"},
		}}
	add := func(label string, value render.Cell, detail string) {
		t.Rows = append(t.Rows, []render.Cell{render.Text(label), value, render.Text(detail)})
	}
	amount := func(a money.Amount) render.Cell { return render.Money(a, r.Currency) }
	add("Bookings", render.Int(r.Bookings), fmt.Sprintf("%d counted, %d cancelled, %s", r.Counted, r.Cancelled,
		count(r.NoShows, "no-show")))
	add("Cancellation rate", cell(r.CancellationRate, render.Percent), fmt.Sprintf("%d of %d", r.Cancelled,
		r.Bookings))
	add("No-show rate", cell(r.NoShowRate, render.Percent), fmt.Sprintf("%d of %d", r.NoShows,
		r.Bookings))
	add("Guests", render.Int(r.Guests), "who booked, told apart as the note says")
	add("Repeat guests", cell(r.RepeatRate, render.Percent), fmt.Sprintf("%d of %d", r.RepeatGuests,
		r.OvernightGuests))
	median := "n/a"
	if r.LeadMedian != nil {
		median = fmt.Sprint(*r.LeadMedian)
	}
	add("Lead time, average days", cell(r.LeadAverage, number), "median "+median)
	for i, label := range []string{"up to 1 day", "2 to 7 days", "8 to 30 days", "31 to 90 days", "over 90 days"} {
		if i < len(r.Leads) && r.Leads[i] > 0 {
			add("Booked ahead "+label, render.Int(r.Leads[i]), percentOf(r.Leads[i], r.Overnight))
		}
	}
	add("Average stay, nights", cell(r.StayAverage, number), fmt.Sprintf("%d room-nights in all", r.Nights))
	add("Average party", cell(r.PartyAverage, number), "guests a booking, children included")
	add("Value", amount(r.Value), "on average "+cell(r.BookingValue, amount).Text+" a booking")
	for _, s := range r.Channels {
		add("Channel: "+strings.ReplaceAll(s.Name, "_", " "), render.Int(s.Bookings), r.share(s))
	}
	for _, s := range r.Countries {
		add("Country: "+cmp.Or(s.Name, "not known"), render.Int(s.Bookings), r.share(s))
	}
	for _, s := range r.Top {
		add("Guest: "+s.Name, amount(s.Value), fmt.Sprintf("%s, %s", count(s.Bookings, "booking"),
			count(s.Nights, "room-night")))
	}
	return t
}

func (r clientReport) share(s Share) string {
	text := fmt.Sprintf("%s of bookings, %s, %s", percentOf(s.Bookings, r.Counted), count(s.Nights, "room-night"),
		s.Value.Format(r.Currency))
	if s.Cancelled > 0 {
		text += fmt.Sprintf(", %d cancelled", s.Cancelled)
	}
	return text
}

func percentOf(part, whole int) string {
	return cell(ratio(money.FromInt(part*100), money.FromInt(whole), digits), render.Percent).Text
}

// Summarize says the gist.
func (r clientReport) Summarize() string {
	return fmt.Sprintf("Arrivals from %s: %s by %s, %d of them repeat guests; %d cancelled, %s.",
		r.period.span(), count(r.Counted, "booking"), count(r.Guests, "guest"), r.RepeatGuests, r.Cancelled,
		count(r.NoShows, "no-show"))
}

// Count is the number of bookings looked at.
func (r clientReport) Count() int { return r.Bookings }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
