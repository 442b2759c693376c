package projects_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/localtest/photos"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	bootprojects "github.com/bellhop-ai/bellhop/pkg/boot/projects"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/publish"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/storage"
)

func TestMain(m *testing.M) { localtest.Main(m) }

type object = map[string]any

// client asks the real function on the real stack.
type client struct {
	testing.TB
	url string
	org localtest.Org
}

// open starts the function for an organisation of its own that has the assistant.
func open(t testing.TB, env ...string) client {
	t.Helper()
	s := localtest.Stack(t)
	values := map[string]string{}
	for i := 0; i+1 < len(env); i += 2 {
		values[env[i]] = env[i+1]
	}
	service := &boot.Service{Name: "projects", Now: time.Now, Log: zerolog.Nop(),
		Env: func(name string) (string, bool) { v, ok := values[name]; return v, ok }}
	service.SupabaseURL, service.PublishableKey, service.JWKS = s.URL(), s.Keys().Publishable, string(s.JWKS())
	service.ProofKeys = s.ProofKeys()
	c, err := core.New(service)
	if err != nil {
		t.Fatal(err)
	}
	h, err := bootprojects.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpx.Wrap(h, httpx.Config{Log: service.Log, NewID: uuid.NewString, Now: time.Now,
		Timeout: time.Minute}))
	t.Cleanup(server.Close)
	org := localtest.NewOrg(t)
	localtest.Give(t, s, org.ID, "portfolio")
	return client{t, server.URL, org}
}

// reply is what was answered; JSON is decoded.
type reply struct {
	status int
	header http.Header
	body   string

	Code     string
	Detail   string
	Project  projects.Project
	Projects []projects.Item
	Versions []projects.Version
	Profile  projects.Business
	Report   publish.Report
	URL      string
	// ExpiresIn is a number of seconds.
	ExpiresIn int
}

// ask sends a request for by, without a token for nobody, and with what header adds.
func (c client) ask(by localtest.Person, method, path string, body any, header ...string) reply {
	c.Helper()
	var raw io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		raw = bytes.NewReader([]byte(body))
	default:
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
	if by.Token != "" {
		r.Header.Set("Authorization", "Bearer "+by.Token)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r) // follows nothing
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

// begin makes a project and returns its address.
func (c client) begin(by localtest.Person, title string) (string, projects.Project) {
	c.Helper()
	a := c.want(201, "", by, "POST", "/api/projects", object{"title": title})
	if a.header.Get("Location") != "/api/projects/"+a.Project.Code || a.Project.Code == "" {
		c.Fatalf("it is at %q: %s", a.header.Get("Location"), a.body)
	}
	return a.header.Get("Location"), a.Project
}

// photos makes n photos of the manager's that were uploaded and read, with one width
// each, and returns their ids.
func (c client) photos(n int) []string {
	c.Helper()
	project, err := supabase.New(localtest.Config(c, localtest.Stack(c)))
	if err != nil {
		c.Fatal(err)
	}
	by := identity.Caller{UserID: c.org.Manager.ID, OrgID: c.org.ID, Role: identity.Manager,
		Token: identity.Secret(c.org.Manager.Token)}
	bucket, ids := storage.New(project, "uploads"), []string{}
	for i := range n {
		content := photos.JPEG(uint64(i), 480, 360, 1, false)
		id := localtest.SQL(c, `insert into public.uploads (org_id, id, user_id, name, kind, type, size, purpose)
			values ($1, lower(app.human_code(6) || app.human_code(6) || app.human_code(6) || app.human_code(6)), $2, $3,
				'image', 'image/jpeg', $4, 'photo') returning id`, by.OrgID, by.UserID, fmt.Sprintf("Photo %d.jpg", i+1),
			len(content))[0]["id"].(string)
		path := fmt.Sprintf("%s/%s/%s-480.jpg", by.OrgID, by.UserID, id)
		if err := bucket.Put(c.Context(), by, path, "image/jpeg", content); err != nil {
			c.Fatal(err)
		}
		facts := object{"width": 480, "height": 360,
			"renditions": []object{{"width": 480, "height": 360, "bytes": len(content)}}}
		if _, err := supabase.Call[any](c.Context(), project.As(by).Control(), "upload_settle", supabase.Args{"p_id": id,
			"p_state": "ready", "p_kind": "image", "p_type": "image/jpeg", "p_size": len(content), "p_reason": "",
			"p_facts": facts, "p_body": "", "p_days": 30}); err != nil {
			c.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}
