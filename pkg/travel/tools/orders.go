package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// supplierName names the supplier in the outbox and in bookings.
const supplierName = "duffel"

// Times of an order: how long an attempt may take, and how long a look-up after it.
const (
	orderTime  = 50 * time.Second
	lookUpTime = 8 * time.Second
)

// totalLabel labels the line of a preview by which the price of an act is compared.
const totalLabel = "Total"

// orderFlight are the arguments of hold_flight and book_flight.
type orderFlight struct {
	Offer      string   `json:"offer" jsonschema:"code of the offer, such as K7M2-3"`
	Travellers []string `json:"travellers,omitempty" jsonschema:"codes of the travellers, such as PAX-1; left out when all who are entered travel"`
	Trip       string   `json:"trip,omitempty" jsonschema:"code of the trip in whose itinerary it is put, such as TR-0001"`
}

// Check tidies the codes.
func (in *orderFlight) Check() error {
	in.Offer, in.Trip = codeOf(in.Offer), codeOf(in.Trip)
	in.Travellers = codesOf(in.Travellers)
	return nil
}

func codesOf(list []string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = codeOf(out[i])
	}
	return out
}

func (t *set) holdFlight() tool.Tool {
	return tool.New(tool.Spec{Name: "hold_flight", Effect: tool.Changes, Target: tool.Outside,
		Description: text("hold_flight"), Extension: "keep a price without paying yet", Category: "flights",
		Component: "BookingCard", Shows: []string{"booking"}, Untrusted: airlineTexts()},
		func(ctx context.Context, by identity.Caller, in orderFlight) (reserved, error) {
			return t.order(ctx, by, "hold_flight", in, true)
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in orderFlight) (tool.Preview, error) {
			return t.previewOrder(ctx, by, in, true)
		}), tool.ThroughOutbox[orderFlight]())
}

func (t *set) bookFlight() tool.Tool {
	return tool.New(tool.Spec{Name: "book_flight", Effect: tool.Destroys, Target: tool.Outside,
		Description: text("book_flight"), Extension: "buy what was found", Category: "flights",
		Component: "BookingCard", Shows: []string{"booking"}, Untrusted: airlineTexts()},
		func(ctx context.Context, by identity.Caller, in orderFlight) (reserved, error) {
			return t.order(ctx, by, "book_flight", in, false)
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in orderFlight) (tool.Preview, error) {
			return t.previewOrder(ctx, by, in, false)
		}), tool.ThroughOutbox[orderFlight]())
}

// previewOrder shows what is held or bought at the price of now.
func (t *set) previewOrder(ctx context.Context, by identity.Caller, in orderFlight, hold bool) (tool.Preview, error) {
	p, err := t.price(ctx, by, in.Offer)
	if err != nil {
		return tool.Preview{}, err
	}
	o := p.now
	if hold && !o.Holdable {
		return tool.Preview{}, fault.New(fault.Unprocessable,
			"%s cannot be held: the airline wants it paid when it is booked.", o.Code).WithCode("unsupported")
	}
	who, err := t.passengers(ctx, by, o, in.Travellers)
	if err != nil {
		return tool.Preview{}, err
	}
	if err := t.knownTrip(ctx, by, in.Trip); err != nil {
		return tool.Preview{}, err
	}
	verb := "Book"
	if hold {
		verb = "Hold"
	}
	shown := tool.Preview{Title: fmt.Sprintf("%s %s with %s", verb, flightTitle(o), cut(o.Airline.Name, 40))}
	add := func(label, value string) {
		if value != "" {
			shown.Lines = append(shown.Lines, tool.Line{Label: label, After: value})
		}
	}
	add("Offer", o.Code)
	for _, l := range o.Slices {
		add(day(l.Departs.Date), l.String()+" ("+strings.Join(l.Numbers(), ", ")+")")
	}
	add("Travellers", who.String())
	add(totalLabel, o.Total.String())
	add("Bags of each", o.Bags.String())
	add("Cancelling before departure", o.RefundWords())
	add("Changing before departure", o.ChangeWords())
	add("Trip", in.Trip)
	if hold {
		add("Paid now", "nothing")
		if o.PayBy != nil {
			add("Pay by", moment(*o.PayBy))
		}
		if o.PriceUntil != nil {
			add("Price guaranteed until", moment(*o.PriceUntil))
		} else {
			shown.Warnings = append(shown.Warnings, "The airline does not guarantee the price until it is paid.")
		}
	} else {
		add("Paid now", o.Total.String()+" from the organisation's balance")
	}
	if c := p.changed(); c != "" {
		shown.Warnings = append(shown.Warnings, c)
	}
	return shown, nil
}

