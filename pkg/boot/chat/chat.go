// Package chat wires the chat handler.
package chat

import (
	"context"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/api/feedback"
	"github.com/bellhop-ai/bellhop/pkg/api/intents/learning"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/model"
	"github.com/bellhop-ai/bellhop/pkg/boot/runtimes"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase/business"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/users"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

// reserve is kept back of a request's time for sealing, storing and saying
// what was not finished.
const reserve = 3 * time.Second

// Config is the environment of the chat function.
type Config struct {
	boot.ModelsConfig
	boot.ChatConfig
}

// New builds the handler on the backend, which must have seal keys.
func New(ctx context.Context, b *backend.Backend) (*chat.Handler, error) {
	var cfg Config
	if err := b.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	answers, err := model.ForCallers(b.Core, cfg.ModelsConfig, b.Profiles)
	if err != nil {
		return nil, err
	}
	assistants, err := runtimes.New(ctx, b, runtimes.MatchingIntents(cfg.Intents),
		runtimes.Sampling(cfg.Sample), runtimes.Wording(cfg.Wording),
		runtimes.Unmodelled(cfg.Mock))
	if err != nil {
		return nil, err
	}
	for i, a := range assistants {
		assistants[i] = a.LinkingTo(slices.Concat(a.Hosts, cfg.LinkHosts)...)
	}
	handler := chat.Config{
		Assistants: assistants, Default: b.DefaultAssistant, Models: answers, Keys: b.Keys,
		Strict: cfg.SealStrict, Turns: b.Turns, Consent: b.Consent, Files: b.Files, Recorder: b.Conversations,
		Identify: b.Identify, Verify: b.Claimed, Opener: b.Opener, Now: b.Now, NewID: b.NewID, Reserve: reserve,
		Leaving: b.Leaving, Suggestions: business.NewSuggestions(b.Client),
		Sessions: &users.Sessions{Keys: store.NewKeys(b.Client), Now: b.Now},
		Gate:     b.Gate("chat", cfg.RateUser, cfg.RateOrg), Meter: b.Meter(b.Limits, cfg.Model),
		Report: func(ctx context.Context, tool string, err error) { report(b, ctx, tool, err) },
	}
	handler.Meter.First = cfg.CheapModel // routers choose the agent, and ask it
	handler.Ended = listeners(b, cfg, assistants)
	if err := admit(ctx, b, &handler); err != nil {
		return nil, err
	}
	return chat.New(handler)
}

// listeners returns what hears of turns that ended: what they show of earlier answers,
// and of the matcher's guess.
func listeners(b *backend.Backend, cfg Config,
	assistants []*flow.Assistant) func(context.Context, identity.Caller, chat.Ended) func() {
	var all []func(context.Context, identity.Caller, chat.Ended) func()
	if cfg.Signals {
		signals := feedback.NewListener(effectOf(assistants), b.Feedback, func(ctx context.Context, err error) {
			b.Warn(ctx, err, "a signal was not written down")
		})
		all = append(all, func(ctx context.Context, by identity.Caller, e chat.Ended) func() {
			return signals.Ended(ctx, by, e.Assistant, e.Thread, e.History, e.Outcome.Used)
		})
	}
	if cfg.Intents {
		turns := learning.New(b.Intents, func(ctx context.Context, err error) {
			b.Warn(ctx, err, "nothing was learnt from a turn")
		})
		all = append(all, turns.Ended)
	}
	uses := learning.NewUses(b.Intents, func(assistant string) bool {
		a, ok := flow.Find(assistants, assistant)
		if !ok {
			return false
		}
		r, err := a.Runtime()
		return err == nil && r.Adds != nil // those with tools of remote servers
	}, func(ctx context.Context, err error) { b.Warn(ctx, err, "the use of tools was not counted") })
	all = append(all, uses.Ended)
	return func(ctx context.Context, by identity.Caller, e chat.Ended) func() {
		waits := make([]func(), len(all))
		for i, listen := range all {
			waits[i] = listen(ctx, by, e)
		}
		return func() {
			for _, wait := range waits {
				wait()
			}
		}
	}
}

// effectOf returns the effect of an assistant's tool, once the assistant is built.
func effectOf(all []*flow.Assistant) feedback.EffectOf {
	return func(assistant, name string) (tool.Effect, bool) {
		a, ok := flow.Find(all, assistant)
		if !ok {
			return 0, false
		}
		r, err := a.Runtime()
		if err != nil {
			return 0, false
		}
		e, ok := r.Tool(name)
		if !ok {
			return 0, false
		}
		return e.Tool.Effect(), true
	}
}

// report logs a tool that failed: as an error where not the person's request
// was at fault.
func report(b *backend.Backend, ctx context.Context, tool string, err error) {
	f := fault.From(err)
	line := b.Log.Info()
	if f.Kind == fault.Internal || f.Kind == fault.Unavailable || f.Kind == fault.Upstream {
		line = b.Log.Error()
	}
	line.Str("request_id", httpx.RequestID(ctx)).Str("tool", tool).Str("code", f.PublicCode()).
		Str("cause", fault.Trace(err)).Msg("a tool failed")
}
