package supabase_test

import (
	"cmp"
	"math/big"
	"slices"
	"time"
)

// The rules of a price a second time, in Go and on plain data, written from the
// rules and not from the SQL. Tests hold the two against each other.

type house struct {
	digits       int
	weekend      []int
	tax, deposit string
	notice       int
	types        []roomType
	units        []unit
	seasons      []season // the newest last
	tiers        []tier
	bundles      []bundle
	coupons      []coupon
	extras       []extra
	stays        []stay
}

type roomType struct {
	code                      string
	capacity, included        int
	further, weekday, weekend string
	floor, ceiling            string // "" = none
	minStay, maxStay          int
	noArrival, noDeparture    []int
	notice                    int // -1 = the house's
	model                     string
	active                    bool
}

type unit struct {
	code, kind string
	active     bool
}

type season struct {
	code, kind        string // "" = all types
	from, to          time.Time
	weekday, weekend  string
	minStay, priority int
	noArrival, noExit bool
	active            bool
}

type tier struct {
	model, code      string
	fromModel        bool // whether the model is the default one
	active           bool
	low, high        int
	percent          string
	leadMin, leadMax int // leadMax -1 = open
}

type bundle struct {
	code, price, per, share string
	minNights, maxNights    int // maxNights 0 = open
	guests                  int
	from, to                time.Time
	kinds                   []string
	extras                  map[string]int
	active                  bool
}

type coupon struct {
	code, kind, amount, most string
	from, to, stayFrom       time.Time
	stayTo                   time.Time
	minNights                int
	minAmount                string
	limit                    int
	uses                     []string // ids of reservations
	kinds, bundles           []string
	active                   bool
}

type extra struct {
	code, price, per, tax string
	active                bool
}

type stay struct {
	unit, reservation string // reservation "" = a block
	from, to          time.Time
}

type wish struct {
	today, in, out   time.Time
	rooms            []string
	adults, children int
	bundle, coupon   string
	extras           map[string]int
	except           string
}

func rat(s string) *big.Rat {
	if s == "" {
		return new(big.Rat)
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("not a number: " + s)
	}
	return r
}

func plus(all ...*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, r := range all {
		sum.Add(sum, r)
	}
	return sum
}

