package main

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

const (
	gap      = "  "
	narrow   = 4 // columns of the screen that a column of a table keeps
	ellipsis = "…"
)

// layout writes a table in columns, not wider than the screen; 0 is no bound.
// What does not fit in a cell is cut, the widest columns first.
func layout(t render.Table, screen int) string {
	rows := [][]string{{}}
	for _, c := range t.Columns {
		rows[0] = append(rows[0], oneLine(c.Label))
	}
	for _, r := range t.Rows {
		row := make([]string, len(t.Columns))
		for i := range min(len(r), len(row)) {
			row[i] = oneLine(r[i].Text)
		}
		rows = append(rows, row)
	}
	widths := make([]int, len(t.Columns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], cells(cell))
		}
	}
	fit(widths, screen)
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(oneLine(t.Title) + "\n")
	}
	for n, row := range rows {
		b.WriteString(strings.TrimRight(line(t, row, widths), " ") + "\n")
		if n == 0 {
			for i, w := range widths {
				b.WriteString(strings.Repeat("─", w))
				if i < len(widths)-1 {
					b.WriteString(gap)
				}
			}
			b.WriteString("\n")
		}
	}
	if foot := t.Foot(); foot != "" {
		b.WriteString(oneLine(foot) + "\n")
	}
	return b.String()
}

func line(t render.Table, row []string, widths []int) string {
	var b strings.Builder
	for i, cell := range row {
		if i > 0 {
			b.WriteString(gap)
		}
		cell = cut(cell, widths[i])
		space := strings.Repeat(" ", widths[i]-cells(cell))
		if t.Columns[i].Right {
			b.WriteString(space + cell)
		} else {
			b.WriteString(cell + space)
		}
	}
	return b.String()
}

// fit makes the widest columns narrower until the table fits, or until all are
// as narrow as they may be.
func fit(widths []int, screen int) {
	if screen <= 0 || len(widths) == 0 {
		return
	}
	total := len(gap) * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for ; total > screen; total-- {
		widest := slices.Index(widths, slices.Max(widths))
		if widths[widest] <= narrow {
			return
		}
		widths[widest]--
	}
}

// cells is how many columns of the screen a text takes.
func cells(text string) int {
	n := 0
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

func cellsOf(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut shortens a text to so many columns.
func cut(text string, most int) string {
	if cells(text) <= most {
		return text
	}
	n := 0
	for i, r := range text {
		if n+cellsOf(r) > most-1 {
			return text[:i] + ellipsis
		}
		n += cellsOf(r)
	}
	return text
}
