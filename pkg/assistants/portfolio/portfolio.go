// Package portfolio makes the assistant that interviews a contractor about a job and
// makes a page of it.
package portfolio

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/assistants/profiles"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/tools"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed personas/*.md
var personas embed.FS

// Config configures New.
type Config struct {
	Projects projects.Store
	// Base is the origin of published pages, such as "https://pages.example.com"; "" is
	// that of the request.
	Base string
	// Unmodelled says that there is no model but a stand-in that follows rules: our own
	// rules interview then.
	Unmodelled bool
	Model      string // of all agents; "" = the adapter's default
	Now        calendar.Clock
	// Report is called for what an answer did without; optional.
	Report func(ctx context.Context, what string, err error)
}

// The agents of the assistant.
const (
	interviewer = "interviewer" // quick turns
	writing     = "writer"      // deep ones
)

// Bounds of the source (S3-4, S3-5) and of the issue: a quick turn costs at most two
// model calls, a deep one three.
const (
	window       = 50
	budget       = 30_000
	quickRounds  = 1
	deepRounds   = 1
	quickTokens  = 700
	deepTokens   = 1500
	earlierFacts = 4_000 // tokens of sentences from before the window
)

// New returns the assistant.
func New(cfg Config) (*flow.Runtime, error) {
	if cfg.Now == nil || cfg.Projects == nil {
		return nil, errors.New("portfolio: projects and a clock are required")
	}
	fast, deep, apply, more := tools.Tools(tools.Config{Store: cfg.Projects, Base: cfg.Base, Now: cfg.Now})
	quick, err := tool.NewSet(slices.Concat(fast, more)...)
	if err != nil {
		return nil, fmt.Errorf("portfolio: %w", err)
	}
	whole, err := tool.NewSet(slices.Concat(fast, deep, apply, more)...)
	if err != nil {
		return nil, fmt.Errorf("portfolio: %w", err)
	}
	agents := []*agent.Agent{
		{Name: interviewer, About: "asks about the job, takes it down, edits and publishes", Tools: quick,
			Rounds: quickRounds, Closing: true, Window: window, Budget: budget,
			Settings: settings(cfg.Model, 0.4, quickTokens)},
		{Name: writing, About: "writes the page, arranges it and gives advice", Tools: whole,
			Rounds: deepRounds, Closing: true, Window: window, Budget: budget,
			Settings: settings(cfg.Model, 0.3, deepTokens)},
	}
	profile := profiles.Portfolio()
	for _, a := range agents {
		if a.Persona, err = load(a.Name); err != nil {
			return nil, err
		}
		a.Label, _ = profile.Label(a.Name)
	}
	return flow.New(flow.Runtime{Profile: profile, Words: Words(), Flow: &interview{cfg: cfg}, Agents: agents,
		Facts: func(ctx context.Context, by identity.Caller, now time.Time) (any, error) {
			return facts(ctx, cfg, by, now)
		}})
}

func settings(model string, temperature float64, tokens int) llm.Settings {
	return llm.Settings{Model: model, Temperature: &temperature, MaxTokens: tokens}
}

// load reads a persona with the rules and facts that both share.
func load(name string) (*prompt.Template, error) {
	common, err := personas.ReadFile("personas/facts.md")
	if err != nil {
		return nil, fmt.Errorf("persona %s: %w", name, err)
	}
	own, err := personas.ReadFile("personas/" + name + ".md")
	if err != nil {
		return nil, fmt.Errorf("persona %s: %w", name, err)
	}
	return prompt.Parse(name, string(common)+string(own))
}
