package export

import (
	_ "embed"
	"html/template"
	"io"
	"regexp"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

//go:embed page.html
var pageText string

// page is what a reader's template sees.
type page struct {
	Title, About, Verification string
	Messages                   []pageMessage
	Beside                     []pagePiece
}

type pageMessage struct {
	Message
	When   string
	Pieces []pagePiece
}

type pagePiece struct {
	Table *render.Table
	Chart template.HTML // our own drawing, escaped where it was made
	Code  string
	Lines []pageLine
}

// figure is a short text with digits and without letters, such as "₹4,500".
var figure = regexp.MustCompile(`^[^\p{L}]{0,24}[0-9][^\p{L}]{0,24}$`)

// Class names what a cell in a column is: a figure at the right edge, and a whole
// that no line end parts.
func (p pagePiece) Class(column int, c render.Cell) string {
	var names []string
	if column < len(p.Table.Columns) && p.Table.Columns[column].Right {
		names = append(names, "figure")
	}
	if read(c).kind != isText || figure.MatchString(c.Text) {
		names = append(names, "whole")
	}
	return strings.Join(names, " ")
}

type pageLine struct {
	Heading bool
	Bullet  string
	Runs    []pageRun
}

type pageRun struct {
	Text string
	Bold bool
}

// writeHTML writes one file that prints well, has no script and loads nothing.
// Its policy says the same to the browser.
func writeHTML(w io.Writer, d Document) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	p := page{Title: d.Title, About: d.about(), Verification: d.verification()}
	for _, m := range d.Messages {
		shown := pageMessage{Message: m, When: when(m.At)}
		for _, b := range m.Blocks {
			shown.Pieces = append(shown.Pieces, pieceOf(b))
		}
		p.Messages = append(p.Messages, shown)
	}
	for _, b := range d.Beside {
		p.Beside = append(p.Beside, pieceOf(b))
	}
	return t.Execute(w, p)
}

func pieceOf(b Block) pagePiece {
	switch {
	case b.Table != nil:
		t := b.Table.WithoutZeroCents()
		return pagePiece{Table: &t}
	case b.Chart != nil:
		return pagePiece{Chart: template.HTML(
			`<div class="large">` + b.Chart.SVG(chart.Wide, true) + `</div><div class="small">` +
				b.Chart.SVG(chart.Narrow, true) + `</div>`)}
	}
	return pagePiece{Code: b.Code, Lines: pageLines(b.Text)}
}

func pageLines(s string) []pageLine {
	var lines []pageLine
	for _, l := range markup(s) {
		shown := pageLine{Heading: l.level > 0, Bullet: l.bullet}
		for _, r := range l.runs {
			shown.Runs = append(shown.Runs, pageRun{r.text, r.bold})
		}
		lines = append(lines, shown)
	}
	return lines
}
