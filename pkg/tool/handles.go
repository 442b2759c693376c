package tool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Handle is a short name that stands for an id of a third party in one
// conversation.
type Handle struct {
	Name string          // "id-k7qm3x"
	ID   json.RawMessage // a string or a number
}

// Handles are the handles of a conversation. Models and people see these; the
// third party gets its ids back. It is safe for concurrent use.
type Handles struct {
	thread string
	mu     sync.Mutex
	ids    map[string]json.RawMessage // by name
	names  map[string]string          // by id
	fresh  []Handle
}

const (
	handlePrefix = "id-"
	leastHandle  = 6 // letters after the prefix
	// maxFresh is how many ids of a turn get a handle that a later turn knows: a
	// seal has a limit, and a model reads no more of them.
	maxFresh = 200
	// maxID is the length of an id, as JSON. A longer one is no id.
	maxID = 100
)

var (
	handleShape = regexp.MustCompile(`^id-[a-z2-7]{6,52}$`)
	idShape     = regexp.MustCompile(`(?i:\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)|` +
		`\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b`)
)

// NewHandles returns the handles of a thread that are known from its verified
// history.
func NewHandles(thread string, known []Handle) *Handles {
	h := &Handles{thread: thread, ids: map[string]json.RawMessage{}, names: map[string]string{}}
	for _, k := range known {
		h.ids[k.Name], h.names[string(k.ID)] = k.ID, k.Name
	}
	return h
}

// Fresh returns the handles that were not known at first, for the seal of the
// turn.
func (h *Handles) Fresh() []Handle {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.fresh)
}

// name returns the handle of an id.
func (h *Handles) name(id json.RawMessage) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if name, ok := h.names[string(id)]; ok {
		return name
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s%s", len(h.thread), h.thread, id))
	letters := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:]))
	n := leastHandle
	for h.ids[handlePrefix+letters[:n]] != nil && n < len(letters) {
		n++
	}
	name := handlePrefix + letters[:n]
	h.ids[name], h.names[string(id)] = bytes.Clone(id), name
	if len(h.fresh) < maxFresh {
		h.fresh = append(h.fresh, Handle{name, bytes.Clone(id)})
	}
	return name
}

func (h *Handles) id(name string) (json.RawMessage, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	id, ok := h.ids[name]
	return id, ok
}

type handlesKey struct{}

// WithHandles returns a context in which tools of third parties use the handles.
func WithHandles(ctx context.Context, h *Handles) context.Context {
	return context.WithValue(ctx, handlesKey{}, h)
}

// handlesOf returns the handles of the context. Where there is no conversation,
// ids are hidden, and no handle leads to one.
func handlesOf(ctx context.Context) *Handles {
	if h, ok := ctx.Value(handlesKey{}).(*Handles); ok {
		return h
	}
	return NewHandles("", nil)
}

// restored returns arguments with ids in the place of their handles. A handle
// that the conversation does not have is a fault.NotFound error.
func restored(ctx context.Context, in Raw) (Raw, error) {
	if !bytes.Contains(in, []byte(`"`+handlePrefix)) {
		return in, nil
	}
	v, err := rewritten(in)
	if err != nil {
		return nil, err
	}
	h := handlesOf(ctx)
	if v, err = h.restore(v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

func (h *Handles) restore(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			if v[key], err = h.restore(v[key]); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, child := range v {
			if v[i], err = h.restore(child); err != nil {
				return nil, err
			}
		}
	case string:
		if !handleShape.MatchString(v) {
			return v, nil
		}
		id, ok := h.id(v)
		if !ok {
			return nil, fault.New(fault.NotFound, "There is no %s in this conversation. Please look it up again.",
				v).WithCode("unknown_handle")
		}
		return id, nil
	}
	return v, nil
}

// hide replaces ids by handles: the values of the named members, and what looks
// like a UUID or a ULID wherever it stands.
func (h *Handles) hide(v any, named []string, isID bool) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range sortedKeys(v) {
			out[h.hideText(key)] = h.hide(v[key], named, slices.Contains(named, key))
		}
		return out
	case []any:
		for i, child := range v {
			v[i] = h.hide(child, named, isID)
		}
	case json.Number:
		if isID && len(v) <= maxID {
			return h.name(json.RawMessage(v))
		}
	case string:
		if id, err := json.Marshal(v); isID && v != "" && err == nil && len(id) <= maxID {
			return h.name(id)
		}
		return h.hideText(v)
	}
	return v
}

func (h *Handles) hideText(text string) string {
	return idShape.ReplaceAllStringFunc(text, func(id string) string {
		return h.name(json.RawMessage(`"` + id + `"`))
	})
}
