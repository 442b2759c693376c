package rest

import (
	"math"
	"strings"
)

// closest returns the candidate most like name, if it is at least as alike as
// min (1 is equal); it feeds the hints "Perhaps you meant …".
func closest(name string, candidates []string, min float64) string {
	best, score := "", 0.0
	for _, c := range candidates {
		if s := likeness(strings.ToLower(name), strings.ToLower(c)); s >= min && s > score {
			best, score = c, s
		}
	}
	return best
}

// likeness is the better of two measures: the cosine of the two- and
// three-letter shingles, and one minus the edit distance over the longer length.
func likeness(a, b string) float64 {
	if a == b {
		return 1
	}
	cosine := 0.0
	for _, n := range []int{2, 3} {
		cosine = math.Max(cosine, shingleCosine(a, b, n))
	}
	longest := max(len(a), len(b))
	edit := 1 - float64(editDistance(a, b))/float64(max(longest, 1))
	if cosine < 0.33 {
		return 0
	}
	return edit
}

func shingleCosine(a, b string, n int) float64 {
	count := func(s string) map[string]float64 {
		m := map[string]float64{}
		s = "-" + s + "-"
		for i := 0; i+n <= len(s); i++ {
			m[s[i:i+n]]++
		}
		return m
	}
	x, y := count(a), count(b)
	dot, nx, ny := 0.0, 0.0, 0.0
	for k, v := range x {
		dot += v * y[k]
		nx += v * v
	}
	for _, v := range y {
		ny += v * v
	}
	if nx == 0 || ny == 0 {
		return 0
	}
	return dot / math.Sqrt(nx*ny)
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			next := min(row[j]+1, row[j-1]+1, diagonal)
			if a[i-1] != b[j-1] {
				next = min(row[j]+1, row[j-1]+1, diagonal+1)
			}
			diagonal, row[j] = row[j], next
		}
	}
	return row[len(b)]
}
