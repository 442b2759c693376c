package reading

import (
	"slices"
	"strings"
)

// codes are the codes that a message names.
type codes struct {
	offers     []string // of flights, hotels or rates, as written
	booking    string
	trip       string
	item       string
	decision   string
	travellers []string
}

var (
	offerCode    = lazily(`([a-z0-9]{4})-(\d{1,3})([a-z])?`)
	bookingCode  = lazily(`tb[- ]?(\d{1,6})`)
	tripCode     = lazily(`tr[- ]?(\d{1,6})`)
	itemCode     = lazily(`(?:item )?i(\d{1,3})`)
	decisionCode = lazily(`d-(\d{1,5})`)
	paxCode      = lazily(`pax[- ]?(\d{1,4})`)
)

// codes finds codes. They are the first thing to be read.
func (t *text) codes() codes {
	var c codes
	four := func(prefix, digits string) string {
		return prefix + strings.Repeat("0", max(0, 4-len(digits))) + digits
	}
	t.each(bookingCode, func(m match) bool {
		c.booking = four("TB-", m.groups[1])
		return true
	})
	t.each(tripCode, func(m match) bool {
		c.trip = four("TR-", m.groups[1])
		return true
	})
	t.each(paxCode, func(m match) bool {
		c.travellers = append(c.travellers, "PAX-"+m.groups[1])
		return true
	})
	t.each(decisionCode, func(m match) bool {
		c.decision = "D-" + m.groups[1]
		return true
	})
	t.each(offerCode, func(m match) bool {
		if !strings.ContainsAny(m.groups[1], "abcdefghijklmnopqrstuvwxyz") || !strings.ContainsAny(m.groups[1],
			"0123456789") &&
			t.plain[m.from:m.from+4] != strings.ToUpper(m.groups[1]) {
			return false
		}
		c.offers = append(c.offers, strings.ToUpper(m.groups[0]))
		return true
	})
	t.each(itemCode, func(m match) bool {
		c.item = "I" + m.groups[1]
		return true
	})
	return c
}

// pointed is what a message points at among what was shown.
type pointed struct {
	said  bool
	code  string
	fits  []string // where several fit
	words string
	// all says that "it" or "that" was said, and nothing more precise.
	vague bool
}

var (
	ordinal = lazily(`(?:the )?(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|` +
		`\d{1,2}(?:st|nd|rd|th))` +
		`(?: (one|offer|option|flight|hotel|result|choice|room|rate|stay|card|booking|trip|item))?|` +
		`(?:number|no\.?|nr\.?|#|option|offer|choice|result|room) ?(\d{1,2}|one|two|three|four|five|six|seven|` +
		`eight|nine|ten)`)
	superlative = lazily(`(?:the |that )?(cheapest|cheaper|least expensive|fastest|faster|quickest|quicker|` +
		`shortest|shorter|best|earliest|earlier|latest|later|recommended|` +
		`most expensive|dearest)(?: (one|offer|option|flight|hotel|room|rate|of (?:them|those|these|the (?:two|` +
		`three))))?(?: of (?:them|those|these))?`)
	recommended = lazily(`(?:which|what)(?: one| flight| offer)? (?:do|would|should) (?:you|i|we) (?:recommend|` +
		`suggest|choose|take|pick)|` +
		`(?:your|any) recommendations?|what do you recommend`)
	thatOne = lazily(`(?:that|this|the same|the selected|the chosen|the|my|those|these) (?:one|offer|option|` +
		`flights?|hotel|room|rate|booking|trip|fare|reservation|itinerary|ticket)s?|` +
		`it|that|this|them|ise|isko|ye|yeh|wo|woh|wala`)
	cheapWord  = lazily(`cheap`)
	roomLetter = lazily(`(?:room|rate|option) ([a-j])`)
)

var (
	reference    = lazily(`[a-z0-9]{6}`)
	flightNumber = lazily(`^[a-z0-9]{2}\d{4}$`)
	referenceCue = lazily(`\b(?:reference|ref|pnr|record locator|booking code)(?: number)?(?: is|:)? ?$`)
)

// reference returns the airline's reference of a booking, such as 42KM6M, as it was
// written in capitals: "" for none. One of letters alone needs a word for it before it.
func (t *text) reference() string {
	found := ""
	t.each(reference, func(m match) bool {
		code := t.plain[m.from:m.to]
		cued := referenceCue().MatchString(t.before(m.from) + " ")
		mixed := strings.ContainsAny(m.groups[0], "0123456789") &&
			strings.ContainsAny(m.groups[0], "abcdefghijklmnopqrstuvwxyz")
		if found != "" || code != strings.ToUpper(code) || !mixed && !cued ||
			flightNumber().MatchString(m.groups[0]) && !cued {
			return false
		}
		found = code
		return true
	})
	if found != "" {
		t.take(lazily(`(?:with |by |of )?(?:the |my |our )?(?:airline(?:'s)? |booking |` +
			`hotel(?:'s)? )?(?:reference|ref|pnr|record locator|booking code)(?: number)?(?: is)?`))
	}
	return found
}

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
	"eighth": 8, "ninth": 9, "tenth": 10, "last": -1}

