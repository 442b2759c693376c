package tools

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed texts/requestClarification.md
var clarificationText string

//go:embed texts/suggestQuickActions.md
var quickActionsText string

// subject is what a question is about.
type subject string

// Values returns the closed set: the questions of the interview, whose answers a project
// keeps and of which a person is asked few, and what else is asked while a page is made.
func (subject) Values() []string {
	return append(story.Questions(), "title", "description", "photos", "privacy", "publishing")
}

type clarifyInput struct {
	about
	Question     string   `json:"question" jsonschema:"one short question"`
	Alternatives []string `json:"alternatives" jsonschema:"2 to 4 likely answers, as the person would say them"`
	Subject      subject  `json:"subject" jsonschema:"what the question is about"`
}

// Check tidies the question and its alternatives.
func (in *clarifyInput) Check() error {
	question, err := oneLine("question", in.Question, 300)
	if err != nil {
		return err
	}
	if question == "" {
		return fault.New(fault.Invalid, "Write the question.")
	}
	list, err := entries("alternatives", in.Alternatives)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(s string) bool { return strings.EqualFold(s, story.Skip) })
	if len(list) < 2 {
		return fault.New(fault.Invalid, "Write 2 to 4 different likely answers as alternatives.")
	}
	in.Question, in.Alternatives = question, list[:min(4, len(list))]
	return nil
}

func (t *set) requestClarification() tool.Tool {
	return on(tool.Spec{Name: "requestClarification", Effect: tool.Reads, Description: clarificationText,
		Shows: []string{"clarification"}}, asking,
		func(ctx context.Context, by identity.Caller, in clarifyInput) (clarified, error) {
			p, err := t.Store.Get(ctx, by, in.code())
			if err != nil {
				return clarified{}, err
			}
			out := clarified{Question: in.Question, Alternatives: in.Alternatives}
			if slices.Contains(story.Questions(), string(in.Subject)) {
				out.Alternatives = append(slices.Clone(in.Alternatives), story.Skip)
				err = askable(p, string(in.Subject))
			}
			return out, err
		})
}

// askable refuses a question of the interview that was asked before, and one too many.
// That a question was asked is noted with what the person said to it.
func askable(p projects.Project, subject string) error {
	switch {
	case slices.Contains(p.Story.Asked, subject) || slices.Contains(p.Story.Skipped, subject):
		return fault.New(fault.Conflict, "The person was asked about the %s before. Do not ask again; go on "+
			"with what is known.", subject).WithCode("asked_before")
	case len(p.Story.Asked) >= story.MaxQuestions:
		return fault.New(fault.Conflict, "The person was asked %d questions, and is asked no more. Go on with "+
			"what is known.", story.MaxQuestions).WithCode("enough_asked")
	}
	return nil
}

// clarified is a question as it is shown.
type clarified struct {
	Question     string   `json:"question"`
	Alternatives []string `json:"alternatives"`
}

// Summarize is the question.
func (c clarified) Summarize() string { return c.Question }

// Show shows the alternatives.
func (c clarified) Show() []part.Data { return []part.Data{part.Ask(c.Question, c.Alternatives...)} }

// Sentences with which a person asks for a deep turn; a client sends them as a message,
// and the assistant's flow looks for them.
const (
	GenerateWords = "Generate the portfolio content now."
	LayoutWords   = "Arrange the photos and the texts now."
	CoachWords    = "Check what would make the page better now."
)

// action is a next step that can be offered.
type action string

// Values returns the closed set.
func (action) Values() []string {
	return []string{"add_photos", "preview", "edit", "generate", "arrange", "coach", "check", "publish", "undo"}
}

type actionsInput struct {
	about
	Actions []action `json:"actions,omitempty" jsonschema:"the steps to offer; without any, those that fit the project"`
	Replies []string `json:"replies,omitempty" jsonschema:"up to 3 short messages that the person may want to send"`
}

