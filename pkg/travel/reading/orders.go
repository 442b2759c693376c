package reading

import (
	"cmp"
	"regexp"
	"strings"
)

var (
	// doubt marks a clause that orders nothing: a question, a condition, a wish for later,
	// a refusal.
	doubt = lazily(`\b(?:if|when|whether|what|what's|why|how|should|shall i|could i|could we|can i|` +
		`can we|may i|may we|might|maybe|perhaps|before i|after i|` +
		`until|unless|would you|will you|would it|would that|would you recommend|would happen|did|didn't|doesn't|` +
		`does|isn't|aren't|won't|can't|cannot|couldn't|wouldn't|shouldn't|was going|have you|has|had|is it|was|` +
		`were|already|don't|dont|do not|never|not|without|thinking|considering|consider|planning|later|` +
		`tomorrow i|` +
		`mat|nahi|nahin|worth|deadline|possible to|able to|policy|conditions?|terms|fee|fees|penalty|refund|` +
		`refundable|free to|cost|costs|allowed|someone|explain)\b`)
	// polite forms of orders stand in the way of "can" and "would".
	politeForm = lazily(`\b(?:can you|could you|would you (?:please|kindly)|please|` +
		`i'd like (?:you )?to|i would like (?:you )?to|i want (?:you )?to|we'd like to|we want to|kindly|just|` +
		`go ahead and|yes,?)\b`)

	cancelVerb = lazily(`cancel|cancell?ing|cancell?ation|call off|radd karo|cancel karo`)
	payVerb    = lazily(`pay|paying|settle`)
	holdVerb   = lazily(`hold|put (?:\w+ ){0,4}on hold|on hold|keep (?:it|that|this) for me|freeze (?:the )?price`)
	bookVerb   = lazily(`book|buy|purchase|order`)
	takeVerb   = lazily(`(?:i'll|i will|we'll|we will|let's|lets|let me|i'd like to|i want to) (?:take|go with|` +
		`go for|have|choose)|take|reserve|go with`)
	newSearch = lazily(`(?:book|buy|reserve|order|purchase)(?: me| us| for (?:me|us))? (?:(?:a |an |some |two |` +
		`three |four |five |\d )(?:different |other |new |cheap |cheaper |return |round[- ]trip |one[- ]way |` +
		`direct |non-?stop )*` +
		`(?:flights?|tickets?|hotels?|rooms?|seats?|trip|stay)|flights|tickets|hotels|rooms|another (?:flight|` +
		`hotel))\b`)

	howToPay = lazily(`how (?:do|can|should|would|will|does one) (?:i |we |you )?(?:\w+ ){0,2}pay(?: for \w+)?|` +
		`(?:which|what) (?:payment|cards?|payment methods?|ways? (?:of|to) pay\w*)|payment (?:methods?|options?)|` +
		`(?:can|may|do) (?:i|we) (?:need to |have to )?pay (?:by|with|in)|` +
		`(?:do|can) you (?:take|accept) (?:\w+ )?cards?`)
	condition = lazily(`what (?:happens |)if (?:i|we) (?:cancel|change|don't|miss)\w*|what if (?:i|we)|(?:can|` +
		`could|may) (?:i|we) (?:still )?(?:cancel|change|get (?:a |my |our )?(?:refund|money))|` +
		`cancell?ation (?:policy|terms|conditions?|fees?|rules?|cost)|` +
		`(?:fare |change |refund )(?:conditions?|rules?|policy|fees?|penalty)|conditions?|is (?:it|that|this|` +
		`the \w+(?: one)?|[a-z0-9-]+) (?:refundable|changeable|flexible)|money back|refund|penalty|` +
		`how (?:much|do (?:i|we)|can (?:i|we)) .{0,20}cancel\w*|to cancel|if (?:i|we) cancel|` +
		`change (?:fee|it later)|free (?:to|cancellation)`)
	detailWord = lazily(`(?:tell me |show me |say )?more (?:about|on|details|info)|details?(?: (?:of|about|on|` +
		`for))?|tell me about|(?:open|see|show(?: me)?|look at|view|expand) |info(?:rmation)? (?:on|about)|` +
		`what about|how about|` +
		`how long|what time|when does|which airline|bags?|luggage|baggage|included|how much|price of`)

	ratesWord = lazily(`rooms?|rates?|room types?|breakfast`)
	addVerb   = lazily(`add|put|save|include|stick|insert|enter|schedule|jodo|daalo|dalo`)
	planNoun  = lazily(`itinerary|trip|plan|plans|schedule|calendar|diary|travel plan`)
	calNoun   = lazily(`calendar|ics|ical|icalendar|outlook|diary`)
	showVerb  = lazily(`show|see|list|view|open|display|what(?:'s| is| are| do| have)?|which|my|do i have|give me|` +
		`dikhao|batao|any|where is`)
)

// clauseOf is the clause of the message in which a pattern stands, "" for none.
func (t *text) clauseOf(pattern func() *regexp.Regexp) string {
	for _, at := range pattern().FindAllStringIndex(t.low, -1) {
		if !t.whole(at[0], at[1]) {
			continue
		}
		from := strings.LastIndexAny(t.low[:at[0]], ".!?;") + 1
		to := len(t.low)
		if i := strings.IndexAny(t.low[at[1]:], ".!?;"); i >= 0 {
			to = at[1] + i + 1
		}
		return strings.TrimSpace(t.low[from:to])
	}
	return ""
}

