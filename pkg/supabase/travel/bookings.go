package travel

import (
	"cmp"
	"context"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// Bookings is a bookings.Store. Searches and bookings have ids of suppliers, so that they
// are read with the proof of our functions, too.
type Bookings struct{ client *supabase.Client }

var _ bookings.Store = Bookings{}

// NewBookings returns the store in the project of client.
func NewBookings(client *supabase.Client) Bookings { return Bookings{client} }

// read calls a function that reads, or that does no more when it is called twice.
func read[T any](ctx context.Context, s Bookings, by identity.Caller, function string, args supabase.Args) (T, error) {
	return supabase.CallAgain[T](ctx, s.client.As(by).BookKeeping(), function, args)
}

// booking is a booking on the wire: with the members that people do not see.
type booking struct {
	bookings.Booking
	Supplier   string `json:"supplier"`
	SupplierID string `json:"supplierId"`
	Key        string `json:"key"`
	OfferID    string `json:"offerId"`
	// Items are what stands of it in its trip's itinerary.
	Items []itinerary.Item `json:"items,omitempty"`
}

func wire(b bookings.Booking) booking {
	return booking{Booking: b, Supplier: b.Supplier, SupplierID: b.SupplierID, Key: b.Key, OfferID: b.OfferID,
		Items: itinerary.OfBooking(b)}
}

func (b booking) plain() bookings.Booking {
	p := b.Booking
	p.Supplier, p.SupplierID, p.Key, p.OfferID = b.Supplier, b.SupplierID, b.Key, b.OfferID
	return p
}

// over returns was with what is known of it now.
func over(was, now bookings.Booking) bookings.Booking {
	was.Title = cmp.Or(now.Title, was.Title)
	was.Reference = cmp.Or(now.Reference, was.Reference)
	was.Place = cmp.Or(now.Place, was.Place)
	was.Starts, was.Ends = cmp.Or(now.Starts, was.Starts), cmp.Or(now.Ends, was.Ends)
	was.StartZone, was.EndZone = cmp.Or(now.StartZone, was.StartZone), cmp.Or(now.EndZone, was.EndZone)
	was.State, was.Total = cmp.Or(now.State, was.State), cmp.Or(now.Total, was.Total)
	if len(now.Details) > 0 {
		was.Details = now.Details
	}
	return was
}

func plain(b booking, err error) (bookings.Booking, error) { return b.plain(), err }

// KeepSearch keeps a search; see bookings.Store. It is kept once: a search that is kept
// twice is two.
func (s Bookings) KeepSearch(ctx context.Context, by identity.Caller, q bookings.Search) (bookings.Search, error) {
	kept, err := supabase.Call[bookings.Search](ctx, s.client.As(by).BookKeeping(), "travel_search_keep",
		supabase.Args{"p": supabase.Args{"code": q.Code, "type": q.Type, "query": q.Query, "summary": q.Summary},
			"p_found": q.Found})
	if err == nil {
		q.Code, q.At = kept.Code, kept.At
	}
	return q, err
}

// Search returns a search; see bookings.Store.
func (s Bookings) Search(ctx context.Context, by identity.Caller, code string) (bookings.Search, error) {
	return read[bookings.Search](ctx, s, by, "travel_search_get", supabase.Args{"p_code": code})
}

// Searches returns the newest searches; see bookings.Store.
func (s Bookings) Searches(ctx context.Context, by identity.Caller, limit int) ([]bookings.Search, error) {
	return read[[]bookings.Search](ctx, s, by, "travel_search_list", supabase.Args{"p_limit": limit})
}

// Open writes down what is about to be ordered; see bookings.Store.
func (s Bookings) Open(ctx context.Context, by identity.Caller, b bookings.Booking) (bookings.Booking, error) {
	return plain(read[booking](ctx, s, by, "travel_booking_open", supabase.Args{"p": wire(b)}))
}

// Settle says what became of a booking; see bookings.Store.
func (s Bookings) Settle(ctx context.Context, by identity.Caller, b bookings.Booking) (bookings.Booking, error) {
	p := wire(b)
	if b.Type == "" || len(b.Details) == 0 { // the items are made of all that is known
		now, err := s.Get(ctx, by, b.Code)
		if err != nil {
			return b, err
		}
		p.Items = itinerary.OfBooking(over(now, b))
	}
	return plain(read[booking](ctx, s, by, "travel_booking_settle", supabase.Args{"p": p}))
}

// Add enters a booking by hand; see bookings.Store.
func (s Bookings) Add(ctx context.Context, by identity.Caller, b bookings.Booking) (bookings.Booking, error) {
	return plain(supabase.Call(ctx, writes(ctx, s.client, by), "travel_booking_add", supabase.Args{"p": wire(b)},
		s.again(ctx, by)))
}

// Rate sets rating and feedback; see bookings.Store.
func (s Bookings) Rate(ctx context.Context, by identity.Caller, code string, rating int,
	feedback string) (bookings.Booking, error) {
	return plain(supabase.Call(ctx, writes(ctx, s.client, by), "travel_booking_rate",
		supabase.Args{"p_booking": code, "p_rating": rating, "p_feedback": feedback}, s.again(ctx, by)))
}

func (s Bookings) again(ctx context.Context, by identity.Caller) func(effect.Outcome) (booking, error) {
	return again("travel_bookings", func(code string) (booking, error) { return s.get(ctx, by, code) })
}

// Get returns a booking; see bookings.Store.
func (s Bookings) Get(ctx context.Context, by identity.Caller, code string) (bookings.Booking, error) {
	return plain(s.get(ctx, by, code))
}

func (s Bookings) get(ctx context.Context, by identity.Caller, code string) (booking, error) {
	return read[booking](ctx, s, by, "travel_booking_get", supabase.Args{"p_booking": code})
}

// List returns bookings; see bookings.Store.
func (s Bookings) List(ctx context.Context, by identity.Caller, f bookings.Filter) ([]bookings.Booking, error) {
	rows, err := read[[]booking](ctx, s, by, "travel_booking_list", supabase.Args{"p": supabase.Args{
		"text": f.Text, "past": f.Past, "upcoming": f.Upcoming, "type": f.Type, "limit": f.Limit}})
	list := make([]bookings.Booking, len(rows))
	for i, b := range rows {
		list[i] = b.plain()
	}
	return list, err
}
