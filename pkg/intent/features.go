package intent

// The kinds of features. The kind is a part of a feature's hash.
const (
	kindWord     = iota // a word, or the kind of an entity
	kindSound           // a word as it sounds, in whatever spelling
	kindPair            // two neighbouring words
	kindMean            // the group of words that mean nearly the same
	kindMeanPair        // two neighbouring meanings
	kindTwo             // two words with one between them
	kindFirst           // the first word
	kindGram            // three to five letters of a word
	kinds
)

// weightOf returns how much a feature of a kind counts.
func weightOf(kind uint8) float32 {
	return [kinds]float32{kindWord: 1, kindSound: 0.6, kindPair: 0.7, kindMean: 0.6, kindMeanPair: 0.4, kindTwo: 0.35,
		kindFirst: 0.4, kindGram: 0.35}[kind]
}

// spelt reports whether the features of a kind belong to the scorer that reads
// letters and sounds; the others belong to the one that reads words.
func spelt(kind uint8) bool { return kind == kindGram || kind == kindSound }

// nearby reports whether the features of a kind are compared with phrases.
func nearby(kind uint8) bool { return kind <= kindMeanPair }

// maxFeatures bounds the features of one sentence.
const maxFeatures = 900

// feature is one of a sentence.
type feature struct {
	key   uint32
	kind  uint8
	token uint8 // the first token that it is made of
}

// mix returns the key of a feature.
func mix(kind uint8, h uint64) uint32 {
	h ^= (uint64(kind) + 1) * 0x9E3779B97F4A7C15
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return uint32(h>>32) | 1
}

// lexeme is a word with what is derived from it alone.
type lexeme struct {
	hash, sound, mean uint64
	known             bool // it stands in a group of meanings
}

// lexemeOf returns a token with its derived parts.
func (s *sentence) lexemeOf(t token, groups map[uint64]uint64) lexeme {
	l := lexeme{hash: t.hash, mean: t.hash}
	if g, ok := groups[t.hash]; ok {
		l.mean, l.known = g, true
	}
	if t.class == word {
		var room [maxWord]byte
		l.sound = hashOf(sound(room[:0], s.text(t)))
	}
	return l
}

// Marks of the ends of a sentence, in pairs.
const (
	markBegin uint64 = 3
	markEnd   uint64 = 5
)

// wordFeatures calls add with the features of a row of words that need nothing but
// the words, in their order.
func wordFeatures(words []lexeme, add func(kind uint8, h uint64, token int)) {
	for i, w := range words {
		add(kindWord, w.hash, i)
		if w.sound != 0 {
			add(kindSound, w.sound, i)
		}
		if w.known {
			add(kindMean, w.mean, i)
		}
		before := markBegin
		if i > 0 {
			before = words[i-1].mean
		} else {
			add(kindFirst, w.hash, i)
			add(kindPair, markBegin+31*w.hash, i)
		}
		add(kindMeanPair, before*41+w.mean, i)
		if i+1 < len(words) {
			add(kindPair, w.hash*31+words[i+1].hash, i)
		} else {
			add(kindPair, w.hash*31+markEnd, i)
		}
		if i+2 < len(words) {
			add(kindTwo, w.hash*37+words[i+2].hash, i)
		}
	}
}

// features returns the features of a folded sentence, in memory of the sentence.
func (s *sentence) features() []feature {
	groups := concepts()
	s.words, s.feats = s.words[:0], s.feats[:0]
	for _, t := range s.tokens {
		s.words = append(s.words, s.lexemeOf(t, groups))
	}
	wordFeatures(s.words, func(kind uint8, h uint64, token int) {
		s.feats = append(s.feats, feature{mix(kind, h), kind, uint8(token)})
	})
	var room [maxWord + 2]byte
	for i, t := range s.tokens {
		if t.class != word {
			continue
		}
		// Letters, with a mark at either end of the word.
		padded := append(append(append(room[:0], '^'), s.text(t)...), '$')
		for n := 3; n <= 5; n++ {
			for j := 0; j+n <= len(padded) && n < len(padded); j++ {
				if len(s.feats) == maxFeatures {
					return s.feats
				}
				s.feats = append(s.feats, feature{mix(kindGram, hashOf(padded[j:j+n])), kindGram, uint8(i)})
			}
		}
	}
	return s.feats
}
