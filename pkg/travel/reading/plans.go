package reading

import (
	"fmt"
	"strings"
)

var (
	removeVerb = lazily(`remove|delete|drop|take (?:out|off)|hatao|hata do`)
	moveVerb   = lazily(`move|shift|reschedule|postpone|push|bring forward|change`)
	renameVerb = lazily(`(?:rename|call|name) (?:the |my |our |this )?(?:trip|itinerary|it)(?: tr-\d+)? ?(?:to|as|` +
		`into)? ?["']?([^"']{2,80}?)["']?$`)
	blockVerb  = lazily(`block(?: out| off)?|reserve time|keep .{0,20} free`)
	activityNo = lazily(`add(?: an?| the| my| our)? (.{2,80}?)(?: (?:to|in|into) (?:the |my |our )?(?:itinerary|` +
		`trip|plan|schedule|calendar))?$`)
)

// plan reads what concerns itineraries.
func (r *reader) plan() bool {
	c := r.said.codes
	r.r.Trip = c.trip
	if r.r.Trip == "" {
		r.r.Trip = r.open.Trip
	}
	ok := r.planned(c)
	if !ok {
		r.r.Trip = ""
	}
	return ok
}

func (r *reader) planned(c codes) bool {
	onTrip := r.open.Last == LastTrip || c.trip != "" || c.item != ""
	if m := renameVerb().FindStringSubmatchIndex(r.low); m != nil && r.whole(m[0], m[1]) &&
		(r.has(lazily(`rename`)) || r.has(lazily(`trip|itinerary`))) {
		r.r.Intent, r.r.Text = RenameTrip, strings.Trim(r.plain[m[2]:m[3]], ` "'.`)
		r.use(0, len(r.low))
		if r.r.Trip == "" {
			r.ask(Question{Of: OfTrip, Text: "Which trip do you want to rename?"})
		}
		return true
	}
	if r.has(blockVerb) {
		return r.blocks()
	}
	if m := namedTrip().FindStringSubmatch(r.low); m != nil && c.trip == "" {
		// The words name a trip, which the list of trips finds.
		if name := strings.TrimSpace(m[1] + m[2]); name != "" && name != "next" && name != "whole" {
			r.r.Intent, r.r.Trip, r.r.Text = ShowTrip, "", name
			r.use(0, len(r.low))
			return true
		}
	}
	if verb := lazily(`^(?:please |can you |could you )*(move|reschedule|postpone|remove|delete) (?:the|my|our) `)().
		FindStringSubmatch(r.low); verb != nil && !onTrip && !r.has(planNoun) && !r.has(flightNoun) &&
		!r.has(hotelNoun) &&
		!r.has(lazily(`filters?|date|dates|departure|return|stops?|bags?|child|kids?|preferences?|travell?ers?|`+
			`bookings?`)) {
		if verb[1] == "remove" || verb[1] == "delete" {
			return r.itemOrder(RemoveItem)
		}
		return r.itemOrder(MoveItem)
	}
	if r.has(removeVerb) && (onTrip || r.has(planNoun)) && !r.has(lazily(`filters?`)) &&
		!r.has(lazily(`travell?er`)) {
		r.r.Intent = RemoveItem
		r.item(c)
		r.takeAll(removeVerb, planNoun)
		if ordered, _ := r.ordered(removeVerb); !ordered {
			r.r.Intent = ShowTrip
			r.r.Missing = nil
		}
		return true
	}
	if r.has(moveVerb) && (onTrip || r.has(planNoun)) && !r.has(flightNoun) && !r.has(hotelNoun) ||
		r.has(lazily(`move|reschedule`)) && c.item != "" {
		r.r.Intent = MoveItem
		r.item(c)
		r.moment()
		r.takeAll(moveVerb, planNoun)
		if len(r.r.Missing) == 0 && r.r.Day.IsZero() && r.r.From == "" {
			for _, s := range r.said.shifts {
				r.assume("%d days later than it is; say the day it moves to.", s.days)
			}
			r.ask(Question{Of: OfDate, Text: "To which day, and at what time?"})
		}
		return true
	}
	if r.has(addVerb) && (r.has(planNoun) || r.has(calNoun)) {
		return r.adds(c)
	}
	if r.has(calNoun) && (r.has(lazily(`export|download|send|file|ics|ical|get|put|add|link|import|sync`)) ||
		len(strings.Fields(r.low)) <= 4) {
		r.r.Intent = Calendar
		r.use(0, len(r.low))
		if r.r.Trip == "" {
			r.ask(Question{Of: OfTrip, Text: "Which trip?"})
		}
		return true
	}
	if r.has(lazily(`add|schedule`)) && (len(r.said.dates) > 0 || onTrip) && !r.has(flightNoun) &&
		!r.has(hotelNoun) && !r.said.party.set &&
		!r.said.wishes.bagsSaid && lazily(`^(?:please |can you |could you |then |also |and )*(?:add|`+
		`schedule)\b`)().MatchString(r.low) {
		return r.activity()
	}
	if c.trip != "" && len(strings.Fields(r.low)) <= 6 && !r.has(removeVerb) {
		r.r.Intent = ShowTrip
		r.use(0, len(r.low))
		return true
	}
	if r.has(lazily(`itinerary|travel plan|my plans?|our plans?|my schedule|(?:my|our|the|this) trip|`+
		`what's planned|what(?:'s| is) on|what is planned|day by day`)) && !r.has(newTrip) &&
		(r.has(showVerb) || len(strings.Fields(r.low)) <= 3) && !r.has(lazily(`flights?|hotels?`)) {
		r.r.Intent = ShowTrip
		r.use(0, len(r.low))
		return true
	}
	if r.has(lazily(`trips`)) && (r.has(showVerb) || len(strings.Fields(r.low)) <= 3) && len(r.said.dates) == 0 {
		r.r.Intent, r.r.Trip = ListTrips, ""
		r.use(0, len(r.low))
		return true
	}
	return false
}

