package chat

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/api/conversations/kept"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Recorder keeps conversations, and brings back what was said.
type Recorder interface {
	conversations.Recorder
	Load(ctx context.Context, by identity.Caller, id, project string, b conversations.Budget) (conversations.Load, error)
}

// notRecorded is what an answer says that could not be kept. It was given
// nevertheless, and the client has it.
const notRecorded = "not_recorded"

// records reports whether the turn is kept with its conversation. Visitors share
// an account, and would read each other's.
func (t *turn) records() bool {
	return t.h.cfg.Recorder != nil && t.assistant.Records && t.req.ID != "" && t.by.Visitor == ""
}

// record keeps what the person said. It comes before any model is asked: a
// question must not get lost because its answer did.
func (t *turn) record(ctx context.Context) error {
	if !t.records() {
		return nil
	}
	s := conversations.Saying{
		Assistant: t.assistant.Name, Prefix: t.assistant.Prefix, EntityID: t.by.Entity.ID, Thread: t.req.ID, ProjectID: t.req.Project,
		Turn: t.start.Turn, Replaces: t.req.MessageID,
	}
	if n := len(t.decoded.Messages); n > 0 && t.decoded.Messages[n-1].Role == llm.User {
		last := t.decoded.Messages[n-1]
		s.MessageID, s.Text, s.Foreign, s.Tokens = shortened(last.ID), last.Text, last.Foreign, history.Tokens(last.Text)
		for _, f := range last.Files {
			if strings.HasPrefix(f.URL, history.UploadURL) { // a whole file in an address is not kept
				s.Files = append(s.Files, conversations.File{URL: f.URL})
			}
		}
	}
	said, err := t.h.cfg.Recorder.Say(ctx, t.by, s)
	if err != nil {
		return err
	}
	t.recorded = &said
	return t.recall(ctx)
}

// recall fills a request that holds nothing but the new message with what was
// said before. A history that is sent always wins over the kept one. The answer
// is still sealed for the messages that the client has.
func (t *turn) recall(ctx context.Context) error {
	if len(t.decoded.Messages) != 1 || t.decoded.Messages[0].Role != llm.User || t.req.MessageID != "" || t.recorded.Messages < 2 {
		return nil
	}
	budget := conversations.ForModel()
	load, err := t.h.cfg.Recorder.Load(ctx, t.by, t.recorded.ID, "", budget)
	if err != nil {
		return err
	}
	chosen, compacted := budget.Choose(load)
	chosen = slices.DeleteFunc(chosen, func(m conversations.Message) bool { return m.Turn == t.start.Turn })
	links := kept.Links(t.h.cfg.Keys, t.by, load.Detail.Conversation, chosen)
	if summary, ok := kept.Summary(t.h.cfg.Keys, t.by, load.Detail, load.Project); ok && compacted {
		links = slices.Insert(links, 0, summary)
	}
	before, err := t.h.cfg.Keys.Chain(t.scope, links)
	if err != nil {
		return err
	}
	t.conv = t.h.cfg.Keys.Open(t.scope, append(before, t.decoded.Messages...))
	return nil
}

// keep keeps the answer, for which it has a short time of its own: the request
// may be over, and the answer was made. It reports whether that succeeded.
func (t *turn) keep(ctx context.Context, res result, degraded []string) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	a, err := t.answered(res, degraded)
	if err == nil {
		err = t.h.cfg.Recorder.Answer(ctx, t.by, a)
	}
	if err != nil {
		httpx.Note(ctx, err)
	}
	return err == nil
}

// keptCall is a tool call for those who look into a stored conversation.
type keptCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

func (t *turn) answered(res result, degraded []string) (conversations.Answer, error) {
	state := t.state(res)
	a := conversations.Answer{
		ID: t.recorded.ID, Turn: t.start.Turn, Text: res.Reply, Agent: res.route.Agent, Label: res.route.Label, Tokens: history.Tokens(res.Reply) + state.Tokens(),
	}
	shelf := history.Shelf{Tenant: t.by.OrgID, Assistant: t.assistant.Name, Conversation: a.ID, Message: a.Turn}
	var err error
	if a.Token, err = t.h.cfg.Keys.Keep(shelf, a.Text, state); err != nil {
		return a, err
	}
	calls := []keptCall{}
	for _, s := range res.Steps {
		for _, c := range s.Calls {
			if json.Valid([]byte(c.Arguments)) {
				calls = append(calls, keptCall{c.ID, c.Name, json.RawMessage(c.Arguments)})
			}
		}
	}
	if len(calls) > 0 {
		if a.ToolCalls, err = json.Marshal(calls); err != nil {
			return a, err
		}
	}
	a.Processing, err = json.Marshal(map[string]any{
		"path": res.path, "finish": res.Finish, "model": res.Model, "degraded": degraded,
		"usage": usageOf(res.Usage), "steps": len(res.Steps),
	})
	return a, err
}
