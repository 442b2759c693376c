package export

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"codeberg.org/go-pdf/fpdf"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

//go:embed fonts/noto-Regular.ttf
var regular []byte

//go:embed fonts/noto-Bold.ttf
var bold []byte

// Measures of a page in millimetres and of its type in points.
const (
	margin    = 16.0
	lineHigh  = 5.2
	cellHigh  = 4.4
	cellPad   = 1.4
	textSize  = 10.0
	tableSize = 8.5
	// A table of more columns lies across.
	uprightColumns = 7
)

// paper is a PDF on its way. The library keeps the first error for the end.
type paper struct {
	*fpdf.Fpdf
	across bool // the current page lies
}

func writePDF(w io.Writer, d Document) error {
	p := &paper{Fpdf: fpdf.New("P", "mm", "A4", "")}
	p.AddUTF8FontFromBytes("noto", "", regular)
	p.AddUTF8FontFromBytes("noto", "B", bold)
	p.SetMargins(margin, margin, margin)
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
	for _, t := range d.Tables {
		p.Ln(3)
		p.table(t)
	}
	return p.Output(w)
}

// face chooses style, size and how light the grey is.
func (p *paper) face(style string, size float64, grey int) {
	p.SetFont("noto", style, size)
	p.SetTextColor(grey, grey, grey)
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

// need begins a page unless so much is left of this one, and says whether it did.
func (p *paper) need(high float64) bool {
	if p.room() >= high {
		return false
	}
	p.turn(p.across)
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
		for _, l := range p.wrap(drawable(text), p.width()) {
			p.need(high)
			p.SetX(margin)
			p.CellFormat(0, high, l, "", 1, "L", false, 0, "")
		}
	}
}

// wrap cuts a line into lines of at most the width, between words where it can.
func (p *paper) wrap(s string, width float64) []string {
	width -= 2 * p.GetCellMargin()
	if p.GetStringWidth(s) <= width {
		return []string{s}
	}
	var lines []string
	current, used := "", 0.0
	for word := range strings.SplitAfterSeq(s, " ") {
		long := p.GetStringWidth(word)
		if used+p.GetStringWidth(strings.TrimRight(word, " ")) > width && current != "" {
			lines = append(lines, current)
			current, used = "", 0
		}
		if long <= width {
			current, used = current+word, used+long
			continue
		}
		for _, r := range word { // no line holds this word
			one := p.GetStringWidth(string(r))
			if used+one > width && current != "" {
				lines = append(lines, current)
				current, used = "", 0
			}
			current, used = current+string(r), used+one
		}
	}
	return append(lines, current)
}

func (p *paper) message(m Message) {
	if p.across {
		p.turn(false)
	}
	p.Ln(3)
	p.need(3 * lineHigh)
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
		if b.Table != nil {
			p.Ln(1.5)
			p.table(*b.Table)
			p.Ln(1.5)
			continue
		}
		if p.across {
			p.turn(false)
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
}

// table draws a table over as many pages as it takes, its head on each.
func (p *paper) table(t render.Table) {
	columns := widthOf([]render.Table{t})
	if columns == 0 {
		return
	}
	if columns > uprightColumns && !p.across {
		p.turn(true)
	}
	p.face("B", tableSize, 20)
	if t.Title != "" {
		p.need(4 * cellHigh)
		p.words(t.Title, lineHigh)
	}
	widths := p.columns(t, columns)
	head := make([]string, columns)
	for i, c := range t.Columns {
		head[i] = c.Label
	}
	p.row(t, widths, head, true)
	for _, row := range t.Rows {
		texts := make([]string, columns)
		for i, c := range row {
			texts[i] = c.Text
		}
		p.row(t, widths, texts, false)
	}
	if t.Note != "" {
		p.face("", tableSize, 100)
		p.words(t.Note, cellHigh)
	}
}

// columns shares the page's width: narrow columns get what they need, the
// others share the rest by what they hold.
func (p *paper) columns(t render.Table, n int) []float64 {
	widths := make([]float64, n)
	for i := range n {
		if i < len(t.Columns) {
			widths[i] = p.GetStringWidth(drawable(t.Columns[i].Label))
		}
		for _, row := range t.Rows {
			if i < len(row) {
				widths[i] = max(widths[i], p.GetStringWidth(drawable(row[i].Text)))
			}
		}
		widths[i] += 2*p.GetCellMargin() + 2*cellPad + 0.1 // sums of widths are not exact
	}
	total, page := 0.0, p.width()
	for _, w := range widths {
		total += w
	}
	if total <= page {
		return widths
	}
	fair := page / float64(n)
	small, large := 0.0, 0.0
	for _, w := range widths {
		small += min(w, fair)
		large += max(0, w-fair)
	}
	for i, w := range widths {
		widths[i] = min(w, fair) + max(0, w-fair)/large*(page-small)
	}
	return widths
}

// row draws a row. One that is higher than what is left of the page goes to the
// next, below the head again; one that is higher than a page is cut into parts.
func (p *paper) row(t render.Table, widths []float64, texts []string, head bool) {
	p.rowFace(head)
	lines, most := make([][]string, len(texts)), 1
	for i, text := range texts {
		lines[i] = p.wrap(drawable(strings.Join(strings.Fields(text), " ")), widths[i]-2*cellPad)
		most = max(most, len(lines[i]))
	}
	for done := 0; done < most; {
		high := float64(min(most-done, 12))*cellHigh + 2*cellPad
		if p.need(high) && !head {
			labels := make([]string, len(widths))
			for i, c := range t.Columns {
				labels[i] = c.Label
			}
			p.row(t, widths, labels, true)
			p.rowFace(false)
		}
		part := min(most-done, max(1, int((p.room()-2*cellPad)/cellHigh)))
		p.cells(t, widths, lines, done, done+part, head)
		done += part
	}
}

func (p *paper) rowFace(head bool) {
	p.face(map[bool]string{true: "B"}[head], tableSize, 20)
	p.SetFillColor(241, 245, 249)
	p.SetDrawColor(190, 200, 212)
}

// cells draws the lines from to to of a row's cells.
func (p *paper) cells(t render.Table, widths []float64, lines [][]string, from, to int, head bool) {
	high := float64(to-from)*cellHigh + 2*cellPad
	x, y := margin, p.GetY()
	for i, w := range widths {
		p.Rect(x, y, w, high, map[bool]string{true: "FD", false: "D"}[head])
		align := "L"
		if i < len(t.Columns) && t.Columns[i].Right {
			align = "R"
		}
		for n := from; n < min(to, len(lines[i])); n++ {
			p.SetXY(x+cellPad, y+cellPad+float64(n-from)*cellHigh)
			p.CellFormat(w-2*cellPad, cellHigh, lines[i][n], "", 0, align, false, 0, "")
		}
		x += w
	}
	p.SetXY(margin, y+high)
}
