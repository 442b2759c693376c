package tools

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/publish"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed texts/validateForPublish.md
var validateText string

//go:embed texts/publishProject.md
var publishText string

//go:embed texts/unpublishProject.md
var unpublishText string

// both reads a project and the profile of its business.
func (t *set) both(ctx context.Context, by identity.Caller, code string) (projects.Project, projects.Business, error) {
	p, err := t.Store.Get(ctx, by, code)
	if err != nil {
		return p, projects.Business{}, err
	}
	b, err := t.Store.Business(ctx, by)
	return p, b, err
}

type validateInput struct{ about }

func (t *set) validateForPublish() tool.Tool {
	return on(tool.Spec{Name: "validateForPublish", Effect: tool.Reads, Description: validateText,
		Shows: []string{"choices"}}, checking,
		func(ctx context.Context, by identity.Caller, in validateInput) (validated, error) {
			p, b, err := t.both(ctx, by, in.code())
			if err != nil {
				return validated{}, err
			}
			r := publish.Validate(p, b)
			return validated{p.Code, p.Version, r.OK, r.Failed(), p}, nil
		})
}

// validated says what keeps a project from being published.
type validated struct {
	Project string         `json:"project"`
	Version int            `json:"version"`
	OK      bool           `json:"ok"`
	Failed  []publish.Rule `json:"failed"`
	p       projects.Project
}

// Table lists what is missing, and how to mend it.
func (v validated) Table() render.Table {
	t := render.Table{Title: "Before it can be published", Columns: []render.Column{
		{Key: "what", Label: "What", Priority: 1}, {Key: "do", Label: "What to do", Priority: 1}}}
	for _, r := range v.Failed {
		t.Rows = append(t.Rows, []render.Cell{render.Text(r.Reason), render.Text(r.Mend)})
	}
	return t
}

// Summarize says whether it can be published.
func (v validated) Summarize() string {
	if v.OK {
		return "All checks are passed: the page can be published."
	}
	return fmt.Sprintf("The page cannot be published yet: %s to be mended.", are(len(v.Failed), "thing"))
}

// Show offers to publish what can be.
func (v validated) Show() []part.Data {
	if !v.OK {
		return nil
	}
	return part.Next(choice(v.p, "publish"))
}

// Count is how many rules fail.
func (v validated) Count() int { return len(v.Failed) }

// are says that there is a number of things: "one thing is", "3 things are".
func are(n int, thing string) string {
	if n == 1 {
		return count(n, thing) + " is"
	}
	return count(n, thing) + " are"
}

// failed returns the rules that keep a project from being published. It returns none
// where the business cannot be read: what the person asked for was done all the same.
func (t *set) failed(ctx context.Context, by identity.Caller, p projects.Project) []publish.Rule {
	if p.Status == projects.Archived {
		return nil
	}
	b, err := t.Store.Business(ctx, by)
	if err != nil {
		return nil
	}
	return publish.Validate(p, b).Failed()
}

// missing says what keeps a project from being published.
func (t *set) missing(ctx context.Context, by identity.Caller, p projects.Project) []string {
	return publish.Report{Rules: t.failed(ctx, by, p)}.Missing()
}

type publishInput struct{ about }

func (t *set) publishProject() tool.Tool {
	return on(tool.Spec{Name: "publishProject", Effect: tool.Destroys, Target: tool.Outside,
		Description: publishText, Shows: []string{"page"},
		Extension: "publishing is asked for in the conversation, and done with consent"}, acting,
		func(ctx context.Context, by identity.Caller, in publishInput) (published, error) {
			p, b, err := t.both(ctx, by, in.code())
			if err != nil {
				return published{}, err
			}
			if err := publishable(p, b); err != nil {
				return published{}, err
			}
			if p, err = t.Store.Publish(ctx, by, p.Code, p.Version, publish.SlugOf(p), publish.Place(p)); err != nil {
				return published{}, err
			}
			return published{p.Code, p.Title, t.Base + p.URL, p.Version, pageOf(p, nil)}, nil
		},
		tool.Previewed(t.previewPublish))
}

// publishable refuses what fails a rule, with all reasons.
func publishable(p projects.Project, b projects.Business) error {
	if p.Status == projects.Archived {
		return fault.New(fault.Conflict, "The project %s was put away. Bring it back before it is published.", p.Code).
			WithCode("archived")
	}
	if r := publish.Validate(p, b); !r.OK {
		return fault.New(fault.Unprocessable, "The project %s cannot be published yet. %s", p.Code,
			strings.Join(r.Missing(), " ")).WithCode("not_publishable")
	}
	return nil
}

