package hospitality_test

import (
	"strings"
	"testing"
)

// What managers said of a morning and what was read wrongly, or not at all: typing errors,
// rows that are pointed to, fragments, parts of months, hours, and what a call would leave
// out. Each line is what the person says, then the calls or a part of the answer.
func TestAMorningInOnesOwnWords(t *testing.T) {
	t.Parallel()
	type turn struct{ said, want string }
	for name, turns := range map[string][]turn{
		"a typing error in a day": {
			{"who is leaving tomrrow", `get_today_checkouts {"date":"2026-11-21"}`}},
		"a fragment about something else keeps the day": {
			{"who arrives tomorrow?", `get_today_checkins {"date":"2026-11-21"}`},
			{"and who leaves?", `get_today_checkouts {"date":"2026-11-21"}`}},
		"the day before": {
			{"revenue yesterday", `get_revenue_stats {"start_date":"2026-11-19","end_date":"2026-11-19"}`},
			{"and the day before?", `get_revenue_stats {"start_date":"2026-11-18","end_date":"2026-11-18"}`}},
		"a part of a month": {{"occupancy for the first week of December",
			`get_occupancy_stats {"start_date":"2026-12-01","end_date":"2026-12-07"}`}},
		"an hour is no number of guests": {{"guest of H3VWXY comes at 11 pm", `?`}},
		"what has nights is no price": {{"honeymoon package at least 2 nights",
			`update_package {"package":"honeymoon","min_nights":2}`}},
		"the last day of a coupon": {{"extend WELCOME10 to 28 February",
			`update_coupon {"coupon":"WELCOME10","valid_to":"2027-02-28"}`}},
		"what nobody wants made": {{"extra guest in Deodar 900 per night", `?`}},
		"two periods of one figure": {{"occupancy last month vs this month",
			`get_occupancy_stats {"start_date":"2026-10-01","end_date":"2026-10-31"} + ` +
				`get_occupancy_stats {"start_date":"2026-11-01","end_date":"2026-11-30"}`}},
		"two periods of a comparison": {{"compare last month with this month",
			`compare_periods {"start_date":"2026-10-01","end_date":"2026-10-31",` +
				`"other_start_date":"2026-11-01","other_end_date":"2026-11-30"}`}},
		"a couple is no room": {
			{"is Saffron free for the coming weekend?",
				`check_availability {"room":"Saffron","check_in":"2026-11-20","check_out":"2026-11-22"}`},
			{"what would two nights in it cost for a couple?",
				`simulate_pricing {"room":"Saffron","check_in":"2026-11-20","check_out":"2026-11-22","adults":2}`}},
		"a day without its month": {{"why is Coco not available on the 4th?",
			`check_availability {"room":"Coco","check_in":"2026-12-04","check_out":"2026-12-05"}`}},
		"a booking by its guest": {{"show me everything about booking of Tilda",
			`get_reservation_details {"code":"Tilda"}`}},
		"two rooms in one call": {{"block Walnut and Deodar from 5 to 7 January for renovation",
			`block_dates {"rooms":["Walnut","Deodar"],"start_date":"2027-01-05","end_date":"2027-01-07",` +
				`"reason":"renovation"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newSession(t)
			for _, one := range turns {
				_, calls, reply := d.say(one.said)
				if calls != one.want && (one.want != "?" || calls != "" || !strings.HasSuffix(reply, "?")) {
					t.Errorf("%q calls %s, says %q; want %s", one.said, calls, reply, one.want)
				}
			}
		})
	}
}

// A row of the list that was shown is pointed to by its place.
func TestTheSecondOne(t *testing.T) {
	t.Parallel()
	d := newSession(t)
	d.result = `{"said":"Two match.","data":{"reservations":[{"code":"K7QMPX"},{"code":"H3VWXY"}]}}`
	d.say("find the bookings of Meera")
	if _, calls, reply := d.say("the second one"); calls != `get_reservation_details {"code":"H3VWXY"}` {
		t.Errorf("it calls %s, says %q", calls, reply)
	}
}

// A yes to the one reading that was offered runs it; other words are read anew.
func TestAYesToTheOneOffer(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"yes":            `get_revenue_stats {}`,
		"check in Tilda": `update_reservation_status {"code":"Tilda","status":"checked_in"}`,
	} {
		d := newSession(t)
		_, calls, reply := d.say("revenue of Birch this year")
		if calls != "" || !strings.HasSuffix(reply, "Is that it?") {
			t.Fatalf("it calls %s, says %q", calls, reply)
		}
		if _, calls, reply = d.say(said); !strings.HasPrefix(calls, strings.TrimSuffix(want, "{}")) {
			t.Errorf("%q calls %s, says %q; want %s", said, calls, reply, want)
		}
	}
}
