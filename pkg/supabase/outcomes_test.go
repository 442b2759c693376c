package supabase_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

func TestErrorsGetAKindAndASentence(t *testing.T) {
	tests := map[string]struct {
		status     int
		body       string
		kind       fault.Kind
		code, says string
	}{
		"a duplicate": {409,
			`{"code":"23505","message":"duplicate key value violates \"extras_pkey\"","details":"Key (id)=(secret)"}`,
			fault.Conflict, "duplicate", "already one"},
		"a missing reference": {409, `{"code":"23503"}`, fault.Conflict, "in_use", "depends on it"},
		"a failed check":      {400, `{"code":"23514"}`, fault.Invalid, "", "outside of what is allowed"},
		"a malformed value":   {400, `{"code":"22P02"}`, fault.Invalid, "", "not in the form"},
		"a forbidden row":     {403, `{"code":"42501"}`, fault.Forbidden, "", "not allowed"},
		"a stranger": {403, `{"code":"PT403","message":"not_a_member"}`, fault.Forbidden,
			"not_a_member", "do not belong"},
		"no row": {406, `{"code":"PGRST116"}`, fault.NotFound, "", "no such record"},
		"a proposal out of time": {410, `{"code":"PT410","message":"proposal_expired"}`, fault.Gone,
			"proposal_expired", "time to answer has passed"},
		"a function's own sentence": {422,
			`{"code":"PT422","message":"bad_target","details":"A target names a table."}`, fault.Unprocessable,
			"bad_target", "A target names a table."},
		"an expired token": {401, `{"code":"PGRST303","message":"JWT expired"}`, fault.Unauthorized, "",
			"sign in again"},
		"a wrong API key": {401, `{"message":"Invalid API key","hint":"…"}`, fault.Internal, "",
			"not set up correctly"},
		"a statement that took too long": {500, `{"code":"57014"}`, fault.Timeout, "", "took the database too long"},
		"a full disk": {503, `{"code":"53100","message":"could not extend file"}`, fault.Full, "",
			"no room left"},
		"a disk that is nearly full": {405,
			`{"code":"25006","message":"cannot execute INSERT in a read-only transaction"}`, fault.Full, "",
			"no room left"},
		"too many connections": {503, `{"code":"53300"}`, fault.Unavailable, "", "nothing was done"},
		"no memory":            {503, `{"code":"53200"}`, fault.Unavailable, "", "nothing was done"},
		"a disk that fails":    {500, `{"code":"58030"}`, fault.Unavailable, "", "nothing was done"},
		"a deadlock":           {500, `{"code":"40P01"}`, fault.Unavailable, "busy", "Nothing was done"},
		"an unknown column": {400, `{"code":"42703","message":"column x does not exist"}`, fault.Internal,
			"", "Something went wrong with the database."},
		"a page of HTML": {500, `<html>oops</html>`, fault.Unavailable, "", "did not answer"},
		"nothing at all": {500, ``, fault.Unavailable, "", "did not answer"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			c := over(t, func(*http.Request) (*http.Response, error) { return answer(tc.status, tc.body), nil })
			_, err := list(t.Context(), c)
			f := isFault(t, err, tc.kind, tc.code)
			if !strings.Contains(f.Message, tc.says) || strings.Contains(f.Message, "secret") ||
				strings.Contains(f.Message, "column x") {
				t.Errorf("it says %q, want %q", f.Message, tc.says)
			}
		})
	}
}

