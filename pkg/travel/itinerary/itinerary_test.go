package itinerary_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

func at(s string) calendar.DateTime {
	d, err := calendar.ParseDateTime(s)
	if err != nil {
		panic(err)
	}
	return d
}

const london, lisbon, porto = "London (LHR)", "Lisbon (LIS)", "Porto (OPO)"

// flight returns a flight between zones of Europe.
func flight(code, from, to, starts, ends string) itinerary.Item {
	return itinerary.Item{Code: code, Type: itinerary.Flight, Status: itinerary.Booked, Title: from + " to " + to,
		Origin: from, Destination: to, Starts: at(starts), Ends: at(ends), StartZone: "Europe/London",
		EndZone: "Europe/Lisbon", Number: "TP1357"}
}

func hotel(code, title, place, starts, ends string) itinerary.Item {
	return itinerary.Item{Code: code, Type: itinerary.Hotel, Status: itinerary.Planned, Title: title, Place: place,
		Starts: at(starts + "T15:00"), Ends: at(ends + "T11:00"), StartZone: "Europe/Lisbon", EndZone: "Europe/Lisbon"}
}

func activity(code, title, place, starts, ends string) itinerary.Item {
	return itinerary.Item{Code: code, Type: itinerary.Activity, Status: itinerary.Planned, Title: title, Place: place,
		Starts: at(starts), Ends: at(ends), StartZone: "Europe/Lisbon", EndZone: "Europe/Lisbon"}
}

// weekend is a trip in which everything fits.
func weekend() itinerary.Trip {
	back := flight("I3", lisbon, london, "2026-12-06T18:00", "2026-12-06T20:45")
	return itinerary.Trip{Code: "TR-0001", Title: "Lisbon", Version: 4, Items: []itinerary.Item{
		flight("I1", london, lisbon, "2026-12-04T19:05", "2026-12-04T21:50"),
		hotel("I2", "Hotel Mira", "12 Rua Nova, Lisbon", "2026-12-04", "2026-12-06"),
		activity("I4", "Tram tour", "Lisbon", "2026-12-05T10:00", "2026-12-05T12:00"), back}}
}

func with(items ...itinerary.Item) itinerary.Trip {
	t := weekend()
	t.Items = append(t.Items, items...)
	return t
}

func without(code string) itinerary.Trip {
	t := weekend()
	t.Items = slices.DeleteFunc(t.Items, func(i itinerary.Item) bool { return i.Code == code })
	return t
}

