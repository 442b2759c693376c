// Package conversations is what people talked about, as it is kept: for lists,
// for another device, for several people, for summaries and files. A turn that
// brings its history goes by that; one that brings nothing but its new message
// goes on from here. What is loaded is sealed anew for the caller.
package conversations

import (
	"context"
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Recorder keeps the turns of conversations. Each method acts for by, who must
// take part in the conversation.
type Recorder interface {
	// RecordMessage keeps what a person said, before anybody answers it. It makes the
	// conversation when there is none under that thread yet. Recorded again of the
	// same turn, nothing changes.
	RecordMessage(ctx context.Context, by identity.Caller, s UserMessage) (Recorded, error)
	// Answer keeps the assistant's answer. Recorded again of the same turn, nothing
	// changes.
	Answer(ctx context.Context, by identity.Caller, a Answer) error
}

// UserMessage is a person's message at the beginning of a turn.
type UserMessage struct {
	Assistant string
	// Prefix of the numbers that people see: "SC" of "#SC-0001".
	Prefix   string
	EntityID string // uuid; "" when the assistant works for none
	// Thread is what the client calls the conversation: its id, or a name of
	// the client's own.
	Thread    string
	ProjectID string // uuid or ""
	// CreateProject makes a project with a conversation that has none.
	CreateProject bool
	Turn          string
	// MessageID is what the client calls the message, or "".
	MessageID string
	// Replaces is the client's id of the message that was edited or is to be
	// answered anew. It, and what followed it, is no longer shown.
	Replaces string
	// Text is "" when a question was answered by a button; then only the
	// conversation is found.
	Text string
	// Foreign is as in history.Message.
	Foreign bool
	// Files are what was attached.
	Files  []File
	Tokens int // estimated
}

// File is an uploaded file that was attached to a message.
type File struct {
	URL string `json:"url"`
}

// Recorded is the conversation in which something was said.
type Recorded struct {
	ID        string `json:"id"`   // uuid; opaque for clients
	Code      string `json:"code"` // what people call it: "#SC-0001"
	Title     string `json:"title"`
	New       bool   `json:"isNew"`
	ProjectID string `json:"projectId"`
	// Messages counts those that are shown, this one included.
	Messages int `json:"messageCount"`
}

// Answer is an assistant's message at the end of a turn.
type Answer struct {
	ID    string // of the conversation
	Turn  string // also what clients call the message
	Text  string
	Agent string
	Label string
	// ToolCalls, Processing and Metadata are JSON for those who look into it
	// later; nothing is trusted of them.
	ToolCalls, Processing, Metadata json.RawMessage
	// Token is what history.Keys.SealStored made of the answer.
	Token  string
	Tokens int // estimated, tool results included
}
