package summary

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// When a summary is due by itself.
const (
	// MostTokens is what a conversation may hold without a summary (S3-4).
	MostTokens = 30_000
	// MostMessages is how many messages it may hold without one (S3-5).
	MostMessages = 50
	// Idle is how long a conversation is silent before what was said is summed up.
	Idle = 30 * time.Minute
	// held is how long a conversation that was handed out is not handed out
	// again: longer than a queue takes, or a run.
	held = 20 * time.Minute
	// mostDue is how many conversations one run hands out.
	mostDue = 100
)

// Ticket names a conversation to a job. It is what travels in the queue.
type Ticket struct {
	Org string `json:"org"`
	ID  string `json:"id"`
}

// Due knows which conversations want a summary.
type Due interface {
	// Due returns conversations whose summary is due, and hands each out once
	// in a while.
	Due(ctx context.Context, r Rule) ([]Ticket, error)
	// Want records that a summary was requested. It returns a fault.NotFound
	// error for a conversation that the organisation does not have.
	Want(ctx context.Context, t Ticket) error
}

// Rule says when a summary is due.
type Rule struct {
	Limit, Tokens, Messages int
	Idle, Held              time.Duration
}

// Queue carries tickets to the process that makes the summaries.
type Queue interface {
	// Send hands tickets over. Those that it could not hand over are found by a
	// later schedule.
	Send(ctx context.Context, tickets []Ticket) error
}

// Jobs are what happens without anybody waiting. Store acts for organisations,
// whichever caller it is given names one and no person.
type Jobs struct {
	Service Service
	Due     Due
	Store   Store
	// Queue takes what is due; nil means that the schedule does the work.
	Queue Queue
	// AtOnce is how many summaries are made side by side; 0 means 4.
	AtOnce int
	// Failed is told of each that failed.
	Failed func(ctx context.Context, t Ticket, err error)
}

// Report says what a schedule did.
type Report struct {
	Due    int `json:"due"`
	Queued int `json:"queued"` // handed to the queue
	Done   int `json:"done"`
	Failed int `json:"failed"`
	Left   int `json:"left"` // time ran out: for the next schedule
}

// Schedule finds what is due and hands it to the queue, or makes the summaries
// itself until its time is nearly up.
func (j Jobs) Schedule(ctx context.Context) (Report, error) {
	var r Report
	for r.Left == 0 {
		due, err := j.Due.Due(ctx, Rule{Limit: mostDue, Tokens: MostTokens, Messages: MostMessages, Idle: Idle,
			Held: held})
		if err != nil {
			return r, err
		}
		r.Due += len(due)
		if j.Queue == nil {
			j.work(ctx, due, &r)
		} else if len(due) > 0 {
			if err := j.Queue.Send(ctx, due); err != nil {
				return r, err
			}
			r.Queued += len(due)
		}
		if len(due) < mostDue {
			break
		}
	}
	return r, nil
}

// work makes summaries side by side, as many as there is time for. The others
// were not handed out, so they are wanted again.
func (j Jobs) work(ctx context.Context, due []Ticket, r *Report) {
	var mu sync.Mutex
	var all sync.WaitGroup
	slots := make(chan struct{}, cmp.Or(j.AtOnce, 4))
	for i, t := range due {
		slots <- struct{}{}
		if end, ok := ctx.Deadline(); ok && time.Until(end) < StepTime {
			r.Left = len(due) - i
			for _, left := range due[i:] {
				if err := j.Due.Want(context.WithoutCancel(ctx), left); err != nil {
					j.failed(ctx, left, err)
				}
			}
			break
		}
		all.Go(func() {
			defer func() { <-slots }()
			err := j.guarded(ctx, t)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				r.Failed++
			} else {
				r.Done++
			}
		})
	}
	all.Wait()
}

// guarded is Make for a goroutine, whose panic would end the process.
func (j Jobs) guarded(ctx context.Context, t Ticket) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fault.Wrap(fault.Internal, fmt.Errorf("panic: %v\n%s", value, debug.Stack()),
				"Something went wrong on our side.")
			j.failed(ctx, t, err)
		}
	}()
	return j.Make(ctx, t)
}

// Message takes one message of the queue. An error means that it should come
// again.
func (j Jobs) Message(ctx context.Context, body []byte) error {
	var t Ticket
	if err := json.Unmarshal(body, &t); err != nil || t.Org == "" || t.ID == "" {
		return fault.Wrap(fault.Invalid, errors.Join(err, errors.New("a message of the queue names no conversation")),
			"This is no ticket of ours.")
	}
	return j.Make(ctx, t)
}

// Make makes one summary. Nil means that nothing is left to be done with the
// ticket: also where the conversation is gone, where another process makes the
// summary, and where the organisation's budget is used up, which a schedule
// will find again.
func (j Jobs) Make(ctx context.Context, t Ticket) error {
	_, err := j.Service.Run(ctx, j.Store, identity.Caller{OrgID: t.Org}, Ref{ID: t.ID}, -1)
	if err == nil {
		return nil
	}
	f := fault.From(err)
	switch f.PublicCode() {
	case "conversation_not_found", "conversation_deleted", "lease_lost", "conversation_changed":
		return nil
	}
	j.failed(ctx, t, err)
	switch f.PublicCode() {
	case "budget_exhausted", "price_unknown":
		return nil
	}
	return err
}

func (j Jobs) failed(ctx context.Context, t Ticket, err error) {
	if j.Failed != nil {
		j.Failed(ctx, t, err)
	}
}
