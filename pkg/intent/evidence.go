package intent

import "math"

// evidences is how many figures the rejector reads of a sentence.
const evidences = 21

// evidence says how well the scorers agree on the likeliest intent of a sentence.
type evidence struct {
	best           int // the likeliest intent
	second         int // the likeliest other class
	found          nearest
	nearest, votes float64
	x              [evidences]float64
}

// Weights of the scorers' votes.
const (
	viewWeight = 0.7
	nearWeight = 0.3
)

// look lets the scorers vote on features. The result's shares stand in sc.share.
func (l *scorers) look(feats []feature, sc *scratch) evidence {
	l.read(feats, sc)
	l.weigh(sc)
	words, letters := sc.score[byWords], sc.score[byLetters]
	e := evidence{found: l.near.find(sc.near, l.scale, sc.nearSize, sc.sims)}
	clear(sc.votes)
	var total, other float64
	for i := range e.found.n {
		x := e.found.cosine[i] * e.found.cosine[i]
		sc.votes[l.near.class[e.found.phrase[i]]] += x
		total += float64(x)
	}
	// The three votes are multiplied: a vote that is sure of an intent must not be
	// contradicted.
	top := math.Inf(-1)
	for j := range sc.share {
		v := math.Log((float64(sc.votes[j]) + 0.02) / (total + 0.02*float64(l.classes)))
		sc.share[j] = viewWeight*(words[j]+letters[j]) + nearWeight*float32(v)
		top = max(top, float64(sc.share[j]))
	}
	e.best, e.second = 0, -1
	for j := 1; j < l.intents; j++ {
		if sc.share[j] > sc.share[e.best] {
			e.best = j
		}
	}
	for j := range sc.share {
		if j != e.best && (e.second < 0 || sc.share[j] > sc.share[e.second]) {
			e.second = j
		}
	}
	best, second := e.best, e.second
	raw := func(j int) float64 { return viewWeight * float64(words[j]+letters[j]) }
	var all, alone float64
	for j := range sc.share {
		all += math.Exp(float64(sc.share[j]) - top)
		alone += math.Exp(raw(j) - raw(best))
	}
	share := math.Exp(float64(sc.share[best])-top) / all
	for j := range sc.share {
		sc.share[j] = float32(math.Exp(float64(sc.share[j])-top) / all)
	}
	for i := range e.found.n {
		c := int(l.near.class[e.found.phrase[i]])
		if x := float64(e.found.cosine[i]); c == best {
			e.nearest = max(e.nearest, x)
		} else {
			other = max(other, x)
		}
	}
	e.votes = float64(sc.votes[best]) / (total + 1e-9)
	k := l.known(feats, sc, best)
	t := l.support(sc, best, second)
	e.x = [evidences]float64{
		logit(share), raw(best), raw(best) - raw(second), math.Log(alone) + raw(best),
		e.nearest, other, e.votes, float64(e.found.cosine[0]),
		k.known, k.inside, math.Log(1 + k.words), logit(1 / alone),
		t.most, t.rest, t.against, t.words, k.pairs, k.strange, e.nearest / (float64(l.tight[best]) + 0.05),
		logit(shareOf(letters, best)), logit(shareOf(words, best)),
	}
	return e
}

func shareOf(score []float32, class int) float64 {
	var sum float64
	for _, x := range score {
		sum += math.Exp(float64(x - score[class]))
	}
	return 1 / sum
}

func logit(p float64) float64 {
	p = min(max(p, 1e-4), 1-1e-4)
	return math.Log(p / (1 - p))
}

// knowledge says how much of a sentence is known. Words count as much as they are
// rare.
type knowledge struct {
	words   float64
	known   float64 // the share of words that any phrase has
	inside  float64 // the share of words that a phrase of the intent has
	pairs   float64 // the share of pairs that a phrase of the intent has
	strange float64 // how rare the rarest word is that no phrase of the intent has
}

func (l *scorers) known(feats []feature, sc *scratch, best int) knowledge {
	var k knowledge
	var mass, pairs float64
	unseen := math.Log(float64(l.sentences) + 1)
	for _, f := range feats {
		if f.kind > kindPair && f.kind != kindMeanPair {
			continue
		}
		p := l.feats.find(f.key)
		in := p >= 0 && l.near.has(p, int32(best))
		if f.kind == kindPair || f.kind == kindMeanPair {
			pairs++
			if in {
				k.pairs++
			}
			continue
		}
		rare := unseen
		if p >= 0 {
			rare = float64(l.scale[p] / weightOf(f.kind))
			k.known += rare
		}
		mass += rare
		if in {
			k.inside += rare
		}
		if f.kind == kindWord {
			k.words++
			if !in {
				k.strange = max(k.strange, rare)
			}
		}
	}
	k.known /= mass + 1e-9
	k.inside /= mass + 1e-9
	k.pairs /= pairs + 1
	return k
}

// support says which words speak for the likeliest intent, and against the second.
type support struct {
	most    float64 // what the strongest word says for it
	rest    float64 // what all others say
	against float64 // what those say that speak against it
	words   float64 // how many speak clearly for it
}

func (l *scorers) support(sc *scratch, best, second int) support {
	var by [maxTokens]float64
	var total float64
	for i, f := range sc.feats {
		v := viewOf(l.kind[f])
		d := float64(l.scale[f] / sc.size[v] * l.unit[v] * (l.weightOn(f, best) - l.weightOn(f, second)))
		by[sc.tokens[i]] += d
		total += d
	}
	var s support
	for _, d := range by {
		s.most = max(s.most, d)
		s.against += min(d, 0)
		if d > 0.1*total && d > 0 {
			s.words++
		}
	}
	s.rest = total - s.most
	return s
}
