package places

import "math/bits"

// mostEdits returns in how many letters a near spelling may differ.
func mostEdits[T string | []byte](key T) int {
	if len(key) < 8 {
		return 1
	}
	return 2
}

// misspelt returns the places with the most probable spelling of a name that differs
// in at most so many letters.
func (d *table) misspelt(found []match, key []byte, most int) []match {
	found = found[:0]
	if len(key) < 5 || len(key) > longestNear {
		return nil
	}
	for _, c := range key {
		if c >= 0x80 {
			return nil
		}
	}
	has := lettersOf(key)
	for edits := 1; edits <= most; edits++ {
		for length := max(4, len(key)-edits); length <= min(longestNear, len(key)+edits); length++ {
			found = d.misspeltOf(found, key, has, length, edits)
		}
		if len(found) > 0 { // two wrong letters are not looked for where one explains it
			return d.rank(found, gapNear, gapNear)
		}
	}
	return nil
}

// misspeltOf adds the places whose names have a length.
func (d *table) misspeltOf(found []match, key []byte, has uint64, length, most int) []match {
	x, names := &d.index, d.index.near()
	// A missing letter changes one bit of letters, a wrong one two.
	bitsApart := 2*most - max(length-len(key), len(key)-length)
	from, to := names.lengths[length], names.lengths[length+1]
	for i, other := range names.letters[from:to] {
		if bits.OnesCount64(has^other) > bitsApart {
			continue
		}
		e := &x.entries[names.entries[from+i]]
		score := d.importance(e.of)
		if score < leastNear || e.of < 0 && score < largeAirport {
			continue
		}
		// In a short word one letter makes another name.
		if len(key) < 7 && (e.also || e.key[0] != key[0] || score < leastShort) {
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
	return found
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
