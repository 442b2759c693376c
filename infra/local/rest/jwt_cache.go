package rest

import (
	"math"
	"sync"
	"time"
)

// maxCachedTokens bounds each of the two generations of a cache.
const maxCachedTokens = 1000

// CachedVerify returns a Config.Verify that remembers the tokens that verify found
// good, as PostgREST does (jwt-cache-max-entries): they are not verified again before
// they end by now. A token without exp, or whose exp is no number, is verified each time.
// The claims are shared and must not be changed.
func CachedVerify(
	verify func(token string) (map[string]any, error), now func() time.Time,
) func(token string) (map[string]any, error) {
	c := &tokenCache{now: map[string]cachedToken{}}
	return func(token string) (map[string]any, error) {
		if claims, ok := c.find(token, now()); ok {
			return claims, nil
		}
		claims, err := verify(token)
		if err != nil {
			return nil, err
		}
		if end, ok := number(claims["exp"]); ok {
			c.keep(token, cachedToken{claims, time.Unix(int64(math.Floor(end)), 0)})
		}
		return claims, nil
	}
}

// tokenCache holds two generations, so that it is bounded and what is in use stays.
type tokenCache struct {
	mu       sync.Mutex
	now, old map[string]cachedToken
}

type cachedToken struct {
	claims map[string]any
	ends   time.Time
}

func (c *tokenCache) find(token string, at time.Time) (map[string]any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.now[token]
	if !ok {
		found, ok = c.old[token]
	}
	return found.claims, ok && at.Before(found.ends)
}

func (c *tokenCache) keep(token string, t cachedToken) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.now) >= maxCachedTokens {
		c.old, c.now = c.now, map[string]cachedToken{}
	}
	c.now[token] = t
}
