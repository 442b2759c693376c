package control

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Remotes is a tool.Remotes.
type Remotes struct{ client *supabase.Client }

var _ tool.Remotes = Remotes{}

// NewRemotes returns the store in the project of client.
func NewRemotes(client *supabase.Client) Remotes { return Remotes{client} }

// remoteRow is a row of mcp_servers.
type remoteRow struct {
	Name       string `json:"name"`
	URL        string `json:"url"`
	Manifest   string `json:"manifest"`
	SecretName string `json:"secret_name"`
	Enabled    bool   `json:"enabled"`
	Version    int    `json:"version"`
}

// Remotes reads the organisation's remote servers; see tool.Remotes.
func (s Remotes) Remotes(ctx context.Context, by identity.Caller) ([]tool.Remote, error) {
	// Which servers there are is none of what a preview rests on.
	rows, err := supabase.Select[remoteRow](ctx, s.client.As(by).Control(), supabase.Query{
		Table: "mcp_servers", Columns: "name,url,manifest,secret_name,enabled,version",
		Order: []supabase.Order{supabase.Asc("name")},
	})
	if err != nil {
		return nil, err
	}
	list := make([]tool.Remote, len(rows))
	for i, r := range rows {
		list[i] = tool.Remote(r)
	}
	return list, nil
}
