package tool

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Remote is a remote server of tools as an organisation configured it. It holds
// no token, only the name of one.
type Remote struct {
	Name       string // unique in the organisation
	URL        string
	Manifest   string // the name of the reviewed manifest
	SecretName string // "" = no token of the organisation's
	Enabled    bool
	Version    int
}

// Remotes reads what organisations configured.
type Remotes interface {
	// Remotes returns all servers of the caller's organisation, by name.
	Remotes(ctx context.Context, by identity.Caller) ([]Remote, error)
}
