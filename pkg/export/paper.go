package export

import (
	"io"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/export/pdf"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Measures of code in points and millimetres.
const (
	codeSize = 8.5
	codeHigh = 4.4
)

// paper is a PDF on its way.
type paper struct{ *pdf.Writer }

func writePDF(w io.Writer, d Document) error {
	begun, err := pdf.New(d.Title, d.Made)
	if err != nil {
		return err
	}
	p := paper{begun}
	p.Face("B", 16, 20)
	p.Words(d.Title, 8)
	p.Face("", 9, 100)
	p.Words(d.about(), pdf.LineHigh)
	if v := d.verification(); v != "" {
		p.Words(v, pdf.LineHigh)
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

func (p paper) message(m Message) {
	p.Ln(3)
	p.Need(4 * pdf.LineHigh)
	p.SetDrawColor(200, 210, 220)
	p.Line(pdf.Margin, p.GetY(), pdf.Margin+p.Width(), p.GetY())
	p.Ln(1.5)
	p.Face("B", pdf.TextSize, 20)
	p.Words(m.heading(), pdf.LineHigh)
	if at := when(m.At); at != "" {
		p.Face("", 8, 100)
		p.Words(at, 4)
	}
	for _, b := range m.Blocks {
		p.block(b)
	}
}

func (p paper) block(b Block) {
	switch {
	case b.Table != nil:
		p.Ln(1.5)
		p.Table(*b.Table, isFigure)
		p.Ln(1.5)
		return
	case b.Chart != nil:
		p.Ln(1.5)
		p.chart(*b.Chart)
		p.Ln(1.5)
		return
	case b.Code != "":
		p.Ln(1)
		p.Face("M", codeSize, 30)
		p.Words(strings.ReplaceAll(b.Code, "\t", "    "), codeHigh)
		p.Ln(1)
		return
	}
	for _, l := range markup(b.Text) {
		style := ""
		if l.level > 0 || len(l.runs) == 1 && l.runs[0].bold {
			style = "B"
		}
		p.Face(style, pdf.TextSize, 30)
		p.Words(l.plain(), pdf.LineHigh)
	}
}

// isFigure reports whether a cell is a number or a day, which is not broken into
// lines.
func isFigure(_ int, c render.Cell) bool { return read(c).kind != isText }
