package reading

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// party is who travels, as a message says it.
type party struct {
	adults   int
	children []int // ages, or UnknownAge
	total    int   // "four of us"; 0 where it was not said
	set      bool
	// more says that they come to those who were there: "and one more adult"; less that
	// children stay at home.
	more, less bool
	// with says that children come with those who were there, if any were.
	with bool
	// ofUs says that the total was said of those who were there: "make it four of us".
	ofUs bool
	// stated are ages of children who were named before.
	stated  []int
	assumed []string
}

const (
	childWords = `children|child|kids?|sons?|daughters?|boys?|girls?|toddlers?|bachche|bachcha|bacche|baccha|` +
		`teenagers?|teens?`
	infantWords = `infants?|bab(?:y|ies)|newborns?|lap infants?`
	peopleWords = `people|persons?|pax|passengers?|travell?ers?|tickets?|seats?|guests?|of us|log|logon|` +
		`adults? and children`
	ageList = `(\d{1,2}(?:(?:, ?| ?& ?| and |, and )\d{1,2})*)`
)

var (
	monthsOld = lazily(`(?:an? |my |our |with )*(\d{1,2}|` + counted + `)[- ]months?[- ]old(?: (?:baby|infant|son|` +
		`daughter|child|boy|girl))?`)
	yearsOld = lazily(`(?:an? |my |our )*(` + counted + `)(?:[- ]?(?:years?|yrs?)[- ]olds?|` +
		`[- ]?y/?o\b)(?: (?:` + childWords + `|` +
		infantWords + `|adult))?`)
	oneOfThem = lazily(`(?:(?:she|he|the (?:` + childWords + `|` + infantWords + `)|one(?: of (?:them|us))?|` +
		`(?:my |our )?(?:` + childWords +
		`)|they|the other) ?(?:is|are|'s|'re) |who(?: is|'s| are) |aged? |ages |of age )(?:about |aged )?` + ageList +
		`(?: years? old| years| yrs)?`)
	childCount = lazily(`(?:(` + numbers + `|my|our|his|her|their|the|with|no|without(?: the)?) )?(?:(?:small|` +
		`little|young|younger|older|teenage|school|other) )?(` +
		childWords + `)(?:,? ?\(?(?:of|aged?|ages|age|who are|who is|both|is|are|\()? ?` + ageList +
		`\)?(?: years? old| years| yrs)?)?`)
	infantCount = lazily(`(?:(` + numbers + `|my|our|the|with) )?(?:(?:small|little|newborn) )?(` + infantWords +
		`)(?: on (?:my |our |a |the )?lap)?`)
	adultCount = lazily(`(` + numbers + `)(?: more| other)? (adults?|grown[- ]?ups?|seniors?|bade)`)
	headCount  = lazily(`(?:family|party|group|gang) of (` + numbers + `)|(?:all )?(?:the )?(` + numbers +
		`) (` + peopleWords + `)|(` +
		counted + `)[- ](?:person|people|pax)`)
	forMany = lazily(`(?:make it|make that|for|we are|we're|there are|there're|it's) (` + counted + `)(?: people)?`)
	justMe  = lazily(`(?:just|only) (?:for )?(?:me|myself|one)|by myself|on my own|alone|solo|for me only|` +
		`myself|i'm (?:travelling|traveling|going|flying) alone|akela|akele`)
	pairOf = lazily(`(?:the )?(?:two|both|2) of us|us two|as a couple|we both|for a couple|(?:my )?(?:(?:` +
		partnerWords + `) and (?:i|me)|(?:me|myself|i) and my (?:` + partnerWords + `)|(?:me|myself|i) (?:and|\+|` +
		`&) (?:` + partnerWords + `))`)
	companion = lazily(`(with|for|and|plus|,)? ?(?:(my|our|a|his|her) )(` + partnerWords + `|` + relativeWords + `)`)
	severalOf = lazily(`(with|for|and)? ?(?:my |our )?(` + counted + `) (?:other )?(friends?|colleagues?|mates|` +
		`brothers?|sisters?|cousins?|coworkers?)`)
	moreOf = lazily(`(?:and |plus |add |also )?(?:(` + numbers + `) (?:more|other|extra|additional)|` +
		`another)(?: (adult|person|passenger|people|traveller|traveler|child|kid|infant|baby|seat|ticket)s?)?`)
	stated = lazily(`(?:the|our|my|her|his) (?:` + childWords + `|` + infantWords + `) (?:is|was) (?:only |about |` +
		`just |now )?(\d{1,2}|` +
		counted + `)(?: (months?|weeks?|years?|yrs?))?(?: old)?|(?:she|he|it)(?: is|'s) (\d{1,2}|` + counted +
		`) (months?|weeks?)(?: old)?`)
	meToo     = lazily(`\b(?:and|plus|\+|&) (?:me|i|myself)\b|\b(?:me|i|myself) and\b|\bour?s?\b|\bmy\b`)
	withChild = lazily(`(?:with|and|plus) (?:my|our|a|an|the|two|three|her|his) (?:\w+ )?(?:` + childWords + `|` +
		`` + infantWords + `)`)
	addCue   = lazily(`(?:add|plus|also bring|bring along|additionally)\b`)
	lessKids = lazily(`(?:without|no|not) (?:the |my |our )?(?:kids|children|child|kid|baby|infant)`)
	aFamily  = lazily(`(?:my |our |the |whole )*family\b`)
)

