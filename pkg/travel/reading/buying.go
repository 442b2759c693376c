package reading

import (
	"regexp"
	"slices"
	"strings"
)

// buys reads what is held or booked.
func (r *reader) buys(verb func() *regexp.Regexp, ordered, hold, book bool) bool {
	hotels := r.open.Last == LastStays || r.open.Last == LastRates
	if r.has(lazily(`flight|flights|fare`)) {
		hotels = false
	} else if r.has(lazily(`hotel|room|rate`)) && (len(r.open.Stays) > 0 || len(r.open.Rates) > 0) {
		hotels = true
	}
	if c := r.said.codes.offers; len(c) > 0 {
		hotels = r.isHotel(c[0])
	}
	r.r.Travellers = r.said.codes.travellers
	if hotels && !hold {
		return r.buysHotel(verb, ordered)
	}
	offer, several, named := r.offerMeant()
	if !named && !ordered {
		return false
	}
	if !named && r.open.Last == LastOffer {
		offer, named = r.open.Offer, r.open.Offer != "" // "hold" alone, of the one that was looked at
	}
	if !named && r.open.Offer == "" && len(r.open.Offers) == 0 && !lazily(`^(?:please |yes,? |`+
		`ok(?:ay)?,? )*(?:hold|book|buy|reserve|take) (?:it|that|this)\b`)().MatchString(r.low) {
		return false // "book a table", "take the train"
	}
	if !named && offer == "" && len(r.unknownWords()) > 2 {
		return false
	}
	r.take(verb)
	r.takeAll(lazily(`on hold|hold|put|for (?:me|us|all of us|everyone|all)`), politeWords)
	switch {
	case !ordered:
		r.r.Intent = Conditions
	case hold:
		r.r.Intent = Hold
	case book:
		r.r.Intent = Book
	default: // "I'll take the second one"
		r.r.Intent = Book
		r.ask(Question{Of: OfIntent, Text: "Hold it without paying, where the airline allows it, or book and pay " +
			"it now?",
			Choices: []Choice{{"Hold it", string(Hold)}, {"Book it", string(Book)}}})
	}
	r.r.Offer = offer
	if offer == "" {
		r.askOffer(several)
		if len(r.open.Offers) == 0 {
			r.r.Missing = []Question{{Of: OfOffer, Text: "Which flight? Search for flights first, or name the " +
				"code of an offer."}}
		}
	}
	// What else the message says would be lost in an order.
	if ordered && r.r.Acts() && (len(r.said.dates) > 0 || len(r.unknownWords()) > 0 || r.conjoined() ||
		r.otherParty()) {
		r.r.Intent = Details
		if offer == "" {
			return true
		}
		r.assume("Nothing is held or booked yet: your message says more than which offer. Say “book %s” or “hold "+
			"%s” alone.", offer, offer)
	}
	return true
}

var conjunction = lazily(`(?:and|then|, then|, also|plus) (?:then )?(?:also )?(?:the |a |an |my |our )?(?:hotel|` +
	`flight|room|car|cancel|hold|pay|` +
	`book|return|another|one|both|first|second|third|fourth|other|next|last|add|put|cheapest|fastest|best)`)

// conjoined reports whether the message orders more than one thing.
func (r *reader) conjoined() bool { return r.has(conjunction) }

// otherParty reports whether other people are named than those whom the offers are for.
func (r *reader) otherParty() bool {
	p := r.said.party
	if !p.set || r.open.Flights == nil {
		return p.set
	}
	n := max(p.total, p.adults+len(p.children))
	return p.more || p.less || n != r.open.Flights.Passengers()
}

var politeWords = lazily(`can you|could you|would you|will you|please|i'd like (?:you )?to|` +
	`i would like (?:you )?to|i want (?:you )?to|go ahead and|yes`)

