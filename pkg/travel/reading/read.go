package reading

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

func priceLess(a, b string) bool {
	x, errX := money.Parse(a)
	y, errY := money.Parse(b)
	return errX == nil && (errY != nil || x.Cmp(y) < 0)
}

// said is everything that a message names.
type said struct {
	codes  codes
	dates  []when
	shifts []shift
	stay   stay
	clocks []clock
	party  party
	wishes wishes
	spots  []spot
}

// reader reads one message.
type reader struct {
	*text
	c     Context
	today calendar.Date
	open  Open // a copy; empty at the beginning
	said  said
	r     Reading
}

// Read returns what a message asks for.
func Read(message string, c Context) Reading {
	t := newText(message)
	if strings.TrimSpace(t.plain) == "" {
		return Reading{}
	}
	r := &reader{text: t, c: c, today: c.today()}
	if c.Open != nil {
		r.open = *c.Open
	}
	if r.private() {
		return Reading{Intent: Travellers, Assumed: []string{"Numbers of passports and cards go into the form of " +
			"the " +
			"travellers, never into the chat. I have not used yours."}}
	}
	if in, ok := r.courtesy(); ok {
		if s := r.folded(); in == Decline && r.open.Decision != "" && (s == "forget that" || s == "forget it") {
			return Reading{Intent: Forget, Decision: r.open.Decision}
		}
		return Reading{Intent: in}
	}
	r.collect()
	if !r.answer() && !r.elsewhere() && !r.orders() {
		r.decide()
	}
	r.sends()
	return r.finish()
}

var (
	passport = lazily(`[a-z]{1,2}\d{6,9}|[a-z]\d{2}[a-z0-9]{5,6}|(?:\d{4}[ -]?){3,4}\d{0,4}`)
	digits   = lazily(`\d{7,12}`)
	document = lazily(`passport|aadhaar|aadhar|card|identity|visa number|document number|id number|pan`)
)

// private reports whether the message has what looks like the number of a passport or of a
// card: it is put into no argument.
func (r *reader) private() bool {
	return r.has(passport) || r.has(digits) && r.has(document)
}

// courtesy recognises whole messages that mean nothing but courtesy or a refusal.
func (r *reader) courtesy() (Intent, bool) {
	s := r.folded()
	for _, w := range []struct {
		in   Intent
		list string
	}{
		{Thanks, "thanks|thank you|thanks a lot|thank you so much|thank you very much|many thanks|thx|ty|great " +
			"thanks|perfect thanks|perfect|great|" +
			"awesome|cool|nice|dhanyavaad|shukriya|perfect thank you|that's all thanks|thank you that's " +
			"all|thanks that's all|no thanks that's all|thanks for your help|thank you for your help|that is " +
			"all thank " +
			"you|that's all|thanks bye|thank you bye|bye|goodbye|good bye|see you|cheers"},
		{Greeting, "hi|hello|hey|hi there|hello there|good morning|good afternoon|good evening|namaste|hola|hey " +
			"there"},
		{Help, "help|what can you do|what can you do for me|how does this work|how do you work|who are you|what " +
			"are you|help me|what can i ask|what can i ask you|" +
			"kya kar sakte ho|options|menu"},
		{Decline, "no|nope|no thanks|no thank you|never mind|nevermind|forget it|forget that|stop|don't|cancel " +
			"that|not now|leave it|not yet|nahi|nahin|rehne do|" +
			"no don't|do nothing|abort|none|none of them|none of those|neither"},
	} {
		if slices.Contains(strings.Split(w.list, "|"), s) {
			return w.in, true
		}
	}
	return Unknown, false
}

// collect finds everything that the message names, what is most certain first.
func (r *reader) collect() {
	r.said.codes = r.codes()
	r.said.shifts = r.shifts()
	r.said.dates = r.dates(r.today)
	r.said.stay = r.nights()
	r.said.wishes = r.wishes()
	r.said.clocks = r.clocks()
	for _, w := range r.said.dates {
		if w.part != "" && len(r.said.clocks) == 0 {
			after, before := partHours("", w.part)
			r.said.clocks = append(r.said.clocks, clock{at: w.at, after: after, before: before})
		}
	}
	r.said.party = r.people()
}

