// Package models selects models: those of an organisation where it has some,
// otherwise those of the operator, and the next one while the first cannot be
// reached.
package models

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// Config is one model as an organisation configured it. It holds no key, only
// the name of one.
type Config struct {
	Code        string
	Assistant   string // "" = each that has none of its own
	Tier        llm.Tier
	Provider    string // how the server differs; see the adapter's profiles
	BaseURL     string // "" = the provider's own
	API         string // "chat" or "responses"
	Model       string
	Temperature *float64 // nil = the assistant's own
	MaxTokens   int      // of an answer, at most; 0 = the assistant's own
	SecretName  string   // "" = no key
	Price       *Price   // nil = not known
	Rate        *Rate    // nil = no limit
	Default     bool     // asked first
	Version     int
}

// Price is what a million tokens cost, in millionths of a US dollar.
type Price struct{ Input, Cached, Output int64 }

// Of returns what the tokens cost, in millionths of a US dollar, rounded up.
func (p Price) Of(t llm.Tokens) int64 {
	fresh := max(t.In-t.Cached, 0)
	sum := int64(fresh)*p.Input + int64(t.Cached)*p.Cached + int64(t.Out)*p.Output
	return (sum + 999_999) / 1_000_000
}

// Rate is how often an organisation calls a provider: a burst of calls, and a
// steady rate per second.
type Rate struct {
	Capacity  int
	PerSecond float64
}

// Store reads what organisations configured.
type Store interface {
	// Configs returns all models of the caller's organisation.
	Configs(ctx context.Context, by identity.Caller) ([]Config, error)
}

// Picker is a llm.Models.
type Picker struct {
	// Store reads the organisations' own models; nil has none.
	Store Store
	// Build makes a model of an organisation, or returns a fault with the
	// reason.
	Build func(orgID string, c Config) (llm.Model, error)
	// Providers counts the calls of providers that have a Rate; nil counts none.
	Providers limit.ProviderCounter
	// Shared are the operator's models by tier, for everybody else.
	Shared map[llm.Tier]llm.Model
	// SharedOf are those of assistants, by name, that are asked in another way.
	SharedOf map[string]map[llm.Tier]llm.Model
	Now      calendar.Clock
	// Fresh is how long read configurations are cached; 0 means 30 s.
	Fresh time.Duration

	mu   sync.Mutex
	orgs map[string]reading
}

var _ llm.Models = (*Picker)(nil)

// reading is what an organisation's table held at a moment.
type reading struct {
	at      time.Time
	configs []Config
	built   map[string]llm.Model // by code; the same row keeps its connections
}

// remembered is how many organisations are kept.
const remembered = 1000

// For implements llm.Models. A model that is configured and cannot be built is
// an error: an organisation that pays for its own must not be sent elsewhere.
func (p *Picker) For(ctx context.Context, by identity.Caller, assistant string, tier llm.Tier) (llm.Model, error) {
	if p.Store == nil {
		return p.shared(assistant, tier)
	}
	r, err := p.read(ctx, by)
	if err != nil {
		return nil, err
	}
	chosen := choose(r.configs, assistant, tier)
	if len(chosen) == 0 {
		return p.shared(assistant, tier)
	}
	var list []llm.Model
	for _, c := range chosen {
		m, err := p.model(by.OrgID, c)
		if err != nil {
			return nil, err
		}
		if rate, ok := strictest(r.configs, c.Provider); ok && p.Providers != nil {
			m = limited{m, by, limit.ProviderGate{Counter: p.Providers, Rate: rate}}
		}
		list = append(list, m)
	}
	return Either(list...), nil
}

// strictest returns the rate of a provider, which the rows of the provider
// share: the lowest of each figure that they name. Without one it returns false.
func strictest(configs []Config, provider string) (limit.ProviderRate, bool) {
	rate, found := limit.ProviderRate{Provider: "model." + provider}, false
	for _, c := range configs {
		switch {
		case c.Provider != provider || c.Rate == nil:
		case !found:
			rate.Capacity, rate.PerSecond, found = c.Rate.Capacity, c.Rate.PerSecond, true
		default:
			rate.Capacity, rate.PerSecond = min(rate.Capacity, c.Rate.Capacity), min(rate.PerSecond, c.Rate.PerSecond)
		}
	}
	return rate, found
}

func (p *Picker) shared(assistant string, tier llm.Tier) (llm.Model, error) {
	if m := p.SharedOf[assistant][tier]; m != nil {
		return m, nil
	}
	if m := p.Shared[tier]; m != nil {
		return m, nil
	}
	return nil, fault.New(fault.Unavailable, "No model is set up for this.").WithCode("model_unavailable")
}

// choose returns those of an assistant and a tier, the default first. Rows of
// the assistant's own take the place of those for all.
func choose(configs []Config, assistant string, tier llm.Tier) []Config {
	for _, name := range []string{assistant, ""} {
		var chosen []Config
		for _, c := range configs {
			if c.Tier == tier && c.Assistant == name {
				chosen = append(chosen, c)
			}
		}
		if slices.ContainsFunc(chosen, func(c Config) bool { return c.Default }) {
			slices.SortFunc(chosen, func(a, b Config) int {
				if a.Default != b.Default {
					return map[bool]int{true: -1, false: 1}[a.Default]
				}
				return strings.Compare(a.Code, b.Code)
			})
			return chosen
		}
	}
	return nil
}

// read returns what the organisation configured, from its table or from what
// was read there a moment ago.
func (p *Picker) read(ctx context.Context, by identity.Caller) (reading, error) {
	fresh := p.Fresh
	if fresh == 0 {
		fresh = 30 * time.Second
	}
	p.mu.Lock()
	r, known := p.orgs[by.OrgID]
	p.mu.Unlock()
	if age := p.Now().Sub(r.at); known && age >= 0 && age < fresh {
		return r, nil
	}
	configs, err := p.Store.Configs(ctx, by)
	if err != nil {
		return reading{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.orgs == nil || len(p.orgs) >= remembered {
		p.orgs = map[string]reading{}
	}
	now := reading{at: p.Now(), configs: configs, built: map[string]llm.Model{}}
	for _, c := range configs {
		if i := slices.IndexFunc(r.configs, func(o Config) bool {
			return o.Code == c.Code &&
				o.Version == c.Version
		}); i >= 0 {
			if m := r.built[c.Code]; m != nil {
				now.built[c.Code] = m
			}
		}
	}
	p.orgs[by.OrgID] = now
	return now, nil
}

// model returns the model of a row, built once for each version of it.
func (p *Picker) model(org string, c Config) (llm.Model, error) {
	p.mu.Lock()
	m := p.orgs[org].built[c.Code]
	p.mu.Unlock()
	if m != nil {
		return m, nil
	}
	built, err := p.Build(org, c)
	if err != nil {
		return nil, err
	}
	m = Own(built, c)
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.orgs[org]; ok {
		r.built[c.Code] = m
	}
	return m, nil
}
