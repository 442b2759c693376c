package reading

import "slices"

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