// approved refuses an act whose price is not the one that was shown.
func approved(ctx context.Context, now string) error {
	shown, ok := tool.Approved(ctx)
	if !ok {
		return fault.New(fault.Internal, "This was asked for without being shown.")
	}
	if was := shown.Line(totalLabel); was != now {
		return fault.New(fault.Conflict,
			"The price is %s by now, and %s was shown. Nothing was done; ask for it again to see the new price.",
			now, was).WithCode("price_changed")
	}
	return nil
}

// order holds or buys an offer.
func (t *set) order(ctx context.Context, by identity.Caller, name string, in orderFlight, hold bool) (reserved,
	error) {
	var code string // of the booking, once it is opened
	receipt, err := effect.Once(ctx, t.Outbox, by, effect.Outside{
		Kind: supplierName, Within: orderTime,
		Payload: map[string]any{"tool": name, "offer": in.Offer, "total": shownTotal(ctx),
			"travellers": in.Travellers},
		Attempt: func(ctx context.Context, key string) (string, error) {
			return t.attemptOrder(ctx, by, in, hold, key, &code)
		},
		LookUp: func(ctx context.Context, key string) (string, bool, error) { return t.lookUp(ctx, by, key) },
	})
	if err != nil {
		return reserved{}, unknownOf(err, code)
	}
	return t.reserved(ctx, by, receipt.Reference)
}

// shownTotal is the total that was approved, for the outbox.
func shownTotal(ctx context.Context) string {
	p, _ := tool.Approved(ctx)
	return p.Line(totalLabel)
}

// unknownOf names the booking whose outcome is not known.
func unknownOf(err error, code string) error {
	if f := fault.From(err); code == "" || f.Code != "outcome_unknown" {
		return err
	}
	return fault.Wrap(fault.Unavailable, err,
		"The airline or the hotel did not answer in time, so it is not known whether "+
			"this was done. It stands as %s; look at it again before you ask for it a second time.", code).
		WithCode("outcome_unknown")
}

// attemptOrder writes the booking down, orders it, and writes down what became of it. It
// returns the booking's code.
func (t *set) attemptOrder(ctx context.Context, by identity.Caller, in orderFlight, hold bool, key string,
	code *string) (string, error) {
	p, err := t.price(ctx, by, in.Offer)
	if err != nil {
		return "", effect.NotDone(err)
	}
	if err := approved(ctx, p.now.Total.String()); err != nil {
		return "", effect.NotDone(err)
	}
	who, err := t.passengers(ctx, by, p.now, in.Travellers)
	if err != nil {
		return "", effect.NotDone(err)
	}
	b, err := flightBooking(p.now, who)
	if err != nil {
		return "", effect.NotDone(err)
	}
	b.Key, b.Trip = key, in.Trip
	if b, err = t.Bookings.Open(ctx, by, b); err != nil {
		return "", effect.NotDone(err)
	}
	*code = b.Code
	persons, err := t.people(ctx, by, who)
	if err != nil {
		return "", t.failed(ctx, by, b, effect.NotDone(err))
	}
	made, err := t.Flights.Order(ctx, by, key, flights.NewOrder{Offer: p.now, Hold: hold, Travellers: persons})
	if err != nil && !effect.IsNotDone(err) {
		var found bool
		made, found = t.findOrder(ctx, by, b)
		if !found {
			return "", err // not known
		}
		err = nil
	}
	if err != nil {
		return "", t.failed(ctx, by, b, err)
	}
	t.settle(ctx, by, fromOrder(b, made))
	return b.Code, nil
}

// failed writes down that nothing was booked, and returns why.
func (t *set) failed(ctx context.Context, by identity.Caller, b bookings.Booking, why error) error {
	b.State = flights.Failed
	t.settle(ctx, by, b)
	return why
}

// settle writes down what became of a booking. What cannot be written down now is looked
// up at the supplier when the booking is asked for.
func (t *set) settle(ctx context.Context, by identity.Caller, b bookings.Booking) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpTime)
	defer cancel()
	for range 2 {
		if _, err := t.Bookings.Settle(ctx, by, b); err == nil {
			return
		}
	}
}

