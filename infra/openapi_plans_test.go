package infra_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	api "github.com/bellhop-ai/bellhop/pkg/api/travel"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/customtools"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// onePlan is a plans.Store with one plan; what is checked is the form of answers.
type onePlan struct {
	plans.Store
	run plans.Run
}

func newOnePlan(t *testing.T) onePlan {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, "pkg", "planner", "picture", "testdata", "boston.json"))
	if err != nil {
		t.Fatal(err)
	}
	var set options.Set
	if err := json.Unmarshal(raw, &set); err != nil {
		t.Fatal(err)
	}
	today := calendar.Of(clockOfTests())
	return onePlan{run: plans.Run{Number: 1, UserMessage: "yes", Mode: "FINALIZE", Status: plans.Partly, Options: &set,
		Output: []byte(`{"mode":"FINALIZE"}`), CreatedAt: clockOfTests(), Context: trip.Context{
			Origin: &trip.Place{Name: "London"}, Destinations: []trip.Place{{Name: "Boston", Code: "BOS"}},
			Dates:      trip.DateRange{Start: today, End: today.AddDays(3)},
			Travellers: &trip.Travellers{Adults: 2, Children: []int{7}}, Budget: trip.Mid,
			Most: &money.Price{Amount: money.FromInt(900), Currency: "USD"}, MustDos: []string{"the Freedom Trail"}},
		Messages: []plans.Message{{Task: specialists.Task{ID: "task-1", Name: "Stay research", Specialist: trip.Stay},
			Output: specialists.Output{TaskID: "task-1", Agent: "StayAgent", QuestionsForUser: []string{},
				Assumptions: []string{}, Risks: []string{}, Recommendations: []specialists.Recommendation{{Code: "S1",
					Name: "Inn", Cost: &specialists.Cost{From: money.FromInt(90), To: money.FromInt(95),
						Currency: "USD",
						Per:      specialists.PerNight, Source: specialists.Live}}}}, Millis: 12}}}}
}

func (s onePlan) Plan(context.Context, identity.Caller, string) (plans.Plan, error) {
	return plans.Plan{Trip: "TR-0001", Title: "Boston", Status: plans.Selected, Context: s.run.Context, Run: 1,
		Option: "opt-2", Version: 3, Mine: true, UpdatedAt: clockOfTests()}, nil
}

func (s onePlan) Plans(ctx context.Context, by identity.Caller) ([]plans.Plan, error) {
	p, err := s.Plan(ctx, by, "")
	return []plans.Plan{p}, err
}

func (s onePlan) Runs(context.Context, identity.Caller, string) ([]plans.Run, error) {
	return []plans.Run{{Number: 1, Mode: "CLARIFY", Status: plans.Errored, Error: "No.", CreatedAt: clockOfTests()}},
		nil
}

func (s onePlan) Run(context.Context, identity.Caller, string, int) (plans.Run, error) {
	return s.run, nil
}

func (s onePlan) Select(ctx context.Context, by identity.Caller, code string, _, _ int, _ string,
	_ []itinerary.Item) (plans.Plan, error) {
	return s.Plan(ctx, by, code)
}

func (s onePlan) Share(_ context.Context, _ identity.Caller, _, token string, expires time.Time) (plans.Share, error) {
	return plans.Share{Code: "SH-1", Token: token, Expires: expires, Made: clockOfTests()}, nil
}

func (s onePlan) Shares(context.Context, identity.Caller, string) ([]plans.Share, error) {
	return []plans.Share{{Code: "SH-1", Expires: clockOfTests(), Made: clockOfTests()}}, nil
}

func (s onePlan) Revoke(context.Context, identity.Caller, string, string) (plans.Share, error) {
	return plans.Share{Code: "SH-1", Expires: clockOfTests(), Revoked: true, Made: clockOfTests()}, nil
}

func TestOpenAPIFitsWhatTheEndpointsOfPlansAnswer(t *testing.T) {
	schemas := strictSchemas(t)
	h, err := api.New(api.Config{Assistant: "travel", Planner: "planner", Plans: newOnePlan(t),
		Links: struct{ plans.Links }{}, Travellers: struct{ travellers.Store }{},
		Preferences: struct{ preferences.Store }{}, Trips: struct{ itinerary.Store }{},
		Bookings: struct{ bookings.Store }{}, CustomTools: struct{ customtools.Store }{},
		Sender: struct{ customtools.Sender }{}, NewID: uuid.NewString, NewToken: uuid.NewString, Now: clockOfTests,
		Identify: func(_ context.Context, token string) (identity.Caller, error) {
			if token != "good" {
				return identity.Caller{}, fault.New(fault.Unauthorized, "Please sign in again.")
			}
			return identity.Caller{UserID: "u", OrgID: "o", Role: identity.Viewer, Assistants: []string{"planner"}},
				nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	d := doors{Handler: h}
	answers := func(schema string, status int, w *httptest.ResponseRecorder) {
		t.Helper()
		if w.Code != status {
			t.Errorf("status %d, want %d: %s", w.Code, status, w.Body)
		}
		fits(t, schemas, schema, w.Body.String())
	}
	const at = "/api/trips/TR-0001"
	answers("TripPlanList", 200, d.send("GET", "/api/plans", ""))
	answers("TripPlanAnswer", 200, d.send("GET", at+"/plan", ""))
	answers("PlanRunList", 200, d.send("GET", at+"/runs", ""))
	answers("PlanRunAnswer", 200, d.send("GET", at+"/runs/1", ""))
	answers("TripPlanAnswer", 200, d.send("POST", at+"/selection", `{"option":"opt-2"}`))
	answers("PlanShareList", 200, d.send("GET", at+"/shares", ""))
	answers("PlanShareAnswer", 201, d.send("POST", at+"/shares", `{}`))
	answers("PlanShareAnswer", 200, d.send("DELETE", at+"/shares/SH-1", ""))
	answers("Problem", 409, d.send("POST", at+"/selection", `{"option":"opt-2","run":9}`))
	answers("Problem", 400, d.send("POST", at+"/swap", `{"opt":"opt-2"}`))
	answers("Problem", 404, d.send("GET", "/api/travellers", ""))
	answers("Problem", 401, d.send("GET", "/api/plans", "", "Authorization", "Bearer bad"))
}
