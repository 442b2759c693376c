package chat

import (
	"context"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// decision finds the proposal that the person answers in this turn, by button
// or by words, and what the answer is. nil means that none is answered.
func (t *turn) decision(ctx context.Context, conv history.Conversation) (*consent.Proposal, string, error) {
	if c := t.req.Confirm; c != nil {
		p, err := t.h.cfg.Consent.Find(ctx, t.by, c.ID)
		if err != nil {
			return nil, "", err
		}
		if err := t.fits(conv, p); err != nil {
			return nil, "", err
		}
		if p.Assistant != t.assistant.Name || p.Thread != t.req.ID {
			return nil, "", fault.New(fault.NotFound,
				"No such question was asked in this conversation.").WithCode("proposal_unknown")
		}
		if last, ok := conv.Last(llm.Assistant); ok && p.State == consent.Pending && last.State != nil &&
			last.State.Proposal != p.ID {
			// The person went back and on from there, or the question was left
			// behind: what is approved is what stands last.
			if p, err = t.h.cfg.Consent.Store.Reject(ctx, t.by, p.ID); err != nil {
				return nil, "", err
			}
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

// fits checks that an answer which stands in a part of a message stands in the one
// of the call that asked. An approval that was moved to another call or tool, or
// that another part contradicts, answers nothing; the question stays open.
func (t *turn) fits(conv history.Conversation, p consent.Proposal) error {
	a := t.decoded.Approval
	if a == nil || t.req.Confirm.ID != a.ID {
		return nil
	}
	asked := ""
	if last, ok := conv.Last(llm.Assistant); ok && last.State != nil && last.State.Proposal == p.ID {
		asked = agent.AskedCall(last.State)
	}
	if a.Doubled || a.Tool != p.Tool || a.CallID != "" && asked != "" && a.CallID != asked {
		return fault.New(fault.Unprocessable,
			"This approval does not stand where it was asked for. Nothing was done; please answer the question "+
				"itself.").
			WithCode("approval_misplaced")
	}
	return nil
}

// spokenDecision reads an answer in words. It counts only for the proposal
// that the message directly before showed; see shown.
func (t *turn) spokenDecision(ctx context.Context, conv history.Conversation) (*consent.Proposal, string, error) {
	n := len(conv.Entries)
	if n < 2 || conv.Entries[n-2].Role != llm.Assistant || conv.Entries[n-1].Role != llm.User {
		return nil, "", nil // only what stands directly before the answer is answered
	}
	last := conv.Entries[n-2]
	code := shownCode(strings.TrimSpace(last.Text))
	if code == "" || last.State != nil && last.State.Proposal == "" {
		return nil, "", nil
	}
	p, err := t.shown(ctx, last, code)
	if p == nil || err != nil {
		return nil, "", err
	}
	answer, named := consent.Neither, false
	if !conv.Entries[n-1].Foreign {
		answer, named = consent.Words(conv.LastUserText(), code, p.Tool, t.assistant.Words)
	}
	switch {
	case answer == consent.No:
		return p, reject, nil
	case answer == consent.Yes && p.State != consent.Pending:
		return p, approve, nil // what is not pending says so itself
	case answer == consent.Yes && p.Tier == "CRITICAL" && p.Phrase(conv.LastUserText()) != nil,
		answer == consent.Yes && p.Tier == "HIGH" && !named:
		return p, again, nil // a bare yes is not enough for this
	case answer == consent.Yes && !named && last.Doubted:
		return p, again, nil // what it says yes to was not shown by a message that we believe
	case answer == consent.Yes && !named:
		return t.onlyOne(ctx, p)
	case answer == consent.Yes:
		return p, approve, nil
	}
	// The person speaks of something else, so the question is over: a yes in a
	// later message, or after going back, answers nothing.
	if p.State == consent.Pending {
		if _, err := t.h.cfg.Consent.Store.Reject(ctx, t.by, p.ID); err != nil {
			return nil, "", err
		}
	}
	return nil, "", nil
}

// shown returns the proposal that an assistant's message showed: named in its
// seal, or, for a client that keeps only text, the one whose whole text stands
// at the end of the message. A code alone proves nothing; a model can write one.
func (t *turn) shown(ctx context.Context, last history.Entry, code string) (*consent.Proposal, error) {
	q := consent.Query{Thread: t.req.ID, Code: code}
	if last.State != nil {
		q = consent.Query{ID: last.State.Proposal}
	}
	list, err := t.h.cfg.Consent.Store.Proposals(ctx, t.by, q)
	if err != nil {
		return nil, err
	}
	var found *consent.Proposal
	for i := range list {
		p := &list[i]
		if p.Thread != t.req.ID || p.Code != code || p.Assistant != t.assistant.Name ||
			last.State == nil && !strings.HasSuffix(strings.TrimSpace(last.Text), p.Text()) {
			continue
		}
		if found == nil || p.State == consent.Pending {
			found = p
		}
	}
	return found, nil
}

// onlyOne takes a bare yes for the proposal where no other one of the
// conversation is open: of two, a person has to say which. Conversations that
// the client does not name cannot be told apart; there the message that shows
// the proposal is all there is.
func (t *turn) onlyOne(ctx context.Context, p *consent.Proposal) (*consent.Proposal, string, error) {
	if t.req.ID == "" {
		return p, approve, nil
	}
	list, err := t.h.cfg.Consent.Store.Proposals(ctx, t.by, consent.Query{Thread: t.req.ID})
	if err != nil {
		return nil, "", err
	}
	for _, other := range list {
		if other.ID != p.ID && other.Thread == t.req.ID && other.State == consent.Pending {
			return p, which, nil
		}
	}
	return p, approve, nil
}

// Decisions to show a proposal once more: the answer was too little for it, or
// did not say which one it was for.
const (
	again = "again"
	which = "which"
)

// settle carries out the person's decision. No model decides anything here.
func (t *turn) settle(ctx context.Context, conv history.Conversation, p consent.Proposal, decision string,
	send func(stream.Event) error) (result, error) {
	label, _ := t.assistant.Label(p.Agent)
	res := result{Outcome: agent.Outcome{Understanding: agent.Understanding{
		Agent: p.Agent, Label: label, Path: agent.PathDirect, Category: agent.Unified,
		Reasoning: "The person answered a question.",
	}}}
	turn := t.flowTurn(conv)
	res.mode, res.handles = turn.KeptMode(), turn.Handles()
	routed, _ := stream.FromAgent(agent.Routed{Path: res.Path, Agent: res.Agent, Label: label,
		Reasoning: res.Reasoning, How: "confirm"})
	if err := send(routed); err != nil {
		return res, err
	}
	// What was done before is carried out again in name only: its claim is
	// taken, so the answer is the receipt of the first time.
	if err := p.Usable(); err != nil && !(decision == approve && p.State == consent.Consumed) {
		return t.tell(res, fault.From(err).Message, send)
	}
	switch decision {
	case reject:
		now, err := t.h.cfg.Consent.Store.Reject(ctx, t.by, p.ID)
		if err != nil {
			return res, err
		}
		if now.State != consent.Rejected {
			return t.tell(res, fault.From(now.Usable()).Message, send) // another request was faster
		}
		return t.tell(res, "All right, I left it as it is. Nothing was changed.", send)
	case again, which:
		text := tooLittle(p) + "\n\n" + p.Text()
		if decision == which {
			text = "Several questions of this conversation are open. If you mean this one, please answer **yes " +
				p.Code + "**.\n\n" + p.Text()
		}
		res.Proposal = &p
		if err := send(stream.Event{Name: "proposal", Data: p.View()}); err != nil {
			return res, err
		}
		res, err := t.tell(res, text, send)
		res.Finish = agent.Confirm
		return res, err
	}
	// The act is for the place that the preview named, whatever is chosen now.
	by, own := t.assistant.Choose(t.by, p.Entity)
	entry, ok := t.assistant.Tool(p.Tool)
	a, known := t.assistant.Agent(p.Agent)
	if !ok || !known || !own {
		return t.tell(res, "This can no longer be done here. Nothing was changed.", send)
	}
	t.by = by
	turn = t.flowTurn(conv)
	defer turn.Close()
	last, _ := conv.Last(llm.Assistant)
	goOn := last.State != nil && last.State.Proposal == p.ID && agent.Unfinished(last.State)
	settled := res.Understanding
	res, err := t.drive(ctx, turn, turn.Approved(ctx, a, p, entry.Tool, goOn), send)
	res.Understanding = settled
	if res.Usage.Calls > 0 {
		res.Path = agent.PathModel
	}
	return res, err
}

// tooLittle says why a yes was not taken for an answer to the question.
func tooLittle(p consent.Proposal) string {
	if p.Tier == "MEDIUM" {
		return "I can't tell which question you answer, since the message before could not be verified. " +
			"Nothing was done yet."
	}
	return "A “yes” alone is not enough for this, because it is hard to undo. Nothing was done yet: please use the " +
		"button, or answer **yes " + p.Code + "**."
}

// tell answers with a sentence of ours.
func (t *turn) tell(res result, text string, send func(stream.Event) error) (result, error) {
	res.Reply, res.Finish = text, agent.Stop
	return res, send(stream.Say(text))
}
