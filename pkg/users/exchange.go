package users

import (
	"context"
	"crypto/sha256"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Exchange opens a session with an API key. A key that is not valid is a
// fault.Unauthorized error with the code "bad_key", "key_expired" or
// "key_broken".
func Exchange(ctx context.Context, keys Keys, key identity.Secret) (Session, error) {
	id, secret, err := ParseKey(key)
	if err != nil {
		return Session{}, BadKey(err)
	}
	email, err := keys.Open(ctx, id, secret.Digest())
	if err != nil {
		return Session{}, err
	}
	s, err := keys.SignIn(ctx, email, secret.Password())
	if fault.Is(err, fault.Unauthorized) {
		// A user with a session may set the account's password.
		return Session{}, fault.Wrap(fault.Unauthorized, err,
			"The password behind this API key was changed. Delete the key and make another.").WithCode("key_broken")
	}
	return s, err
}

// BadKey is the refusal of what is no valid key.
func BadKey(cause error) *fault.Error {
	return fault.Wrap(fault.Unauthorized, cause, "This API key is not valid.").WithCode("bad_key")
}

// IsKey reports whether a credential is written as an API key.
func IsKey(credential string) bool { return strings.HasPrefix(credential, KeyPrefix) }

const (
	// early is how long before its end a session is no longer handed out: a
	// request must come to its own end with it.
	early = 6 * time.Minute
	// checked is how long a session is handed out before the key is opened again:
	// so long lives a key that was replaced. One that was deleted ends at once,
	// since the database asks for the membership with each request.
	checked = 10 * time.Minute
	// maxSessions bounds each of the two generations.
	maxSessions = 256
)

// Sessions exchanges API keys and keeps the sessions for a while, in memory and
// by the digests of the keys. It is safe for concurrent use.
type Sessions struct {
	Keys Keys
	Now  func() time.Time

	flight   singleflight.Group
	mu       sync.Mutex
	now, old map[[sha256.Size]byte]kept
}

type kept struct {
	token identity.Secret
	until time.Time
}

// Token returns an access token of the key's user, good for some minutes. Its
// errors are those of Exchange. Concurrent calls with one key share an exchange.
func (s *Sessions) Token(ctx context.Context, key identity.Secret) (identity.Secret, error) {
	digest := sha256.Sum256([]byte(key.Reveal()))
	if token, ok := s.find(digest); ok {
		return token, nil
	}
	// The first to ask may leave; those who wait with it need the answer.
	done := s.flight.DoChan(string(digest[:]), func() (any, error) {
		began := s.Now()
		session, err := Exchange(context.WithoutCancel(ctx), s.Keys, key)
		if err != nil {
			return identity.Secret(""), err
		}
		lasts := min(checked, max(session.ExpiresIn-early, session.ExpiresIn/2))
		s.keep(digest, kept{session.AccessToken, began.Add(lasts)})
		return session.AccessToken, nil
	})
	select {
	case r := <-done:
		token, _ := r.Val.(identity.Secret)
		return token, r.Err
	case <-ctx.Done():
		return "", fault.From(ctx.Err())
	}
}

func (s *Sessions) find(digest [sha256.Size]byte) (identity.Secret, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.now[digest]
	if !ok {
		k, ok = s.old[digest]
	}
	return k.token, ok && s.Now().Before(k.until)
}

func (s *Sessions) keep(digest [sha256.Size]byte, k kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil || len(s.now) >= maxSessions {
		s.old, s.now = s.now, make(map[[sha256.Size]byte]kept)
	}
	s.now[digest] = k
}
