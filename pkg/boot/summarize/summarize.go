// Package summarize wires the handlers that sum conversations up: the one for
// people, and the one for jobs, which uses the project's secret key.
package summarize

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/summarize"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/admin"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/model"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/httpx/webhook"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/models"
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
	boot.ModelsConfig
	boot.SummarizeConfig
}

// Builder builds both handlers on one backend and one operator's model.
type Builder struct {
	*backend.Backend
	cfg   Config
	model llm.Model
}

// New returns a Builder on the backend, which must have seal keys.
func New(ctx context.Context, b *backend.Backend) (*Builder, error) {
	out := &Builder{Backend: b}
	if err := b.Env.Decode(ctx, &out.cfg); err != nil {
		return nil, err
	}
	operators := out.cfg.ModelConfig
	operators.Model = cmp.Or(out.cfg.SummaryModel, out.cfg.CheapModel, out.cfg.Model)
	var err error
	out.model, err = model.Default(b.Core, operators)
	return out, err
}

// limits keeps what summaries may use.
type limits interface {
	limit.Budget
	limit.ProviderCounter
}

// service makes summaries with the models of the organisations in store, whose
// tokens are taken from a budget.
func (b *Builder) service(store models.Store, kept limits) summary.Service {
	meter := b.Meter(kept, cmp.Or(b.cfg.SummaryModel, b.cfg.CheapModel, b.cfg.ModelConfig.Model))
	picker := model.Picker(b.Core, b.cfg.ModelsConfig, map[llm.Tier]llm.Model{llm.Cheap: b.model}, store, kept)
	return summary.Service{
		Tokens: history.Tokens, Proof: summarize.Proof{Keys: b.Keys},
		Name: func(assistant string) string {
			for _, a := range b.Profiles {
				if a.Name == assistant {
					return a.Title
				}
			}
			return assistant
		},
		Model: func(ctx context.Context, by identity.Caller, assistant string) (llm.Model, error) {
			m, err := picker.For(ctx, by, assistant, llm.Cheap)
			if err != nil {
				return nil, err
			}
			return meter.For(by, m), nil
		},
		Dropped: func(ctx context.Context, lines int) {
			b.Log.Warn().Str("request_id", httpx.RequestID(ctx)).Int("lines",
				lines).Msg("lines of a summary were in no message")
		},
	}
}

// People builds the handler for people.
func (b *Builder) People() (*summarize.Handler, error) {
	return summarize.New(summarize.Config{
		Assistants: b.Profiles, Default: b.DefaultAssistant, Keys: b.Keys, Identify: b.Identify, Now: b.Now,
		Service: b.service(control.NewModels(b.Client), b.Limits), Store: store.NewPeople(b.Client),
		Gate: b.Gate("summarize", b.cfg.RateUser, b.cfg.RateOrg), Reserve: reserve,
	})
}

// Jobs builds the handler for jobs on the client with the secret key.
func (b *Builder) Jobs(ctx context.Context, admin *supabase.Admin) (*summarize.Jobs, error) {
	var cfg boot.JobsConfig
	err := b.Env.Decode(ctx, &cfg)
	if err != nil {
		return nil, err
	}
	jobs := summarize.JobsConfig{CronSecret: identity.Secret(cfg.CronSecret), Jobs: summary.Jobs{
		Service: b.service(control.NewJobModels(admin), control.NewJobLimits(admin)), Due: store.NewJobs(admin),
		Store: store.NewJobs(admin),
		Failed: func(ctx context.Context, t summary.Ticket, err error) {
			b.Log.Error().Str("request_id", httpx.RequestID(ctx)).Str("org", t.Org).Str("conversation", t.ID).
				Str("code", fault.From(err).PublicCode()).Str("cause", fault.Trace(err)).Msg("a summary failed")
		},
	}}
	if cfg.QueueURL != "" {
		if jobs.Jobs.Queue, err = newQueue(b.Service, cfg.QueueURL); err != nil {
			return nil, err
		}
	}
	if len(cfg.WebhookSecrets) > 0 {
		seen := control.NewWebhooks(admin, "summarize").Seen
		if jobs.Hooks, err = webhook.New(webhook.Config{Keys: cfg.WebhookSecrets, Seen: seen,
			Now: b.Now}); err != nil {
			return nil, err
		}
	}
	return summarize.NewJobs(jobs)
}

// Configured reports whether the environment lets jobs in: with the secret key,
// by a schedule or by other servers.
func Configured(s *boot.Service) bool {
	_, cron := s.Env.Lookup("CRON_SECRET")
	_, hooks := s.Env.Lookup("WEBHOOK_SECRETS")
	return admin.Configured(s) && (cron || hooks)
}

// function is both handlers in one process.
type function struct {
	*summarize.Jobs
	mux *http.ServeMux
}

func (f function) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.mux.ServeHTTP(w, r) }

// NewFunction builds both handlers. What it returns is a boot.Worker.
func NewFunction(ctx context.Context, s *boot.Service) (http.Handler, error) {
	on, err := backend.NewSealed(ctx, s)
	if err != nil {
		return nil, err
	}
	b, err := New(ctx, on)
	if err != nil {
		return nil, err
	}
	people, err := b.People()
	if err != nil {
		return nil, err
	}
	key, err := admin.New(ctx, s)
	if err != nil {
		return nil, err
	}
	jobs, err := b.Jobs(ctx, key)
	if err != nil {
		return nil, err
	}
	f := function{jobs, http.NewServeMux()}
	f.mux.Handle("/", people)
	Mount(f.mux, jobs)
	return f, nil
}

// Mount puts the handler for jobs at its routes.
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
		return sqs.Credentials{
			ID: get("AWS_ACCESS_KEY_ID"), Secret: identity.Secret(get("AWS_SECRET_ACCESS_KEY")),
			Session: identity.Secret(get("AWS_SESSION_TOKEN")),
		}
	}})
	if err != nil {
		return nil, err
	}
	return queue{q}, nil
}
