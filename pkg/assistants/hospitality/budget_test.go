package hospitality_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// meter counts what a model reads and writes, and keeps the last request.
type meter struct {
	llm.Model
	spent llm.Usage
	last  llm.Request
}

func (m *meter) Answer(ctx context.Context, r llm.Request, show func(text string) error) (llm.Answer, error) {
	m.last = r
	a, err := m.Model.Answer(ctx, r, show)
	m.spent = m.spent.Add(a.Usage)
	return a, err
}

// The router's prompt is read with each message that no open question settles.
func TestTheRoutersPromptIsShort(t *testing.T) {
	const most = 350 // words
	a, m := bernard(t), &meter{Model: builtIn(t)}
	facts, err := a.Facts(t.Context(), manager, friday)
	if err != nil {
		t.Fatal(err)
	}
	said := history.Conversation{Entries: []history.Entry{
		{Role: llm.User, Text: "find the bookings of Meera"},
		{Role: llm.Assistant, Text: "There is one.", State: &history.State{Agent: "reservations"}},
		{Role: llm.User, Text: "list the extras"},
	}}
	if _, err := routerOf(t).Route(t.Context(), m, facts, said); err != nil {
		t.Fatal(err)
	}
	prompt := m.last.Messages[0]
	if n := len(strings.Fields(prompt.Text)); prompt.Role != llm.System || n < 100 || n > most {
		t.Errorf("it has the role %s and %d words, at most %d are wanted", prompt.Role, n, most)
	}
	for _, sentence := range []string{"edit COCO cabin", "edit reservation ABC123", "change weekend price",
		"change check-in date"} {
		if strings.Contains(prompt.Text, sentence) {
			t.Errorf("it quotes %q, which then tests nothing", sentence)
		}
	}
}

// What an ordinary turn costs, router and specialist together, by the built-in
// model's count of a token for four bytes. A tool's result is as long as one
// with ten rows that are shown as a table.
func TestAnOrdinaryTurnIsAffordable(t *testing.T) {
	const most = 9_000 // tokens read and written
	result := `{"table":"t1a","said":"There are 10.","data":[` +
		strings.TrimSuffix(strings.Repeat(`{"code":"K7QMPX","name":"Asha Rao","from":"2026-11-27","to":"2026-11-29",`+
			`"total":12000},`, 10), ",") + `]}`
	for _, said := range []string{
		"Which extras do we have?",
		"Which cabins do we have?",
		"tell me about Deodar",
		"Add an extra called Night Walk, 15 per guest and night",
		"change the weekend price of COCO to 200",
		"Is COCO free next weekend?",
		"who arrives tomorrow?",
		"find the bookings of Meera",
		"cancel reservation ABC123",
		"change the check-in date of reservation ABC123 to 2 December",
		"What was occupancy this month?",
		"simulate the dynamic price for next Saturday",
		"which dishes are on the menu?",
		"which meal selections are still pending?",
		"block COCO from 1 December to 3 December for maintenance",
	} {
		t.Run(said, func(t *testing.T) {
			d := newSession(t)
			m := &meter{Model: d.model}
			d.model, d.result = m, result
			agent, calls, _ := d.say(said)
			if agent == "" || calls == "" {
				t.Fatalf("nobody does it: agent %q, calls %q", agent, calls)
			}
			if n := m.spent.In + m.spent.Out; n > most {
				t.Errorf("%s costs %d tokens in %d calls, at most %d are wanted", agent, n, m.spent.Calls, most)
			} else {
				t.Logf("%s: %d tokens in %d calls", agent, n, m.spent.Calls)
			}
		})
	}
}