func TestReadsAreTriedAgainAndWritesNever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		flaky := func(failures int, failure func() (*http.Response, error)) wire {
			tries = 0
			return func(r *http.Request) (*http.Response, error) {
				if tries++; tries <= failures {
					return failure()
				}
				return answer(200, `[{"code":"A","n":1}]`), nil
			}
		}
		unavailable := func() (*http.Response, error) { return answer(503, ""), nil }
		reset := func() (*http.Response, error) { return nil, errors.New("connection reset") }
		for name, failure := range map[string]func() (*http.Response, error){"503": unavailable, "reset": reset} {
			if rows, err := list(t.Context(), over(t, flaky(2, failure))); err != nil || len(rows) != 1 || tries != 3 {
				t.Errorf("%s twice: %v, %v after %d tries", name, rows, err, tries)
			}
			if _, err := list(t.Context(), over(t, flaky(99, failure))); !fault.Is(err, fault.Unavailable) ||
				tries != 3 {
				t.Errorf("%s for ever: %v after %d tries", name, err, tries)
			}
			if _, err := insert(t.Context(), over(t, flaky(1, failure))); !fault.Is(err, fault.Unavailable) ||
				tries != 1 {
				t.Errorf("a write that meets %s: %v after %d tries", name, err, tries)
			}
		}
		patient := func() (*http.Response, error) {
			r := answer(429, "")
			r.Header.Set("Retry-After", "600")
			return r, nil
		}
		before := time.Now()
		_, err := list(t.Context(), over(t, flaky(99, patient)))
		if f := isFault(t, err, fault.Limited, ""); f.RetryAfter != 10*time.Minute || tries != 1 ||
			time.Since(before) > 0 {
			t.Errorf("asked to wait: %v after %d tries", err, tries)
		}
		short, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		if _, err := list(short, over(t, flaky(99, unavailable))); err == nil || tries > 2 ||
			time.Since(before) > time.Second {
			t.Errorf("with no time left: %v after %d tries", err, tries)
		}
	})
}

const outcome = `{"key":"turn-1:0:0","argsHash":"` + actHash +
	`","tool":"create_extra","turn":"turn-1","proposal":null,"at":"2031-01-01T00:00:00Z",
	"rows":[{"table":"things","key":"A","action":"insert","after":{"id":"x","code":"A","n":9007199254740993}}]}`

// F-09: after an answer that was lost, the claim tells what happened.
func TestALostAnswerIsLookedUp(t *testing.T) {
	lost := errors.New("connection reset by peer")
	tests := map[string]struct {
		write        func() (*http.Response, error)
		recorded     string
		unclaimed    bool
		kind         fault.Kind
		code         string
		neverLooksUp bool
	}{
		"the write was done": {write: func() (*http.Response, error) { return nil, lost },
			recorded: outcome},
		"done, behind a page of HTML": {write: func() (*http.Response, error) {
			return answer(502, "<html>"),
				nil
		}, recorded: outcome},
		"done, with an answer of no sense": {write: func() (*http.Response, error) {
			return answer(201, `{"code":`),
				nil
		}, recorded: outcome},
		"no sense, and nobody knows": {write: func() (*http.Response, error) {
			return answer(201, `{"code":`),
				nil
		}, recorded: "null", kind: fault.Unavailable, code: "outcome_unknown"},
		"not recorded is not never": {write: func() (*http.Response, error) { return nil, lost },
			recorded: "null", kind: fault.Unavailable, code: "outcome_unknown"},
		"without a claim nobody knows": {write: func() (*http.Response, error) { return nil, lost },
			unclaimed: true, kind: fault.Unavailable, code: "outcome_unknown", neverLooksUp: true},
		"claimed before": {write: func() (*http.Response,
			error) {
			return answer(409, `{"code":"PT409","message":"effect_claimed"}`), nil
		}, recorded: outcome},
		"claimed before by something else": {write: func() (*http.Response,
			error) {
			return answer(409, `{"code":"PT409","message":"effect_claimed"}`), nil
		}, recorded: strings.Replace(outcome, "create_extra", "other", 1), kind: fault.Conflict,
			code: "effect_claimed"},
		"claimed before for another table": {write: func() (*http.Response,
			error) {
			return answer(409, `{"code":"PT409","message":"effect_claimed"}`), nil
		}, recorded: strings.Replace(outcome, "things", "others", 1), kind: fault.Conflict, code: "effect_claimed"},
		"claimed before with other words": {write: func() (*http.Response,
			error) {
			return answer(409, `{"code":"PT409","message":"effect_claimed"}`), nil
		}, recorded: strings.Replace(outcome, actHash, "b", 1), kind: fault.Conflict, code: "effect_mismatch"},
		"it never left": {write: func() (*http.Response, error) {
			return nil,
				&net.OpError{Op: "dial", Err: errors.New("refused")}
		}, kind: fault.Unavailable, neverLooksUp: true},
		"rolled back for certain": {write: func() (*http.Response,
			error) {
			return answer(500, `{"code":"40001"}`), nil
		}, kind: fault.Unavailable, code: "busy", neverLooksUp: true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			asked := false
			c := over(t, func(r *http.Request) (*http.Response, error) {
				if r.Method != http.MethodGet && !strings.HasSuffix(r.URL.Path, "/effect_outcome") {
					return tc.write()
				}
				asked = true
				if r.URL.Path != "/rest/v1/rpc/effect_outcome" || r.URL.Query().Get("p_key") != act.Key ||
					r.Header.Get("Authorization") != "Bearer token-of-mira" {
					t.Errorf("asked %s as %s", r.URL, r.Header.Get("Authorization"))
				}
				return answer(200, tc.recorded), nil
			})
			ctx := effect.With(t.Context(), act)
			if tc.unclaimed {
				ctx = t.Context()
			}
			got, err := insert(ctx, c)
			if tc.kind != "" {
				isFault(t, err, tc.kind, tc.code)
			} else if err != nil || got != (row{"A", 9007199254740993}) {
				t.Errorf("got %+v, %v", got, err)
			}
			if asked == tc.neverLooksUp {
				t.Errorf("it asked for the outcome: %v", asked)
			}
		})
	}
}

