package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// reserved is the answer of tools about one booking.
type reserved struct {
	b     bookings.Booking
	stale bool // the supplier could not be asked
}

func (t *set) reserved(ctx context.Context, by identity.Caller, code string) (reserved, error) {
	b, err := t.Bookings.Get(ctx, by, code)
	return reserved{b: b}, err
}

// bookingLine is a booking as models see it.
type bookingLine struct {
	Code       string        `json:"code"`
	Type       bookings.Type `json:"type"`
	State      flights.State `json:"state"`
	Title      string        `json:"title"`
	Reference  string        `json:"reference,omitempty"`
	Starts     string        `json:"starts"`
	Ends       string        `json:"ends,omitempty"`
	Price      string        `json:"price,omitempty"`
	Paid       bool          `json:"paid"`
	PayBy      string        `json:"payBy,omitempty"`
	Refunded   string        `json:"refunded,omitempty"`
	Travellers []string      `json:"travellers,omitempty"`
	Trip       string        `json:"trip,omitempty"`
	Change     string        `json:"change,omitempty"`
	Rating     int           `json:"rating,omitempty"`
	Feedback   string        `json:"feedback,omitempty"`
	Details    []string      `json:"details,omitempty"`
}

func bookingLineOf(b bookings.Booking) bookingLine {
	l := bookingLine{Code: b.Code, Type: b.Type, State: b.State, Title: cut(b.Title, 120),
		Reference: cut(b.Reference, 40),
		Starts:    b.Starts.String(), Ends: b.Ends.String(), Paid: b.Paid, Travellers: b.Travellers, Trip: b.Trip,
		Change: cut(b.Change, 300), Rating: b.Rating, Feedback: cut(b.Feedback, 200)}
	if b.Total != nil {
		l.Price = b.Total.String()
	}
	if b.PayBy != nil && b.State == flights.Held {
		l.PayBy = b.PayBy.UTC().Format(time.RFC3339)
	}
	if b.Refunded != nil {
		l.Refunded = b.Refunded.String()
	}
	return l
}

// lines are the facts of a booking for people.
func (r reserved) lines() []string {
	b := r.b
	var list []string
	for _, l := range legsOf(b) {
		list = append(list, shortDay(l.Departs.Date)+": "+l.String())
	}
	var stay stayDetails
	if b.Type == bookings.Hotel && json.Unmarshal(b.Details, &stay) == nil && stay.Room != "" {
		list = append(list, fmt.Sprintf("%s to %s, %s, %s.", day(b.Starts.Date), day(b.Ends.Date), stay.Room,
			stay.Board),
			stay.Refund+".", stay.Pay+".")
	}
	if len(b.Travellers) > 0 {
		list = append(list, "Travellers: "+strings.Join(b.Travellers, ", ")+".")
	}
	if words := r.givenBack(); b.State == flights.Cancelled && words != "" {
		list = append(list, strings.TrimSpace(words))
	}
	if r.stale {
		list = append(list, "The supplier could not be asked just now; this is what was known before.")
	}
	return list
}

// MarshalJSON writes the booking for models.
func (r reserved) MarshalJSON() ([]byte, error) {
	l := bookingLineOf(r.b)
	for _, d := range r.lines() {
		l.Details = append(l.Details, cut(d, 200))
	}
	return json.Marshal(l)
}

// Summarize says how firm the booking is.
func (r reserved) Summarize() string {
	b := r.b
	head := fmt.Sprintf("%s, %s (%s)", cut(b.Title, 120), day(b.Starts.Date), b.Code)
	price := ""
	if b.Total != nil {
		price = " for " + b.Total.String()
	}
	switch b.State {
	case flights.Held:
		said := head + " is held" + price + "; nothing is paid yet."
		if b.PayBy != nil {
			said += " Pay by " + moment(*b.PayBy) + ", or it lapses."
		}
		return said
	case flights.Confirmed:
		said := head + " is booked" + price
		if b.Reference != "" {
			said += ", reference " + cut(b.Reference, 40)
		}
		return said + "."
	case flights.Cancelled:
		return head + " is cancelled." + r.givenBack()
	case flights.Failed:
		return head + " was not made: nothing is booked."
	}
	if b.SupplierID == "" && b.Supplier != "" {
		return "It is not known whether " + head + " was made. Do not ask for it again before this is known."
	}
	return head + " was accepted and is not confirmed yet. It is shown here once the airline confirms it."
}

// givenBack says what a cancelled booking gave back, after a space.
func (r reserved) givenBack() string {
	switch {
	case !r.b.Paid:
		return " Nothing was paid, so nothing is given back."
	case r.b.Refunded == nil:
		return ""
	case r.b.Refunded.Amount.IsZero():
		return " Nothing is given back."
	}
	return " Given back: " + r.b.Refunded.String() + "."
}

