// Package story reads what a person says of a job: from a spoken minute, an answer or
// what a model extracted, it makes the fields of a project. It works by words and
// rules alone, takes nothing from outside, and adds nothing that was not said. What it
// is not sure of it leaves out: a question follows, and a wrong statement on a page is
// worse than a missing one.
package story

import (
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Limits of what is kept.
const (
	maxEntries  = 30   // of a list
	maxEntry    = 60   // letters of an entry
	maxTitle    = 120  // letters
	maxText     = 1500 // letters of a field of the story
	maxSentence = 400  // letters
	maxNotes    = 20
	maxFacts    = 60
)

// Reading is what a message changes of a project.
type Reading struct {
	// Changes have the new state of what changed, whole lists and a whole story; nil
	// members stay.
	Changes projects.Changes
	// Found are the names of the fields that changed, in a fixed order: "title", "type",
	// "place", "locationDetail", "problem", "challenge", "solution", "result",
	// "duration", "completed", "size", "detail", "materials", "techniques", "facts".
	Found []string
	// Corrected are the statements that took the place of others. They are among the
	// notes of the story too.
	Corrected []projects.Note
	// Skipped says that the person did not want to answer the open question.
	Skipped bool
	// Refused are values, of those that were given to Merge, which the person's words
	// do not back, as "materials: oak".
	Refused []string
}

// Empty reports whether nothing changes.
func (r Reading) Empty() bool { return len(r.Found) == 0 && !r.Skipped && r.Changes.Story == nil }

// Read returns what a message says of the job. asked is the id of the question to which
// it answers, "" for none: then an answer that nothing places fills the field of the
// question, and the question counts as asked.
//
// Single values that are said anew take the place of older ones, with a note. Entries of
// lists are added, once each; "no, pine" takes the place of an entry of its group.
// Sentences are kept as they were said, but for noises such as "uh" and what is private.
// Read never changes p, and it reads at most the first 20,000 bytes of the message.
func Read(p projects.Project, said string, asked string) Reading {
	m := begin(p)
	text := withoutQuestion(clean(said), asked)
	if q, ok := questionOf(asked); ok {
		m.asked(q.ID)
		if skips(text) {
			m.skip(q)
			return m.done()
		}
		m.answer(q, text)
		return m.done()
	}
	m.read(text)
	return m.done()
}
