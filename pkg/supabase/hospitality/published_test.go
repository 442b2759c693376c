package hospitality_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// S0-29, S0-30: examples that the trade works out in public. A stay from 31 May
// to 6 June is one night in May and five in June. Of 100 rooms of which five are
// out of order, 30 sold are 31.58 percent.
func TestPublishedExamples(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.cabin("HALL", "Hall", 100)
	h.book("2031-05-31", "2031-06-06", "confirmed", 100, 0, "HALL")
	var nights [][]string
	for _, row := range rows(h.must("get_revenue_stats",
		`{"by":"month","start_date":"2031-05-01","end_date":"2031-06-30"}`)) {
		nights = append(nights, row[:3])
	}
	if diff := cmp.Diff([][]string{{"May 2031", "1", "₹100.00"}, {"Jun 2031", "5", "₹500.00"},
		{"Total", "6", "₹600.00"}}, nights); diff != "" {
		t.Errorf("nights (-want +got):\n%s", diff)
	}
	for i := 2; i <= 31; i++ {
		h.book("2031-09-10", "2031-09-11", "confirmed", 100, 0, fmt.Sprintf("HALL-%d", i))
	}
	for i := 96; i <= 100; i++ {
		h.block("2031-09-10", "2031-09-12", fmt.Sprintf("HALL-%d", i))
	}
	got := rows(h.must("get_occupancy_stats", `{"start_date":"2031-09-10","end_date":"2031-09-10"}`))
	if diff := cmp.Diff([]string{"Hall", "30", "5", "95", "31.58 %", "₹100.00", "₹31.58", "₹31.58", "1.00"},
		got[0]); diff != "" {
		t.Errorf("occupancy (-want +got):\n%s", diff)
	}
}
