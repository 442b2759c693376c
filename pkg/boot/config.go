// Package boot starts a function: it reads the environment, builds what every
// function shares, and starts the server of the platform that it detects: AWS
// Lambda, or plain HTTP on a port, as Vercel and a laptop have it.
package boot

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/sethvargo/go-envconfig"
)

// Config is the environment that all functions share.
type Config struct {
	SupabaseURL    string        `env:"SUPABASE_URL, required"`
	PublishableKey string        `env:"SUPABASE_PUBLISHABLE_KEY, required"`
	ProofKeys      string        `env:"PROOF_KEYS"`          // kid:base64,…; which functions need them, see core.New
	JWKS           string        `env:"SUPABASE_JWKS"`       // inline key set; "" = fetched when first needed
	JWTSecret      string        `env:"SUPABASE_JWT_SECRET"` // only for projects that still sign with HS256
	Origins        []string      `env:"ALLOWED_ORIGINS"`     // browsers of these may call; "*" = all
	TurnTimeout    time.Duration `env:"TURN_TIMEOUT, default=55s"`
	MaxRequests    uint16        `env:"MAX_REQUESTS, default=2000"` // at the same time in this process; 0 is no bound
	LogLevel       string        `env:"LOG_LEVEL, default=info"`
	Port           string        `env:"PORT, default=8080"`
	Now            string        `env:"BELLHOP_NOW"`   // the clock's start, for development only
	Local          bool          `env:"BELLHOP_LOCAL"` // listen on this machine alone, for development only
}

// ProviderConfig is the environment of functions that reach a provider of
// models.
type ProviderConfig struct {
	APIKey  string `env:"OPENAI_API_KEY"`
	BaseURL string `env:"OPENAI_BASE_URL"`
	Profile string `env:"OPENAI_PROFILE"`
	Mock    bool   `env:"MOCK_OPENAI"`
}

// ModelConfig is the environment of functions that ask a model.
type ModelConfig struct {
	ProviderConfig
	FallbackConfig
	Model string `env:"OPENAI_MODEL, default=gpt-4o-mini"`
	API   string `env:"OPENAI_API"` // chat or responses; "" = chat
}

// ModelsConfig is the environment of functions that ask several models.
type ModelsConfig struct {
	ModelConfig
	CheapModel string `env:"OPENAI_MODEL_CHEAP"` // for simple tasks; "" = OPENAI_MODEL
	// Own lets organisations choose models in the table model_configs. Their
	// keys are variables MODEL_SECRET_NAME of the form "organisation's id:key".
	Own bool `env:"MODEL_CONFIGS"`
}

// FallbackConfig is a second provider, asked while the first cannot answer. It
// has none where neither a key nor an address is set.
type FallbackConfig struct {
	FallbackKey     string `env:"OPENAI_FALLBACK_API_KEY"`
	FallbackURL     string `env:"OPENAI_FALLBACK_BASE_URL"`
	FallbackProfile string `env:"OPENAI_FALLBACK_PROFILE"`
	FallbackModel   string `env:"OPENAI_FALLBACK_MODEL"` // "" = the first provider's
	FallbackAPI     string `env:"OPENAI_FALLBACK_API"`
}

// TranscribeConfig is the environment of functions that turn recordings into
// text. Rates are as in ToolsConfig.
type TranscribeConfig struct {
	Model    string `env:"TRANSCRIBE_MODEL, default=gpt-4o-mini-transcribe"`
	RateUser uint16 `env:"RATE_TRANSCRIBE_USER, default=0"`
	RateOrg  uint16 `env:"RATE_TRANSCRIBE_ORG, default=0"`
}

// HistoryConfig is the environment of functions that read what was said. They
// share chat's keys: seals say which words are the server's own.
type HistoryConfig struct {
	SealKeys         string        `env:"SEAL_KEYS, required"`
	SealTTL          time.Duration `env:"SEAL_TTL, default=720h"`
	DefaultAssistant string        `env:"DEFAULT_ASSISTANT, default=hospitality"`
}

// ChatConfig is the environment of functions that hold conversations.
type ChatConfig struct {
	SealStrict bool     `env:"SEAL_STRICT"`
	LinkHosts  []string `env:"LINK_HOSTS"`
	RateUser   uint16   `env:"RATE_CHAT_USER, default=0"` // turns per minute; see ToolsConfig
	RateOrg    uint16   `env:"RATE_CHAT_ORG, default=0"`
	Signals    bool     `env:"FEEDBACK_SIGNALS, default=true"` // write down what turns show of earlier answers
	Intents    bool     `env:"MATCH_INTENTS, default=false"`   // route clear sentences without a model
	// Sample is how many turns that were routed without a model come to one about which
	// the router's model is asked as well; 0 is none.
	Sample uint32 `env:"SAMPLE_MATCHES, default=0"`
	// Wording is who words the finance assistant's answers that need no model: "code",
	// or "model" for the cheap one.
	Wording string `env:"FINANCE_WORDING, default=code"`
}

