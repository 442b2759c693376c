package hospitality_test

import (
	"strings"
	"testing"
)

// What is said of several things at once is done for each of them, or what was left out is
// asked about. Each line is what the person says, then the calls.
func TestNothingOfAListIsLeftOut(t *testing.T) {
	t.Parallel()
	off := func(item string) string {
		return `toggle_chef_menu_availability {"item":"` + item + `","available":false}`
	}
	for said, want := range map[string][]string{
		"no trout and no soup":                            {off("trout"), off("soup")},
		"the trout, the soup and the rajma are off today": {off("trout"), off("soup"), off("rajma")},
		"check in Tilda and Saffron": {`update_reservation_status {"code":"Tilda","status":"checked_in"}`,
			`update_reservation_status {"code":"Saffron","status":"checked_in"}`},
		"check in Tilda and check out Saffron": {`update_reservation_status {"code":"Tilda","status":"checked_in"}`,
			`update_reservation_status {"code":"Saffron","status":"checked_out"}`},
		"cancel K7QMPX and H3VWXY": {`cancel_reservation {"code":"K7QMPX"}`, `cancel_reservation {"code":"H3VWXY"}`},
		"is Birch or COCO free tomorrow": {
			`check_availability {"room":"Birch","check_in":"2026-11-21","check_out":"2026-11-22"}`,
			`check_availability {"room":"COCO","check_in":"2026-11-21","check_out":"2026-11-22"}`},
		"block COCO on 24 December and 31 December for maintenance": {
			`block_dates {"rooms":["COCO"],"start_date":"2026-12-24","end_date":"2026-12-24","reason":"maintenance"}`,
			`block_dates {"rooms":["COCO"],"start_date":"2026-12-31","end_date":"2026-12-31","reason":"maintenance"}`},
		"block COCO and BIRCH on 3 and 5 December for maintenance": {
			`block_dates {"rooms":["COCO","BIRCH"],"start_date":"2026-12-03","end_date":"2026-12-03",` +
				`"reason":"maintenance"}`,
			`block_dates {"rooms":["COCO","BIRCH"],"start_date":"2026-12-05","end_date":"2026-12-05",` +
				`"reason":"maintenance"}`},
		"block COCO 6 and 7 December for maintenance": {
			`block_dates {"rooms":["COCO"],"start_date":"2026-12-06","end_date":"2026-12-07","reason":"maintenance"}`},
		"block COCO between 3 and 5 December for maintenance": {
			`block_dates {"rooms":["COCO"],"start_date":"2026-12-03","end_date":"2026-12-05","reason":"maintenance"}`},
		"delete the extras Night Walk and Bonfire Evening": {`delete_extra {"extra":"Night Walk"}`,
			`delete_extra {"extra":"Bonfire Evening"}`},
		"set the price of Night Walk to 500 and Bonfire Evening to 700": {
			`update_extra {"extra":"Night Walk","price":500}`, `update_extra {"extra":"Bonfire Evening","price":700}`},
		"K7QMPX paid 500 and H3VWXY paid 700 cash": {`record_payment {"code":"K7QMPX","amount":500,"method":"cash"}`,
			`record_payment {"code":"H3VWXY","amount":700,"method":"cash"}`},
		"put K7QMPX in Birch and H3VWXY in COCO": {`edit_reservation {"code":"K7QMPX","room":"Birch"}`,
			`edit_reservation {"code":"H3VWXY","room":"COCO"}`},
		"occupancy in October and September": {
			`get_occupancy_stats {"start_date":"2026-10-01","end_date":"2026-10-31"}`,
			`get_occupancy_stats {"start_date":"2026-09-01","end_date":"2026-09-30"}`},
		"set the weekend price of BIRCH to 9000 and then list the extras": {
			`update_room_type {"room":"BIRCH","weekend_price":9000}`, `list_extras {}`},
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			_, calls, reply := newSession(t).say(said)
			if got := strings.Join(want, " + "); calls != got {
				t.Errorf("it calls %s, says %q; want %s", calls, reply, got)
			}
		})
	}
}

// When the first of two requests fails, the answer says that the second was not done.
func TestWhatAFailureLeavesUndoneIsSaid(t *testing.T) {
	t.Parallel()
	d := newSession(t)
	d.result = `Error: There is no reservation QQQQQQ.`
	_, calls, reply := d.say("cancel QQQQQQ and list the extras")
	if calls != `cancel_reservation {"code":"QQQQQQ"}` ||
		!strings.Contains(reply, "I have not done “list the extras”") {
		t.Errorf("it calls %s, says %q", calls, reply)
	}
}

// The one thing that a wrong name can only have meant is taken by its code; what is merely
// spelled alike is not.
func TestAWordOfANameIsEnough(t *testing.T) {
	t.Parallel()
	d := newSession(t)
	d.result = `Error: There is no dish "trout". Did you mean Trout with Lemon Butter (TROUT)?`
	if _, calls, _ := d.say("no trout tonight"); !strings.HasSuffix(calls,
		` + toggle_chef_menu_availability {"item":"TROUT","available":false}`) {
		t.Errorf("it calls %s", calls)
	}
	d = newSession(t)
	d.result = `Error: There is no dish "tomato curry". Did you mean Hill Lamb Curry (LAMB)?`
	if _, calls, reply := d.say("no tomato curry tonight"); strings.Contains(calls, "LAMB") ||
		!strings.Contains(reply, "Did you mean Hill Lamb Curry") {
		t.Errorf("it calls %s, says %q", calls, reply)
	}
}
