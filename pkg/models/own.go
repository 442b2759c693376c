package models

import (
	"cmp"
	"context"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Own returns m as it is configured: its name and its settings count in the
// place of those of a request, and its answers say who gave them at what cost.
func Own(m llm.Model, c Config) llm.Model { return own{m, c} }

type own struct {
	llm.Model
	config Config
}

// Name returns the model's name.
func (o own) Name() string { return o.config.Model }

// SupportsImages implements llm.VisionModel.
func (o own) SupportsImages() bool { return supportsImages(o.Model) }

func supportsImages(m llm.Model) bool {
	v, ok := m.(llm.VisionModel)
	return ok && v.SupportsImages()
}

// Answer implements llm.Model.
func (o own) Answer(ctx context.Context, r llm.Request, show func(string) error) (llm.Answer, error) {
	r.Model = o.config.Model
	if o.config.Temperature != nil {
		r.Temperature = o.config.Temperature
	}
	if most := o.config.MaxTokens; most > 0 && (r.MaxTokens == 0 || r.MaxTokens > most) {
		r.MaxTokens = most
	}
	a, err := o.Model.Answer(ctx, r, show)
	if err != nil {
		return a, err
	}
	a.Usage.Provider = cmp.Or(o.config.Provider, a.Usage.Provider)
	if a.Model == "" {
		a.Model = o.config.Model
	}
	tokens := llm.Tokens{In: a.Usage.In, Out: a.Usage.Out, Cached: a.Usage.Cached}
	if cost, known := o.Cost(tokens); known {
		a.Usage.Own, a.Usage.Cost = tokens, cost
	}
	return a, nil
}

// Cost implements llm.Pricer. The price of a row counts only where the
// organisation pays the provider itself: otherwise its administrators could
// lower the cost of the operator's models in its own budget.
func (o own) Cost(t llm.Tokens) (int64, bool) {
	if o.config.Price == nil || o.config.SecretName == "" && o.config.BaseURL == "" {
		return 0, false
	}
	return o.config.Price.Of(t), true
}

// limited is a model of a provider that the organisation calls no more often
// than its rate.
type limited struct {
	llm.Model
	by   identity.Caller
	gate limit.ProviderGate
}

// Name implements llm.Namer.
func (m limited) Name() string { return name(m.Model) }

// SupportsImages implements llm.VisionModel.
func (m limited) SupportsImages() bool { return supportsImages(m.Model) }

// Cost implements llm.Pricer.
func (m limited) Cost(t llm.Tokens) (int64, bool) { return cost(m.Model, t) }

// Answer implements llm.Model.
func (m limited) Answer(ctx context.Context, r llm.Request, show func(string) error) (llm.Answer, error) {
	if err := m.gate.Wait(ctx, m.by); err != nil {
		return llm.Answer{}, err
	}
	return m.Model.Answer(ctx, r, show)
}

func name(m llm.Model) string {
	if n, ok := m.(llm.Namer); ok {
		return n.Name()
	}
	return ""
}

func cost(m llm.Model, t llm.Tokens) (int64, bool) {
	if p, ok := m.(llm.Pricer); ok {
		return p.Cost(t)
	}
	return 0, false
}

// Either returns a model that asks the first, and each next one while those
// before it cannot answer and nothing was shown of an answer. One model is
// returned as it is.
func Either(list ...llm.Model) llm.Model {
	if len(list) == 1 {
		return list[0]
	}
	return either(list)
}

type either []llm.Model

// Name returns the name of the first: what a call is reserved for.
func (e either) Name() string { return name(e[0]) }

// Cost returns that of the first, too.
func (e either) Cost(t llm.Tokens) (int64, bool) { return cost(e[0], t) }

// SupportsImages reports whether all of them take images, since any may have to
// answer.
func (e either) SupportsImages() bool {
	for _, m := range e {
		if !supportsImages(m) {
			return false
		}
	}
	return true
}

// Answer implements llm.Model. The error is the last one's.
func (e either) Answer(ctx context.Context, r llm.Request, show func(string) error) (a llm.Answer, err error) {
	shown := false
	var watch func(string) error
	if show != nil {
		watch = func(text string) error { shown = true; return show(text) }
	}
	for _, m := range e {
		if a, err = m.Answer(ctx, r, watch); err == nil || shown || ctx.Err() != nil || !elsewhere(err) {
			return a, err
		}
	}
	return a, err
}

// elsewhere reports whether another provider may answer a failed request.
func elsewhere(err error) bool {
	f := fault.From(err)
	switch f.Kind {
	case fault.Unavailable, fault.Timeout:
		return true
	case fault.Upstream:
		return f.Code != "model_bad_request" // it would refuse that too
	case fault.Limited:
		return f.Code != llm.Exhausted
	}
	return false
}
