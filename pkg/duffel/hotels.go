package duffel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/travel/stays"
)

type wireGuest struct {
	Type string `json:"type"`
	Age  *int   `json:"age,omitempty"`
}

type wireCoordinates struct {
	Lat float64 `json:"latitude"`
	Lon float64 `json:"longitude"`
}

type wireHotel struct {
	Name     string        `json:"name"`
	Stars    *int          `json:"rating"`
	Score    json.Number   `json:"review_score"`
	Reviews  *int          `json:"review_count"`
	Phone    string        `json:"phone_number"`
	Amenity  []wireAmenity `json:"amenities"`
	Location struct {
		Address struct {
			Line    string `json:"line_one"`
			City    string `json:"city_name"`
			Postal  string `json:"postal_code"`
			Country string `json:"country_code"`
		} `json:"address"`
		Coordinates wireCoordinates `json:"geographic_coordinates"`
	} `json:"location"`
	Times struct {
		In  string `json:"check_in_after_time"`
		Out string `json:"check_out_before_time"`
	} `json:"check_in_information"`
	Rooms []wireRoom `json:"rooms"`
	Key   *wireKey   `json:"key_collection"`
}

type wireAmenity struct {
	Type string `json:"type"`
}

type wireKey struct {
	Instructions string `json:"instructions"`
}

type wireRoom struct {
	Name  string     `json:"name"`
	Beds  []wireBed  `json:"beds"`
	Rates []wireRate `json:"rates"`
}

type wireBed struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

type wireRate struct {
	ID              string       `json:"id"`
	TotalAmount     string       `json:"total_amount"`
	TotalCurrency   string       `json:"total_currency"`
	DueAmount       string       `json:"due_at_accommodation_amount"`
	DueCurrency     string       `json:"due_at_accommodation_currency"`
	Board           string       `json:"board_type"`
	Timeline        []wireRefund `json:"cancellation_timeline"`
	Conditions      []wireTerm   `json:"conditions"`
	PaymentType     string       `json:"payment_type"`
	Methods         []string     `json:"available_payment_methods"`
	LoyaltyRequired bool         `json:"loyalty_programme_required"`
	ExpiresAt       time.Time    `json:"expires_at"`
}

type wireRefund struct {
	Amount   string    `json:"refund_amount"`
	Currency string    `json:"currency"`
	Before   time.Time `json:"before"`
}

type wireTerm struct {
	Title       string `json:"title"`
	Description string `json:"description"`
}

type wireResult struct {
	ID       string    `json:"id"`
	Hotel    wireHotel `json:"accommodation"`
	Amount   string    `json:"cheapest_rate_total_amount"`
	Currency string    `json:"cheapest_rate_currency"`
	Expires  time.Time `json:"expires_at"`
}

type wireQuote struct {
	ID            string    `json:"id"`
	Hotel         wireHotel `json:"accommodation"`
	TotalAmount   string    `json:"total_amount"`
	TotalCurrency string    `json:"total_currency"`
	DueAmount     string    `json:"due_at_accommodation_amount"`
	DueCurrency   string    `json:"due_at_accommodation_currency"`
	ExpiresAt     time.Time `json:"expires_at"`
}

type wireBooking struct {
	ID          string            `json:"id"`
	Reference   string            `json:"reference"`
	Status      string            `json:"status"`
	Hotel       wireHotel         `json:"accommodation"`
	CheckIn     string            `json:"check_in_date"`
	CheckOut    string            `json:"check_out_date"`
	CancelledAt *time.Time        `json:"cancelled_at"`
	Metadata    map[string]string `json:"metadata"`
	Key         *wireKey          `json:"key_collection"`
}

// hotel converts a hotel without its price.
func hotel(w *wireHotel) stays.Hotel {
	h := stays.Hotel{Name: line(w.Name, maxName), Phone: line(w.Phone, 30), Country: code(w.Location.Address.Country),
		Lat: w.Location.Coordinates.Lat, Lon: w.Location.Coordinates.Lon, CheckIn: clock(w.Times.In),
		CheckOut: clock(w.Times.Out)}
	var parts []string
	for _, part := range []string{w.Location.Address.Line, w.Location.Address.Postal, w.Location.Address.City} {
		if part = line(part, maxName); part != "" {
			parts = append(parts, part)
		}
	}
	h.Address = strings.Join(parts, ", ")
	if w.Stars != nil && *w.Stars > 0 && *w.Stars <= 5 {
		h.Stars = *w.Stars
	}
	if w.Reviews != nil {
		h.Reviews = max(0, *w.Reviews)
	}
	if score := w.Score.String(); len(score) <= 5 {
		h.Review = score
	}
	for _, a := range w.Amenity {
		if known, ok := amenity(a.Type); ok && !slices.Contains(h.Amenities, known) {
			h.Amenities = append(h.Amenities, known)
		}
	}
	return h
}

