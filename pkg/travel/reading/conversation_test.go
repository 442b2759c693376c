package reading_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
	"github.com/bellhop-ai/bellhop/pkg/travel/reading"
)

// talk is a conversation whose tools answer as those of pkg/travel/tools do.
type talk struct {
	t    *testing.T
	open *reading.Open
	home string
	// answers are by the tool's name.
	answers map[string]string
	fails   map[string]error
}

// say reads a message, makes its calls and returns the reading, the calls and the answer. What
// is open travels as JSON.
func (c *talk) say(message string) (reading.Reading, []reading.Call, string) {
	c.t.Helper()
	r := reading.Read(message, reading.Context{Now: now, Zone: time.UTC, Open: c.open, Home: c.home})
	var results []reading.Result
	var made []reading.Call
	for range 5 {
		calls := reading.Calls(r, results)
		for _, call := range calls {
			made = append(made, call)
			res := reading.Result{Tool: call.Tool, Arguments: call.Args, Data: json.RawMessage(c.answers[call.Tool]),
				Text: "Answer of " + call.Tool + ".", Err: c.fails[call.Tool]}
			if res.Err != nil {
				res.Data, res.Text = nil, ""
			}
			results = append(results, res)
		}
		if len(calls) == 0 {
			break
		}
	}
	text, _ := reading.Answer(r, results)
	raw, err := json.Marshal(reading.After(c.open, &r, results))
	if err != nil || len(raw) > 4096 {
		c.t.Fatalf("after %q %d bytes are open, %v", message, len(raw), err)
	}
	c.open = &reading.Open{}
	if err := json.Unmarshal(raw, c.open); err != nil {
		c.t.Fatal(err)
	}
	return r, made, text
}

// wants says a message and compares the reading with the form of the tables.
func (c *talk) wants(message, want string) string {
	c.t.Helper()
	r, _, text := c.say(message)
	if got := shown(r, nil); got != want {
		c.t.Errorf("%q is read as %q, want %q", message, got, want)
	}
	return text
}

const offers = `{"search":"K7M2","picks":[{"label":"Cheapest","offer":"K7M2-1"},{"label":"Fastest","offer":"K7M2-4"},
{"label":"Best","offer":"K7M2-2"}],"offers":[
{"code":"K7M2-1","price":"€1,212.00","airline":"Ryanair","legs":["Fri 27 Nov LHR 06:10 – LIS 12:20, 6 h 10 min, 1 stop (MAD, 1 h 25 min)"],"bags":"1 carry-on, no checked bag"},
{"code":"K7M2-2","price":"€1,250.00","airline":"British Airways","legs":["Fri 27 Nov LHR 18:10 – LIS 21:00, 2 h 50 min, non-stop"],"bags":"1 carry-on, 1 checked bag"},
{"code":"K7M2-3","price":"€1,280.00","airline":"Iberia","legs":["Fri 27 Nov LHR 09:40 – LIS 12:40, 3 h, non-stop"],"bags":"1 carry-on, 2 checked bags"},
{"code":"K7M2-4","price":"€1,299.00","airline":"TAP Air Portugal","legs":["Fri 27 Nov LHR 19:10 – LIS 21:50, 2 h 40 min, non-stop"],"bags":"1 carry-on, 1 checked bag"}],
"metadata":{"totalResults":4,"more":false,"matching":4,"currency":"EUR"}}`

