package history_test

import (
	"fmt"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Models read a summary in the place of the messages that it covers, whether the client
// sends all messages again or the summary of an earlier cut and what followed it.
func TestASummaryTakesThePlaceOfWhatItCovers(t *testing.T) {
	var all history.Conversation
	for n := 1; n <= 12; n++ {
		e := history.Entry{Role: llm.User, Text: fmt.Sprint(n), Number: n - 1}
		if n%2 == 0 {
			e.Role, e.State = llm.Assistant, &history.State{}
		}
		all.Entries = append(all.Entries, e)
	}
	texts := func(c history.Conversation) (list []string) {
		for _, e := range c.Entries {
			list = append(list, e.Text)
		}
		return list
	}
	all.Entries[7].State.Shorter = history.Shorter{Through: 4, Text: "first four"}
	all.Entries[9].State.Shorter = history.Shorter{Through: 6, Text: "first six"}
	if got := fmt.Sprint(texts(all.Shortened())); got != "[first six 7 8 9 10 11 12]" {
		t.Errorf("of all messages models read %s", got)
	}
	tail := history.Conversation{Entries: append([]history.Entry{{Role: llm.Assistant, Text: "first four",
		State: &history.State{Replaces: history.Range{From: 1, To: 4}}}}, all.Entries[4:]...)}
	if got := fmt.Sprint(texts(tail.Shortened())); got != "[first six 7 8 9 10 11 12]" {
		t.Errorf("of a summary and what followed models read %s", got)
	}
	// An older summary takes nothing from a newer one, and one of everything is not taken.
	for _, s := range []history.Shorter{{Through: 3, Text: "three"}, {Through: 40, Text: "forty"}} {
		if got := fmt.Sprint(texts(tail.Shorten(s))); got != fmt.Sprint(texts(tail)) {
			t.Errorf("through %d: %s", s.Through, got)
		}
	}
}
