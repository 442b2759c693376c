package pdf

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// font turns the codes of a text into characters, and knows how wide they are.
type font struct {
	wide     bool           // codes have two bytes
	to       map[int]string // what ToUnicode says
	byCode   [256]rune
	widths   map[int]float64 // thousandths of the size
	fallback float64
	utf16    bool
}

func (f *file) font(o object) *font {
	key, named := o.(ref)
	if named {
		if known := f.fonts[key]; known != nil {
			return known
		}
	}
	f.spend(50) // for its tables
	d := f.dict(o)
	t := &font{widths: map[int]float64{}, fallback: 500}
	t.wide = d["Subtype"] == name("Type0")
	t.byCode = f.encoding(d["Encoding"])
	if s, ok := f.resolve(d["ToUnicode"]).(*stream); ok {
		t.to = f.toUnicode(f.decode(s), t)
	}
	if t.wide {
		if cmap, ok := f.resolve(d["Encoding"]).(name); ok {
			t.utf16 = strings.Contains(string(cmap), "UTF16") || strings.Contains(string(cmap), "UCS2")
		}
		t.fallback = 1000
		if kin, ok := f.resolve(d["DescendantFonts"]).(array); ok && len(kin) > 0 {
			f.wideWidths(t, f.dict(kin[0]))
		}
	} else if widths, ok := f.resolve(d["Widths"]).(array); ok {
		first, _ := f.resolve(d["FirstChar"]).(float64)
		for i, w := range widths[:min(len(widths), 256)] {
			if n, ok := f.resolve(w).(float64); ok {
				t.widths[int(first)+i] = n
			}
		}
	}
	if named && len(f.fonts) < 1000 {
		f.fonts[key] = t
	}
	return t
}

func (f *file) wideWidths(t *font, d dict) {
	if dw, ok := f.resolve(d["DW"]).(float64); ok {
		t.fallback = dw
	}
	list, _ := f.resolve(d["W"]).(array)
	for i := 0; i+1 < len(list) && f.codes > 0; {
		f.spend(1)
		first, _ := f.resolve(list[i]).(float64)
		if each, ok := f.resolve(list[i+1]).(array); ok {
			f.spend(len(each))
			for j, w := range each {
				if n, ok := f.resolve(w).(float64); ok && f.code() {
					t.widths[int(first)+j] = n
				}
			}
			i += 2
			continue
		}
		if i+2 >= len(list) {
			return
		}
		last, _ := f.resolve(list[i+1]).(float64)
		width, _ := f.resolve(list[i+2]).(float64)
		for code := int(first); code <= int(last) && f.code(); code++ {
			t.widths[code] = width
		}
		i += 3
	}
}

// encoding returns the characters of the codes of a simple font.
func (f *file) encoding(o object) (table [256]rune) {
	for i := range table {
		table[i] = rune(i)
	}
	for i, r := range []rune("€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž••‘’“”•–—˜™š›œ•žŸ") {
		table[0x80+i] = r
	}
	base := f.resolve(o)
	d, _ := base.(dict)
	if d != nil {
		base = f.resolve(d["BaseEncoding"])
	}
	if base == name("MacRomanEncoding") {
		for i, r := range []rune("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»… " +
			"ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ") {
			table[0x80+i] = r
		}
	}
	differences, _ := f.resolve(d["Differences"]).(array)
	code := 0
	for _, one := range differences {
		f.spend(1)
		switch v := f.resolve(one).(type) {
		case float64:
			code = int(v)
		case name:
			if r := f.glyph(string(v)); r != 0 && code >= 0 && code < 256 {
				table[code] = r
			}
			code++
		}
	}
	return table
}

// glyph returns the character of a glyph's name; 0 for one that is not known.
func (f *file) glyph(n string) rune {
	if base, _, cut := strings.Cut(n, "."); cut && base != "" {
		n = base
	}
	if utf8.RuneCountInString(n) == 1 {
		r, _ := utf8.DecodeRuneInString(n)
		return r
	}
	for _, prefix := range []string{"uni", "u"} {
		if digits, ok := strings.CutPrefix(n, prefix); ok && len(digits) >= 4 && len(digits) <= 6 {
			if r, err := strconv.ParseUint(digits, 16, 32); err == nil && r <= utf8.MaxRune {
				return rune(r)
			}
		}
	}
	if f.named == nil {
		f.named = map[string]rune{"space": ' ', "nbspace": ' '}
		for pair := range strings.FieldsSeq(glyphs) {
			r, size := utf8.DecodeRuneInString(pair)
			f.named[pair[size:]] = r
		}
	}
	return f.named[n]
}

