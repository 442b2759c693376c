package history

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Scope is what a seal is bound to besides its position in the chain. A token
// cannot be decrypted in another scope.
type Scope struct {
	Tenant string
	User   string
	Thread string
	// Assistant separates the tool results of different assistants.
	Assistant string
}

// Keys creates and verifies seals. It is immutable and safe for concurrent use.
type Keys struct {
	order []string // ids; the first seals
	byID  map[string][]byte
	ttl   time.Duration
	now   func() time.Time
	rand  io.Reader
}

// KeysConfig configures NewKeys.
type KeysConfig struct {
	// Spec is "kid:base64,…" with 32-byte keys: the first encrypts, all
	// decrypt. At most three.
	Spec string
	// TTL is how long after it was made a seal has authority; default 30 days.
	// It is checked when a seal is opened, so a shorter value takes effect at
	// once for all seals.
	TTL time.Duration
	// Now tells the time; required.
	Now func() time.Time
	// Rand yields nonces; nil means crypto/rand.
	Rand io.Reader
}

// NewKeys reads the keys. The error names the entry that is wrong, never its
// bytes.
func NewKeys(cfg KeysConfig) (*Keys, error) {
	if cfg.Now == nil {
		return nil, errors.New("history keys: no clock")
	}
	k := &Keys{byID: map[string][]byte{}, ttl: cfg.TTL, now: cfg.Now, rand: cfg.Rand}
	if k.ttl <= 0 {
		k.ttl = 30 * 24 * time.Hour
	}
	if k.rand == nil {
		k.rand = rand.Reader
	}
	entries := strings.Split(cfg.Spec, ",")
	if len(entries) > 3 {
		return nil, errors.New("SEAL_KEYS holds more than three keys")
	}
	for i, entry := range entries {
		id, encoded, _ := strings.Cut(strings.TrimSpace(entry), ":")
		key, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || len(key) != 32 || id == "" || len(id) > maxKeyID || strings.ContainsAny(id, ".:") {
			return nil, fmt.Errorf("entry %d of SEAL_KEYS is not of the form kid:base64 with 32 bytes", i+1)
		}
		if _, twice := k.byID[id]; twice {
			return nil, fmt.Errorf("SEAL_KEYS names the key %q twice", id)
		}
		k.order, k.byID[id] = append(k.order, id), key
	}
	return k, nil
}

// Derive returns keys of 32 bytes for another purpose than seals, one for each
// key and in their order. The label names the purpose; no two may share one.
func (k *Keys) Derive(label string) ([][]byte, error) {
	var out [][]byte
	for _, id := range k.order {
		key, err := hkdf.Key(sha256.New, k.byID[id], []byte(id), label, 32)
		if err != nil {
			return nil, fmt.Errorf("derive a key: %w", err)
		}
		out = append(out, key)
	}
	return out, nil
}

// cipher returns the cipher of one conversation. Nonces are random, 96 bits of
// them, so a key should see far fewer than 2^32 messages. A key of each
// conversation (or of a person, for clients that name no thread) sees some
// thousands; one of a tenant would have no such bound.
//
// AES-GCM does not commit to its key: an attacker who knows two keys can make one
// token that decrypts under both. Only the server knows the keys, and a token
// is trusted only in the scope whose key decrypted it, so this is harmless.
func (k *Keys) cipher(id string, scope Scope) (cipher.AEAD, error) {
	return k.derive(id, appendScope(nil, sealInfo, scope))
}

// derive returns the cipher for one purpose, which info names.
func (k *Keys) derive(id string, info []byte) (cipher.AEAD, error) {
	master, ok := k.byID[id]
	if !ok {
		return nil, errNoKey
	}
	key, err := hkdf.Key(sha256.New, master, []byte(id), string(info), 32)
	if err != nil {
		return nil, fmt.Errorf("derive a seal key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("seal cipher: %w", err)
	}
	return cipher.NewGCM(block)
}

var errNoKey = errors.New("no such seal key")
