package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// The plain loop: what one would write in an afternoon with net/http and
// encoding/json. Requests are encoded from structs each time, answers decoded
// into structs, nothing is checked.

type plainFunction struct {
	Name        string          `json:"name,omitempty"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Arguments   string          `json:"arguments,omitempty"`
}

type plainTool struct {
	Index    int           `json:"index,omitempty"`
	ID       string        `json:"id,omitempty"`
	Type     string        `json:"type,omitempty"`
	Function plainFunction `json:"function"`
}

type plainMessage struct {
	Role    string      `json:"role,omitempty"`
	Content string      `json:"content"`
	CallID  string      `json:"tool_call_id,omitempty"`
	Calls   []plainTool `json:"tool_calls,omitempty"`
}

type plainRequest struct {
	Model     string         `json:"model"`
	Tools     []plainTool    `json:"tools"`
	Messages  []plainMessage `json:"messages"`
	MaxTokens int            `json:"max_completion_tokens,omitempty"`
	Stream    bool           `json:"stream,omitempty"`
}

type plainAnswer struct {
	Choices []struct {
		Message plainMessage `json:"message"`
		Delta   plainMessage `json:"delta"`
		Finish  string       `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		In  int `json:"prompt_tokens"`
		Out int `json:"completion_tokens"`
	} `json:"usage"`
}

type plain struct {
	model  string
	client *http.Client
	router []plainTool
	tools  []plainTool
}

func newPlain(t task) http.Handler {
	p := &plain{model: t.Model, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	if set, err := newTools(t.Tools); err == nil {
		p.tools = plainTools(set.Model().Tools())
	}
	p.router = plainTools([]llm.Tool{{
		Name: "route_to_agent", Description: "Hands the conversation to the agent that should answer the person's " +
			"last message.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"agent":{"type":"string","enum":["` +
			strings.Join(agentNames(), `","`) +
			`"],"description":"the agent that should answer"},"reasoning":{"type":"string","description":"why,` +
			` in a few words; for the log"}},"required":["agent","reasoning"],"additionalProperties":false}`),
	}})
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/chat/"+assistantName, p.chat)
	return mux
}

func plainTools(tools []llm.Tool) []plainTool {
	var out []plainTool
	for _, t := range tools {
		out = append(out, plainTool{Type: "function", Function: plainFunction{Name: t.Name, Description: t.Description,
			Parameters: t.Parameters}})
	}
	return out
}

func (p *plain) chat(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Messages []plainMessage `json:"messages"`
		ID       string         `json:"id"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var show func(name string, data any) error
	if r.Header.Get("Accept") == eventStream {
		w.Header().Set("Content-Type", eventStream)
		flush := http.NewResponseController(w)
		show = func(name string, data any) error {
			body, err := json.Marshal(data)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, body); err != nil {
				return err
			}
			return flush.Flush()
		}
	}
	text, err := p.turn(r.Context(), in.Messages, show)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	answer := map[string]string{"reply": text, "agent": "desk"}
	if show != nil {
		_ = show("complete", answer)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// turn asks the router, then the specialist until it calls no more tools.
func (p *plain) turn(ctx context.Context, history []plainMessage, show func(string, any) error) (string, error) {
	today := time.Now().Format(time.DateOnly)
	system := "You decide who answers at a large store."
	for _, name := range agentNames() {
		system += "\n- " + name + ": " + agentAbout(name)
	}
	system += "\nLast: desk. Property: Sojourn Cabins, today " + today + "."
	messages := []plainMessage{{Role: "system", Content: system}}
	for _, m := range history {
		if m.Role == "user" || m.Role == "assistant" && len(m.Calls) == 0 {
			messages = append(messages, m)
		}
	}
	routed, err := p.ask(ctx, plainRequest{Model: "m", Tools: p.router, Messages: messages, MaxTokens: 200}, nil)
	if err != nil {
		return "", err
	}
	var route struct{ Agent, Reasoning string }
	if len(routed.Calls) == 0 {
		return routed.Content, nil
	}
	if err := json.Unmarshal([]byte(routed.Calls[0].Function.Arguments), &route); err != nil {
		return "", err
	}
	messages = append([]plainMessage{{Role: "system", Content: rules() + "\nYou work for Sojourn Cabins. Today is " +
		today + "."}}, history...)
	for range 8 {
		answer, err := p.ask(ctx, plainRequest{Model: "m", Tools: p.tools, Messages: messages, Stream: show != nil},
			show)
		if err != nil {
			return "", err
		}
		if len(answer.Calls) == 0 {
			return answer.Content, nil
		}
		messages = append(messages, answer)
		for _, c := range answer.Calls {
			if show != nil {
				if err := show("executing_tool", map[string]string{"tool": c.Function.Name,
					"arguments": c.Function.Arguments}); err != nil {
					return "", err
				}
			}
			result, err := runPlain(c.Function)
			if err != nil {
				return "", err
			}
			if show != nil {
				if err := show("tool_result", map[string]string{"tool": c.Function.Name}); err != nil {
					return "", err
				}
			}
			messages = append(messages, plainMessage{Role: "tool", CallID: c.ID, Content: result})
		}
	}
	return "", errors.New("too many rounds")
}

func runPlain(f plainFunction) (string, error) {
	var out any
	var err error
	switch f.Name {
	case toolName(0):
		var in freeInput
		err = json.Unmarshal([]byte(f.Arguments), &in)
		out = findFreeItems()
	case toolName(1):
		var in priceInput
		err = json.Unmarshal([]byte(f.Arguments), &in)
		out = priceItem(in.Item)
	case toolName(2):
		var in itemInput
		err = json.Unmarshal([]byte(f.Arguments), &in)
		out = showItem(in.Item)
	default:
		err = fmt.Errorf("no tool %q", f.Name)
	}
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(out)
	return string(data), err
}

// ask makes one call of the model.
func (p *plain) ask(ctx context.Context, in plainRequest, show func(string, any) error) (plainMessage, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return plainMessage{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.model+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return plainMessage{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer sk-bench")
	resp, err := p.client.Do(r)
	if err != nil {
		return plainMessage{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return plainMessage{}, errors.New(resp.Status)
	}
	if in.Stream {
		return readPlainStream(resp.Body, show)
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return plainMessage{}, err
	}
	var answer plainAnswer
	if err := json.Unmarshal(data, &answer); err != nil {
		return plainMessage{}, err
	}
	if len(answer.Choices) == 0 {
		return plainMessage{}, errors.New("no choice")
	}
	return answer.Choices[0].Message, nil
}

func readPlainStream(body io.Reader, show func(string, any) error) (plainMessage, error) {
	m := plainMessage{Role: "assistant"}
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok || bytes.Equal(data, []byte("[DONE]")) {
			continue
		}
		var chunk plainAnswer
		if err := json.Unmarshal(data, &chunk); err != nil {
			return m, err
		}
		if len(chunk.Choices) == 0 {
			continue
		}
		delta := chunk.Choices[0].Delta
		if delta.Content != "" {
			m.Content += delta.Content
			if err := show("response_chunk", map[string]string{"text": delta.Content}); err != nil {
				return m, err
			}
		}
		for _, c := range delta.Calls {
			for len(m.Calls) <= c.Index {
				m.Calls = append(m.Calls, plainTool{Type: "function"})
			}
			call := &m.Calls[c.Index]
			call.ID += c.ID
			call.Function.Name += c.Function.Name
			call.Function.Arguments += c.Function.Arguments
		}
	}
	return m, lines.Err()
}
