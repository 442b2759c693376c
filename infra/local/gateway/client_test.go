package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/supabase-community/gotrue-go"
	"github.com/supabase-community/gotrue-go/types"

	"github.com/bellhop-ai/bellhop/infra/local/auth"
	"github.com/bellhop-ai/bellhop/infra/local/gateway"
	"github.com/bellhop-ai/bellhop/infra/local/postgres"
)

// newOrigin serves the real auth server behind the gateway and returns the
// origin's address.
func newOrigin(t *testing.T) string {
	t.Helper()
	database, err := postgres.Start(t.Context(), postgres.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = database.Stop() })
	if err := database.Bootstrap(t.Context(), "postgres"); err != nil {
		t.Fatal(err)
	}
	pool, err := pgxpool.New(t.Context(), database.ConnString("postgres", "supabase_auth_admin"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	origin := httptest.NewUnstartedServer(nil)
	base := "http://" + origin.Listener.Addr().String()
	server, err := auth.New(t.Context(), auth.Config{Pool: pool, Issuer: base + "/auth/v1"})
	if err != nil {
		t.Fatal(err)
	}
	origin.Config.Handler, err = gateway.New(gateway.Config{
		Rest: http.NotFoundHandler(), Auth: server, Mint: server.Mint,
		PublishableKey: publishable, SecretKey: secret,
	})
	if err != nil {
		t.Fatal(err)
	}
	origin.Start()
	t.Cleanup(origin.Close)
	return base
}

// The client that production code uses must see what the cloud would show it.
func TestGotrueClientWorks(t *testing.T) {
	base := newOrigin(t)
	client := gotrue.New("", publishable).WithCustomGoTrueURL(base + "/auth/v1")
	admin := gotrue.New("", secret).WithCustomGoTrueURL(base + "/auth/v1")

	password := "open sesame"
	made, err := admin.AdminCreateUser(types.AdminCreateUserRequest{
		Email: "mira@example.com", Password: &password, EmailConfirm: true,
		AppMetadata: map[string]any{"org_id": uuid.NewString()}, UserMetadata: map[string]any{"name": "Mira"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.AdminListUsers(); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("the publishable key administers users: %v", err)
	}
	if _, err := client.SignInWithEmailPassword("mira@example.com", "wrong"); err == nil ||
		!strings.Contains(err.Error(), "invalid_credentials") {
		t.Errorf("a wrong password: %v", err)
	}
	session, err := client.SignInWithEmailPassword("mira@example.com", password)
	if err != nil {
		t.Fatal(err)
	}
	if session.User.ID != made.ID || session.User.UserMetadata["name"] != "Mira" || session.ExpiresIn != 3600 {
		t.Errorf("the session is %+v", session)
	}
	me, err := client.WithToken(session.AccessToken).GetUser()
	if err != nil || me.ID != made.ID || me.AppMetadata["org_id"] != made.AppMetadata["org_id"] {
		t.Errorf("the user is %+v, %v", me, err)
	}
	if _, err := client.WithToken(session.AccessToken).UpdateUser(types.UpdateUserRequest{Data: map[string]any{"name": "Mira S."}}); err != nil {
		t.Errorf("update: %v", err)
	}
	renewed, err := client.RefreshToken(session.RefreshToken)
	if err != nil || renewed.RefreshToken == session.RefreshToken || renewed.User.UserMetadata["name"] != "Mira S." {
		t.Fatalf("refresh: %+v, %v", renewed, err)
	}
	if err := client.WithToken(renewed.AccessToken).Logout(); err != nil {
		t.Errorf("sign out: %v", err)
	}
	if _, err := client.RefreshToken(renewed.RefreshToken); err == nil {
		t.Error("a signed-out session was refreshed")
	}
	found, err := admin.AdminGetUser(types.AdminGetUserRequest{UserID: made.ID})
	if err != nil || found.Email != "mira@example.com" || len(found.Identities) != 1 {
		t.Errorf("get: %+v, %v", found, err)
	}
	if _, err := admin.AdminUpdateUser(types.AdminUpdateUserRequest{UserID: made.ID,
		Password: "set by admin"}); err != nil {
		t.Errorf("update: %v", err)
	}
	if list, err := admin.WithToken(secret).AdminListUsers(); err != nil || len(list.Users) != 1 {
		t.Errorf("list: %+v, %v", list, err)
	}
	if err := admin.AdminDeleteUser(types.AdminDeleteUserRequest{UserID: made.ID}); err != nil {
		t.Errorf("delete: %v", err)
	}
	if _, err := client.SignInWithEmailPassword("mira@example.com", "set by admin"); err == nil {
		t.Error("a deleted user signed in")
	}
	if health, err := client.HealthCheck(); err != nil || health.Name != "GoTrue" {
		t.Errorf("health: %+v, %v", health, err)
	}
	if settings, err := client.GetSettings(); err != nil || !settings.DisableSignup {
		t.Errorf("settings: %+v, %v", settings, err)
	}
	if _, err := client.Signup(types.SignupRequest{Email: "new@example.com", Password: password}); err == nil ||
		!strings.Contains(err.Error(), "signup_disabled") {
		t.Errorf("sign-up: %v", err)
	}
}
