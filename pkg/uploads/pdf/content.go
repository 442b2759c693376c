package pdf

import (
	"bytes"
	"math"
	"strings"
)

// matrix is a, b, c, d, e and f of a transformation, as the format writes it.
type matrix [6]float64

func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func unit() matrix { return matrix{1, 0, 0, 1, 0, 0} }

// state is what q keeps and Q brings back.
type state struct {
	at             matrix
	font           *font
	size           float64
	chars, words   float64 // additional room
	scale, leading float64
}

// pen draws the text of a page into lines.
type pen struct {
	f      *file
	out    strings.Builder
	now    state
	kept   []state
	text   matrix
	line   matrix
	x, y   float64 // where the last character ended
	height float64
	begun  bool
	forms  int
}

// textOf returns the text of a page.
func (f *file) textOf(p page) string {
	w := &pen{f: f, now: state{at: unit(), scale: 1}, text: unit(), line: unit()}
	f.drew = false
	var content []byte
	switch c := f.resolve(p.content).(type) {
	case *stream:
		content = f.decode(c)
	case array:
		content = f.joined[:0] // what was read of the page before is not kept
		for _, one := range c {
			if s, ok := f.resolve(one).(*stream); ok {
				more := f.decode(s)
				f.copied(len(more))
				content = append(append(content, more...), '\n')
			}
			if len(content) > maxStream {
				panic(errRoom)
			}
		}
		f.joined = content
	}
	w.run(content, p.resources, 0)
	return w.out.String()
}

// run carries out the operators of a content.
func (w *pen) run(content []byte, resources dict, depth int) {
	l := &lexer{f: w.f, b: content}
	var operands array
	for taken := 0; ; {
		room := w.f.room
		o := l.next(0)
		taken += room - w.f.room
		if l.end || w.out.Len() > maxDrawn {
			return
		}
		op, ok := o.(operator)
		if !ok {
			if operands = append(operands, o); len(operands) > 64 {
				operands = operands[1:]
			}
			continue
		}
		if op == "BI" {
			l.passPicture()
		} else {
			w.do(op, operands, resources, depth)
		}
		operands = operands[:0]
		w.f.room, taken = w.f.room+taken, 0 // operands are forgotten
	}
}

// passPicture goes to the end of a picture within a content.
func (l *lexer) passPicture() {
	for l.at < len(l.b) {
		l.f.spend(1)
		i := bytes.Index(l.b[l.at:min(len(l.b), l.at+4096)], []byte("EI"))
		if i < 0 {
			l.at += max(1, min(4095, len(l.b)-l.at))
			continue
		}
		l.at += i + 2
		if before := l.at - 3; before >= 0 && space(l.b[before]) && (l.at >= len(l.b) || space(l.b[l.at])) {
			return
		}
	}
}

func num(list array, i int) float64 {
	if i < 0 || i >= len(list) {
		return 0
	}
	n, _ := list[i].(float64)
	return n
}

func asMatrix(list array) matrix {
	return matrix{num(list, 0), num(list, 1), num(list, 2), num(list, 3), num(list, 4), num(list, 5)}
}

