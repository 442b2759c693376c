package supabase

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// ProofHeader carries the proof that a request comes from our functions. It
// stands beside the caller's token and opens what the database keeps for the
// server: turns, limits, proposals, messages. It opens no row of a table.
const ProofHeader = "X-Bellhop-Proof"

// effectHeaders are bound by a proof, in this order.
func effectHeaders() [6]string {
	return [...]string{"X-Bellhop-Effect", "X-Bellhop-Args", "X-Bellhop-Tool", "X-Bellhop-Turn", "X-Bellhop-Assistant",
		"X-Bellhop-Proposal"}
}

// Prover makes proofs. It is immutable and safe for concurrent use, provided
// that its clock and its source of randomness are.
type Prover struct {
	kid  string
	key  []byte
	now  func() time.Time
	rand io.Reader
}

// proofKeyID is what the database takes as the name of a key.
var proofKeyID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,16}$`)

// NewProver reads the keys of PROOF_KEYS: "kid:base64,…" with 32 bytes each, at
// most three, of which the first makes proofs. The clock must be the real one,
// which is the database's too; nonces are read from random. An error names the
// entry that is wrong, never its bytes.
func NewProver(keys identity.Secret, now func() time.Time, random io.Reader) (*Prover, error) {
	if keys == "" {
		return nil, errors.New("PROOF_KEYS is not set: without them the database keeps no turns, limits and " +
			"proposals for this function")
	}
	entries := strings.Split(keys.Reveal(), ",")
	if len(entries) > 3 {
		return nil, errors.New("PROOF_KEYS holds more than three keys")
	}
	p := &Prover{now: now, rand: random}
	seen := map[string]bool{}
	for i, entry := range entries {
		id, encoded, _ := strings.Cut(strings.TrimSpace(entry), ":")
		key, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || len(key) != 32 || !proofKeyID.MatchString(id) {
			return nil, fmt.Errorf("entry %d of PROOF_KEYS is not of the form kid:base64 with 32 bytes", i+1)
		}
		if seen[id] {
			return nil, fmt.Errorf("PROOF_KEYS names the key %q twice", id)
		}
		seen[id] = true
		if p.key == nil {
			p.kid, p.key = id, key
		}
	}
	return p, nil
}

// Prove returns the value of ProofHeader for one request of a person in an
// organisation (both UUIDs in lower case), with a path below /rest/v1 and the
// effect's headers among those of h. It counts once and for two minutes.
func (p *Prover) Prove(user, org, method, path string, h http.Header) (string, error) {
	var nonce [16]byte
	if _, err := io.ReadFull(p.rand, nonce[:]); err != nil {
		return "", fmt.Errorf("make a nonce: %w", err)
	}
	at, once := strconv.FormatInt(p.now().UnixMilli(), 10), hex.EncodeToString(nonce[:])
	bound := make([]byte, 0, 512)
	write := func(field string) {
		bound = append(append(strconv.AppendInt(bound, int64(len(field)), 10), ':'), field...)
	}
	for _, field := range [...]string{user, org, method, path, at, once} {
		write(field)
	}
	for _, name := range effectHeaders() {
		write(h.Get(name))
	}
	mac := hmac.New(sha256.New, p.key)
	mac.Write(bound)
	return "v1." + p.kid + "." + at + "." + once + "." + hex.EncodeToString(mac.Sum(nil)), nil
}
