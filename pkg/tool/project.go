package tool

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

type projectKey struct{}

// WithProject binds what runs with the context to one project, by its code: that of
// the conversation. "" binds nothing.
func WithProject(ctx context.Context, code string) context.Context {
	if code == "" {
		return ctx
	}
	return context.WithValue(ctx, projectKey{}, code)
}

// ProjectOf returns the project to which the context is bound, "" for none.
func ProjectOf(ctx context.Context) string {
	code, _ := ctx.Value(projectKey{}).(string)
	return code
}

// CheckProject returns a fault.Forbidden error with the code "other_project" for a project
// that is not the one to which the context is bound: a conversation about one project
// does not act on others.
func CheckProject(ctx context.Context, code string) error {
	if bound := ProjectOf(ctx); bound != "" && bound != code {
		return fault.New(fault.Forbidden, "This conversation is about the project %s. Open the other one for %s.",
			bound, code).WithCode("other_project")
	}
	return nil
}
