package lambda

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"sync"

	"github.com/aws/aws-lambda-go/events"
)

// Work is what a function does beside answering requests: for a schedule, and
// for the messages of a queue. Its method Direct is for Options.Direct.
type Work struct {
	// Schedule runs at each event of a schedule: EventBridge Scheduler's, or a
	// rule's, or one whose payload is {"schedule": "…"}.
	Schedule func(ctx context.Context) (any, error)
	// Message takes one message of a queue. An error means that it should come
	// again. Messages of one event run side by side.
	Message func(ctx context.Context, body []byte) error
	// Panicked is as in Options. A message that panics has failed.
	Panicked func(ctx context.Context, value any, stack []byte)
}

// errUnknownEvent answers what neither a schedule nor a queue sends.
var errUnknownEvent = errors.New("the event is of no kind that this function takes")

// Direct does what the event asks for. Of a queue's messages those that failed
// are named in the answer, so that only they come again; the event source
// mapping must say ReportBatchItemFailures.
func (w Work) Direct(ctx context.Context, event json.RawMessage) (any, error) {
	var e struct {
		Source   string              `json:"source"`
		Schedule string              `json:"schedule"`
		Records  []events.SQSMessage `json:"Records"`
	}
	if err := json.Unmarshal(event, &e); err != nil {
		return nil, errUnknownEvent
	}
	switch {
	case e.Schedule != "" || e.Source == "aws.scheduler" || e.Source == "aws.events":
		return w.Schedule(ctx)
	case len(e.Records) > 0 && e.Records[0].EventSource == "aws:sqs":
		return w.messages(ctx, e.Records), nil
	}
	return nil, errUnknownEvent
}

func (w Work) messages(ctx context.Context, records []events.SQSMessage) events.SQSEventResponse {
	failed := make([]bool, len(records))
	var all sync.WaitGroup
	for i, r := range records {
		all.Go(func() { failed[i] = !w.done(ctx, r) })
	}
	all.Wait()
	// The list is there even when it is empty: its absence would be read as
	// success, too, but by an accident of the service.
	answer := events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{}}
	for i, r := range records {
		if failed[i] {
			answer.BatchItemFailures = append(answer.BatchItemFailures,
				events.SQSBatchItemFailure{ItemIdentifier: r.MessageId})
		}
	}
	return answer
}

func (w Work) done(ctx context.Context, r events.SQSMessage) (ok bool) {
	defer func() {
		if value := recover(); value != nil {
			w.Panicked(ctx, value, debug.Stack())
			ok = false
		}
	}()
	return w.Message(ctx, []byte(r.Body)) == nil
}
