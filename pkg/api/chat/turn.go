package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/turns"
)

// storeTime bounds what is stored after the answer is made.
const storeTime = 3 * time.Second

// result is what a turn comes to, whichever way it took.
type result struct {
	agent.Outcome
	proposal string // the id of the proposal that the reply shows
	mode     json.RawMessage
	handles  []history.Handle
}

// run makes the events of the turn.
func (t *turn) run(ctx context.Context, send func(stream.Event) error) error {
	if err := send(stream.Event{Name: stream.Connected,
		Data: map[string]string{"requestId": t.requestID}}); err != nil {
		return err
	}
	if err := send(stream.Event{Name: stream.Understanding, Data: struct{}{}}); err != nil {
		return err
	}
	if n, reasons := t.conv.Doubts(); n > 0 {
		if err := send(stream.Event{Name: stream.Unverified, Data: map[string]any{"count": n,
			"reasons": reasons}}); err != nil {
			return err
		}
	}
	notes, pictures, err := t.attach(ctx)
	if err != nil {
		return err
	}
	gallery, err := t.gallery(ctx, pictures, send)
	if err != nil {
		return err
	}
	send = sayFirst(said(notes), send)
	res, err := t.answer(ctx, t.shorten(ctx), send)
	if err != nil {
		return err
	}
	res.Reply, res.Parts = said(notes)+res.Reply, append(gallery, res.Parts...)
	return t.complete(ctx, res, send)
}

// answer settles what code can settle, else hands the turn to the assistant's
// flow.
func (t *turn) answer(ctx context.Context, conv history.Conversation, send func(stream.Event) error) (result, error) {
	p, decision, err := t.decision(ctx, conv)
	if err != nil {
		return result{}, err
	}
	if p != nil {
		return t.settle(ctx, conv, *p, decision, send)
	}
	turn := t.flowTurn(conv)
	defer turn.Close()
	if t.req.Run != nil {
		return t.drive(ctx, turn, t.req.Run.events(ctx, turn, t.assistant), send)
	}
	return t.drive(ctx, turn, t.assistant.Flow.Answer(ctx, turn), send)
}

// flowTurn returns the turn as the assistant's flow sees it.
func (t *turn) flowTurn(conv history.Conversation) *flow.Turn {
	cfg := t.h.cfg
	c := flow.Config{
		Runtime: t.assistant, By: t.by, Thread: t.req.ID, History: conv,
		Choice: flow.Choice{Agent: t.req.Agent, Pipeline: t.req.Pipeline, Deep: t.req.Deep,
			Entity:    t.req.EntityID != "",
			MaxTokens: t.req.MaxTokens},
		Models: t.model, Journal: t.journal, Consent: cfg.Consent, Now: cfg.Now, Reserve: cfg.Reserve,
		Stopped: t.stopped,
		Live:    t.streams(), Report: cfg.Report,
	}
	if c.Project = t.req.Project; t.recorded != nil {
		c.Project = t.recorded.ProjectID
	}
	if l := t.req.Location; l != nil {
		c.Location = &flow.Location{Lat: l.Lat, Lon: l.Lon}
	}
	c.TextOnly = t.as.markdown()
	if c.TextOnly || t.assistant.Markdown {
		c.Layout = render.Table.Markdown // what such clients show is Markdown, and no HTML in it
	}
	return flow.NewTurn(c)
}

// model is what answers this turn's tasks of a tier, within the organisation's
// budget and the life of the process.
func (t *turn) model(ctx context.Context, tier llm.Tier) (llm.Model, error) {
	m, err := t.unbounded(ctx, tier)
	if err != nil {
		return nil, err
	}
	if t.h.cfg.Leaving != nil {
		m = leaving{m, t.h.cfg.Leaving}
	}
	return t.meter.For(m), nil
}

// unbounded is the organisation's model of a tier.
func (t *turn) unbounded(ctx context.Context, tier llm.Tier) (llm.Model, error) {
	if t.h.cfg.Models == nil {
		return t.h.cfg.Model, nil
	}
	return t.h.cfg.Models.For(ctx, t.by, t.assistant.Name, tier)
}

