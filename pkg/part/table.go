package part

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Table is the content of a part of the kind table.
type Table struct{ render.Table }

// Kind is "table".
func (Table) Kind() string { return "table" }

// Text is the table as lines of cells.
func (t Table) Text() string {
	text := t.Plain()
	if t.Title != "" {
		text = t.Title + "\n" + text
	}
	if foot := t.Foot(); foot != "" {
		text += "\n" + foot
	}
	return text
}

// Check refuses a table without columns.
func (t Table) Check() error {
	if len(t.Columns) == 0 {
		return errors.New("the table has no columns")
	}
	return nil
}

// Cut leaves out rows at the end and counts them in the note.
func (t Table) Cut(share float64) Data {
	n := int(float64(len(t.Rows)) * share)
	t.Note = strings.TrimSpace(strconv.Itoa(len(t.Rows)-n) + " more rows are not shown here. " + t.Note)
	t.Rows = t.Rows[:n]
	t.Columns = slices.Clone(t.Columns)
	for i, c := range t.Columns {
		if len(c.Open.Rows) > n {
			t.Columns[i].Open.Rows = c.Open.Rows[:n]
		}
	}
	return t
}
