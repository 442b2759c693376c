package part

import (
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// OfForm returns a form of a reply as the content of a part. Where its values come
// from is not known.
func OfForm(f render.Form) Data {
	if f.Kind == (Clarification{}).Kind() {
		return Clarification{Question: f.Question, Type: f.Type, Options: f.Options}
	}
	p := Params{Title: f.Title, Applied: []Applied{}, Pending: []Pending{}}
	for _, e := range f.Applied {
		if e.Value == "" {
			p.Pending = append(p.Pending, Pending{Name: e.Name, Label: fieldLabel(e.Name)})
			continue
		}
		p.Applied = append(p.Applied, Applied{Name: e.Name, Label: fieldLabel(e.Name), Value: e.Value})
	}
	for _, e := range f.Pending {
		p.Pending = append(p.Pending, Pending{Name: e.Name, Label: fieldLabel(e.Name), Hint: e.Value})
	}
	return p
}

// fieldLabel writes a field's name as people would: "Due date" for due_date.
func fieldLabel(name string) string {
	return labelOf(upperFirst(strings.ReplaceAll(name, "_", " ")))
}
