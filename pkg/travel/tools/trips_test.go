package tools_test

import (
	"strings"
	"testing"
)

// An itinerary is made by the first thing that is added, takes what is on its days, and is
// changed and exported by one who may only look.
//
// S1-15, S1-16
func TestAnItineraryIsKept(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := d.call(d.viewer, "block_travel_time", map[string]any{"origin": "home", "destination": "LHR",
		"date": d.day(30), "startTime": "22:30", "endTime": "00:15", "notes": "taxi"})
	trip := first["trip"].(string)
	items := list(first["items"])
	if len(items) != 1 || items[0]["type"] != "travel" || !strings.HasPrefix(items[0]["ends"].(string), d.day(31)) {
		t.Errorf("blocked is %v", items)
	}
	hotel := d.call(d.viewer, "add_hotel_to_itinerary", map[string]any{"hotelName": "Casa do Rio",
		"location": "Lisbon",
		"checkIn":  d.day(31), "checkOut": d.day(33), "price": 300.5, "currency": "EUR", "confirmationNumber": "C-77"})
	if hotel["trip"] != trip || len(list(hotel["items"])) != 2 || list(hotel["items"])[1]["status"] != "booked" {
		t.Errorf("with the hotel it is %v", hotel)
	}
	offers := d.search(d.viewer, "LHR", "LIS", map[string]any{"returnDate": d.day(33)})
	flown := d.call(d.viewer, "add_flight_to_itinerary", map[string]any{"offer": offers[0]})
	flights := 0
	for _, i := range list(flown["items"]) {
		if i["type"] == "flight" && i["status"] == "planned" {
			flights++
		}
	}
	if flown["trip"] != trip || flights != 2 {
		t.Errorf("with the flights it is %v", flown)
	}
	dinner := d.call(d.viewer, "add_activity_to_itinerary", map[string]any{"title": "Dinner", "place": "Lisbon",
		"date": d.day(31), "startTime": "20:00", "trip": trip})
	code := ""
	for _, i := range list(dinner["items"]) {
		if i["title"] == "Dinner" {
			code = i["code"].(string)
		}
	}
	seen := dinner["version"]
	moved := d.call(d.viewer, "move_itinerary_item", map[string]any{"trip": trip, "item": code, "date": d.day(32),
		"startTime": "21:00", "version": seen})
	for _, i := range list(moved["items"]) {
		if i["code"] == code && (i["starts"] != d.day(32)+"T21:00" || i["ends"] != d.day(32)+"T22:00") {
			t.Errorf("moved is %v", i)
		}
	}
	// Another tab still shows what was there before.
	_, err := d.try(d.viewer, "remove_itinerary_item", map[string]any{"trip": trip, "item": code, "version": seen})
	wantCode(t, "an old version", err, "changed")
	gone := d.call(d.viewer, "remove_itinerary_item", map[string]any{"trip": trip, "item": code})
	if len(list(gone["items"])) != 4 {
		t.Errorf("without the dinner it is %v", gone)
	}
	if named := d.call(d.viewer, "rename_trip", map[string]any{"trip": trip,
		"title": "Lisbon with Ada"}); named["title"] !=
		"Lisbon with Ada" {
		t.Errorf("renamed is %v", named)
	}
	if file := d.call(d.viewer, "export_calendar", map[string]any{"trip": trip}); file["address"] !=
		"/api/trips/"+trip+"/calendar.ics" {
		t.Errorf("the file is %v", file)
	}
	if trips := list(d.call(d.viewer, "list_trips", map[string]any{})["trips"]); len(trips) != 1 {
		t.Errorf("the trips are %v", trips)
	}
	_, err = d.try(d.manager, "show_itinerary", map[string]any{"trip": trip})
	wantCode(t, "another person's trip", err, "trip_not_found")
}

// Past bookings are entered, rated and found by what was said of them.
//
// S1-20, S1-34
func TestPastTripsAreFound(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	added := d.call(d.viewer, "add_past_booking", map[string]any{"type": "hotel", "title": "Hotel Aurora",
		"place": "Rome",
		"date":  d.day(-200), "endDate": d.day(-197), "price": 640, "currency": "EUR"})
	d.call(d.viewer, "add_past_booking", map[string]any{"type": "activity", "title": "Cooking class",
		"place": "Naples",
		"date":  d.day(-150)})
	rated := d.call(d.viewer, "rate_booking", map[string]any{"booking": added["code"], "rating": 4,
		"feedback": "quiet rooms, slow breakfast"})
	if rated["rating"] != 4.0 {
		t.Errorf("rated is %v", rated)
	}
	got := list(d.call(d.viewer, "search_past_trips", map[string]any{"text": "breakfast"})["bookings"])
	if len(got) != 1 || got[0]["title"] != "Hotel Aurora" || got[0]["feedback"] == nil {
		t.Errorf("found is %v", got)
	}
	if other := list(d.call(d.manager, "search_past_trips",
		map[string]any{"text": "breakfast"})["bookings"]); len(other) > 0 {
		t.Errorf("another person finds %v", other)
	}
	_, err := d.try(d.viewer, "rate_booking", map[string]any{"booking": added["code"], "rating": 9})
	if err == nil {
		t.Error("nine of five")
	}
}
