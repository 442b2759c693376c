package export

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf16"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-text/typesetting/segmenter"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Measures of a page in millimetres and of its type in points.
const (
	margin    = 16.0
	lineHigh  = 5.2
	cellPad   = 1.4
	textSize  = 10.0
	tableSize = 8.5
	codeSize  = 8.5
	codeHigh  = 4.4
	leading   = 4.4 / tableSize // of a line in a cell, for each point of its type
	longWord  = 34.0            // a longer word may be parted, so that it does not widen its column
)

// paper is a PDF on its way. The library keeps the first error for the end.
type paper struct {
	*fpdf.Fpdf
	set    typesetter
	fonts  map[*typeface]bool // that the file has
	style  style
	points float64 // the size of the current type
	across bool    // the current page lies
	size   float64 // of the type in the current table
}

func writePDF(w io.Writer, d Document) error {
	first, err := typefaces["latin-Regular"]()
	if err != nil {
		return err
	}
	p := &paper{Fpdf: fpdf.New("P", "mm", "A4", ""), fonts: map[*typeface]bool{}}
	p.use(first, textSize) // before the alias of the page count, so that it has all figures
	p.SetMargins(margin, margin, margin)
	p.SetCellMargin(0)
	p.SetAutoPageBreak(false, 0) // pages are broken here, with heads repeated
	p.SetCreationDate(d.Made)
	p.SetModificationDate(d.Made)
	p.SetCatalogSort(true)
	p.SetTitle(d.Title, true)
	p.SetCreator("Bellhop", true)
	p.AliasNbPages("{pages}")
	p.SetFooterFunc(func() {
		p.SetY(-12)
		p.face("", 8, 100)
		p.use(first, 8)
		_, high := p.GetPageSize()
		p.SetXY(margin, high-12)
		p.CellFormat(0, 5, fmt.Sprintf("%d / {pages}", p.PageNo()), "", 0, "C", false, 0, "")
	})
	p.AddPage()
	p.face("B", 16, 20)
	p.words(d.Title, 8)
	p.face("", 9, 100)
	p.words(d.about(), lineHigh)
	if v := d.verification(); v != "" {
		p.words(v, lineHigh)
	}
	for _, m := range d.Messages {
		p.message(m)
	}
	for _, b := range d.Beside {
		p.Ln(3)
		p.block(b)
	}
	return p.Output(w)
}

// face chooses the style ("", "B" for bold, "M" for letters of one width), the size
// and how light the grey is.
func (p *paper) face(look string, size float64, grey int) {
	p.style, p.points = style{bold: look == "B", mono: look == "M"}, size
	p.SetTextColor(grey, grey, grey)
}

// use makes a font the current one, and puts it into the file.
func (p *paper) use(t *typeface, size float64) {
	if !p.fonts[t] {
		p.AddUTF8FontFromBytes(t.name, "", t.file)
		p.fonts[t] = true
	}
	p.SetFont(t.name, "", size)
}

// measure returns how wide a line is in the current face.
func (p *paper) measure(s string) float64 { return p.set.measure(s, p.style) * p.em() }

// em is a thousandth of the size of the current type, in millimetres.
func (p *paper) em() float64 { return p.PointConvert(p.points) / 1000 }

// put writes a line from x on, standing on y. A word whose signs do not say what it
// is carries its text, which readers search and copy.
func (p *paper) put(x, y float64, s string) {
	em := p.em()
	for _, w := range p.set.line(s, p.style) {
		p.use(w.face, p.points)
		if w.says != "" {
			p.RawWriteStr("/Span <</ActualText <FEFF" + hexOf(w.says) + ">>> BDC")
		}
		for _, part := range w.parts {
			p.Text(x+part.x*em, y-part.y*em, part.text)
		}
		if w.says != "" {
			p.RawWriteStr("EMC")
		}
		x += w.wide * em
	}
}

// hexOf is a text in UTF-16 as PDF files write it.
func hexOf(s string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", unit)
	}
	return b.String()
}

// lineAt writes a line into a box of that width and height.
func (p *paper) lineAt(x, y, wide, high float64, s, align string) {
	if align == "R" {
		x += wide - p.measure(s)
	}
	p.put(x, y+high/2+300*p.em(), s)
}

// room returns how much of the page is left below.
func (p *paper) room() float64 {
	_, high := p.GetPageSize()
	return high - margin - p.GetY()
}

func (p *paper) width() float64 {
	wide, _ := p.GetPageSize()
	return wide - 2*margin
}

// need begins an upright page unless so much is left of this one, and says whether
// it did.
func (p *paper) need(high float64) bool {
	if p.room() >= high {
		return false
	}
	p.turn(false)
	return true
}

