package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// The matchers that are compared.
const (
	literal   = "S2-17"
	neighbour = "nearest neighbour"
	learnt    = "matcher"
)

// answer is what a matcher said of a sentence that it had not seen.
type answer struct {
	inside, accepted, right bool
	confidence              float64
	group                   string // of one that expresses no intent
}

// validate leaves each part of the data out in turn, and asks about it.
func validate(d dataset, folds int) (map[string][]answer, error) {
	out := map[string][]answer{}
	for fold := range folds {
		train, held := split(d, fold, folds)
		m, err := intent.Train(train, goal())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
		least, err := nearEnough(train)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
		for _, s := range slices.Concat(held, d.outside) {
			inside := s.label != ""
			if !inside && fold > 0 {
				continue // the others are in no training set; they are asked once
			}
			r := m.Match(s.text)
			add := func(matcher string, of int, accepted bool, confidence float64) {
				right := inside && m.Name(of) == s.label
				out[matcher] = append(out[matcher], answer{inside, accepted, right, confidence, s.group})
			}
			add(literal, r.LiteralIntent, r.Literal >= intent.LiteralThreshold, r.Literal)
			n := r.Neighbour
			add(neighbour, n.Intent, n.Intent >= 0 && n.Share >= least, n.Share)
			add(learnt, r.Intent, r.Accepted, r.Confidence)
		}
	}
	return out, nil
}

// split returns the set to learn in a fold, and the sentences that are left out: of
// each intent those that stand together.
func split(d dataset, fold, folds int) (train intent.Set, held []labelled) {
	of := map[string][]string{}
	var names []string
	for _, s := range d.inside {
		if of[s.label] == nil {
			names = append(names, s.label)
		}
		of[s.label] = append(of[s.label], s.text)
	}
	seen := map[string]bool{}
	for _, name := range names {
		in := intent.Intent{Name: name}
		for i, text := range of[name] {
			if i*folds/len(of[name]) == fold {
				held = append(held, labelled{text: text, label: name})
				continue
			}
			// A phrase that two intents have is learnt as one of the first.
			if form := intent.Comparable(text); form != "" && !seen[form] {
				seen[form] = true
				in.Phrases = append(in.Phrases, text)
			}
		}
		train.Intents = append(train.Intents, in)
	}
	return train, held
}

// nearEnough returns the least cosine at which the nearest neighbour is as precise
// as wanted, measured on a quarter of the training set.
func nearEnough(train intent.Set) (float64, error) {
	var part intent.Set
	var held []labelled
	for _, in := range train.Intents {
		cut := len(in.Phrases) * 3 / 4
		part.Intents = append(part.Intents, intent.Intent{Name: in.Name, Phrases: in.Phrases[:cut]})
		for _, text := range in.Phrases[cut:] {
			held = append(held, labelled{text: text, label: in.Name})
		}
	}
	m, err := intent.Train(part, goal())
	if err != nil {
		return 0, err
	}
	type found struct {
		cosine float64
		right  bool
	}
	var all []found
	for _, s := range held {
		n := m.Match(s.text).Neighbour
		all = append(all, found{n.Share, m.Name(n.Intent) == s.label})
	}
	slices.SortFunc(all, func(a, b found) int { return int(math.Copysign(1, b.cosine-a.cosine)) })
	least, right := 1.1, 0
	for i, f := range all {
		if f.right {
			right++
		}
		if float64(right) >= goal().Precision*float64(i+1) {
			least = f.cosine
		}
	}
	return least, nil
}

// counts are what is told of a matcher.
type counts struct{ inside, answered, right, outside, accepted int }

func tally(answers []answer) counts {
	var c counts
	for _, a := range answers {
		c.add(a)
	}
	return c
}

func (c *counts) add(a answer) {
	switch {
	case a.inside && a.accepted:
		c.inside++
		c.answered++
		if a.right {
			c.right++
		}
	case a.inside:
		c.inside++
	case a.accepted:
		c.outside++
		c.accepted++
	default:
		c.outside++
	}
}

// share shows n of all in percent, with the 95 % interval of Wilson.
func share(n, all int) string {
	if all == 0 {
		return "–"
	}
	const z = 1.96
	p, size := float64(n)/float64(all), float64(all)
	mid := (p + z*z/(2*size)) / (1 + z*z/size)
	half := z / (1 + z*z/size) * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	return fmt.Sprintf("%.1f %% (%.1f–%.1f)", 100*p, 100*(mid-half), 100*(mid+half))
}

// reliability draws, for each confidence, which share of the sentences that
// express an intent was understood rightly.
func reliability(answers []answer) (string, error) {
	const bins = 10
	var n, right [bins]int
	for _, a := range answers {
		if a.inside {
			b := min(int(a.confidence*bins), bins-1)
			n[b]++
			if a.right {
				right[b]++
			}
		}
	}
	c := chart.Chart{Title: "How often answers of each confidence were right", Form: chart.Lines, Unit: "%",
		Series: []chart.Series{{Name: "right"}, {Name: "stated confidence"}}}
	for b := range bins {
		c.Labels = append(c.Labels, strconv.Itoa(10*b)+"–"+strconv.Itoa(10*b+10))
		stated := money.FromInt(10*b + 5)
		c.Series[1].Values = append(c.Series[1].Values, &stated)
		var v *money.Amount
		if n[b] > 0 {
			percent := money.FromInt((200*right[b] + n[b]) / (2 * n[b]))
			v = &percent
		}
		c.Series[0].Values = append(c.Series[0].Values, v)
	}
	if err := c.Check(); err != nil {
		return "", err
	}
	return c.SVG(720, true), nil
}
