package gateway_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/gateway"
)

const (
	publishable = "sb_publishable_local_test"
	secret      = "sb_secret_local_test"
	userToken   = "eyJhbGciOiJFUzI1NiJ9.e30.c2ln"
)

// seen is what a handler behind the gateway got.
type seen struct {
	Part, Path, URI, Query, Authorization, Key string
}

func newGateway(t *testing.T) http.Handler { return build(t, false) }

func newGatewayWithStorage(t *testing.T) http.Handler { return build(t, true) }

func build(t *testing.T, withStorage bool) http.Handler {
	t.Helper()
	part := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_ = json.NewEncoder(w).Encode(seen{
				Part: name, Path: r.URL.Path, URI: r.RequestURI, Query: r.URL.RawQuery,
				Authorization: r.Header.Get("Authorization"), Key: r.Header.Get("apikey"),
			})
		})
	}
	var storage http.Handler
	if withStorage {
		storage = part("storage")
	}
	h, err := gateway.New(gateway.Config{
		Rest: part("rest"), Auth: part("auth"), Storage: storage,
		Mint:           func(role string) (string, error) { return "minted-" + role, nil },
		PublishableKey: publishable, SecretKey: secret,
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func call(h http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestKeyBecomesAToken(t *testing.T) {
	tests := map[string]struct {
		target  string
		headers []string
		want    seen
	}{
		"a publishable key is role anon": {
			"/rest/v1/rooms?select=*", []string{"apikey", publishable},
			seen{Part: "rest", Path: "/rooms", URI: "/rooms?select=*", Query: "select=*",
				Authorization: "Bearer minted-anon"}},
		"a secret key is role service_role": {
			"/auth/v1/admin/users", []string{"apikey", secret},
			seen{Part: "auth", Path: "/admin/users", URI: "/admin/users",
				Authorization: "Bearer minted-service_role"}},
		"the key again as a bearer token": {
			"/rest/v1/rooms", []string{"apikey", secret, "Authorization", "Bearer " + secret},
			seen{Part: "rest", Path: "/rooms", URI: "/rooms", Authorization: "Bearer minted-service_role"}},
		"a user's token wins over the publishable key": {
			"/rest/v1/rooms", []string{"apikey", publishable, "Authorization", "Bearer " + userToken},
			seen{Part: "rest", Path: "/rooms", URI: "/rooms", Authorization: "Bearer " + userToken}},
		"a user's token wins over the secret key": {
			"/rest/v1/rooms", []string{"apikey", secret, "Authorization", "Bearer " + userToken},
			seen{Part: "rest", Path: "/rooms", URI: "/rooms", Authorization: "Bearer " + userToken}},
		"the key in the query is taken out, the rest stays as it was": {
			"/rest/v1/rooms?b=eq.%2B1&apikey=" + publishable + "&a=eq.x+y", nil,
			seen{Part: "rest", Path: "/rooms", URI: "/rooms?b=eq.%2B1&a=eq.x+y", Query: "b=eq.%2B1&a=eq.x+y",
				Authorization: "Bearer minted-anon"}},
		"a path stays escaped": {
			"/rest/v1/a%2Fb", []string{"apikey", publishable},
			seen{Part: "rest", Path: "/a/b", URI: "/a%2Fb", Authorization: "Bearer minted-anon"}},
		"the key set needs no key": {
			"/auth/v1/.well-known/jwks.json", nil,
			seen{Part: "auth", Path: "/.well-known/jwks.json", URI: "/.well-known/jwks.json"}},
		"health needs no key": {
			"/auth/v1/health", nil, seen{Part: "auth", Path: "/health", URI: "/health"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			w := call(newGateway(t), "GET", tc.target, tc.headers...)
			var got seen
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if got != tc.want {
				t.Errorf("got  %+v\nwant %+v", got, tc.want)
			}
		})
	}
}

func TestStorageIsReached(t *testing.T) {
	const token = "Bearer " + userToken
	tests := map[string]struct {
		target  string
		headers []string
		want    seen
	}{
		"without a key, for public and signed addresses": {
			"/storage/v1/object/public/b/x", nil, seen{Path: "/object/public/b/x"}},
		"with a key": {
			"/storage/v1/object/b/x", []string{"apikey", secret},
			seen{Path: "/object/b/x", Authorization: "Bearer minted-service_role"}},
		"with a user's token": {
			"/storage/v1/object/b/x", []string{"apikey", publishable, "Authorization", token},
			seen{Path: "/object/b/x", Authorization: token}},
		"by a path that nobody tidied up": {
			"/storage/v1/object/b//..%2fother/x", nil, seen{Path: "/object/b//../other/x"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			w := call(newGatewayWithStorage(t), "GET", tc.target, tc.headers...)
			var got seen
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if got.Part != "storage" || got.Path != tc.want.Path || got.Authorization != tc.want.Authorization ||
				got.Key != "" {
				t.Errorf("got  %+v\nwant %+v", got, tc.want)
			}
		})
	}
	if w := call(newGatewayWithStorage(t), "GET", "/storage/v1/object/b/x", "apikey",
		"sb_secret_other"); w.Code != 401 {
		t.Errorf("an unknown key: %d %s", w.Code, w.Body)
	}
}

func TestGatewayRefuses(t *testing.T) {
	tests := map[string]struct {
		target  string
		headers []string
		status  int
		message string
	}{
		"no key": {"/rest/v1/rooms", nil, 401, "No API key found in request"},
		"a token without a key": {"/rest/v1/rooms", []string{"Authorization", "Bearer " + userToken}, 401,
			"No API key found in request"},
		"an unknown key": {"/rest/v1/rooms", []string{"apikey", "sb_secret_other"}, 401,
			"Invalid API key"},
		"another key as the bearer": {"/rest/v1/rooms", []string{"apikey", publishable, "Authorization",
			"Bearer " + secret}, 401, "Invalid API key"},
		"a secret key from a browser": {"/rest/v1/rooms", []string{"apikey", secret, "User-Agent",
			"Mozilla/5.0 (X11)"}, 401, "Forbidden use of secret API key in browser"},
		"a part that is not there": {"/storage/v1/object/x", []string{"apikey", publishable}, 404,
			"no Route matched with those values"},
		"auth without a key":              {"/auth/v1/user", nil, 401, "No API key found in request"},
		"a post to the key set's address": {"/auth/v1/token", nil, 401, "No API key found in request"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			w := call(newGateway(t), "POST", tc.target, tc.headers...)
			var got struct{ Message string }
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if w.Code != tc.status || got.Message != tc.message {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if w.Header().Get("Access-Control-Allow-Origin") != "*" {
				t.Error("a page could not read this error")
			}
		})
	}
	t.Run("but lets a browser use the publishable key", func(t *testing.T) {
		if w := call(newGateway(t), "GET", "/rest/v1/rooms", "apikey", publishable, "User-Agent",
			"Mozilla/5.0 (X11)"); w.Code != 200 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestPreflightIsAnsweredWithoutAKey(t *testing.T) {
	w := call(newGateway(t), "OPTIONS", "/rest/v1/rooms", "Origin", "http://localhost:3000",
		"Access-Control-Request-Method", "PATCH", "Access-Control-Request-Headers",
		"apikey,authorization,x-bellhop-effect")
	h := w.Header()
	if w.Code != 200 || h.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(h.Get("Access-Control-Allow-Methods"), "PATCH") ||
		h.Get("Access-Control-Allow-Headers") != "apikey,authorization,x-bellhop-effect" {
		t.Errorf("%d %v", w.Code, h)
	}
}

func TestConfigIsChecked(t *testing.T) {
	ok := http.NotFoundHandler()
	mint := func(string) (string, error) { return "", nil }
	tests := map[string]gateway.Config{
		"no rest":       {Auth: ok, Mint: mint, PublishableKey: publishable, SecretKey: secret},
		"no mint":       {Rest: ok, Auth: ok, PublishableKey: publishable, SecretKey: secret},
		"no secret key": {Rest: ok, Auth: ok, Mint: mint, PublishableKey: publishable},
		"one key twice": {Rest: ok, Auth: ok, Mint: mint, PublishableKey: secret, SecretKey: secret},
	}
	for name, cfg := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := gateway.New(cfg); err == nil {
				t.Error("accepted")
			}
		})
	}
}
