// Package finance makes the assistant of a company's books: Munimji, whose tools
// are those of the accounting software that the organisation uses.
package finance

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/assistants/profiles"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/bankfile"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/finance/views"
	"github.com/bellhop-ai/bellhop/pkg/finance/writes"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/prompt"
	"github.com/bellhop-ai/bellhop/pkg/router"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed personas/*.md
var personas embed.FS

// Books are the accounting software of organisations, as a remote server of tools.
type Books interface {
	// Tools returns the tools that the caller's organisation may use there. An error
	// is a fault that says for people why there are none.
	Tools(ctx context.Context, by identity.Caller) ([]tool.Declaration, error)
	// Read runs one of these that only reads, for a preview or a document of ours.
	Read(ctx context.Context, by identity.Caller, name string, arguments any) (json.RawMessage, error)
}

// Config configures New. Books, Now and Own may be missing in part: without Books
// the assistant only makes small talk.
type Config struct {
	Books Books
	// Own are tools of ours beside those of the books.
	Own []tool.Tool
	// Files, if not nil, are the files that people uploaded, such as statements of banks.
	Files bankfile.Files
	// Intents, if not nil, returns what recognises what users of by's organisation say
	// without a model; nil for nothing.
	Intents func(ctx context.Context, by identity.Caller) router.Intents
	// Cache, if not nil, keeps answers of the api pipeline.
	Cache Cache
	// Business, if not nil, returns a sentence about the caller's company for the
	// personas, such as its industry and size; "" for nothing.
	Business func(ctx context.Context, by identity.Caller) (string, error)
	// Unmodelled says that there is no model but a stand-in that follows rules: what is
	// not clear to our code is asked back then.
	Unmodelled bool
	// Worded lets the cheap model word the answers of the fast path. Without it they
	// are the sentences of our code, and cost no model call.
	Worded bool
	Model  string // of both tiers; "" = the adapter's default
	Now    calendar.Clock
	// Report is called for what an answer did without; optional.
	Report func(ctx context.Context, what string, err error)
}

// The agents of the assistant.
const (
	unified = "unified"
	general = "general_chat"
	// fast words the answers of the fast path. It is no agent that a request can name.
	fast = "fast"
)

// Bounds of the source (S2-7, S2-28).
const (
	rounds        = 10
	window        = 40
	budget        = 24_000
	unifiedTokens = 8192
	fastTokens    = 2048
	generalTokens = 512
)

// New returns Munimji.
func New(cfg Config) (*flow.Runtime, error) {
	if cfg.Now == nil {
		return nil, errors.New("finance: a clock is required")
	}
	flows, err := resolution.Load()
	if err != nil {
		return nil, fmt.Errorf("finance: %w", err)
	}
	own, err := tool.NewSet(cfg.Own...)
	if err != nil {
		return nil, fmt.Errorf("finance: %w", err)
	}
	none, err := tool.NewSet()
	if err != nil {
		return nil, fmt.Errorf("finance: %w", err)
	}
	agents := []*agent.Agent{
		{Name: unified, About: "the company's books: looks figures up, and prepares entries", Tools: own,
			Rounds: rounds, Window: window, Budget: budget, Settings: settings(cfg.Model, 0.2, unifiedTokens)},
		{Name: general, About: "greetings, thanks, and what the assistant can do", Tools: none,
			Rounds: 1, Window: 10, Budget: 4000, Settings: settings(cfg.Model, 0.5, generalTokens)},
	}
	for _, a := range agents {
		if a.Persona, err = load(a.Name); err != nil {
			return nil, err
		}
	}
	f := &answers{cfg: cfg, flows: flows, wording: settings(cfg.Model, 0.2, fastTokens)}
	if f.fast, err = load(fast); err != nil {
		return nil, err
	}
	r := flow.Runtime{Profile: profiles.Finance(), Words: Words(), Flow: f, Agents: agents,
		Facts: func(ctx context.Context, by identity.Caller, now time.Time) (any, error) {
			return facts(ctx, cfg, by, now)
		}}
	for _, a := range r.Agents {
		a.Label, _ = r.Label(a.Name)
	}
	if cfg.Books != nil {
		sets := tool.NewSets(64)
		r.Adds = func(ctx context.Context, by identity.Caller, a *agent.Agent) (*tool.Set, error) {
			if a.Name != unified || by.Visitor != "" {
				return nil, nil
			}
			declared, err := cfg.Books.Tools(ctx, by)
			if err != nil {
				// Without the books there is still small talk; the flow says what is missing.
				f.report(ctx, "the tools of the books", err)
				return nil, nil
			}
			for i := range declared {
				name := declared[i].Spec.Name
				if declared[i].Act != nil {
					declared[i].Preview = writes.Preview(name, cfg.Books.Read, cfg.Now)
				}
				declared[i].Present = func(arguments, answer json.RawMessage) tool.Presentation {
					return views.Present(name, arguments, answer)
				}
				if name == "suggest_bank_matches" {
					declared[i].Present = bankfile.WithDrafts(declared[i].Present)
				}
			}
			if cfg.Files != nil {
				if d, ok := bankfile.Declare(declared, cfg.Files, cfg.Now); ok {
					declared = append(declared, d)
				}
			}
			return sets.Set(own, declared)
		}
	}
	return flow.New(r)
}

func settings(model string, temperature float64, tokens int) llm.Settings {
	return llm.Settings{Model: model, Temperature: &temperature, MaxTokens: tokens}
}

// load reads a persona with the rules and facts that all share.
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

// Facts is what the personas may say of the caller, the company and the day. It
// holds nothing personal: neither name nor e-mail address.
type Facts struct {
	Company, Organisation, Currency string
	Today, ISO, Weekday             string
	Year, YearFrom, YearTo          string
	QuarterFrom, QuarterTo          string
	Role                            identity.Role
	Writes                          bool
	Business                        string // a sentence; "" for nothing
}

func facts(ctx context.Context, cfg Config, by identity.Caller, now time.Time) (any, error) {
	today, err := todayOf(by, now)
	if err != nil {
		return nil, err
	}
	year := rupees.YearOf(today)
	whole := year.Range()
	quarter := year.Quarter(quarterOf(today))
	f := Facts{
		Company: by.Entity.Name, Organisation: by.OrgName, Currency: by.Entity.Currency,
		Today: rupees.Date(today), ISO: today.String(), Weekday: today.Weekday().String(),
		Year: year.String(), YearFrom: rupees.Date(whole.From), YearTo: rupees.Date(whole.To.AddDays(-1)),
		QuarterFrom: rupees.Date(quarter.From), QuarterTo: rupees.Date(quarter.To.AddDays(-1)),
		Role: by.Role, Writes: by.Role.Writes(),
	}
	if cfg.Business == nil {
		return f, nil
	}
	// The answer reports incomplete facts.
	f.Business, err = cfg.Business(ctx, by)
	return f, err
}

// quarterOf returns the quarter of the financial year in which a day lies, from 1.
func quarterOf(d calendar.Date) int { return (int(d.Month)+8)%12/3 + 1 }

// todayOf returns the company's local day.
func todayOf(by identity.Caller, now time.Time) (calendar.Date, error) {
	zone, err := by.Entity.Location()
	if err != nil {
		return calendar.Date{}, err
	}
	return calendar.Today(now, zone), nil
}
