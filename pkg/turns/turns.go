// Package turns makes turns idempotent. A client that lost the answer sends the
// same turn again and gets the same answer; a server that resumes a turn after
// a crash finds the model's earlier choices and repeats them.
package turns

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Start identifies one turn.
type Start struct {
	Turn        string
	Fingerprint string
	Assistant   string
	Thread      string
	Lease       time.Duration // how long no other process may run it; above zero
	Attempt     string        // the request that begins it; "" where that is not told
}

// Outcome is the result of an attempt to begin a turn.
type Outcome string

// The outcomes.
const (
	New      Outcome = "new"
	Replay   Outcome = "replay"    // it was finished; Frames holds the answer
	InFlight Outcome = "in_flight" // another process runs it; ask again after RetryAfter
	Mismatch Outcome = "mismatch"  // the same name with other content
	Resume   Outcome = "resume"    // its runner died; Steps holds the choices so far
)

// Begun is the answer to Begin.
type Begun struct {
	Outcome    Outcome
	RetryAfter time.Duration
	Frames     string
	Steps      map[Step]json.RawMessage
}

// Step is a place in a turn at which a model chose: a step, counted from 0, of
// one of its runs.
type Step struct {
	Run    string // "" for the run of a turn that has no others
	Number int
}

// Finish is how a turn ended.
type Finish struct {
	Reason string
	Frames []byte // the data frames as they were sent, for a replay
	Usage  llm.Usage
	Model  string // as the provider names it
	// Settle are the turn's model calls that are not settled yet.
	Settle []limit.Settlement
}

// Latest is a turn that its client may read again.
type Latest struct {
	Turn    string
	Running bool   // by whatever process
	Frames  string // of a turn that was asked for by its name and has ended in the last minutes
}

// Store keeps turns. Each method acts for by; names of turns are by's own.
type Store interface {
	// Begin claims the turn, or reports who has it.
	Begin(ctx context.Context, by identity.Caller, s Start) (Begun, error)
	// Save keeps the model's answer of a step. It must succeed before the
	// step's effects run. Saving another answer for a step that is kept is a
	// fault.Conflict error.
	Save(ctx context.Context, by identity.Caller, s Start, step Step, answer json.RawMessage) error
	// Release ends the lease of an unfinished turn: sent again, it is resumed
	// at once.
	Release(ctx context.Context, by identity.Caller, turn string) error
	// Stop asks by's running turns of a thread to end, whatever process runs
	// them.
	Stop(ctx context.Context, by identity.Caller, thread string) error
	// Stopped reports whether the turn was asked to end.
	Stopped(ctx context.Context, by identity.Caller, turn string) (bool, error)
	// Latest returns by's turn of that name, or "" for the newest, in a thread of
	// an assistant; the zero Latest if there is none that runs or has just ended.
	Latest(ctx context.Context, by identity.Caller, assistant, thread, turn string) (Latest, error)
	// Finish ends the turn and settles its model calls; a turn that was never begun
	// or saved is left so.
	Finish(ctx context.Context, by identity.Caller, turn string, f Finish) error
}

// Fingerprint returns the digest by which two requests are the same.
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

// Journal is the memory of one running turn. It is safe for concurrent use.
type Journal struct {
	store Store
	seals Seals
	by    identity.Caller
	start Start

	mu    sync.Mutex
	steps map[Step]json.RawMessage
	fresh map[Step]llm.Answer // remembered, not yet saved
	kept  bool                // the store knows the turn
}

// NewJournal returns the journal of a turn that begun describes; the zero Begun
// is a turn that the store does not know yet. Stored steps are sealed, and a
// step without a valid seal is not recalled.
func NewJournal(store Store, seals Seals, by identity.Caller, start Start, begun Begun) *Journal {
	return &Journal{store: store, seals: seals, by: by, start: start, steps: begun.Steps, kept: begun.Outcome != ""}
}

// Turn returns the name of the turn.
func (j *Journal) Turn() string { return j.start.Turn }

