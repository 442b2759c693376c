package part

import (
	"errors"
	"slices"
	"strings"
)

// Plans is the content of a part of the kind plans: two or three plans of a trip, side by
// side. All of it is made by code from the same figures.
type Plans struct {
	Trip     string     `json:"trip"`   // its code
	Run      int        `json:"run"`    // whose options these are
	Title    string     `json:"title"`  // "Boston, 12 to 15 Feb 2027"
	Detail   string     `json:"detail"` // "2 adults · mid budget · from London"
	Options  []PlanView `json:"options"`
	Selected string     `json:"selected,omitempty"` // id of the selected option
	Note     string     `json:"note,omitempty"`     // how they compare
	Differs  []PlanAxis `json:"differs,omitempty"`
	// Research is what each specialist brought.
	Research    []PlanResearch `json:"research,omitempty"`
	Assumptions []string       `json:"assumptions,omitempty"`
	Risks       []string       `json:"risks,omitempty"`
	Questions   []string       `json:"questions,omitempty"`
	// Document is the address of the PDF of all options, below /api/, "" for none.
	Document string   `json:"document,omitempty"`
	Do       []Choice `json:"do,omitempty"`
}

// PlanView is one plan.
type PlanView struct {
	ID          string   `json:"id"` // "opt-1"
	Title       string   `json:"title"`
	Description string   `json:"description,omitempty"`
	Highlights  []string `json:"highlights,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Tier        string   `json:"tier"`  // low, mid, high
	Total       string   `json:"total"` // "€640–820 for 2 people"
	// Exact has the sums of several currencies, where Total is an approximation in one.
	Exact string     `json:"exact,omitempty"` // "£680.40–960.40 + €371.96"
	Costs []PlanCost `json:"costs,omitempty"`
	Days  []PlanDay  `json:"days"`
	// Transport, Stays and Dining are alternatives (S4-43).
	Transport []PlanAlternative `json:"transport,omitempty"`
	Stays     []PlanAlternative `json:"stays,omitempty"`
	Dining    []PlanAlternative `json:"dining,omitempty"`
	Gaps      []string          `json:"gaps,omitempty"`
	Do        []Choice          `json:"do,omitempty"`
}

// PlanCost is one category of costs of a plan.
type PlanCost struct {
	Category string `json:"category"` // transport, stay, food, activities
	Label    string `json:"label"`
	Text     string `json:"text"`   // "€240–300"
	Source   string `json:"source"` // live, listed, model; "mixed" of several
	// From and To are the least and the most of this category alone as shares of the largest
	// total among the plans, 0 to 1. Readers stack them: a category takes To of a bar, and
	// what lies between From and To is drawn as uncertain.
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// PlanDay is a day.
type PlanDay struct {
	Number int        `json:"number"`
	Date   string     `json:"date"` // YYYY-MM-DD
	City   string     `json:"city,omitempty"`
	Title  string     `json:"title"`
	Note   string     `json:"note,omitempty"`
	Items  []PlanItem `json:"items"`
}

// PlanItem is one thing of a day.
type PlanItem struct {
	Kind   string `json:"kind"`           // transport, stay, meal, activity
	Meal   string `json:"meal,omitempty"` // breakfast, lunch, dinner, snacks of a meal
	Title  string `json:"title"`
	From   string `json:"from,omitempty"` // "09:30"
	To     string `json:"to,omitempty"`
	Nights int    `json:"nights,omitempty"`
	Walk   int    `json:"walk,omitempty"` // minutes on foot from the item before
	Cost   string `json:"cost,omitempty"`
	Source string `json:"source"`
	Detail string `json:"detail,omitempty"`
	Wish   string `json:"wish,omitempty"` // the must-do that it fulfils
}

// PlanAlternative is something that the plan does not use. A client swaps it in by the
// tools swap_trip_stay, swap_trip_transport and swap_trip_meal, whose arguments are trip,
// run, option, with (the code), and day and meal for a meal. swap_trip_day takes trip, run,
// option and day.
type PlanAlternative struct {
	Code   string `json:"code"`
	Title  string `json:"title"`
	Meal   string `json:"meal,omitempty"`
	Detail string `json:"detail,omitempty"`
	Cost   string `json:"cost,omitempty"`
	Source string `json:"source"`
}

// PlanAxis is one way in which the plans are compared, with the value of each in order.
type PlanAxis struct {
	Label  string   `json:"label"`
	Values []string `json:"values"`
}

// PlanResearch is what a specialist brought.
type PlanResearch struct {
	Specialist string `json:"specialist"` // transport, stay, food
	Label      string `json:"label"`
	State      string `json:"state"` // done, partly, failed
	Text       string `json:"text"`  // "5 found: 3 live, 2 listed"
}

// Kind is "plans".
func (Plans) Kind() string { return "plans" }

// Text lists the plans with their costs and days.
func (p Plans) Text() string {
	lines := []string{p.Title + " · " + p.Detail}
	for _, o := range p.Options {
		line := "- " + o.ID + ": " + o.Title + ", " + o.Total
		if o.ID == p.Selected {
			line += " (selected)"
		}
		lines = append(lines, line)
		for _, d := range o.Days {
			lines = append(lines, "  - "+d.Date+" "+d.Title)
		}
		for _, g := range o.Gaps {
			lines = append(lines, "  - "+g)
		}
	}
	if p.Note != "" {
		lines = append(lines, p.Note)
	}
	return strings.Join(lines, "\n")
}

// Check requires a trip, a title, and for each plan an id, a title, a total and days.
func (p Plans) Check() error {
	if p.Trip == "" || p.Title == "" || len(p.Options) == 0 {
		return errors.New("plans have a trip, a title and an option")
	}
	if p.Document != "" && !strings.HasPrefix(p.Document, "/api/") {
		return errors.New("a document is below /api/")
	}
	do := p.Do
	for _, o := range p.Options {
		if o.ID == "" || o.Title == "" || o.Total == "" || len(o.Days) == 0 {
			return errors.New("a plan has an id, a title, a total and days")
		}
		do = append(do[:len(do):len(do)], o.Do...)
	}
	for _, a := range p.Differs {
		if len(a.Values) != len(p.Options) {
			return errors.New("plans are compared by one value each")
		}
	}
	return checkEach(do)
}

// Cut leaves out alternatives and details first, then items of the last days: what each
// plan costs and which days it has stays.
func (p Plans) Cut(share float64) Data {
	views := make([]PlanView, len(p.Options))
	for n, o := range p.Options {
		for _, list := range []*[]PlanAlternative{&o.Transport, &o.Stays, &o.Dining} {
			*list = (*list)[:int(float64(len(*list))*share)]
		}
		o.Days = slices.Clone(o.Days)
		keep := max(1, int(float64(len(o.Days))*share*2))
		for d := range o.Days {
			if share < 0.5 && d >= keep {
				o.Days[d].Items, o.Days[d].Note = []PlanItem{}, ""
				continue
			}
			if share < 0.7 {
				o.Days[d].Items = plain(o.Days[d].Items)
			}
		}
		views[n] = o
	}
	p.Options = views
	return p
}

// plain returns items without details.
func plain(items []PlanItem) []PlanItem {
	items = slices.Clone(items)
	for i := range items {
		items[i].Detail = ""
	}
	return items
}