func minus(a, b *big.Rat) *big.Rat     { return new(big.Rat).Sub(a, b) }
func times(a *big.Rat, n int) *big.Rat { return new(big.Rat).Mul(a, big.NewRat(int64(n), 1)) }
func share(a, p *big.Rat) *big.Rat {
	return new(big.Rat).Mul(a, new(big.Rat).Quo(p, big.NewRat(100, 1)))
}
func least(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// rounded rounds half away from zero.
func rounded(r *big.Rat, digits int) *big.Rat {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	n := new(big.Int).Mul(new(big.Int).Abs(r.Num()), scale)
	n.Lsh(n, 1).Add(n, r.Denom())
	n.Quo(n, new(big.Int).Lsh(r.Denom(), 1))
	if r.Sign() < 0 {
		n.Neg(n)
	}
	return new(big.Rat).SetFrac(n, scale)
}

func show(r *big.Rat) string { return r.FloatString(2) }

func within(day, from, to time.Time) bool {
	return (from.IsZero() || !day.Before(from)) && (to.IsZero() || !day.After(to))
}

func days(from, to time.Time) int { return int(to.Sub(from).Hours() / 24) }

func isoWeekday(d time.Time) int { return (int(d.Weekday())+6)%7 + 1 }

func (h house) kind(code string) roomType {
	return h.types[slices.IndexFunc(h.types, func(t roomType) bool { return t.code == code })]
}

// occupancy is that of one night in percent with two decimals.
func (h house) occupancy(night time.Time, except string) *big.Rat {
	booked, free := 0, 0
	for _, u := range h.units {
		if u.active && h.kind(u.kind).active {
			free++
		}
	}
	for _, s := range h.stays {
		if night.Before(s.from) || !night.Before(s.to) {
			continue
		}
		u := h.units[slices.IndexFunc(h.units, func(u unit) bool { return u.code == s.unit })]
		switch {
		case s.reservation == "" && u.active && h.kind(u.kind).active:
			free--
		case s.reservation != "" && s.reservation != except:
			booked++
		}
	}
	switch {
	case free > 0:
		return rounded(big.NewRat(int64(100*booked), int64(free)), 2)
	case booked > 0:
		return big.NewRat(100, 1)
	}
	return new(big.Rat)
}

// strongest returns the season that sets the price of a night, if any.
func (h house) strongest(t roomType, night time.Time) *season {
	var best *season
	for i, s := range h.seasons {
		if !s.active || s.kind != "" && s.kind != t.code || !within(night, s.from, s.to) || s.weekday == "" &&
			s.weekend == "" {
			continue
		}
		// Later ones are newer, so they win what is equal so far.
		if best == nil || cmp.Or(cmp.Compare(s.priority, best.priority), cmp.Compare(days(best.from, best.to),
			days(s.from, s.to))) >= 0 {
			best = &h.seasons[i]
		}
	}
	return best
}

func (h house) tier(t roomType, occupancy *big.Rat, lead int) *tier {
	for i, r := range h.tiers {
		mine := r.model == t.model || t.model == "" && r.fromModel
		high := occupancy.Cmp(big.NewRat(int64(r.high), 1)) < 0 || r.high == 100
		if mine && r.active && occupancy.Cmp(big.NewRat(int64(r.low), 1)) >= 0 && high && lead >= r.leadMin &&
			(r.leadMax < 0 || lead <= r.leadMax) {
			return &h.tiers[i]
		}
	}
	return nil
}

type line struct {
	night                  time.Time
	room                   int
	source, season, tier   string
	base, percent          *big.Rat
	amount, further, minus *big.Rat
	occupancy              *big.Rat
}

type bill struct {
	lines                                       []line
	room, further, other, discount, extras, tax *big.Rat
	total, deposit                              *big.Rat
	taxes, extraAmounts                         []string // "label amount"
	problems                                    []string
	couponValid                                 bool
}

// price computes a stay by the rules' own numbers.
func (h house) price(w wish) bill {
	nights, guests := days(w.in, w.out), w.adults+w.children
	var b bill
	b.problems = h.restrictions(w, guests, nights)
	var bun *bundle
	if w.bundle != "" {
		bun = &h.bundles[slices.IndexFunc(h.bundles, func(k bundle) bool { return k.code == w.bundle })]
		b.problems = append(b.problems, bun.problems(w, guests, nights)...)
	}
	// Further guests: into the cheapest free beds first.
	waiting := guests
	order := make([]int, len(w.rooms))
	for i, code := range w.rooms {
		waiting -= h.kind(code).included
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return rat(h.kind(w.rooms[i]).further).Cmp(rat(h.kind(w.rooms[j]).further)) })
	further := make([]int, len(w.rooms))
	for n, i := range order {
		t := h.kind(w.rooms[i])
		take := max(0, min(waiting, t.capacity-t.included))
		if n == len(order)-1 {
			take = max(0, waiting)
		}
		further[i] = take
		waiting -= take
	}
	for n := range nights {
		night := w.in.AddDate(0, 0, n)
		for i, code := range w.rooms {
			l := line{night: night, room: i + 1, source: "base", percent: new(big.Rat), minus: new(big.Rat),
				occupancy: h.occupancy(night, w.except)}
			t := h.kind(code)
			weekend := slices.Contains(h.weekend, isoWeekday(night))
			l.base = rat(t.weekday)
			if weekend {
				l.base = rat(t.weekend)
			}
			if s := h.strongest(t, night); s != nil {
				price := s.weekday
				if weekend {
					price = s.weekend
				}
				if price != "" {
					l.base, l.source, l.season = rat(price), "season", s.code
				}
			}
			if r := h.tier(t, l.occupancy, max(0, days(w.today, w.in))); r != nil {
				l.tier, l.percent = r.code, rat(r.percent)
			}
			l.amount = rounded(share(l.base, plus(big.NewRat(100, 1), l.percent)), h.digits)
			if t.floor != "" && l.amount.Cmp(rat(t.floor)) < 0 {
				l.amount = rat(t.floor)
			}
			if t.ceiling != "" && l.amount.Cmp(rat(t.ceiling)) > 0 {
				l.amount = rat(t.ceiling)
			}
			l.amount = rounded(l.amount, h.digits)
			l.further = rounded(times(rat(t.further), further[i]), h.digits)
			b.lines = append(b.lines, l)
		}
	}
	b.other = new(big.Rat)
	if bun != nil {
		b.other = h.bundled(b.lines, *bun, nights, len(w.rooms))
	}
	b.room, b.further = new(big.Rat), new(big.Rat)
	for _, l := range b.lines {
		b.room, b.further = plus(b.room, l.amount), plus(b.further, l.further)
	}
	h.discounted(&b, w, nights)
	h.closed(&b, w, bun, nights, guests)
	return b
}