var newTrip = lazily(`trip to|trip from|(?:plan|book|need|want) a trip`)

var namedTrip = lazily(`^(?:please |can you |could you )*(?:show|open|see|view|display|look at)(?: me|` +
	` us)? (?:the |my |our )(?:([a-z' -]{2,30}?) )?` +
	`(?:trip|itinerary)(?: (?:to|in|for|of) (?:the )?([a-z' -]{2,30}))?[.?!]?$`)

// itemOrder reads an order about an item of a trip that is not shown: the next trip is, and
// the item is asked for.
func (r *reader) itemOrder(in Intent) bool {
	r.r = Reading{Intent: in, Trip: r.open.Trip}
	r.item(r.said.codes)
	if in == MoveItem {
		r.moment()
	}
	r.use(0, len(r.low))
	return true
}

// item finds the item of a trip that is meant.
func (r *reader) item(c codes) {
	if r.r.Item = c.item; c.item != "" {
		return
	}
	p := r.pointsAt(r.open.Items, "")
	if r.r.Item = p.code; p.code == "" {
		r.ask(Question{Of: OfItem, Text: "Which item? Name its code, such as I3.",
			Choices: stayChoices(r.open.Items, p.fits)})
	}
}

var bareSpan = lazily(`(?:from |between )?(\d{1,2})(?::(\d{2}))? ?(?:-|to|till|until|` +
	`and) ?()(\d{1,2})(?::(\d{2}))?( ?(?:am|pm))?`)

