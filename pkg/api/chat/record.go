package chat

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/api/conversations/stored"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// Recorder keeps conversations, and brings back what was said.
type Recorder interface {
	conversations.Recorder
	Load(ctx context.Context, by identity.Caller, id, project string, b conversations.Budget) (conversations.Load,
		error)
}

// notRecorded is what an answer says that could not be kept. It was given
// nevertheless, and the client has it.
const notRecorded = "not_recorded"

// records reports whether the turn is kept with its conversation. Visitors share
// an account, and would read each other's.
func (t *turn) records() bool {
	return t.h.cfg.Recorder != nil && t.assistant.Records && t.req.ID != "" && t.by.Visitor == ""
}

// message is what the person said. It is kept before any model is asked: a
// question must not get lost because its answer did.
func (t *turn) message() *conversations.UserMessage {
	s := &conversations.UserMessage{
		Assistant: t.assistant.Name, Prefix: t.assistant.Prefix, Thread: t.req.ID, ProjectID: t.req.Project,
		CreateProject: t.assistant.Projects && t.req.Project == "",
		Turn:          t.start.Turn, Replaces: t.req.MessageID,
	}
	if n := len(t.decoded.Messages); n > 0 && t.decoded.Messages[n-1].Role == llm.User {
		last := t.decoded.Messages[n-1]
		s.MessageID, s.Text, s.Foreign, s.Tokens = shortened(last.ID), last.Text, last.Foreign,
			history.Tokens(last.Text)
		for _, f := range last.Files {
			if strings.HasPrefix(f.URL, history.UploadURL) { // a whole file in an address is not kept
				s.Files = append(s.Files, conversations.File{URL: f.URL})
			}
		}
	}
	return s
}

// recall fills a request that holds nothing but the new message with what was
// said before. A history that is sent always wins over the kept one. The answer
// is still sealed for the messages that the client has.
func (t *turn) recall(ctx context.Context) error {
	approves := t.approvesAlone()
	if t.recorded == nil || len(t.decoded.Messages) != 1 || t.decoded.Messages[0].Role != llm.User && !approves ||
		t.req.MessageID != "" || t.recorded.Messages < 2 {
		return t.believed()
	}
	budget := conversations.ForModel()
	load, err := t.h.cfg.Recorder.Load(ctx, t.by, t.recorded.ID, "", budget)
	if err != nil {
		return err
	}
	chosen, compacted := budget.Choose(load)
	chosen = slices.DeleteFunc(chosen, func(m conversations.Message) bool { return m.Turn == t.start.Turn })
	links := stored.Links(t.h.cfg.Keys, t.by, load.Detail.Conversation, chosen)
	if summary, ok := stored.Summary(t.h.cfg.Keys, t.by, load.Detail, load.Project); ok && compacted {
		links = slices.Insert(links, 0, summary)
	}
	before, err := t.h.cfg.Keys.Chain(t.scope, links)
	if err != nil {
		return err
	}
	if !approves {
		before = append(before, t.decoded.Messages...)
	}
	t.conv = t.h.cfg.Keys.Open(t.scope, before)
	return t.believed()
}

// approvesAlone reports whether the request holds nothing but the message that
// asked, with the person's decision in it: clients that send the last message
// only do so. Its seal follows messages that are not there.
func (t *turn) approvesAlone() bool {
	return t.records() && len(t.decoded.Messages) == 1 && t.decoded.Approval != nil &&
		t.decoded.Messages[0].Role == llm.Assistant
}

// close keeps the answer of a recorded turn, and ends a turn that the store
// knows, whose client is sent frames. It has a short time of its own: the request
// may be over, and the answer was made. It reports whether the answer is kept.
func (t *turn) close(ctx context.Context, frames []byte) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	a := *t.unstored
	t.unstored = nil
	if t.journal.Kept() {
		f := t.finished(frames)
		err := t.h.cfg.Opener.CloseTurn(ctx, t.by, t.start.Turn, a, f)
		if t.closed = err == nil; t.closed {
			t.meter.Settled(f.Settle)
			return true
		}
		httpx.Note(ctx, err)
	}
	// The end of a turn is worth less than its answer, which is kept alone.
	if err := t.h.cfg.Recorder.Answer(ctx, t.by, a); err != nil {
		httpx.Note(ctx, err)
		return false
	}
	return true
}

// processing is how an answer came about, for those who look into a stored
// conversation.
type processing struct {
	Path     agent.Path   `json:"path"`
	Finish   agent.Finish `json:"finish"`
	Model    string       `json:"model"`
	Degraded []string     `json:"degraded"`
	Usage    stream.Usage `json:"usage"`
	Steps    int          `json:"steps"`
}

// keptCalls returns the tool calls of the steps for the same readers, nil for none.
func keptCalls(steps []history.Step) json.RawMessage {
	var b []byte
	for _, s := range steps {
		for _, c := range s.Calls {
			arguments, err := rawjson.Parse([]byte(c.Arguments))
			if err != nil {
				continue
			}
			b = append(b, ',')
			b = rawjson.AppendText(append(b, `{"id":`...), c.ID)
			b = rawjson.AppendText(append(b, `,"name":`...), c.Name)
			b = append(append(append(b, `,"arguments":`...), arguments...), '}')
		}
	}
	if b == nil {
		return nil
	}
	b[0] = '[' // in the place of the first comma
	return append(b, ']')
}

func (t *turn) answered(res result, degraded []string) (*conversations.Answer, error) {
	state := t.state(res)
	a := &conversations.Answer{
		ID: t.recorded.ID, Turn: t.start.Turn, Text: res.Reply, Agent: res.Agent, Label: res.Label,
		Tokens: history.Tokens(res.Reply) + state.Tokens(),
	}
	location := history.Location{Tenant: t.by.OrgID, Assistant: t.assistant.Name, Conversation: a.ID, Message: a.Turn}
	var err error
	if a.Token, err = t.h.cfg.Keys.SealStored(location, a.Text, state); err != nil {
		return nil, err
	}
	a.ToolCalls = keptCalls(res.Steps)
	if a.Metadata, err = stored.KeepShown(res.Parts); err != nil {
		return nil, err
	}
	a.Processing, err = json.Marshal(processing{Path: res.Path, Finish: res.Finish, Model: res.Model,
		Degraded: degraded, Usage: usageOf(res.Usage), Steps: len(res.Steps)})
	if err != nil {
		return nil, err
	}
	return a, nil
}