// bundled replaces the lines' prices by equal shares of the package's and
// returns the part of it that is not for rooms.
func (h house) bundled(lines []line, k bundle, nights, rooms int) *big.Rat {
	count := rooms
	if k.per == "night" {
		count *= nights
	}
	price := rounded(times(rat(k.price), count), h.digits)
	forRooms := rounded(share(price, rat(k.share)), h.digits)
	given := new(big.Rat)
	for i := range lines {
		l := &lines[i]
		until := rounded(new(big.Rat).Mul(forRooms, big.NewRat(int64(i+1), int64(len(lines)))), h.digits)
		l.amount, l.base, l.further, given = minus(until, given), minus(until, given), new(big.Rat), until
		l.source, l.season, l.tier, l.percent = "package", "", "", new(big.Rat)
	}
	return minus(price, forRooms)
}

func (h house) discounted(b *bill, w wish, nights int) {
	b.discount = new(big.Rat)
	rooms := plus(b.room, b.further)
	if w.coupon == "" {
		return
	}
	c := h.coupons[slices.IndexFunc(h.coupons, func(c coupon) bool { return c.code == w.coupon })]
	if why := c.refusal(w, nights, rooms); why != "" {
		b.problems = append(b.problems, why)
		return
	}
	b.couponValid = true
	b.discount = rat(c.amount)
	if c.kind == "percent" {
		b.discount = share(rooms, rat(c.amount))
	}
	b.discount = rounded(b.discount, h.digits)
	if c.most != "" {
		b.discount = least(b.discount, rounded(rat(c.most), h.digits))
	}
	b.discount = least(b.discount, rooms)
	if b.discount.Sign() == 0 {
		return
	}
	sum, given := new(big.Rat), new(big.Rat)
	for i := range b.lines {
		sum = plus(sum, b.lines[i].amount, b.lines[i].further)
		until := rounded(new(big.Rat).Quo(new(big.Rat).Mul(b.discount, sum), rooms), h.digits)
		b.lines[i].minus, given = minus(until, given), until
	}
}

// closed adds extras, taxes and the deposit.
func (h house) closed(b *bill, w wish, bun *bundle, nights, guests int) {
	b.extras = new(big.Rat)
	rooms := minus(plus(b.room, b.further, b.other), b.discount)
	b.tax = rounded(share(rooms, rat(h.tax)), h.digits)
	if rat(h.tax).Sign() > 0 {
		b.taxes = append(b.taxes, "Accommodation "+show(b.tax))
	}
	sorted := slices.SortedFunc(slices.Values(h.extras), func(a, b extra) int { return cmp.Compare(a.code, b.code) })
	var inside, outside []string
	for _, x := range sorted {
		wanted := w.extras[x.code]
		included := 0
		if bun != nil {
			included = bun.extras[x.code]
		}
		quantity, price := wanted, rounded(rat(x.price), h.digits)
		switch {
		case included > 0:
			quantity, price = included, new(big.Rat)
			if wanted > included {
				inside = append(inside, "package_extra")
			}
		case wanted == 0:
			continue
		case !x.active:
			outside = append(outside, "inactive_extra")
		}
		factor := map[string]int{"stay": 1, "night": nights, "guest": guests, "guest_night": guests * nights}[x.per]
		amount := times(price, quantity*factor)
		b.extraAmounts = append(b.extraAmounts, x.code+" "+show(amount))
		b.extras = plus(b.extras, amount)
		if rat(x.tax).Sign() > 0 && amount.Sign() > 0 {
			tax := rounded(share(amount, rat(x.tax)), h.digits)
			b.taxes = append(b.taxes, x.code+" "+show(tax))
			b.tax = plus(b.tax, tax)
		}
	}
	b.problems = slices.Concat(b.problems, outside, inside)
	b.total = plus(rooms, b.extras, b.tax)
	b.deposit = rounded(share(b.total, rat(h.deposit)), h.digits)
}
