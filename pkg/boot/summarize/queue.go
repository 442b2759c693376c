package summarize

import (
	"context"
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/sqs"
	"github.com/bellhop-ai/bellhop/pkg/summary"
)

// queue writes tickets as messages.
type queue struct{ to *sqs.Queue }

var _ summary.Queue = queue{}

// Send sends tickets; see summary.Queue.
func (q queue) Send(ctx context.Context, tickets []summary.Ticket) error {
	bodies := make([]string, len(tickets))
	for i, t := range tickets {
		b, err := json.Marshal(t)
		if err != nil {
			return err
		}
		bodies[i] = string(b)
	}
	return q.to.Send(ctx, bodies)
}
