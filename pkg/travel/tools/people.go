package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// listTravellers are the arguments of list_travellers.
type listTravellers struct {
	On *calendar.Date `json:"on,omitempty" jsonschema:"day on which they travel, for their kinds; today when left out"`
}

func (t *set) listTravellers() tool.Tool {
	return tool.New(tool.Spec{Name: "list_travellers", Effect: tool.Reads, Description: text("list_travellers"),
		Extension: "who can be booked for, by code and kind alone", Category: "people", Component: "TravellerCard",
		Shows: []string{"travellers"}},
		func(ctx context.Context, by identity.Caller, in listTravellers) (travellerList, error) {
			on := calendar.Date{}
			if in.On != nil {
				on = *in.On
			}
			list, err := t.Travellers.Summaries(ctx, by, on)
			return travellerList{list}, err
		})
}

// travellerList is the answer of list_travellers.
type travellerList struct{ list []travellers.Summary }

// MarshalJSON writes what models may know.
func (l travellerList) MarshalJSON() ([]byte, error) {
	type line struct {
		Code     string   `json:"code"`
		Kind     string   `json:"kind"`
		Self     bool     `json:"self,omitempty"`
		Complete bool     `json:"complete"`
		Missing  []string `json:"missing,omitempty"`
	}
	lines := []line{}
	for _, s := range l.list[:min(len(l.list), 30)] {
		lines = append(lines, line{s.Code, s.Kind.String(), s.Self, s.Complete, s.Missing})
	}
	return json.Marshal(map[string]any{"travellers": lines})
}

// Count is how many there are.
func (l travellerList) Count() int { return len(l.list) }

// Summarize names them: "PAX-1 (adult, complete, passport until 2 Aug 2031)".
func (l travellerList) Summarize() string {
	if len(l.list) == 0 {
		return "No traveller is entered yet. They are entered in a form of their own."
	}
	var words []string
	for _, s := range l.list[:min(len(l.list), 30)] {
		state := "complete"
		if !s.Complete {
			state = "without " + strings.Join(s.Missing, ", ")
		}
		if s.PassportExpires != nil {
			state += ", passport until " + s.PassportExpires.Time().Format("2 Jan 2006")
		}
		words = append(words, fmt.Sprintf("%s (%s, %s)", s.Code, s.Kind, state))
	}
	return strings.Join(words, "; ") + "."
}

// Show opens the form of travellers.
func (l travellerList) Show() []part.Data {
	p := part.Travellers{Title: "Travellers", Wanted: []part.WantedTraveller{}}
	for _, s := range l.list[:min(len(l.list), 30)] {
		p.Wanted = append(p.Wanted, part.WantedTraveller{Code: s.Code, Kind: s.Kind.String(), Missing: s.Missing})
	}
	return []part.Data{p}
}

type showPreferences struct{}

func (t *set) showPreferences() tool.Tool {
	return tool.New(tool.Spec{Name: "show_preferences", Effect: tool.Reads, Description: text("show_preferences"),
		Extension: "what is remembered is open to the person", Category: "preferences", Component: "PreferencesCard",
		Untrusted: noteTexts()},
		func(ctx context.Context, by identity.Caller, _ showPreferences) (preferred, error) {
			p, _, err := t.Preferences.Get(ctx, by)
			if err != nil {
				return preferred{}, err
			}
			decisions, err := t.Preferences.Decisions(ctx, by, "", decisionsShown)
			return preferred{P: told(p), Decisions: lines(decisions)}, err
		})
}

const decisionsShown = 15

// toldPreferences are preferences as models see them.
type toldPreferences struct {
	Airlines      []string           `json:"preferredAirlines,omitempty"`
	Cabin         string             `json:"preferredCabinClass,omitempty"`
	HotelChains   []string           `json:"preferredHotelChains,omitempty"`
	Dietary       []string           `json:"dietaryRestrictions,omitempty"`
	Accessibility []string           `json:"accessibilityNeeds,omitempty"`
	Budget        preferences.Budget `json:"budgetPreferences"`
	Interests     []string           `json:"travelInterests,omitempty"`
	Home          string             `json:"homeAirport,omitempty"`
	Learn         bool               `json:"learn"`
	KeepSearches  bool               `json:"keepSearches"`
}

