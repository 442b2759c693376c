package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// measureCalls counts the model calls and the tokens of each turn of a
// conversation with each assistant. The built-in model answers: it chooses the
// tools that a model would, counts four bytes as a token, and takes what begins
// like a recent prompt from its cache, in steps of 128 tokens.
func (l *lab) measureCalls(ctx context.Context) error {
	project, err := l.local(ctx)
	if err != nil {
		return err
	}
	s, err := l.serve(ctx, project.ModelURL())
	if err != nil {
		return err
	}
	defer s.stop()
	for _, sc := range scenarios() {
		rows, err := s.talk(ctx, sc)
		if err != nil {
			return fmt.Errorf("%s: %w", sc.assistant, err)
		}
		l.out.Calls = append(l.out.Calls, rows...)
	}
	return nil
}

// talk has a conversation and returns a row for each turn.
func (s *served) talk(ctx context.Context, sc scenario) ([]callRow, error) {
	type message struct {
		Role    llm.Role `json:"role"`
		Content string   `json:"content"`
		Seal    string   `json:"seal,omitempty"`
	}
	var in struct {
		ID       string    `json:"id"`
		Messages []message `json:"messages"`
	}
	in.ID = history.CallID(0, 0, 0) + time.Now().Format("150405")
	client := &http.Client{}
	defer client.CloseIdleConnections()
	var rows []callRow
	for _, words := range sc.said {
		in.Messages = append(in.Messages, message{Role: llm.User, Content: words})
		body, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		r := load{client: client, url: s.url, path: sc.chat(), token: s.token,
			accept: "application/json", body: body}
		resp, err := r.send(ctx)
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			return nil, err
		}
		var answer struct {
			Agent, Path string
			Message     message
			Usage       struct{ Input, Output, Cached, Calls int }
		}
		if err := json.Unmarshal(data, &answer); err != nil || resp.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%q: %s: %.300s", words, resp.Status, data)
		}
		in.Messages = append(in.Messages, answer.Message)
		u := answer.Usage
		rows = append(rows, callRow{Assistant: sc.assistant, Said: words, Agent: answer.Agent, Path: answer.Path,
			Calls: u.Calls, In: u.Input, Out: u.Output, Cached: u.Cached})
	}
	return rows, nil
}
