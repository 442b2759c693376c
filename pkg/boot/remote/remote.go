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

// List returns the organisation's servers as they are configured.
func (s *Servers) List(ctx context.Context, by identity.Caller) ([]Listed, error) {
	rows, err := s.store.Remotes(ctx, by)
	if err != nil {
		return nil, err
	}
	list := make([]Listed, len(rows))
	for i, r := range rows {
		_, has := s.secret(by.OrgID, r.SecretName)
		list[i] = Listed{Remote: r, Reviewed: s.manifests[r.Manifest] != nil, Secret: has}
	}
	return list, nil
}

// Listed is a configured server.
type Listed struct {
	tool.Remote
	Reviewed bool // there is a manifest of that name
	Secret   bool // there is a token of the organisation's
}

// Find returns a server of the organisation's that is enabled and has a reviewed
// manifest. Any other is a fault.NotFound or fault.Unprocessable error.
func (s *Servers) Find(ctx context.Context, by identity.Caller, name string) (mcptools.Server, error) {
	rows, err := s.store.Remotes(ctx, by)
	if err != nil {
		return mcptools.Server{}, err
	}
	for _, r := range rows {
		if r.Name == name {
			return s.server(by, r)
		}
	}
	return mcptools.Server{}, fault.New(fault.NotFound, "Your organisation has no server %q.", name)
}

// server returns a configured server as it is called.
func (s *Servers) server(by identity.Caller, r tool.Remote) (mcptools.Server, error) {
	m := s.manifests[r.Manifest]
	switch {
	case !r.Enabled:
		return mcptools.Server{}, fault.New(fault.Unprocessable, "The server %s is switched off.", r.Name).
			WithCode("server_off")
	case m == nil:
		return mcptools.Server{}, fault.New(fault.Unprocessable,
			"The tools of the server %s have not been reviewed: there is no manifest %s.", r.Name, r.Manifest).
			WithCode("server_not_reviewed")
	}
	secret, ok := s.secret(by.OrgID, r.SecretName)
	if r.SecretName != "" && !ok && by.Remote == "" {
		return mcptools.Server{}, fault.New(fault.Unprocessable,
			"The token %s of the server %s is not one of your organisation's.", r.SecretName, r.Name).
			WithCode("server_secret")
	}
	return mcptools.Server{Name: r.Name, URL: r.URL, Secret: secret, Manifest: m}, nil
}

// Tools returns the tools of all servers of the organisation that are enabled and
// reviewed. Of two with one name the first counts, by the names of the servers. The
// error of an organisation without such a server has the code "no_books".
func (s *Servers) Tools(ctx context.Context, by identity.Caller) ([]tool.Declaration, error) {
	rows, err := s.store.Remotes(ctx, by)
	if err != nil {
		return nil, err
	}
	var all []tool.Declaration
	known, asked := map[string]bool{}, false
	for _, r := range rows {
		if !r.Enabled {
			continue
		}
		server, err := s.server(by, r)
		if err != nil {
			return nil, err
		}
		declared, err := s.Client.Tools(ctx, by, server)
		if err != nil {
			return nil, err
		}
		asked = true
		for _, d := range declared {
			if !known[d.Spec.Name] {
				known[d.Spec.Name] = true
				all = append(all, d)
			}
		}
	}
	if !asked {
		return nil, fault.New(fault.Unprocessable, "Your organisation has not connected its books yet.").
			WithCode("no_books")
	}
	return all, nil
}

// Read runs a tool that only reads, for our own code: what it answers has the
// server's ids.
func (s *Servers) Read(ctx context.Context, by identity.Caller, name string, arguments any) (json.RawMessage, error) {
	in, err := json.Marshal(arguments)
	if err != nil {
		return nil, fmt.Errorf("encode the arguments of %s: %w", name, err)
	}
	declared, err := s.Tools(ctx, by)
	if err != nil {
		return nil, err
	}
	for _, d := range declared {
		if d.Spec.Name != name || d.Run == nil {
			continue
		}
		out, err := d.Run(ctx, by, in)
		if err != nil {
			return nil, err
		}
		if raw, ok := out.(json.RawMessage); ok {
			return raw, nil
		}
		return json.Marshal(out)
	}
	return nil, fault.New(fault.NotFound, "Your books have no %q.", name)
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