func told(p preferences.Preferences) toldPreferences {
	short := func(list []string) []string {
		var out []string
		for _, s := range list[:min(len(list), 10)] {
			out = append(out, cut(s, 60))
		}
		return out
	}
	return toldPreferences{short(p.Airlines), cut(p.Cabin, 40), short(p.HotelChains), short(p.Dietary),
		short(p.Accessibility), preferences.Budget{Flights: cut(p.Budget.Flights, 40),
			Accommodations: cut(p.Budget.Accommodations, 40), Activities: cut(p.Budget.Activities, 40)},
		short(p.Interests), cut(p.Home, 40), p.Learn, p.KeepSearches}
}

// preferred is the answer of tools about preferences.
type preferred struct {
	P         toldPreferences `json:"preferences"`
	Decisions []decisionLine  `json:"decisions,omitempty"`
	changed   bool
}

// decisionLine is a decision as models see it.
type decisionLine struct {
	Code  string `json:"code"`
	Text  string `json:"text"`
	About string `json:"about"`
	On    string `json:"on,omitempty"`
}

func lines(list []preferences.Decision) []decisionLine {
	var out []decisionLine
	for _, d := range list {
		out = append(out, decisionLine{d.Code, cut(d.Text, 120), d.About, d.On.String()})
	}
	return out
}

// Count is one: the person's preferences.
func (p preferred) Count() int { return 1 }

// Summarize lists them.
func (p preferred) Summarize() string {
	var words []string
	add := func(label string, values ...string) {
		values = slices.DeleteFunc(values, func(v string) bool { return v == "" })
		if len(values) > 0 {
			words = append(words, label+": "+strings.Join(values, ", ")+".")
		}
	}
	add("Home airport", p.P.Home)
	add("Airlines", p.P.Airlines...)
	add("Cabin", strings.ReplaceAll(p.P.Cabin, "_", " "))
	add("Hotel chains", p.P.HotelChains...)
	add("Food", p.P.Dietary...)
	add("Accessibility", p.P.Accessibility...)
	add("Budget for flights", p.P.Budget.Flights)
	add("Budget for hotels", p.P.Budget.Accommodations)
	add("Budget for activities", p.P.Budget.Activities)
	add("Interests", p.P.Interests...)
	for _, d := range p.Decisions {
		words = append(words, fmt.Sprintf("Decided (%s): %s.", d.Code, strings.TrimSuffix(d.Text, ".")))
	}
	switch {
	case len(words) == 0:
		return "Nothing is remembered of your preferences."
	case p.changed:
		return "Your preferences are now: " + strings.Join(words, " ")
	}
	return strings.Join(words, " ")
}

// updatePreferences are the arguments of update_preferences; what is left out stays.
type updatePreferences struct {
	Airlines      *[]string      `json:"preferredAirlines,omitempty" jsonschema:"all airlines that the person prefers; an empty list for none"`
	Cabin         *flights.Cabin `json:"preferredCabinClass,omitempty" jsonschema:"usual cabin"`
	HotelChains   *[]string      `json:"preferredHotelChains,omitempty" jsonschema:"all hotel chains that the person prefers"`
	Dietary       *[]string      `json:"dietaryRestrictions,omitempty" jsonschema:"what the person does not eat, such as vegetarian"`
	Accessibility *[]string      `json:"accessibilityNeeds,omitempty" jsonschema:"needs such as wheelchair"`
	Budget        *budget        `json:"budgetPreferences,omitempty" jsonschema:"a word for each purpose, such as economy, premium or luxury"`
	Interests     *[]string      `json:"travelInterests,omitempty" jsonschema:"interests such as beach, history or food"`
	Home          string         `json:"homeAirport,omitempty" jsonschema:"city or airport of home: its name or IATA code"`
}

// budget has a word for each purpose.
type budget struct {
	Flights        string `json:"flights,omitempty" jsonschema:"for flights"`
	Accommodations string `json:"accommodations,omitempty" jsonschema:"for hotels"`
	Activities     string `json:"activities,omitempty" jsonschema:"for activities"`
}

// Check requires something to change.
func (in *updatePreferences) Check() error {
	if *in == (updatePreferences{}) {
		return fault.New(fault.Invalid, "Write what is to be remembered.").WithCode("nothing_to_change")
	}
	return nil
}

// agreed asks the person before something is remembered to which they did not agree.
func (t *set) agreed(ctx context.Context, by identity.Caller, name string, in any) error {
	p, _, err := t.Preferences.Get(ctx, by)
	if err != nil || preferences.Agreed(ctx, p) {
		return err
	}
	return tool.Want(part.Choices{Title: "Shall I remember that?", Choices: []part.Choice{
		part.Call("Remember it", name, in)}}, preferences.NotAgreed,
		"Nothing is remembered yet. Shall I remember it from now on?")
}

