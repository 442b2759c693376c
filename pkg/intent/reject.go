package intent

import (
	"math"
	"math/rand/v2"
	"slices"
)

// sample is what cross-validation saw of one sentence.
type sample struct {
	x      [evidences]float64
	right  bool
	inside bool // it expresses one of the intents
	other  bool // it is one of the others; else, if not inside, of an intent that was left out
	fold   int
	weight float64
}

// rejector turns evidence into a confidence. It is a logistic regression over
// figures and their products, followed by a monotone curve.
type rejector struct {
	mean, dev [evidences]float64
	weights   []float64
	curve     []point // rising in both
	threshold float64 // of the score
}

// point says which share of the answers at a score was right.
type point struct{ score, confidence float64 }

// fewSamples is below how many samples products of figures are left out.
const fewSamples = 1500

// terms writes the figures of a sample, with their products, to out.
func (r *rejector) terms(x *[evidences]float64, products bool, out []float64) []float64 {
	out = append(out[:0], 1)
	for i, v := range x {
		out = append(out, max(-5, min(5, (v-r.mean[i])/r.dev[i])))
	}
	if products {
		for i := 1; i <= evidences; i++ {
			for j := i; j <= evidences; j++ {
				out = append(out, 0.5*max(-4, min(4, out[i]*out[j])))
			}
		}
	}
	return out
}

const allTerms = 1 + evidences + evidences*(evidences+1)/2

// score returns the score of evidence, which rises with the confidence.
func (r *rejector) score(x *[evidences]float64) float64 {
	var room [allTerms]float64
	var sum float64
	for i, t := range r.terms(x, len(r.weights) == allTerms, room[:0]) {
		sum += t * r.weights[i]
	}
	return sum
}

// confidence returns the share of answers of this score that were right.
func (r *rejector) confidence(score float64) float64 {
	i, _ := slices.BinarySearchFunc(r.curve, score, func(p point, s float64) int {
		if p.score < s {
			return -1
		}
		return 1
	})
	switch {
	case len(r.curve) == 0:
		return 0
	case i == 0:
		return r.curve[0].confidence
	case i == len(r.curve):
		return r.curve[i-1].confidence
	}
	a, b := r.curve[i-1], r.curve[i]
	return a.confidence + (b.confidence-a.confidence)*(score-a.score)/(b.score-a.score)
}

// fitRejector trains one on samples.
func fitRejector(samples []sample, rng *rand.Rand) *rejector {
	r := &rejector{}
	n := float64(len(samples))
	for _, s := range samples {
		for i, v := range s.x {
			r.mean[i] += v / n
		}
	}
	for _, s := range samples {
		for i, v := range s.x {
			r.dev[i] += (v - r.mean[i]) * (v - r.mean[i]) / n
		}
	}
	for i := range r.dev {
		r.dev[i] = math.Sqrt(r.dev[i]) + 1e-6
	}
	products := len(samples) >= fewSamples
	rows := make([][]float64, len(samples))
	for i := range samples {
		rows[i] = r.terms(&samples[i].x, products, nil)
	}
	r.weights = make([]float64, len(rows[0]))
	seen := make([]float64, len(r.weights))
	shrink := 1e-4 + 1/n
	const epochs = 12
	for epoch := range epochs {
		rate := 0.1 * (1 - float64(epoch)/(epochs+1))
		for range samples {
			k := rng.IntN(len(samples))
			var sum, want float64
			for i, t := range rows[k] {
				sum += t * r.weights[i]
			}
			if samples[k].right {
				want = 1
			}
			g := (1/(1+math.Exp(-sum)) - want) * samples[k].weight
			for i, t := range rows[k] {
				d := g*t + shrink*r.weights[i]
				seen[i] += d * d
				r.weights[i] -= rate * d / (0.1 + math.Sqrt(seen[i]))
			}
		}
	}
	return r
}

// judged is a sample with its score.
type judged struct {
	score float64
	sample
}

// calibrate trains a rejector, its curve and its threshold. Each sample is judged
// by a rejector that hasn't seen its fold.
func calibrate(samples []sample, folds int, goal Goal, rng *rand.Rand) *rejector {
	var all []judged
	for k := range folds {
		var rest []sample
		for _, s := range samples {
			if s.fold != k {
				rest = append(rest, s)
			}
		}
		if len(rest) == 0 {
			continue
		}
		r := fitRejector(rest, rng)
		for i := range samples {
			if samples[i].fold == k {
				all = append(all, judged{r.score(&samples[i].x), samples[i]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b judged) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	r := fitRejector(samples, rng)
	r.curve = monotone(all, goal.Others)
	r.threshold = goal.threshold(all)
	return r
}

// threshold returns the least score at which answers are as precise as wanted.
func (g Goal) threshold(all []judged) float64 {
	// Intents that were left out are more like those that stayed than what people
	// ask otherwise, so that only the others are counted against the goal.
	var outside int
	for _, j := range all {
		if j.other {
			outside++
		}
	}
	best := math.Inf(1)
	if len(all) > 0 {
		best = all[0].score + 1
	}
	right, answered, accepted := 0, 0, 0
	for _, j := range all {
		if j.inside {
			answered++
			if j.right {
				right++
			}
		} else if j.other {
			accepted++
		}
		if float64(accepted) > g.Accepted*float64(outside)+1 {
			break
		}
		// One more error than was seen is allowed for.
		if float64(right) >= g.Precision*float64(answered+1) {
			best = j.score
		}
	}
	return best
}

// block is neighbouring samples of one confidence, as sums of weights.
type block struct{ score, weight, right float64 }

func (b block) share() float64 { return b.right / b.weight }

// monotone returns the curve of confidence: isotonic regression over samples in
// falling order, in at most 40 points.
func monotone(all []judged, others float64) []point {
	var inside, outside float64
	for _, j := range all {
		if j.inside {
			inside++
		} else {
			outside++
		}
	}
	weight := 1.0
	if outside > 0 {
		weight = others / (1 - others) * inside / outside
	}
	const most = 40
	size := max(len(all)/most, 12)
	var blocks []block
	for from := len(all); from > 0; from -= size { // rising
		b := block{}
		for _, j := range all[max(0, from-size):from] {
			w := 1.0
			if !j.inside {
				w = weight
			}
			b.score += j.score * w
			b.weight += w
			if j.right {
				b.right += w
			}
		}
		if b.weight == 0 {
			continue
		}
		blocks = append(blocks, b)
		for n := len(blocks); n > 1 && blocks[n-2].share() >= blocks[n-1].share(); n-- {
			blocks[n-2].score += blocks[n-1].score
			blocks[n-2].weight += blocks[n-1].weight
			blocks[n-2].right += blocks[n-1].right
			blocks = blocks[:n-1]
		}
	}
	var out []point
	for _, b := range blocks {
		// Nothing is certain: one answer of a block may yet be wrong.
		p := point{b.score / b.weight, b.right / (b.weight + 1)}
		if n := len(out); n > 0 && (p.score <= out[n-1].score || p.confidence <= out[n-1].confidence) {
			continue
		}
		out = append(out, p)
	}
	return out
}
