package travel_test

import (
	"encoding/json"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/supabase/travel"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
)

// large is a search with 229 offers there and back.
func large() bookings.Search {
	s := search()
	var f flights.Found
	for range 229 {
		o := flights.Offer{ID: "off_00009htYpSCXrwaB9DnUm0", Total: *price("612.40", "GBP"), Slices: legs(),
			Brand:   "Basic",
			Airline: flights.Airline{Code: "ZZ", Name: "Duffel Airways"}, Passengers: []flights.Passenger{
				{ID: "pas_00009hj8USM7Ncg31cBCLL", Age: flights.Adult, Kind: flights.AdultKind},
				{ID: "pas_00009hj8USM7Ncg31cBCLM", Age: 7, Kind: flights.Child}}}
		f.Offers = append(f.Offers, o)
	}
	s.Found = raw(f)
	return s
}

// Keeping a search of 229 offers, and finding it again.
func BenchmarkSearchesOf229Offers(b *testing.B) {
	a := newAgency(b)
	store := travel.NewBookings(a.client)
	s := large()
	b.Run("keep", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			must[bookings.Search](b)(store.KeepSearch(b.Context(), a.viewer, s))
		}
		b.ReportMetric(float64(len(s.Found))/1024, "KiB/search")
	})
	kept := must[bookings.Search](b)(store.KeepSearch(b.Context(), a.viewer, s))
	b.Run("find", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			got := must[bookings.Search](b)(store.Search(b.Context(), a.viewer, kept.Code))
			var f flights.Found
			if err := json.Unmarshal(got.Found, &f); err != nil || len(f.Offers) != 229 {
				b.Fatal(len(f.Offers), err)
			}
		}
	})
}
