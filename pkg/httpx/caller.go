package httpx

import (
	"context"
	"net/http"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
)

// Identify returns the caller of a verified token, with the role that the
// database knows now. A token that is no good is a fault.Unauthorized error.
type Identify = func(ctx context.Context, token string) (identity.Caller, error)

// Caller returns the caller, and counts the request towards the caller's share
// of concurrent requests.
func Caller(r *http.Request, identify Identify) (identity.Caller, error) {
	token, err := Bearer(r)
	if err != nil {
		return identity.Caller{}, err
	}
	by, err := identify(r.Context(), token)
	if err != nil {
		return by, err
	}
	by.Remote = remote(r)
	return by, Claim(r.Context(), by)
}

// maxRemote is the length of a token for remote servers.
const maxRemote = 8 << 10

// remote returns the user's own token for remote servers from H-Authorization,
// with or without "Bearer"; "" for none, and for what is no token.
func remote(r *http.Request) identity.Secret {
	token := strings.TrimSpace(r.Header.Get("H-Authorization"))
	if scheme, rest, ok := strings.Cut(token, " "); ok && strings.EqualFold(scheme, "Bearer") {
		token = strings.TrimSpace(rest)
	}
	if len(token) > maxRemote || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return ""
	}
	return identity.Secret(token)
}

// Admit returns the caller, and refuses callers above the rate of the gate.
func Admit(r *http.Request, identify Identify, gate limit.Gate) (identity.Caller, error) {
	by, err := Caller(r, identify)
	if err != nil {
		return by, err
	}
	return by, gate.Admit(r.Context(), by)
}

// NotFound answers requests for unknown paths.
func NotFound(w http.ResponseWriter, r *http.Request) { Fail(w, r, ErrNotFound()) }

// ErrNotFound is the error of NotFound.
func ErrNotFound() error { return fault.New(fault.NotFound, "There is nothing at this address.") }

// Otherwise answers the requests for which mux has no pattern but "/" and other
// patterns for whole subtrees: with fault.Method, and the methods in the header
// Allow, where another method would be answered, else with fault.NotFound. fail
// sends the refusal, in the form that the clients of mux read.
func Otherwise(mux *http.ServeMux, fail func(http.ResponseWriter, *http.Request, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
			http.MethodDelete} {
			other := http.Request{Method: method, URL: r.URL, Host: r.Host}
			if _, pattern := mux.Handler(&other); strings.HasPrefix(pattern, method+" ") {
				allowed = append(allowed, method)
			}
		}
		if len(allowed) == 0 {
			fail(w, r, ErrNotFound())
			return
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		fail(w, r, fault.New(fault.Method, "This address answers %s, not %s.", strings.Join(allowed, " and "),
			shortMethod(r.Method)))
	}
}

// shortMethod is a method as it may stand in a sentence.
func shortMethod(method string) string {
	if len(method) > 16 {
		return "this method"
	}
	return method
}