// amenity returns which of the source's amenities one of Duffel's is. Duffel does not tell
// whether a hotel's network is free; hotels that charge for it are rare.
func amenity(s string) (stays.Amenity, bool) {
	switch s {
	case "pool":
		return stays.Pool, true
	case "spa":
		return stays.Spa, true
	case "gym":
		return stays.Gym, true
	case "restaurant":
		return stays.Restaurant, true
	case "wifi":
		return stays.WiFi, true
	case "parking":
		return stays.Parking, true
	}
	return "", false
}

// clock returns "15:00" of "15:00:00" or "15:00", "" for anything else.
func clock(s string) string {
	if len(s) < 5 {
		return ""
	}
	if _, err := time.Parse("15:04", s[:5]); err != nil {
		return ""
	}
	return s[:5]
}

func payable(w *wireRate) bool {
	return !w.LoyaltyRequired && (len(w.Methods) == 0 || slices.Contains(w.Methods, "balance"))
}

func rate(room *wireRoom, w *wireRate) (stays.Rate, error) {
	r := stays.Rate{ID: w.ID, Room: line(room.Name, maxName), Beds: beds(room.Beds), Board: word(w.Board),
		PayNow: w.PaymentType == "pay_now", Expires: w.ExpiresAt.UTC()}
	if !isID(w.ID) {
		return r, fmt.Errorf("a rate without an id")
	}
	var err error
	if r.Total, err = price(w.TotalAmount, w.TotalCurrency); err != nil {
		return r, err
	}
	if w.DueAmount != "" && w.DueCurrency != "" {
		due, err := price(w.DueAmount, w.DueCurrency)
		if err != nil {
			return r, err
		}
		if !due.Amount.IsZero() {
			r.AtHotel = &due
		}
	}
	for _, t := range w.Timeline {
		amount, err := price(t.Amount, t.Currency)
		if err != nil {
			return r, err
		}
		r.Refunds = append(r.Refunds, stays.Refund{Until: t.Before.UTC(), Amount: amount})
	}
	slices.SortStableFunc(r.Refunds, func(a, b stays.Refund) int { return a.Until.Compare(b.Until) })
	for _, t := range w.Conditions {
		if len(r.Terms) == maxTerms {
			break
		}
		if text := line(strings.Trim(t.Title+": "+t.Description, ": "), maxTerm); text != "" {
			r.Terms = append(r.Terms, text)
		}
	}
	return r, nil
}

// beds returns "1 king bed, 2 single beds".
func beds(list []wireBed) string {
	var parts []string
	for _, b := range list {
		noun := " bed"
		if b.Type == "sofabed" {
			noun, b.Type = " bed", "sofa"
		}
		if b.Count > 1 {
			noun += "s"
		}
		if b.Count > 0 {
			parts = append(parts, strconv.Itoa(b.Count)+" "+word(b.Type)+noun)
		}
	}
	return strings.Join(parts, ", ")
}

// onlyRate returns the rate of an id, or the only one that there is.
func onlyRate(w *wireHotel, id string) (*wireRoom, *wireRate) {
	var room *wireRoom
	var only *wireRate
	n := 0
	for i := range w.Rooms {
		for j := range w.Rooms[i].Rates {
			if w.Rooms[i].Rates[j].ID == id {
				return &w.Rooms[i], &w.Rooms[i].Rates[j]
			}
			room, only = &w.Rooms[i], &w.Rooms[i].Rates[j]
			n++
		}
	}
	if n != 1 {
		return nil, nil
	}
	return room, only
}

// refund returns what a rate gives back at a moment, nil for nothing or where no rate is
// told.
func refund(r stays.Rate, at time.Time) *money.Price {
	for _, step := range r.Refunds {
		if at.Before(step.Until) {
			return &step.Amount
		}
	}
	return nil
}
