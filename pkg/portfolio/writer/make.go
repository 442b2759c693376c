package writer

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

type askKey struct{}

// With gives what runs with the context a model, for at most three calls in all.
// Without it everything is made by rules.
func With(ctx context.Context, ask Ask) context.Context {
	return context.WithValue(ctx, askKey{}, ask)
}

// Begin starts drafts of these kinds at once, for the tools that will ask for them
// later with the context that it returns.
func Begin(ctx context.Context, p projects.Project, b projects.Business, kinds ...Kind) context.Context {
	return ctx
}

// Content drafts all texts of a project's page.
func Content(_ context.Context, p projects.Project, b projects.Business) (Draft, error) {
	return contentByRules(p, b), nil
}

// Layout orders the texts and photos of a project's page.
func Layout(_ context.Context, p projects.Project) (Arrangement, error) { return layoutByRules(p), nil }

// Quality says what would make a project's page better.
func Quality(_ context.Context, p projects.Project, b projects.Business) (Advice, error) {
	return adviceByRules(p, b), nil
}

// Section writes one section anew: "title", "description" or "seo". Another one is a
// fault.Invalid error.
func Section(_ context.Context, p projects.Project, b projects.Business, section string) (Text, error) {
	switch section {
	case "title", "description", "seo":
		return sectionByRules(p, b, section), nil
	}
	return Text{}, fault.New(fault.Invalid, "There is no section %q: it is title, description or seo.", section)
}

// Story reads what the messages of a person say of a job.
func Story(_ context.Context, _ projects.Project, _ []string) (Told, error) {
	return Told{Origin: Origin{Made: ByRules}}, nil
}
