// Package export writes a conversation, or one table, as a file that people
// keep: Markdown, HTML, CSV, XLSX, PDF. It lays out what it is given and decides
// nothing of who said what; the endpoint does, with the seals.
//
// Nothing in a file acts: HTML has no script and loads nothing, and no cell of a
// spreadsheet is a formula, whatever people and guests have typed.
package export

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Limits of one file beside those of a request.
const (
	MaxTables  = 200
	MaxColumns = 60
	MaxCells   = 200_000
)

// Document is a conversation to write down. It is not changed.
type Document struct {
	Title    string    // "Conversation with Bernard"
	Place    string    // what it was about, "" for none
	Made     time.Time // in the zone of the place
	Messages []Message
	// Beside is what was given beside the messages: tables, charts, texts.
	Beside []Block
}

// Message is one message of a document.
type Message struct {
	Who    string
	Person bool
	At     time.Time // in the zone of the place; zero when it is not known
	// Mark says what is doubtful: "not verified"; "" for nothing.
	Mark   string
	Blocks []Block
}

// Block is a piece of a message: a text in light Markdown, the lines of a fenced
// block, a table, or a chart, which must have passed its Check.
type Block struct {
	Text  string
	Code  string // without the fences
	Table *render.Table
	Chart *chart.Chart
}

// Format is a kind of file.
type Format struct {
	Name, Type string
	document   func(w io.Writer, d Document) error
	table      func(w io.Writer, t render.Table, made time.Time) error
}

// formats are the kinds of files. JSON, which is there to be sent again, is the
// endpoint's own.
func formats() []Format {
	return []Format{
		{Name: "md", Type: "text/markdown; charset=utf-8", document: writeMarkdown},
		{Name: "html", Type: "text/html; charset=utf-8", document: writeHTML},
		{Name: "csv", Type: "text/csv; charset=utf-8", document: writeCSV, table: writeTableCSV},
		{
			Name:     "xlsx",
			Type:     "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
			document: writeXLSX,
			table:    writeTableXLSX,
		},
		{Name: "pdf", Type: "application/pdf", document: writePDF},
	}
}

// ForDocument returns the format of that name.
func ForDocument(name string) (Format, bool) { return find(name, func(Format) bool { return true }) }

// ForTable returns the format of that name, if a table alone can be written so.
func ForTable(name string) (Format, bool) {
	return find(name, func(f Format) bool { return f.table != nil })
}

func find(name string, suits func(Format) bool) (Format, bool) {
	all := formats()
	if i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name && suits(f) }); i >= 0 {
		return all[i], true
	}
	return Format{}, false
}

// Write writes the document. Formats of text are written as they are made.
func (f Format) Write(w io.Writer, d Document) error { return f.document(w, d) }

// WriteTable writes one table; the format must be one of ForTable.
func (f Format) WriteTable(w io.Writer, t render.Table, made time.Time) error {
	return f.table(w, t, made)
}

// Check reports as a fault.TooLarge error what no file of ours can hold.
func (d Document) Check() error { return Check(d.all()) }

// Check is the same for tables alone.
func Check(tables []render.Table) error {
	cells := 0
	for _, t := range tables {
		width := len(t.Columns)
		for _, row := range t.Rows {
			width = max(width, len(row))
		}
		if width > MaxColumns {
			return tooLarge("columns", "A table may have at most %d columns.", MaxColumns)
		}
		cells += width * (len(t.Rows) + 1)
	}
	if len(tables) > MaxTables {
		return tooLarge("tables", "An export may have at most %d tables.", MaxTables)
	}
	if cells > MaxCells {
		return tooLarge("cells", "The tables of an export may have at most %d cells.", MaxCells)
	}
	return nil
}

func tooLarge(limit, sentence string, most int) error {
	e := fault.New(fault.TooLarge, sentence, most)
	e.Limit = limit
	return e
}

// all returns the tables of the messages and those beside them, in order, and
// the figures of charts.
func (d Document) all() []render.Table {
	var all []render.Table
	for _, m := range d.Messages {
		for _, b := range m.Blocks {
			all = append(all, b.tables()...)
		}
	}
	for _, b := range d.Beside {
		all = append(all, b.tables()...)
	}
	return all
}

// tables is a block as tables: a chart as its figures.
func (b Block) tables() []render.Table {
	switch {
	case b.Table != nil:
		return []render.Table{*b.Table}
	case b.Chart != nil:
		return []render.Table{figures(*b.Chart)}
	}
	return nil
}

// heading is the line above a message: "Bernard · Reservations (not verified)".
func (m Message) heading() string {
	if m.Mark == "" {
		return m.Who
	}
	return m.Who + " (" + m.Mark + ")"
}

// when is the time of a message as staff read it, "" when it is not known.
func when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("02-Jan-2006 15:04")
}

// about is the line below the title.
func (d Document) about() string {
	made := "Exported on " + when(d.Made) + " " + d.Made.Format("MST")
	if d.Place == "" {
		return made
	}
	return d.Place + " · " + made
}

// verification says how many replies the server knows as its own; "" without
// replies.
func (d Document) verification() string {
	replies, known := 0, 0
	for _, m := range d.Messages {
		if !m.Person {
			replies++
			if m.Mark == "" {
				known++
			}
		}
	}
	switch {
	case replies == 0:
		return ""
	case known == replies:
		return "All replies are verified: this server wrote them, in this order."
	}
	return "Replies that are marked could not be verified: they may have been changed since, or written by others."
}

// plain is a message as one text, tables left out.
func (m Message) plain() string {
	var parts []string
	for _, b := range m.Blocks {
		if tables := b.tables(); len(tables) > 0 {
			parts = append(parts, "["+tableName(tables[0])+"]")
			continue
		}
		if b.Code != "" {
			parts = append(parts, b.Code)
		}
		for _, l := range markup(b.Text) {
			parts = append(parts, l.plain())
		}
	}
	return strings.Join(parts, "\n")
}

func tableName(t render.Table) string {
	if t.Title == "" {
		return "Table"
	}
	return t.Title
}
