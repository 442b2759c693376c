package agent

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// answer asks the model, once more with a shorter prompt when the provider
// refuses this one for its length. It does so before the first word of an
// answer, so nothing is shown twice.
func (l *loop) answer(ctx context.Context, step int, show func(string) error) (llm.Answer, error) {
	choice := llm.Auto
	if l.Agent.Closing && step == l.Agent.Rounds && l.Agent.Tools.Len() > 0 {
		choice = llm.None
	}
	ask := func() (llm.Answer, error) {
		return l.Model.Answer(ctx, llm.Request{Settings: l.Agent.Settings, Messages: l.messages,
			Tools: l.Agent.Tools.Model(), Choice: choice}, show)
	}
	a, err := ask()
	if f := fault.From(err); f == nil || f.Code != llm.ContextLength || l.short || l.Shorter == nil {
		return a, err
	}
	l.shorten()
	return ask()
}

// shorten makes the prompt about a third as long: the history goes through a
// smaller window, the middles of this turn's results are removed. The record
// for the seal stays complete.
func (l *loop) shorten() {
	l.short = true
	l.out.Degraded = append(l.out.Degraded, "history_shortened")
	spoken, now := l.messages[1:1+len(l.Messages)], l.messages[1+len(l.Messages):]
	target := history.Size(l.messages[1:]) / 3
	w := history.Window{Messages: max(1, len(spoken)/2), Tokens: target / 2}
	results := 0
	for _, m := range now {
		if m.Role == llm.ToolRole {
			results++
		}
	}
	shorter := append([]llm.Message{l.messages[0]}, l.Shorter(w)...)
	l.Messages = shorter[1:]
	for _, m := range now {
		if m.Role == llm.ToolRole {
			m.Text = history.Clip(m.Text, target/2/results)
		}
		shorter = append(shorter, m)
	}
	l.messages = shorter
}
