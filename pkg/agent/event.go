// Package agent runs one turn of one specialist: it asks the model, runs the
// tools that the model calls, and asks again, until there is an answer, a
// question for the user, or a limit.
//
// A run is a sequence of events. Its grammar:
//
//	flow  = [ Routing ] [ Detecting ] [ Detected ] [ Extracted ] [ Routed ] [ Switched ]
//	        [ Filtered ] [ Pipeline ] run
//	run   = { step } ( Done | error )
//	step  = [ Executing ] [ Generating ] { Text } { Started } { Finished | Shown | Committed }
//	        [ Enriching Enriching ] [ Proposed ]
//
// Text events hold text that may be shown as it is; put together they are the
// reply. Every Started has a Finished with the same call id. Done is the last
// event of a run that did not fail; after an error nothing follows.
package agent

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Event is an event of a turn. It is implemented only by types of this package.
type Event interface{ event() }

// Generating reports that the model is called.
type Generating struct{ Step int }

// Text is a piece of the reply: Markdown, or a whole table in HTML.
type Text struct{ Text string }

// Started reports that a tool begins.
type Started struct {
	Step      int
	CallID    string
	Tool      string
	Title     string // the tool's name for people: "List extras"
	Arguments json.RawMessage
}

// Finished reports how a tool ended.
type Finished struct {
	CallID   string
	Tool     string
	OK       bool
	Records  int
	Message  string // for people: why it failed, or what it said
	Duration time.Duration
	Attempts int  // how often it was tried; 0 when it did not run
	Asked    bool // it did not run: the person is asked first
}

// Shown is a part that a tool returned: a table, a chart. Its id is unique in
// the conversation.
type Shown struct{ Part part.Part }

// Proposed is a question for consent; the run ends with it.
type Proposed struct{ Proposal consent.Proposal }

// Committed reports that an effect is in the database.
type Committed struct {
	Tool string
	Text string // what was done, for people
}

// Routing reports that the agent is being chosen, with the numbers of agents,
// known intents and tools.
type Routing struct{ Agents, Intents, Tools int }

// Routed reports which agent answers, and how it was chosen.
type Routed struct {
	Path      Path
	Agent     string // "" when no agent answers
	Label     string
	Reasoning string
	How       string
}

// Switched reports that the agent differs from the last one.
type Switched struct{ From, FromLabel, To, ToLabel string }

// Filtered reports which of the assistant's tools are offered to the model.
type Filtered struct {
	Categories []string
	Tools, Of  int
}

// Detecting reports that a message is compared with so many intents.
type Detecting struct{ Intents int }

// Detected is the intent that fits a message best.
type Detected struct{ Intent Intent }

// Extracted is what was found in a message, by name.
type Extracted struct{ Entities map[string]any }

// Pipeline is a plan: the tools that will be called, in order.
type Pipeline struct{ Steps []PipelineStep }

// PipelineStep is one call of a plan.
type PipelineStep struct {
	Tool        string `json:"tool"`
	Description string `json:"description"`
	Purpose     string `json:"purpose"`
}

// Executing reports that a step of a plan begins, counted from 1.
type Executing struct{ Step, Of int }

// Enriching reports what code found in results; Applied once it is handed on.
type Enriching struct {
	List    []Enrichment
	Applied bool
}

// Done is the end of a run, with its outcome.
type Done struct{ Outcome Outcome }

func (Generating) event() {}
func (Text) event()       {}
func (Started) event()    {}
func (Finished) event()   {}
func (Shown) event()      {}
func (Proposed) event()   {}
func (Committed) event()  {}
func (Routing) event()    {}
func (Routed) event()     {}
func (Switched) event()   {}
func (Filtered) event()   {}
func (Detecting) event()  {}
func (Detected) event()   {}
func (Extracted) event()  {}
func (Pipeline) event()   {}
func (Executing) event()  {}
func (Enriching) event()  {}
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

// Path is how an answer was produced.
type Path string

// The paths of an answer, as clients know them.
const (
	PathFast   Path = "fast"   // matched in code, and tools run without a model
	PathModel  Path = "llm"    // a model answered
	PathCached Path = "cached" // kept from an earlier answer
	PathDirect Path = "direct" // settled in code
)

// The categories of an answer, as clients know them.
const (
	Unified     = "unified"      // about the assistant's data
	GeneralChat = "general_chat" // a greeting, or a question back
)

// Intent is what a message was matched with. ModuleID names the group of
// intents; Confidence is from 0 to 1.
type Intent struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	ModuleID    string  `json:"moduleId"`
	Confidence  float64 `json:"confidence"`
	Description string  `json:"description"`
}

// Enrichment is something that code adds to figures, such as a trend.
type Enrichment struct {
	Type        string `json:"type"`
	Description string `json:"description"`
}

// Guess is what an intent matcher made of a message that can be understood without
// the ones before it, and how the agent was chosen. Nothing is learnt from a message
// without one.
type Guess struct {
	How        string // as in Routed
	Intent     string // the likeliest one; "" for none
	Own        string // the organisation's own intent that has the message as a phrase
	Reason     string // why it was accepted or rejected; see package intent
	Confidence float64
	Usual      float64 // the default threshold
	// Check, if not nil, waits for the router's model, which was asked beside a matched
	// turn, and returns the agent that it chose, "" for an answer of its own. A model that
	// has not answered when ctx ends is not waited for; that is an error.
	Check func(ctx context.Context) (agent string, err error) `json:"-"`
}

// Understanding is a flow's classification of an answer.
type Understanding struct {
	Agent       string // who answered; "" for none in particular
	Label       string
	Path        Path
	Category    string
	Reasoning   string
	Intent      *Intent // nil where none was matched
	Guess       *Guess  // nil where no matcher looked at the message
	Entities    map[string]any
	Enrichments []Enrichment
}

// Outcome is the result of a run, and at the end of a flow that of the turn.
type Outcome struct {
	Understanding
	Runs     []Ended // of a turn that had several runs
	Reply    string  // all Text together
	Finish   Finish
	Steps    []history.Step
	Used     []Use
	Parts    []part.Part // all that was Shown
	Proposal *consent.Proposal
	Usage    llm.Usage
	Model    string   // as the provider names it
	Degraded []string // what was skipped or cut, by public codes
	Asked    bool     // the text of the reply ends in a question, or offers to go on
	// Sources are tools whose results the answer shows without having called them now.
	Sources []string
}

// Use is one tool call and how it ended.
type Use struct {
	Tool        string
	Description string
	OK          bool
	Error       string
	Effect      bool   // it changed something
	Asked       bool   // it became a question for consent
	Purpose     string // for people, where a flow planned the call; "" otherwise
}
