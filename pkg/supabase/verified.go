package supabase

import (
	"crypto/sha256"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

const (
	// verifiedFor is how long a token that was found good is not checked again.
	// Keys that a project takes back live on for as long.
	verifiedFor = time.Minute
	// maxVerified bounds each of the two generations.
	maxVerified = 512
)

// verified remembers tokens that were found good, by their digests: checking a
// signature costs a hundred times as much. It holds two generations, so that it
// is bounded and tokens in use stay. Membership is asked each time all the same.
type verified struct {
	mu       sync.Mutex
	now, old map[[sha256.Size]byte]remembered
}

type remembered struct {
	claims Claims
	until  time.Time
}

func (v *verified) find(digest [sha256.Size]byte, now time.Time) (Claims, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	r, ok := v.now[digest]
	if !ok {
		r, ok = v.old[digest]
	}
	return r.claims, ok && now.Before(r.until)
}

// keep remembers a good token, but not beyond its end.
func (v *verified) keep(digest [sha256.Size]byte, c Claims, now time.Time) {
	until := now.Add(verifiedFor)
	if c.ExpiresAt.Before(until) {
		until = c.ExpiresAt
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.now == nil || len(v.now) >= maxVerified {
		v.old, v.now = v.now, make(map[[sha256.Size]byte]remembered)
	}
	v.now[digest] = remembered{c, until}
}

func digestOf(token identity.Secret) [sha256.Size]byte { return sha256.Sum256([]byte(token.Reveal())) }
