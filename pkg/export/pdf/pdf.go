// Package pdf sets texts and tables on the pages of a PDF file, in all the scripts
// that its fonts have. What stands on the pages is decided by others: package
// export writes conversations with it, and [WriteSheet] a document for a person
// outside, such as an invoice.
package pdf

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-text/typesetting/segmenter"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Measures of a page in millimetres.
const (
	Margin   = 16.0
	LineHigh = 5.2
	upright  = 210 - 2*Margin // the width of text in portrait
	lying    = 297 - 2*Margin // and in landscape
	cellPad  = 1.4
	longWord = 34.0 // a longer word may be parted, so that it does not widen its column
)

// Measures of type in points.
const (
	TextSize  = 10.0
	tableSize = 8.5
	leading   = 4.4 / tableSize // of a line in a cell in millimetres, for each point of its type
)

// Writer is a PDF on its way. The library keeps the first error for the end, when
// Output returns it.
type Writer struct {
	*fpdf.Fpdf
	set    typesetter
	fonts  map[*typeface]bool // that the file has
	style  style
	points float64 // the size of the current type
	across bool    // the current page lies
	size   float64 // of the type in the current table
	whole  func(column int, c render.Cell) bool
}

// New begins a file in A4 with its first page, in portrait. Each page has its
// number at the foot.
func New(title string, made time.Time) (*Writer, error) {
	p, err := begin(title, made)
	if err == nil {
		p.AddPage()
	}
	return p, err
}

// begin is New without a page.
func begin(title string, made time.Time) (*Writer, error) {
	first, err := typefaces["latin-Regular"]()
	if err != nil {
		return nil, err
	}
	p := &Writer{Fpdf: fpdf.New("P", "mm", "A4", ""), fonts: map[*typeface]bool{}}
	p.use(first, TextSize) // before the alias of the page count, so that it has all figures
	p.SetMargins(Margin, Margin, Margin)
	p.SetCellMargin(0)
	p.SetAutoPageBreak(false, 0) // pages are broken here, with heads repeated
	p.SetCreationDate(made)
	p.SetModificationDate(made)
	p.SetCatalogSort(true)
	p.SetTitle(title, true)
	p.SetCreator("Bellhop", true)
	p.AliasNbPages("{pages}")
	p.SetFooterFunc(func() {
		p.SetY(-12)
		p.Face("", 8, 100)
		p.use(first, 8)
		_, high := p.GetPageSize()
		p.SetXY(Margin, high-12)
		p.CellFormat(0, 5, fmt.Sprintf("%d / {pages}", p.PageNo()), "", 0, "C", false, 0, "")
	})
	return p, nil
}

// Face chooses the style ("", "B" for bold, "M" for letters of one width), the size
// and how light the grey is.
func (p *Writer) Face(look string, size float64, grey int) {
	p.style, p.points = style{bold: look == "B", mono: look == "M"}, size
	p.SetTextColor(grey, grey, grey)
}

// use makes a font the current one, and puts it into the file.
func (p *Writer) use(t *typeface, size float64) {
	if !p.fonts[t] {
		p.AddUTF8FontFromBytes(t.name, "", t.file)
		p.fonts[t] = true
	}
	p.SetFont(t.name, "", size)
}

// Measure returns how wide a line is in the current face.
func (p *Writer) Measure(s string) float64 { return p.set.measure(s, p.style) * p.em() }

// em is a thousandth of the size of the current type, in millimetres.
func (p *Writer) em() float64 { return p.PointConvert(p.points) / 1000 }