// finish says what was not understood.
func (r *reader) finish() Reading {
	for _, w := range r.words() {
		low := strings.ToLower(w)
		if !filler()[low] && !slices.Contains(r.r.Ignored, w) {
			r.r.Ignored = append(r.r.Ignored, w)
		}
	}
	switch r.r.Intent {
	case SearchFlights, SearchHotels, SearchBoth, Filter:
	default:
		r.r.Assumed = slices.DeleteFunc(r.r.Assumed, func(s string) bool { return s == "" })
	}
	slices.SortStableFunc(r.r.Missing, func(a, b Question) int { return order(a.Of) - order(b.Of) })
	r.r.Missing = r.r.Missing[:min(len(r.r.Missing), 4)]
	if len(r.r.Ignored) > 12 {
		r.r.Ignored = r.r.Ignored[:12]
	}
	return r.r
}

// filler are words that add nothing to a request that was understood.
var filler = setOf(`
	has kya aap dikha sakte ho baad pehle a an and any are as at coming hmm hm um uh oh ah live included include
	be been but by can could dear
	do does else even find fine fly flying flight flights for from get give go going got guys have he
	hello help her hey hi him his hotel hotels how i i'd i'll i'm i've if in into is it it's its just
	kindly let let's like looking look lovely make me much my need next nice no not now of off ok okay
	on one ones only option options or other our out over plan planning please pls plz prefer preferably
	really right search see she show so some something somewhere soon sure take tell than thank thanks
	that that's the their them then there these they this those ticket tickets time to together too
	travel travelling traveling trip try two up us very want was way we we'd we'll we're we've well what
	what's when where which will wish with within would yes you your back return returning round leaving
	leave departing depart arriving arrive each per all both about also around actually rather instead
	room rooms place stay staying night nights day days week weekend people person family good great
	best same few anything available book booking fare fares price prices cost costs does quick quickly
	maybe perhaps possible possibly again hai hain karo kar kardo do dikhao chahiye jana jaana ka ki ke
	ko mein me se tak aur ya bhai log liye wapas wapsi batao mujhe hum humko main hume hamein ek sir
	madam ji zara`)

// ask adds the question behind those that are there, unless one of them asks for the same.
func (r *reader) ask(q Question) {
	if !slices.ContainsFunc(r.r.Missing, func(o Question) bool { return o.Of == q.Of }) {
		r.r.Missing = append(r.r.Missing, q)
	}
}

func (r *reader) assume(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if !slices.Contains(r.r.Assumed, s) {
		r.r.Assumed = append(r.r.Assumed, s)
	}
}

// dateChoices are days to choose from.
func dateChoices(days []calendar.Date) []Choice {
	var out []Choice
	for _, d := range days {
		out = append(out, Choice{Label: showDay(d), Value: d.String()})
	}
	return out
}

// placeChoices are places to choose from.
func placeChoices(list []places.Place, hotels bool) []Choice {
	var out []Choice
	for _, p := range list[:min(len(list), 6)] {
		value := p.Code
		if hotels {
			value = hotelPlace(p)
		}
		if value != "" {
			out = append(out, Choice{Label: p.Label(), Value: value})
		}
	}
	return out
}

// backAt is where the message begins to speak of the way back, len of it for nowhere.
var backCue = lazily(`\b(?:back|return(?:ing)?|come home|coming home|wapas|wapsi|inbound)\b`)

func (r *reader) backAt() int {
	for _, at := range backCue().FindAllStringIndex(r.low, -1) {
		if endsIn(r.low[at[0]:at[1]], "back") && endsIn(r.before(at[0]), "get", "give", "money", "go") {
			continue
		}
		return at[0]
	}
	return len(r.low)
}

// journey is what a message says of days and times.
type journey struct {
	out, back         calendar.Date
	outOpen, backOpen *when
	nights            int
	nightsOpen        bool
	oneWay, roundTrip bool
	sameDay           bool
	backOnly          bool // only the way back is spoken of
	notes             []string
	unclear           *clock
	extra             []when // days that have no place in it
	either            []calendar.Date
}

