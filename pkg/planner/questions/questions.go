// Package questions keeps the ledger of questions that a planner asked: a question is
// asked once, whatever its words, and may be answered in any order or be skipped.
package questions

import (
	"time"

	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Question is what may be asked.
type Question struct {
	Field    trip.Field `json:"field"` // "" of one that is about none of them
	Text     string     `json:"text"`
	Critical bool       `json:"critical,omitempty"`
	// Choices are answers to press, as the person would say them.
	Choices []string `json:"choices,omitempty"`
}

// Status is whether a question was answered.
type Status string

// The statuses. A question that the person skipped is answered, by "skipped".
const (
	Asked    Status = "asked"
	Answered Status = "answered"
)

// Skipped is the answer to a question that the person did not want to answer.
const Skipped = "skipped"

// Entry is a question that was asked (S4-23).
type Entry struct {
	ID           string     `json:"id"` // "q1"
	Text         string     `json:"text"`
	Field        trip.Field `json:"field,omitempty"`
	Status       Status     `json:"status"`
	AnsweredText string     `json:"answeredText,omitempty"`
	AskedAt      *time.Time `json:"askedAt,omitempty"`
	AnsweredAt   *time.Time `json:"answeredAt,omitempty"`
}

// Ledger has all questions of a conversation, the oldest first. The zero Ledger is empty.
type Ledger struct {
	Asked []Entry `json:"asked"`
}
