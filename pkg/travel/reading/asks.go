package reading

import (
	"slices"
	"time"
)

var later = lazily(`(?:something|anything|any|an?|some)(?: flights?| ones?| options?)? (?:that (?:leaves?|` +
	`departs?|goes|flies) |leaving |departing )?(later|earlier)(?: (?:flights?|ones?|options?|` +
	`departures?))?(?: in the (?:day|evening|morning|afternoon))?|(later) (?:ones|flights|options|departures)`)

// laterOnes reads "is there something later?": offers that leave after the one that was
// looked at, or that stands first.
func (r *reader) laterOnes() bool {
	if len(r.open.Offers) == 0 || r.open.Search == "" || r.backAt() < len(r.low) {
		return false
	}
	m, ok := r.find(later)
	if !ok {
		return false
	}
	than := r.open.Offers[0]
	for _, o := range r.open.Offers {
		if o.Code == r.open.Offer {
			than = o
		}
	}
	if len(than.Departs) < 16 {
		return false
	}
	left, err := time.Parse("2006-01-02T15:04", than.Departs[:16])
	if err != nil {
		return false
	}
	at, before, after := left.Format("15:04"), left.Add(-time.Minute), left.Add(time.Minute)
	if before.Day() != left.Day() || after.Day() != left.Day() {
		return false
	}
	f := Flights{}
	if r.open.Flights != nil {
		f = *r.open.Flights
	}
	if m.groups[1] == "earlier" {
		f.DepartAfter, f.DepartBefore = "", before.Format("15:04")
		r.assume("Before %s, when %s leaves.", at, than.Code)
	} else {
		f.DepartAfter, f.DepartBefore = after.Format("15:04"), ""
		r.assume("After %s, when %s leaves.", at, than.Code)
	}
	r.windows(&f)
	r.wish(&f)
	r.r.Intent, r.r.Flights, r.r.Text = Filter, &f, r.open.Search
	return true
}

// asksOf reads a question about the offer that was looked at: "is a bag included?". It is
// never a filter.
func (r *reader) asksOf() bool {
	about := r.has(aboutIt)
	looked := r.open.Last == LastOffer && r.open.Offer != "" && r.has(isQuestion) && !r.has(lazily(`there|`+
		`anything|you|other|others|another|show`))
	if !looked && (!about || !r.has(isQuestion)) || len(r.open.Offers) == 0 || len(r.said.codes.offers) > 0 ||
		r.open.Last == LastStays || r.open.Last == LastRates || r.open.Last == LastTrip ||
		r.open.Last == LastBooking ||
		len(r.spots()) > 0 {
		return false
	}
	used := slices.Clone(r.used)
	if code, _, pointed := r.offerMeant(); pointed && code != r.open.Offer && code != "" {
		copy(r.used, used)
		return false // "is the fastest one refundable?" names its own
	}
	r.r.Intent, r.r.Offer = Details, r.open.Offer
	if r.said.wishes.refundable || r.has(condition) {
		r.r.Intent = Conditions
	}
	if r.r.Offer == "" && len(r.open.Offers) == 1 {
		r.r.Offer = r.open.Offers[0].Code
	}
	if r.r.Offer == "" {
		r.askOffer(nil)
	}
	r.use(0, len(r.low))
	return true
}