// Show lays the booking out.
func (r reserved) Show() []part.Data {
	b := r.b
	p := part.Reserved{Code: b.Code, Type: string(b.Type), State: string(b.State), Title: cut(b.Title, 120),
		Reference: b.Reference, Lines: r.lines(), Change: b.Change}
	if b.Total != nil {
		p.Price = b.Total.String()
	}
	if b.PayBy != nil && b.State == flights.Held {
		p.PayBy = b.PayBy.UTC().Format(time.RFC3339)
	}
	this := arguments(map[string]any{"booking": b.Code})
	add := func(label, name string) {
		p.Do = append(p.Do, part.Choice{Label: label, Tool: name, Arguments: this})
	}
	if b.Supplier != "" {
		switch b.State {
		case flights.Held:
			add("Pay", "pay_held_flight")
			add("Cancel", "cancel_booking")
		case flights.Confirmed:
			add("Cancel", "cancel_booking")
		case flights.Pending:
			add("Look again", "get_booking")
		}
	}
	if b.Trip == "" && (b.State == flights.Held || b.State == flights.Confirmed) {
		add("Put it into my trip", "add_flight_to_itinerary")
	}
	return []part.Data{p}
}

func (t *set) getBooking() tool.Tool {
	return tool.New(tool.Spec{Name: "get_booking", Effect: tool.Reads, Description: text("get_booking"),
		Extension: "how firm a booking is now, asked of the supplier", Retry: retry(), Category: "bookings",
		Component: "BookingCard", Shows: []string{"booking"}, Untrusted: untrusted(airlineTexts(), hotelTexts(),
			noteTexts())},
		func(ctx context.Context, by identity.Caller, in bookingArgument) (reserved, error) {
			b, err := t.Bookings.Get(ctx, by, in.Booking)
			if err != nil {
				return reserved{}, err
			}
			now, err := t.refresh(ctx, by, b)
			if err != nil {
				return reserved{b: b, stale: true}, nil //nolint:nilerr // what was known is told as such
			}
			return reserved{b: now}, nil
		})
}

func untrusted(lists ...[]string) []string {
	var all []string
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// listBookings are the arguments of list_bookings.
type listBookings struct {
	Text string        `json:"text,omitempty" jsonschema:"words to look for in titles, places and references"`
	When span          `json:"when,omitempty" jsonschema:"past ones, upcoming ones, or all when left out"`
	Type bookings.Type `json:"type,omitempty" jsonschema:"only this type"`
}

// span is which side of today.
type span string

const (
	past     span = "past"
	upcoming span = "upcoming"
)

// Values returns the spans.
func (span) Values() []string { return []string{string(past), string(upcoming)} }

func (t *set) listBookings() tool.Tool {
	return tool.New(tool.Spec{Name: "list_bookings", Effect: tool.Reads, Description: text("list_bookings"),
		Extension: "what is held, booked and was", Category: "bookings", Component: "BookingCard",
		Untrusted: untrusted(airlineTexts(), noteTexts())},
		func(ctx context.Context, by identity.Caller, in listBookings) (bookingList, error) {
			list, err := t.Bookings.List(ctx, by, bookings.Filter{Text: strings.TrimSpace(in.Text),
				Past:     in.When == past,
				Upcoming: in.When == upcoming, Type: in.Type})
			return bookingList{"Bookings", list}, err
		})
}

// bookingList is the answer of tools that list bookings.
type bookingList struct {
	title string
	list  []bookings.Booking
}

// bookingsForModel is how many bookings models see.
const bookingsForModel = 12

// MarshalJSON writes the short form for models.
func (l bookingList) MarshalJSON() ([]byte, error) {
	type answer struct {
		Bookings []bookingLine `json:"bookings"`
		Total    int           `json:"total"`
	}
	return short(bookingsForModel, func(n int) any {
		out := answer{[]bookingLine{}, len(l.list)}
		for _, b := range l.list[:min(len(l.list), n)] {
			line := bookingLineOf(b)
			line.Travellers, line.Feedback = nil, cut(line.Feedback, 80)
			out.Bookings = append(out.Bookings, line)
		}
		return out
	})
}

// Summarize says how many there are.
func (l bookingList) Summarize() string {
	if len(l.list) == 0 {
		return "There are no such bookings."
	}
	return thereAre(len(l.list), "booking")
}

// Table lays the bookings out.
func (l bookingList) Table() render.Table {
	table := render.Table{Title: l.title, Columns: []render.Column{
		render.Column{Key: "code", Label: "Booking", Priority: 1}.Opens("get_booking", "booking", ""),
		{Key: "title", Label: "What", Priority: 1}, {Key: "date", Label: "From"}, {Key: "state", Label: "State"},
		{Key: "reference", Label: "Reference"}, {Key: "price", Label: "Price", Right: true},
		{Key: "rating", Label: "Rating"},
	}}
	for _, b := range l.list {
		price, rating := render.Text(""), render.Text("")
		if b.Total != nil {
			price = render.Cell{Text: b.Total.String(), Value: b.Total.Amount}
		}
		if b.Rating > 0 {
			rating = render.Int(b.Rating)
		}
		table.Rows = append(table.Rows, []render.Cell{render.Text(b.Code), render.Text(cut(b.Title, 120)),
			render.Text(day(b.Starts.Date)), render.Text(string(b.State)), render.Text(b.Reference), price, rating})
	}
	return table
}
