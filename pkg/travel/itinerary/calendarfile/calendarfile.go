// Package calendarfile writes trips as calendar files (RFC 5545), which Google's, Apple's
// and Microsoft's calendars import and subscribe to.
package calendarfile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	ics "github.com/arran4/golang-ical"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
)

// Type is the media type of a calendar file.
const Type = "text/calendar; charset=utf-8"

// Options say what stands in a file besides the trip.
type Options struct {
	Now time.Time // when it is written
	// Host is the right side of the events' names, such as "bellhop.example".
	Host string
	// Scope tells trips of the same code apart, such as the id of the organisation. It is
	// not in the file but as a digest.
	Scope string
	// Name is that of the calendar; "" is the trip's title.
	Name string
}

// Write writes a trip. Moments are in UTC, so that every calendar shows them in the zone
// that its owner is in; the local times stand in the description. Hotels, and what
// takes whole days, are dates. An event keeps its name (UID) as long as its item is there,
// and its SEQUENCE is the version of the trip, so that a later import changes it; what
// is cancelled is so. Items with unknown zones are an error.
func Write(w io.Writer, t itinerary.Trip, o Options) error {
	c := ics.NewCalendarFor("Bellhop")
	c.SetProductId("-//Bellhop//Travel//EN")
	c.SetCalscale("GREGORIAN")
	c.SetMethod(ics.MethodPublish)
	name := o.Name
	if name == "" {
		name = t.Title
	}
	c.SetXWRCalName(clean(name))
	for _, i := range t.Items {
		if err := event(c, t, i, o); err != nil {
			return err
		}
	}
	return c.SerializeTo(w, ics.WithNewLine("\r\n"))
}

func event(c *ics.Calendar, t itinerary.Trip, i itinerary.Item, o Options) error {
	starts, ends, err := i.Moments()
	if err != nil {
		return fmt.Errorf("the times of %s of %s: %w", i.Code, t.Code, err)
	}
	e := c.AddEvent(uid(t, i, o))
	e.SetDtStampTime(o.Now)
	if !t.UpdatedAt.IsZero() {
		e.SetModifiedAt(t.UpdatedAt)
	}
	e.SetSequence(t.Version)
	e.SetSummary(clean(summary(i)))
	switch {
	case i.Type == itinerary.Hotel:
		dates(e, i.Starts.Date, i.Ends.Date)
	case i.AllDay:
		dates(e, i.Starts.Date, i.Ends.Date.AddDays(1))
	default:
		e.SetStartAt(starts)
		e.SetEndAt(ends)
	}
	e.SetTimeTransparency(ics.TransparencyOpaque)
	if i.Type == itinerary.Hotel || i.Type == itinerary.Note || i.AllDay {
		e.SetTimeTransparency(ics.TransparencyTransparent)
	}
	place := i.Place
	if place == "" {
		place = i.Origin
	}
	if place != "" {
		e.SetLocation(clean(place))
	}
	if words := description(i, starts, ends); words != "" {
		e.SetDescription(clean(words))
	}
	e.SetStatus(map[itinerary.Status]ics.ObjectStatus{itinerary.Booked: ics.ObjectStatusConfirmed,
		itinerary.Cancelled: ics.ObjectStatusCancelled, itinerary.Held: ics.ObjectStatusTentative,
		itinerary.Planned: ics.ObjectStatusTentative}[i.Status])
	return nil
}

// dates makes an event one of whole days: from, and up to before to.
func dates(e *ics.VEvent, from, to calendar.Date) {
	if !from.Before(to) {
		to = from.AddDays(1)
	}
	e.SetAllDayStartAt(from.Time())
	e.SetAllDayEndAt(to.Time())
}

// uid returns the name of an item's event. It tells neither the organisation nor how
// many trips there are.
func uid(t itinerary.Trip, i itinerary.Item, o Options) string {
	h := sha256.Sum256([]byte(o.Scope + "\x00" + t.Code + "\x00" + i.Code))
	host := o.Host
	if host == "" {
		host = "bellhop.invalid"
	}
	return hex.EncodeToString(h[:16]) + "@" + host
}

func summary(i itinerary.Item) string {
	words := i.Title
	if i.Number != "" && !strings.Contains(i.Title, i.Number) {
		words = i.Number + " " + words
	}
	if i.Status == itinerary.Held {
		words += " (held)"
	}
	return words
}

// description says the local times, the reference, and notes.
func description(i itinerary.Item, starts, ends time.Time) string {
	var lines []string
	switch {
	case i.Type == itinerary.Hotel && !i.AllDay:
		lines = append(lines, "Check in from "+i.Starts.Clock()+", check out by "+i.Ends.Clock())
	case i.AllDay:
	case i.Type == itinerary.Flight || i.Type == itinerary.Travel:
		lines = append(lines, "Departs "+clock(starts, i.Origin), "Arrives "+clock(ends, i.Destination))
	default:
		lines = append(lines, clock(starts, "")+" to "+clock(ends, ""))
	}
	if i.Reference != "" {
		lines = append(lines, "Reference: "+i.Reference)
	}
	if i.Notes != "" {
		lines = append(lines, i.Notes)
	}
	return strings.Join(lines, "\n")
}

// clock returns "Fri 4 Dec 19:05 (GMT), London (LHR)".
func clock(t time.Time, place string) string {
	words := t.Format("Mon 2 Jan 15:04") + " (" + t.Format("UTC-07:00") + ")"
	if place != "" {
		words += ", " + place
	}
	return words
}

// clean returns a text without the control characters that a line of a calendar file may
// not have.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || r == unicode.ReplacementChar) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}
