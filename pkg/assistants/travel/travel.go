// Package travel makes Sword, the assistant who finds flights and hotels, holds and books
// them, and keeps a person's itinerary and preferences.
package travel

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/assistants/profiles"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

//go:embed personas/*.md
var personas embed.FS

// Config configures New.
type Config struct {
	// Tools are those of package travel/tools and others of ours.
	Tools []tool.Tool
	// Adds, if not nil, returns the tools that the caller's organisation defined.
	Adds        func(ctx context.Context, by identity.Caller) ([]tool.Declaration, error)
	Bookings    bookings.Store
	Trips       itinerary.Store
	Travellers  travellers.Store
	Preferences preferences.Store
	// Unmodelled says that there is no model but a stand-in that follows rules: our own
	// rules answer then.
	Unmodelled bool
	Model      string // "" = the adapter's default
	Now        calendar.Clock
	// Report is called for what an answer did without; optional.
	Report func(ctx context.Context, what string, err error)
}

// sword is the assistant's agent.
const sword = "sword"

// Bounds of an answer. The rounds leave room for a search, a second one, details and an
// entry in the itinerary.
const (
	rounds    = 8
	window    = 40
	budget    = 24_000
	answerMax = 900
)

// ownSets is how many sets of tools with those of organisations are remembered.
const ownSets = 100

// New returns the assistant.
func New(cfg Config) (*flow.Runtime, error) {
	if cfg.Now == nil || cfg.Bookings == nil || cfg.Trips == nil || cfg.Travellers == nil || cfg.Preferences == nil {
		return nil, errors.New("travel: stores and a clock are required")
	}
	set, err := tool.NewSet(cfg.Tools...)
	if err != nil {
		return nil, fmt.Errorf("travel: %w", err)
	}
	text, err := personas.ReadFile("personas/sword.md")
	if err != nil {
		return nil, fmt.Errorf("persona of Sword: %w", err)
	}
	persona, err := prompt.Parse(sword, string(text))
	if err != nil {
		return nil, fmt.Errorf("persona of Sword: %w", err)
	}
	temperature := 0.3
	a := &agent.Agent{Name: sword, About: "finds, holds and books journeys and keeps the itinerary", Persona: persona,
		Tools: set, Rounds: rounds, Closing: true, Window: window, Budget: budget,
		Settings: llm.Settings{Model: cfg.Model, Temperature: &temperature, MaxTokens: answerMax}}
	profile := profiles.Travel()
	a.Label, _ = profile.Label(sword)
	r := flow.Runtime{Profile: profile, Words: Words(), Flow: &journey{cfg: cfg}, Agents: []*agent.Agent{a},
		Facts: func(ctx context.Context, by identity.Caller, now time.Time) (any, error) {
			return facts(ctx, cfg, by, now)
		}}
	if cfg.Adds != nil {
		sets := tool.NewSets(ownSets)
		r.Adds = func(ctx context.Context, by identity.Caller, a *agent.Agent) (*tool.Set, error) {
			declared, err := cfg.Adds(ctx, by)
			if err != nil && cfg.Report != nil {
				// The tools of the organisation are an addition: without them the others work.
				cfg.Report(ctx, "the organisation's own tools were not read", err)
			}
			if err != nil || len(declared) == 0 {
				return nil, nil
			}
			return sets.Set(a.Tools, declared)
		}
	}
	return flow.New(r)
}
