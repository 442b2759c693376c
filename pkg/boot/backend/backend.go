// Package backend builds the stores that handlers share. It knows no model and
// no assistant's tools, so a function that needs none does not carry them.
package backend

import (
	"context"
	"crypto/rand"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/assistants/profiles"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	conversationstore "github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
	"github.com/bellhop-ai/bellhop/pkg/supabase/feedback"
	"github.com/bellhop-ai/bellhop/pkg/supabase/intents"
	uploadstore "github.com/bellhop-ai/bellhop/pkg/supabase/uploads"
	"github.com/bellhop-ai/bellhop/pkg/turns"
	"github.com/bellhop-ai/bellhop/pkg/uploads"
)

// Backend is a Core with the stores, and what there is to know of the assistants. It is
// built once, belongs to the function's main, and is immutable from then on.
type Backend struct {
	*core.Core
	Turns         turns.Store
	Conversations conversations.Store
	Opener        conversations.Turns
	Consent       *consent.Service
	Feedback      feedback.Store
	Intents       intents.Store
	Files         *uploads.Service
	// Profiles are the assistants that ship; package runtimes makes them work.
	Profiles []assistants.Profile
}

// New builds a Backend on a Core without seal keys. Nothing is sent yet.
func New(_ context.Context, s *boot.Service) (*Backend, error) {
	c, err := core.New(s)
	if err != nil {
		return nil, err
	}
	return on(c), nil
}

// NewSealed builds a Backend on a Core with the seal keys of the environment.
func NewSealed(ctx context.Context, s *boot.Service) (*Backend, error) {
	c, err := core.NewSealed(ctx, s)
	if err != nil {
		return nil, err
	}
	return on(c), nil
}

func on(c *core.Core) *Backend {
	client := c.Client
	stored := conversationstore.New(client)
	return &Backend{
		Core:          c,
		Turns:         control.NewTurns(client),
		Conversations: stored,
		Opener:        stored,
		Consent: &consent.Service{Store: control.NewProposals(client), NewID: c.NewID,
			Code: consent.Codes(rand.Reader)},
		Feedback: feedback.New(client),
		Intents:  intents.New(client),
		Files:    uploadstore.NewService(client),
		Profiles: profiles.All(),
	}
}

// OpenProposal returns the caller of a token as Identify does, and the caller's proposal of
// this id (a uuid), none when there is no such one, in one request.
func (b *Backend) OpenProposal(ctx context.Context, token, id string) (identity.Caller, []consent.Proposal, error) {
	if _, err := b.Verify(ctx, token); err != nil {
		return identity.Caller{}, nil, err
	}
	return control.NewProposals(b.Client).Open(ctx, identity.Secret(token), id)
}
