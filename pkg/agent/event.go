// Package agent runs one turn of one specialist: it asks the model, runs the
// tools that the model calls, and asks again, until there is an answer, a
// question for the person, or a limit.
//
// A run is a sequence of events. Its grammar:
//
//	run   = { step } ( Done | error )
//	step  = [ Generating ] { Text } { Started } { Finished | Shown | Committed } [ Proposed ]
//
// Text events hold text that may be shown as it is; put together they are the
// reply. Every Started has a Finished with the same call id. Done is the last
// event of a run that did not fail; after an error nothing follows.
package agent

import (
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Event is one thing that happens in a turn. The types of this package that
// have the method are all there are.
type Event interface{ event() }

// Generating says that the model is asked.
type Generating struct{ Step int }

// Text is a piece of the reply: Markdown, or a whole table in HTML.
type Text struct{ Text string }

// Started says that a tool begins.
type Started struct {
	Step      int
	CallID    string
	Tool      string
	Title     string // the tool's name for people: "List extras"
	Arguments json.RawMessage
}

// Finished says how a tool ended.
type Finished struct {
	CallID   string
	Tool     string
	OK       bool
	Records  int
	Message  string // for people: why it failed, or what it said
	Duration time.Duration
	Asked    bool // it did not run: the person is asked first
}

// Shown is a table that a tool returned. Ref is its name in this turn.
type Shown struct {
	Ref   string
	Table render.Table
}

// Proposed is a question for consent; the run ends with it.
type Proposed struct{ Proposal consent.Proposal }

// Committed says that an effect is in the database.
type Committed struct {
	Tool string
	Text string // what was done, for people
}

// Done is the end of a run and all that came of it.
type Done struct{ Outcome Outcome }

func (Generating) event() {}
func (Text) event()       {}
func (Started) event()    {}
func (Finished) event()   {}
func (Shown) event()      {}
func (Proposed) event()   {}
func (Committed) event()  {}
func (Done) event()       {}

// Finish is why a turn ended.
type Finish string

// The ends of a turn.
const (
	Stop     Finish = "stop"     // the answer is complete
	Confirm  Finish = "confirm"  // a person is asked
	Rounds   Finish = "rounds"   // the agent's rounds are used up
	Deadline Finish = "deadline" // the platform's time is used up
	Budget   Finish = "budget"   // the organisation's tokens or money are used up
	Failed   Finish = "error"    // the model failed after something was done
)

// Outcome is what came of a run.
type Outcome struct {
	Reply    string // all Text together
	Finish   Finish
	Steps    []history.Step
	Used     []Use
	Proposal *consent.Proposal
	Usage    llm.Usage
	Model    string   // as the provider names it
	Degraded []string // what was skipped or cut, by public codes
	Asked    bool     // the reply ends in a question, or offers to go on
}

// Use is one tool call and how it ended.
type Use struct {
	Tool        string
	Description string
	OK          bool
	Error       string
	Effect      bool // it changed something
	Asked       bool // it became a question for consent
}
