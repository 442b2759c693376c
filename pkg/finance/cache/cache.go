// Package cache keeps what the finance assistant answered, so that the same
// question in the same circumstances is answered again without a tool or a model,
// for as long as the records that were read are as they were.
//
// An answer is found by the digest of all that it depends on: organisation,
// company, role, tools, pipeline, language, the sentence without regard to case
// and spacing, and the company's local day, since "this month" is another one
// tomorrow. The digest alone is kept, not the sentence.
//
// An answer is for all members of the organisation in the same role, or for one
// person. Two managers who ask for today's cash see the same records through the
// same tools, so the second one need not wait. An answer is for one person where
// it may say more than the role's records: where a model worded it, since prompts
// have the person's name, and where the person's own token was used at the remote
// server, since that server then decides what this person sees. The database
// compares role and person itself and does not rely on the digest.
//
// A write drops the answers that it may change, in the transaction that records
// the write; see app.modules in the migrations for what it may change. A write at a
// remote server drops them when it begins and again when its outcome is known, or
// is known to be unknown, and in between no answer is kept. What is written at the
// remote server by others is not seen here, so answers also expire.
package cache

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Bounds of an entry.
const (
	// MaxEntry is the most bytes that an entry has in JSON; a larger one is not kept.
	MaxEntry = 64 << 10
	// MaxSentence is the longest sentence, in bytes, whose answer is kept.
	MaxSentence = 1000
	// DefaultTTL is how long an answer is kept.
	DefaultTTL = 10 * time.Minute
)

// Entry is what a turn said. Its parts are not to be changed: several turns may
// have them at once.
type Entry struct {
	Text    string          `json:"text"`              // Markdown
	Parts   json.RawMessage `json:"parts,omitempty"`   // an array of parts as the turn sent them
	Sources []string        `json:"sources,omitempty"` // names of tools that returned data
	Intent  json.RawMessage `json:"intent,omitempty"`  // what was matched, as the final event has it
	Details json.RawMessage `json:"details,omitempty"` // anything else that the assistant wants back
	// Tools are the names of all tools that ran: a write that may change what one of
	// them reads drops the entry.
	Tools []string `json:"-"`
	// Worded says that a model made the text, so it is for this person alone.
	Worded bool `json:"-"`
	// At is when the answer was kept, by the database's clock; Get sets it.
	At time.Time `json:"-"`
}

// Turn says of a turn what forbids to keep its answer.
type Turn struct {
	Wrote   bool // a tool that writes was called, or proposed
	Tainted bool // it read text that people outside of the organisation wrote
	Context bool // the answer depends on earlier messages of the conversation
}

// Kept is what a store has under one of the keys.
type Kept struct {
	ID        string // changes with each answer that is kept
	Answer    json.RawMessage
	CreatedAt time.Time
}

// Write is an answer to be kept.
type Write struct {
	Key        string // hexadecimal SHA-256
	Entity     string // uuid, "" for none
	Assistant  string
	Own        bool // for this person alone
	Tools      []string
	Generation int64 // of the Read before the tools ran
	TTL        time.Duration
	Answer     json.RawMessage
}

// Store keeps answers for all instances.
type Store interface {
	// Read returns the answer under the first of the keys that has one for by, nil
	// for none, and the generation of the organisation's records. Answer is empty
	// where known has its ID.
	Read(ctx context.Context, by identity.Caller, keys, known []string) (*Kept, int64, error)
	// Write keeps an answer and reports whether it did: it does not where what the
	// tools read may have changed since the generation.
	Write(ctx context.Context, by identity.Caller, w Write) (bool, error)
	// Drop makes the answers that a write by these tools may change out of date, and
	// every answer for a tool that is not known.
	Drop(ctx context.Context, by identity.Caller, tools []string) error
}

// Cache answers from a store. It may be used by many goroutines.
type Cache struct {
	store Store
	ttl   time.Duration

	mu   sync.Mutex
	held map[string]held // what this instance has read, by the person's key
}

// held is an answer as the store had it under an id.
type held struct {
	id    string
	entry *Entry
}

// maxEntries bounds what an instance holds, at most 16 MiB.
const maxEntries = 256

// New returns a cache whose entries live for ttl; 0 means DefaultTTL.
func New(store Store, ttl time.Duration) *Cache {
	if ttl == 0 {
		ttl = DefaultTTL
	}
	return &Cache{store: store, ttl: ttl, held: map[string]held{}}
}

// Asked is a question that was looked up. Put needs it: only what was asked before
// its tools ran can be kept.
type Asked struct {
	keys       keys
	by         identity.Caller
	assistant  string
	generation int64
}

// Get returns the answer to a question, nil for none, and what Put needs to keep
// one. It asks the store once, so an answer that another instance dropped is not
// returned; the answer itself is sent only where this instance does not have it.
// For a caller who has not signed in, and for a sentence that is too long, it
// returns none without asking. An error says that the store could not be asked: a
// caller goes on without a cache.
func (c *Cache) Get(ctx context.Context, q Question) (*Entry, *Asked, error) {
	k, ok := q.keys()
	if !ok {
		return nil, nil, nil
	}
	c.mu.Lock()
	mine := c.held[k.own]
	c.mu.Unlock()
	known := []string{}
	if mine.id != "" {
		known = append(known, mine.id)
	}
	kept, generation, err := c.store.Read(ctx, q.By, k.list(), known)
	if err != nil {
		return nil, nil, err
	}
	asked := &Asked{keys: k, by: q.By, assistant: q.Assistant, generation: generation}
	if kept == nil {
		return nil, asked, nil
	}
	if kept.ID == mine.id {
		return mine.entry, asked, nil
	}
	e := &Entry{At: kept.CreatedAt}
	if json.Unmarshal(kept.Answer, e) != nil {
		return nil, asked, nil // of another version: the turn makes the answer anew
	}
	c.hold(k.own, held{kept.ID, e})
	return e, asked, nil
}

// Put keeps the answer to a question that Get was asked for, and reports whether it
// did. It does not after a turn that wrote, was tainted or depends on earlier
// messages, nor where records that the tools read may have changed meanwhile, nor
// an entry of more than MaxEntry bytes. A nil asked keeps nothing.
func (c *Cache) Put(ctx context.Context, asked *Asked, turn Turn, e Entry) (bool, error) {
	if asked == nil || turn.Wrote || turn.Tainted || turn.Context {
		return false, nil
	}
	raw, err := json.Marshal(e)
	if err != nil || len(raw) > MaxEntry {
		return false, err
	}
	w := Write{Key: asked.keys.shared, Entity: asked.by.Entity.ID, Assistant: asked.assistant, Tools: e.Tools,
		Generation: asked.generation, TTL: c.ttl, Answer: raw}
	if e.Worded || asked.keys.shared == "" {
		w.Key, w.Own = asked.keys.own, true
	}
	return c.store.Write(ctx, asked.by, w)
}

// Invalidate drops the answers that a write by these tools may change, at all
// instances. Writes with an effect key, and those at remote servers, drop them by
// themselves; see the package comment.
func (c *Cache) Invalidate(ctx context.Context, by identity.Caller, tools ...string) error {
	if len(tools) == 0 {
		return nil
	}
	return c.store.Drop(ctx, by, tools)
}

func (c *Cache) hold(key string, h held) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.held) >= maxEntries {
		clear(c.held)
	}
	c.held[key] = h
}
