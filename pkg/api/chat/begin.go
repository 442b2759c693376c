package chat

import (
	"context"
	"errors"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/turns"
)

// begin opens the turn: it says who the caller is, counts the request, claims a
// turn that may be sent again, and records what the person said. Visitors are
// known and counted by now, and nothing of theirs is recorded.
//
// A turn that may be sent again is begun to the end even if the reader goes
// meanwhile: one that the database began and that is not ended would seem to run
// until its lease is over.
func (t *turn) begin(ctx context.Context) (turns.Begun, error) {
	if t.named && ctx.Err() == nil {
		lasting, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
		defer cancel()
		ctx = lasting
	}
	meter := t.h.cfg.Meter
	if t.known {
		t.meter = meter.Turn(t.by, "", limit.Estimate{})
		return t.beginKnown(ctx)
	}
	o := conversations.TurnOpening{Entity: t.req.EntityID, Kind: t.assistant.EntityKind,
		Assistant: t.assistant.Name}
	if first, ok := meter.Opening(t.said(), t.req.MaxTokens); ok {
		o.FirstCall = first
	}
	if t.named {
		o.Turn = &t.start
	}
	if t.records() {
		o.Message = t.message()
	}
	opened, err := t.admit(ctx, o)
	if err != nil {
		return turns.Begun{}, err
	}
	t.recorded = opened.Recorded
	t.meter = meter.Turn(t.by, opened.Hold, o.FirstCall)
	return opened.Turn, refusalOf(opened.Turn)
}

// said is about how many tokens the last messages have. A look at every letter
// would be worth less than it takes: a first call that is longer reserves for
// itself.
func (t *turn) said() int {
	const read, perToken = 40, 3
	n := 0
	for _, m := range t.decoded.Messages[max(0, len(t.decoded.Messages)-read):] {
		n += len(m.Text) / perToken
	}
	return n
}

// goOn prepares a turn that is the caller's to run: the entity that it is about,
// the assistant as the caller's organisation has it, and what was said before.
func (t *turn) goOn(ctx context.Context) error {
	if err := t.choose(); err != nil {
		return err
	}
	var err error
	if t.assistant, err = t.assistant.For(ctx, t.by); err != nil {
		return err
	}
	return t.recall(ctx)
}

func (t *turn) beginKnown(ctx context.Context) (turns.Begun, error) {
	if !t.named {
		return turns.Begun{}, nil
	}
	begun, err := t.h.cfg.Turns.Begin(ctx, t.by, t.start)
	if err != nil {
		return begun, err
	}
	return begun, refusalOf(begun)
}

// refusalOf returns the error of a turn that is not the caller's to run.
func refusalOf(begun turns.Begun) error {
	switch begun.Outcome {
	case turns.InFlight:
		return fault.New(fault.Conflict, "This is being answered already.").WithCode("turn_in_flight").
			WithRetryAfter(max(begun.RetryAfter, time.Second))
	case turns.Mismatch:
		return fault.New(fault.Unprocessable,
			"Another request was sent under this name before.").WithCode("turn_mismatch")
	case turns.Replay:
		if begun.Frames == "" {
			return fault.New(fault.Conflict, "This was answered, and the answer is not kept.").
				WithCode("turn_finished")
		}
	}
	return nil
}

// admit opens the turn and learns who the caller is. It refuses those who are no
// members any more, and those who ask too often.
func (t *turn) admit(ctx context.Context, o conversations.TurnOpening) (conversations.OpenedTurn, error) {
	if gate := t.h.cfg.Gate; gate.Counter != nil {
		o.Door, o.Rate = gate.Door, gate.Rate
	}
	opened, err := t.h.cfg.Opener.OpenTurn(ctx, t.by, o)
	if err != nil {
		return opened, err
	}
	if opened.By.UserID != t.by.UserID || opened.By.OrgID != t.by.OrgID {
		return opened, fault.Wrap(fault.Internal,
			errors.New("the database takes the token for another caller's than the verifier does"),
			"This service is not set up correctly.")
	}
	opened.By.Remote = t.by.Remote // which no database knows
	t.by, t.known = opened.By, true
	if err := opened.Rate.Refusal(); err != nil {
		return opened, err
	}
	if t.assistant != nil && !t.by.Has(t.assistant.Name) {
		return opened, t.unknown // and nothing was begun
	}
	return opened, nil
}

// refuse returns the error with which a request is refused. A caller who may not ask
// at all, or asks too often, hears of that first; so what is wrong with the
// request itself counts as a request, too.
func (t *turn) refuse(ctx context.Context, err error) error {
	if t.known {
		return err
	}
	switch fault.From(err).Kind {
	case fault.Invalid, fault.Unprocessable, fault.NotFound, fault.Conflict, fault.TooLarge, fault.Gone:
		if _, first := t.admit(ctx, conversations.TurnOpening{}); first != nil {
			return first
		}
	}
	return err
}