func (t *set) previewPublish(ctx context.Context, by identity.Caller, in publishInput) (tool.Preview, error) {
	if err := tool.CheckProject(ctx, in.code()); err != nil {
		return tool.Preview{}, err
	}
	p, b, err := t.both(ctx, by, in.code())
	if err != nil {
		return tool.Preview{}, err
	}
	if err := publishable(p, b); err != nil {
		return tool.Preview{}, err
	}
	if p.Status == projects.Published && !p.Changed {
		return tool.Preview{}, fault.New(fault.Conflict, "The page is public as it is: nothing was changed since "+
			"it was published.").WithCode("nothing_to_publish")
	}
	address := t.Base + "/p/" + b.Site + "/" + publish.SlugOf(p)
	preview := tool.Preview{Title: "Publish “" + p.Title + "”", Targets: []tool.Target{target(p)},
		Warnings: []string{"Everybody can read the page and see its photos from then on."}}
	if p.Status == projects.Published {
		preview.Title = "Publish “" + p.Title + "” anew"
		preview.Warnings = []string{"It takes the place of the page that is public now, at the same address."}
		if publish.SlugOf(p) != p.Slug {
			preview.Warnings = []string{"It takes the place of the page that is public now, whose address leads here."}
		}
	}
	if place := publish.Place(p); place == "" {
		preview.Warnings = append(preview.Warnings, "It does not say where the job was.")
	}
	for _, l := range append([]tool.Line{{Label: "Address", After: address}}, lines(p, b)...) {
		if l.After != "" {
			preview.Lines = append(preview.Lines, l)
		}
	}
	return preview, nil
}

// lines are all words that everybody will read, and what there is of photos.
func lines(p projects.Project, b projects.Business) []tool.Line {
	out := []tool.Line{{Label: "Title", After: p.Title}, {Label: "Type", After: p.Type},
		{Label: "Place", After: publish.Place(p)}, {Label: "Text", After: p.Description},
		{Label: "Materials", After: strings.Join(p.Materials, ", ")},
		{Label: "Techniques", After: strings.Join(p.Techniques, ", ")},
		{Label: "Tags", After: strings.Join(p.Tags, ", ")},
		{Label: "Duration", After: p.Story.Duration}, {Label: "Completed", After: p.Story.Completed},
		{Label: "Title for search engines", After: p.SEO.Title},
		{Label: "Text for search engines", After: p.SEO.Description}}
	for i, block := range p.Blocks {
		text := block.Text
		switch block.Kind {
		case projects.List:
			text = strings.Join(block.Items, "; ")
		case projects.Gallery, projects.Comparison:
			var photos []string
			for _, id := range block.Items {
				photos = append(photos, fmt.Sprint(number(p, id)))
			}
			text = "photos " + strings.Join(photos, ", ")
		}
		out = append(out, tool.Line{Label: fmt.Sprintf("Block %d, %s", i+1, block.Kind), After: text})
	}
	for i, image := range p.Images {
		if image.State == projects.Ready {
			out = append(out, tool.Line{Label: fmt.Sprintf("Photo %d", i+1), After: image.Alt})
		}
	}
	if hero, ok := p.Hero(); ok {
		out = append(out, tool.Line{Label: "At the top", After: fmt.Sprintf("photo %d", number(p, hero.ID))})
	}
	return append(out, tool.Line{Label: "People in the photos", After: seenWords(p.Private.Faces)},
		tool.Line{Label: "Number plates", After: seenWords(p.Private.Plates)},
		tool.Line{Label: "Business", After: b.Name}, tool.Line{Label: "Trade", After: b.Trade},
		tool.Line{Label: "City", After: b.City}, tool.Line{Label: "About", After: b.About},
		tool.Line{Label: "Phone", After: b.Phone}, tool.Line{Label: "WhatsApp", After: b.WhatsApp},
		tool.Line{Label: "E-mail", After: b.Email}, tool.Line{Label: "Website", After: b.Website})
}

func seenWords(answer string) string {
	if answer == "agreed" {
		return "they agreed"
	}
	return answer
}

func target(p projects.Project) tool.Target {
	return tool.Target{Table: "projects", Key: p.Code, Version: p.Version}
}

// published is the receipt of a page that everybody can read.
type published struct {
	Project string `json:"project"`
	Title   string `json:"title"`
	Address string `json:"address"`
	Version int    `json:"version"`
	page    part.Page
}

// Summarize says where it is.
func (p published) Summarize() string {
	return fmt.Sprintf("Published “%s”: %s", p.Title, p.Address)
}

// Show refreshes the page, which has its address now.
func (p published) Show() []part.Data { return []part.Data{p.page} }

type unpublishInput struct{ about }

func (t *set) unpublishProject() tool.Tool {
	return on(tool.Spec{Name: "unpublishProject", Effect: tool.Changes, Target: tool.Outside,
		Description: unpublishText, Shows: []string{"page"}, Extension: "what is public can be taken back"}, acting,
		func(ctx context.Context, by identity.Caller, in unpublishInput) (edited, error) {
			p, err := t.Store.Unpublish(ctx, by, in.code())
			if err != nil {
				return edited{}, err
			}
			return t.edited(ctx, by, p, "Took the page back. Its address says so from now on."), nil
		},
		tool.Previewed(func(ctx context.Context, by identity.Caller, in unpublishInput) (tool.Preview, error) {
			if err := tool.CheckProject(ctx, in.code()); err != nil {
				return tool.Preview{}, err
			}
			p, err := t.Store.Get(ctx, by, in.code())
			if err != nil {
				return tool.Preview{}, err
			}
			if p.Status != projects.Published {
				return tool.Preview{}, fault.New(fault.Conflict, "The project %s is not public.", p.Code).
					WithCode("not_published")
			}
			return tool.Preview{
				Title: "Take back the page “" + p.Title + "”", Targets: []tool.Target{target(p)},
				Lines: []tool.Line{{Label: "Address", Before: t.Base + p.URL, After: "taken back"}},
				Warnings: []string{"Links to it lead to a note that the page is gone.",
					"The project stays and can be published again."},
			}, nil
		}))
}
