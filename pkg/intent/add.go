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

// Add returns a model that knows one more phrase of an intent. The receiver stays
// as it is. The threshold isn't measured again; after many phrases, Train is the
// better way. An unknown intent, and a phrase that another intent has, is a
// fault.Invalid error.
func (m *Model) Add(intent, text string) (*Model, error) {
	c := m.Find(intent)
	if c < 0 {
		return nil, fault.New(fault.Invalid, "There is no intent %q.", intent)
	}
	if err := checkPhrase(text, intent); err != nil {
		return nil, err
	}
	var s sentence
	s.fold(text)
	if len(s.tokens) == 0 {
		return nil, fault.New(fault.Invalid, "The phrase %q has no word.", text)
	}
	if other, ok := m.corpus.whole[s.hash(0, len(s.tokens))]; ok {
		if int(other) == c {
			return m, nil
		}
		return nil, fault.New(fault.Invalid, "The phrase %q stands in the intent %q already. Keep it in one of them.",
			text, m.names[other])
	}
	if len(m.corpus.rows) >= MaxPhrases {
		return nil, fault.New(fault.Invalid, "There are %d phrases; more are not possible.", MaxPhrases)
	}
	l := *m.scorers
	out := &Model{scorers: &l, rejector: m.rejector, corpus: m.corpus.clone(), names: m.names}
	out.corpus.add(&s, int32(c), m.intents)
	l.extend(s.features(), c)
	return out.ready(), nil
}

// extend learns one more phrase. l is a copy whose slices are still those of the
// original, so every change is made in a copy of what it changes.
func (l *scorers) extend(feats []feature, class int) {
	l.feats, l.kind, l.scale = l.feats.clone(), slices.Clip(l.kind), slices.Clip(l.scale)
	l.rows, l.near.posts = slices.Clone(l.rows), slices.Clone(l.near.posts)
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
	l.near.class = append(slices.Clip(l.near.class), int32(class))
	l.near.size = append(slices.Clip(l.near.size), 1/sc.nearSize)
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
