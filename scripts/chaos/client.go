package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// conversation is a person's side: a client that keeps the history.
type conversation struct {
	w        *world
	token    string
	thread   string
	messages []map[string]any
	textOnly bool
}

// said is what came of a request.
type said struct {
	status    int
	raw       []byte
	answer    stream.Answer
	code      string   // of a failure
	committed int      // write_committed events
	failed    []string // tools that were called in vain, and why
	reached   []string // tools that ran or were asked about
	shown     string   // the text chunks put together
	turn      string
}

// say sends a message of the person, under a name that a retry could use.
func (c *conversation) say(ctx context.Context, text string, extra map[string]any) (said, error) {
	if text != "" {
		c.messages = append(c.messages, map[string]any{"role": "user", "content": text})
	}
	body := map[string]any{"id": c.thread, "messages": c.messages, "turn": uuid.NewString()}
	for k, v := range extra {
		body[k] = v
	}
	s, err := c.w.post(ctx, c.w.chat(), c.token, body)
	if err != nil {
		return s, err
	}
	s.turn, _ = body["turn"].(string)
	if s.status == http.StatusOK && s.code == "" {
		next := map[string]any{"role": "assistant", "content": s.answer.Message.Content}
		if !c.textOnly {
			next["seal"] = s.answer.Message.Seal
		}
		c.messages = append(c.messages, next)
	} else if text != "" {
		c.messages = c.messages[:len(c.messages)-1]
	}
	return s, nil
}

// chat is the path of the assistant's turns.
func (w *world) chat() string { return "/api/chat/" + w.scenario.assistant }

// post sends a body and reads the whole stream or document.
func (w *world) post(ctx context.Context, path, token string, body any) (said, error) {
	var s said
	raw, err := json.Marshal(body)
	if err != nil {
		return s, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.door.URL+path, bytes.NewReader(raw))
	if err != nil {
		return s, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return s, err
	}
	defer resp.Body.Close()
	s.status = resp.StatusCode
	if s.raw, err = io.ReadAll(resp.Body); err != nil {
		return s, err
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		var problem struct{ Code string }
		if err := json.Unmarshal(s.raw, &problem); err != nil {
			return s, fmt.Errorf("%s answered %d with %.200s", path, s.status, s.raw)
		}
		s.code = problem.Code
		return s, nil
	}
	return s, s.read()
}

// read takes the events apart.
func (s *said) read() error {
	var shown strings.Builder
	for frame := range bytes.SplitSeq(s.raw, []byte("\n\n")) {
		var name string
		var data []byte
		for line := range bytes.SplitSeq(frame, []byte("\n")) {
			if v, ok := bytes.CutPrefix(line, []byte("event: ")); ok {
				name = string(v)
			}
			if v, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
				data = v
			}
		}
		switch name {
		case "write_committed":
			s.committed++
		case "tool_result":
			var d struct {
				Tool, Message string
				Success       bool
			}
			if err := json.Unmarshal(data, &d); err != nil {
				return err
			}
			if d.Success {
				s.reached = append(s.reached, d.Tool)
			} else {
				s.failed = append(s.failed, d.Tool+": "+d.Message)
			}
		case "response_chunk":
			var d struct{ Text string }
			if err := json.Unmarshal(data, &d); err != nil {
				return err
			}
			shown.WriteString(d.Text)
		case stream.Complete:
			if err := json.Unmarshal(data, &s.answer); err != nil {
				return err
			}
		case stream.Failure:
			var d struct{ Error struct{ Code string } }
			if err := json.Unmarshal(data, &d); err != nil {
				return err
			}
			s.code = d.Error.Code
		}
	}
	s.shown = shown.String()
	return nil
}
