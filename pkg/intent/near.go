package intent

import "slices"

// neighbours is how many of the nearest phrases vote.
const neighbours = 10

// near finds the phrases that are most like a sentence, by the cosine of their
// words, pairs, sounds and meanings.
type near struct {
	posts [][]int32 // by feature: the phrases that have it, in order
	size  []float32 // of each phrase: 1 / its length as a vector
	class []int32   // of each phrase
	// first is the first phrase of each class, and of one behind the last. Phrases
	// that were added later stand behind all of them.
	first []int32
}

// nearest are the phrases found, the nearest first.
type nearest struct {
	n      int
	phrase [neighbours]int32
	cosine [neighbours]float32
}

// newNear indexes phrases, which are sorted by class: feats has the distinct nearby
// features of each.
func newNear(feats [][]int32, class []int32, classes int, scale []float32) near {
	n := near{posts: make([][]int32, len(scale)), size: make([]float32, len(feats)), class: class,
		first: make([]int32, classes+1)}
	count := make([]int32, len(scale))
	total := 0
	for _, fs := range feats {
		for _, f := range fs {
			count[f]++
		}
		total += len(fs)
	}
	arena := make([]int32, total)
	next, at := count, int32(0) // where the next phrase of a feature goes
	for f, c := range count {
		n.posts[f] = arena[at : at+c : at+c]
		next[f] = at
		at += c
	}
	for p, fs := range feats {
		n.size[p] = 1 / length(fs, scale)
		for _, f := range fs {
			arena[next[f]] = int32(p)
			next[f]++
		}
	}
	for c := range n.first {
		p, _ := slices.BinarySearch(class, int32(c))
		n.first[c] = int32(p)
	}
	return n
}

func length(feats []int32, scale []float32) float32 {
	var sum float32
	for _, f := range feats {
		sum += scale[f] * scale[f]
	}
	return max(sqrt(sum), 1e-6)
}

// find returns the nearest phrases. own is the length of the sentence as a vector.
// sims has a place for each phrase.
func (n *near) find(feats []int32, scale []float32, own float32, sims []float32) nearest {
	clear(sims)
	for _, f := range feats {
		x := scale[f] * scale[f]
		for _, p := range n.posts[f] {
			sims[p] += x
		}
	}
	var out nearest
	size := n.size[:len(sims)]
	for p, s := range sims {
		if s == 0 {
			continue
		}
		s *= size[p] / own
		if out.n == neighbours && s <= out.cosine[neighbours-1] {
			continue
		}
		j := out.n
		if out.n < neighbours {
			out.n++
		} else {
			j--
		}
		for ; j > 0 && out.cosine[j-1] < s; j-- {
			out.cosine[j], out.phrase[j] = out.cosine[j-1], out.phrase[j-1]
		}
		out.cosine[j], out.phrase[j] = s, int32(p)
	}
	return out
}

// has reports whether a phrase of the class has the feature.
func (n *near) has(f, class int32) bool {
	posts := n.posts[f]
	from, to := n.first[class], n.first[class+1]
	if i, ok := slices.BinarySearch(posts, from); ok || i < len(posts) && posts[i] < to {
		return from < to
	}
	last := n.first[len(n.first)-1]
	for i := len(posts) - 1; i >= 0 && posts[i] >= last; i-- {
		if n.class[posts[i]] == class {
			return true
		}
	}
	return false
}
