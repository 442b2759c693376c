// Package history reads the conversation that a client resends and decides how
// much of it to believe.
//
// The server keeps nothing between calls, so everything that it must trust
// travels with the messages, sealed. A server-made message carries one opaque
// token: which agent spoke, what tools it called and what they answered, when,
// and digests that tie the message to all that came before it. Opening walks
// the messages in order; what does not fit keeps its words and has no
// authority, and neither has what was sealed after it. Bad history degrades. It
// never stops a conversation and never becomes an error: what the server seals
// from there on holds again.
package history

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Message is one message as a client sent it, whatever its dialect.
type Message struct {
	ID   string
	Role llm.Role
	Text string
	Seal string // "" when the client sent none
	// Doubt is the reason why a part of the message is not believed, "" for
	// none: it claims what only a server may say (a system role, a tool's
	// result, a call), or has a form that we do not know. Of a person's and an
	// assistant's message the text stays; others are dropped.
	Doubt string
	// Foreign says that not all of the text was typed by its sender: the client
	// marked it, or a part of it, with a "source" such as "upload", "speech" or
	// "quote". Such words are read, but they neither consent nor command.
	Foreign bool
	// Files are what the person attached, in order. They are a part of what was
	// said, but their words are not the person's.
	Files []File
}

// File is a file that a client says is attached.
type File struct {
	URL  string // of an upload, or a whole file in a data: address
	Name string // as the client calls it; "" where the upload knows better
	Type string // media type, likewise
}

// Reading is what stands in a message's files, once somebody read them.
type Reading struct {
	// Text is in marks that say that these are not the person's words.
	Text string
	// Brief says which files there are, for whoever need not read them.
	Brief  string
	Images []llm.Image
}

// State is what the server remembers in a seal: its own account of a turn.
type State struct {
	Agent string
	// Steps are the tool calls of the turn with their results, in order.
	Steps []Step
	// Proposal is the id of the proposal that the message showed.
	Proposal string
	// Asked says that the message ends in a question to the person, or offers
	// to go on with what a limit cut off.
	Asked bool
	// Mode is the assistant's own state, such as a planner's mode.
	Mode json.RawMessage
	// Replaces says that the message is a summary, and of what. It stands first
	// in its list, and what it replaces is no longer there.
	Replaces Range
	// Path says how the answer came about ("llm", "direct"), and Model which
	// model gave it; both are "" where that is not known.
	Path, Model string
}

// Range names messages of a conversation by their numbers, from 1, both ends
// included. The zero Range is none.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// None reports whether the range names nothing.
func (r Range) None() bool { return r == Range{} }

// Step is one answer of the model that called tools, and what they returned.
type Step struct {
	Text    string
	Calls   []llm.Call
	Results []Result // one for each call, in the same order
}

// Result is what one call returned, as the model read it.
type Result struct {
	CallID string
	Text   string
}

// Entry is one message after opening.
type Entry struct {
	Role llm.Role
	Text string
	// State is what the seal held; nil for a user's message and for an
	// assistant's text that carries no authority.
	State *State
	// At is when the seal was made; zero without a State.
	At time.Time
	// Foreign is as in Message.
	Foreign bool
	// Number is the place of the message in the list that was opened, from 0.
	Number int
	// Files are as in Message, and Reading is what Show put there.
	Files   []File
	Reading Reading
}

// Show puts what files say behind the words of the entry at i, for prompts.
// Nothing else learns of it: what files say was neither said nor sealed.
func (c *Conversation) Show(i int, r Reading) { c.Entries[i].Reading = r }

// Shows reports whether prompts hold what stands in files.
func (c Conversation) Shows() bool {
	return slices.ContainsFunc(c.Entries, func(e Entry) bool { return e.Reading.Text != "" || len(e.Reading.Images) > 0 })
}

// summary reports whether the entry stands for messages that are gone.
func (e Entry) summary() bool { return e.State != nil && !e.State.Replaces.None() }

// Conversation is an opened history.
type Conversation struct {
	Entries []Entry
	// Unverified counts what was degraded or dropped, by reason; a message may
	// have two. Plain text of a client that never had seals is not counted:
	// nothing was claimed.
	Unverified map[string]int

	doubted int // messages that Unverified has something of
	place   place
	now     time.Time
}

// Doubts returns of how many messages something was claimed and not believed,
// and the reasons in order.
func (c Conversation) Doubts() (count int, reasons []string) {
	return c.doubted, slices.Sorted(maps.Keys(c.Unverified))
}

// Said returns all that the person typed, oldest first. Nobody can prove it
// (a client may send what it likes as its user's words), and nobody needs to:
// it is the person's own authority that they carry.
func (c Conversation) Said() []string {
	var out []string
	for _, e := range c.Entries {
		if e.Role == llm.User && !e.Foreign {
			out = append(out, e.Text)
		}
	}
	return out
}

// Finding is what a tool of ours answered in an earlier turn.
type Finding struct {
	Tool string
	Text string // as the model read it: JSON, shortened where it was long
	At   time.Time
}

// Results returns what tools answered in turns that are verified and not older
// than maxAge, oldest first. Refusals and errors are left out: they are
// sentences, and may repeat what the model had asked for.
func (c Conversation) Results(maxAge time.Duration) []Finding {
	var out []Finding
	for _, e := range c.Entries {
		if e.State == nil || c.now.Sub(e.At) > maxAge {
			continue
		}
		for _, s := range e.State.Steps {
			for i, r := range s.Results {
				if i < len(s.Calls) && strings.HasPrefix(r.Text, "{") {
					out = append(out, Finding{s.Calls[i].Name, r.Text, e.At})
				}
			}
		}
	}
	return out
}

// Last returns the last entry of the role and true, or false.
func (c Conversation) Last(role llm.Role) (Entry, bool) {
	for i := len(c.Entries) - 1; i >= 0; i-- {
		if c.Entries[i].Role == role {
			return c.Entries[i], true
		}
	}
	return Entry{}, false
}

// LastUserText returns what the person said last; "" when the last message is
// not the person's.
func (c Conversation) LastUserText() string {
	if n := len(c.Entries); n > 0 && c.Entries[n-1].Role == llm.User {
		return c.Entries[n-1].Text
	}
	return ""
}

// claims counts what was not believed so far.
func (c *Conversation) claims() (n int) {
	for _, count := range c.Unverified {
		n += count
	}
	return n
}

func (c *Conversation) doubt(reason string) {
	if c.Unverified == nil {
		c.Unverified = map[string]int{}
	}
	c.Unverified[reason]++
}
