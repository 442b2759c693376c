package specialists

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/currency"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/structured"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/flights"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// Bounds of the model's answer.
const (
	maxTokens    = 1800 // within Within at 100 tokens a second
	temperature  = 0.7  // S4-26
	mostOfModel  = 12   // recommendations that are kept
	mostNames    = 40   // of what is listed, for the model
	mostLines    = 4    // of its assumptions, risks and questions each
	mostDigits   = 9    // of the whole units of a cost
	mostMinutes  = 7 * 24 * 60
	mostWeekdays = 6 // on which a place may be closed
)

//go:embed prompts/*.md schemas/*.json
var files embed.FS

// form is what a specialist's model is asked for.
type form struct {
	prompt string
	form   *structured.Form
}

// forms are those of the specialists, made at their first use.
var forms = sync.OnceValue(func() map[trip.Specialist]*form {
	all := map[trip.Specialist]*form{}
	for _, s := range trip.Specialists() {
		schema, err := files.ReadFile("schemas/" + string(s) + ".json")
		if err != nil {
			panic(err) // a part of the program, which a test reads
		}
		prompt, err := files.ReadFile("prompts/" + string(s) + ".md")
		if err != nil {
			panic(err)
		}
		f, err := structured.NewForm(string(s)+"_research", schema)
		if err != nil {
			panic(err)
		}
		all[s] = &form{strings.TrimSpace(string(prompt)), f}
	}
	return all
})

func formOf(s trip.Specialist) *form { return forms()[s] }

// modelOutput is what a model answers. Members that its specialist does not have are
// empty.
type modelOutput struct {
	Recommendations []modelRecommendation `json:"recommendations"`
	Questions       []string              `json:"questionsForUser"`
	Assumptions     []string              `json:"assumptions"`
	Risks           []string              `json:"risks"`
}

type modelRecommendation struct {
	City     string      `json:"city"`
	Tier     trip.Budget `json:"tier"`
	CostFrom string      `json:"costFrom"`
	CostTo   string      `json:"costTo"`
	Currency string      `json:"currency"`
	Per      Per         `json:"per"`
	Pros     []string    `json:"pros"`
	Cons     []string    `json:"cons"`
	BestFor  string      `json:"bestFor"`
	Tips     string      `json:"tips"`

	Option         string `json:"option"`
	Mode           string `json:"mode"`
	Provider       string `json:"provider"`
	Route          string `json:"route"`
	Back           bool   `json:"back"`
	Distance       string `json:"distance"`
	Minutes        int    `json:"minutes"`
	Schedule       string `json:"schedule"`
	BookingTips    string `json:"bookingTips"`
	LocalTransport string `json:"localTransport"`

	Name             string   `json:"name"`
	Type             string   `json:"type"`
	Location         string   `json:"location"`
	Address          string   `json:"address"`
	Neighborhood     string   `json:"neighborhood"`
	Walkability      string   `json:"walkability"`
	RoomType         string   `json:"roomType"`
	Amenities        []string `json:"amenities"`
	BookingPlatforms []string `json:"bookingPlatforms"`

	MealType          string   `json:"mealType"`
	Cuisine           string   `json:"cuisine"`
	MustTryDishes     []string `json:"mustTryDishes"`
	DietaryOptions    []string `json:"dietaryOptions"`
	ReservationNeeded bool     `json:"reservationNeeded"`
	Hours             string   `json:"hours"`
	ClosedOn          []string `json:"closedOn"`
	WaitTime          string   `json:"waitTime"`
	ReservationTips   string   `json:"reservationTips"`
	HistoricalNote    string   `json:"historicalNote"`
}

// ask asks a model. All that it reads of the trip is the task, its currency and the names
// that are listed for it.
func (b brief) ask(ctx context.Context, ask structured.Ask, f *form, listed []Recommendation) (brought, error) {
	names := make([]string, 0, len(listed))
	for _, r := range listed {
		names = append(names, r.Name)
	}
	names = once(names)
	task, err := json.Marshal(struct {
		Task
		Currency string   `json:"currency,omitempty"`
		Listed   []string `json:"listed,omitempty"`
	}{b.task, Currency(b.trip, nil), names[:min(len(names), mostNames)]})
	if err != nil {
		return brought{}, err
	}
	var out brought
	err = structured.Answer(ctx, ask, structured.Question{Form: f.form, System: f.prompt,
		Messages:  []llm.Message{{Role: llm.User, Text: string(task)}},
		MaxTokens: maxTokens, Temperature: temperature,
		Read: func(object []byte) (wrong string) {
			var answer modelOutput
			if err := structured.Decode(object, &answer); err != nil {
				return "That does not have the form."
			}
			out, wrong = b.read(answer)
			return wrong
		}})
	return out, err
}

