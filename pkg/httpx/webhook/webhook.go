// Package webhook verifies requests of other servers by the Standard Webhooks
// specification (www.standardwebhooks.com): an id, a timestamp, and signatures
// over both and the exact bytes of the body.
package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

const (
	tolerance  = 5 * time.Minute
	maxBody    = 1 << 20
	maxID      = 200
	maxSigns   = 16
	leastBytes = 24 // of a key
)

// Config says whose webhooks are accepted.
type Config struct {
	// Keys are the sender's secrets, "whsec_" and base64. While one takes the
	// place of another both are given. Required.
	Keys []string
	// Seen notes the id of a genuine request and reports whether it was noted
	// before, within the last day. Required.
	Seen func(ctx context.Context, id string) (again bool, err error)
	Now  func() time.Time
}

// Verifier is safe for concurrent use.
type Verifier struct {
	cfg  Config
	keys [][]byte
}

// New checks cfg and returns the verifier.
func New(cfg Config) (*Verifier, error) {
	if len(cfg.Keys) == 0 || cfg.Seen == nil || cfg.Now == nil {
		return nil, errors.New("webhook: keys, a memory of ids and a clock are all required")
	}
	v := &Verifier{cfg: cfg}
	for i, text := range cfg.Keys {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, "whsec_"))
		if err != nil || len(key) < leastBytes {
			return nil, fmt.Errorf("webhook: key %d is not whsec_ and base64 of at least %d bytes", i+1, leastBytes)
		}
		v.keys = append(v.keys, key)
	}
	return v, nil
}

// Read returns the body of a genuine request, byte for byte. again says that it
// came before: answer with success and do nothing. A request that is not
// genuine, too old or too far ahead is a fault.Unauthorized error. An id counts
// as seen from here on, so what follows must either be done or be safe to lose.
func (v *Verifier) Read(w http.ResponseWriter, r *http.Request) (body []byte, again bool, err error) {
	body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			f := fault.New(fault.TooLarge, "The request is larger than %d bytes.", maxBody)
			f.Limit = "body_bytes"
			return nil, false, f
		}
		return nil, false, httpx.Unread(err)
	}
	id := r.Header.Get("webhook-id")
	if err := v.check(id, r.Header.Get("webhook-timestamp"), r.Header.Get("webhook-signature"), body); err != nil {
		return nil, false, fault.Wrap(fault.Unauthorized, err,
			"This request is not genuine.").WithCode("bad_signature")
	}
	if again, err = v.cfg.Seen(r.Context(), id); err != nil {
		return nil, false, err
	}
	return body, again, nil
}

func (v *Verifier) check(id, moment, signatures string, body []byte) error {
	seconds, err := strconv.ParseInt(moment, 10, 64)
	switch {
	case id == "" || len(id) > maxID || strings.Contains(id, "."):
		// A dot would let a part of the id be read as the moment.
		return errors.New("the id is missing or of no form")
	case err != nil || strconv.FormatInt(seconds, 10) != moment:
		return errors.New("the moment is missing or of no form")
	}
	if away := v.cfg.Now().Sub(time.Unix(seconds, 0)).Abs(); away > tolerance {
		return fmt.Errorf("the moment is %v away", away)
	}
	for i, one := range strings.Fields(signatures) {
		version, text, _ := strings.Cut(one, ",")
		given, err := base64.StdEncoding.DecodeString(text)
		if i == maxSigns {
			break
		}
		if version != "v1" || err != nil {
			continue
		}
		for _, key := range v.keys {
			if hmac.Equal(given, sign(key, id, moment, body)) {
				return nil
			}
		}
	}
	return errors.New("no signature fits")
}

func sign(key []byte, id, moment string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	io.WriteString(h, id+"."+moment+".")
	h.Write(body)
	return h.Sum(nil)
}