// pointsAtOffer resolves words against the flight offers that were shown.
func (t *text) pointsAtOffer(o *Open, w wishes, clocks []clock) pointed {
	list := o.Offers
	code := func(of Offer) string { return of.Code }
	if p := t.byOrdinal(len(list), func(i int) string { return list[i].Code }); p.said {
		return p
	}
	if p, ok := t.bySuperlative(list); ok {
		return p
	}
	// "the Lufthansa one", "the non-stop one", "the 9:40".
	if len(list) > 0 && t.has(lazily(`(?:the|that) (?:[^ ]+ ){0,4}(?:one|flight|offer|option)\b|the one\b|`+
		`the \d{1,2}[:.]\d{2}`)) {
		fits := list
		named := false
		narrow := func(keep func(Offer) bool) {
			named = true
			var kept []Offer
			for _, of := range fits {
				if keep(of) {
					kept = append(kept, of)
				}
			}
			fits = kept
		}
		if len(w.airlines) > 0 {
			narrow(func(of Offer) bool { return slices.Contains(w.airlines, of.Airline) })
		}
		if w.connections != nil {
			narrow(func(of Offer) bool {
				return of.Stops <= *w.connections && (*w.connections == 0 || of.Stops == *w.connections)
			})
		}
		if w.bagsSaid {
			narrow(func(of Offer) bool { return of.Bags >= w.bags })
		}
		for _, c := range clocks {
			narrow(func(of Offer) bool {
				if len(of.Departs) < 16 {
					return false
				}
				at := of.Departs[11:16]
				switch {
				case c.exact != "":
					return at == c.exact
				default:
					return (c.after == "" || at >= c.after) && (c.before == "" || at <= c.before)
				}
			})
		}
		if named {
			t.take(lazily(`(?:the|that) one|one\b`))
			p := pointed{said: true, words: t.plain}
			if len(fits) == 1 {
				p.code = fits[0].Code
			}
			for _, of := range fits {
				p.fits = append(p.fits, code(of))
			}
			return p
		}
	}
	if m, ok := t.find(thatOne); ok {
		p := pointed{said: true, vague: true, words: m.groups[0], code: o.Offer}
		if p.code == "" && len(list) == 1 {
			p.code = list[0].Code
		}
		if p.code == "" {
			for _, of := range list {
				p.fits = append(p.fits, of.Code)
			}
		}
		return p
	}
	return pointed{}
}

// byOrdinal reads "the second one", "number 3".
func (t *text) byOrdinal(n int, at func(i int) string) pointed {
	var p pointed
	t.each(ordinal, func(m match) bool {
		i, ok := ordinals[m.groups[1]]
		if !ok {
			i = number(strings.TrimRight(m.groups[1], "stndrh"))
		}
		if m.groups[3] != "" {
			i = number(m.groups[3])
		}
		if p.said || i == 0 || m.groups[1] == "last" && m.groups[2] == "" || m.groups[2] == "" && m.groups[3] == "" &&
			beginsWith(t.after(m.to), "class", "thing", "week", "weekend", "day", "time", "of", "half", "flight",
				"leg", "night",
				"month", "year", "bag", "departure") {
			return false
		}
		if m.groups[2] == "flight" && beginsWith(t.after(m.to), "in", "of", "on", "out", "to", "from", "after") {
			return false // "the first flight on Monday"
		}
		p = pointed{said: true, words: strings.TrimSpace(t.plain[m.from:m.to])}
		if i == -1 {
			i = n
		}
		if i >= 1 && i <= n {
			p.code = at(i - 1)
		}
		return true
	})
	return p
}

