package supabase_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

func TestMain(m *testing.M) { localtest.Main(m) }

const (
	key     = "sb_publishable_test"
	actHash = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
)

var (
	mira = identity.Caller{UserID: "mira", Token: "token-of-mira"}
	noor = identity.Caller{UserID: "noor", Token: "token-of-noor"}
	act  = effect.Claim{Key: "turn-1:0:0", ArgsHash: actHash, Tool: "create_extra", Turn: "turn-1",
		Assistant: "hospitality", Proposal: "p-1"}
)

type row struct {
	Code string `json:"code"`
	N    int    `json:"n"`
}

// wire is a transport without a network.
type wire func(*http.Request) (*http.Response, error)

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

// answer makes a response; a body that begins with < is a page of HTML.
func answer(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Header: http.Header{},
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1}
}

// over returns a client whose requests go to w.
func over(t *testing.T, w wire) *supabase.Client {
	t.Helper()
	c, err := supabase.New(supabase.Config{URL: "https://project.test", PublishableKey: key, HTTP: w})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// serving returns a client of a server, for what only a real connection shows.
func serving(t *testing.T, h http.HandlerFunc) *supabase.Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	c, err := supabase.New(supabase.Config{URL: s.URL, PublishableKey: key})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// project returns a client of the real stack.
func project(t *testing.T) *supabase.Client {
	t.Helper()
	s := localtest.Stack(t)
	c, err := supabase.New(localtest.Config(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func things(where ...supabase.Cond) supabase.Query {
	return supabase.Query{Table: "things", Columns: "code,n", Where: where}
}

func list(ctx context.Context, c *supabase.Client, where ...supabase.Cond) ([]row, error) {
	return supabase.Select[row](ctx, c.As(mira), things(where...))
}

func insert(ctx context.Context, c *supabase.Client) (row, error) {
	return supabase.Insert[row](ctx, c.As(mira), "things", "code,n", row{"A", 1})
}

func isFault(t *testing.T, err error, kind fault.Kind, code string) *fault.Error {
	t.Helper()
	f := fault.From(err)
	if f == nil || f.Kind != kind || f.Code != code {
		t.Fatalf("got %v, want %s %q", err, kind, code)
	}
	return f
}
