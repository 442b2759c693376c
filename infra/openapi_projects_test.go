package infra_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"

	api "github.com/bellhop-ai/bellhop/pkg/api/projects"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// oneProject is a projects.Store with one project, of which some is known; what is
// checked is the form of answers.
type oneProject struct{ projects.Store }

const photoOfTests = "k7qmpxk7qmpxk7qmpxk7qmpx"

func (oneProject) Get(context.Context, identity.Caller, string) (projects.Project, error) {
	return projects.Project{
		Code: "PRJ-K7QMPX", Title: "Oak kitchen", Detail: projects.ByCity, Place: projects.Place{City: "Leeds"},
		Story: projects.Story{Problem: "No room.", Notes: []projects.Note{{Field: "materials", Was: "oak",
			Is: "pine"}},
			Facts: []string{"It took 3 weeks."}},
		Materials: []string{"pine"}, Techniques: []string{}, Tags: []string{},
		Blocks: []projects.Block{{Kind: projects.List, Items: []string{"pine"}}},
		Images: []projects.Image{{ID: photoOfTests, Name: "a.jpg", State: projects.Ready, Stage: projects.After,
			Width: 480, Height: 360, Renditions: []projects.Rendition{{Width: 480, Height: 360, Bytes: 9000}}}},
		Private: projects.Private{Faces: "none"}, Status: projects.Draft, Phase: projects.Drafting, Version: 7,
		UpdatedAt: clockOfTests(),
	}, nil
}

func (oneProject) List(context.Context, identity.Caller) ([]projects.Item, error) {
	return []projects.Item{{Code: "PRJ-K7QMPX", Status: projects.Draft, Phase: projects.Photos,
		UpdatedAt: clockOfTests()}}, nil
}

func (oneProject) Versions(context.Context, identity.Caller, string) ([]projects.Version, error) {
	return []projects.Version{{Version: 6, What: "title", By: "Anika", At: clockOfTests()}}, nil
}

func (oneProject) Business(context.Context, identity.Caller) (projects.Business, error) {
	return projects.Business{Name: "Dale Joinery", LogoSizes: []projects.Rendition{{Width: 480, Height: 480}}}, nil
}

// noPages is a projects.Pages that has none.
type noPages struct{ projects.Pages }

func TestOpenAPIFitsWhatTheProjectsDoorAnswers(t *testing.T) {
	schemas := strictSchemas(t)
	h, err := api.New(api.Config{Assistant: "portfolio", Store: oneProject{}, Pages: noPages{}, NewID: uuid.NewString,
		Identify: func(_ context.Context, token string) (identity.Caller, error) {
			if token != "good" {
				return identity.Caller{}, fault.New(fault.Unauthorized, "Please sign in again.")
			}
			return identity.Caller{UserID: "u", OrgID: "o", Role: identity.Manager, Assistants: []string{"portfolio"}},
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
	const at = "/api/projects/PRJ-K7QMPX"
	answers("ProjectList", 200, d.send("GET", "/api/projects", ""))
	answers("ProjectAnswer", 200, d.send("GET", at, ""))
	answers("ProjectVersions", 200, d.send("GET", at+"/versions", ""))
	answers("ProjectChecked", 200, d.send("POST", at+"/publish", `{"dryRun":true}`))
	answers("BusinessAnswer", 200, d.send("GET", "/api/business-profile", ""))
	answers("Problem", 400, d.send("PATCH", at, `{"titel":"x"}`))
	answers("Problem", 401, d.send("GET", at, "", "Authorization", "Bearer bad"))
}
