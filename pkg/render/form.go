package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// Two kinds of fenced block are forms that a page shows as such. They hold one
// JSON object each; docs/streams.md says which. A block that is not exactly
// that, or holds anything that a reply may not, is text like any other.
const (
	maxForm    = 8 << 10 // bytes of a block, fences included
	maxEntries = 30
	maxWords   = 500
)

// form reads a block at the start of held whose first line ends at body. It is
// shown whole or not at all, so half a form never arrives.
func (f *Filter) form(name string, body int, final bool) (n int, show string, wait bool) {
	end := max(body, f.read) // of the lines that are known to be none of the fence
	f.read = 0
	for end < len(f.held) && end < maxForm {
		line, _, whole := strings.Cut(f.held[end:], "\n")
		if !whole && !final {
			break
		}
		if mark := strings.TrimSpace(line); len(mark) >= 3 && strings.Trim(mark, "`") == "" {
			fence := end + len(line)
			if fence >= maxForm {
				break // where the line ends would depend on how the text was cut
			}
			return f.closed(name, f.held[body:end], fence)
		}
		end += len(line) + 1
	}
	if !final && len(f.held) < maxForm {
		f.read = end
		return 0, "", true
	}
	if f.Form != nil && len(f.held) < maxForm {
		return f.closed(name, f.held[body:], len(f.held)) // the answer ended within it
	}
	return 3, "```", false
}

// closed shows a form whose block takes n bytes, or hands it over.
func (f *Filter) closed(name, body string, n int) (int, string, bool) {
	text, form, ok := readForm(name, body)
	switch {
	case f.Form != nil && ok:
		f.Form(form)
		return n, "", false
	case f.Form != nil:
		return n, "", false
	case ok:
		return n, "```" + name + "\n" + text + "\n```", false
	}
	return 3, "```", false
}

// Form is a form of a reply.
type Form struct {
	Kind string // params or clarification
	// Of params: what is known, and hints at what is still wanted, by name.
	Title            string
	Applied, Pending []Entry
	// Of a clarification.
	Question, Type string // radio, dropdown or checkbox
	Options        []string
}

// Entry is a name with a value or a hint, which may be "".
type Entry struct{ Name, Value string }

// readForm checks a form and rewrites it on one line.
func readForm(name, body string) (string, Form, bool) {
	var form interface {
		valid() bool
		form() Form
	}
	switch name {
	case "params":
		form = &paramsForm{}
	case "clarification":
		form = &clarificationForm{}
	default:
		return "", Form{}, false
	}
	d := json.NewDecoder(strings.NewReader(body))
	d.DisallowUnknownFields()
	if d.Decode(form) != nil || !form.valid() {
		return "", Form{}, false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return "", Form{}, false
	}
	text, err := json.Marshal(form)
	return string(text), form.form(), err == nil
}

// paramsForm shows what is known of something that is being made, and what is
// still wanted.
type paramsForm struct {
	Title   string  `json:"title,omitempty"`
	Applied entries `json:"applied"` // name → value
	Pending entries `json:"pending"` // name → hint
}

func (p *paramsForm) valid() bool {
	return (p.Title == "" || fit(p.Title)) && p.Applied.valid() && p.Pending.valid() &&
		len(p.Applied)+len(p.Pending) > 0 && len(p.Applied)+len(p.Pending) <= maxEntries
}

func (p *paramsForm) form() Form {
	return Form{Kind: "params", Title: p.Title, Applied: p.Applied.list(), Pending: p.Pending.list()}
}

// clarificationForm is a question with a choice of answers.
type clarificationForm struct {
	Question string   `json:"question"`
	Type     string   `json:"type"` // radio, dropdown, checkbox
	Options  []string `json:"options"`
}

func (c *clarificationForm) valid() bool {
	if !slices.Contains([]string{"radio", "dropdown", "checkbox"}, c.Type) || !fit(c.Question) || len(c.Options) < 2 ||
		len(c.Options) > maxEntries {
		return false
	}
	for i, o := range c.Options {
		if !fit(o) || slices.Contains(c.Options[:i], o) {
			return false
		}
	}
	return true
}

func (c *clarificationForm) form() Form {
	return Form{Kind: "clarification", Question: c.Question, Type: c.Type, Options: c.Options}
}

// entries are the members of an object in the order in which they were
// written. Numbers and truth values are kept as words.
type entries []entry

type entry struct{ name, value string }

func (e entries) list() []Entry {
	var out []Entry
	for _, x := range e {
		out = append(out, Entry{x.name, x.value})
	}
	return out
}

func (e entries) valid() bool {
	for i, x := range e {
		if !fit(x.name) || x.value != "" && !fit(x.value) ||
			slices.ContainsFunc(e[:i], func(o entry) bool { return o.name == x.name }) {
			return false
		}
	}
	return true
}

// UnmarshalJSON takes an object whose values are words, numbers or truth
// values.
func (e *entries) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errNoForm
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		value, err := d.Token()
		if err != nil {
			return err
		}
		var x entry
		x.name, _ = name.(string)
		switch v := value.(type) {
		case string:
			x.value = v
		case json.Number:
			x.value = v.String()
		case bool:
			x.value = map[bool]string{true: "yes", false: "no"}[v]
		default:
			return errNoForm
		}
		*e = append(*e, x)
	}
	return nil
}

// MarshalJSON writes the members in their order.
func (e entries) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, x := range e {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(x.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(x.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// errNoForm never reaches anybody: the block is then shown as text.
var errNoForm = errors.New("not a form")

// fit reports whether words may stand in a form: a few, in one line, with
// nothing that a Filter would leave out or that hides.
func fit(s string) bool {
	if strings.TrimSpace(s) == "" || utf8.RuneCountInString(s) > maxWords || strings.ContainsAny(s, "\n\r\t`") {
		return false
	}
	if _, hidden := plaintext.Show(s); hidden {
		return false
	}
	var f Filter
	return html.UnescapeString(f.Push(s)+f.Close()) == html.UnescapeString(s)
}