func answers() map[string]string {
	return map[string]string{"search_flights": offers, "filter_flights": offers,
		"get_flight_offer": `{"code":"K7M2-2","price":"€1,250.00","refund":"€40.00 are kept","changes":"not allowed",
"priceWhenFound":"€1,240.00","lines":["Fri 27 Nov: LHR 18:10 – LIS 21:00"]}`,
		"hold_flight": `{"code":"TB-0001","type":"flight","state":"held","title":"London to Lisbon"}`,
		"add_flight_to_itinerary": `{"trip":"TR-0007","version":2,"title":"Lisbon","items":[{"code":"I1",` +
			`"title":"London to Lisbon"}]}`,
		"export_calendar": `{"trip":"TR-0007","address":"/api/trips/TR-0007/calendar.ics","items":1}`,
		"search_hotels": `{"search":"H4T9","hotels":[{"code":"H4T9-1","name":"Hotel Lisboa Prime","price":"€300.00"},
{"code":"H4T9-2","name":"Casa do Rio","price":"€350.00"}],"metadata":{"matching":2}}`,
		"get_hotel_rates": `{"hotel":"R2D2-1","name":"Casa do Rio","rates":[{"code":"R2D2-1A","room":"Double","board":"Room only",
"price":"€350.00"},{"code":"R2D2-1B","room":"Suite","board":"Breakfast","price":"€480.00"}]}`,
		"get_booking": `{"code":"TB-0001","type":"flight","state":"confirmed","title":"London to Lisbon"}`,
		"list_bookings": `{"bookings":[{"code":"TB-0001","title":"London to Lisbon","type":"flight","starts":"2026-11-27T18:10"},
{"code":"TB-0002","title":"Casa do Rio","type":"hotel","starts":"2026-11-27T15:00"}],"total":2}`,
		"show_itinerary": `{"trip":"TR-0007","items":[{"code":"I1","title":"London to Lisbon"},{"code":"I2",` +
			`"title":"Dinner at Ramiro"}]}`,
	}
}

// From a sentence to the calendar file: three answers, conditions, a hold, the file.
func TestFromASentenceToTheCalendarFile(t *testing.T) {
	c := &talk{t: t, answers: answers()}
	text := c.wants("A family of three from London to Lisbon on Friday evening, back Sunday",
		"search_flights LON>LIS 11-27/11-29 3 dep17:00-23:59")
	for _, told := range []string{"I took “Friday” as Fri 27 Nov 2026.", "searched for as adults", "as after 17:00"} {
		if !strings.Contains(text, told) {
			t.Errorf("the answer does not say %q: %s", told, text)
		}
	}
	c.wants("one of us is 7", "search_flights LON>LIS 11-27/11-29 2+7 dep17:00-23:59")
	c.wants("non-stop only", "filter c0 dep17:00-23:59")
	c.wants("and with a checked bag", "filter c0 dep17:00-23:59 bag1")
	text = c.wants("what if I cancel the best one?", "conditions K7M2-2")
	for _, told := range []string{"€1,250.00", "It was €1,240.00", "€40.00 are kept", "not allowed"} {
		if !strings.Contains(text, told) {
			t.Errorf("the conditions do not say %q: %s", told, text)
		}
	}
	c.wants("hold it", "hold K7M2-2")
	r, made, _ := c.say("put it in my calendar")
	if len(made) != 2 || made[0].Tool != "add_flight_to_itinerary" || made[1].Tool != "export_calendar" ||
		!strings.Contains(string(made[0].Args), `"TB-0001"`) || !strings.Contains(string(made[1].Args), `"TR-0007"`) {
		t.Errorf("%s calls %v", r.Intent, made)
	}
	c.wants("find us a hotel there", "search_hotels Lisbon, Portugal 11-27/11-29 2+7")
	c.wants("the second one", "hotel_rates H4T9-2")
	c.wants("book the cheapest room", "book_hotel R2D2-1A")
}

// What is pointed at is what was shown, with the price, the times and the stops of then.
func TestOffersArePointedAt(t *testing.T) {
	for said, want := range map[string]string{
		"the second one": "K7M2-4", "the first": "K7M2-1", "number 4": "K7M2-3", "the last one": "K7M2-3",
		"the cheapest one": "K7M2-1", "the quickest": "K7M2-4", "the best one": "K7M2-2", "the 9:40 one": "K7M2-3",
		"the Iberia one": "K7M2-3", "the one with British Airways": "K7M2-2", "the earliest one": "K7M2-1",
		"the latest one": "K7M2-4", "k7m2-3": "K7M2-3", "the most expensive one": "K7M2-4",
	} {
		c := &talk{t: t, answers: answers()}
		c.say("London to Lisbon on Friday for two, one way")
		c.wants(said, "details "+want)
	}
	c := &talk{t: t, answers: answers()}
	c.say("London to Lisbon on Friday for two, one way")
	c.wants("the non-stop one", "ask:offer") // three are
	c.wants("Iberia", "details K7M2-3")
	c.say("show me flights from London to Lisbon on Friday for two, one way")
	c.wants("book the tenth one", "ask:offer")
}

