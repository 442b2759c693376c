package render

import (
	"html"
	"strings"
)

// tableStart is how every table of ours begins.
const tableStart = `<table style="border-collapse:collapse;font-size:0.85rem" border="1" cellpadding="5">`

// CutTable finds the first table in a reply that HTML wrote, and returns what
// stands before and after it. What differs from our own form by one byte is no
// table of ours, and stays a part of before or after. The cells are texts.
func CutTable(reply string) (before string, t Table, after string, found bool) {
	from := 0
	for {
		start := strings.Index(reply[from:], tableStart)
		if start < 0 {
			return reply, Table{}, "", false
		}
		start += from
		length := strings.Index(reply[start:], "</table>")
		if length < 0 {
			return reply, Table{}, "", false
		}
		end := start + length + len("</table>")
		// No table has another one inside, so each byte is read once.
		start += strings.LastIndex(reply[start:end], tableStart)
		if t, ok := readTable(reply[start:end]); ok {
			return reply[:start], t, reply[end:], true
		}
		from = end
	}
}

// readTable reads what HTML wrote and nothing else: what it has read must be
// written in the same way again.
func readTable(s string) (Table, bool) {
	r := tableReader{rest: strings.TrimPrefix(s, tableStart)}
	var t Table
	if r.skip(`<caption style="text-align:left">`) {
		t.Title = r.until(`</caption>`)
	}
	r.skip(`<thead style="background:#f8fafc"><tr>`)
	for {
		label, right, ok := r.cell("th")
		if !ok {
			break
		}
		t.Columns = append(t.Columns, Column{Label: label, Right: right})
	}
	r.skip(`</tr></thead><tbody>`)
	for r.skip(`<tr>`) {
		row := []Cell{}
		for {
			text, _, ok := r.cell("td")
			if !ok {
				break
			}
			row = append(row, Text(text))
		}
		r.skip(`</tr>`)
		t.Rows = append(t.Rows, row)
	}
	r.skip(`</tbody>`)
	if r.skip(`<tfoot><tr><td colspan="`) {
		r.until(`">`) // it follows from the columns
		t.Note = r.until(`</td></tr></tfoot>`)
	}
	return t, t.HTML() == s
}

// tableReader takes what it is told to off the front of a text.
type tableReader struct{ rest string }

func (r *tableReader) skip(mark string) bool {
	rest, ok := strings.CutPrefix(r.rest, mark)
	r.rest = rest
	return ok
}

// until returns the text before the mark, unescaped.
func (r *tableReader) until(mark string) string {
	text, rest, ok := strings.Cut(r.rest, mark)
	if !ok {
		r.rest = ""
		return ""
	}
	r.rest = rest
	return html.UnescapeString(text)
}

func (r *tableReader) cell(tag string) (text string, right, ok bool) {
	switch {
	case r.skip("<" + tag + ">"):
	case r.skip("<" + tag + ` style="text-align:right">`):
		right = true
	default:
		return "", false, false
	}
	return r.until("</" + tag + ">"), right, true
}
