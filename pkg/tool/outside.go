package tool

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Act is how a third party's tool that writes is called.
type Act struct {
	// Outbox records the act before it is tried.
	Outbox effect.Outbox
	// Kind names the third party in the outbox, such as "ledger": 1 to 60 bytes.
	Kind string
	// Within is how long an attempt may take; 0 is effect.Once's own time.
	Within time.Duration
	// Attempt calls the tool and returns its answer, with the third party's name
	// for the act, "" if it has none. It is called once for a key, ever; see
	// effect.Outside. A context is the call's own, the arguments are checked.
	Attempt func(ctx context.Context, by identity.Caller, key string, in Raw) (answer any, reference string, err error)
	// LookUp, if not nil, asks the third party whether it knows the key.
	LookUp func(ctx context.Context, by identity.Caller, key string, in Raw) (reference string, found bool, err error)
}

// WasDone is the answer of an act that an earlier attempt did: the third party's
// answer came to that attempt.
type WasDone struct {
	Reference string `json:"reference,omitempty"`
	Done      bool   `json:"done"`
}

// Summarize says what happened.
func (w WasDone) Summarize() string {
	if w.Reference == "" {
		return "This was done already."
	}
	return "This was done already, as " + w.Reference + "."
}

// AtMostOnce makes a tool of FromSchema write: each act is recorded in the
// outbox, tried once, and never tried again blindly. Its result is the third
// party's answer, or a WasDone. Errors are those of effect.Once.
func AtMostOnce(o Act) Option[Raw] {
	return func(t *Tool) {
		if o.Outbox == nil || o.Attempt == nil || o.Kind == "" || len(o.Kind) > 60 {
			return // Check says that it writes without an outbox
		}
		name, ids := t.spec.Foreign, t.spec.IDs
		t.once = true
		t.run = func(ctx context.Context, by identity.Caller, input any) (any, error) {
			// An unknown handle is refused before the act is begun.
			in, err := restored(ctx, *input.(*Raw))
			if err != nil {
				return nil, err
			}
			var answer any
			act := effect.Outside{Kind: o.Kind, Payload: sent{name, in}, Within: o.Within,
				Attempt: func(ctx context.Context, key string) (reference string, err error) {
					answer, reference, err = o.Attempt(ctx, by, key, in)
					return reference, err
				}}
			if o.LookUp != nil {
				act.LookUp = func(ctx context.Context, key string) (reference string, found bool, err error) {
					return o.LookUp(ctx, by, key, in)
				}
			}
			receipt, err := effect.Once(ctx, o.Outbox, by, act)
			if err != nil {
				return nil, err
			}
			if receipt.Again {
				return WasDone{handlesOf(ctx).hideText(receipt.Reference), true}, nil
			}
			return answered(ctx, ids, answer, nil)
		}
	}
}

// sent is what the outbox keeps of a call.
type sent struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// ThroughOutbox says of a tool of ours that it does something outside of our
// transactions, by effect.Once, and that its preview shows what a third party has: the
// preview is built again before the tool acts.
func ThroughOutbox[In any]() Option[In] { return func(t *Tool) { t.once = true } }

type approvedKey struct{}

// WithApproved returns a context in which a tool finds the preview that its call was
// approved by.
func WithApproved(ctx context.Context, p Preview) context.Context {
	return context.WithValue(ctx, approvedKey{}, p)
}

// Approved returns the preview that the call was approved by, so that a tool compares what
// a third party has in the moment of the act with what was shown. It reports false where
// no one was asked.
func Approved(ctx context.Context) (Preview, bool) {
	p, ok := ctx.Value(approvedKey{}).(Preview)
	return p, ok
}

// Line returns what the preview's line of that label shows, "" where it has none.
func (p Preview) Line(label string) string {
	for _, l := range p.Lines {
		if l.Label == label {
			return l.After
		}
	}
	return ""
}

// Outside reports whether what the tool does is outside our transactions, so that
// the database cannot check what its preview was built from.
func (t Tool) Outside() bool { return t.once }
