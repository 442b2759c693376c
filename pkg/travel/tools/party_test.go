package tools_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// traveller is a complete one who was born on a day.
func (d *desk) traveller(given string, born calendar.Date) travellers.Traveller {
	return travellers.Traveller{Title: "ms", Gender: "f", Given: given, Family: "Quillwright", Born: born,
		Email: "family.quillwright@home.example", Phone: "+442079460123"}
}

func (d *desk) enter(list ...travellers.Traveller) {
	d.t.Helper()
	for _, one := range list {
		if _, err := d.people.Save(d.t.Context(), d.manager, one); err != nil {
			d.t.Fatal(err)
		}
	}
}

// years is how many years before the day ahead somebody was born.
func (d *desk) years(n, ahead int) calendar.Date {
	day := d.today.AddDays(ahead)
	day.Year -= n
	if day.Month == 2 && day.Day == 29 {
		day.Day = 28
	}
	return day
}

// A child who turns twelve on the way is told as such, and goes as an adult when searched
// for with the later age.
func TestAChildWhoTurnsTwelveOnTheWay(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.enter(d.traveller("Ada", d.years(35, 0)), d.traveller("Cleo", d.years(12, 40)))
	search := func(age int) string {
		return d.search(d.manager, "LHR", "JFK", map[string]any{"returnDate": d.day(50), "passengerCount": 2,
			"ages": []int{age}})[0]
	}
	_, err := d.ask(d.manager, "book_flight", map[string]any{"offer": search(11),
		"travellers": []string{"PAX-1", "PAX-2"}})
	wantCode(t, "eleven", err, "traveller_changes_age")
	if _, err := d.ask(d.manager, "book_flight", map[string]any{"offer": search(12)}); err != nil {
		t.Errorf("twelve: %v (%v)", err, errors.Unwrap(err))
	}
}

// An infant travels on the lap of an adult.
func TestAnInfantTravelsOnALap(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.enter(d.traveller("Cleo", d.years(0, -200)), d.traveller("Ada", d.years(35, 0)))
	offers := d.search(d.manager, "LHR", "JFK", map[string]any{"passengerCount": 2, "ages": []int{0}})
	p, err := d.ask(d.manager, "book_flight", map[string]any{"offer": offers[0]})
	if err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	if who := p.Preview.Line("Travellers"); who != "PAX-2 (adult), PAX-1 (infant)" {
		t.Errorf("the travellers are %s", who)
	}
	r, err := d.agree(d.manager, p)
	if err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	if got := members(t, r.Data); got["state"] != "confirmed" {
		t.Errorf("booked is %v", got)
	}
	d.quiet()
}

// A name in letters that no airline takes is kept, and asked for before an order.
func TestANameInDevanagariIsAskedForInLatin(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.enter(d.traveller("आदा", d.years(35, 0)))
	offers := d.search(d.manager, "LHR", "JFK", map[string]any{"passengerCount": 1, "ages": []int{}})
	_, err := d.ask(d.manager, "book_flight", map[string]any{"offer": offers[0]})
	q, ok := errors.AsType[*tool.Question](err)
	if !ok || len(q.Parts()) != 1 || !strings.Contains(string(q.Parts()[0].Data), "PAX-1") ||
		strings.Contains(err.Error(), "आदा") {
		t.Errorf("it is %v", err)
	}
	wantCode(t, "a name in Devanagari", err, "travellers_missing")
	if n := d.calls("POST", "/air/orders"); n != 0 {
		t.Errorf("%d orders", n)
	}
}

