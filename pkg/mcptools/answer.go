package mcptools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// maxAnswer is how much of a result is passed on, in bytes of JSON.
const maxAnswer = 1 << 20

// answer is what a server answered to a call.
type answer struct {
	data  json.RawMessage // JSON, not longer than maxAnswer
	notes []string        // what is not in data
}

// raw returns the data, with the notes where there are some.
func (a answer) raw() json.RawMessage {
	if len(a.notes) == 0 {
		return a.data
	}
	return encoded(map[string]any{"data": a.data, "note": strings.Join(a.notes, " ")})
}

// answered reads a result: its structured content, otherwise its text, as JSON
// where it is that. Links and files of the server are left out, and counted.
func (c *Client) answered(s Server, res *mcp.CallToolResult, x *exchange) (answer, error) {
	var texts []string
	left := 0
	for _, part := range res.Content {
		switch part := part.(type) {
		case *mcp.TextContent:
			texts = append(texts, part.Text)
		case *mcp.EmbeddedResource:
			if part.Resource != nil && part.Resource.Text != "" {
				texts = append(texts, part.Resource.Text)
			} else {
				left++
			}
		default:
			left++
		}
	}
	text := strings.Join(texts, "\n")
	switch {
	case res.IsError:
		f := problem(fault.Unprocessable, codeRefused, errIsError, "The server %s refused: %s", s.Name, spoken(text))
		return answer{}, effect.NotDone(refused{f})
	case res.NeedsInput():
		f := problem(fault.Unprocessable, codeRefused, errAsks,
			"The server %s asks for input, which is not given here.", s.Name)
		return answer{}, effect.NotDone(refused{f})
	}
	a := answer{}
	if structured := x.structured(); structured != nil {
		a.data = structured
	} else if trimmed := bytes.TrimSpace([]byte(text)); len(trimmed) > 0 && strings.ContainsAny(text[:1], "{[") &&
		json.Valid(trimmed) {
		a.data = trimmed
	} else {
		a.data = encoded(map[string]string{"text": text})
	}
	if len(a.data) > maxAnswer {
		if a.data = closed(a.data[:maxAnswer]); a.data == nil {
			a.data = json.RawMessage("null")
		}
		x.cut.Store(true)
	}
	if x.cut.Load() {
		a.notes = append(a.notes, fmt.Sprintf("The answer was too long and is cut: only its first %d KiB are here.",
			len(a.data)>>10))
	}
	if left > 0 {
		a.notes = append(a.notes, fmt.Sprintf("%d links or files of the server are left out.", left))
	}
	return a, nil
}

// structured returns the structured content as it came, nil for none.
func (x *exchange) structured() json.RawMessage {
	var r struct {
		Structured json.RawMessage `json:"structuredContent"`
	}
	raw := x.result.Load()
	if raw == nil || json.Unmarshal(*raw, &r) != nil || string(r.Structured) == "null" {
		return nil
	}
	return r.Structured
}

// number returns the text or number at a JSON Pointer of the answer, "" when
// there is none.
func (a answer) number(pointer string) string {
	if pointer == "" {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(a.data))
	d.UseNumber()
	var at any
	if d.Decode(&at) != nil {
		return ""
	}
	for _, step := range strings.Split(pointer, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch v := at.(type) {
		case map[string]any:
			at = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return ""
			}
			at = v[i]
		default:
			return ""
		}
	}
	switch v := at.(type) {
	case string:
		return strings.ToValidUTF8(v[:min(len(v), maxNumber)], "")
	case json.Number:
		return v.String()
	}
	return ""
}

var (
	errIsError = errors.New("the tool reports an error")
	errAsks    = errors.New("the tool asks for input")
)

// maxNumber bounds a server's name for a record, as the outbox keeps it.
const maxNumber = 200
