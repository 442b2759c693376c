package tools

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed texts/showPortfolioPreview.md
var previewText string

//go:embed texts/listProjects.md
var listProjectsText string

//go:embed texts/getProject.md
var getProjectText string

// readingTime is after how long a photo that is being read is asked for again.
const readingTime = 2 * time.Second

type previewInput struct {
	about
	Edit bool `json:"edit,omitempty" jsonschema:"open it for editing"`
}

func (t *set) showPortfolioPreview() tool.Tool {
	return on(tool.Spec{Name: "showPortfolioPreview", Effect: tool.Reads, Description: previewText,
		Shows: []string{"page"}}, previewing,
		func(ctx context.Context, by identity.Caller, in previewInput) (previewed, error) {
			p, err := t.Store.Get(ctx, by, in.code())
			if err != nil {
				return previewed{}, err
			}
			missing := t.missing(ctx, by, p)
			out := previewed{p.Code, p.Version, p.Title, missing, pageOf(p, missing)}
			out.page.Open, out.page.Edit = true, in.Edit
			return out, nil
		})
}

type previewed struct {
	Project string   `json:"project"`
	Version int      `json:"version"`
	Title   string   `json:"title"`
	Missing []string `json:"missing,omitempty"`
	page    part.Page
}

// Summarize says that the page is shown.
func (p previewed) Summarize() string {
	if p.page.Edit {
		return "The page is open for editing."
	}
	return "The page is shown as it is now."
}

// Show opens the page.
func (p previewed) Show() []part.Data { return []part.Data{p.page} }

type listInput struct {
	Archived bool `json:"archived,omitempty" jsonschema:"with those that were put away"`
}

func (t *set) listProjects() tool.Tool {
	return tool.New(tool.Spec{Name: "listProjects", Effect: tool.Reads, Description: oneText(listProjectsText),
		Extension: "people have several projects"},
		func(ctx context.Context, by identity.Caller, in listInput) (list, error) {
			all, err := t.Store.List(ctx, by)
			out := list{Projects: []item{}}
			for _, i := range all {
				if in.Archived || i.Status != projects.Archived {
					out.Projects = append(out.Projects, item{i.Code, i.Title, i.Type, i.Status, i.Phase, i.URL,
						i.Images, calendar.Of(i.UpdatedAt)})
				}
			}
			return out, err
		})
}

type list struct {
	Projects []item `json:"projects"`
}

type item struct {
	Code   string          `json:"code"`
	Title  string          `json:"title"`
	Type   string          `json:"type"`
	Status projects.Status `json:"status"`
	Phase  projects.Phase  `json:"phase"`
	URL    string          `json:"url,omitempty"`
	Photos int             `json:"photos"`
	On     calendar.Date   `json:"changedOn"`
}

// Table lays the list out.
func (l list) Table() render.Table {
	t := render.Table{Title: "Projects", Columns: []render.Column{
		render.Column{Key: "title", Label: "Project", Priority: 1}.Opens("getProject", "project", "code"),
		render.Column{Key: "code", Label: "Code"}.Opens("getProject", "project", ""),
		{Key: "type", Label: "Type"}, {Key: "status", Label: "Status", Priority: 1}, {Key: "next", Label: "Next"},
		{Key: "photos", Label: "Photos", Right: true}, {Key: "changed", Label: "Changed"},
	}}
	for _, p := range l.Projects {
		title := p.Title
		if title == "" {
			title = "(no title yet)"
		}
		t.Rows = append(t.Rows, []render.Cell{render.Text(title), render.Text(p.Code), render.Text(p.Type),
			render.Text(string(p.Status)), render.Text(next(p.Phase)), render.Int(p.Photos), render.Day(p.On)})
	}
	return t
}

// Summarize says how many there are.
func (l list) Summarize() string {
	return "There " + map[bool]string{true: "is", false: "are"}[len(l.Projects) == 1] + " " +
		count(len(l.Projects), "project") + "."
}

// next says what a project needs.
func next(p projects.Phase) string {
	switch p {
	case projects.Talking:
		return "the story"
	case projects.Photos:
		return "photos"
	case projects.Drafting:
		return "texts"
	case projects.Review:
		return "a last look"
	}
	return "nothing"
}

type getInput struct{ about }

func (t *set) getProject() tool.Tool {
	return on(tool.Spec{Name: "getProject", Effect: tool.Reads, Description: getProjectText,
		Extension: "what is known of a project is looked up, not remembered"}, free,
		func(ctx context.Context, by identity.Caller, in getInput) (facts, error) {
			p, err := t.Store.Get(ctx, by, in.code())
			if err != nil {
				return facts{}, err
			}
			return factsOf(p, t.missing(ctx, by, p)), nil
		})
}

