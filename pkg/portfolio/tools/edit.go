package tools

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed texts/updateField.md
var updateFieldText string

//go:embed texts/updateDescriptionBlocks.md
var updateBlocksText string

//go:embed texts/undoChange.md
var undoChangeText string

// field is a field of a project that a person edits.
type field string

// labelled is a field and how people call it.
type labelled struct {
	name  field
	label string
}

func fields() []labelled {
	return []labelled{
		{"title", "title"}, {"type", "type"}, {"description", "description"},
		{"seoTitle", "title for search engines"}, {"seoDescription", "text for search engines"},
		{"tags", "tags"}, {"materials", "materials"}, {"techniques", "techniques"},
		{"district", "district"}, {"city", "city"}, {"region", "region"}, {"country", "country"},
		{"locationDetail", "detail of the place"},
		{"problem", "problem"}, {"challenge", "challenge"}, {"solution", "solution"}, {"result", "result"},
		{"duration", "duration"}, {"completed", "time of completion"}, {"size", "size"}, {"detail", "detail"},
	}
}

// Values returns the closed set.
func (field) Values() []string {
	var names []string
	for _, f := range fields() {
		names = append(names, string(f.name))
	}
	return names
}

func (f field) label() string {
	for _, known := range fields() {
		if known.name == f {
			return known.label
		}
	}
	return string(f)
}

// listed reports whether the field is a list of words.
func (f field) listed() bool { return f == "tags" || f == "materials" || f == "techniques" }

type updateFieldInput struct {
	about
	Field   field    `json:"field" jsonschema:"what is changed"`
	Value   *string  `json:"value,omitempty" limits:"note" jsonschema:"the new text; an empty one clears the field"`
	Values  []string `json:"values,omitempty" jsonschema:"the whole new list, of tags, materials or techniques"`
	Version int      `json:"version,omitempty" limits:"max=1000000000" jsonschema:"the version that the editor shows"`
}

// Check requires the member that the field takes.
func (in *updateFieldInput) Check() error {
	switch {
	case in.Field.listed() && in.Value != nil && len(in.Values) == 0:
		// "oak, pine" is a list that was written as a text.
		in.Values = strings.FieldsFunc(*in.Value, func(r rune) bool { return strings.ContainsRune(",;\n", r) })
		in.Value = nil
	case in.Field.listed() && in.Value != nil:
		return fault.New(fault.Invalid, "Write the whole list of %s as values, and no value.", in.Field)
	case !in.Field.listed() && len(in.Values) > 0:
		return fault.New(fault.Invalid, "The %s is one text: write it as value.", in.Field.label())
	case !in.Field.listed() && in.Value == nil:
		return fault.New(fault.Invalid, "Write the new text of the %s as value; an empty one clears it.",
			in.Field.label())
	}
	return nil
}

func (t *set) updateField() tool.Tool {
	return on(tool.Spec{Name: "updateField", Effect: tool.Writes, Target: tool.Own, Shows: []string{"page"},
		Description: updateFieldText}, editing,
		func(ctx context.Context, by identity.Caller, in updateFieldInput) (edited, error) {
			p, err := t.change(ctx, by, in.code(), in.Version, func(p projects.Project) (projects.Changes, error) {
				c, err := in.changes(p)
				if said, talk := saidIn(ctx); talk && err == nil {
					err = in.backed(p, said)
				}
				return c, err
			})
			if err != nil {
				return edited{}, err
			}
			return t.edited(ctx, by, p, in.sentence()), nil
		})
}

func (in updateFieldInput) sentence() string {
	switch {
	case in.Field.listed() && len(in.Values) == 0, !in.Field.listed() && strings.TrimSpace(*in.Value) == "":
		return fmt.Sprintf("Cleared the %s.", in.Field.label())
	case in.Field.listed():
		return fmt.Sprintf("Changed the %s to %s.", in.Field.label(), short(strings.Join(in.Values, ", ")))
	}
	return fmt.Sprintf("Changed the %s to “%s”.", in.Field.label(), short(*in.Value))
}