// Two trips on the same days are asked about, with a call for each.
func TestWhichTripIsAsked(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	add := func(more map[string]any) (tool.Result, error) {
		in := map[string]any{"title": "Visit", "place": "Lisbon", "date": d.day(30)}
		for k, v := range more {
			in[k] = v
		}
		return d.try(d.viewer, "add_activity_to_itinerary", in)
	}
	for _, ahead := range []int{28, 33} { // too far apart to be one
		if _, err := add(map[string]any{"date": d.day(ahead)}); err != nil {
			t.Fatal(err)
		}
	}
	if trips := list(d.call(d.viewer, "list_trips", map[string]any{})["trips"]); len(trips) != 2 {
		t.Fatalf("trips are %v", trips)
	}
	d.call(d.viewer, "add_activity_to_itinerary", map[string]any{"title": "Visit", "place": "Lisbon",
		"date": d.day(31),
		"trip": "TR-0002"})
	_, err := add(nil)
	q, ok := errors.AsType[*tool.Question](err)
	if !ok || len(q.Choices.Choices) != 2 {
		t.Fatalf("%v", err)
	}
	choice := q.Choices.Choices[0]
	call, err := d.tool(choice.Tool).Prepare(choice.Arguments)
	if err != nil || !strings.Contains(string(call.Arguments), "TR-000") {
		t.Errorf("the call is %s: %v", choice.Arguments, err)
	}
}

// A route over several cities is one price, and its journeys stand in the itinerary.
func TestARouteOverSeveralCities(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	found := d.call(d.viewer, "search_flights", map[string]any{"origin": "Mumbai", "destination": "Paris",
		"departureDate": d.day(30), "cabinClass": "business", "departAfter": "06:00", "multiCity": []any{
			map[string]any{"origin": "Paris", "destination": "London", "departureDate": d.day(34)},
			map[string]any{"origin": "London", "destination": "Mumbai", "departureDate": d.day(38)}}})
	offers := list(found["offers"])
	if len(offers) == 0 {
		t.Fatalf("found is %v", found)
	}
	for _, o := range offers {
		if legs, _ := o["legs"].([]any); len(legs) != 3 {
			t.Errorf("the journeys are %v", legs)
		}
	}
	trip := d.call(d.viewer, "add_flight_to_itinerary", map[string]any{"offer": offers[0]["code"]})
	if len(list(trip["items"])) != 3 {
		t.Errorf("the itinerary is %v", trip)
	}
}

// An airline that wants documents gets passports that are valid until the last flight, and
// nothing else ever sees their numbers.
func TestAPassportIsAskedForWhereTheAirlineWantsIt(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ada := d.traveller("Ada", d.years(35, 0))
	d.enter(ada)
	found := d.call(d.manager, "search_flights", map[string]any{"origin": "LHR", "destination": "JFK",
		"departureDate": d.day(30)})
	s, err := d.bookings.Search(t.Context(), d.manager, found["search"].(string))
	if err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Offers []struct{ Documents bool }
	}
	if err := json.Unmarshal(s.Found, &kept); err != nil {
		t.Fatal(err)
	}
	offer := ""
	for i, o := range kept.Offers {
		if o.Documents {
			offer = fmt.Sprintf("%s-%d", s.Code, i+1)
			break
		}
	}
	if offer == "" {
		t.Fatal("no airline wants documents")
	}
	ask := func(expires int) error {
		t.Helper()
		list, err := d.people.List(t.Context(), d.manager)
		if err != nil {
			t.Fatal(err)
		}
		one := list[0]
		if expires > 0 {
			one.Passport = &travellers.Passport{Number: passport, Country: "GB", Expires: d.today.AddDays(expires)}
			d.enter(one)
		}
		_, err = d.ask(d.manager, "book_flight", map[string]any{"offer": offer})
		return err
	}
	for expires, want := range map[int]string{0: "passport", 10: "passport"} {
		err := ask(expires)
		q, ok := errors.AsType[*tool.Question](err)
		if !ok || !strings.Contains(string(q.Parts()[0].Data), want) {
			t.Errorf("with a passport for %d days: %v", expires, err)
		}
	}
	if err := ask(900); err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	p, err := d.ask(d.manager, "book_flight", map[string]any{"offer": offer})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.agree(d.manager, p); err != nil {
		t.Fatalf("%v (%v)", err, errors.Unwrap(err))
	}
	d.quiet()
}
