package reading

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
)

var (
	rememberThat = lazily(`(?i)^(?:please |ok,? |also,? )*(?:remember|note|keep in mind|make a note|` +
		`don't forget|bear in mind|yaad rakhna)(?: that| down that|,| ki|:)? (.{3,200})$`)
	rememberIt = lazily(`(?i)[,.;:-]? *(?:and |please |so )*(?:remember (?:that|it|this)|keep (?:that|it) in mind|` +
		`note that down|` +
		`don't forget (?:that|it))(?: please)?$`)
	weSaid   = lazily(`(?i)\b(?:we|i) (?:said|decided|agreed)(?: that| on| to have)? (.{3,200})$`)
	alwaysDo = lazily(`(?i)^(?:i|we) (?:always|usually|never|only ever|normally|generally) (?:fly|` +
		`stay|sit|travel|take|eat|book|choose|prefer|want|go).{2,200}$|^(?:i'm|i am|we're|` +
		`we are) (?:a )?(?:vegetarian|vegan|pescatarian|gluten|halal|kosher|jain|allergic|lactose).{0,200}$|` +
		`^no (?:more )?red[- ]?eyes?(?: flights?)?(?: please)?[.!]?$`)
	prefers = lazily(`(?i)^(?:i|we) (?:both |all |really |much )?prefer (?:an? |the )?(?:aisle|window)\b.{0,200}$`)
	homeIs  = lazily(`(?i)\b(?:my|our) home (?:airport|city|base)(?: is|:|=)? |\b(?:i|we) ` +
		`(?:usually|always|normally) (?:fly|travel|leave) (?:out of|from) `)
	forgetOne = lazily(`forget|delete|remove|drop|erase|bhool jao`)
	aboutMe   = lazily(`(?:what|everything|all)(?: do)? you (?:know|remember|have stored|` +
		`have)(?: about)? ?(?:me|us)?|(?:my|our) (?:travel )?preferences|about me|(?:my|our) decisions|` +
		`what (?:have|did) (?:i|we) decided?|` +
		`what (?:i|we)(?:'ve| have)? decided|remembered`)
)

// memory reads what concerns preferences and decisions.
func (r *reader) memory() bool {
	low := strings.TrimRight(r.low, ".! ")
	plain := r.plain[:len(low)]
	if m := rememberIt().FindStringIndex(plain); m != nil && m[0] > 5 {
		r.r.Intent, r.r.Text = Remember, strings.TrimSpace(plain[:m[0]])
		r.use(0, len(r.low))
		return true
	}
	if c := r.said.codes.decision; c != "" && r.has(forgetOne) {
		r.r.Intent, r.r.Decision = Forget, c
		r.use(0, len(r.low))
		return true
	}
	if r.has(aboutMe) && r.has(lazily(`forget|delete|erase`)) {
		r.r.Intent, r.r.Text = Forget, "all"
		r.use(0, len(r.low))
		return true
	}
	if m := homeIs().FindStringIndex(plain); m != nil && !strings.HasSuffix(r.low, "?") {
		t := newText(plain[m[1]:])
		if spots := t.spots(); len(spots) == 1 {
			r.r.Intent = UpdatePrefs
			r.fill(OfOrigin, r.codeOf(spots[0], OfOrigin, "Which %s is your home?"))
			r.use(0, len(r.low))
			return true
		}
	}
	if (alwaysDo().MatchString(plain) || prefers().MatchString(plain)) && r.likes(plain) {
		return true
	}
	for _, shape := range []func() *regexp.Regexp{rememberThat, weSaid, alwaysDo} {
		if m := shape().FindStringSubmatch(plain); m != nil && !strings.HasSuffix(r.low, "?") {
			if len(r.said.dates) > 0 && !rememberThat().MatchString(plain) {
				continue // "we decided to fly on Friday" is about one journey
			}
			text := m[0]
			if len(m) > 1 {
				text = m[1]
			}
			r.r.Intent, r.r.Text = Remember, strings.TrimSpace(text)
			r.use(0, len(r.low))
			return true
		}
	}
	if r.has(aboutMe) && r.has(showVerb) {
		r.r.Intent = ShowPrefs
		r.use(0, len(r.low))
		return true
	}
	return false
}

