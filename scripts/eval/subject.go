package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/runtimes"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/flow/routed"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// subject is an assistant that is evaluated.
type subject struct {
	profile assistants.Profile
	flow    *routed.Flow
	said    []utterance
}

// evaluated returns the assistants of these names, or, without names, every one
// that ships, has a router and has utterances below root. One that was named and
// lacks either is an error.
func evaluated(ctx context.Context, root, only string, names []string) ([]subject, error) {
	all, err := shipped(ctx)
	if err != nil {
		return nil, err
	}
	named := len(names) > 0
	if !named {
		for _, a := range all {
			names = append(names, a.Name)
		}
	}
	var out []subject
	for _, name := range names {
		a, ok := flow.Find(all, name)
		if !ok {
			return nil, fmt.Errorf("there is no assistant %q", name)
		}
		folder := filepath.Join(root, name, "testdata", "routing")
		said, err := read(folder, only)
		if err != nil {
			return nil, err
		}
		runtime, err := a.Runtime()
		if err != nil {
			return nil, err
		}
		f, routes := runtime.Flow.(*routed.Flow)
		switch {
		case routes && len(said) > 0:
			out = append(out, subject{a.Profile, f, said})
		case named && !routes:
			return nil, fmt.Errorf("the assistant %s has no router", name)
		case named:
			return nil, fmt.Errorf("there are no utterances in %s", folder)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no assistant has utterances below %s", root)
	}
	return out, nil
}

// shipped returns every assistant as a function runs it, on stores that are never
// asked: routing reads no data.
func shipped(ctx context.Context) ([]*flow.Assistant, error) {
	env := map[string]string{"SUPABASE_URL": "http://127.0.0.1:1", "SUPABASE_PUBLISHABLE_KEY": "none",
		"PROOF_KEYS": "eval:" + base64.StdEncoding.EncodeToString(make([]byte, 32))}
	s := &boot.Service{Name: "eval", Now: time.Now, Log: zerolog.Nop(),
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	if err := s.Env.Decode(ctx, &s.Config); err != nil {
		return nil, err
	}
	b, err := backend.New(ctx, s)
	if err != nil {
		return nil, err
	}
	return runtimes.New(ctx, b)
}

// route asks the assistant's own router, with its own persona, for each of its
// utterances.
func (s subject) route(ctx context.Context, m llm.Model, parallel int) ([]verdict, error) {
	by := identity.Caller{OrgName: s.profile.Title, Role: identity.Manager}
	if s.profile.EntityKind != "" {
		by.Entity = identity.Entity{Kind: s.profile.EntityKind, Name: s.profile.Title, TimeZone: "UTC",
			Currency: "EUR"}
	}
	var facts any
	if s.flow.Facts != nil {
		var err error
		if facts, err = s.flow.Facts(by, time.Now()); err != nil {
			return nil, err
		}
	}
	verdicts := make([]verdict, len(s.said))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, u := range s.said {
		group.Go(func() error {
			var err error
			verdicts[i], err = ask(ctx, s.flow.Router, m, facts, u)
			return err
		})
	}
	return verdicts, group.Wait()
}
