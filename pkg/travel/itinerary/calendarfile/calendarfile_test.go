package calendarfile_test

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	ics "github.com/arran4/golang-ical"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary/calendarfile"
)

func at(s string) calendar.DateTime {
	d, err := calendar.ParseDateTime(s)
	if err != nil {
		panic(err)
	}
	return d
}

// title is one that has to be folded and escaped.
const title = "Flug nach São Paulo; mit Zwischenstopp, \\ \"und\" einem sehr langen Namen, damit die Zeile " +
	"gefaltet wird: ✈ प्रस्थान"

func trip() itinerary.Trip {
	return itinerary.Trip{Code: "TR-0007", Title: "Rio, 2027", Version: 12,
		UpdatedAt: time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC), Items: []itinerary.Item{
			{Code: "I1", Type: itinerary.Flight, Status: itinerary.Booked, Title: title, Origin: "London (LHR)",
				Destination: "São Paulo (GRU)", Starts: at("2027-03-28T00:30"), Ends: at("2027-03-28T08:45"),
				StartZone: "Europe/London", EndZone: "America/Sao_Paulo", Reference: "RZPNX8", Number: "BA247",
				Notes: "Seat 12A\nBEGIN:VALARM\r\nEND:VEVENT\u0000"},
			{Code: "I2", Type: itinerary.Hotel, Status: itinerary.Planned, Title: "Hotel Mira", Place: "Rua 1, Rio",
				Starts: at("2027-03-28T15:00"), Ends: at("2027-03-31T11:00"), StartZone: "America/Sao_Paulo",
				EndZone: "America/Sao_Paulo"},
			{Code: "I3", Type: itinerary.Activity, Status: itinerary.Cancelled, Title: "Carnival", AllDay: true,
				Starts: at("2027-03-29T00:00"), Ends: at("2027-03-30T00:00"), StartZone: "America/Sao_Paulo",
				EndZone: "America/Sao_Paulo"},
			{Code: "I4", Type: itinerary.Travel, Status: itinerary.Held, Title: "Bus", Origin: "Rio",
				Destination: "Paraty",
				Starts:      at("2027-03-30T09:00"), Ends: at("2027-03-30T13:00"), StartZone: "America/Sao_Paulo",
				EndZone: "America/Sao_Paulo"},
		}}
}

func options() calendarfile.Options {
	return calendarfile.Options{Now: time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC), Host: "bellhop.example",
		Scope: "org"}
}

func write(t *testing.T, trip itinerary.Trip, o calendarfile.Options) (string, *ics.Calendar) {
	t.Helper()
	var b bytes.Buffer
	if err := calendarfile.Write(&b, trip, o); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	c, err := ics.ParseCalendar(&b)
	if err != nil {
		t.Fatal(err)
	}
	return text, c
}

func value(e *ics.VEvent, name ics.ComponentProperty) string {
	if p := e.GetProperty(name); p != nil {
		return p.Value
	}
	return ""
}

