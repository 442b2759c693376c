package history

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// The parts of a token: version, key id, position, sealed bytes.
const (
	version  = "b1"
	sealInfo = "bellhop seal 1"
	// maxToken bounds what we try to open; a seal of ours is far smaller.
	maxToken = 128 << 10
	// maxResults bounds the tool results in one seal.
	maxResults = 32 << 10
)

// Scope is what a seal is bound to besides its place in the chain. A token
// moved to another scope does not open.
type Scope struct {
	Tenant string
	User   string
	Thread string
	// Assistant keeps what one assistant's tools returned from another's.
	Assistant string
}

// Keys seals and opens. It is immutable and safe for concurrent use.
type Keys struct {
	first string
	byID  map[string][]byte
	ttl   time.Duration
	now   func() time.Time
	rand  io.Reader
}

// KeysConfig configures NewKeys.
type KeysConfig struct {
	// Spec is "kid:base64,…" with 32-byte keys: the first seals, all open.
	// At most three.
	Spec string
	// TTL is how long a seal has authority; default 30 days.
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
		if err != nil || len(key) != 32 || id == "" || strings.ContainsAny(id, ".:") {
			return nil, fmt.Errorf("entry %d of SEAL_KEYS is not of the form kid:base64 with 32 bytes", i+1)
		}
		if _, twice := k.byID[id]; twice {
			return nil, fmt.Errorf("SEAL_KEYS names the key %q twice", id)
		}
		if i == 0 {
			k.first = id
		}
		k.byID[id] = key
	}
	return k, nil
}

// payload is what a token hides.
type payload struct {
	State   State  `json:"s"`
	Text    []byte `json:"t"` // digest of the visible text
	Since   []byte `json:"m"` // digest of the messages since the previous seal
	Prev    []byte `json:"p"` // digest of the previous seal, or of nothing
	Expires int64  `json:"e"` // unix seconds
}

// Seal returns the token for the assistant message that ends the conversation
// c with the visible text.
func (k *Keys) Seal(scope Scope, c Conversation, text string, state State) (string, error) {
	state.Steps = fit(state.Steps, maxResults)
	plain, err := json.Marshal(payload{
		State: state, Text: digest(text), Since: digestMessages(c.since), Prev: digest(c.Previous),
		Expires: k.now().Add(k.ttl).Unix(),
	})
	if err != nil {
		return "", fmt.Errorf("encode a seal: %w", err)
	}
	aead, err := k.cipher(k.first, scope.Tenant)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(plain)+aead.Overhead())
	if _, err := io.ReadFull(k.rand, nonce); err != nil {
		return "", fmt.Errorf("draw a nonce: %w", err)
	}
	sealed := aead.Seal(nonce, nonce, plain, associated(scope, c.Position))
	return strings.Join([]string{version, k.first, strconv.Itoa(c.Position), base64.RawURLEncoding.EncodeToString(sealed)}, "."), nil
}

// Reasons why a seal gives no authority; also the public words for them.
const (
	reasonForged  = "forged"  // a role or part that only the server may send
	reasonUnread  = "unread"  // the token does not open: altered, borrowed, or its key is gone
	reasonChain   = "chain"   // it opens, but not after these messages
	reasonEdited  = "edited"  // the visible text is not the one that was sealed
	reasonExpired = "expired" // it is too old
)

// Open reads the messages in order and believes what is sealed and in its
// place.
func (k *Keys) Open(scope Scope, messages []Message) Conversation {
	c := Conversation{Entries: make([]Entry, 0, len(messages))}
	ciphers := map[string]cipher.AEAD{} // derived once for all messages
	broken := false
	for _, m := range messages {
		if m.Forged != "" {
			c.doubt(reasonForged)
			if m.Role != llm.Assistant || m.Text == "" {
				continue
			}
		}
		if m.Role != llm.Assistant {
			c.Entries = append(c.Entries, Entry{Role: m.Role, Text: m.Text})
			c.since = append(c.since, m)
			continue
		}
		entry := Entry{Role: m.Role, Text: m.Text}
		if m.Seal != "" {
			p, reason := k.open(scope, &c, m, ciphers, broken)
			switch reason {
			case "":
				entry.State = &p.State
				fallthrough
			case reasonExpired:
				// An expired seal has no authority, but its place in the
				// chain is still proven, so what follows may stand on it.
				c.Position++
				c.Previous = m.Seal
				c.since = c.since[:0:0]
				c.Entries = append(c.Entries, entry)
				if reason != "" {
					c.doubt(reason)
				}
				continue
			}
			c.doubt(reason)
			broken = true
		}
		c.Entries = append(c.Entries, entry)
		c.since = append(c.since, m)
	}
	return c
}

func (k *Keys) open(scope Scope, c *Conversation, m Message, ciphers map[string]cipher.AEAD, broken bool) (payload, string) {
	var p payload
	if broken {
		return p, reasonChain
	}
	if len(m.Seal) > maxToken {
		return p, reasonUnread
	}
	parts := strings.Split(m.Seal, ".")
	if len(parts) != 4 || parts[0] != version {
		return p, reasonUnread
	}
	// The one accepted spelling of each part: a token has no second form.
	position, err := strconv.Atoi(parts[2])
	if err != nil || strconv.Itoa(position) != parts[2] {
		return p, reasonUnread
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(parts[3])
	if err != nil {
		return p, reasonUnread
	}
	aead := ciphers[parts[1]]
	if aead == nil {
		if aead, err = k.cipher(parts[1], scope.Tenant); err != nil {
			return p, reasonUnread
		}
		ciphers[parts[1]] = aead
	}
	if len(sealed) < aead.NonceSize() {
		return p, reasonUnread
	}
	plain, err := aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], associated(scope, position))
	if err != nil || json.Unmarshal(plain, &p) != nil {
		return p, reasonUnread
	}
	switch {
	case position != c.Position || string(p.Prev) != string(digest(c.Previous)) || string(p.Since) != string(digestMessages(c.since)):
		return p, reasonChain
	case string(p.Text) != string(digest(m.Text)):
		return p, reasonEdited
	case k.now().Unix() >= p.Expires:
		return p, reasonExpired
	}
	return p, ""
}

func (k *Keys) cipher(id, tenant string) (cipher.AEAD, error) {
	master, ok := k.byID[id]
	if !ok {
		return nil, errors.New("no such seal key")
	}
	key, err := hkdf.Key(sha256.New, master, []byte(id), sealInfo+"\x00"+tenant, 32)
	if err != nil {
		return nil, fmt.Errorf("derive a seal key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("seal cipher: %w", err)
	}
	return cipher.NewGCM(block)
}

// associated is the injective encoding of what a seal is bound to: every text
// is preceded by its length, so no two different scopes encode alike.
func associated(scope Scope, position int) []byte {
	var b []byte
	for _, s := range []string{version, scope.Tenant, scope.User, scope.Assistant, scope.Thread} {
		b = appendText(b, s)
	}
	return binary.BigEndian.AppendUint64(b, uint64(position))
}

func appendText(b []byte, s string) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(s)))
	return append(b, s...)
}

func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

func digestMessages(messages []Message) []byte {
	h := sha256.New()
	var head [8]byte
	for _, m := range messages {
		binary.BigEndian.PutUint32(head[:4], uint32(len(m.Role)))
		binary.BigEndian.PutUint32(head[4:], uint32(len(m.Text)))
		h.Write(head[:])
		io.WriteString(h, string(m.Role))
		io.WriteString(h, m.Text)
	}
	return h.Sum(nil)
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
