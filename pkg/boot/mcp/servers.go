package mcp

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/mcp"
	"github.com/bellhop-ai/bellhop/pkg/boot/remote"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// servers shows administrators the remote servers of their organisations.
type servers struct{ *remote.Servers }

var _ mcp.Servers = servers{}

// List returns the organisation's servers; see mcp.Servers.
func (s servers) List(ctx context.Context, by identity.Caller) ([]mcp.RemoteServer, error) {
	rows, err := s.Servers.List(ctx, by)
	if err != nil {
		return nil, err
	}
	list := make([]mcp.RemoteServer, len(rows))
	for i, r := range rows {
		list[i] = mcp.RemoteServer{Name: r.Name, URL: r.URL, Manifest: r.Manifest, Enabled: r.Enabled,
			Reviewed: r.Reviewed, Secret: r.Secret}
	}
	return list, nil
}

// Tools returns the tools of a server; see mcp.Servers.
func (s servers) Tools(ctx context.Context, by identity.Caller, name string) ([]mcp.RemoteTool, error) {
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
func (s servers) Test(ctx context.Context, by identity.Caller, name, tool string,
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
