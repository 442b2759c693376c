package hospitality_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/analytics"
	"github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
)

// sold gives the hotel two bookings: A over the turn of the year in Coco, B in
// Coco and Birch with discount, extras, package and tax; and two that do not count.
func (h *hotel) sold() {
	h.t.Helper()
	h.cabin("COCO", "Coco", 1)
	h.cabin("BIRCH", "Birch", 2)
	a := h.book("2030-12-30", "2031-01-03", "checked_out", 1000, 100, "COCO")
	h.sql(`update public.reservations set tax_total = 10 where org_id = $1 and code = $2`, a)
	b := h.book("2031-01-10", "2031-01-13", "confirmed", 2000, 100, "COCO", "BIRCH")
	h.sql(`update public.reservations set package_other_total = 300, tax_total = 90, channel = 'booking_com' where
		org_id = $1 and code = $2`, b)
	h.sql(`update public.reservation_nights n set discount = 50 from public.reservations r, public.rooms u
		where n.org_id = $1 and r.id = n.reservation_id and u.id = n.room_id and r.code = $2 and u.code = 'COCO'`, b)
	h.book("2031-01-20", "2031-01-25", "cancelled", 9000, 900, "BIRCH-2")
	h.book("2031-01-20", "2031-01-25", "no_show", 9000, 900, "BIRCH-2")
}

// S0-28, S0-30, S0-42: worked by hand. Of A, two of four nights lie in
// January: 2,000 of room, 50 of extras, 5 of tax. Half of B is each room's.
func TestRevenueShowsItsParts(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.sold()
	total := []string{"Total", "8", "₹14,000.00", "₹150.00", "₹150.00", "₹300.00", "₹14,300.00", "₹95.00",
		"₹14,395.00", "₹1,731.25"}
	none := func(part string) []string {
		return []string{part, "0", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "₹0.00", "n/a"}
	}
	b := func(part string) []string {
		return []string{part, "6", "₹12,000.00", "₹150.00", "₹100.00", "₹300.00", "₹12,250.00", "₹90.00", "₹12,340.00",
			"₹1,975.00"}
	}
	for arguments, want := range map[string][][]string{
		`{}`: {
			{"Birch", "3", "₹6,000.00", "₹0.00", "₹50.00", "₹150.00", "₹6,200.00", "₹45.00", "₹6,245.00", "₹2,000.00"},
			{"Coco", "5", "₹8,000.00", "₹150.00", "₹100.00", "₹150.00", "₹8,100.00", "₹50.00", "₹8,150.00",
				"₹1,570.00"},
			total,
		},
		`{"by":"channel"}`: {
			b("booking com"),
			{"direct", "2", "₹2,000.00", "₹0.00", "₹50.00", "₹0.00", "₹2,050.00", "₹5.00", "₹2,055.00", "₹1,000.00"},
			total,
		},
		`{"by":"month","start_date":"2030-12-01","end_date":"2031-02-28"}`: {
			{"Dec 2030", "2", "₹2,000.00", "₹0.00", "₹50.00", "₹0.00", "₹2,050.00", "₹5.00", "₹2,055.00", "₹1,000.00"},
			append([]string{"Jan 2031"}, total[1:]...),
			none("Feb 2031"),
			{"Total", "10", "₹16,000.00", "₹150.00", "₹200.00", "₹300.00", "₹16,350.00", "₹100.00", "₹16,450.00",
				"₹1,585.00"},
		},
		// 6 January 2031 is a Monday; the first week is cut at its start, the last at its end.
		`{"by":"week","start_date":"2031-01-08","end_date":"2031-01-14"}`: {b("week from 08-Jan-2031"),
			none("week from 13-Jan-2031"), b("Total")},
		`{"by":"day","start_date":"2031-01-12","end_date":"2031-01-13"}`: {
			{"12-Jan-2031", "2", "₹4,000.00", "₹50.00", "₹33.34", "₹100.00", "₹4,083.34", "₹30.00", "₹4,113.34",
				"₹1,975.00"},
			none("13-Jan-2031"),
			{"Total", "2", "₹4,000.00", "₹50.00", "₹33.34", "₹100.00", "₹4,083.34", "₹30.00", "₹4,113.34",
				"₹1,975.00"},
		},
	} {
		if diff := cmp.Diff(want, rows(h.must("get_revenue_stats", arguments))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arguments, diff)
		}
	}
	r := h.must("get_revenue_stats", `{}`)
	if r.Table.Title != "Revenue, 01-Jan-2031 to 31-Jan-2031 (31 days)" || r.Records != 2 ||
		r.Text != "01-Jan-2031 to 31-Jan-2031 (31 days): ₹14,300.00 of revenue without tax from 8 nights (rooms "+
			"₹13,850.00 after ₹150.00 of discounts, extras ₹150.00, packages beside the room ₹300.00), and "+
			"₹95.00 of tax." {
		t.Errorf("it says %q under %q", r.Text, r.Table.Title)
	}
	_, err := h.run("get_revenue_stats", `{"by":"day","start_date":"2030-01-01","end_date":"2031-12-31"}`)
	sentence(t, err, fault.Invalid, "at most 366 can be listed day by day")
}

