package hospitality_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// guest books for a user, some days before the arrival.
func (h *hotel) guest(name, email, phone, country string, lead int, in, out, status string, price, other int,
	units ...string) {
	h.t.Helper()
	// Half past one at night in India is still the day before in London.
	h.made = mustDate(h.t, in).AddDays(-lead).String() + " 01:30+05:30"
	code := h.book(in, out, status, price, other, units...)
	h.sql(`update public.reservations set guest_name = $3, guest_email = nullif($4, ''), guest_phone = nullif($5,
		''), guest_country = nullif($6, '')
		where org_id = $1 and code = $2`, code, name, email, phone, country)
}

// S0-28, S0-42: worked by hand.
func TestGuestsAreAnalysed(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 2)
	h.cabin("BIRCH", "Birch", 2)
	// Asha stayed in December, with her address written otherwise.
	h.guest("Asha M", "ASHA@Guests.example", "", "IN", 5, "2030-12-01", "2030-12-03", "checked_out", 100, 0, "COCO")
	// January: Asha again, by e-mail; Bram twice, by e-mail and by the same phone; Chitra by name alone, who stayed
	// before; Dov, new; one cancelled, one no-show.
	h.guest("Asha Meadowlark", "asha@guests.example", "", "IN", 1, "2031-01-02", "2031-01-04", "checked_out", 1000, 0,
		"COCO")
	h.guest("Bram", "bram@guests.example", "555 000-1234", "DE", 40, "2031-01-05", "2031-01-08", "checked_out", 1000,
		300, "COCO", "BIRCH")
	h.guest("B. Bramblewick", "", "5550001234", "DE", 10, "2031-01-20", "2031-01-21", "confirmed", 1000, 0, "COCO")
	h.guest("Chitra", "", "", "", 3, "2030-11-01", "2030-11-02", "checked_out", 100, 0, "BIRCH")
	h.guest(" chitra ", "", "", "", 7, "2031-01-10", "2031-01-12", "confirmed", 500, 0, "BIRCH")
	h.guest("Dov", "dov@guests.example", "", "IN", 0, "2031-01-25", "2031-01-26", "pending", 700, 0, "BIRCH-2")
	h.guest("Esme", "esme@guests.example", "", "GB", 90, "2031-01-25", "2031-01-28", "cancelled", 9000, 0, "COCO-2")
	h.guest("Farid", "", "", "IN", 2, "2031-01-26", "2031-01-28", "no_show", 9000, 0, "COCO-2")
	h.sql(`update public.reservations set tax_total = 50 where org_id = $1 and guest_name = 'Dov'`)

	r := h.must("get_client_analytics", `{"top":2}`)
	// h.book stores the nightly price as the room total, whatever the nights: 1,000 + 1,300 +
	// 1,000 + 500 + 700 = 4,500.
	want := [][]string{
		{"Bookings", "7", "5 counted, 1 cancelled, 1 no-show"},
		{"Cancellation rate", "14.29 %", "1 of 7"},
		{"No-show rate", "14.29 %", "1 of 7"},
		{"Guests", "4", "who booked, told apart as the note says"},
		{"Repeat guests", "75.00 %", "3 of 4"},
		{"Lead time, average days", "11.60", "median 7"}, // 1 + 40 + 10 + 7 + 0 = 58 over 5
		{"Booked ahead up to 1 day", "2", "40.00 %"},
		{"Booked ahead 2 to 7 days", "1", "20.00 %"},
		{"Booked ahead 8 to 30 days", "1", "20.00 %"},
		{"Booked ahead 31 to 90 days", "1", "20.00 %"},
		// 2 + 3 + 1 + 2 + 1 = 9 over 5; Bram's three in two rooms
		{"Average stay, nights", "1.80", "12 room-nights in all"},
		{"Average party", "1.00", "guests a booking, children included"},
		{"Value", "₹4,500.00", "on average ₹900.00 a booking"},
		{"Channel: direct", "5", "100.00 % of bookings, 12 room-nights, ₹4,500.00, 1 cancelled"},
		{"Country: DE", "2", "40.00 % of bookings, 7 room-nights, ₹2,300.00"},
		{"Country: IN", "2", "40.00 % of bookings, 3 room-nights, ₹1,700.00"},
		{"Country: not known", "1", "20.00 % of bookings, 2 room-nights, ₹500.00"},
		{"Country: GB", "0", "0.00 % of bookings, 0 room-nights, ₹0.00, 1 cancelled"},
		{"Guest: B. Bramblewick", "₹2,300.00", "2 bookings, 7 room-nights"},
		{"Guest: Asha Meadowlark", "₹1,000.00", "1 booking, 2 room-nights"},
	}
	if diff := cmp.Diff(want, rows(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r.Text != "Arrivals from 01-Jan-2031 to 31-Jan-2031 (31 days): 5 bookings by 4 guests, 3 of them repeat "+
		"guests; 1 cancelled, 1 no-show." {
		t.Errorf("it says %q", r.Text)
	}
	for _, private := range []string{"@", "5550001234", "555 000"} {
		if strings.Contains(string(r.Data)+r.Text, private) {
			t.Errorf("it tells addresses or numbers: %s", r.Data)
		}
	}
	_, err := h.run("get_client_analytics", `{"top":51}`)
	sentence(t, err, fault.Invalid, "from 1 to 50")
}

// domain-rules 1.1: day use is a guest and revenue, and no night; averages leave
// it out. Averages of nothing are not available, everything else is zero.
func TestDayUseIsAGuestAndRevenueButNoNight(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 1)
	empty := map[string][][]string{}
	for _, name := range []string{"get_client_analytics", "get_occupancy_stats", "get_revenue_stats"} {
		empty[name] = rows(h.must(name, `{}`))
	}
	if diff := cmp.Diff([]string{"Total", "0", "0", "62", "0.00 %", "n/a", "₹0.00", "₹0.00", "n/a"},
		empty["get_occupancy_stats"][2]); diff != "" {
		t.Errorf("occupancy of an empty month (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Total", "0", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "n/a"},
		empty["get_revenue_stats"][2]); diff != "" {
		t.Errorf("revenue of an empty month (-want +got):\n%s", diff)
	}
	for _, row := range empty["get_client_analytics"] {
		want, known := map[string]string{"Bookings": "0", "Guests": "0", "Value": "₹0.00"}[row[0]]
		if !known {
			want = "n/a"
		}
		if row[1] != want {
			t.Errorf("of guests of an empty month it says %v", row)
		}
	}

	// Asha stays two nights, and came for a day before; Bram comes for two days only.
	h.guest("Asha", "asha@guests.example", "", "IN", 9, "2031-01-02", "2031-01-02", "checked_out", 400, 100, "COCO")
	h.guest("Asha", "asha@guests.example", "", "IN", 4, "2031-01-05", "2031-01-07", "checked_out", 1000, 0, "COCO")
	h.guest("Bram", "bram@guests.example", "", "IN", 9, "2031-01-10", "2031-01-10", "checked_out", 300, 0, "COCO",
		"BIRCH")
	h.guest("Bram", "bram@guests.example", "", "IN", 9, "2031-01-12", "2031-01-12", "confirmed", 101, 0, "COCO",
		"BIRCH")
	h.guest("Bram", "bram@guests.example", "", "IN", 9, "2031-01-14", "2031-01-14", "no_show", 900, 0, "COCO")
	shown := map[string][2]string{}
	for _, row := range rows(h.must("get_client_analytics", `{}`)) {
		shown[row[0]] = [2]string{row[1], row[2]}
	}
	for what, want := range map[string][2]string{
		"No-show rate":             {"20.00 %", "1 of 5"},
		"Guests":                   {"2", "who booked, told apart as the note says"},
		"Repeat guests":            {"0.00 %", "0 of 1"},
		"Lead time, average days":  {"4.00", "median 4"},
		"Booked ahead 2 to 7 days": {"1", "100.00 %"},
		"Average stay, nights":     {"2.00", "2 room-nights in all"},
		"Value":                    {"₹1,901.00", "on average ₹475.25 a booking"}, // 500 + 1,000 + 300 + 101
	} {
		if shown[what] != want {
			t.Errorf("%s is %v, want %v", what, shown[what], want)
		}
	}
	// Half of Bram's 300 and 101 are each room's.
	if diff := cmp.Diff([][]string{
		{"Birch", "0", "0", "31", "0.00 %", "n/a", "₹6.47", "₹6.47", "n/a"},
		{"Coco", "2", "0", "31", "6.45 %", "₹1,300.25", "₹83.89", "₹87.11", "2.00"},
		{"Total", "2", "0", "62", "3.23 %", "₹1,400.50", "₹45.18", "₹46.79", "2.00"},
	}, rows(h.must("get_occupancy_stats", `{}`))); diff != "" {
		t.Errorf("occupancy (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]string{
		{"02-Jan-2031", "0", "₹400.00", "₹0.00", "₹100.00", "₹0.00", "₹500.00", "₹0.00", "₹500.00", "n/a"},
		{"03-Jan-2031", "0", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "n/a"},
		{"Total", "0", "₹400.00", "₹0.00", "₹100.00", "₹0.00", "₹500.00", "₹0.00", "₹500.00", "n/a"},
	}, rows(h.must("get_revenue_stats", `{"by":"day","start_date":"2031-01-02","end_date":"2031-01-03"}`))); diff != "" {
		t.Errorf("revenue (-want +got):\n%s", diff)
	}
}