// Time that ran out in the middle of a write leaves the same doubt.
func TestAWriteCutByItsDeadlineIsLookedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := over(t, func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet {
				return answer(200, outcome), r.Context().Err()
			}
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		ctx, cancel := context.WithTimeout(effect.With(t.Context(), act), time.Second)
		defer cancel()
		if got, err := insert(ctx, c); err != nil || got.Code != "A" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

// F-14 in small: another user was faster.
func TestAnotherVersionIsSaid(t *testing.T) {
	c := over(t, func(r *http.Request) (*http.Response, error) {
		if got := r.URL.Query().Get("and"); got != `(code.eq."A",version.eq."3")` || r.Method != http.MethodPatch ||
			r.URL.Query().Get("select") != "code,n" {
			t.Errorf("sent %s %s", r.Method, r.URL)
		}
		return answer(406, `{"code":"PGRST116"}`), nil
	})
	_, err := supabase.Update[row](t.Context(), c.As(mira), things(supabase.Eq("code", "A"), supabase.Version(3)),
		row{"A", 2})
	isFault(t, err, fault.Conflict, "changed")
}

func TestAFunctionsRepeatedResultIsMadeAnew(t *testing.T) {
	c := over(t, func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "effect_outcome") {
			return answer(200, outcome), nil
		}
		return answer(409, `{"code":"PT409","message":"effect_claimed"}`), nil
	})
	ctx := effect.With(t.Context(), act)
	_, err := supabase.Call[string](ctx, c.As(mira), "book_it", nil)
	isFault(t, err, fault.Conflict, "effect_claimed")
	got, err := supabase.Call(ctx, c.As(mira), "book_it", nil, func(did effect.Outcome) (string,
		error) {
		return did.Rows[0].Key, nil
	})
	if err != nil || got != "A" {
		t.Errorf("got %q, %v", got, err)
	}
}

// F-10: what the database rolled back for another user's sake was not done,
// so it is sent again, a few times, and nothing else ever is.
func TestARolledBackWriteIsSentAgain(t *testing.T) {
	for name, tc := range map[string]struct {
		failures int
		answer   string
		tries    int
		code     string
	}{
		"a deadlock that passes":      {2, `{"code":"40P01"}`, 3, ""},
		"a serialization failure":     {1, `{"code":"40001"}`, 2, ""},
		"a deadlock that stays":       {99, `{"code":"40P01"}`, 4, "busy"},
		"anything else is sent once":  {99, `{"code":"23514"}`, 1, ""},
		"an error without a SQLSTATE": {99, `{"message":"x"}`, 1, "outcome_unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			tries := 0
			c := over(t, func(*http.Request) (*http.Response, error) {
				if tries++; tries <= tc.failures {
					return answer(500, tc.answer), nil
				}
				return answer(201, `{"code":"A","n":1}`), nil
			})
			got, err := supabase.Insert[row](t.Context(), c.As(mira), "things", "code,n", map[string]any{"code": "A"})
			if tries != tc.tries || tc.failures < 9 && (err != nil || got.Code != "A") || tc.failures > 9 &&
				err == nil {
				t.Errorf("%d tries, got %+v, %v", tries, got, err)
			}
			if f := fault.From(err); tc.code != "" && f.Code != tc.code {
				t.Errorf("the code is %q", f.Code)
			}
		})
	}
}
