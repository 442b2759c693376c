package export

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

//go:embed page.html
var pageText string

// page is what a reader's template sees.
type page struct {
	Title, About, Verification string
	Messages                   []pageMessage
	Tables                     []render.Table
}

type pageMessage struct {
	Message
	When   string
	Pieces []pagePiece
}

type pagePiece struct {
	Table *render.Table
	Lines []pageLine
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
	p := page{Title: d.Title, About: d.about(), Verification: d.verification(), Tables: d.Tables}
	for _, m := range d.Messages {
		shown := pageMessage{Message: m, When: when(m.At)}
		for _, b := range m.Blocks {
			piece := pagePiece{Table: b.Table}
			if b.Table == nil {
				piece.Lines = pageLines(b.Text)
			}
			shown.Pieces = append(shown.Pieces, piece)
		}
		p.Messages = append(p.Messages, shown)
	}
	return t.Execute(w, p)
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