const (
	partnerWords  = `wife|husband|partner|spouse|girlfriend|boyfriend|fianc[eé]e?|biwi|pati|patni`
	relativeWords = `mother|father|mom|mum|dad|mama|papa|brother|sister|friend|colleague|boss|parents|grandmother|` +
		`grandfather|grandma|grandpa|aunt|uncle|cousin|mother-in-law|father-in-law|in-laws`
)

// people finds who travels. Days must have been found before.
func (t *text) people() party {
	var p party
	takeAges := func(list string) []int {
		var ages []int
		for _, f := range strings.FieldsFunc(list, func(r rune) bool { return r < '0' || r > '9' }) {
			ages = append(ages, number(f))
		}
		return ages
	}
	var ages []int // of children whose number may stand elsewhere
	children, infants, adults := 0, 0, 0
	adultsSaid := false
	if t.take(lessKids) {
		p.less, p.set = true, true
	}
	// How old a child is who was named before.
	t.each(stated, func(m match) bool {
		n, unit := number(m.groups[1]), m.groups[2]
		if m.groups[3] != "" {
			n, unit = number(m.groups[3]), m.groups[4]
		}
		switch {
		case strings.HasPrefix(unit, "month"):
			n /= 12
		case strings.HasPrefix(unit, "week"):
			n = 0
		case n > 17:
			return false
		}
		p.stated = append(p.stated, n)
		return true
	})
	// What one child is, before how many there are.
	t.each(monthsOld, func(m match) bool {
		ages = append(ages, min(number(m.groups[1])/12, 17))
		return true
	})
	t.each(yearsOld, func(m match) bool {
		if n := number(m.groups[1]); n >= 18 {
			adults++
			adultsSaid = true
		} else {
			ages = append(ages, n)
		}
		return true
	})
	t.each(childCount, func(m match) bool {
		n := number(m.groups[1])
		many := strings.HasSuffix(m.groups[2], "s") || m.groups[2] == "children" || m.groups[2] == "bachche"
		switch m.groups[1] {
		case "no", "without", "without the":
			return false
		case "", "my", "our", "his", "her", "their", "the", "with":
			n = 1
			if many {
				n = 2
				if m.groups[3] == "" {
					p.assumed = append(p.assumed, fmt.Sprintf("I took “%s” as two children.", m.groups[0]))
				}
			}
		}
		if m.groups[3] != "" {
			if list := takeAges(m.groups[3]); len(list) <= max(n, 1) || m.groups[1] == "" ||
				number(m.groups[1]) == 0 {
				ages = append(ages, list...)
				n = max(len(list), number(m.groups[1]))
			} else {
				return false
			}
		}
		if m.groups[3] == "" && n == 1 && !many && len(ages) > children {
			// "a 7 year old and his brother" names two; "our 7 year old son" was one.
			if strings.HasSuffix(strings.TrimSpace(t.low[:m.from]), "old") {
				return true
			}
		}
		children += n
		return true
	})
	t.each(infantCount, func(m match) bool {
		n := max(number(m.groups[1]), 1)
		if m.groups[1] == "" && strings.HasSuffix(m.groups[2], "s") {
			n = 2
		}
		infants += n
		return true
	})
	t.each(oneOfThem, func(m match) bool {
		list := takeAges(m.groups[1])
		if slices.ContainsFunc(list, func(n int) bool { return n > 17 }) {
			return false
		}
		ages = append(ages, list...)
		return true
	})
	t.each(adultCount, func(m match) bool {
		adults += number(m.groups[1])
		adultsSaid = true
		if strings.Contains(m.groups[0], "more") || strings.Contains(m.groups[0], "other") && !t.has(justMe) {
			p.more = true
		}
		return true
	})
	t.each(moreOf, func(m match) bool {
		n := max(number(m.groups[1]), 1)
		switch m.groups[2] {
		case "":
			if !endsIn(m.groups[0], "more") || beginsWith(t.after(m.to), "day", "days", "night", "nights",
				"week", "time", "stop", "bag") {
				return false
			}
			adults += n
		case "child", "kid":
			children += n
		case "infant", "baby":
			infants += n
		default:
			adults += n
		}
		p.more = true
		return true
	})
	family := false
	t.each(headCount, func(m match) bool {
		n := number(cmp.Or(m.groups[1], m.groups[2], m.groups[4]))
		switch {
		case m.groups[2] != "" && (strings.HasPrefix(m.groups[3], "ticket") || strings.HasPrefix(m.groups[3],
			"seat")) &&
			(m.groups[2] == "a" || m.groups[2] == "an"):
			return false // "a ticket" is for a person or not
		case n == 0 || p.total != 0:
			return false
		}
		family = strings.HasPrefix(m.groups[0], "family")
		p.total = n
		return true
	})
	if p.total == 0 && adults == 0 {
		t.each(pairOf, func(match) bool {
			adults += 2
			adultsSaid = true
			return true
		})
	}
	withMe := adultsSaid || t.has(lazily(`\b(?:with|and me|and i|me and|i and|myself|we|us)\b`))
	relatives := 0
	alone := true // that the person is not among those named so far
	t.each(companion, func(m match) bool {
		if beginsWith(t.after(m.to), "'s", "said", "wants", "told") && !beginsWith(t.after(m.to), "'s and") {
			return false
		}
		switch m.groups[3] {
		case "parents", "in-laws":
			relatives += 2
		default:
			relatives++
		}
		if m.groups[1] != "for" {
			alone = false
		}
		return true
	})
	t.each(severalOf, func(m match) bool {
		relatives += number(m.groups[2])
		alone = false
		if endsIn(t.before(m.from), "we're", "we are", "us", "are") && m.groups[1] == "" ||
			m.groups[1] == "for" && !t.has(meToo) {
			p.total = number(m.groups[2]) // "we're three friends", "Prague for four friends"
		}
		return true
	})
	if p.total == 0 && adults == 0 && relatives == 0 {
		if m, ok := t.find(forMany); ok {
			if beginsWith(t.after(m.to), "night", "nights", "day", "days", "week", "weeks", "hour", "am", "pm",
				"stop", "bag", "o'clock",
				"hundred", "thousand", "star", "room", "rooms", "month", "months", "£", "$", "€", "euro", "k",
				"%", "pm", "am", ":") {
				for i := m.from; i < m.to; i++ {
					t.used[i] = false
				}
			} else {
				p.total = number(m.groups[1])
			}
		}
	}
	switch {
	case relatives > 0 && p.total == 0 && !adultsSaid:
		adults += relatives
		if !p.more && (!alone || withMe) {
			adults++
		} else if !p.more {
			p.assumed = append(p.assumed, "You are not among the travellers.")
		}
		adultsSaid = true
	case relatives > 0 && adultsSaid && p.total == 0:
		adults += relatives
	}
	if p.total == 0 && adults == 0 && !p.more && t.take(justMe) {
		adults, adultsSaid = 1, true
		if children+infants+len(ages) == 0 {
			p.total = 1
		}
	} else {
		t.take(justMe)
	}

	for range infants {
		p.children = append(p.children, 0)
	}
	// An age below two that was said of an infant is that infant.
	for _, age := range ages {
		if age < 2 && infants > 0 {
			p.children[infants-1], infants = age, infants-1
			continue
		}
		p.children = append(p.children, age)
		children--
	}
	for range max(children, 0) {
		p.children = append(p.children, UnknownAge)
	}
	p.ofUs = p.total > 0 && t.has(lazily(`of us|make it|make that`))
	p.with = len(p.children) > 0 && t.has(withChild)
	p.set = p.set || adultsSaid || p.total > 0 || len(p.children) > 0
	p.adults = adults
	if p.more || t.has(addCue) && p.set {
		p.more = true
		return p
	}
	switch {
	case p.total > 0 && !adultsSaid:
		p.adults = p.total - len(p.children)
	case p.total > 0 && adultsSaid && p.total > adults+len(p.children):
		// "four people, two adults": the others are children.
		for adults+len(p.children) < p.total {
			p.children = append(p.children, UnknownAge)
		}
	}
	if family && len(p.children) == 0 && !adultsSaid && p.total > 2 {
		p.assumed = append(p.assumed, fmt.Sprintf("%s are searched for as adults, since no ages were said. "+
			"Say them for children, such as “one is 7”: fares are often lower.", upperFirst(countWord(p.total))))
	}
	if !family && t.has(aFamily) && !p.set {
		t.take(aFamily)
		p.children = nil
	}
	return p
}