// Questions are asked one at a time, and short answers fill them.
func TestOneQuestionAtATime(t *testing.T) {
	c := &talk{t: t, answers: answers()}
	c.wants("I need flights for my wife, me and our two children", "ask:destination")
	c.wants("Lisbon", "ask:origin")
	c.wants("London", "ask:date")
	c.wants("next Friday for a week", "ask:ages")
	c.wants("4 and 9", "search_flights LON>LIS 12-04/12-11 2+4+9")

	c = &talk{t: t, answers: answers()}
	c.wants("from London to Springfield on 4/12 after 7", "ask:destination")
	c.wants("Missouri", "ask:date")
	c.wants("the first", "ask:time")
	c.wants("in the evening", "search_flights LON>SGF 12-04 1 dep19:00")

	c = &talk{t: t, answers: answers()}
	c.wants("Flights London to Lisbon on 11 December after 5pm, back on the 13th, for all of us", "ask:people")
	c.wants("3", "search_flights LON>LIS 12-11/12-13 3 dep17:00")
	c = &talk{t: t, answers: answers()}
	c.wants("find us flights to Lisbon on 11 December", "ask:origin")
	c.wants("London", "ask:people")
	c.wants("two adults and a 7 year old", "search_flights LON>LIS 12-11 2+7")
	c = &talk{t: t, answers: answers()}
	c.wants("hotel for our family in Lisbon from 4 to 8 December", "ask:people")
	c.wants("Three adults", "search_hotels Lisbon, Portugal 12-04/12-08 3")

	c = &talk{t: t, answers: answers()}
	c.wants("weekend in Lisbon for two", "ask:intent")
	c.wants("hotels", "search_hotels Lisbon, Portugal 11-27/11-29 2")

	c = &talk{t: t, answers: answers()}
	c.wants("flights to Lisbon", "ask:origin")
	c.wants("show my bookings", "list_bookings") // a question need not be answered
	c.wants("cancel my flight", "cancel_booking TB-0001")

	c = &talk{t: t, answers: answers()}
	c.wants("cancel my booking", "ask:booking")
	c.wants("never mind", "decline")
	c.wants("TB-0002", "show_booking TB-0002")

	c = &talk{t: t, answers: answers()}
	c.wants("show my itinerary", "show_itinerary")
	c.wants("add a walking tour", "ask:date")
	c.wants("on Saturday from 10:00 to 12:00", "ask:place")
	c.wants("in Lisbon", "add_activity_to_itinerary 11-28 10:00 Walking tour")

	c = &talk{t: t, answers: answers()}
	c.wants("block Friday for the train from Lisbon to Porto", "ask:time")
	c.wants("14:00 to 18:00", "block_travel_time 11-27 14:00 Train")
}

// A question that is open is answered by what answers it, and by no other order.
func TestAnotherOrderIsNoAnswer(t *testing.T) {
	c := &talk{t: t, answers: answers()}
	c.wants("cancel my booking", "ask:booking")
	c.wants("show TB-0001", "show_booking TB-0001")
	c.wants("cancel my booking", "cancel_booking TB-0001") // the one that is shown
	c.wants("move the dinner to 9pm", "ask:item")          // of the next trip, which is shown
	c.wants("cancel the dinner", "remove_itinerary_item I2")
	c = &talk{t: t, answers: answers()}
	c.wants("move the dinner to 9pm", "ask:item")
	if r, made, _ := c.say("I2"); r.Trip != "TR-0007" || r.From != "21:00" || len(made) != 1 {
		t.Errorf("%+v calls %v", r, made)
	}
	c = &talk{t: t, answers: answers()}
	c.wants("pay", "unknown")
	c.wants("cancel it", "ask:booking")
	c.answers["list_bookings"] = `{"bookings":[],"total":0}`
	if text := c.wants("cancel it", "ask:booking"); text != "There is nothing booked or held for that." {
		t.Error(text)
	}
	c.fails = map[string]error{"show_itinerary": fault.New(fault.NotFound, "There is no trip yet.")}
	if text := c.wants("move the dinner to 9pm", "ask:item"); text != "There is no trip yet." {
		t.Error(text)
	}
}

