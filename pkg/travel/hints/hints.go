// Package hints tells what a traveller should know before asking: check-in that opens,
// connections that are tight, passports that expire, nights without a bed, late arrivals,
// when to leave for the airport, holds that end and flights that were changed. It
// computes from what it is given and keeps nothing; what is usual and not known is said
// to be usual.
package hints

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// Severity says how much a hint matters.
type Severity string

// The severities. A Warning is of something that goes wrong unless the traveller acts.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
)

// Hint is something worth telling of a trip.
type Hint struct {
	ID    string `json:"id"`              // the same for the same thing: "check-in:I1"
	About string `json:"about,omitempty"` // code of an item or a booking
	Text  string `json:"text"`            // a sentence or two for people
	// When is the moment that the hint is about, such as that at which check-in opens.
	When     time.Time `json:"when"`
	Severity Severity  `json:"severity"`
}

// Point is a place on the Earth in degrees.
type Point struct{ Lat, Lon float64 }

// Options are what a trip itself does not tell.
type Options struct {
	Now time.Time
	// At is where the person is now, nil when it was not given for this request.
	At *Point
	// Travellers are those who go along. Their passports are known by the day of expiry.
	Travellers []travellers.Summary
	// Bookings are those of the trip: holds with their ends, flights with their legs.
	Bookings []bookings.Booking
	// Zone is that in which the person reads moments without a place, such as the end of a
	// hold; nil is UTC.
	Zone *time.Location
}

// What is usual, or assumed.
const (
	checkInOpens  = 24 * time.Hour     // before departure
	checkInCloses = time.Hour          // before departure
	checkInAhead  = 7 * 24 * time.Hour // of its opening, when it is told first

	sameAirport   = 60 * time.Minute // between two flights of one country
	borderAirport = 90 * time.Minute // where one of them is international
	otherAirport  = 240 * time.Minute
	stopover      = 24 * time.Hour // from which on a stop is a stay

	passportMonths = 6 // after the return, which many countries ask for

	receptionCloses = 22 // o'clock
	nightEnds       = 6

	airportDomestic = 2 * time.Hour // in the airport before departure
	airportAbroad   = 3 * time.Hour
	leaveAhead      = 24 * time.Hour
	cityKilometres  = 50.0 // the first, at citySpeed
	citySpeed       = 35.0 // km/h along a great circle: detours are in it
	roadSpeed       = 65.0
	farthest        = 600.0 // km that are driven

	holdAhead  = 48 * time.Hour
	holdUrgent = 6 * time.Hour

	most = 20 // hints
)

// Of returns what is worth telling of a trip at a moment, by time, warnings first where
// that is the same; at most twenty. Cancelled items and what is over are not told of,
// and a day without anything planned is no hint.
func Of(trip itinerary.Trip, o Options) []Hint {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	t := readTrip(trip, o)
	var list []Hint
	list = append(list, t.checkIns()...)
	list = append(list, t.connections()...)
	list = append(list, t.passports()...)
	list = append(list, t.nights()...)
	list = append(list, t.lateArrivals()...)
	list = append(list, t.nextDeparture()...)
	list = append(list, t.holds()...)
	list = append(list, t.changes()...)
	slices.SortStableFunc(list, func(a, b Hint) int {
		return cmp.Or(a.When.Compare(b.When), cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.ID, b.ID))
	})
	return list[:min(len(list), most)]
}

// checkIns tells when check-in opens, and that it is open.
func (t trip) checkIns() []Hint {
	var list []Hint
	for _, f := range t.flights {
		if f.item.Status != itinerary.Booked || !f.begins {
			continue
		}
		opens, closes := f.departs.Add(-checkInOpens), f.departs.Add(-checkInCloses)
		h := Hint{ID: "check-in:" + f.item.Code, About: f.item.Code, When: opens, Severity: Info}
		switch {
		case !t.o.Now.Before(closes) || opens.Sub(t.o.Now) > checkInAhead:
			continue
		case t.o.Now.Before(opens):
			h.Text = fmt.Sprintf("Check-in for %s usually opens 24 hours before departure: %s.", f.name(),
				clock(opens, f.zone))
		default:
			h.Text = fmt.Sprintf("Check-in for %s is usually open now, until about an hour before departure at %s.",
				f.name(), clock(f.departs, f.zone))
		}
		list = append(list, h)
	}
	return list
}

