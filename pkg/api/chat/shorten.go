package chat

import (
	"cmp"
	"context"

	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/summary"
)

// notShortened is the degraded code of an answer for which a long conversation was cut and
// not summed up.
const notShortened = "not_shortened"

// shorten returns the conversation as models read it in this turn. One that has outgrown
// the agents' window gets a summary in the place of its first half, made by the cheap
// model, once: it travels in the seal of the answer, so that the next turns, which send
// all messages again, need no other until the window is full anew (S1-37).
func (t *turn) shorten(ctx context.Context) history.Conversation {
	if !t.assistant.Shortens {
		return t.conv
	}
	conv, w := t.conv.Shortened(), t.window()
	if len(conv.Within(w)) >= len(conv.Entries) || w.Messages < 4 {
		return conv
	}
	if t.req.Confirm != nil || t.req.Run != nil {
		return conv // no model is asked
	}
	// What stays leaves room for as much again.
	stays := len(conv.Within(history.Window{Messages: w.Messages / 2, Tokens: w.Tokens / 2})) - 1
	var earlier summary.Summary
	covered := 0
	if first := conv.Entries[0]; first.State != nil && !first.State.Replaces.None() {
		earlier, _ = summary.Read(first.Text)
		covered = 1
	}
	var items []summary.Item
	for _, e := range conv.Entries[covered : len(conv.Entries)-stays] {
		item := summary.Item{Who: cmp.Or(t.by.Name, "user"), Text: e.Text, Doubtful: e.Foreign}
		if e.Role == llm.Assistant {
			item.Who, item.Doubtful = t.assistant.Title, e.State == nil
		}
		items = append(items, item)
	}
	m, err := t.model(ctx, llm.Cheap)
	if err == nil && len(items) > 0 {
		maker := summary.Maker{Model: m, Tokens: history.Tokens}
		bounded, cancel := context.WithTimeout(ctx, summary.StepTime)
		defer cancel()
		var made summary.Summary
		if made, _, err = maker.Add(bounded, earlier, items[:maker.Fits(items)]); err == nil {
			t.shorter = history.Shorter{Through: made.Covers, Text: made.Text()}
			return conv.Shorten(t.shorter)
		}
	}
	if err != nil {
		httpx.Note(ctx, err)
		t.cut = true
	}
	return conv
}

// window is the smallest of the assistant's agents'.
func (t *turn) window() history.Window {
	var least history.Window
	for i, a := range t.assistant.Agents {
		w := a.Reads()
		if i == 0 || w.Messages < least.Messages {
			least.Messages = w.Messages
		}
		if w.Tokens > 0 && (least.Tokens == 0 || w.Tokens < least.Tokens) {
			least.Tokens = w.Tokens
		}
	}
	return least
}
