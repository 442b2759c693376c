package history

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
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
	made  time.Time // in whole seconds
	text  [32]byte  // digest of the visible text
	since [32]byte  // digest of the messages since the previous seal
	prev  [32]byte  // digest of the previous seal, or zeros
	state []byte
}

// headBytes is the part of a payload before the state. It has a fixed form, so
// that the place of a token is known without reading what it says.
const headBytes = 8 + 3*sha256.Size

func (p payload) bytes() []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, headBytes+len(p.state)), uint64(p.made.Unix()))
	b = append(append(append(b, p.text[:]...), p.since[:]...), p.prev[:]...)
	return append(b, p.state...)
}

func readPayload(b []byte) (p payload, ok bool) {
	if len(b) < headBytes {
		return p, false
	}
	p.made = time.Unix(int64(binary.BigEndian.Uint64(b)), 0)
	b = b[8:]
	for _, d := range []*[32]byte{&p.text, &p.since, &p.prev} {
		b = b[copy(d[:], b):]
	}
	p.state = b
	return p, true
}

// Seal returns the token for the assistant message that ends the conversation
// c with the visible text.
func (k *Keys) Seal(scope Scope, c Conversation, text string, state State) (string, error) {
	return k.sealAt(k.now(), scope, c, text, state)
}

func (k *Keys) sealAt(made time.Time, scope Scope, c Conversation, text string, state State) (string, error) {
	encoded, err := encode(state)
	if err != nil {
		return "", err
	}
	aead, err := k.cipher(k.order[0], scope)
	if err != nil {
		return "", err
	}
	plain := payload{made, digest(text), c.place.since.sum(), c.place.previous, encoded}.bytes()
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(plain)+aead.Overhead())
	if _, err := io.ReadFull(k.rand, nonce); err != nil {
		return "", fmt.Errorf("draw a nonce: %w", err)
	}
	sealed := aead.Seal(nonce, nonce, plain, associated(scope, c.place.position))
	return strings.Join([]string{version, k.order[0], strconv.Itoa(c.place.position), base64.RawURLEncoding.EncodeToString(sealed)}, "."), nil
}

// encode writes the state, with shorter results where it would otherwise become
// larger than what we would open again.
func encode(state State) ([]byte, error) {
	steps := state.Steps
	for limit := maxResults; ; limit /= 4 {
		state.Steps = fit(steps, limit)
		if b := state.bytes(); len(b) <= maxPlain {
			return b, nil
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
