package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/duffel"
	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/demo"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/localtest/photos"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

func TestMain(m *testing.M) { localtest.Main(ledgertest.With(m)) }

// S0-54, S0-55, S1-17, S2-42, S2-63, F-05, F-33, F-37: the page in a browser, under its
// own policy, at the real endpoints and on the real database. The stories are
// testdata/visits/*.mjs, which also say what the model answers.
func TestVisits(t *testing.T) {
	chromium := nodetest.Chromium(t)
	project := localtest.Clone(t)
	words := &words{held: make(chan struct{})}
	provider := http.NewServeMux()
	provider.Handle("/", script.Func(words.next))
	provider.HandleFunc("POST /v1/audio/transcriptions", words.listen)
	model := httptest.NewServer(provider)
	t.Cleanup(model.Close)

	server := run(t, project, model.URL+"/v1")
	control := httptest.NewServer(controls(t, project, words, server))
	t.Cleanup(control.Close)

	const email = "manager@sojourn.example"
	nodetest.Run(t, "testdata/visits", "visits.mjs", 20, map[string]string{
		"url": server.URL, "supabase": project.URL(), "control": control.URL, "chromium": chromium,
		"email": email, "password": stack.DemoPassword, "token": localtest.TokenOn(t, project, email),
	})
	if err := words.wrong(); err != nil {
		t.Error(err)
	}
}

// S2-38, S2-42, S2-65, S2-72: the page as an owner of a company uses it,
// at the company's books.
func TestVisitsOfFinance(t *testing.T) {
	t.Parallel()
	chromium := nodetest.Chromium(t)
	project := localtest.Stack(t)
	org := localtest.NewOrg(t)
	localtest.Take(t, project, org.ID, "hospitality")
	localtest.Give(t, project, org.ID, "finance")
	company := uuid.NewString()
	localtest.SQL(t, `insert into public.entities (org_id, id, kind, key, name, time_zone, currency, locale)
		values ($1, $2, 'company', 'BOOKS', 'Sahyadri Kitchenware Traders', 'Asia/Kolkata', 'INR', 'en-IN')`,
		org.ID, company)
	books := ledgertest.ServeFor(t, ledger.Trading, org.ID, company)
	localtest.SQL(t, `insert into public.mcp_servers (org_id, name, url, manifest, secret_name)
		values ($1, 'ledger', $2, 'ledger', 'BOOKS')`, org.ID, books.URL())
	words := &words{}
	model := httptest.NewServer(script.Func(words.next))
	t.Cleanup(model.Close)
	server := run(t, project, model.URL+"/v1", func(s *boot.Service, env map[string]string) {
		s.Now, s.Local = ledgertest.Now, true
		env["MCP_HOSTS"], env["MATCH_INTENTS"] = "127.0.0.1", "true"
		env["MCP_SECRET_BOOKS"] = org.ID + ":" + demo.Token(ledgertest.Secret, "owner@"+ledger.Trading+".example")
	})
	control := httptest.NewServer(controls(t, project, words, server))
	t.Cleanup(control.Close)
	nodetest.Run(t, "testdata/visits", "books.mjs", 20, map[string]string{
		"url": server.URL, "supabase": project.URL(), "control": control.URL, "chromium": chromium,
		"email": org.Admin.Email, "password": stack.DemoPassword, "token": org.Admin.Token,
	})
	if err := words.wrong(); err != nil {
		t.Error(err)
	}
}

