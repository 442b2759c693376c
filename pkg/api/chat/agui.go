package chat

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// aguiAnswer is an entry of resume.
type aguiAnswer struct {
	Interrupt string          `json:"interruptId"`
	Status    string          `json:"status"` // resolved or cancelled
	Payload   json.RawMessage `json:"payload"`
}

// isRun reports whether a request is a run of AG-UI: its body is a RunAgentInput. The
// client's tools, context and state are not read.
func (r request) isRun() bool { return r.ThreadID != "" && r.RunID != "" }

// takeRun makes members of our own API of what AG-UI calls otherwise.
func (r *request) takeRun() {
	r.ID = cmp.Or(r.ID, r.ThreadID)
	if turnShape.MatchString(r.RunID) {
		r.Turn = cmp.Or(r.Turn, r.RunID)
	}
	// Members of our own that a client has no other place for.
	var p struct {
		EntityID  string `json:"entityId"`
		Project   string `json:"projectId"`
		Agent     string `json:"agent"`
		Pipeline  string `json:"pipeline"`
		Deep      bool   `json:"deep"`
		MaxTokens int    `json:"maxTokens"`
		Resumable bool   `json:"resumable"`
	}
	if json.Unmarshal(r.Props, &p) == nil {
		r.EntityID, r.Project = cmp.Or(r.EntityID, p.EntityID), cmp.Or(r.Project, p.Project)
		r.Agent, r.Pipeline = cmp.Or(r.Agent, p.Agent), cmp.Or(r.Pipeline, p.Pipeline)
		r.Resumable = r.Resumable || p.Resumable
		r.Deep, r.MaxTokens = r.Deep || p.Deep, cmp.Or(r.MaxTokens, p.MaxTokens)
	}
	var answers []aguiAnswer
	if json.Unmarshal(r.Resume, &answers) == nil && len(answers) > 0 && r.Confirm == nil {
		r.Confirm = answers[len(answers)-1].confirm()
	}
	r.Messages, r.unanswered = aguiMessages(r.Messages)
}

// confirm returns the answer to the proposal. Only a clear approval is one.
func (a aguiAnswer) confirm() *confirm {
	var payload struct {
		Approved bool   `json:"approved"`
		Phrase   string `json:"phrase"`
	}
	c := &confirm{ID: a.Interrupt, Decision: reject}
	if json.Unmarshal(a.Payload, &payload) == nil {
		c.Phrase = payload.Phrase
		if a.Status == "resolved" && payload.Approved {
			c.Decision = approve
		}
	}
	return c
}

// aguiMessages returns the messages that people and the assistant said, in a form
// that history reads, and the last call of a tool without a result. Messages of the
// client's own making, such as results of tools, are left out: what was done is in
// the seals.
func aguiMessages(raw []json.RawMessage) (said []json.RawMessage, open string) {
	var calls []string
	for _, one := range raw {
		var m struct {
			Role    string          `json:"role"`
			CallID  string          `json:"toolCallId"`
			Content json.RawMessage `json:"content"`
			Calls   []struct {
				ID string `json:"id"`
			} `json:"toolCalls"`
		}
		if json.Unmarshal(one, &m) == nil {
			switch m.Role {
			case "tool":
				calls = slices.DeleteFunc(calls, func(id string) bool { return id == m.CallID })
				continue
			case "reasoning", "activity":
				continue
			case "assistant":
				for _, c := range m.Calls {
					calls = append(calls, c.ID)
				}
			case "user":
				one = withFiles(one, m.Content)
			}
		}
		said = append(said, one)
	}
	if n := len(calls); n > 0 {
		open = calls[n-1]
	}
	return said, open
}

// withFiles returns a person's message with its pictures and documents as parts of
// the form that UI messages have. What has another form stays as it is.
func withFiles(message, content json.RawMessage) json.RawMessage {
	type source struct {
		Type  string `json:"type"`
		Value string `json:"value"`
		MIME  string `json:"mimeType"`
	}
	var parts []struct {
		Type   string  `json:"type"`
		Text   string  `json:"text"`
		Source *source `json:"source"`
	}
	if len(content) == 0 || content[0] != '[' || json.Unmarshal(content, &parts) != nil {
		return message
	}
	list := make([]map[string]string, 0, len(parts))
	for _, p := range parts {
		if p.Source == nil {
			list = append(list, map[string]string{"type": p.Type, "text": p.Text})
			continue
		}
		address := p.Source.Value
		if p.Source.Type == "data" {
			address = "data:" + p.Source.MIME + ";base64," + address
		}
		list = append(list, map[string]string{"type": "file", "url": address, "mediaType": p.Source.MIME,
			"filename": p.Type})
	}
	return withMember(message, "content", list)
}

// agui returns the encoding of a run.
func (t *turn) agui() stream.Encoding {
	var continued *stream.Continued
	if c := t.req.Confirm; c != nil && t.req.unanswered != "" {
		continued = &stream.Continued{CallID: t.req.unanswered, Approved: c.Decision == approve}
	}
	return stream.NewAGUI(t.start.Turn, t.req.ThreadID, t.req.RunID, continued)
}