// Put writes a line from x on, standing on y. A word whose signs do not say what it
// is carries its text, which readers search and copy.
func (p *Writer) Put(x, y float64, s string) {
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
func (p *Writer) lineAt(x, y, wide, high float64, s, align string) {
	if align == "R" {
		x += wide - p.Measure(s)
	}
	p.Put(x, y+high/2+300*p.em(), s)
}

// room returns how much of the page is left below.
func (p *Writer) room() float64 {
	_, high := p.GetPageSize()
	return high - Margin - p.GetY()
}

// Width returns the width of text on the current page in millimetres.
func (p *Writer) Width() float64 {
	wide, _ := p.GetPageSize()
	return wide - 2*Margin
}

// Need begins an upright page unless so much is left of this one, and says whether
// it did.
func (p *Writer) Need(high float64) bool {
	if p.room() >= high {
		return false
	}
	p.turn(false)
	return true
}

// turn begins a page.
func (p *Writer) turn(across bool) {
	size := fpdf.SizeType{Wd: 210, Ht: 297}
	if p.across = across; across {
		p.AddPageFormat("L", size)
	} else {
		p.AddPageFormat("P", size)
	}
}

// Words writes a text in the current face over as many lines and pages as it
// takes.
func (p *Writer) Words(s string, high float64) {
	for text := range strings.SplitSeq(s, "\n") {
		for _, l := range p.wrap(Unmarked(text), p.Width()) {
			p.Need(high)
			p.lineAt(Margin, p.GetY(), p.Width(), high, l, "L")
			p.SetXY(Margin, p.GetY()+high)
		}
	}
}

// wrap cuts a line into lines of at most the width, between words where it can.
func (p *Writer) wrap(s string, width float64) []string {
	const measured = 1024 // bytes of a word that may fit a line
	var lines []string
	current, used := "", 0.0
	for word := range strings.SplitAfterSeq(s, " ") {
		bare := strings.TrimSuffix(word, " ")
		if len(bare) <= measured {
			long := p.Measure(bare)
			if used+long > width && current != "" {
				lines = append(lines, strings.TrimRight(current, " "))
				current, used = "", 0
			}
			if long <= width {
				current, used = current+word, used+long+p.Measure(word[len(bare):])
				continue
			}
		}
		for letter := range letters(word) { // no line holds this word
			one := p.Measure(letter)
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

// Table draws a table over as many pages as it takes, its head on each. It is in
// landscape only if its longest words do not fit in portrait at any size. Cells
// that are whole are not broken into lines; nil takes those of columns at the right
// edge.
func (p *Writer) Table(t render.Table, whole func(column int, c render.Cell) bool) {
	if whole == nil {
		whole = func(column int, _ render.Cell) bool { return column < len(t.Columns) && t.Columns[column].Right }
	}
	p.whole = whole
	columns := len(t.Columns)
	for _, row := range t.Rows {
		columns = max(columns, len(row))
	}
	if columns == 0 {
		return
	}
	t = t.WithoutZeroCents()
	across := p.fit(t, columns)
	if across && !p.across {
		p.turn(true)
	}
	widths := p.columns(t, columns, p.Width())
	if t.Title != "" {
		p.Face("B", tableSize, 20)
		p.space(4*p.cellHigh(), across)
		p.Words(t.Title, LineHigh)
	}
	p.row(t, widths, t.Columns, nil)
	for _, row := range t.Rows {
		p.row(t, widths, nil, row)
	}
	if foot := t.Foot(); foot != "" {
		p.Face("", tableSize-1, 100)
		p.Words(foot, p.cellHigh())
	}
}

// fit chooses the size of a table's type and reports whether the table is in
// landscape: the larger of two sizes at which no cell needs a second line, else the
// largest at which no word is broken, in portrait if there is one.
func (p *Writer) fit(t render.Table, columns int) (across bool) {
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

func (p *Writer) cellHigh() float64 { return p.size * leading }

// space begins a page as the current one lies unless so much is left of it, and
// says whether it did.
func (p *Writer) space(high float64, across bool) bool {
	if p.room() >= high {
		return false
	}
	p.turn(across)
	return true
}

// needs returns the width at which no word of a column is broken, and that at which
// each cell is one line, in the bold face of heads, which is the widest.
func (p *Writer) needs(t render.Table, i int) (least, most float64) {
	measure := func(text string, number bool) {
		text = Unmarked(text)
		whole := p.Measure(text)
		most = max(most, whole)
		if number {
			least = max(least, whole)
			return
		}
		for word := range strings.FieldsSeq(text) {
			least = max(least, min(longWord, p.Measure(word)))
		}
	}
	if i < len(t.Columns) {
		measure(t.Columns[i].Label, false)
	}
	for _, row := range t.Rows {
		if i < len(row) {
			measure(row[i].Text, p.whole(i, row[i]))
		}
	}
	const pad = 2*cellPad + 0.1 // sums of widths are not exact
	return least + pad, most + pad
}

// columns divides the width among the columns: each gets what its words need, and
// the rest goes to those with long lines.
func (p *Writer) columns(t render.Table, n int, page float64) []float64 {
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
func (p *Writer) row(t render.Table, widths []float64, head []render.Column, cells []render.Cell) {
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
		lines[i] = p.wrap(Unmarked(strings.Join(strings.Fields(text), " ")), widths[i]-2*cellPad)
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

func (p *Writer) rowFace(head bool) {
	p.Face(map[bool]string{true: "B"}[head], p.size, 20)
	p.SetFillColor(241, 245, 249)
	p.SetDrawColor(190, 200, 212)
}

// cells draws the lines from to to of a row's cells.
func (p *Writer) cells(t render.Table, widths []float64, lines [][]string, from, to int, head bool) {
	high := float64(to-from)*p.cellHigh() + 2*cellPad
	x, y := Margin, p.GetY()
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
	p.SetXY(Margin, y+high)
}
