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

// Agent is one specialist: what it is told, what it may use, how far it may
// go. It is immutable and shared by all turns.
type Agent struct {
	Name     string // "inventory"
	Label    string // "Inventory Agent"
	About    string // one sentence for the router
	Persona  *prompt.Template
	Tools    *tool.Set
	Settings llm.Settings
	Rounds   int // how often the model may call tools in one turn
	Window   int // how many messages of history it reads
	// Budget is how many tokens of history it reads, as package history
	// estimates them; 0 is that package's own default.
	Budget int
}

// Reads returns the window through which the agent sees a conversation.
func (a *Agent) Reads() history.Window { return history.Window{Messages: a.Window, Tokens: a.Budget} }

// Journal remembers the model's choices of a turn, so that a turn that is run
// again does not choose anew.
type Journal interface {
	Turn() string
	Recall(step int) (llm.Answer, bool, error)
	// Remember keeps an answer for the next Save.
	Remember(step int, a llm.Answer) error
	// Save stores what is remembered. It is called before every step that
	// contains an effect; when it fails, nothing of the step runs.
	Save(ctx context.Context) error
}

// Run is what one turn of an agent needs.
type Run struct {
	Agent     *Agent
	Assistant string
	Thread    string
	By        identity.Caller
	System    string        // the filled persona
	Messages  []llm.Message // the history in the agent's window, the person's words last
	// Shorter returns the history in a smaller window, for a provider that
	// refuses the prompt for its length; nil means that there is no other.
	Shorter func(history.Window) []llm.Message
	// Sources, if not nil, returns what the person typed and what tools
	// answered in earlier turns that are sealed; it is asked when a proposal is
	// made.
	Sources func() (said, results []string)
	// Careful says that strangers' words were read before this run began, in
	// the same task or in files: small writes ask.
	Careful bool
	// Place numbers the turn within its conversation; names of tables and
	// calls are made from it, so that they stay different over the turns.
	Place   int
	Model   llm.Model
	Journal Journal
	Desk    *consent.Desk
	Hosts   []string // to which links in the reply may lead
	// Lay lays a table out in about so many bytes of the reply; nil is as HTML.
	Lay func(t render.Table, limit int) string
	// Live asks the model to send its text as it is made. Without it an answer
	// comes in one piece, which costs less where nobody watches.
	Live bool
	Now  calendar.Clock
	// Reserve is kept back from the context's deadline for ending well.
	Reserve time.Duration
	// Report, if not nil, is told of tools that failed, with the cause that
	// nobody else sees.
	Report func(ctx context.Context, tool string, err error)
	// Stopped reports whether the person asked to stop; it is asked between
	// steps. nil means never.
	Stopped func(context.Context) bool
}

// Limits that hold whatever an agent's own rounds are.
const (
	maxCalls     = 16       // tool calls in one turn
	maxParallel  = 4        // reads at the same time
	maxForModel  = 24 << 10 // bytes of one result that the model reads
	maxReply     = 96 << 10 // bytes of tables in one reply, about
	leastForCall = 500 * time.Millisecond
	effectTime   = 10 * time.Second // for an act that has begun, when the request's time is over
)

// Events runs the turn. A caller that stops ranging stops the run: nothing is
// left running, and effects that have begun are waited for.
func (r Run) Events(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		l := newLoop(ctx, r, yield)
		if err := l.runFrom(ctx, 0); err != nil && !l.left {
			yield(nil, err)
		}
	}
}
