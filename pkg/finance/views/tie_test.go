package views_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/finance/views"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

var (
	uuid   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	stated = regexp.MustCompile(`-?₹[0-9,]+(\.[0-9]+)?( (lakh|crore|लाख|करोड़))?`)
	values = regexp.MustCompile(`:("[^"]*"|[0-9]+)`)
	member = regexp.MustCompile(`\b[a-z]+_[a-z_]+\b`)
)

// figures are the amounts of an answer and the sums of each member of its lists, as they
// are written: in full, in lakh and crore, and without sign.
type figures map[string]bool

func (f figures) add(a money.Amount) {
	b, _ := money.Zero.Sub(a)
	for _, x := range []money.Amount{a, b} {
		f[rupees.Format(x)], f[rupees.Short(x)] = true, true
		f[strings.NewReplacer("lakh", "लाख", "crore", "करोड़").Replace(rupees.Short(x))] = true
	}
}

func (f figures) collect(v any) {
	switch v := v.(type) {
	case json.Number:
		if a, err := money.Parse(v.String()); err == nil {
			f.add(a)
		}
	case []any:
		f.sums(v, func(map[string]any) bool { return true })
		f.sums(v, func(o map[string]any) bool { return o["section"] == "revenue" })
		f.sums(v, func(o map[string]any) bool { return o["section"] != "revenue" && o["section"] != "other_income" })
		for _, x := range v {
			f.collect(x)
		}
	case map[string]any:
		for _, x := range v {
			f.collect(x)
		}
	}
}

func (f figures) sums(records []any, counted func(map[string]any) bool) {
	sums := map[string]money.Amount{}
	for _, r := range records {
		if o, ok := r.(map[string]any); ok && counted(o) {
			for name, v := range o {
				if n, ok := v.(json.Number); ok {
					a, _ := money.Parse(n.String())
					sums[name], _ = sums[name].Add(a)
				}
			}
		}
	}
	for _, s := range sums {
		f.add(s)
	}
}

// S2-29, S2-36, S2-47: each figure that is shown or said is one of the answer or the sum
// of a list of it, each record that came is shown, and no id and no name of a member is.
func testFigures(t *testing.T, all []company) {
	read := map[string]bool{}
	for _, c := range all {
		for _, call := range c.calls {
			answer := c.answers[call]
			read[call.tool] = true
			of := figures{}
			d := json.NewDecoder(bytes.NewReader(answer))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
			of.collect(v)
			check := func(text string) {
				for _, amount := range stated.FindAllString(text, -1) {
					if !of[amount] {
						t.Errorf("%s %s: %s is not in the answer: %s", call.tool, call.arguments, amount, text)
					}
				}
				if found := uuid.FindString(text) + member.FindString(text); found != "" {
					t.Errorf("%s %s shows %q", call.tool, call.arguments, found)
				}
			}
			for _, l := range []language.Language{language.English, language.Hinglish, language.Hindi} {
				said := views.Say(l, call.tool, json.RawMessage(call.arguments), answer)
				check(said)
				if strings.Contains(said, "{") || strings.Contains(said, "  ") || strings.Contains(said, " ,") ||
					said == "" {
					t.Errorf("%s %s: said %q", call.tool, call.arguments, said)
				}
			}
			p := views.Present(call.tool, json.RawMessage(call.arguments), answer)
			if p.Table == nil {
				t.Errorf("%s %s has no table", call.tool, call.arguments)
				continue
			}
			check(p.Table.Title + "\n" + p.Table.Plain() + "\n" + p.Table.Note)
			for _, d := range p.Parts {
				made, err := part.New(d, call.tool, nil)
				if err != nil {
					t.Error(call.tool, err)
				}
				if d.Kind() != "chart" { // its drawing has shapes beside figures
					check(made.Text)
				}
			}
			if n := records(v); n > len(p.Table.Rows) || n < len(p.Table.Rows) && p.Table.Columns[0].Key != "name" &&
				n > 0 {
				t.Errorf("%s %s shows %d of %d records", call.tool, call.arguments, len(p.Table.Rows), n)
			}
		}
	}
	for name, tool := range manifest(t) {
		if tool.reads() && !read[name] {
			t.Errorf("%s is not shown", name)
		}
	}
}

// n2 are the lists of records of an answer.
func n2(v any) [][]any {
	var out [][]any
	o, _ := v.(map[string]any)
	for _, x := range o {
		if l, ok := x.([]any); ok && len(l) > 0 {
			out = append(out, l)
		}
	}
	return out
}

func records(v any) int {
	if l := n2(v); len(l) == 1 {
		return len(l[0])
	}
	return 0
}

// declared is a tool of the ledger as its manifest declares it.
type declared struct {
	Name, Effect string
	Input        struct {
		Properties map[string]any
		Required   []string
	}
}

