package flow

import (
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// MaxMode bounds the state of a flow that travels with the conversation, in
// bytes of JSON. Larger state belongs in tables.
const MaxMode = 16 << 10

// ModeNotKept is the degraded code of an answer whose flow could not keep its
// state.
const ModeNotKept = "mode_not_kept"

// ModeTooLarge is the error of a state that does not fit.
type ModeTooLarge struct{ Bytes int }

// Error says how large the state is.
func (e *ModeTooLarge) Error() string {
	return fmt.Sprintf("flow: the mode has %d bytes, and there is room for %d", e.Bytes, MaxMode)
}

// Mode reads the state that the flow kept in the last turn whose answer is
// verified, into v. It reports false where there is none.
func (t *Turn) Mode(v any) (bool, error) {
	mode := t.mode()
	if mode == nil {
		return false, nil
	}
	return true, json.Unmarshal(mode, v)
}

// SetMode keeps v, as JSON, for the next turn; nil keeps nothing. Without it the
// last state stays. So it does when v is larger than MaxMode, which is a
// *ModeTooLarge error; the answer then says that the state was not kept.
func (t *Turn) SetMode(v any) error {
	var mode json.RawMessage
	if v != nil {
		var err error
		if mode, err = json.Marshal(v); err != nil {
			return fmt.Errorf("encode the mode: %w", err)
		}
	}
	if len(mode) > MaxMode {
		t.account.degrade(ModeNotKept)
		return &ModeTooLarge{len(mode)}
	}
	t.account.mu.Lock()
	defer t.account.mu.Unlock()
	t.account.mode, t.account.changed = mode, true
	return nil
}

// KeptMode returns the state that the answer's seal carries to the next turn.
func (t *Turn) KeptMode() json.RawMessage {
	t.account.mu.Lock()
	defer t.account.mu.Unlock()
	if t.account.changed {
		return t.account.mode
	}
	return t.mode()
}

// mode is the state of the last verified answer.
func (t *Turn) mode() json.RawMessage {
	for i := len(t.History.Entries) - 1; i >= 0; i-- {
		if e := t.History.Entries[i]; e.Role == llm.Assistant && e.State != nil && e.State.Replaces.None() {
			return e.State.Mode
		}
	}
	return nil
}
