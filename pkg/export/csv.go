package export

import (
	"io"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/csv"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// writeRecords writes labels and rows; days as 2026-01-15 and figures bare, so
// that programs read them. The currency of a column stands beside its label.
func writeRecords(c csv.Writer, t render.Table) {
	labels, signs := make([]string, len(t.Columns)), make([]string, widthOf([]render.Table{t}))
	for i, col := range t.Columns {
		if labels[i], signs[i] = col.Label, currency(t, i); signs[i] != "" {
			labels[i] += " (" + strings.TrimSpace(signs[i]) + ")"
		}
	}
	c.Text(labels...)
	for _, row := range t.Rows {
		fields := make([]string, len(row))
		for i, cell := range row {
			switch v := read(cell); {
			case v.kind == isDay:
				fields[i] = v.day.String()
			case v.kind == isNumber && !v.percent && (v.currency == "" || v.currency == signs[i]):
				fields[i] = v.number.String()
			default:
				fields[i] = csv.Field(v.text)
			}
		}
		c.Record(fields)
	}
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
	c := csv.New(w, widthOf([]render.Table{t}))
	writeRecords(c, t)
	return c.Flush()
}

// writeCSV writes the tables, each under its title, and then the messages. All
// records have the same width, since readers insist on that.
func writeCSV(w io.Writer, d Document) error {
	tables := d.all()
	c := csv.New(w, max(4, widthOf(tables)))
	for _, t := range tables {
		c.Text(tableName(t))
		writeRecords(c, t)
		if t.Foot() != "" {
			c.Text(t.Foot())
		}
		c.Record(nil)
	}
	c.Text("Time", "Who", "Verified", "Text")
	for _, m := range d.Messages {
		c.Text(when(m.At), m.Who, verified(m), m.plain())
	}
	return c.Flush()
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
