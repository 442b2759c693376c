package agent

import (
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// whyAsk says for people why a small write asks this once; "" lets it run.
func (l *loop) whyAsk(ctx context.Context, t tool.Tool, claim effect.Claim) (string, error) {
	if t.Effect().Asks() {
		return "", nil // it asks anyway, and its proposal says what else there is
	}
	if l.tainted {
		return "Before this, texts were read that guests or others wrote. Please check that this is what you want.", nil
	}
	return l.Desk.Repeats(ctx, l.By, consent.Act{Tool: claim.Tool, Hash: claim.ArgsHash, Key: claim.Key})
}

// learn keeps what a tool answered as a source of later arguments. What
// strangers wrote is none, and makes the rest of the turn careful.
func (l *loop) learn(j *job) {
	trusted, outside := j.prepared.Tool.Trusted(j.result.Data)
	l.tainted = l.tainted || outside
	l.found = append(l.found, string(trusted))
}

// sources returns what the arguments of a call may come from.
func (l *loop) sources() consent.Sources {
	zone, err := l.By.Entity.Location()
	if err != nil {
		zone = time.UTC
	}
	s := consent.Sources{Turn: l.found, Today: calendar.Today(l.Now(), zone)}
	if l.Sources != nil {
		s.Said, s.History = l.Run.Sources()
	}
	return s
}

const (
	// maxSame is how often a turn may make the very same call.
	maxSame = 2
	// stuck is why a turn ends in which the model repeats itself. For clients it
	// is Rounds: what may be tried was tried.
	stuck Finish = "stuck"
)

// repeats reports whether a step brings only calls that were made often enough in
// this turn to know their answers, and counts them.
func (l *loop) repeats(calls []llm.Call) bool {
	if l.seen == nil {
		l.seen = map[string]int{}
	}
	fresh := false
	for _, c := range calls {
		key := c.Name + "\x00" + c.Arguments
		fresh = fresh || l.seen[key] < maxSame
		l.seen[key]++
	}
	return !fresh
}
