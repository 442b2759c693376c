package mcptools

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Tools returns the tools of a server that the manifest offers and that the
// server declares as it did when it was reviewed. They have their effects from
// the manifest; those that write are left out without an outbox. An error says
// why the server could not be asked.
func (c *Client) Tools(ctx context.Context, by identity.Caller, s Server) ([]tool.Declaration, error) {
	l, err := c.listed(ctx, by, s)
	if err != nil {
		return nil, err
	}
	var list []tool.Declaration
	for _, t := range s.Manifest.Tools {
		if l.same[t.Name] && (t.effect() == tool.Reads || t.effect() != 0 && c.cfg.Outbox != nil) {
			list = append(list, c.declaration(s, t))
		}
	}
	return list, nil
}

func (c *Client) declaration(s Server, t Pinned) tool.Declaration {
	d := tool.Declaration{
		Spec: tool.Spec{Name: t.Name, Effect: t.effect(), Description: t.told(), Target: t.target(),
			Untrusted: t.Untrusted, IDs: t.IDs, Category: t.Category},
		Schema: t.offered(),
	}
	if d.Spec.Effect == tool.Reads {
		d.Run, d.Spec.Retry = c.reading(s, t), tool.Retry{Most: 1}
	} else {
		d.Act = c.acting(s, t)
	}
	return d
}

// listed returns what the server declares, from the server or from what it said
// a while ago.
func (c *Client) listed(ctx context.Context, by identity.Caller, s Server) (*listing, error) {
	key := listKey{s.URL, by.OrgID, s.Manifest.digest}
	c.mu.Lock()
	l := c.lists[key]
	c.mu.Unlock()
	now := c.cfg.Now()
	if l != nil && now.Sub(l.at) >= 0 && now.Sub(l.at) < c.cfg.Fresh {
		return l, nil
	}
	list, err := c.list(ctx, by, s)
	if err != nil {
		return nil, err
	}
	l = &listing{at: now, declared: list}
	var found []Difference
	l.same, found = s.Manifest.differences(list)
	if c.cfg.Report != nil {
		for _, d := range found {
			c.cfg.Report(ctx, s.Name, d)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lists) >= maxSessions {
		clear(c.lists)
	}
	c.lists[key] = l
	return l, nil
}

// forget makes the next turn ask the server for its tools.
func (c *Client) forget(by identity.Caller, s Server) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.lists, listKey{s.URL, by.OrgID, s.Manifest.digest})
}

// Draft asks a server for its tools and returns a manifest of them, in which all
// are off until people review them. Decisions of an earlier manifest, which
// may be nil, are kept for tools that are declared as they were.
func (c *Client) Draft(ctx context.Context, by identity.Caller, s Server, earlier *Manifest) (*Manifest, error) {
	list, err := c.list(ctx, by, s)
	if err != nil {
		return nil, err
	}
	return draft(s.Name, list, earlier)
}
