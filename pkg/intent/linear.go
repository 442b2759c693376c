package intent

import (
	"math"
	"math/rand/v2"
	"slices"
)

// The two linear scorers: one reads words, the other letters and sounds.
const (
	byWords = iota
	byLetters
	views
)

func viewOf(kind uint8) int {
	if spelt(kind) {
		return byLetters
	}
	return byWords
}

// example is a phrase as one view sees it: a vector of length 1. A nil vector is a
// phrase without a known feature.
type example struct {
	class  int32
	feats  []int32 // places within the view
	vals   []float32
	tokens []uint8
}

// dense is a linear model while it is being trained.
type dense struct {
	classes int
	w       []float32 // [feature][class]
	bias    []float32
}

// schedule is how a linear model is trained.
type schedule struct {
	epochs int
	rate   float32
	drop   float32 // the share of words that are hidden in each step
}

// fit trains a multinomial logistic regression by stochastic gradient descent
// with a falling rate for each feature. Hiding words makes it rely on several of
// them, which its confidence depends on.
func fit(examples []example, features, classes int, s schedule, rng *rand.Rand) *dense {
	m := &dense{classes: classes, w: make([]float32, features*classes), bias: make([]float32, classes)}
	seen := make([]float32, features) // squared gradients
	score := make([]float32, classes)
	hot := make([]int32, 0, classes) // the classes with a gradient
	vals := make([]float32, 0, maxFeatures)
	order := rng.Perm(len(examples))
	for epoch := range s.epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		rate := s.rate * (1 - 0.9*float32(epoch)/float32(s.epochs))
		for _, n := range order {
			ex := examples[n]
			var hidden [maxTokens]bool
			for i := range hidden {
				hidden[i] = rng.Float32() < s.drop
			}
			vals = vals[:0]
			for i, x := range ex.vals {
				if hidden[ex.tokens[i]] {
					x = 0
				}
				vals = append(vals, x)
			}
			m.scores(ex.feats, vals, score)
			softmax(score)
			score[ex.class]--
			var norm float32
			hot = hot[:0]
			for j, g := range score {
				if g < 0.001 && g > -0.001 {
					continue
				}
				hot = append(hot, int32(j))
				norm += g * g
				m.bias[j] -= rate * 0.02 * g
			}
			if norm < 1e-5 {
				continue
			}
			for i, f := range ex.feats {
				x := vals[i]
				if x == 0 {
					continue
				}
				seen[f] += x * x * norm
				step := rate * x / (0.1 + sqrt(seen[f]))
				row := m.w[int(f)*classes : (int(f)+1)*classes]
				for _, j := range hot {
					row[j] -= step * score[j]
				}
			}
		}
	}
	return m
}

// scores writes the score of each class to out.
func (m *dense) scores(feats []int32, vals, out []float32) {
	copy(out, m.bias)
	for i, f := range feats {
		x := vals[i]
		if x == 0 {
			continue
		}
		row := m.w[int(f)*m.classes : (int(f)+1)*m.classes]
		out := out[:len(row)]
		j := 0
		for ; j+4 <= len(row); j += 4 {
			r, o := row[j:j+4:j+4], out[j:j+4:j+4]
			o[0] += x * r[0]
			o[1] += x * r[1]
			o[2] += x * r[2]
			o[3] += x * r[3]
		}
		for ; j < len(row); j++ {
			out[j] += x * row[j]
		}
	}
}

// cell is a weight of a sparse row: the class, and the weight in units of its view.
type cell struct {
	class uint16
	w     int8
}

// cellsPerModel bounds the weights that are kept of both views, so that an
// artefact stays small; the least ones are dropped.
const cellsPerModel = 540_000

// sparse returns the rows of a trained model as bytes, with the unit of a weight.
// Weights that make no difference are left out.
func (m *dense) sparse(most int) (rows [][]cell, unit float32) {
	size := make([]float32, 0, len(m.w)/8)
	var top float32
	for _, x := range m.w {
		if x = abs(x); x > 0.02 {
			size = append(size, x)
			top = max(top, x)
		}
	}
	least := float32(0.02)
	if len(size) > most {
		slices.Sort(size)
		least = size[len(size)-most]
	}
	if len(size) > 0 {
		// A few large weights are cut, so that the many small ones keep their digits.
		slices.Sort(size)
		top = min(top, size[len(size)-1-len(size)/2000]*1.2)
	}
	unit = max(top, 1e-3) / 127
	rows = make([][]cell, len(m.w)/m.classes)
	var arena []cell
	for f := range rows {
		begin := len(arena)
		for j, x := range m.w[f*m.classes : (f+1)*m.classes] {
			if abs(x) < least {
				continue
			}
			if q := quantised(x, unit); q != 0 {
				arena = append(arena, cell{uint16(j), q})
			}
		}
		rows[f] = arena[begin:len(arena):len(arena)]
	}
	return rows, unit
}

func quantised(x, unit float32) int8 {
	return int8(max(-127, min(127, math.Round(float64(x/unit)))))
}

func softmax(s []float32) {
	top := slices.Max(s)
	var sum float32
	for i, x := range s {
		e := float32(math.Exp(float64(x - top)))
		s[i] = e
		sum += e
	}
	for i := range s {
		s[i] /= sum
	}
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

func abs(x float32) float32 {
	if x < 0 {
		return -x
	}
	return x
}