// passports tells of those that expire before the return or within six months of it,
// where the trip leaves the country.
func (t trip) passports() []Hint {
	if !t.abroad || t.returns.IsZero() || t.returns.Before(today(t.o)) {
		return nil
	}
	var list []Hint
	safe := addMonths(t.returns, passportMonths)
	for _, p := range t.o.Travellers {
		if p.PassportExpires == nil || !p.PassportExpires.Before(safe) {
			continue
		}
		expires := *p.PassportExpires
		h := Hint{ID: "passport:" + p.Code, About: p.Code, When: expires.Time(), Severity: Warning}
		switch {
		case expires.Before(today(t.o)):
			h.Text = fmt.Sprintf("The passport of %s expired on %s.", p.Code, date(expires))
		case expires.Before(t.returns):
			h.Text = fmt.Sprintf("The passport of %s expires on %s, before the trip ends on %s.", p.Code,
				date(expires), date(t.returns))
		default:
			h.Text = fmt.Sprintf("The passport of %s expires on %s, within six months of the return on %s. "+
				"Many countries ask for six months; check what applies.", p.Code, date(expires), date(t.returns))
		}
		list = append(list, h)
	}
	return list
}

// lateArrivals tells of hotels that are reached after receptions usually close.
func (t trip) lateArrivals() []Hint {
	var list []Hint
	for _, hotel := range t.hotels {
		check := hotel.Starts.Date
		for _, m := range t.moves {
			ends := m.item.Ends
			late := ends.Date == check && ends.Hour >= receptionCloses ||
				ends.Date == check.AddDays(1) && ends.Hour < nightEnds
			if !late || !sameCity(m.item.Destination, hotel.Place) || !m.arrives.After(t.o.Now) {
				continue
			}
			list = append(list, Hint{ID: "late:" + hotel.Code, About: hotel.Code, When: m.arrives, Severity: Info,
				Text: fmt.Sprintf("%s arrives at %s. Receptions often close at 22:00: tell %s of the late arrival.",
					upper(m.name()), clock(m.arrives, m.endZone), line(hotel.Title))})
			break
		}
	}
	return list
}

// holds tells of what is released unless it is paid.
func (t trip) holds() []Hint {
	var list []Hint
	for _, b := range t.o.Bookings {
		if b.PayBy == nil || b.Paid || b.State != flights.Held || b.Trip != "" && t.Code != "" && b.Trip != t.Code {
			continue
		}
		left := b.PayBy.Sub(t.o.Now)
		if left <= 0 || left > holdAhead {
			continue
		}
		h := Hint{ID: "hold:" + b.Code, About: b.Code, When: *b.PayBy, Severity: Info,
			Text: fmt.Sprintf("The hold of %s, %s, ends in %s, %s. It is released unless it is paid by then.", b.Code,
				line(b.Title), span(left), clock(*b.PayBy, t.o.Zone))}
		if left <= holdUrgent {
			h.Severity = Warning
		}
		list = append(list, h)
	}
	return list
}

// changes tells of what airlines changed and the person has not accepted.
func (t trip) changes() []Hint {
	var list []Hint
	for _, b := range t.o.Bookings {
		if b.Change == "" || b.State == flights.Cancelled || b.Trip != "" && t.Code != "" && b.Trip != t.Code {
			continue
		}
		zone, err := time.LoadLocation(b.StartZone)
		if err != nil {
			zone = time.UTC
		}
		starts := b.Starts.In(zone)
		if b.Starts.IsZero() || !starts.After(t.o.Now) {
			continue
		}
		list = append(list, Hint{ID: "change:" + b.Code, About: b.Code, When: starts, Severity: Warning,
			Text: fmt.Sprintf("The airline changed %s, %s: %s", b.Code, line(b.Title), line(b.Change))})
	}
	return list
}

// line makes one short line of a title, which others may have written.
func line(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return text
}