var (
	oneWay    = lazily(`one[- ]?way|single ticket|no return|without (?:a )?return|only there|ek taraf`)
	roundTrip = lazily(`round[- ]?trips?|return (?:flight|ticket|trip)s?|there and back|both ways|and back|` +
		`aana jaana`)
	sameDay  = lazily(`(?:back|return(?:ing)?) (?:on )?the same (?:day|evening|night)|day trip|same day return`)
	borders  = lazily(`\b(?:before|after|by)$`)
	untilCue = lazily(`(?:until|till|til|checking out|check[- ]?out)(?: on)?$`)
	outCue   = lazily(`(?:leav\w*|depart\w*|outbound|going|fly\w*|there|out)(?: on| is| by)?$`)
)

// journey sorts the days of the message into there and back.
func (r *reader) journey() journey {
	var j journey
	j.sameDay = r.take(sameDay)
	j.oneWay = r.take(oneWay)
	if r.has(roundTrip) {
		j.roundTrip = true
	}
	backAt := r.backAt()
	tell := func(w when) {
		if w.words == "" || w.open {
			return
		}
		days := showDay(w.day)
		if !w.last.IsZero() {
			days += " to " + showDay(w.last)
		}
		j.notes = append(j.notes, fmt.Sprintf("I took “%s” as %s.", w.words, days))
	}
	if len(r.said.dates) == 2 && r.said.dates[0].at > backAt && r.said.dates[0].last.IsZero() && r.has(lazily(`to|`+
		`se`)) &&
		!r.said.dates[0].open && len(r.said.spots) > 1 {
		backAt = r.said.dates[0].to // "Delhi to London return 10 Dec 20 Dec"
	}
	for i := range r.said.dates {
		w := r.said.dates[i]
		before := r.before(w.at)
		if cue := borders().FindString(before); cue != "" && !w.open && w.last.IsZero() {
			// "Before Monday" is no day yet.
			w.open, w.choices = true, []calendar.Date{w.day.AddDays(-2), w.day.AddDays(-1)}
			if cue == "after" {
				w.choices = []calendar.Date{w.day.AddDays(1), w.day.AddDays(2)}
			}
			if cue == "by" {
				w.choices = []calendar.Date{w.day.AddDays(-1), w.day}
			}
			w.words = cue + " " + r.plain[w.at:w.to]
		}
		// "Sunday back" says it behind, "back on Sunday" before.
		back := w.at > backAt && !(outCue().MatchString(before)) || untilCue().MatchString(before) ||
			beginsWith(r.after(w.to), "back", "return", "wapas")
		switch {
		case w.open && w.last.IsZero():
			if back {
				j.backOpen = cmp.Or(j.backOpen, &w)
			} else if j.outOpen == nil && j.out.IsZero() {
				j.outOpen = &w
			} else {
				j.extra = append(j.extra, w)
			}
		case !w.last.IsZero() && j.out.IsZero():
			tell(w)
			j.out, j.back = w.day, w.last
		case back && j.back.IsZero():
			if !j.out.IsZero() && !w.day.After(j.out) && w.words != "" {
				w.day = again(w, j.out)
			}
			tell(w)
			j.back = w.day
		case !back && j.out.IsZero():
			tell(w)
			j.out = w.day
		case !back && j.back.IsZero():
			if between := r.low[r.said.dates[i-1].to:w.at]; strings.Contains(between, " or ") {
				j.either = []calendar.Date{j.out, w.day}
				continue
			}
			if !w.day.After(j.out) && w.words != "" {
				w.day = again(w, j.out)
			}
			tell(w)
			j.back = w.day
			if !j.roundTrip && !strings.Contains(r.low[r.said.dates[i-1].to:w.at], "to") {
				j.notes = append(j.notes, fmt.Sprintf("I took %s as the day of return.", showDay(w.day)))
			}
		default:
			j.extra = append(j.extra, w)
		}
	}
	if r.said.stay.nights > 0 {
		j.nights = r.said.stay.nights
		if r.said.stay.assumed != "" {
			j.notes = append(j.notes, r.said.stay.assumed)
		}
	}
	j.nightsOpen = r.said.stay.some
	j.backOnly = j.out.IsZero() && j.outOpen == nil && (!j.back.IsZero() || j.backOpen != nil)
	for i := range r.said.clocks {
		if r.said.clocks[i].unclear > 0 {
			j.unclear = &r.said.clocks[i]
		}
	}
	return j
}

