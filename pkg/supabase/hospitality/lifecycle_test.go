package hospitality_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

const asha = `{"room":"COCO","check_in":"2031-03-10","check_out":"2031-03-13","adults":2,"guest_name":"Asha Rao"`

// on moves a reservation's dates past all rules, as if they had been booked so.
func (h *hotel) on(code, in, out string) {
	h.t.Helper()
	h.sql(`update public.reservations set check_in = $3::text::date, check_out = $4::text::date where org_id = $1
		and code = $2`, code, in, out)
}

// S0-40: the tests' today is 15-Jan-2031.
func TestAReservationMovesOnStepByStep(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	code := h.coded("create_reservation", asha+`,"status":"pending"}`)
	refused := func(status, says string) {
		t.Helper()
		_, err := h.look("update_reservation_status", `{"code":"`+code+`","status":"`+status+`"}`)
		sentence(t, err, fault.Unprocessable, says)
		_, err = h.run("update_reservation_status", `{"code":"`+code+`","status":"`+status+`"}`)
		sentence(t, err, fault.Unprocessable, says)
	}
	refused("checked_in", "is still pending. Confirm it first.")
	refused("checked_out", "is not checked in, so nobody can check out.")
	refused("no_show", "is not expected before 10-Mar-2031")
	lines(t, h.sheet("update_reservation_status", `{"code":" `+strings.ToLower(code)+`","status":"confirmed"}`),
		"Set "+code+" to confirmed",
		"Reservation "+code+": Asha Rao, Coco (COCO), 10-Mar-2031 to 13-Mar-2031 (3 nights)",
		"Status: pending → confirmed",
	)
	if r := h.does("update_reservation_status", `{"code":"`+code+`","status":"confirmed"}`); r.Text != "Reservation "+
		code+" of Asha Rao is confirmed now." {
		t.Errorf("it says %q", r.Text)
	}
	refused("confirmed", "is confirmed already")
	refused("checked_in", "arrives on 10-Mar-2031; today is 15-Jan-2031")
	h.on(code, "2031-01-12", "2031-01-15")
	refused("checked_in", "ended on 15-Jan-2031")
	h.on(code, "2031-01-14", "2031-01-16")
	if got := h.sheet("update_reservation_status", `{"code":"`+code+`","status":"checked_in"}`); !strings.Contains(got,
		"was expected on 14-Jan-2031") {
		t.Errorf("it shows\n%s", got)
	}
	h.does("update_reservation_status", `{"code":"`+code+`","status":"checked_in"}`)
	refused("no_show", "from there it can't become no show")
	_, err := h.look("cancel_reservation", `{"code":"`+code+`"}`)
	sentence(t, err, fault.Unprocessable, "is checked in and can't be cancelled")
	_, err = h.look("delete_reservation", `{"code":"`+code+`"}`)
	sentence(t, err, fault.Unprocessable, "belongs to the records")
	if got := h.sheet("update_reservation_status", `{"code":"`+code+
		`","status":"checked_out"}`); !strings.Contains(got,
		"leaves before 16-Jan-2031") || !strings.Contains(got, "₹15,600.00 is still to be paid") {
		t.Errorf("it shows\n%s", got)
	}
	h.does("update_reservation_status", `{"code":"`+code+`","status":"checked_out"}`)
	refused("checked_in", "is checked out; from there it can't become checked in")
	times := h.sql(`select checked_in_at is not null and checked_out_at is not null as kept from
		public.reservations where org_id = $1`)
	if times[0]["kept"] != true {
		t.Error("the times are not kept")
	}
	_, err = h.prepare("update_reservation_status", `{"code":"`+code+`","status":"cancelled"}`)
	sentence(t, err, fault.Invalid, "status must be one of confirmed, checked_in, checked_out, no_show")
}

