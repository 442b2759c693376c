package portfolio

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// about is what a turn knows of its project. It travels in the context, to the facts of
// the personas.
type about struct {
	project  *projects.Project // nil for none
	business projects.Business
	earlier  []string // sentences of the person from before the window
}

type aboutKey struct{}

func withAbout(ctx context.Context, a *about) context.Context {
	return context.WithValue(ctx, aboutKey{}, a)
}

// Facts is what the personas may say. It holds neither a street nor a person's name.
type Facts struct {
	Today    string
	Role     identity.Role
	Writes   bool
	Business string // lines; "" for none
	Code     string // the project's; "" for none
	Project  string // lines
	// Editing says that the page is written: what is said is more likely a change of it.
	Editing bool
	Summary string
	Earlier []string
}

func facts(ctx context.Context, cfg Config, by identity.Caller, now time.Time) (any, error) {
	f := Facts{Today: calendar.Today(now, time.UTC).Show(), Role: by.Role, Writes: by.Role.Writes()}
	a, ok := ctx.Value(aboutKey{}).(*about)
	if !ok {
		// A turn that goes on after a consent has read no project.
		b, err := cfg.Projects.Business(ctx, by)
		f.Business = businessLines(b)
		return f, err
	}
	f.Business = businessLines(a.business)
	for _, s := range a.earlier {
		f.Earlier = append(f.Earlier, discreet(s))
	}
	if p := a.project; p != nil {
		f.Code, f.Project, f.Summary = p.Code, discreet(projectLines(*p)), discreet(p.Summary)
		f.Editing = len(p.Blocks) > 0
	}
	return f, nil
}

// discreet leaves out of a text what a model need not know: addresses, telephone numbers
// and the like, and the names of people.
func discreet(text string) string { return privacy.WithoutNames(privacy.Redact(text)) }

func businessLines(b projects.Business) string {
	if b.Version == 0 {
		return ""
	}
	var s strings.Builder
	line(&s, "name", b.Name)
	line(&s, "trade", b.Trade)
	line(&s, "works in", b.City)
	line(&s, "about", b.About)
	line(&s, "can be reached by", strings.Join(reached(b), ", "))
	return strings.TrimSpace(s.String())
}

// reached names the ways to reach a business.
func reached(b projects.Business) []string {
	var out []string
	for _, way := range []struct{ name, value string }{{"telephone", b.Phone}, {"WhatsApp", b.WhatsApp},
		{"e-mail", b.Email}, {"website", b.Website}} {
		if way.value != "" {
			out = append(out, way.name)
		}
	}
	return out
}

// projectLines writes down what is known of a project. Its place is what may be shown.
func projectLines(p projects.Project) string {
	var s strings.Builder
	line(&s, "status", string(p.Status))
	line(&s, "next", map[projects.Phase]string{projects.Talking: "the story is incomplete",
		projects.Photos: "there are no photos yet", projects.Drafting: "the texts are not written",
		projects.Review: "it may be checked and published", projects.Live: "it is public"}[p.Phase])
	if p.Changed {
		line(&s, "note", "the draft was changed since it was published")
	}
	line(&s, "type", p.Type)
	line(&s, "place as it may be shown", p.Place.Shown(p.Detail))
	line(&s, "the client wanted", p.Story.Problem)
	line(&s, "difficult was", p.Story.Challenge)
	line(&s, "what was done", p.Story.Solution)
	line(&s, "result", p.Story.Result)
	line(&s, "took", p.Story.Duration)
	line(&s, "finished", p.Story.Completed)
	line(&s, "size", p.Story.Size)
	line(&s, "proud of", p.Story.Detail)
	line(&s, "materials", strings.Join(p.Materials, ", "))
	line(&s, "techniques", strings.Join(p.Techniques, ", "))
	line(&s, "tags", strings.Join(p.Tags, ", "))
	for _, n := range p.Story.Notes {
		line(&s, "corrected", fmt.Sprintf("%s was %q, is %q", n.Field, n.Was, n.Is))
	}
	for _, fact := range p.Story.Facts {
		line(&s, "also said", fact)
	}
	line(&s, "asked already", strings.Join(p.Story.Asked, ", "))
	line(&s, "skipped", strings.Join(p.Story.Skipped, ", "))
	line(&s, "title", p.Title)
	line(&s, "description", p.Description)
	line(&s, "texts", fmt.Sprintf("%d pieces", len(p.Blocks)))
	for n, i := range p.Images {
		what := []string{fmt.Sprintf("photo %d", n+1), "id " + i.ID, string(i.State), string(i.Stage)}
		if i.Hero {
			what = append(what, "first on the page")
		}
		if i.Alt == "" {
			what = append(what, "not described yet")
		} else {
			what = append(what, i.Alt)
		}
		line(&s, "photo", strings.Join(nonEmpty(what), ", "))
	}
	return strings.TrimSpace(s.String())
}

func line(s *strings.Builder, label, value string) {
	if value != "" {
		fmt.Fprintf(s, "- %s: %s\n", label, value)
	}
}

func nonEmpty(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}
