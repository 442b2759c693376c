package hospitality_test

import (
	"strings"
	"testing"

	sink "github.com/bellhop-ai/bellhop/infra/local/mail"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// F-14, F-67: an email shown for one address is not sent to another one.
func TestAMailGoesToTheAddressThatWasShown(t *testing.T) {
	t.Parallel()
	p := newPostOffice(t, sink.None)
	code := p.guest("confirmed", "Priya", "good@example.com")
	a := p.askOf(p.call(`{"code":"` + code + `"}`))
	p.sql(`update public.reservations set guest_email = 'evil@example.com' where org_id = $1`)
	_, err := a.yes()
	fresh := a.changed(err, tool.Line{Label: "To", Before: "Priya <good@example.com>",
		After: "Priya <evil@example.com>"})
	if sent := p.server.Messages(); len(sent) != 0 {
		t.Fatalf("%d emails went out", len(sent))
	}
	if !strings.Contains(fresh.Text(), "- Changed since you were asked: To: was Priya") {
		t.Errorf("the question says %s", fresh.Text())
	}
	// The new question is one like any other.
	if r, err := a.next(fresh).yes(); err != nil || !strings.Contains(r.Text, "evil@example.com") {
		t.Fatalf("%q, %v", r.Text, err)
	}
	if sent := p.server.Messages(); len(sent) != 1 {
		t.Errorf("%d emails went out", len(sent))
	}
	// The old one is over.
	if old := a.next(a.proposal); old.proposal.State != consent.Superseded {
		t.Errorf("the first question is %s", old.proposal.State)
	}
}

// F-67: a setting of the property is bound like a row: the deposit that was shown
// is the one that is booked.
func TestADepositIsBookedAsShown(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.sql(`update public.room_types set weekday_price = 4914 where org_id = $1`)
	h.settings(`{"depositPercent": 10}`)
	a := h.ask("create_reservation", asha+`}`)
	h.settings(`{"depositPercent": 30}`)
	_, err := a.yes()
	fresh := a.changed(err, tool.Line{Label: "Deposit", Before: "₹1,474.20", After: "₹4,422.60"})
	if n := len(h.sql(`select from public.reservations where org_id = $1`)); n != 0 {
		t.Fatalf("%d bookings were made", n)
	}
	if _, err := a.next(fresh).yes(); err != nil {
		t.Fatal(err)
	}
	if made := h.sql(`select deposit_due::text as due from public.reservations where org_id = $1`); len(made) != 1 ||
		made[0]["due"] != "4422.60" {
		t.Errorf("booked is %v", made)
	}
}

// F-14: a cancellation shown with nothing paid does not run after a payment.
func TestACancellationKnowsWhatWasPaid(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	code := h.coded("create_reservation", asha+`}`)
	a := h.ask("cancel_reservation", `{"code":"`+code+`"}`)
	h.does("record_payment", `{"code":"`+code+`","amount":1000,"method":"upi"}`)
	_, err := a.yes()
	c := a.changed(err)
	if line := c.Preview.Changed[0]; line.Label != "Paid" || line.Before != "nothing" || !strings.HasPrefix(line.After,
		"₹1,000.00") {
		t.Errorf("the changes are %+v", c.Preview.Changed)
	}
	if left := h.sql(`select status from public.reservations where org_id = $1`); left[0]["status"] != "confirmed" {
		t.Errorf("it is %v", left)
	}
}

// What changes without being shown asks nothing again, and what has become
// impossible is said by the tool.
func TestOnlyWhatWasShownIsAskedAgain(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.must("create_extra", stargazing)
	other, same := h.ask("create_extra", `{"name":"Kayak","price":10,"per":"stay"}`),
		h.ask("create_extra", `{"name":"Canoe","price":10,"per":"stay"}`)
	h.must("update_extra", `{"extra":"STARGAZING","price":60}`)
	if r, err := other.yes(); err != nil || !strings.HasPrefix(r.Text, "Added the extra Kayak") {
		t.Errorf("%q, %v", r.Text, err)
	}
	h.must("create_extra", `{"name":"Canoe","price":1,"per":"stay"}`)
	_, err := same.yes()
	sentence(t, err, fault.Conflict, "Canoe")
	if len(h.sql(`select from public.extras where org_id = $1`)) != 3 {
		t.Error("a name was given twice")
	}
	// A yes of yesterday's day is none.
	late := h.ask("create_extra", `{"name":"Raft","price":10,"per":"stay"}`)
	h.sql(`update public.proposals set read_at = read_at - interval '1 day' where org_id = $1 and state = 'pending'`)
	if _, err := late.yes(); err != nil { // it shows the same today
		t.Error(err)
	}
}

// F-67: a question about one extra rests on that extra, whatever becomes of the
// others in the list that it was found in.
func TestAQuestionRestsOnItsOwnRowOfAList(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.does("create_extra", `{"name":"Kayak","price":500,"per":"stay"}`)
	h.does("create_extra", `{"name":"Canoe","price":400,"per":"stay"}`)
	kayak := h.ask("update_extra", `{"extra":"Kayak","price":550}`)
	asked := h.sql(`select read_at from public.proposals where org_id = $1 and state = 'pending'`)
	h.does("update_extra", `{"extra":"Canoe","price":450}`)
	if _, err := kayak.yes(); err != nil {
		t.Fatal(err)
	}
	if r := h.sql(`select read_at from public.proposals where org_id = $1 and args_text like '%Kayak%550%'`); len(r) != 1 ||
		r[0]["read_at"] != asked[0]["read_at"] {
		t.Errorf("what the question rests on was read again: %v, first %v", r, asked)
	}
	// Its own row is bound, also when it is gone.
	kayak = h.ask("update_extra", `{"extra":"Kayak","price":600}`)
	h.sql(`update public.extras set price = 575 where org_id = $1 and name = 'Kayak'`)
	_, err := kayak.yes()
	kayak.changed(err, tool.Line{Label: "Price", Before: "₹550.00", After: "₹575.00"})
	canoe := h.ask("delete_extra", `{"extra":"Canoe"}`)
	h.does("delete_extra", `{"extra":"Canoe"}`)
	if _, err := canoe.yes(); err == nil {
		t.Error("what is gone was deleted again")
	}
}