func TestANoShowFreesTheNightsAndMayBeUndone(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	code := h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-01-15","check_out":"2031-01-18","adults":2,"guest_name":"Asha Rao"}`)
	h.does("update_reservation_status", `{"code":"`+code+`","status":"no_show"}`)
	other := h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-01-16","check_out":"2031-01-17","adults":2,"guest_name":"Bram Dov"}`)
	_, err := h.look("restore_reservation", `{"code":"`+code+`"}`)
	sentence(t, err, fault.Conflict, "COCO of "+code+" is taken by booking "+other+" from 16-Jan-2031 to 17-Jan-2031")
	_, err = h.run("restore_reservation", `{"code":"`+code+`"}`)
	sentence(t, err, fault.Conflict, "is taken by booking "+other)
	h.does("cancel_reservation", `{"code":"`+other+`"}`)
	if r := h.does("restore_reservation", `{"code":"`+code+`"}`); r.Text != "Restored reservation "+code+
		" of Asha Rao, confirmed as before." {
		t.Errorf("it says %q", r.Text)
	}
}

// S0-40: the money of a cancellation, its coupon, the second time, and the way back.
func TestACancellationTellsItsMoneyAndCanBeUndone(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.coupon("ONCE", 10, 1)
	h.settings(`{"depositPercent": 50, "freeCancelDays": 7}`)
	// Three nights of 5,200.00 less 10 %: 14,040.00; the deposit is 7,020.00.
	code := h.coded("create_reservation", asha+`,"coupon":"ONCE"}`)
	h.does("record_payment", `{"code":"`+code+`","amount":10000,"method":"upi","reference":"UPI-1"}`)
	lines(t, h.sheet("cancel_reservation", `{"code":"`+code+`","reason":"Ill"}`),
		"Cancel "+code,
		"Reservation "+code+": Asha Rao, Coco (COCO), 10-Mar-2031 to 13-Mar-2031 (3 nights)",
		"Paid: ₹10,000.00, all of it to be given back",
		"Free of charge until: 03-Mar-2031",
		"Coupon: ONCE can be used again",
		"Reason: Ill",
	)
	_, err := h.look("create_reservation",
		`{"room":"COCO","check_in":"2031-04-10","check_out":"2031-04-13","adults":2,"guest_name":"Bram",`+
			`"coupon":"ONCE"}`)
	sentence(t, err, fault.Unprocessable, "used as often as it may be")
	if r := h.does("cancel_reservation", `{"code":"`+code+`","reason":"Ill"}`); r.Text != "Cancelled reservation "+
		code+" of Asha Rao. The nights are free again." {
		t.Errorf("it says %q", r.Text)
	}
	if r := h.must("check_availability", `{"room":"COCO","check_in":"2031-03-10","check_out":"2031-03-13"}`); !strings.Contains(r.Text, "is available") {
		t.Errorf("it says %q", r.Text)
	}
	// Once more is nothing to do, and says so; and a caller who sends it past the preview changes nothing.
	_, err = h.look("cancel_reservation", `{"code":"`+code+`"}`)
	sentence(t, err, fault.Conflict, code+" is cancelled already, so there is nothing to do.")
	before := h.sql(`select version, cancellation_reason from public.reservations where org_id = $1`)
	h.must("cancel_reservation", `{"code":"`+code+`","reason":"Again"}`)
	after := h.sql(`select version, cancellation_reason from public.reservations where org_id = $1`)
	if before[0]["version"] != after[0]["version"] || after[0]["cancellation_reason"] != "Ill" {
		t.Errorf("the second cancellation changed %v to %v", before, after)
	}
	// The coupon is free again, and then it is not: the agreed price can't come back.
	other := h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-04-10","check_out":"2031-04-13","adults":2,"guest_name":"Bram",`+
			`"coupon":"ONCE"}`)
	_, err = h.run("restore_reservation", `{"code":"`+code+`"}`)
	sentence(t, err, fault.Conflict, "The coupon ONCE of "+code+" was used up by others since")
	h.does("cancel_reservation", `{"code":"`+other+`"}`)
	h.does("restore_reservation", `{"code":"`+code+`"}`)
	back := h.sql(`select r.status, r.cancelled_at, r.cancellation_reason, r.total, s.active,
		(select count(*)::int from public.coupon_uses u where u.org_id = r.org_id and u.reservation_id = r.id) as used
		from public.reservations r join public.stays s on s.org_id = r.org_id and s.reservation_id = r.id where
			r.org_id = $1 and r.code = $2`, code)
	if b := back[0]; b["status"] != "confirmed" || b["cancelled_at"] != nil || b["cancellation_reason"] != nil ||
		b["total"] != "14040.00" ||
		b["active"] != true || b["used"] != int32(1) {
		t.Errorf("restored as %v", back)
	}
	_, err = h.look("restore_reservation", `{"code":"`+code+`"}`)
	sentence(t, err, fault.Unprocessable, "neither cancelled nor a no-show")
	// Five days before arrival the deposit is kept.
	h.on(code, "2031-01-20", "2031-01-23")
	lines(t, h.sheet("cancel_reservation", `{"code":"`+code+`"}`),
		"Cancel "+code,
		"Reservation "+code+": Asha Rao, Coco (COCO), 20-Jan-2031 to 23-Jan-2031 (3 nights)",
		"Paid: ₹10,000.00, of which the deposit of ₹7,020.00 is kept and ₹2,980.00 given back",
		"Coupon: ONCE can be used again",
		"! "+code+" could be cancelled free of charge until 13-Jan-2031.",
	)
	// Money was taken: this can't be deleted.
	_, err = h.look("delete_reservation", `{"code":"`+code+`"}`)
	sentence(t, err, fault.Unprocessable, "There are payments on "+code)
	_, err = h.run("delete_reservation", `{"code":"`+code+`"}`)
	sentence(t, err, fault.Unprocessable, "Cancel it instead.")
	if r := h.does("delete_reservation", `{"code":"`+other+`"}`); r.Text != "Deleted reservation "+other+"." {
		t.Errorf("it says %q", r.Text)
	}
	left := h.sql(`select (select count(*)::int from public.reservations where org_id = $1) as reservations, (select
		count(*)::int from public.stays where org_id = $1) as stays,
		(select count(*)::int from public.audit where org_id = $1 and table_name = 'reservations' and action =
			'delete' and row_key = $2) as remembered`, other)
	if left[0]["reservations"] != int32(1) || left[0]["stays"] != int32(1) || left[0]["remembered"] != int32(1) {
		t.Errorf("left are %v", left)
	}
}

func TestMoneyIsWrittenDownOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 1)
	code := h.coded("create_reservation", asha+`}`) // 15,600.00
	h.coded("create_reservation", `{"room":"BIRCH","check_in":"2031-02-10","check_out":"2031-02-11","adults":2,`+
		`"guest_name":"Bram Dov"}`)
	payment := `{"code":"` + code + `","amount":5600,"method":"bank_transfer","received_on":"2031-01-14",` +
		`"reference":"=SUM(A1)"}`
	lines(t, h.sheet("record_payment", payment),
		"Record a payment of ₹5,600.00 for "+code,
		"Reservation "+code+": Asha Rao, Coco (COCO), 10-Mar-2031 to 13-Mar-2031 (3 nights)",
		"Amount: ₹5,600.00",
		"Method: bank transfer",
		"Day: 14-Jan-2031",
		"Reference: =SUM(A1)",
		"To pay: ₹15,600.00 → ₹10,000.00",
		"! This only writes the money down; nothing is charged or sent.",
	)
	// F-37: the same yes again is the same receipt.
	a := h.ask("record_payment", payment)
	first, err := a.yes()
	if err != nil {
		t.Fatal(err)
	}
	second, err := a.yes()
	if err != nil || string(first.Data) != string(second.Data) || first.Text != second.Text {
		t.Errorf("first %s, then %s, %v", first.Data, second.Data, err)
	}
	if !strings.HasPrefix(first.Text, "Recorded a payment of ₹5,600.00 by bank transfer on 14-Jan-2031 (PAY-") ||
		!strings.HasSuffix(first.Text, "To pay: ₹10,000.00.") {
		t.Errorf("it says %q", first.Text)
	}
	for arguments, says := range map[string]string{
		`"amount":10000.01`: "owes only ₹10,000.00",
		`"amount":20000`:    "owes only ₹10,000.00",
	} {
		_, err := h.look("record_payment", `{"code":"`+code+`","method":"cash",`+arguments+`}`)
		sentence(t, err, fault.Unprocessable, says)
	}
	for arguments, says := range map[string]string{
		`"amount":0`:                            "above zero",
		`"amount":-5`:                           "above zero",
		`"amount":1.005`:                        "at most 2 decimals",
		`"amount":1e9`:                          "must not be above 99999999",
		`"amount":"none"`:                       "amount must be a number",
		`"amount":1,"received_on":"2031-01-16"`: "lies in the future; today is 15-Jan-2031",
	} {
		_, err := h.look("record_payment", `{"code":"`+code+`","method":"cash",`+arguments+`}`)
		sentence(t, err, fault.Invalid, says)
	}
	_, err = h.look("record_refund", `{"code":"`+code+`","method":"cash","amount":5600.01}`)
	sentence(t, err, fault.Unprocessable, "Only ₹5,600.00 was paid for "+code)
	due := h.must("list_balances_due", `{}`)
	if due.Text != "2 reservations owe ₹15,200.00 in all." ||
		due.Records != 2 { // 10,000.00 and Birch's night of 5,200.00
		t.Errorf("it says %q", due.Text)
	}
	if due := h.must("list_balances_due",
		`{"arrival_until":"2031-02-10"}`); due.Text != "1 reservation owes ₹5,200.00 in all." {
		t.Errorf("it says %q", due.Text)
	}
	h.does("record_refund", `{"code":"`+code+`","method":"upi","amount":5600,"note":"Too early"}`)
	if r := h.must("get_reservation_details", `{"code":"`+code+`"}`); !strings.Contains(r.Text,
		"of which ₹15,600.00 is still to be paid") {
		t.Errorf("it says %q", r.Text)
	}
}

