// Package render shows data to people: tables, dates, safe Markdown. Models
// never lay out data; they place what this package made.
package render

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Table is data laid out for people.
type Table struct {
	Title   string   `json:"title,omitempty"`
	Columns []Column `json:"columns"`
	Rows    [][]Cell `json:"rows"`
	// About says how the figures are computed. Where nothing can be folded away
	// it stands before the note.
	About string `json:"about,omitempty"`
	Note  string `json:"note,omitempty"`
}

// Column heads a column.
type Column struct {
	Key   string `json:"key"`
	Label string `json:"label"`
	Right bool   `json:"right,omitempty"` // figures stand at the right edge
	// Priority is 1 for a column that is shown first where there is no room for
	// all; 0 leaves it to the order.
	Priority int `json:"priority,omitempty"`
	// Open is the call that shows what a cell of the column names; the zero Opens
	// offers none.
	Open Opens `json:"open,omitzero"`
}

// Opens is a call of a tool with an argument that names the cell's thing: the text of the row's cell in the
// column Of, or where Of is "" that of the cell itself, of which each part
// between commas is a thing of its own.
type Opens struct {
	Tool     string `json:"tool"`
	Argument string `json:"argument,omitempty"`
	Of       string `json:"of,omitempty"`
	// With are arguments beside it that are the same for all rows, a JSON object.
	With json.RawMessage `json:"with,omitempty"`
	// Rows, where there are any, are the arguments of the call for each row instead of
	// Argument, Of and With, each a JSON object; one without members offers nothing.
	Rows []json.RawMessage `json:"rows,omitempty"`
}

// Opens returns the column with the call that its cells offer; see the type.
func (c Column) Opens(tool, argument, of string) Column {
	c.Open = Opens{Tool: tool, Argument: argument, Of: of}
	return c
}

// Cell is one value: the text that people see and the value behind it, which
// an export writes as a real number or date. In JSON it is its text.
type Cell struct {
	Text  string
	Value any // string, int, bool, money.Amount or calendar.Date
}

// MarshalText writes the text. It is no MarshalJSON, so that the encoder's
// owner decides whether < and & travel as they are.
func (c Cell) MarshalText() ([]byte, error) { return []byte(c.Text), nil }

// UnmarshalJSON reads a text; the value behind it is then the text itself.
func (c *Cell) UnmarshalJSON(data []byte) error {
	err := json.Unmarshal(data, &c.Text)
	c.Value = c.Text
	return err
}

// Text returns a cell of text.
func Text(s string) Cell { return Cell{Text: s, Value: s} }

// Int returns a cell with a whole number.
func Int(n int) Cell { return Cell{Text: strconv.Itoa(n), Value: n} }

// Yes returns "yes" or "no".
func Yes(b bool) Cell {
	if b {
		return Cell{Text: "yes", Value: b}
	}
	return Cell{Text: "no", Value: b}
}

// Day returns a cell with a date in the form 15-Jan-2026.
func Day(d calendar.Date) Cell { return Cell{Text: d.Show(), Value: d} }

// Money returns a cell with an amount of the currency.
func Money(a money.Amount, currency string) Cell {
	return Cell{Text: a.Format(currency), Value: a}
}

// Percent returns a cell such as "71.19 %".
func Percent(a money.Amount) Cell { return Cell{Text: a.Round(2).String() + " %", Value: a} }

// NotAvailable returns the cell of a figure that is not defined.
func NotAvailable() Cell { return Cell{Text: "n/a", Value: "n/a"} }

// HTML returns the table as one line of HTML with inline styles, so that it
// looks the same in any chat bubble. Every cell is escaped.
func (t Table) HTML() string { return t.HTMLWithin(math.MaxInt) }

// HTMLWithin is HTML with as many rows as fit into about limit bytes, and at
// least one. What is left out is counted below the table.
func (t Table) HTMLWithin(limit int) string {
	var b strings.Builder
	b.WriteString(tableStart)
	if t.Title != "" {
		b.WriteString(`<caption style="text-align:left">` + escape(t.Title) + `</caption>`)
	}
	b.WriteString(`<thead style="background:#f8fafc"><tr>`)
	for _, c := range t.Columns {
		b.WriteString(open("th", c) + escape(c.Label) + `</th>`)
	}
	b.WriteString(`</tr></thead><tbody>`)
	note := t.Foot()
	for n, row := range t.Rows {
		if n > 0 && b.Len() > limit {
			note = moreRows(len(t.Rows)-n, note)
			break
		}
		b.WriteString(`<tr>`)
		for i, cell := range row {
			var c Column
			if i < len(t.Columns) {
				c = t.Columns[i]
			}
			b.WriteString(open("td", c) + escape(cell.Text) + `</td>`)
		}
		b.WriteString(`</tr>`)
	}
	b.WriteString(`</tbody>`)
	if note != "" {
		fmt.Fprintf(&b, `<tfoot><tr><td colspan="%d">%s</td></tr></tfoot>`, len(t.Columns), escape(note))
	}
	b.WriteString(`</table>`)
	return b.String()
}

// Markdown returns the table as Markdown has them, for readers who show no
// HTML, with rows as HTMLWithin has them. Every cell is literal.
func (t Table) Markdown(limit int) string {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("**" + Escape(t.Title) + "**\n\n")
	}
	b.WriteString("|")
	for _, c := range t.Columns {
		b.WriteString(" " + Escape(c.Label) + " |")
	}
	b.WriteString("\n|")
	for _, c := range t.Columns {
		b.WriteString(map[bool]string{true: " ---: |", false: " --- |"}[c.Right])
	}
	note := t.Foot()
	for n, row := range t.Rows {
		if n > 0 && b.Len() > limit {
			note = moreRows(len(t.Rows)-n, note)
			break
		}
		b.WriteString("\n|")
		for _, cell := range row {
			b.WriteString(" " + Escape(cell.Text) + " |")
		}
	}
	if note != "" {
		b.WriteString("\n\n" + Escape(note))
	}
	return b.String()
}

// Foot returns what stands below the table: About and Note.
func (t Table) Foot() string { return strings.TrimSpace(t.About + " " + t.Note) }

func moreRows(n int, note string) string {
	return strings.TrimSpace(strconv.Itoa(n) + " more rows are not shown here. " + note)
}

// open writes the tag of a cell; figures stand at the right edge.
func open(tag string, c Column) string {
	if c.Right {
		return "<" + tag + ` style="text-align:right">`
	}
	return "<" + tag + ">"
}

// Plain returns the table as lines of text, cells parted by " | ".
func (t Table) Plain() string {
	var b strings.Builder
	labels := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		labels[i] = c.Label
	}
	b.WriteString(strings.Join(labels, " | "))
	for _, row := range t.Rows {
		b.WriteByte('\n')
		for i, cell := range row {
			if i > 0 {
				b.WriteString(" | ")
			}
			b.WriteString(oneLine(cell.Text))
		}
	}
	return b.String()
}

// escape makes text safe in HTML. Line ends become spaces, since a table in a
// Markdown answer must stay one line: a blank line inside would end it.
func escape(s string) string { return html.EscapeString(oneLine(s)) }

func oneLine(s string) string {
	if !strings.ContainsAny(s, "\n\r\u2028\u2029") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029'
	}), " ")
}