// facts is all that a model needs to know of a project: without the street, and
// without the names of files.
type facts struct {
	Code        string           `json:"code"`
	Version     int              `json:"version"`
	Status      projects.Status  `json:"status"`
	Phase       projects.Phase   `json:"phase"`
	Title       string           `json:"title"`
	Type        string           `json:"type"`
	Place       projects.Place   `json:"place"`
	Shown       string           `json:"placeShown"`
	Detail      projects.Detail  `json:"locationDetail"`
	Story       projects.Story   `json:"story"`
	Materials   []string         `json:"materials"`
	Techniques  []string         `json:"techniques"`
	Tags        []string         `json:"tags"`
	Description string           `json:"description"`
	SEO         projects.SEO     `json:"seo"`
	Blocks      []projects.Block `json:"descriptionBlocks"`
	Photos      []photoFacts     `json:"photos"`
	Private     projects.Private `json:"privacy"`
	URL         string           `json:"url,omitempty"`
	Changed     bool             `json:"changedSincePublished,omitempty"`
	Missing     []string         `json:"missing,omitempty"`
}

type photoFacts struct {
	Number int                 `json:"number"`
	ID     string              `json:"id"`
	Alt    string              `json:"alt"`
	Stage  projects.Stage      `json:"stage"`
	Hero   bool                `json:"hero,omitempty"`
	State  projects.ImageState `json:"state"`
	Reason string              `json:"reason,omitempty"`
}

func factsOf(p projects.Project, missing []string) facts {
	p.Place.Street = "" // it never leaves the project
	p.Story = discreet(p.Story)
	f := facts{p.Code, p.Version, p.Status, p.Phase, p.Title, p.Type, p.Place, p.Place.Shown(p.Detail), p.Detail,
		p.Story, p.Materials, p.Techniques, p.Tags, p.Description, p.SEO, p.Blocks, []photoFacts{}, p.Private, p.URL,
		p.Changed, missing}
	hero, _ := p.Hero()
	for i, image := range p.Images {
		f.Photos = append(f.Photos, photoFacts{i + 1, image.ID, image.Alt, image.Stage, image.ID == hero.ID,
			image.State, image.Reason})
	}
	return f
}

// discreet returns a story without what is private in its words.
func discreet(s projects.Story) projects.Story {
	for _, name := range []string{"problem", "challenge", "solution", "result", "duration", "completed", "size",
		"detail"} {
		at := told(&s, name)
		*at = privacy.Redact(*at)
	}
	s.Facts, s.Notes = slices.Clone(s.Facts), slices.Clone(s.Notes)
	for i, fact := range s.Facts {
		s.Facts[i] = privacy.Redact(fact)
	}
	for i, n := range s.Notes {
		s.Notes[i].Was, s.Notes[i].Is = privacy.Redact(n.Was), privacy.Redact(n.Is)
	}
	return s
}

// Table lays the facts out, one a row.
func (f facts) Table() render.Table {
	title := f.Title
	if title == "" {
		title = "Project"
	}
	t := render.Table{Title: title + " (" + f.Code + ")", Columns: []render.Column{{Key: "what", Label: "What"},
		{Key: "value", Label: "Value"}}}
	for _, row := range [][2]string{
		{"Status", string(f.Status)}, {"Type", f.Type}, {"Place, as shown", f.Shown}, {"Problem", f.Story.Problem},
		{"Challenge", f.Story.Challenge}, {"Solution", f.Story.Solution}, {"Result", f.Story.Result},
		{"Duration", f.Story.Duration}, {"Completed", f.Story.Completed}, {"Size", f.Story.Size},
		{"Materials", strings.Join(f.Materials, ", ")}, {"Techniques", strings.Join(f.Techniques, ", ")},
		{"Tags", strings.Join(f.Tags, ", ")}, {"Photos", count(len(f.Photos), "photo")},
		{"Missing", strings.Join(f.Missing, " ")}, {"Page", f.URL},
	} {
		if row[1] != "" {
			t.Rows = append(t.Rows, []render.Cell{render.Text(row[0]), render.Text(row[1])})
		}
	}
	return t
}

// Summarize says how far it is.
func (f facts) Summarize() string {
	if f.Status == projects.Published {
		return fmt.Sprintf("The project %s is public at %s.", f.Code, f.URL)
	}
	return fmt.Sprintf("The project %s is a %s; next: %s.", f.Code, f.Status, next(f.Phase))
}

// Count is one: the project.
func (f facts) Count() int { return 1 }