// An expired hold is gone for everybody who looks or books, and is cancelled by
// a caller who books its nights.
func TestAHoldLapses(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.coupon("ONCE", 10, 1)
	if got := h.sheet("create_reservation", asha+`,"status":"pending","hold_hours":2}`); !strings.Contains(got,
		"Status: pending; it lapses after 2 hours") {
		t.Errorf("it shows\n%s", got)
	}
	code := h.coded("create_reservation", asha+`,"status":"pending","hold_hours":2,"coupon":"ONCE"}`)
	_, err := h.look("create_reservation", asha+`}`)
	sentence(t, err, fault.Conflict, "is taken")
	h.sql(`update public.reservations set hold_until = now() - interval '1 second' where org_id = $1`)
	if r := h.must("check_availability", `{"room":"COCO","check_in":"2031-03-10","check_out":"2031-03-13"}`); !strings.Contains(r.Text, "is available") {
		t.Errorf("it says %q", r.Text)
	}
	// A full house would cost more; the only unit counts as empty.
	if r := h.must("simulate_pricing", `{"room":"COCO","check_in":"2031-03-10","check_out":"2031-03-13"}`); !strings.Contains(string(r.Data), `"occupancy":0`) || strings.Contains(string(r.Data), `"occupancy":100`) {
		t.Errorf("the price is %s", r.Data)
	}
	if r := h.must("get_reservation_details", `{"code":"`+code+`"}`); !strings.Contains(r.Text, "the hold is over") {
		t.Errorf("it says %q", r.Text)
	}
	other := h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-03-12","check_out":"2031-03-14","adults":1,"guest_name":"Bram Dov"}`)
	state := h.sql(`select code, status, cancellation_reason from public.reservations where org_id = $1 order by
		created_at`)
	if state[0]["status"] != "cancelled" || state[0]["cancellation_reason"] != "The hold was over." ||
		state[1]["code"] != other {
		t.Errorf("the reservations are %v", state)
	}
	if n := len(h.sql(`select from public.coupon_uses where org_id = $1`)); n != 0 {
		t.Error("the lapsed hold keeps its coupon")
	}
	// A guest who comes in time keeps the room.
	held := h.coded("create_reservation",
		`{"room":"COCO","check_in":"2031-05-12","check_out":"2031-05-14","adults":1,"guest_name":"Esme",`+
			`"status":"pending"}`)
	h.does("update_reservation_status", `{"code":"`+held+`","status":"confirmed"}`)
	var d struct{ Reservations []struct{ Status string } }
	if r := h.must("search_reservations", `{"query":"Esme"}`); json.Unmarshal(r.Data, &d) != nil ||
		d.Reservations[0].Status != "confirmed" {
		t.Errorf("it is %s", r.Data)
	}
}
