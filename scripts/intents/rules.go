package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/assistants/phrases"
	"github.com/bellhop-ai/bellhop/pkg/intents"
)

// rules are the learning rules of the database in Go, for one organisation.
type rules struct {
	stats    map[statKey]*stat
	counted  map[string]int // day by person and form
	turns    map[string]*taught
	patterns map[string]*pattern
	own      map[string][]intents.Phrase
}

type statKey struct {
	intent string
	bucket float64
	basis  intents.Basis
}

type stat struct{ total, failed, windowTotal, windowFailed, checked, checkedFailed int }

type taught struct {
	key              statKey
	counted, success bool
	checked          bool
	form, agent      string
	withdrawn        bool
}

type pattern struct {
	query   string
	agents  map[string]int
	count   int
	decided bool
}

func newRules() *rules {
	return &rules{stats: map[statKey]*stat{}, counted: map[string]int{}, turns: map[string]*taught{},
		patterns: map[string]*pattern{}, own: map[string][]intents.Phrase{}}
}

// window is how many turns a window holds before half of it is forgotten.
const window = 400

// Learn is intent_learn.
func (r *rules) Learn(o intents.Observation, person, day int) error {
	k := o.Keep()
	form := k.Form
	t := &taught{key: statKey{o.Intent, k.Bucket, k.Basis}, form: form, agent: o.Agent, checked: o.Checked}
	switch o.How {
	case intents.Matched:
		t.success = o.Success && (!o.Checked || o.Choice == o.Agent)
	case intents.Model:
		t.success, t.checked = o.Success && o.Agent == o.Intent, true
	}
	who := fmt.Sprint(person, " ", form)
	last, said := r.counted[who]
	t.counted = o.Intent != "" && (!said || last != day)
	if o.How == intents.Model && o.Agent != "" && form != "" {
		p := r.patterns[form]
		if p == nil {
			p = &pattern{query: k.Query, agents: map[string]int{}}
			r.patterns[form] = p
		}
		p.agents[o.Agent]++
		p.count++
	} else {
		t.form = ""
	}
	if t.counted {
		r.counted[who] = day
		s := r.stats[t.key]
		if s == nil {
			s = &stat{}
			r.stats[t.key] = s
		}
		failed := 0
		if !t.success {
			failed = 1
		}
		if s.total, s.failed = s.total+1, s.failed+failed; s.windowTotal >= window {
			s.windowTotal, s.windowFailed = s.windowTotal/2, (s.windowFailed+1)/2
		}
		s.windowTotal, s.windowFailed = s.windowTotal+1, s.windowFailed+failed
		if t.checked {
			if s.checked >= window {
				s.checked, s.checkedFailed = s.checked/2, (s.checkedFailed+1)/2
			}
			s.checked, s.checkedFailed = s.checked+1, s.checkedFailed+failed
		}
	}
	r.turns[o.Thread] = t
	return nil
}

// Correct is app.intent_withdraw.
func (r *rules) Correct(o intents.Observation, _ int) error {
	t := r.turns[o.Thread]
	if t == nil || t.withdrawn {
		return nil
	}
	t.withdrawn = true
	if t.counted && t.success {
		s := r.stats[t.key]
		s.failed, s.windowFailed = s.failed+1, min(s.windowFailed+1, s.windowTotal)
		if t.checked {
			s.checkedFailed = min(s.checkedFailed+1, s.checked)
		}
	}
	if p := r.patterns[t.form]; p != nil {
		p.count, p.agents[t.agent] = p.count-1, p.agents[t.agent]-1
	}
	return nil
}

// Pending is intent_suggestions.
func (r *rules) Pending() ([]intents.Suggestion, error) {
	var out []intents.Suggestion
	for _, form := range slices.Sorted(maps.Keys(r.patterns)) {
		p := r.patterns[form]
		for agent, n := range p.agents {
			if !p.decided && p.count >= 10 && 10*n >= 9*p.count {
				out = append(out, intents.Suggestion{Code: form, Agent: agent, Phrase: p.query})
			}
		}
	}
	return out, nil
}

// Decide is intent_decide.
func (r *rules) Decide(s intents.Suggestion, approve bool) error {
	r.patterns[s.Code].decided = true
	if approve {
		r.own[s.Agent] = append(r.own[s.Agent], intents.Phrase{Text: s.Phrase, Source: intents.Suggested})
	}
	return nil
}

// Own is intents_read.
func (r *rules) Own() (intents.Own, error) {
	base, err := phrases.Model(hotel)
	if err != nil {
		return intents.Own{}, err
	}
	usual := base.Threshold()
	own := intents.Own{Thresholds: map[string]float64{}}
	for _, agent := range slices.Sorted(maps.Keys(r.own)) {
		own.Intents = append(own.Intents, intents.Intent{Name: agent, Agent: agent, Phrases: r.own[agent]})
	}
	for _, name := range base.Intents() {
		var below, above intents.Count
		for k, s := range r.stats {
			switch {
			case k.intent != name:
			case k.basis == intents.Below && k.bucket >= intents.Bucket(usual-intents.Step):
				below.Total, below.Failed = below.Total+s.windowTotal, below.Failed+s.windowFailed
			case k.basis == intents.Above && k.bucket < usual+intents.Step:
				above.Total, above.Failed = above.Total+s.windowTotal, above.Failed+s.windowFailed
			}
		}
		if t := intents.Threshold(usual, below, above); t != usual {
			own.Thresholds[name] = t
		}
	}
	for k, s := range r.stats {
		threshold, moved := own.Thresholds[k.intent]
		if !moved {
			threshold = usual
		}
		admitted := k.basis == intents.Above || k.basis == intents.Below && threshold < usual
		if admitted && k.bucket+intents.Step > threshold &&
			intents.Suspended(intents.Count{Total: s.checked, Failed: s.checkedFailed}) {
			own.Suspended = append(own.Suspended, intents.Slot{Intent: k.intent, Bucket: k.bucket, Basis: k.basis})
		}
	}
	return own, nil
}
