package effect

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// State is what is known of an act outside of our database.
type State string

// The states of an act outside.
const (
	Started State = "STARTED" // it may be on its way
	Done    State = "DONE"
	Failed  State = "FAILED"  // definitely not done
	Unknown State = "UNKNOWN" // not known; a person or a look-up finds out
)

// Entry is an act outside as the outbox knows it.
type Entry struct {
	Key       string
	Kind      string
	State     State
	Reference string // the other side's name for it, once it is done
	Reason    string // why it failed, or why it is not known
	At        time.Time
	// Wait is how long a started act may still be on its way.
	Wait time.Duration
}

// Outbox keeps acts outside. Each method acts for by, who sees only acts of
// by's own.
type Outbox interface {
	// Begin writes an act down as started, under the context's claim and in
	// the transaction that uses the claim up. It reports true when the act is
	// the caller's to try now, and false with what is known when it was begun
	// before.
	Begin(ctx context.Context, by identity.Caller, kind string, payload json.RawMessage) (Entry, bool, error)
	// Settle says how an act ended and returns it as it is then: what is done
	// or has failed stays so.
	Settle(ctx context.Context, by identity.Caller, e Entry) (Entry, error)
}

// Outside is one act upon something outside of our database.
type Outside struct {
	Kind string // "mail"
	// Payload is kept with the act, for people who look it up.
	Payload any
	// Within is how long an attempt may take, at most a minute; 0 is 30 s.
	Within time.Duration
	// Attempt does it and returns the other side's name for it. It is called
	// once for a key, ever. The key is a good idempotency key or message id for
	// the other side. An error means that it is not known whether it was done,
	// except one marked with NotDone.
	Attempt func(ctx context.Context, key string) (reference string, err error)
	// LookUp, if not nil, asks the other side whether it knows the key. It is
	// called for an act of unknown outcome; an error leaves it so.
	LookUp func(ctx context.Context, key string) (reference string, found bool, err error)
}

// Receipt is the proof of an act that was done.
type Receipt struct {
	Reference string
	At        time.Time
	Again     bool // it was done by an earlier attempt, not by this one
}

const (
	attemptTime = 30 * time.Second
	maxAttempt  = time.Minute
	settleTime  = 3 * time.Second
)

// Window is how long after its beginning an act counts as on its way. A process that
// has not settled by then was lost.
const Window = maxAttempt + 2*settleTime + 24*time.Second

// Once does an act outside at most once, whatever is retried, lost or killed on
// the way. A tool calls it as its one write:
//
//	receipt, err := effect.Once(ctx, t.outbox, by, effect.Outside{
//		Kind: "mail", Payload: email, Attempt: func(ctx context.Context, key string) (string, error) {
//			return t.post.Send(ctx, key, email)
//		},
//	})
//
// The error of an act of unknown outcome has the code "outcome_unknown"; it
// is never tried again by itself. An act that definitely failed may be asked
// for again, which makes a new claim.
func Once(ctx context.Context, box Outbox, by identity.Caller, act Outside) (Receipt, error) {
	if IsReadOnly(ctx) {
		return Receipt{}, fault.Wrap(fault.Internal, errors.New(act.Kind+" in a read-only context"),
			"A reading tool tried to write and was stopped.")
	}
	payload, err := json.Marshal(act.Payload)
	if err != nil {
		return Receipt{}, fmt.Errorf("encode what is sent as %s: %w", act.Kind, err)
	}
	e, mine, err := box.Begin(ctx, by, act.Kind, payload)
	if err != nil {
		return Receipt{}, err
	}
	if mine {
		return attempt(ctx, box, by, act, e)
	}
	if e.State == Unknown && act.LookUp != nil {
		e = lookUp(ctx, box, by, act, e)
	}
	return receipt(e, true)
}

func attempt(ctx context.Context, box Outbox, by identity.Caller, act Outside, e Entry) (Receipt, error) {
	trying, cancel := context.WithTimeout(ctx, min(cmp.Or(act.Within, attemptTime), maxAttempt))
	defer cancel()
	reference, err := act.Attempt(trying, e.Key)
	switch {
	case err == nil:
		e.State, e.Reference = Done, reference
	case IsNotDone(err):
		e.State, e.Reason = Failed, fault.From(err).Message
	default:
		e.State, e.Reason = Unknown, fault.From(err).Message
	}
	// What is known of the act stays true even when it cannot be kept; what is
	// not kept counts as unknown later.
	settle(ctx, box, by, e)
	if err != nil && e.State == Failed {
		return Receipt{}, err
	}
	if e.State == Unknown {
		return Receipt{}, unknown(err)
	}
	return receipt(e, false)
}

// settle has its own short time, since the request's may be over.
func settle(ctx context.Context, box Outbox, by identity.Caller, e Entry) Entry {
	for range 2 {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
		now, err := box.Settle(ctx, by, e)
		cancel()
		if err == nil {
			return now
		}
	}
	return e
}

func lookUp(ctx context.Context, box Outbox, by identity.Caller, act Outside, e Entry) Entry {
	reference, found, err := act.LookUp(ctx, e.Key)
	switch {
	case err != nil:
		return e
	case found:
		e.State, e.Reference, e.Reason = Done, reference, ""
	default:
		e.State, e.Reason = Failed, "The other side does not know it."
	}
	return settle(ctx, box, by, e)
}

func receipt(e Entry, again bool) (Receipt, error) {
	switch e.State {
	case Done:
		return Receipt{Reference: e.Reference, At: e.At, Again: again}, nil
	case Failed:
		return Receipt{}, fault.New(fault.Conflict,
			"This was tried before and was not done: %s Ask for it again if it is still wanted.",
			e.Reason).WithCode("act_failed")
	case Started:
		return Receipt{}, fault.New(fault.Conflict,
			"This is being done at the moment.").WithCode("act_in_flight").WithRetryAfter(max(e.Wait, time.Second))
	}
	return Receipt{}, unknown(errors.New(e.Reason))
}

func unknown(cause error) error {
	return fault.Wrap(fault.Unavailable, cause,
		"It is not known whether this was done, and it is not tried again by itself. Please look before you ask for "+
			"it again.").WithCode("outcome_unknown")
}

type notDone struct{ error }

func (n notDone) Unwrap() error { return n.error }

// NotDone marks an attempt's error as the other side's definite no: nothing was
// done, and nothing is on its way.
func NotDone(err error) error { return notDone{err} }

// IsNotDone reports whether an error is marked with NotDone.
func IsNotDone(err error) bool {
	_, ok := errors.AsType[notDone](err)
	return ok
}
