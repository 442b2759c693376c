// Package remote builds what reaches the remote MCP servers of organisations.
package remote

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/mcp"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mcptools"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// manifests are the reviewed manifests, by the name of their file.
//
//go:embed manifests
var manifests embed.FS

// Servers finds and calls the remote servers of organisations.
type Servers struct {
	Client    *mcptools.Client
	store     tool.Remotes
	manifests map[string]*mcptools.Manifest
	env       boot.Lookup
}

var _ mcp.Servers = (*Servers)(nil)

// New returns the servers, or nil where the operator allows none.
func New(ctx context.Context, b *backend.Backend) (*Servers, error) {
	var cfg boot.RemoteConfig
	if err := b.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	if len(cfg.Hosts) == 0 {
		return nil, nil
	}
	name, version, _ := strings.Cut(cfg.Client, "/")
	client, err := mcptools.New(mcptools.Config{
		Egress: egress.Config{Loopback: b.Local && !b.Env.Deployed()}, Hosts: cfg.Hosts, Name: name, Version: version,
		Outbox: control.NewOutbox(b.Client), Now: b.Now,
		Report: func(_ context.Context, server string, d mcptools.Difference) {
			b.Log.Warn().Str("server", server).Str("tool", fault.Foreign(tool.ModelName(d.Tool))).
				Str("difference", d.What).Msg("a remote tool differs from its manifest")
		},
	})
	if err != nil {
		return nil, err
	}
	s := &Servers{Client: client, store: control.NewRemotes(b.Client), manifests: map[string]*mcptools.Manifest{},
		env: b.Env}
	own, err := fs.Sub(manifests, "manifests")
	if err != nil {
		return nil, err
	}
	if err := s.read(own); err != nil {
		return nil, err
	}
	if cfg.Manifests != "" {
		err = s.read(os.DirFS(cfg.Manifests))
	}
	return s, err
}

// read reads the manifests of a folder.
func (s *Servers) read(folder fs.FS) error {
	files, err := fs.Glob(folder, "*.json")
	if err != nil {
		return err
	}
	var problems []error
	for _, f := range files {
		raw, err := fs.ReadFile(folder, f)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(f, ".json")
		if s.manifests[name], err = mcptools.ReadManifest(raw); err != nil {
			problems = append(problems, fmt.Errorf("the manifest %s: %w", name, err))
		}
	}
	return errors.Join(problems...)
}

// List returns the organisation's servers; see mcp.Servers.
func (s *Servers) List(ctx context.Context, by identity.Caller) ([]mcp.RemoteServer, error) {
	rows, err := s.store.Remotes(ctx, by)
	if err != nil {
		return nil, err
	}
	list := make([]mcp.RemoteServer, len(rows))
	for i, r := range rows {
		_, has := s.secret(by.OrgID, r.SecretName)
		list[i] = mcp.RemoteServer{Name: r.Name, URL: r.URL, Manifest: r.Manifest, Enabled: r.Enabled,
			Reviewed: s.manifests[r.Manifest] != nil, Secret: has}
	}
	return list, nil
}

// Find returns a server of the organisation's that is enabled and has a reviewed
// manifest. Any other is a fault.NotFound or fault.Unprocessable error.
func (s *Servers) Find(ctx context.Context, by identity.Caller, name string) (mcptools.Server, error) {
	rows, err := s.store.Remotes(ctx, by)
	if err != nil {
		return mcptools.Server{}, err
	}
	for _, r := range rows {
		if r.Name != name {
			continue
		}
		m := s.manifests[r.Manifest]
		switch {
		case !r.Enabled:
			return mcptools.Server{}, fault.New(fault.Unprocessable, "The server %s is switched off.", name).
				WithCode("server_off")
		case m == nil:
			return mcptools.Server{}, fault.New(fault.Unprocessable,
				"The tools of the server %s have not been reviewed: there is no manifest %s.", name, r.Manifest).
				WithCode("server_not_reviewed")
		}
		secret, ok := s.secret(by.OrgID, r.SecretName)
		if r.SecretName != "" && !ok && by.Remote == "" {
			return mcptools.Server{}, fault.New(fault.Unprocessable,
				"The token %s of the server %s is not one of your organisation's.", r.SecretName, name).
				WithCode("server_secret")
		}
		return mcptools.Server{Name: r.Name, URL: r.URL, Secret: secret, Manifest: m}, nil
	}
	return mcptools.Server{}, fault.New(fault.NotFound, "Your organisation has no server %q.", name)
}

// Tools returns the tools of a server; see mcp.Servers.
func (s *Servers) Tools(ctx context.Context, by identity.Caller, name string) ([]mcp.RemoteTool, error) {
	server, err := s.Find(ctx, by, name)
	if err != nil {
		return nil, err
	}
	states, err := s.Client.Review(ctx, by, server)
	if err != nil {
		return nil, err
	}
	list := make([]mcp.RemoteTool, len(states))
	for i, t := range states {
		list[i] = mcp.RemoteTool{Name: t.Name, Model: t.Model, Effect: t.Effect, Category: t.Group, State: t.State,
			Description: t.Description, Input: t.Input}
	}
	return list, nil
}

// Test runs a tool that reads; see mcp.Servers.
func (s *Servers) Test(ctx context.Context, by identity.Caller, name, tool string,
	arguments json.RawMessage) (mcp.RemoteResult, error) {
	server, err := s.Find(ctx, by, name)
	if err != nil {
		return mcp.RemoteResult{}, err
	}
	start := time.Now()
	data, err := s.Client.Try(ctx, by, server, tool, arguments)
	if err != nil {
		return mcp.RemoteResult{}, err
	}
	return mcp.RemoteResult{Tool: tool, Milliseconds: time.Since(start).Milliseconds(), Data: data}, nil
}

// secretPrefix begins the names of the variables that hold organisations' tokens
// for remote servers, each "organisation's id:token".
const secretPrefix = "MCP_SECRET_"

// secret returns the token of that name if it was given to the organisation.
func (s *Servers) secret(org, name string) (identity.Secret, bool) {
	if name == "" {
		return "", false
	}
	value, _ := s.env.Lookup(secretPrefix + name)
	owner, token, ok := strings.Cut(value, ":")
	if !ok || token == "" || !strings.EqualFold(owner, org) {
		return "", false
	}
	return identity.Secret(token), true
}