func (t *set) updatePreferences() tool.Tool {
	spec := own("update_preferences", "what the person likes, remembered because they said so", "preferences",
		"PreferencesCard")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in updatePreferences) (preferred, error) {
		if err := t.agreed(ctx, by, spec.Name, in); err != nil {
			return preferred{}, err
		}
		c := preferences.Changes{Airlines: in.Airlines, HotelChains: in.HotelChains, Dietary: in.Dietary,
			Accessibility: in.Accessibility, Interests: in.Interests}
		if in.Cabin != nil {
			cabin := string(*in.Cabin)
			c.Cabin = &cabin
		}
		if in.Home != "" {
			home, err := asking{spec.Name, in}.place("homeAirport", in.Home)
			if err != nil {
				return preferred{}, err
			}
			if home.Code == "" {
				return preferred{}, noAirport(home)
			}
			c.Home = &home.Code
		}
		if in.Budget != nil {
			was, _, err := t.Preferences.Get(ctx, by)
			if err != nil {
				return preferred{}, err
			}
			now := was.Budget
			for _, w := range []struct {
				to  *string
				new string
			}{{&now.Flights, in.Budget.Flights}, {&now.Accommodations, in.Budget.Accommodations},
				{&now.Activities, in.Budget.Activities}} {
				if w.new != "" {
					*w.to = w.new
				}
			}
			c.Budget = &now
		}
		p, err := t.Preferences.Update(ctx, by, 0, c)
		return preferred{P: told(p), changed: true}, err
	})
}

// subject is what a decision is about.
type subject string

// Values returns the subjects.
func (subject) Values() []string {
	return []string{"flights", "hotels", "activities", "food", "budget", "other"}
}

// rememberDecision are the arguments of remember_decision.
type rememberDecision struct {
	Text  string  `json:"text" jsonschema:"the decision in a short sentence, in the person's words: no red-eye flights"`
	About subject `json:"about" jsonschema:"what it is about"`
}

// Check tidies the text.
func (in *rememberDecision) Check() error {
	if in.Text = strings.Join(strings.Fields(in.Text), " "); in.Text == "" || len([]rune(in.Text)) > 200 {
		return fault.New(fault.Invalid, "A decision is a sentence of at most 200 letters.").
			WithCode("decision_too_long")
	}
	return nil
}

func (t *set) rememberDecision() tool.Tool {
	spec := own("remember_decision", "decisions are remembered across conversations", "preferences", "PreferencesCard")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in rememberDecision) (decided, error) {
		if err := t.agreed(ctx, by, spec.Name, in); err != nil {
			return decided{}, err
		}
		d, err := t.Preferences.Decide(ctx, by, preferences.Decision{Text: in.Text, About: string(in.About),
			On: calendar.Of(t.Now())})
		return decided{decisionLine{d.Code, d.Text, d.About, d.On.String()}, "Remembered"}, err
	})
}

// decided is the answer of tools about one decision.
type decided struct {
	decisionLine
	done string
}

// Summarize says what was done.
func (d decided) Summarize() string {
	if d.Text == "" {
		return d.done + ": " + d.Code + "."
	}
	return fmt.Sprintf("%s as %s: %s.", d.done, d.Code, strings.TrimSuffix(d.Text, "."))
}

// forgetDecision are the arguments of forget_decision.
type forgetDecision struct {
	Decision string `json:"decision" jsonschema:"code of the decision, such as D-3"`
}

// Check tidies the code.
func (in *forgetDecision) Check() error { in.Decision = codeOf(in.Decision); return nil }

func (t *set) forgetDecision() tool.Tool {
	spec := own("forget_decision", "what is remembered can be forgotten", "preferences", "PreferencesCard")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in forgetDecision) (decided, error) {
		err := t.Preferences.Undecide(ctx, by, in.Decision)
		return decided{decisionLine{Code: in.Decision}, "Forgotten"}, err
	})
}

// searchPastTrips are the arguments of search_past_trips.
type searchPastTrips struct {
	Text string        `json:"text,omitempty" jsonschema:"words to look for: a place, a hotel, an airline, something that was said of it"`
	Type bookings.Type `json:"type,omitempty" jsonschema:"only this type"`
}