// moment reads the day and the times of an item.
func (r *reader) moment() {
	for _, w := range r.said.dates {
		if w.open {
			r.askDay(OfDate, &w)
			continue
		}
		r.r.Day = w.day
		if w.words != "" {
			r.assume("I took “%s” as %s.", w.words, showDay(w.day))
		}
	}
	clocks := r.said.clocks
	r.each(bareSpan, func(m match) bool {
		mark := m.groups[6]
		if mark == "" && r.dayPart() == "evening" && number(m.groups[1]) < 12 {
			mark = "pm"
		}
		first, okFirst := readHour(m.groups[1], m.groups[2], mark)
		second, okSecond := readHour(m.groups[4], m.groups[5], mark)
		if !okFirst || !okSecond || first >= second || r.r.From != "" {
			return false
		}
		r.r.From, r.r.To, clocks = first, second, nil
		r.assume("From %s to %s.", first, second)
		return true
	})
	for _, c := range clocks {
		switch {
		case c.unclear > 0:
			r.ask(Question{Of: OfTime, Text: fmt.Sprintf("“%s” in the morning or in the evening? Write it as "+
				"09:00 or 21:00.", c.words)})
		case c.exact != "":
			if r.r.From == "" {
				r.r.From = c.exact
			} else {
				r.r.To = c.exact
			}
		case c.after != "" && c.before != "" && c.words == "":
			r.r.From, r.r.To = c.after, c.before
		case c.after != "":
			if r.r.From == "" {
				r.r.From = c.after
			}
			if c.assumed != "" {
				r.assume("%s begins at %s.", upperFirst(c.words), c.after)
			}
		case c.before != "" && r.r.From != "":
			r.r.To = c.before
		}
	}
}

func (r *reader) blocks() bool {
	r.r.Intent = BlockTime
	r.moment()
	for _, s := range r.spots() {
		name := s.words
		if s.clear() {
			name = hotelPlace(s.candidates[0])
		}
		switch {
		case s.role == origin && r.r.Origin == "":
			r.r.Origin = name
		case r.r.Destination == "":
			r.r.Destination = name
		}
	}
	r.takeAll(blockVerb, lazily(`travel|travelling|time|train|drive|driving|bus|car|transfer|ferry|trip|ride`))
	r.wantBlock()
	if m := vehicle().FindString(r.low); m != "" {
		r.r.Text = upperFirst(m)
	}
	return true
}

// adds reads what is put into an itinerary.
func (r *reader) adds(c codes) bool {
	ordered, _ := r.ordered(addVerb)
	toCalendar := r.has(calNoun)
	if !ordered {
		if r.has(lazily(`can (?:i|we)|how (?:can|do)`)) && toCalendar {
			r.r.Intent = Calendar
			r.use(0, len(r.low))
			if r.r.Trip == "" {
				r.ask(Question{Of: OfTrip, Text: "Which trip?"})
			}
			return true
		}
		return false
	}
	if len(r.said.dates) > 0 && !r.has(flightNoun) && !r.has(hotelNoun) {
		return r.activity()
	}
	hotels := (r.open.Last == LastStays || r.open.Last == LastRates) && !r.has(flightNoun)
	if len(c.offers) > 0 {
		hotels = r.isHotel(c.offers[0])
	}
	switch {
	case c.booking != "", r.open.Last == LastBooking && r.open.Booking != "" && len(c.offers) == 0:
		r.r.Intent, r.r.Booking = AddFlight, c.booking
		if c.booking == "" {
			r.r.Booking = r.open.Booking
		}
		r.take(thatOne)
	case hotels:
		r.r.Intent, r.r.Hotels = AddHotel, r.open.Hotels
		if len(c.offers) > 0 {
			r.r.Hotel = c.offers[0]
		} else {
			list, was := r.open.Stays, r.open.Hotel
			p := r.pointsAt(list, was)
			if r.r.Hotel = p.code; p.code == "" {
				r.ask(Question{Of: OfHotel, Text: "Which hotel?", Choices: stayChoices(list, p.fits)})
			}
		}
	case len(c.offers) > 0 || len(r.open.Offers) > 0 && r.open.Last != LastTrip && r.open.Last != LastTrips:
		r.r.Intent = AddFlight
		offer, several, _ := r.offerMeant()
		if offer == "" && len(several) == 0 {
			offer = r.open.Offer
		}
		if r.r.Offer = offer; offer == "" {
			r.askOffer(several)
		}
	case toCalendar:
		r.r.Intent = Calendar
		if r.r.Trip == "" {
			r.ask(Question{Of: OfTrip, Text: "Which trip?"})
		}
	default:
		return r.activity()
	}
	if r.r.Intent != Calendar && toCalendar {
		r.r.Text = "calendar" // the file is wanted as well
	}
	for _, s := range r.open.Stays {
		if s.Code == r.r.Hotel && r.r.Hotel != "" {
			r.r.Place = s.Name
		}
	}
	r.takeAll(addVerb, planNoun, calNoun, politeWords)
	return true
}

