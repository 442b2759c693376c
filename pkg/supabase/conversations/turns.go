package conversations

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/turns"
)

var _ conversations.Turns = Store{}

// opening is a TurnOpening as turn_open takes it.
type opening struct {
	Door    string          `json:"door,omitempty"`
	User    int             `json:"user"`
	Org     int             `json:"org"`
	Entity  string          `json:"entity,omitempty"`
	Kind    string          `json:"kind,omitempty"`
	Turn    *start          `json:"turn,omitempty"`
	Message json.RawMessage `json:"message,omitempty"`
	Budget  *firstCall      `json:"budget,omitempty"`
}

type firstCall struct {
	Assistant string `json:"assistant"`
	Model     string `json:"model"`
	In        int    `json:"in"`
	Out       int    `json:"out"`
}

type start struct {
	Turn        string `json:"turn"`
	Fingerprint string `json:"fingerprint"`
	Assistant   string `json:"assistant"`
	Thread      string `json:"thread"`
	LeaseMs     int64  `json:"leaseMs"`
	Attempt     string `json:"attempt,omitempty"`
}

// opened is what turn_open answers.
type opened struct {
	Who          supabase.Who
	Rate         control.RateAnswer
	Turn         *control.TurnAnswer
	Conversation *conversations.Recorded
	Budget       struct {
		Hold limit.Hold `json:"hold"`
	}
}

var _ supabase.Reader = (*opened)(nil)

// Read implements supabase.Reader.
func (o *opened) Read(answer rawjson.Value) error {
	for name, value := range answer.Members() {
		var err error
		switch string(name) {
		case "who":
			err = o.Who.Read(value)
		case "rate":
			err = json.Unmarshal(value, &o.Rate)
		case "turn":
			err = json.Unmarshal(value, &o.Turn)
		case "conversation":
			err = json.Unmarshal(value, &o.Conversation)
		case "budget":
			err = json.Unmarshal(value, &o.Budget)
		}
		if err != nil {
			return fmt.Errorf("the member %s: %w", name, err)
		}
	}
	return nil
}

// OpenTurn begins a turn; see conversations.Turns. What only asks who the caller is
// writes nothing.
func (s Store) OpenTurn(ctx context.Context, by identity.Caller,
	o conversations.TurnOpening) (conversations.OpenedTurn, error) {
	if o.Turn == nil && o.Message == nil && o.Rate == (identity.Rate{}) {
		return s.look(ctx, by, o.Door)
	}
	p := opening{Door: o.Door, User: o.Rate.User, Org: o.Rate.Org, Entity: o.Entity, Kind: o.Kind}
	if t := o.Turn; t != nil {
		p.Turn = &start{t.Turn, t.Fingerprint, t.Assistant, t.Thread, t.Lease.Milliseconds(), t.Attempt}
	}
	if o.Message != nil {
		raw, err := json.Marshal(messageOf(*o.Message))
		if err != nil {
			return conversations.OpenedTurn{}, fmt.Errorf("encode a message: %w", err)
		}
		p.Message = storable(raw)
	}
	if o.FirstCall.Model != "" {
		p.Budget = &firstCall{o.Assistant, o.FirstCall.Model, o.FirstCall.In, o.FirstCall.Out}
	}
	answer, err := supabase.CallAgain[opened](ctx, s.as(by), "turn_open", supabase.Args{"p": p})
	if err != nil {
		return conversations.OpenedTurn{}, err
	}
	out := conversations.OpenedTurn{Rate: answer.Rate.Take(), Recorded: answer.Conversation,
		Hold: answer.Budget.Hold}
	if answer.Turn != nil {
		out.Turn = answer.Turn.Begun()
	}
	out.By, err = s.client.Caller(answer.Who, by.Token)
	return out, err
}

// look asks who the caller is, and counts the request only where the
// organisation has rates of its own.
func (s Store) look(ctx context.Context, by identity.Caller, door string) (conversations.OpenedTurn, error) {
	who, err := s.client.Whoami(ctx, by.Token)
	out := conversations.OpenedTurn{By: who}
	if rate, ok := who.Plan.Rates[door]; err == nil && ok && rate != (identity.Rate{}) {
		out.Rate, err = control.NewLimits(s.client).Take(ctx, who, door, rate)
	}
	return out, err
}

// CloseTurn ends a turn; see conversations.Turns.
func (s Store) CloseTurn(ctx context.Context, by identity.Caller, turn string, a conversations.Answer,
	f turns.Finish) error {
	args := control.FinishArgs(turn, f)
	args["p_answer"] = encodeAnswer(a)
	_, err := again[json.RawMessage](ctx, s.as(by), "turn_close", args)
	return err
}

// message is a person's message as the database's functions take it.
type message struct {
	Metadata      *metadata `json:"metadata"`
	Assistant     string    `json:"assistant"`
	Prefix        string    `json:"prefix"`
	EntityID      string    `json:"entityId"`
	Thread        string    `json:"thread"`
	ProjectID     string    `json:"projectId"`
	CreateProject bool      `json:"createProject"`
	Turn          string    `json:"turn"`
	MessageID     string    `json:"messageId"`
	Replaces      string    `json:"replaces"`
	Text          string    `json:"text"`
	Title         string    `json:"title"`
	Foreign       bool      `json:"foreign"`
	Tokens        int       `json:"tokens"`
}

type metadata struct {
	Files []conversations.File `json:"files"`
}

func messageOf(w conversations.UserMessage) message {
	m := message{
		Assistant: w.Assistant, Prefix: w.Prefix, EntityID: w.EntityID, Thread: w.Thread, ProjectID: w.ProjectID,
		CreateProject: w.CreateProject, Turn: w.Turn, MessageID: w.MessageID, Replaces: w.Replaces, Text: w.Text,
		Title: conversations.Title(w.Text), Foreign: w.Foreign, Tokens: w.Tokens,
	}
	if len(w.Files) > 0 {
		m.Metadata = &metadata{w.Files}
	}
	return m
}

// encodeAnswer writes an assistant's answer as the database's functions take it.
// What is JSON in it is taken as it is: the call that it becomes a part of is
// checked as a whole.
func encodeAnswer(a conversations.Answer) json.RawMessage {
	b := make([]byte, 0, 256+len(a.Text)+len(a.Text)/8+len(a.ToolCalls)+len(a.Processing)+len(a.Metadata)+len(a.Token))
	open := byte('{')
	name := func(name string) {
		b = append(append(append(append(b, open), '"'), name...), '"', ':')
		open = ','
	}
	for _, text := range []struct{ name, value string }{{"id", a.ID}, {"turn", a.Turn}, {"text", a.Text},
		{"agent", a.Agent}, {"label", a.Label}, {"token", a.Token}} {
		name(text.name)
		b = rawjson.AppendText(b, text.value)
	}
	for _, raw := range []struct {
		name  string
		value json.RawMessage
	}{{"toolCalls", a.ToolCalls}, {"processing", a.Processing}, {"metadata", a.Metadata}} {
		if len(raw.value) > 0 {
			name(raw.name)
			b = append(b, raw.value...)
		}
	}
	name("tokens")
	return storable(append(strconv.AppendInt(b, int64(a.Tokens), 10), '}'))
}