// ToolsConfig is the environment of functions that run tools without a model.
// Rates are requests per minute, 0 for no bound; an organisation's own row in
// rate_limits counts instead.
type ToolsConfig struct {
	RateUser uint16 `env:"RATE_TOOLS_USER, default=0"`
	RateOrg  uint16 `env:"RATE_TOOLS_ORG, default=0"`
}

// MCPConfig is the environment of functions that serve tools to MCP clients.
type MCPConfig struct {
	ToolsConfig
	// Issuers of OAuth tokens of the project, such as its Supabase Auth where its
	// OAuth server is enabled; none publishes no metadata for clients to find.
	AuthorizationServers []string `env:"MCP_AUTHORIZATION_SERVERS"`
}

// RemoteConfig is the environment of functions that reach remote MCP servers.
// Tokens of organisations are variables MCP_SECRET_NAME of the form
// "organisation's id:token".
type RemoteConfig struct {
	Hosts     []string `env:"MCP_HOSTS"`     // that may be reached; "*" = all public ones, none = no servers
	Manifests string   `env:"MCP_MANIFESTS"` // a folder of reviewed manifests besides those built in
	Client    string   `env:"MCP_CLIENT, default=Munimji-Agent/4.0"`
}

// ExportConfig is the environment of functions that write conversations down.
type ExportConfig struct {
	RateUser uint16 `env:"RATE_EXPORT_USER, default=0"` // files per minute; see ToolsConfig
	RateOrg  uint16 `env:"RATE_EXPORT_ORG, default=0"`
}

// ConversationsConfig is the environment of functions that list and load kept
// conversations.
type ConversationsConfig struct {
	RateUser uint16 `env:"RATE_CONVERSATIONS_USER, default=0"` // requests per minute; see ToolsConfig
	RateOrg  uint16 `env:"RATE_CONVERSATIONS_ORG, default=0"`
}

// FeedbackConfig is the environment of functions that take and show feedback.
type FeedbackConfig struct {
	RateUser uint16 `env:"RATE_FEEDBACK_USER, default=0"` // requests per minute; see ToolsConfig
	RateOrg  uint16 `env:"RATE_FEEDBACK_ORG, default=0"`
}

// IntentsConfig is the environment of functions that keep intents.
type IntentsConfig struct {
	RateUser uint16 `env:"RATE_INTENTS_USER, default=0"` // requests per minute; see ToolsConfig
	RateOrg  uint16 `env:"RATE_INTENTS_ORG, default=0"`
}

// UploadsConfig is the environment of the function that takes files in. Rates
// are as in ToolsConfig.
type UploadsConfig struct {
	RateUser uint16 `env:"RATE_UPLOADS_USER, default=0"`
	RateOrg  uint16 `env:"RATE_UPLOADS_ORG, default=0"`
}

// ProjectsConfig is the environment of the function that keeps projects and shows
// their public pages. Rates are as in ToolsConfig; they do not count public pages.
type ProjectsConfig struct {
	RateUser uint16 `env:"RATE_PROJECTS_USER, default=0"`
	RateOrg  uint16 `env:"RATE_PROJECTS_ORG, default=0"`
}

// TravelConfig is the environment of the function that keeps trips and the people who
// travel. Rates are as in ToolsConfig.
type TravelConfig struct {
	RateUser uint16 `env:"RATE_TRAVEL_USER, default=0"`
	RateOrg  uint16 `env:"RATE_TRAVEL_ORG, default=0"`
}

// DuffelConfig is the environment of functions that ask the supplier of flights and stays.
// Without a key there is none.
type DuffelConfig struct {
	APIKey string `env:"DUFFEL_API_KEY"`
	URL    string `env:"DUFFEL_URL"` // "" = Duffel's own
	// Capacity is how many requests an organisation may make at once, PerSecond how many
	// steadily.
	Capacity  int     `env:"DUFFEL_CAPACITY, default=10"`
	PerSecond float64 `env:"DUFFEL_PER_SECOND, default=5"`
}

// TravelHooksConfig is the environment of the function that takes webhooks of Duffel.
type TravelHooksConfig struct {
	Secret string `env:"DUFFEL_WEBHOOK_SECRET"` // "" = none are taken
}

// PagesConfig is the environment of functions that show public pages or name their
// addresses.
type PagesConfig struct {
	URL string `env:"PAGES_URL"` // the pages' origin, "https://example.com"; "" = the host that is asked
}

