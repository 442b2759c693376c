package analytics_test

import (
	"math/rand/v2"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/hospitality/analytics"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// S0-30: the textbook's hotel. 120 rooms, 30 days, 6 rooms blocked for 10 nights.
func TestTheTextbooksFigures(t *testing.T) {
	n := analytics.Nights{
		Units: 120, Occupied: 2520, Blocked: 60, Available: 120*30 - 60, Bookings: 900,
		RoomRevenue: money.FromInt(378000), OtherRevenue: money.FromInt(75600),
	}
	f, err := n.Figures()
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]struct {
		amount *money.Amount
		want   string
	}{
		"occupancy": {f.Occupancy, "71.19"}, "ADR": {f.ADR, "150.00"}, "RevPAR": {f.RevPAR, "106.78"},
		"TRevPAR": {f.TRevPAR, "128.14"}, "ALOS": {f.ALOS, "2.80"},
	} {
		if got.amount == nil || got.amount.String() != got.want {
			t.Errorf("%s is %v, want %s", name, got.amount, got.want)
		}
	}
}

// S0-30: RevPAR = ADR × occupancy, as far as the two decimals of these allow.
func TestRevPARIsADRTimesOccupancy(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 30))
	for range 5000 {
		n := analytics.Nights{
			Occupied: 1 + random.IntN(3000), Available: 1 + random.IntN(3000), Bookings: random.IntN(50),
			RoomRevenue: cents(random.IntN(1 << 30)), OtherRevenue: cents(random.IntN(1 << 20)),
		}
		f, err := n.Figures()
		if err != nil {
			t.Fatal(err)
		}
		// Exactly, without the rounding of the factors:
		// RevPAR × available must be the revenue, up to half a cent a night.
		whole, err := f.RevPAR.Mul(money.FromInt(n.Available))
		if err != nil {
			t.Fatal(err)
		}
		half, _ := money.MustParse("0.005").Mul(money.FromInt(n.Available))
		if difference(t, whole, n.RoomRevenue).Cmp(half) > 0 {
			t.Fatalf("%+v: RevPAR %v × available is %v", n, f.RevPAR, whole)
		}
		// And by the identity. A rounded ADR is off by at most 0.005, a rounded
		// percentage by 0.005 %: their product by no more than this.
		product, err := f.ADR.Mul(*f.Occupancy)
		if err != nil {
			t.Fatal(err)
		}
		product, _ = product.Quo(money.FromInt(100), 6)
		bound := money.MustParse("0.006")
		for _, part := range []money.Amount{*f.ADR, *f.Occupancy} {
			share, _ := part.Mul(money.MustParse("0.00005"))
			if bound, err = bound.Add(share); err != nil {
				t.Fatal(err)
			}
		}
		if difference(t, product, *f.RevPAR).Cmp(bound) > 0 {
			t.Fatalf("%+v: ADR %v × occupancy %v is %v, RevPAR %v", n, f.ADR, f.Occupancy, product, f.RevPAR)
		}
	}
}

func cents(n int) money.Amount {
	a, _ := money.FromInt(n).Mul(money.MustParse("0.01"))
	return a
}

func difference(t *testing.T, a, b money.Amount) money.Amount {
	t.Helper()
	if a.Cmp(b) < 0 {
		a, b = b, a
	}
	d, err := a.Sub(b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
