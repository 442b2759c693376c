package duffel

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/stays"
)

// staySupplier is a stays.Supplier.
type staySupplier struct{ c *Client }

const (
	maxHotels = 200
	maxTerms  = 8
	maxTerm   = 400 // characters
	maxRadius = 100 // kilometres
)

// Search implements stays.Supplier. It reads up to 200 hotels.
func (s staySupplier) Search(ctx context.Context, by identity.Caller, q stays.Query) (stays.Found, error) {
	guests := make([]wireGuest, 0, len(q.Ages))
	for _, age := range q.Ages {
		if age == flights.Adult || age >= 18 {
			guests = append(guests, wireGuest{Type: "adult"})
			continue
		}
		guests = append(guests, wireGuest{Type: "child", Age: &age})
	}
	if len(guests) == 0 || q.Rooms < 1 || q.Nights() < 1 {
		return stays.Found{}, fault.New(fault.Unprocessable, "A search has guests, rooms and at least one night.")
	}
	body := map[string]any{
		"location": map[string]any{"radius": min(max(q.Radius, 1), maxRadius),
			"geographic_coordinates": wireCoordinates{Lat: q.Lat, Lon: q.Lon}},
		"check_in_date": q.CheckIn.String(), "check_out_date": q.CheckOut.String(), "rooms": q.Rooms, "guests": guests,
	}
	found, bad := stays.Found{}, 0
	err := s.c.send(ctx, by, call{method: http.MethodPost, path: "/stays/search", body: body},
		s.c.results(&found, &bad))
	if err != nil {
		return stays.Found{}, err
	}
	if len(found.Hotels) == 0 && bad > 0 {
		return stays.Found{}, unreadable("no hotel that can be read")
	}
	slices.SortStableFunc(found.Hotels, func(a, b stays.Hotel) int { return a.Total.Amount.Cmp(b.Total.Amount) })
	if len(found.Hotels) > maxHotels {
		found.Hotels, found.More = found.Hotels[:maxHotels], true
	}
	return found, nil
}

// results returns what reads the answer of a search.
func (c *Client) results(found *stays.Found, bad *int) func(int, io.Reader) error {
	take := func(w *wireResult) error {
		h := hotel(&w.Hotel)
		total, err := price(w.Amount, w.Currency)
		if err != nil || !isID(w.ID) || h.Name == "" {
			*bad++
			c.report(fmt.Errorf("duffel: a hotel was left out: %w", err))
			return nil
		}
		h.ID, h.Total, h.Expires = w.ID, total, w.Expires.UTC()
		found.Hotels = append(found.Hotels, h)
		return nil
	}
	return func(_ int, body io.Reader) error {
		return c.whole(body, func(t *text) error {
			return t.members(func(name string) error {
				if name != "data" {
					return t.skip()
				}
				return t.members(func(name string) error {
					if name != "results" {
						return t.skip()
					}
					return list(t, take)
				})
			})
		})
	}
}

// Rates implements stays.Supplier. Rates that cannot be paid from the account's balance, or
// that only members of a programme get, are left out.
func (s staySupplier) Rates(ctx context.Context, by identity.Caller, hotelID string) ([]stays.Rate, error) {
	if !isID(hotelID) {
		return nil, goneRate()
	}
	w, _, err := one[wireResult](ctx, s.c, by, call{method: http.MethodPost,
		path: "/stays/search_results/" + hotelID + "/actions/fetch_all_rates"})
	if err != nil {
		return nil, missing(err)
	}
	list := []stays.Rate{}
	for i := range w.Hotel.Rooms {
		room := &w.Hotel.Rooms[i]
		for j := range room.Rates {
			if !payable(&room.Rates[j]) {
				continue
			}
			r, err := rate(room, &room.Rates[j])
			if err != nil {
				s.c.report(fmt.Errorf("duffel: a rate was left out: %w", err))
				continue
			}
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b stays.Rate) int { return a.Total.Amount.Cmp(b.Total.Amount) })
	return list, nil
}

func goneRate() error {
	return fault.New(fault.Gone, "This room is no longer to be had at this rate.").WithCode("rate_unavailable")
}

// missing replaces what Duffel does not know any more: results, rates and quotes end soon.
func missing(err error) error {
	if fault.Is(err, fault.NotFound) {
		return goneRate()
	}
	return err
}

// Quote implements stays.Supplier.
func (s staySupplier) Quote(ctx context.Context, by identity.Caller, rateID string) (string, stays.Rate, error) {
	if !isID(rateID) {
		return "", stays.Rate{}, goneRate()
	}
	w, _, err := one[wireQuote](ctx, s.c, by, call{method: http.MethodPost, path: "/stays/quotes",
		body: map[string]any{"rate_id": rateID}})
	if err != nil {
		return "", stays.Rate{}, missing(err)
	}
	room, told := onlyRate(&w.Hotel, rateID)
	if !isID(w.ID) || told == nil {
		return "", stays.Rate{}, unreadable("a quote without an id or a rate")
	}
	r, err := rate(room, told)
	if err == nil {
		// What is booked is the quote, so its price counts.
		r.Total, err = price(w.TotalAmount, w.TotalCurrency)
	}
	if err != nil {
		return "", stays.Rate{}, unreadable(err.Error())
	}
	if w.DueAmount != "" && w.DueCurrency != "" {
		if due, err := price(w.DueAmount, w.DueCurrency); err == nil && !due.Amount.IsZero() {
			r.AtHotel = &due
		}
	}
	if !w.ExpiresAt.IsZero() {
		r.Expires = w.ExpiresAt.UTC()
	}
	return w.ID, r, nil
}