// S0-28, S0-30, S0-42: (this − last) ÷ last × 100, n/a where last is zero.
func TestPeriodsAreCompared(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.book("2030-01-10", "2030-01-12", "checked_out", 1000, 0, "COCO")
	h.book("2031-01-10", "2031-01-13", "confirmed", 1500, 90, "COCO")
	r := h.must("compare_periods", `{"compare_with":"last_year"}`)
	// 2 of 31 nights at 1,000 against 3 of 31 at 1,500 and 90 of extras.
	want := [][]string{
		{"Occupied nights", "3", "2", "▲ 50.00 %"},
		{"Available nights", "31", "31", "= 0.00 %"},
		{"Occupancy %", "9.68 %", "6.45 %", "▲ 50.00 %"},
		{"ADR", "₹1,500.00", "₹1,000.00", "▲ 50.00 %"},
		{"RevPAR", "₹145.16", "₹64.52", "▲ 125.00 %"},
		{"TRevPAR", "₹148.06", "₹64.52", "▲ 129.50 %"},
		{"ALOS", "3.00", "2.00", "▲ 50.00 %"},
		{"Bookings", "1", "1", "= 0.00 %"},
		{"Room revenue", "₹4,500.00", "₹2,000.00", "▲ 125.00 %"},
		{"Other revenue", "₹90.00", "₹0.00", "▲ n/a"},
		{"Revenue", "₹4,590.00", "₹2,000.00", "▲ 129.50 %"},
	}
	if diff := cmp.Diff(want, rows(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r.Text != "01-Jan-2031 to 31-Jan-2031 (31 days) compared with 01-Jan-2030 to 31-Jan-2030 (31 days): "+
		"occupancy 9.68 % against 6.45 % (▲ 50.00 %), RevPAR ₹145.16 against ₹64.52 (▲ 125.00 %), revenue "+
		"₹4,590.00 against ₹2,000.00 (▲ 129.50 %)." {
		t.Errorf("it says %q", r.Text)
	}
	// A fall, and a period without anything.
	r = h.must("compare_periods", `{"start_date":"2030-01-01","end_date":"2030-01-31",`+
		`"other_start_date":"2031-01-01","other_end_date":"2031-01-31"}`)
	if got := rows(r)[4][3]; got != "▼ 55.56 %" { // 2,000 against 4,500
		t.Errorf("RevPAR fell by %s", got)
	}
	r = h.must("compare_periods", `{"start_date":"2031-02-01","end_date":"2031-02-28","compare_with":"previous"}`)
	if r.Table.Title != "01-Feb-2031 to 28-Feb-2031 (28 days) compared with 04-Jan-2031 to 31-Jan-2031 (28 days)" ||
		rows(r)[0][3] != "▼ 100.00 %" || rows(r)[3][3] != "n/a" {
		t.Errorf("%s: %v", r.Table.Title, rows(r))
	}
	// F-59: a 29 February has the 28th before it a year ago.
	r = h.must("compare_periods", `{"start_date":"2032-02-29","end_date":"2032-02-29","compare_with":"last_year"}`)
	if r.Table.Title != "29-Feb-2032 to 29-Feb-2032 (1 day) compared with 28-Feb-2031 to 28-Feb-2031 (1 day)" {
		t.Errorf("it compares %q", r.Table.Title)
	}
	for arguments, says := range map[string]string{
		`{"other_start_date":"2031-01-01"}`: "must both be given",
		`{"other_start_date":"2031-01-01","other_end_date":"2031-01-31","compare_with":"previous"}`: "not both",
		`{"compare_with":"last_month"}`: "previous, last_year",
	} {
		_, err := h.run("compare_periods", arguments)
		sentence(t, err, fault.Invalid, says)
	}
}
