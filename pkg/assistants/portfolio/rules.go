package portfolio

import (
	"context"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/publish"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/tools"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/writer"
)

// ordered carries out a command. No model chooses; the long work asks one to write.
func (w *way) ordered(ctx context.Context, a *agent.Agent) events {
	p := w.about.project
	just := map[string]any{"project": p.Code}
	one := func(tool string, args map[string]any, purpose string) events {
		return w.planned(ctx, a, purpose, agent.Steps{
			Steps: []agent.Step{agent.Once(agent.PlannedCall{Tool: tool, Arguments: args, Purpose: purpose})},
			End: func(results []agent.Answered) (string, []part.Data) {
				return results[len(results)-1].Told(), w.next(*p, tool)
			}})
	}
	switch w.command {
	case generate:
		return w.written(ctx, a)
	case arrange:
		return w.long(ctx, a, "composePortfolioLayout", "put texts and photos in order")
	case coach:
		return w.long(ctx, a, "checkPublishReady", "what would make the page better")
	case preview:
		return one("showPortfolioPreview", just, "show the page")
	case edit:
		return one("showPortfolioPreview", map[string]any{"project": p.Code, "edit": true}, "open the editor")
	case missing:
		return one("validateForPublish", just, "check what is missing")
	case undo:
		return one("undoChange", just, "undo the last change")
	case photos:
		return one("promptForImages", just, "ask for photos")
	case list:
		return w.listed(ctx, a)
	case retitle, redescribe, reseo:
		section, _ := strings.CutPrefix(string(w.command), rewriting)
		return one("regenerateSection", map[string]any{"project": p.Code, "section": section}, "write the "+section+
			" anew")
	case unpublish:
		return one("unpublishProject", just, "take the page down")
	case publishing:
		return w.propose(ctx, a)
	}
	if !w.f.cfg.Unmodelled {
		run := w.t.Run(ctx, a)
		return flow.OrElse(w.routed(agent.PathModel, a, "a word in passing", run), func(*fault.Error) events {
			return flow.Finally(w.ruled(ctx, a), func(o *agent.Outcome) { o.Degraded = append(o.Degraded, modelDown) })
		})
	}
	return w.ruled(ctx, a)
}

// listed lists the organisation's projects.
func (w *way) listed(ctx context.Context, a *agent.Agent) events {
	return w.planned(ctx, a, "list the projects", agent.Steps{
		Steps: []agent.Step{agent.Once(agent.PlannedCall{Tool: "listProjects", Arguments: map[string]any{},
			Purpose: "list the projects"})},
		End: func(results []agent.Answered) (string, []part.Data) { return results[0].Told(), nil }})
}

// planned runs a plan.
func (w *way) planned(ctx context.Context, a *agent.Agent, why string, p agent.Steps) events {
	whole := *a
	whole.Rounds = max(a.Rounds, len(p.Steps)) // which are bounded by the plan, not by what models may do
	return w.routed(agent.PathFast, a, why, w.t.Planned(ctx, &whole, p))
}

// drafting runs a plan while drafts of these kinds are made. None is left running.
func (w *way) drafting(ctx context.Context, kinds []writer.Kind, a *agent.Agent, why string, p agent.Steps) events {
	return func(yield func(agent.Event, error) bool) {
		ctx := writer.Begin(ctx, *w.about.project, w.about.business, kinds...)
		defer writer.End(ctx)
		w.planned(ctx, a, why, p)(yield)
	}
}

// long runs one deep tool, for which a model may write.
func (w *way) long(ctx context.Context, a *agent.Agent, tool, purpose string) events {
	p := w.about.project
	return w.planned(ctx, a, purpose, agent.Steps{
		Steps: []agent.Step{agent.Once(agent.PlannedCall{Tool: tool, Arguments: map[string]any{"project": p.Code},
			Purpose: purpose})},
		End: func(results []agent.Answered) (string, []part.Data) {
			return results[0].Told(), w.next(*p, tool)
		}})
}

