package hospitality_test

import (
	"strings"
	"testing"
)

// Extras that the data names are booked along; those that nobody has
// heard of are asked about rather than left out.
func TestExtrasOfABookingAreTheOnesThatAreKnown(t *testing.T) {
	const book = "Book COCO 3 January to 5 January for Noor Khan, 2 adults"
	d := newSession(t)
	d.result = `{"extras":[{"code":"BASKET","name":"Breakfast Basket","price":"12.00"},` +
		`{"code":"PICKUP","name":"Airport Pickup","price":"40.00"}]}`
	d.say("Which extras do we have?")
	d.result = "{}"
	_, calls, reply := d.say(book + " with breakfast basket and airport pickup")
	if want := `"extras":[{"extra":"Breakfast Basket"},{"extra":"Airport Pickup"}]`; !strings.Contains(calls, want) {
		t.Errorf("booked with %q, said %q, want %s", calls, reply, want)
	}
	_, calls, reply = newSession(t).say(book + " with breakfast")
	if calls != "" || !strings.Contains(reply, "?") {
		t.Errorf("unknown extras: called %q, said %q", calls, reply)
	}
	if _, calls, _ = newSession(t).say(book); !strings.HasPrefix(calls, "create_reservation ") {
		t.Errorf("without extras: %q", calls)
	}
}
