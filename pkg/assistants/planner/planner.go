// Package planner makes the trip planner: it asks for what is missing of a trip, lets three
// specialists research it at the same time, and shows two or three plans that differ.
package planner

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
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/structured"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
)

//go:embed personas/*
var personas embed.FS

// Researcher does the task of a specialist. It always answers; see
// specialists.Researcher.
type Researcher interface {
	Research(ctx context.Context, by identity.Caller, task specialists.Task, c trip.Context) specialists.Output
}

// Config configures New.
type Config struct {
	// Tools are those of package planner/tools and those of travel for itineraries.
	Tools       []tool.Tool
	Plans       plans.Store
	Preferences preferences.Store
	// Research returns who does the tasks of a turn; model is nil where there is none.
	Research func(model structured.Ask) Researcher
	// Unmodelled says that there is no model but a stand-in that follows rules: our own
	// rules answer then.
	Unmodelled bool
	Model      string // "" = the adapter's default
	Now        calendar.Clock
	// Report is called for what an answer did without; optional.
	Report func(ctx context.Context, what string, err error)
}

// master is the name of the assistant's agent.
const master = "planner"

// Bounds of a turn. The window is that of the source document (S4-27).
const (
	rounds     = 6
	window     = 50
	budget     = 24_000
	answerMax  = 700
	masterMax  = 1500
	warm       = 0.7 // S4-26
	researchIn = 22 * time.Second
)

// New returns the assistant.
func New(cfg Config) (*flow.Runtime, error) {
	if cfg.Now == nil || cfg.Plans == nil || cfg.Preferences == nil || cfg.Research == nil {
		return nil, errors.New("planner: stores, specialists and a clock are required")
	}
	set, err := tool.NewSet(cfg.Tools...)
	if err != nil {
		return nil, fmt.Errorf("planner: %w", err)
	}
	persona, err := load("planner")
	if err != nil {
		return nil, err
	}
	f := &planning{cfg: cfg}
	if f.prompt, err = load("master"); err != nil {
		return nil, err
	}
	schema, err := personas.ReadFile("personas/master.json")
	if err != nil {
		return nil, fmt.Errorf("planner: %w", err)
	}
	if f.form, err = structured.NewForm("trip_planner", schema); err != nil {
		return nil, err
	}
	temperature := 0.3
	a := &agent.Agent{Name: master, About: "plans trips", Persona: persona, Tools: set, Rounds: rounds, Closing: true,
		Window: window, Budget: budget,
		Settings: llm.Settings{Model: cfg.Model, Temperature: &temperature, MaxTokens: answerMax}}
	profile := profiles.Planner()
	a.Label, _ = profile.Label(master)
	return flow.New(flow.Runtime{Profile: profile, Words: Words(), Flow: f, Agents: []*agent.Agent{a},
		Facts: func(ctx context.Context, by identity.Caller, now time.Time) (any, error) {
			return factsOf(ctx, by, now), nil
		}})
}

func load(name string) (*prompt.Template, error) {
	text, err := personas.ReadFile("personas/" + name + ".md")
	if err != nil {
		return nil, fmt.Errorf("prompt %s of the planner: %w", name, err)
	}
	return prompt.Parse(name, string(text))
}
