package stored

import (
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// shown is the metadata of an answer.
type shown struct {
	Parts []part.Part `json:"shown"`
}

// KeepShown returns the metadata that keeps the parts of an answer, or nil for
// none. Drawings are left out: they are made again from the figures.
func KeepShown(parts []part.Part) (json.RawMessage, error) {
	if len(parts) == 0 {
		return nil, nil
	}
	kept := make([]part.Part, len(parts))
	for i, p := range parts {
		if c, ok := figures(p); ok {
			data, err := json.Marshal(c)
			if err != nil {
				return nil, err
			}
			p.Data = data
		}
		kept[i] = p
	}
	list, err := part.AppendList([]byte(`{"shown":`), kept)
	if err != nil {
		return nil, err
	}
	return append(list, '}'), nil
}

// Shown returns the parts that an answer had, with charts drawn again; never nil.
// They are only to be shown with an answer that the server is known to have made.
func Shown(m conversations.Message) []part.Part {
	var s shown
	if m.Role != conversations.Assistant || len(m.Metadata) == 0 || json.Unmarshal(m.Metadata, &s) != nil {
		return []part.Part{}
	}
	for i, p := range s.Parts {
		c, ok := figures(p)
		if !ok {
			continue
		}
		if drawn, err := part.New(part.Draw(c), p.Tool, p.Arguments); err == nil {
			s.Parts[i].Data = drawn.Data
		}
	}
	return append([]part.Part{}, s.Parts...)
}

// figures returns what a chart is drawn from.
func figures(p part.Part) (chart.Chart, bool) {
	var c chart.Chart
	ok := p.Kind == (part.Chart{}).Kind() && json.Unmarshal(p.Data, &c) == nil && c.Check() == nil
	return c, ok
}
