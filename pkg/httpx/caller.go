package httpx

import (
	"context"
	"net/http"

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
	return by, Claim(r.Context(), by)
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
func ErrNotFound() error {
	return fault.New(fault.NotFound, "There is nothing at this address, or not by this method.")
}