// S0-42: B lies in two room types. Its row stands in both, the total has it once.
func TestABookingOverTwoTypesCountsOnce(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	h.sold()
	got := rows(h.must("get_occupancy_stats", `{}`))
	// Coco: 5 nights of 31, bookings A and B, 7,850 and 250. Birch: 3 of 62, B. Together 8 nights, 2 bookings.
	want := [][]string{
		{"Birch", "3", "0", "62", "4.84 %", "₹2,000.00", "₹96.77", "₹100.00", "3.00"},
		{"Coco", "5", "0", "31", "16.13 %", "₹1,570.00", "₹253.23", "₹261.29", "2.50"},
		{"Total", "8", "0", "93", "8.60 %", "₹1,731.25", "₹148.92", "₹153.76", "4.00"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A room type that is let no more keeps what it earned.
	h.sql(`update public.room_types set active = false where org_id = $1 and code = 'BIRCH'`)
	got = rows(h.must("get_occupancy_stats", `{}`))
	if diff := cmp.Diff([]string{"Birch", "3", "0", "0", "n/a", "₹2,000.00", "n/a", "n/a", "3.00"},
		got[0]); diff != "" {
		t.Errorf("a room that is let no more (-want +got):\n%s", diff)
	}
}

type revenueParts struct {
	Parts []struct{ Extras, PackageOther, Tax, Room, Discount, Revenue json.Number }
	Total struct {
		Nights                                             int
		Extras, PackageOther, Tax, Room, Discount, Revenue json.Number
	}
}

// However a period is cut, the parts add up to the cent, and the occupancy
// report knows the same revenue.
func TestRevenueAddsUpHoweverItIsCut(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	random := rand.New(rand.NewPCG(42, 30))
	for i := range 4 {
		h.cabin(fmt.Sprintf("C%d", i), fmt.Sprintf("Cabin %d", i), 2)
	}
	for i := range 40 {
		from := mustDate(t, "2030-12-20").AddDays(i)
		units := []string{fmt.Sprintf("C%d", i%4), fmt.Sprintf("C%d-2", i%4)}
		if i%3 > 0 {
			units = units[i%2 : i%2+1]
		}
		code := h.book(from.String(), from.AddDays(1+random.IntN(4)).String(), "confirmed", 100+random.IntN(900), 0,
			units...)
		h.sql(`update public.reservations set extras_total = $3::int / 100.0, package_other_total = $4::int / 100.0,
			tax_total = $5::int / 100.0,
			channel = $6 where org_id = $1 and code = $2`, code, random.IntN(99999), random.IntN(9999),
			random.IntN(9999), []string{"direct", "agent", "website"}[i%3])
	}
	for name, dates := range map[string]string{
		"everything": `"start_date":"2030-12-01","end_date":"2031-02-28"`,
		"a piece":    `"start_date":"2030-12-29","end_date":"2031-01-17"`,
	} {
		var first *revenueParts
		for _, by := range []string{"room", "channel", "day", "week", "month"} {
			var r revenueParts
			if err := json.Unmarshal(h.must("get_revenue_stats", `{"by":"`+by+`",`+dates+`}`).Data, &r); err != nil {
				t.Fatal(err)
			}
			sum := h.sql(`select $1::uuid is not null as ours, sum(v::numeric)::text as sum from unnest($2::text[]) v`,
				revenues(r))
			if sum[0]["sum"] != r.Total.Revenue.String() {
				t.Errorf("%s by %s: the parts are %v, the total %s", name, by, sum[0]["sum"], r.Total.Revenue)
			}
			if first == nil {
				first = &r
			} else if name == "everything" && r.Total != first.Total {
				t.Errorf("%s by %s: %+v, by room %+v", name, by, r.Total, first.Total)
			}
		}
		stored := h.sql(`select sum(extras_total)::text as extras, sum(package_other_total)::text as package,
			sum(tax_total)::text as tax from public.reservations where org_id = $1`)
		if got := map[string]any{"extras": first.Total.Extras.String(), "package": first.Total.PackageOther.String(),
			"tax": first.Total.Tax.String()}; name == "everything" {
			if diff := cmp.Diff(stored[0], got); diff != "" {
				t.Errorf("stored and reported (-want +got):\n%s", diff)
			}
		}
		var o struct {
			Total struct {
				OccupiedNights            int
				RoomRevenue, OtherRevenue json.Number
			}
		}
		if err := json.Unmarshal(h.must("get_occupancy_stats", `{`+dates+`}`).Data, &o); err != nil {
			t.Fatal(err)
		}
		same := h.sql(`select $1::uuid is not null and $2::numeric + $3::numeric = $4::numeric as same`,
			o.Total.RoomRevenue.String(), o.Total.OtherRevenue.String(), first.Total.Revenue.String())
		if same[0]["same"] != true || o.Total.OccupiedNights != first.Total.Nights {
			t.Errorf("%s: occupancy says %+v, revenue %+v", name, o.Total, first.Total)
		}
	}
}

func revenues(r revenueParts) []string {
	var list []string
	for _, p := range r.Parts {
		list = append(list, p.Revenue.String())
	}
	return list
}

// S0-28, F-59: the current month is the property's. At eight in the evening of
// 31 January in London, February has begun in India.
func TestTheCurrentMonthIsThePropertys(t *testing.T) {
	t.Parallel()
	h := newHotel(t)
	tools := analytics.Tools(hospitality.NewAnalytics(h.client),
		func() time.Time { return time.Date(2031, 1, 31, 20, 0, 0, 0, time.UTC) })
	for _, each := range tools {
		call, err := each.Prepare([]byte(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		r, err := call.Run(t.Context(), h.by)
		if err != nil {
			t.Fatal(err)
		}
		if r.Table == nil || !cmp.Equal(r.Table.Title[len(r.Table.Title)-36:],
			"01-Feb-2031 to 28-Feb-2031 (28 days)") && each.Name() != "compare_periods" {
			t.Errorf("%s reports %+v", each.Name(), r.Table)
		}
		if each.Name() == "compare_periods" &&
			r.Table.Title != "01-Feb-2031 to 28-Feb-2031 (28 days) compared with 04-Jan-2031 to 31-Jan-2031 (28 "+
				"days)" {
			t.Errorf("it compares %q", r.Table.Title)
		}
	}
}
