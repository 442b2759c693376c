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

// Location is where a message is stored: what its token is bound to besides its
// text. It names no user, since a conversation may have several participants.
type Location struct {
	Tenant       string
	Assistant    string
	Conversation string
	Message      string
}

const (
	storedVersion = "k1"
	storedInfo    = "bellhop kept 1"
)

func (at Location) append(label, message string) []byte {
	return appendScope(nil, label, Scope{Tenant: at.Tenant, User: message, Assistant: at.Assistant,
		Thread: at.Conversation})
}

// SealStored returns the storage token of an assistant's message, which is
// stored with it, so that write access to the store is not enough to forge
// texts, results or summaries of the assistant. It contains what a seal
// contains, except the position in a chain: stored messages are numbered by the
// store.
func (k *Keys) SealStored(at Location, text string, state State) (string, error) {
	encoded, err := encode(state)
	if err != nil {
		return "", err
	}
	aead, err := k.derive(k.order[0], at.append(storedInfo, ""))
	if err != nil {
		return "", err
	}
	plain := payload{made: k.now(), text: digest(text), state: encoded}.bytes()
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(plain)+aead.Overhead())
	if _, err := io.ReadFull(k.rand, nonce); err != nil {
		return "", fmt.Errorf("draw a nonce: %w", err)
	}
	sealed := aead.Seal(nonce, nonce, plain, at.append(storedVersion, at.Message))
	return strings.Join([]string{storedVersion, k.order[0], base64.RawURLEncoding.EncodeToString(sealed)}, "."), nil
}

// errStored does not say what was wrong: that would only help an attacker who
// altered the store.
var errStored = errors.New("not a message that we kept")

// OpenStored opens a token of SealStored. It fails when the text differs, when
// the message was moved, or when the key was removed; the text then carries no
// authority. A stored message does not expire here: Chain checks its age.
func (k *Keys) OpenStored(at Location, text, token string) (State, time.Time, error) {
	parts := strings.Split(token, ".")
	if len(token) > maxToken || len(parts) != 3 || parts[0] != storedVersion || strings.ContainsAny(parts[2], "\r\n") {
		return State{}, time.Time{}, errStored
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(parts[2])
	if err != nil {
		return State{}, time.Time{}, errStored
	}
	aead, err := k.derive(parts[1], at.append(storedInfo, ""))
	if err != nil {
		return State{}, time.Time{}, err
	}
	if len(sealed) < aead.NonceSize() {
		return State{}, time.Time{}, errStored
	}
	plain, err := aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():],
		at.append(storedVersion, at.Message))
	if err != nil {
		return State{}, time.Time{}, errStored
	}
	p, ok := readPayload(plain)
	if !ok || p.text != digest(text) {
		return State{}, time.Time{}, errStored
	}
	state, err := readState(p.state)
	if err != nil {
		return State{}, time.Time{}, err
	}
	return *state, p.made, nil
}

// Link is a message that the server seals, or, without a State, one that it
// only passes on.
type Link struct {
	Message
	State *State
	At    time.Time // when its State was made
}

// Chain seals a list of messages for the user of the scope, who does not have
// them yet or has them under other seals: a stored conversation that is loaded,
// or the messages after a new summary. The result may be sent as a history.
// Seals keep their original time, so loading extends no authority; messages
// older than the TTL of a seal are passed on as plain text.
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

// Links returns the conversation as it was opened, for Chain: only accepted
// messages are sealed again.
func (c Conversation) Links() []Link {
	links := make([]Link, len(c.Entries))
	for i, e := range c.Entries {
		links[i] = Link{Message{Role: e.Role, Text: e.Text, Foreign: e.Foreign, Files: e.Files}, e.State, e.At}
	}
	return links
}
