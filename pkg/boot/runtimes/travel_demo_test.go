package runtimes_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/part"
)

// The demo of the issue without any model: a family of three on a Friday evening gets three
// answers, holds one, has it in the calendar, and gives it back for nothing.
func TestAFamilyTravelsWithoutAModel(t *testing.T) {
	t.Parallel()
	d := newTravel(t, "rules")
	by := d.org.Manager
	d.travellers(by)
	c := d.as(by, "id", uuid.NewString())
	a := c.ask("Flights from London to Lisbon on Friday evening, back Sunday, for two adults and a child of 7")
	var found part.Flights
	if !a.part(t, "flights", &found) || a.Usage.Calls != 0 || len(found.Picks) != 3 || found.Total < 10 {
		t.Fatal(a)
	}
	if !strings.Contains(found.Detail, "2 adults, 1 child (7)") || !strings.Contains(found.Detail, "Fri 27 Nov") {
		t.Errorf("searched for %s", found.Detail)
	}
	if a = c.ask("what happens if I cancel the cheapest one?"); !strings.Contains(strings.ToLower(a.Reply),
		"cancel") ||
		!strings.Contains(strings.ToLower(a.Reply), "refund") {
		t.Error(a)
	}
	a = c.ask("which of them can be held?")
	if found = (part.Flights{}); !a.part(t, "flights", &found) || len(found.Offers) == 0 ||
		found.Offers[0].Hold == "" {
		t.Fatalf("%s\n%+v", a, found)
	}
	offer := found.Offers[0]
	a = c.ask("hold " + offer.Code)
	if a.Confirmation == nil || a.Confirmation.Tool != "hold_flight" || a.Confirmation.Tier != "MEDIUM" ||
		!strings.Contains(a.Reply, offer.Price) || !strings.Contains(a.Reply, "PAX-1") ||
		len(d.supplier.Orders()) != 0 {
		t.Fatal(a)
	}
	a = c.approve(a)
	var booking part.Reserved
	if !a.part(t, "booking", &booking) || booking.State != "held" || booking.PayBy == "" ||
		booking.Price != offer.Price ||
		len(d.supplier.Orders()) != 1 {
		t.Fatalf("%s\n%+v", a, booking)
	}
	if a = c.ask("put it in my calendar"); !slices.Contains(a.kinds(), "link") {
		t.Error(a)
	}
	a = c.ask("show my itinerary")
	var trip part.Itinerary
	if !a.part(t, "itinerary", &trip) || !strings.HasSuffix(trip.Calendar, "/calendar.ics") {
		t.Fatal(a)
	}
	status, file := d.call(by, http.MethodGet, trip.Calendar, nil)
	text := file["text"].(string)
	if status != http.StatusOK || !strings.Contains(file["type"].(string), "text/calendar") ||
		strings.Count(text, "BEGIN:VEVENT") != 2 || !strings.Contains(text, "\r\n") {
		t.Errorf("%d %s", status, text)
	}
	a = c.ask("cancel " + booking.Code)
	if a.Confirmation == nil || a.Confirmation.Tier != "HIGH" {
		t.Fatal(a)
	}
	if a = c.approve(a); !a.part(t, "booking", &booking) || booking.State != "cancelled" {
		t.Errorf("%s\n%+v", a, booking)
	}
	orders := 0
	for _, call := range d.supplier.Calls() {
		if call.Method == http.MethodPost && call.Path == "/air/orders" {
			orders++
		}
	}
	if orders != 1 {
		t.Errorf("%d orders were sent", orders)
	}
}
