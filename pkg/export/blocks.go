package export

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Blocks cuts a reply into texts, blocks of code and tables: those of this house, and
// tables in Markdown.
func Blocks(reply string) []Block {
	var blocks []Block
	for {
		before, t, after, found := render.CutTable(reply)
		blocks = append(blocks, fenced(before, markdownBlocks, unfiltered)...)
		if !found {
			return blocks
		}
		blocks = append(blocks, Block{Table: &t})
		reply = after
	}
}

// Text returns a text as blocks without looking for tables in it.
func Text(s string) []Block {
	return fenced(s, func(s string) []Block { return addText(nil, s) }, asWritten)
}

func asWritten(code string) string { return code }

// fence is the line that begins or ends a block of code.
var fence = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})([^`]*)$")

// fenced cuts a text at its blocks of code. The rest goes to other, and the lines of
// a block to undo. A block that does not end goes on to the end of the text.
func fenced(s string, other func(string) []Block, undo func(string) string) []Block {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	var blocks []Block
	begin := 0
	for i := 0; i < len(lines); i++ {
		open := fence.FindStringSubmatch(lines[i])
		if open == nil {
			continue
		}
		end := i + 1
		for ; end < len(lines); end++ {
			if m := fence.FindStringSubmatch(lines[end]); m != nil && strings.HasPrefix(m[1], open[1]) &&
				strings.TrimSpace(m[2]) == "" {
				break
			}
		}
		blocks = append(blocks, other(strings.Join(lines[begin:i], "\n"))...)
		if code := strings.Join(lines[i+1:min(end, len(lines))], "\n"); strings.TrimSpace(code) != "" {
			blocks = append(blocks, Block{Code: undo(code)})
		}
		begin, i = min(end+1, len(lines)), end
	}
	return append(blocks, other(strings.Join(lines[begin:], "\n"))...)
}

// unfiltered undoes what the filter of replies, which knows no code, did to code.
func unfiltered(code string) string {
	return html.UnescapeString(strings.NewReplacer(`\](`, "](", `\][`, "][", `\]:`, "]:", `www\.`,
		"www.").Replace(code))
}

func addText(blocks []Block, s string) []Block {
	if s = strings.Trim(s, "\r\n"); strings.TrimSpace(s) == "" {
		return blocks
	}
	return append(blocks, Block{Text: s})
}

// delimiter is the line below the labels of a table in Markdown.
var delimiter = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)

// markdownBlocks finds tables in Markdown: a line of labels, a line of dashes
// with as many columns, and the lines below that have a bar.
func markdownBlocks(s string) []Block {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	var blocks []Block
	begin := 0
	for i := 0; i+1 < len(lines); i++ {
		if !strings.Contains(lines[i], "|") || !delimiter.MatchString(lines[i+1]) {
			continue
		}
		labels, marks := pipeCells(lines[i]), pipeCells(lines[i+1])
		if len(labels) != len(marks) {
			continue
		}
		t := render.Table{Columns: make([]render.Column, len(labels))}
		for n, label := range labels {
			t.Columns[n] = render.Column{
				Label: label,
				Right: strings.HasSuffix(marks[n], ":") && !strings.HasPrefix(marks[n], ":"),
			}
		}
		end := i + 2
		for ; end < len(lines) && strings.Contains(lines[end], "|"); end++ {
			row := make([]render.Cell, len(labels))
			for n, cell := range pipeCells(lines[end]) {
				if n < len(row) {
					row[n] = render.Text(cell)
				}
			}
			t.Rows = append(t.Rows, row)
		}
		blocks = append(addText(blocks, strings.Join(lines[begin:i], "\n")), Block{Table: &t})
		begin, i = end, end-1
	}
	return addText(blocks, strings.Join(lines[begin:], "\n"))
}

// pipeCells cuts a line at its bars; an escaped bar is part of a cell.
func pipeCells(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	if strings.HasSuffix(line, "|") && !strings.HasSuffix(line, `\|`) {
		line = strings.TrimSuffix(line, "|")
	}
	var cells []string
	from := 0
	for i := 0; i <= len(line); i++ {
		if i == len(line) || line[i] == '|' && (i == 0 || line[i-1] != '\\') {
			cells = append(cells, asLine(strings.TrimSpace(line[from:i])).plain())
			from = i + 1
		}
	}
	return cells
}

// AddTable puts a table that came beside a text to its blocks. Where the text
// shows the same table, perhaps without its last rows, the longer one stays.
func AddTable(blocks []Block, t render.Table) []Block {
	for i, b := range blocks {
		if b.Table == nil || !begins(t, *b.Table) {
			continue
		}
		if len(t.Rows) > len(b.Table.Rows) {
			blocks[i].Table = &t
		}
		return blocks
	}
	return append(blocks, Block{Table: &t})
}

// SameHead reports whether two tables have the same title and columns.
func SameHead(a, b render.Table) bool {
	return a.Title == b.Title &&
		slices.EqualFunc(a.Columns, b.Columns, func(a, b render.Column) bool { return a.Label == b.Label })
}

// begins reports whether a table has the same head as another and begins with
// its rows.
func begins(t, start render.Table) bool {
	same := func(a, b render.Cell) bool {
		return strings.Join(strings.Fields(a.Text), " ") == strings.Join(strings.Fields(b.Text), " ")
	}
	return SameHead(t, start) && len(t.Rows) >= len(start.Rows) &&
		slices.EqualFunc(
			t.Rows[:len(start.Rows)],
			start.Rows,
			func(a, b []render.Cell) bool { return slices.EqualFunc(a, b, same) },
		)
}
