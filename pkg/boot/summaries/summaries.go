// Package summaries builds the doors at which conversations are summed up: the
// one for people, and the one for jobs, which holds the project's secret key.
package summaries

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/summarize"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/parts"
	"github.com/bellhop-ai/bellhop/pkg/boot/project"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/httpx/webhook"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/openai"
	"github.com/bellhop-ai/bellhop/pkg/sqs"
	"github.com/bellhop-ai/bellhop/pkg/summary"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/summaries"
)

// reserve is kept back of a request's time for saying what came of it.
const reserve = 2 * time.Second

// Config is the environment of a function that sums up.
type Config struct {
	boot.ModelConfig
	boot.SummarizeConfig
}

// room is what the doors have in common.
type room struct {
	cfg   Config
	keys  *history.Keys
	model llm.Model
	parts *parts.Parts
	s     *boot.Service
}

func newRoom(ctx context.Context, s *boot.Service, p *parts.Parts) (*room, error) {
	r := &room{parts: p, s: s}
	if err := s.Env.Decode(ctx, &r.cfg); err != nil {
		return nil, err
	}
	if err := r.cfg.Check(s.Env); err != nil {
		return nil, err
	}
	r.cfg.Model = cmp.Or(r.cfg.SummaryModel, r.cfg.Model)
	var err error
	if r.keys, err = history.NewKeys(history.KeysConfig{Spec: r.cfg.SealKeys, TTL: r.cfg.SealTTL, Now: s.Now}); err != nil {
		return nil, err
	}
	r.model, err = openai.New(openai.Config{
		APIKey: identity.Secret(r.cfg.APIKey), BaseURL: r.cfg.BaseURL, Model: r.cfg.Model, Profile: r.cfg.Profile,
		Report: func(ctx context.Context, a openai.Attempt) {
			if a.Err != nil {
				s.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Int("attempt", a.Number).Dur("took", a.Took).Bool("again", a.Again).Str("cause", fault.Trace(a.Err)).Msg("a model call failed")
			}
		},
	})
	return r, err
}

// desk makes summaries whose tokens are taken from a budget.
func (r *room) desk(budget limit.Budget) summary.Desk {
	purse := limit.Purse{Budget: budget, Model: r.cfg.Model, Report: func(ctx context.Context, err error) {
		r.s.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Str("cause", fault.Trace(err)).Msg("a budget was not settled")
	}}
	return summary.Desk{
		Tokens: history.Tokens, Proof: summarize.Proof{Keys: r.keys},
		Name: func(assistant string) string {
			for _, a := range r.parts.Assistants {
				if a.Name == assistant {
					return a.Title
				}
			}
			return assistant
		},
		Model: func(by identity.Caller) (llm.Model, string) { return purse.For(by, r.model), r.cfg.Model },
		Dropped: func(ctx context.Context, lines int) {
			r.s.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Int("lines", lines).Msg("lines of a summary were in no message")
		},
	}
}

// New builds the door for people on the parts.
func New(ctx context.Context, s *boot.Service, p *parts.Parts) (*summarize.Handler, error) {
	r, err := newRoom(ctx, s, p)
	if err != nil {
		return nil, err
	}
	home, err := project.New(s)
	if err != nil {
		return nil, err
	}
	return summarize.New(summarize.Config{
		Assistants: p.Assistants, Default: r.cfg.DefaultAssistant, Keys: r.keys, Identify: p.Identify, Now: s.Now, Desk: r.desk(p.Limits),
		Store: store.NewPeople(home.Client), Gate: p.Gate("summarize", r.cfg.RateUser, r.cfg.RateOrg), Reserve: reserve,
	})
}

// NewJobs builds the door for jobs, or returns an error when the secret key is
// not set.
func NewJobs(ctx context.Context, s *boot.Service, p *parts.Parts) (*summarize.Jobs, error) {
	r, err := newRoom(ctx, s, p)
	if err != nil {
		return nil, err
	}
	var cfg boot.JobsConfig
	if err := s.Env.Decode(ctx, &cfg); err != nil {
		return nil, err
	}
	admin, err := supabase.NewAdmin(project.Config(s), identity.Secret(cfg.SecretKey))
	if err != nil {
		return nil, err
	}
	jobs := summarize.JobsConfig{CronSecret: identity.Secret(cfg.CronSecret), Jobs: summary.Jobs{
		Desk: r.desk(control.NewJobBudget(admin)), Due: store.NewJobs(admin), Store: store.NewJobs(admin),
		Failed: func(ctx context.Context, t summary.Ticket, err error) {
			s.Log.Error().Str("request_id", httpx.RequestID(ctx)).Str("org", t.Org).Str("conversation", t.ID).Str("code", fault.From(err).PublicCode()).
				Str("cause", fault.Trace(err)).Msg("a summary failed")
		},
	}}
	if cfg.QueueURL != "" {
		if jobs.Jobs.Queue, err = newQueue(s, cfg.QueueURL); err != nil {
			return nil, err
		}
	}
	if len(cfg.WebhookSecrets) > 0 {
		if jobs.Hooks, err = webhook.New(webhook.Config{Keys: cfg.WebhookSecrets, Seen: control.NewWebhooks(admin, "summarize").Seen, Now: s.Now}); err != nil {
			return nil, err
		}
	}
	return summarize.NewJobs(jobs)
}

// Configured reports whether the environment lets jobs in: with the secret key,
// by a schedule or by other servers.
func Configured(s *boot.Service) bool {
	_, key := s.Env.Lookup("SUPABASE_SECRET_KEY")
	_, cron := s.Env.Lookup("CRON_SECRET")
	_, hooks := s.Env.Lookup("WEBHOOK_SECRETS")
	return key && (cron || hooks)
}

// function is both doors in one process.
type function struct {
	*summarize.Jobs
	mux *http.ServeMux
}

func (f function) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.mux.ServeHTTP(w, r) }

// NewFunction builds both doors. The handler is a boot.Worker.
func NewFunction(ctx context.Context, s *boot.Service) (http.Handler, error) {
	p, err := parts.New(s, nil)
	if err != nil {
		return nil, err
	}
	people, err := New(ctx, s, p)
	if err != nil {
		return nil, err
	}
	jobs, err := NewJobs(ctx, s, p)
	if err != nil {
		return nil, err
	}
	f := function{jobs, http.NewServeMux()}
	f.mux.Handle("/", people)
	Mount(f.mux, jobs)
	return f, nil
}

// Mount puts the door for jobs at its addresses.
func Mount(mux *http.ServeMux, jobs *summarize.Jobs) {
	mux.Handle("/api/jobs/summarize", jobs)
	mux.Handle("/api/webhooks/summarize", jobs)
}

// newQueue returns the queue at an address. Its credentials are the function's,
// which Lambda puts into the environment.
func newQueue(s *boot.Service, address string) (summary.Queue, error) {
	get := func(name string) string {
		v, _ := s.Env.Lookup(name)
		return v
	}
	region := ""
	if !strings.Contains(address, "://sqs.") {
		region = get("AWS_REGION")
	}
	q, err := sqs.New(sqs.Config{URL: address, Region: region, Now: s.Now, Credentials: func() sqs.Credentials {
		return sqs.Credentials{ID: get("AWS_ACCESS_KEY_ID"), Secret: identity.Secret(get("AWS_SECRET_ACCESS_KEY")), Session: identity.Secret(get("AWS_SESSION_TOKEN"))}
	}})
	if err != nil {
		return nil, err
	}
	return queue{q}, nil
}