// Another journey keeps who travels, and nothing else.
func TestAnotherJourneyIsNew(t *testing.T) {
	for said, want := range map[string]string{
		"Mumbai se Delhi kal subah ki flight, do log": "search_flights BOM>DEL 11-24 2 dep05:00-12:00",
		"Paris to Rome tomorrow":                      "search_flights PAR>ROM 11-24 2",
		"Paris to Paris tomorrow":                     "ask:destination",
		"flights from Springfield to Boston on Jan 5": "ask:origin",
		"flights to Porto on 5 December":              "search_flights LON>OPO 12-05 2",
	} {
		c := &talk{t: t, answers: answers()}
		c.wants("London to Lisbon on Friday for two, back Sunday, non-stop in the evening",
			"search_flights LON>LIS 11-27/11-29 2 c0 ret17:00-23:59")
		text := c.wants(said, want)
		if said == "Paris to Rome tomorrow" && !strings.Contains(text, "Same travellers as before.") {
			t.Error(text)
		}
	}
	c := &talk{t: t, answers: answers()}
	c.wants("London to Springfield tomorrow", "ask:destination")
	c.wants("12 adults London to Madrid next Monday", "search_flights LON>MAD 11-30 12") // which the search refuses
	if text := c.wants("Paris to Paris tomorrow", "ask:destination"); !strings.Contains(text, "the same place") {
		t.Error(text)
	}
}

// A count that is said anew is everyone; "make it four of us" is those who were there.
func TestWhoTravelsIsSaidAnew(t *testing.T) {
	for said, want := range map[string]string{
		"Mumbai se Delhi kal subah ki flight, do log": "search_flights BOM>DEL 11-24 2 dep05:00-12:00",
		"for two people":     "search_flights LON>LIS 11-27/11-29 2",
		"make it four of us": "search_flights LON>LIS 11-27/11-29 3+7",
	} {
		c := &talk{t: t, answers: answers()}
		c.wants("2 adults and a 7 year old from London to Lisbon on Friday, back Sunday",
			"search_flights LON>LIS 11-27/11-29 2+7")
		c.wants(said, want)
	}
}

// A booking stays the one that is meant while its trip is looked at.
func TestTheBookingStaysMeant(t *testing.T) {
	c := &talk{t: t, answers: answers()}
	c.say("London to Lisbon on Friday for two, back Sunday")
	c.wants("hold the best one", "hold K7M2-2")
	c.say("put it in my calendar")
	c.wants("when do I have to pay?", "show_booking TB-0001")
	c.say("show my itinerary")
	c.wants("pay for it", "pay TB-0001")
	c.say("show my itinerary")
	c.wants("cancel it", "cancel_booking TB-0001")
	c.say("London to Porto on Friday for two, one way")
	c.wants("cancel it", "ask:booking") // "it" is no longer the booking
}

// A trip is found by its name, and other questions begin no search.
func TestTripsByName(t *testing.T) {
	c := &talk{t: t, answers: answers()}
	c.answers["list_trips"] = `{"trips":[{"code":"TR-0003","title":"Porto in spring"},{"code":"TR-0007",` +
		`"title":"Lisbon"}],"total":2}`
	for _, said := range []string{"show the Lisbon trip", "open the trip to Lisbon"} {
		if r, made, _ := c.say(said); len(made) != 2 || !strings.Contains(string(made[1].Args), "TR-0007") {
			t.Errorf("%s calls %v", r.Intent, made)
		}
	}
	if _, made, _ := c.say("show the Oslo trip"); len(made) != 1 {
		t.Error(made)
	}
	for _, open := range []string{"-", "F", "O", "H", "R"} {
		for _, said := range []string{"what is the weather in Lisbon", "do I need a visa for Portugal?",
			"what is the exchange rate",
			"which restaurants are good in Lisbon?"} {
			r := reading.Read(said, reading.Context{Now: now, Open: opened(open)})
			if calls := reading.Calls(r, nil); len(calls) > 0 {
				t.Errorf("%s: %q calls %v", open, said, calls[0].Tool)
			}
		}
	}
}

