package history

import (
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Shortened returns the conversation with the newest summary that a verified turn made in
// the place of what it covers; c itself where there is none. It is what models read: what
// the client has, and seals, stay as they are.
func (c Conversation) Shortened() Conversation {
	for _, e := range slices.Backward(c.Entries) {
		if e.State != nil && e.State.Shorter.Through > 0 {
			return c.Shorten(e.State.Shorter)
		}
	}
	return c
}

// Shorten returns the conversation with a summary in the place of its first messages. A
// summary that covers less than the one that stands there, or all, is not taken.
func (c Conversation) Shorten(s Shorter) Conversation {
	first := s.Through - c.covered()
	if first <= 0 || first >= len(c.Entries) {
		return c
	}
	if c.covered() > 0 {
		first++ // the summary that stands there
	}
	out := c
	out.Entries = append([]Entry{{Role: llm.Assistant, Text: s.Text,
		State: &State{Replaces: Range{From: 1, To: s.Through}}}}, c.Entries[min(first, len(c.Entries)-1):]...)
	return out
}

// covered is how many messages the summary at the beginning stands for.
func (c Conversation) covered() int {
	if len(c.Entries) == 0 || !c.Entries[0].summary() {
		return 0
	}
	return c.Entries[0].State.Replaces.To
}