func (w *pen) do(op operator, in array, resources dict, depth int) {
	switch op {
	case "q":
		if len(w.kept) < 200 {
			w.kept = append(w.kept, w.now)
		}
	case "Q":
		if n := len(w.kept); n > 0 {
			w.now, w.kept = w.kept[n-1], w.kept[:n-1]
		}
	case "cm":
		w.now.at = asMatrix(in).times(w.now.at)
	case "BT":
		w.text, w.line = unit(), unit()
	case "Tf":
		if n, ok := first(in).(name); ok {
			w.now.font = w.f.font(w.f.dict(resources["Font"])[n])
		}
		w.now.size = num(in, 1)
	case "Tc":
		w.now.chars = num(in, 0)
	case "Tw":
		w.now.words = num(in, 0)
	case "Tz":
		w.now.scale = num(in, 0) / 100
	case "TL":
		w.now.leading = num(in, 0)
	case "Td":
		w.move(num(in, 0), num(in, 1))
	case "TD":
		w.now.leading = -num(in, 1)
		w.move(num(in, 0), num(in, 1))
	case "Tm":
		w.line = asMatrix(in)
		w.text = w.line
	case "T*":
		w.move(0, -w.now.leading)
	case "Tj":
		w.show(first(in))
	case "'":
		w.move(0, -w.now.leading)
		w.show(first(in))
	case `"`:
		w.now.words, w.now.chars = num(in, 0), num(in, 1)
		w.move(0, -w.now.leading)
		if len(in) > 2 {
			w.show(in[2])
		}
	case "TJ":
		list, _ := first(in).(array)
		for _, one := range list {
			if n, ok := one.(float64); ok {
				w.text = matrix{1, 0, 0, 1, -n / 1000 * w.now.size * w.now.scale, 0}.times(w.text)
				continue
			}
			w.show(one)
		}
	case "Do":
		w.form(first(in), resources, depth)
	}
}

func first(in array) object {
	if len(in) == 0 {
		return nil
	}
	return in[0]
}

func (w *pen) move(x, y float64) {
	w.line = matrix{1, 0, 0, 1, x, y}.times(w.line)
	w.text = w.line
}

// form draws what is kept apart to be drawn several times.
func (w *pen) form(o object, resources dict, depth int) {
	n, ok := o.(name)
	if !ok || depth > 8 {
		return
	}
	s, ok := w.f.resolve(w.f.dict(resources["XObject"])[n]).(*stream)
	if !ok || w.f.resolve(s.dict["Subtype"]) != name("Form") {
		return
	}
	if w.forms++; w.forms > 500 {
		return
	}
	before := w.now
	if list, ok := w.f.resolve(s.dict["Matrix"]).(array); ok {
		w.now.at = asMatrix(list).times(w.now.at)
	}
	if own := w.f.dict(s.dict["Resources"]); own != nil {
		resources = own
	}
	w.run(w.f.decode(s), resources, depth+1)
	w.now = before
}

// show draws a text: a new line where it stands lower or higher than what was
// drawn last, a blank where it stands apart.
func (w *pen) show(o object) {
	t, ok := o.(text)
	if !ok || w.now.font == nil {
		return
	}
	w.f.spend(len(t) + 1)
	w.now.font.each(t, func(char string, width float64, blank bool) {
		where := w.text.times(w.now.at)
		height := math.Max(0.1, math.Hypot(where[2], where[3])*math.Abs(w.now.size))
		w.part(where[4], where[5], height)
		w.out.WriteString(apart(char))
		w.f.drew = w.f.drew || char != "" && char != " "
		advance := width/1000*w.now.size + w.now.chars
		if blank {
			advance += w.now.words
		}
		w.text = matrix{1, 0, 0, 1, advance * w.now.scale, 0}.times(w.text)
		after := w.text.times(w.now.at)
		w.x, w.y, w.height, w.begun = after[4], after[5], height, true
	})
}

// apart returns the letters of a ligature, so that a word is found again.
func apart(char string) string {
	switch char {
	case "ﬀ":
		return "ff"
	case "ﬁ":
		return "fi"
	case "ﬂ":
		return "fl"
	case "ﬃ":
		return "ffi"
	case "ﬄ":
		return "ffl"
	case "\u00ad": // a hyphen that shows only at a line's end
		return ""
	}
	return char
}

// part writes what parts a character at x and y from the one before.
func (w *pen) part(x, y, height float64) {
	if !w.begun {
		return
	}
	size := math.Max(height, w.height)
	switch {
	case math.Abs(y-w.y) > 2.5*size:
		w.out.WriteString("\n\n")
	case math.Abs(y-w.y) > 0.5*size, x < w.x-2*size:
		w.out.WriteString("\n")
	case x-w.x > 2*size:
		w.out.WriteString("   ")
	case x-w.x > 0.18*size:
		w.out.WriteString(" ")
	}
}
