package agent

import (
	"context"
	"iter"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Agent is one specialist: its prompt, its tools and its limits. It is
// immutable and shared by all turns.
type Agent struct {
	Name     string // "inventory"
	Label    string // "Inventory Agent"
	About    string // one sentence for the router
	Persona  *prompt.Template
	Tools    *tool.Set
	Settings llm.Settings
	Rounds   int // how often the model may call tools in one turn
	// Closing says that a model that has used up its rounds is asked for words alone, so
	// that a turn ends with an answer and costs Rounds+1 model calls at most.
	Closing bool
	Window  int // how many messages of history it reads
	// Budget is how many tokens of history it reads, as package history
	// estimates them; 0 is that package's own default.
	Budget int
}

// Reads returns the window of history that the agent reads.
func (a *Agent) Reads() history.Window { return history.Window{Messages: a.Window, Tokens: a.Budget} }

// Journal stores the model's choices of a turn, so that a turn that is run
// again repeats them.
type Journal interface {
	Turn() string
	Recall(step int) (llm.Answer, bool, error)
	// Remember keeps an answer for the next Save.
	Remember(step int, a llm.Answer) error
	// Save stores the remembered answers. It is called before every step that
	// contains an effect; when it fails, nothing of the step runs.
	Save(ctx context.Context) error
}

// Run is what one turn of an agent needs.
type Run struct {
	// Name identifies the run in a turn with several; see Parallel. It is
	// lower-case letters and digits.
	Name string
	// Within, if above zero, is how long this run of several may take.
	Within    time.Duration
	Agent     *Agent
	Assistant string
	Thread    string
	By        identity.Caller
	System    string        // the filled persona
	Messages  []llm.Message // the history in the agent's window, the person's words last
	// Shorter returns the history in a smaller window, for a provider that
	// refuses the prompt for its length; nil means that there is no other.
	Shorter func(history.Window) []llm.Message
	// Sources, if not nil, returns what the user typed and the tool results of
	// earlier sealed turns; it is called when a proposal is made.
	Sources func() (said, results []string)
	// Heard, if not nil, returns all that may stand behind the statements of an
	// answer besides the prompt: the user's words, results of verified turns, and
	// what was said in these. It is called when an answer states prices, dates or
	// codes.
	Heard func() []string
	// Claims finds what the model claims to have done; nil knows the common words
	// alone.
	Claims *Claims
	// Authors says whose texts the tools may bring; see vocabulary.Words.
	Authors string
	// Tainted, if not nil, reports whether the prompt contains untrusted text
	// from before this run, in files or earlier turns; see tool.Tool.Cautious.
	// It is called at most once, when a small write is requested.
	Tainted func() bool
	// Position numbers the turn within its conversation; names of tables and
	// calls are made from it, so that they stay different over the turns.
	Position int
	Model    llm.Model // may be nil in a run with a Plan
	// Plan, if not nil, decides what is called and said in the place of the model.
	Plan Plan
	// Enrich, if not nil, returns what code finds in the results so far. It is called
	// after each step with calls.
	Enrich  func(results []Answered) Enriched
	Journal Journal
	Consent *consent.Service
	Hosts   []string // to which links in the reply may lead
	// Calls is how many tools may still be called in this turn, of which this run
	// may be a part: 0 is MaxCalls, below zero none.
	Calls int
	// Layout renders a table in about that many bytes of the reply; nil means
	// HTML.
	Layout func(t render.Table, limit int) string
	// TextOnly puts the text of parts into the reply, for clients that show nothing else.
	TextOnly bool
	// Live asks the model to stream its text. Without it an answer comes in one
	// piece, which costs less where nothing is streamed to the client.
	Live bool
	Now  calendar.Clock
	// Reserve is kept back from the context's deadline for ending well.
	Reserve time.Duration
	// Shows, if not nil, reports whether answers may have parts of a kind. Others
	// are dropped and reported.
	Shows func(kind string) bool
	// Report, if not nil, is called for tools that failed, with the cause,
	// which is not shown elsewhere.
	Report func(ctx context.Context, tool string, err error)
	// Stopped reports whether the user asked to stop; it is called between
	// steps, and before a tool is retried. nil means never.
	Stopped func(context.Context) bool

	order *order // among several runs
	among int    // the place of this run among them
	// Wait waits before a tool that failed is tried again; nil is a timer. It
	// returns early with an error when the context ends.
	Wait func(context.Context, time.Duration) error
}

// MaxCalls limits the tool calls of one turn.
const MaxCalls = 16

// Limits that hold whatever an agent's own rounds are.
const (
	maxParallel  = 4        // reads at the same time
	maxForModel  = 24 << 10 // bytes of one result that the model reads
	maxReply     = 96 << 10 // bytes of tables in one reply, about
	maxParts     = 96 << 10 // bytes of parts in one answer
	leastForCall = 500 * time.Millisecond
	effectTime   = 10 * time.Second // for an act that has begun, when the request's time is over
)

// Events runs the turn. A caller that stops ranging stops the run: no goroutine
// is left running, and effects that have begun are waited for.
func (r Run) Events(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		l := newLoop(ctx, r, yield)
		if err := l.runFrom(ctx, 0); err != nil && !l.left {
			yield(nil, err)
		}
	}
}
