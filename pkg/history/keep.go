package history

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Shelf is where a stored message stands: what its token is bound to besides
// its text. No person is named, since several may take part in a conversation.
type Shelf struct {
	Tenant       string
	Assistant    string
	Conversation string
	Message      string
}

const (
	keptVersion = "k1"
	keptInfo    = "bellhop kept 1"
)

func (s Shelf) append(label, message string) []byte {
	return appendScope(nil, label, Scope{Tenant: s.Tenant, User: message, Assistant: s.Assistant, Thread: s.Conversation})
}

// Keep returns a token that is stored beside an assistant's message, so that
// who can write to the store still cannot put words, results or a summary into
// the assistant's mouth. It holds what a seal holds, but no place in a chain:
// stored messages are numbered by the store.
func (k *Keys) Keep(at Shelf, text string, state State) (string, error) {
	encoded, err := encode(state)
	if err != nil {
		return "", err
	}
	aead, err := k.derive(k.order[0], at.append(keptInfo, ""))
	if err != nil {
		return "", err
	}
	plain := payload{made: k.now(), text: digest(text), state: encoded}.bytes()
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(plain)+aead.Overhead())
	if _, err := io.ReadFull(k.rand, nonce); err != nil {
		return "", fmt.Errorf("draw a nonce: %w", err)
	}
	sealed := aead.Seal(nonce, nonce, plain, at.append(keptVersion, at.Message))
	return strings.Join([]string{keptVersion, k.order[0], base64.RawURLEncoding.EncodeToString(sealed)}, "."), nil
}

// errKept says nothing about what was wrong: who could learn from it is who
// altered the store.
var errKept = errors.New("not a message that we kept")

// Kept opens a token of Keep. It fails when the text is another, when the
// message was moved, or when the key is gone; the text then carries no
// authority. A kept message does not age: Chain decides what it is still worth.
func (k *Keys) Kept(at Shelf, text, token string) (State, time.Time, error) {
	parts := strings.Split(token, ".")
	if len(token) > maxToken || len(parts) != 3 || parts[0] != keptVersion || strings.ContainsAny(parts[2], "\r\n") {
		return State{}, time.Time{}, errKept
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(parts[2])
	if err != nil {
		return State{}, time.Time{}, errKept
	}
	aead, err := k.derive(parts[1], at.append(keptInfo, ""))
	if err != nil {
		return State{}, time.Time{}, err
	}
	if len(sealed) < aead.NonceSize() {
		return State{}, time.Time{}, errKept
	}
	plain, err := aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], at.append(keptVersion, at.Message))
	if err != nil {
		return State{}, time.Time{}, errKept
	}
	p, ok := readPayload(plain)
	if !ok || p.text != digest(text) {
		return State{}, time.Time{}, errKept
	}
	state, err := readState(p.state)
	if err != nil {
		return State{}, time.Time{}, err
	}
	return *state, p.made, nil
}

// Link is a message that the server vouches for, or, without a State, one that
// it only hands on.
type Link struct {
	Message
	State *State
	At    time.Time // when its State was made
}

// Chain seals a list of messages for the person of the scope, who has none of
// them yet or held them under other seals: a stored conversation that is
// loaded, or the rest behind a new summary. The result may be sent as a history.
// What was made stays as old as it was, so nothing gains authority by being
// loaded; what is older than a seal may become is handed on as plain text.
func (k *Keys) Chain(scope Scope, links []Link) ([]Message, error) {
	out := make([]Message, 0, len(links))
	c := Conversation{now: k.now()}
	for _, l := range links {
		m := l.Message
		m.Seal = ""
		if m.Role == llm.Assistant && l.State != nil && c.now.Before(l.At.Add(k.ttl)) {
			seal, err := k.sealAt(l.At, scope, c, m.Text, *l.State)
			if err != nil {
				return nil, err
			}
			m.Seal = seal
			c.place = place{position: c.place.position + 1, previous: digest(seal)}
		} else if m.Role != llm.Assistant || m.Text != "" {
			c.place.since.add(m)
		}
		out = append(out, m)
	}
	return out, nil
}

// Links returns the conversation as it was opened, for Chain: what was
// believed is vouched for again, and no more.
func (c Conversation) Links() []Link {
	links := make([]Link, len(c.Entries))
	for i, e := range c.Entries {
		links[i] = Link{Message{Role: e.Role, Text: e.Text, Foreign: e.Foreign, Files: e.Files}, e.State, e.At}
	}
	return links
}
