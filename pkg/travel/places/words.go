package places

import (
	"unicode"
	"unicode/utf8"
)

// word is a run of letters and digits.
type word struct {
	from, to int
	capital  bool
	opening  bool // begins a sentence
	apart    bool // more than spaces, a hyphen or "St."'s point before it
	folded   string
	dense    bool // of a script that writes no spaces between words
	// technical is a part of an address, a path or an identifier: "a@b.example", "/a/b".
	technical bool
}

// split finds the words of the text.
func (f *finder) split() {
	f.last = -1
	opening, apart := true, true
	capitals, smalls := 0, 0
	for i := 0; i < len(f.text); {
		r, n := utf8.DecodeRuneInString(f.text[i:])
		if !partOfWord(r) {
			switch r {
			case '.':
				if len(f.words) == 0 || i-f.words[len(f.words)-1].from > 2 {
					opening, apart = true, true
				}
			case '!', '?', '\n', ':', '"', '“', '(', '•', '।', '。':
				opening, apart = true, true
			case ' ', '-', '‐', '‑', '\u00a0':
			default:
				apart = true
			}
			i += n
			continue
		}
		from := i
		w := word{from: from, opening: opening, apart: apart, capital: unicode.IsUpper(r) || unicode.IsTitle(r),
			dense: dense(r)}
		for i < len(f.text) {
			r, n := utf8.DecodeRuneInString(f.text[i:])
			inside := partOfWord(r) || isApostrophe(r) && letterAt(f.text, i+n)
			if !inside || dense(r) != w.dense && unicode.IsLetter(r) {
				break
			}
			i += n
		}
		w.to = i
		w.technical = f.technical(w.from, w.to)
		w.folded = Fold(f.text[w.from:w.to])
		opening, apart = false, false
		if w.capital {
			capitals++
		} else if unicode.IsLower(r) && len(w.folded) > 3 {
			smalls++
		}
		if w.folded != "" {
			f.words = append(f.words, w)
		}
	}
	f.cased = smalls > 0 || capitals <= 1
}

// technical reports whether what stands around a word makes it a part of an address, a
// path or an identifier.
func (f *finder) technical(from, to int) bool {
	if from > 0 && (f.text[from-1] == '@' || f.text[from-1] == '_' || f.text[from-1] == '/') {
		return true
	}
	if to == len(f.text) {
		return false
	}
	switch f.text[to] {
	case '@', '_':
		return true
	case '.':
		return letterAt(f.text, to+1) && to-from > 2
	}
	return false
}

func partOfWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == 0x200C || r == 0x200D
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

func letterAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r)
}

// dense reports whether a letter is of a script that writes no spaces between words,
// or writes particles at a name's end.
func dense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Hangul,
		unicode.Myanmar, unicode.Khmer, unicode.Lao) || r == 'ー'
}
