// Package v1 is what the endpoints below /api/v1 share, which have the form of
// OpenAI's API: their errors, and API keys as bearers.
package v1

import (
	"context"
	"errors"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

// Sessions exchanges API keys for access tokens. What is not a valid key is a
// fault.Unauthorized error.
type Sessions interface {
	Token(ctx context.Context, key identity.Secret) (identity.Secret, error)
}

// Keyed lets f answer requests whose bearer is an API key as those of the key's
// user: clients of OpenAI's API have one static credential. Other bearers are left
// as they are, and so are all where sessions is nil.
func Keyed(sessions Sessions, f http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		key, err := httpx.Bearer(r)
		if sessions == nil || err != nil || !users.IsKey(key) {
			f(w, r)
			return
		}
		token, err := sessions.Token(r.Context(), identity.Secret(key))
		if err != nil {
			Fail(w, r, err)
			return
		}
		r.Header.Set("Authorization", "Bearer "+token.Reveal())
		f(w, r)
	}
}

// badMember is a fault of one member of a request.
type badMember struct {
	error
	name string
}

// Unwrap returns the fault.
func (b badMember) Unwrap() error { return b.error }

// Member returns the error of a member of a request, which its refusal names in
// param.
func Member(name string, err error) error { return badMember{err, name} }

// Unsupported returns the error of a member that asks for what would not come.
func Unsupported(name, why string) error {
	return Member(name, fault.New(fault.Invalid, "%s", why).WithCode("unsupported_parameter"))
}

// Fail refuses a request in OpenAI's form.
func Fail(w http.ResponseWriter, r *http.Request, err error) {
	httpx.FailAs(w, r, err, "application/json; charset=utf-8", func(f *fault.Error, _ int) any {
		name := ""
		if bad, ok := errors.AsType[badMember](err); ok {
			name = bad.name
		}
		return stream.NewAPIError(f, name, httpx.RequestID(r.Context()))
	})
}
