package views

import (
	"encoding/json"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// column is a column of a table.
type column struct {
	path, label string
	format      format
	open        call // what a cell opens; the zero call for nothing
}

// call is a tool with its arguments, each "name=path" with a path of shown.value for the
// row, or "name?=path" for one that may be left out.
type call struct {
	tool      string
	arguments []string
}

func opens(tool string, arguments ...string) call { return call{tool, arguments} }

// section is a part of a statement: the accounts of one value of the member "section",
// and the line that sums them. Key "" has no accounts.
type section struct {
	key, label string
	total      string // path of the sum
}

// maxCalls is the size of the arguments of a column, in bytes of JSON.
const maxCalls = 3 << 10

// important is how many columns are shown first on a telephone.
const important = 3

// table returns the records of a view as a table; nil where it has no columns.
func (s shown) table(v view) *render.Table {
	if len(v.columns) == 0 || v.rows == "-" {
		return nil
	}
	records := list(s.value(s.answer, v.rows))
	if v.sections != nil {
		records = s.statement(v, records)
	}
	t := render.Table{Title: s.heading(v), Rows: make([][]render.Cell, 0, len(records))}
	used := s.used(v.columns, records)
	if c, ok := v.by[scalar(at(s.answer, "by"))]; ok && len(used) > 1 {
		used[0].open, used[1].open = c, c
	}
	for i, c := range used {
		t.Columns = append(t.Columns, render.Column{Key: c.path, Label: upperFirst(s.plain(s.answer, c.label)),
			Right:    c.format.right(),
			Priority: map[bool]int{true: 1}[i < important]})
	}
	for _, r := range records {
		row := make([]render.Cell, len(used))
		for i, c := range used {
			row[i] = c.format.cell(s.value(r, c.path))
		}
		t.Rows = append(t.Rows, row)
	}
	used = fitting(&t, used)
	for i, c := range used {
		t.Columns[i].Open = s.open(c, i, used, t.Rows, records)
	}
	t.Note = s.notes(v, len(records))
	return &t
}

// fitting leaves out the last columns of a table that is too large for a part, so that all
// records are shown. A part has each text twice: in its data and as plain text.
func fitting(t *render.Table, columns []column) []column {
	size := 0
	widths := make([]int, len(columns))
	for _, row := range t.Rows {
		for i, c := range row {
			widths[i] += 2 * (len(c.Text) + len(`"",`))
		}
	}
	for _, w := range widths {
		size += w
	}
	n := len(columns)
	for n > important+1 && size > part.Limit-reserved {
		n--
		size -= widths[n]
	}
	t.Columns = t.Columns[:n]
	for i, row := range t.Rows {
		t.Rows[i] = row[:n]
	}
	return columns[:n]
}

// reserved is what a table needs of a part besides its rows, in bytes: columns with
// their calls, title and note.
const reserved = maxCalls + 4<<10

// used leaves out columns without a value in any record, but for the first three.
func (s shown) used(columns []column, records []any) []column {
	var out []column
	for i, c := range columns {
		keep := i < important
		for _, r := range records {
			keep = keep || holds(s.value(r, c.path))
		}
		if keep {
			out = append(out, c)
		}
	}
	return out
}

// open returns what the cells of a column open. Where one argument differs from row to row
// and is the text of a cell, it is taken from there; otherwise each row has its own
// arguments.
func (s shown) open(c column, own int, columns []column, rows [][]render.Cell, records []any) render.Opens {
	if c.open.tool == "" || len(records) == 0 {
		return render.Opens{}
	}
	var fixed call
	var varying []string
	for _, a := range c.open.arguments {
		_, path, _ := strings.Cut(a, "=")
		if path != "" && strings.ContainsRune("^$+'", rune(path[0])) {
			fixed.arguments = append(fixed.arguments, a)
		} else {
			varying = append(varying, a)
		}
	}
	if len(varying) == 1 {
		name, path, _ := strings.Cut(varying[0], "=")
		for i, of := range columns {
			if of.path != path || of.format != words || !sameTexts(s, path, i, own, rows, records) {
				continue
			}
			with, whole := s.fillArguments(nil, fixed)
			if !whole {
				return render.Opens{}
			}
			if len(with) == len("{}") {
				with = nil
			}
			return render.Opens{Tool: c.open.tool, Argument: name, Of: path, With: with}
		}
	}
	return s.openRows(c, own, rows, records)
}

// openRows returns a call with the arguments of each row; none where they would take too
// much of a part.
func (s shown) openRows(c column, own int, rows [][]render.Cell, records []any) render.Opens {
	calls := make([]json.RawMessage, len(records))
	size, some := 0, false
	for i, r := range records {
		calls[i] = json.RawMessage("{}")
		if a, whole := s.fillArguments(r, c.open); whole && len(a) > len("{}") && rows[i][own].Text != "" {
			calls[i], some = a, true
		}
		if size += len(calls[i]) + 1; size > maxCalls {
			return render.Opens{}
		}
	}
	if !some {
		return render.Opens{}
	}
	return render.Opens{Tool: c.open.tool, Rows: calls}
}

// sameTexts reports whether the cells of a column are the values at a path, as they are.
func sameTexts(s shown, path string, column, own int, rows [][]render.Cell, records []any) bool {
	for i, r := range records {
		if v, _ := s.value(r, path).(string); v != rows[i][column].Text || v == "" && rows[i][own].Text != "" {
			return false
		}
	}
	return true
}

// fillArguments returns the arguments of a call as a JSON object. It is whole where each
// argument has a value, but for those that may be left out.
func (s shown) fillArguments(row any, c call) (json.RawMessage, bool) {
	arguments := map[string]any{}
	for _, a := range c.arguments {
		name, path, _ := strings.Cut(a, "=")
		name, optional := strings.CutSuffix(name, "?")
		v := s.value(row, path)
		switch text := scalar(v); {
		case text != "" && len(text) <= maxArgument:
			arguments[name] = v
		case !optional:
			return nil, false
		}
	}
	raw, err := json.Marshal(arguments)
	return raw, err == nil
}

// maxArgument is the length of an argument that a choice has. Names are shorter.
const maxArgument = 300

// statement puts the accounts of a statement in the order of its sections, each with the
// line of its sum.
func (s shown) statement(v view, accounts []any) []any {
	var out []any
	for _, sec := range v.sections {
		for _, a := range accounts {
			if at(a, "section") == sec.key || at(a, "activity") == sec.key {
				if sec.key != "" && !zero(at(a, "amount")) {
					out = append(out, a)
				}
			}
		}
		if total := s.value(s.answer, sec.total); total != nil {
			out = append(out, map[string]any{"name": sec.label, "amount": total, "line": "Total"})
		}
	}
	return out
}

func zero(v any) bool {
	a, ok := amount(v)
	return ok && a.Cmp(money.Zero) == 0
}
