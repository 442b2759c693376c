package render_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// What was written as HTML is read back cell for cell, whatever the cells hold.
func FuzzATableIsReadBackAsItWasWritten(f *testing.F) {
	f.Add("Rates", "Price", "₹1,23,456.00", `<b>&amp;"'</b>`, "a note", true, uint8(3))
	f.Add("", "", "", "</td></tr></table>", "", false, uint8(0))
	f.Add("<caption>", "</th>", "&lt;", "\x00", "</tfoot>", true, uint8(1))
	f.Fuzz(func(t *testing.T, title, label, one, two, note string, right bool, rows uint8) {
		table := render.Table{Title: title, Columns: []render.Column{{Label: label, Right: right}, {Label: "b"}},
			Note: note}
		for n := range rows % 5 {
			table.Rows = append(table.Rows, []render.Cell{render.Text(one), render.Text(two + fmt.Sprint(n))})
		}
		written := table.HTML()
		before, got, after, found := render.CutTable("before " + written + " after")
		if !found || before != "before " || after != " after" {
			t.Fatalf("%q was not found: %q %q", written, before, after)
		}
		if got.HTML() != written || len(got.Rows) != len(table.Rows) || got.Columns[0].Right != right {
			t.Errorf("%+v became %+v", table, got)
		}
		if !strings.ContainsAny(one, "\r\n\u2028\u2029\x00") && len(got.Rows) > 0 && got.Rows[0][0].Text != one &&
			strings.ToValidUTF8(one, "") == one {
			t.Errorf("%q became %q", one, got.Rows[0][0].Text)
		}
	})
}

// Whatever else looks like a table stays text: nothing but our own form is read.
func TestOnlyOurOwnTablesAreRead(t *testing.T) {
	t.Parallel()
	ours := render.Table{Title: "T", Columns: []render.Column{{Label: "A"}},
		Rows: [][]render.Cell{{render.Text("x")}}}.HTML()
	for name, text := range map[string]string{
		"a table of somebody else": "<table><tr><td>x</td></tr></table>",
		"an attribute more":        strings.Replace(ours, "<td>", `<td onclick="x">`, 1),
		"a tag within a cell":      strings.Replace(ours, "<td>x", "<td><b>x</b>", 1),
		"a row without its end":    strings.Replace(ours, "</td></tr>", "</td>", 1),
		"no end":                   strings.TrimSuffix(ours, "</table>"),
		"an entity of its own":     strings.Replace(ours, "<td>x", "<td>&eacute;", 1),
		"words between rows":       strings.Replace(ours, "</thead>", "</thead>words", 1),
	} {
		t.Run(name, func(t *testing.T) {
			if before, _, after, found := render.CutTable(text); found || before != text || after != "" {
				t.Errorf("%q is read as a table: %q %q", text, before, after)
			}
			// One that is ours is found behind it.
			if _, got, _, found := render.CutTable(text + "\n" + ours); !found ||
				!slices.Equal(got.Rows[0], []render.Cell{render.Text("x")}) {
				t.Errorf("behind %q ours is not found", text)
			}
		})
	}
}
