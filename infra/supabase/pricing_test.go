package supabase_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func day(text string) time.Time {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

// cabins is the house of docs/prices.md.
func cabins() house {
	h := house{digits: 2, weekend: []int{5, 6}, tax: "12", deposit: "30",
		types: []roomType{{code: "COCO", capacity: 4, included: 2, further: "900", weekday: "5000", weekend: "6000",
			ceiling: "6600",
			minStay: 1, maxStay: 30, notice: -1, active: true}},
		seasons: []season{{code: "KITE", kind: "COCO", from: day("2031-01-18"), to: day("2031-01-19"), weekend: "6500",
			active: true}},
		tiers: []tier{{model: "M0", code: "QUIET", fromModel: true, active: true, high: 40, percent: "-10",
			leadMax: -1},
			{model: "M0", code: "BUSY", fromModel: true, active: true, low: 50, high: 100, percent: "15",
				leadMax: -1}},
		extras: []extra{{code: "BREAKFAST", price: "350", per: "guest_night", tax: "5", active: true}},
		coupons: []coupon{{code: "TENTH", kind: "percent", amount: "10", most: "2500", active: true},
			{code: "HUGE", kind: "fixed", amount: "90000", active: true}},
		bundles: []bundle{{code: "TRIO", price: "100", per: "stay", share: "66.67", minNights: 1, guests: 4,
			active: true}},
	}
	for n := range 4 {
		code := "COCO"
		if n > 0 {
			code = fmt.Sprintf("COCO-%d", n+1)
		}
		h.units = append(h.units, unit{code: code, kind: "COCO", active: true})
	}
	for n, id := range []string{"00000000-0000-4000-8000-00000000aaa1", "00000000-0000-4000-8000-00000000aaa2"} {
		h.stays = append(h.stays, stay{unit: h.units[n].code, reservation: id, from: day("2031-01-17"),
			to: day("2031-01-18")})
	}
	return h
}

// S0-32: the printed example is what the function computes.
func TestTheExampleInTheDocsIsTrue(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	cabins().store(t, conn, p, "INR")
	text, err := os.ReadFile("../../docs/prices.md")
	if err != nil {
		t.Fatal(err)
	}
	w := wish{today: day("2031-01-02"), in: day("2031-01-16"), out: day("2031-01-19"), rooms: []string{"COCO"},
		adults: 3, coupon: "TENTH", extras: map[string]int{"BREAKFAST": 1}}
	var q quote
	p.see(t, conn, func(tx pgx.Tx) { q = askQuote(t, tx, p, w.json()) })
	var want []string
	for _, l := range q.Lines {
		want = append(want, fmt.Sprintf("| %s | %s %s | %s %% | %s %% | %s | %s | %s |", l.Night, l.Source, l.Base,
			padded(l.Occupancy), l.TierPercent, l.Amount, l.ExtraGuests, l.Discount))
	}
	want = append(want, "| Rooms | "+q.RoomTotal.String(), "| Further guests | "+q.ExtraGuestTotal.String(),
		"| Discount | "+q.DiscountTotal.String(),
		"3 nights) | "+q.ExtrasTotal.String(), "17685.00 | "+q.Taxes[0].Amount.String(), "3150.00 | "+
			q.Taxes[1].Amount.String(),
		"| Total | "+q.Total.String(), "| Deposit | "+q.DepositDue.String(), "| Balance | "+q.BalanceDue.String())
	for _, line := range want {
		if !strings.Contains(string(text), line) {
			t.Errorf("docs/prices.md does not say\n%s", line)
		}
	}
}

// S0-32 F-59 F-60: figures worked out by hand.
func TestPricesWorkedOutByHand(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	tests := map[string]struct {
		change   func(*house)
		currency string
		w        wish
		nights   string // price/further guests/discount of each
		total    string
	}{
		"a weekend and the weekday after it, nobody there": {
			w:      wish{in: day("2031-02-07"), out: day("2031-02-10"), adults: 2},
			nights: "5400.00/0.00/0.00 5400.00/0.00/0.00 4500.00/0.00/0.00", total: "17136.00"},
		"a gap between the tiers": {
			change: func(h *house) { h.tiers[1].low = 60 },
			w:      wish{in: day("2031-01-17"), out: day("2031-01-18"), adults: 2}, nights: "6000.00/0.00/0.00",
			total: "6720.00"},
		"a fixed coupon above the price takes no more than it": {
			w:      wish{in: day("2031-02-03"), out: day("2031-02-05"), adults: 3, coupon: "HUGE"},
			nights: "4500.00/900.00/5400.00 4500.00/900.00/5400.00", total: "0.00"},
		"a package in three nights loses no cent": { // 66.67 for rooms and 33.33 for the rest
			w:      wish{in: day("2031-02-03"), out: day("2031-02-06"), adults: 3, bundle: "TRIO"},
			nights: "22.22/0.00/0.00 22.23/0.00/0.00 22.22/0.00/0.00", total: "112.00"},
		"yen have no decimals": { // 333 × 0.9 = 299.7; 10 % of 600 is 60; 12 % of 540 is 64.8
			change: func(h *house) { h.digits = 0; h.types[0].weekday = "333" }, currency: "JPY",
			w:      wish{in: day("2031-02-03"), out: day("2031-02-05"), adults: 2, coupon: "TENTH"},
			nights: "300.00/0.00/30.00 300.00/0.00/30.00", total: "605.00"},
		"the 29th of February is a night": { // Saturday to Monday
			w:      wish{in: day("2032-02-28"), out: day("2032-03-01"), adults: 2},
			nights: "5400.00/0.00/0.00 4500.00/0.00/0.00", total: "11088.00"},
		"a night on which clocks change is one night": { // Europe/Lisbon, 30 March 2031
			w:      wish{in: day("2031-03-29"), out: day("2031-03-31"), adults: 2},
			nights: "5400.00/0.00/0.00 4500.00/0.00/0.00", total: "11088.00"},
	}
	for name, tc := range tests {
		h := cabins()
		if tc.change != nil {
			tc.change(&h)
		}
		p := newOrg(t, conn, "manager")
		exec(t, conn, `update public.entities set time_zone = 'Europe/Lisbon' where id = $1`, p.entity)
		for i := range h.stays {
			h.stays[i].reservation = p.id(fmt.Sprint("stay ", i))
		}
		if tc.currency == "" {
			tc.currency = "INR"
		}
		h.store(t, conn, p, tc.currency)
		tc.w.today, tc.w.rooms = day("2031-01-02"), []string{"COCO"}
		var q quote
		p.see(t, conn, func(tx pgx.Tx) { q = askQuote(t, tx, p, tc.w.json()) })
		var nights []string
		for _, l := range q.Lines {
			nights = append(nights, fmt.Sprintf("%s/%s/%s", l.Amount, l.ExtraGuests, padded(l.Discount)))
		}
		if got := strings.Join(nights, " "); got != tc.nights || q.Total.String() != tc.total || len(q.Problems) > 0 {
			t.Errorf("%s:\n got %s = %s %v\nwant %s = %s", name, got, q.Total, q.Problems, tc.nights, tc.total)
		}
	}
}

// F-59: what is no stay is refused in a sentence and not priced.
func TestWhatIsNoStayIsNotPriced(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	p.room(t, conn, "COCO")
	const ok = `"today":"2031-01-02","checkIn":"2031-01-16","checkOut":"2031-01-18","rooms":["COCO"],"adults":1`
	for change, want := range map[string]string{
		``:                           "",
		`,"checkOut":"2031-01-16"`:   "PT422 invalid_dates",
		`,"checkOut":"2031-01-15"`:   "PT422 invalid_dates",
		`,"checkOut":"2033-01-17"`:   "PT422 invalid_dates",
		`,"checkOut":"infinity"`:     "PT422 invalid_dates",
		`,"checkOut":"2032-02-19"`:   "", // 399 nights: too many for the room, which is a problem and no error
		`,"checkIn":"2031-02-30"`:    "PT422 invalid_request",
		`,"rooms":[]`:                "PT422 invalid_request",
		`,"rooms":"COCO"`:            "PT422 invalid_request",
		`,"rooms":[" coco "]`:        "",
		`,"rooms":["OAK"]`:           "PT404 unknown_room",
		`,"adults":0`:                "PT422 invalid_request",
		`,"children":-1`:             "PT422 invalid_request",
		`,"package":"X"`:             "PT404 unknown_package",
		`,"coupon":"X"`:              "PT404 unknown_coupon",
		`,"extras":[{"code":"X"}]`:   "PT404 unknown_extra",
		`,"extras":[{"quantity":0}]`: "PT422 invalid_request",
	} {
		wantState(t, p.run(t.Context(), conn, nil, `select quote($1, $2)`, p.entity, "{"+ok+change+"}"), want)
	}
	stranger := newOrg(t, conn, "admin")
	wantState(t, stranger.run(t.Context(), conn, nil, `select quote($1, $2)`, p.entity, "{"+ok+"}"),
		"PT404 unknown_property")
}

// Three nights of one room in a small house, asked for by a member.
func BenchmarkQuote(b *testing.B) {
	conn, err := pgx.Connect(b.Context(), server.ConnString("seeded", "postgres"))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(b.Context())
	const org, entity = "a0000000-0000-4000-8000-000000000001", "a0000000-0000-4000-8000-0000000000e1"
	p := person{org: org, entity: entity, user: "a0000000-0000-4000-8000-0000000000a2"}
	err = request{claims: p.claims()}.do(b.Context(), conn, func(tx pgx.Tx) error {
		for b.Loop() {
			if _, err := tx.Exec(b.Context(),
				`select app.quote($1,
					'{"today":"2031-01-02","checkIn":"2031-01-16","checkOut":"2031-01-19","rooms":["COCO"],"adults":2}')`, entity); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
