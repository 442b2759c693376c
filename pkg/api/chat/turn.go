package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/router"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/turns"
)

// storeTime bounds what is stored after the answer is made.
const storeTime = 3 * time.Second

// paths of an answer, as clients know them.
const (
	pathModel  = "llm"
	pathDirect = "direct" // settled in code
)

// result is what a turn comes to, whichever way it took.
type result struct {
	agent.Outcome
	route    router.Route
	path     string
	proposal string // the id of the proposal that the reply shows
}

// run makes the events of the turn.
func (t *turn) run(ctx context.Context, send func(stream.Event) error) error {
	if err := send(stream.Event{Name: stream.Connected, Data: map[string]string{"requestId": t.requestID}}); err != nil {
		return err
	}
	if err := send(stream.Event{Name: stream.Understanding, Data: struct{}{}}); err != nil {
		return err
	}
	if n, reasons := t.conv.Doubts(); n > 0 {
		if err := send(stream.Event{Name: stream.Unverified, Data: map[string]any{"count": n, "reasons": reasons}}); err != nil {
			return err
		}
	}
	notes, err := t.attach(ctx)
	if err != nil {
		return err
	}
	send = sayFirst(said(notes), send)
	res, err := t.answer(ctx, t.conv, send)
	if err != nil {
		return err
	}
	res.Reply = said(notes) + res.Reply
	return t.complete(ctx, res, send)
}

// answer settles what code can settle, else routes and asks the specialist.
func (t *turn) answer(ctx context.Context, conv history.Conversation, send func(stream.Event) error) (result, error) {
	p, decision, err := t.decision(ctx, conv)
	if err != nil {
		return result{}, err
	}
	if p != nil {
		return t.settle(ctx, conv, *p, decision, send)
	}
	facts, err := t.assistant.Facts(t.by, t.h.cfg.Now())
	if err != nil {
		return result{}, err
	}
	route, err := t.route(ctx, conv, facts, send)
	if err != nil {
		return result{}, err
	}
	res := result{route: route, path: pathModel}
	if route.Agent == "" {
		return t.greet(res, send)
	}
	a, ok := t.assistant.Agent(route.Agent)
	if !ok {
		return res, fault.New(fault.Internal, "The agent %s is not there.", route.Agent)
	}
	if err := t.handOver(a, conv, send); err != nil {
		return res, err
	}
	r, err := t.runOf(a, conv, facts)
	if err != nil {
		return res, err
	}
	res.Outcome, err = t.drive(r.Events(ctx), send)
	res.Usage = res.Usage.Add(route.Usage)
	return res, err
}

func (t *turn) route(ctx context.Context, conv history.Conversation, facts any, send func(stream.Event) error) (router.Route, error) {
	err := send(stream.Event{Name: stream.RouteStarted, Data: map[string]int{
		"agents": t.assistant.Router.Agents(), "intents": 0, "tools": t.h.tools[t.assistant],
	}})
	if err != nil {
		return router.Route{}, err
	}
	// What an earlier attempt of this turn chose stays chosen.
	route, settled, err := t.assistant.Router.Settled(cmp.Or(t.journal.RecallRoute(), t.req.Agent), conv)
	if err != nil {
		return route, err
	}
	if !settled {
		if route, err = t.assistant.Router.Route(ctx, t.model(), facts, conv); err != nil {
			return route, err
		}
	}
	if last, _ := conv.Last(llm.User); route.Agent == "" && len(last.Files) > 0 {
		// Whoever routes has not read the file, and answers greetings at most.
		route.Agent, route.Text = t.assistant.Agents[0].Name, ""
		if before, ok := conv.Last(llm.Assistant); ok && before.State != nil && before.State.Agent != "" {
			route.Agent = before.State.Agent
		}
		route.Label = t.assistant.Router.Label(route.Agent)
	}
	if route.Agent != "" {
		if err := t.journal.RememberRoute(route.Agent); err != nil {
			return route, err
		}
	}
	// The reasoning is a model's text like any other.
	f := render.Filter{}
	route.Reasoning = f.Push(route.Reasoning) + f.Close()
	return route, t.routed(route, pathModel, string(route.How), send)
}

