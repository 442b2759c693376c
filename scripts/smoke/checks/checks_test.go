package checks_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/scripts/smoke/checks"
)

func TestMain(m *testing.M) { localtest.Main(m) }

func target(s *stack.Stack, email string) checks.Target {
	return checks.Target{
		URL: s.URL(), PublishableKey: identity.Secret(s.Keys().Publishable),
		Email: email, Password: stack.DemoPassword, ProofKeys: identity.Secret(s.ProofKeys()),
	}
}

func run(t *testing.T, target checks.Target) []checks.Result {
	t.Helper()
	var all []checks.Result
	if err := checks.Run(t.Context(), target, func(r checks.Result) { all = append(all, r) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// The local stack answers as a project in the cloud has to: our own client
// runs the whole list on it, writing included.
func TestTheLocalStackPasses(t *testing.T) {
	t.Parallel()
	s := localtest.Clone(t)
	localtest.Script(t, s, `insert into public.coupons (org_id, entity_id, code, kind, amount)
		select org_id, id, 'LIMIT-' || n, 'fixed', 1 from public.entities, generate_series(1, 1001) n where key =
			'SOJ'`)
	before := extras(t, s)
	to := target(s, "manager@sojourn.example")
	to.Write = true
	for _, r := range run(t, to) {
		t.Run(r.Check, func(t *testing.T) {
			switch {
			case r.Status == checks.Failed:
				t.Error(r.Says)
			case r.Status == checks.Skipped:
				t.Errorf("it was not tried: %s", r.Says)
			case !strings.HasSuffix(r.Says, "."):
				t.Errorf("this is no sentence: %s", r.Says)
			}
		})
	}
	if after := extras(t, s); after != before {
		t.Errorf("the extras were %s\nand are         %s", before, after)
	}
}

func extras(t *testing.T, s *stack.Stack) string {
	t.Helper()
	return localtest.SQLOn(t, s, `select string_agg(code || ' ' || version, ', ' order by org_id, code) as seen
		from public.extras`)[0]["seen"].(string)
}

func TestARunThatOnlyReadsLeavesNothing(t *testing.T) {
	t.Parallel()
	s := localtest.Clone(t)
	state := func() string {
		return localtest.SQLOn(t, s, `select
			format('%s changes, %s effects, %s turns, %s proposals, %s sessions, %s organisations',
			(select count(*) from public.audit), (select count(*) from public.effects), (select count(*) from
				public.turns),
			(select count(*) from public.proposals), (select count(*) from auth.sessions), (select count(*) from
				public.orgs)) as seen`)[0]["seen"].(string)
	}
	before := state()
	asked := map[string]int{}
	watch := wire(func(r *http.Request) (*http.Response, error) {
		if path := strings.TrimPrefix(r.URL.Path, "/rest/v1/rpc/"); r.Method != http.MethodGet &&
			r.Method != http.MethodHead {
			asked[r.Method+" "+path]++
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	for _, email := range []string{"viewer@harbour.example", "admin@sojourn.example"} {
		to := target(s, email)
		to.HTTP = watch
		for _, r := range run(t, to) {
			if r.Status == checks.Failed {
				t.Errorf("%s: %s", r.Check, r.Says)
			}
		}
	}
	// What goes by POST all the same: signing in and out, functions that only
	// read, functions that are not there, and those that refuse these arguments.
	allowed := []string{
		"POST /auth/v1/token", "POST /auth/v1/logout", "POST availability", "POST reservation_search",
		"POST effect_outcome",
		"POST no_such_function", "POST pre_request", "POST turn_begin", "POST turn_stop",
	}
	for request, n := range asked {
		if !slices.Contains(allowed, request) {
			t.Errorf("%s was sent %d times", request, n)
		}
	}
	if after := state(); after != before {
		t.Errorf("before: %s\nafter:  %s", before, after)
	}
}

func TestARoleThatMayNotWriteIsNotMadeTo(t *testing.T) {
	t.Parallel()
	to := target(localtest.Stack(t), "viewer@sojourn.example")
	to.Write = true
	skipped := 0
	for _, r := range run(t, to) {
		switch {
		case r.Status == checks.Failed:
			t.Errorf("%s: %s", r.Check, r.Says)
		case r.Status == checks.Skipped && r.Says == "a viewer may not write":
			skipped++
		}
	}
	if skipped < 5 {
		t.Errorf("only %d checks were skipped", skipped)
	}
}

// wire is a transport that changes what passes through it.
type wire func(*http.Request) (*http.Response, error)

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

func rows(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/rest/v1/") }

// A check that never fails says nothing. Each of these projects has one fault.
func TestAProjectThatDiffersFails(t *testing.T) {
	t.Parallel()
	next := http.DefaultTransport.RoundTrip
	tests := map[string]struct {
		wire  wire
		write bool
		want  []string
	}{
		"refusals come as empty lists": {wire: func(r *http.Request) (*http.Response, error) {
			resp, err := next(r)
			if err == nil && rows(r) && resp.StatusCode >= 400 {
				resp.Body.Close()
				resp.StatusCode, resp.ContentLength, resp.Body = 200, 2, io.NopCloser(strings.NewReader("[]"))
			}
			return resp, err
		}, want: []string{
			"forged token", "hostile filters", "no key", "nobody", "one row or none", "private function",
			"private tables", "raised 404",
			"raised 422", "range", "unknown column", "unknown embedding", "unknown function", "unknown table",
			"writing by GET", "wrong argument name",
			"wrong argument value", "wrong key",
		}},
		"conditions are lost": {wire: func(r *http.Request) (*http.Response, error) {
			if query := r.URL.Query(); rows(r) && !strings.Contains(r.URL.Path, "/rpc/") {
				for name := range query {
					if name != "select" && name != "order" && name != "limit" && name != "offset" {
						query.Del(name)
					}
				}
				r = r.Clone(r.Context())
				r.URL.RawQuery = query.Encode()
			}
			return next(r)
		}, want: []string{
			"arrays", "embedding to one", "function by GET", "hostile conditions", "hostile filters",
			"one row or none", "or, in, not, contains", "row policies", "unknown column",
		}},
		"headers are lost": {wire: func(r *http.Request) (*http.Response, error) {
			if rows(r) {
				r = r.Clone(r.Context())
				for _, name := range []string{"Prefer", "Range", "Accept", "Content-Profile"} {
					r.Header.Del(name)
				}
			}
			return next(r)
		}, want: []string{"count", "csv", "one row or none", "private function", "range", "row limit"}},
		"order and pages are lost": {wire: func(r *http.Request) (*http.Response, error) {
			if query := r.URL.Query(); rows(r) {
				for _, name := range []string{"order", "rooms.order", "limit", "offset"} {
					query.Del(name)
				}
				r = r.Clone(r.Context())
				r.URL.RawQuery = query.Encode()
			}
			return next(r)
		}, want: []string{"order and pages", "range"}},
		"tokens and sessions are not checked": {wire: func(r *http.Request) (*http.Response, error) {
			if strings.HasPrefix(r.URL.Path, "/auth/v1/logout") {
				return &http.Response{StatusCode: 204, Body: http.NoBody}, nil
			}
			return next(r)
		}, want: []string{"sign-out"}},
		"claims are lost": {write: true, wire: func(r *http.Request) (*http.Response, error) {
			r = r.Clone(r.Context())
			r.Header.Del("x-bellhop-effect")
			return next(r)
		}, want: []string{"effect claimed twice"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := localtest.Stack(t)
			if tc.write {
				s = localtest.Clone(t)
			}
			to := target(s, "manager@sojourn.example")
			to.HTTP, to.Write = tc.wire, tc.write
			var failed []string
			for _, r := range run(t, to) {
				if r.Status == checks.Failed {
					failed = append(failed, r.Check)
				}
			}
			for _, check := range tc.want {
				if !slices.Contains(failed, check) {
					t.Errorf("%q does not notice", check)
				}
			}
			if t.Failed() {
				t.Logf("these do: %q", failed)
			}
		})
	}
}

// An interruption ends the run, and still removes what it made.
func TestAnInterruptedRunTidiesUp(t *testing.T) {
	t.Parallel()
	s := localtest.Clone(t)
	before := extras(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	to := target(s, "manager@sojourn.example")
	to.Write = true
	var seen []string
	err := checks.Run(ctx, to, func(r checks.Result) {
		seen = append(seen, r.Check)
		if r.Check == "duplicate" {
			cancel()
		}
	})
	if err == nil || slices.Contains(seen, "delete") || !slices.Contains(seen, "sign-out") {
		t.Errorf("it ends with %v after %q", err, seen)
	}
	if after := extras(t, s); after != before {
		t.Errorf("the extras were %s\nand are         %s", before, after)
	}
}

func TestATargetMustBeComplete(t *testing.T) {
	whole := checks.Target{URL: "https://project.test", PublishableKey: "sb_publishable_x", Email: "a@b.example",
		Password: "x"}
	tests := map[string]struct {
		spoil func(*checks.Target)
		want  string
	}{
		"no address":   {func(t *checks.Target) { t.URL = "" }, "SUPABASE_URL"},
		"no key":       {func(t *checks.Target) { t.PublishableKey = "" }, "SUPABASE_PUBLISHABLE_KEY"},
		"a secret key": {func(t *checks.Target) { t.PublishableKey = "sb_secret_x" }, "secret key"},
		"wrong proofs": {func(t *checks.Target) { t.ProofKeys = "p1:short" }, "PROOF_KEYS"},
		"nobody":       {func(t *checks.Target) { t.Email = "" }, "e-mail"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			to := whole
			tc.spoil(&to)
			err := checks.Run(t.Context(), to, func(r checks.Result) { t.Errorf("it went as far as %s", r.Check) })
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}