// windows puts times of day into a query.
func (r *reader) windows(f *Flights) {
	backAt := r.backAt()
	for _, d := range r.said.dates {
		if !d.last.IsZero() && !d.open {
			backAt = min(backAt, len(r.low))
		}
	}
	for _, c := range r.said.clocks {
		if c.assumed != "" {
			r.assume("%s", c.assumed)
		}
		after, before := c.after, c.before
		if c.exact != "" && c.at <= backAt && r.has(lazily(`meeting|appointment|conference|interview|wedding|call|`+
			`event|lunch|dinner`)) {
			f.ArriveBefore = c.exact
			r.assume("I took %s as when you have to be there: the flight arrives before.", c.exact)
			continue
		}
		if c.exact != "" {
			after, before = plusHours(c.exact, -1), plusHours(c.exact, 1)
			r.assume("I look for departures between %s and %s.", after, before)
		}
		if c.at > backAt {
			if after != "" || before != "" && !c.arrive {
				f.BackAfter, f.BackBefore = after, before
			}
			if c.arrive {
				f.BackAfter, f.BackBefore = "", before
				r.assume("The way back departs before %s, as arrivals of it cannot be chosen.", before)
			}
			continue
		}
		if c.arrive {
			f.ArriveBefore = before
			if after != "" {
				r.assume("An earliest arrival cannot be chosen; I only look for arrivals before %s.", before)
			}
			continue
		}
		f.DepartAfter, f.DepartBefore = after, before
	}
}

// passengersOf merges who travels into a number of adults and children.
func (r *reader) passengersOf(adults int, children []int) (int, []int) {
	n, kids, assumed := r.said.party.apply(adults, children)
	for _, a := range assumed {
		r.assume("%s", a)
	}
	return n, kids
}

// wish puts what is wanted of offers into a query.
func (r *reader) wish(f *Flights) {
	w := r.said.wishes
	if w.all {
		*f = Flights{Origin: f.Origin, Destination: f.Destination, Departure: f.Departure, Return: f.Return,
			Legs:   f.Legs,
			Adults: f.Adults, Children: f.Children, Cabin: f.Cabin, OneWay: f.OneWay}
	}
	if w.cabin != "" {
		f.Cabin = w.cabin
	}
	if w.connections != nil {
		f.Connections = w.connections
	}
	if w.anyStops {
		f.Connections = nil
	}
	if w.bagsSaid {
		f.Bags = w.bags
	}
	if w.handOnly {
		f.Bags = 0
	}
	if len(w.airlines) > 0 {
		f.Airlines = w.airlines
	}
	if w.anyAirline {
		f.Airlines = nil
	}
	if w.anyTime {
		f.DepartAfter, f.DepartBefore, f.ArriveBefore, f.BackAfter, f.BackBefore = "", "", "", "", ""
	}
	if w.maxPrice != "" {
		f.MaxPrice, f.Currency = w.maxPrice, w.currency
		if w.perPerson {
			if a, err := money.Parse(w.maxPrice); err == nil {
				if total, err := a.Mul(money.FromInt(max(f.Passengers(), 1))); err == nil {
					f.MaxPrice = total.String()
					r.assume("%s each is %s for all.", w.maxPrice, total)
				}
			}
		}
	}
	if w.anyPrice {
		f.MaxPrice, f.Currency = "", ""
	}
	if w.refundable {
		f.Refundable = true
	}
	if w.sort != "" {
		f.Sort = w.sort
	}
	for _, a := range w.assumed {
		r.assume("%s", a)
	}
}
