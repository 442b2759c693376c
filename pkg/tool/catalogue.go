package tool

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Set is an immutable list of tools with different names: what one agent may
// use. Its encoded form is made once and shared by all requests.
type Set struct {
	tools []Tool
	byKey map[string]Tool
	wire  func() *llm.Toolset // made when it is first asked for
}

// NewSet returns the set of the tools, in this order. It reports names that
// stand in it twice, and tools without an effect, a description or a preview
// that they need. Schemas are made when a tool is first used, which most tools
// of a process never are; Tool.Check looks at them, too.
func NewSet(tools ...Tool) (*Set, error) {
	s := &Set{tools: tools, byKey: make(map[string]Tool, len(tools))}
	var problems []error
	for _, t := range tools {
		if _, twice := s.byKey[t.Name()]; twice {
			problems = append(problems, fmt.Errorf("tool %s stands in the set twice", t.Name()))
		}
		problems = append(problems, t.checkSpec())
		s.byKey[t.Name()] = t
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	s.wire = sync.OnceValue(func() *llm.Toolset { return toolset(tools) })
	return s, nil
}

func toolset(tools []Tool) *llm.Toolset {
	models, said := make([]llm.Tool, len(tools)), map[string]string{}
	for i, t := range tools {
		models[i] = t.told(said)
	}
	return llm.NewToolset(models...)
}

// Find returns the tool of that exact name.
func (s *Set) Find(name string) (Tool, bool) {
	if s == nil {
		return Tool{}, false
	}
	t, ok := s.byKey[name]
	return t, ok
}

// Len returns how many tools there are.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.tools)
}

// All returns the tools in their order.
func (s *Set) All() []Tool {
	if s == nil {
		return nil
	}
	return slices.Clone(s.tools)
}

// Model returns the set in the form that models read; nil for an empty set. A
// property that several tools describe in the same words is described once.
func (s *Set) Model() *llm.Toolset {
	if s == nil || len(s.tools) == 0 {
		return nil
	}
	return s.wire()
}

// Pick returns the tools of the given names out of a larger list, in the order
// of the names. It reports names that the list does not have.
func Pick(tools []Tool, names ...string) ([]Tool, error) {
	var picked []Tool
	var problems []error
	for _, name := range names {
		i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name() == name })
		if i < 0 {
			problems = append(problems, fmt.Errorf("there is no tool %s to pick", name))
			continue
		}
		picked = append(picked, tools[i])
	}
	return picked, errors.Join(problems...)
}