// Origin returns scheme and host of the pages, without a slash at the end; "" where none
// are set.
func (c PagesConfig) Origin() (string, error) {
	if c.URL == "" {
		return "", nil
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" ||
		strings.Trim(u.Path, "/") != "" {
		return "", errors.New("PAGES_URL is an origin, such as https://www.example.com")
	}
	return u.Scheme + "://" + u.Host, nil
}

// SummarizeConfig is the environment of functions that sum conversations up.
type SummarizeConfig struct {
	SummaryModel string `env:"SUMMARIZE_MODEL"`                // "" = OPENAI_MODEL_CHEAP
	RateUser     uint16 `env:"RATE_SUMMARIZE_USER, default=0"` // requests per minute; see ToolsConfig
	RateOrg      uint16 `env:"RATE_SUMMARIZE_ORG, default=0"`
}

// AdminConfig is the environment of functions that hold the key that stands
// above the row policies.
type AdminConfig struct {
	SecretKey string `env:"SUPABASE_SECRET_KEY, required"`
}

// JobsConfig is the environment of functions that work without anybody asking.
type JobsConfig struct {
	CronSecret     string   `env:"CRON_SECRET"`       // what a scheduler sends; "" = none comes by address
	WebhookSecrets []string `env:"WEBHOOK_SECRETS"`   // of other servers, "whsec_…"; none = none may call
	QueueURL       string   `env:"SUMMARY_QUEUE_URL"` // of Amazon SQS; "" = the schedule does the work itself
}

// UsersConfig is the environment of the function that manages users.
type UsersConfig struct {
	FirstPasswords bool `env:"FIRST_PASSWORDS"` // administrators set them for new people
}

// MailConfig is the environment of functions whose tools write emails. Without
// it those tools say that mail is not set up.
type MailConfig struct {
	URL  string `env:"SMTP_URL"`  // smtp://user:password@host:587
	From string `env:"MAIL_FROM"` // Front desk <stay@example.com>
}

// aliases are the other names under which the source documents know a
// variable; the first that is set counts.
func aliases(name string) []string {
	switch name {
	case "SUPABASE_URL":
		return []string{"VITE_SUPABASE_URL"}
	case "SUPABASE_PUBLISHABLE_KEY":
		return []string{"SUPABASE_ANON_KEY", "VITE_SUPABASE_ANON_KEY"}
	case "SUPABASE_SECRET_KEY":
		return []string{"SUPABASE_SERVICE_ROLE_KEY"}
	case "OPENAI_API_KEY":
		return []string{"VITE_OPENAI_API_KEY"}
	}
	return nil
}

// Lookup finds a variable of the environment.
type Lookup func(name string) (string, bool)

// Lookup implements envconfig.Lookuper and resolves the aliases.
func (l Lookup) Lookup(name string) (string, bool) {
	if l == nil {
		return "", false // an empty environment
	}
	for _, n := range append([]string{name}, aliases(name)...) {
		if v, ok := l(n); ok && v != "" {
			return v, true
		}
	}
	return "", false
}

// Decode fills the struct from the environment. The error names the variable
// that is missing or wrong, never its value.
func (l Lookup) Decode(ctx context.Context, into any) error {
	// The library stops at the first variable that it cannot use, which is the
	// last that it looked up. Its own errors name the field and quote the
	// value, and that may be a key.
	last := ""
	seen := Lookup(func(name string) (string, bool) { last = name; return l.Lookup(name) })
	err := envconfig.ProcessWith(ctx, &envconfig.Config{Target: into, Lookuper: exactly(seen)})
	switch {
	case err == nil:
		return nil
	case errors.Is(err, envconfig.ErrMissingRequired):
		return fmt.Errorf("%s is not set", last)
	}
	if errors.Is(err, strconv.ErrRange) {
		if most := highest(into, last); most > 0 {
			return fmt.Errorf("%s is out of its range, which is 0 to %d", last, most)
		}
	}
	return fmt.Errorf("%s has the wrong form", last)
}

// highest returns the highest value of the field of a variable, or 0 where it is
// no whole number without a sign. Structs within the struct are looked into.
func highest(into any, variable string) uint64 {
	t := reflect.TypeOf(into)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("env"), ",")
		if name == variable && f.Type.Kind() >= reflect.Uint8 && f.Type.Kind() <= reflect.Uint64 {
			return 1<<f.Type.Bits() - 1
		}
	}
	return 0
}

// exactly looks names up as they are, without aliases.
type exactly Lookup

func (e exactly) Lookup(name string) (string, bool) { return e(name) }

// Deployed reports whether the process runs where real people reach it.
func (l Lookup) Deployed() bool {
	_, vercel := l.Lookup("VERCEL")
	_, lambda := l.Lookup("AWS_LAMBDA_RUNTIME_API")
	_, local := l.Lookup("BELLHOP_LOCAL")
	return vercel || lambda && !local
}

// Check refuses a stand-in model where real people would meet it, and a real
// one without a key.
func (c ProviderConfig) Check(env Lookup) error {
	if c.Mock {
		u, err := url.Parse(c.BaseURL)
		var ip net.IP
		if err == nil {
			ip = net.ParseIP(u.Hostname())
		}
		if env.Deployed() || ip == nil || !ip.IsLoopback() {
			return errors.New("MOCK_OPENAI is for development: with it OPENAI_BASE_URL must be on this machine, and " +
				"a deployed function refuses to start")
		}
		return nil
	}
	if c.APIKey == "" && c.BaseURL == "" {
		return errors.New("OPENAI_API_KEY is not set")
	}
	return nil
}
