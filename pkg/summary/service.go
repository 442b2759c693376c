package summary

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Ref names a stored conversation: by its id, or by that of its project.
type Ref struct{ ID, Project string }

// Message is a stored message.
type Message struct {
	Seq     int    `json:"seq"` // its number in the conversation, from 1
	Role    string `json:"role"`
	Text    string `json:"text"`
	Name    string `json:"name"` // of who said it; may be ""
	ID      string `json:"id"`
	Turn    string `json:"turn"`
	Token   string `json:"token"`   // what proves that the server said it
	Foreign bool   `json:"foreign"` // a person sent it and did not type it
}

// Batch is what is to be summarised next, oldest message first.
type Batch struct {
	Messages []Message `json:"messages"`
	More     bool      `json:"more"` // there are others behind them
}

// Claim is a conversation of which no other process makes a summary while the
// lease lasts.
type Claim struct {
	Outcome   Outcome `json:"outcome"` // Claimed, or why there is no lease
	WaitMs    int     `json:"waitMs"`  // of Running: until then at most
	ID        string  `json:"id"`
	Lease     string  `json:"lease"`
	Org       string  `json:"org"`
	Assistant string  `json:"assistant"`
	Owner     string  `json:"owner"` // a user's id
	Budgeted  bool    `json:"budgeted"`
	Summary   string  `json:"summary"` // the text so far
	Token     string  `json:"token"`   // what proves it
	Through   int     `json:"through"` // the last message that it covers
	Batch
}

// Made is a summary to be stored.
type Made struct {
	Text    string
	Facts   []string
	Token   string
	From    int  // the last message that the summary before it covered
	Through int  // the last message that it covers
	Anew    bool // the one before it could not be proven and was not used
	Model   string
	Usage   llm.Usage
}

// Terms are what a lease is asked for with.
type Terms struct {
	For  time.Duration
	Over int // no lease where the messages that are not covered have no more tokens; -1 = any
	// Again is the lease that the caller has and wants to begin anew with, from
	// the first message on; "" = none.
	Again string
}

// Store keeps conversations and who works on them. Each method acts for by.
type Store interface {
	// Claim takes the lease. It returns a fault.NotFound error for a conversation
	// that is not by's, and a fault.Conflict error with the code
	// "conversation_deleted".
	Claim(ctx context.Context, by identity.Caller, ref Ref, t Terms) (Claim, error)
	// Put stores a summary and returns what is left, of which the lease goes on.
	// It returns fault.Conflict errors with the codes "lease_lost" and
	// "conversation_changed".
	Put(ctx context.Context, by identity.Caller, c Claim, m Made, lease time.Duration) (Batch, error)
	// End gives the lease back before all was summarised: with the code of a
	// failure and how long to wait at least, or with "" to be gone on with soon.
	End(ctx context.Context, by identity.Caller, c Claim, reason string, wait time.Duration) error
}

// Proof tells what the server said from what else may stand in the store.
type Proof interface {
	// Said reports whether an assistant's message is the server's own.
	Said(c Claim, m Message) bool
	// Summarised reports whether the claim's summary is the server's own.
	Summarised(c Claim) bool
	// Prove returns what will prove a summary of the messages through that one.
	Prove(c Claim, text string, through int) (token string, err error)
}

// Service makes the summaries of stored conversations. It is immutable.
type Service struct {
	Tokens func(text string) int
	Proof  Proof
	// Name returns what people call an assistant.
	Name func(assistant string) string
	// Model returns the model that summarizes conversations with an assistant
	// for by, within by's budget.
	Model func(ctx context.Context, by identity.Caller, assistant string) (llm.Model, error)
	// Dropped, if not nil, is told of lines that no message bears out.
	Dropped func(ctx context.Context, lines int)
}

// Outcome is how it went.
type Outcome string

// The outcomes. Claimed is a Claim's only, Done a Result's only.
const (
	Claimed Outcome = "claimed"
	Done    Outcome = "done"
	Nothing Outcome = "nothing" // everything is covered already
	Small   Outcome = "small"   // too little has been said since
	Running Outcome = "running" // another process is making it
	Queued  Outcome = "queued"  // a job goes on: time ran out, or it failed lately
)

// Result is what came of one conversation.
type Result struct {
	Outcome Outcome
	ID      string
	Usage   llm.Usage
}

// StepTime is how long a call of the model with its correction may take: with
// less time left no step is begun.
const StepTime = 12 * time.Second

const (
	// unbounded is the lease where no deadline is known, longest the longest.
	unbounded = 2 * time.Minute
	longest   = 14 * time.Minute
)

// Run makes the summary of one conversation in as many steps as it takes; each
// is stored, so that none is lost and the next one goes on behind it. An error
// is noted with the conversation, too.
func (s Service) Run(ctx context.Context, store Store, by identity.Caller, ref Ref, over int) (Result, error) {
	c, err := store.Claim(ctx, by, ref, Terms{For: s.lease(ctx), Over: over})
	if err != nil || c.Outcome != Claimed {
		return Result{Outcome: c.Outcome, ID: c.ID}, err
	}
	w := work{Service: s, store: store, by: by, claim: c, from: c.Through}
	r := Result{Outcome: Done, ID: c.ID}
	err = w.run(ctx, &r)
	return r, err
}

