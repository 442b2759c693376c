package reading

import (
	"cmp"
	"fmt"
	"strings"
)

// shift is "one day later".
type shift struct {
	at, days int
}

// shifts finds "one day later" and the like.
func (t *text) shifts() []shift {
	var out []shift
	t.each(shifted, func(m match) bool {
		n, unit, way := number(m.groups[1]), m.groups[2], m.groups[3]
		if m.groups[1] == "" {
			n, unit, way = 1, cmp.Or(m.groups[4], "day"), cmp.Or(m.groups[5], m.groups[6], m.groups[8])
		}
		if (way == "after" || way == "before") && beginsWith(t.after(m.to), "tomorrow", "christmas", "the", "my",
			"departure") {
			return false
		}
		if strings.HasPrefix(unit, "week") {
			n *= 7
		}
		if way == "earlier" || way == "sooner" || way == "before" || way == "previous" || way == "pehle" {
			n = -n
		}
		out = append(out, shift{m.from, n})
		return n != 0
	})
	return out
}

// stay is how long a stay is, in nights; some says that it was said and leaves the number
// open.
type stay struct {
	nights  int
	some    bool
	assumed string
}

// nights finds "for four nights", "a week".
func (t *text) nights() stay {
	var out stay
	t.each(nightsLong, func(m match) bool {
		many, unit := m.groups[1], m.groups[2]
		if many == "" {
			many, unit = "one", cmp.Or(m.groups[4], m.groups[6])
		}
		if before := t.before(m.from); endsIn(before, "in", "within", "every", "per", "by", "next", "last") ||
			beginsWith(t.after(m.to), "before", "later", "earlier", "from now", "from today", "old", "ago",
				"after", "advance",
				"notice") {
			return false
		}
		if before := t.before(m.from); (many == "a" || many == "an") && m.from == m.at[2] && unit != "week" &&
			!endsIn(before, "for", "stay", "just", "only") {
			return false // "20,000 yen a night"
		}
		if unit == "week" && many == "one" && m.groups[5] != "" && !strings.HasPrefix(m.groups[0], "for") &&
			endsIn(t.before(m.from), "times", "once", "twice") {
			return false
		}
		switch many {
		case "a few", "some":
			out.some = true
			return true
		case "a couple of":
			many = "two"
		}
		n := number(many)
		switch unit[0] {
		case 'w', 'h':
			n *= 7
		case 'f':
			n *= 14
		case 'd':
			if n > 1 {
				out.assumed = fmt.Sprintf("I took “%s” as %d nights.", strings.TrimSpace(t.plain[m.from:m.to]), n)
			}
		}
		if out.nights != 0 {
			return false
		}
		out.nights = n
		return n > 0 && n <= 90
	})
	return out
}
