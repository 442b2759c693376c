package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// attempts runs a call, and retries it after a failure for as long as its tool
// allows it, time is left and no stop was requested. Only reads allow it.
func (l *loop) attempts(ctx context.Context, j *job) {
	retry := j.prepared.Tool.Spec().Retry
	for j.tries = 1; ; j.tries++ {
		j.result, j.err = j.prepared.Run(ctx, l.By)
		wait, again := retry.After(j.tries, j.err)
		if !again || !enough(ctx, wait) || l.wait(ctx, wait) != nil || l.stopped(ctx) {
			return
		}
	}
}

// enough reports whether another attempt can begin after the wait. A context's
// deadline follows the real clock, not the injected one.
func enough(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() == nil && (!ok || time.Until(deadline) > wait)
}

func (l *loop) wait(ctx context.Context, d time.Duration) error {
	if l.Wait != nil {
		return l.Wait(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// finalError is what the model reads of a retryable tool that failed after all
// attempts: data with the number of attempts.
func (j *job) finalError(f *fault.Error) string {
	data, err := json.Marshal(map[string]any{
		"message": f.Message, "code": cmp.Or(f.Code, "EXECUTION_FAILED"), "attempts": j.tries,
	})
	if err != nil {
		return f.Message
	}
	return string(data)
}

// notDone is the result of a write after one that failed in the same step.
// Calls of one step belong together, so the model plans again.
const notDone = "Not done: a change before it failed."

// writes reports whether the call was meant to change something, whether or not
// it could be read.
func (l *loop) writes(j *job) bool {
	t, known := l.Agent.Tools.Find(j.call.Name)
	return known && t.Effect() != tool.Reads
}

// skip leaves a write out, and reports it to the client.
func (l *loop) skip(step int, j *job) (string, error) {
	if err := l.started(step, j); err != nil {
		return "", err
	}
	name := j.call.Name
	l.undone = append(l.undone, name)
	l.out.Used = append(l.out.Used, Use{Tool: name, Description: title(name), Error: notDone})
	return notDone, l.send(Finished{CallID: j.call.ID, Tool: name, Message: notDone})
}

// redone forgets that a tool's call was left out: it was made again.
func (l *loop) redone(name string) {
	if i := slices.Index(l.undone, name); i >= 0 {
		l.undone = slices.Delete(l.undone, i, i+1)
	}
}

// tellUndone names the writes that were left out and not made later.
func (l *loop) tellUndone() error {
	if len(l.undone) == 0 {
		return nil
	}
	var names []string
	for _, name := range l.undone {
		names = append(names, strings.ToLower(title(name)))
	}
	l.spoke, l.undone = false, nil
	return l.say("Not done, since a change before it failed: " + strings.Join(names, ", ") + ".")
}
