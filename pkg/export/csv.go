package export

import (
	"bufio"
	"io"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// mark tells spreadsheets that a file is UTF-8; without it they garble ₹.
const mark = "\ufeff"

// csvWriter writes records of one width. Errors are found at the end.
type csvWriter struct {
	out   *bufio.Writer
	width int
}

// text writes a record of texts.
func (c csvWriter) text(fields ...string) {
	values := make([]string, len(fields))
	for i, f := range fields {
		values[i] = quoted(guarded(f))
	}
	c.record(values)
}

func (c csvWriter) record(fields []string) {
	for len(fields) < c.width {
		fields = append(fields, "")
	}
	_, _ = c.out.WriteString(strings.Join(fields, ",") + "\r\n") // Flush tells
}

// table writes labels and rows; days as 2026-01-15 and figures bare, so that
// programs read them. The currency of a column stands beside its label.
func (c csvWriter) table(t render.Table) {
	labels, signs := make([]string, len(t.Columns)), make([]string, c.width)
	for i, col := range t.Columns {
		if labels[i], signs[i] = col.Label, currency(t, i); signs[i] != "" {
			labels[i] += " (" + strings.TrimSpace(signs[i]) + ")"
		}
	}
	c.text(labels...)
	for _, row := range t.Rows {
		fields := make([]string, len(row))
		for i, cell := range row {
			switch v := read(cell); {
			case v.kind == isDay:
				fields[i] = v.day.String()
			case v.kind == isNumber && !v.percent && (v.currency == "" || v.currency == signs[i]):
				fields[i] = v.number.String()
			default:
				fields[i] = quoted(guarded(v.text))
			}
		}
		c.record(fields)
	}
}

// quoted quotes a field in which some reader could see the end of a field: some
// cut at semicolons and tabs.
func quoted(s string) string {
	s = strings.ReplaceAll(s, "\x00", "")
	if !strings.ContainsAny(s, ",;\t\"\r\n") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

func widthOf(tables []render.Table) int {
	width := 0
	for _, t := range tables {
		width = max(width, len(t.Columns))
		for _, row := range t.Rows {
			width = max(width, len(row))
		}
	}
	return width
}

func writeTableCSV(w io.Writer, t render.Table, _ time.Time) error {
	c := csvWriter{bufio.NewWriter(w), widthOf([]render.Table{t})}
	_, _ = c.out.WriteString(mark)
	c.table(t)
	return c.out.Flush()
}

// writeCSV writes the tables, each under its title, and then the messages. All
// records have the same width, since readers insist on that.
func writeCSV(w io.Writer, d Document) error {
	tables := d.all()
	c := csvWriter{bufio.NewWriter(w), max(4, widthOf(tables))}
	_, _ = c.out.WriteString(mark)
	for _, t := range tables {
		c.text(tableName(t))
		c.table(t)
		if t.Note != "" {
			c.text(t.Note)
		}
		c.record(nil)
	}
	c.text("Time", "Who", "Verified", "Text")
	for _, m := range d.Messages {
		c.text(when(m.At), m.Who, verified(m), m.plain())
	}
	return c.out.Flush()
}

// verified is a message's entry in a list: "" where there is nothing to verify.
func verified(m Message) string {
	switch {
	case m.Person && m.Mark == "":
		return ""
	case m.Mark == "":
		return "verified"
	}
	return m.Mark
}
