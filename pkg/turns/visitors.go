package turns

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// PerVisitor returns the store for callers that may share an account: names of
// turns are separate for each visitor. For other callers it is the store
// itself.
func PerVisitor(s Store) Store { return perVisitor{s} }

type perVisitor struct{ Store }

// own returns the name that a visitor's name has in the store. It is no longer
// than names may be, whatever the visitor chose.
func own(by identity.Caller, name string) string {
	if by.Visitor == "" || name == "" {
		return name
	}
	sum := sha256.Sum256([]byte(by.Visitor + "\x00" + name))
	return "visitor-" + hex.EncodeToString(sum[:])
}

func (p perVisitor) Begin(ctx context.Context, by identity.Caller, s Start) (Begun, error) {
	return p.Store.Begin(ctx, by, ownStart(by, s))
}

func ownStart(by identity.Caller, s Start) Start {
	s.Turn, s.Thread = own(by, s.Turn), own(by, s.Thread)
	return s
}

func (p perVisitor) Save(ctx context.Context, by identity.Caller, s Start, step Step, answer json.RawMessage) error {
	return p.Store.Save(ctx, by, ownStart(by, s), step, answer)
}

func (p perVisitor) Release(ctx context.Context, by identity.Caller, turn string) error {
	return p.Store.Release(ctx, by, own(by, turn))
}

func (p perVisitor) Stop(ctx context.Context, by identity.Caller, thread string) error {
	return p.Store.Stop(ctx, by, own(by, thread))
}

func (p perVisitor) Stopped(ctx context.Context, by identity.Caller, turn string) (bool, error) {
	return p.Store.Stopped(ctx, by, own(by, turn))
}

func (p perVisitor) Latest(ctx context.Context, by identity.Caller, assistant, thread, turn string) (Latest, error) {
	if by.Visitor != "" && turn == "" {
		return Latest{}, nil // a visitor's names cannot be told from their digests
	}
	l, err := p.Store.Latest(ctx, by, assistant, own(by, thread), own(by, turn))
	if l.Turn != "" {
		l.Turn = cmp.Or(turn, l.Turn)
	}
	return l, err
}

func (p perVisitor) Finish(ctx context.Context, by identity.Caller, turn string, f Finish) error {
	return p.Store.Finish(ctx, by, own(by, turn), f)
}