// changes makes the change of the field.
func (in updateFieldInput) changes(p projects.Project) (c projects.Changes, err error) {
	if in.Field.listed() {
		list, err := entries(in.Field.label(), in.Values)
		switch in.Field {
		case "tags":
			c.Tags = &list
		case "materials":
			c.Materials = &list
		case "techniques":
			c.Techniques = &list
		}
		return c, err
	}
	line := func(most int) *string {
		var text string
		text, err = oneLine(in.Field.label(), *in.Value, most)
		return &text
	}
	switch in.Field {
	case "title":
		c.Title = line(maxTitle)
	case "type":
		c.Type = line(maxType)
	case "description":
		var text string
		text, err = prose("description", *in.Value, maxDescription)
		c.Description = &text
	case "seoTitle":
		c.SEO = &projects.SEO{Title: *line(maxSEOTitle), Description: p.SEO.Description}
	case "seoDescription":
		c.SEO = &projects.SEO{Title: p.SEO.Title, Description: *line(maxSEOText)}
	case "district", "city", "region", "country":
		place := p.Place
		part := map[field]*string{"district": &place.District, "city": &place.City, "region": &place.Region,
			"country": &place.Country}[in.Field]
		*part = *line(maxPlace)
		c.Place = &place
	case "locationDetail":
		detail := projects.Detail(strings.ToLower(strings.TrimSpace(*in.Value)))
		if !slices.Contains(projects.Details(), detail) {
			return c, fault.New(fault.Invalid, "The detail of the place is none, country, region, city or district.")
		}
		c.Detail = &detail
	default:
		var text string
		most := maxStory
		if in.Field == "duration" || in.Field == "completed" || in.Field == "size" {
			most = maxStoryShort
		}
		if text, err = prose(in.Field.label(), *in.Value, most); err == nil {
			now := p.Story
			tell(&now, string(in.Field), text)
			c.Story = &now
		}
	}
	return c, err
}

// backed refuses what a model writes into a field and the person did not say: new
// materials and techniques, what the story holds, and figures in any text.
func (in updateFieldInput) backed(p projects.Project, said Said) error {
	var given story.Extracted
	was := p
	switch in.Field {
	case "materials":
		given.Materials, was.Materials = in.Values, nil
		said.All = append(slices.Clone(said.All), p.Materials...)
	case "techniques":
		given.Techniques, was.Techniques = in.Values, nil
		said.All = append(slices.Clone(said.All), p.Techniques...)
	case "problem":
		given.Problem = *in.Value
	case "challenge":
		given.Challenge = *in.Value
	case "solution":
		given.Solution = *in.Value
	case "result":
		given.Result = *in.Value
	case "detail":
		given.Detail = *in.Value
	}
	unsaid := story.Merge(was, given, said.All).Refused
	if in.Value != nil && len(unsaid) == 0 {
		known := " " + strings.Join(said.All, " ") + " " + strings.Join(words(p), " ")
		for _, n := range figure.FindAllString(*in.Value, -1) {
			if !strings.Contains(known, n) {
				unsaid = append(unsaid, n)
			}
		}
	}
	if len(unsaid) > 0 {
		return fault.New(fault.Unprocessable, "The person did not say this, so it is not written down: %s. Ask, or "+
			"leave it out.", strings.Join(unsaid, "; ")).WithCode("not_said")
	}
	return nil
}

// figure is a number in a text.
var figure = regexp.MustCompile(`[0-9]+(?:[.,][0-9]+)*`)

// words returns the texts of a project.
func words(p projects.Project) []string {
	s := p.Story
	out := slices.Concat([]string{p.Title, p.Type, p.Description, p.SEO.Title, p.SEO.Description, s.Problem,
		s.Challenge, s.Solution, s.Result, s.Duration, s.Completed, s.Size, s.Detail}, s.Facts, p.Materials,
		p.Techniques, p.Tags)
	for _, b := range p.Blocks {
		out = append(out, b.Text)
	}
	return out
}

