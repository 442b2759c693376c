package stream

import (
	"strconv"

	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// encode writes the answer as encoding/json does without the escapes for HTML: it is
// the largest text that a turn writes, and most of it is texts and JSON already.
func (a Answer) encode() ([]byte, error) {
	size := 1024 + 2*len(a.Reply) + len(a.Message.Seal)
	for _, p := range a.Parts {
		size += 256 + len(p.Data) + len(p.Text) + len(p.Arguments)
	}
	b := make([]byte, 0, size+size/8)
	text := func(name, value string) { b = rawjson.AppendText(append(b, name...), value) }
	number := func(name string, value int64) { b = strconv.AppendInt(append(b, name...), value, 10) }
	text(`{"reply":`, a.Reply)
	var err error
	if a.Parts == nil {
		b = append(b, `,"parts":null`...)
	} else if b, err = part.AppendList(append(b, `,"parts":`...), a.Parts); err != nil {
		return nil, err
	}
	text(`,"agent":`, a.Agent)
	text(`,"label":`, a.Label)
	text(`,"message":{"id":`, a.Message.ID)
	text(`,"role":`, a.Message.Role)
	text(`,"content":`, a.Message.Content)
	if a.Message.Agent != "" {
		text(`,"agent":`, a.Message.Agent)
	}
	if a.Message.Label != "" {
		text(`,"label":`, a.Message.Label)
	}
	text(`,"seal":`, a.Message.Seal)
	b = append(b, `},"confirmation":`...)
	if a.Confirmation == nil {
		b = append(b, `null`...)
	} else {
		view, err := marshal(a.Confirmation)
		if err != nil {
			return nil, err
		}
		b = append(b, view...)
	}
	text(`,"finish":`, string(a.Finish))
	text(`,"path":`, string(a.Path))
	number(`,"usage":{"input":`, int64(a.Usage.Input))
	number(`,"output":`, int64(a.Usage.Output))
	number(`,"total":`, int64(a.Usage.Total))
	number(`,"cached":`, int64(a.Usage.Cached))
	number(`,"calls":`, int64(a.Usage.Calls))
	if a.Usage.Cost != nil {
		number(`,"costMicros":`, *a.Usage.Cost)
	}
	if a.Usage.Provider != "" {
		text(`,"provider":`, a.Usage.Provider)
	}
	b = append(b, `},"degraded":`...)
	if a.Degraded == nil {
		b = append(b, `null`...)
	} else {
		b = append(b, '[')
		for i, reason := range a.Degraded {
			if i > 0 {
				b = append(b, ',')
			}
			b = rawjson.AppendText(b, reason)
		}
		b = append(b, ']')
	}
	text(`,"requestId":`, a.RequestID)
	text(`,"conversationId":`, a.ConversationID)
	if a.Conversation != nil {
		c, err := marshal(a.Conversation)
		if err != nil {
			return nil, err
		}
		b = append(append(b, `,"conversation":`...), c...)
	}
	return append(b, '}'), nil
}
