package intents

import (
	"context"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/intent"
)

// Matcher recognises sentences as one organisation's people say them: with the
// assistant's phrases, the organisation's own, and its thresholds. It is immutable
// and safe for concurrent use.
type Matcher struct {
	*intent.Model
	thresholds map[string]float64
	suspended  map[Slot]bool
	names      map[string]string // of own intents, by the forms of their phrases
	usual      float64
}

// NewMatcher returns the matcher of an organisation on the assistant's own model.
// Phrases that the model has for another agent, such as new ones of a later
// release, are left out.
func NewMatcher(base *intent.Model, own Own) *Matcher {
	m := (&Matcher{Model: base, usual: base.Threshold()}).with(own)
	var phrases []intent.Phrase
	for _, in := range own.Intents {
		for _, p := range in.Phrases {
			phrases = append(phrases, intent.Phrase{Intent: in.Agent, Text: p.Text})
		}
	}
	if len(phrases) > 0 {
		m.Model, _ = base.Extend(phrases)
		m.names = forms(own.Intents)
	}
	return m
}

// with returns the matcher with the thresholds and the suspended buckets of own.
func (m *Matcher) with(own Own) *Matcher {
	other := *m
	other.thresholds, other.suspended = own.Thresholds, map[Slot]bool{}
	for _, s := range own.Suspended {
		other.suspended[s.comparable()] = true
	}
	return &other
}

// Match says which intent a sentence expresses. What the thresholds and the suspended
// buckets of the organisation decide otherwise than the default is accepted or rejected
// by them.
func (m *Matcher) Match(text string) intent.Result {
	r := m.moved(m.Model.Match(text))
	if r.Accepted && r.Reason != intent.Exact && len(m.suspended) > 0 &&
		m.suspended[SlotOf(m.Name(r.Intent), r.Confidence, m.usual)] {
		r.Accepted, r.Reason = false, intent.Suspended
	}
	return r
}

// moved applies the organisation's thresholds to a result of the model.
func (m *Matcher) moved(r intent.Result) intent.Result {
	if len(m.thresholds) == 0 || r.Intent < 0 {
		return r
	}
	threshold, moved := m.thresholds[m.Name(r.Intent)]
	switch {
	case !moved || r.Reason == intent.Exact || r.Reason == intent.TooLong || r.Reason == intent.Empty:
	case r.Accepted && (r.Confidence < threshold || threshold >= 1):
		r.Accepted, r.Reason = false, intent.Unsure
	case !r.Accepted && threshold < m.usual && r.Confidence >= threshold:
		r.Accepted, r.Reason = true, intent.Learnt
	}
	return r
}

// Usual returns the threshold of intents that have none of their own.
func (m *Matcher) Usual() float64 { return m.usual }

// Threshold returns the confidence from which an intent is matched.
func (m *Matcher) Threshold(name string) float64 {
	if t, ok := m.thresholds[name]; ok {
		return t
	}
	return m.usual
}

// Own returns the organisation's own intent that has the sentence as a phrase; "" for
// none.
func (m *Matcher) Own(text string) string {
	if len(m.names) == 0 {
		return ""
	}
	return m.names[intent.Comparable(text)]
}

// Library keeps the matchers of organisations. It costs a turn one read at most, and
// none while what was read is fresh.
type Library struct {
	Store Store
	Base  func(assistant string) (*intent.Model, error) // nil for an assistant without phrases
	Now   calendar.Clock
	// Fresh is how long a matcher is used without a question to the store; 0 means
	// 30 s. Within bounds that question; 0 means 500 ms.
	Fresh, Within time.Duration
	// Report, if not nil, is told why an organisation's phrases could not be read.
	// The turn goes on with what is known.
	Report func(ctx context.Context, err error)

	mu   sync.Mutex
	orgs map[orgKey]*kept
}

type orgKey struct{ org, assistant string }

// kept is what was read for an organisation.
type kept struct {
	mu      sync.Mutex // held while it is read, so that turns at once read once
	at      time.Time
	version string
	matcher *Matcher
}

// remembered bounds the matchers that are kept. One of hospitality with phrases of
// its own takes about 1 MB.
const remembered = 64

// For returns the matcher of by's organisation; nil for an assistant without phrases.
// Visitors have the assistant's own phrases.
func (l *Library) For(ctx context.Context, by identity.Caller, assistant string) *Matcher {
	base, err := l.Base(assistant)
	if err != nil || base == nil {
		l.report(ctx, err)
		return nil
	}
	if by.Visitor != "" {
		return NewMatcher(base, Own{})
	}
	k := l.slot(orgKey{by.OrgID, assistant})
	k.mu.Lock()
	defer k.mu.Unlock()
	fresh, within := l.Fresh, l.Within
	if fresh == 0 {
		fresh = 30 * time.Second
	}
	if within == 0 {
		within = 500 * time.Millisecond
	}
	now := l.Now()
	if age := now.Sub(k.at); k.matcher != nil && age >= 0 && age < fresh {
		return k.matcher
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	own, err := l.Store.Read(ctx, by, assistant, k.version, base.Threshold())
	switch {
	case err != nil:
		l.report(ctx, err)
		if k.matcher == nil {
			k.matcher = NewMatcher(base, Own{})
		}
	case k.matcher != nil && own.Intents == nil && own.Version == k.version:
		k.matcher = k.matcher.with(own)
	default:
		k.matcher, k.version = NewMatcher(base, own), own.Version
	}
	// Also after a failure: a store that is down is not asked in each turn.
	k.at = now
	return k.matcher
}

func (l *Library) report(ctx context.Context, err error) {
	if err != nil && l.Report != nil {
		l.Report(ctx, err)
	}
}

// slot returns the place of an organisation. Where there are too many, one is
// forgotten.
func (l *Library) slot(key orgKey) *kept {
	l.mu.Lock()
	defer l.mu.Unlock()
	if k, ok := l.orgs[key]; ok {
		return k
	}
	if l.orgs == nil {
		l.orgs = map[orgKey]*kept{}
	}
	if len(l.orgs) >= remembered {
		for old := range l.orgs { // any: those in use come back at their next turn
			delete(l.orgs, old)
			break
		}
	}
	k := &kept{version: unread}
	l.orgs[key] = k
	return k
}

// unread is the version of what was not read; no set of intents has it.
const unread = "-"
