package mcptools

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// State is what is known of a tool beside its manifest.
type State struct {
	Name   string // as the server calls it
	Model  string // as models call it
	Effect string // of the manifest; Off where it has none
	Group  string // its category
	// State is "on", "off", "unknown", "changed" or "missing"; see Difference.
	State       string
	Description string          // as models read it; "" unless it is on
	Input       json.RawMessage // the schema as models read it; nil unless it is on
}

// Review asks a server for its tools, whatever is remembered, and compares them
// with its manifest.
func (c *Client) Review(ctx context.Context, by identity.Caller, s Server) ([]State, error) {
	c.forget(by, s)
	l, err := c.listed(ctx, by, s)
	if err != nil {
		return nil, err
	}
	_, found := s.Manifest.differences(l.declared)
	var list []State
	for _, t := range s.Manifest.Tools {
		st := State{Name: t.Name, Model: tool.ModelName(t.Name), Effect: t.Effect, Group: t.Category, State: "on",
			Description: t.told(), Input: t.offered()}
		if i := slices.IndexFunc(found, func(d Difference) bool { return d.Tool == t.Name }); i >= 0 {
			st.State = found[i].What
		} else if t.effect() == 0 {
			st.State = Off
		}
		if st.State != "on" {
			st.Description, st.Input = "", nil
		}
		list = append(list, st)
	}
	for _, d := range found {
		if d.What == "unknown" {
			list = append(list, State{Name: d.Tool, Model: tool.ModelName(d.Tool), Effect: Off, State: d.What})
		}
	}
	return list, nil
}

// Try runs one tool that reads, by the name that the server or models give it,
// as an assistant would. A tool that writes is a fault.Unprocessable error.
func (c *Client) Try(ctx context.Context, by identity.Caller, s Server, name string,
	arguments json.RawMessage) (json.RawMessage, error) {
	declared, err := c.Tools(ctx, by, s)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(declared, func(d tool.Declaration) bool {
		return d.Spec.Name == name || tool.ModelName(d.Spec.Name) == name
	})
	if pinned, ok := s.Manifest.find(name); i < 0 && ok && pinned.effect() > tool.Reads {
		return nil, notTried(name)
	} else if i < 0 {
		return nil, fault.New(fault.NotFound, "The server %s has no tool %q that is on.", s.Name, name)
	}
	if declared[i].Run == nil {
		return nil, notTried(name)
	}
	made, err := tool.FromSchema(declared[i].Spec, declared[i].Schema, declared[i].Run)
	if err != nil {
		return nil, err
	}
	call, err := made.Prepare(arguments)
	if err != nil {
		return nil, err
	}
	r, err := call.Run(ctx, by)
	return r.Data, err
}

func notTried(name string) error {
	return fault.New(fault.Unprocessable, "The tool %q changes something; only tools that read are tried here.",
		name).WithCode("tool_writes")
}
