package flow

import (
	"fmt"
	"slices"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Assistant is a profile and the runtime behind it, which is built when it is
// first asked for: a process that serves five assistants starts as fast as one
// that serves one.
type Assistant struct {
	assistants.Profile
	runtime func() (*Runtime, error)
}

// Lazy returns an assistant whose runtime build makes, at most once. An error
// of build is returned to every caller.
func Lazy(p assistants.Profile, build func() (*Runtime, error)) *Assistant {
	return &Assistant{Profile: p, runtime: sync.OnceValues(build)}
}

// Built returns an assistant with a runtime that is already built.
func Built(r *Runtime) *Assistant {
	return &Assistant{Profile: r.Profile, runtime: func() (*Runtime, error) { return r, nil }}
}

// Runtime returns the runtime. One that cannot be built is a fault.Unavailable
// error with the code "assistant_unavailable".
func (a *Assistant) Runtime() (*Runtime, error) {
	r, err := a.runtime()
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "%s is not available at the moment.",
			a.Title).WithCode("assistant_unavailable")
	}
	return r, nil
}

// LinkingTo returns the assistant with the hosts to which its replies may link.
func (a *Assistant) LinkingTo(hosts ...string) *Assistant {
	p := a.Profile
	p.Hosts = hosts
	return Lazy(p, func() (*Runtime, error) {
		r, err := a.runtime()
		if err != nil {
			return nil, err
		}
		linked := *r
		linked.Profile = p
		return &linked, nil
	})
}

// EveryRead stands for all tools that change nothing.
const EveryRead = "*"

// Restrict returns the assistant with no tools but the named ones, without the
// agents that are left with none, except those that talk to visitors without any,
// and with nothing recorded. A name that it does not have is ignored, since a list
// may be meant for several assistants. The runtime of an assistant without any tool left, or with a tool that does
// more than read, is an error.
func (a *Assistant) Restrict(names ...string) *Assistant {
	p := a.Profile
	p.Variants, p.Suggestions, p.Changes, p.Records = nil, nil, nil, false
	return Lazy(p, func() (*Runtime, error) {
		r, err := a.runtime()
		if err != nil {
			return nil, err
		}
		restricted := *r
		restricted.Profile = p
		return restricted.among(names)
	})
}

// among reduces a runtime to the named tools.
func (r *Runtime) among(names []string) (*Runtime, error) {
	less := *r
	less.Agents, less.AgentNames, less.Adds = nil, nil, nil
	var left []string
	for _, a := range r.Agents {
		var kept []tool.Tool
		for _, t := range a.Tools.All() {
			named := slices.Contains(names, t.Name())
			if named && t.Effect() != tool.Reads {
				return nil, fmt.Errorf("assistant %s: the tool %s does more than read", r.Name, t.Name())
			}
			if named || slices.Contains(names, EveryRead) && t.Effect() == tool.Reads {
				kept = append(kept, t)
			}
		}
		if len(kept) == 0 && !slices.Contains(r.Talk, a.Name) {
			continue
		}
		set, err := tool.NewSet(kept...)
		if err != nil {
			return nil, err
		}
		fewer := *a
		fewer.Tools = set
		less.Agents, left = append(less.Agents, &fewer), append(left, a.Name)
		less.AgentNames = append(less.AgentNames, assistants.AgentName{Name: a.Name, Label: a.Label})
	}
	if len(less.Agents) == 0 {
		return nil, fmt.Errorf("assistant %s: none of the tools %q is its own", r.Name, names)
	}
	if f, ok := r.Flow.(Selective); ok {
		var err error
		if less.Flow, err = f.Among(left...); err != nil {
			return nil, err
		}
	}
	return New(less)
}

// Find returns the assistant of that name.
func Find(all []*Assistant, name string) (*Assistant, bool) {
	i := slices.IndexFunc(all, func(a *Assistant) bool { return a.Name == name })
	if i < 0 {
		return nil, false
	}
	return all[i], true
}
