package intent

import "unicode/utf8"

// latinise replaces the Devanagari word at the end of buf by its usual spelling
// in Latin letters: "कमरा" becomes "kamra".
func (s *sentence) latinise(from int) {
	word := s.buf[from:]
	// The runes are few; they are read before their place is written over.
	var runes [maxWord * 2]rune
	n := 0
	for len(word) > 0 && n < len(runes) {
		r, size := utf8.DecodeRune(word)
		runes[n] = r
		n++
		word = word[size:]
	}
	s.buf = s.buf[:from]
	vowels := 0 // written so far
	for i := 0; i < n; i++ {
		r := runes[i]
		if v := vowel(r); v != "" {
			s.buf = append(s.buf, v...)
			vowels++
			continue
		}
		switch r {
		case 'ं', 'ँ':
			s.buf = append(s.buf, 'n')
			continue
		case 'ः':
			s.buf = append(s.buf, 'h')
			continue
		}
		c := consonant(r)
		if c == "" {
			if r < utf8.RuneSelf {
				s.buf = append(s.buf, byte(r))
			}
			continue
		}
		if i+1 < n && runes[i+1] == '़' { // a dot below makes another consonant
			c = dotted(r, c)
			i++
		}
		s.buf = append(s.buf, c...)
		if i+1 >= n {
			break // the inherent vowel is silent at the end
		}
		next := runes[i+1]
		if next == '्' {
			i++
			continue
		}
		if sign(next) {
			continue
		}
		// It is silent as well between a vowel before and a consonant with a vowel
		// behind: "कमरा" is kamra.
		if vowels > 0 && consonant(next) != "" && i+2 < n && sign(runes[i+2]) && vowel(runes[i+2]) != "" {
			continue
		}
		if next != 'ः' {
			s.buf = append(s.buf, 'a')
			vowels++
		}
	}
}

// sign reports whether r is the sign of a vowel, which takes the place of the
// inherent one.
func sign(r rune) bool { return r >= 'ा' && r <= 'ौ' || r == 'ृ' || r == '्' }

func vowel(r rune) string {
	switch r {
	case 'अ':
		return "a"
	case 'आ', 'ा':
		return "aa"
	case 'इ', 'ि':
		return "i"
	case 'ई', 'ी':
		return "ee"
	case 'उ', 'ु':
		return "u"
	case 'ऊ', 'ू':
		return "oo"
	case 'ए', 'े', 'ऍ', 'ॅ':
		return "e"
	case 'ऐ', 'ै':
		return "ai"
	case 'ओ', 'ो', 'ऑ', 'ॉ':
		return "o"
	case 'औ', 'ौ':
		return "au"
	case 'ऋ', 'ृ':
		return "ri"
	}
	return ""
}

func consonant(r rune) string {
	const first = 'क'
	names := [...]string{
		"k", "kh", "g", "gh", "n", "ch", "chh", "j", "jh", "n", "t", "th", "d", "dh", "n", "t", "th", "d", "dh", "n",
		"n", "p", "ph", "b", "bh", "m", "y", "r", "r", "l", "l", "l", "v", "sh", "sh", "s", "h",
	}
	if r >= first && int(r-first) < len(names) {
		return names[r-first]
	}
	return ""
}

func dotted(r rune, plain string) string {
	switch r {
	case 'ज':
		return "z"
	case 'फ':
		return "f"
	case 'ड':
		return "r"
	case 'ढ':
		return "rh"
	case 'क':
		return "q"
	case 'ग':
		return "g"
	}
	return plain
}