// Run returns the journal as one run of the turn sees it.
func (j *Journal) Run(name string) RunJournal { return RunJournal{j, name} }

// RunJournal is the memory of one run of a turn.
type RunJournal struct {
	*Journal
	name string
}

// Recall returns the answer that an earlier attempt got in this step of the run.
func (r RunJournal) Recall(step int) (llm.Answer, bool, error) {
	return r.recall(Step{r.name, step})
}

// Remember keeps the answer of a step for the next Save. All choices before an
// effect must be kept: an attempt that chose differently could write twice.
func (r RunJournal) Remember(step int, a llm.Answer) error { return r.remember(Step{r.name, step}, a) }

// choices is the prefix of the names under which a turn's own choices are
// stored among its steps. No run may have this name.
const choices = "choice:"

func (j *Journal) recall(step Step) (llm.Answer, bool, error) {
	j.mu.Lock()
	raw, ok := j.steps[step]
	j.mu.Unlock()
	if !ok {
		return llm.Answer{}, false, nil
	}
	answer, ok := j.seals.open(j.by, j.start, step, raw)
	if !ok {
		return llm.Answer{}, false, nil
	}
	var a llm.Answer
	if err := json.Unmarshal(answer, &a); err != nil {
		return llm.Answer{}, false, fmt.Errorf("read step %d %s of turn %s: %w", step.Number, step.Run, j.start.Turn,
			err)
	}
	return a, true, nil
}

// RecallChoice returns the choice of an earlier attempt under a name, or "".
func (j *Journal) RecallChoice(name string) string {
	a, _, err := j.recall(Step{Run: choices + name})
	if err != nil {
		return ""
	}
	return a.Text
}

// RememberChoice keeps a choice, such as the agent that answers, for the next
// Save.
func (j *Journal) RememberChoice(name, choice string) error {
	return j.remember(Step{Run: choices + name}, llm.Answer{Text: choice})
}

func (j *Journal) remember(step Step, a llm.Answer) error {
	if _, known, err := j.recall(step); known || err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.fresh == nil {
		j.fresh = map[Step]llm.Answer{}
	}
	j.fresh[step] = a
	return nil
}

// saveTime is how long storing what is remembered may take.
const saveTime = 3 * time.Second

// Save stores all that is remembered, the last step last; see Store.Save. Once
// begun it does not end with ctx: a request that is given up may still be carried
// out, and one that is carried out after Release holds the turn again, which then
// seems to run until its lease is over.
func (j *Journal) Save(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer cancel()
	j.mu.Lock()
	defer j.mu.Unlock()
	order := func(a, b Step) int { return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Run, b.Run)) }
	for _, step := range slices.SortedFunc(maps.Keys(j.fresh), order) {
		raw, err := json.Marshal(j.fresh[step])
		if err != nil {
			return fmt.Errorf("encode step %d %s: %w", step.Number, step.Run, err)
		}
		if raw, err = j.seals.seal(j.by, j.start, step, raw); err != nil {
			return fmt.Errorf("seal step %d %s: %w", step.Number, step.Run, err)
		}
		err = j.store.Save(ctx, j.by, j.start, step, raw)
		// Without an answer it may be stored all the same.
		j.kept = j.kept || err == nil || fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Timeout)
		if err != nil {
			return err
		}
		delete(j.fresh, step)
	}
	return nil
}

// Release ends the lease of a turn that failed.
func (j *Journal) Release(ctx context.Context) error {
	if !j.Kept() {
		return nil
	}
	return j.store.Release(ctx, j.by, j.start.Turn)
}

// Finish ends the turn. A turn without a client's name and without writes is
// not stored at all.
func (j *Journal) Finish(ctx context.Context, f Finish) error {
	if !j.Kept() {
		return nil
	}
	return j.store.Finish(ctx, j.by, j.start.Turn, f)
}

// Kept reports whether the store knows the turn, and must learn how it ends.
func (j *Journal) Kept() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.kept
}
