package projects_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	bootprojects "github.com/bellhop-ai/bellhop/pkg/boot/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/publish"
)

var visitor localtest.Person // has no token

// failed names the rules of a report that are not kept.
func failed(r publish.Report) []string {
	var ids []string
	for _, rule := range r.Failed() {
		ids = append(ids, rule.ID)
	}
	return ids
}

// S3-12: the checks are code. A dry run tells what is missing, each with a reason and
// what to do, and publishes nothing; what is missing can't be published.
func TestWhatIsIncompleteIsNotPublished(t *testing.T) {
	t.Parallel()
	c := open(t)
	path, p := c.begin(c.org.Manager, "Oak kitchen")
	for _, dry := range []reply{
		c.want(200, "", c.org.Manager, "POST", path+"/publish?dry_run=1", nil),
		c.want(200, "", c.org.Manager, "POST", path+"/publish", object{"version": p.Version, "dryRun": true}),
	} {
		if dry.Report.OK || len(dry.Report.Failed()) < 3 || dry.Project.Status != projects.Draft {
			t.Errorf("it is told %s", dry.body)
		}
		for _, rule := range dry.Report.Failed() {
			if rule.Reason == "" || rule.Mend == "" || rule.ID == "" {
				t.Errorf("a rule says %+v", rule)
			}
		}
	}
	a := c.want(422, "not_publishable", c.org.Manager, "POST", path+"/publish", object{"version": p.Version})
	if a.Report.OK || len(a.Report.Failed()) < 3 || a.Project.Code != p.Code {
		t.Errorf("it is told %s", a.body)
	}
	c.want(400, "version_required", c.org.Manager, "POST", path+"/publish", nil)
	c.want(409, "changed", c.org.Manager, "POST", path+"/publish", object{"version": p.Version + 1})
	c.want(403, "role_required", c.org.Viewer, "POST", path+"/publish", object{"version": p.Version})
	c.want(403, "role_required", c.org.Viewer, "POST", path+"/publish?dry_run=1", nil)
	if now := c.want(200, "", c.org.Viewer, "GET", path, nil).Project; now.Version != p.Version || now.URL != "" {
		t.Errorf("it became %+v", now)
	}
}

// kitchen makes a project of n photos that may be published, and returns its address.
func (c client) kitchen(n int) (string, projects.Project) {
	c.Helper()
	site := "t-" + c.org.ID[:8]
	if b := c.want(200, "", c.org.Manager, "GET", "/api/business-profile", nil).Profile; b.Version == 0 {
		c.want(200, "", c.org.Manager, "PUT", "/api/business-profile", object{"site": site, "name": "Dale Joinery",
			"trade": "joiner", "city": "Leeds", "phone": "0113 496 0000"})
	}
	path, _ := c.begin(c.org.Manager, "")
	a := c.want(200, "", c.org.Manager, "POST", path+"/images", object{"uploads": c.photos(n)})
	var said []object
	var ids []string
	for i, image := range a.Project.Images {
		said = append(said, object{"id": image.ID, "alt": fmt.Sprintf("The kitchen, seen from side %d", i+1)})
		ids = append(ids, image.ID)
	}
	a = c.want(200, "", c.org.Manager, "PATCH", path, object{
		"version": a.Project.Version, "title": "Oak kitchen", "type": "kitchen renovation",
		"place": object{"street": "14 Rosewood Lane", "city": "Leeds", "region": "Yorkshire"},
		"story": object{"problem": "The old kitchen had no room for two.", "solution": "We built one of oak."},
		"description": "The old kitchen had no room for two people. We took out a wall and built cupboards of solid " +
			"oak to the ceiling.",
		"materials":         []string{"oak"},
		"descriptionBlocks": []object{{"kind": "heading", "text": "The job"}, {"kind": "gallery", "items": ids}},
		"photos":            said, "hero": ids[0],
		"privacy": object{"faces": "none", "plates": "none", "images": ids},
		"seo":     object{"title": "Oak kitchen in Leeds", "description": "A kitchen of solid oak, built in Leeds."},
	})
	return path, a.Project
}