// read takes a model's answer, or says what is wrong with it.
func (b brief) read(answer modelOutput) (out brought, wrong string) {
	for i, m := range answer.Recommendations {
		if i == mostOfModel {
			break
		}
		r, wrong := b.recommendation(m)
		if wrong != "" {
			return brought{}, fmt.Sprintf("Recommendation %d: %s", i+1, wrong)
		}
		if b.suits(&r) {
			out.list = append(out.list, r)
		}
	}
	for _, part := range []struct {
		from []string
		to   *[]string
	}{{answer.Questions, &out.questions}, {answer.Assumptions, &out.assumptions}, {answer.Risks, &out.risks}} {
		for _, s := range part.from[:min(len(part.from), mostLines)] {
			*part.to = append(*part.to, unpriced(s, maxSentence))
		}
	}
	if len(out.list) > 0 {
		out.assumptions = append(out.assumptions, "Suggestions of the model and their prices are not verified.")
	}
	return out, ""
}

// suits reports whether what a model recommends fits the constraints and dietary needs as
// far as code can tell, and says in it what is not known.
func (b brief) suits(r *Recommendation) bool {
	switch b.task.Specialist {
	case trip.Transport:
		return Allows(b.trip, r.Mode)
	case trip.Stay:
		return !b.refuses(strings.Join(append([]string{r.Type, r.RoomType}, r.Cons...), "; "))
	case trip.Food:
		var served []string
		for _, d := range r.DietaryOptions {
			known, _ := needs(trip.Context{Preferences: trip.Preferences{Dietary: []string{d}}})
			served = append(served, known...)
		}
		known, others := needs(b.trip)
		if ask := unknown(served, known, others); ask != "" {
			r.Cons = append(r.Cons, ask)
		}
		return !unfit(r.Cuisine, served, known, others)
	}
	return true
}

// recommendation checks and cleans one.
func (b brief) recommendation(m modelRecommendation) (r Recommendation, wrong string) {
	r = Recommendation{Source: Model, Tier: m.Tier, Name: clean(m.Name, maxName), Pros: unpricedAll(m.Pros),
		Cons: unpricedAll(m.Cons), BestFor: unpriced(m.BestFor, maxSentence),
		BookingTips: unpriced(m.BookingTips, maxSentence),
		Tips:        unpriced(m.Tips, maxSentence), Location: unpriced(m.Location, maxPoint)}
	if r.City = b.city(m.City); r.City == "" {
		return r, "city has to be one of " + strings.Join(b.known(), ", ") + "."
	}
	switch b.task.Specialist {
	case trip.Transport:
		r.Option, r.Mode, r.Provider = clean(m.Option, maxName), m.Mode, clean(m.Provider, maxPoint)
		r.Name, r.Distance = r.Option, unpriced(m.Distance, maxPoint)
		schedule := unpriced(m.Route, maxPoint) + "; " + unpriced(m.Schedule, maxPoint)
		r.Schedule = cut(strings.Trim(schedule, "; "), maxSentence)
		if wrong := b.lead(&r, m); wrong != "" {
			return r, wrong
		}
		r.LocalTransport = unpriced(m.LocalTransport, maxSentence)
		if m.Minutes > 0 && m.Minutes <= mostMinutes && m.Mode != localMode {
			r.Minutes, r.Duration = m.Minutes, flights.Duration(m.Minutes)
		}
	case trip.Stay:
		r.Type, r.Address = unpriced(m.Type, maxName), clean(m.Address, maxPoint)
		r.Neighborhood, r.Walkability = unpriced(m.Neighborhood, maxPoint), unpriced(m.Walkability, maxSentence)
		r.RoomType, r.Amenities = unpriced(m.RoomType, maxPoint), unpricedAll(m.Amenities)
		r.BookingPlatforms = unpricedAll(m.BookingPlatforms)
		m.Per = PerNight
	case trip.Food:
		r.MealType, r.Cuisine = m.MealType, unpriced(m.Cuisine, maxPoint)
		r.Neighborhood, r.MustTryDishes = unpriced(m.Neighborhood, maxPoint), unpricedAll(m.MustTryDishes)
		r.DietaryOptions, r.ReservationNeeded = unpricedAll(m.DietaryOptions), m.ReservationNeeded
		r.Hours, r.WaitTime = unpriced(m.Hours, maxPoint), unpriced(m.WaitTime, maxPoint)
		r.ReservationTips = unpriced(m.ReservationTips, maxSentence)
		r.HistoricalNote = unpriced(m.HistoricalNote, maxSentence)
		r.ClosedOn = once(m.ClosedOn)
		if len(r.ClosedOn) > mostWeekdays {
			return r, "closedOn has every day of the week."
		}
		if len(r.ClosedOn) == 0 {
			r.ClosedOn = nil
		}
		m.Per = PerPerson
	}
	if r.Name == "" {
		return r, "it has no name."
	}
	r.Cost, wrong = costOf(m)
	return r, wrong
}

