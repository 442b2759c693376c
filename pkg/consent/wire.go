package consent

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// View is a proposal as clients see it. The arguments are not in it: the
// preview describes them.
type View struct {
	ID        string       `json:"id"`
	Tool      string       `json:"tool"`
	Tier      string       `json:"tier"`
	Code      string       `json:"code"`
	Preview   tool.Preview `json:"preview"`
	ExpiresAt time.Time    `json:"expiresAt"`
	State     State        `json:"state"`
}

// View returns what clients see.
func (p Proposal) View() View {
	preview := p.Preview
	preview.Targets, preview.Reads = nil, nil
	return View{ID: p.ID, Tool: p.Tool, Tier: p.Tier, Code: p.Code, Preview: preview, ExpiresAt: p.ExpiresAt,
		State: p.State}
}

// MarshalJSON writes the View: a proposal never leaves with its arguments.
func (p Proposal) MarshalJSON() ([]byte, error) { return json.Marshal(p.View()) }

// Text returns the preview as Markdown with the question at its end. User input
// is escaped, so a name cannot look like part of the question.
func (p Proposal) Text() string {
	var b strings.Builder
	b.WriteString("**" + render.Escape(p.Preview.Title) + "**\n")
	for _, l := range p.Preview.Changed {
		b.WriteString("\n- Changed since you were asked: " + render.Escape(l.Label) + ": " + difference(l))
	}
	for _, l := range p.Preview.Lines {
		b.WriteString("\n- " + render.Escape(l.Label) + ": ")
		if l.Before != "" {
			b.WriteString(render.Escape(l.Before) + " → ")
		}
		b.WriteString(render.Escape(l.After) + mark(l.Origin))
	}
	for _, w := range p.Preview.Warnings {
		b.WriteString("\n- Note: " + render.Escape(w))
	}
	question := "Shall I do this? Answer **yes** or **no**."
	if p.Tier != "MEDIUM" {
		question = "Please confirm with the button, or answer **yes " + p.Code + "**."
	}
	b.WriteString("\n\n" + question + " (" + p.Code + ")")
	return b.String()
}

// difference says "was ₹1,474.20, now ₹4,422.60".
func difference(l tool.Line) string {
	switch {
	case l.Before == "":
		return "now " + render.Escape(l.After)
	case l.After == "":
		return "was " + render.Escape(l.Before) + ", now gone"
	}
	return "was " + render.Escape(l.Before) + ", now " + render.Escape(l.After)
}