// activity reads "add dinner at Ramiro on Friday at 8 pm".
func (r *reader) activity() bool {
	r.r.Intent = AddActivity
	r.moment()
	m := activityNo().FindStringSubmatchIndex(r.low)
	title := ""
	if m != nil {
		// The title is what was not understood between the verb and the end.
		var words []string
		start := -1
		for i := m[2]; i <= m[3]; i++ {
			inside := i < m[3] && !r.used[i]
			if inside && start < 0 {
				start = i
			}
			if !inside && start >= 0 {
				words = append(words, strings.Trim(r.plain[start:i], " ,."))
				start = -1
			}
		}
		title = strings.Join(words, " ")
	}
	title = strings.Join(strings.Fields(title), " ")
	for {
		was := title
		for _, w := range []string{"on", "at", "from", "to", "for", "in", "the", "my", "itinerary", "trip", "a",
			"an", "our"} {
			if rest, ok := strings.CutSuffix(title, " "+w); ok {
				title = rest
			}
		}
		if title == was {
			break
		}
	}
	r.use(0, len(r.low))
	if len(title) > 2 {
		r.r.Text = upperFirst(title)
		if name, place, ok := strings.Cut(r.r.Text, " in "); ok && len(lookup(place)) > 0 {
			r.r.Text, r.r.Place = name, place
		}
	}
	r.wantActivity()
	return true
}

// wantActivity asks for what an activity needs.
func (r *reader) wantActivity() {
	switch {
	case r.r.Text == "":
		r.ask(Question{Of: OfText, Text: "What shall I add?"})
	case r.r.Day.IsZero():
		r.ask(Question{Of: OfDate, Text: "On which day?"})
	case r.r.Place == "":
		switch f := r.open.Flights; {
		case r.open.Last == LastTrip || r.open.Last == LastTrips:
			// A trip that was shown since may be elsewhere than the last search.
		case r.open.Hotels != nil && r.open.Hotels.Place != "" && (f == nil ||
			cityOf(f.Destination) == r.open.Hotels.Place):
			r.r.Place = r.open.Hotels.Place
		case r.open.Hotels == nil && f != nil && f.Destination != "":
			r.r.Place = cityOf(f.Destination)
		}
		if r.r.Place == "" {
			r.ask(Question{Of: OfPlace, Text: "In which city is it?"})
			return
		}
		r.assume("In %s.", r.r.Place)
	}
}

// wantBlock asks for what blocked time needs.
func (r *reader) wantBlock() {
	switch {
	case r.r.Day.IsZero():
		r.ask(Question{Of: OfDate, Text: "On which day shall I block time?"})
	case r.r.From == "" || r.r.To == "":
		r.ask(Question{Of: OfTime, Text: "From when to when? Write it as 14:00 to 18:00."})
	case r.r.Origin == "":
		r.ask(Question{Of: OfOrigin, Text: "From where do you travel?"})
	case r.r.Destination == "":
		r.ask(Question{Of: OfDestination, Text: "To where do you travel?"})
	}
}