// S3-14, S3-16, S3-29, S3-30, S3-32: the page as a contractor uses it, who shows a job
// and has no model.
func TestVisitsOfPortfolio(t *testing.T) {
	t.Parallel()
	chromium := nodetest.Chromium(t)
	project := localtest.Stack(t)
	org := localtest.NewOrg(t)
	localtest.Take(t, project, org.ID, "hospitality")
	localtest.Give(t, project, org.ID, "portfolio")
	words := &words{}
	provider := http.NewServeMux()
	provider.Handle("/", script.Func(words.next))
	provider.HandleFunc("POST /v1/audio/transcriptions", words.listen)
	model := httptest.NewServer(provider)
	t.Cleanup(model.Close)
	server := run(t, project, model.URL+"/v1", func(s *boot.Service, env map[string]string) {
		s.Local, env["MOCK_OPENAI"] = true, "true"
	})
	control := httptest.NewServer(controls(t, project, words, server))
	t.Cleanup(control.Close)
	nodetest.Run(t, "testdata/visits", "portfolio.mjs", 20, map[string]string{
		"url": server.URL, "supabase": project.URL(), "control": control.URL, "chromium": chromium,
		"email": org.Admin.Email, "password": stack.DemoPassword, "token": org.Admin.Token,
	})
	if err := words.wrong(); err != nil {
		t.Error(err)
	}
}

// S1-6, S1-17, S1-33: the page as a family uses it that plans a weekend, without a model.
func TestVisitsOfTravel(t *testing.T) {
	t.Parallel()
	chromium := nodetest.Chromium(t)
	project := localtest.Stack(t)
	org := localtest.NewOrg(t)
	localtest.Take(t, project, org.ID, "hospitality")
	localtest.Give(t, project, org.ID, "travel")
	supplier, err := duffel.Start(duffel.Config{Token: "duffel_test_visits"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = supplier.Close() })
	words := &words{}
	model := httptest.NewServer(script.Func(words.next))
	t.Cleanup(model.Close)
	server := run(t, project, model.URL+"/v1", func(s *boot.Service, env map[string]string) {
		s.Local, env["MOCK_OPENAI"] = true, "true"
		env["DUFFEL_URL"], env["DUFFEL_API_KEY"] = supplier.URL(), "duffel_test_visits"
	})
	control := httptest.NewServer(controls(t, project, words, server))
	t.Cleanup(control.Close)
	nodetest.Run(t, "testdata/visits", "travel.mjs", 20, map[string]string{
		"url": server.URL, "supabase": project.URL(), "control": control.URL, "chromium": chromium,
		"email": org.Admin.Email, "password": stack.DemoPassword, "token": org.Admin.Token,
	})
	if err := words.wrong(); err != nil {
		t.Error(err)
	}
}

