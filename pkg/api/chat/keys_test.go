package chat_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/users"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

// counted counts how often an API key opens an account.
type counted struct {
	users.Keys
	signedIn atomic.Int32
}

func (c *counted) SignIn(ctx context.Context, email string, password identity.Secret) (users.Session, error) {
	c.signedIn.Add(1)
	return c.Keys.SignIn(ctx, email, password)
}

// Clients with one static credential work with an API key: it is exchanged once
// in a while, acts as its machine user, and ends at once when it is deleted.
func TestAnAPIKeyIsABearerForClientsOfOpenAI(t *testing.T) {
	t.Parallel()
	project, org := localtest.Stack(t), localtest.NewOrg(t)
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	b := backendOf(t, project, time.Now)
	admin, err := supabase.NewAdmin(core.Config(b.Service), identity.Secret(project.Keys().Secret))
	fatal(t, err)
	service := users.Service{Members: store.NewMembers(b.Client), Accounts: store.NewAccounts(admin),
		Random: rand.Reader}
	by, err := b.Identify(t.Context(), org.Admin.Token)
	fatal(t, err)
	machine, key, err := service.Create(t.Context(), by, users.Draft{Kind: users.Machine, Name: "Web chat",
		Role: identity.Viewer})
	fatal(t, err)
	keys := &counted{Keys: store.NewKeys(b.Client)}
	d := openWith(t, b, func(c *chat.Config) { c.Sessions = &users.Sessions{Keys: keys, Now: now} },
		script.Step{When: script.FromRouter, Text: "Hello.", Times: -1})
	ask := func(bearer string) (int, string) {
		resp, body := d.post(t, "/api/v1/chat/completions", bearer, "", map[string]any{"model": "hospitality",
			"messages": []any{user("hello")}, "bellhop": map[string]any{"turn": uuid.NewString()}})
		return resp.StatusCode, string(body)
	}

	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if status, body := ask(key.Reveal()); status != 200 || !strings.Contains(body, `"content":"Hello."`) {
				t.Errorf("with the key it answers %d %s", status, body)
			}
		})
	}
	wg.Wait()
	if n := keys.signedIn.Load(); n != 1 {
		t.Errorf("eight requests signed in %d times", n)
	}
	rows := localtest.SQL(t, `select distinct user_id::text as by from public.turns where org_id = $1`, org.ID)
	if len(rows) != 1 || rows[0]["by"] != machine.ID {
		t.Errorf("the turns are those of %v, not of %s", rows, machine.ID)
	}
	ahead.Add(int64(20 * time.Minute))
	if status, body := ask(key.Reveal()); status != 200 || keys.signedIn.Load() != 2 {
		t.Errorf("20 minutes later it answers %d %s, signed in %d times", status, body, keys.signedIn.Load())
	}

	other, _, err := users.ParseKey(key)
	fatal(t, err)
	wrong, err := users.NewSecret(rand.Reader)
	fatal(t, err)
	forged, err := wrong.Key(other)
	fatal(t, err)
	unknown, err := wrong.Key(uuid.NewString())
	fatal(t, err)
	for what, bearer := range map[string]string{"another secret": forged.Reveal(), "nobody's": unknown.Reveal(),
		"no key": "bellhop_", "cut off": key.Reveal()[:60]} {
		status, body := ask(bearer)
		var refused struct{ Error struct{ Type, Code string } }
		if err := json.Unmarshal([]byte(body), &refused); err != nil || status != 401 ||
			refused.Error.Type != "authentication_error" || refused.Error.Code != "bad_key" {
			t.Errorf("%s: %d %s", what, status, body)
		}
	}
	// The endpoints of people take no keys.
	if resp, body := d.post(t, "/api/chat", key.Reveal(), "", map[string]any{"messages": []any{user("hello")}}); resp.
		StatusCode != 401 {
		t.Errorf("the native endpoint answers %d %s", resp.StatusCode, body)
	}

	fatal(t, service.Delete(t.Context(), by, machine.ID))
	if status, body := ask(key.Reveal()); status != 403 || !strings.Contains(body, "not_a_member") {
		t.Errorf("a deleted key gets %d %s", status, body)
	}
	ahead.Add(int64(20 * time.Minute))
	if status, body := ask(key.Reveal()); status != 401 || !strings.Contains(body, "bad_key") {
		t.Errorf("later it gets %d %s", status, body)
	}
}
