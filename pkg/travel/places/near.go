package places

import "math/bits"

// misspelt returns the places with the most probable near spelling of a name.
func (d *table) misspelt(found []match, key []byte) []match {
	found = found[:0]
	most := 2
	switch {
	case len(key) < 4 || len(key) > longestNear:
		return nil
	case len(key) < 8:
		most = 1
	}
	for _, c := range key {
		if c >= 0x80 {
			return nil
		}
	}
	x := &d.index
	has := lettersOf(key)
	from, to := x.lengths[max(4, len(key)-most)], x.lengths[min(longestNear, len(key)+most)+1]
	for i, other := range x.letters[from:to] {
		if bits.OnesCount64(has^other) > 2*most {
			continue
		}
		e := &x.entries[x.near[from+i]]
		score := d.importance(e.of)
		if score < leastNear || e.of < 0 && score < largeAirport {
			continue
		}
		n := edits(e.key, key, most)
		if n > most {
			continue
		}
		score -= oneLetter * float64(n)
		if e.key[0] != key[0] {
			score -= firstLetter
		}
		if e.also {
			score -= alsoCalled
		}
		if len(found) < mostMatches {
			found = add(found, match{e.of, score, e.also})
		}
	}
	if len(found) == 0 {
		return nil
	}
	return d.rank(found, gapNear, gapNear)
}

// edits returns by how many letters two words differ: wrong, missing, too many, or
// two exchanged (optimal string alignment). It may return more than most early.
func edits(a string, b []byte, most int) int {
	var rows [3][longestNear + 2]int8
	if len(a) > longestNear || len(b) > longestNear {
		return most + 1
	}
	before, last, now := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = int8(j)
	}
	for i := 1; i <= len(a); i++ {
		now[0] = int8(i)
		least := now[0]
		for j := 1; j <= len(b); j++ {
			change := int8(1)
			if a[i-1] == b[j-1] {
				change = 0
			}
			n := min(last[j-1]+change, last[j]+1, now[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				n = min(n, before[j-2]+1)
			}
			now[j] = n
			least = min(least, n)
		}
		if int(least) > most {
			return most + 1
		}
		before, last, now = last, now, before
	}
	return int(last[len(b)])
}
