// Package history reads the conversation that a client resends and decides how
// much of it to believe.
//
// The server keeps nothing between calls, so everything that it must trust
// travels with the messages, sealed. A server-made message carries one opaque
// token: which agent spoke, what tools it called and what they answered, and
// digests that tie the message to all that came before it. Opening walks the
// messages in order; the first thing that does not fit ends the chain, and
// whatever follows keeps its words but has no authority. Bad history degrades.
// It never stops a conversation and never becomes an error.
package history

import (
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Message is one message as a client sent it, whatever its dialect.
type Message struct {
	ID   string
	Role llm.Role
	Text string
	Seal string // "" when the client sent none
	// Forged says what the message claims that only a server may say: a
	// system role, a tool result, a tool call. Such messages are dropped, or,
	// for an assistant's text beside a call, stripped to the text.
	Forged string
}

// State is what the server remembers in a seal: its own account of a turn.
type State struct {
	Agent string `json:"agent,omitempty"`
	// Steps are the tool calls of the turn with their results, in order.
	Steps []Step `json:"steps,omitempty"`
	// Proposal is the id of the proposal that the message showed.
	Proposal string `json:"proposal,omitempty"`
	// Asked says that the message ends in a question to the person.
	Asked bool `json:"asked,omitempty"`
	// Mode is the assistant's own state, such as a planner's mode.
	Mode json.RawMessage `json:"mode,omitempty"`
}

// Step is one answer of the model that called tools, and what they returned.
type Step struct {
	Text    string     `json:"text,omitempty"`
	Calls   []llm.Call `json:"calls"`
	Results []Result   `json:"results"` // one for each call, in the same order
}

// Result is what one call returned, as the model read it.
type Result struct {
	CallID string `json:"id"`
	Text   string `json:"text"`
}

// Entry is one message after opening.
type Entry struct {
	Role llm.Role
	Text string
	// State is what the seal held; nil for a user's message and for an
	// assistant's text that carries no authority.
	State *State
}

// Conversation is an opened history.
type Conversation struct {
	Entries []Entry
	// Unverified counts what was degraded or dropped, by reason. Plain text
	// of a client that never had seals is not counted: nothing was claimed.
	Unverified map[string]int
	// Position and Previous continue the chain: pass them to Seal.
	Position int
	Previous string
	// since are the messages after the last good seal, which the next seal
	// covers.
	since []Message
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

func (c *Conversation) doubt(reason string) {
	if c.Unverified == nil {
		c.Unverified = map[string]int{}
	}
	c.Unverified[reason]++
}