// lease is as long as this request can last: what stores nothing by then never
// will.
func (s Service) lease(ctx context.Context) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		return unbounded
	}
	return min(max(time.Until(end), 0)+5*time.Second, longest)
}

// work is one run.
type work struct {
	Service
	store Store
	by    identity.Caller
	claim Claim
	from  int // the last message that the stored summary covers
	anew  bool
}

func (w *work) run(ctx context.Context, r *Result) error {
	earlier, err := w.earlier(ctx)
	if err != nil {
		return w.end(ctx, err)
	}
	payer := w.by
	if payer.UserID == "" { // a job: whose conversation it is pays
		payer.UserID, payer.OrgID, payer.Plan.Budgeted = w.claim.Owner, w.claim.Org, w.claim.Budgeted
	}
	model, err := w.Model(ctx, payer, w.claim.Assistant)
	if err != nil {
		return w.end(ctx, err)
	}
	maker := Maker{Model: model, Tokens: w.Tokens, Report: w.Dropped}
	for steps := 0; len(w.claim.Messages) > 0; steps++ {
		if end, ok := ctx.Deadline(); ok && steps > 0 && time.Until(end) < StepTime {
			r.Outcome = Queued
			return w.end(ctx, nil)
		}
		items := w.items()
		items = items[:maker.Fits(items)]
		made, used, err := maker.Add(ctx, earlier, items)
		r.Usage = r.Usage.Add(used.Usage)
		if err != nil {
			return w.end(ctx, err)
		}
		if err := w.put(ctx, made, w.claim.Messages[len(items)-1].Seq, used); err != nil {
			return w.end(ctx, err)
		}
		earlier = made
	}
	return nil
}

// earlier returns what the summary goes on from. One that cannot be proven is
// not used: then the conversation is read from its beginning.
func (w *work) earlier(ctx context.Context) (Summary, error) {
	if w.claim.Through == 0 {
		return Summary{}, nil
	}
	if w.Proof.Summarised(w.claim) {
		if s, ok := Read(w.claim.Summary); ok {
			return s, nil
		}
	}
	again, err := w.store.Claim(ctx, w.by, Ref{ID: w.claim.ID}, Terms{For: w.lease(ctx), Over: -1,
		Again: w.claim.Lease})
	if err != nil {
		return Summary{}, err
	}
	if again.Outcome != Claimed {
		return Summary{}, fault.New(fault.Conflict,
			"Somebody else is summarising this conversation by now.").WithCode("lease_lost")
	}
	w.claim, w.anew = again, true
	return Summary{}, nil
}

// items are the messages of the claim as they are summarised.
func (w *work) items() []Item {
	out := make([]Item, len(w.claim.Messages))
	for i, m := range w.claim.Messages {
		out[i] = Item{Who: m.Name, Text: m.Text, Doubtful: m.Foreign}
		if m.Role == string(llm.Assistant) {
			out[i].Who, out[i].Doubtful = w.Name(w.claim.Assistant), !w.Proof.Said(w.claim, m)
		}
		if out[i].Who == "" {
			out[i].Who = m.Role
		}
	}
	return out
}

func (w *work) put(ctx context.Context, s Summary, through int, used Used) error {
	text := s.Text()
	token, err := w.Proof.Prove(w.claim, text, through)
	if err != nil {
		return err
	}
	// What was paid for is stored, even when the time is up meanwhile.
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	w.claim.Batch, err = w.store.Put(storing, w.by, w.claim,
		Made{Text: text, Facts: s.FactTexts(), Token: token, From: w.from, Through: through, Anew: w.anew,
			Model: used.Model, Usage: used.Usage}, w.lease(ctx))
	if err == nil {
		w.from, w.anew = through, false
	}
	return err
}

// end gives the lease back and returns the error, if any. A conversation that
// changed meanwhile is no failure: it is read again.
func (w *work) end(ctx context.Context, err error) error {
	reason, wait := "", time.Duration(0)
	if err != nil {
		f := fault.From(err)
		if reason, wait = f.PublicCode(), f.RetryAfter; reason == "lease_lost" {
			return err
		}
		if reason == "conversation_changed" {
			reason = ""
		}
	}
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if lost := w.store.End(leaving, w.by, w.claim, reason, wait); lost != nil && err == nil {
		return lost
	}
	return err // a lease that was not given back ends by itself
}

// Status is how far the summary of a stored conversation is.
type Status struct {
	ID        string     `json:"id"`
	Assistant string     `json:"assistant"`
	State     string     `json:"state"` // none, queued, running, done, failed
	Since     *time.Time `json:"since"` // when the summary that is there was made
	Reason    string     `json:"reason"`
	Messages  int        `json:"messages"` // of the conversation
	Covers    int        `json:"covers"`   // of them
	Summary   string     `json:"summary"`
	Token     string     `json:"token"`
	KeyFacts  []string   `json:"keyFacts"`
}
