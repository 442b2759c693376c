package visitors

import (
	"context"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

const (
	// early is how long before its end a token is no longer used: a request
	// must come to its own end with it.
	early = 6 * time.Minute
	// pause is how long no new attempt is made after a sign-in that failed. Auth
	// counts those by address, and all visitors come from ours.
	pause = 5 * time.Second
)

// account caches the session that visitors share, until it expires.
type account struct {
	signIn func(ctx context.Context) (identity.Secret, time.Duration, error)
	now    calendar.Clock

	mu     sync.Mutex
	kept   identity.Secret
	until  time.Time
	failed error
	again  time.Time
}

// token returns a token that stays valid for a while. Concurrent calls wait for
// one sign-in.
func (a *account) token(ctx context.Context) (identity.Secret, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	switch {
	case a.kept != "" && now.Before(a.until):
		return a.kept, nil
	case a.failed != nil && now.Before(a.again):
		return "", a.failed
	}
	token, lasts, err := a.signIn(ctx)
	if err != nil {
		if ctx.Err() == nil {
			a.failed, a.again = err, now.Add(pause)
		}
		return "", err
	}
	a.kept, a.until, a.failed = token, now.Add(max(lasts-early, lasts/2)), nil
	return token, nil
}

// forget drops a token that is no longer valid.
func (a *account) forget(token identity.Secret) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kept == token {
		a.kept = ""
	}
}
