package history

import (
	"cmp"
	"crypto/cipher"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Reasons why a message has no authority; also their public codes.
const (
	reasonForged    = "forged"    // a role, a call or a result that only the server may send
	reasonMalformed = "malformed" // a message of no form that we know
	reasonUnread    = "unread"    // the token does not open: altered, borrowed, or its key is gone
	reasonChain     = "chain"     // it opens, but not after these messages
	reasonEdited    = "edited"    // the visible text is not the one that was sealed
	reasonCut       = "cut"       // the messages before it are missing
	reasonExpired   = "expired"   // it is too old
)

// place is a position in a chain.
type place struct {
	position int      // seals so far
	previous [32]byte // digest of the last one; zeros before the first
	since    said     // what was said after it
}

// opener is the work of one Open.
type opener struct {
	keys    *Keys
	scope   Scope
	now     time.Time
	ciphers map[string]cipher.AEAD // derived once for all messages
	bound   []byte                 // what a token is bound to; its end is the position
	sealed  bool                   // a message with a seal was read
	// lost is the position after the last token with an unknown key, if that
	// token was the server's: the next token shows whether it was.
	lost *place
}

// Open reads the messages in order and accepts the seals that are valid in
// their position.
//
// A seal is accepted when it refers to the previously accepted seal and to all
// messages in between, so the accepted seals form one unbroken chain. A message
// that is not accepted is read as plain text: later seals that were made before
// it was altered fail with it, those that are made afterwards are valid. A
// chain may begin after the first message in two cases: after seals whose key
// was removed, if the next seal refers to the last of them, and after the first
// seal of a list whose beginning is missing. Those first seals have no
// authority themselves.
func (k *Keys) Open(scope Scope, messages []Message) Conversation {
	o := opener{keys: k, scope: scope, now: k.now(), ciphers: map[string]cipher.AEAD{}, bound: associated(scope, 0)}
	c := Conversation{Entries: make([]Entry, 0, len(messages)), now: o.now}
	for i, m := range messages {
		known := c.claims()
		o.open(&c, m, i)
		if c.claims() > known {
			c.doubted++
		}
	}
	c.keys, c.scope, c.ciphers = k, scope, o.ciphers
	return c
}

func (o *opener) open(c *Conversation, m Message, number int) {
	if m.Role != llm.User && m.Role != llm.Assistant {
		c.doubt(cmp.Or(m.Doubt, reasonForged)) // its words are dropped
		return
	}
	entry := Entry{Role: m.Role, Text: m.Text, Foreign: m.Foreign, Spoken: m.Spoken, Number: number, Files: m.Files}
	if m.Role == llm.Assistant && m.Seal != "" {
		p, position, reason := o.read(m)
		if reason == "" {
			reason = o.place(c, p, position, m)
		}
		var state *State
		if reason == "" {
			var err error
			if state, err = readState(p.state); err != nil {
				reason = reasonUnread
			}
		}
		o.sealed = true
		entry.Doubted = reason != ""
		switch reason {
		case "", reasonExpired, reasonCut:
			// These have their position in the chain. Calls next to them are
			// ignored: the server's own record is in the token.
			if reason == "" {
				entry.State, entry.At = state, p.made
			} else {
				c.doubt(reason)
			}
			c.place, o.lost = place{position: position + 1, previous: digest(m.Seal)}, nil
			c.Entries = append(c.Entries, entry)
			return
		}
		c.doubt(reason)
	}
	if m.Doubt != "" {
		c.doubt(m.Doubt)
	}
	if m.Role == llm.Assistant && m.Text == "" {
		return // an answer that was stopped before its first word
	}
	c.Entries = append(c.Entries, entry)
	c.place.since.add(m)
	switch {
	case m.Role == llm.Assistant && c.place.position == 0 && o.keyGone(m.Seal):
		o.lost = &place{previous: digest(m.Seal)}
	case o.lost != nil:
		o.lost.since.add(m)
	}
}

// place returns why a valid token is not in its original position.
func (o *opener) place(c *Conversation, p payload, position int, m Message) string {
	cut := false
	switch {
	case position == c.place.position && p.follows(c.place):
	case o.lost != nil && p.follows(*o.lost):
	case !o.sealed && position > 0:
		cut = true
	default:
		return reasonChain
	}
	switch {
	case p.text != digest(m.Text):
		return reasonEdited
	case cut:
		return reasonCut
	case !o.now.Before(p.made.Add(o.keys.ttl)):
		return reasonExpired
	}
	return ""
}

func (p payload) follows(at place) bool {
	return p.prev == at.previous && p.since == at.since.sum()
}

// read decrypts a token. A token has one accepted encoding.
func (o *opener) read(m Message) (p payload, position int, reason string) {
	kid, position, sealed, err := parse(m.Seal)
	if err != nil {
		return p, 0, reasonUnread
	}
	aead := o.ciphers[kid]
	if aead == nil {
		if aead, err = o.keys.cipher(kid, o.scope); err != nil {
			return p, 0, reasonUnread
		}
		o.ciphers[kid] = aead
	}
	if len(sealed) < aead.NonceSize() {
		return p, 0, reasonUnread
	}
	binary.BigEndian.PutUint64(o.bound[len(o.bound)-8:], uint64(position))
	plain, err := aead.Open(sealed[:aead.NonceSize()], sealed[:aead.NonceSize()], sealed[aead.NonceSize():], o.bound)
	if err != nil {
		return p, 0, reasonUnread
	}
	p, ok := readPayload(plain[aead.NonceSize():])
	if !ok {
		return p, 0, reasonUnread
	}
	return p, position, ""
}

// keyGone reports whether a token is well-formed and names an unknown key.
func (o *opener) keyGone(token string) bool {
	kid, _, _, err := parse(token)
	return err == nil && o.keys.byID[kid] == nil
}

var errToken = errors.New("not a token of ours")

func parse(token string) (kid string, position int, sealed []byte, err error) {
	if len(token) > maxToken {
		return "", 0, nil, errToken
	}
	parts := strings.Split(token, ".")
	if len(parts) != 4 || parts[0] != version {
		return "", 0, nil, errToken
	}
	position, err = strconv.Atoi(parts[2])
	if err != nil || position < 0 || strconv.Itoa(position) != parts[2] {
		return "", 0, nil, errToken
	}
	// The decoder skips line breaks, even when it is strict.
	if strings.ContainsAny(parts[3], "\r\n") {
		return "", 0, nil, errToken
	}
	sealed, err = base64.RawURLEncoding.Strict().DecodeString(parts[3])
	return parts[1], position, sealed, err
}
