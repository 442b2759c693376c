package supabase_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

var springtime = time.Date(2032, 2, 1, 0, 0, 0, 0, time.UTC) // with a 29th

// S0-32 F-60: random hotels, random requests; the database's answer is the oracle's to the cent.
func TestQuotesEqualTheOracles(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			conn := connect(t, "empty")
			defer conn.Close(t.Context())
			dice := dice{rand.New(rand.NewPCG(seed, 32))}
			p := newOrg(t, conn, "manager")
			currency := []string{"INR", "EUR", "JPY"}[seed%3]
			h := dice.house(currency)
			h.store(t, conn, p, currency)
			p.see(t, conn, func(tx pgx.Tx) {
				for n := range 60 {
					w := dice.wish(h)
					got := quoted(t, tx, p, w)
					if want := h.price(w).answer(); !bytes.Equal(got, want) {
						t.Fatalf("request %d: %s\nis priced\n%s, the oracle says\n%s", n, w.json(), got, want)
					}
				}
			})
		})
	}
}

type dice struct{ *rand.Rand }

func (d dice) one(of ...string) string { return of[d.IntN(len(of))] }
func (d dice) often(percent int) bool  { return d.IntN(100) < percent }
func (d dice) money(low, high int) string {
	return fmt.Sprintf("%d.%02d", low+d.IntN(high-low), d.IntN(2)*d.IntN(100))
}
func (d dice) maybe(percent int, value string) string {
	if d.often(percent) {
		return value
	}
	return ""
}

func (d dice) house(currency string) house {
	h := house{
		digits: map[string]int{"INR": 2, "EUR": 2, "JPY": 0}[currency], weekend: [][]int{{5, 6}, {4, 5}, {6, 7},
			{}}[max(0, d.IntN(6)-2)], tax: d.one("0", "5", "12.5", "18"),
		deposit: d.one("0", "30", "33.33", "100"), notice: d.IntN(3) * d.IntN(3),
	}
	for i := range 1 + d.IntN(4) {
		t := roomType{
			code: fmt.Sprintf("R%d", i), capacity: 1 + d.IntN(5), further: d.money(0, 40), weekday: d.money(50, 300),
			weekend: d.money(50, 400),
			floor:   d.maybe(30, d.money(40, 120)), ceiling: d.maybe(30, d.money(130, 250)), minStay: 1 + d.IntN(2),
			maxStay: 3 + d.IntN(20), notice: d.IntN(4) - 2,
			model: d.one("", "", "M0", "M1"), active: d.often(92),
		}
		t.notice = max(-1, t.notice)
		t.included = 1 + d.IntN(t.capacity)
		if d.often(20) {
			t.noArrival, t.noDeparture = []int{1 + d.IntN(7)}, []int{1 + d.IntN(7), 3}
		}
		h.types = append(h.types, t)
		for n := range 1 + d.IntN(4) {
			code := t.code
			if n > 0 {
				code = fmt.Sprintf("%s-%d", t.code, n+1)
			}
			h.units = append(h.units, unit{code: code, kind: t.code, active: d.often(90)})
		}
	}
	for i := range d.IntN(7) {
		from := springtime.AddDate(0, 0, d.IntN(50))
		s := season{
			code: fmt.Sprintf("S%d", i), from: from, to: from.AddDate(0, 0, d.IntN(20)),
			weekday: d.maybe(80, d.money(60, 300)), weekend: d.maybe(70, d.money(60, 300)),
			minStay: d.IntN(4), priority: d.IntN(3), noArrival: d.often(10), noExit: d.often(10), active: d.often(90),
		}
		if d.often(60) {
			s.kind = h.types[d.IntN(len(h.types))].code
		}
		h.seasons = append(h.seasons, s)
	}
	for m, code := range []string{"M0", "M1"} {
		active := d.often(85)
		low := d.IntN(30)
		for n := 0; low < 95; n++ {
			high := min(100, low+1+d.IntN(60))
			r := tier{model: code, code: fmt.Sprintf("T%d%d", m, n), fromModel: m == 0, active: active, low: low,
				high: high, percent: d.money(-40, 60), leadMax: -1}
			if d.often(30) {
				r.leadMin, r.leadMax = 2, 20
			}
			h.tiers = append(h.tiers, r)
			low = high + d.IntN(2)*d.IntN(20) // gaps
		}
	}
	d.sales(&h)
	d.guests(&h)
	return h
}

