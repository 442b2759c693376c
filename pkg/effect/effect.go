// Package effect names one act upon the world, so that it happens once.
//
// The agent loop puts a Claim into the context of a tool that writes; the
// adapter that carries out the write sends it along; the database claims it in
// the very transaction that writes. A tool therefore makes exactly one write
// request: what needs two statements is one SQL function.
package effect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Claim identifies one act.
type Claim struct {
	Key       string // unique in the organisation: turn, step and ordinal, or the proposal
	ArgsHash  string // hex SHA-256 of the canonical arguments
	Tool      string
	Turn      string
	Assistant string
	Proposal  string // uuid of the consented proposal; "" for an act that needs none
}

// Key names an act by its place: whose turn, which step of it, which call of the
// step. People choose the names of their turns, so the person is part of the
// key; and because a name may be long, the key is a digest.
func Key(user, turn string, step, ordinal int) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s%d:%s%d:%d", len(user), user, len(turn), turn, step, ordinal)
	return "act-" + hex.EncodeToString(h.Sum(nil)[:20])
}

// RunKey is Key for an act in one of several runs of a turn. Without a name it is
// the same.
func RunKey(user, turn, run string, step, ordinal int) string {
	if run == "" {
		return Key(user, turn, step, ordinal)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s%d:%s%d:%d/%s", len(user), user, len(turn), turn, step, ordinal, run)
	return "act-" + hex.EncodeToString(h.Sum(nil)[:20])
}

// Outcome is what the database recorded under a claim's key.
type Outcome struct {
	Key      string    `json:"key"`
	Tool     string    `json:"tool"`
	Turn     string    `json:"turn"`
	Proposal string    `json:"proposal"`
	At       time.Time `json:"at"`
	Rows     []Row     `json:"rows"`
}

// Row is one row that an act changed, as it stood before and afterwards; nil
// where there was no such row.
type Row struct {
	Table  string         `json:"table"`
	Key    string         `json:"key"`
	Action string         `json:"action"`
	Before map[string]any `json:"before,omitempty"`
	After  map[string]any `json:"after"`
}

type contextKey struct{}

type state struct {
	claim    Claim
	readOnly bool
}

// With returns a context whose write request carries the claim.
func With(ctx context.Context, c Claim) context.Context {
	return context.WithValue(ctx, contextKey{}, state{claim: c})
}

// ReadOnly returns a context in which adapters refuse to write. The agent loop
// runs reading tools and previews in it, so that a tool that was declared to
// read cannot change anything.
func ReadOnly(ctx context.Context) context.Context {
	return context.WithValue(ctx, contextKey{}, state{readOnly: true})
}

// From returns the claim of the context. It reports false when there is none.
func From(ctx context.Context) (Claim, bool) {
	s, _ := ctx.Value(contextKey{}).(state)
	return s.claim, s.claim.Key != ""
}

// IsReadOnly reports whether writing is forbidden in the context.
func IsReadOnly(ctx context.Context) bool {
	s, _ := ctx.Value(contextKey{}).(state)
	return s.readOnly
}
