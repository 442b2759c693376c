package intent

import (
	"math/rand/v2"
	"slices"
	"sync"
)

// Goal is what a model's threshold is chosen for, from cross-validation.
type Goal struct {
	Precision float64 // of the answers to sentences that express an intent
	Accepted  float64 // at most this share of the others is accepted
	Others    float64 // the expected share of others among all sentences, for the confidence
}

// DefaultGoal is for 98.5 % precision and 4 % of the others with authors that are new to
// the model. Cross-validation within a set is a little too hopeful, so that more is
// asked of it.
func DefaultGoal() Goal { return Goal{Precision: 0.9862, Accepted: 0.03, Others: 0.1} }

const (
	folds = 3
	// Every outsiderth intent is left out of each fold, and stands for what people
	// may want that no intent covers.
	outsiders = 5
)

// Train learns a set. It is deterministic, takes seconds for 15,000 phrases, and uses up
// to four processors. A set that Set.Check refuses is its fault.Invalid error.
func Train(set Set, goal Goal) (*Model, error) {
	if err := set.Check(); err != nil {
		return nil, err
	}
	classes, intents, corpus := read(set)
	all := schedule{epochs: 10, rate: 3, drop: 0.3}
	var samples [folds][]sample
	var wg sync.WaitGroup
	for k := range folds {
		wg.Go(func() { samples[k] = validate(classes, intents, k, all) })
	}
	var learnt *scorers
	wg.Go(func() { learnt = learn(flat(classes), intents, len(classes), all, rand.New(rand.NewPCG(1, 2))) })
	wg.Wait()
	joined := balance(slices.Concat(samples[:]...))
	m := &Model{scorers: learnt, corpus: corpus, rejector: calibrate(joined, folds, goal, rand.New(rand.NewPCG(3, 4)))}
	for _, in := range set.Intents {
		m.names = append(m.names, in.Name)
	}
	return m.ready(), nil
}

// read folds the phrases of a set, without those that stand twice in an intent.
// The others, with those that are built in, are the last class.
func read(set Set) (classes [][]phrase, intents int, c *corpus) {
	c = newCorpus()
	var s sentence
	seen := map[uint64]bool{}
	take := func(class int, text string) {
		s.fold(text)
		h := s.hash(0, len(s.tokens))
		if len(s.tokens) == 0 || seen[h] {
			return
		}
		seen[h] = true
		p := phrase{class: int32(class), feats: slices.Clone(s.features())}
		c.add(&s, p.class, len(set.Intents))
		classes[class] = append(classes[class], p)
	}
	for i, in := range set.Intents {
		classes = append(classes, nil)
		for _, text := range in.Phrases {
			take(i, text)
		}
	}
	classes = append(classes, nil)
	for _, text := range set.Others {
		take(len(set.Intents), text)
	}
	for _, text := range background() {
		take(len(set.Intents), text)
	}
	return classes, len(set.Intents), c
}

func flat(classes [][]phrase) []phrase { return slices.Concat(classes...) }

// validate trains on a part of the phrases and looks at the rest, and at intents
// that were left out altogether.
func validate(classes [][]phrase, intents, fold int, s schedule) []sample {
	rng := rand.New(rand.NewPCG(5, uint64(fold)))
	// The intents that stay get new numbers.
	var train []phrase
	number := make([]int32, len(classes))
	kept := int32(0)
	left := 0
	for c := range classes {
		number[c] = -1
		if c < intents && intents > 3 && (c*7919)%max(outsiders, folds) == fold && left < intents-2 {
			left++
			continue
		}
		if c < intents {
			number[c] = kept
			kept++
		}
	}
	number[intents] = kept
	type held struct {
		phrase
		class int32 // -1 for one of no intent
		other bool
	}
	var test []held
	for c, ps := range classes {
		for i, p := range ps {
			out := i*folds/len(ps) == fold
			if len(ps) < folds {
				out = (i+c)%folds == fold && len(ps) > 1
			}
			switch {
			case number[c] < 0:
				if i%3 == fold {
					test = append(test, held{p, -1, false})
				}
			case out && c == intents:
				test = append(test, held{p, -1, true})
			case out:
				test = append(test, held{p, number[c], false})
			default:
				p.class = number[c]
				train = append(train, p)
			}
		}
	}
	l := learn(train, int(kept), int(kept)+1, s, rng)
	sc := l.newScratch()
	samples := make([]sample, 0, len(test))
	for _, h := range test {
		e := l.look(h.feats, sc)
		samples = append(samples, sample{x: e.x, right: int32(e.best) == h.class, inside: h.class >= 0,
			other: h.other, fold: fold, weight: 1})
	}
	return samples
}

// balance gives sentences of no intent the weight that they have among people's.
func balance(samples []sample) []sample {
	const share = 0.15
	outside := 0
	for _, s := range samples {
		if !s.inside {
			outside++
		}
	}
	w := share / (1 - share) * float64(len(samples)-outside) / float64(max(outside, 1))
	for i := range samples {
		if !samples[i].inside {
			samples[i].weight = min(w, 5)
		}
	}
	return samples
}