// told returns a field of a story that holds words.
func told(s *projects.Story, name string) *string {
	return map[string]*string{"problem": &s.Problem, "challenge": &s.Challenge, "solution": &s.Solution,
		"result": &s.Result, "duration": &s.Duration, "completed": &s.Completed, "size": &s.Size,
		"detail": &s.Detail}[name]
}

// maxNotes is how many statements are kept that others took the place of.
const maxNotes = 20

// tell sets a field of a story and notes what stood there.
func tell(s *projects.Story, name, text string) {
	at := told(s, name)
	if *at != "" && text != "" && *at != text {
		s.Notes = append(slices.Clone(s.Notes), projects.Note{Field: name, Was: *at, Is: text})
		s.Notes = s.Notes[max(0, len(s.Notes)-maxNotes):]
	}
	*at = text
}

type blockKind string

// Values returns the closed set.
func (blockKind) Values() []string {
	var names []string
	for _, k := range projects.BlockKinds() {
		names = append(names, string(k))
	}
	return names
}

type blockInput struct {
	Kind  blockKind `json:"kind" jsonschema:"what the block is"`
	Text  string    `json:"text,omitempty" limits:"note" jsonschema:"the words of a heading, a paragraph or a quote"`
	Items []string  `json:"items,omitempty" jsonschema:"lines of a list, or photos by number or id"`
}

type updateBlocksInput struct {
	about
	Blocks  []blockInput `json:"blocks" jsonschema:"all blocks of the page in their order"`
	Version int          `json:"version,omitempty" limits:"max=1000000000" jsonschema:"the version that they were made from"`
}

func (t *set) updateDescriptionBlocks() tool.Tool {
	return on(tool.Spec{Name: "updateDescriptionBlocks", Effect: tool.Writes, Target: tool.Own,
		Shows: []string{"page"}, Description: updateBlocksText}, editing,
		func(ctx context.Context, by identity.Caller, in updateBlocksInput) (edited, error) {
			// An editor holds the blocks as they are; a model has them from somewhere.
			if _, talk := saidIn(ctx); talk && in.Version == 0 {
				return edited{}, fault.New(fault.Invalid,
					"Write the version of the project that the blocks were made from, as getProject shows it.")
			}
			p, err := t.change(ctx, by, in.code(), in.Version, func(p projects.Project) (projects.Changes, error) {
				list := make([]projects.Block, len(in.Blocks))
				for i, b := range in.Blocks {
					list[i] = projects.Block{Kind: projects.BlockKind(b.Kind), Text: b.Text, Items: b.Items}
				}
				list, err := blocks(p, list)
				return projects.Changes{Blocks: &list}, err
			})
			if err != nil {
				return edited{}, err
			}
			return t.edited(ctx, by, p, fmt.Sprintf("The page has %s now.", count(len(p.Blocks), "block"))), nil
		})
}

// count writes a number of things.
func count(n int, thing string) string {
	switch n {
	case 0:
		return "no " + thing + "s"
	case 1:
		return "one " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

type undoInput struct{ about }

func (t *set) undoChange() tool.Tool {
	return on(tool.Spec{Name: "undoChange", Effect: tool.Writes, Target: tool.Own, Shows: []string{"page"},
		Description: undoChangeText, Extension: "edits of a draft run without consent, so each can be taken back"},
		editing, func(ctx context.Context, by identity.Caller, in undoInput) (edited, error) {
			said := "Took back the last change."
			if list, err := t.Store.Versions(ctx, by, in.code()); err == nil && len(list) > 0 {
				said = fmt.Sprintf("Took back the last change, of: %s.", list[0].What)
			}
			p, err := t.Store.Undo(ctx, by, in.code())
			if err != nil {
				return edited{}, err
			}
			return t.edited(ctx, by, p, said), nil
		})
}
