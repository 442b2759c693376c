package reading

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
)

// answer reads the message as the answer to the question that is open.
func (r *reader) answer() bool {
	p := r.open.Pending
	if p == nil || len(p.Missing) == 0 {
		return false
	}
	q := p.Missing[0]
	value, ok := r.chosen(q)
	if !ok && !r.ordersOther(p.Intent) {
		switch q.Of {
		case OfOffer, OfHotel, OfRate:
			if len(r.said.codes.offers) == 1 && len(r.unknownWords()) == 0 {
				value, ok = r.said.codes.offers[0], true
			}
		case OfBooking:
			value, ok = r.said.codes.booking, r.said.codes.booking != "" && len(r.unknownWords()) == 0
			if !ok && len(r.open.Bookings) > 0 {
				if at := r.pointsAt(r.open.Bookings, ""); at.code != "" && len(r.unknownWords()) == 0 {
					value, ok = at.code, true
				}
			}
		case OfTrip:
			value, ok = r.said.codes.trip, r.said.codes.trip != ""
		case OfItem:
			value, ok = r.said.codes.item, r.said.codes.item != ""
			if !ok {
				if at := r.pointsAt(r.open.Items, ""); at.code != "" {
					value, ok = at.code, true
				}
			}
		case OfStars:
			if m, found := r.find(lazily(`\d|one|two|three|four|five`)); found {
				if n := number(m.groups[0]); n >= 1 && n <= 5 {
					value, ok = fmt.Sprint(n), true
				}
			}
		case OfTravellers:
			if len(r.said.codes.travellers) > 0 {
				value, ok = strings.Join(r.said.codes.travellers, ","), true
			}
		case OfText:
			ok = (p.Intent == AddActivity || p.Intent == RenameTrip) && len(strings.Fields(r.low)) <= 12 &&
				!lazily(`^(?:show|list|cancel|book|find|search|what|how|when|flights?|`+
					`hotels?)\b`)().MatchString(r.low)
			value = r.plain
		case OfDate, OfTime, OfPlace, OfOrigin, OfDestination:
			if p.Intent == AddActivity || p.Intent == BlockTime || p.Intent == MoveItem {
				return r.planAnswer(*p, q)
			}
		}
	}
	if !ok {
		return false
	}
	r.use(0, len(r.low))
	r.r = *p
	if p.Flights != nil { // what was open stays as it is
		f := *p.Flights
		r.r.Flights = &f
	}
	if p.Hotels != nil {
		h := *p.Hotels
		r.r.Hotels = &h
	}
	r.r.Missing, r.r.Assumed = nil, slices.Clone(p.Assumed)
	r.fill(q.Of, value)
	r.r.Missing = r.waiting(p.Missing)
	r.settle()
	return true
}

var anyVerb = lazily(`show|see|open|view|details?|what|when|how|is|does|why|which|status|cancel|pay|hold|book|buy|` +
	`remove|delete|move|add|rate|rename|not|don't|no`)

// ordersOther reports whether the message asks for something else than the intent whose
// question is open: "show TB-0001" is no answer to which booking is cancelled.
func (r *reader) ordersOther(in Intent) bool {
	own := map[Intent]string{Cancel: "cancel", Pay: "pay", Hold: "hold", Book: "book buy", BookHotel: "book",
		RemoveItem: "remove delete cancel", MoveItem: "move", RateBooking: "rate", AddActivity: "add",
		AddFlight: "add",
		AddHotel:  "add", RenameTrip: "rename", ShowBooking: "show see open view", HotelRates: "show see open " +
			"view"}[in]
	for _, at := range r.places(anyVerb) {
		if !slices.Contains(strings.Fields(own), r.low[at[0]:at[1]]) {
			return true
		}
	}
	return strings.HasSuffix(r.low, "?")
}

// planAnswer reads the day, the time or the place of something in a trip.
func (r *reader) planAnswer(p Reading, q Question) bool {
	r.r = p
	r.r.Missing, r.r.Assumed = nil, slices.Clone(p.Assumed)
	before := r.r
	r.moment()
	if q.Of == OfPlace || q.Of == OfOrigin || q.Of == OfDestination {
		spots := r.spots()
		if len(spots) != 1 {
			r.r = Reading{}
			return false
		}
		name := spots[0].words
		if spots[0].clear() {
			name = hotelPlace(spots[0].candidates[0])
		}
		switch q.Of {
		case OfPlace:
			r.r.Place = name
		case OfOrigin:
			r.r.Origin = name
		default:
			r.r.Destination = name
		}
	}
	same := r.r.Day == before.Day && r.r.From == before.From && r.r.To == before.To && r.r.Place == before.Place &&
		r.r.Origin == before.Origin && r.r.Destination == before.Destination && len(r.r.Missing) == 0
	if same || len(r.unknownWords()) > 2 {
		r.r = Reading{}
		return false
	}
	r.settle()
	return true
}

