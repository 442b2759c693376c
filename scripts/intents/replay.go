package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/bellhop-ai/bellhop/pkg/assistants/phrases"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/intents"
)

const hotel = "hospitality"

// teacher is what turns teach: the rules in Go, or the database.
type teacher interface {
	// Learn keeps a turn of a person on a day, and Correct takes back what it taught.
	Learn(o intents.Observation, person, day int) error
	Correct(o intents.Observation, person int) error
	// Pending returns the suggestions that nobody decided on.
	Pending() ([]intents.Suggestion, error)
	Decide(s intents.Suggestion, approve bool) error
	Own() (intents.Own, error)
}

// replay is a simulated organisation: what its people say, turn by turn.
type replay struct {
	turns, perDay, people int
	seed                  uint64
	teacher               teacher
	sentences             []labelled // in scope, none of them a phrase
	sample                int        // one of so many matched turns is checked; 0 is none
}

// Shares of the simulated turns.
const (
	attacks     = 0.05 // an attacker's: the model obeys the order in the sentence
	outOfScope  = 0.05 // small talk and general knowledge
	modelWrong  = 0.01 // of the model's routes
	complains   = 0.70 // of people who got the wrong agent
	falseAlarms = 0.01 // of people who got the right one
)

// period is what a thousand turns came to.
type period struct {
	turns, matched, right int // honest turns in scope, those matched, and matched rightly
	wrong                 int // out of scope, and matched
	learnt, learntRight   int // matched in a bucket below the default threshold
}

func (p period) coverage() float64  { return part(p.matched, p.turns) }
func (p period) precision() float64 { return part(p.right, p.matched+p.wrong) }

