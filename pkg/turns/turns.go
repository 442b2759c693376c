// Package turns makes a repeated request harmless. A client that lost the
// answer sends the same turn again and gets the same answer; a server that
// died in the middle finds the model's earlier choices and does not choose
// anew.
package turns

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Start identifies one turn.
type Start struct {
	Turn        string
	Fingerprint string
	Assistant   string
	Thread      string
	Lease       time.Duration // how long nobody else may run it; above zero
}

// Outcome is what became of an attempt to begin.
type Outcome string

// The outcomes.
const (
	New      Outcome = "new"
	Replay   Outcome = "replay"    // it was finished; Frames holds the answer
	InFlight Outcome = "in_flight" // somebody runs it; ask again after RetryAfter
	Mismatch Outcome = "mismatch"  // the same name with other content
	Resume   Outcome = "resume"    // its runner died; Steps holds the choices so far
)

// Begun is the answer to Begin.
type Begun struct {
	Outcome    Outcome
	RetryAfter time.Duration
	Frames     string
	Steps      map[int]json.RawMessage
}

// Finish is how a turn ended.
type Finish struct {
	Reason string
	Frames []byte // the data frames as they were sent, for a replay
	Usage  llm.Usage
	Model  string // as the provider names it
}

// Store keeps turns. Each method acts for by; names of turns are by's own.
type Store interface {
	// Begin claims the turn, or says who has it.
	Begin(ctx context.Context, by identity.Caller, s Start) (Begun, error)
	// Save keeps the model's answer of a step. It must succeed before the
	// step's effects run. Saving another answer for a step that is kept is a
	// fault.Conflict error.
	Save(ctx context.Context, by identity.Caller, s Start, step int, answer json.RawMessage) error
	// Release gives an unfinished turn back: sent again, it is resumed at
	// once instead of after its lease.
	Release(ctx context.Context, by identity.Caller, turn string) error
	// Stop asks by's running turns of a thread to end, whatever process runs
	// them.
	Stop(ctx context.Context, by identity.Caller, thread string) error
	// Stopped reports whether the turn was asked to end.
	Stopped(ctx context.Context, by identity.Caller, turn string) (bool, error)
	// Finish ends the turn; a turn that was never begun or saved is left so.
	Finish(ctx context.Context, by identity.Caller, turn string, f Finish) error
}

// Fingerprint digests what makes two requests the same one.
func Fingerprint(by identity.Caller, path, representation string, body []byte) string {
	h := sha256.New()
	for _, part := range []string{by.OrgID, by.Subject(), path, representation} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		io.WriteString(h, part)
	}
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// Journal is the memory of one running turn.
type Journal struct {
	store Store
	by    identity.Caller
	start Start
	steps map[int]json.RawMessage
	fresh map[int]llm.Answer // remembered, not yet saved
	kept  bool               // the store knows the turn
}

// NewJournal returns the journal of a turn that begun describes; the zero Begun
// is a turn that the store does not know yet.
func NewJournal(store Store, by identity.Caller, start Start, begun Begun) *Journal {
	return &Journal{store: store, by: by, start: start, steps: begun.Steps, kept: begun.Outcome != ""}
}

// Turn returns the name of the turn.
func (j *Journal) Turn() string { return j.start.Turn }

// Recall returns the answer that an earlier attempt got in this step.
func (j *Journal) Recall(step int) (llm.Answer, bool, error) {
	raw, ok := j.steps[step]
	if !ok {
		return llm.Answer{}, false, nil
	}
	var a llm.Answer
	if err := json.Unmarshal(raw, &a); err != nil {
		return llm.Answer{}, false, fmt.Errorf("read step %d of turn %s: %w", step, j.start.Turn, err)
	}
	return a, true, nil
}

// routeStep is where the route stands among the steps; no agent has so many.
const routeStep = 1000

// RecallRoute returns the agent that an earlier attempt chose, or "".
func (j *Journal) RecallRoute() string {
	a, _, err := j.Recall(routeStep)
	if err != nil {
		return ""
	}
	return a.Text
}

// RememberRoute keeps the chosen agent for the next Save.
func (j *Journal) RememberRoute(agent string) error {
	return j.Remember(routeStep, llm.Answer{Text: agent})
}

// Remember keeps the answer of a step for the next Save. All choices before an
// effect belong to it: an attempt that chose anew there could act twice.
func (j *Journal) Remember(step int, a llm.Answer) error {
	if _, known := j.steps[step]; known {
		return nil
	}
	if j.fresh == nil {
		j.fresh = map[int]llm.Answer{}
	}
	j.fresh[step] = a
	return nil
}

// Save stores all that is remembered, the last step last; see Store.Save.
func (j *Journal) Save(ctx context.Context) error {
	for _, step := range slices.Sorted(maps.Keys(j.fresh)) {
		raw, err := json.Marshal(j.fresh[step])
		if err != nil {
			return fmt.Errorf("encode step %d: %w", step, err)
		}
		if err := j.store.Save(ctx, j.by, j.start, step, raw); err != nil {
			return err
		}
		j.kept = true
		delete(j.fresh, step)
	}
	return nil
}

// Release gives a turn that failed back.
func (j *Journal) Release(ctx context.Context) error {
	if !j.kept {
		return nil
	}
	return j.store.Release(ctx, j.by, j.start.Turn)
}

// Finish ends the turn. A turn that nobody can name again and that wrote
// nothing is not stored at all.
func (j *Journal) Finish(ctx context.Context, f Finish) error {
	if !j.kept {
		return nil
	}
	return j.store.Finish(ctx, j.by, j.start.Turn, f)
}
