package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// visitors says whether the chat takes requests without a token: of whom, and
// what they may use.
type visitors struct{ org, email, password, tools string }

func chooseVisitors(getenv func(string) string) visitors {
	return visitors{getenv("ANONYMOUS_ORG"), getenv("ANONYMOUS_EMAIL"), getenv("ANONYMOUS_PASSWORD"),
		getenv("ANONYMOUS_TOOLS")}
}

// env is the environment of functions that let visitors in. An organisation of
// the demo data may be called by its name, and its viewer is the account that
// visitors share, unless another one is named.
func (v visitors) env(ctx context.Context, s *stack.Stack) ([]string, error) {
	if v.org == "" {
		return nil, nil
	}
	if v.email == "" {
		users, err := s.Users(ctx)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(users, func(u stack.DemoUser) bool {
			return u.Role == string(identity.Viewer) && (u.OrgID == v.org || strings.EqualFold(u.OrgSlug, v.org) ||
				strings.EqualFold(u.Org, v.org))
		})
		if i < 0 {
			return nil, fmt.Errorf("ANONYMOUS_ORG names no organisation of the demo data that has a viewer: %q", v.org)
		}
		v.org, v.email, v.password = users[i].OrgID, users[i].Email, users[i].Password
	}
	return []string{"ANONYMOUS_ORG=" + v.org, "ANONYMOUS_EMAIL=" + v.email, "ANONYMOUS_PASSWORD=" + v.password,
		"ANONYMOUS_TOOLS=" + v.tools}, nil
}