// heldOn is a hold on something, and no doubt.
var heldOn = lazily(`\b(?:the|my|our|this|that) hold on\b`)

// ordered reports whether the verb of a clause is an order; doubted, that it stands in a
// question, a condition or a refusal.
func (t *text) ordered(verb func() *regexp.Regexp) (ordered, doubted bool) {
	clause := t.clauseOf(verb)
	if clause == "" {
		return false, false
	}
	rest := politeForm().ReplaceAllString(clause, " ")
	if doubt().MatchString(rest) {
		return false, true
	}
	if strings.HasSuffix(clause, "?") && !politeForm().MatchString(clause) {
		return false, true
	}
	// Doubt in the sentence before or behind counts as well: "Book it? Not sure."
	low := heldOn().ReplaceAllString(t.low, " ")
	if lazily(`\b(?:not sure|unsure|wait|hold on|hang on|let me think|don't know)\b`)().MatchString(low) {
		return false, true
	}
	return true, false
}

// orders reads everything but searches. It reports false where the message is none of it.
func (r *reader) orders() bool {
	for _, read := range []func() bool{r.memory, r.profiles, r.rating, r.acts, r.past, r.plan, r.lists,
		r.offerWords, r.hintWords} {
		if read() {
			return true
		}
	}
	return false
}

func (r *reader) takeAll(patterns ...func() *regexp.Regexp) {
	for _, p := range patterns {
		r.take(p)
	}
}

// bookingMeant returns the booking that is named or pointed at, "" for none.
func (r *reader) bookingMeant(it bool) string {
	if c := r.said.codes.booking; c != "" {
		return c
	}
	current := r.open.Booking
	switch r.open.Last {
	case LastFlights, LastOffer, LastStays, LastRates:
		current = "" // "it" is what was shown since
	}
	p := r.pointsAt(r.open.Bookings, current)
	if p.vague && len(r.spots()) > 0 {
		return "" // "my flight to Rome", and none of them is to Rome
	}
	if p.code != "" && (it || !p.vague) {
		return p.code
	}
	if len(p.fits) > 1 && !p.vague {
		return ""
	}
	if it && (p.said && p.vague || r.has(lazily(`my (?:booking|flight|hotel|reservation|stay)|the (?:booking|`+
		`flight|hotel|reservation|stay)|booking`))) {
		return current
	}
	return ""
}

// acts reads orders that hold, book, pay or cancel.
func (r *reader) acts() bool {
	if r.has(holdable) && r.whichHold() {
		return true
	}
	if r.has(cancelVerb) || r.has(lazily(`refund me`)) {
		return r.cancels()
	}
	if r.has(payVerb) {
		ref := ""
		if r.said.codes.booking == "" {
			ref = r.reference()
		}
		if ordered, doubted := r.ordered(payVerb); ordered && (r.said.codes.booking != "" || ref != "" ||
			r.open.Booking != "" || r.has(lazily(`pay (?:for )?(?:it|that|the held|my|the flight|the booking|now)|`+
			`pay tb`))) {
			r.r.Intent = Pay
			r.take(payVerb)
			if ref != "" {
				r.r.Reference = ref
			} else {
				r.r.Booking = r.bookingMeant(true)
			}
			if len(r.unknownWords()) > 0 || r.conjoined() {
				r.r.Booking, r.r.Reference = "", ""
			}
			if r.r.Booking == "" && r.r.Reference == "" {
				r.ask(Question{Of: OfBooking, Text: "Which held booking do you want to pay?"})
			}
			return true
		} else if doubted && (r.open.Last == LastBooking || r.said.codes.booking != "") {
			r.r.Intent, r.r.Booking = ShowBooking, cmp.Or(r.bookingMeant(true), r.open.Booking)
			r.take(payVerb)
			return r.r.Booking != ""
		} else if doubted && r.has(lazily(`when|until when|by when|how long`)) && r.open.Last != LastOffer &&
			r.open.Last != LastFlights {
			r.r.Intent, r.r.Booking = ListBookings, ""
			if r.r.Booking = r.open.Booking; r.r.Booking != "" {
				r.r.Intent = ShowBooking
			}
			r.use(0, len(r.low))
			return true
		}
	}
	if r.has(howToPay) {
		r.r.Intent = HowToPay
		r.use(0, len(r.low))
		return true
	}
	hold, book, taking := r.has(holdVerb), r.has(bookVerb), r.has(takeVerb)
	if !hold && !book && !taking || r.has(newSearch) && r.newSearch() {
		return false
	}
	verb := bookVerb
	switch {
	case hold && !lazily(`(?:hold|held) (?:luggage|bags?|baggage)|hold on\b|hold (?:my|a) (?:breath|moment|`+
		`second)`)().MatchString(r.low):
		verb = holdVerb
	case hold && !book && !taking:
		return false
	case !book:
		verb = takeVerb
	}
	if !hold && !book && r.has(lazily(`take (?:me|us|off|place|care|long|time|a look|my|out)`)) {
		return false
	}
	ordered, doubted := r.ordered(verb)
	if !ordered && (!doubted || !hold && !book) {
		return false // "how long does it take?"
	}
	return r.buys(verb, ordered, hold && verb != nil && r.has(holdVerb), book)
}

// newSearch reports whether "book a flight to Lisbon" is meant, which is a search.
func (r *reader) newSearch() bool {
	return len(r.said.codes.offers) == 0
}