// controls is how a story says what the model answers, looks into the database,
// and breaks the lines to the server.
func controls(t *testing.T, project *stack.Stack, words *words, server *httptest.Server) http.Handler {
	rows := func(query string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(localtest.SQLOn(t, project, query)[0]["list"])
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /extras", rows(`select coalesce(jsonb_agg(name order by name), '[]') as list from
		public.extras where name is not null`))
	mux.HandleFunc("POST /bookings", rows(`select jsonb_agg(jsonb_build_object('code', code, 'guest', guest_name,
		'status', status) order by check_in) as list from public.reservations`))
	mux.HandleFunc("POST /ratings", rows(`select coalesce(jsonb_agg(jsonb_build_object('rating', rating, 'reason',
		reason, 'comment', comment, 'answer', answer)), '[]') as list
		from public.feedback_log where source = 'explicit'`))
	mux.HandleFunc("POST /cut", func(w http.ResponseWriter, _ *http.Request) {
		server.CloseClientConnections()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST /release", func(w http.ResponseWriter, _ *http.Request) {
		words.release()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST /suggest", func(w http.ResponseWriter, r *http.Request) {
		var phrase string
		if err := json.NewDecoder(r.Body).Decode(&phrase); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		localtest.SQLOn(t, project, `with o as (select org_id, user_id from public.memberships
				where user_id = (select id from auth.users where email = 'manager@sojourn.example') limit 1),
			p as (insert into public.llm_path_patterns (org_id, assistant, hash, form, query, agents, occurrences)
				select org_id, 'hospitality', sha256(convert_to($1::text, 'UTF8')), $1, $1, '{"inventory": 12}', 12
					from o returning org_id, id),
			s as (insert into public.suggested_intents (org_id, assistant, pattern_id, agent, phrase)
				select org_id, 'hospitality', id, 'inventory', $1 from p)
			insert into public.intent_observations (org_id, user_id, assistant, thread, question, hash, how, agent,
				intent,
				bucket, basis, success, counted, ms, at)
			select org_id, user_id, 'hospitality', 't', sha256('q'), sha256('q'), case when n % 3 = 0 then 'model'
				else 'matched' end,
				'inventory', 'inventory', 0.95, 'above', n <> 4, true, 200, now() - n * interval '1 day' from o,
					generate_series(0, 8) n`, phrase)
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST /photo", func(w http.ResponseWriter, r *http.Request) {
		var seed uint64
		if err := json.NewDecoder(r.Body).Decode(&seed); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		const turned = 6 // stored on its side, as telephones do
		_ = json.NewEncoder(w).Encode(photos.JPEG(seed, 1200, 900, turned, true))
	})
	mux.HandleFunc("POST /model", words.set)
	mux.HandleFunc("POST /hears", words.hear)
	return mux
}

// words are what the model will answer next.
type words struct {
	mu       sync.Mutex
	held     chan struct{} // for which answers wait that are held
	agent    string
	steps    []script.Step
	heard    string
	unasked  []string
	unwanted []string
}

// set takes an agent for the router to choose, and the steps of its model.
func (s *words) set(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Agent string
		Steps []struct {
			Say   string
			Calls []script.Call
			Hold  bool
			Fail  bool
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note()
	s.agent = in.Agent
	for _, one := range in.Steps {
		step := script.Step{Text: one.Say, Calls: one.Calls}
		if one.Hold {
			step.Hold, step.HoldAfter = s.held, 3
		}
		if one.Fail {
			step.Fault = script.Status(http.StatusUnauthorized, nil, "")
		}
		s.steps = append(s.steps, step)
	}
	w.WriteHeader(http.StatusNoContent)
}

// hear takes the words that the next recording is taken for.
func (s *words) hear(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := json.NewDecoder(r.Body).Decode(&s.heard); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *words) listen(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"text": s.heard})
}

// release lets the answers that are held go on.
func (s *words) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.held)
	s.held = make(chan struct{})
}

func (s *words) next(r script.Request) script.Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	if script.FromRouter(r) {
		return script.Route(s.agent)
	}
	if len(s.steps) == 0 {
		s.unwanted = append(s.unwanted, r.Last("").Content)
		return script.Step{Text: "I was not told what to say."}
	}
	step := s.steps[0]
	s.steps = s.steps[1:]
	return step
}

// note moves what was never said to the list of faults.
func (s *words) note() {
	for _, step := range s.steps {
		s.unasked = append(s.unasked, step.String())
	}
	s.steps = nil
}

// wrong says where a story and the model's words did not fit together.
func (s *words) wrong() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note()
	var out []error
	if len(s.unasked) > 0 {
		out = append(out, errors.New("the model was not asked for: "+strings.Join(s.unasked, "; ")))
	}
	if len(s.unwanted) > 0 {
		out = append(out, errors.New("the model was asked without need: "+strings.Join(s.unwanted, "; ")))
	}
	return errors.Join(out...)
}

// run starts the server as it is deployed, with a project and a model of the
// test's own. Each change is made to the service and its environment before.
func run(t *testing.T, project *stack.Stack, model string,
	changes ...func(*boot.Service, map[string]string)) *httptest.Server {
	t.Helper()
	env := map[string]string{"OPENAI_BASE_URL": model, "OPENAI_API_KEY": "local", "OPENAI_PROFILE": "openai",
		"SEAL_KEYS": "k1:" + strings.Repeat("A", 42) + "E="}
	s := &boot.Service{Name: "server", Log: zerolog.Nop(), Now: time.Now, Leaving: t.Context(),
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys = project.ProofKeys()
	for _, change := range changes {
		change(s, env)
	}
	h, err := build(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: s.Log, NewID: s.NewID, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return server
}
