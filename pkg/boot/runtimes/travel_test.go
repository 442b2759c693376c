package runtimes_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/duffel"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/backend"
	"github.com/bellhop-ai/bellhop/pkg/boot/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot/tools"
	"github.com/bellhop-ai/bellhop/pkg/boot/travel"
	"github.com/bellhop-ai/bellhop/pkg/boot/uploads"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// agency is what a traveller's front end needs, with a supplier of its own.
type agency struct {
	books
	supplier *duffel.Server
	logs     *strings.Builder
}

// newTravel serves the travel assistant. model is the address of a model; "" is one that
// never answers, and "rules" says that there is none but our rules. Settings are of the
// environment, as "NAME=value".
func newTravel(t testing.TB, model string, settings ...string) agency {
	t.Helper()
	org := localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), org.ID, "travel")
	supplier, err := duffel.Start(duffel.Config{Now: ledgertest.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = supplier.Close() })
	env := map[string]string{"OPENAI_BASE_URL": model, "OPENAI_API_KEY": "local", "OPENAI_PROFILE": "openai",
		"OPENAI_MAX_RETRIES": "0", "SEAL_KEYS": "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
		"DUFFEL_API_KEY": "duffel_test_local", "DUFFEL_URL": supplier.URL(), "DUFFEL_CAPACITY": "1000",
		"DUFFEL_PER_SECOND": "1000"}
	if model == "" || model == "rules" {
		env["OPENAI_BASE_URL"] = "http://127.0.0.1:9/v1"
	}
	if model == "rules" {
		env["MOCK_OPENAI"] = "true"
	}
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		env[name] = value
	}
	var logs strings.Builder
	project := localtest.Stack(t)
	s := &boot.Service{Name: "server", Now: ledgertest.Now, Log: zerolog.New(zerolog.SyncWriter(&logs)),
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	s.SupabaseURL, s.PublishableKey, s.JWKS = project.URL(), project.Keys().Publishable, string(project.JWKS())
	s.ProofKeys, s.Local = project.ProofKeys(), true
	b, err := backend.NewSealed(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mount := func(h http.Handler, err error, routes ...string) {
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range routes {
			mux.Handle(r, h)
		}
	}
	talk, err := chat.New(t.Context(), b)
	mount(talk, err, "/api/chat/")
	run, err := tools.New(t.Context(), b)
	mount(run, err, "/api/tools/", "/api/confirmations/")
	files, err := uploads.New(t.Context(), b.Core)
	mount(files, err, "/api/uploads", "/api/uploads/")
	own, err := travel.New(t.Context(), b.Core)
	mount(own, err, "/")
	front := httptest.NewServer(httpx.Wrap(mux, httpx.Config{Log: s.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(front.Close)
	return agency{books{t, org, front.URL, "/api/chat/travel"}, supplier, &logs}
}

// travellers saves a family: the person, another adult and a child of seven, whose
// passports are P1234567, P2345678 and P3456789.
func (a agency) travellers(p localtest.Person) {
	a.t.Helper()
	for i, one := range []map[string]any{
		{"self": true, "title": "ms", "gender": "f", "givenName": "Ottilie", "familyName": "Quennell",
			"bornOn": "1984-03-09", "email": "ottilie@quennell.example", "phone": "+442079460018"},
		{"title": "mr", "gender": "m", "givenName": "Barnaby", "familyName": "Quennell", "bornOn": "1982-10-21",
			"email": "barnaby@quennell.example", "phone": "+442079460019"},
		{"title": "miss", "gender": "f", "givenName": "Persis", "familyName": "Quennell", "bornOn": "2019-05-14",
			"email": "ottilie@quennell.example", "phone": "+442079460018"},
	} {
		one["passport"] = map[string]any{"number": []string{"P1234567", "P2345678", "P3456789"}[i], "country": "GB",
			"expires": "2031-08-01"}
		if status, got := a.call(p, http.MethodPost, "/api/travellers", one); status != http.StatusCreated {
			a.t.Fatalf("%d %v", status, got)
		}
	}
}

// part returns the data of the last part of a kind.
func (a answer) part(t testing.TB, kind string, into any) bool {
	t.Helper()
	for _, p := range slices.Backward(a.Parts) {
		if p.Kind == kind {
			if err := json.Unmarshal(p.Data, into); err != nil {
				t.Fatal(err)
			}
			return true
		}
	}
	return false
}

// approve says yes to the question of an answer.
func (c *conversation) approve(a answer) answer {
	c.t.Helper()
	if a.Confirmation == nil {
		c.t.Fatalf("nothing was asked: %s", a)
	}
	c.more["confirm"] = map[string]any{"id": a.Confirmation.ID, "decision": "approve"}
	defer delete(c.more, "confirm")
	return c.ask("")
}
