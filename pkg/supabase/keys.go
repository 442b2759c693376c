package supabase

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

const (
	keysFresh   = 10 * time.Minute
	keysAgain   = time.Minute     // between fetches for unknown or old keys
	keysHurry   = 2 * time.Second // between fetches while there is no key at all
	keysTimeout = 5 * time.Second
	maxKeySet   = 256 << 10
)

// keySet holds the project's public keys. Old keys are kept when they cannot be
// fetched again: a project that is out of reach for a while signs no user out.
type keySet struct {
	address string
	http    http.RoundTripper
	now     func() time.Time
	flight  singleflight.Group

	mu      sync.Mutex
	byID    map[string]any // *ecdsa.PublicKey or *rsa.PublicKey
	fetched time.Time
	tried   time.Time
}

// find returns the key of that id.
func (s *keySet) find(ctx context.Context, id string) (any, error) {
	key, known, due := s.look(id)
	if !due {
		if !known {
			return nil, fmt.Errorf("the key %.80q is unknown", id)
		}
		return key, nil
	}
	// One fetch serves all that wait for it, so it does not end with the first
	// of them.
	done := s.flight.DoChan("", func() (any, error) {
		return nil, s.fetch(context.WithoutCancel(ctx))
	})
	var err error
	select {
	case result := <-done:
		err = result.Err
	case <-ctx.Done():
		err = ctx.Err()
	}
	if key, known, _ = s.look(id); known {
		return key, nil
	}
	// With keys in hand a strange key id is the token's fault, even when the
	// project cannot be asked at the moment.
	if err != nil && s.empty() {
		return nil, fault.Wrap(fault.Unavailable, err,
			"Your sign-in cannot be checked at the moment. Please try again.")
	}
	return nil, fmt.Errorf("the key %.80q is unknown", id)
}

// look returns the key as it is known, and whether a fetch is due.
func (s *keySet) look(id string) (key any, known, due bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, known = s.byID[id]
	now := s.now()
	pause := keysAgain
	if len(s.byID) == 0 {
		pause = keysHurry
	}
	stale := now.Sub(s.fetched) >= keysFresh
	return key, known, (!known || stale) && now.Sub(s.tried) >= pause
}

func (s *keySet) empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byID) == 0
}

func (s *keySet) fetch(ctx context.Context) error {
	s.mu.Lock()
	s.tried = s.now()
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, keysTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address, nil)
	if err != nil {
		return err
	}
	resp, err := s.http.RoundTrip(r)
	if err != nil {
		return fmt.Errorf("fetch the key set: %w", err)
	}
	defer resp.Body.Close()
	body, err := readAll(resp.Body, maxKeySet, resp.ContentLength)
	if err != nil {
		return fmt.Errorf("fetch the key set: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("fetch the key set: %s", resp.Status)
	}
	keys, err := parseKeys(body)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.byID, s.fetched = keys, s.now()
	s.mu.Unlock()
	return nil
}

// parseKeys reads a JWKS. Keys of other kinds than ES256's and RS256's are left
// out; shared secrets above all, which do not belong in a public set.
func parseKeys(text []byte) (map[string]any, error) {
	var set struct {
		Keys []struct {
			Kty, Kid, Use, Alg, Crv, X, Y, N, E string
		} `json:"keys"`
	}
	if err := json.Unmarshal(text, &set); err != nil {
		return nil, fmt.Errorf("the key set is not JSON: %w", err)
	}
	keys := make(map[string]any, len(set.Keys))
	for _, k := range set.Keys {
		if k.Kid == "" || (k.Use != "" && k.Use != "sig") {
			continue
		}
		switch {
		case k.Kty == "EC" && k.Crv == "P-256" && (k.Alg == "" || k.Alg == "ES256"):
			x, errX := base64.RawURLEncoding.DecodeString(k.X)
			y, errY := base64.RawURLEncoding.DecodeString(k.Y)
			if errors.Join(errX, errY) != nil || len(x) != 32 || len(y) != 32 {
				return nil, fmt.Errorf("key %.80q is broken", k.Kid)
			}
			key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, x...), y...))
			if err != nil {
				return nil, fmt.Errorf("key %.80q: %w", k.Kid, err)
			}
			keys[k.Kid] = key
		case k.Kty == "RSA" && (k.Alg == "" || k.Alg == "RS256"):
			n, errN := base64.RawURLEncoding.DecodeString(k.N)
			e, errE := base64.RawURLEncoding.DecodeString(k.E)
			if errors.Join(errN, errE) != nil || len(n) < 256 || len(e) == 0 || len(e) > 4 {
				return nil, fmt.Errorf("key %.80q is broken or shorter than 2048 bits", k.Kid)
			}
			keys[k.Kid] = &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("the key set holds no usable key")
	}
	return keys, nil
}
