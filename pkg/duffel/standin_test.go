package duffel_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	standin "github.com/bellhop-ai/bellhop/infra/local/duffel"
	"github.com/bellhop-ai/bellhop/pkg/duffel"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/stays"
)

// stood starts the stand-in and a client of it.
func stood(t *testing.T) (*standin.Server, *duffel.Client) {
	t.Helper()
	s, err := standin.Start(standin.Config{Token: token, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c, err := duffel.New(duffel.Config{APIKey: token, BaseURL: s.URL(), Now: now,
		Report: func(err error) { t.Errorf("left out: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func oneWay(from, to string, ages ...int) flights.Query {
	return flights.Query{Ages: ages, Cabin: flights.Economy, Slices: []flights.Slice{{Origin: from, Destination: to,
		Date: day("2026-12-04")}}}
}

// fit returns travellers of an offer's passengers.
func fit(o flights.Offer) []flights.Person {
	list := people()
	var fitting []flights.Person
	for _, p := range o.Passengers {
		one := list[2]
		switch p.Kind {
		case flights.Child:
			one = list[1]
		case flights.Infant:
			one = list[3]
		}
		fitting = append(fitting, one)
	}
	for i, p := range o.Passengers {
		if p.Kind == flights.Infant {
			fitting[0].Infant = i
		}
	}
	return fitting
}

func TestAFamilyIsSearchedForHeldPaidAndCancelled(t *testing.T) {
	t.Parallel()
	_, c := stood(t)
	q := oneWay("LHR", "LIS", flights.Adult, 7, flights.Adult, 1)
	q.Slices = append(q.Slices, flights.Slice{Origin: "LIS", Destination: "LHR", Date: day("2026-12-06")})
	found, err := c.Flights().Search(t.Context(), somebody, q)
	if err != nil || len(found.Offers) < 3 {
		t.Fatalf("%d offers, %v", len(found.Offers), err)
	}
	var held *flights.Offer
	for i, o := range found.Offers {
		if i > 0 && o.Total.Amount.Cmp(found.Offers[i-1].Total.Amount) < 0 {
			t.Errorf("offer %d is cheaper than the one before", i)
		}
		if len(o.Slices) != 2 || len(o.Passengers) != 4 || o.Passengers[1].Kind != flights.Child ||
			o.Passengers[3].Kind != flights.Infant || o.Slices[0].Minutes <= 0 ||
			o.Slices[0].Segments[0].OriginZone == "" {
			t.Fatalf("offer %d is %+v", i, o)
		}
		if held == nil && o.Holdable {
			held = &o
		}
	}
	if held == nil {
		t.Fatal("none can be held")
	}
	priced, err := c.Flights().Offer(t.Context(), somebody, held.ID)
	if err != nil || priced.Total != held.Total {
		t.Fatalf("the price of now is %s, was %s: %v", priced.Total, held.Total, err)
	}
	held.Documents = false
	o, err := c.Flights().Order(t.Context(), somebody, "act-1", flights.NewOrder{Offer: *held, Hold: true,
		Travellers: fit(*held)})
	if err != nil || o.State != flights.Held || o.Paid || o.PayBy == nil || o.Reference == "" {
		t.Fatalf("the hold is %+v, %v", o, err)
	}
	if o, err = c.Flights().Pay(t.Context(), somebody, "act-2", o.ID, o.Total); err != nil || !o.Paid ||
		o.State != flights.Confirmed {
		t.Fatalf("the payment is %+v, %v", o, err)
	}
	quote, err := c.Flights().Quote(t.Context(), somebody, o.ID)
	if err != nil || quote.Confirmed {
		t.Fatalf("the quote is %+v, %v", quote, err)
	}
	if quote, err = c.Flights().Cancel(t.Context(), somebody, quote); err != nil || !quote.Confirmed {
		t.Fatalf("the cancellation is %+v, %v", quote, err)
	}
	if o, err = c.Flights().Get(t.Context(), somebody, o.ID); err != nil || o.State != flights.Cancelled {
		t.Errorf("the order is %+v, %v", o, err)
	}
}

// F-48: an order that was made and whose answer was lost is found, and not made again.
func TestAnOrderWhoseAnswerWasLostIsFound(t *testing.T) {
	t.Parallel()
	s, c := stood(t)
	found, err := c.Flights().Search(t.Context(), somebody, oneWay("LHR", "LIS", flights.Adult))
	if err != nil {
		t.Fatal(err)
	}
	s.Lose("POST /air/orders")
	entry, err := once(t, func(ctx context.Context, key string) error {
		_, err := c.Flights().Order(ctx, somebody, key, flights.NewOrder{Offer: found.Offers[0],
			Travellers: fit(found.Offers[0])})
		return err
	})
	if entry.State != effect.Unknown {
		t.Fatalf("it is %+v, %v", entry, err)
	}
	o, there, err := c.Flights().Find(t.Context(), somebody, "act-1", found.Offers[0].ID)
	if err != nil || !there || o.State != flights.Confirmed || len(s.Orders()) != 1 {
		t.Errorf("it found %+v, %v, %v of %v", o, there, err, s.Orders())
	}
	// The same offers are sold once.
	_, err = c.Flights().Order(t.Context(), somebody, "act-2", flights.NewOrder{Offer: found.Offers[0],
		Travellers: fit(found.Offers[0])})
	if fault.From(err).Code != "offer_unavailable" {
		t.Errorf("a second order is %v", err)
	}
}

// F-48: 202, then made or not.
func TestAnAcceptedOrderIsMadeOrFails(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[standin.Outcome]flights.State{standin.Created: flights.Confirmed,
		standin.CreationFailed: flights.Failed} {
		s, c := stood(t)
		found, err := c.Flights().Search(t.Context(), somebody, oneWay("LHR", "LIS", flights.Adult))
		if err != nil {
			t.Fatal(err)
		}
		s.Accept202(outcome)
		o, err := c.Flights().Order(t.Context(), somebody, "act-1", flights.NewOrder{Offer: found.Offers[0],
			Travellers: fit(found.Offers[0])})
		if err != nil || o.State != flights.Pending {
			t.Fatalf("%s: it is %+v, %v", outcome, o, err)
		}
		if now, err := c.Flights().Get(t.Context(), somebody, o.ID); err != nil || now.State != flights.Pending {
			t.Errorf("%s: before, it is %+v, %v", outcome, now, err)
		}
		if err := s.Settle(o.ID); err != nil {
			t.Fatal(err)
		}
		if now, err := c.Flights().Get(t.Context(), somebody, o.ID); err != nil || now.State != want {
			t.Errorf("%s: it is %+v, %v", outcome, now, err)
		}
	}
}

// The routes of Duffel's test mode.
func TestTheRoutesOfTheTestMode(t *testing.T) {
	t.Parallel()
	_, c := stood(t)
	search := func(from, to string) (flights.Found, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		return c.Flights().Search(ctx, somebody, oneWay(from, to, flights.Adult))
	}
	if none, err := search("PVD", "RAI"); err != nil || len(none.Offers) != 0 {
		t.Errorf("PVD to RAI has %d offers, %v", len(none.Offers), err)
	}
	for route, want := range map[string]func(flights.Offer) bool{
		"JFK-EWR": func(o flights.Offer) bool { return o.Holdable },
		"LHR-DXB": func(o flights.Offer) bool { return len(o.Slices[0].Segments) > 1 },
		"DXB-AMS": func(o flights.Offer) bool { return len(o.Slices[0].Segments[0].Stops) == 1 },
		"BTS-MRU": func(o flights.Offer) bool { return o.Bags.Checked == 0 },
	} {
		found, err := search(route[:3], route[4:])
		if err != nil || !slices.ContainsFunc(found.Offers, func(o flights.Offer) bool {
			return o.Airline.Code == "ZZ" && want(o)
		}) {
			t.Errorf("%s: none of %d offers is as it should be, %v", route, len(found.Offers), err)
		}
	}
	if _, err := search("STN", "LHR"); fault.From(err).Code != "supplier_timeout" || !fault.Is(err, fault.Timeout) {
		t.Errorf("STN to LHR is %v", err)
	}
	gone, err := search("LGW", "LHR")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Flights().Offer(t.Context(), somebody,
		gone.Offers[0].ID); fault.From(err).Code != "offer_unavailable" {
		t.Errorf("an offer of LGW to LHR is %v", err)
	}
	dearer, err := search("LHR", "STN")
	if err != nil {
		t.Fatal(err)
	}
	now, err := c.Flights().Offer(t.Context(), somebody, dearer.Offers[0].ID)
	if err != nil || now.Total.Amount.Cmp(dearer.Offers[0].Total.Amount) <= 0 {
		t.Errorf("LHR to STN costs %s after %s, %v", now.Total, dearer.Offers[0].Total, err)
	}
	// The price that the person agreed to is not that of now.
	_, err = c.Flights().Order(t.Context(), somebody, "act-1", flights.NewOrder{Offer: dearer.Offers[0],
		Travellers: fit(dearer.Offers[0])})
	if fault.From(err).Code != "price_changed" {
		t.Errorf("an order at the old price is %v", err)
	}
}

func TestAStayIsSearchedForBookedAndCancelled(t *testing.T) {
	t.Parallel()
	s, c := stood(t)
	found, err := c.Stays().Search(t.Context(), somebody, stays.Query{Place: "Lisbon", Lat: 38.7167, Lon: -9.1333,
		Radius: 5, CheckIn: day("2026-12-04"), CheckOut: day("2026-12-06"), Rooms: 1, Ages: []int{flights.Adult, 7}})
	if err != nil || len(found.Hotels) == 0 || found.Hotels[0].Total.Amount.IsZero() {
		t.Fatalf("%d hotels, %v", len(found.Hotels), err)
	}
	rates, err := c.Stays().Rates(t.Context(), somebody, found.Hotels[0].ID)
	if err != nil || len(rates) == 0 {
		t.Fatalf("%+v, %v", rates, err)
	}
	quote, rate, err := c.Stays().Quote(t.Context(), somebody, rates[0].ID)
	if err != nil || rate.Total != rates[0].Total {
		t.Fatalf("%s, %+v, %v", quote, rate, err)
	}
	s.Lose("POST /stays/bookings")
	if _, err := c.Stays().Book(t.Context(), somebody, "act-1", quote,
		people()[:1]); fault.From(err).Code != "outcome_unknown" {
		t.Errorf("a lost answer is %v", err)
	}
	b, there, err := c.Stays().Find(t.Context(), somebody, "act-1")
	if err != nil || !there || b.State != flights.Confirmed || b.Reference == "" || len(s.Bookings()) != 1 {
		t.Fatalf("it found %+v, %v, %v", b, there, err)
	}
	if b, err = c.Stays().Cancel(t.Context(), somebody, b.ID); err != nil || b.State != flights.Cancelled {
		t.Errorf("the cancellation is %+v, %v", b, err)
	}
	s.Fail("POST /stays/search", http.StatusServiceUnavailable, "")
	_, err = c.Stays().Search(t.Context(), somebody, stays.Query{Lat: 1, Lon: 1, Radius: 5, CheckIn: day("2026-12-04"),
		CheckOut: day("2026-12-06"), Rooms: 1, Ages: []int{flights.Adult}})
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("it is %v", err)
	}
}

// The events of the stand-in are signed and read as Duffel's.
func TestTheStandInsEventsAreUnderstood(t *testing.T) {
	t.Parallel()
	notices := make(chan bookings.Notice, 100)
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := duffel.Verify(secret, r.Header.Get(duffel.SignatureHeader), body, now()); err != nil {
			t.Error(err)
		}
		n, ok, err := duffel.Notice(body)
		if err != nil {
			t.Errorf("%s: %v", body, err)
		}
		if ok {
			notices <- n
		}
	}))
	t.Cleanup(hook.Close)
	s, err := standin.Start(standin.Config{Token: token, Now: now, WebhookURL: hook.URL,
		WebhookSecret: secret.Reveal()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c, err := duffel.New(duffel.Config{APIKey: token, BaseURL: s.URL(), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	told := func() bookings.Notice {
		s.Delivered()
		var last bookings.Notice
		for len(notices) > 0 {
			last = <-notices
		}
		return last
	}
	hold := func(key string) flights.Order {
		t.Helper()
		found, err := c.Flights().Search(t.Context(), somebody, oneWay("LHR", "LIS", flights.Adult))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(found.Offers, func(o flights.Offer) bool { return o.Holdable && !o.Documents })
		o, err := c.Flights().Order(t.Context(), somebody, key, flights.NewOrder{Offer: found.Offers[i], Hold: true,
			Travellers: fit(found.Offers[i])})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	o := hold("act-1")
	if n := told(); n.State != flights.Held || n.SupplierID != o.ID || n.Key != "act-1" ||
		n.Reference != o.Reference ||
		n.OfferID != o.Offer.ID {
		t.Errorf("of a hold it tells %+v", n)
	}
	if _, err := c.Flights().Pay(t.Context(), somebody, "act-2", o.ID, o.Total); err != nil {
		t.Fatal(err)
	}
	if n := told(); n.State != flights.Confirmed || n.SupplierID != o.ID {
		t.Errorf("of a payment it tells %+v", n)
	}
	if err := s.Change(o.ID); err != nil {
		t.Fatal(err)
	}
	if n := told(); n.State != "" || n.SupplierID != o.ID ||
		!strings.HasPrefix(n.Change, "The airline changed this booking: LHR") {
		t.Errorf("of a change it tells %+v", n)
	}
	if now, err := c.Flights().Get(t.Context(), somebody, o.ID); err != nil || now.Change == nil {
		t.Errorf("changed, it is %+v, %v", now.Change, err)
	}
	q, err := c.Flights().Quote(t.Context(), somebody, o.ID)
	if err == nil {
		_, err = c.Flights().Cancel(t.Context(), somebody, q)
	}
	if n := told(); err != nil || n.State != flights.Cancelled || n.SupplierID != o.ID {
		t.Errorf("of a cancellation it tells %+v, %v", n, err)
	}
	o = hold("act-3")
	if err := s.ExpireHold(o.ID); err != nil {
		t.Fatal(err)
	}
	if n := told(); n.State != flights.Cancelled || n.SupplierID != o.ID {
		t.Errorf("of a hold that ran out it tells %+v", n)
	}
	if now, err := c.Flights().Get(t.Context(), somebody, o.ID); err != nil || now.State != flights.Cancelled ||
		now.Paid {
		t.Errorf("run out, it is %s, %v", now.State, err)
	}
}