// findOrder asks the supplier for an order whose answer did not come.
func (t *set) findOrder(ctx context.Context, by identity.Caller, b bookings.Booking) (flights.Order, bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpTime)
	defer cancel()
	o, found, err := t.Flights.Find(ctx, by, b.Key, b.OfferID)
	return o, err == nil && found
}

// lookUp asks the supplier for what was ordered under a key.
func (t *set) lookUp(ctx context.Context, by identity.Caller, key string) (string, bool, error) {
	list, err := t.Bookings.List(ctx, by, bookings.Filter{Limit: 50})
	if err != nil {
		return "", false, err
	}
	i := slices.IndexFunc(list, func(b bookings.Booking) bool { return b.Key == key })
	if i < 0 {
		return "", false, fault.New(fault.NotFound, "No booking was opened for this.")
	}
	now, err := t.refresh(ctx, by, list[i])
	if err != nil {
		return "", false, err
	}
	if now.State == flights.Pending && now.SupplierID == "" {
		return "", false, fault.New(fault.Unavailable, "It is not known yet whether %s was booked.", now.Code)
	}
	return now.Code, now.State != flights.Failed, nil
}

// flightBooking is the booking of an offer before it is ordered.
func flightBooking(o flights.Offer, who party) (bookings.Booking, error) {
	details, err := json.Marshal(o.Slices)
	first, last := o.Slices[0], o.Slices[len(o.Slices)-1]
	total := o.Total
	return bookings.Booking{Type: bookings.Flight, State: flights.Pending, Title: flightTitle(o),
		Starts: first.Departs, Ends: last.Arrives, StartZone: zoneOf(first.Origin, firstZone(first)),
		EndZone: zoneOf(last.Destination, lastZone(last)),
		Place:   placeName(first.Destination), Total: &total, PayBy: o.PayBy,
		Travellers: who.codes(), Details: details,
		Supplier: supplierName, OfferID: o.ID}, err
}

// flightTitle is "London (LHR) to Lisbon (LIS) and back".
func flightTitle(o flights.Offer) string {
	end := func(code string) string {
		if name := placeName(code); name != "" {
			return name + " (" + code + ")"
		}
		return code
	}
	first := o.Slices[0]
	title := end(first.Origin) + " to " + end(first.Destination)
	switch n := len(o.Slices); {
	case n == 2 && placeName(o.Slices[1].Destination) == placeName(first.Origin):
		return title + " and back"
	case n > 1:
		for _, l := range o.Slices[1:] {
			title += " to " + end(l.Destination)
		}
	}
	return title
}

func firstZone(l flights.Leg) string {
	if len(l.Segments) == 0 {
		return ""
	}
	return l.Segments[0].OriginZone
}

func lastZone(l flights.Leg) string {
	if len(l.Segments) == 0 {
		return ""
	}
	return l.Segments[len(l.Segments)-1].DestZone
}

// zoneOf is the zone of an airport: as the supplier tells it, or as the places do.
func zoneOf(code, told string) string {
	if told != "" {
		return told
	}
	if p, ok := places.ByCode(code); ok {
		return p.Zone
	}
	return "UTC"
}

// fromOrder puts what the supplier tells into a booking.
func fromOrder(b bookings.Booking, o flights.Order) bookings.Booking {
	b.SupplierID, b.State, b.Paid, b.PayBy = o.ID, o.State, o.Paid, o.PayBy
	if o.State == flights.Confirmed && o.Reference == "" {
		b.State, b.Paid = flights.Pending, false // the airline has not made it yet
	}
	if o.Reference != "" {
		b.Reference = o.Reference
	}
	if o.Total.Currency != "" {
		b.Total = &o.Total
	}
	if o.Refunded != nil {
		b.Refunded = o.Refunded
	}
	b.Change = ""
	if o.Change != nil {
		b.Change = changeWords(*o.Change)
	}
	return b
}

// changeWords says what an airline changed.
func changeWords(c flights.Change) string {
	one := func(legs []flights.Leg) string {
		var words []string
		for _, l := range legs {
			words = append(words, shortDay(l.Departs.Date)+" "+l.String())
		}
		return strings.Join(words, "; ")
	}
	return cut(fmt.Sprintf("The airline changed %s to %s.", one(c.Old), one(c.New)), 400)
}
