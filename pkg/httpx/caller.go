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

// Caller says who asks.
func Caller(r *http.Request, identify Identify) (identity.Caller, error) {
	token, err := Bearer(r)
	if err != nil {
		return identity.Caller{}, err
	}
	return identify(r.Context(), token)
}

// Admit says who asks, and lets nobody through the gate who asks too often.
func Admit(r *http.Request, identify Identify, gate limit.Gate) (identity.Caller, error) {
	by, err := Caller(r, identify)
	if err != nil {
		return by, err
	}
	return by, gate.Admit(r.Context(), by)
}

// Nothing answers at addresses where no door is.
func Nothing(w http.ResponseWriter, r *http.Request) { Fail(w, r, ErrNothing()) }

// ErrNothing is what Nothing says.
func ErrNothing() error {
	return fault.New(fault.NotFound, "There is nothing at this address, or not by this method.")
}
