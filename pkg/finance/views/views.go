// Package views shows the answers of the ledger's tools to people: as tables, charts and
// choices, and as a sentence in the language of the question. No model takes part.
//
// Answers are data of a third party: a value that is missing or of another type is left
// out, texts are shown as text, and ids are not shown. A tool that no declaration names
// is shown by what its answer looks like.
package views

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// view declares how the answer of one tool is shown. Paths are those of shown.value.
type view struct {
	title   string // may have values in braces, as a tell
	rows    string // path of the array of records
	columns []column
	// by is what the first two columns open, by the value of the member of that name.
	by map[string]call
	// figures are shown as lines of name and value: above the records, if there are any.
	figures []figure
	// parts are arrays beside the records, each a table of its own.
	parts []view
	// sections are the parts of a statement, in its order; see statement.
	sections []section
	sum      string // what total_amount is, for the note; "" for nothing to say
	sumWhen  string // "" for always; see shown.meets
	note     string // a sentence below the table, with values in braces
	charts   []graph
	next     []choice
}

// figure is one named value.
type figure struct {
	path, label string
	format      format
}

// shown is an answer that is being shown.
type shown struct {
	tool              string
	arguments, answer any
	raw               json.RawMessage // the answer as it came
}

// Present returns what people see of the answer of a tool. The answer has handles in
// the place of ids; the texts are English.
func Present(name string, arguments, answer json.RawMessage) tool.Presentation {
	s := shown{tool: name, arguments: decode(arguments), answer: decode(answer), raw: answer}
	v, ok := catalogue()[name]
	if !ok {
		v = s.guess()
	}
	p := tool.Presentation{Text: s.text(language.English), Records: len(list(s.value(s.answer, v.rows))),
		Table: s.table(v)}
	if strings.Contains(v.rows, ".") || v.rows == "" {
		p.Records = 1 // there are no rows, or they are lines of one record
	}
	if f := s.particulars(v); f != nil {
		if p.Table == nil || len(p.Table.Rows) == 0 {
			p.Table = f
		} else {
			p.Parts = append(p.Parts, part.Table{Table: *f})
		}
	}
	for _, other := range v.parts {
		if t := s.table(other); t != nil && len(t.Rows) > 0 {
			p.Parts = append(p.Parts, part.Table{Table: *t})
		}
	}
	for _, g := range v.charts {
		if c, ok := s.chart(g); ok {
			p.Parts = append(p.Parts, c)
		}
	}
	p.Parts = append(p.Parts, part.Next(s.choices(v)...)...)
	return p
}

// Say returns the answer of a tool in one to three sentences, as GFM Markdown without
// tables. It is "" where no declaration has words for the answer and it has no records to
// count: then what the tool says of it is all there is.
func Say(l language.Language, name string, arguments, answer json.RawMessage) string {
	return shown{tool: name, arguments: decode(arguments), answer: decode(answer), raw: answer}.text(l)
}

func (s shown) text(l language.Language) string {
	sp, ok := sayings()[s.tool+" "+s.variant()]
	if !ok {
		sp, ok = sayings()[s.tool]
	}
	_, object := s.answer.(map[string]any)
	if !ok || !object {
		return s.count(l)
	}
	return s.speak(l, sp)
}

// variant is what an answer is by, or the kind that was asked for: some answers have a
// sentence of their own for it.
func (s shown) variant() string {
	if by := scalar(at(s.answer, "by")); by != "" {
		return by
	}
	return scalar(at(s.arguments, "kind"))
}

// count says how many records an answer has that no declaration names.
func (s shown) count(l language.Language) string {
	v := s.guess()
	if v.rows == "-" {
		return ""
	}
	n := len(list(s.value(s.answer, v.rows)))
	total := n
	if a, ok := amount(at(s.answer, "total")); ok && a.Decimals() == 0 {
		if t := 0; scan(a.String(), &t) && t > n {
			total = t
		}
	}
	switch {
	case n == 0:
		return tell{"There are no records.", "Koi record nahi hai.", "कोई रिकॉर्ड नहीं है।"}.in(l)
	case total > n:
		return fmt.Sprintf(tell{"%d of %d records.", "%[2]d mein se %[1]d record.",
			"%[2]d में से %[1]d रिकॉर्ड।"}.in(l), n, total)
	case n == 1:
		return tell{"1 record.", "1 record.", "1 रिकॉर्ड।"}.in(l)
	}
	return fmt.Sprintf(tell{"%d records.", "%d record.", "%d रिकॉर्ड।"}.in(l), n)
}

func scan(digits string, n *int) bool {
	_, err := fmt.Sscanf(digits, "%d", n)
	return err == nil
}

// heading returns the title of a view.
func (s shown) heading(v view) string {
	return upperFirst(strings.TrimSpace(s.plain(s.answer, v.title)))
}

// notes returns what stands below a table: how many of how many records there are,
// what they come to in all, and the note of the view.
func (s shown) notes(v view, rows int) string {
	var out []string
	total, counted := amount(at(s.answer, "total"))
	counted = counted && total.Decimals() == 0 && at(s.answer, "count") != nil
	all := ""
	if counted && !total.IsZero() {
		if all = " of all " + trimmed(total); total.Cmp(money.FromInt(rows)) == 0 {
			all = ""
			out = append(out, trimmed(total)+" in all.")
		} else {
			out = append(out, fmt.Sprintf("%d of %s shown.", rows, trimmed(total)))
		}
	}
	if sum, ok := amount(at(s.answer,
		"total_amount")); ok && rows > 0 && v.sum != "" && (v.sumWhen == "" || s.meets(s.answer, v.sumWhen)) {
		out = append(out, v.sum+all+": "+rupee.figure(language.English, sum)+".")
	}
	if v.note != "" {
		out = append(out, s.plain(s.answer, v.note))
	}
	return strings.Join(out, " ")
}

// particulars returns the figures of a view as a table; nil for none.
func (s shown) particulars(v view) *render.Table {
	t := render.Table{Title: s.heading(v), Columns: []render.Column{{Key: "name", Label: "Particulars", Priority: 1},
		{Key: "value", Label: "Value", Priority: 1}}}
	for _, f := range v.figures {
		if value := s.value(s.answer, f.path); value != nil && scalar(value) != "" {
			if c := f.format.cell(value); c.Text != "" {
				t.Rows = append(t.Rows, []render.Cell{render.Text(f.label), c})
			}
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	if v.rows == "" && v.sections == nil {
		t.Note = s.notes(v, 0)
	}
	return &t
}