func TestACalendarFileIsReadAgain(t *testing.T) {
	t.Parallel()
	text, c := write(t, trip(), options())
	for _, line := range strings.SplitAfter(text, "\r\n") {
		if len(line) > 77 || strings.Count(line, "\n") > 1 || line != "" && !strings.HasSuffix(line, "\r\n") ||
			strings.Contains(strings.TrimSuffix(line, "\r\n"), "\r") || !utf8.ValidString(line) {
			t.Errorf("a line is %q", line)
		}
	}
	for _, want := range []string{"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "PRODID:-//Bellhop//Travel//EN\r\n",
		"METHOD:PUBLISH\r\n", "X-WR-CALNAME:Rio\\, 2027\r\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	events := c.Events()
	if len(events) != 4 {
		t.Fatalf("there are %d events", len(events))
	}
	flight, hotel, carnival, bus := events[0], events[1], events[2], events[3]
	// By the clock of London an hour before those change, at UTC; three hours before it in São Paulo.
	starts, err := flight.GetStartAt()
	if err != nil || !starts.Equal(time.Date(2027, 3, 28, 0, 30, 0, 0, time.UTC)) {
		t.Errorf("it starts at %v (%v)", starts, err)
	}
	if ends, err := flight.GetEndAt(); err != nil || !ends.Equal(time.Date(2027, 3, 28, 11, 45, 0, 0, time.UTC)) {
		t.Errorf("it ends at %v (%v)", ends, err)
	}
	if got := value(flight, ics.ComponentPropertySummary); got != "BA247 "+title {
		t.Errorf("the title is %q", got)
	}
	if got, want := value(flight, ics.ComponentPropertyDescription),
		"Departs Sun 28 Mar 00:30 (UTC+00:00), London (LHR)\nArrives Sun 28 Mar 08:45 (UTC-03:00), São Paulo (GRU)\n"+
			"Reference: RZPNX8\nSeat 12A\nBEGIN:VALARM\nEND:VEVENT"; got != want {
		t.Errorf("the description is %q", got)
	}
	for name, tt := range map[string]struct {
		event *ics.VEvent
		prop  ics.ComponentProperty
		want  string
	}{
		"sequence":       {flight, ics.ComponentPropertySequence, "12"},
		"stamp":          {flight, ics.ComponentPropertyDtstamp, "20261122T093000Z"},
		"modified":       {flight, ics.ComponentPropertyLastModified, "20261120T080000Z"},
		"booked":         {flight, ics.ComponentPropertyStatus, "CONFIRMED"},
		"busy":           {flight, ics.ComponentPropertyTransp, "OPAQUE"},
		"where":          {flight, ics.ComponentPropertyLocation, "London (LHR)"},
		"planned":        {hotel, ics.ComponentPropertyStatus, "TENTATIVE"},
		"check-in":       {hotel, ics.ComponentPropertyDtStart, "20270328"},
		"check-out":      {hotel, ics.ComponentPropertyDtEnd, "20270331"},
		"free":           {hotel, ics.ComponentPropertyTransp, "TRANSPARENT"},
		"address":        {hotel, ics.ComponentPropertyLocation, "Rua 1, Rio"},
		"clocks":         {hotel, ics.ComponentPropertyDescription, "Check in from 15:00, check out by 11:00"},
		"cancelled":      {carnival, ics.ComponentPropertyStatus, "CANCELLED"},
		"whole days":     {carnival, ics.ComponentPropertyDtStart, "20270329"},
		"the last of it": {carnival, ics.ComponentPropertyDtEnd, "20270331"},
		"held":           {bus, ics.ComponentPropertySummary, "Bus (held)"},
	} {
		if got := value(tt.event, tt.prop); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if p := hotel.GetProperty(ics.ComponentPropertyDtStart); p.ICalParameters["VALUE"][0] != "DATE" {
		t.Errorf("the day is a %v", p.ICalParameters)
	}
}

// A later import changes the events of an earlier one, and no other trip's.
func TestEventsKeepTheirNames(t *testing.T) {
	t.Parallel()
	later, o := trip(), options()
	later.Version, later.Title, later.Items = 13, "Another", later.Items[1:]
	o.Now = o.Now.Add(time.Hour)
	_, first := write(t, trip(), options())
	_, second := write(t, later, o)
	for n, e := range second.Events() {
		if e.Id() != first.Events()[n+1].Id() || !strings.HasSuffix(e.Id(), "@bellhop.example") ||
			value(e, ics.ComponentPropertySequence) != "13" {
			t.Errorf("it is %s, and was %s", e.Id(), first.Events()[n+1].Id())
		}
	}
	o.Scope = "another"
	_, other := write(t, later, o)
	for n, e := range other.Events() {
		if e.Id() == second.Events()[n].Id() {
			t.Errorf("%s names the items of two organisations", e.Id())
		}
	}
	bad := trip()
	bad.Items[0].EndZone = "Mars/Olympus"
	if err := calendarfile.Write(&bytes.Buffer{}, bad, o); err == nil {
		t.Error("a zone that is not known is written")
	}
	if text, _ := write(t, itinerary.Trip{Code: "TR-0008", Title: "Empty"},
		calendarfile.Options{}); !strings.HasSuffix(text,
		"END:VCALENDAR\r\n") {
		t.Errorf("an empty trip is %q", text)
	}
}
