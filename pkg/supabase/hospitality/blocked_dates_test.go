package hospitality_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

func (h *hotel) preview(name, arguments string) (tool.Preview, error) {
	h.t.Helper()
	call, err := h.prepare(name, arguments)
	if err != nil {
		h.t.Fatal(err)
	}
	return call.Preview(h.t.Context(), h.by)
}

// S0-35, S0-46: rooms, dates, reason, confirmed by what the preview shows.
func TestRoomsAreBlockedAsPreviewed(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 2)
	const arguments = `{"rooms":["coco"," Birch "],"start_date":"2031-02-05","end_date":"2031-02-07",` +
		`"reason":"maintenance","note":"New roof"}`
	p, err := h.preview("block_dates", arguments)
	if err != nil {
		t.Fatal(err)
	}
	want := tool.Preview{Title: "Block BIRCH, BIRCH-2, COCO from 05-Feb-2031 to 07-Feb-2031", Lines: []tool.Line{
		{Label: "Property", After: "Test House"}, {Label: "Rooms", After: "Birch (BIRCH, BIRCH-2), Coco (COCO)"},
		{Label: "First night", After: "05-Feb-2031"}, {Label: "Last night", After: "07-Feb-2031"},
		{Label: "Can be booked again from", After: "08-Feb-2031"},
		{Label: "Nights to block", After: "3 nights in 3 rooms"},
		{Label: "Reason", After: "maintenance"}, {Label: "Note", After: "New roof"},
	}, Warnings: []string{"These are all rooms: nobody can book any of these nights."}}
	p.Reads = nil
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("the preview (-want +got):\n%s", diff)
	}
	if n := h.sql(`select from public.stays where org_id = $1`); len(n) != 0 {
		t.Error("the preview blocked something")
	}
	r := h.must("block_dates", arguments)
	if !strings.HasPrefix(r.Text, "Blocked Birch (BIRCH, BIRCH-2), Coco (COCO) from 05-Feb-2031 to 07-Feb-2031 (3 "+
		"nights) for maintenance: 9 room-nights. The code is BLK-") {
		t.Errorf("it says %q", r.Text)
	}
	listed := rows(h.must("list_blocked_dates", `{}`))
	if len(listed) != 1 || !slices.Equal(listed[0][:6], []string{"BIRCH, BIRCH-2, COCO", "05-Feb-2031", "07-Feb-2031",
		"3", "maintenance", "New roof"}) {
		t.Errorf("the list: %v", listed)
	}
	// The last night is included, and the morning after is free again.
	for day, free := range map[string]string{"2031-02-07": "0 of 1", "2031-02-08": "1 of 1"} {
		next := mustDate(t, day).AddDays(1)
		got := rows(h.must("check_availability", fmt.Sprintf(`{"room":"COCO","check_in":"%s","check_out":"%s"}`, day,
			next)))
		if got[0][4] != free {
			t.Errorf("the night of %s: %s free, want %s", day, got[0][4], free)
		}
	}
	// Its nights are no available nights.
	february := rows(h.must("get_occupancy_stats", `{"start_date":"2031-02-01","end_date":"2031-02-28"}`))
	if total := february[len(february)-1]; total[2] != "9" || total[3] != "75" {
		t.Errorf("February: %v", total)
	}
}

// S0-35: ["ALL"] is every room that is let.
func TestAllBlocksEveryRoom(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 2)
	h.cabin("OLD", "Old Barn", 1)
	h.sql(`update public.room_types set active = false where org_id = $1 and code = 'OLD'`)
	r := h.must("block_dates", `{"rooms":["ALL"],"start_date":"2031-02-05","end_date":"2031-02-05",`+
		`"reason":"staff_holiday"}`)
	if !strings.HasPrefix(r.Text, "Blocked Birch (BIRCH, BIRCH-2), Coco (COCO) on 05-Feb-2031 (1 night) for staff "+
		"holiday: 3 room-nights.") {
		t.Errorf("it says %q", r.Text)
	}
	r = h.must("unblock_dates", `{"rooms":["all"],"start_date":"2031-01-01","end_date":"2031-12-31"}`)
	if r.Text != "Freed Birch (BIRCH, BIRCH-2), Coco (COCO) on 05-Feb-2031 (1 night). These nights can be booked "+
		"again." {
		t.Errorf("it says %q", r.Text)
	}
}