// written writes the whole page: texts and order are made at the same time, then kept one
// after the other.
func (w *way) written(ctx context.Context, a *agent.Agent) events {
	p := *w.about.project
	if p.Type == "" && p.Story.Problem == "" && p.Story.Solution == "" {
		return w.say("I know nothing of the job yet, and I won't make anything up. Tell me what you did, for whom " +
			"and with what: two sentences are a beginning.")
	}
	kinds := []writer.Kind{writer.ContentKind}
	if len(p.Ready()) > 0 {
		kinds = append(kinds, writer.LayoutKind)
	}
	just := map[string]any{"project": p.Code}
	return w.drafting(ctx, kinds, a, "the person asked for the page", agent.Steps{
		Steps: []agent.Step{
			agent.Once(agent.PlannedCall{Tool: "generatePortfolioContent", Arguments: just,
				Purpose: "write the texts of the page"}),
			func(results []agent.Answered) []agent.PlannedCall {
				if len(p.Ready()) == 0 || results[0].Err != nil {
					return nil
				}
				return []agent.PlannedCall{{Tool: "composePortfolioLayout", Arguments: just,
					Purpose: "put texts and photos in order"}}
			},
		},
		End: func(results []agent.Answered) (string, []part.Data) {
			var said []string
			for _, r := range results {
				said = append(said, r.Told())
			}
			return strings.Join(said, "\n\n"), w.next(p, "generatePortfolioContent")
		}})
}

// publishing checks the page, and proposes to publish it where nothing is missing.
func (w *way) propose(ctx context.Context, a *agent.Agent) events {
	p := *w.about.project
	report := publish.Validate(p, w.about.business)
	just := map[string]any{"project": p.Code}
	if !report.OK {
		return w.planned(ctx, a, "check what is missing", agent.Steps{
			Steps: []agent.Step{agent.Once(agent.PlannedCall{Tool: "validateForPublish", Arguments: just,
				Purpose: "check what is missing"})},
			End: func(results []agent.Answered) (string, []part.Data) {
				return results[0].Told(), w.next(p, "validateForPublish")
			}})
	}
	return w.planned(ctx, a, "propose to publish", agent.Steps{
		Steps: []agent.Step{agent.Once(agent.PlannedCall{Tool: "publishProject", Arguments: just,
			Purpose: "show what will be public, and ask"})},
		End: func(results []agent.Answered) (string, []part.Data) { return results[0].Told(), nil }})
}

// ruled answers without a model: what was noted, and the next question, request for
// photos, or step.
func (w *way) ruled(ctx context.Context, a *agent.Agent) events {
	p := *w.about.project
	if !w.t.By.Role.Writes() {
		known := knownLines(p)
		if known == "" {
			known = "Nothing is known of the job yet."
		}
		return w.planned(ctx, a, "who may look is asked nothing", agent.Steps{End: func([]agent.Answered) (string,
			[]part.Data) {
			return known + "\n\nYour role may look at the project, but not change it.", nil
		}})
	}
	noted := w.noted()
	if calls, why := edits(p, w.text, w.asked); len(calls) > 0 && w.command == "" && w.told {
		return w.planned(ctx, a, why, agent.Steps{
			Steps: []agent.Step{func([]agent.Answered) []agent.PlannedCall { return calls }},
			End: func(results []agent.Answered) (string, []part.Data) {
				var said []string
				for _, r := range results {
					said = append(said, r.Told())
				}
				return join(noted, strings.Join(said, " ")), w.next(p, calls[0].Tool)
			}})
	}
	if w.command == "" && w.told && noted == "" && w.asked == "" {
		if text, ok := w.answered(p); ok {
			return w.planned(ctx, a, "what is known, and what can be done", agent.Steps{
				End: func([]agent.Answered) (string, []part.Data) { return text, w.next(p, "") }})
		}
	}
	ask, lead := w.question(p)
	if w.command == "" && noted == "" && w.asked == "" && len(w.t.History.Entries) > 1 {
		noted = "I found nothing for the page in that."
	}
	if ask == nil {
		return w.planned(ctx, a, "nothing more to ask", agent.Steps{End: func([]agent.Answered) (string, []part.Data) {
			return join(noted, lead), w.next(p, "")
		}})
	}
	run := w.planned(ctx, a, ask.Purpose, agent.Steps{
		Steps: []agent.Step{agent.Once(*ask)},
		End: func(results []agent.Answered) (string, []part.Data) {
			if results[0].Err != nil {
				return join(noted, results[0].Told()), w.next(p, "")
			}
			return join(noted, lead), nil
		}})
	return flow.Finally(run, func(o *agent.Outcome) { o.Asked = true })
}

