package reading

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Answer says for people what came of a reading: what was found, what was assumed, and
// what is asked. The parts that tools made are not among its parts, which are choices to
// go on with.
func Answer(r Reading, results []Result) (string, []part.Data) {
	var said []string
	var choices []part.Choice
	for _, res := range results {
		said = append(said, told(res))
	}
	if len(r.Missing) > 0 {
		q := r.Missing[0]
		if len(results) > 0 && (results[0].Err != nil || q.Of == OfBooking && listsNothing(results[0])) {
			if results[0].Err == nil {
				said = []string{"There is nothing booked or held for that."}
			}
			return paragraphs(said), nil
		}
		if r.Acts() {
			said = append(said, q.Text)
		} else {
			said = append(append(slices.Clone(r.Assumed), said...), q.Text)
		}
		for _, c := range q.Choices {
			choices = append(choices, part.Choice{Label: cutText(c.Label, 80), Words: c.Label})
		}
		return paragraphs(said), part.Next(choices[:min(len(choices), 8)]...)
	}
	switch r.Intent {
	case Unknown:
		return "I did not understand that. " + helpText, part.Next(examples()...)
	case Help:
		return helpText, part.Next(examples()...)
	case Greeting:
		return "Hello. Where would you like to go? " + helpText, part.Next(examples()...)
	case Thanks:
		return "You're welcome.", nil
	case HowToPay:
		return howToPayText, part.Next(part.Choice{Label: "Show my bookings", Words: "show my bookings"})
	case Send:
		return cannotSend, part.Next(part.Choice{Label: "Show my trips", Words: "show my trips"})
	case Decline:
		return "All right, nothing was done.", nil
	case Forget:
		if r.Decision == "" {
			return paragraphs(append(said, "Name the decision to forget, such as “forget D-3”. Everything at once "+
				"is forgotten in the account menu, under preferences.")), nil
		}
	case SearchFlights, Filter, SearchBoth:
		if len(results) > 0 && results[0].Err == nil {
			choices = flightChoices(r, results)
		}
	case Details, Conditions:
		if len(results) > 0 && results[0].Err == nil {
			said = []string{offerText(r, results[0])}
			choices = offerChoices(r.Offer, results[0].Data)
		}
	}
	if r.Reference != "" && len(results) == 1 && results[0].Err == nil {
		return fmt.Sprintf("There is no one booking with the reference “%s”. Name it by its code, such as "+
			"TB-0001.", r.Reference), nil
	}
	if len(results) == 0 && len(steps(r)) > 0 && len(Calls(r, nil)) == 0 {
		return "I need to know more for that: name the " + lacking(r.Intent) + ".", nil
	}
	if len(r.Assumed) > 0 {
		said = append(said, strings.Join(r.Assumed, " "))
	}
	if len(r.Ignored) > 0 && r.Intent != Unknown {
		said = append(said, "Not taken into account: "+strings.Join(quoted(r.Ignored), ", ")+".")
	}
	return paragraphs(said), part.Next(choices...)
}

const helpText = "I search for flights and hotels, hold and book them when you say so, and keep your trips. " +
	"Try “two of us from London to Lisbon on Friday evening, back Sunday”."

const howToPayText = "Bookings are paid from your organisation's balance at the travel supplier, so no card is " +
	"asked for here. Say “book” and the code of an offer to pay it at once, or “hold”, where the airline allows it, " +
	"and “pay” with the code of the booking later. Its price of now is shown before anything is paid; managers and " +
	"administrators may do that."

const cannotSend = "Nothing was sent: I cannot send mail or messages. A trip has a calendar file that you can " +
	"download and pass on."

func examples() []part.Choice {
	return []part.Choice{{Label: "Show my trips", Words: "show my trips"}, {Label: "Show my bookings",
		Words: "show my bookings"},
		{Label: "What do you know about me?", Words: "what do you know about me"}}
}

func paragraphs(list []string) string {
	list = slices.DeleteFunc(list, func(s string) bool { return s == "" })
	return strings.Join(list, "\n\n")
}

func quoted(list []string) []string {
	var out []string
	for _, w := range list {
		out = append(out, "“"+w+"”")
	}
	return out
}