func (t *set) suggestQuickActions() tool.Tool {
	return on(tool.Spec{Name: "suggestQuickActions", Effect: tool.Reads, Description: quickActionsText,
		Shows: []string{"choices"}}, chips,
		func(ctx context.Context, by identity.Caller, in actionsInput) (offered, error) {
			p, err := t.Store.Get(ctx, by, in.code())
			if err != nil {
				return offered{}, err
			}
			replies, err := entries("replies", in.Replies)
			if err != nil {
				return offered{}, err
			}
			actions := slices.DeleteFunc(slices.Clone(in.Actions), func(a action) bool { return !possible(p, a) })
			if len(actions) == 0 {
				actions = fitting(p)
			}
			var out offered
			for _, words := range replies[:min(3, len(replies))] {
				out.choices = append(out.choices, part.Choice{Label: words, Words: words})
			}
			for _, a := range actions[:min(4, len(actions))] {
				out.choices = append(out.choices, choice(p, a))
			}
			for _, c := range out.choices {
				out.Offered = append(out.Offered, c.Label)
			}
			return out, nil
		})
}

// Actions returns what fits a project next as choices, as suggestQuickActions does.
func Actions(p projects.Project) []part.Choice {
	var out []part.Choice
	for _, a := range fitting(p) {
		out = append(out, choice(p, a))
	}
	return out
}

// fitting returns what fits a project next, the likeliest first.
func fitting(p projects.Project) []action {
	var list []action
	switch p.Phase {
	case projects.Photos:
		list = []action{"add_photos", "generate"}
		if len(p.Blocks) > 0 {
			list = []action{"add_photos", "preview", "edit"}
		}
	case projects.Drafting:
		list = []action{"generate", "add_photos", "preview"}
	case projects.Review:
		list = []action{"preview", "check", "publish", "edit"}
	case projects.Live:
		list = []action{"preview", "edit", "publish"}
	default:
		list = []action{"add_photos", "preview"}
	}
	return slices.DeleteFunc(list, func(a action) bool { return !possible(p, a) })
}

// possible leaves out what would only be refused.
func possible(p projects.Project, a action) bool {
	switch a {
	case "add_photos":
		return len(p.Images) < projects.MaxImages
	case "arrange":
		return len(p.Ready()) > 1 && len(p.Blocks) > 0
	case "publish":
		return p.Status == projects.Draft && len(p.Blocks) > 0 && len(p.Ready()) > 0 ||
			p.Status == projects.Published && p.Changed
	case "generate":
		return p.Story.Problem != "" || p.Story.Solution != "" || p.Type != ""
	}
	return true
}

// choice returns the button of an action.
func choice(p projects.Project, a action) part.Choice {
	project := map[string]any{"project": p.Code}
	switch a {
	case "add_photos":
		return part.Call("Add photos", "promptForImages", project)
	case "edit":
		return part.Call("Edit the page", "showPortfolioPreview", map[string]any{"project": p.Code, "edit": true})
	case "generate":
		return part.Choice{Label: "Write the page", Words: GenerateWords}
	case "arrange":
		return part.Choice{Label: "Arrange the page", Words: LayoutWords}
	case "coach":
		return part.Choice{Label: "What would make it better?", Words: CoachWords}
	case "check":
		return part.Call("What is missing?", "validateForPublish", project)
	case "publish":
		return part.Call("Publish the page", "publishProject", project)
	case "undo":
		return part.Call("Undo the last change", "undoChange", project)
	}
	return part.Call("Show the page", "showPortfolioPreview", project)
}

// offered are next steps as they are shown.
type offered struct {
	Offered []string `json:"offered"`
	choices []part.Choice
}

// Show shows them as buttons.
func (o offered) Show() []part.Data { return part.Next(o.choices...) }

// Summarize says that buttons are shown, so that a model does not list them again.
func (o offered) Summarize() string {
	return "Shown as buttons: " + strings.Join(o.Offered, ", ") + "."
}