// drive sends the events of a flow on and returns what came of it.
func (t *turn) drive(ctx context.Context, turn *flow.Turn, events iter.Seq2[agent.Event, error],
	send func(stream.Event) error) (result, error) {
	var res result
	var reply strings.Builder
	ended := false
	for e, err := range events {
		if err != nil {
			return res, err
		}
		if e = t.declared(ctx, e); e == nil {
			continue
		}
		of := e
		if named, ok := e.(agent.Named); ok {
			of = named.Event
		}
		switch e := of.(type) {
		case agent.Done:
			res.Outcome, ended = e.Outcome, true
			continue
		case agent.Text:
			reply.WriteString(e.Text)
		}
		if ev, ok := stream.FromAgent(e); ok {
			if err := send(ev); err != nil {
				return res, err
			}
		}
	}
	if !ended {
		return res, fault.New(fault.Internal,
			"The assistant gave no answer. Please ask again.").WithCode("empty_answer")
	}
	// What was shown is the reply, whatever the flow says that it is.
	res.Reply = reply.String()
	res.Usage = turn.Usage().Add(res.Usage)
	res.Degraded = append(res.Degraded, turn.Degraded()...)
	res.mode, res.handles = turn.KeptMode(), turn.Handles()
	return res, nil
}

// declared returns the event, without parts of kinds that the assistant's profile
// does not name; nil for an event of such a part. They are reported.
func (t *turn) declared(ctx context.Context, e agent.Event) agent.Event {
	shows := func(p part.Part) bool {
		if t.assistant.Shows(p.Kind) {
			return true
		}
		if t.h.cfg.Report != nil {
			t.h.cfg.Report(ctx, cmp.Or(p.Tool, "the flow"), part.Unnamed(p.Kind))
		}
		return false
	}
	switch e := e.(type) {
	case agent.Shown:
		if !shows(e.Part) {
			return nil
		}
	case agent.Named:
		if t.declared(ctx, e.Event) == nil {
			return nil
		}
	case agent.Done:
		// These were reported as they came.
		e.Outcome.Parts = slices.DeleteFunc(slices.Clone(e.Outcome.Parts),
			func(p part.Part) bool { return !t.assistant.Shows(p.Kind) })
		return e
	}
	return e
}

// complete seals the assistant's message, keeps it where it is kept, and sends
// the terminal event.
func (t *turn) complete(ctx context.Context, res result, send func(stream.Event) error) error {
	if res.Proposal != nil {
		res.proposal = res.Proposal.ID
	}
	t.done = res.Outcome
	if _, summarised := t.state(res).Fit(); summarised {
		res.Degraded = append(res.Degraded, resultsSummarised)
	}
	seal, err := t.seal(res)
	if err != nil {
		return err
	}
	c := stream.Completed{
		Query: t.conv.LastUserText(), Category: res.Category, MatchedIntent: res.Intent,
		ExtractedEntities: map[string]any{},
		Reasoning:         res.Reasoning, PipelineSteps: []stream.PipelineStep{},
		Enrichments: append([]stream.Enrichment{},
			res.Enrichments...),
		ResponseFormat: "markdown", Response: res.Reply,
		ToolResults: []stream.ToolResult{}, DataSources: []string{}, Model: res.Model, Iterations: len(res.Steps),
		Runs: res.Runs,
		Answer: stream.Answer{
			Reply: res.Reply, Parts: append([]part.Part{}, res.Parts...), Agent: res.Agent, Label: res.Label,
			Finish: res.Finish, Path: res.Path,
			Usage:    usageOf(res.Usage),
			Degraded: t.degraded(res), RequestID: t.requestID, ConversationID: t.req.ID,
			Message: stream.Message{ID: t.start.Turn, Role: string(llm.Assistant), Content: res.Reply,
				Agent: res.Agent, Label: res.Label, Seal: seal},
		},
	}
	maps.Copy(c.ExtractedEntities, res.Entities)
	if res.Proposal != nil {
		view := res.Proposal.View()
		c.Confirmation = &view
	}
	for _, u := range res.Used {
		c.PipelineSteps = append(c.PipelineSteps, stream.PipelineStep{Tool: u.Tool, Description: u.Description,
			Purpose: purpose(u)})
		c.ToolResults = append(c.ToolResults, stream.ToolResult{Tool: u.Tool, Success: u.OK, Error: u.Error})
		if u.OK && !u.Asked && !slices.Contains(c.DataSources, u.Tool) {
			c.DataSources = append(c.DataSources, u.Tool)
		}
	}
	for _, s := range res.Sources {
		if !slices.Contains(c.DataSources, s) {
			c.DataSources = append(c.DataSources, s)
		}
	}
	if t.recorded != nil {
		c.Conversation = &stream.Conversation{ID: t.recorded.ID, Code: t.recorded.Code, Title: t.recorded.Title,
			New: t.recorded.New, ProjectID: t.recorded.ProjectID}
	}
	e := stream.Event{Name: stream.Complete, Step: len(res.Steps), Data: c}
	if t.recorded != nil {
		// The answer and the end of the turn are kept in one request, so the
		// event is encoded before it is known whether that succeeds.
		degraded := c
		degraded.Degraded = append(slices.Clone(c.Degraded), notRecorded)
		if t.unstored, err = t.answered(res, c.Degraded); err != nil {
			httpx.Note(ctx, err)
			e.Data = degraded
		} else {
			e.Store = func(frames []byte) any {
				if t.close(ctx, frames) {
					return nil
				}
				return degraded
			}
		}
	}
	return send(e)
}

