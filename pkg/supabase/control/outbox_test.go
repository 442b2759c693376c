package control_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
)

// post is a transport that takes emails and may lose its answers.
type post struct {
	emails []string // the keys of emails that arrived
	answer func(key string) (string, error)
}

func (p *post) send(_ context.Context, key string) (string, error) {
	p.emails = append(p.emails, key)
	return p.answer(key)
}

func (p *post) find(_ context.Context, key string) (string, bool, error) {
	for _, k := range p.emails {
		if k == key {
			return "found-" + k, true, nil
		}
	}
	return "", false, nil
}

func claimed(t *testing.T, key string) context.Context {
	t.Helper()
	return effect.With(t.Context(), effect.Claim{Key: key, ArgsHash: strings.Repeat("a", 64), Tool: "send_letter",
		Turn: "t-1", Assistant: "hospitality"})
}

type email struct {
	To string `json:"to"`
}

func act(p *post) effect.Outside {
	return effect.Outside{Kind: "mail", Payload: email{"guest@example.com"}, Attempt: p.send}
}

// F-50: an email whose answer was lost is not sent again.
func TestAnEmailIsSentAtMostOnce(t *testing.T) {
	t.Parallel()
	c, by, _ := setUp(t)
	box := control.NewOutbox(c)
	tests := map[string]struct {
		answer func(string) (string, error)
		look   bool
		code   string // of the first attempt
		later  string // of the second
		state  string // afterwards
	}{
		"the answer arrives": {answer: func(k string) (string, error) { return "ref-" + k, nil },
			state: "DONE"},
		"the answer is lost": {answer: func(string) (string, error) {
			return "",
				errors.New("connection reset")
		}, code: "outcome_unknown", later: "outcome_unknown", state: "UNKNOWN"},
		"the answer is lost, and asked": {answer: func(string) (string, error) {
			return "",
				errors.New("connection reset")
		}, look: true, code: "outcome_unknown", state: "DONE"},
		"the other side says a definite no": {answer: func(string) (string, error) {
			return "", effect.NotDone(fault.New(fault.Invalid, "There is no such address.").WithCode("bad_address"))
		}, code: "bad_address", later: "act_failed", state: "FAILED"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			p := &post{answer: tc.answer}
			what := act(p)
			if tc.look {
				what.LookUp = p.find
			}
			key := "letter-" + strings.ReplaceAll(name, " ", "-")
			first, err := effect.Once(claimed(t, key), box, by, what)
			if code(err) != tc.code || err == nil && (first.Reference != "ref-"+key || first.Again) {
				t.Errorf("first: %+v, %v", first, err)
			}
			second, err := effect.Once(claimed(t, key), box, by, what)
			if code(err) != tc.later || err == nil && (second.Reference == "" || !second.Again) {
				t.Errorf("second: %+v, %v", second, err)
			}
			if len(p.emails) != 1 {
				t.Errorf("%d emails were sent", len(p.emails))
			}
			rows := localtest.SQL(t, `select state, payload ->> 'to' as to from public.outbox where org_id = $1 and
				key = $2`, by.OrgID, key)
			if len(rows) != 1 || rows[0]["state"] != tc.state || rows[0]["to"] != "guest@example.com" {
				t.Errorf("the outbox has %v", rows)
			}
			// I3: the act is in the audit, with its effect.
			if n := len(localtest.SQL(t, `select from public.audit where org_id = $1 and effect_key = $2 and
				table_name = 'outbox' and action = 'insert'`, by.OrgID, key)); n != 1 {
				t.Errorf("the audit has %d rows of it", n)
			}
		})
	}
}

// F-50: a process that died between the beginning and the end leaves an act
// that is on its way at first, and unknown later. It is never tried again.
func TestAnActThatWasLostWithItsProcessIsUnknown(t *testing.T) {
	t.Parallel()
	c, by, org := setUp(t)
	box := control.NewOutbox(c)
	ctx := claimed(t, "lost-letter")
	if _, mine, err := box.Begin(ctx, by, "mail", []byte(`{}`)); err != nil || !mine {
		t.Fatalf("the act is mine: %v, %v", mine, err)
	}
	p := &post{answer: func(string) (string, error) { return "", nil }}
	_, err := effect.Once(ctx, box, by, act(p))
	if f := fault.From(err); code(err) != "act_in_flight" || f.RetryAfter <= 0 || f.RetryAfter > effect.Window {
		t.Errorf("at once: %v", err)
	}
	localtest.SQL(t, `update public.outbox set unknown_after = clock_timestamp() where org_id = $1`, by.OrgID)
	for range 2 {
		_, err = effect.Once(ctx, box, by, act(p))
		has(t, err, fault.Unavailable, "outcome_unknown")
	}
	if len(p.emails) != 0 {
		t.Errorf("%d emails were sent", len(p.emails))
	}
	// Another user of the organisation neither sees nor settles it.
	_, err = box.Settle(t.Context(), person(t, c, org.Admin), effect.Entry{Key: "lost-letter", State: effect.Done})
	has(t, err, fault.NotFound, "act_unknown")
	if e, err := box.Settle(t.Context(), by, effect.Entry{Key: "lost-letter", State: effect.Done,
		Reference: "r-1"}); err != nil || e.State != effect.Done {
		t.Errorf("found out: %+v, %v", e, err)
	}
	// What is done stays done.
	if e, err := box.Settle(t.Context(), by, effect.Entry{Key: "lost-letter", State: effect.Failed}); err != nil ||
		e.State != effect.Done || e.Reference != "r-1" {
		t.Errorf("settled again: %+v, %v", e, err)
	}
}

func TestAnActOutsideNeedsAClaim(t *testing.T) {
	t.Parallel()
	c, by, org := setUp(t)
	box := control.NewOutbox(c)
	p := &post{answer: func(string) (string, error) { return "", nil }}
	_, err := effect.Once(t.Context(), box, by, act(p))
	has(t, err, fault.Unavailable, "proof_required")
	_, err = effect.Once(effect.ReadOnly(t.Context()), box, by, act(p))
	has(t, err, fault.Internal, "")
	_, err = effect.Once(claimed(t, "a-viewers-letter"), box, person(t, c, org.Viewer), act(p))
	has(t, err, fault.Forbidden, "role_required")
	_, err = effect.Once(claimed(t, "nobodys-letter"), box, identity.Caller{}, act(p))
	if err == nil || len(p.emails) != 0 {
		t.Errorf("%d emails were sent, %v", len(p.emails), err)
	}
}

func code(err error) string {
	if err == nil {
		return ""
	}
	return fault.From(err).Code
}
