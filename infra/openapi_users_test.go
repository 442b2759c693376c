package infra_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/api/users"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	userservice "github.com/bellhop-ai/bellhop/pkg/users"
)

// oneMember is a users.Members with one person and one organisation; what is
// checked is the form of answers.
type oneMember struct{}

const memberID = "00112233-4455-6677-8899-aabbccddeeff"

func (oneMember) user(d userservice.Draft) userservice.User {
	end := clockOfTests().AddDate(0, 0, 30)
	return userservice.User{ID: memberID, Name: d.Name, Email: d.Email, Role: d.Role, Kind: d.Kind,
		CreatedAt: clockOfTests(), ExpiresAt: &end}
}

func (m oneMember) List(context.Context, identity.Caller) ([]userservice.User, error) {
	return []userservice.User{m.user(userservice.Draft{Name: "Mira", Email: "mira@test.example", Role: identity.Viewer,
		Kind: userservice.Person})}, nil
}

func (m oneMember) Add(_ context.Context, _ identity.Caller, _ string, d userservice.Draft,
	_ string) (userservice.User, error) {
	return m.user(d), nil
}

func (m oneMember) Change(_ context.Context, _ identity.Caller, _ string, c userservice.Change) (userservice.User,
	error) {
	return m.user(userservice.Draft{Name: "Mira", Role: *c.Role, Kind: userservice.Person}), nil
}

func (oneMember) Remove(context.Context, identity.Caller, string) error { return nil }

func (oneMember) Orgs(context.Context, identity.Secret) ([]userservice.Org, error) {
	return []userservice.Org{{ID: "o", Slug: "sea-view", Name: "Sea View", Role: identity.Admin, Current: true}}, nil
}

// openAccounts is a users.Accounts that allows everything.
type openAccounts struct{ userservice.Accounts }

func (openAccounts) Create(context.Context, identity.Caller, string, string, identity.Secret) (string, error) {
	return memberID, nil
}

func (openAccounts) Find(context.Context, identity.Caller, string) (*userservice.Account, error) {
	return nil, nil
}
func (openAccounts) Point(context.Context, identity.Caller, string) error        { return nil }
func (openAccounts) Left(context.Context, identity.Caller, string) (bool, error) { return true, nil }
func (openAccounts) Delete(context.Context, string) error                        { return nil }
func (openAccounts) Open(context.Context, string, string) (string, error) {
	return "m@test.example", nil
}

func (openAccounts) SignIn(context.Context, string, identity.Secret) (userservice.Session, error) {
	return userservice.Session{AccessToken: "a.b.c", ExpiresIn: time.Hour}, nil
}

func TestOpenAPIFitsWhatTheUsersDoorAnswers(t *testing.T) {
	schemas := strictSchemas(t)
	h, err := users.New(users.Config{
		Service: &userservice.Service{Members: oneMember{}, Accounts: openAccounts{}, Keys: openAccounts{},
			Random: rand.Reader},
		Identify: func(_ context.Context, token string) (identity.Caller, error) {
			if token != "good" {
				return identity.Caller{}, fault.New(fault.Unauthorized, "Please sign in again.")
			}
			return identity.Caller{UserID: memberID, Name: "Anika", Email: "anika@test.example", OrgName: "Sea View",
				Role:     identity.Admin,
				Entities: []identity.Entity{{Key: "SEA", Kind: "property", Name: "Sea View Cabins"}}}, nil
		},
		Verify: func(context.Context, string) (string, error) { return memberID, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	d := doors{Handler: h}
	answers := func(schema string, status int, w *httptest.ResponseRecorder) string {
		t.Helper()
		if w.Code != status {
			t.Errorf("status %d, want %d: %s", w.Code, status, w.Body)
		}
		if schema == "" && w.Body.Len() > 0 {
			t.Errorf("it answers %s", w.Body)
		} else if schema != "" {
			fits(t, schemas, schema, w.Body.String())
		}
		return w.Body.String()
	}
	// What is sent fits, too.
	send := func(schema, method, path, body string) *httptest.ResponseRecorder {
		t.Helper()
		fits(t, schemas, schema, body)
		return d.send(method, path, body)
	}
	answers("UserList", 200, d.send("GET", "/api/users", ""))
	answers("Self", 200, d.send("GET", "/api/users/me", ""))
	answers("OrgList", 200, d.send("GET", "/api/users/me/orgs", ""))
	answers("", 204, send("OrgChoice", "PUT", "/api/users/me/org", `{"org":"sea-view"}`))
	answers("CreatedUser", 201, send("NewUser", "POST", "/api/users",
		`{"email":"mira@test.example","name":"Mira","role":"manager"}`))
	made := answers("CreatedUser", 201, send("NewUser", "POST", "/api/users",
		`{"kind":"machine","name":"Till","role":"viewer","expiresInDays":30}`))
	var key struct{ APIKey string }
	if err := json.Unmarshal([]byte(made), &key); err != nil || key.APIKey == "" {
		t.Fatalf("no key in %s: %v", made, err)
	}
	answers("Session", 200, send("KeyExchange", "POST", "/api/users/token", `{"key":"`+key.APIKey+`"}`))
	answers("ChangedUser", 200, send("UserChange", "PATCH", "/api/users/"+memberID, `{"role":"viewer"}`))
	answers("", 204, d.send("DELETE", "/api/users/"+memberID, ""))
	answers("Problem", 401, d.send("POST", "/api/users/token", `{"key":"bellhop_x"}`))
	answers("Problem", 422, d.send("POST", "/api/users", `{"kind":"machine","name":"Till","role":"admin"}`))
	answers("Problem", 401, d.send("GET", "/api/users", "", "Authorization", "Bearer bad"))
	answers("Problem", 404, d.send("DELETE", "/api/users/nobody", ""))
}
