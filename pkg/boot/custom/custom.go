// Package custom wires what calls the tools that organisations define.
package custom

import (
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/httptools"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// secretPrefix begins the names of the variables that hold organisations' tokens for
// tools of their own, each "organisation's id:token".
const secretPrefix = "TOOL_SECRET_"

// Sender returns the client. On a developer's machine it also reaches that machine.
func Sender(s *boot.Service) *httptools.Client {
	return httptools.New(egress.Config{Loopback: s.Local && !s.Env.Deployed()},
		func(org, name string) (identity.Secret, bool) {
			value, _ := s.Env.Lookup(secretPrefix + name)
			owner, token, ok := strings.Cut(value, ":")
			if !ok || token == "" || !strings.EqualFold(owner, org) {
				return "", false
			}
			return identity.Secret(token), true
		})
}