// turn begins a page.
func (p *paper) turn(across bool) {
	size := fpdf.SizeType{Wd: 210, Ht: 297}
	if p.across = across; across {
		p.AddPageFormat("L", size)
	} else {
		p.AddPageFormat("P", size)
	}
}

// words writes a text in the current face over as many lines and pages as it
// takes.
func (p *paper) words(s string, high float64) {
	for text := range strings.SplitSeq(s, "\n") {
		for _, l := range p.wrap(unmarked(text), p.width()) {
			p.need(high)
			p.lineAt(margin, p.GetY(), p.width(), high, l, "L")
			p.SetXY(margin, p.GetY()+high)
		}
	}
}

// wrap cuts a line into lines of at most the width, between words where it can.
func (p *paper) wrap(s string, width float64) []string {
	const measured = 1024 // bytes of a word that may fit a line
	var lines []string
	current, used := "", 0.0
	for word := range strings.SplitAfterSeq(s, " ") {
		bare := strings.TrimSuffix(word, " ")
		if len(bare) <= measured {
			long := p.measure(bare)
			if used+long > width && current != "" {
				lines = append(lines, strings.TrimRight(current, " "))
				current, used = "", 0
			}
			if long <= width {
				current, used = current+word, used+long+p.measure(word[len(bare):])
				continue
			}
		}
		for letter := range letters(word) { // no line holds this word
			one := p.measure(letter)
			if used+one > width && current != "" {
				lines = append(lines, current)
				current, used = "", 0
			}
			current, used = current+letter, used+one
		}
	}
	return append(lines, current)
}

// letters are the pieces of a word that people take for letters, each with its marks.
func letters(word string) iter.Seq[string] {
	const most = 32 // characters; with more marks it is no letter of any script
	return func(yield func(string) bool) {
		var s segmenter.Segmenter
		s.Init([]rune(word))
		for all := s.GraphemeIterator(); all.Next(); {
			for piece := range slices.Chunk(all.Grapheme().Text, most) {
				if !yield(string(piece)) {
					return
				}
			}
		}
	}
}

func (p *paper) message(m Message) {
	p.Ln(3)
	p.need(4 * lineHigh)
	p.SetDrawColor(200, 210, 220)
	p.Line(margin, p.GetY(), margin+p.width(), p.GetY())
	p.Ln(1.5)
	p.face("B", textSize, 20)
	p.words(m.heading(), lineHigh)
	if at := when(m.At); at != "" {
		p.face("", 8, 100)
		p.words(at, 4)
	}
	for _, b := range m.Blocks {
		p.block(b)
	}
}

func (p *paper) block(b Block) {
	switch {
	case b.Table != nil:
		p.Ln(1.5)
		p.table(*b.Table)
		p.Ln(1.5)
		return
	case b.Chart != nil:
		p.Ln(1.5)
		p.chart(*b.Chart)
		p.Ln(1.5)
		return
	case b.Code != "":
		p.Ln(1)
		p.face("M", codeSize, 30)
		p.words(strings.ReplaceAll(b.Code, "\t", "    "), codeHigh)
		p.Ln(1)
		return
	}
	for _, l := range markup(b.Text) {
		style := ""
		if l.level > 0 || len(l.runs) == 1 && l.runs[0].bold {
			style = "B"
		}
		p.face(style, textSize, 30)
		p.words(l.plain(), lineHigh)
	}
}

// table draws a table over as many pages as it takes, its head on each. It is in
// landscape only if its longest words do not fit in portrait at any size.
func (p *paper) table(t render.Table) {
	columns := widthOf([]render.Table{t})
	if columns == 0 {
		return
	}
	t = t.WithoutZeroCents()
	across := p.fit(t, columns)
	if across && !p.across {
		p.turn(true)
	}
	widths := p.columns(t, columns, p.width())
	if t.Title != "" {
		p.face("B", tableSize, 20)
		p.space(4*p.cellHigh(), across)
		p.words(t.Title, lineHigh)
	}
	p.row(t, widths, t.Columns, nil)
	for _, row := range t.Rows {
		p.row(t, widths, nil, row)
	}
	if foot := t.Foot(); foot != "" {
		p.face("", tableSize-1, 100)
		p.words(foot, p.cellHigh())
	}
}

