package httptools_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httptools"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/customtools"
)

// rebinding answers with a public address at first, and with one of this machine from
// then on.
type rebinding struct{ asked atomic.Int32 }

func (r *rebinding) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	if r.asked.Add(1) == 1 {
		return []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("127.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

func none(string, string) (identity.Secret, bool) { return "", false }

// S1-31: a tool of an organisation leads to the public Internet alone, and what is refused
// was not done.
func TestNothingOfOursIsCalled(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer inside.Close()
	c := httptools.New(egress.Config{Resolver: &rebinding{}}, none)
	for _, address := range []string{
		inside.URL, strings.Replace(inside.URL, "http:", "https:", 1), "http://169.254.169.254/latest/meta-data",
		"https://169.254.169.254/latest/meta-data", "https://metadata.google.internal/computeMetadata",
		"file:///etc/passwd",
		"https://[::1]/", "https://2130706433/", "https://0x7f.1/", "https://user@example.com/",
		"https://rebinding.example/",
		"https://rebinding.example/again", "gopher://example.com/",
	} {
		for _, method := range []string{"GET", "POST"} {
			_, err := c.Send(t.Context(), identity.Caller{}, customtools.Request{Method: method, Address: address})
			if f := fault.From(err); f == nil || f.Code != "tool_address" || !effect.IsNotDone(err) ||
				strings.Contains(f.Message, "127.0.0.1") {
				t.Errorf("%s %s: %v", method, address, err)
			}
		}
	}
	if reached.Load() != 0 {
		t.Errorf("this machine was called %d times", reached.Load())
	}
}

func TestCallsAndTheirAnswers(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"token": r.Header.Get("Authorization"), "method": r.Method,
			"key": r.Header.Get("Idempotency-Key")})
	})
	mux.HandleFunc("/text", func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = w.Write([]byte("No visa\u202e needed.\n"))
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`"` + strings.Repeat("x", httptools.MaxAnswer) + `"`))
	})
	mux.HandleFunc("/binary", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte{0, 1, 0xff}) })
	mux.HandleFunc("/no", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "stack trace", http.StatusUnprocessableEntity)
	})
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { calls.Add(1); w.WriteHeader(502) })
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/echo", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/inside", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusFound)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	c := httptools.New(egress.Config{Loopback: true}, func(org, name string) (identity.Secret, bool) {
		return "of-the-organisation", org == "o1" && name == "VISA"
	})
	for _, tt := range []struct {
		method, path, secret, org string
		want, code                string
		done                      bool // whether it may have been done
	}{
		{"GET", "/echo", "VISA", "o1", `"Bearer of-the-organisation"`, "", true},
		{"POST", "/echo", "", "o1", `"key":"k1"`, "", true},
		{"GET", "/echo", "VISA", "o2", "", "tool_secret", false},
		{"GET", "/text", "", "o1", `{"text":"No visa needed."}`, "", true},
		{"GET", "/large", "", "o1", "", "tool_answer", true},
		{"GET", "/binary", "", "o1", "", "tool_answer", true},
		{"POST", "/no", "", "o1", "", "tool_refused", false},
		{"POST", "/broken", "", "o1", "", "tool_failed", true},
		{"GET", "/moved", "", "o1", `"method":"GET"`, "", true},
		{"POST", "/moved", "", "o1", "", "tool_refused", false},
		{"GET", "/inside", "", "o1", "", "tool_address", false},
	} {
		r := customtools.Request{Method: tt.method, Address: server.URL + tt.path, Secret: tt.secret}
		if tt.method == "POST" {
			r.Key, r.Body = "k1", json.RawMessage(`{}`)
		}
		answer, err := c.Send(t.Context(), identity.Caller{OrgID: tt.org}, r)
		if tt.code == "" {
			if err != nil || !strings.Contains(string(answer), tt.want) {
				t.Errorf("%s %s: %s %v, want %s", tt.method, tt.path, answer, err, tt.want)
			}
			continue
		}
		f := fault.From(err)
		if f == nil || f.Code != tt.code || effect.IsNotDone(err) == tt.done || strings.Contains(f.Message, "stack") {
			t.Errorf("%s %s: %v, want %s", tt.method, tt.path, err, tt.code)
		}
	}
	if calls.Load() != 1 {
		t.Errorf("a failing call was sent %d times", calls.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Send(ctx, identity.Caller{}, customtools.Request{Method: "GET", Address: server.URL + "/echo"})
	if f := fault.From(err); f == nil || f.Code != "tool_timeout" {
		t.Errorf("given up: %v", err)
	}
}
