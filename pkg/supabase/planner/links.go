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

// Open returns what a link shows; see plans.Links. Must-dos that are no place of the guide,
// sentences about needs, and codes of a supplier's offers are not among it.
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
	hide(&o.Options, ownWords(&o.Options, o.MustDos), o.Needs)
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

// instead stands in the place of a must-do in its owner's words.
const instead = "something of their own"

// hide puts instead in the place of wishes, and leaves out sentences about needs.
func hide(set *options.Set, wishes, needs []string) {
	var patterns []*regexp.Regexp
	for _, w := range wishes {
		patterns = append(patterns, regexp.MustCompile("(?i)"+regexp.QuoteMeta(w)))
	}
	clean := func(texts ...*string) {
		for _, s := range texts {
			for _, p := range patterns {
				*s = p.ReplaceAllLiteralString(*s, instead)
			}
		}
	}
	sentences := func(lists ...*[]string) {
		for _, list := range lists {
			*list = slices.DeleteFunc(*list, func(s string) bool {
				return slices.ContainsFunc(needs, func(need string) bool {
					return need != "" && strings.Contains(strings.ToLower(s), strings.ToLower(need))
				})
			})
			for i := range *list {
				clean(&(*list)[i])
			}
		}
	}
	clean(&set.ComparisonNote)
	sentences(&set.Assumptions, &set.Risks, &set.Tiers)
	for i := range set.Options {
		o := &set.Options[i]
		clean(&o.Title, &o.Description, &o.Itinerary.Summary)
		sentences(&o.Highlights, &o.Gaps, &o.Tags)
		for n := range o.Costs {
			clean(&o.Costs[n].Label)
		}
		for n := range o.Itinerary.Days {
			clean(&o.Itinerary.Days[n].Title, &o.Itinerary.Days[n].Note)
		}
		for _, e := range entries(o) {
			clean(&e.Name, &e.Detail)
		}
	}
}