// A child of whom an age is said is one who was named before.
func TestAgesAreOfThoseWhoWereNamed(t *testing.T) {
	c := &talk{t: t, answers: answers()}
	c.wants("my husband and me and our baby from London to Rome on Friday", "search_flights LON>ROM 11-27 2+0")
	c.wants("the baby is 8 months", "search_flights LON>ROM 11-27 2+0")
	c.wants("the baby is 1", "search_flights LON>ROM 11-27 2+1")
	c = &talk{t: t, answers: answers()}
	c.wants("2 adults and a child from London to Rome on Friday", "ask:ages")
	c.wants("she is 18 months", "search_flights LON>ROM 11-27 2+1")
}

// A question about an offer narrows nothing, and says what may be done with it.
func TestQuestionsAboutAnOffer(t *testing.T) {
	c := &talk{t: t, answers: answers()}
	c.say("London to Lisbon on Friday for two, back Sunday")
	c.wants("does it include a suitcase?", "ask:offer")
	c.wants("the best one", "details K7M2-2")
	for _, said := range []string{"does it include a suitcase?", "is a bag included?", "how long does it take?",
		"is it non-stop?"} {
		c.wants(said, "details K7M2-2")
	}
	c.wants("is it refundable?", "conditions K7M2-2")
	r := reading.Reading{Intent: reading.Details, Offer: "K7M2-2"}
	for data, want := range map[string]bool{`{"code":"K7M2-2","hold":true}`: true, `{"code":"K7M2-2"}`: false} {
		_, parts := reading.Answer(r, []reading.Result{{Tool: "get_flight_offer", Data: json.RawMessage(data)}})
		if offered, err := json.Marshal(parts); err != nil || strings.Contains(string(offered), "Hold it") != want {
			t.Errorf("of %s is offered %s, %v", data, offered, err)
		}
	}
	c.wants("which can be held?", "filter holdable")
	c.wants("which can I reserve without paying", "filter holdable")
	c.wants("hold the cheapest that can be held", "filter holdable")
	if text := c.wants("how much is the cheapest in dollars?", "details K7M2-1"); !strings.Contains(text,
		"nothing is converted to USD") {
		t.Error(text)
	}
}

// Numbers of documents are put into no argument and are not repeated.
func TestNumbersOfDocumentsStayOut(t *testing.T) {
	for _, said := range []string{"my passport number is P1234567, use it", "remember that my passport is P1234567",
		"note: passport 123456789", "rate TB-0001 5 stars, my card is 4111 1111 1111 1111",
		"K7M2-3 for passport AB123456",
		"we decided that Z7654321 is her passport"} {
		for _, open := range []string{"-", "O", "B", "T"} {
			r := reading.Read(said, reading.Context{Now: now, Open: opened(open)})
			text, _ := reading.Answer(r, nil)
			raw, err := json.Marshal(reading.After(opened(open), &r, nil))
			if err != nil {
				t.Fatal(err)
			}
			all := text + string(raw)
			for _, c := range reading.Calls(r, nil) {
				all += c.Tool + string(c.Args)
			}
			for _, planted := range []string{"1234567", "123456789", "4111", "123456", "7654321"} {
				if strings.Contains(all, planted) {
					t.Errorf("%s: %q comes back in %s", open, said, all)
				}
			}
			if !strings.Contains(text, "into the form") {
				t.Error(text)
			}
		}
	}
}

// A decision is forgotten by "forget that" right after it was made.
func TestForgetThat(t *testing.T) {
	c := &talk{t: t, answers: answers()}
	c.answers["remember_decision"] = `{"code":"D-4","text":"I never fly Ryanair","about":"flights"}`
	c.wants("I never fly Ryanair, remember that", "remember_decision I never fly Ryanair")
	c.wants("forget that", "forget_decision D-4")
	c.wants("forget that", "decline")
	c.answers["show_preferences"] = `{"preferences":{},"decisions":[{"code":"D-1","text":"no red-eyes"}]}`
	c.wants("what do you know about me?", "show_preferences")
	c.wants("forget that", "forget_decision D-1")
}

