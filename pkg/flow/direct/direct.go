// Package direct runs tools of assistants without a model, and settles what
// they asked: for forms and cards, for other programs, and for MCP clients. What
// needs consent in a chat needs it here too.
package direct

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Tools runs the tools of the assistants; all its fields are required. It is
// immutable and shared by all requests.
type Tools struct {
	Assistants []*flow.Assistant
	Consent    *consent.Service
	NewID      func() string
}

// Check returns an error when something is missing.
func (t Tools) Check() error {
	if len(t.Assistants) == 0 || t.Consent == nil || t.NewID == nil {
		return errors.New("assistants, a consent service and ids are all required")
	}
	return nil
}

// Assistant returns the assistant of that name with the tools that it has for
// the caller. One that the caller's organisation does not have is the error of
// one that does not exist.
func (t Tools) Assistant(ctx context.Context, by identity.Caller, name string) (*flow.Runtime, error) {
	a, ok := flow.Find(t.Assistants, name)
	if !ok || !by.Has(name) {
		return nil, assistants.Unknown()
	}
	r, err := a.Runtime()
	if err != nil {
		return nil, err
	}
	return r.For(ctx, by)
}

// Call is one call of a tool, as it came.
type Call struct {
	Entity    string // id or key; "" for the caller's first one of the assistant's kind
	Tool      string
	Arguments json.RawMessage
	// Key is the client's idempotency key, with which a call that writes unasked
	// may be sent again when its answer was lost. One that is not 8 to 100 letters,
	// digits or . _ : - is as none.
	Key string
}

// Answer is what a call came to: a result, or a proposal that waits for a
// person, and then nothing was done.
type Answer struct {
	Result   tool.Result
	Proposal *consent.Proposal
}

// checked is a call with valid arguments, and the caller with the entity chosen.
type checked struct {
	by    identity.Caller
	entry flow.Entry
	call  tool.Call
}

func check(by identity.Caller, a *flow.Runtime, c Call) (checked, error) {
	by, ok := a.Choose(by, c.Entity)
	if !ok {
		return checked{}, fault.New(fault.NotFound, "Your organisation has no such %s.", a.EntityKind)
	}
	entry, ok := a.Tool(c.Tool)
	if !ok {
		return checked{}, fault.New(fault.NotFound, "%s has no such tool.", a.Title).WithCode("unknown_tool")
	}
	call, err := entry.Tool.Prepare(c.Arguments)
	return checked{by, entry, call}, err
}

// Run checks a call and runs it, or stores a proposal of it where its tool asks.
func (t Tools) Run(ctx context.Context, by identity.Caller, a *flow.Runtime, c Call) (Answer, error) {
	ready, err := check(by, a, c)
	if err != nil {
		return Answer{}, err
	}
	turn := c.Key
	if !keyShape.MatchString(turn) {
		turn = t.NewID()
	}
	if ready.entry.Tool.Effect().Asks() {
		p, err := t.Consent.Propose(ctx, ready.by, consent.Where{
			Assistant: a.Name, Agent: ready.entry.Agents[0], Thread: "tools", Turn: turn,
		}, ready.call)
		if err != nil {
			return Answer{}, err
		}
		return Answer{Proposal: &p}, nil
	}
	result, err := ready.call.Run(effect.With(ctx, effect.Claim{
		Key:       effect.Key(by.UserID, "tools:"+turn, 0, 0),
		ArgsHash:  ready.call.Hash,
		Tool:      ready.entry.Tool.Name(),
		Turn:      turn,
		Assistant: a.Name,
	}), ready.by)
	return Answer{Result: result}, err
}

// keyShape is what an idempotency key may look like: it travels in headers.
var keyShape = regexp.MustCompile(`^[A-Za-z0-9._:-]{8,100}$`)

// Decision is a person's answer to a proposal.
type Decision struct {
	Approve bool
	Phrase  string // what a critical act needs; see consent.Proposal.Phrase
}

// Settled is a proposal as it is after a decision. Result and Assistant are of
// an approved one alone.
type Settled struct {
	Proposal  consent.Proposal
	Result    *tool.Result
	Assistant *flow.Runtime
}

// Settle answers a proposal of the caller's. An approval of what has changed
// since is a *consent.Changed error, with the question that takes its place.
func (t Tools) Settle(ctx context.Context, by identity.Caller, p consent.Proposal, d Decision) (Settled, error) {
	if !d.Approve {
		p, err := t.Consent.Store.Reject(ctx, by, p.ID)
		return Settled{Proposal: p}, err
	}
	if err := p.Phrase(d.Phrase); err != nil {
		return Settled{}, err
	}
	// A second approval gets the receipt of the first; its claim is taken.
	if err := p.Usable(); err != nil && p.State != consent.Consumed {
		return Settled{}, err
	}
	a, err := t.Assistant(ctx, by, p.Assistant)
	if err != nil {
		return Settled{}, err
	}
	entry, ok := a.Tool(p.Tool)
	if !ok {
		return Settled{}, fault.New(fault.NotFound, "This can no longer be done here.").WithCode("unknown_tool")
	}
	by, ok = a.Choose(by, p.Entity)
	if !ok {
		return Settled{}, fault.New(fault.Forbidden, "This belongs to a %s that you no longer see.", a.EntityKind)
	}
	// The person said yes, so the act is finished even when the reader goes.
	result, err := t.Consent.Execute(context.WithoutCancel(ctx), by, p, entry.Tool)
	if err != nil {
		return Settled{}, err
	}
	p.State = consent.Consumed
	return Settled{Proposal: p, Result: &result, Assistant: a}, nil
}

// Continue returns the caller's proposal of that id if a call is the one that it
// was made for, and a fault.NotFound error with the code "proposal_unknown"
// otherwise.
func (t Tools) Continue(ctx context.Context, by identity.Caller, a *flow.Runtime, c Call, id string) (
	consent.Proposal, error,
) {
	ready, err := check(by, a, c)
	if err != nil {
		return consent.Proposal{}, err
	}
	p, err := t.Consent.Find(ctx, by, id)
	if err != nil {
		return consent.Proposal{}, err
	}
	if p.Assistant != a.Name || p.Tool != ready.entry.Tool.Name() || p.Hash != ready.call.Hash ||
		p.Entity != ready.by.Entity.ID {
		return consent.Proposal{}, fault.New(fault.NotFound, "This question was not about this call.").
			WithCode("proposal_unknown")
	}
	return p, nil
}
