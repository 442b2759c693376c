package tool

import (
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Question is the error of a call whose argument fits several records: its
// sentence names them, and Choices has one call for each, to be chosen from.
// Nothing was done.
type Question struct {
	fault   *fault.Error
	Choices part.Choices
}

// Ask returns a Question. The sentence asks which record is meant.
func Ask(choices part.Choices, sentence string) *Question {
	return &Question{fault.New(fault.Invalid, "%s", sentence).WithCode("ambiguous"), choices}
}

// Error returns the sentence.
func (q *Question) Error() string { return q.fault.Error() }

// Unwrap returns the fault.Invalid error with the code "ambiguous".
func (q *Question) Unwrap() error { return q.fault }

// Parts returns the choices as parts without ids.
func (q *Question) Parts() []part.Part {
	p, err := part.New(q.Choices, "", nil)
	if err != nil {
		return nil // the sentence asks the same
	}
	return []part.Part{p}
}
