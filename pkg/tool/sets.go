package tool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Declaration is a tool as its server declares it, with the settings of our
// code. The members are those of FromSchema; Preview and Present may be nil.
type Declaration struct {
	Spec    Spec
	Schema  json.RawMessage
	Run     func(context.Context, identity.Caller, Raw) (any, error)
	Preview func(context.Context, identity.Caller, Raw) (Preview, error)
	// Act takes the place of Run in a tool that writes; nil in one that reads.
	Act *Act
	// Present, if not nil, is what people see of an answer; see Presented.
	Present func(arguments, answer json.RawMessage) Presentation
}

// Sets makes sets of tools that are chosen at run time, such as those that a
// person's own server offers. The expensive work, reading schemas and encoding
// tools for models, is done once for equal declarations and shared; the
// functions are each caller's own. It is safe for concurrent use.
type Sets struct {
	mu   sync.Mutex
	most int
	kept map[setKey]*manifest
	aged []setKey // the oldest use first
}

// maxManifest bounds one server's tools.
const maxManifest = 200

// setKey is what makes two sets alike for a model.
type setKey struct {
	own    *Set
	digest [sha256.Size]byte
}

// manifest is what is shared of declarations: their schemas, and all tools as
// models are told of them.
type manifest struct {
	inputs []func() input
	mu     sync.Mutex
	wire   *llm.Toolset
}

// encoded returns a function that encodes the tools when it is first called for
// the manifest.
func (m *manifest) encoded(tools []Tool) func() *llm.Toolset {
	return func() *llm.Toolset {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.wire == nil {
			m.wire = toolset(tools)
		}
		return m.wire
	}
}

// NewSets returns a maker of sets that remembers the given number of manifests.
func NewSets(most int) *Sets { return &Sets{most: max(1, most), kept: map[setKey]*manifest{}} }

// Set returns the tools of own, which may be nil, with the declared ones behind
// them. An invalid declaration or a duplicate name is an error that names it.
func (s *Sets) Set(own *Set, declared []Declaration) (*Set, error) {
	if len(declared) > maxManifest {
		return nil, fmt.Errorf("%d tools are declared; at most %d are read", len(declared), maxManifest)
	}
	specs := make([]Spec, len(declared))
	for i, d := range declared {
		specs[i] = foreignSpec(d.Spec)
	}
	shared := s.shared(own, declared, specs)
	tools := own.All()
	for i, d := range declared {
		var options []Option[Raw]
		if d.Preview != nil {
			options = append(options, Previewed(d.Preview))
		}
		if d.Act != nil {
			options = append(options, AtMostOnce(*d.Act))
		}
		if d.Present != nil {
			options = append(options, Presented(d.Present))
		}
		t, err := foreignTool(specs[i], shared.inputs[i], d.Run, options...)
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	set, err := NewSet(tools...)
	if err != nil {
		return nil, err
	}
	set.wire = shared.encoded(tools)
	return set, nil
}

// shared returns the manifest of these declarations, the same one as long as it
// is remembered.
func (s *Sets) shared(own *Set, declared []Declaration, specs []Spec) *manifest {
	digest := sha256.New()
	for i, d := range declared {
		for _, part := range []string{specs[i].Foreign, specs[i].Description, string(d.Schema)} {
			fmt.Fprintf(digest, "%d:%s", len(part), part)
		}
	}
	key := setKey{own: own, digest: [sha256.Size]byte(digest.Sum(nil))}
	s.mu.Lock()
	defer s.mu.Unlock()
	m, known := s.kept[key]
	if known {
		s.aged = slices.DeleteFunc(s.aged, func(k setKey) bool { return k == key })
	} else {
		m = &manifest{inputs: make([]func() input, len(declared))}
		for i, d := range declared {
			schema := bytes.Clone(d.Schema)
			m.inputs[i] = sync.OnceValue(func() input { return foreignInput(schema) })
		}
		s.kept[key] = m
	}
	s.aged = append(s.aged, key)
	if len(s.aged) > s.most {
		delete(s.kept, s.aged[0])
		s.aged = slices.Delete(s.aged, 0, 1)
	}
	return m
}
