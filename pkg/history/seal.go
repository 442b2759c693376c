package history

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The parts of a token: version, key id, position, sealed bytes.
const (
	version  = "b2"
	sealInfo = "bellhop seal 2"
	maxKeyID = 64
	// maxToken limits the size of tokens to decrypt; maxPlain that of states to
	// seal. A token is 4/3 of the sealed bytes and a head.
	maxToken = 128 << 10
	maxPlain = 94 << 10
	// maxResults bounds the tool results in one seal.
	maxResults = 32 << 10
)

// payload is the encrypted content of a token.
type payload struct {
	made  time.Time // in whole seconds
	text  [32]byte  // digest of the visible text
	since [32]byte  // digest of the messages since the previous seal
	prev  [32]byte  // digest of the previous seal, or zeros
	state []byte
}

// headBytes is the part of a payload before the state. It has a fixed form, so
// that the position of a token is known without decoding the rest.
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
	aead := c.ciphers[k.order[0]]
	if aead == nil || c.keys != k || c.scope != scope {
		if aead, err = k.cipher(k.order[0], scope); err != nil {
			return "", err
		}
	}
	plain := payload{made, digest(text), c.place.since.sum(), c.place.previous, encoded}.bytes()
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(plain)+aead.Overhead())
	if _, err := io.ReadFull(k.rand, nonce); err != nil {
		return "", fmt.Errorf("draw a nonce: %w", err)
	}
	sealed := aead.Seal(nonce, nonce, plain, associated(scope, c.place.position))
	return strings.Join([]string{version, k.order[0], strconv.Itoa(c.place.position),
		base64.RawURLEncoding.EncodeToString(sealed)}, "."), nil
}

// errTooLarge is the error of a state that is too large even without steps, for
// example because of its mode.
var errTooLarge = errors.New("the state of a seal is too large without any results")

// encode writes the state, made to fit; see Fit.
func encode(state State) ([]byte, error) {
	for limit := maxResults; ; limit /= 4 {
		fitted, _ := fit(state.Steps, limit)
		small := state
		small.Steps = fitted
		if b := small.bytes(); len(b) <= maxPlain {
			return b, nil
		}
		if limit == 0 && len(state.Handles) > 0 {
			state.Handles = nil // what they stood for is looked up again
			limit = maxResults
			continue
		}
		if limit == 0 {
			return nil, errTooLarge
		}
	}
}

// Fit returns the state as a seal keeps it. It reports true when results were
// replaced by their beginning, size and digest, or steps were left out, because
// of the size limit of a seal; this does not affect what the user saw.
func (s State) Fit() (fitted State, summarised bool) {
	s.Steps, summarised = fit(s.Steps, maxResults)
	return s, summarised
}

// fit makes the steps small enough for a seal: the largest results are cut, to
// the same length, and when calls alone are too long, the oldest steps go. The
// remaining steps are complete, so a later prompt is still valid.
func fit(steps []Step, limit int) (fitted []Step, changed bool) {
	calls, results := 0, 0
	for i := len(steps) - 1; i >= 0; i-- {
		calls += len(steps[i].Text)
		for _, c := range steps[i].Calls {
			calls += len(c.Name) + len(c.Arguments)
		}
		if calls > limit {
			steps, changed = steps[i+1:], true
			break
		}
	}
	var sizes []int
	for _, s := range steps {
		for _, r := range s.Results {
			sizes = append(sizes, len(r.Text))
			results += len(r.Text)
		}
	}
	if results <= limit {
		return steps, changed
	}
	share := level(sizes, limit)
	fitted = make([]Step, len(steps))
	for i, s := range steps {
		fitted[i] = s
		fitted[i].Results = make([]Result, len(s.Results))
		for j, r := range s.Results {
			if len(r.Text) > share {
				r.Text = summarised(r.Text, share)
			}
			fitted[i].Results[j] = r
		}
	}
	return fitted, true
}

// level returns the length to which the longest texts are cut, so that all
// together have at most limit bytes.
func level(sizes []int, limit int) int {
	slices.Sort(sizes)
	for i, size := range sizes {
		if share := limit / (len(sizes) - i); size > share {
			return share
		}
		limit -= size
	}
	return math.MaxInt
}

// summarised is a text's beginning, with the size and the digest of the whole.
func summarised(text string, share int) string {
	sum := sha256.Sum256([]byte(text))
	tail := fmt.Sprintf("… (%d bytes more were shown; digest %x)", len(text)-share, sum[:8])
	return strings.ToValidUTF8(text[:max(0, share-len(tail))], "") + tail
}
