package export

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/api/conversations/stored"
	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/export"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// partBody is a part as an event, an answer or a UI message's data part has it:
// the latter with its members among those of its data.
type partBody struct {
	raw    json.RawMessage
	id     string
	beside string
	text   string
	table  *render.Table
	chart  *chart.Chart
	ours   bool // kept by the server, not sent by a client
}

// UnmarshalJSON reads the part and keeps the bytes. Content that is not what
// its kind says is none.
func (b *partBody) UnmarshalJSON(data []byte) error {
	var w struct {
		Kind   string          `json:"kind"`
		Type   string          `json:"type"` // of a UI message's part: data-<kind>
		ID     string          `json:"id"`
		Beside string          `json:"beside"`
		Text   string          `json:"text"`
		Data   json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*b = partBody{raw: slices.Clone(data), id: w.ID, beside: w.Beside, text: w.Text}
	if kind, ok := strings.CutPrefix(w.Type, "data-"); ok {
		var flat struct {
			Beside string `json:"beside"`
			Text   string `json:"text"`
		}
		if json.Unmarshal(w.Data, &flat) != nil {
			return nil
		}
		w.Kind, b.beside, b.text = kind, flat.Beside, flat.Text
	}
	switch w.Kind {
	case "table":
		var t tableBody
		if json.Unmarshal(w.Data, &t) == nil && len(t.is.Columns) > 0 {
			b.table = &t.is
		}
	case "chart":
		// A drawing of the client's is not taken over: it is drawn anew.
		var c chart.Chart
		if json.Unmarshal(w.Data, &c) == nil && c.Check() == nil {
			b.chart = &c
		}
	case "agent", "status", "history", "committed", "proposal":
		b.text = "" // these are no parts of an answer
	}
	return nil
}

// MarshalJSON returns the bytes as they came.
func (b partBody) MarshalJSON() ([]byte, error) { return b.raw, nil }

// messageParts returns the parts of a UI message that are ours.
func messageParts(message json.RawMessage) []partBody {
	var m struct {
		Parts []json.RawMessage `json:"parts"`
	}
	if json.Unmarshal(message, &m) != nil {
		return nil
	}
	var parts []partBody
	for _, raw := range m.Parts {
		var kind struct {
			Type string `json:"type"`
		}
		var p partBody
		if json.Unmarshal(raw, &kind) == nil && strings.HasPrefix(kind.Type, "data-") &&
			json.Unmarshal(raw, &p) == nil {
			parts = append(parts, p)
		}
	}
	return parts
}

// keptParts returns the parts that the server kept with an answer, without those
// that are only there to press.
func keptParts(m conversations.Message) []partBody {
	var list []partBody
	for _, p := range stored.Shown(m) {
		raw, err := json.Marshal(p)
		var b partBody
		if err == nil && p.Kind != "choices" && json.Unmarshal(raw, &b) == nil {
			b.ours = true
			list = append(list, b)
		}
	}
	return list
}

const (
	chartAsSent = "This chart is as the client sent it; it is not verified."
	textAsSent  = "This is as the client sent it; it is not verified."
)

// besides lays out what is no table: charts, and the words of other kinds.
func (b partBody) besides() []export.Block {
	switch {
	case b.table != nil:
		return nil
	case b.chart != nil && b.ours:
		return []export.Block{{Chart: b.chart}}
	case b.chart != nil:
		return []export.Block{{Chart: b.chart}, {Text: chartAsSent}}
	}
	if strings.TrimSpace(b.text) == "" {
		return nil
	}
	if b.ours {
		return export.Text(b.text)
	}
	return export.Text(b.text + "\n" + textAsSent)
}

// before puts the blocks of a part in front of the table beside which it
// stands, if that is among the blocks.
func before(blocks []export.Block, part partBody, all []partBody) ([]export.Block, bool) {
	i := slices.IndexFunc(all, func(p partBody) bool { return p.table != nil && p.id != "" && p.id == part.beside })
	if i < 0 {
		return blocks, false
	}
	at := slices.IndexFunc(
		blocks,
		func(b export.Block) bool { return b.Table != nil && export.SameHead(*b.Table, *all[i].table) },
	)
	if at < 0 {
		return blocks, false
	}
	return slices.Insert(blocks, at, part.besides()...), true
}