// What a trip needs is filled in from what is open, and said.
func TestWhatATripNeeds(t *testing.T) {
	c := &talk{t: t, answers: answers()}
	c.say("London to Lisbon on Friday for two, back Sunday")
	if text := c.wants("add a dinner at Roscioli on the 29th at 8pm",
		"add_activity_to_itinerary 11-29 20:00 Dinner at Roscioli"); !strings.Contains(text, "In Lisbon, Portugal.") {
		t.Error(text)
	}
	r, made, _ := c.say("block Monday morning 9 to 11 for the train from Lisbon to Porto")
	if len(made) != 1 || r.From != "09:00" || r.To != "11:00" || r.Day.String() != "2026-11-30" {
		t.Errorf("%+v calls %v", r, made)
	}
	c.answers["list_bookings"] = `{"bookings":[],"total":0}`
	if text := c.wants("give the Porto trip 5 stars, lovely wine", "ask:booking"); strings.Contains(text, "Kept") {
		t.Error(text)
	}
	r = reading.Read("add H4T9-2 to my trip", reading.Context{Now: now, Open: &reading.Open{Last: reading.LastStays}})
	if text, _ := reading.Answer(r, nil); len(reading.Calls(r, nil)) != 0 || text == "" {
		t.Errorf("%+v leads to %v and %q", r, reading.Calls(r, nil), text)
	}
}

// Where the person is at home is said, and a place they name wins.
func TestHomeIsSaid(t *testing.T) {
	c := &talk{t: t, answers: answers(), home: "BLR"}
	if text := c.wants("fly to Goa India on 4 Dec", "search_flights BLR>GOI 12-04 1"); !strings.Contains(text,
		"your home") ||
		!strings.Contains(text, "One adult travels.") || !strings.Contains(text, "One way") {
		t.Error(text)
	}
	c.wants("no, from Mumbai", "search_flights BOM>GOI 12-04 1")
	r := reading.Read("fly from Delhi to Bengaluru on 4 Dec", reading.Context{Now: now,
		Prefs: preferences.Preferences{Home: "BLR", Cabin: "business"}})
	if got := shown(r, nil); got != "search_flights DEL>BLR 12-04 1 business" ||
		!strings.Contains(strings.Join(r.Assumed, " "), "usual cabin") {
		t.Error(got, r.Assumed)
	}
}

// What is not understood is said, and an error is shown as its sentence.
func TestNothingIsLeftOutSilently(t *testing.T) {
	c := &talk{t: t, answers: answers()}
	if text := c.wants("London to Lisbon on 4 Dec with my surfboard",
		"search_flights LON>LIS 12-04 1"); !strings.Contains(text, "“surfboard”") {
		t.Error(text)
	}
	if text := c.wants("London to Lisbon on 4 Dec via Madrid",
		"search_flights LON>LIS 12-04 1"); !strings.Contains(text, "via Madrid") {
		t.Error(text)
	}
	c.fails = map[string]error{"search_flights": fault.New(fault.Unavailable, "The airlines do not answer.")}
	before := *c.open
	if text := c.wants("to Porto instead", "search_flights LON>OPO 12-04 1"); !strings.Contains(text,
		"The airlines do not answer.") {
		t.Error(text)
	}
	if c.open.Flights.Destination != before.Flights.Destination || c.open.Search != before.Search {
		t.Errorf("a search that failed is open: %+v", c.open)
	}
}

// What a model's calls showed can be pointed at as well.
func TestCallsOfAModelAreOpen(t *testing.T) {
	open := reading.After(nil, nil, []reading.Result{{Tool: "search_flights", Data: json.RawMessage(offers),
		Arguments: json.RawMessage(`{"origin":"London","destination":"LIS","departureDate":"2026-11-27","returnDate":null,
"passengerCount":3,"ages":[7],"cabinClass":"economy","maxConnections":0,"maxPrice":1500.50}`)}})
	f := open.Flights
	if f == nil || f.Origin != "LON" || f.Destination != "LIS" || f.Adults != 2 || len(f.Children) != 1 ||
		*f.Connections != 0 ||
		f.MaxPrice != "1500.50" || open.Search != "K7M2" || len(open.Offers) != 4 {
		t.Fatalf("open is %+v with %+v", open, f)
	}
	r := reading.Read("one day later", reading.Context{Now: now, Open: open})
	if got := shown(r, nil); got != "search_flights LON>LIS 11-28 2+7 economy c0 max1500.50" {
		t.Error(got)
	}
}

