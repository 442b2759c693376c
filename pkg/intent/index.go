package intent

import "sync"

// wordPlaces are the places of the nearby features that a word has wherever it stands;
// -1 for one that the model doesn't know.
type wordPlaces struct{ word, sound, mean int32 }

// index makes the index of phrases, which follows from their words.
func (m *Model) index() {
	c := m.corpus
	// Of a word that stands in many phrases, these are looked up once.
	places := make([]wordPlaces, len(c.lexes))
	for i, w := range c.lexes {
		places[i] = wordPlaces{m.place(kindWord, w.hash), -1, -1}
		if w.sound != 0 {
			places[i].sound = m.place(kindSound, w.sound)
		}
		if w.known {
			places[i].mean = m.place(kindMean, w.mean)
		}
	}
	// Two halves at once: most of the time goes into waiting for memory.
	feats := make([][]int32, len(c.rows))
	half := len(feats) / 2
	var first sync.WaitGroup
	first.Go(func() { m.nearbyOf(places, c.rows[:half], feats[:half]) })
	m.nearbyOf(places, c.rows[half:], feats[half:])
	first.Wait()
	begins := m.near.first
	m.near = newNear(feats, c.class, m.classes, m.scale)
	m.near.first = begins
}

// place returns the place of a feature; -1 for an unknown one.
func (m *Model) place(kind uint8, h uint64) int32 {
	if f := m.feats.find(mix(kind, h)); f >= 0 && m.kind[f] == kind {
		return f
	}
	return -1
}

// nearbyOf fills feats with the nearby features of phrases: those of wordFeatures, in
// the same order, since the length of a phrase is a sum of them.
func (m *Model) nearbyOf(places []wordPlaces, rows, feats [][]int32) {
	lexes := m.corpus.lexes
	arena := make([]int32, 0, len(rows)*40)
	stamp := make([]int32, len(m.kind)) // by feature: the last phrase that has it, from 1
	for p, row := range rows {
		begin := len(arena)
		keep := func(f int32) {
			if f >= 0 && stamp[f] != int32(p)+1 {
				stamp[f] = int32(p) + 1
				arena = append(arena, f)
			}
		}
		before := markBegin
		for i, n := range row {
			w := &lexes[n]
			keep(places[n].word)
			keep(places[n].sound)
			keep(places[n].mean)
			after := markEnd
			if i+1 < len(row) {
				after = lexes[row[i+1]].hash
			}
			if i == 0 {
				keep(m.place(kindPair, markBegin+31*w.hash))
			}
			keep(m.place(kindMeanPair, before*41+w.mean))
			keep(m.place(kindPair, w.hash*31+after))
			before = w.mean
		}
		feats[p] = arena[begin:len(arena):len(arena)]
	}
}