func (d declared) reads() bool { return d.Effect == "reads" }

// accepts reports whether arguments are those of the tool: all that it requires, and none
// that it does not know.
func (d declared) accepts(arguments string) bool {
	given := map[string]any{}
	if json.Unmarshal([]byte(arguments), &given) != nil {
		return false
	}
	for name := range given {
		if _, known := d.Input.Properties[name]; !known {
			return false
		}
	}
	return !slices.ContainsFunc(d.Input.Required, func(name string) bool { return given[name] == nil })
}

// manifest has the tools of the ledger by name.
func manifest(t *testing.T) map[string]declared {
	t.Helper()
	raw, err := os.ReadFile("../../boot/remote/manifests/ledger.json")
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Tools []declared }
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	out := map[string]declared{}
	for _, tool := range m.Tools {
		out[tool.Name] = tool
	}
	return out
}

// What can be pressed is a call that the ledger answers: each choice that reads and the
// first cells of each column, one call of each form.
func testPresses(t *testing.T, all []company) {
	tools := manifest(t)
	for _, c := range all {
		done := map[call]bool{}
		for _, asked := range c.calls {
			p := views.Present(asked.tool, json.RawMessage(asked.arguments), c.answers[asked])
			for _, pressed := range presses(p.Table, p.Parts) {
				form := call{asked.tool + " " + pressed.tool, values.ReplaceAllString(pressed.arguments, ":…")}
				if done[form] {
					continue
				}
				done[form] = true
				if tool := tools[pressed.tool]; !tool.accepts(pressed.arguments) {
					t.Errorf("%s offers %s %s, which is no call of it", asked.tool, pressed.tool, pressed.arguments)
				} else if !tool.reads() {
					continue
				}
				if _, known := c.answers[pressed]; known {
					continue
				}
				if _, refusal := c.try(pressed.tool, pressed.arguments); refusal != "" {
					t.Errorf("%s offers %s %s: %s", asked.tool, pressed.tool, pressed.arguments, refusal)
				}
			}
		}
		if len(done) < 100 {
			t.Errorf("%d calls are offered", len(done))
		}
	}
}

// The age of what customers owe is pressed down to the invoices: they come to the figure.
func testBuckets(t *testing.T, c company) {
	report := call{"get_aged_receivables_report", `{}`}
	p := views.Present(report.tool, json.RawMessage(report.arguments), c.answers[report])
	pressed := 0
	for i, column := range p.Table.Columns {
		if column.Open.Tool != "get_overdue_invoices" {
			continue
		}
		for n, row := range p.Table.Rows[:4] {
			var invoices struct {
				Total json.Number `json:"total_amount"`
			}
			if err := json.Unmarshal(c.call(column.Open.Tool, pressedAt(*p.Table, i, n)), &invoices); err != nil {
				t.Fatal(err)
			}
			if sum, err := money.Parse(invoices.Total.String()); err != nil ||
				sum.Cmp(row[i].Value.(money.Amount)) != 0 {
				t.Errorf("%s of %s is %s, its invoices come to %s", column.Label, row[0].Text, row[i].Text,
					invoices.Total)
			}
			pressed++
		}
	}
	if pressed < 5*4 {
		t.Errorf("%d figures were pressed", pressed)
	}
}

// pressedAt are the arguments of the call of a cell that takes one from its row.
func pressedAt(t render.Table, column, row int) string {
	open := t.Columns[column].Open
	of := slices.IndexFunc(t.Columns, func(c render.Column) bool { return c.Key == open.Of })
	with := map[string]any{}
	if open.With != nil {
		_ = json.Unmarshal(open.With, &with)
	}
	with[open.Argument] = t.Rows[row][of].Text
	arguments, _ := json.Marshal(with)
	return string(arguments)
}

func presses(table *render.Table, parts []part.Data) []call {
	tables := []render.Table{*table}
	var out []call
	for _, d := range parts {
		switch d := d.(type) {
		case part.Choices:
			for _, c := range d.Choices {
				out = append(out, call{c.Tool, string(c.Arguments)})
			}
		case part.Table:
			tables = append(tables, d.Table)
		}
	}
	for _, t := range tables {
		for i, c := range t.Columns {
			for n, row := range t.Rows[:min(2, len(t.Rows))] {
				switch {
				case len(c.Open.Rows) > 0 && string(c.Open.Rows[n]) != "{}":
					out = append(out, call{c.Open.Tool, string(c.Open.Rows[n])})
				case c.Open.Tool != "" && c.Open.Rows == nil && row[i].Text != "":
					out = append(out, call{c.Open.Tool, pressedAt(t, i, n)})
				}
			}
		}
	}
	return out
}
