package hospitality_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// S0-28, S0-29, S0-30, S0-42: the current month is January 2031, of 31 days.
func TestOccupancyCountsWhatLiesInThePeriod(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 2)
	h.cabin("EMPTY", "Lonely", 1)
	// Four nights, of which two lie in January; 100 of extras, half of them.
	h.book("2030-12-30", "2031-01-03", "checked_out", 1000, 100, "COCO")
	h.book("2031-01-10", "2031-01-13", "confirmed", 2000, 0, "COCO")
	h.book("2031-01-10", "2031-01-20", "cancelled", 9000, 900, "BIRCH")
	h.book("2031-01-10", "2031-01-20", "no_show", 9000, 900, "BIRCH")
	h.book("2031-01-30", "2031-02-02", "pending", 500, 0, "BIRCH", "BIRCH-2")
	// Clipped to six nights; the overlap counts once.
	h.block("2031-01-26", "2031-01-30", "COCO")
	h.block("2030-12-25", "2031-01-03", "BIRCH")
	h.block("2031-01-01", "2031-02-01", "EMPTY")

	r := h.must("get_occupancy_stats", `{}`)
	// Worked by hand. Coco: 2 + 3 of 31 − 4 = 27 nights, 2 × 1,000 + 3 × 2,000 = 8,000.
	// Birch: 2 units × 2 nights of 62 − 2 = 60, 4 × 500 = 2,000. Lonely: blocked throughout.
	want := [][]string{
		{"Birch", "4", "2", "60", "6.67 %", "₹500.00", "₹33.33", "₹33.33", "4.00"},
		{"Coco", "5", "4", "27", "18.52 %", "₹1,600.00", "₹296.30", "₹298.15", "2.50"},
		{"Lonely", "0", "31", "0", "n/a", "n/a", "n/a", "n/a", "n/a"},
		{"Total", "9", "37", "87", "10.34 %", "₹1,111.11", "₹114.94", "₹115.52", "3.00"},
	}
	if diff := cmp.Diff(want, rows(r)); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
	var labels []string
	for _, c := range r.Table.Columns {
		labels = append(labels, c.Label)
	}
	if diff := cmp.Diff([]string{"Room", "Occupied", "Blocked", "Available nights", "Occupancy %", "ADR", "RevPAR",
		"TRevPAR", "ALOS"}, labels); diff != "" {
		t.Errorf("the columns (-want +got):\n%s", diff)
	}
	if r.Table.Title != "Occupancy, 01-Jan-2031 to 31-Jan-2031 (31 days)" || !strings.Contains(r.Table.About,
		"ALOS = occupied nights in the period ÷ bookings that touch it") {
		t.Errorf("the title is %q, about %q", r.Table.Title, r.Table.About)
	}
	if !strings.HasPrefix(r.Text, "01-Jan-2031 to 31-Jan-2031 (31 days): 9 of 87 available nights occupied (10.34 "+
		"%).") {
		t.Errorf("it says %q", r.Text)
	}
	if r.Records != 3 {
		t.Errorf("it counts %d room types", r.Records)
	}
	// One night, given by its dates.
	one := rows(h.must("get_occupancy_stats", `{"start_date":"2031-01-12","end_date":"2031-01-12"}`))
	if diff := cmp.Diff([]string{"Coco", "1", "0", "1", "100.00 %", "₹2,000.00", "₹2,000.00", "₹2,000.00", "1.00"},
		one[1]); diff != "" {
		t.Errorf("one night (-want +got):\n%s", diff)
	}
}

func TestAnEmptyPeriodHasNoRatios(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	r := h.must("get_occupancy_stats", `{}`)
	var report struct {
		Total struct {
			OccupiedNights int
			ADR            *json.Number
		}
	}
	if err := json.Unmarshal(r.Data, &report); err != nil {
		t.Fatal(err)
	}
	if report.Total.OccupiedNights != 0 || report.Total.ADR != nil || rows(r)[0][4] != "n/a" {
		t.Errorf("an empty hotel: %s", r.Data)
	}
	for _, arguments := range []string{`{"start_date":"2031-01-12"}`,
		`{"start_date":"2031-01-12","end_date":"2031-01-11"}`, `{"start_date":"2021-01-12","end_date":"2031-01-12"}`} {
		if _, err := h.run("get_occupancy_stats", arguments); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", arguments, err)
		}
	}
}
