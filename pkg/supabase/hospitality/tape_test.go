package hospitality_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Units stand against days with what takes them, and say how a free span is
// booked and a stay is opened. Today is 15 January 2031.
func TestRoomsStandAgainstDays(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("BIRCH", "Birch", 2)
	h.cabin("COCO", "Coco", 1)
	here := h.book("2031-01-14", "2031-01-17", "checked_in", 100, 0, "BIRCH-2")
	named := h.book("2031-01-20", "2031-01-22", "confirmed", 100, 0, "COCO")
	h.sql(`update public.stays set unit_pinned = true where org_id = $1 and reservation_id = (select id from
		public.reservations where code = $2 and org_id = $1)`, named)
	held := h.book("2031-01-24", "2031-02-10", "pending", 100, 0, "COCO")
	h.book("2031-01-17", "2031-01-19", "cancelled", 100, 0, "BIRCH-2")
	h.block("2031-01-18", "2031-01-20", "BIRCH")

	r := h.must("get_tape_chart", `{}`)
	if r.Text != "From 15-Jan-2031 to 28-Jan-2031 31 of 42 nights are free, in 3 units." {
		t.Errorf("it says %q", r.Text)
	}
	chart := kind[part.Tape](t, r, "tape")
	var rows, spans []string
	for _, row := range chart.Rows {
		rows = append(rows, row.Key+" "+string(row.Arguments))
	}
	for _, s := range chart.Spans {
		spans = append(spans, fmt.Sprintf("%d %d+%d %s %s %q %v", s.Row, s.At, s.Days, s.Kind, s.Label, s.Key,
			s.Pinned))
	}
	if diff := cmp.Diff([]string{`BIRCH {"room":"BIRCH"}`, `BIRCH-2 {"room":"BIRCH","unit":"BIRCH-2"}`,
		`COCO {"room":"COCO"}`}, rows); diff != "" {
		t.Errorf("the rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		`0 3+2 block maintenance "" false`, fmt.Sprintf("1 -1+3 stay Test Guest %q false", here),
		fmt.Sprintf("2 5+2 stay Test Guest %q true", named), fmt.Sprintf("2 9+17 hold Test Guest %q false", held),
	}, spans); diff != "" {
		t.Errorf("the spans (-want +got):\n%s", diff)
	}
	if chart.Today.String() != "2031-01-15" ||
		chart.Free != (part.FreeDays{Tool: "create_reservation", From: "check_in", To: "check_out"}) ||
		chart.Open != (part.Press{Tool: "get_reservation_details", Argument: "code"}) {
		t.Errorf("it offers %+v, %+v", chart.Open, chart.Free)
	}
	if text := r.Parts[1].Text; !strings.Contains(text, "BIRCH: 18-Jan-2031 to 20-Jan-2031 maintenance, block") {
		t.Errorf("in words: %s", text)
	}

	one := kind[part.Tape](t, h.must("check_availability",
		`{"room":"COCO","check_in":"2031-01-20","check_out":"2031-01-21"}`), "tape")
	if len(one.Rows) != 1 || one.Rows[0].Key != "COCO" || one.From.String() != "2031-01-17" {
		t.Errorf("beside the answer for one room: %+v", one)
	}
	_, err := h.run("get_tape_chart", `{"room":"palace"}`)
	sentence(t, err, fault.NotFound, `There is no room type "palace"`)
	_, err = h.run("get_tape_chart", `{"days":63}`)
	sentence(t, err, fault.Invalid, "days must be from 1 to 62")
}

// A chart of many units is cut at 24 KiB, and says so.
func TestALargeChartIsCut(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 99)
	h.sql(`with made as (
		insert into public.reservations (org_id, entity_id, status, check_in, check_out, guest_name, currency)
		select $1, $2, 'confirmed', date '2031-01-15' + 3 * n, date '2031-01-18' + 3 * n, 'Guest of unit ' || r.code,
			'INR'
		from public.rooms r, generate_series(0, 3) n where r.org_id = $1 returning org_id, entity_id, id, guest_name)
		insert into public.reservation_rooms (org_id, entity_id, reservation_id, room_id)
		select m.org_id, m.entity_id, m.id, r.id from made m join public.rooms r on r.org_id = m.org_id and
			m.guest_name = 'Guest of unit ' || r.code`,
		h.by.Entity.ID)
	r := h.must("get_tape_chart", `{}`)
	chart := kind[part.Tape](t, r, "tape")
	if len(chart.Rows) < 20 || len(chart.Rows) > 98 || len(chart.Spans) != 4*len(chart.Rows) ||
		chart.Note != fmt.Sprintf("%d more rows are not shown here.", 99-len(chart.Rows)) {
		t.Errorf("%d rows, %d spans, %q, refused %v", len(chart.Rows), len(chart.Spans), chart.Note, r.Refused)
	}
	if len(r.Table.Rows) != 99 {
		t.Errorf("the table has %d rows", len(r.Table.Rows))
	}
}

