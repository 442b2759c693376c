package tool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
)

// Raise returns the tools with the effects that an assistant's policy sets for
// some of them by name. A policy may only be stricter: it is an error to lower
// an effect, or to raise that of a tool that only reads.
func Raise(tools []Tool, effects map[string]Effect) ([]Tool, error) {
	out := slices.Clone(tools)
	for _, name := range slices.Sorted(maps.Keys(effects)) {
		i := slices.IndexFunc(out, func(t Tool) bool { return t.Name() == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no tool %s to raise", name)
		}
		own, wanted := out[i].spec.Effect, effects[name]
		if own == Reads || wanted < own || wanted > Critical {
			return nil, fmt.Errorf("the effect of %s is %q and cannot be raised to %q", name, own, wanted)
		}
		out[i].plain = out[i].plain || wanted > own
		out[i].spec.Effect = wanted
	}
	return out, nil
}

// Distrust returns the tools with members of their results added to
// Spec.Untrusted.
func Distrust(tools []Tool, members ...string) []Tool {
	out := slices.Clone(tools)
	for i := range out {
		out[i].spec.Untrusted = slices.Concat(out[i].spec.Untrusted, members)
	}
	return out
}

// Preview returns the preview of the call, with the data that it was built
// from. It changes nothing. For a small write without its own preview it shows
// the arguments.
func (c Call) Preview(ctx context.Context, by identity.Caller) (p Preview, err error) {
	input := c.input
	if c.Tool.spec.Foreign != "" {
		// The user is not asked about what is not there.
		in, err := restored(ctx, c.Arguments)
		if err != nil {
			return Preview{}, err
		}
		input = &in
	}
	if c.Tool.preview == nil {
		return c.plainPreview()
	}
	defer contain(c.Tool.Name(), &err)
	ctx, record := effect.Record(effect.ReadOnly(ctx))
	if p, err = c.Tool.preview(ctx, by, input); err != nil {
		return Preview{}, err
	}
	p.Reads, err = record.Reads()
	return p, err
}

// plainPreview shows a write by its arguments.
func (c Call) plainPreview() (Preview, error) {
	if c.Tool.Effect() == Reads {
		return Preview{}, fault.New(fault.Internal, "The tool %s has no preview.", c.Tool.Name())
	}
	object, _, err := parseArguments(c.Arguments)
	if err != nil {
		return Preview{}, err
	}
	p := Preview{Title: cmp.Or(c.Tool.spec.Foreign, words(c.Tool.Name()))}
	for _, key := range sortedKeys(object) {
		p.Lines = append(p.Lines, Line{Label: words(key), After: plainValue(object[key])})
	}
	return p, nil
}

// words writes a name as people would: "Add note".
func words(name string) string {
	name = vocabulary.ToolWords(name)
	return strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]
}

func plainValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = plainValue(item)
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		parts := make([]string, 0, len(v))
		for _, key := range sortedKeys(v) {
			parts = append(parts, strings.ReplaceAll(key, "_", " ")+" "+plainValue(v[key]))
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(v)
}

// Trusted returns the result without its untrusted members, and whether any of
// them contained text. A result that was cut has unknown content, so all of it
// is untrusted.
func (t Tool) Trusted(data json.RawMessage) (trusted json.RawMessage, outside bool) {
	switch {
	case len(t.spec.Untrusted) == 0:
		return data, false
	case slices.Contains(t.spec.Untrusted, "*"):
		return json.RawMessage("{}"), true
	}
	if bytes.Contains(data, []byte(`"beginning":`)) || !json.Valid(data) {
		return json.RawMessage("{}"), true
	}
	if !slices.ContainsFunc(t.spec.Untrusted,
		func(member string) bool { return bytes.Contains(data, []byte(`"`+member+`":`)) }) {
		return data, false // as a rule, and much cheaper
	}
	var v any
	if json.Unmarshal(data, &v) != nil {
		return json.RawMessage("{}"), true
	}
	outside = strip(v, t.spec.Untrusted)
	if !outside {
		return data, false
	}
	trusted, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("{}"), true
	}
	return trusted, true
}

// strip takes the members out of v and reports whether one of them held
// something.
func strip(v any, members []string) (found bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			if slices.Contains(members, key) {
				found = found || !wordless(v[key])
				delete(v, key)
				continue
			}
			found = strip(v[key], members) || found
		}
	case []any:
		for _, item := range v {
			found = strip(item, members) || found
		}
	}
	return found
}

// wordless reports whether nothing can be read in v.
func wordless(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !wordless(item) })
	case map[string]any:
		for _, item := range v {
			if !wordless(item) {
				return false
			}
		}
	}
	return true
}

// contain turns a panic into an error, so that one broken tool ends one call
// and not the process.
func contain(name string, err *error) {
	if p := recover(); p != nil {
		*err = fault.Wrap(fault.Internal, fmt.Errorf("panic in tool %s: %v\n%s", name, p, debug.Stack()),
			"The tool %s failed on our side.", name)
	}
}
