package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The parts of a token: version, key id, position, sealed bytes.
const (
	version  = "b2"
	sealInfo = "bellhop seal 2"
	maxKeyID = 64
	// maxToken bounds what we try to open; maxPlain what we seal. A token is
	// 4/3 of the sealed bytes and a head.
	maxToken = 128 << 10
	maxPlain = 94 << 10
	// maxResults bounds the tool results in one seal.
	maxResults = 32 << 10
)

// payload is what a token hides.
type payload struct {
	State State  `json:"s"`
	Text  []byte `json:"t"` // digest of the visible text
	Since []byte `json:"m"` // digest of the messages since the previous seal
	Prev  []byte `json:"p"` // digest of the previous seal, or of nothing
	Made  int64  `json:"a"` // unix seconds
}

// Seal returns the token for the assistant message that ends the conversation
// c with the visible text.
func (k *Keys) Seal(scope Scope, c Conversation, text string, state State) (string, error) {
	plain, err := encode(payload{
		State: state, Text: digest(text), Since: c.place.since.sum(), Prev: digest(c.place.previous), Made: k.now().Unix(),
	})
	if err != nil {
		return "", err
	}
	aead, err := k.cipher(k.first, scope)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(plain)+aead.Overhead())
	if _, err := io.ReadFull(k.rand, nonce); err != nil {
		return "", fmt.Errorf("draw a nonce: %w", err)
	}
	sealed := aead.Seal(nonce, nonce, plain, associated(scope, c.place.position))
	return strings.Join([]string{version, k.first, strconv.Itoa(c.place.position), base64.RawURLEncoding.EncodeToString(sealed)}, "."), nil
}

// encode writes the payload, with shorter results where it would otherwise
// become larger than what we would open again.
func encode(p payload) ([]byte, error) {
	steps := p.State.Steps
	for limit := maxResults; ; limit /= 4 {
		p.State.Steps = fit(steps, limit)
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false) // six bytes for one, and nobody shows it
		if err := e.Encode(p); err != nil {
			return nil, fmt.Errorf("encode a seal: %w", err)
		}
		if b.Len() <= maxPlain {
			return b.Bytes(), nil
		}
		if limit == 0 {
			return nil, errors.New("the state of a seal is too large without any results")
		}
	}
}

// fit makes the steps small enough for a seal: long results are shortened, and
// when calls alone are too long, the oldest steps go. What stays is whole, so a
// later prompt is still valid.
func fit(steps []Step, limit int) []Step {
	calls, results, count := 0, 0, 0
	for i := len(steps) - 1; i >= 0; i-- {
		calls += len(steps[i].Text)
		for _, c := range steps[i].Calls {
			calls += len(c.Name) + len(c.Arguments)
		}
		if calls > limit {
			steps = steps[i+1:]
			break
		}
	}
	for _, s := range steps {
		count += len(s.Results)
		for _, r := range s.Results {
			results += len(r.Text)
		}
	}
	if results <= limit {
		return steps
	}
	share := limit / max(1, count)
	out := make([]Step, len(steps))
	for i, s := range steps {
		out[i] = s
		out[i].Results = make([]Result, len(s.Results))
		for j, r := range s.Results {
			if len(r.Text) > share {
				sum := sha256.Sum256([]byte(r.Text))
				r.Text = strings.ToValidUTF8(r.Text[:share], "") +
					fmt.Sprintf("… (%d bytes more were shown; digest %x)", len(r.Text)-share, sum[:8])
			}
			out[i].Results[j] = r
		}
	}
	return out
}
