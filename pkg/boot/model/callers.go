package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/models"
	"github.com/bellhop-ai/bellhop/pkg/openai"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
)

// ForCallers returns the models of all callers: the operator's from the
// environment, and those that organisations configured. Nothing is sent yet.
// Assistants whose profile says so are asked by the Responses API where the
// operator names no API and the provider has it.
func ForCallers(c *core.Core, cfg boot.ModelsConfig, all []assistants.Profile) (*models.Picker, error) {
	shared, err := tiers(c, cfg)
	if err != nil {
		return nil, err
	}
	p := Picker(c, cfg, shared, control.NewModels(c.Client), c.Limits)
	// The stand-in of development speaks both.
	if cfg.API != "" || !cfg.Mock && !openai.HasResponses(cfg.Profile, cfg.BaseURL) {
		return p, nil
	}
	p.SharedOf = map[string]map[llm.Tier]llm.Model{}
	cfg.API = "responses"
	for _, a := range all {
		if !a.Responses {
			continue
		}
		if p.SharedOf[a.Name], err = tiers(c, cfg); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// tiers returns the operator's models by tier.
func tiers(c *core.Core, cfg boot.ModelsConfig) (map[llm.Tier]llm.Model, error) {
	capable, err := Default(c, cfg.ModelConfig)
	if err != nil {
		return nil, err
	}
	cheap := capable
	if cfg.CheapModel != "" {
		cheap = models.Own(capable, models.Config{Model: cfg.CheapModel})
	}
	return map[llm.Tier]llm.Model{llm.Cheap: cheap, llm.Capable: capable}, nil
}

// Picker returns the models that organisations configured in store, and the
// shared ones for the others. Without cfg.Own nothing is read.
func Picker(c *core.Core, cfg boot.ModelsConfig, shared map[llm.Tier]llm.Model, store models.Store,
	calls limit.ProviderCounter) *models.Picker {
	p := &models.Picker{Shared: shared, Now: c.Now}
	if cfg.Own {
		p.Store, p.Build, p.Providers = store, builder{c, cfg}.build, calls
	}
	return p
}

// Default returns the operator's model, with the fallback behind it where one
// is set.
func Default(c *core.Core, cfg boot.ModelConfig) (llm.Model, error) {
	if err := cfg.Check(c.Env); err != nil {
		return nil, err
	}
	first, err := client(c, openai.Config{
		APIKey: identity.Secret(cfg.APIKey), BaseURL: cfg.BaseURL, Model: cfg.Model, Profile: cfg.Profile,
		API: cfg.API,
	})
	if err != nil {
		return nil, err
	}
	if cfg.FallbackKey == "" && cfg.FallbackURL == "" {
		return first, nil
	}
	second := openai.Config{
		APIKey: identity.Secret(cfg.FallbackKey), BaseURL: cfg.FallbackURL, Model: cmp.Or(cfg.FallbackModel,
			cfg.Model),
		Profile: cfg.FallbackProfile, API: cfg.FallbackAPI,
	}
	next, err := client(c, second)
	if err != nil {
		return nil, err
	}
	return models.Either(first, models.Own(next, models.Config{Provider: "fallback", Model: second.Model})), nil
}

// builder makes the models that organisations configured.
type builder struct {
	core *core.Core
	cfg  boot.ModelsConfig
}

// secretPrefix begins the names of the variables that hold keys of
// organisations.
const secretPrefix = "MODEL_SECRET_"

// build makes one. An address that an organisation wrote is reached through
// package egress alone, and never with a key that is not the organisation's.
func (b builder) build(org string, c models.Config) (llm.Model, error) {
	cfg := openai.Config{BaseURL: c.BaseURL, Model: c.Model, Profile: c.Provider, API: c.API,
		HTTP: egress.Config{}.Client()}
	switch {
	case c.SecretName != "":
		key, ok := b.secret(org, c.SecretName)
		if !ok {
			return nil, refused("The key %s of the model %s is not one of your organisation's.", c.SecretName, c.Code)
		}
		cfg.APIKey = key
	case c.BaseURL == "" && slices.Contains([]string{b.cfg.Model, b.cfg.CheapModel}, c.Model):
		// One of ours, on our account.
		return client(b.core, openai.Config{
			APIKey: identity.Secret(b.cfg.APIKey), BaseURL: b.cfg.BaseURL, Model: c.Model, Profile: b.cfg.Profile,
			API: c.API,
		})
	case c.BaseURL == "":
		return nil, refused("The model %s of %s needs a key of your organisation's.", c.Model, c.Code)
	}
	if c.BaseURL != "" {
		if err := (egress.Config{}).Check(c.BaseURL); err != nil {
			return nil, fault.Wrap(fault.Unavailable, err, "The address of the model %s may not be reached.",
				c.Code).WithCode("model_unavailable")
		}
	}
	m, err := client(b.core, cfg)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "The model %s is not set up as it must be.",
			c.Code).WithCode("model_unavailable")
	}
	return m, nil
}

func refused(format string, args ...any) error {
	return fault.New(fault.Unavailable, format, args...).WithCode("model_unavailable")
}

// secret returns the key of that name if it was given to the organisation:
// those who can write a name must not be able to send another's key to an
// address of their own.
func (b builder) secret(org, name string) (identity.Secret, bool) {
	value, _ := b.core.Env.Lookup(secretPrefix + name)
	owner, key, ok := strings.Cut(value, ":")
	if !ok || key == "" || owner == "" || !strings.EqualFold(owner, org) {
		return "", false
	}
	return identity.Secret(key), true
}
