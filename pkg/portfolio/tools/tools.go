// Package tools has the tools with which an assistant makes the page of a project:
// it takes down what was said, asks, shows, edits, checks and publishes.
//
// The tools work on a draft, which only its organisation sees and which every
// change can be undone of; the public page changes by publishing alone. Each tool
// but those about all projects and about the business names its project, and a
// conversation that is bound to one acts on no other.
package tools

import (
	"context"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Config is what the tools need.
type Config struct {
	Store projects.Store
	// Base is the origin of public pages, without a slash at its end:
	// "https://pages.example.com". Without it receipts name paths alone.
	Base string
	Now  calendar.Clock
}

// Tools returns the tools by what they need: fast ones are those of a quick turn; deep
// ones ask a model to write, and belong to turns that a person asked for as such; those
// to apply put on the page what a deep tool or an editor made; extensions are those
// that the source of this assistant does not have.
func Tools(c Config) (fast, deep, apply, extensions []tool.Tool) {
	t := &set{c}
	fast = []tool.Tool{
		t.extractProjectData(), t.requestClarification(), t.promptForImages(), t.showPortfolioPreview(),
		t.suggestQuickActions(),
		t.updateField(), t.regenerateSection(), t.reorderImages(), t.validateForPublish(),
	}
	deep = []tool.Tool{t.generatePortfolioContent(), t.checkPublishReady(), t.composePortfolioLayout()}
	apply = []tool.Tool{t.updateDescriptionBlocks()}
	extensions = []tool.Tool{
		t.attachPhotos(), t.describePhoto(), t.removePhoto(), t.confirmPhotoPrivacy(), t.undoChange(),
		t.publishProject(), t.unpublishProject(), t.listProjects(), t.getProject(), t.getBusinessProfile(),
		t.updateBusinessProfile(),
	}
	return fast, deep, apply, extensions
}

// set makes the tools of one Config.
type set struct{ Config }

// about is the argument of every tool about one project.
type about struct {
	Project string `json:"project" jsonschema:"the project's code, such as PRJ-K7QMPX"`
}

func (a about) code() string { return strings.ToUpper(strings.TrimSpace(a.Project)) }

// on declares a tool about one project. What it does counts towards the turn's budget
// as one of the class; a failure does not.
func on[In interface{ code() string }, Out any](spec tool.Spec, c class,
	run func(ctx context.Context, by identity.Caller, in In) (Out, error), options ...tool.Option[In]) tool.Tool {
	spec.Description = oneText(spec.Description)
	// An edit of a draft sets a state or has an undo, and a person says "undo" twice.
	spec.Repeatable = spec.Effect == tool.Writes
	return tool.New(spec, func(ctx context.Context, by identity.Caller, in In) (out Out, err error) {
		if err := tool.CheckProject(ctx, in.code()); err != nil {
			return out, err
		}
		if spec.Effect != tool.Reads && !by.Role.Writes() {
			return out, fault.New(fault.Forbidden, "Your role may look at projects, but not change them.")
		}
		if err := spend(ctx, c); err != nil {
			return out, err
		}
		if out, err = run(ctx, by, in); err != nil {
			refund(ctx, c)
		}
		return out, err
	}, options...)
}

// oneText joins the lines of a text.
func oneText(s string) string { return strings.Join(strings.Fields(s), " ") }

// change changes a project by what f makes of it as it is. With a version it is an
// error (code "changed") where the project has another one by now.
func (t *set) change(ctx context.Context, by identity.Caller, code string, version int,
	f func(projects.Project) (projects.Changes, error)) (projects.Project, error) {
	if version == 0 {
		return t.Store.Merge(ctx, by, code, f)
	}
	p, err := t.Store.Get(ctx, by, code)
	if err != nil {
		return p, err
	}
	c, err := f(p)
	if err != nil {
		return p, err
	}
	// Whether the version is still that one is the store's to say: a call that was
	// made before has its answer there.
	return t.Store.Update(ctx, by, code, version, c)
}
