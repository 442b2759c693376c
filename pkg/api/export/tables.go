package export

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// tableBody is a table as a part's data or a tool's answer has it: alone, or in a
// member "table".
type tableBody struct {
	raw json.RawMessage
	is  render.Table
}

// wireTable reads cells that are texts, numbers, booleans or null.
type wireTable struct {
	Title   string          `json:"title"`
	Columns []render.Column `json:"columns"`
	Rows    [][]wireCell    `json:"rows"`
	About   string          `json:"about"`
	Note    string          `json:"note"`
	Table   *wireTable      `json:"table"`
}

type wireCell string

// UnmarshalJSON keeps a number as it is written.
func (c *wireCell) UnmarshalJSON(data []byte) error {
	switch first := data[0]; {
	case first == '"':
		var s string
		err := json.Unmarshal(data, &s)
		*c = wireCell(s)
		return err
	case bytes.Equal(data, []byte("true")):
		*c = "yes"
	case bytes.Equal(data, []byte("false")):
		*c = "no"
	case bytes.Equal(data, []byte("null")):
		*c = ""
	case first == '[' || first == '{':
		return errors.New("a cell is neither a text nor a number")
	default:
		*c = wireCell(data)
	}
	return nil
}

// UnmarshalJSON reads the table and keeps the bytes.
func (b *tableBody) UnmarshalJSON(data []byte) error {
	var w wireTable
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	if w.Table != nil {
		w = *w.Table
	}
	b.raw = bytes.Clone(data)
	b.is = render.Table{Title: w.Title, Columns: w.Columns, About: w.About, Note: w.Note,
		Rows: make([][]render.Cell, len(w.Rows))}
	for i, row := range w.Rows {
		b.is.Rows[i] = make([]render.Cell, len(row))
		for j, c := range row {
			b.is.Rows[i][j] = render.Text(string(c))
		}
	}
	return nil
}

// MarshalJSON returns the bytes as they came.
func (b tableBody) MarshalJSON() ([]byte, error) { return b.raw, nil }

func (b tableBody) table() render.Table { return b.is }
