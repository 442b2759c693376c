package duffel

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// flightSupplier is a flights.Supplier.
type flightSupplier struct{ c *Client }

const (
	pageSize = 200
	maxPages = 2 // of offers
	// lookPages is how many pages of orders are looked through for one.
	lookPages = 5
)

// How long Duffel waits for airlines.
const (
	leastTimeout    = 2 * time.Second
	mostTimeout     = 60 * time.Second
	standardTimeout = 20 * time.Second
	// afterwards is what the pages of offers, and the way to us, are given.
	afterwards = 3 * time.Second
)

type wireQuery struct {
	Slices      []wireQuerySlice     `json:"slices"`
	Passengers  []wireQueryPassenger `json:"passengers"`
	Cabin       string               `json:"cabin_class,omitempty"`
	Connections *int                 `json:"max_connections,omitempty"`
}

type wireQuerySlice struct {
	Origin      string      `json:"origin"`
	Destination string      `json:"destination"`
	Date        string      `json:"departure_date"`
	Departs     *wireWindow `json:"departure_time,omitempty"`
	Arrives     *wireWindow `json:"arrival_time,omitempty"`
}

type wireWindow struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// wireQueryPassenger has exactly one of its members.
type wireQueryPassenger struct {
	Type string `json:"type,omitempty"`
	Age  *int   `json:"age,omitempty"`
}

type wireOfferRequest struct {
	ID         string          `json:"id"`
	Passengers []wirePassenger `json:"passengers"`
}

// Search implements flights.Supplier. It reads up to 400 offers.
func (s flightSupplier) Search(ctx context.Context, by identity.Caller, q flights.Query) (flights.Found, error) {
	body, err := query(q)
	if err != nil {
		return flights.Found{}, err
	}
	asked, _, err := one[wireOfferRequest](ctx, s.c, by, call{method: http.MethodPost, path: "/air/offer_requests",
		query: url.Values{"return_offers": {"false"}, "supplier_timeout": {supplierTimeout(ctx)}}, body: body})
	if err != nil {
		return flights.Found{}, err
	}
	if !isID(asked.ID) {
		return flights.Found{}, unreadable("an offer request without an id")
	}
	order := make([]string, 0, len(asked.Passengers))
	for _, p := range asked.Passengers {
		order = append(order, p.ID)
	}
	found, places := flights.Found{}, zones{}
	after, bad := "", 0
	for page := range maxPages {
		values := url.Values{"offer_request_id": {asked.ID}, "sort": {"total_amount"},
			"limit": {strconv.Itoa(pageSize)}}
		if q.Connections != nil {
			values.Set("max_connections", strconv.Itoa(*q.Connections))
		}
		if after != "" {
			values.Set("after", after)
		}
		next, err := many(ctx, s.c, by, call{method: http.MethodGet, path: "/air/offers", query: values},
			func(w *wireOffer) error {
				o, err := places.offer(w, order)
				if err != nil {
					bad++
					s.c.report(fmt.Errorf("duffel: an offer was left out: %w", err))
					return nil
				}
				found.Offers = append(found.Offers, o)
				return nil
			})
		if err != nil && page == 0 {
			return flights.Found{}, err
		}
		if err != nil {
			// The cheapest are there; that there are more is true.
			s.c.report(fmt.Errorf("duffel: page %d of the offers: %w", page+1, err))
			found.More = true
			break
		}
		if after = next; after == "" {
			break
		}
	}
	found.More = found.More || after != ""
	if len(found.Offers) == 0 && bad > 0 {
		return flights.Found{}, unreadable("no offer that can be read")
	}
	slices.SortStableFunc(found.Offers, func(a, b flights.Offer) int { return a.Total.Amount.Cmp(b.Total.Amount) })
	return found, nil
}

// query converts a query.
func query(q flights.Query) (wireQuery, error) {
	w := wireQuery{Cabin: string(q.Cabin), Connections: q.Connections}
	if len(q.Slices) == 0 || len(q.Slices) > flights.MaxSlices {
		return w, fault.New(fault.Unprocessable, "A search has one to %d journeys.", flights.MaxSlices)
	}
	if len(q.Ages) == 0 || len(q.Ages) > flights.MaxPassengers {
		return w, fault.New(fault.Unprocessable, "A search has one to %d passengers.", flights.MaxPassengers)
	}
	for _, s := range q.Slices {
		if code(s.Origin) == "" || code(s.Destination) == "" || s.Date.IsZero() {
			return w, fault.New(fault.Unprocessable,
				"A journey has two airports or cities by their codes, and a date.")
		}
		w.Slices = append(w.Slices, wireQuerySlice{Origin: s.Origin, Destination: s.Destination, Date: s.Date.String(),
			Departs: window(s.Departs), Arrives: window(s.Arrives)})
	}
	for _, age := range q.Ages {
		// Duffel takes one of type and age, never both.
		if age == flights.Adult || age >= 18 {
			w.Passengers = append(w.Passengers, wireQueryPassenger{Type: "adult"})
			continue
		}
		if age < 0 {
			return w, fault.New(fault.Unprocessable, "An age is zero or more.")
		}
		w.Passengers = append(w.Passengers, wireQueryPassenger{Age: &age})
	}
	return w, nil
}

func window(w *flights.Window) *wireWindow {
	if w == nil {
		return nil
	}
	return &wireWindow{From: cmp.Or(w.From, "00:00"), To: cmp.Or(w.To, "23:59")}
}

// supplierTimeout returns how many milliseconds Duffel may wait for airlines, so that time
// is left for reading what they offer.
func supplierTimeout(ctx context.Context) string {
	most := standardTimeout
	if end, ok := ctx.Deadline(); ok {
		most = min(time.Until(end)-afterwards, mostTimeout)
	}
	return strconv.FormatInt(max(most, leastTimeout).Milliseconds(), 10)
}

func unreadable(what string) error {
	return fault.Wrap(fault.Upstream, fmt.Errorf("duffel: %s", what),
		"The travel supplier gave an answer that we cannot read.").WithCode("supplier_failed")
}

// Offer implements flights.Supplier.
func (s flightSupplier) Offer(ctx context.Context, by identity.Caller, id string) (flights.Offer, error) {
	if !isID(id) {
		return flights.Offer{}, gone()
	}
	w, _, err := one[wireOffer](ctx, s.c, by, call{method: http.MethodGet, path: "/air/offers/" + id,
		query: url.Values{"return_available_services": {"false"}}})
	if err != nil {
		if fault.Is(err, fault.NotFound) {
			return flights.Offer{}, gone()
		}
		return flights.Offer{}, err
	}
	o, err := zones{}.offer(&w, nil)
	if err != nil {
		return flights.Offer{}, unreadable(err.Error())
	}
	if !o.Expires.IsZero() && !o.Expires.After(s.c.now()) {
		return flights.Offer{}, fault.New(fault.Gone, "This offer has expired. Please search again.").
			WithCode("offer_expired")
	}
	return o, nil
}

func gone() error {
	return fault.New(fault.Gone, "This offer is gone. Please search again.").WithCode("offer_unavailable")
}