// lead says from where to where a way is that a model recommends for a city. A way back is
// only in the cost of the first journey, and only where there is one.
func (b brief) lead(r *Recommendation, m modelRecommendation) (wrong string) {
	if m.Mode == localMode {
		r.Route = "within " + r.City
		if !slices.ContainsFunc(b.trip.Destinations, func(p trip.Place) bool { return p.Name == r.City }) {
			return "local transport is for a destination, not for the origin."
		}
		return ""
	}
	if m.Per == PerDay {
		return "a journey is paid per person or by the group, not per day."
	}
	all := b.journeys()
	i := slices.IndexFunc(all, func(j journey) bool { return j.to.Name == r.City })
	if i < 0 {
		return "no journey to " + r.City + " is wanted, only local transport."
	}
	r.Route = all[i].route()
	r.Back = m.Back && i == 0 && all[len(all)-1].home
	return ""
}

// costOf reads what something costs; nil where the model says that it does not know.
func costOf(m modelRecommendation) (*Cost, string) {
	if m.CostFrom == "" && m.CostTo == "" {
		return nil, ""
	}
	c := Cost{Currency: strings.ToUpper(m.Currency), Per: m.Per, Source: Model}
	if _, err := currency.ParseISO(c.Currency); err != nil {
		return nil, "currency has to be a code of ISO 4217."
	}
	for _, part := range []struct {
		text string
		into *money.Amount
	}{{cmp.Or(m.CostFrom, m.CostTo), &c.From}, {cmp.Or(m.CostTo, m.CostFrom), &c.To}} {
		a, err := money.ParseGrouped(part.text)
		whole, _, _ := strings.Cut(part.text, ".")
		if err != nil || a.Negative() || len(whole) > mostDigits {
			return nil, `costFrom and costTo have to be decimal numbers such as "24.50".`
		}
		*part.into = a.Round(money.Digits(c.Currency))
	}
	if c.From.Cmp(c.To) > 0 {
		return nil, "costFrom is above costTo."
	}
	if c.To.IsZero() && m.Mode != localMode { // a model that does not know a price may write 0
		return nil, ""
	}
	return &c, ""
}

// known returns the cities that a recommendation may be for. Transport may also lead home.
func (b brief) known() []string {
	var list []string
	for _, p := range b.trip.Destinations {
		list = append(list, p.Name)
	}
	if b.task.Specialist == trip.Transport && b.trip.Origin != nil && b.trip.WantsOrigin() {
		list = append(list, b.trip.Origin.Name)
	}
	return list
}

// city returns the name of the trip for a city that a model names, "" for none of it.
func (b brief) city(name string) string {
	short, _, _ := strings.Cut(name, ",") // "Boston, MA"
	for _, key := range []string{places.Fold(name), places.Fold(short)} {
		for _, own := range b.known() {
			if places.Fold(own) == key {
				return own
			}
		}
	}
	return ""
}