// likes reads what a person always does as preferences, where they are such.
func (r *reader) likes(plain string) bool {
	changes, decisions := preferences.Apply(r.c.Prefs, preferences.Learn(plain))
	if len(r.said.dates) > 0 || changes == (preferences.Changes{}) && (len(decisions) == 0 ||
		!prefers().MatchString(plain)) {
		return false
	}
	if len(decisions) > 0 { // such as a seat, for which no preference has a place
		r.r.Text = decisions[0].Text
	}
	r.r.Intent, r.r.Changes = UpdatePrefs, &changes
	if changes == (preferences.Changes{}) {
		r.r.Intent, r.r.Changes, r.r.Text = Remember, nil, plain
	}
	r.use(0, len(r.low))
	return true
}

var travellerWords = lazily(`(?:my |our |the |saved |all )*travell?er(?:s| profiles?|'s profiles?)|(?:traveller|` +
	`passenger|family) profiles?|passports?|who can (?:i|you) book for|who(?: is|'s| are|se) (?:travell?ing|going|` +
	`coming)|who travels with (?:me|us)|which of us|(?:add|enter|new) (?:a |` +
	`another )?(?:travell?er|passenger profile)`)

// profiles reads requests for the profiles of travellers.
func (r *reader) profiles() bool {
	if !r.has(travellerWords) || r.has(flightNoun) || len(r.said.dates) > 0 {
		return false
	}
	if !r.has(showVerb) && !r.has(addVerb) &&
		!r.has(lazily(`profiles?|who can|who travels|edit|change|update|new|enter`)) &&
		len(strings.Fields(r.low)) > 3 {
		return false
	}
	r.r.Intent = Travellers
	r.use(0, len(r.low))
	return true
}

var (
	starsGiven = lazily(`(\d|one|two|three|four|five)(?: out of (?:5|five)|/5| ?stars?)`)
	rateVerb   = lazily(`rate|rating|review|feedback|give (?:it|that|them|the \w+|tb-\d+)`)
)

func (r *reader) rating() bool {
	if !r.has(rateVerb) && (r.said.codes.booking == "" || !r.has(starsGiven)) || r.has(ratesWord) &&
		r.open.Hotels != nil && !r.has(starsGiven) {
		return false
	}
	m, given := r.find(starsGiven)
	if !given && !lazily(`^(?:please |i want to |i'd like to |let me )*(?:rate|review)\b`)().MatchString(r.low) {
		return false
	}
	r.r.Intent = RateBooking
	if given {
		if n := number(m.groups[1]); n >= 1 && n <= 5 {
			r.r.Stars = n
		}
	} else if m, ok := r.find(lazily(`(?:with|a) ([1-5])\b`)); ok {
		r.r.Stars = number(m.groups[1])
	}
	r.r.Booking = r.bookingMeant(true)
	if r.r.Booking == "" {
		r.ask(Question{Of: OfBooking, Text: "Which booking do you rate?"})
	}
	r.wantStars()
	// What stands behind a colon, "because" or a comma is feedback.
	if m := feedback().FindStringSubmatch(r.plain); m != nil &&
		!starsGiven().MatchString(strings.ToLower(m[1])) {
		r.r.Text = strings.TrimSpace(m[1])
		r.use(len(r.low)-len(m[1]), len(r.low))
	}
	r.takeAll(rateVerb, lazily(`(?:my|the) (?:stay|flight|hotel|trip|booking|last)`))
	return true
}

var (
	feedback = lazily(`(?i)(?:because|:|,| - ) ?(.{3,300})$`)
	vehicle  = lazily(`\b(train|drive|driving|bus|car|transfer|ferry|taxi)\b`)
)

var pastWords = lazily(`(?:past|previous|former|old) (?:trips?|bookings?|flights?|stays?|hotels?|` +
	`travels?)|last (?:trip|time|year|stay)|where (?:did|have) (?:i|we) (?:go|been|stayed?|flown)|` +
	`have (?:i|we) (?:ever )?(?:been|stayed|flown)|did (?:i|we) (?:like|stay|fly|go|visit)|(?:travel|` +
	`booking) history|my history|which hotel did`)