// told returns what a call said, or why it failed.
func told(r Result) string {
	if r.Err != nil {
		return fault.From(r.Err).Message
	}
	return r.Text
}

// found is what the searches' answers say, as far as it is used here.
type found struct {
	Search string `json:"search"`
	Picks  []struct {
		Label string `json:"label"`
		Offer string `json:"offer"`
	} `json:"picks"`
	Offers []struct {
		Code    string   `json:"code"`
		Price   string   `json:"price"`
		Airline string   `json:"airline"`
		Legs    []string `json:"legs"`
		Bags    string   `json:"bags"`
	} `json:"offers"`
	Hotels []struct {
		Code  string `json:"code"`
		Name  string `json:"name"`
		Price string `json:"price"`
	} `json:"hotels"`
	Metadata struct {
		Matching int    `json:"matching"`
		Currency string `json:"currency"`
	} `json:"metadata"`
}

// flightChoices are what people usually ask for after a search.
func flightChoices(r Reading, results []Result) []part.Choice {
	var f found
	if json.Unmarshal(results[0].Data, &f) != nil || len(f.Offers) == 0 {
		return nil
	}
	var out []part.Choice
	if r.Flights != nil && r.Flights.Connections == nil {
		out = append(out, part.Choice{Label: "Non-stop only", Words: "non-stop only"})
	}
	if r.Flights != nil && r.Flights.Bags == 0 {
		out = append(out, part.Choice{Label: "With a checked bag", Words: "with a checked bag"})
	}
	if len(f.Picks) > 0 {
		best := f.Picks[len(f.Picks)-1].Offer
		out = append(out, part.Choice{Label: "What if I cancel?", Words: "what if I cancel " + best})
	}
	return out
}

// lacking names what an intent is about.
func lacking(in Intent) string {
	switch in {
	case AddHotel, HotelRates, BookHotel:
		return "hotel by its code, after a search"
	case MoveItem, RemoveItem:
		return "trip and the item by their codes, such as TR-0001 and I3"
	case ShowBooking, Pay, Cancel, RateBooking:
		return "booking by its code, such as TB-0001"
	case RenameTrip:
		return "trip by its code, such as TR-0001"
	}
	return "flight by its code, after a search"
}

// offerChoices are what an offer allows.
func offerChoices(code string, data json.RawMessage) []part.Choice {
	var choices []part.Choice
	var d struct {
		Hold bool `json:"hold"`
	}
	if json.Unmarshal(data, &d) == nil && d.Hold {
		choices = append(choices, part.Choice{Label: "Hold it", Words: "hold " + code})
	}
	return append(choices, part.Choice{Label: "Book it", Words: "book " + code},
		part.Choice{Label: "Put it into my trip", Words: "add " + code + " to my trip"})
}

// listsNothing reports whether a list of bookings is empty.
func listsNothing(r Result) bool {
	var d struct {
		Bookings []json.RawMessage `json:"bookings"`
	}
	return r.Err == nil && json.Unmarshal(r.Data, &d) == nil && d.Bookings != nil && len(d.Bookings) == 0
}

// offerText says what an offer is, or what leaving it would cost.
func offerText(r Reading, res Result) string {
	var d struct {
		Code    string   `json:"code"`
		Price   string   `json:"price"`
		Refund  string   `json:"refund"`
		Changes string   `json:"changes"`
		Was     string   `json:"priceWhenFound"`
		Bags    string   `json:"bags"`
		Lines   []string `json:"lines"`
	}
	if json.Unmarshal(res.Data, &d) != nil || d.Code == "" {
		return res.Text
	}
	head := fmt.Sprintf("%s costs %s for all travellers now.", d.Code, d.Price)
	if d.Was != "" {
		head += fmt.Sprintf(" It was %s when it was found.", d.Was)
	}
	if r.Intent == Conditions {
		return head + "\n\n- If you cancel before departure: " + d.Refund + "\n- If you change it before " +
			"departure: " + d.Changes
	}
	for _, l := range d.Lines {
		head += "\n- " + l
	}
	return head
}
