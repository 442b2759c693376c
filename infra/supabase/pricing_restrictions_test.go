package supabase_test

import (
	"cmp"
	"math/big"
	"slices"
)

// What speaks against a stay, a package and a coupon: the second half of the oracle.

func (h house) restrictions(w wish, guests, nights int) (problems []string) {
	add := func(wrong bool, code string) {
		if wrong {
			problems = append(problems, code)
		}
	}
	lead := days(w.today, w.in)
	add(lead < 0, "past")
	beds := 0
	for _, code := range w.rooms {
		beds += h.kind(code).capacity
	}
	for _, t := range slices.SortedFunc(slices.Values(h.types),
		func(a, b roomType) int { return cmp.Compare(a.code, b.code) }) {
		if !slices.Contains(w.rooms, t.code) {
			continue
		}
		least, notice := t.minStay, t.notice
		if notice < 0 {
			notice = h.notice
		}
		noArrival, noDeparture := slices.Contains(t.noArrival, isoWeekday(w.in)), slices.Contains(t.noDeparture,
			isoWeekday(w.out))
		for _, s := range h.seasons {
			if !s.active || s.kind != "" && s.kind != t.code {
				continue
			}
			if within(w.in, s.from, s.to) {
				least = max(least, s.minStay)
				noArrival = noArrival || s.noArrival
			}
			noDeparture = noDeparture || s.noExit && within(w.out, s.from, s.to)
		}
		add(!t.active, "inactive_room")
		add(lead >= 0 && lead < notice, "advance_notice")
		add(nights < least, "min_stay")
		add(nights > t.maxStay, "max_stay")
		add(noArrival, "closed_arrival")
		add(noDeparture, "closed_departure")
	}
	add(guests > beds, "capacity")
	return problems
}

func (k bundle) problems(w wish, guests, nights int) (problems []string) {
	add := func(wrong bool, code string) {
		if wrong {
			problems = append(problems, code)
		}
	}
	add(!k.active, "package_inactive")
	add(!within(w.in, k.from, k.to) || !within(w.out.AddDate(0, 0, -1), k.from, k.to), "package_dates")
	add(nights < k.minNights || k.maxNights > 0 && nights > k.maxNights, "package_nights")
	add(guests > k.guests*len(w.rooms), "package_guests")
	add(len(k.kinds) > 0 && slices.ContainsFunc(w.rooms,
		func(code string) bool { return !slices.Contains(k.kinds, code) }), "package_room")
	return problems
}

// refusal is the first reason why a coupon does not hold, or "".
func (c coupon) refusal(w wish, nights int, rooms *big.Rat) string {
	uses := 0
	for _, id := range c.uses {
		if id != w.except {
			uses++
		}
	}
	for _, each := range []struct {
		wrong bool
		code  string
	}{
		{!c.active, "coupon_inactive"},
		{!c.from.IsZero() && w.today.Before(c.from), "coupon_not_yet"},
		{!c.to.IsZero() && w.today.After(c.to), "coupon_expired"},
		{!within(w.in, c.stayFrom, c.stayTo) || !within(w.out.AddDate(0, 0, -1), c.stayFrom, c.stayTo),
			"coupon_stay_dates"},
		{nights < c.minNights, "coupon_min_nights"},
		{c.minAmount != "" && rooms.Cmp(rat(c.minAmount)) < 0, "coupon_min_amount"},
		{len(c.kinds) > 0 && slices.ContainsFunc(w.rooms,
			func(code string) bool { return !slices.Contains(c.kinds, code) }), "coupon_room"},
		{len(c.bundles) > 0 && !slices.Contains(c.bundles, w.bundle), "coupon_package"},
		{c.limit > 0 && uses >= c.limit, "coupon_used_up"},
	} {
		if each.wrong {
			return each.code
		}
	}
	return ""
}
