package chat

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/router"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// decision finds the proposal that the person answers in this turn, by button
// or by words, and what the answer is. nil means that none is answered.
func (t *turn) decision(ctx context.Context, conv history.Conversation) (*consent.Proposal, string, error) {
	if c := t.req.Confirm; c != nil {
		p, err := t.h.cfg.Desk.Find(ctx, t.by, c.ID)
		if err != nil {
			return nil, "", err
		}
		if p.Assistant != t.assistant.Name {
			return nil, "", fault.New(fault.NotFound, "This assistant asked no such question.").WithCode("proposal_unknown")
		}
		if c.Decision == approve {
			if err := p.Phrase(c.Phrase); err != nil {
				return nil, "", err
			}
		}
		return &p, c.Decision, nil
	}
	return t.spokenDecision(ctx, conv)
}

// spokenDecision reads an answer in words. It counts only for the proposal
// that the assistant's last message showed: known from its seal, or, for a
// client that keeps only text, from the code at its end.
func (t *turn) spokenDecision(ctx context.Context, conv history.Conversation) (*consent.Proposal, string, error) {
	last, ok := conv.Last(llm.Assistant)
	code := shownCode(lastAssistantText(conv))
	if !ok || code == "" {
		return nil, "", nil
	}
	answer, named := consent.Words(conv.LastUserText(), code)
	if answer == consent.Neither {
		return nil, "", nil
	}
	q := consent.Query{Thread: t.req.ID, Code: code}
	if last.State != nil {
		if last.State.Proposal == "" {
			return nil, "", nil
		}
		q = consent.Query{ID: last.State.Proposal}
	}
	list, err := t.h.cfg.Desk.Store.Proposals(ctx, t.by, q)
	if err != nil {
		return nil, "", err
	}
	var p *consent.Proposal
	for i := range list {
		if list[i].Thread != t.req.ID || list[i].Code != code || list[i].Assistant != t.assistant.Name {
			continue
		}
		if list[i].State == consent.Pending || p == nil {
			p = &list[i]
		}
	}
	if p == nil {
		return nil, "", nil
	}
	if answer == consent.No {
		return p, reject, nil
	}
	if p.State == consent.Pending && (p.Tier == "CRITICAL" || p.Tier == "HIGH" && !named) {
		// A bare yes is not enough for this: the question is asked again.
		return p, again, nil
	}
	return p, approve, nil
}

// again is the decision to show a proposal once more.
const again = "again"

// settle carries out the person's decision. No model decides anything here.
func (t *turn) settle(ctx context.Context, conv history.Conversation, facts any, p consent.Proposal, decision string, send func(stream.Event) error) (result, error) {
	res := result{path: pathDirect, route: router.Route{Agent: p.Agent, Label: t.assistant.Router.Label(p.Agent), Reasoning: "The person answered a question."}}
	if err := t.routed(res.route, pathDirect, "confirm", send); err != nil {
		return res, err
	}
	if err := p.Usable(); err != nil {
		return t.tell(res, fault.From(err).Message, send)
	}
	switch decision {
	case reject:
		if _, err := t.h.cfg.Desk.Store.Reject(ctx, t.by, p.ID); err != nil {
			return res, err
		}
		return t.tell(res, "All right, I left it as it is. Nothing was changed.", send)
	case again:
		res.Outcome.Proposal = &p
		if err := send(stream.Event{Name: "proposal", Data: p.View()}); err != nil {
			return res, err
		}
		res, err := t.tell(res, p.Text(), send)
		res.Finish = agent.Confirm
		return res, err
	}
	// The act is for the place that the preview named, whatever is chosen now.
	by, own := t.by.Choose(p.Entity, t.assistant.EntityKind)
	entry, ok := t.assistant.Tool(p.Tool)
	a, known := t.assistant.Agent(p.Agent)
	if !ok || !known || !own {
		return t.tell(res, "This can no longer be done here. Nothing was changed.", send)
	}
	r, err := t.runOf(a, conv, facts)
	if err != nil {
		return res, err
	}
	r.By = by
	last, _ := conv.Last(llm.Assistant)
	goOn := last.State != nil && last.State.Proposal == p.ID && agent.Unfinished(last.State)
	res.Outcome, err = t.drive(r.Approved(ctx, p, entry.Tool, goOn), send)
	if res.Usage.Calls > 0 {
		res.path = pathModel
	}
	return res, err
}

// tell answers with a sentence of ours.
func (t *turn) tell(res result, text string, send func(stream.Event) error) (result, error) {
	res.Reply, res.Finish = text, agent.Stop
	return res, send(stream.Event{Name: "response_chunk", Data: map[string]string{"text": text}})
}
