package hospitality_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// use stores that a booking has used a coupon.
func (h *hotel) use(coupon, reservation string) {
	h.t.Helper()
	h.sql(`insert into public.coupon_uses (org_id, entity_id, coupon_id, reservation_id, amount)
		select c.org_id, c.entity_id, c.id, r.id, 1 from public.coupons c, public.reservations r
		where c.org_id = $1 and c.code = $2 and r.org_id = $1 and r.code = $3`, coupon, reservation)
}

// S0-39: from its making to its end, each step seen before it is done.
func TestACouponsLife(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	p, err := h.previewOf("create_coupon",
		`{"code":" spring25 ","name":"Spring","kind":"percent","amount":25,"max_discount":1000,`+
			`"valid_to":"2031-03-31","min_nights":2,"usage_limit":1,"rooms":["coco"]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []tool.Line{
		{Label: "Property", After: h.by.Entity.Name}, {Label: "Takes off the rooms", After: "25 %, at most ₹1,000.00"},
		{Label: "Conditions", After: "booked until 31-Mar-2031; at least 2 nights; only for COCO"},
		{Label: "Uses", After: "0 of 1"}, {Label: "Active", After: "yes"},
	}
	if !cmp.Equal(p.Lines, want) {
		t.Errorf("the preview is\n%s", cmp.Diff(want, p.Lines))
	}
	call, err := h.prepare("create_coupon",
		`{"code":"spring25","name":"Spring","kind":"percent","amount":25,"max_discount":1000,`+
			`"valid_to":"2031-03-31","min_nights":2,"usage_limit":1,"rooms":["coco"]}`)
	if err != nil {
		t.Fatal(err)
	}
	ctx := h.consented(call)
	var first tool.Result
	for n := range 3 {
		r, err := call.Run(ctx, h.by)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			first = r
		} else if string(r.Data) != string(first.Data) {
			t.Errorf("sent again, it is %s and not %s", r.Data, first.Data)
		}
	}
	if want := "Added the coupon SPRING25: 25 %, at most ₹1,000.00 off the rooms; booked until 31-Mar-2031; at " +
		"least 2 nights; only for COCO."; first.Text != want {
		t.Errorf("it says %q", first.Text)
	}
	// 5,200 + 6,400.50 for Thursday and Friday; a quarter is more than the most.
	if r := h.must("validate_coupon", `{"coupon":"Spring25","room":"Coco","check_in":"2031-01-16",`+
		`"check_out":"2031-01-18"}`); r.Text !=
		"The coupon SPRING25 is valid: it takes ₹1,000.00 off rooms for ₹11,600.50." {
		t.Errorf("it says %q", r.Text)
	}
	p, err = h.previewOf("update_coupon", `{"coupon":"SPRING25","amount":20,"clear":["max_discount"],"rooms":[]}`)
	if err != nil {
		t.Fatal(err)
	}
	want = []tool.Line{{Label: "Takes off the rooms", Before: "25 %, at most ₹1,000.00", After: "20 %"},
		{Label: "Conditions", Before: "booked until 31-Mar-2031; at least 2 nights; only for COCO",
			After: "booked until 31-Mar-2031; at least 2 nights"}}
	if !cmp.Equal(p.Lines, want) {
		t.Errorf("the change shows\n%s", cmp.Diff(want, p.Lines))
	}
	h.must("update_coupon", `{"coupon":"SPRING25","amount":20,"clear":["max_discount"],"rooms":[]}`)
	if got := rows(h.must("list_coupons", `{}`)); len(got) != 1 || got[0][2] != "20 %" ||
		got[0][3] != "booked until 31-Mar-2031; at least 2 nights" {
		t.Errorf("the list shows %v", got)
	}
	// Used once, it is kept and taken out of use.
	h.use("SPRING25", h.book("2031-01-20", "2031-01-22", "confirmed", 100, 0, "COCO"))
	p, err = h.previewOf("delete_coupon", `{"coupon":"spring25"}`)
	if err != nil || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "taken out of use instead of deleted") {
		t.Errorf("the preview warns %q (%v)", p.Warnings, err)
	}
	if r := h.must("delete_coupon", `{"coupon":"spring25"}`); !strings.HasPrefix(r.Text,
		"Took the coupon SPRING25 out of use.") {
		t.Errorf("it says %q", r.Text)
	}
	h.must("create_coupon", `{"code":"OOPS","kind":"fixed","amount":5}`)
	if r := h.must("delete_coupon", `{"coupon":"oops"}`); r.Text != "Deleted the coupon OOPS." {
		t.Errorf("it says %q", r.Text)
	}
	if got := rows(h.must("list_coupons", `{"include_inactive":true}`)); len(got) != 1 || got[0][0] != "SPRING25" ||
		got[0][5] != "no" {
		t.Errorf("there are %v", got)
	}
}

// S0-39: what makes no coupon, and why one does not hold.
func TestCouponsAreRefusedWithAReason(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("OAK", "Oak", 1)
	h.must("create_coupon", `{"code":"OLD","kind":"percent","amount":10,"valid_to":"2031-01-14"}`)
	h.must("create_coupon", `{"code":"SOON","kind":"percent","amount":10,"valid_from":"2031-01-16"}`)
	h.must("create_coupon", `{"code":"MAY","kind":"fixed","amount":500,"stay_from":"2031-05-01",`+
		`"stay_to":"2031-05-31","min_nights":3,"rooms":["OAK"]}`)
	h.must("create_coupon", `{"code":"RICH","kind":"fixed","amount":500,"min_amount":6000}`)
	h.must("create_coupon", `{"code":"ONCE","kind":"fixed","amount":90000,"usage_limit":1}`)
	h.must("create_coupon", `{"code":"GONE","kind":"percent","amount":10,"active":false}`)
	valid := func(arguments string) string { h.t.Helper(); return h.must("validate_coupon", arguments).Text }
	for arguments, want := range map[string]string{
		`{"coupon":"old"}`:  "The coupon OLD was valid for bookings until 14-Jan-2031.",
		`{"coupon":"Soon"}`: "The coupon SOON is valid for bookings from 16-Jan-2031 on.",
		`{"coupon":"GONE"}`: "The coupon GONE is not in use at present.",
		`{"coupon":"MAY","check_in":"2031-05-30","check_out":"2031-06-02"}`: "The coupon MAY is valid " +
			"for nights from 01-May-2031 until 31-May-2031.",
		`{"coupon":"MAY","room":"Oak","check_in":"2031-05-29","check_out":"2031-06-01"}`: "The coupon MAY is valid: " +
			"it takes ₹500.00 off rooms for ₹18,001.00.",
		`{"coupon":"MAY","room":"Coco"}`: "The coupon MAY is only " +
			"for Oak.",
		`{"coupon":"MAY","nights":2}`: "The coupon MAY needs a " +
			"stay of at least 3 nights.",
		`{"coupon":"RICH","room_total":5999.99}`: "The coupon RICH needs " +
			"accommodation for at least ₹6,000.00; this is ₹5,999.99.",
		`{"coupon":"RICH","room_total":6000}`: "The coupon RICH is " +
			"valid: it takes ₹500.00 off rooms for ₹6,000.00.",
		// More than the rooms cost: never below zero.
		` {"coupon":" once ","room_total":100}`: "The coupon ONCE is valid: it takes ₹100.00 off rooms for ₹100.00.",
	} {
		if got := valid(arguments); got != want {
			t.Errorf("%s says %q, want %q", arguments, got, want)
		}
	}
	h.use("ONCE", h.book("2031-01-20", "2031-01-22", "confirmed", 100, 0, "COCO"))
	if got := valid(`{"coupon":"ONCE"}`); got != "The coupon ONCE has been used as often as it may be (1)." {
		t.Errorf("used up, it says %q", got)
	}
	tests := map[string]struct {
		tool, arguments, says string
		kind                  fault.Kind
	}{
		"a thousand percent": {"create_coupon", `{"code":"X","kind":"percent","amount":1000}`, "at most 100",
			fault.Invalid},
		"a negative amount": {"create_coupon", `{"code":"X","kind":"fixed","amount":-5}`, "above zero",
			fault.Invalid},
		"dates in the wrong order": {"create_coupon",
			`{"code":"X","kind":"fixed","amount":5,"valid_from":"2031-02-02","valid_to":"2031-02-01"}`, "wrong order",
			fault.Invalid},
		"a code with a space": {"create_coupon", `{"code":"TEN OFF","kind":"fixed","amount":5}`, "letters A to Z",
			fault.Invalid},
		"without an amount": {"create_coupon", `{"code":"X","kind":"fixed"}`, "needs a kind", fault.Invalid},
		"the same code": {"create_coupon", `{"code":"old","kind":"fixed","amount":5}`,
			"already a coupon with the code OLD", fault.Conflict},
		"an unknown room": {"create_coupon", `{"code":"X","kind":"fixed","amount":5,"rooms":["Cocoa"]}`,
			"Did you mean Coco (COCO)?", fault.NotFound},
		"a percentage of a fixed": {"update_coupon", `{"coupon":"RICH","kind":"percent"}`, "at most 100",
			fault.Invalid},
		"an end before the start": {"update_coupon", `{"coupon":"SOON","valid_to":"2031-01-15"}`, "wrong order",
			fault.Invalid},
		"nothing new": {"update_coupon", `{"coupon":"SOON","amount":10.00}`, "Nothing would change",
			fault.Invalid},
		"an unknown coupon": {"delete_coupon", `{"coupon":"RICHES"}`, "Did you mean", fault.NotFound},
	}
	for name, tc := range tests {
		_, err := h.previewOf(tc.tool, tc.arguments)
		t.Run(name, func(t *testing.T) { sentence(t, err, tc.kind, tc.says) })
	}
	if _, err := h.run("validate_coupon", `{"coupon":"RICHE"}`); !fault.Is(err, fault.NotFound) ||
		!strings.Contains(fault.From(err).Message, "RICH") {
		t.Errorf("a near miss: %v", err)
	}
	h.by = h.as(h.org.Viewer.Token)
	for _, each := range [][2]string{{"create_coupon", `{"code":"MINE","kind":"percent","amount":100}`},
		{"update_coupon", `{"coupon":"OLD","amount":99}`}, {"delete_coupon", `{"coupon":"OLD"}`}} {
		if _, err := h.run(each[0], each[1]); err == nil {
			t.Errorf("a viewer may %s", each[0])
		}
	}
}

// S0-39: of a hundred bookings at once, one gets the last use.
func TestOneOfAHundredUsesIsTheLast(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.must("create_coupon", `{"code":"LAST","kind":"percent","amount":10,"usage_limit":1}`)
	const n = 100
	coupon := h.sql(`select id from public.coupons where org_id = $1`)[0]["id"]
	var wg sync.WaitGroup
	var mu sync.Mutex
	counts := map[string]int{}
	for i := range n {
		id := uuid.NewString()
		h.sql(`insert into public.reservations (org_id, entity_id, id, check_in, check_out, guest_name, currency)
			values ($1, $2, $3, '2031-02-01', '2031-02-02', $4, 'INR')`, h.by.Entity.ID, id, fmt.Sprint("Guest ", i))
		wg.Go(func() {
			_, err := supabase.Insert[struct{}](t.Context(), h.client.As(h.by), "coupon_uses", "amount",
				map[string]any{"org_id": h.by.OrgID, "entity_id": h.by.Entity.ID, "coupon_id": coupon,
					"reservation_id": id, "amount": 1})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				counts["used"]++
			} else {
				counts[fault.From(err).Code]++
			}
		})
	}
	wg.Wait()
	if counts["used"] != 1 || counts["coupon_used_up"] != n-1 {
		t.Errorf("of %d uses at once: %v", n, counts)
	}
	var used struct{ Uses int }
	if err := json.Unmarshal(h.must("get_coupon_details", `{"coupon":"LAST"}`).Data, &used); err != nil ||
		used.Uses != 1 {
		t.Errorf("%d uses are counted (%v)", used.Uses, err)
	}
}
