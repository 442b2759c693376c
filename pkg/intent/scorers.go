package intent

import (
	"math"
	"math/rand/v2"
	"slices"
)

// scorers are what has been learnt of phrases: the two linear models and the
// nearest phrases. The rejector stands beside them.
type scorers struct {
	classes   int // the class of the others included, where there is one
	intents   int // classes that are intents
	feats     *table
	kind      []uint8
	scale     []float32 // by feature: how rare it is × the weight of its kind
	rows      [][]cell  // by feature
	unit      [views]float32
	bias      [views][]float32
	near      near
	tight     []float32 // by class: how near a phrase is to the nearest of the others
	sentences int
}

// phrase is one of a set, folded.
type phrase struct {
	class int32
	feats []feature
}

// leastSeen is how many phrases must have a feature that is no word, so that it is
// learnt.
const leastSeen = 2

// learn trains scorers on phrases that are sorted by class.
func learn(phrases []phrase, intents, classes int, s schedule, rng *rand.Rand) *scorers {
	l := &scorers{classes: classes, intents: intents, sentences: len(phrases)}
	l.choose(phrases)
	var examples [views][]example
	places := make([]int32, len(l.kind)) // of each feature within its view
	var count [views]int
	for f, k := range l.kind {
		places[f] = int32(count[viewOf(k)])
		count[viewOf(k)]++
	}
	nearFeats := make([][]int32, len(phrases))
	class := make([]int32, len(phrases))
	sc := l.newScratch()
	for i, p := range phrases {
		class[i] = p.class
		l.read(p.feats, sc)
		nearFeats[i] = slices.Clone(sc.near)
		for v := range views {
			ex := example{class: p.class}
			for j, f := range sc.feats {
				if viewOf(l.kind[f]) == v {
					ex.feats = append(ex.feats, places[f])
					ex.vals = append(ex.vals, l.scale[f]/sc.size[v])
					ex.tokens = append(ex.tokens, sc.tokens[j])
				}
			}
			examples[v] = append(examples[v], ex)
		}
	}
	l.rows = make([][]cell, len(l.kind))
	for v := range views {
		m := fit(examples[v], count[v], classes, s, rng)
		rows, unit := m.sparse(cellsPerModel / views)
		l.unit[v], l.bias[v] = unit, m.bias
		for f, k := range l.kind {
			if viewOf(k) == v {
				l.rows[f] = rows[places[f]]
			}
		}
	}
	l.near = newNear(nearFeats, class, classes, l.scale)
	l.tighten(nearFeats)
	return l
}

// choose chooses the features that are learnt, and says how much each counts.
func (l *scorers) choose(phrases []phrase) {
	type seen struct {
		n    int32
		last int32
		kind uint8
	}
	index := newTable(1 << 12)
	var all []seen
	var keys []uint32
	for i, p := range phrases {
		for _, f := range p.feats {
			at := index.add(f.key)
			if int(at) == len(all) {
				all = append(all, seen{kind: f.kind, last: -1})
				keys = append(keys, f.key)
			}
			if all[at].last != int32(i) {
				all[at].last = int32(i)
				all[at].n++
			}
		}
	}
	l.feats = newTable(len(all))
	for at, s := range all {
		if s.n >= leastSeen || s.kind == kindWord {
			l.feats.add(keys[at])
			l.kind = append(l.kind, s.kind)
			l.scale = append(l.scale, scaleOf(s.kind, int(s.n), len(phrases)))
		}
	}
}

// scaleSteps are the steps of a scale between two whole numbers; an artefact keeps a
// scale in 16 bits.
const scaleSteps = 4096

// scaleOf returns how much a feature counts that n of so many phrases have.
func scaleOf(kind uint8, n, of int) float32 {
	x := weightOf(kind) * float32(math.Log(float64(1+of)/float64(1+n))+0.05)
	return float32(math.Round(float64(x)*scaleSteps)) / scaleSteps
}

// scratch is the memory of one match.
type scratch struct {
	sentence sentence
	stamp    []uint32 // by feature: the match that saw it last
	match    uint32
	feats    []int32 // the known features, each once
	tokens   []uint8
	near     []int32 // those of feats that are compared with phrases
	size     [views]float32
	nearSize float32
	score    [views][]float32
	share    []float32
	votes    []float32
	sims     []float32
}

func (l *scorers) newScratch() *scratch {
	sc := &scratch{stamp: make([]uint32, len(l.kind)), share: make([]float32, l.classes),
		votes: make([]float32, l.classes), sims: make([]float32, len(l.near.class))}
	for v := range views {
		sc.score[v] = make([]float32, l.classes)
	}
	return sc
}

// read finds the known ones of features.
func (l *scorers) read(feats []feature, sc *scratch) {
	if sc.match++; sc.match == 0 {
		clear(sc.stamp)
		sc.match = 1
	}
	sc.feats, sc.tokens, sc.near = sc.feats[:0], sc.tokens[:0], sc.near[:0]
	var sum [views]float32
	var nearSum float32
	for _, f := range feats {
		p := l.feats.find(f.key)
		if p < 0 || sc.stamp[p] == sc.match || l.kind[p] != f.kind {
			continue
		}
		sc.stamp[p] = sc.match
		sc.feats = append(sc.feats, p)
		sc.tokens = append(sc.tokens, f.token)
		x := l.scale[p] * l.scale[p]
		sum[viewOf(f.kind)] += x
		if nearby(f.kind) {
			sc.near = append(sc.near, p)
			nearSum += x
		}
	}
	for v := range views {
		sc.size[v] = max(sqrt(sum[v]), 1e-6)
	}
	sc.nearSize = max(sqrt(nearSum), 1e-6)
}

// weigh computes the scores of both linear models.
func (l *scorers) weigh(sc *scratch) {
	for v := range views {
		copy(sc.score[v], l.bias[v])
	}
	for _, f := range sc.feats {
		v := viewOf(l.kind[f])
		x := l.scale[f] / sc.size[v] * l.unit[v]
		out := sc.score[v]
		for _, c := range l.rows[f] {
			out[c.class] += x * float32(c.w)
		}
	}
}

// weightOn returns the weight of a feature for a class.
func (l *scorers) weightOn(f int32, class int) float32 {
	row := l.rows[f]
	i, ok := slices.BinarySearchFunc(row, class, func(c cell, class int) int { return int(c.class) - class })
	if !ok {
		return 0
	}
	return float32(row[i].w)
}

// tighten measures how near phrases of a class are to each other.
func (l *scorers) tighten(feats [][]int32) {
	const most = 20 // phrases of a class that are looked at
	l.tight = make([]float32, l.classes)
	sims := make([]float32, len(feats))
	for c := range l.tight {
		from, to := int(l.near.first[c]), int(l.near.first[c+1])
		step := max(1, (to-from)/most)
		n := float32(0)
		for p := from; p < to; p += step {
			found := l.near.find(feats[p], l.scale, length(feats[p], l.scale), sims)
			for j := range found.n {
				if q := found.phrase[j]; q != int32(p) && l.near.class[q] == int32(c) {
					l.tight[c] += found.cosine[j]
					break
				}
			}
			n++
		}
		l.tight[c] /= max(n, 1)
	}
}
