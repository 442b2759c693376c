package travel_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	boottravel "github.com/bellhop-ai/bellhop/pkg/boot/travel"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/supabase/planner"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/travel"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/customtools"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

func TestMain(m *testing.M) { localtest.Main(m) }

type object = map[string]any

// client asks the real function on the real stack. Log is what the function wrote.
type client struct {
	testing.TB
	url string
	org localtest.Org
	log *journal
	// These are the ones behind the function.
	store       store.Travellers
	preferences store.Preferences
	trips       store.Trips
	booked      store.Bookings
	plans       planner.Plans
}

// journal is a log that is read while it is written.
type journal struct {
	sync.Mutex
	bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.Lock()
	defer j.Unlock()
	return j.Buffer.Write(p)
}

func (j *journal) String() string {
	j.Lock()
	defer j.Unlock()
	return j.Buffer.String()
}

// open starts the function for an organisation of its own that has the assistant of travel.
func open(t testing.TB) client {
	t.Helper()
	return openFor(t, "travel")
}

// openFor is open for an organisation that has these assistants.
func openFor(t testing.TB, assistants ...string) client {
	t.Helper()
	s := localtest.Stack(t)
	log := &journal{}
	service := &boot.Service{Name: "travel", Now: time.Now, Log: zerolog.New(log),
		Env: func(string) (string, bool) { return "", false }}
	service.SupabaseURL, service.PublishableKey, service.JWKS = s.URL(), s.Keys().Publishable, string(s.JWKS())
	service.ProofKeys = s.ProofKeys()
	service.Local = true // so that a tool on this machine can be tried out
	c, err := core.New(service)
	if err != nil {
		t.Fatal(err)
	}
	h, err := boottravel.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: service.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	org := localtest.NewOrg(t)
	localtest.Give(t, s, org.ID, assistants...)
	return client{t, server.URL, org, log, store.NewTravellers(c.Client), store.NewPreferences(c.Client),
		store.NewTrips(c.Client), store.NewBookings(c.Client), planner.NewPlans(c.Client)}
}

// reply is what was answered; JSON is decoded.
type reply struct {
	status int
	header http.Header
	body   string

	Code       string
	Detail     string
	Fields     []travellers.Problem
	Traveller  travellers.Traveller
	Travellers []travellers.Traveller

	Preferences preferences.Preferences
	Decision    preferences.Decision
	Decisions   []preferences.Decision

	Trip     itinerary.Trip
	Trips    []itinerary.Trip
	Problems []struct {
		Items []string
		Text  string
	}
	Bookings []bookings.Booking
	Searches []bookings.Search

	Tool  customtools.Definition
	Tools []customtools.Definition

	Plan    plans.Plan
	Plans   []plans.Plan
	Options *part.Plans
	Run     plans.Run
	Runs    []plans.Run
	Shares  []plans.Share
	URL     string
	Token   string
	Expires time.Time
	Made    time.Time
}

// ask sends a request for by, with what header adds.
func (c client) ask(by localtest.Person, method, path string, body any, header ...string) reply {
	c.Helper()
	var raw io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			c.Fatal(err)
		}
		raw = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(c.Context(), method, c.url+path, raw)
	if err != nil {
		c.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+by.Token)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		c.Fatal(err)
	}
	a := reply{status: resp.StatusCode, header: resp.Header, body: string(all)}
	if len(all) > 0 && all[0] == '{' {
		if err := json.Unmarshal(all, &a); err != nil {
			c.Fatalf("%s %s: %v: %s", method, path, err, all)
		}
	}
	return a
}

// want is ask for an answer of that status, and of that code where it is a refusal.
func (c client) want(status int, code string, by localtest.Person, method, path string, body any,
	header ...string) reply {
	c.Helper()
	a := c.ask(by, method, path, body, header...)
	if a.status != status || a.Code != code && status >= 400 {
		c.Fatalf("%s %s: %d %q, want %d %q: %s", method, path, a.status, a.Code, status, code, a.body)
	}
	return a
}
