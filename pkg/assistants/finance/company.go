package finance

import (
	"context"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/finance/classify"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// company settles whose books are meant where the caller has several companies and the
// request names none: by the message, or as it was settled before. Otherwise it
// returns the companies to choose from.
func (f *answers) company(ctx context.Context, t *flow.Turn, q *question) ([]identity.Entity, error) {
	var all []identity.Entity
	for _, e := range t.By.Entities {
		if e.Kind == t.Profile().EntityKind {
			all = append(all, e)
		}
	}
	if len(all) < 2 || t.Choice.Entity || t.By.Visitor != "" {
		return nil, nil
	}
	chosen, text := q.mode.Company, q.text
	if q.typed {
		if e, ok := named(q.text, all); ok {
			chosen, text = e.ID, without(q.text, e)
		}
	}
	if chosen == "" {
		if q.category.Kind == classify.GeneralChat {
			return nil, nil
		}
		return all, t.SetMode(mode{Asking: q.text})
	}
	by, ok := t.By.Choose(chosen, t.Profile().EntityKind)
	if !ok { // it is the caller's no longer
		return all, t.SetMode(mode{Asking: q.text})
	}
	t.By = by
	again, asked := q.mode.Asking, q.mode.Company
	kept := q.mode
	kept.Company, kept.Asking = chosen, ""
	if asked != chosen || again != "" {
		if err := t.SetMode(kept); err != nil {
			return nil, err
		}
	}
	if again != "" && onlyNames(q.text, all) {
		text = again
	}
	fresh, err := f.of(ctx, t, text, *q)
	if err != nil {
		return nil, err
	}
	fresh.mode = kept
	*q = fresh
	return nil, nil
}

// named returns the one company that a message names, by its key or by words of its
// name that no other has.
func named(text string, all []identity.Entity) (identity.Entity, bool) {
	said := map[string]bool{}
	for w := range language.Words(strings.ToLower(text)) {
		said[w] = true
	}
	var found []identity.Entity
	for i, e := range all {
		if said[strings.ToLower(e.Key)] {
			found = append(found, e)
			continue
		}
		for w := range language.Words(strings.ToLower(e.Name)) {
			if len(w) > 3 && said[w] && !shared(w, all, i) {
				found = append(found, e)
				break
			}
		}
	}
	if len(found) != 1 {
		return identity.Entity{}, false
	}
	return found[0], true
}

// without returns a message without the name of the company: it is chosen, and none of
// the parties in its books.
func without(text string, e identity.Entity) string {
	known := map[string]bool{strings.ToLower(e.Key): true}
	for w := range language.Words(strings.ToLower(e.Name)) {
		known[w] = true
	}
	var kept []string
	for word := range strings.FieldsSeq(text) {
		if !known[strings.ToLower(strings.Trim(word, ".,;:!?'\"()।"))] {
			kept = append(kept, word)
		}
	}
	if rest := strings.Join(kept, " "); strings.TrimSpace(rest) != "" {
		return rest
	}
	return text
}

// shared reports whether another company's name has the word, too.
func shared(word string, all []identity.Entity, own int) bool {
	for i, e := range all {
		for w := range language.Words(strings.ToLower(e.Name)) {
			if i != own && w == word {
				return true
			}
		}
	}
	return false
}

// onlyNames reports whether a message says nothing but a company's name.
func onlyNames(text string, all []identity.Entity) bool {
	known := map[string]bool{"the": true, "for": true, "ka": true, "ki": true, "ke": true, "of": true, "का": true,
		"की": true}
	for _, e := range all {
		known[strings.ToLower(e.Key)] = true
		for w := range language.Words(strings.ToLower(e.Name)) {
			known[w] = true
		}
	}
	for w := range language.Words(strings.ToLower(text)) {
		if !known[w] {
			return false
		}
	}
	return true
}

// whichCompany asks whose books are meant.
func (w way) whichCompany(all []identity.Entity) events {
	text := "Of which company?"
	switch w.q.language {
	case language.Hinglish:
		text = "Kis company ka?"
	case language.Hindi:
		text = "किस कंपनी का?"
	}
	choices := part.Choices{}
	for _, e := range all[:min(len(all), 8)] {
		choices.Choices = append(choices.Choices, part.Choice{Label: e.Name, Words: e.Name})
	}
	return func(yield func(agent.Event, error) bool) {
		if !w.routed(agent.PathDirect, unified, "there are several companies", "asked", yield) {
			return
		}
		w.asking(text, choices)(yield)
	}
}

// asking says a question with its choices.
func (w way) asking(text string, choices part.Choices, degraded ...string) events {
	return func(yield func(agent.Event, error) bool) {
		o := agent.Outcome{Understanding: agent.Understanding{Agent: unified, Path: agent.PathDirect,
			Category: agent.Unified}, Degraded: degraded, Asked: true, Reply: text, Finish: agent.Stop}
		o.Label, _ = w.t.Profile().Label(unified)
		if !yield(agent.Text{Text: text}, nil) {
			return
		}
		if p, err := part.New(choices, "", nil); err == nil {
			p.ID = agent.PartName(len(w.t.History.Entries), 0)
			o.Parts = append(o.Parts, p)
			if !yield(agent.Shown{Part: p}, nil) {
				return
			}
		}
		yield(agent.Done{Outcome: o}, nil)
	}
}