// question returns the call that asks for what matters most now, with the words that go
// with it; nil when there is nothing to ask, with the words alone.
func (w *way) question(p projects.Project) (*agent.PlannedCall, string) {
	if q, ok := story.Next(p); ok {
		var options []string
		for _, o := range q.Options {
			if o != story.Skip {
				options = append(options, o)
			}
		}
		if len(options) >= 2 {
			return &agent.PlannedCall{Tool: "requestClarification", Purpose: "ask for what is missing",
				Arguments: map[string]any{
					"project": p.Code, "question": q.Text, "alternatives": options, "subject": q.ID}}, q.Text
		}
	}
	if len(p.Images) == 0 {
		return &agent.PlannedCall{Tool: "promptForImages", Purpose: "ask for photos",
				Arguments: map[string]any{"project": p.Code}},
			"Now the photos: drop them here, best with some of before and after."
	}
	if len(p.Blocks) == 0 || p.Title == "" {
		return nil, "That is enough for a page. Shall I write it?"
	}
	if !settled(p) {
		return &agent.PlannedCall{Tool: "requestClarification", Purpose: "ask about people in the photos",
				Arguments: map[string]any{
					"project": p.Code, "question": privacyQuestion, "alternatives": privacyAnswers(),
					"subject": "privacy"}},
			privacyQuestion
	}
	report := publish.Validate(p, w.about.business)
	if report.OK {
		if p.Status == projects.Published && !p.Changed {
			return nil, fmt.Sprintf("The page is public: %s", p.URL)
		}
		return nil, "Nothing is missing. Look at the page, and publish it when you like it."
	}
	var lines []string
	for _, r := range report.Rules {
		if !r.OK {
			lines = append(lines, fmt.Sprintf("- %s %s", r.Reason, r.Mend))
		}
	}
	return nil, "Before it can be published:\n\n" + strings.Join(lines, "\n")
}

// settled reports whether the owner has said of today's photos what they show of people
// and plates.
func settled(p projects.Project) bool {
	if p.Private.Faces == "" || p.Private.Plates == "" {
		return false
	}
	known := map[string]bool{}
	for _, id := range p.Private.Images {
		known[id] = true
	}
	for _, i := range p.Ready() {
		if !known[i.ID] {
			return false
		}
	}
	return true
}

// noted says what was taken down of the message.
func (w *way) noted() string {
	var said []string
	if w.came == 1 {
		said = append(said, "The photo is in the project.")
	} else if w.came > 1 {
		said = append(said, fmt.Sprintf("The %d photos are in the project.", w.came))
	}
	said = append(said, w.refused...)
	for _, n := range w.read.Corrected {
		said = append(said, fmt.Sprintf("Corrected: %s instead of %s.", n.Is, n.Was))
	}
	if values := foundIn(*w.about.project, w.read.Found); values != "" {
		said = append(said, "Noted: "+values+".")
	}
	return strings.Join(said, " ")
}

// foundIn names the values of the fields that a message filled, the short ones by their
// words.
func foundIn(p projects.Project, fields []string) string {
	var out []string
	for _, f := range fields {
		switch f {
		case "type":
			out = append(out, p.Type)
		case "place", "locationDetail":
			if shown := p.Place.Shown(p.Detail); shown != "" {
				out = append(out, shown)
			}
		case "materials":
			out = append(out, strings.Join(p.Materials, ", "))
		case "techniques":
			out = append(out, strings.Join(p.Techniques, ", "))
		case "duration":
			out = append(out, p.Story.Duration)
		case "completed":
			out = append(out, p.Story.Completed)
		case "size":
			out = append(out, p.Story.Size)
		case "problem":
			out = append(out, "what the client wanted")
		case "challenge":
			out = append(out, "what was difficult")
		case "solution":
			out = append(out, "what you did")
		case "result":
			out = append(out, "what came of it")
		}
	}
	return strings.Join(nonEmpty(unique(out)), "; ")
}

func unique(list []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

func join(parts ...string) string { return strings.Join(nonEmpty(parts), "\n\n") }

// next offers what fits the project after a step, as buttons. The state of a project that
// a tool changed is not read again: what the step leads to is known.
func (w *way) next(p projects.Project, did string) []part.Data {
	switch did {
	case "generatePortfolioContent", "composePortfolioLayout":
		p.Phase = projects.Review
		if p.Title == "" {
			p.Title = "…"
		}
		p.Blocks = append(p.Blocks, projects.Block{Kind: projects.Paragraph})
	case "promptForImages":
		return nil
	}
	choices := tools.Actions(p)
	if len(choices) == 0 {
		return nil
	}
	return part.Next(choices[:min(4, len(choices))]...)
}