// S0-35, F-59: what cannot be blocked is said before anybody is asked, and
// again by the act itself.
func TestABlockIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 2)
	first := h.book("2031-02-03", "2031-02-06", "confirmed", 100, 0, "COCO")
	second := h.book("2031-02-06", "2031-02-08", "pending", 100, 0, "COCO")
	h.book("2031-02-08", "2031-02-10", "cancelled", 100, 0, "COCO")
	h.book("2031-02-10", "2031-02-12", "confirmed", 100, 0, "COCO")
	h.block("2031-03-01", "2031-03-05", "BIRCH")
	tests := map[string]struct {
		arguments string
		kind      fault.Kind
		says      []string
	}{
		"bookings in the way": {`{"rooms":["COCO"],"start_date":"2031-02-05","end_date":"2031-02-09",` +
			`"reason":"other"}`, fault.Conflict,
			[]string{"2 reservations are in the way: " + first +
				" of Test Guest in COCO, 03-Feb-2031 to 06-Feb-2031; " + second + " of Test Guest in COCO"}},
		"one of several rooms is booked": {`{"rooms":["ALL"],"start_date":"2031-02-11","end_date":"2031-02-11",` +
			`"reason":"other"}`, fault.Conflict,
			[]string{"a reservation is in the way"}},
		"all of it is blocked already": {`{"rooms":["BIRCH-1"],"start_date":"2031-03-02","end_date":"2031-03-04",` +
			`"reason":"other"}`, fault.Conflict,
			[]string{"blocked already: BIRCH until 04-Mar-2031 (maintenance, BLK-"}},
		"no such room": {`{"rooms":["COCOA"],"start_date":"2031-03-02","end_date":"2031-03-04","reason":"other"}`,
			fault.NotFound,
			[]string{"Did you mean Coco (COCO)"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := h.preview("block_dates", tc.arguments)
			_, ran := h.run("block_dates", tc.arguments)
			for _, says := range tc.says {
				sentence(t, err, tc.kind, says)
				sentence(t, ran, tc.kind, says)
			}
		})
	}
	for name, tc := range map[string]struct{ arguments, says string }{
		"the end before the start": {`{"rooms":["COCO"],"start_date":"2031-03-05","end_date":"2031-03-04",` +
			`"reason":"other"}`, "must not come before"},
		"no rooms": {`{"rooms":[],"start_date":"2031-03-05","end_date":"2031-03-06","reason":"other"}`,
			"at least one room"},
		"four years": {`{"rooms":["COCO"],"start_date":"2031-03-05","end_date":"2035-03-06","reason":"other"}`,
			"at most 1100"},
		"no reason": {`{"rooms":["COCO"],"start_date":"2031-03-05","end_date":"2031-03-06"}`,
			`"reason" is missing`},
		"a reason of its own": {`{"rooms":["COCO"],"start_date":"2031-03-05","end_date":"2031-03-06",` +
			`"reason":"party"}`, "maintenance, staff_holiday, renovation, other"},
		"no such day": {`{"rooms":["COCO"],"start_date":"2031-02-29","end_date":"2031-03-06",` +
			`"reason":"other"}`, "2031-02-29"},
	} {
		_, err := h.prepare("block_dates", tc.arguments)
		if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.From(err).Message, tc.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The cancelled booking holds nothing, and guests may leave on the first and arrive after the last night.
	h.must("block_dates", `{"rooms":["COCO"],"start_date":"2031-02-08","end_date":"2031-02-09","reason":"other"}`)
}

