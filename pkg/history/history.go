// Package history reads the conversation that a client resends and decides how
// much of it to trust.
//
// The server keeps no state between requests, so everything that it must trust
// travels with the messages, sealed. A message of the server carries one opaque
// token: the agent, its tool calls and their results, the time, and digests
// that bind the message to all that came before it. Open verifies the messages
// in order; one that fails keeps its text without authority, and so do those
// that were sealed after it. An invalid history degrades the conversation but
// never stops it and is never an error: what the server seals from there on is
// valid again.
package history

import (
	"crypto/cipher"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Message is one message as a client sent it, in any format.
type Message struct {
	ID   string
	Role llm.Role
	Text string
	Seal string // "" when the client sent none
	// Doubt is the reason why a part of the message is not trusted, "" for
	// none: it claims what only a server may send (a system role, a tool's
	// result, a call), or has an unknown form. The text of user and assistant
	// messages stays; other messages are dropped.
	Doubt string
	// Foreign says that not all of the text was typed by its sender: the client
	// marked it, or a part of it, with a "source" such as "upload", "speech" or
	// "quote". Such text is read, but it neither consents nor counts as an
	// instruction of the user.
	Foreign bool
	// Spoken says that what is foreign of the text was spoken by its sender and turned
	// into words. It neither consents nor instructs, but it is what its sender tells.
	Spoken bool
	// Files are the user's attachments, in order. They are a part of the
	// message, but their content does not count as the user's words.
	Files []File
}

// File is a file that a client says is attached.
type File struct {
	URL  string // of an upload, or a whole file in a data: address
	Name string // as the client calls it; "" where the upload knows better
	Type string // media type, likewise
}

// Reading is the content of a message's files, once they have been read.
type Reading struct {
	// Text is enclosed in marks that say that it is not the user's.
	Text string
	// Brief lists the files, for prompts that do not include their content.
	Brief  string
	Images []llm.Image
}

// State is what the server stores in a seal: its own record of a turn.
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
	// Replaces says that the message is a summary, and of which messages. A
	// summary is first in its list, and the messages that it replaces are not
	// in the list.
	Replaces Range
	// Path says how the answer came about ("llm", "direct"), and Model which
	// model gave it; both are "" where that is not known.
	Path, Model string
	// Handles are the names that the turn gave to ids of third parties.
	Handles []Handle
	// Shorter is the summary that the turn made of the messages before it; the zero
	// Shorter is none.
	Shorter Shorter
}

// Shorter is a summary of the first messages of a conversation, for models to read in
// their place. Through is the number of the last of them.
type Shorter struct {
	Through int
	Text    string
}

// Handle is a name that stands for an id of a third party, given as JSON.
type Handle struct{ Name, ID string }

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
	// State is the content of the seal; nil for a user's message and for an
	// assistant's text that carries no authority.
	State *State
	// Doubted says that its seal was not accepted: its key was removed, or
	// something was altered.
	Doubted bool
	// At is when the seal was made; zero without a State.
	At time.Time
	// Foreign and Spoken are as in Message.
	Foreign, Spoken bool
	// Number is the place of the message in the list that was opened, from 0.
	Number int
	// Files are as in Message, and Reading is what Show put there.
	Files   []File
	Reading Reading
}

// Show appends the content of files to the text of the entry at i, in prompts
// only: it is neither part of the message nor sealed.
func (c *Conversation) Show(i int, r Reading) { c.Entries[i].Reading = r }

// summary reports whether the entry replaces earlier messages.
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
	// What opened it, with the ciphers by key: one of them seals what comes next.
	keys    *Keys
	scope   Scope
	ciphers map[string]cipher.AEAD
}

// Doubts returns the number of messages with claims that were not accepted, and
// the reasons in order.
func (c Conversation) Doubts() (count int, reasons []string) {
	return c.doubted, slices.Sorted(maps.Keys(c.Unverified))
}

// Said returns all that the user typed, oldest first. It is not verified (a
// client may send any text as its user's words), and need not be: it carries no
// more than the user's own authority.
func (c Conversation) Said() []string {
	var out []string
	for _, e := range c.Entries {
		if e.Role == llm.User && !e.Foreign {
			out = append(out, e.Text)
		}
	}
	return out
}

// Handles returns the handles of the turns that are verified, oldest first.
func (c Conversation) Handles() []Handle {
	var out []Handle
	for _, e := range c.Entries {
		if e.State != nil {
			out = append(out, e.State.Handles...)
		}
	}
	return out
}

// Finding is a tool result of an earlier turn.
type Finding struct {
	Tool string
	Text string // as the model read it: JSON, shortened where it was long
	At   time.Time
}

// Results returns the tool results of turns that are verified and not older
// than maxAge, oldest first. Refusals and errors are left out: their messages
// may repeat arguments of the model.
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

// Verified returns what the person typed, and the texts and tool results of
// verified turns, oldest first.
func (c Conversation) Verified() []string {
	var out []string
	for _, e := range c.Entries {
		if e.Role == llm.User && !e.Foreign || e.State != nil {
			out = append(out, e.Text)
		}
		if e.State == nil {
			continue
		}
		for _, s := range e.State.Steps {
			for _, r := range s.Results {
				out = append(out, r.Text)
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

// LastUserText returns the text of the last message; "" when it is not the
// user's.
func (c Conversation) LastUserText() string {
	if n := len(c.Entries); n > 0 && c.Entries[n-1].Role == llm.User {
		return c.Entries[n-1].Text
	}
	return ""
}

// claims counts what was not accepted so far.
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