// sales adds extras, packages and coupons.
func (d dice) sales(h *house) {
	for i := range 4 {
		h.extras = append(h.extras, extra{code: fmt.Sprintf("X%d", i), price: d.money(0, 40),
			per: d.one("stay", "night", "guest", "guest_night"),
			tax: d.one("0", "5", "18", "7.25"), active: d.often(85)})
	}
	window := func() (from, to time.Time) {
		if d.often(50) {
			from = springtime.AddDate(0, 0, d.IntN(30)-15)
			to = from.AddDate(0, 0, 20+d.IntN(40))
		}
		return from, to
	}
	some := func() (kinds []string) {
		for _, t := range h.types {
			if d.often(40) {
				kinds = append(kinds, t.code)
			}
		}
		return kinds
	}
	for i := range 2 {
		k := bundle{code: fmt.Sprintf("P%d", i), price: d.money(100, 900), per: d.one("stay", "night"),
			share:     d.one("100", "80", "66.67", "0"),
			minNights: 1 + d.IntN(2), guests: 1 + d.IntN(4), kinds: some(), extras: map[string]int{},
			active: d.often(90)}
		if d.often(50) {
			k.maxNights = k.minNights + d.IntN(5)
		}
		k.from, k.to = window()
		for _, x := range h.extras {
			if d.often(30) {
				k.extras[x.code] = 1 + d.IntN(3)
			}
		}
		h.bundles = append(h.bundles, k)
	}
	for i := range 3 {
		c := coupon{code: fmt.Sprintf("C%d", i), kind: "percent", amount: d.one("10", "33.33", "100", "0.01"),
			most:      d.maybe(40, d.money(0, 90)),
			minNights: d.IntN(4), minAmount: d.maybe(30, d.money(50, 700)), limit: d.IntN(4), active: d.often(90)}
		if d.often(40) {
			c.kind, c.amount = "fixed", d.money(1, 900)
		}
		c.from, c.to = window()
		c.stayFrom, c.stayTo = window()
		if d.often(30) {
			c.kinds = some()
		}
		if d.often(15) {
			c.bundles = []string{"P0"}
		}
		h.coupons = append(h.coupons, c)
	}
}

// guests fills the units with bookings, and blocks some nights of them.
func (d dice) guests(h *house) {
	var ids []string
	for _, u := range h.units {
		for day := d.IntN(12); day < 60; {
			s := stay{unit: u.code, from: springtime.AddDate(0, 0, day)}
			day += 1 + d.IntN(6)
			s.to = springtime.AddDate(0, 0, day)
			if d.often(80) {
				s.reservation = uuid.NewString()
				ids = append(ids, s.reservation)
			}
			h.stays = append(h.stays, s)
			day += d.IntN(8)
		}
	}
	for i := range h.coupons {
		for range min(d.IntN(3), len(ids)) {
			if id := ids[d.IntN(len(ids))]; !slices.Contains(h.coupons[i].uses, id) &&
				(h.coupons[i].limit == 0 || len(h.coupons[i].uses) < h.coupons[i].limit) {
				h.coupons[i].uses = append(h.coupons[i].uses, id)
			}
		}
	}
}

func (d dice) wish(h house) wish {
	in := springtime.AddDate(0, 0, 2+d.IntN(45))
	w := wish{in: in, out: in.AddDate(0, 0, 1+d.IntN(7)), today: in.AddDate(0, 0, 1-d.IntN(30)), adults: 1 + d.IntN(4),
		children: d.IntN(3), extras: map[string]int{}}
	for range 1 + d.IntN(2)*d.IntN(4) {
		w.rooms = append(w.rooms, h.types[d.IntN(len(h.types))].code)
	}
	w.bundle = d.maybe(30, d.one("P0", "P1"))
	w.coupon = d.maybe(60, d.one("C0", "C1", "C2"))
	for _, x := range h.extras {
		if d.often(30) {
			w.extras[x.code] = 1 + d.IntN(3)
		}
	}
	if s := h.stays[d.IntN(len(h.stays))]; d.often(30) {
		w.except = s.reservation
	}
	return w
}

func (w wish) json() []byte {
	extras := []map[string]any{}
	for _, code := range slices.Sorted(maps.Keys(w.extras)) {
		extras = append(extras, map[string]any{"code": " " + code, "quantity": w.extras[code]})
	}
	request := map[string]any{"today": w.today.Format(time.DateOnly), "checkIn": w.in.Format(time.DateOnly),
		"checkOut": w.out.Format(time.DateOnly),
		"rooms":    w.rooms, "adults": w.adults, "children": w.children, "extras": extras, "package": w.bundle,
		"coupon": w.coupon}
	if w.except != "" {
		request["except"] = w.except
	}
	out, err := json.Marshal(request)
	if err != nil {
		panic(err)
	}
	return out
}