// Book implements stays.Supplier.
func (s staySupplier) Book(ctx context.Context, by identity.Caller, key, quoteID string,
	guests []flights.Person) (stays.Booking, error) {
	if !isID(quoteID) {
		return stays.Booking{}, effect.NotDone(goneRate())
	}
	if len(guests) == 0 {
		return stays.Booking{}, effect.NotDone(fault.New(fault.Unprocessable, "A booking has at least one guest.").
			WithCode("invalid_passenger"))
	}
	type named struct {
		Given  string `json:"given_name"`
		Family string `json:"family_name"`
	}
	var names []named
	var hide []string
	for _, g := range guests {
		names = append(names, named{g.Given, g.Family})
		hide = append(hide, g.Given, g.Family, g.Email, g.Phone)
	}
	w, status, err := one[wireBooking](ctx, s.c, by, call{method: http.MethodPost, path: "/stays/bookings", acts: true,
		hide: hide, body: map[string]any{"quote_id": quoteID, "guests": names, "email": guests[0].Email,
			"phone_number": guests[0].Phone, "metadata": map[string]string{keyName: key}}})
	if err != nil {
		s.c.noteUnknown(key, err)
		return stays.Booking{}, err
	}
	if status == http.StatusAccepted && w.Status != "confirmed" {
		b := stays.Booking{State: flights.Pending, Key: key}
		if isID(w.ID) && strings.HasPrefix(w.ID, "bok_") {
			b.ID = w.ID
		}
		return b, nil
	}
	b, err := s.booking(&w)
	if err != nil {
		s.c.left(key)
		return stays.Booking{}, outcomeUnknown(fmt.Errorf("duffel: the booking that was made: %w", err))
	}
	b.Key = key
	return b, nil
}

// booking converts a booking. The rate and the total are missing where Duffel does not
// repeat them.
func (s staySupplier) booking(w *wireBooking) (stays.Booking, error) {
	b := stays.Booking{ID: w.ID, Reference: line(w.Reference, maxReference), State: flights.Confirmed,
		Hotel: hotel(&w.Hotel), Key: w.Metadata[keyName]}
	if !isID(w.ID) {
		return b, fmt.Errorf("a booking without an id")
	}
	var err error
	if b.CheckIn, err = calendar.Parse(w.CheckIn); err != nil {
		return b, err
	}
	if b.CheckOut, err = calendar.Parse(w.CheckOut); err != nil {
		return b, err
	}
	if room, told := onlyRate(&w.Hotel, ""); told != nil {
		if b.Rate, err = rate(room, told); err != nil {
			return b, err
		}
		b.Total, b.Hotel.Total = b.Rate.Total, b.Rate.Total
	}
	for _, k := range []*wireKey{w.Hotel.Key, w.Key} {
		if k != nil && k.Instructions != "" {
			b.Entry = line(k.Instructions, maxTerm)
		}
	}
	if w.Status == "cancelled" || w.CancelledAt != nil {
		b.State = flights.Cancelled
		at := s.c.now()
		if w.CancelledAt != nil {
			at = *w.CancelledAt
		}
		b.Refunded = refund(b.Rate, at)
	}
	return b, nil
}

// Find implements stays.Supplier; see flightSupplier.Find.
func (s staySupplier) Find(ctx context.Context, by identity.Caller, key string) (stays.Booking, bool, error) {
	values := url.Values{"limit": {strconv.Itoa(pageSize)}}
	var found *stays.Booking
	for range lookPages {
		after, err := many(ctx, s.c, by, call{method: http.MethodGet, path: "/stays/bookings", query: values},
			func(w *wireBooking) error {
				if w.Metadata[keyName] != key || key == "" {
					return nil
				}
				b, err := s.booking(w)
				if err == nil {
					found = &b
				}
				return err
			})
		switch {
		case err != nil:
			return stays.Booking{}, false, err
		case found != nil:
			return *found, true, nil
		case after == "":
			return stays.Booking{}, false, s.c.notYet(key)
		}
		values.Set("after", after)
	}
	return stays.Booking{}, false, outcomeUnknown(fmt.Errorf("duffel: no booking of the key in %d pages", lookPages))
}

// Get implements stays.Supplier.
func (s staySupplier) Get(ctx context.Context, by identity.Caller, id string) (stays.Booking, error) {
	return s.read(ctx, by, id, call{method: http.MethodGet, path: "/stays/bookings/" + id})
}

// Cancel implements stays.Supplier.
func (s staySupplier) Cancel(ctx context.Context, by identity.Caller, id string) (stays.Booking, error) {
	return s.read(ctx, by, id, call{method: http.MethodPost, path: "/stays/bookings/" + id + "/actions/cancel",
		acts: true})
}

func (s staySupplier) read(ctx context.Context, by identity.Caller, id string, r call) (stays.Booking, error) {
	if !isID(id) {
		if r.acts {
			return stays.Booking{}, effect.NotDone(unknownOrder())
		}
		return stays.Booking{}, unknownOrder()
	}
	w, _, err := one[wireBooking](ctx, s.c, by, r)
	if err != nil {
		return stays.Booking{}, err
	}
	b, err := s.booking(&w)
	switch {
	case err == nil:
		return b, nil
	case r.acts:
		return b, outcomeUnknown(fmt.Errorf("duffel: the booking that was cancelled: %w", err))
	}
	return b, unreadable(err.Error())
}
