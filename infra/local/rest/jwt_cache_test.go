package rest_test

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/rest"
)

// A good token is verified once before it ends, one that has ended or is refused each time.
func TestGoodTokensAreRemembered(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	calls := map[string]int{}
	verify := rest.CachedVerify(func(token string) (map[string]any, error) {
		calls[token]++
		switch {
		case token == "bad" || token == "short" && now.Unix() >= 1060:
			return nil, errors.New("refused")
		case token == "endless":
			return map[string]any{"sub": token}, nil
		case token == "short":
			return map[string]any{"sub": token, "exp": 1060.0}, nil
		}
		return map[string]any{"sub": token, "exp": 5000.0}, nil
	}, func() time.Time { return now })
	ask := func(token string, good bool) {
		t.Helper()
		claims, err := verify(token)
		if (err == nil) != good || good && claims["sub"] != token {
			t.Errorf("%s at %d: %v, %v", token, now.Unix(), claims, err)
		}
	}
	for range 3 {
		ask("short", true)
		ask("endless", true)
		ask("bad", false)
	}
	if calls["short"] != 1 || calls["endless"] != 3 || calls["bad"] != 3 {
		t.Errorf("verified %v times", calls)
	}
	now = time.Unix(1060, 0)
	ask("short", false)
	// What is in use stays among many others, and the others are forgotten.
	ask("used", true)
	for i := range 5000 {
		ask("token "+strconv.Itoa(i), true)
		if i%500 == 0 {
			ask("used", true)
		}
	}
	ask("token 0", true)
	if calls["token 0"] != 2 || calls["used"] > 5 {
		t.Errorf("verified %d and %d times", calls["token 0"], calls["used"])
	}
}