func (r *reader) buysHotel(verb func() *regexp.Regexp, ordered bool) bool {
	rates := r.open.Rates
	var code string
	var at pointed
	if c := r.said.codes.offers; len(c) > 0 {
		code = c[0]
	} else if r.open.Last == LastRates && len(rates) > 0 {
		at = r.pointsAt(rates, "")
		code = at.code
	} else {
		at = r.pointsAt(r.open.Stays, r.open.Hotel)
		code = at.code
	}
	if code == "" && !at.said && !ordered {
		return false
	}
	r.takeAll(verb, politeWords)
	switch {
	case code == "" && r.open.Last == LastRates:
		r.r.Intent = BookHotel
		r.ask(Question{Of: OfRate, Text: "Which room?", Choices: stayChoices(rates, at.fits)})
	case code == "":
		r.r.Intent = HotelRates
		r.ask(Question{Of: OfHotel, Text: "Which hotel?", Choices: stayChoices(r.open.Stays, at.fits)})
	case isRate(code) && ordered && len(r.said.dates) == 0 && len(r.unknownWords()) == 0 && !r.conjoined() &&
		!r.otherGuests():
		r.r.Intent, r.r.Rate = BookHotel, code
	default:
		r.r.Intent, r.r.Hotel = HotelRates, strings.TrimRight(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		if !isRate(code) {
			r.r.Hotel = code
		}
		if ordered {
			r.assume("Nothing is booked yet: name the room alone, such as “book %s”.", roomExample(code))
		}
	}
	return true
}

func roomExample(code string) string {
	if isRate(code) {
		return code
	}
	return code + "A"
}

// otherGuests is otherParty for hotels.
func (r *reader) otherGuests() bool {
	p := r.said.party
	if !p.set || r.open.Hotels == nil {
		return p.set
	}
	return p.more || p.less || max(p.total, p.adults+len(p.children)) != r.open.Hotels.Guests()
}

func isRate(code string) bool {
	last := code[len(code)-1]
	return len(code) > 6 && last >= 'A' && last <= 'Z'
}

// isHotel reports whether a code is that of a hotel or a rate.
func (r *reader) isHotel(code string) bool {
	if isRate(code) {
		return true
	}
	in := func(list []Stay) bool {
		return slices.ContainsFunc(list, func(s Stay) bool { return s.Code == code })
	}
	search, _, _ := strings.Cut(code, "-")
	if slices.ContainsFunc(r.open.Offers, func(o Offer) bool { return o.Code == code }) ||
		search == r.open.Search && search != "" {
		return false
	}
	return in(r.open.Stays) || (r.open.Last == LastStays || r.open.Last == LastRates) &&
		len(r.open.Offers) == 0 || search == r.open.HotelSearch && search != "" || r.has(lazily(`hotel|room|stay`))
}

func stayChoices(list []Stay, fits []string) []Choice {
	var out []Choice
	for _, s := range list {
		if len(fits) == 0 || slices.Contains(fits, s.Code) {
			out = append(out, Choice{Label: strings.TrimSpace(s.Code + " " + s.Name), Value: s.Code})
		}
	}
	return out[:min(len(out), 8)]
}

// offerMeant returns the flight offer that the message names or points at.
func (r *reader) offerMeant() (code string, several []string, named bool) {
	if c := r.said.codes.offers; len(c) > 0 {
		if len(c) > 1 {
			return "", c, true
		}
		return c[0], nil, true
	}
	p := r.pointsAtOffer(&r.open, r.said.wishes, r.said.clocks)
	if p.said && !p.vague && p.code != "" {
		return p.code, nil, true
	}
	if p.said {
		return p.code, p.fits, true
	}
	return "", nil, false
}

// askOffer asks which of the offers is meant.
func (r *reader) askOffer(fits []string) {
	var choices []Choice
	for _, o := range r.open.Offers {
		if len(fits) == 0 || slices.Contains(fits, o.Code) {
			choices = append(choices, Choice{Label: offerLabel(o), Value: o.Code})
		}
	}
	text := "Which offer do you mean?"
	if len(choices) == 0 {
		text = "Which offer do you mean? Name its code, such as K7M2-3."
	}
	r.ask(Question{Of: OfOffer, Text: text, Choices: choices[:min(len(choices), 6)]})
}

// offerLabel is "K7M2-3 Iberia 21:35, EUR 412.50".
func offerLabel(o Offer) string {
	label := o.Code
	if o.Name != "" {
		label += " " + o.Name
	}
	if len(o.Departs) >= 16 {
		label += " " + o.Departs[11:16]
	}
	if o.Price != "" {
		label += ", " + o.Currency + " " + o.Price
	}
	return label
}

// cancels reads an order to cancel, and questions of what it would cost.
func (r *reader) cancels() bool {
	ordered, _ := r.ordered(cancelVerb)
	booking, ref := r.said.codes.booking, ""
	if booking == "" {
		ref = r.reference()
	}
	aBooking := booking != "" || ref != "" || r.has(lazily(`(?:my|the|our|this|that) hold|`+
		`(?:my|the|our|this|that) (?:\w+ ){0,2}(?:booking|flight|flights|`+
		`hotel|reservation|stay|room|ticket|tickets)|booking|reservation`))
	it := r.has(lazily(`cancel (?:it|that|this|the second|the first|the last)|cancel$|it cancelled`))
	r.takeAll(cancelVerb, politeWords, lazily(`(?:my|the|our|this|that) hold|`+
		`what (?:happens|would happen)|happens|if|refund|policy|fees?|terms|`+
		`conditions?|penalty|free|lose|losing|money|change|later|still|rules?|how much`))
	focus := r.open.Last
	if !ordered {
		// What would cancelling cost? Of a booking where one is meant, of an offer otherwise.
		if ref != "" {
			r.r.Intent, r.r.Reference = ShowBooking, ref
			return true
		}
		if booking != "" || (focus == LastBooking || focus == LastBookings) && len(r.said.codes.offers) == 0 {
			r.r.Intent, r.r.Booking = ShowBooking, r.bookingMeant(true)
			if r.r.Booking == "" {
				r.r.Booking = r.open.Booking
			}
			if r.r.Booking == "" {
				r.r.Intent = ListBookings
			}
			return true
		}
		return r.conditions()
	}
	aTrip := r.take(lazily(`(?:my|the|our|this|that) (?:whole |entire )?trip|everything|all of (?:it|them)|` +
		`all (?:my )?bookings`))
	meant := ""
	if ref == "" {
		meant = r.bookingMeant(it || aBooking)
	}
	if aTrip || r.conjoined() {
		meant, ref = "", "" // one booking after the other
	}
	if len(r.unknownWords()) > 0 {
		if !aBooking {
			return lazily(`^(?:please |can you |could you )*cancel (?:the|my|our) `)().MatchString(r.low) &&
				r.itemOrder(RemoveItem)
		}
		meant, ref = "", ""
	}
	r.r.Intent, r.r.Booking, r.r.Reference = Cancel, meant, ref
	if meant == "" && ref == "" {
		if !aBooking && !aTrip && (!it || strings.HasSuffix(strings.TrimRight(r.low, ".! "), "cancel")) {
			r.r.Intent = Decline
			return true
		}
		r.ask(Question{Of: OfBooking, Text: "Which booking do you want to cancel?"})
	}
	return true
}

// conditions reads questions of what changing or cancelling an offer would cost.
func (r *reader) conditions() bool {
	if r.open.Last == LastStays || r.open.Last == LastRates {
		if c := r.said.codes.offers; len(c) == 0 || r.isHotel(c[0]) {
			p := r.pointsAt(r.open.Stays, r.open.Hotel)
			hotel := p.code
			if len(c) > 0 {
				hotel = c[0]
			}
			if hotel == "" {
				hotel = r.open.Hotel
			}
			if hotel != "" && isRate(hotel) {
				hotel = hotel[:len(hotel)-1]
			}
			r.r.Intent, r.r.Hotel = HotelRates, hotel
			if hotel == "" {
				r.ask(Question{Of: OfHotel, Text: "Of which hotel?", Choices: stayChoices(r.open.Stays, p.fits)})
			}
			return true
		}
	}
	r.r.Intent = Conditions
	offer, several, _ := r.offerMeant()
	if offer == "" && len(several) == 0 {
		offer = r.open.Offer
		if offer == "" && len(r.open.Offers) == 1 {
			offer = r.open.Offers[0].Code
		}
	}
	if r.r.Offer = offer; offer == "" {
		r.askOffer(several)
	}
	return true
}

var (
	holdable = lazily(`(?:which|what|any)(?: ones?| offers?| flights?)?(?: of (?:them|these|those))? (?:can|may|` +
		`could) ` +
		`(?:be (?:held|reserved)|(?:i|we) (?:hold|reserve))|(?:that|which) (?:can|could) be (?:held|reserved)|` +
		`holdable|` +
		`(?:hold|reserve)(?:able)? without paying`)
	aboutIt = lazily(`^(?:and |but |so |ok,? )?(?:does|do they|is|are|can|has|will|how many|how much) (?:it|that|` +
		`this|they|the flight|that one|this one|that flight|` +
		`this flight|the price|the fare)\b|\b(?:included|include it|in it|with it|for it|of it|with that|in that)\b`)
	isQuestion = lazily(`^(?:and |but |so |ok,? )?(?:does|do|is|are|can|has|will|how|what|when)\b`)
)

// whichHold asks for the offers that can be held.
func (r *reader) whichHold() bool {
	if r.open.Search == "" {
		return false
	}
	f := Flights{}
	if r.open.Flights != nil {
		f = *r.open.Flights
	}
	f.Holdable = true
	r.r.Intent, r.r.Flights, r.r.Text = Filter, &f, r.open.Search
	r.use(0, len(r.low))
	return true
}

var superlativeWith = lazily(`(?:cheapest|fastest|quickest|shortest|best)(?: (?:one|offer|option|flight))? ` +
	`(?:with|without|under|below|that)`)

// offerWords reads questions about one offer or hotel that was shown.
func (r *reader) offerWords() bool {
	if len(r.said.dates) > 0 || r.said.party.set || len(r.said.shifts) > 0 {
		return false
	}
	if r.has(condition) && (len(r.open.Offers) > 0 || len(r.open.Stays) > 0 || len(r.said.codes.offers) > 0) &&
		!r.said.wishes.refundable {
		if r.conditions() {
			r.takeAll(condition, politeWords)
			return true
		}
	}
	if r.asksOf() || r.laterOnes() {
		return true
	}
	if c := r.said.codes.offers; len(c) == 1 {
		r.takeAll(detailWord, ratesWord, politeWords)
		if r.isHotel(c[0]) {
			r.r.Intent, r.r.Hotel = HotelRates, c[0]
			if isRate(c[0]) {
				r.r.Hotel = c[0][:len(c[0])-1]
			}
		} else {
			r.r.Intent, r.r.Offer = Details, c[0]
			if r.said.wishes.refundable {
				r.r.Intent = Conditions
			}
		}
		return true
	}
	hotels := r.open.Last == LastStays || r.open.Last == LastRates
	if hotels && len(r.open.Stays) > 0 && !r.has(flightNoun) {
		named := r.has(ratesWord) && !r.has(lazily(`\d rooms?|two rooms|another room`)) || r.has(detailWord)
		p := r.pointsAt(r.open.Stays, r.open.Hotel)
		if !p.said || p.vague && !named || len(r.unknownWords()) > 2 && !named {
			if !named || p.said || len(r.unknownWords()) > 2 || len(r.spots()) > 0 {
				return false
			}
			p.code = r.open.Hotel
		}
		r.takeAll(ratesWord, detailWord, politeWords)
		r.r.Intent, r.r.Hotel = HotelRates, p.code
		if p.code == "" {
			r.ask(Question{Of: OfHotel, Text: "Of which hotel?", Choices: stayChoices(r.open.Stays, p.fits)})
		}
		return true
	}
	if len(r.open.Offers) == 0 {
		return false
	}
	if w := r.said.wishes; (w.bagsSaid || w.connections != nil || w.maxPrice != "") && r.has(superlativeWith) {
		return false // "the cheapest with a suitcase" is another one than the cheapest
	}
	named := r.has(detailWord)
	used := slices.Clone(r.used)
	code, several, pointed := r.offerMeant()
	vague := pointed && code == r.open.Offer && r.has(thatOne)
	if !pointed || len(r.spots()) > 0 || vague && !named || len(r.unknownWords()) > 3 && !named {
		copy(r.used, used)
		return false
	}
	if r.said.wishes.sort != "" && !r.has(lazily(`the (?:cheapest|cheaper|fastest|quickest|shortest)(?: (?:one|`+
		`offer|option|flight))?`)) {
		copy(r.used, used)
		return false
	}
	r.takeAll(detailWord, politeWords)
	r.r.Intent, r.r.Offer = Details, code
	if r.said.wishes.refundable {
		r.r.Intent = Conditions
	}
	for _, a := range r.said.wishes.assumed {
		r.assume("%s", a)
	}
	if code == "" {
		r.askOffer(several)
	}
	return true
}
