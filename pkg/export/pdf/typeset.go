package pdf

import (
	"strings"
	"unicode"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// typesetter turns texts into glyphs. It serves one document and one goroutine.
type typesetter struct {
	shaper  shaping.HarfbuzzShaper
	order   bidi.Paragraph
	faces   map[*typeface]*font.Face
	letters map[style]map[rune]letter
	known   map[style]map[string][]word // short words that were shaped
}

// letter is a character in a style.
type letter struct {
	face  *typeface
	wide  float64 // in thousandths of the type's size, as all measures here
	plain bool    // it is drawn as it is, beside its neighbours
	known bool    // a font has it
}

// word is a piece of a line in one font.
type word struct {
	face  *typeface
	wide  float64
	parts []part
	// says is what the parts mean where their characters do not say it, so that it
	// is found and copied; "" where they do.
	says string
}

// part is characters side by side, at a place from the start of its word.
type part struct {
	x, y float64
	text string
}

// Unmarked returns a text without what has no ink and means nothing to a shaper: controls,
// marks of direction, which could make a line look like another, variants, and the frame of
// a key around a figure.
func Unmarked(s string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r == '\u200c' || r == '\u200d':
			return r
		case r < ' ' || r >= '\u007f' && r < '\u00a0' || r >= '\ufe00' && r <= '\ufe0f' || r == '\u20e3' ||
			unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd")))
}

func (t *typesetter) letter(r rune, s style) letter {
	known, ok := t.letters[s]
	if !ok {
		if t.letters == nil {
			t.letters = map[style]map[rune]letter{}
		}
		known = map[rune]letter{}
		t.letters[s] = known
	}
	l, ok := known[r]
	if ok {
		return l
	}
	l.face, l.known = choose(r, s)
	if !l.known {
		r = '\ufffd'
		l.face, _ = choose(r, s)
	}
	if l.face != nil {
		glyph, _ := l.face.font.Cmap.Lookup(r)
		l.wide = float64(t.face(l.face).HorizontalAdvance(glyph))
		l.plain = l.known && l.face.plain && !isMark(r)
	}
	known[r] = l
	return l
}

func (t *typesetter) face(f *typeface) *font.Face {
	face, ok := t.faces[f]
	if !ok {
		if t.faces == nil {
			t.faces = map[*typeface]*font.Face{}
		}
		face = font.NewFace(f.font)
		t.faces[f] = face
	}
	return face
}

// plain reports whether each character of a text is drawn as it is.
func (t *typesetter) plain(text string, s style) bool {
	for _, r := range text {
		if !t.letter(r, s).plain {
			return false
		}
	}
	return true
}

// measure returns how wide a line is; the text is one of Unmarked.
func (t *typesetter) measure(text string, s style) float64 {
	wide := 0.0
	if t.plain(text, s) {
		for _, r := range text {
			wide += t.letter(r, s).wide
		}
		return wide
	}
	for _, w := range t.line(text, s) {
		wide += w.wide
	}
	return wide
}

// line sets a line from left to right; the text is one of Unmarked.
func (t *typesetter) line(text string, s style) []word {
	if t.plain(text, s) {
		return t.simple(text, s)
	}
	if strings.ContainsFunc(text, rightToLeft) {
		return t.shaped(text, s)
	}
	var words []word
	plain := 0 // where the text that is yet to be set begins
	for at := 0; at < len(text); {
		end := at + len(text[at:])
		if i := strings.IndexByte(text[at:], ' '); i >= 0 {
			end = at + i
		}
		if one := text[at:end]; !t.plain(one, s) {
			words = append(append(words, t.simple(text[plain:at], s)...), t.joined(one, s)...)
			plain = end
		}
		at = end + 1
	}
	return append(words, t.simple(text[plain:], s)...)
}

// rightToLeft reports whether a character is of the scripts that are read so and have
// fonts here.
func rightToLeft(r rune) bool { return r >= '\u0590' && r <= '\u08ff' }

// joined shapes a word, or takes it from those that were shaped before: people use
// the same words again and again.
func (t *typesetter) joined(one string, s style) []word {
	const most, longest = 20_000, 128
	if words, ok := t.known[s][one]; ok {
		return words
	}
	words := t.shaped(one, s)
	if t.known[s] == nil {
		if t.known == nil {
			t.known = map[style]map[string][]word{}
		}
		t.known[s] = map[string][]word{}
	}
	if len(one) <= longest && len(t.known[s]) < most {
		t.known[s][one] = words
	}
	return words
}

// simple sets a text whose characters are drawn as they are.
func (t *typesetter) simple(text string, s style) []word {
	var words []word
	from := 0
	for i, r := range text {
		l := t.letter(r, s)
		if n := len(words); n == 0 || words[n-1].face != l.face {
			if n > 0 {
				words[n-1].parts = []part{{text: text[from:i]}}
			}
			words, from = append(words, word{face: l.face}), i
		}
		words[len(words)-1].wide += l.wide
	}
	if n := len(words); n > 0 {
		words[n-1].parts = []part{{text: text[from:]}}
	}
	return words
}

// item is a run of characters in one font and one direction.
type item struct {
	from, to int
	face     *typeface
	level    bidi.Level
}

// shaped sets a line by the rules of its scripts. What no font has is drawn as �,
// and says what it was.
func (t *typesetter) shaped(text string, s style) []word {
	meant := []rune(text)
	drawn := make([]rune, len(meant))
	for i, r := range meant {
		drawn[i] = r
		if !t.letter(r, s).known && r != '\u200c' && r != '\u200d' {
			drawn[i] = '\ufffd'
		}
	}
	items := t.items(drawn, s)
	reorder(items)
	var words []word
	for _, it := range items {
		words = append(words, t.shape(it, drawn, meant)...)
	}
	return words
}

// items cuts a line where its font or its direction changes. A mark, a joiner and a
// sign that a font has beside its script stay with what they follow.
func (t *typesetter) items(text []rune, s style) []item {
	levels := t.levels(text)
	var items []item
	for i, r := range text {
		l := t.letter(r, s)
		n := len(items)
		switch {
		case n > 0 && items[n-1].level == levels[i] && (items[n-1].face == l.face || isMark(r) && (!l.known ||
			items[n-1].face.has(r)) || r == '\u0964' && items[n-1].face.has(r)):
			items[n-1].to = i + 1
		case l.face == nil: // no font could be read
		default:
			items = append(items, item{i, i + 1, l.face, levels[i]})
		}
	}
	return items
}

// levels returns the level of each character: even ones are read from left to right,
// odd ones from right to left.
func (t *typesetter) levels(text []rune) []bidi.Level {
	levels := make([]bidi.Level, len(text))
	runs := t.order.Segment(text, bidi.LeftToRight)
	for n := range runs.NumRuns() {
		run := runs.Run(n)
		number := run.End
		if run.Level == 2 && runs.Run(0).Level == 0 {
			// A number among what is read from right to left: the library's run has the
			// text of level 0 behind it, too.
			number = run.Start
			for i := run.Start; i < run.End && !unicode.IsLetter(text[i]); i++ {
				if unicode.IsDigit(text[i]) {
					number = i + 1
				}
			}
		}
		for i := run.Start; i < number; i++ {
			levels[i] = run.Level
		}
	}
	return levels
}

// reorder brings the runs of a line into the order in which they are seen (rule L2
// of Unicode's bidirectional algorithm).
func reorder(items []item) {
	highest := bidi.Level(0)
	for _, it := range items {
		highest = max(highest, it.level)
	}
	for level := highest; level > 0; level-- {
		for i := 0; i < len(items); i++ {
			end := i
			for end < len(items) && items[end].level >= level {
				end++
			}
			for a, b := i, end-1; a < b; a, b = a+1, b-1 {
				items[a], items[b] = items[b], items[a]
			}
			i = max(i, end)
		}
	}
}

// shape sets a run, a word for each of its words. Of what is read from right to left
// each letter is one, since readers of PDF files turn letters round by their places.
func (t *typesetter) shape(it item, drawn, meant []rune) []word {
	input := shaping.Input{Text: drawn, RunStart: it.from, RunEnd: it.to, Face: t.face(it.face),
		Size: fixed.I(1000), Script: language.Latin, Direction: di.DirectionLTR}
	for _, r := range drawn[it.from:it.to] {
		if script := language.LookupScript(r); script.Strong() {
			input.Script = script
			break
		}
	}
	if it.level%2 == 1 {
		input.Direction = di.DirectionRTL
	}
	glyphs := t.shaper.ShapeNoExtents(input).Glyphs
	var words []word
	for len(glyphs) > 0 {
		n, start := 0, glyphs[0].TextIndex()
		for n < len(glyphs) && (drawn[glyphs[n].TextIndex()] == ' ') == (drawn[start] == ' ') &&
			(input.Direction == di.DirectionLTR || glyphs[n].TextIndex() == start) {
			n++
		}
		words = append(words, t.word(it.face, glyphs[:n], meant))
		glyphs = glyphs[n:]
	}
	return words
}

// word places glyphs. A PDF reader puts characters side by side by their widths, so
// a part ends where the next glyph stands elsewhere.
func (t *typesetter) word(face *typeface, glyphs []shaping.Glyph, meant []rune) word {
	w := word{face: face}
	pen := 0.0 // where a reader would put the next character
	var all, side strings.Builder
	var from part // of which side has the text
	end := func() {
		if side.Len() > 0 {
			w.parts = append(w.parts, part{from.x, from.y, side.String()})
			side.Reset()
		}
	}
	first, last := len(meant), 0
	for _, g := range glyphs {
		first, last = min(first, g.TextIndex()), max(last, g.TextIndex()+g.RunesCount())
		x, y := w.wide+units(g.XOffset), units(g.YOffset)
		if x != pen || y != from.y {
			end()
		}
		if side.Len() == 0 {
			from = part{x: x, y: y}
		}
		if r := face.chars[g.GlyphID]; r != 0 { // else it is a font's glyph for nothing, as a joiner leaves
			side.WriteRune(r)
			all.WriteRune(r)
		}
		w.wide += units(g.Advance)
		pen = x + float64(t.face(face).HorizontalAdvance(g.GlyphID))
	}
	end()
	if says := string(meant[first:max(first, last)]); says != all.String() {
		w.says = says
	}
	return w
}

func units(v fixed.Int26_6) float64 { return float64(v) / 64 }