func TestWhatIsBlockedAlreadyStaysAsItIs(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 1)
	h.block("2031-02-03", "2031-02-05", "COCO")
	const arguments = `{"rooms":["COCO","BIRCH"],"start_date":"2031-02-01","end_date":"2031-02-06",` +
		`"reason":"renovation"}`
	p, err := h.preview("block_dates", arguments)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Warnings) != 2 || !strings.HasPrefix(p.Warnings[0],
		"COCO is blocked already from 03-Feb-2031 to 04-Feb-2031 (2 nights) (maintenance, BLK-") ||
		p.Lines[5].After != "6 nights in 2 rooms, of which 10 room-nights not blocked yet" || len(p.Targets) != 1 {
		t.Errorf("the preview: %+v", p)
	}
	r := h.must("block_dates", arguments)
	if !strings.HasSuffix(r.Text, "The other 2 room-nights had been blocked before.") {
		t.Errorf("it says %q", r.Text)
	}
	var got [][]string
	for _, row := range rows(h.must("list_blocked_dates", `{"room":"COCO"}`)) {
		got = append(got, row[:5])
	}
	want := [][]string{
		{"COCO", "01-Feb-2031", "02-Feb-2031", "2", "renovation"},
		{"COCO", "03-Feb-2031", "04-Feb-2031", "2", "maintenance"},
		{"COCO", "05-Feb-2031", "06-Feb-2031", "2", "renovation"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	for filter, n := range map[string]int{`{"reason":"maintenance"}`: 1,
		`{"start_date":"2031-02-05","end_date":"2031-02-05"}`: 2, `{"end_date":"2031-01-31"}`: 0,
		`{"start_date":"2031-02-07"}`: 0, `{}`: 4} {
		if r := h.must("list_blocked_dates", filter); r.Records != n {
			t.Errorf("%s lists %d", filter, r.Records)
		}
	}
}

// S0-46: inside a longer block over several rooms, exactly the named nights of
// the named room come free.
func TestABlockIsSplit(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 1)
	h.must("block_dates", `{"rooms":["ALL"],"start_date":"2031-02-01","end_date":"2031-02-10","reason":"renovation",`+
		`"note":"Floors"}`)
	booked := h.book("2031-02-12", "2031-02-14", "confirmed", 100, 0, "COCO")
	const arguments = `{"rooms":["Coco"],"start_date":"2031-02-04","end_date":"2031-02-13"}`
	p, err := h.preview("unblock_dates", arguments)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Lines) != 3 || p.Lines[1].Before != "Birch (BIRCH), Coco (COCO) blocked from 01-Feb-2031 to "+
		"10-Feb-2031 (10 nights)" ||
		p.Lines[1].After != "Coco (COCO) free from 04-Feb-2031 to 10-Feb-2031 (7 nights); the other 13 room-nights "+
			"of it stay blocked" ||
		p.Lines[2].After != "7 room-nights" || len(p.Warnings) != 1 || len(p.Targets) != 1 {
		t.Errorf("the preview: %+v", p)
	}
	r := h.must("unblock_dates", arguments)
	if r.Text != "Freed Coco (COCO) from 04-Feb-2031 to 10-Feb-2031 (7 nights). These nights can be booked again." {
		t.Errorf("it says %q", r.Text)
	}
	r = h.must("unblock_dates", `{"rooms":["BIRCH"],"start_date":"2031-02-03","end_date":"2031-02-03"}`)
	if r.Text != "Freed Birch (BIRCH) on 03-Feb-2031 (1 night). These nights can be booked again." {
		t.Errorf("it says %q", r.Text)
	}
	var got [][]string
	for _, row := range rows(h.must("list_blocked_dates", `{}`)) {
		got = append(got, row[:6])
	}
	slices.SortFunc(got, func(a, b []string) int { return strings.Compare(a[1]+a[0], b[1]+b[0]) })
	want := [][]string{
		{"BIRCH", "01-Feb-2031", "02-Feb-2031", "2", "renovation", "Floors"},
		{"COCO", "01-Feb-2031", "03-Feb-2031", "3", "renovation", "Floors"},
		{"BIRCH", "04-Feb-2031", "10-Feb-2031", "7", "renovation", "Floors"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	if found := h.must("search_reservations", `{"query":"`+booked+`","statuses":["confirmed"]}`); found.Records != 1 {
		t.Error("the booking was touched")
	}
	_, err = h.preview("unblock_dates", `{"rooms":["COCO"],"start_date":"2031-02-04","end_date":"2031-02-20"}`)
	sentence(t, err, fault.NotFound, "Nothing is blocked in Coco (COCO) from 04-Feb-2031 to 20-Feb-2031 (17 nights)")
	_, err = h.run("unblock_dates", `{"rooms":["COCO"],"start_date":"2031-02-04","end_date":"2031-02-20"}`)
	sentence(t, err, fault.NotFound, "None of these nights is blocked")
}

// The same claim again gives the same answer and does nothing.
func TestAClaimedBlockHappensOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 2)
	h.cabin("BIRCH", "Birch", 1)
	h.block("2031-02-03", "2031-02-05", "COCO")
	for _, each := range [][2]string{
		{"block_dates", `{"rooms":["ALL"],"start_date":"2031-02-01","end_date":"2031-02-09","reason":"other"}`},
		{"unblock_dates", `{"rooms":["COCO","BIRCH"],"start_date":"2031-02-02","end_date":"2031-02-07"}`},
		{"unblock_dates", `{"rooms":["ALL"],"start_date":"2031-01-02","end_date":"2031-03-07"}`},
	} {
		call, err := h.prepare(each[0], each[1])
		if err != nil {
			t.Fatal(err)
		}
		ctx := h.consented(call)
		first, err := call.Run(ctx, h.by)
		if err != nil {
			t.Fatal(err)
		}
		before := h.sql(`select count(*) from public.audit where org_id = $1`)
		again, err := call.Run(ctx, h.by)
		if err != nil {
			t.Fatal(err)
		}
		if string(first.Data) != string(again.Data) || first.Text != again.Text {
			t.Errorf("%s: first\n%s\nthen\n%s", each[0], first.Data, again.Data)
		}
		if diff := cmp.Diff(before, h.sql(`select count(*) from public.audit where org_id = $1`)); diff != "" {
			t.Errorf("%s: the second call wrote: %s", each[0], diff)
		}
	}
	h.by = h.as(h.org.Viewer.Token)
	_, err := h.run("block_dates", `{"rooms":["ALL"],"start_date":"2031-02-01","end_date":"2031-02-09",`+
		`"reason":"other"}`)
	sentence(t, err, fault.Forbidden, "may look")
}

func mustDate(t *testing.T, text string) calendar.Date {
	t.Helper()
	d, err := calendar.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A hold that is over stands in no one's way, and ends when its nights are taken.
func TestABlockTakesTheNightsOfAHoldThatIsOver(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	held := h.book("2031-02-01", "2031-02-04", "pending", 3000, 0, "COCO")
	const arguments = `{"rooms":["COCO"],"start_date":"2031-02-02","end_date":"2031-02-02","reason":"maintenance"}`
	h.sql(`update public.reservations set hold_until = now() + interval '1 hour' where org_id = $1`)
	_, err := h.run("block_dates", arguments)
	sentence(t, err, fault.Conflict, held)
	h.sql(`update public.reservations set hold_until = now() - interval '1 second' where org_id = $1`)
	h.must("block_dates", arguments)
	if got := h.sql(`select status from public.reservations where org_id = $1`); got[0]["status"] != "cancelled" {
		t.Errorf("the hold is %v", got)
	}
}