func TestProblems(t *testing.T) {
	t.Parallel()
	cancelled := activity("I9", "Fado", "Porto", "2026-12-05T10:00", "2026-12-05T11:00")
	cancelled.Status = itinerary.Cancelled
	// By the clocks it starts after the other has ended, by the moments it does not.
	apart := activity("I9", "Call", "", "2026-12-05T12:30", "2026-12-05T13:00")
	apart.StartZone, apart.EndZone = "Europe/Athens", "Europe/Athens"
	dateline := flight("I1", "Auckland (AKL)", "Honolulu (HNL)", "2027-01-10T23:55", "2027-01-10T09:50")
	dateline.StartZone, dateline.EndZone = "Pacific/Auckland", "Pacific/Honolulu"
	surf := activity("I2", "Surf", "Honolulu", "2027-01-10T12:00", "2027-01-10T13:00")
	surf.StartZone, surf.EndZone = "Pacific/Honolulu", "Pacific/Honolulu"
	for name, tt := range map[string]struct {
		trip itinerary.Trip
		want []string
	}{
		"everything fits": {weekend(), nil},
		"nothing":         {itinerary.Trip{}, nil},
		"cancelled":       {with(cancelled), nil},
		"at the same time": {with(activity("I9", "Lunch", "Lisbon", "2026-12-05T11:30", "2026-12-05T13:00")),
			[]string{"I4 I9: Lunch on Sat 5 Dec begins before Tram tour has ended."}},
		"by moments":      {with(apart), []string{"I4 I9: Call on Sat 5 Dec begins before Tram tour has ended."}},
		"one after other": {with(activity("I9", "Lunch", "Lisbon", "2026-12-05T12:00", "2026-12-05T13:00")), nil},
		"two hotels": {with(hotel("I9", "Casa Azul", "Lisbon", "2026-12-05", "2026-12-06")),
			[]string{"I2 I9: Two hotels are planned for the night of Sat 5 Dec: Hotel Mira and Casa Azul."}},
		"too little time": {with(activity("I9", "Port tasting", "Porto", "2026-12-05T12:10", "2026-12-05T13:00")),
			[]string{"I4 I9: There are 10 minutes from Tram tour in Lisbon to Port tasting in Porto.",
				"I9 I3: It is not planned how to get from Porto to Lisbon before Lisbon (LIS) to London (LHR) on " +
					"Sun 6 Dec."}},
		"no journey between": {func() itinerary.Trip {
			trip := weekend()
			trip.Items[3].Origin, trip.Items[3].Title = porto, "Flight home"
			return trip
		}(), []string{"I4 I3: It is not planned how to get from Lisbon to Porto before Flight home on Sun 6 Dec."}},
		"a hotel elsewhere": {with(hotel("I9", "Casa Azul", "Porto", "2026-12-06", "2026-12-07")),
			[]string{"I9: No journey leads to Porto before Casa Azul on Sun 6 Dec."}},
		"no hotel": {without("I2"), []string{": No hotel is planned for the 2 nights from Fri 4 Dec in Lisbon."}},
		"one night": {func() itinerary.Trip {
			trip := weekend()
			trip.Items[1] = hotel("I2", "Hotel Mira", "Lisbon", "2026-12-05", "2026-12-06")
			return trip
		}(), []string{": No hotel is planned for the night of Fri 4 Dec in Lisbon."}},
		"back before there": {itinerary.Trip{Items: []itinerary.Item{
			flight("I1", london, lisbon, "2026-12-14T19:05", "2026-12-14T21:50"),
			flight("I2", lisbon, london, "2026-12-04T18:00", "2026-12-04T20:45")}},
			[]string{"I1 I2: The journey back from Lisbon on Fri 4 Dec is before the journey there on Mon 14 Dec."}},
		"over the date line": {itinerary.Trip{Items: []itinerary.Item{dateline, surf}}, nil},
		"from home to the airport": {func() itinerary.Trip {
			trip := without("I2")
			taxi := flight("I9", "home", "the airport", "2026-12-04T16:00", "2026-12-04T17:00")
			taxi.Type, taxi.EndZone = itinerary.Travel, "Europe/London"
			trip.Items = append(trip.Items, taxi)
			return trip
		}(), []string{": No hotel is planned for the 2 nights from Fri 4 Dec in Lisbon."}},
		"other names of one city": {itinerary.Trip{Items: []itinerary.Item{
			flight("I1", "London Gatwick", "Bengaluru (BLR)", "2026-12-04T08:00", "2026-12-04T22:00"),
			hotel("I2", "Palm", "4 Church Street, Bangalore", "2026-12-04", "2026-12-06"),
			flight("I3", "BLR", "Heathrow (LHR)", "2026-12-06T13:00", "2026-12-06T22:00")}}, nil},
		"places that are not known": {with(activity("I9", "Lunch", "Tante Erna's", "2026-12-05T12:05",
			"2026-12-05T13:00")), nil},
		"a night on the way": {itinerary.Trip{Items: []itinerary.Item{
			flight("I1", london, lisbon, "2026-12-04T22:05", "2026-12-05T01:50"),
			flight("I2", lisbon, london, "2026-12-05T08:00", "2026-12-05T10:45")}}, nil},
		"the night when clocks change": {itinerary.Trip{Items: []itinerary.Item{
			activity("I1", "Late show", "", "2026-10-25T00:30", "2026-10-25T02:30"),
			activity("I2", "Early show", "", "2026-10-25T02:30", "2026-10-25T03:30")}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, p := range itinerary.Problems(tt.trip) {
				got = append(got, strings.Join(p.Items, " ")+": "+p.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDaysSayWhereTheNightsAre(t *testing.T) {
	t.Parallel()
	trip := with(hotel("I9", "Late", "Faro", "2026-12-30", "2026-12-31"))
	trip.From = calendar.Date{Year: 2026, Month: 12, Day: 3}
	var got []string
	for _, d := range itinerary.Days(trip) {
		line := strings.TrimSpace(d.Date.String() + " " + d.Place)
		for _, i := range d.Items {
			line += " " + i.Code
		}
		got = append(got, line)
	}
	want := []string{"2026-12-03", "2026-12-04 Lisbon I2 I1", "2026-12-05 Lisbon I4", "2026-12-06 I3"}
	if !slices.Equal(got[:4], want) || len(got) != 29 || got[27] != "2026-12-30 Faro I9" {
		t.Errorf("the days are %q", got)
	}
	trip.To = calendar.Date{Year: 2199, Month: 1, Day: 1} // mistyped
	if n := len(itinerary.Days(trip)); n != 4 {
		t.Errorf("there are %d days", n)
	}
}

func TestATripIsShownByDay(t *testing.T) {
	t.Parallel()
	trip := without("I2")
	trip.From, trip.To = calendar.Date{Year: 2026, Month: 12, Day: 4}, calendar.Date{Year: 2026, Month: 12, Day: 6}
	trip.Items[0].StartZone, trip.Items[0].EndZone = "Europe/Paris", "Asia/Kolkata" // to see them change
	trip.Items[0].Ends = at("2026-12-05T08:00")
	trip.Items[0].Price = &money.Price{Amount: money.MustParse("612.40"), Currency: "GBP"}
	trip.Items[2].Booking = "TB-0001"
	shown := itinerary.Shown(trip, itinerary.Warn{"Check-in opens tomorrow."})
	if err := shown.Check(); err != nil {
		t.Fatal(err)
	}
	first := shown.Days[0].Items[0]
	last := shown.Days[2].Items[0]
	if shown.Detail != "4 to 6 Dec 2026 · 2 flights, 1 activity" || first.Zone != "GMT+1 to GMT+5:30" ||
		first.Nights != 1 || first.Detail != "TP1357 · £612.40" || first.From != "19:05" || last.Zone != "" ||
		shown.Days[1].Items[0].Zone != "GMT" || shown.Calendar != "/api/trips/TR-0001/calendar.ics" ||
		len(first.Do) != 2 || len(last.Do) != 1 || last.Do[0].Tool != "remove_itinerary_item" ||
		string(last.Do[0].Arguments) != `{"item":"I3","trip":"TR-0001","version":4}` {
		t.Errorf("it is %+v", shown)
	}
	if want := []string{"No hotel is planned for the night of Sat 5 Dec in Lisbon.",
		"Check-in opens tomorrow."}; !slices.
		Equal(shown.Warnings, want) {
		t.Errorf("the warnings are %q", shown.Warnings)
	}
	if text := shown.Text(); !strings.Contains(text, "19:05 to 08:00 +1 London (LHR) to Lisbon (LIS) (booked)") {
		t.Errorf("as text it is\n%s", text)
	}
	if shown := itinerary.Shown(itinerary.Trip{Code: "TR-0002", Title: "x"}, nil); shown.Detail != "nothing planned" ||
		shown.Calendar != "" {
		t.Errorf("an empty trip is %+v", shown)
	}
}

func TestABookingIsItsJourneys(t *testing.T) {
	t.Parallel()
	legs := []flights.Leg{{Origin: "AKL", Destination: "HNL", Departs: at("2027-01-10T23:55"),
		Arrives: at("2027-01-10T09:50"), Segments: []flights.Segment{
			{OriginCity: "Auckland", OriginZone: "Pacific/Auckland", OriginNation: "NZ", Number: "NZ5"},
			{DestCity: "Honolulu", DestZone: "Pacific/Honolulu", DestNation: "US", Number: "HA12"}}},
		{Origin: "HNL", Destination: "AKL", Departs: at("2027-01-20T10:00"), Arrives: at("2027-01-21T18:00")}}
	details, err := json.Marshal(legs)
	if err != nil {
		t.Fatal(err)
	}
	b := bookings.Booking{Code: "TB-0001", Type: bookings.Flight, State: flights.Held, Title: "Auckland to Honolulu",
		StartZone: "Pacific/Auckland", EndZone: "Pacific/Auckland", Details: details,
		Total: &money.Price{Amount: money.FromInt(90000), Currency: "JPY"}}
	got := itinerary.OfBooking(b)
	want := []itinerary.Item{{Type: itinerary.Flight, Status: itinerary.Held,
		Title:  "Auckland (AKL) to Honolulu (HNL)",
		Origin: "Auckland (AKL)", Destination: "Honolulu (HNL)", Starts: at("2027-01-10T23:55"),
		Ends: at("2027-01-10T09:50"), StartZone: "Pacific/Auckland", EndZone: "Pacific/Honolulu", Booking: "TB-0001",
		Price: b.Total, Number: "NZ5, HA12", International: true},
		{Type: itinerary.Flight, Status: itinerary.Held, Title: "HNL to AKL", Origin: "HNL", Destination: "AKL",
			Starts: at("2027-01-20T10:00"), Ends: at("2027-01-21T18:00"), StartZone: "Pacific/Auckland",
			EndZone: "Pacific/Auckland", Booking: "TB-0001"}}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b money.Amount) bool { return a.Cmp(b) == 0 })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	stay := itinerary.OfBooking(bookings.Booking{Type: bookings.Hotel, State: flights.Confirmed, Title: "Hotel Mira",
		Starts: at("2026-12-04T00:00"), Ends: at("2026-12-06T00:00"), Place: "Lisbon"})
	if len(stay) != 1 || !stay[0].AllDay || stay[0].StartZone != "UTC" || stay[0].Status != itinerary.Booked {
		t.Errorf("a stay is %+v", stay)
	}
	if items := itinerary.OfBooking(bookings.Booking{Type: bookings.Hotel, Title: "x"}); items != nil {
		t.Errorf("one without a time is %+v", items)
	}
}
