package intent

import (
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Steps with which a phrase that was added is learnt.
const (
	addSteps = 8
	addShare = 0.8 // the share of its intent from which no step is needed
)

// Phrase is a phrase of an intent.
type Phrase struct{ Intent, Text string }

// Add returns a model that knows one more phrase of an intent. The receiver stays
// as it is. The threshold isn't measured again; after many phrases, Train is the
// better way. An unknown intent, and a phrase that another intent has, is a
// fault.Invalid error.
func (m *Model) Add(intent, text string) (*Model, error) {
	out, refused := m.Extend([]Phrase{{intent, text}})
	if len(refused) > 0 {
		return nil, refused[0]
	}
	if len(out.corpus.rows) == len(m.corpus.rows) {
		return m, nil // it knew the phrase
	}
	return out, nil
}

// Extend returns a model that knows all of the phrases that Add would take, and the
// errors of those that it would refuse. It copies the model once.
func (m *Model) Extend(phrases []Phrase) (out *Model, refused []error) {
	l := *m.scorers
	l.detach()
	out = &Model{scorers: &l, rejector: m.rejector, corpus: m.corpus.clone(), names: m.names}
	for _, p := range phrases {
		if err := out.take(p); err != nil {
			refused = append(refused, err)
		}
	}
	return out.ready(), refused
}

// take adds a phrase to a model that is not shared yet.
func (m *Model) take(p Phrase) error {
	c := m.Find(p.Intent)
	if c < 0 {
		return fault.New(fault.Invalid, "There is no intent %q.", p.Intent)
	}
	if err := checkPhrase(p.Text, p.Intent); err != nil {
		return err
	}
	var s sentence
	s.fold(p.Text)
	if len(s.tokens) == 0 {
		return fault.New(fault.Invalid, "The phrase %q has no word.", p.Text)
	}
	if other, ok := m.corpus.whole[s.hash(0, len(s.tokens))]; ok {
		if int(other) == c {
			return nil
		}
		return fault.New(fault.Invalid, "The phrase %q stands in the intent %q already. Keep it in one of them.",
			p.Text, m.names[other])
	}
	if len(m.corpus.rows) >= MaxPhrases {
		return fault.New(fault.Invalid, "There are %d phrases; more are not possible.", MaxPhrases)
	}
	m.corpus.add(&s, int32(c), m.intents)
	m.scorers.extend(s.features(), c)
	return nil
}

// detach makes what extend changes the receiver's own.
func (l *scorers) detach() {
	l.feats, l.kind, l.scale = l.feats.clone(), slices.Clip(l.kind), slices.Clip(l.scale)
	l.rows, l.near.posts = slices.Clone(l.rows), slices.Clone(l.near.posts)
	l.near.class, l.near.size = slices.Clip(l.near.class), slices.Clip(l.near.size)
}

// extend learns one more phrase. l is detached; the rows and posts in it are still
// those of the original, so each is copied before it changes.
func (l *scorers) extend(feats []feature, class int) {
	for _, f := range feats {
		if f.kind == kindWord && l.feats.find(f.key) < 0 {
			l.feats.add(f.key)
			l.kind = append(l.kind, f.kind)
			l.scale = append(l.scale, scaleOf(f.kind, 1, l.sentences))
			l.rows = append(l.rows, nil)
			l.near.posts = append(l.near.posts, nil)
		}
	}
	sc := l.newScratch()
	l.read(feats, sc)
	phrase := int32(len(l.near.class))
	for _, f := range sc.near {
		l.near.posts[f] = slices.Clip(append(slices.Clip(l.near.posts[f]), phrase))
	}
	l.near.class = append(l.near.class, int32(class))
	l.near.size = append(l.near.size, 1/sc.nearSize)
	l.sentences++
	for range addSteps {
		l.weigh(sc)
		enough := true
		for v := range views {
			score := sc.score[v]
			softmax(score)
			if score[class] >= addShare {
				continue
			}
			enough = false
			for _, f := range sc.feats {
				if viewOf(l.kind[f]) != v {
					continue
				}
				x := l.scale[f] / sc.size[v]
				for j, p := range score {
					g := p
					if j == class {
						g--
					}
					if step := quantised(-2*g*x, l.unit[v]); step != 0 {
						l.rows[f] = moved(l.rows[f], j, int(step))
					}
				}
			}
		}
		if enough {
			return
		}
	}
}

// moved returns a row in which the weight for a class is higher by step.
func moved(row []cell, class, step int) []cell {
	i, ok := slices.BinarySearchFunc(row, class, func(c cell, class int) int { return int(c.class) - class })
	at := 0
	if ok {
		at = int(row[i].w)
	}
	w := int8(max(-127, min(127, at+step)))
	row = slices.Clone(row)
	if ok {
		row[i].w = w
		return row
	}
	return slices.Insert(row, i, cell{uint16(class), w})
}
