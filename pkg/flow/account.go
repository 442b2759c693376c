package flow

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// account holds the counters that the runs of a turn share.
type account struct {
	mu       sync.Mutex
	usage    llm.Usage
	calls    int // of tools
	degraded []string
	mode     json.RawMessage // for the next turn, where it changed
	changed  bool
}

func (a *account) degrade(code string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !slices.Contains(a.degraded, code) {
		a.degraded = append(a.degraded, code)
	}
}

func (a *account) called(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls += n
}

// left is how many calls of tools the turn has left; below zero there are none.
func (a *account) left() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if left := agent.MaxCalls - a.calls; left > 0 {
		return left
	}
	return -1
}

// counted is a model whose use is counted for the turn.
type counted struct {
	llm.Model
	account *account
}

// Answer asks the model.
func (m counted) Answer(ctx context.Context, r llm.Request, show func(string) error) (llm.Answer, error) {
	a, err := m.Model.Answer(ctx, r, show)
	used := a.Usage
	if err == nil {
		used.Calls = 1
	}
	m.account.mu.Lock()
	defer m.account.mu.Unlock()
	m.account.usage = m.account.usage.Add(used)
	return a, err
}