// What is open stays within its bound, whatever tools return.
func TestOpenIsBounded(t *testing.T) {
	var o *reading.Open
	long := strings.Repeat("Grand Hotel de la Très Longue Dénomination ", 20)
	var hotels, booked []string
	for range 40 {
		hotels = append(hotels, `{"code":"H4T9-1","name":"`+long+`","price":"€300.00"}`)
		booked = append(booked, `{"code":"TB-0001","title":"`+long+`","type":"flight","starts":"2026-11-27T18:10"}`)
	}
	r := reading.Read("remember that "+strings.Repeat("it is long ", 100), reading.Context{Now: now})
	r.Missing = []reading.Question{{Of: reading.OfOffer, Text: long, Choices: make([]reading.Choice, 90)}}
	for _, res := range []reading.Result{{Tool: "search_flights", Data: json.RawMessage(offers),
		Arguments: json.RawMessage(`{}`)},
		{Tool: "search_hotels", Data: json.RawMessage(`{"search":"H4T9","hotels":[` + strings.Join(hotels, ",") +
			`]}`)},
		{Tool: "list_bookings", Data: json.RawMessage(`{"bookings":[` + strings.Join(booked, ",") + `]}`)},
		{Tool: "list_bookings", Data: json.RawMessage(`not JSON`)}} {
		o = reading.After(o, &r, []reading.Result{res})
		raw, err := json.Marshal(o)
		if err != nil || len(raw) > 4096 {
			t.Fatalf("after %s %d bytes are open, %v", res.Tool, len(raw), err)
		}
	}
	if len(o.Bookings) == 0 {
		t.Error("what was shown last is not open")
	}
}

// What ten minutes of a person's talk met: the cheapest with a suitcase is not the cheapest,
// what was held is asked of the bookings, and an activity beside a trip that was shown is
// not put into the city of the last search.
func TestWhatIsMeantBesideTheLastOffer(t *testing.T) {
	open := &reading.Open{Last: reading.LastFlights, Search: "PK2J", Flights: &reading.Flights{Origin: "EDI",
		Destination: "ORK", Departure: calendar.Date{Year: 2026, Month: 12, Day: 1}, Adults: 1},
		Offers: []reading.Offer{{Code: "PK2J-1", Price: "81.18", Currency: "GBP"},
			{Code: "PK2J-2", Price: "90.72", Currency: "GBP", Bags: 1}}}
	in := func(o *reading.Open, message string) reading.Reading {
		return reading.Read(message, reading.Context{Now: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC), Open: o})
	}
	if r := in(open, "and the cheapest with a suitcase?"); r.Intent != reading.Filter || r.Flights == nil ||
		r.Flights.Bags != 1 {
		t.Errorf("%+v", r)
	}
	if r := in(open, "what did I just hold?"); r.Intent != reading.ListBookings {
		t.Errorf("%+v", r)
	}
	trip := *open
	trip.Last, trip.Trip = reading.LastTrip, "TR-0001"
	if r := in(&trip, "add a museum visit there on 24 May at 10:00"); r.Intent != reading.AddActivity ||
		r.Place != "" ||
		len(r.Missing) == 0 || r.Missing[0].Of != reading.OfPlace {
		t.Errorf("%+v", r)
	}
	if r := in(open, "thanks, bye"); r.Intent != reading.Thanks {
		t.Errorf("%+v", r)
	}
}

// What is wished while a question is open is kept, and the same is asked again.
func TestAWishWhileADayIsAskedForIsKept(t *testing.T) {
	t.Parallel()
	for _, wish := range []string{"with hold luggage", "with a checked bag, non-stop", "two adults"} {
		c := &talk{t: t, home: "LHR"}
		before, _, _ := c.say("flights to Lisbon next week")
		after, made, _ := c.say(wish)
		if len(made) > 0 || len(after.Missing) != 1 || after.Missing[0].Of != reading.OfDate ||
			!slices.Equal(after.Missing[0].Choices, before.Missing[0].Choices) || len(after.Missing[0].Choices) < 3 {
			t.Errorf("after %q %+v is asked, and %+v was", wish, after.Missing, before.Missing)
		}
		r, _, _ := c.say("the second one")
		if f := r.Flights; r.Intent != reading.SearchFlights || f.Departure != on(12, 2) ||
			strings.Contains(wish, "two") !=
				(f.Adults == 2) || strings.Contains(wish, "with") != (f.Bags == 1) {
			t.Errorf("after %q it is %+v", wish, f)
		}
	}
	c := &talk{t: t}
	c.say("hotel in Porto next week")
	if r, _, _ := c.say("with a pool"); r.Hotels == nil || len(r.Hotels.Amenities) != 1 ||
		r.Missing[0].Of != reading.OfCheckIn {
		t.Errorf("of a hotel it is %+v", r)
	}
}

