package planner

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Links is a plans.Links. Its requests are about no user and bear the proof.
type Links struct{ client *supabase.Client }

var _ plans.Links = Links{}

// NewLinks returns the shared plans in the project of client.
func NewLinks(client *supabase.Client) Links { return Links{client} }

// opened is what the database shows of a link, with the words of its owner that are taken
// out of the options.
type opened struct {
	plans.Public
	MustDos []string `json:"mustDos"`
	Needs   []string `json:"needs"` // dietary needs and constraints
}

// Open returns what a link shows; see plans.Links. Must-dos that are no known place, needs, and
// codes of a supplier's offers are not among it.
func (l Links) Open(ctx context.Context, token string) (plans.Public, error) {
	o, err := supabase.CallAgain[opened](ctx, l.client.Ours(), "trip_plan_shared",
		supabase.Args{"p_hash": hashOf(token)})
	if err != nil {
		return plans.Public{}, err
	}
	o.Options.Questions = nil
	for i := range o.Options.Options {
		forget(&o.Options.Options[i])
	}
	hider{patterns(ownWords(&o.Options, o.MustDos)), patterns(o.Needs)}.set(&o.Options)
	for i := range o.Options.Options {
		for _, e := range entries(&o.Options.Options[i]) {
			e.MustDo = ""
		}
	}
	return o.Public, nil
}

// forget leaves the codes of offers out of an option.
func forget(o *options.Option) {
	found := &o.Itinerary.AlternativeOptions
	for _, list := range [][]specialists.Recommendation{found.Transport, found.Stays, found.Dining} {
		for n := range list {
			list[n].Offer = ""
		}
	}
}

// entries returns everything that stands on the days of an option.
func entries(o *options.Option) []*options.Entry {
	var all []*options.Entry
	for n := range o.Itinerary.Days {
		d := &o.Itinerary.Days[n]
		for _, list := range [][]options.Entry{d.Transport, d.Meals, d.Activities} {
			for i := range list {
				all = append(all, &list[i])
			}
		}
		if d.Accommodation != nil {
			all = append(all, d.Accommodation)
		}
	}
	return all
}

// ownWords returns the must-dos that no entry with a known place fulfils: they may name
// anyone.
func ownWords(set *options.Set, mustDos []string) []string {
	return slices.DeleteFunc(slices.Clone(mustDos), func(wish string) bool {
		for i := range set.Options {
			for _, e := range entries(&set.Options[i]) {
				if e.MustDo == wish && (e.Lat != 0 || e.Lon != 0) {
					return true
				}
			}
		}
		return strings.TrimSpace(wish) == ""
	})
}

// What stands in the place of a must-do in its owner's words, and of a need in a title.
const (
	ownWish = "something of their own"
	ownNeed = "their needs"
)

// hider takes the words of its owner out of what a link shows.
type hider struct{ wishes, needs []*regexp.Regexp }

func patterns(texts []string) []*regexp.Regexp {
	var list []*regexp.Regexp
	for _, t := range texts {
		if t != "" {
			list = append(list, regexp.MustCompile("(?i)"+regexp.QuoteMeta(t)))
		}
	}
	return list
}

func (h hider) needy(s string) bool {
	return slices.ContainsFunc(h.needs, func(p *regexp.Regexp) bool { return p.MatchString(s) })
}

// names puts ownWish in the place of wishes.
func (h hider) names(texts ...*string) {
	for _, s := range texts {
		for _, p := range h.wishes {
			*s = p.ReplaceAllLiteralString(*s, ownWish)
		}
	}
}

// titles is names, with ownNeed in the place of needs.
func (h hider) titles(texts ...*string) {
	h.names(texts...)
	for _, s := range texts {
		for _, p := range h.needs {
			*s = p.ReplaceAllLiteralString(*s, ownNeed)
		}
	}
}

// prose is names, without the sentences and the parts between dots that name a need.
func (h hider) prose(texts ...*string) {
	h.names(texts...)
	for _, s := range texts {
		for _, between := range []string{" · ", ". "} {
			if h.needy(*s) {
				*s = strings.Join(slices.DeleteFunc(strings.Split(*s, between), h.needy), between)
			}
		}
	}
}

// lists is names for each of a list, without those that name a need.
func (h hider) lists(lists ...*[]string) {
	for _, list := range lists {
		*list = slices.DeleteFunc(*list, h.needy)
		for i := range *list {
			h.names(&(*list)[i])
		}
	}
}

func (h hider) set(set *options.Set) {
	h.prose(&set.ComparisonNote)
	h.lists(&set.Assumptions, &set.Risks, &set.Tiers)
	for i := range set.Options {
		o := &set.Options[i]
		h.titles(&o.Title)
		h.prose(&o.Description, &o.Itinerary.Summary)
		h.lists(&o.Highlights, &o.Gaps, &o.Tags)
		for n := range o.Costs {
			h.titles(&o.Costs[n].Label)
		}
		for n := range o.Itinerary.Days {
			h.titles(&o.Itinerary.Days[n].Title)
			h.prose(&o.Itinerary.Days[n].Note)
		}
		for _, e := range entries(o) {
			h.names(&e.Name)
			h.prose(&e.Detail)
		}
	}
}
