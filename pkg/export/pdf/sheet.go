package pdf

import (
	"io"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// WriteSheet writes a document for a person outside. Nothing in it acts.
func WriteSheet(w io.Writer, s render.Sheet) error {
	p, err := New(s.Title, s.Made)
	if err != nil {
		return err
	}
	p.Face("B", 16, 20)
	p.Words(s.Title, 8)
	for _, part := range s.Parts {
		switch {
		case part.Table != nil:
			p.Ln(1.5)
			p.Table(*part.Table, nil)
			p.Ln(1.5)
		case part.Text != "":
			p.Ln(1)
			p.Face("", TextSize, 30)
			p.Words(part.Text, LineHigh)
		case len(part.Groups) > 0:
			p.Ln(1.5)
			p.groups(part.Groups)
		}
	}
	return p.Output(w)
}

// setLine is a line of a group: a label, or what stands beside or below it.
type setLine struct {
	label, text string
	bold        bool
}

const groupGap, labelWide = 8.0, 30.0 // millimetres

// groups sets groups side by side. What is higher than a page goes on in the next.
func (p *Writer) groups(list []render.Group) {
	wide := (p.Width() - groupGap*float64(len(list)-1)) / float64(len(list))
	columns, most := make([][]setLine, len(list)), 0
	for i, g := range list {
		columns[i] = p.groupLines(g, wide)
		most = max(most, len(columns[i]))
	}
	if whole := float64(most) * LineHigh; whole < 297-2*Margin {
		p.Need(whole)
	}
	for n := range most {
		p.Need(LineHigh)
		y := p.GetY()
		for i, lines := range columns {
			if n >= len(lines) {
				continue
			}
			x, l := Margin+float64(i)*(wide+groupGap), lines[n]
			if l.label != "" {
				p.Face("", 9, 100)
				p.lineAt(x, y, labelWide, LineHigh, l.label, "L")
			}
			p.Face(map[bool]string{true: "B"}[l.bold], 9, 20)
			p.lineAt(x+l.indent(), y, wide, LineHigh, l.text, "L")
		}
		p.SetXY(Margin, y+LineHigh)
	}
}

// indent is where the text begins: fields with a label share an edge.
func (l setLine) indent() float64 {
	if l.bold || l.label == "" {
		return 0
	}
	return labelWide
}

func (p *Writer) groupLines(g render.Group, wide float64) []setLine {
	var lines []setLine
	if g.Title != "" {
		p.Face("B", 9, 20)
		for _, text := range p.wrap(Unmarked(g.Title), wide) {
			lines = append(lines, setLine{text: text, bold: true})
		}
	}
	p.Face("", 9, 20)
	for _, f := range g.Fields {
		room := wide
		if f.Label != "" {
			room -= labelWide
		}
		l := setLine{label: Unmarked(f.Label)}
		for text := range strings.SplitSeq(strings.ReplaceAll(f.Text, "\r\n", "\n"), "\n") {
			for _, l.text = range p.wrap(Unmarked(text), room) {
				lines = append(lines, l)
				if l.label != "" {
					l.label = " " // keeps the edge of the first line
				}
			}
		}
	}
	return lines
}
