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
	form    part.Data
}

// Want returns a Question whose answer is not one of some calls: data is shown with the
// sentence, such as a form for what is missing. The error is a fault.Unprocessable one with
// the code.
func Want(data part.Data, code, sentence string) *Question {
	return &Question{fault: fault.New(fault.Unprocessable, "%s", sentence).WithCode(code), form: data}
}

// Ask returns a Question. The sentence asks which record is meant.
func Ask(choices part.Choices, sentence string) *Question {
	return &Question{fault: fault.New(fault.Invalid, "%s", sentence).WithCode("ambiguous"), Choices: choices}
}

// Error returns the sentence.
func (q *Question) Error() string { return q.fault.Error() }

// Unwrap returns the fault error: of Ask a fault.Invalid one with the code "ambiguous".
func (q *Question) Unwrap() error { return q.fault }

// Parts returns what is shown with the sentence as parts without ids.
func (q *Question) Parts() []part.Part {
	var data part.Data = q.Choices
	if q.form != nil {
		data = q.form
	}
	p, err := part.New(data, "", nil)
	if err != nil {
		return nil // the sentence asks the same
	}
	return []part.Part{p}
}
