package reading

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// hotels makes a query of hotels of what was said and of what was there.
func (r *reader) hotels(base *Hotels) {
	h := Hotels{}
	switch {
	case base != nil:
		h = *base
		h.Children = slices.Clone(h.Children)
	case r.r.Flights != nil && r.r.Intent != SearchHotels:
		h.Adults, h.Children = r.r.Flights.Adults, slices.Clone(r.r.Flights.Children)
		h.CheckIn, h.CheckOut = r.r.Flights.Departure, r.r.Flights.Return
	case r.open.Flights != nil:
		f := r.open.Flights
		named := slices.ContainsFunc(r.said.spots, func(s spot) bool { return s.role != origin })
		if !named {
			h.Place = cityOf(f.Destination)
		}
		if (!named || r.sameCity(r.said.spots[0], f.Destination)) && len(r.said.dates) == 0 {
			h.CheckIn, h.CheckOut = f.Departure, f.Return
		}
		if !r.said.party.set {
			h.Adults, h.Children = f.Adults, slices.Clone(f.Children)
		}
		if h.Place != "" || !h.CheckIn.IsZero() {
			r.assume("Place, dates and guests are those of the flights, as far as you said no others.")
		}
	}
	r.r.Hotels = &h
	if r.r.Intent == SearchHotels || base != nil && r.r.Intent != SearchBoth {
		for _, s := range r.said.spots {
			if s.role == origin || s.role == via || s.role == backTo {
				continue
			}
			if !s.clear() {
				h.Place = ""
				r.ask(Question{Of: OfPlace, Text: fmt.Sprintf("Which %s do you mean?", s.words),
					Choices: placeChoices(s.candidates, true)})
				continue
			}
			p := s.candidates[0]
			h.Place = hotelPlace(p)
			if !named(p, s.words) && !strings.EqualFold(s.words, p.Code) {
				r.assume("I took “%s” as %s.", s.words, p.Label())
			}
		}
		r.stayDays(&h, base != nil)
		h.Adults, h.Children = r.passengersOf(h.Adults, h.Children)
		r.ages(&h.Adults, h.Children)
		r.count(&h.Adults)
	} else if r.r.Flights != nil {
		for _, s := range r.said.spots {
			if (s.role == destination || s.role == within || s.role == bare) && s.clear() {
				h.Place = hotelPlace(s.candidates[0])
			}
		}
	}
	w := r.said.wishes
	if w.rooms > 0 {
		h.Rooms = w.rooms
	}
	if r.r.Intent == SearchHotels {
		if w.maxPrice != "" {
			h.MaxPrice, h.Currency, h.ForStay = w.maxPrice, w.currency, w.forStay
			if !w.forStay {
				r.assume("“At most %s” is for a night and room.", strings.TrimSpace(w.currency+" "+w.maxPrice))
			}
		}
		if w.minPrice != "" {
			h.MinPrice, h.Currency = w.minPrice, cmp.Or(w.currency, h.Currency)
		}
		if w.anyPrice || w.all {
			h.MinPrice, h.MaxPrice = "", ""
		}
		if w.refundable || w.sort == "price" {
			w.refundable = false
		}
	}
	if w.all {
		h.Amenities = nil
	}
	for _, a := range w.amenities {
		if !slices.Contains(h.Amenities, a) {
			h.Amenities = append(slices.Clone(h.Amenities), a)
		}
	}
}

// cityOf is the city of a code, as a search for hotels is told it.
func cityOf(code string) string {
	p, ok := places.ByCode(code)
	if !ok {
		return ""
	}
	if p.Kind == places.Airport && p.City != "" {
		if found := places.Lookup(p.City + ", " + places.CountryName(p.Country)); len(found) == 1 {
			return hotelPlace(found[0])
		}
		return p.Code
	}
	return hotelPlace(p)
}

// stayDays puts the days of the message into a stay.
func (r *reader) stayDays(h *Hotels, correcting bool) {
	j := r.journey()
	for _, n := range j.notes {
		r.assume("%s", strings.Replace(n, "as the day of return", "as the day of check-out", 1))
	}
	was := *h
	if r.slot() == OfCheckOut && correcting && !j.out.IsZero() && j.back.IsZero() {
		j.back, j.out = j.out, calendar.Date{}
	}
	if len(j.either) > 0 {
		r.ask(Question{Of: OfCheckIn, Text: "Which of the two days?", Choices: dateChoices(j.either)})
	}
	switch {
	case !j.out.IsZero():
		h.CheckIn = j.out
		if !was.CheckIn.IsZero() && !was.CheckOut.IsZero() && j.back.IsZero() && j.nights == 0 {
			h.CheckOut = h.CheckIn.AddDays(was.CheckIn.Until(was.CheckOut))
			r.assume("Until %s.", showDay(h.CheckOut))
		}
	case j.outOpen != nil:
		h.CheckIn = calendar.Date{}
		r.askDay(OfCheckIn, j.outOpen)
	}
	if !j.back.IsZero() {
		h.CheckOut = j.back
	}
	if j.nights > 0 {
		h.Nights = j.nights
	}
	if h.Nights > 0 && !h.CheckIn.IsZero() {
		h.CheckOut = h.CheckIn.AddDays(h.Nights)
		h.Nights = 0
	}
	if h.CheckOut.IsZero() && !h.CheckIn.IsZero() && h.Nights == 0 &&
		r.has(lazily(`(?:tomorrow|day|today|`+dayWords+`) night|tonight|one night|overnight`)) {
		h.CheckOut = h.CheckIn.AddDays(1)
		r.assume("One night.")
	}
	for _, s := range r.said.shifts {
		if strings.Contains(r.low, "stay") || strings.Contains(r.low, "check out") || strings.Contains(r.low,
			"leave") {
			h.CheckOut = h.CheckOut.AddDays(s.days)
			continue
		}
		if !h.CheckIn.IsZero() {
			h.CheckIn = h.CheckIn.AddDays(s.days)
		}
		if !h.CheckOut.IsZero() {
			h.CheckOut = h.CheckOut.AddDays(s.days)
		}
		r.assume("%s to %s.", showDay(h.CheckIn), showDay(h.CheckOut))
	}
}

func (r *reader) completeHotels() {
	h := r.r.Hotels
	if h.Place == "" {
		r.ask(Question{Of: OfPlace, Text: "In which city or area?"})
	}
	switch {
	case h.CheckIn.IsZero():
		r.ask(Question{Of: OfCheckIn, Text: "From which day?", Choices: r.soon()})
	case h.CheckIn.Before(r.today):
		r.ask(Question{Of: OfCheckIn, Text: fmt.Sprintf("%s is past. From which day?", showDay(h.CheckIn)),
			Choices: r.soon()})
	case h.CheckOut.IsZero():
		r.ask(Question{Of: OfCheckOut, Text: "Until which day?", Choices: dateChoices([]calendar.Date{
			h.CheckIn.AddDays(1), h.CheckIn.AddDays(2), h.CheckIn.AddDays(3), h.CheckIn.AddDays(7)})})
	case !h.CheckIn.Before(h.CheckOut):
		r.ask(Question{Of: OfCheckOut, Text: fmt.Sprintf("The stay would end on %s, before it begins. Until which "+
			"day?", showDay(h.CheckOut))})
	}
	r.completePeople(&h.Adults, h.Children, "Two guests.", 2)
	if h.Rooms == 0 && len(r.r.Missing) == 0 {
		h.Rooms = 1
		if h.Guests() > 3 {
			r.assume("One room for %d guests; say how many rooms if you want more.", h.Guests())
		} else {
			r.assume("One room.")
		}
	}
}
