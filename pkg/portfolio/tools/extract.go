package tools

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed texts/extractProjectData.md
var extractText string

type extractInput struct {
	about
	Title      string   `json:"title,omitempty" jsonschema:"what the person calls the job, if they do"`
	Type       string   `json:"type,omitempty" jsonschema:"the kind of job, such as kitchen renovation"`
	Place      string   `json:"place,omitempty" jsonschema:"where it was, as the person said it"`
	Materials  []string `json:"materials,omitempty" jsonschema:"what was used, by name"`
	Techniques []string `json:"techniques,omitempty" jsonschema:"how it was done, by name"`
	Problem    string   `json:"problem,omitempty" limits:"note" jsonschema:"what the client had or wished, as it was said"`
	Challenge  string   `json:"challenge,omitempty" limits:"note" jsonschema:"what was difficult, in the person's words"`
	Solution   string   `json:"solution,omitempty" limits:"note" jsonschema:"what was done, in the person's words"`
	Result     string   `json:"result,omitempty" limits:"note" jsonschema:"what came of it, in the person's words"`
	Duration   string   `json:"duration,omitempty" jsonschema:"how long it took, such as three weeks"`
	Completed  string   `json:"completed,omitempty" jsonschema:"when it was finished, such as May 2026"`
	Size       string   `json:"size,omitempty" jsonschema:"how large it is, such as 18 square metres"`
	Detail     string   `json:"detail,omitempty" limits:"note" jsonschema:"what the person is proud of, in their words"`
}

// given returns the arguments as an extraction.
func (in extractInput) given() story.Extracted {
	return story.Extracted{Title: in.Title, Type: in.Type, Place: story.ParsePlace(in.Place), Materials: in.Materials,
		Techniques: in.Techniques, Problem: in.Problem, Challenge: in.Challenge, Solution: in.Solution,
		Result: in.Result, Duration: in.Duration, Completed: in.Completed, Size: in.Size, Detail: in.Detail}
}

// words returns the arguments as if they had been said: outside of a conversation people
// fill them in themselves.
func (in extractInput) words() []string {
	all := slices.Concat([]string{in.Title, in.Type, in.Place}, in.Materials, in.Techniques, []string{in.Problem,
		in.Challenge, in.Solution, in.Result, in.Duration, in.Completed, in.Size, in.Detail})
	return slices.DeleteFunc(all, func(s string) bool { return strings.TrimSpace(s) == "" })
}

func (t *set) extractProjectData() tool.Tool {
	return on(tool.Spec{Name: "extractProjectData", Effect: tool.Writes, Target: tool.Own, Description: extractText,
		Shows: []string{"page"}}, extraction,
		func(ctx context.Context, by identity.Caller, in extractInput) (extracted, error) {
			said, talk := saidIn(ctx)
			if !talk {
				said.All = in.words()
			}
			var r reading
			p, err := t.Store.Merge(ctx, by, in.code(), func(p projects.Project) (projects.Changes, error) {
				r = read(p, in.given(), said)
				return r.changes, nil
			})
			if err != nil {
				return extracted{}, err
			}
			out := extracted{Found: r.found, Corrected: r.corrected, Refused: r.refused}
			if q, ok := story.Next(p); ok {
				out.Ask = &q
			}
			out.edited = t.edited(ctx, by, p, out.sentence())
			return out, nil
		})
}

// reading is what a turn takes down.
type reading struct {
	changes   projects.Changes
	found     []string
	corrected []projects.Note
	refused   []string
}

// read takes down what the newest message says by itself, where no flow did so, and then
// what a model extracted, as far as the person said it.
func read(p projects.Project, given story.Extracted, said Said) (r reading) {
	for _, one := range []func(projects.Project) story.Reading{
		func(p projects.Project) story.Reading {
			if said.Taken || said.Latest == "" {
				return story.Reading{}
			}
			return story.Read(p, said.Latest, "")
		},
		func(p projects.Project) story.Reading { return story.Merge(p, given, said.All) },
	} {
		next := one(applied(p, r.changes))
		over(&r.changes, next.Changes)
		r.corrected, r.refused = append(r.corrected, next.Corrected...), append(r.refused, next.Refused...)
		for _, name := range next.Found {
			if !slices.Contains(r.found, name) {
				r.found = append(r.found, name)
			}
		}
	}
	return r
}

// over puts changes over others.
func over(c *projects.Changes, o projects.Changes) {
	if o.Title != nil {
		c.Title = o.Title
	}
	if o.Type != nil {
		c.Type = o.Type
	}
	if o.Place != nil {
		c.Place = o.Place
	}
	if o.Detail != nil {
		c.Detail = o.Detail
	}
	if o.Story != nil {
		c.Story = o.Story
	}
	if o.Materials != nil {
		c.Materials = o.Materials
	}
	if o.Techniques != nil {
		c.Techniques = o.Techniques
	}
}

// applied returns a project with what a reading changes of it.
func applied(p projects.Project, c projects.Changes) projects.Project {
	whole := projects.Changes{Title: &p.Title, Type: &p.Type, Place: &p.Place, Detail: &p.Detail, Story: &p.Story,
		Materials: &p.Materials, Techniques: &p.Techniques}
	over(&whole, c)
	p.Title, p.Type, p.Place, p.Detail, p.Story = *whole.Title, *whole.Type, *whole.Place, *whole.Detail, *whole.Story
	p.Materials, p.Techniques = *whole.Materials, *whole.Techniques
	return p
}

// extracted is what was taken down, and what to ask next.
type extracted struct {
	edited

	Found     []string        `json:"found"`
	Corrected []projects.Note `json:"corrected,omitempty"`
	// Refused are values that the person did not say; they were not taken down.
	Refused []string        `json:"refused,omitempty"`
	Ask     *story.Question `json:"ask,omitempty"` // what matters most of what is missing
}

func (e extracted) sentence() string {
	var said []string
	if len(e.Found) > 0 {
		said = append(said, "Took down: "+strings.Join(e.Found, ", ")+".")
	} else {
		said = append(said, "There was nothing more to take down.")
	}
	for _, n := range e.Corrected {
		if n.Is == "" {
			said = append(said, fmt.Sprintf("Took back of the %s: %s.", n.Field, short(n.Was)))
			continue
		}
		said = append(said, fmt.Sprintf("Corrected the %s: %s instead of %s.", n.Field, short(n.Is), short(n.Was)))
	}
	if len(e.Refused) > 0 {
		said = append(said, "Not taken down, since the person did not say it: "+strings.Join(e.Refused, "; ")+".")
	}
	return strings.Join(said, " ")
}
