package openai_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/openai"
)

// load is a call of a specialist in the middle of a conversation: 20 tools and
// 12 messages.
func load() llm.Request {
	var tools []llm.Tool
	for i := range 20 {
		var members []string
		for j := range 6 {
			members = append(members, fmt.Sprintf(`"field_%d":{"type":"string","description":"what the field %d of `+
				`this tool means, in a sentence of usual length"}`, j, j))
		}
		tools = append(tools, llm.Tool{
			Name:        fmt.Sprintf("change_thing_%d", i),
			Description: strings.Repeat("Changes one thing of the property and returns it as it now is. ", 4),
			Parameters: json.RawMessage(`{"type":"object","required":["field_0"],"additionalProperties":false,` +
				`"properties":{` + strings.Join(members, ",") + `}}`),
		})
	}
	messages := []llm.Message{{Role: llm.System, Text: strings.Repeat("You work at the front desk of a hotel. ", 60)}}
	for i := range 3 {
		id := fmt.Sprintf("call_%d", i)
		messages = append(messages,
			llm.Message{Role: llm.User, Text: "Which rooms are free between the 3rd and the 7th, and what would " +
				"\"Deluxe\" cost?"},
			llm.Message{Role: llm.Assistant,
				Calls: []llm.Call{{ID: id, Name: "change_thing_1",
					Arguments: `{"field_0":"2026-05-03","field_1":"2026-05-07"}`}}},
			llm.Message{Role: llm.ToolRole, CallID: id,
				Text: strings.Repeat(`{"room":"101","name":"Deluxe","price":4200,"currency":"INR"},`, 15)})
	}
	messages = append(messages, llm.Message{Role: llm.Assistant, Text: "Two of them."},
		llm.Message{Role: llm.User, Text: "Take the first."})
	return llm.Request{Messages: messages, Tools: llm.NewToolset(tools...)}
}

func BenchmarkAnswer(b *testing.B) {
	r := load()
	if len(r.Messages) != 12 || len(r.Tools.Tools()) != 20 {
		b.Fatal("not the load that was promised")
	}
	deltas := make([]string, 40)
	for i := range deltas {
		deltas[i] = `{"content":"word and word "}`
	}
	stream := []byte(chunks("stop", deltas...))
	one := []byte(whole(`{"content":"`+strings.Repeat("word and word ", 40)+`","refusal":null}`, `"stop"`).body)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		answer, kind := one, "application/json"
		if bytes.Contains(body[max(0, len(body)-200):], []byte(`"stream":true`)) {
			answer, kind = stream, "text/event-stream"
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(answer)
	}))
	defer s.Close()
	c, err := openai.New(openai.Config{BaseURL: s.URL, APIKey: key, Profile: "openai"})
	if err != nil {
		b.Fatal(err)
	}
	shows := map[string]func(string) error{"whole": nil, "streamed": func(string) error { return nil }}
	for _, how := range []string{"whole", "streamed"} {
		show := shows[how]
		b.Run(how+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if a, err := c.Answer(b.Context(), r, show); err != nil || len(a.Text) != 560 {
					b.Fatalf("%d bytes, %v", len(a.Text), err)
				}
			}
		})
		b.Run(how+"/plain", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if n, err := plainCall(s.URL+"/chat/completions", r, show != nil); err != nil || n != 560 {
					b.Fatalf("%d bytes, %v", n, err)
				}
			}
		})
	}
}

type plainFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Arguments   string          `json:"arguments,omitempty"`
}

type plainTool struct {
	ID       string        `json:"id,omitempty"`
	Type     string        `json:"type"`
	Function plainFunction `json:"function"`
}

type plainMessage struct {
	Role    string      `json:"role,omitempty"`
	Content string      `json:"content"`
	CallID  string      `json:"tool_call_id,omitempty"`
	Calls   []plainTool `json:"tool_calls,omitempty"`
}

// plainCall does the same with net/http and encoding/json alone, with no
// check of anything.
func plainCall(url string, r llm.Request, stream bool) (int, error) {
	body := struct {
		Model    string         `json:"model"`
		Tools    []plainTool    `json:"tools"`
		Messages []plainMessage `json:"messages"`
		Stream   bool           `json:"stream"`
	}{Model: "m", Stream: stream}
	for _, t := range r.Tools.Tools() {
		body.Tools = append(body.Tools, plainTool{Type: "function", Function: plainFunction{Name: t.Name,
			Description: t.Description, Parameters: t.Parameters}})
	}
	for _, m := range r.Messages {
		p := plainMessage{Role: string(m.Role), Content: m.Text, CallID: m.CallID}
		for _, call := range m.Calls {
			p.Calls = append(p.Calls, plainTool{ID: call.ID, Type: "function", Function: plainFunction{Name: call.Name,
				Arguments: call.Arguments}})
		}
		body.Messages = append(body.Messages, p)
	}
	data, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	var answer struct {
		Choices []struct {
			Message plainMessage `json:"message"`
			Delta   plainMessage `json:"delta"`
		} `json:"choices"`
	}
	if !stream {
		err := json.NewDecoder(res.Body).Decode(&answer)
		return len(answer.Choices[0].Message.Content), err
	}
	n := 0
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok || bytes.Equal(data, []byte("[DONE]")) {
			continue
		}
		answer.Choices = nil
		if err := json.Unmarshal(data, &answer); err != nil {
			return n, err
		}
		for _, choice := range answer.Choices {
			n += len(choice.Delta.Content)
		}
	}
	return n, lines.Err()
}
