package render

import (
	"strings"
	"time"
)

// Sheet is a document for a person outside, such as an invoice: it is mailed as
// text and HTML, and set on paper by package pdf.
type Sheet struct {
	Title string
	Made  time.Time
	Parts []SheetPart
}

// SheetPart is groups of fields side by side, a table, or a text.
type SheetPart struct {
	Groups []Group
	Table  *Table
	Text   string
}

// Group is fields below a title, which may be empty.
type Group struct {
	Title  string
	Fields []Field
}

// Field is a value with its label; without one it takes the whole width.
type Field struct{ Label, Text string }

// Add adds a field unless its text is empty.
func (g *Group) Add(label, text string) {
	if text = strings.TrimSpace(text); text != "" {
		g.Fields = append(g.Fields, Field{label, text})
	}
}

// HTML returns the sheet as HTML with inline styles. All texts are escaped.
func (s Sheet) HTML() string {
	var b strings.Builder
	b.WriteString(`<h2 style="margin:0 0 12px">` + escape(s.Title) + `</h2>`)
	for _, p := range s.Parts {
		switch {
		case p.Table != nil:
			b.WriteString(p.Table.HTML())
		case p.Text != "":
			b.WriteString(`<p style="white-space:pre-line">` + escapeLines(p.Text) + `</p>`)
		default:
			b.WriteString(`<table role="presentation" width="100%" style="border-collapse:collapse;margin:8px 0"><tr>`)
			for _, g := range p.Groups {
				b.WriteString(`<td style="vertical-align:top;padding:0 16px 8px 0">`)
				if g.Title != "" {
					b.WriteString(`<strong>` + escape(g.Title) + `</strong><br>`)
				}
				for _, f := range g.Fields {
					if f.Label != "" {
						b.WriteString(`<span style="color:#62666d">` + escape(f.Label) + `:</span> `)
					}
					b.WriteString(escape(f.Text) + `<br>`)
				}
				b.WriteString(`</td>`)
			}
			b.WriteString(`</tr></table>`)
		}
	}
	return b.String()
}

func escapeLines(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = escape(l)
	}
	return strings.Join(lines, "\n")
}

// Plain returns the sheet as lines of text. The cells of a row stand behind the
// labels of their columns, since columns of text shift in a mail.
func (s Sheet) Plain() string {
	var b strings.Builder
	b.WriteString(oneLine(s.Title) + "\n")
	for _, p := range s.Parts {
		b.WriteByte('\n')
		switch {
		case p.Table != nil:
			p.Table.list(&b)
		case p.Text != "":
			b.WriteString(strings.TrimSpace(p.Text) + "\n")
		}
		for i, g := range p.Groups {
			if i > 0 {
				b.WriteByte('\n')
			}
			if g.Title != "" {
				b.WriteString(oneLine(g.Title) + "\n")
			}
			for _, f := range g.Fields {
				if f.Label != "" {
					b.WriteString(f.Label + ": ")
				}
				b.WriteString(oneLine(f.Text) + "\n")
			}
		}
	}
	return b.String()
}

func (t Table) list(b *strings.Builder) {
	if t.Title != "" {
		b.WriteString(oneLine(t.Title) + "\n")
	}
	for _, row := range t.Rows {
		var cells []string
		for i, c := range row {
			text := oneLine(c.Text)
			if i < len(t.Columns) && t.Columns[i].Label != "" && text != "" {
				text = t.Columns[i].Label + " " + text
			}
			if text != "" {
				cells = append(cells, text)
			}
		}
		b.WriteString(strings.Join(cells, "; ") + "\n")
	}
	if foot := t.Foot(); foot != "" {
		b.WriteString(foot + "\n")
	}
}
