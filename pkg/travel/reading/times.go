package reading

import (
	"fmt"
	"strings"
)

// clock is what a message says of the time of day.
type clock struct {
	at int
	// after and before bound when the journey begins; arrive says that before is when it
	// ends.
	after, before string
	arrive        bool
	// exact is a time that was named without a bound: "at 9:40".
	exact string
	// unclear is an hour that may be of the morning or of the evening.
	unclear int
	words   string
	assumed string
}

const hour = `(\d{1,2})(?:[:.h](\d{2}))?( ?(?:am|pm|a\.m\.|p\.m\.|hrs|hours|h|o'?clock|baje))?`

var (
	timeSpan = lazily(`(?:between|from) ` + hour + ` (?:and|to|-) ` + hour)
	timeOne  = lazily(`(?:(no later than|not later than|no earlier than|not before|not after|anytime after|` +
		`any time after|sometime after|earlier than|later than|after|before|by|until|till|around|about|at|from) |` +
		`(@) ?)?(?:about )?(?:` + hour + `|(noon|midday|midnight))`)
	partOfDay = lazily(`(?:in the |the |this |during the |at )?(early |late )?(mornings?|afternoons?|evenings?|` +
		`nights?|subah|dopahar|` +
		`shaam|sham|raat)(?: (?:ko|mein|me))?`)
)

// clocks finds times of day. Days must have been found before.
func (t *text) clocks() []clock {
	var out []clock
	t.each(timeSpan, func(m match) bool {
		second, ok := readHour(m.groups[4], m.groups[5], m.groups[6])
		if !ok || m.groups[6] == "" && m.groups[5] == "" && m.groups[3] == "" && m.groups[2] == "" {
			return false
		}
		marker := m.groups[3]
		if marker == "" && m.groups[2] == "" {
			marker = m.groups[6]
		}
		first, ok := readHour(m.groups[1], m.groups[2], marker)
		if !ok || first >= second {
			return false
		}
		out = append(out, clock{at: m.from, after: first, before: second, arrive: t.arrives(m.from)})
		return true
	})
	t.each(timeOne, func(m match) bool {
		word := m.groups[1]
		m.groups = append(m.groups[:2:2], m.groups[3:]...) // without the group of "@"
		marked := m.groups[3] != "" || m.groups[4] != ""
		var at string
		ok := true
		switch m.groups[5] {
		case "noon", "midday":
			at = "12:00"
		case "midnight":
			at = "23:59"
		default:
			if strings.TrimSpace(m.groups[4]) == "h" && m.groups[3] == "" && word == "" {
				return false // a duration
			}
			at, ok = readHour(m.groups[2], m.groups[3], m.groups[4])
			if m.groups[3] != "" && strings.Contains(m.groups[0], ".") && m.groups[4] == "" {
				return false // an amount
			}
		}
		c := clock{at: m.from, words: strings.TrimSpace(t.plain[m.from:m.to])}
		if !ok {
			return false
		}
		if m.groups[5] == "" && !marked {
			if word == "" || word == "from" || word == "about" || t.counts(m.to) ||
				beginsWith(t.after(m.to), "£", "$", "€", "euros", "eur", "usd", "gbp", "inr", "rs", "rupees",
					"k", "lakh", "%") {
				return false
			}
			switch h := number(m.groups[2]); {
			case h > 12 && h < 24:
			case h == 0 || h > 23:
				return false
			default:
				if part := t.dayPart(); part != "" {
					at, _ = readHour(m.groups[2], "", map[bool]string{true: "pm", false: "am"}[part != "morning"])
				} else {
					c.unclear = h
				}
			}
		}
		switch word {
		case "no later than", "not later than", "not after", "before", "by", "until", "till", "earlier than":
			c.before, c.arrive = at, t.arrives(m.from)
			if word == "by" && !c.arrive && !t.leaves(m.from) {
				c.arrive, c.assumed = true, fmt.Sprintf("I took “%s” as the time of arrival.", c.words)
			}
		case "no earlier than", "not before", "anytime after", "any time after", "sometime after", "later than",
			"after", "from":
			c.after = at
		case "around", "about":
			c.after, c.before = plusHours(at, -2), plusHours(at, 2)
			c.assumed = fmt.Sprintf("I took “%s” as between %s and %s.", c.words, c.after, c.before)
		default:
			c.exact = at
			if behind, ok := hindiAfter(t.after(m.to)); ok { // "6 pm ke baad"
				c.exact, c.after = "", at
				if behind {
					c.after, c.before = "", at
				}
			}
		}
		out = append(out, c)
		return true
	})
	t.each(partOfDay, func(m match) bool {
		if endsIn(t.before(m.from), "good") {
			return false
		}
		if strings.HasPrefix(m.groups[2], "night") && (endsIn(t.before(m.from), "per", "a", "each", "every",
			"first", "last", "one", "a late") ||
			strings.HasSuffix(m.groups[2], "s") && endsIn(t.before(m.from), "of")) {
			return false
		}
		if len(out) > 0 && out[len(out)-1].exact == "" && out[len(out)-1].words != "" &&
			m.from-out[len(out)-1].at < 24 {
			return true // "after 7 in the evening"
		}
		after, before := partHours(m.groups[1], m.groups[2])
		c := clock{at: m.from, after: after, before: before, arrive: t.arrives(m.from),
			words: strings.TrimSpace(m.groups[0])}
		span := "after " + after
		if before != "23:59" {
			span = "from " + after + " to " + before
		}
		c.assumed = fmt.Sprintf("I took “%s” as %s.", strings.TrimPrefix(strings.TrimPrefix(c.words, "in the "),
			"the "), span)
		out = append(out, c)
		return true
	})
	return out
}