// fit chooses the size of a table's type and reports whether the table is in
// landscape: the larger of two sizes at which no cell needs a second line, else the
// largest at which no word is broken, in portrait if there is one.
func (p *paper) fit(t render.Table, columns int) (across bool) {
	const upright, lying = 210 - 2*margin, 297 - 2*margin
	for _, try := range []struct{ size, page, whole float64 }{
		{tableSize, upright, 1}, {7.5, upright, 1}, {tableSize, upright, 0}, {7.5, upright, 0}, {6.5, upright, 0},
		{tableSize, lying, 0}, {7.5, lying, 0}, {6.5, lying, 0},
	} {
		p.size = try.size
		p.rowFace(true)
		total := 0.0
		for i := range columns {
			least, most := p.needs(t, i)
			total += least + try.whole*(most-least)
		}
		if across = try.page > upright; total <= try.page {
			break
		}
	}
	return across
}

func (p *paper) cellHigh() float64 { return p.size * leading }

// space begins a page as the current one lies unless so much is left of it, and
// says whether it did.
func (p *paper) space(high float64, across bool) bool {
	if p.room() >= high {
		return false
	}
	p.turn(across)
	return true
}

// needs returns the width at which no word of a column is broken, and that at which
// each cell is one line, in the bold face of heads, which is the widest.
func (p *paper) needs(t render.Table, i int) (least, most float64) {
	measure := func(text string, number bool) {
		text = unmarked(text)
		whole := p.measure(text)
		most = max(most, whole)
		if number {
			least = max(least, whole)
			return
		}
		for word := range strings.FieldsSeq(text) {
			least = max(least, min(longWord, p.measure(word)))
		}
	}
	if i < len(t.Columns) {
		measure(t.Columns[i].Label, false)
	}
	for _, row := range t.Rows {
		if i < len(row) {
			measure(row[i].Text, read(row[i]).kind != isText)
		}
	}
	const pad = 2*cellPad + 0.1 // sums of widths are not exact
	return least + pad, most + pad
}

// columns divides the width among the columns: each gets what its words need, and
// the rest goes to those with long lines.
func (p *paper) columns(t render.Table, n int, page float64) []float64 {
	p.rowFace(true)
	widths, wanted := make([]float64, n), make([]float64, n)
	least, more := 0.0, 0.0
	for i := range n {
		widths[i], wanted[i] = p.needs(t, i)
		least += widths[i]
		more += wanted[i] - widths[i]
	}
	switch {
	case least > page:
		for i := range widths {
			widths[i] *= page / least
		}
	case least+more <= page:
		return wanted
	default:
		for i := range widths {
			widths[i] += (wanted[i] - widths[i]) / more * (page - least)
		}
	}
	return widths
}

// row draws a row of cells, or the head where columns are given. One that is
// higher than what is left of the page goes to the next, below the head again; one
// that is higher than a page is cut into parts.
func (p *paper) row(t render.Table, widths []float64, head []render.Column, cells []render.Cell) {
	texts := make([]string, len(widths))
	for i, c := range head {
		texts[i] = c.Label
	}
	for i, c := range cells {
		texts[i] = c.Text
	}
	p.rowFace(head != nil)
	lines, most := make([][]string, len(texts)), 1
	for i, text := range texts {
		lines[i] = p.wrap(unmarked(strings.Join(strings.Fields(text), " ")), widths[i]-2*cellPad)
		most = max(most, len(lines[i]))
	}
	for done := 0; done < most; {
		high := float64(min(most-done, 12))*p.cellHigh() + 2*cellPad
		if p.space(high, p.across) && head == nil {
			p.row(t, widths, t.Columns, nil)
			p.rowFace(false)
		}
		part := min(most-done, max(1, int((p.room()-2*cellPad)/p.cellHigh())))
		p.cells(t, widths, lines, done, done+part, head != nil)
		done += part
	}
}

func (p *paper) rowFace(head bool) {
	p.face(map[bool]string{true: "B"}[head], p.size, 20)
	p.SetFillColor(241, 245, 249)
	p.SetDrawColor(190, 200, 212)
}

// cells draws the lines from to to of a row's cells.
func (p *paper) cells(t render.Table, widths []float64, lines [][]string, from, to int, head bool) {
	high := float64(to-from)*p.cellHigh() + 2*cellPad
	x, y := margin, p.GetY()
	for i, w := range widths {
		p.Rect(x, y, w, high, map[bool]string{true: "FD", false: "D"}[head])
		align := "L"
		if i < len(t.Columns) && t.Columns[i].Right {
			align = "R"
		}
		for n := from; n < min(to, len(lines[i])); n++ {
			top := y + cellPad + float64(n-from)*p.cellHigh()
			p.lineAt(x+cellPad, top, w-2*cellPad, p.cellHigh(), lines[i][n], align)
		}
		x += w
	}
	p.SetXY(margin, y+high)
}