// A week of a month is seven days, of which some are offered.
func TestDaysOfAWeekOfAMonthAreOffered(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"the first week of February": "2027-02-01 2027-02-03 2027-02-05 2027-02-06",
		"second week of March 2027":  "2027-03-08 2027-03-10 2027-03-12 2027-03-13",
		"the last week of January":   "2027-01-25 2027-01-27 2027-01-29 2027-01-30",
		"the 4th week of November":   "2026-11-25 2026-11-27 2026-11-28",
	} {
		r, _, _ := (&talk{t: t}).say("flights from London to Lisbon, " + said)
		var days []string
		for _, c := range r.Missing[0].Choices {
			days = append(days, c.Value)
		}
		if got := strings.Join(days, " "); got != want || len(r.Ignored) > 0 {
			t.Errorf("%q offers %s, and leaves %q", said, got, r.Ignored)
		}
	}
}

// A booking is found by the airline's reference; only a clear order acts on it.
func TestABookingIsNamedByItsReference(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"list_bookings": `{"bookings":[{"code":"TB-0003","title":"London to Rome",
		"type":"flight","reference":"42KM6N"},{"code":"TB-0007","title":"London to Lisbon","type":"flight","reference":"42KM6M"}]}`}
	for said, want := range map[string]string{
		"cancel the hold on 42KM6M":                         "cancel_booking",
		"please cancel 42KM6M":                              "cancel_booking",
		"pay for 42KM6M":                                    "pay_held_flight",
		"cancel the booking with the reference 42KM6M":      "cancel_booking",
		"show 42KM6M":                                       "get_booking",
		"what is the status of my booking 42KM6M?":          "get_booking",
		"what would it cost to cancel 42KM6M?":              "get_booking",
		"should I cancel 42KM6M?":                           "get_booking",
		"cancel 42KM6M if it is refundable":                 "get_booking",
		"what if I cancel 42KM6M and book another":          "get_booking",
		"cancel 7QW2ZZ":                                     "",
		"cancel the hold on 42KM6M and book K7M2-3 instead": "",
		"cancel 42KM6M on Friday for my friend Bob":         "",
		"don't pay for 42KM6M":                              "",
		"cancel BA2490":                                     "",
	} {
		c := &talk{t: t, answers: answers}
		_, made, text := c.say(said)
		got := ""
		for _, call := range made {
			if call.Tool == "list_bookings" {
				continue
			}
			got += call.Tool
			if string(call.Args) != `{"booking":"TB-0007"}` {
				t.Errorf("%q calls %s with %s", said, call.Tool, call.Args)
			}
		}
		if got != want {
			t.Errorf("%q calls %q, want %q; it is answered %s", said, got, want, text)
		}
	}
	c := &talk{t: t, answers: answers}
	if _, _, text := c.say("cancel 7QW2ZZ"); !strings.Contains(text, "no one booking with the reference “7QW2ZZ”") {
		t.Errorf("an unknown one is answered %s", text)
	}
}

// What cannot be sent is said so; of a trip there is a file.
func TestNothingIsSent(t *testing.T) {
	t.Parallel()
	for said, tool := range map[string]string{
		"send my itinerary to anna@example.com": "export_calendar", "email this booking to my wife": "",
		"please forward it to my boss": "",
	} {
		_, made, text := (&talk{t: t}).say(said)
		if !strings.Contains(text, "Nothing was sent") || len(made) > 1 || len(made) == 1 && made[0].Tool != tool ||
			tool != "" && len(made) == 0 {
			t.Errorf("%q makes %+v: %s", said, made, text)
		}
	}
	if _, made, _ := (&talk{t: t}).say("I prefer aisle seats and I am vegan"); len(made) != 2 ||
		made[0].Tool != "update_preferences" || made[1].Tool != "remember_decision" ||
		!strings.Contains(string(made[1].Args), "aisle seat") {
		t.Errorf("a preference and a decision make %+v", made)
	}
}