func (t *turn) routed(route router.Route, path, how string, send func(stream.Event) error) error {
	return send(stream.Event{Name: stream.Routed, Data: map[string]string{
		"path": path, "agent": route.Agent, "label": route.Label, "reasoning": route.Reasoning, "how": how,
	}})
}

// handOver says that another agent than the last one takes over, where it is
// known who that was, and which of the assistant's tools this one has.
func (t *turn) handOver(a *agent.Agent, conv history.Conversation, send func(stream.Event) error) error {
	if last, ok := conv.Last(llm.Assistant); ok && last.State != nil && last.State.Agent != "" && last.State.Agent != a.Name {
		from := last.State.Agent
		err := send(stream.Event{Name: stream.Switched, Data: map[string]string{
			"from": from, "fromLabel": t.assistant.Router.Label(from), "to": a.Name, "toLabel": a.Label,
		}})
		if err != nil {
			return err
		}
	}
	return send(stream.Event{Name: stream.Filtered, Data: map[string]any{
		"categories": []string{a.Name}, "tools": a.Tools.Len(), "of": t.h.tools[t.assistant],
	}})
}

// greet answers with the router's own words.
func (t *turn) greet(res result, send func(stream.Event) error) (result, error) {
	f := render.Filter{Hosts: t.assistant.Hosts}
	text := f.Push(res.route.Text) + f.Close()
	res.Outcome = agent.Outcome{Reply: text, Finish: agent.Stop, Usage: res.route.Usage, Model: res.route.Model}
	return res, send(stream.Say(text))
}

// runOf prepares an agent's run.
func (t *turn) runOf(a *agent.Agent, conv history.Conversation, facts any) (agent.Run, error) {
	system, err := a.Persona.Fill(facts)
	if err != nil {
		return agent.Run{}, err
	}
	if most := t.req.MaxTokens; most > 0 && (a.Settings.MaxTokens == 0 || most < a.Settings.MaxTokens) {
		shorter := *a
		shorter.Settings.MaxTokens = most
		a = &shorter
	}
	r := agent.Run{
		Agent: a, Assistant: t.assistant.Name, Thread: t.req.ID, By: t.by, System: system,
		Messages: conv.Prompt(a.Reads()), Shorter: conv.Prompt, Place: len(conv.Entries), Model: t.model(), Journal: t.journal,
		Desk: t.h.cfg.Desk, Hosts: t.assistant.Hosts, Now: t.h.cfg.Now, Reserve: t.h.cfg.Reserve, Stopped: t.stopped, Careful: conv.Shows(), Live: t.streams(), Report: t.h.cfg.Report,
		Sources: func() (said, results []string) { return conv.Said(), t.findings(conv) },
	}
	if t.as == asCompletion || t.as == asChunks {
		r.Lay = render.Table.Markdown // what such clients show is Markdown, and no HTML in it
	}
	return r, nil
}

// resultAge is how long what a tool answered is a source of what is done next.
const resultAge = 24 * time.Hour

// findings returns what the assistant's tools answered in earlier turns, without
// the words of strangers in it.
func (t *turn) findings(conv history.Conversation) []string {
	var out []string
	for _, f := range conv.Results(resultAge) {
		if used, ok := t.assistant.Tool(f.Tool); ok {
			text, _ := used.Tool.Trusted(json.RawMessage(f.Text))
			out = append(out, string(text))
		}
	}
	return out
}

// model is what answers this turn, within the organisation's budget and the
// life of the process.
func (t *turn) model() llm.Model {
	m := t.h.cfg.Model
	if t.h.cfg.Leaving != nil {
		m = leaving{m, t.h.cfg.Leaving}
	}
	return t.h.cfg.Purse.For(t.by, m)
}

