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
	bootuploads "github.com/bellhop-ai/bellhop/pkg/boot/uploads"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/publish"
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
	files, err := bootuploads.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", h)
	mux.Handle("/api/uploads", files)
	mux.Handle("/api/uploads/", files)
	server := httptest.NewServer(httpx.Wrap(mux, httpx.Config{Log: service.Log, NewID: uuid.NewString, Now: time.Now,
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

	// Of uploads.
	ID        string
	UploadURL string
	State     string
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

// announce says that a photo of the manager's will be sent, and returns its id.
func (c client) announce(name string) string {
	c.Helper()
	return c.want(201, "", c.org.Manager, "POST", "/api/uploads", object{"name": name, "type": "image/jpeg",
		"size": 9000, "purpose": "photo"}).ID
}

// photos uploads n photos of the manager's, as a telephone takes them, and returns their
// ids.
func (c client) photos(n int) []string {
	c.Helper()
	var ids []string
	for i := range n {
		content := photos.JPEG(uint64(i), 640, 480, 6, true)
		a := c.want(201, "", c.org.Manager, "POST", "/api/uploads", object{"name": fmt.Sprintf("Photo %d.jpg", i+1),
			"type": "image/jpeg", "size": len(content), "purpose": "photo"})
		r, err := http.NewRequestWithContext(c.Context(), http.MethodPut, a.UploadURL, bytes.NewReader(content))
		if err != nil {
			c.Fatal(err)
		}
		r.Header.Set("Content-Type", "image/jpeg")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			c.Fatal(err)
		}
		resp.Body.Close()
		done := c.want(200, "", c.org.Manager, "POST", "/api/uploads/"+a.ID+"/complete", nil)
		if resp.StatusCode != 200 || done.State != "ready" {
			c.Fatalf("the photo is %d %s", resp.StatusCode, done.body)
		}
		ids = append(ids, a.ID)
	}
	return ids
}
