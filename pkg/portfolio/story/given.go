package story

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Extracted is what a model made of the person's words. Empty members say nothing.
type Extracted struct {
	Title      string         `json:"title,omitempty"`
	Type       string         `json:"type,omitempty"`
	Place      projects.Place `json:"place,omitzero"`
	Materials  []string       `json:"materials,omitempty"`
	Techniques []string       `json:"techniques,omitempty"`
	Problem    string         `json:"problem,omitempty"`
	Challenge  string         `json:"challenge,omitempty"`
	Solution   string         `json:"solution,omitempty"`
	Result     string         `json:"result,omitempty"`
	Duration   string         `json:"duration,omitempty"`
	Completed  string         `json:"completed,omitempty"`
	Size       string         `json:"size,omitempty"`
	Detail     string         `json:"detail,omitempty"`
}

// Merge returns what a model's extraction changes of the project. said are all messages
// that the person typed or spoke, the oldest first: what they do not back is refused and
// named in Refused. Else it does what Read does.
func Merge(p projects.Project, given Extracted, said []string) Reading {
	m := begin(p)
	all := foldedText(clean(strings.Join(said, " \n")))
	backed := func(name, value string) bool {
		for _, w := range tokensOf(value) {
			if !strings.Contains(all, " "+w.word+" ") && !strings.Contains(all, " "+w.stem) {
				m.refused = append(m.refused, fmt.Sprintf("%s: %s", name, value))
				return false
			}
		}
		return value != ""
	}
	if m.kind == "" && backed("type", given.Type) {
		m.kind = given.Type
	}
	for _, e := range given.Materials {
		if backed("materials", e) {
			m.mats = union(m.mats, e)
		}
	}
	for _, e := range given.Techniques {
		if backed("techniques", e) {
			m.techs = union(m.techs, e)
		}
	}
	for _, f := range []struct{ name, value string }{{"problem", given.Problem}, {"challenge", given.Challenge},
		{"solution", given.Solution}, {"result", given.Result}, {"detail", given.Detail}} {
		if backed(f.name, f.value) {
			m.add(f.name, f.value)
		}
	}
	return m.done()
}
