package customtools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// prefix tells these tools from ours in a prompt and in the catalogue.
const prefix = "custom_"

// Within is how long a call may take.
const Within = 10 * time.Second

// Config is what Tools needs.
type Config struct {
	Store  Store
	Sender Sender
	Outbox effect.Outbox // of calls that change something; nil leaves those tools out
}

// Tools returns the enabled tools of the caller's organisation. What is no longer valid is
// left out. All that they answer is untrusted; those that change something ask first.
func Tools(ctx context.Context, by identity.Caller, cfg Config) ([]tool.Declaration, error) {
	all, err := cfg.Store.List(ctx, by)
	if err != nil {
		return nil, err
	}
	var list []tool.Declaration
	for _, d := range all {
		if _, problems := Check(d, cfg.Sender); !d.Enabled || len(problems) > 0 {
			continue
		}
		one := tool.Declaration{Schema: d.Schema, Spec: tool.Spec{Name: prefix + d.Name, Description: d.Description,
			Category: "custom", Effect: tool.Reads, Extension: "the organisation defined it (S1-31)"}}
		if d.Effect == Reads {
			one.Spec.Retry, one.Run = tool.Retry{Most: 1}, reading(d, cfg)
		} else if cfg.Outbox != nil {
			one.Spec.Effect, one.Spec.Target, one.Act = tool.Changes, tool.Outside, acting(d, cfg)
		} else {
			continue
		}
		list = append(list, one)
	}
	return list, nil
}

func reading(d Definition, cfg Config) func(context.Context, identity.Caller, tool.Raw) (any, error) {
	return func(ctx context.Context, by identity.Caller, in tool.Raw) (any, error) {
		r, err := d.Request(in)
		if err != nil {
			return nil, err
		}
		return cfg.Sender.Send(ctx, by, r)
	}
}

// acting calls a tool that changes something: once for a key, which it is told.
func acting(d Definition, cfg Config) *tool.Act {
	return &tool.Act{Outbox: cfg.Outbox, Kind: prefix + d.Name, Within: Within,
		Attempt: func(ctx context.Context, by identity.Caller, key string, in tool.Raw) (any, string, error) {
			r, err := d.Request(in)
			if err != nil {
				return nil, "", effect.NotDone(err)
			}
			r.Key = key
			answer, err := cfg.Sender.Send(ctx, by, r)
			return answer, "", err
		}}
}

// Request returns the request of a call with these arguments, a JSON object. The error is
// fault.Invalid for an argument that has no place in an address.
func (d Definition) Request(arguments json.RawMessage) (Request, error) {
	members := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(arguments)) > 0 {
		if err := json.Unmarshal(arguments, &members); err != nil || members == nil {
			return Request{}, fault.New(fault.Invalid, "The arguments are no JSON object.")
		}
	}
	path, query, _ := strings.Cut(d.Address, "?")
	var failed error
	used := map[string]bool{}
	fill := func(part string, escape func(string) string) string {
		return placeholders.ReplaceAllStringFunc(part, func(braces string) string {
			name := strings.Trim(braces, "{}")
			used[name] = true
			text, err := plain(name, members[name])
			if err != nil && failed == nil {
				failed = err
			}
			return escape(text)
		})
	}
	address := fill(path, func(text string) string {
		// A name of dots, or none at all, would lead to another path than the one that was
		// defined.
		if strings.Trim(text, ".") == "" && failed == nil {
			failed = fault.New(fault.Invalid, "An argument that is a part of the address is empty.")
		}
		return url.PathEscape(text)
	})
	asked := fill(query, url.QueryEscape)
	r := Request{Method: d.Method, Secret: d.Secret}
	for name := range used {
		delete(members, name)
	}
	if d.Method == "GET" {
		more := url.Values{}
		for name, value := range members {
			if string(value) == "null" {
				continue
			}
			text, err := plain(name, value)
			if err != nil && failed == nil {
				failed = err
			}
			more.Set(name, text)
		}
		asked = strings.Trim(asked+"&"+more.Encode(), "&")
	} else {
		body, err := json.Marshal(members)
		if err != nil {
			return r, err
		}
		r.Body = body
	}
	if asked != "" {
		address += "?" + asked
	}
	r.Address = address
	return r, failed
}

// plain is an argument as a part of an address: a text, a number or a truth. null and
// what is missing are "".
func plain(name string, value json.RawMessage) (string, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if len(value) > 0 {
		if err := d.Decode(&v); err != nil {
			return "", err
		}
	}
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case bool, json.Number:
		return fmt.Sprint(v), nil
	}
	return "", fault.New(fault.Invalid, "The argument %q is a list or an object, which has no place in an address.",
		name)
}
