package hints_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/hints"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

func local(t *testing.T, text string) calendar.DateTime {
	t.Helper()
	at, err := calendar.ParseDateTime(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func day(t *testing.T, text string) calendar.Date {
	t.Helper()
	d, err := calendar.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// flight reads "I1 booked London (LHR) > Lisbon (LIS) 2026-12-04T18:40 Europe/London
// 2026-12-04T21:35 Europe/Lisbon".
func flight(t *testing.T, code string, status itinerary.Status, way, starts, zone, ends,
	endZone string) itinerary.Item {
	t.Helper()
	from, to, _ := strings.Cut(way, " > ")
	return itinerary.Item{Code: code, Type: itinerary.Flight, Status: status, Title: from + " to " + to, Origin: from,
		Destination: to, Starts: local(t, starts), StartZone: zone, Ends: local(t, ends), EndZone: endZone,
		Number: "BA" + code[1:]}
}

func hotel(t *testing.T, code, title, place, from, to, zone string) itinerary.Item {
	t.Helper()
	return itinerary.Item{Code: code, Type: itinerary.Hotel, Status: itinerary.Booked, Title: title, Place: place,
		Starts: local(t, from+"T00:00"), Ends: local(t, to+"T00:00"), StartZone: zone, EndZone: zone, AllDay: true}
}

const (
	london  = "Europe/London"
	lisbon  = "Europe/Lisbon"
	newYork = "America/New_York"
)

// S1-28: what is worth telling of a trip, from its plan and, when it was given, from where
// the person is.
func TestHints(t *testing.T) {
	t.Parallel()
	there := flight(t, "I1", itinerary.Booked, "London (LHR) > Lisbon (LIS)", "2026-12-04T18:40", london,
		"2026-12-04T21:35", lisbon)
	back := flight(t, "I2", itinerary.Booked, "Lisbon (LIS) > London (LHR)", "2026-12-06T19:00", lisbon,
		"2026-12-06T21:40", london)
	payBy := moment(t, "2026-12-01T18:00:00Z")
	expires := func(text string) *calendar.Date { d := day(t, text); return &d }
	legs, err := json.Marshal([]flights.Leg{{Origin: "LHR", Destination: "SEA", Departs: local(t, "2026-12-10T10:00"),
		Arrives: local(t, "2026-12-10T18:00"), Segments: []flights.Segment{
			{Origin: "LHR", Destination: "JFK", OriginZone: london, DestZone: newYork,
				Departs: local(t, "2026-12-10T10:00"),
				Arrives: local(t, "2026-12-10T13:00"), OriginNation: "GB", DestNation: "US", Number: "BA115",
				DestCity: "New York"},
			{Origin: "JFK", Destination: "SEA", OriginZone: newYork, DestZone: "America/Los_Angeles",
				Departs: local(t, "2026-12-10T14:10"), Arrives: local(t, "2026-12-10T18:00"), OriginNation: "US",
				DestNation: "US", Number: "BA7001", OriginCity: "New York", DestCity: "Seattle"},
		}}})
	if err != nil {
		t.Fatal(err)
	}
	toSeattle := flight(t, "I1", itinerary.Booked, "London (LHR) > Seattle (SEA)", "2026-12-10T10:00", london,
		"2026-12-10T18:00", "America/Los_Angeles")
	toSeattle.Booking, toSeattle.International = "TB-0007", true
	cancelled := there
	cancelled.Status = itinerary.Cancelled

	for name, test := range map[string]struct {
		now     string
		items   []itinerary.Item
		options hints.Options
		want    []string // "id severity when: a part of the text"
	}{
		"nothing planned": {now: "2026-12-01T09:00:00Z"},
		"check-in opens": {now: "2026-12-02T09:00:00Z", items: []itinerary.Item{there}, want: []string{
			"check-in:I1 info 2026-12-03T18:40:00Z: usually opens 24 hours before departure: Thu 3 Dec, 18:40."}},
		"check-in is open": {now: "2026-12-04T09:00:00Z", items: []itinerary.Item{there}, want: []string{
			"check-in:I1 info 2026-12-03T18:40:00Z: usually open now"}},
		"check-in is over":         {now: "2026-12-04T17:45:00Z", items: []itinerary.Item{there}},
		"check-in is weeks away":   {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{there}},
		"a cancelled flight":       {now: "2026-12-04T09:00:00Z", items: []itinerary.Item{cancelled}},
		"a past trip":              {now: "2027-01-04T09:00:00Z", items: []itinerary.Item{there, back}},
		"a plan without a booking": {now: "2026-12-04T09:00:00Z", items: []itinerary.Item{planned(there)}},
		"a day without a plan": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{there, back,
			hotel(t, "I3", "Hotel Lisboa", "Lisbon", "2026-12-04", "2026-12-06", lisbon)}},
		"a tight connection": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{
			flight(t, "I1", itinerary.Booked, "Edinburgh (EDI) > London (LHR)", "2026-12-04T15:00", london,
				"2026-12-04T16:30", london),
			flight(t, "I2", itinerary.Booked, "London (LHR) > Newcastle (NCL)", "2026-12-04T17:25", london,
				"2026-12-04T18:30", london)},
			want: []string{"connection:I1:I2 warning 2026-12-04T16:30:00Z: 55 minutes between the arrival in London " +
				"(LHR)"}},
		"an hour is enough at home": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{
			flight(t, "I1", itinerary.Booked, "Edinburgh (EDI) > London (LHR)", "2026-12-04T15:00", london,
				"2026-12-04T16:30", london),
			flight(t, "I2", itinerary.Booked, "London (LHR) > Newcastle (NCL)", "2026-12-04T17:30", london,
				"2026-12-04T18:30", london)}},
		"and not across a border": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{
			flight(t, "I9", itinerary.Booked, "Edinburgh (EDI) > London (LHR)", "2026-12-04T15:00", london,
				"2026-12-04T17:15", london), there},
			want: []string{"connection:I9:I1 warning 2026-12-04T17:15:00Z: Allow 1 hour 30 minutes."}},
		"another airport": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{
			flight(t, "I3", itinerary.Booked, "Edinburgh (EDI) > London (LGW)", "2026-12-04T13:00", london,
				"2026-12-04T14:45", london), there},
			want: []string{"connection:I3:I1 warning 2026-12-04T14:45:00Z: different airports: allow 4 hours"}},
		"another airport with time enough": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{
			flight(t, "I3", itinerary.Booked, "Edinburgh (EDI) > London (LGW)", "2026-12-04T13:00", london,
				"2026-12-04T14:40", london), there}},
		"inside one journey": {now: "2026-11-20T09:00:00Z", items: []itinerary.Item{toSeattle},
			options: hints.Options{Bookings: []bookings.Booking{{Code: "TB-0007", Type: bookings.Flight,
				Details: legs}}},
			want: []string{"connection:I1:I1:BA7001 info 2026-12-10T18:00:00Z: The airline sells it as one journey"}},
		"passports": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{there, back}, options: hints.Options{
			Travellers: []travellers.Summary{{Code: "PAX-1", PassportExpires: expires("2026-12-05")},
				{Code: "PAX-2", PassportExpires: expires("2027-06-05")},
				{Code: "PAX-3", PassportExpires: expires("2027-06-06")},
				{Code: "PAX-4"}, {Code: "PAX-5", PassportExpires: expires("2026-01-05")}}},
			want: []string{"passport:PAX-5 warning 2026-01-05T00:00:00Z: expired on 5 Jan 2026",
				"passport:PAX-1 warning 2026-12-05T00:00:00Z: before the trip ends on 6 Dec 2026",
				"passport:PAX-2 warning 2027-06-05T00:00:00Z: within six months of the return on 6 Dec 2026"}},
		"no passport at home": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{
			flight(t, "I1", itinerary.Booked, "Edinburgh (EDI) > London (LHR)", "2026-12-04T15:00", london,
				"2026-12-04T16:30", london)}, options: hints.Options{
			Travellers: []travellers.Summary{{Code: "PAX-1", PassportExpires: expires("2026-12-05")}}}},
		"a night without a bed": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{there,
			hotel(t, "I3", "Hotel Lisboa", "Lisbon", "2026-12-04", "2026-12-06", lisbon),
			hotel(t, "I4", "Hotel Porto", "Porto", "2026-12-08", "2026-12-09", lisbon)},
			want: []string{"night:2026-12-06 warning 2026-12-06T00:00:00Z: the 2 nights from Sun 6 Dec in Lisbon"}},
		"nights at home and in the air": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{there, back,
			hotel(t, "I3", "Hotel Lisboa", "Lisbon", "2026-12-04", "2026-12-06", lisbon),
			flight(t, "I5", itinerary.Booked, "London (LHR) > New York (JFK)", "2026-12-09T22:00", london,
				"2026-12-10T01:10", newYork),
			hotel(t, "I4", "Hotel Hudson", "New York", "2026-12-10", "2026-12-12", newYork)}},
		"a late arrival": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{
			flight(t, "I1", itinerary.Booked, "London (LHR) > Lisbon (LIS)", "2026-12-04T20:40", london,
				"2026-12-04T23:35", lisbon),
			hotel(t, "I3", "Hotel Lisboa", "Lisbon", "2026-12-04", "2026-12-06", lisbon)},
			want: []string{"late:I3 info 2026-12-04T23:35:00Z: Flight BA1 from London (LHR) arrives at Fri 4 Dec, " +
				"23:35."}},
		"after midnight": {now: "2026-11-01T09:00:00Z", items: []itinerary.Item{
			flight(t, "I1", itinerary.Booked, "London (LHR) > Lisbon (LIS)", "2026-12-04T22:40", london,
				"2026-12-05T01:35", lisbon),
			hotel(t, "I3", "Hotel Lisboa", "Lisbon", "2026-12-04", "2026-12-06", lisbon)},
			want: []string{"late:I3 info 2026-12-05T01:35:00Z: Receptions often close at 22:00"}},
		"leave for the airport": {now: "2026-12-04T13:00:00Z", items: []itinerary.Item{there},
			options: hints.Options{At: &hints.Point{Lat: 51.51, Lon: -0.13}},
			want: []string{"check-in:I1 info 2026-12-03T18:40:00Z: usually open",
				"leave:I1 info 2026-12-04T15:00:00Z: An estimate: about 23 km in a straight line, 40 minutes on the " +
					"way, and 3 hours"}},
		"leave now": {now: "2026-12-04T15:30:00Z", items: []itinerary.Item{there},
			options: hints.Options{At: &hints.Point{Lat: 51.51, Lon: -0.13}},
			want: []string{"check-in:I1 info 2026-12-03T18:40:00Z: usually open",
				"leave:I1 warning 2026-12-04T15:00:00Z: Leave now: flight BA1 from London (LHR) departs in 3 hours " +
					"10 minutes."}},
		"too far to drive": {now: "2026-12-04T15:30:00Z", items: []itinerary.Item{there},
			options: hints.Options{At: &hints.Point{Lat: 19.07, Lon: 72.88}},
			want: []string{"check-in:I1 info 2026-12-03T18:40:00Z: usually open",
				"leave:I1 warning 2026-12-04T18:40:00Z: you are about 72"}},
		"a point that is none": {now: "2026-11-20T15:30:00Z", items: []itinerary.Item{there},
			options: hints.Options{At: &hints.Point{Lat: 951.51, Lon: -0.13}}},
		"holds": {now: "2026-12-01T13:00:00Z", items: nil, options: hints.Options{Bookings: []bookings.Booking{
			{Code: "TB-0001", Type: bookings.Flight, State: flights.Held, Title: "London\nto Lisbon", PayBy: &payBy},
			{Code: "TB-0002", Type: bookings.Flight, State: flights.Held, Title: "Paid", PayBy: &payBy, Paid: true},
			{Code: "TB-0003", Type: bookings.Flight, State: flights.Held, Title: "Of another trip", PayBy: &payBy,
				Trip: "TR-0009"},
			{Code: "TB-0004", Type: bookings.Flight, State: flights.Confirmed, Title: "Bought", PayBy: &payBy}}},
			want: []string{"hold:TB-0001 warning 2026-12-01T18:00:00Z: London to Lisbon, ends in 5 hours, Tue 1 " +
				"Dec, 18:00 UTC"}},
		"what an airline changed": {now: "2026-11-01T09:00:00Z", options: hints.Options{Bookings: []bookings.Booking{
			{Code: "TB-0001", Type: bookings.Flight, State: flights.Confirmed, Title: "London to Lisbon",
				Change: "BA501 departs at 19:10.", Starts: local(t, "2026-12-04T18:40"), StartZone: london},
			{Code: "TB-0002", Type: bookings.Flight, State: flights.Cancelled, Title: "Gone",
				Change: "BA501 departs later.",
				Starts: local(t, "2026-12-04T18:40"), StartZone: london},
			{Code: "TB-0003", Type: bookings.Flight, State: flights.Confirmed, Title: "Over",
				Change: "BA501 departed later.",
				Starts: local(t, "2026-10-04T18:40"), StartZone: london}}},
			want: []string{"change:TB-0001 warning 2026-12-04T18:40:00Z: The airline changed TB-0001, London to " +
				"Lisbon: BA501 departs at 19:10."}},
		"a zone that is unknown": {now: "2026-12-04T09:00:00Z", items: []itinerary.Item{
			flight(t, "I1", itinerary.Booked, "London (LHR) > Lisbon (LIS)", "2026-12-04T20:40", "Mars/Olympus",
				"2026-12-04T23:35", lisbon)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.options.Now = moment(t, test.now)
			var got []string
			list := hints.Of(itinerary.Trip{Code: "TR-0001", Items: test.items}, test.options)
			for n, h := range list {
				said := h.Text
				if n < len(test.want) {
					if _, part, _ := strings.Cut(test.want[n], "Z: "); strings.Contains(h.Text, part) {
						said = part
					}
				}
				got = append(got, h.ID+" "+string(h.Severity)+" "+h.When.UTC().Format(time.RFC3339)+": "+said)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if again := hints.Of(itinerary.Trip{Code: "TR-0001", Items: test.items}, test.options); !cmp.Equal(list,
				again) {
				t.Error("asked twice, it tells something else")
			}
		})
	}
}

func planned(i itinerary.Item) itinerary.Item {
	i.Status = itinerary.Planned
	return i
}
