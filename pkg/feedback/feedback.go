// Package feedback is what people say of an assistant's answers, and what they
// show without saying it. Its words are people's own: they are kept for people,
// and never become part of a prompt.
package feedback

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Rating is what a person says of an answer.
type Rating string

// The ratings. None takes back what was said.
const (
	Up   Rating = "up"
	Down Rating = "down"
	None Rating = "none"
)

// Reasons lists what may be said to be wrong with an answer.
func Reasons() []string {
	return []string{"wrong", "incomplete", "slow", "unclear", "unsafe", "other"}
}

// Sources of an entry: said by a person, or noticed in what a person did next.
const (
	Explicit = "explicit"
	Implicit = "implicit"
)

// Limits in letters. What is longer of a question or an answer is cut; a
// comment is refused.
const (
	MaxComment  = 2000
	maxQuestion = 2000
	maxAnswer   = 4000
	maxTools    = 60
)

// Answer is a message of an assistant that is proven to be one, with what is
// known of the turn that made it.
type Answer struct {
	Assistant string
	Agent     string // "" where the assistant itself spoke
	Thread    string
	Question  string // what the person had asked
	Text      string
	Tools     []Use
	Path      string // "llm", "direct", …; "" where it is not known
	Model     string // "" where none answered, or it is not known
	At        time.Time
}

// Use is one call of a tool.
type Use struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
}

// Key names the answer: hexadecimal, the same each time that the same answer is
// rated, whatever of the conversation was sent along.
func (a Answer) Key() string {
	h := sha256.New()
	for _, text := range []string{"feedback 1", a.Assistant, a.Thread, a.Question, a.Text} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		h.Write(length[:])
		h.Write([]byte(text))
	}
	var at [8]byte
	binary.BigEndian.PutUint64(at[:], uint64(a.At.Unix()))
	h.Write(at[:])
	return hex.EncodeToString(h.Sum(nil))
}

// Bounded returns the answer as it is kept: long texts end in "…".
func (a Answer) Bounded() Answer {
	a.Question, a.Text = shortened(a.Question, maxQuestion), shortened(a.Text, maxAnswer)
	a.Tools = a.Tools[:min(len(a.Tools), maxTools)]
	return a
}

// Judgement is what a person says of an answer. Each one says all of it: a
// reason that is not repeated is gone.
type Judgement struct {
	Rating  Rating `json:"rating"`
	Reason  string `json:"reason,omitempty"`  // one of Reasons; of a Down only
	Comment string `json:"comment,omitempty"` // the person's own words
}

// Check returns the judgement as it is kept, or a fault.Unprocessable error that
// says what is wrong with it.
func (j Judgement) Check() (Judgement, error) {
	j.Comment = strings.TrimSpace(storable(j.Comment))
	switch {
	case j.Rating != Up && j.Rating != Down && j.Rating != None:
		return j, fault.New(fault.Unprocessable,
			`The rating must be "up", "down" or "none".`).WithCode("unknown_rating")
	case j.Reason != "" && !slices.Contains(Reasons(), j.Reason):
		return j, fault.New(fault.Unprocessable, "The reason must be one of these: %s.",
			strings.Join(Reasons(), ", ")).WithCode("unknown_reason")
	case j.Reason != "" && j.Rating != Down:
		return j, fault.New(fault.Unprocessable,
			`A reason belongs to the rating "down".`).WithCode("reason_without_down")
	case utf8.RuneCountInString(j.Comment) > MaxComment:
		return j, fault.New(fault.Unprocessable, "The comment may have at most %d letters.",
			MaxComment).WithCode("comment_too_long")
	case j.Rating == None:
		j.Comment = ""
	}
	return j, nil
}

// Filter narrows a list. What is empty narrows nothing.
type Filter struct {
	Rating, Reason, Source, Signal string
	Assistant, Agent               string
	From, Before                   time.Time // when it was written: From is included
	User                           string    // a part of a name or an address
	Text                           string    // a part of the question, the answer or the comment
	Limit                          int
	After                          Cursor // the page follows this entry
}

// Cursor is where an entry stands in the list. The zero Cursor is before all.
type Cursor struct{ At, ID string }

// Entry is one thing that was said or noticed.
type Entry struct {
	ID         string    `json:"id"` // uuid; never shown
	At         string    `json:"at"` // RFC 3339, to the microsecond
	AnsweredAt time.Time `json:"answeredAt"`
	Assistant  string    `json:"assistant"`
	Agent      string    `json:"agent"`
	Source     string    `json:"source"`
	Rating     Rating    `json:"rating"`
	Reason     string    `json:"reason"`
	Comment    string    `json:"comment"`
	Signal     Signal    `json:"signal"`
	Weight     int       `json:"weight"`
	Question   string    `json:"question"`
	Answer     string    `json:"answer"`
	Tools      []Use     `json:"tools"`
	Path       string    `json:"path"`
	Model      string    `json:"model"`
	Name       string    `json:"name"`  // of the person; "" for a former member
	Email      string    `json:"email"` // likewise
}

// Cursor returns where the entry stands.
func (e Entry) Cursor() Cursor { return Cursor{e.At, e.ID} }

// Count is what was said and noticed of one agent's answers.
type Count struct {
	Assistant string `json:"assistant"`
	Agent     string `json:"agent"`
	Up        int    `json:"up"`
	Down      int    `json:"down"`
	Rephrase  int    `json:"rephrase"`
	FollowUp  int    `json:"followUp"`
	Action    int    `json:"action"`
	Score     int    `json:"score"` // the sum of the weights
}

// Page is a part of a list, newest first.
type Page struct {
	Entries []Entry
	More    bool
	// Counts are of all entries that the filter leaves; of the first page only.
	Counts []Count
}

// Store keeps feedback. Each method acts for by.
type Store interface {
	// Give keeps what by says of an answer, in the place of what by said of it
	// before. With None nothing of it is left.
	Give(ctx context.Context, by identity.Caller, a Answer, j Judgement, requestID string) error
	// Notice keeps a signal of by's once, however often it is noticed.
	Notice(ctx context.Context, by identity.Caller, a Answer, s Signal, requestID string) error
	// List returns what by may see: an administrator all of the organisation's,
	// anybody else their own.
	List(ctx context.Context, by identity.Caller, f Filter) (Page, error)
}

// StoredAnswer is an answer of a stored conversation, with the server's token for it.
type StoredAnswer struct {
	Text, Token, Question string
}

// AnswerStore reads stored conversations.
type AnswerStore interface {
	// Answer returns an answer of a conversation in which by takes part. It
	// returns a fault.NotFound error with the code "message_not_found" where
	// there is none.
	Answer(ctx context.Context, by identity.Caller, conversation, message string) (StoredAnswer, error)
}

// storable returns the text without what is no text: the database keeps no NUL,
// and nothing else that a person typed is lost.
func storable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD"))
}

func shortened(s string, letters int) string {
	s = storable(s)
	if utf8.RuneCountInString(s) <= letters {
		return s
	}
	return string([]rune(s)[:letters-2]) + " …"
}