// bySuperlative reads "the cheapest one".
func (t *text) bySuperlative(list []Offer) (pointed, bool) {
	var p pointed
	if t.take(recommended) {
		p = pointed{said: true, words: "recommend"}
		for _, of := range list {
			if slices.Contains(of.Picks, "best") {
				p.code = of.Code
			}
		}
		return p, true
	}
	t.each(superlative, func(m match) bool {
		if p.said || m.groups[2] == "" && beginsWith(t.after(m.to), "first", "airport", "way", "hotel", "time",
			"date", "day", "month", "city", "price", "fare") ||
			m.groups[2] == "hotel" || m.groups[2] == "room" || m.groups[2] == "rate" ||
			!strings.HasPrefix(m.groups[0], "the ") && !strings.HasPrefix(m.groups[0], "that ") && m.groups[2] == "" {
			return false
		}
		p = pointed{said: true, words: strings.TrimSpace(t.plain[m.from:m.to])}
		if len(list) == 0 {
			return true
		}
		label := ""
		var better func(a, b Offer) bool
		switch m.groups[1] {
		case "cheapest", "cheaper", "least expensive":
			label, better = "cheapest", func(a, b Offer) bool { return priceLess(a.Price, b.Price) }
		case "most expensive", "dearest":
			better = func(a, b Offer) bool { return priceLess(b.Price, a.Price) }
		case "fastest", "faster", "quickest", "quicker", "shortest", "shorter":
			label, better = "fastest", func(a, b Offer) bool { return a.Minutes < b.Minutes }
		case "earliest", "earlier":
			better = func(a, b Offer) bool { return a.Departs < b.Departs }
		case "latest", "later":
			better = func(a, b Offer) bool { return a.Departs > b.Departs }
		default:
			label = "best"
		}
		for _, of := range list {
			if label != "" && slices.Contains(of.Picks, label) {
				p.code = of.Code
				return true
			}
		}
		if better == nil {
			return true
		}
		top := list[0]
		for _, of := range list[1:] {
			if better(of, top) {
				top = of
			}
		}
		p.code = top.Code
		return true
	})
	return p, p.said
}

// pointsAt resolves words against hotels, rates, bookings or items; was is what "it" means.
func (t *text) pointsAt(list []Stay, was string) pointed {
	if p := t.byOrdinal(len(list), func(i int) string { return list[i].Code }); p.said {
		return p
	}
	var p pointed
	t.each(superlative, func(m match) bool {
		if p.said || cheapWord().FindString(m.groups[1]) == "" || len(list) == 0 {
			return false
		}
		p = pointed{said: true, words: t.plain[m.from:m.to], code: list[0].Code}
		for _, s := range list[1:] {
			if priceLess(s.Price, priceOf(list, p.code)) {
				p.code = s.Code
			}
		}
		return true
	})
	if p.said {
		return p
	}
	// A room by its letter: "room B".
	t.each(roomLetter, func(m match) bool {
		for _, s := range list {
			if !p.said && isRate(s.Code) && strings.HasSuffix(s.Code, strings.ToUpper(m.groups[1])) {
				p = pointed{said: true, code: s.Code, words: m.groups[0]}
			}
		}
		return p.said
	})
	if p.said {
		return p
	}
	// By name, or by enough of it.
	for _, s := range list {
		name := strings.ToLower(s.Name)
		if i := strings.Index(t.low, name); name != "" && i >= 0 && t.whole(i, i+len(name)) {
			t.use(i, i+len(name))
			return pointed{said: true, code: s.Code, words: s.Name}
		}
	}
	for _, s := range list {
		for _, w := range strings.FieldsFunc(strings.ToLower(s.Name),
			func(r rune) bool { return !isLetter(byte(min(r, 255))) }) {
			if len(w) < 4 || w == "from" || w == "hotel" || w == "flight" || w == "with" || w == "room" {
				continue
			}
			if i := strings.Index(t.low, w); i >= 0 && t.whole(i, i+len(w)) && t.free(i, i+len(w)) {
				if !slices.Contains(p.fits, s.Code) {
					p.fits = append(p.fits, s.Code)
				}
				p.said, p.words = true, w
			}
		}
	}
	if p.said {
		if len(p.fits) == 1 {
			p.code = p.fits[0]
			if i := strings.Index(t.low, p.words); i >= 0 {
				t.use(i, i+len(p.words))
			}
		}
		return p
	}
	// By what it is: "the flight" where one of them is a flight.
	for _, kind := range []string{"flight", "hotel", "activity"} {
		if !t.has(lazily(`(?:the|my|our|that|this) (?:` + kind + `)(?: booking)?`)) {
			continue
		}
		for _, s := range list {
			if s.Type == kind {
				p.fits = append(p.fits, s.Code)
			}
		}
		if len(p.fits) == 1 {
			t.find(thatOne)
			return pointed{said: true, vague: true, code: p.fits[0], words: kind}
		}
		p.fits = nil
	}
	if m, ok := t.find(thatOne); ok {
		p = pointed{said: true, vague: true, words: m.groups[0], code: was}
		if p.code == "" && len(list) == 1 {
			p.code = list[0].Code
		}
		if p.code == "" {
			for _, s := range list {
				p.fits = append(p.fits, s.Code)
			}
		}
	}
	return p
}

func priceOf(list []Stay, code string) string {
	for _, s := range list {
		if s.Code == code {
			return s.Price
		}
	}
	return ""
}