// The morning has what is to be done, with the calls that do it; who may only
// look is offered none.
func TestTheMorningIsOneLook(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("BIRCH", "Birch", 3)
	h.cabin("COCO", "Coco", 1)
	leaves := h.book("2031-01-12", "2031-01-15", "checked_in", 100, 0, "COCO")
	h.named(leaves, "Ojas Kitewala", "", 1)
	comes := h.book("2031-01-15", "2031-01-18", "confirmed", 0, 0, "COCO")
	h.named(comes, "Asha Meadowlark", "A cot, please.", 2)
	late := h.book("2031-01-14", "2031-01-16", "confirmed", 0, 0, "BIRCH")
	h.named(late, "Bram Dov", "", 1)
	overdue := h.book("2031-01-10", "2031-01-13", "checked_in", 0, 0, "BIRCH-2")
	h.named(overdue, "Lior Larkspur", "", 1)
	h.book("2031-01-15", "2031-01-17", "no_show", 100, 0, "BIRCH-3")
	gone := h.book("2031-01-13", "2031-01-15", "checked_in", 0, 0, "BIRCH-3")
	h.sql(`update public.reservations set status = 'checked_out' where org_id = $1 and code = $2`, gone)
	left := h.sql(`select version, to_char(cleaning_since at time zone 'Asia/Kolkata', 'DD-Mon-YYYY') as day
		from public.rooms where org_id = $1 and code = 'BIRCH-3'`)[0]

	r := h.must("get_morning", `{}`)
	if r.Text != "15-Jan-2031: 2 still to arrive (0 here already), 2 to leave (1 gone), 2 reservations in the "+
		"house, 3 rooms to clean (2 still occupied), 1 owing; 2 of 4 rooms free tonight." {
		t.Errorf("it says %q", r.Text)
	}
	m := kind[part.Morning](t, r, "morning")
	var got []string
	for _, s := range m.Sections {
		for _, i := range s.Items {
			line := s.Title + ": " + i.Title + ", " + i.Detail
			for _, more := range []string{i.Value, i.Note} {
				if more != "" {
					line += ", " + more
				}
			}
			for _, c := range i.Do {
				line += " [" + c.Label + " " + c.Tool + " " + string(c.Arguments) + "]"
			}
			got = append(got, line)
		}
	}
	status := func(label, code, to string) string {
		return " [" + label + ` update_reservation_status {"code":"` + code + `","status":"` + to + `"}]`
	}
	if diff := cmp.Diff([]string{
		"Arrivals: Asha Meadowlark, COCO · 2 guests · until 18-Jan-2031, A cot, please." + status("Check in", comes,
			"checked_in"),
		"Arrivals: Bram Dov, BIRCH · 1 guest · expected since 14-Jan-2031, until 16-Jan-2031" +
			status("Check in", late, "checked_in"),
		"Departures: Lior Larkspur, BIRCH-2 · 1 guest · should have left on 13-Jan-2031" + status("Check out", overdue,
			"checked_out"),
		"Departures: Ojas Kitewala, COCO · 1 guest · leaves today" + status("Check out", leaves, "checked_out"),
		fmt.Sprintf(`To clean: BIRCH-3, to clean · since %v [Clean set_room_clean {"rooms":["BIRCH-3"],`+
			`"state":"clean","versions":[%v]}]`,
			left["day"], left["version"]),
		"To clean: COCO, occupied · Ojas Kitewala is still in it, Asha Meadowlark arrives today",
		"To clean: BIRCH-2, occupied · Lior Larkspur is still in it",
		`To pay: Ojas Kitewala, COCO, ₹100.00 [Payment record_payment {"amount":100.00,"code":"` + leaves + `"}]`,
	}, got); diff != "" {
		t.Errorf("the sections (-want +got), %s has left:\n%s", gone, diff)
	}
	h.by = h.as(h.org.Viewer.Token)
	for _, s := range kind[part.Morning](t, h.must("get_morning", `{}`), "morning").Sections {
		for _, i := range s.Items {
			if len(i.Do) > 0 {
				t.Errorf("a viewer may do %+v", i.Do)
			}
		}
	}
}