// chosen returns the value of the choice that the message names.
func (r *reader) chosen(q Question) (string, bool) {
	s := r.folded()
	for _, c := range q.Choices {
		if s == newText(c.Label).folded() || strings.EqualFold(s, c.Value) {
			return c.Value, true
		}
	}
	// By a part of one label alone: "the Indian one", "Missouri", "4 December".
	var fits []string
	for _, c := range q.Choices {
		label := " " + newText(strings.NewReplacer("(", " ", ")", " ").Replace(c.Label)).folded() + " "
		whole := len(s) >= 2
		for w := range strings.FieldsSeq(s) {
			if w == "the" || w == "one" || w == "in" || w == "from" || w == "on" || w == "to" {
				continue
			}
			whole = whole && strings.Contains(label, " "+w+" ")
		}
		if whole && strings.TrimSpace(label) != "" {
			fits = append(fits, c.Value)
		}
	}
	if len(fits) == 1 {
		return fits[0], true
	}
	if len(q.Choices) > 1 && len(fits) == 0 && len(strings.Fields(s)) <= 3 && q.Of != OfAges {
		alone := lazily(`^(?:the )?(?:\w+|\d+\w*)(?: (?:one|option|choice|day))?$`)().MatchString(s)
		if p := newText(r.plain).byOrdinal(len(q.Choices),
			func(i int) string { return q.Choices[i].Value }); alone && p.code != "" {
			return p.code, true
		}
		if n := number(s); n >= 1 && n <= len(q.Choices) && q.Of != OfTime && q.Of != OfStars && q.Of != OfPeople {
			return q.Choices[n-1].Value, true
		}
	}
	return "", false
}

// fill puts the answer to a question into the reading.
func (r *reader) fill(of, value string) {
	day, _ := calendar.Parse(value)
	f, h := r.r.Flights, r.r.Hotels
	switch of {
	case OfIntent:
		r.r.Intent = Intent(value)
	case OfOffer:
		r.r.Offer = value
	case OfHotel:
		r.r.Hotel = value
	case OfRate:
		r.r.Rate = value
	case OfBooking:
		r.r.Booking = value
	case OfTrip:
		r.r.Trip = value
	case OfItem:
		r.r.Item, r.r.Trip = value, cmp.Or(r.r.Trip, r.open.Trip)
	case OfTravellers:
		r.r.Travellers = strings.Split(value, ",")
	case OfStars:
		r.r.Stars = number(value)
	case OfText:
		r.r.Text = value
	case OfDecision:
		r.r.Decision = value
	case OfOrigin:
		switch {
		case r.r.Intent == UpdatePrefs && value != "":
			r.r.Changes = &preferences.Changes{Home: &value}
		case f != nil:
			f.Origin = value
		}
	case OfDestination:
		if f != nil {
			f.Destination = value
		}
	case OfDate:
		if r.r.Intent == AddActivity || r.r.Intent == MoveItem || r.r.Intent == BlockTime {
			r.r.Day = day
		} else if f != nil {
			f.Departure = day
			if f.Nights > 0 {
				f.Return, f.Nights = day.AddDays(f.Nights), 0
			}
		}
	case OfPeople:
		if f != nil {
			f.Adults = number(value)
		}
		if h != nil {
			h.Adults = number(value)
		}
	case OfReturn:
		if f != nil {
			f.Return = day
		}
	case OfPlace:
		if h != nil {
			h.Place = value
		}
	case OfCheckIn:
		if h != nil {
			h.CheckIn = day
			if h.Nights > 0 {
				h.CheckOut, h.Nights = day.AddDays(h.Nights), 0
			}
		}
	case OfCheckOut:
		if h != nil {
			h.CheckOut = day
		}
	case OfTime:
		name, at, _ := strings.Cut(value, "=")
		if f == nil {
			return
		}
		switch name {
		case "departAfter":
			f.DepartAfter = at
		case "departBefore":
			f.DepartBefore = at
		case "arriveBefore":
			f.ArriveBefore = at
		case "backAfter":
			f.BackAfter = at
		case "backBefore":
			f.BackBefore = at
		}
	}
}

// settle asks for what an intent still wants.
func (r *reader) settle() {
	switch r.r.Intent {
	case SearchFlights, SearchHotels, SearchBoth:
		if r.r.Intent != SearchFlights && r.r.Hotels == nil {
			r.r.Hotels = &Hotels{}
		}
		if r.r.Intent == SearchFlights {
			r.r.Hotels = nil
		}
		if r.r.Intent == SearchHotels {
			r.r.Flights = nil
		}
		r.complete()
	case MoveItem:
		r.wantDay("To which day?")
	case AddActivity:
		r.wantActivity()
	case BlockTime:
		r.wantBlock()
	case RateBooking:
		r.wantStars()
	}
}

func (r *reader) wantDay(question string) {
	if r.r.Day.IsZero() && (r.r.Intent != MoveItem || r.r.From == "") {
		r.ask(Question{Of: OfDate, Text: question})
	}
}

func (r *reader) wantStars() {
	if r.r.Stars == 0 {
		r.ask(Question{Of: OfStars, Text: "How many stars, from 1 to 5?", Choices: []Choice{{"5", "5"}, {"4",
			"4"}, {"3", "3"}, {"2", "2"}, {"1", "1"}}})
	}
}
