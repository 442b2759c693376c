package flow

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// readUntrusted reports whether an agent reads untrusted text in the
// conversation: in files, in messages that a client marked as not typed, in
// tool results of sealed turns, and in summaries of these. Text counts only
// while the agent's window shows it.
func (t *Turn) readUntrusted(a *agent.Agent) bool {
	return slices.ContainsFunc(t.cfg.History.Within(a.Reads()), t.untrusted)
}

// Untrusted reports whether there is untrusted text anywhere in the conversation.
func (t *Turn) Untrusted() bool { return slices.ContainsFunc(t.cfg.History.Entries, t.untrusted) }

func (t *Turn) untrusted(e history.Entry) bool {
	switch {
	case e.Reading.Text != "" || len(e.Reading.Images) > 0:
		return true
	case e.Role == llm.User:
		return e.Foreign
	}
	return e.State != nil && (!e.State.Replaces.None() || t.answeredUntrusted(e.State))
}

// answeredUntrusted reports whether a tool returned untrusted text in a turn.
// The result of a tool that no longer exists counts as untrusted.
func (t *Turn) answeredUntrusted(s *history.State) bool {
	for _, step := range s.Steps {
		for i, r := range step.Results {
			if i >= len(step.Calls) {
				break
			}
			used, known := t.cfg.Runtime.Tool(step.Calls[i].Name)
			switch {
			case known && slices.Contains(used.Tool.Spec().Untrusted, "*"):
				return true // its errors are untrusted text, too
			case !strings.HasPrefix(r.Text, "{"):
				continue // a sentence of ours
			case !known:
				return true
			}
			if _, outside := used.Tool.Trusted(json.RawMessage(r.Text)); outside {
				return true
			}
		}
	}
	return false
}
