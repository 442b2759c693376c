package main

import (
	"context"
	"crypto/rand"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/openai"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
)

const publishableKey = "sb_publishable_bench"

// proofKeys are of no project: the canned one takes every proof.
const proofKeys = "p1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

// newOurs returns the chat function around the bench's assistant, built of the
// parts and with the layers that boot gives it.
func newOurs(t task) (http.Handler, error) {
	proof, err := supabase.NewProver(proofKeys, time.Now, rand.Reader)
	if err != nil {
		return nil, err
	}
	if t.Memory > 0 {
		boot.LimitMemory(func(name string) (string, bool) {
			return strconv.Itoa(t.Memory), name == "AWS_LAMBDA_FUNCTION_MEMORY_SIZE"
		}, os.ReadFile)
	}
	boot.PaceCollector(os.LookupEnv)
	client, err := supabase.New(supabase.Config{URL: t.Upstream, PublishableKey: publishableKey,
		RequestID: httpx.RequestID, Proof: proof})
	if err != nil {
		return nil, err
	}
	verifier, err := supabase.NewVerifier(supabase.VerifierConfig{URL: t.Upstream, JWKS: t.JWKS})
	if err != nil {
		return nil, err
	}
	keys, err := history.NewKeys(history.KeysConfig{Spec: t.SealKeys, Now: time.Now})
	if err != nil {
		return nil, err
	}
	model, err := openai.New(openai.Config{APIKey: "sk-bench", BaseURL: t.Model, Profile: "openai"})
	if err != nil {
		return nil, err
	}
	assistant, err := newAssistant(t.Tools)
	if err != nil {
		return nil, err
	}
	cfg := chat.Config{
		Default: assistantName, Model: model, Keys: keys, Turns: control.NewTurns(client),
		Consent: &consent.Service{Store: control.NewProposals(client), NewID: uuid.NewString,
			Code: consent.Codes(rand.Reader)},
		Identify: func(ctx context.Context, token string) (identity.Caller, error) {
			if _, err := verifier.Verify(ctx, identity.Secret(token)); err != nil {
				return identity.Caller{}, err
			}
			return client.Whoami(ctx, identity.Secret(token))
		},
		Verify: verifier.Caller, Opener: conversations.New(client),
		Now: time.Now, NewID: uuid.NewString, Reserve: 3 * time.Second,
	}
	if t.Keep {
		assistant.Records, assistant.Prefix = true, "BE"
		cfg.Recorder = conversations.New(client)
	}
	cfg.Assistants = []*flow.Assistant{flow.Built(assistant)}
	door, err := chat.New(cfg)
	if err != nil {
		return nil, err
	}
	log := zerolog.New(os.Stderr).With().Timestamp().Str("service", "bench").Logger()
	return httpx.Wrap(door, httpx.Config{Log: log, NewID: uuid.NewString, Now: time.Now, Timeout: 55 * time.Second}),
		nil
}
