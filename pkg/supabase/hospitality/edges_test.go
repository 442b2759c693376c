package hospitality_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

func TestWhatMakesNoSenseIsRefusedWithASentence(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.coupon("SUMMER-1", 10, 5)
	h.sql(`update public.coupons set name = '' where org_id = $1`)
	_, err := h.run("simulate_pricing", `{"room":"COCO","check_in":"9999-12-31"}`)
	sentence(t, err, fault.Invalid, "before the end of the year 9999")
	_, err = h.look("remove_pricing_tier", `{"tier":" "}`)
	sentence(t, err, fault.Invalid, "Name the tier to remove.")
	// A coupon without a name is called by its code.
	_, err = h.run("get_coupon_details", `{"coupon":"sumer-1"}`)
	sentence(t, err, fault.NotFound, "Did you mean SUMMER-1?")
	// One that was used is taken out of use once.
	h.does("create_reservation", asha+`,"coupon":"SUMMER-1"}`)
	h.does("delete_coupon", `{"coupon":"SUMMER-1"}`)
	_, err = h.look("delete_coupon", `{"coupon":"SUMMER-1"}`)
	sentence(t, err, fault.Conflict, "The coupon SUMMER-1 is out of use already.")
}

func TestTheNextFreeDayIsFoundFarAhead(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 2)
	// Both units are full, one for half a year and one for three; two nights lie
	// between the stays of the first.
	h.book("2031-03-01", "2031-03-20", "confirmed", 5200, 0, "COCO")
	h.book("2031-03-22", "2031-09-01", "confirmed", 5200, 0, "COCO")
	h.block("2031-01-01", "2034-01-01", "COCO-2")
	for nights, want := range map[string]string{
		`"2031-03-10","check_out":"2031-03-12"`: "from 20-Mar-2031",
		`"2031-03-10","check_out":"2031-03-13"`: "from 01-Sep-2031",
	} {
		if r := h.must("check_availability", `{"room":"COCO","check_in":`+nights+`}`); !strings.Contains(r.Text,
			want) {
			t.Errorf("for %s it says %q, want %q", nights, r.Text, want)
		}
	}
}

func TestARestorationIsNotAskedForWithoutItsCoupon(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 1)
	h.coupon("ONCE", 10, 1)
	code := h.coded("create_reservation", asha+`,"coupon":"ONCE"}`)
	h.does("cancel_reservation", `{"code":"`+code+`"}`)
	other := h.coded("create_reservation", strings.Replace(asha, "COCO", "BIRCH", 1)+`,"coupon":"ONCE"}`)
	_, err := h.look("restore_reservation", `{"code":"`+code+`"}`)
	sentence(t, err, fault.Conflict, "The coupon ONCE of "+code+" was used up by others since")
	// Who cancelled owes nothing: what was paid goes back.
	h.does("record_payment", `{"code":"`+other+`","method":"cash","amount":1000}`)
	h.does("cancel_reservation", `{"code":"`+other+`"}`)
	refund := `{"code":"` + other + `","method":"cash","amount":400}`
	if got := h.sheet("record_refund", refund); !strings.Contains(got, "Paid: ₹1,000.00 → ₹600.00") ||
		strings.Contains(got, "To pay") {
		t.Errorf("it shows\n%s", got)
	}
	if r := h.does("record_refund", refund); !strings.HasSuffix(r.Text, "for reservation "+other+" of Asha Rao.") {
		t.Errorf("it says %q", r.Text)
	}
	h.does("restore_reservation", `{"code":"`+code+`"}`)
}