// A project is published as it is, read by everybody, changed in silence, published
// again under another name, and taken back.
func TestAProjectIsPublishedAndTakenBack(t *testing.T) {
	t.Parallel()
	c := open(t)
	path, p := c.kitchen(2)
	a := c.ask(c.org.Manager, "POST", path+"/publish", object{"version": p.Version})
	if a.status != 200 {
		t.Fatalf("it is not published: %d %s %q", a.status, a.Code, failed(a.Report))
	}
	p = a.Project
	site := "t-" + c.org.ID[:8]
	if p.Status != projects.Published || p.Phase != projects.Live || p.URL != "/p/"+site+"/oak-kitchen-leeds" ||
		p.PublishedAt == nil || p.Changed {
		t.Fatalf("published it is %+v", p)
	}
	shown := c.ask(visitor, "GET", p.URL, nil)
	policy := shown.header.Get("Content-Security-Policy")
	if shown.status != 200 || !strings.HasPrefix(shown.header.Get("Content-Type"), "text/html") ||
		!strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "script") ||
		shown.header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(shown.body, "Oak kitchen") {
		t.Fatalf("the page is %d %v %s", shown.status, shown.header, shown.body)
	}
	for _, secret := range []string{"Rosewood", c.org.ID, c.org.Manager.ID, "<script src", "no room for two.",
		p.Code} {
		if strings.Contains(shown.body, secret) {
			t.Errorf("the page has %q", secret)
		}
	}
	if len(shown.body) > 60_000 {
		t.Errorf("the page has %d bytes", len(shown.body))
	}
	// What a cache has is not sent again.
	if again := c.ask(visitor, "GET", p.URL, nil, "If-None-Match", shown.header.Get("ETag")); again.status != 304 ||
		again.body != "" || again.header.Get("Content-Security-Policy") == "" {
		t.Errorf("again it is %d %v", again.status, again.header)
	}
	if head := c.ask(visitor, "HEAD", p.URL, nil); head.status != 200 || head.body != "" ||
		head.header.Get("ETag") != shown.header.Get("ETag") {
		t.Errorf("its head is %d %v", head.status, head.header)
	}
	// Each photo that the page names is there.
	photos := regexp.MustCompile(`/p/[a-z0-9-]+/photos/[a-z2-9]{24}-\d+\.jpg`).FindAllString(shown.body, -1)
	slices.Sort(photos)
	photos = slices.Compact(photos)
	if len(photos) < 2 {
		t.Errorf("the page names the photos %q", photos)
	}
	for _, photo := range photos {
		a := c.ask(visitor, "GET", photo, nil)
		if a.status != 200 || a.header.Get("Content-Type") != "image/jpeg" || !strings.HasPrefix(a.body, "\xff\xd8") ||
			!strings.HasPrefix(a.header.Get("Cache-Control"), "public") {
			t.Errorf("%s: %d %v", photo, a.status, a.header)
		}
		if again := c.ask(visitor, "GET", photo, nil, "If-None-Match", a.header.Get("ETag")); again.status != 304 {
			t.Errorf("%s again: %d", photo, again.status)
		}
		if strings.Contains(a.body, "Exif") || strings.Contains(a.body, "GPS") {
			t.Errorf("%s tells of the camera or of where it was", photo)
		}
	}
	for _, of := range []struct{ path, kind, holds string }{
		{"/p/" + site, "text/html", p.URL}, {"/p/" + site + "/sitemap.xml", "application/xml", p.URL + "<"},
		{"/p/" + site + "/robots.txt", "text/plain", "Sitemap: " + c.url + "/p/" + site + "/sitemap.xml"},
	} {
		if a := c.ask(visitor, "GET", of.path, nil); a.status != 200 ||
			!strings.HasPrefix(a.header.Get("Content-Type"), of.kind) || !strings.Contains(a.body, of.holds) {
			t.Errorf("%s: %d %v %s", of.path, a.status, a.header, a.body)
		}
	}

	// A change is not public before it is published.
	p = c.want(200, "", c.org.Manager, "PATCH", path, object{"version": p.Version, "title": "Walnut kitchen"}).Project
	if !p.Changed || p.Status != projects.Published {
		t.Errorf("changed it is %+v", p)
	}
	if a := c.ask(visitor, "GET", p.URL, nil); a.header.Get("ETag") != shown.header.Get("ETag") {
		t.Error("the page changed with the project")
	}
	old := p.URL
	p = c.want(200, "", c.org.Manager, "POST", path+"/publish", nil, "If-Match",
		fmt.Sprintf("%q", fmt.Sprint(p.Version))).Project
	if p.URL != old || p.Changed {
		t.Errorf("under another title it is %+v", p)
	}
	c.want(422, "bad_slug", c.org.Manager, "POST", path+"/publish", object{"version": p.Version, "slug": "A b"})
	p = c.want(200, "", c.org.Manager, "POST", path+"/publish", object{"version": p.Version,
		"slug": "walnut-kitchen"}).Project
	if p.URL != "/p/"+site+"/walnut-kitchen" {
		t.Errorf("it is now at %s", p.URL)
	}
	if a := c.ask(visitor, "GET", old, nil); a.status != 301 || a.header.Get("Location") != p.URL {
		t.Errorf("the old address: %d %v", a.status, a.header)
	}
	if a := c.ask(visitor, "GET", p.URL+"/", nil); a.status != 301 || a.header.Get("Location") != p.URL {
		t.Errorf("with a slash: %d %v", a.status, a.header)
	}
	if a := c.ask(visitor, "GET", p.URL, nil); a.status != 200 || !strings.Contains(a.body, "Walnut kitchen") {
		t.Errorf("the new address: %d", a.status)
	}
	again := c.want(409, "changed", c.org.Manager, "POST", path+"/publish", object{"version": p.Version - 1}).Project
	if again.URL != p.URL {
		t.Errorf("who asks twice is told %+v", again)
	}
	c.want(409, "is_published", c.org.Manager, "POST", path+"/archive", object{"archived": true})

	// Taken back, it is gone, its photos too.
	c.want(403, "role_required", c.org.Viewer, "POST", path+"/unpublish", nil)
	if now := c.want(200, "", c.org.Manager, "POST", path+"/unpublish", nil).Project; now.Status != projects.Draft {
		t.Errorf("taken back it is %s", now.Status)
	}
	for _, address := range []string{p.URL, old} {
		if a := c.ask(visitor, "GET", address, nil); a.status != 410 ||
			!strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || strings.Contains(a.body, "Walnut") ||
			a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v %s", address, a.status, a.header, a.body)
		}
	}
	if a := c.ask(visitor, "GET", photos[0], nil); a.status != 404 {
		t.Errorf("a photo of a page that was taken back: %d", a.status)
	}
	now := c.want(200, "", c.org.Manager, "POST", path+"/archive", object{"archived": true}).Project
	c.want(409, "archived", c.org.Manager, "POST", path+"/publish", object{"version": now.Version})
}