// glyphs are names that are not the character itself, behind their characters.
const glyphs = `!exclam "quotedbl #numbersign $dollar %percent &ampersand 'quotesingle (parenleft )parenright *asterisk +plus ,comma -hyphen .period /slash
0zero 1one 2two 3three 4four 5five 6six 7seven 8eight 9nine :colon ;semicolon <less =equal >greater ?question @at [bracketleft \backslash ]bracketright
^asciicircum _underscore ` + "`" + `grave {braceleft |bar }braceright ~asciitilde ¡exclamdown ¢cent £sterling ¤currency ¥yen §section ©copyright «guillemotleft
®registered °degree ±plusminus µmu ¶paragraph ·periodcentered »guillemotright ¼onequarter ½onehalf ¾threequarters ¿questiondown ÀAgrave ÁAacute
ÂAcircumflex ÃAtilde ÄAdieresis ÅAring ÆAE ÇCcedilla ÈEgrave ÉEacute ÊEcircumflex ËEdieresis ÌIgrave ÍIacute ÎIcircumflex ÏIdieresis ÑNtilde ÒOgrave
ÓOacute ÔOcircumflex ÕOtilde ÖOdieresis ×multiply ØOslash ÙUgrave ÚUacute ÛUcircumflex ÜUdieresis ÝYacute ßgermandbls àagrave áaacute âacircumflex
ãatilde äadieresis åaring æae çccedilla èegrave éeacute êecircumflex ëedieresis ìigrave íiacute îicircumflex ïidieresis ñntilde òograve óoacute
ôocircumflex õotilde öodieresis ÷divide øoslash ùugrave úuacute ûucircumflex üudieresis ýyacute ÿydieresis ŠScaron šscaron ŽZcaron žzcaron ŒOE œoe
–endash —emdash ‘quoteleft ’quoteright ‚quotesinglbase “quotedblleft ”quotedblright „quotedblbase †dagger ‡daggerdbl •bullet …ellipsis ‰perthousand
‹guilsinglleft ›guilsinglright €Euro ™trademark −minus ﬁfi ﬂfl ﬀff ﬃffi ﬄffl ıdotlessi ₹rupee`

// toUnicode reads a character map.
func (f *file) toUnicode(b []byte, t *font) map[int]string {
	out := map[int]string{}
	l := &lexer{f: f, b: b}
	var operands array
	room := f.room
	for f.codes > 0 {
		o := l.next(0)
		if l.end {
			break
		}
		op, ok := o.(operator)
		if !ok {
			if operands = append(operands, o); len(operands) > 10_000 {
				operands = operands[:0]
			}
			continue
		}
		switch op {
		case "endcodespacerange":
			if len(operands) > 0 {
				if end, ok := operands[len(operands)-1].(text); ok && len(end) == 1 {
					t.wide = false
				}
			}
		case "endbfchar":
			for i := 0; i+1 < len(operands) && f.code(); i += 2 {
				out[codeOf(operands[i])] = fromUTF16(operands[i+1])
			}
		case "endbfrange":
			for i := 0; i+2 < len(operands); i += 3 {
				f.bfrange(out, codeOf(operands[i]), codeOf(operands[i+1]), operands[i+2])
			}
		}
		operands, f.room = operands[:0], room
	}
	return out
}

// code takes an entry of the tables of fonts, if there is one left: what has
// more is read without them.
func (f *file) code() bool {
	f.spend(1)
	f.codes--
	return f.codes > 0
}

func (f *file) bfrange(out map[int]string, from, to int, target object) {
	if list, ok := target.(array); ok {
		for i, one := range list {
			if from+i <= to && f.code() {
				out[from+i] = fromUTF16(one)
			}
		}
		return
	}
	start := []rune(fromUTF16(target))
	if len(start) == 0 {
		return
	}
	for code := from; code <= to && f.code(); code++ {
		out[code] = string(start)
		start[len(start)-1]++
	}
}

func codeOf(o object) int {
	n := 0
	t, _ := o.(text)
	for i := 0; i < len(t) && i < 4; i++ {
		n = n<<8 | int(t[i])
	}
	return n
}

func fromUTF16(o object) string {
	t, _ := o.(text)
	t = t[:min(len(t), 16)]
	units := make([]uint16, len(t)/2)
	for i := range units {
		units[i] = uint16(t[2*i])<<8 | uint16(t[2*i+1])
	}
	if len(t) == 1 {
		return string(rune(t[0]))
	}
	return string(utf16.Decode(units))
}

// each calls show with every character of a text and its width in thousandths.
func (t *font) each(s text, show func(char string, width float64, blank bool)) {
	width := func(code int) float64 {
		if w, ok := t.widths[code]; ok {
			return w
		}
		return t.fallback
	}
	step := 1
	if t.wide {
		step = 2
	}
	for i := 0; i+step <= len(s); i += step {
		code := int(s[i])
		if t.wide {
			code = code<<8 | int(s[i+1])
		}
		char, ok := t.to[code]
		switch {
		case ok:
		case t.utf16:
			char = string(rune(code))
		case !t.wide:
			char = string(t.byCode[code])
		}
		show(char, width(code), step == 1 && code == ' ')
	}
}