var countWords = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

func countWord(n int) string {
	if n >= 0 && n < len(countWords) {
		return countWords[n]
	}
	return fmt.Sprint(n)
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// apply puts the party into passengers that were there, and reports what was assumed.
func (p party) apply(adults int, children []int) (int, []int, []string) {
	children = slices.Clone(children)
	assumed := p.assumed
	if len(p.stated) > 0 {
		own := slices.Clone(p.children)
		for _, age := range p.stated {
			// Of a child of whom no age is known, the infant, the only child, or one of the adults.
			list := &children
			if len(own) > 0 {
				list = &own
			}
			i := slices.Index(*list, UnknownAge)
			if i < 0 && age < 2 {
				i = slices.IndexFunc(*list, func(a int) bool { return a < 2 })
			}
			if i < 0 && len(*list) == 1 {
				i = 0
			}
			switch {
			case i >= 0:
				(*list)[i] = age
			case adults > 1 && len(own) == 0:
				adults, children = adults-1, append(children, age)
			default:
				*list = append(*list, age)
			}
		}
		if !p.set {
			return adults, children, assumed
		}
		p.children = own
	}
	switch {
	case !p.set:
		return adults, children, assumed
	case p.less && p.adults == 0 && p.total == 0:
		return max(adults, 1), nil, assumed
	case p.more, p.with && p.adults == 0 && p.total == 0 && adults > 0 && len(children) == 0:
		return adults + p.adults, append(children, p.children...), assumed
	case p.ofUs && p.adults+len(p.children) == p.total && len(p.children) == 0 && len(children) > 0 &&
		p.total > len(children):
		// "Make it four of us" keeps the children who were there.
		return p.total - len(children), children, append(assumed, fmt.Sprintf("The %s as before.",
			childrenWords(children)))
	case p.adults == 0 && len(p.children) > 0 && adults+len(children) >= 2 && p.total == 0:
		// "One is 7" says who one of those is.
		for _, age := range p.children {
			if i := slices.Index(children, UnknownAge); i >= 0 {
				children[i] = age
			} else if adults > 1 && len(children) < adults+len(children)-1 {
				adults, children = adults-1, append(children, age)
			} else {
				children = append(children, age)
			}
		}
		return adults, children, assumed
	}
	n := p.adults
	if n == 0 && len(p.children) > 0 {
		n = max(adults, 1)
		if adults == 0 {
			assumed = append(assumed, "One adult travels with the "+childrenWords(p.children)+".")
		}
	}
	return n, p.children, assumed
}

func childrenWords(ages []int) string {
	if len(ages) == 1 {
		return "child"
	}
	return "children"
}