// What is no public page is a page that says so.
func TestNoPageIsAPage(t *testing.T) {
	t.Parallel()
	c := open(t)
	_, p := c.kitchen(2)
	site := "/p/t-" + c.org.ID[:8]
	for _, path := range []string{"/p/nobody", "/p/nobody/nothing", site + "/oak-kitchen-leeds", "/p/%FF/x",
		site + "/photos/" + p.Images[0].ID + "-480.jpg", site + "/photos/x.jpg", site + "/a/b", site + "/Oak'--",
		"/p/",
		"/p/nobody/sitemap.xml"} {
		a := c.ask(visitor, "GET", path, nil)
		if a.status != 404 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") ||
			a.header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d %v %s", path, a.status, a.header, a.body)
		}
	}
	if a := c.ask(visitor, "POST", site+"/x", nil); a.status != http.StatusMethodNotAllowed ||
		a.header.Get("Allow") == "" {
		t.Errorf("a write: %d %v", a.status, a.header)
	}
}

// Photos are added once, shown at a width, ordered, described, taken out and brought
// back.
func TestPhotosOfAProject(t *testing.T) {
	t.Parallel()
	c := open(t)
	path, _ := c.begin(c.org.Manager, "Oak kitchen")
	uploads := c.photos(3)
	p := c.want(200, "", c.org.Manager, "POST", path+"/images", object{"uploads": uploads}).Project
	again := c.want(200, "", c.org.Manager, "POST", path+"/images", object{"uploads": uploads[:1]}).Project
	if len(p.Images) != 3 || len(again.Images) != 3 || p.Images[0].State != projects.Ready {
		t.Fatalf("it has %+v", again.Images)
	}
	p = c.want(200, "", c.org.Manager, "PATCH", path+"/images", object{"version": again.Version,
		"order": []string{p.Images[2].ID, p.Images[0].ID}, "hero": p.Images[1].ID,
		"photos": []object{{"id": p.Images[0].ID, "alt": "A door", "stage": "before"}}}).Project
	if hero, _ := p.Hero(); p.Images[0].ID != again.Images[2].ID || p.Images[1].Alt != "A door" ||
		p.Images[1].Stage != projects.Before || hero.ID != again.Images[1].ID {
		t.Errorf("arranged it is %+v", p.Images)
	}
	c.want(409, "changed", c.org.Manager, "PATCH", path+"/images", object{"version": 1, "hero": p.Images[0].ID})
	photo := path + "/images/" + p.Images[0].ID
	a := c.want(200, "", c.org.Viewer, "GET", photo+"?width=100", nil)
	if a.ExpiresIn < 30 || a.URL == "" {
		t.Errorf("it is at %s", a.body)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if content, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 200 ||
		!strings.HasPrefix(string(content), "\xff\xd8") {
		t.Errorf("there is %d %v", resp.StatusCode, err)
	}
	if a := c.ask(c.org.Viewer, "GET", photo+"?redirect=1", nil); a.status != 302 || a.header.Get("Location") == "" ||
		!strings.HasPrefix(a.header.Get("Cache-Control"), "private") {
		t.Errorf("it leads to %d %v", a.status, a.header)
	}
	c.want(400, "invalid", c.org.Viewer, "GET", photo+"?width=0", nil)
	none := path + "/images/" + strings.Repeat("a", 24)
	c.want(404, "photo_not_found", c.org.Viewer, "GET", none, nil)
	c.want(404, "photo_not_found", c.org.Manager, "DELETE", none, nil)
	c.want(403, "role_required", c.org.Viewer, "DELETE", photo, nil)
	if p := c.want(200, "", c.org.Manager, "DELETE", photo, nil).Project; len(p.Images) != 2 {
		t.Errorf("without one it is %+v", p.Images)
	}
	if p := c.want(200, "", c.org.Manager, "POST", path+"/undo", nil).Project; len(p.Images) != 3 {
		t.Errorf("with it again it is %+v", p.Images)
	}
	c.want(404, "no_such_file", c.org.Manager, "POST", path+"/images",
		object{"uploads": []string{strings.Repeat("b", 24)}})
	c.want(400, "invalid", c.org.Manager, "POST", path+"/images", object{"uploads": []string{}})
	c.want(403, "role_required", c.org.Viewer, "POST", path+"/images", object{"uploads": uploads})
}

// What people do by mistake, or on purpose: each is answered, and nothing is lost.
func TestBadInputOfAPage(t *testing.T) {
	t.Parallel()
	c := open(t)
	path, p := c.kitchen(3)

	// The same photo twice, and more photos than there may be.
	ids := []string{p.Images[0].ID, p.Images[0].ID}
	if now := c.want(200, "", c.org.Manager, "POST", path+"/images",
		object{"uploads": ids}).Project; len(now.Images) != 3 {
		t.Errorf("the same twice made %d photos", len(now.Images))
	}
	var many []string
	for i := range 40 {
		many = append(many, c.announce(fmt.Sprintf("Photo %d.jpg", i)))
	}
	c.want(409, "too_many_images", c.org.Manager, "POST", path+"/images", object{"uploads": many})
	for len(many) <= 200 {
		many = append(many, many[0])
	}
	c.want(409, "too_many_images", c.org.Manager, "POST", path+"/images", object{"uploads": many})

	// Without the photo at the top, the next one is there.
	hero, _ := p.Hero()
	p = c.want(200, "", c.org.Manager, "DELETE", path+"/images/"+hero.ID, nil).Project
	if now, ok := p.Hero(); !ok || now.ID == hero.ID || now.ID != p.Images[0].ID {
		t.Errorf("at the top is %+v", now)
	}
	for _, block := range p.Blocks {
		if slices.Contains(block.Items, hero.ID) {
			t.Errorf("a block still has it: %+v", block)
		}
	}

	// A photo that is being read.
	waiting := c.want(200, "", c.org.Manager, "POST", path+"/images", object{"uploads": many[:1]}).Project
	a := c.want(422, "not_publishable", c.org.Manager, "POST", path+"/publish", object{"version": waiting.Version})
	if len(failed(a.Report)) == 0 {
		t.Errorf("it is told %s", a.body)
	}
	c.want(404, "photo_not_found", c.org.Manager, "GET", path+"/images/"+many[0], nil)
	p = c.want(200, "", c.org.Manager, "DELETE", path+"/images/"+many[0], nil).Project

	// A title that is markup, and an address in a text.
	p = c.want(200, "", c.org.Manager, "PATCH", path, object{"version": p.Version,
		"title": "<script>alert(1)</script>", "description": p.Description +
			" Come and see it at 14 Rosewood Lane, Leeds."}).Project
	a = c.want(422, "not_publishable", c.org.Manager, "POST", path+"/publish", object{"version": p.Version})
	if !strings.Contains(a.body, "Rosewood") {
		t.Errorf("the private sentence is not named: %s", a.body)
	}
	p = c.want(200, "", c.org.Manager, "PATCH", path, object{"version": p.Version,
		"description": "A kitchen of solid oak with room for two people, and with cupboards up to the ceiling, made " +
			"to last."}).Project
	a = c.ask(c.org.Manager, "POST", path+"/publish", object{"version": p.Version})
	if a.status != 200 {
		t.Fatalf("it is not published: %d %q", a.status, failed(a.Report))
	}
	shown := c.ask(visitor, "GET", a.Project.URL, nil)
	if shown.status != 200 || strings.Contains(shown.body, "<script>") ||
		!strings.Contains(shown.body, "&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Errorf("the page is %d %s", shown.status, shown.body)
	}
	c.want(422, "too_long", c.org.Manager, "PATCH", path, object{"version": a.Project.Version,
		"title": strings.Repeat("x", 121)})
}

// Behind a host of its own a page names that host, whatever host a request asks.
func TestPagesHaveTheirOrigin(t *testing.T) {
	t.Parallel()
	c := open(t, "PAGES_URL", "https://www.example.com/")
	path, p := c.kitchen(2)
	p = c.want(200, "", c.org.Manager, "POST", path+"/publish", object{"version": p.Version}).Project
	shown := c.ask(visitor, "GET", p.URL, nil)
	for _, want := range []string{`<link rel="canonical" href="https://www.example.com` + p.URL + `"`,
		`content="https://www.example.com/p/`} {
		if !strings.Contains(shown.body, want) {
			t.Errorf("the page does not have %s: %s", want, shown.body)
		}
	}
	if strings.Contains(shown.body, "127.0.0.1") {
		t.Errorf("the page names the host that was asked: %s", shown.body)
	}
	for _, base := range []string{"www.example.com", "https://www.example.com/p", "ftp://example.com", "https://",
		"%"} {
		service := &boot.Service{Name: "projects", Now: time.Now, Log: zerolog.Nop(),
			Env: func(name string) (string, bool) { return base, name == "PAGES_URL" }}
		service.SupabaseURL, service.PublishableKey = localtest.Stack(t).URL(), "sb_publishable_x"
		service.ProofKeys = localtest.Stack(t).ProofKeys()
		cfg, err := core.New(service)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bootprojects.New(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "origin") {
			t.Errorf("%s: %v", base, err)
		}
	}
}