// hindiAfter reports whether a text begins with "after" in Hindi, or with "before".
func hindiAfter(text string) (before, ok bool) {
	if beginsWith(text, "ke baad", "baad", "se baad") {
		return false, true
	}
	before = beginsWith(text, "se pehle", "ke pehle", "pehle")
	return before, before
}

func partHours(which, part string) (after, before string) {
	which = strings.TrimSpace(which)
	switch {
	case strings.HasPrefix(part, "morning"), part == "subah":
		switch which {
		case "early":
			return "04:00", "09:00"
		case "late":
			return "09:00", "12:00"
		}
		return "05:00", "12:00"
	case strings.HasPrefix(part, "afternoon"), part == "dopahar":
		return "12:00", "17:00"
	case strings.HasPrefix(part, "evening"), part == "shaam", part == "sham":
		if which == "late" {
			return "20:00", "23:59"
		}
		return "17:00", "23:59"
	}
	return "20:00", "23:59"
}

// dayPart returns the part of the day that is named anywhere in the message.
func (t *text) dayPart() string {
	m := partOfDay().FindStringSubmatch(t.low)
	if m == nil {
		return ""
	}
	if after, _ := partHours("", m[2]); after == "05:00" {
		return "morning"
	}
	return "evening"
}

var (
	arriving = lazily(`(?:arriv\w+|land\w*|get(?:ting)? there|reach\w*|be there|be in|get in|there|` +
		`pahunch\w*)(?: \w+){0,3}$`)
	leaving = lazily(`(?:leav\w+|depart\w*|fly\w*|take off|go|leaves)(?: \w+){0,2}$`)
)

func (t *text) arrives(i int) bool { return arriving().MatchString(t.before(i)) }
func (t *text) leaves(i int) bool  { return leaving().MatchString(t.before(i)) }

// readHour returns "18:05". Without a mark the hour is one of twenty-four.
func readHour(h, m, mark string) (string, bool) {
	hours, minutes := number4(h), number4(m)
	mark = strings.ReplaceAll(strings.TrimSpace(mark), ".", "")
	switch {
	case mark == "pm" && hours < 12:
		hours += 12
	case mark == "am" && hours == 12:
		hours = 0
	}
	return fmt.Sprintf("%02d:%02d", hours, minutes), hours < 24 && minutes < 60
}

// plusHours stays within the day.
func plusHours(at string, n int) string {
	h := number4(at[:2]) + n
	switch {
	case h < 0:
		return "00:00"
	case h > 23:
		return "23:59"
	}
	return fmt.Sprintf("%02d%s", h, at[2:])
}
