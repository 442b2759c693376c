package turns

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Seals are the keys with which a journal authenticates its steps, so that it
// accepts no step that was written into the store by others. The first key
// signs, all are accepted.
type Seals [][]byte

// seal returns the answer of a step as it is kept: a JSON string of its mark and
// its text. The store may reformat JSON, except strings.
func (k Seals) seal(by identity.Caller, s Start, step Step, answer []byte) (json.RawMessage, error) {
	if len(k) == 0 {
		return nil, errors.New("the journal has no keys")
	}
	return json.Marshal(hex.EncodeToString(mark(k[0], by, s, step, answer)) + "." + string(answer))
}

// open returns the answer of a step that was kept by seal. It reports false for
// one that does not verify.
func (k Seals) open(by identity.Caller, s Start, step Step, kept json.RawMessage) ([]byte, bool) {
	var text string
	if json.Unmarshal(kept, &text) != nil {
		return nil, false
	}
	sum, answer, _ := strings.Cut(text, ".")
	want, err := hex.DecodeString(sum)
	if err != nil {
		return nil, false
	}
	for _, key := range k {
		if hmac.Equal(want, mark(key, by, s, step, []byte(answer))) {
			return []byte(answer), true
		}
	}
	return nil, false
}

// mark is over the answer and its place: whose turn, for which request, which
// step of which run.
func mark(key []byte, by identity.Caller, s Start, step Step, answer []byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, part := range []string{by.OrgID, by.Subject(), s.Turn, s.Fingerprint, s.Assistant} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	fmt.Fprintf(h, "%d:%d:%s", step.Number, len(step.Run), step.Run)
	h.Write(answer)
	return h.Sum(nil)
}
