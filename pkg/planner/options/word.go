package options

import (
	"context"
	"embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/structured"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Bounds of the words of a model, in letters, and of its answer.
const (
	maxTitle       = 80
	maxDescription = 400
	maxLine        = 160 // of a highlight, a day's title or note
	maxHighlights  = 5
	maxTags        = 6
	maxTag         = 28
	maxProposals   = 2   // of a day
	wordsTokens    = 500 // of the answer
	dayTokens      = 45  // more for each day
	mostTokens     = 1900
	temperature    = 0.7 // S4-26
)

//go:embed prompts/option.md schemas/option.json
var files embed.FS

// words is how a model is asked for the words of an option.
type words struct {
	prompt string
	form   *structured.Form
}

// wording is made at its first use.
var wording = sync.OnceValue(func() words {
	prompt, err := files.ReadFile("prompts/option.md")
	if err != nil {
		panic(err) // a part of the program, which a test reads
	}
	schema, err := files.ReadFile("schemas/option.json")
	if err != nil {
		panic(err)
	}
	form, err := structured.NewForm("trip_option", schema)
	if err != nil {
		panic(err)
	}
	return words{strings.TrimSpace(string(prompt)), form}
})

// answer is what a model writes of an option.
type answer struct {
	Mode        string     `json:"mode"`
	OptionID    string     `json:"optionId"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Highlights  []string   `json:"highlights"`
	DayTitles   []string   `json:"dayTitles"`
	DayNotes    []string   `json:"dayNotes"`
	Tags        []string   `json:"tags"`
	Proposals   []proposal `json:"proposals"`
}

// proposal is something to do that the model knows of and no source has checked.
type proposal struct {
	Day     int    `json:"day"`
	Name    string `json:"name"`
	Area    string `json:"area"`
	Minutes int    `json:"minutes"`
	Note    string `json:"note"`
}

// Word gives the options the words of a model, one call for each, at the same time. Figures
// stay those of the set, which is not changed: a sentence with a name or a figure that its
// option does not have is left out, and where nothing is left the words by rules stay. An
// option whose call fails or stays wrong keeps its words, and Degraded says so.
func Word(ctx context.Context, ask structured.Ask, c trip.Context, set Set) Set {
	if ask == nil || len(set.Options) == 0 {
		return set
	}
	answers := make([]*answer, len(set.Options))
	var group sync.WaitGroup
	for i := range set.Options {
		group.Go(func() { answers[i] = askFor(ctx, ask, c, set, i) })
	}
	group.Wait()
	was := make([]string, 0, len(set.Options))
	set.Options = slices.Clone(set.Options)
	set.Degraded = slices.Clone(set.Degraded)
	for i, a := range answers {
		was = append(was, set.Options[i].Title)
		if a != nil {
			set.Options[i] = worded(set.Options[i], c, *a)
		} else if !slices.Contains(set.Degraded, WordsByRules) {
			set.Degraded = append(set.Degraded, WordsByRules)
		}
	}
	for i := range set.Options { // titles tell options apart
		for k := range set.Options {
			if k != i && same(set.Options[k].Title, set.Options[i].Title) {
				set.Options[i].Title = was[i]
			}
		}
	}
	set.rename(was)
	return set
}

// rename puts the titles of the options into what is said of them together.
func (s *Set) rename(was []string) {
	order := make([]int, len(was))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return len(was[b]) - len(was[a]) })
	var pairs []string
	for _, i := range order {
		pairs = append(pairs, was[i], s.Options[i].Title)
	}
	r := strings.NewReplacer(pairs...)
	s.ComparisonNote = r.Replace(s.ComparisonNote)
	s.Tiers = slices.Clone(s.Tiers)
	for i := range s.Tiers {
		s.Tiers[i] = r.Replace(s.Tiers[i])
	}
}

// askFor returns the answer of one call, nil where it failed.
func askFor(ctx context.Context, ask structured.Ask, c trip.Context, set Set, i int) *answer {
	o := set.Options[i]
	brief, err := json.Marshal(briefOf(c, set, i))
	if err != nil {
		return nil
	}
	var a answer
	w := wording()
	err = structured.Answer(ctx, ask, structured.Question{Form: w.form, System: w.prompt, Temperature: temperature,
		Messages:  []llm.Message{{Role: llm.User, Text: string(brief)}},
		MaxTokens: min(mostTokens, wordsTokens+dayTokens*len(o.Itinerary.Days)),
		Read: func(object []byte) string {
			a = answer{}
			if err := structured.Decode(object, &a); err != nil {
				return "That does not have the form."
			}
			return a.wrong(o)
		}})
	if err != nil {
		return nil
	}
	return &a
}

// wrong returns what is wrong with an answer, for the model.
func (a answer) wrong(o Option) string {
	days := len(o.Itinerary.Days)
	switch {
	case a.Mode != "FINALIZE":
		return "mode has to be FINALIZE: the outputs of the specialists are there."
	case a.OptionID != o.ID:
		return "optionId has to be " + o.ID + "."
	case strings.TrimSpace(a.Title) == "" || strings.TrimSpace(a.Description) == "":
		return "title and description have to be there."
	case len(a.DayTitles) != days || len(a.DayNotes) != days:
		return "dayTitles and dayNotes have to have " + itoa(days) + " members each, one for each day."
	}
	return ""
}

// brief is what the model reads of an option.
type brief struct {
	OptionID    string     `json:"optionId"`
	Trip        string     `json:"trip"`
	For         string     `json:"for"`
	Level       string     `json:"level"`
	Pace        string     `json:"pace"`
	Focus       string     `json:"focus"`
	Stay        string     `json:"stay"`
	Dining      string     `json:"dining"`
	Total       string     `json:"total"`
	Title       string     `json:"title"`
	OtherTitles []string   `json:"otherTitles"`
	Interests   []string   `json:"interests"`
	Wishes      []string   `json:"wishes"`
	Days        []briefDay `json:"days"`
	OpenDays    []int      `json:"openDays"`
	Gaps        []string   `json:"gaps"`
}

type briefDay struct {
	Day    int      `json:"day"`
	City   string   `json:"city"`
	Night  string   `json:"night,omitempty"`
	Things []string `json:"things"`
}

func briefOf(c trip.Context, set Set, i int) brief {
	o := set.Options[i]
	b := brief{OptionID: o.ID, Trip: c.Title(), For: c.Detail(), Level: string(o.Tier), Pace: string(o.Pace),
		Focus: o.Focus, Stay: o.Style, Dining: o.Dining, Total: o.EstimatedTotalCost, Title: o.Title,
		OtherTitles: []string{}, Interests: c.Preferences.Interests, Wishes: c.MustDos, Days: []briefDay{},
		OpenDays: openIn(o), Gaps: o.Gaps}
	for k, other := range set.Options {
		if k != i {
			b.OtherTitles = append(b.OtherTitles, other.Title)
		}
	}
	for _, d := range o.Itinerary.Days {
		day := briefDay{Day: d.Number, City: d.City, Things: []string{}}
		if d.Accommodation != nil {
			day.Night = d.Accommodation.Name
		}
		for _, e := range d.Transport {
			if e.Kind != localMode {
				day.Things = append(day.Things, strings.TrimSpace(e.Starts+" "+e.Name))
			}
		}
		for _, e := range inOrder(d) {
			day.Things = append(day.Things, strings.Join(strings.Fields(e.Starts+" "+e.Kind+" "+
				sentence(e.Name, e.Area, e.Detail)), " "))
		}
		b.Days = append(b.Days, day)
	}
	return b
}

// openIn returns the numbers of the days on which nothing is done and no journey is made.
func openIn(o Option) []int {
	open := []int{}
	for _, d := range o.Itinerary.Days {
		travels := slices.ContainsFunc(d.Transport, func(e Entry) bool { return e.Kind != localMode })
		if len(d.Activities) == 0 && !travels && d.City != "" {
			open = append(open, d.Number)
		}
	}
	return open
}

// worded returns an option with the words of an answer, as far as the option backs them.
func worded(o Option, c trip.Context, a answer) Option {
	v := vocabularyOf(o, c)
	if t := v.backed(a.Title, maxTitle); t != "" && strings.Count(t, ".") == 0 {
		o.Title = t
	}
	if d := v.backed(a.Description, maxDescription); d != "" {
		o.Description = d
	}
	var highlights []string
	for _, h := range a.Highlights {
		if h = v.backed(h, maxLine); h != "" && len(highlights) < maxHighlights && !slices.Contains(highlights, h) {
			highlights = append(highlights, strings.TrimSuffix(h, "."))
		}
	}
	if len(highlights) > 1 {
		o.Highlights = highlights
	}
	o.Tags = slices.Clone(o.Tags)
	for _, t := range a.Tags {
		t = strings.ToLower(v.backed(t, maxTag))
		if t != "" && !slices.Contains(o.Tags, t) && len(o.Tags) < maxTags {
			o.Tags = append(o.Tags, t)
		}
	}
	o.Itinerary.Days = slices.Clone(o.Itinerary.Days)
	for i := range o.Itinerary.Days {
		d := &o.Itinerary.Days[i]
		if t := v.backed(a.DayTitles[i], maxLine); t != "" {
			d.Title = strings.TrimSuffix(t, ".")
		}
		d.Note = v.backed(a.DayNotes[i], maxLine)
	}
	return o.propose(a.Proposals, v)
}

// propose puts what a model knows of into the days that are open. No source has checked it,
// and no price is known.
func (o Option) propose(list []proposal, v vocabulary) Option {
	open := openIn(o)
	added := map[int]int{}
	var seen []string
	for _, p := range list {
		name, area := plain(p.Name, maxTitle), plain(p.Area, maxTitle)
		if name == "" || !slices.Contains(open, p.Day) || added[p.Day] == maxProposals ||
			slices.ContainsFunc(seen, func(s string) bool { return same(s, name) }) || v.has(name) {
			continue
		}
		added[p.Day]++
		seen = append(seen, name)
		detail := "proposed by the model, not checked"
		if p.Minutes > 0 && p.Minutes <= 12*hour {
			detail = sentence("about "+minutesText(p.Minutes), detail)
		}
		d := &o.Itinerary.Days[p.Day-1]
		d.Activities = append(slices.Clone(d.Activities), Entry{Name: name, Area: area, Detail: detail,
			Source: specialists.Model})
	}
	if len(seen) > 0 {
		o.Gaps = append(slices.Clone(o.Gaps), "Prices of what the model proposed are not known: the total is "+
			"without "+listText(seen)+".")
	}
	return o
}
