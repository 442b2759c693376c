package supabase_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Each test here is a trap of the published libraries, as they are, that must
// not show through the wrapper.

// postgrest-go keeps filters in a map by column: of two, one is lost. Its In
// does not escape quotes. F-43.
func TestEveryConditionIsSentAndQuoted(t *testing.T) {
	tests := map[string]struct {
		where []supabase.Cond
		want  string
	}{
		"two on one column": {[]supabase.Cond{supabase.Gte("n", 3), supabase.Lt("n", 9)}, `(n.gte."3",n.lt."9")`},
		"a date": {[]supabase.Cond{supabase.Eq("day", calendar.Date{Year: 2031, Month: 1, Day: 5})},
			`(day.eq."2031-01-05")`},
		"syntax in a value": {[]supabase.Cond{supabase.Eq("code", `x",or=(n.eq.1)\`)},
			`(code.eq."x\",or=(n.eq.1)\\")`},
		"in": {[]supabase.Cond{supabase.In("code", []string{`a"b`, `c\`, "d,e", "", "null", "f)"})},
			`(code.in.("a\"b","c\\","d,e","","null","f)"))`},
		"in nothing": {[]supabase.Cond{supabase.In("code", []string{})}, `(code.in.())`},
		"null and true": {[]supabase.Cond{supabase.IsNull("code"), supabase.IsTrue("active")},
			`(code.is.null,active.is.true)`},
		"like":             {[]supabase.Cond{supabase.Contains("code", `5%_\`)}, `(code.ilike."*5\\%\\_\\\\*")`},
		"like with a star": {[]supabase.Cond{supabase.Contains("code", `a*.b`)}, `(code.imatch."a\\*\\.b")`},
		"or": {[]supabase.Cond{supabase.Or(supabase.Eq("n", 1), supabase.Gt("n", 5)),
			supabase.Neq("code", "A")}, `(or(n.eq."1",n.gt."5"),code.neq."A")`},
		"not": {[]supabase.Cond{supabase.Not(supabase.Lte("n", 1)), supabase.Not(supabase.Or(supabase.Eq("n", 1))),
			supabase.Not(supabase.Not(supabase.Eq("n", 2)))},
			`(n.not.lte."1",not.or(n.eq."1"),n.eq."2")`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			c := over(t, func(r *http.Request) (*http.Response, error) {
				if got := r.URL.Query()["and"]; !cmp.Equal(got, []string{tc.want}) {
					t.Errorf("sent %q, want %q", got, tc.want)
				}
				return answer(200, `[{"code":"A","n":1}]`), nil
			})
			if rows, err := list(t.Context(), c, tc.where...); err != nil || len(rows) != 1 {
				t.Errorf("got %v, %v", rows, err)
			}
		})
	}
}

func TestOrderAndLimitsAreSent(t *testing.T) {
	c := over(t, func(r *http.Request) (*http.Response, error) {
		want := "limit=5&offset=10&order=n.desc.nullslast%2Ccode.asc.nullslast&select=code%2Cn"
		if r.URL.RawQuery != want || r.URL.Path != "/rest/v1/things" || r.Method != http.MethodGet {
			t.Errorf("sent %s %s, want %s", r.Method, r.URL, want)
		}
		return answer(200, `[]`), nil
	})
	q := things()
	q.Order, q.Limit, q.Offset = []supabase.Order{supabase.Desc("n"), supabase.Asc("code")}, 5, 10
	if _, err := supabase.Select[row](t.Context(), c.As(mira), q); err != nil {
		t.Error(err)
	}
}

// An update or delete without a filter hits every row; an unknown operator
// drops its filter; what cannot be encoded panics.
func TestADangerousRequestIsNeverSent(t *testing.T) {
	c := over(t, func(r *http.Request) (*http.Response, error) {
		t.Errorf("sent %s %s", r.Method, r.URL)
		return nil, errors.New("sent")
	})
	ctx, conn := t.Context(), c.As(mira)
	bad := map[string]func() error{
		"an update without a condition": func() error {
			_, err := supabase.Update[row](ctx, conn, things(),
				row{})
			return err
		},
		"a delete without a condition": func() error {
			_, err := supabase.Delete[row](ctx, conn,
				things())
			return err
		},
		"a query without columns": func() error {
			_, err := supabase.Select[row](ctx, conn, supabase.Query{Table: "things"})
			return err
		},
		"a table from elsewhere": func() error {
			_, err := supabase.Insert[row](ctx, conn, "../rpc/x", "code",
				row{})
			return err
		},
		"a function from elsewhere": func() error { _, err := supabase.Call[row](ctx, conn, "x?y", nil); return err },
		"a column that is syntax": func() error {
			_, err := list(ctx, c, supabase.Eq("n.eq.1,code",
				1))
			return err
		},
		"an order that is syntax": func() error {
			q := things()
			q.Order = []supabase.Order{supabase.Asc("n,x")}
			_, err := supabase.Select[row](ctx, conn, q)
			return err
		},
		"an empty condition":               func() error { _, err := list(ctx, c, supabase.Cond{}); return err },
		"an Or of nothing":                 func() error { _, err := list(ctx, c, supabase.Or()); return err },
		"a value of a type without a form": func() error { _, err := list(ctx, c, supabase.Eq("n", 1.5)); return err },
		"a row that cannot be encoded": func() error {
			_, err := supabase.Insert[row](ctx, conn, "things", "code",
				math.NaN())
			return err
		},
		"a write in a reading context": func() error { _, err := insert(effect.ReadOnly(ctx), c); return err },
		"a call in a reading context": func() error {
			_, err := supabase.Call[row](effect.ReadOnly(ctx), conn,
				"do_it", nil)
			return err
		},
		"a delete in a reading context": func() error {
			_, err := supabase.Delete[row](effect.ReadOnly(ctx), conn, things(supabase.Eq("n", 1)))
			return err
		},
	}
	for name, send := range bad {
		if err := send(); !fault.Is(err, fault.Internal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// postgrest-go remembers its first error for ever.
func TestAFailureDoesNotPoisonTheClient(t *testing.T) {
	broken := true
	c := over(t, func(r *http.Request) (*http.Response, error) {
		if broken {
			return answer(400, `{"code":"22P02","message":"bad"}`), nil
		}
		return answer(200, `[{"code":"A","n":1}]`), nil
	})
	conn := c.As(mira)
	if _, err := supabase.Select[row](t.Context(), conn, things()); !fault.Is(err, fault.Invalid) {
		t.Fatalf("got %v", err)
	}
	broken = false
	for _, err := range []error{
		func() error { _, err := supabase.Select[row](t.Context(), conn, things()); return err }(),
		func() error { _, err := supabase.Call[[]row](t.Context(), conn, "do_it", nil); return err }(),
	} {
		if err != nil {
			t.Error(err)
		}
	}
}

// The libraries keep the token in headers that all requests share.
func TestPeopleDoNotShareHeaders(t *testing.T) {
	c := serving(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `[{"code":%q,"n":1}]`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer token-of-"))
	})
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			for _, by := range []struct {
				name string
				conn supabase.Conn
			}{{"mira", c.As(mira)}, {"noor", c.As(noor)}} {
				rows, err := supabase.Select[row](t.Context(), by.conn, things())
				if err != nil || rows[0].Code != by.name {
					t.Errorf("%s sees %v, %v", by.name, rows, err)
				}
			}
		})
	}
	wait.Wait()
}

// Single sends two Accept headers; a key that is no JWT goes into Authorization.
func TestHeadersAreSetOnce(t *testing.T) {
	var got http.Header
	s := func(r *http.Request) (*http.Response, error) {
		got = r.Header
		return answer(201, `{"code":"A","n":1}`), nil
	}
	c, err := supabase.New(supabase.Config{URL: "https://project.test/", PublishableKey: key, HTTP: wire(s),
		UserAgent: "bellhop/9",
		RequestID: func(context.Context) string { return "req-7" }})
	if err != nil {
		t.Fatal(err)
	}
	want := http.Header{
		"Accept": {"application/vnd.pgrst.object+json"}, "Accept-Profile": {"public"}, "Content-Profile": {"public"},
		"Content-Type": {"application/json"},
		"Apikey":       {key}, "Authorization": {"Bearer token-of-mira"}, "User-Agent": {"bellhop/9"},
		"X-Request-Id": {"req-7"},
		"Prefer":       {"return=representation"}, "X-Client-Info": {"postgrest-go/v0.1.1"},
	}
	if _, err := insert(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headers of a direct write (-want +got):\n%s", diff)
	}
	for name, value := range map[string]string{
		"X-Bellhop-Effect": act.Key, "X-Bellhop-Args": act.ArgsHash, "X-Bellhop-Tool": act.Tool,
		"X-Bellhop-Turn":      act.Turn,
		"X-Bellhop-Assistant": act.Assistant, "X-Bellhop-Proposal": act.Proposal,
	} {
		want.Set(name, value)
	}
	if _, err := insert(effect.With(t.Context(), act), c); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headers of a claimed write (-want +got):\n%s", diff)
	}
	// Neither a read nor the keeping of turns carries the claim.
	claimed := effect.With(t.Context(), act)
	if _, err := supabase.One[row](claimed, c.As(mira), things()); err != nil || got.Get("X-Bellhop-Effect") != "" {
		t.Errorf("a read: %v, %v", got, err)
	}
	if _, err := supabase.Call[row](claimed, c.As(mira).Control(), "turn_save", nil); err != nil ||
		got.Get("X-Bellhop-Effect") != "" {
		t.Errorf("a control call: %v, %v", got, err)
	}
}

// Rpc returns the error's body as if it were the result.
func TestAFunctionsFailureIsAnError(t *testing.T) {
	c := over(t, func(r *http.Request) (*http.Response, error) {
		return answer(409, `{"code":"PT409","message":"code_taken","details":"Another open proposal bears this `+
			`code.","hint":null}`), nil
	})
	_, err := supabase.Call[string](t.Context(), c.As(mira), "proposal_create", nil)
	f := isFault(t, err, fault.Conflict, "code_taken")
	if f.Message != "Another open proposal bears this code." {
		t.Errorf("it says %q", f.Message)
	}
	if cause, ok := errors.AsType[*supabase.Error](err); !ok || cause.Status != 409 || cause.Code != "PT409" {
		t.Errorf("the cause is %#v", cause)
	}
}

// By GET, PostgREST takes an argument such as eq.5 for a filter.
func TestATextThatLooksLikeAFilterGoesByPost(t *testing.T) {
	var method, query, body string
	c := over(t, func(r *http.Request) (*http.Response, error) {
		method, query, body = r.Method, r.URL.RawQuery, ""
		if r.Body != nil {
			all, _ := io.ReadAll(r.Body)
			body = string(all)
		}
		if r.Header.Get("X-Bellhop-Effect") != "" {
			t.Error("a read carries a claim")
		}
		return answer(200, `1`), nil
	})
	ctx := effect.With(t.Context(), act)
	for _, tc := range []struct{ value, method, query, body string }{
		{"a b&c=d", "GET", "p=a+b%26c%3Dd", ""},
		{"not.eq.5", "POST", "", `{"p":"not.eq.5"}`},
		{"a\xff\x00", "GET", "p=a%EF%BF%BD%EF%BF%BD",
			""}, // no text of the database, which would refuse the whole request
	} {
		n, err := supabase.Read[int](ctx, c.As(mira), "count_it", supabase.Args{"p": tc.value})
		if err != nil || n != 1 || method != tc.method || query != tc.query || body != tc.body {
			t.Errorf("%q goes by %s ?%s %s: %v, %v", tc.value, method, query, body, n, err)
		}
		if _, err := supabase.Read[int](effect.ReadOnly(ctx), c.As(mira), "count_it",
			supabase.Args{"p": tc.value}); err != nil {
			t.Errorf("in a reading context: %v", err)
		}
	}
}

// The REST path of the libraries knows no context.
func TestTheContextEndsARequest(t *testing.T) {
	arrived := make(chan struct{}, 2)
	c := serving(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	if _, err := list(ctx, c); !fault.Is(err, fault.Canceled) {
		t.Errorf("got %v", err)
	}
	late, cancelLate := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancelLate()
	if _, err := list(late, c); !fault.Is(err, fault.Timeout) {
		t.Errorf("got %v", err)
	}
}

// Bodies are read without bound, and errors of other forms lose their status.
func TestAnswersAreBounded(t *testing.T) {
	c := over(t, func(*http.Request) (*http.Response, error) {
		r := answer(200, "")
		r.Body = io.NopCloser(io.LimitReader(endless{}, 1<<40))
		return r, nil
	})
	if _, err := list(t.Context(), c); !fault.Is(err, fault.TooLarge) {
		t.Errorf("got %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// A redirect would take the token along.
func TestNoRedirectIsFollowed(t *testing.T) {
	c := over(t, func(r *http.Request) (*http.Response, error) {
		if r.URL.Host != "project.test" {
			t.Errorf("the token went to %s", r.URL.Host)
		}
		moved := answer(307, "")
		moved.Header.Set("Location", "https://elsewhere.test/")
		return moved, nil
	})
	if _, err := list(t.Context(), c); !fault.Is(err, fault.Upstream) {
		t.Errorf("got %v", err)
	}
}