// drive sends the events of a run on and returns what came of it.
func (t *turn) drive(events iter.Seq2[agent.Event, error], send func(stream.Event) error) (agent.Outcome, error) {
	var out agent.Outcome
	for e, err := range events {
		if err != nil {
			return out, err
		}
		if done, ok := e.(agent.Done); ok {
			out = done.Outcome
			continue
		}
		if ev, ok := stream.FromAgent(e); ok {
			if err := send(ev); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// complete seals the assistant's message, keeps it where it is kept, and sends
// the terminal event.
func (t *turn) complete(ctx context.Context, res result, send func(stream.Event) error) error {
	if res.Proposal != nil {
		res.proposal = res.Proposal.ID
	}
	t.done = res.Outcome
	seal, err := t.seal(res)
	if err != nil {
		return err
	}
	c := stream.Completed{
		Query: t.conv.LastUserText(), Category: "unified", ExtractedEntities: map[string]any{}, Reasoning: res.route.Reasoning,
		PipelineSteps: []stream.PipelineStep{}, Enrichments: []any{}, ResponseFormat: "markdown", Response: res.Reply,
		ToolResults: []stream.ToolResult{}, DataSources: []string{}, Model: res.Model, Iterations: len(res.Steps),
		Answer: stream.Answer{
			Reply: res.Reply, Agent: res.route.Agent, Label: res.route.Label, Finish: res.Finish, Path: res.path, Usage: usageOf(res.Usage),
			Degraded: t.degraded(res), RequestID: t.requestID, ConversationID: t.req.ID,
			Message: stream.Message{ID: t.start.Turn, Role: string(llm.Assistant), Content: res.Reply, Agent: res.route.Agent, Label: res.route.Label, Seal: seal},
		},
	}
	if res.route.Agent == "" {
		c.Category = "general_chat"
	}
	if res.Proposal != nil {
		view := res.Proposal.View()
		c.Confirmation = &view
	}
	for _, u := range res.Used {
		c.PipelineSteps = append(c.PipelineSteps, stream.PipelineStep{Tool: u.Tool, Description: u.Description, Purpose: purpose(u)})
		c.ToolResults = append(c.ToolResults, stream.ToolResult{Tool: u.Tool, Success: u.OK, Error: u.Error})
		if u.OK && !u.Asked && !slices.Contains(c.DataSources, u.Tool) {
			c.DataSources = append(c.DataSources, u.Tool)
		}
	}
	if t.recorded != nil {
		if !t.keep(ctx, res, c.Degraded) {
			c.Degraded = append(c.Degraded, notRecorded)
		}
		c.Conversation = &stream.Conversation{ID: t.recorded.ID, Code: t.recorded.Code, Title: t.recorded.Title, New: t.recorded.New}
	}
	return send(stream.Event{Name: stream.Complete, Step: len(res.Steps), Data: c})
}

func usageOf(u llm.Usage) stream.Usage {
	return stream.Usage{Input: u.In, Output: u.Out, Total: u.In + u.Out, Cached: u.Cached, Calls: u.Calls}
}

// state is the server's own account of the turn.
func (t *turn) state(res result) history.State {
	return history.State{Agent: res.route.Agent, Steps: res.Steps, Proposal: res.proposal, Asked: res.Asked, Path: res.path, Model: res.Model}
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
	before := t.h.cfg.Keys.Open(t.scope, t.decoded.Messages[:len(t.decoded.Messages)-1])
	return t.h.cfg.Keys.Seal(t.scope, before, last.Text+res.Reply, state)
}

// degraded names what the answer did without. A client that gets it in one
// piece sees no events, so what they say of its history stands here, too.
func (t *turn) degraded(res result) []string {
	list := append([]string{}, res.Degraded...)
	if n, _ := t.conv.Doubts(); n > 0 {
		list = append(list, stream.Unverified)
	}
	return list
}

func purpose(u agent.Use) string {
	switch {
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
		defer ended(ctx, t.by, t.assistant.Name, t.req.ID, t.conv, t.done.Used)()
	}
	var err error
	if failure != nil {
		// A failed turn is no answer: sent again, it is resumed.
		err = t.journal.Release(ctx)
	} else {
		err = t.journal.Finish(ctx, turns.Finish{Reason: string(t.done.Finish), Frames: frames, Usage: t.done.Usage, Model: t.done.Model})
	}
	if err != nil {
		httpx.Note(ctx, err)
	}
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
