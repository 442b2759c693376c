package conversations

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Conversation is one as its people see it. Its ID is opaque, and no model ever
// reads it.
type Conversation struct {
	ID        string  `json:"id"`
	Code      string  `json:"code"` // what people call it: "#SC-0001"
	Number    int     `json:"number"`
	Title     string  `json:"title"` // "" before the first message
	Preview   string  `json:"preview"`
	Assistant string  `json:"assistant"`
	Entity    *string `json:"entity"` // the key of what it is about
	ProjectID *string `json:"projectId"`
	Phase     string  `json:"phase"`
	// MessageCount and EstimatedTokens are of what is live: messages that were
	// edited and sent again are kept, but not counted.
	MessageCount    int      `json:"messageCount"`
	EstimatedTokens int      `json:"estimatedTokens"`
	People          []string `json:"people"`
	Mine            bool     `json:"mine"` // the caller began it
	// Version counts changes, not messages.
	Version       int        `json:"version"`
	CreatedAt     time.Time  `json:"createdAt"`
	UpdatedAt     time.Time  `json:"updatedAt"`
	LastMessageAt time.Time  `json:"lastMessageAt"`
	DeletedAt     *time.Time `json:"deletedAt"`
}

// Detail is a conversation with what lists do without.
type Detail struct {
	Conversation
	// Thread is what the owner's client called it; its seals are bound to that.
	Thread        string
	ExtractedData json.RawMessage
	Summary       Summary
}

// Summary is what stands for the beginning of a conversation; the zero Summary
// is none.
type Summary struct {
	Text     string
	KeyFacts json.RawMessage
	// Through is the Seq of the last message that it covers.
	Through int
	// Token is the server's word for it; see history.Keys.SealStored.
	Token string
	At    *time.Time
	State string // none, queued, running, done, failed
}

// SummaryMessage stands for the message's id where a summary's token is bound to
// one.
const SummaryMessage = "summary"

// Role says whose message it is.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one kept message.
type Message struct {
	// ID is what clients know it by; an answer's is the name of its turn.
	ID     string `json:"id"`
	Seq    int    `json:"seq"` // its number in the conversation, without gaps, from 1
	Role   Role   `json:"role"`
	Text   string `json:"text"`
	UserID string `json:"userId"` // "" for an answer
	Name   string `json:"name"`   // of the person, as it was then
	Turn   string `json:"turn"`
	Agent  string `json:"agent"`
	Label  string `json:"label"`
	// ToolCalls, Processing and Metadata are JSON or null. Metadata may have
	// "parts" as a client had them, "shown", the parts of an answer, and "foreign".
	ToolCalls  json.RawMessage `json:"toolCalls"`
	Processing json.RawMessage `json:"processing"`
	Metadata   json.RawMessage `json:"metadata"`
	// Token is the server's word for an answer; "" for none. A caller that has no
	// valid one is only quoted.
	Token     string    `json:"token"`
	Tokens    int       `json:"tokens"` // estimated, what tools returned included
	CreatedAt time.Time `json:"createdAt"`
}

// Project is what a person builds up with an assistant.
type Project struct {
	ID        string          `json:"id"`
	Code      string          `json:"code"` // "PRJ-K7QMPX"
	Title     string          `json:"title"`
	Type      string          `json:"type"`
	Location  string          `json:"location"`
	Status    string          `json:"status"` // draft, published, archived
	Summary   string          `json:"summary"`
	Context   json.RawMessage `json:"context"`
	Memory    json.RawMessage `json:"memory"`
	Version   int             `json:"version"`
	CreatedAt time.Time       `json:"createdAt"`
	UpdatedAt time.Time       `json:"updatedAt"`
}

// Person is a participant.
type Person struct {
	Name  string `json:"name"`
	Email string `json:"email"` // "" for a machine
	Owner bool   `json:"owner"`
	Me    bool   `json:"me"`
}

// Opening asks for a conversation without saying anything in it.
type Opening struct {
	Assistant, Prefix, EntityID string
	ProjectID                   string // "" for none; else the project's one is meant
	Thread                      string // "" for a new one
	Title                       string // only of a new one
}

// Change is what a person or a client changes; nil members stay.
type Change struct {
	Title *string
	Phase *string
	// ExtractedData is merged into what is there (RFC 7396).
	ExtractedData json.RawMessage
}

// Filter says which conversations are wanted; zero members mean any.
type Filter struct {
	Assistant, EntityID string
	Query               string // a number, or words of a title or a message
	Deleted             bool   // those instead of the others
	Limit               int    // 0 for 30; at most 100
	Cursor              Cursor
}

// Cursor is where a page begins. All pages show the list as it was at Until, so
// nothing is missed or seen twice while new messages come in.
type Cursor struct {
	Until time.Time `json:"until"`
	At    time.Time `json:"at"`
	After string    `json:"after"`
}

// Page is a part of the list.
type Page struct {
	Conversations []Conversation
	Next          *Cursor // nil on the last one
}

// Messages is a part of a conversation, oldest first.
type Messages struct {
	Messages []Message `json:"messages"`
	Next     *int      `json:"next"` // the Seq before which the previous part ends; nil for none
}

// Load is what a turn needs to go on with a conversation.
type Load struct {
	Detail   Detail
	Project  *Project
	Messages []Message // the newest, oldest first
	More     bool      // there are older ones
}

// Entry is one message of a history that is kept at once.
type Entry struct {
	Role Role
	// MessageID must be the same whenever the same message is sent.
	MessageID, Text, Agent, Label string
	ToolCalls, Metadata           json.RawMessage
	Token                         string
	Tokens                        int
	Foreign                       bool
}

// Appended is what came of it.
type Appended struct {
	Appended        int `json:"appended"`
	MessageCount    int `json:"messageCount"`
	EstimatedTokens int `json:"estimatedTokens"`
}

// Store keeps conversations. Every method acts for by, and knows only
// conversations in which by takes part: of all others it returns a
// fault.NotFound error with the code "conversation_not_found". Except for
// Details, Delete and Restore a deleted one is a fault.Conflict error with the
// code "conversation_deleted".
type Store interface {
	Recorder

	// Open returns a conversation, and whether it is new.
	Open(ctx context.Context, by identity.Caller, o Opening) (Detail, bool, error)
	List(ctx context.Context, by identity.Caller, f Filter) (Page, error)
	Details(ctx context.Context, by identity.Caller, id string) (Detail, error)

	// Load returns the newest messages within the budget. project is "" or must
	// be the conversation's.
	Load(ctx context.Context, by identity.Caller, id, project string, b Budget) (Load, error)

	// Messages returns up to limit messages before the seq; 0 for the last ones.
	Messages(ctx context.Context, by identity.Caller, id string, before, limit int) (Messages, error)

	// Append keeps those messages of a history that are not kept yet: all of
	// them or none.
	Append(ctx context.Context, by identity.Caller, id string, history []Entry) (Appended, error)

	// Change changes the version that by saw. Where there is another one by now
	// it returns that, and a fault.Conflict error with the code "changed".
	Change(ctx context.Context, by identity.Caller, id string, version int, c Change) (Detail, error)

	Delete(ctx context.Context, by identity.Caller, id string) error
	Restore(ctx context.Context, by identity.Caller, id string) (Detail, error)

	People(ctx context.Context, by identity.Caller, id string) ([]Person, error)
	Add(ctx context.Context, by identity.Caller, id, email string) ([]Person, error)
	Remove(ctx context.Context, by identity.Caller, id, email string) ([]Person, error)
}
