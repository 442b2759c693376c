package plans

import (
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/options"
)

// ownWish stands in the place of what a person wished in own words.
const ownWish = "A wish of the travellers"

// Shared returns the options as people see them who have only a link: without what the
// owner wished in own words, what was said of limits and needs, and what else could be
// taken. Assumptions, risks and questions are left out, since they repeat needs.
func Shared(set options.Set) options.Set {
	r := redactor{wishes: wishesOf(set)}
	out := options.Set{ComparisonNote: r.text(set.ComparisonNote), Degraded: set.Degraded}
	for _, a := range set.Axes {
		out.Axes = append(out.Axes, options.Axis{Name: a.Name, Values: r.texts(a.Values)})
	}
	for _, o := range set.Options {
		out.Options = append(out.Options, r.option(o))
	}
	return out
}

// wishesOf returns the wishes that entries of a set fulfil, but not those that are just the
// name of a sight.
func wishesOf(set options.Set) []string {
	var list []string
	for _, o := range set.Options {
		for _, d := range o.Itinerary.Days {
			for _, e := range slices.Concat(d.Transport, d.Meals, d.Activities) {
				wish := strings.TrimPrefix(strings.ToLower(e.MustDo), "the ")
				sight := located(e) && strings.Contains(strings.ToLower(e.Name), wish)
				if e.MustDo != "" && !sight && !slices.Contains(list, e.MustDo) {
					list = append(list, e.MustDo)
				}
			}
		}
	}
	return list
}

// located reports whether an entry is a place that is known, so that its name says no more
// than the place.
func located(e options.Entry) bool { return e.Lat != 0 || e.Lon != 0 }

type redactor struct{ wishes []string }

// own reports whether a text repeats what the owner wrote.
func (r redactor) own(text string) bool {
	low := strings.ToLower(text)
	return slices.ContainsFunc(r.wishes, func(w string) bool { return strings.Contains(low, strings.ToLower(w)) })
}

// text returns a text, "" for one that repeats what the owner wrote.
func (r redactor) text(text string) string {
	if r.own(text) {
		return ""
	}
	return text
}

func (r redactor) texts(list []string) []string {
	list = slices.Clone(list)
	for i, text := range list {
		list[i] = r.text(text)
	}
	return list
}

func (r redactor) option(o options.Option) options.Option {
	o.Title, o.Description, o.Focus = r.text(o.Title), r.text(o.Description), r.text(o.Focus)
	if o.Title == "" {
		o.Title = "Plan, " + string(o.Tier) + " budget"
	}
	o.Highlights = slices.DeleteFunc(slices.Clone(o.Highlights), r.own)
	o.Tags = slices.DeleteFunc(slices.Clone(o.Tags), r.own)
	o.Gaps = slices.DeleteFunc(slices.Clone(o.Gaps), func(g string) bool {
		return r.own(g) || strings.ContainsAny(g, "“”") || strings.Contains(g, "your ") ||
			strings.Contains(g, "you asked")
	})
	o.Costs = slices.Clone(o.Costs)
	for i := range o.Costs {
		if r.own(o.Costs[i].Label) {
			o.Costs[i].Label = ownWish
		}
	}
	o.Itinerary = options.Itinerary{Summary: r.text(o.Itinerary.Summary), Days: slices.Clone(o.Itinerary.Days)}
	for i := range o.Itinerary.Days {
		d := &o.Itinerary.Days[i]
		d.Title, d.Note = r.text(d.Title), r.text(d.Note)
		if d.Title == "" {
			d.Title = d.City
		}
		for _, list := range []*[]options.Entry{&d.Transport, &d.Meals, &d.Activities} {
			*list = r.entries(*list)
		}
	}
	return o
}

func (r redactor) entries(list []options.Entry) []options.Entry {
	list = slices.Clone(list)
	for i := range list {
		e := &list[i]
		if !located(*e) && (e.MustDo != "" || r.own(e.Name)) {
			e.Name, e.Detail = ownWish, ""
		}
		// What to ask for at a table says what they may not eat.
		parts := slices.DeleteFunc(strings.Split(e.Detail, " · "), func(p string) bool {
			return r.own(p) || strings.HasPrefix(p, "ask for ")
		})
		e.Detail, e.MustDo = strings.Join(parts, " · "), ""
	}
	return list
}
