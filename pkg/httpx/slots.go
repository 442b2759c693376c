package httpx

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// slots are the places for requests that one process works on at the same time.
// No caller gets all of them: users and organisations have shares. The caller
// of a request is known before its body is read, so a body that arrives slowly,
// or never, holds a place of its sender's share.
type slots struct {
	all, person, org int

	mu    sync.Mutex
	taken int
	of    map[string]int // by whom
}

// newSlots returns places for so many requests at once. A person may have a
// sixteenth of them, but up to eight where that is no more than a quarter; an
// organisation may have the half.
func newSlots(all int) *slots {
	return &slots{all: all, person: max(all/16, min(8, all/4), 1), org: max(all/2, 1), of: map[string]int{}}
}

// place is the place of one request. It is used by one goroutine at a time.
type place struct {
	slots  *slots
	remote string // the address that a request comes from
	held   []string
}

// enter takes a place for a request whose caller is not known yet.
func (s *slots) enter(r *http.Request) (*place, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken >= s.all {
		return nil, fault.New(fault.Unavailable, "There is too much to do at the moment. Please try again shortly.").
			WithCode("overloaded").WithRetryAfter(time.Second)
	}
	s.taken++
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	return &place{slots: s, remote: "remote " + host}, nil
}

// leave gives the place back.
func (p *place) leave() {
	p.slots.mu.Lock()
	defer p.slots.mu.Unlock()
	p.slots.taken--
	for _, key := range p.held {
		if p.slots.of[key]--; p.slots.of[key] == 0 {
			delete(p.slots.of, key)
		}
	}
	p.held = nil
}

// hold counts the place to the share of the key, once. It reports whether there
// was room.
func (p *place) hold(key string, most int) bool {
	p.slots.mu.Lock()
	defer p.slots.mu.Unlock()
	if p.slots.of[key] >= most {
		return false
	}
	p.slots.of[key]++
	p.held = append(p.held, key)
	return true
}

// claim counts the place to the shares of a person and an organisation.
func (p *place) claim(by identity.Caller) error {
	if len(p.held) > 0 {
		return nil // it is taken already
	}
	again := func(sentence string) error {
		return fault.New(fault.Limited, "%s", sentence).WithCode("too_many_at_once").WithRetryAfter(time.Second)
	}
	if !p.hold("person "+by.Subject(), p.slots.person) {
		return again("Too many of your requests are open at the same time. Please wait until one of them has ended.")
	}
	if by.OrgID != "" && !p.hold("org "+by.OrgID, p.slots.org) {
		return again("Too many requests of your organisation are open at the same time. Please try again shortly.")
	}
	return nil
}

// claimBody counts the place of a request that is read before anybody knows
// whose it is, such as a webhook's, to where it comes from.
func (p *place) claimBody() error {
	if len(p.held) > 0 || p.hold(p.remote, p.slots.person) {
		return nil
	}
	return fault.New(fault.Limited, "Too many requests from your address are open at the same time. Please try "+
		"again shortly.").
		WithCode("too_many_at_once").WithRetryAfter(time.Second)
}

// Claim counts a request towards its caller's share of the process's concurrent
// requests. It returns a fault.Limited error where the share is used up.
// [Caller] does it; a handler that authenticates in another way calls it before
// reading the body.
func Claim(ctx context.Context, by identity.Caller) error {
	if e, ok := ctx.Value(contextKey{}).(*entry); ok && e.place != nil {
		return e.place.claim(by)
	}
	return nil
}
