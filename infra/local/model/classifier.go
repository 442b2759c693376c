package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// classifier tells which of several labels a set of signs has: multinomial
// logistic regression, trained once and read afterwards.
type classifier struct {
	signs  map[string]int
	labels []string
	w      []float64 // by sign, then by label
}

// sample is a set of signs whose label is known.
type sample struct {
	signs  []string
	label  string
	weight float64
}

// How long and how fast it learns, and how much it holds back.
const (
	epochs = 12
	rate   = 0.6
	decay  = 3e-4
)

// value is how strong a sign is in a text: its place among those that training or asking knows.
type value struct {
	sign int
	x    float64
}

// train returns a classifier for these samples. The same samples in the same order give the
// same classifier.
func train(samples []sample) *classifier {
	c := &classifier{signs: map[string]int{}}
	labels := map[string]int{}
	type row struct {
		values []value
		label  int
		weight float64
	}
	rows := make([]row, len(samples))
	for i, s := range samples {
		at, known := labels[s.label]
		if !known {
			at = len(c.labels)
			labels[s.label], c.labels = at, append(c.labels, s.label)
		}
		for _, sign := range s.signs {
			if _, known := c.signs[sign]; !known {
				c.signs[sign] = len(c.signs)
			}
		}
		values, _ := c.valuesOf(s.signs)
		rows[i] = row{values, at, s.weight}
	}
	// Any order will do that mixes the labels and is always the same.
	mix := rand.New(rand.NewPCG(1, 2))
	mix.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	k := len(c.labels)
	c.w = make([]float64, len(c.signs)*k)
	seen := make([]float64, len(c.w)) // sums of squares, for AdaGrad
	scores := make([]float64, k)
	for range epochs {
		for _, r := range rows {
			c.score(r.values, scores)
			softmax(scores)
			scores[r.label]--
			for _, v := range r.values {
				w, g2 := c.w[v.sign*k:v.sign*k+k], seen[v.sign*k:v.sign*k+k]
				for j, p := range scores {
					if p < 5e-4 && p > -5e-4 {
						continue
					}
					g := r.weight*p*v.x + decay*w[j]
					g2[j] += g * g
					w[j] -= rate * g / (0.01 + math.Sqrt(g2[j]))
				}
			}
		}
	}
	return c
}

// valuesOf returns the known signs with their strengths, which add up to length
// one with those that are not known, and the share that is known.
func (c *classifier) valuesOf(signs []string) (out []value, known float64) {
	sum, found := 0.0, 0.0
	for _, s := range signs {
		x := strength(s)
		sum += x * x
		if n, ok := c.signs[s]; ok {
			out = append(out, value{n, x})
			found += x * x
		}
	}
	for i := range out {
		out[i].x /= math.Sqrt(sum)
	}
	if sum == 0 {
		return nil, 0
	}
	return out, found / sum
}

// strength is how much a sign tells: little for a word without a meaning, and less for
// two side by side than for one of them.
func strength(sign string) float64 {
	kind, rest, single := strings.Cut(sign, ":")
	switch {
	case !single || strings.Contains(kind, " "):
		return 0.6
	case kind == "p":
		return 0.5
	case stopped[rest]:
		return 0.35
	case kind == "w":
		return 0.6
	case rest[0] == '<':
		return 0.6
	}
	return 1
}

// score sums the weights of values into scores.
func (c *classifier) score(values []value, scores []float64) {
	clear(scores)
	k := len(c.labels)
	for _, v := range values {
		for j, w := range c.w[v.sign*k : v.sign*k+k] {
			scores[j] += v.x * w
		}
	}
}

// of returns how likely each label is, and the share of the signs that are known.
func (c *classifier) of(signs []string) (likely map[string]float64, known float64) {
	values, known := c.valuesOf(signs)
	likely = map[string]float64{}
	if len(values) == 0 || len(c.labels) == 0 {
		return likely, 0
	}
	scores := make([]float64, len(c.labels))
	c.score(values, scores)
	softmax(scores)
	for i, l := range c.labels {
		likely[l] = scores[i]
	}
	return likely, known
}

// softmax turns scores into shares that add up to one.
func softmax(scores []float64) {
	top, sum := slices.Max(scores), 0.0
	for i, s := range scores {
		scores[i] = math.Exp(s - top)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}
