package agent

import (
	"cmp"
	"context"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// whyAsk tells the user why a small write needs consent this time; "" lets it
// run.
func (l *loop) whyAsk(ctx context.Context, t tool.Tool, claim effect.Claim) (string, error) {
	if t.Effect().Asks() {
		return "", nil // it asks anyway, and its proposal says what else there is
	}
	if t.Cautious() && l.readUntrusted() {
		return "Before this, texts were read that " + cmp.Or(l.Authors, "others") +
			" wrote. Please check that this is what you want.", nil
	}
	if t.Spec().Repeatable {
		return "", nil
	}
	return l.Consent.Repeats(ctx, l.By, consent.Act{Tool: claim.Tool, Hash: claim.ArgsHash, Key: claim.Key})
}

// readUntrusted reports whether untrusted text was read, in this turn or
// before.
func (l *loop) readUntrusted() bool {
	if !l.tainted && l.Tainted != nil {
		l.tainted, l.Tainted = l.Run.Tainted(), nil
	}
	return l.tainted
}

// learn keeps a tool's result as a source of later arguments. Untrusted text is
// no source, and taints the rest of the turn.
func (l *loop) learn(j *job) {
	trusted, outside := j.prepared.Tool.Trusted(j.result.Data)
	l.tainted = l.tainted || outside
	l.found = append(l.found, string(trusted))
}

// sources returns what the arguments of a call may come from.
func (l *loop) sources() consent.Sources {
	s := consent.Sources{Turn: l.found, Today: l.today()}
	if l.Sources != nil {
		s.Said, s.History = l.Run.Sources()
	}
	return s
}

// today is the date at the entity of the call.
func (l *loop) today() calendar.Date {
	zone, err := l.By.Entity.Location()
	if err != nil {
		zone = time.UTC
	}
	return calendar.Today(l.Now(), zone)
}

const (
	// maxSame is how often a turn may make the same call.
	maxSame = 2
	// stuck is why a turn ends in which the model repeats itself. Clients see
	// Rounds.
	stuck Finish = "stuck"
)

// repeats reports whether a step contains only calls that were already made
// maxSame times in this turn, and counts them.
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