func usageOf(u llm.Usage) stream.Usage {
	out := stream.Usage{Input: u.In, Output: u.Out, Total: u.In + u.Out, Cached: u.Cached, Calls: u.Calls,
		Provider: u.Provider}
	if cost, known := u.Known(); known {
		out.Cost = &cost
	}
	return out
}

// resultsSummarised is what an answer says whose seal has not all of the results.
const resultsSummarised = "results_summarised"

// state is the server's own account of the turn.
func (t *turn) state(res result) history.State {
	return history.State{Agent: res.Agent, Steps: res.Steps, Proposal: res.proposal, Asked: res.Asked, Mode: res.mode,
		Path: string(res.Path), Model: res.Model, Handles: res.handles, Shorter: t.shorter}
}

// seal seals what the client will keep as the assistant's message: the reply,
// or, for a client that goes on writing the message with the question that was
// answered, that message and the reply after it. Where that message carries no
// authority there is no seal either: it would vouch for words that were never
// ours.
func (t *turn) seal(res result) (string, error) {
	state := t.state(res)
	if t.as != asUI || t.decoded.Approval == nil {
		return t.h.cfg.Keys.Seal(t.scope, t.sent, res.Reply, state)
	}
	last, ok := t.sent.Last(llm.Assistant)
	if !ok || last.State == nil {
		return "", nil
	}
	state.Steps = slices.Concat(last.State.Steps, state.Steps)
	state.Handles = slices.Concat(last.State.Handles, state.Handles)
	before := t.h.cfg.Keys.Open(t.scope, t.decoded.Messages[:len(t.decoded.Messages)-1])
	return t.h.cfg.Keys.Seal(t.scope, before, last.Text+res.Reply, state)
}

// degraded names what the answer did without. A client that gets it in one
// piece sees no events, so what they say of its history stands here, too.
func (t *turn) degraded(res result) []string {
	list := append([]string{}, res.Degraded...)
	if t.cut {
		list = append(list, notShortened)
	}
	if n, _ := t.conv.Doubts(); n > 0 {
		list = append(list, stream.Unverified)
	}
	return list
}

func purpose(u agent.Use) string {
	switch {
	case u.Purpose != "":
		return u.Purpose
	case u.Effect:
		return "change"
	case u.Asked:
		return "ask for consent"
	}
	return "look up"
}

// finish stores how the turn ended. It has its own short time, since the
// request's may be over, and nothing runs after it.
func (t *turn) finish(ctx context.Context, frames []byte, failure error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	if ended := t.h.cfg.Ended; ended != nil && failure == nil && t.by.Visitor == "" {
		defer ended(ctx, t.by, Ended{Assistant: t.assistant.Name, Thread: t.req.ID, History: t.conv,
			Outcome: t.done, Took: t.h.cfg.Now().Sub(t.began), Retried: t.req.MessageID != ""})()
	}
	var err error
	switch {
	case t.closed:
	case failure != nil:
		// A failed turn is no answer: sent again, it is resumed.
		err = t.journal.Release(ctx)
	default:
		f := t.finished(frames)
		if err = t.journal.Finish(ctx, f); err == nil && t.journal.Kept() {
			t.meter.Settled(f.Settle)
		}
	}
	if t.unstored != nil { // the reader had gone before the answer was made
		err = errors.Join(err, t.h.cfg.Recorder.Answer(ctx, t.by, *t.unstored))
	}
	if err != nil {
		httpx.Note(ctx, err)
	}
}

// finished is how the turn ended, with the frames of its answer.
func (t *turn) finished(frames []byte) turns.Finish {
	return turns.Finish{Reason: string(t.done.Finish), Frames: frames, Usage: t.done.Usage, Model: t.done.Model,
		Settle: t.meter.Due()}
}

// shownCode returns the code at the end of a preview: "… (K7QM)".
func shownCode(text string) string {
	text, ok := strings.CutSuffix(text, ")")
	i := strings.LastIndexByte(text, '(')
	if !ok || i < 0 || len(text)-i-1 != consent.CodeLength {
		return ""
	}
	return text[i+1:]
}