func (r *reader) past() bool {
	if !r.has(pastWords) || r.has(lazily(`same as`)) {
		return false
	}
	r.r.Intent, r.r.Past = PastTrips, true
	for _, s := range r.spots() {
		r.r.Text = strings.TrimSpace(r.r.Text + " " + s.words)
	}
	r.takeAll(pastWords)
	if r.r.Text == "" {
		for _, w := range r.unknownWords() {
			if len(w) > 3 && w[0] >= 'A' && w[0] <= 'Z' {
				r.r.Text = strings.TrimSpace(r.r.Text + " " + w)
			}
		}
	}
	r.use(0, len(r.low))
	return true
}

var bookingsNoun = lazily(`(?:my|our|all|the|upcoming|current|open|held)(?: \w+)? (?:bookings?|reservations?)|` +
	`bookings|reservations|what (?:have|did) (?:i|we) (?:just )?(?:booked|book|held|hold)|(?:is|are) (?:my|our|` +
	`the) (?:flight|hotel|booking|trip|flights)(?: \w+)? (?:booked|confirmed|held|paid)|booking status|(?:when|` +
	`what time|where) (?:is|are|does|do) (?:my|our) (?:next )?(?:flights?|hotel|booking|stay)|has (?:my|the|` +
	`our) (?:flight|booking|hotel)|status of`)

// lists reads requests for bookings.
func (r *reader) lists() bool {
	if b := r.said.codes.booking; b != "" && len(r.unknownWords()) <= 4 {
		r.r.Intent, r.r.Booking = ShowBooking, b
		r.use(0, len(r.low))
		return true
	}
	if r.said.codes.booking == "" && (r.has(showVerb) || r.has(lazily(`booking|reservation|reference|pnr|status`))) &&
		!r.has(flightNoun) {
		used := slices.Clone(r.used)
		if ref := r.reference(); ref != "" && len(r.unknownWords()) <= 2 {
			r.r.Intent, r.r.Reference = ShowBooking, ref
			r.use(0, len(r.low))
			return true
		}
		copy(r.used, used)
	}
	if r.open.Last == LastBooking && r.open.Booking != "" && len(r.unknownWords()) <= 2 &&
		r.has(lazily(`(?:is|has|was|have) (?:it|that|this|i|we) (?:already |been |all )*(?:paid|confirmed|ticketed|`+
			`cancelled|refunded)(?: for)?(?: (?:it|yet|already|now))?`)) {
		r.r.Intent, r.r.Booking = ShowBooking, r.open.Booking
		r.use(0, len(r.low))
		return true
	}
	if !r.has(bookingsNoun) || len(r.said.dates) > 0 && r.has(lazily(`from|to`)) && len(r.spots()) > 0 {
		return false
	}
	if r.open.Last == LastBooking && r.open.Booking != "" &&
		r.has(lazily(`status|is (?:it|my|the)|confirmed|paid|(?:my|the|this) booking|has|when`)) {
		r.r.Intent, r.r.Booking = ShowBooking, r.open.Booking
	} else {
		r.r.Intent = ListBookings
		for _, s := range r.spots() {
			r.r.Text = strings.TrimSpace(r.r.Text + " " + s.words)
		}
	}
	r.use(0, len(r.low))
	return true
}

var hintWord = lazily(`(?:any |some |travel )?(?:tips|hints|reminders?|advice|heads[- ]up)|what (?:should|do|` +
	`must) (?:i|we) (?:know|prepare|do|pack|remember|watch)|when (?:does|can i|do i|can we).{0,12}check[- ]?in|` +
	`anything (?:i|we) (?:should|need to)|what's (?:next|coming up)|is (?:the|my|our) connection|am i ready|` +
	`are we ready|what(?:'s| is) (?:due|coming|urgent)|(?:anything|something) to (?:watch|look) out for|` +
	`(?:anything|something|what) (?:i|we) (?:have|need) to (?:do|know)`)

func (r *reader) hintWords() bool {
	if !r.has(hintWord) || len(r.said.dates) > 0 {
		return false
	}
	r.r.Intent = Hints
	if r.r.Trip = r.said.codes.trip; r.r.Trip == "" {
		r.r.Trip = r.open.Trip
	}
	r.use(0, len(r.low))
	return true
}
