package tools

import (
	"context"
	_ "embed"
	"fmt"
	"reflect"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/publish"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/writer"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed texts/generatePortfolioContent.md
var generateText string

//go:embed texts/composePortfolioLayout.md
var composeText string

//go:embed texts/checkPublishReady.md
var coachText string

//go:embed texts/regenerateSection.md
var regenerateText string

// made is the answer of a tool that had something written.
type made struct {
	edited

	Title       string        `json:"title,omitempty"`
	Description string        `json:"description,omitempty"`
	SEO         *projects.SEO `json:"seo,omitempty"`
	// Questions are on what would make the page better.
	Questions []string `json:"questions,omitempty"`
	writer.Origin
}

// made returns the answer of what was written.
func (t *set) made(ctx context.Context, by identity.Caller, p projects.Project, o writer.Origin, said string) made {
	if len(o.Degraded) > 0 && o.Made == writer.ByRules {
		said += " It was made by rules from what was told, since no model wrote it."
	}
	return made{edited: t.edited(ctx, by, p, said), Origin: o}
}

// keep stores what was written for a project as it was, where nothing that it takes the
// place of was changed meanwhile.
func (t *set) keep(ctx context.Context, by identity.Caller, was projects.Project,
	c projects.Changes) (projects.Project, error) {
	return t.Store.Merge(ctx, by, was.Code, func(p projects.Project) (projects.Changes, error) {
		if c.Title != nil && p.Title != was.Title || c.Description != nil && p.Description != was.Description ||
			c.SEO != nil && p.SEO != was.SEO || c.Tags != nil && !reflect.DeepEqual(p.Tags, was.Tags) ||
			c.Blocks != nil && !reflect.DeepEqual(p.Blocks, was.Blocks) ||
			(c.Order != nil || c.Blocks != nil) && !reflect.DeepEqual(ids(p), ids(was)) {
			return projects.Changes{}, fault.New(fault.Conflict, "The page was changed while this was written. Look "+
				"at it, and ask once more.").WithCode("changed")
		}
		return c, nil
	})
}

func ids(p projects.Project) []string {
	var out []string
	for _, i := range p.Images {
		out = append(out, i.ID)
	}
	return out
}

type generateInput struct{ about }

func (t *set) generatePortfolioContent() tool.Tool {
	return on(tool.Spec{Name: "generatePortfolioContent", Effect: tool.Writes, Target: tool.Own,
		Description: generateText, Shows: []string{"page"}}, deep,
		func(ctx context.Context, by identity.Caller, in generateInput) (made, error) {
			p, b, err := t.both(ctx, by, in.code())
			if err != nil {
				return made{}, err
			}
			if p.Type == "" && p.Story.Problem == "" && p.Story.Solution == "" {
				return made{}, fault.New(fault.Unprocessable, "Nothing is known of the job yet. Ask the person what "+
					"was done.").WithCode("no_story")
			}
			draft, err := writer.Content(ctx, p, b)
			if err != nil {
				return made{}, err
			}
			changes := draft.Changes()
			changes.Photos = writer.Alts(p)
			if p, err = t.keep(ctx, by, p, changes); err != nil {
				return made{}, err
			}
			out := t.made(ctx, by, p, draft.Origin, fmt.Sprintf("Wrote the page “%s”: its texts and %s.",
				short(p.Title), count(len(p.Blocks), "block")))
			out.page.Open, out.page.Edit = true, true
			out.Title, out.Description, out.Questions = p.Title, p.Description, draft.Questions
			return out, nil
		})
}

type composeInput struct{ about }

func (t *set) composePortfolioLayout() tool.Tool {
	return on(tool.Spec{Name: "composePortfolioLayout", Effect: tool.Writes, Target: tool.Own,
		Description: composeText, Shows: []string{"page"}}, deep,
		func(ctx context.Context, by identity.Caller, in composeInput) (arranged, error) {
			p, err := t.Store.Get(ctx, by, in.code())
			if err != nil {
				return arranged{}, err
			}
			if len(p.Ready()) == 0 {
				return arranged{}, fault.New(fault.Unprocessable, "The project has no photos to arrange yet.").
					WithCode("no_photos")
			}
			a, err := writer.Layout(ctx, p)
			if err != nil {
				return arranged{}, err
			}
			if p, err = t.keep(ctx, by, p, a.Changes()); err != nil {
				return arranged{}, err
			}
			hero, _ := p.Hero()
			said := fmt.Sprintf("Arranged %s and %s.", count(len(p.Blocks), "block"), count(len(p.Images), "photo"))
			out := arranged{t.made(ctx, by, p, a.Origin, said), p.Blocks, ids(p), hero.ID}
			out.page.Open, out.page.Edit = true, true
			return out, nil
		})
}

// arranged is a layout as it was stored.
type arranged struct {
	made

	Blocks []projects.Block `json:"descriptionBlocks"`
	Order  []string         `json:"order"`
	Hero   string           `json:"hero"`
}

type section string

// Values returns the closed set.
func (section) Values() []string { return []string{"title", "description", "seo"} }

type regenerateInput struct {
	about
	Section section `json:"section" jsonschema:"what is written anew"`
}

func (t *set) regenerateSection() tool.Tool {
	return on(tool.Spec{Name: "regenerateSection", Effect: tool.Writes, Target: tool.Own,
		Description: regenerateText, Shows: []string{"page"}}, editing,
		func(ctx context.Context, by identity.Caller, in regenerateInput) (made, error) {
			p, b, err := t.both(ctx, by, in.code())
			if err != nil {
				return made{}, err
			}
			text, err := writer.Section(ctx, p, b, string(in.Section))
			if err != nil {
				return made{}, err
			}
			if p, err = t.keep(ctx, by, p, text.Changes()); err != nil {
				return made{}, err
			}
			switch in.Section {
			case "title":
				out := t.made(ctx, by, p, text.Origin, fmt.Sprintf("The title is “%s” now.", p.Title))
				out.Title = p.Title
				return out, nil
			case "description":
				out := t.made(ctx, by, p, text.Origin, "Wrote the description anew.")
				out.Description = p.Description
				return out, nil
			}
			out := t.made(ctx, by, p, text.Origin, "Wrote the texts for search engines anew.")
			out.SEO = &p.SEO
			return out, nil
		})
}

type coachInput struct{ about }

func (t *set) checkPublishReady() tool.Tool {
	return on(tool.Spec{Name: "checkPublishReady", Effect: tool.Reads, Description: coachText,
		Shows: []string{"choices"}}, deep,
		func(ctx context.Context, by identity.Caller, in coachInput) (coached, error) {
			p, b, err := t.both(ctx, by, in.code())
			if err != nil {
				return coached{}, err
			}
			advice, err := writer.Quality(ctx, p, b)
			if err != nil {
				return coached{}, err
			}
			r := publish.Validate(p, b)
			return coached{p.Code, p.Version, advice, r.OK, r.Missing(), p}, nil
		})
}

// coached is advice on a page, and whether it may be published, which is another
// matter.
type coached struct {
	Project string `json:"project"`
	Version int    `json:"version"`
	writer.Advice
	Publishable bool     `json:"publishable"`
	Missing     []string `json:"missing,omitempty"`
	p           projects.Project
}

// Table lists the advice.
func (c coached) Table() render.Table {
	t := render.Table{Title: "What would make the page better", Columns: []render.Column{
		{Key: "what", Label: "What to do", Priority: 1}, {Key: "why", Label: "Why"}}}
	for _, p := range c.Points {
		t.Rows = append(t.Rows, []render.Cell{render.Text(p.What), render.Text(p.Why)})
	}
	return t
}

// Summarize says that it is advice.
func (c coached) Summarize() string {
	said := "There is nothing to advise on the page."
	if len(c.Points) > 0 {
		said = "What would make the page better: " + count(len(c.Points), "piece") + " of advice."
	}
	if c.Publishable {
		return said + " None of it keeps the page from being published: all checks are passed."
	}
	return said + " What keeps the page from being published: " + strings.Join(c.Missing, " ")
}

// Show offers to publish what can be.
func (c coached) Show() []part.Data {
	if !c.Publishable || !possible(c.p, "publish") {
		return nil
	}
	return part.Next(choice(c.p, "publish"))
}

// Count is how much advice there is.
func (c coached) Count() int { return len(c.Points) }