func (t *set) searchPastTrips() tool.Tool {
	return tool.New(tool.Spec{Name: "search_past_trips", Effect: tool.Reads, Description: text("search_past_trips"),
		Extension: "retrieval over past bookings with what was thought of them", Category: "bookings",
		Component: "BookingCard", Untrusted: untrusted(airlineTexts(), noteTexts())},
		func(ctx context.Context, by identity.Caller, in searchPastTrips) (bookingList, error) {
			list, err := t.Bookings.List(ctx, by, bookings.Filter{Text: strings.TrimSpace(in.Text), Past: true,
				Type: in.Type})
			return bookingList{"Past trips", list}, err
		})
}

// addPastBooking are the arguments of add_past_booking.
type addPastBooking struct {
	Type     bookings.Type  `json:"type" jsonschema:"what it was"`
	Title    string         `json:"title" jsonschema:"what it was in a line, such as Hotel Aurora or London to Rome"`
	Place    string         `json:"place,omitempty" jsonschema:"city"`
	Date     calendar.Date  `json:"date" jsonschema:"first day"`
	EndDate  *calendar.Date `json:"endDate,omitempty" jsonschema:"last day; the first when left out"`
	Price    *money.Amount  `json:"price,omitempty" jsonschema:"what it cost in all"`
	Currency string         `json:"currency,omitempty" jsonschema:"currency of the price, such as EUR"`
	Rating   int            `json:"rating,omitempty" jsonschema:"1 to 5, where the person said so" limits:"max=5"`
	Feedback string         `json:"feedback,omitempty" jsonschema:"what the person thought of it" limits:"note"`
}

// Check refuses an end before the beginning and a price without a currency.
func (in *addPastBooking) Check() error {
	in.Currency = codeOf(in.Currency)
	switch {
	case in.EndDate != nil && in.EndDate.Before(in.Date):
		return fault.New(fault.Invalid, "The last day is before the first.").WithCode("return_before_departure")
	case in.Price != nil && in.Currency == "":
		return fault.New(fault.Invalid, "In which currency is the price?").WithCode("currency_unknown")
	}
	return nil
}

func (t *set) addPastBooking() tool.Tool {
	spec := own("add_past_booking", "past bookings that were not made here", "bookings", "BookingCard", "booking")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in addPastBooking) (reserved, error) {
		b := bookings.Booking{Type: in.Type, State: flights.Confirmed, Title: cut(in.Title, 120),
			Place:  cut(in.Place, 120),
			Starts: calendar.DateTime{Date: in.Date}, Ends: calendar.DateTime{Date: in.Date}, StartZone: homeZone(by),
			EndZone: homeZone(by), Paid: true, Rating: in.Rating, Feedback: strings.TrimSpace(in.Feedback)}
		if in.EndDate != nil {
			b.Ends.Date = *in.EndDate
		}
		if in.Price != nil {
			b.Total = &money.Price{Amount: *in.Price, Currency: in.Currency}
		}
		if found := places.Lookup(in.Place); len(found) > 0 {
			b.StartZone, b.EndZone = found[0].Zone, found[0].Zone
		}
		b, err := t.Bookings.Add(ctx, by, b)
		return reserved{b: b}, err
	})
}

// rateBooking are the arguments of rate_booking.
type rateBooking struct {
	Booking  string `json:"booking" jsonschema:"code of the booking, such as TB-0001"`
	Rating   int    `json:"rating" jsonschema:"1 to 5" limits:"max=5"`
	Feedback string `json:"feedback,omitempty" jsonschema:"what the person thought of it" limits:"note"`
}

// Check refuses other ratings.
func (in *rateBooking) Check() error {
	in.Booking = codeOf(in.Booking)
	if in.Rating < 1 || in.Rating > 5 {
		return fault.New(fault.Invalid, "A rating is from 1 to 5.").WithCode("rating_out_of_range")
	}
	return nil
}

func (t *set) rateBooking() tool.Tool {
	spec := own("rate_booking", "rating and feedback of past trips", "bookings", "BookingCard", "booking")
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in rateBooking) (rated, error) {
		b, err := t.Bookings.Rate(ctx, by, in.Booking, in.Rating, strings.TrimSpace(in.Feedback))
		return rated{reserved{b: b}}, err
	})
}

// rated is the answer of rate_booking.
type rated struct{ reserved }

// Summarize says the rating.
func (r rated) Summarize() string {
	return fmt.Sprintf("%s (%s) is rated %d of 5.", cut(r.b.Title, 120), r.b.Code, r.b.Rating)
}