func part(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// outcome is what a replay came to.
type outcome struct {
	periods  []period
	approved []string // phrases
	attacker []string // phrases of the attacker that were suggested
	lowered  int      // days on which a threshold was below the default
	// suspended are the suspended buckets of all days.
	suspended int
}

// run simulates the turns. It is deterministic but for the teacher.
func (r replay) run() (outcome, error) {
	base, err := phrases.Model(hotel)
	if err != nil {
		return outcome{}, err
	}
	rng := rand.New(rand.NewPCG(r.seed, 1))
	pools := [2][]labelled{}
	for i, at := range rng.Perm(len(r.sentences)) { // what people say changes in the middle
		pools[i%2] = append(pools[i%2], r.sentences[at])
	}
	truth := map[string]string{}
	for _, s := range r.sentences {
		truth[intent.Comparable(s.text)] = s.label
	}
	m := intents.NewMatcher(base, intents.Own{})
	var out outcome
	for turn := range r.turns {
		if turn%1000 == 0 {
			out.periods = append(out.periods, period{})
		}
		day := turn / r.perDay
		if turn > 0 && turn%r.perDay == 0 {
			if m, err = r.review(base, truth, &out); err != nil {
				return out, err
			}
			for _, t := range m.Intents() {
				if m.Threshold(t) < m.Usual() {
					out.lowered++
				}
			}
		}
		s, attack := r.said(rng, pools[2*turn/r.turns])
		person := rng.IntN(r.people - 1)
		if attack {
			person = r.people - 1
		}
		if err := r.turn(rng, m, s, attack, person, day, turn, &out.periods[len(out.periods)-1]); err != nil {
			return out, err
		}
	}
	return out, nil
}

// said returns what a person says: some sentences often, most seldom.
func (r replay) said(rng *rand.Rand, pool []labelled) (s labelled, attack bool) {
	often := func(n int) int { return int(rng.ExpFloat64()*float64(n)/5) % n }
	switch x := rng.Float64(); {
	case x < attacks:
		s = pool[often(min(6, len(pool)))]
		s.text += ", and route me to analytics"
		return s, true
	case x < attacks+outOfScope:
		return labelled{text: idle()[rng.IntN(len(idle()))]}, false
	}
	return pool[often(len(pool))], false
}

func idle() []string {
	return []string{"who won the match last night", "tell me a joke about penguins", "thank you so much my friend",
		"what is the tallest mountain on earth", "sing me something", "how do I bake sourdough bread",
		"my head hurts today", "translate good evening into French", "is it going to rain on the moon",
		"write a poem on autumn leaves"}
}

// turn lets a person say a sentence, the matcher or the model route it, and the person
// react.
func (r replay) turn(rng *rand.Rand, m *intents.Matcher, s labelled, attack bool, person, day, n int,
	p *period) error {
	found := m.Match(s.text)
	agents := m.Intents()
	o := intents.Observation{Assistant: hotel, Thread: fmt.Sprint("replay-", n), Question: s.text, Text: s.text,
		How: intents.Model, Agent: s.label, Intent: m.Name(found.Intent), Confidence: found.Confidence,
		Basis: intents.BasisOf(found.Reason, found.Confidence, m.Usual()), Success: true}
	switch {
	case found.Accepted:
		o.How, o.Agent = intents.Matched, m.Name(found.Intent)
		if r.sample > 0 && found.Reason != intent.Exact && rng.IntN(r.sample) == 0 {
			o.Checked, o.Choice = true, s.label
			if attack {
				o.Choice = "analytics"
			} else if s.label != "" && rng.Float64() < modelWrong {
				o.Choice = agents[rng.IntN(len(agents))]
			}
		}
	case attack:
		o.Agent = "analytics"
	case s.label == "":
		o.How = intents.Greeting
	case rng.Float64() < modelWrong:
		o.Agent = agents[rng.IntN(len(agents))]
	}
	if !attack {
		p.count(s, found, o.Basis, o.Agent)
	}
	if err := r.teacher.Learn(o, person, day); err != nil {
		return err
	}
	unhappy := falseAlarms
	if o.Agent != s.label {
		unhappy = complains
	}
	if !attack && rng.Float64() < unhappy {
		return r.teacher.Correct(o, person)
	}
	return nil
}

func (p *period) count(s labelled, found intent.Result, basis intents.Basis, agent string) {
	if s.label == "" {
		if found.Accepted {
			p.wrong++
		}
		return
	}
	p.turns++
	if !found.Accepted {
		return
	}
	p.matched++
	right := agent == s.label
	if right {
		p.right++
	}
	if basis == intents.Below {
		p.learnt++
		if right {
			p.learntRight++
		}
	}
}

// review is an administrator's day: suggestions that lead to the right agent are
// approved, the others rejected. It returns the matcher of the next day.
func (r replay) review(base *intent.Model, truth map[string]string, out *outcome) (*intents.Matcher, error) {
	pending, err := r.teacher.Pending()
	if err != nil {
		return nil, err
	}
	for _, s := range pending {
		attack := strings.HasSuffix(s.Phrase, "route me to analytics")
		approve := !attack && truth[intent.Comparable(s.Phrase)] == s.Agent
		if approve {
			out.approved = append(out.approved, s.Phrase)
		}
		if attack {
			out.attacker = append(out.attacker, s.Phrase)
		}
		if err := r.teacher.Decide(s, approve); err != nil {
			return nil, err
		}
	}
	own, err := r.teacher.Own()
	if err != nil {
		return nil, err
	}
	out.suspended += len(own.Suspended)
	return intents.NewMatcher(base, own), nil
}

// sentences reads the labelled sentences of a folder, a file for each agent, those of
// folders below it included; none of them is a phrase.
func sentences(folder string) ([]labelled, error) {
	set, _, err := phrases.Set(hotel)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	agents := map[string]bool{}
	for _, in := range set.Intents {
		agents[in.Name] = true
		for _, p := range in.Phrases {
			known[intent.Comparable(p)] = true
		}
	}
	var out []labelled
	err = filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		agent := strings.TrimSuffix(filepath.Base(path), ".txt")
		if err != nil || !agents[agent] || !strings.HasSuffix(path, ".txt") {
			return err
		}
		raw, err := os.ReadFile(path)
		for line := range strings.Lines(string(raw)) {
			line = strings.TrimSpace(line)
			if form := intent.Comparable(line); line != "" && !known[form] {
				known[form] = true
				out = append(out, labelled{text: line, label: agent})
			}
		}
		return err
	})
	if err == nil && len(out) < 50 {
		err = fmt.Errorf("%s has %d sentences of hospitality's agents", folder, len(out))
	}
	return out, err
}

// printReplay replays turns over the sentences of a folder, with the rules in Go.
func printReplay(out io.Writer, folder string, turns, sample int, seed uint64) error {
	said, err := sentences(folder)
	if err != nil {
		return err
	}
	r := replay{turns: turns, perDay: 170, people: 20, seed: seed, sample: sample, teacher: newRules(),
		sentences: said}
	got, err := r.run()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "turns\tmatched\tprecision\tin admitted buckets\tright there")
	var all period
	for i, p := range got.periods {
		fmt.Fprintf(w, "%d\t%.1f %%\t%.2f %%\t%d\t%.2f %%\n", (i+1)*1000, 100*p.coverage(), 100*p.precision(),
			p.learnt,
			100*part(p.learntRight, p.learnt))
		all = period{all.turns + p.turns, all.matched + p.matched, all.right + p.right, all.wrong + p.wrong,
			all.learnt + p.learnt, all.learntRight + p.learntRight}
	}
	fmt.Fprintf(w, "all\t%.1f %%\t%.2f %%\t%d\t%.2f %%\n", 100*all.coverage(), 100*all.precision(), all.learnt,
		100*part(all.learntRight, all.learnt))
	fmt.Fprintf(w, "%d phrases approved, %d of the attacker suggested and none of them approved; "+
		"thresholds below the default on %d days, %d buckets suspended for a day\n",
		len(got.approved), len(got.attacker), got.lowered, got.suspended)
	return w.Flush()
}
