package summary_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/summary"
)

// book is a list of what is due, and a store in which everything is summed up.
type book struct {
	summary.Store
	mu     sync.Mutex
	due    int // conversations
	given  int
	wanted []string
	claim  func(id string) error
}

func (b *book) Due(_ context.Context, r summary.Rule) ([]summary.Ticket, error) {
	var out []summary.Ticket
	for ; b.given < b.due && len(out) < r.Limit; b.given++ {
		out = append(out, summary.Ticket{Org: "org", ID: fmt.Sprint(b.given)})
	}
	return out, nil
}

func (b *book) Want(_ context.Context, t summary.Ticket) error {
	b.wanted = append(b.wanted, t.ID)
	return nil
}

func (b *book) Claim(_ context.Context, by identity.Caller, ref summary.Ref, _ summary.Terms) (summary.Claim, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return summary.Claim{Outcome: summary.Nothing}, b.claim(ref.ID)
}

type queue func(tickets []summary.Ticket) error

func (q queue) Send(_ context.Context, tickets []summary.Ticket) error { return q(tickets) }

// However much is due, a schedule goes through all of it, and one that breaks is
// one that failed.
func TestAScheduleGoesThroughAllThatIsDue(t *testing.T) {
	t.Parallel()
	failed := 0
	b := &book{due: 250, claim: func(id string) error {
		switch id {
		case "7":
			panic("canary")
		case "8":
			return errors.New("no")
		}
		return nil
	}}
	j := summary.Jobs{Due: b, Store: b, Failed: func(context.Context, summary.Ticket,
		error) {
		b.mu.Lock()
		failed++
		b.mu.Unlock()
	}}
	r, err := j.Schedule(t.Context())
	if err != nil || r != (summary.Report{Due: 250, Done: 248, Failed: 2}) || failed != 2 {
		t.Errorf("it reports %+v, %v; %d are told", r, err, failed)
	}
	sent := 0
	b.given = 0
	j.Queue = queue(func(tickets []summary.Ticket) error { sent += len(tickets); return nil })
	if r, err := j.Schedule(t.Context()); err != nil || r != (summary.Report{Due: 250, Queued: 250}) || sent != 250 {
		t.Errorf("with a queue it reports %+v, %v", r, err)
	}
	b.given = 0
	j.Queue = queue(func([]summary.Ticket) error { return errors.New("full") })
	if r, err := j.Schedule(t.Context()); err == nil || r.Queued != 0 {
		t.Errorf("with a full queue it reports %+v, %v", r, err)
	}
}

// What there is no time for is wanted again.
func TestAScheduleThatHasNoTimeLeavesTheRest(t *testing.T) {
	t.Parallel()
	b := &book{due: 150, claim: func(string) error { return nil }}
	short, done := context.WithTimeout(t.Context(), time.Second)
	defer done()
	r, err := summary.Jobs{Due: b, Store: b}.Schedule(short)
	if err != nil || r != (summary.Report{Due: 100, Left: 100}) || len(b.wanted) != 100 || b.wanted[0] != "0" {
		t.Errorf("it reports %+v, %v; %d are wanted", r, err, len(b.wanted))
	}
}
