package projects_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// A project is made once for a key, read by members, changed by those who may.
func TestAProjectIsMadeReadAndChanged(t *testing.T) {
	t.Parallel()
	c := open(t)
	first := c.want(201, "", c.org.Manager, "POST", "/api/projects", object{"title": "Oak kitchen"},
		"Idempotency-Key", "k1")
	again := c.want(201, "", c.org.Manager, "POST", "/api/projects", nil, "Idempotency-Key", "k1")
	if again.Project.Code != first.Project.Code {
		t.Errorf("the same key made %s and %s", first.Project.Code, again.Project.Code)
	}
	path, other := c.begin(c.org.Admin, "")
	if other.Code == first.Project.Code || other.Status != projects.Draft || other.Phase != projects.Talking {
		t.Errorf("the other is %+v", other)
	}
	a := c.want(200, "", c.org.Viewer, "GET", path, nil)
	if a.header.Get("ETag") != fmt.Sprintf("%q", fmt.Sprint(other.Version)) || a.Project.Title != "" {
		t.Errorf("read it is %v %s", a.header, a.body)
	}
	if got := c.want(200, "", c.org.Viewer, "GET", "/api/projects", nil).Projects; len(got) != 2 {
		t.Errorf("listed are %+v", got)
	}
	a = c.want(200, "", c.org.Manager, "PATCH", path, object{
		"version": other.Version, "title": "<script>alert(1)</script>", "type": "kitchen renovation",
		"place":     object{"street": "14 Rosewood Lane", "city": "Leeds"},
		"story":     object{"problem": "The old one had no room."},
		"materials": []string{"oak", "brass"},
	})
	if p := a.Project; p.Title != "<script>alert(1)</script>" || p.Place.City != "Leeds" ||
		p.Version <= other.Version || a.header.Get("ETag") == "" || p.Story.Problem == "" {
		t.Errorf("changed it is %s", a.body)
	}
	for name, tc := range map[string]struct {
		status int
		code   string
		by     localtest.Person
		method string
		path   string
		body   any
	}{
		"a viewer":             {403, "role_required", c.org.Viewer, "PATCH", path, object{"version": 1}},
		"a viewer begins":      {403, "role_required", c.org.Viewer, "POST", "/api/projects", nil},
		"no version":           {400, "version_required", c.org.Manager, "PATCH", path, object{"title": "x"}},
		"a misspelt member":    {400, "invalid", c.org.Manager, "PATCH", path, object{"version": 1, "titel": "x"}},
		"no JSON":              {400, "invalid", c.org.Manager, "PATCH", path, "{"},
		"no such project":      {404, "project_not_found", c.org.Manager, "GET", "/api/projects/PRJ-NONE22", nil},
		"a code that is none":  {404, "project_not_found", c.org.Manager, "GET", "/api/projects/%FF", nil},
		"nobody":               {401, "unauthorized", localtest.Person{}, "GET", path, nil},
		"another method":       {405, "method_not_allowed", c.org.Manager, "PUT", path, nil},
		"nothing is there":     {404, "not_found", c.org.Manager, "GET", path + "/none", nil},
		"a long key":           {400, "invalid", c.org.Manager, "POST", "/api/projects", nil},
		"whether it is hidden": {400, "invalid", c.org.Manager, "POST", path + "/archive", object{}},
	} {
		var header []string
		if name == "a long key" {
			header = []string{"Idempotency-Key", strings.Repeat("k", 201)}
		}
		if a := c.ask(tc.by, tc.method, tc.path, tc.body, header...); a.status != tc.status || a.Code != tc.code {
			t.Errorf("%s: %d %q, want %d %q: %s", name, a.status, a.Code, tc.status, tc.code, a.body)
		}
	}
}

// Another organisation's project does not exist, by any method; neither does any for
// an organisation without the assistant.
func TestProjectsOfOthersDoNotExist(t *testing.T) {
	t.Parallel()
	c := open(t)
	path, p := c.begin(c.org.Manager, "Ours")
	other := localtest.NewOrg(t)
	requests := []struct {
		method, path string
		body         any
	}{
		{"GET", "", nil}, {"PATCH", "", object{"version": p.Version, "title": "Theirs"}}, {"POST", "/undo", nil},
		{"GET", "/versions", nil}, {"POST", "/images", object{"uploads": []string{strings.Repeat("a", 24)}}},
		{"PATCH", "/images", object{"hero": strings.Repeat("a", 24)}}, {"GET", "/images/" + strings.Repeat("a", 24),
			nil},
		{"DELETE", "/images/" + strings.Repeat("a", 24), nil},
		{"POST", "/publish", object{"version": p.Version}}, {"POST", "/publish?dry_run=1", nil},
		{"POST", "/unpublish", nil}, {"POST", "/archive", object{"archived": true}},
	}
	for _, r := range requests {
		c.want(404, "unknown_assistant", other.Admin, r.method, path+r.path, r.body)
	}
	c.want(404, "unknown_assistant", other.Admin, "GET", "/api/projects", nil)
	c.want(404, "unknown_assistant", other.Admin, "GET", "/api/business-profile", nil)
	c.want(404, "unknown_assistant", other.Admin, "PUT", "/api/business-profile", object{"name": "x"})
	localtest.Give(t, localtest.Stack(t), other.ID, "portfolio")
	for _, r := range requests {
		c.want(404, "project_not_found", other.Admin, r.method, path+r.path, r.body)
	}
	if got := c.want(200, "", other.Admin, "GET", "/api/projects", nil).Projects; len(got) != 0 {
		t.Errorf("listed are %+v", got)
	}
	if now := c.want(200, "", c.org.Viewer, "GET", path, nil).Project; now.Version != p.Version ||
		now.Title != "Ours" {
		t.Errorf("it became %+v", now)
	}
}

// S3-19: of two people who change the same version, the second hears what is there
// now, and nothing is lost.
func TestTheSecondOfTwoTabsIsTold(t *testing.T) {
	t.Parallel()
	c := open(t)
	path, p := c.begin(c.org.Manager, "First")
	seen := fmt.Sprintf("%q", fmt.Sprint(p.Version))
	c.want(200, "", c.org.Manager, "PATCH", path, object{"title": "Second"}, "If-Match", seen)
	a := c.want(409, "changed", c.org.Admin, "PATCH", path, object{"materials": []string{"oak"}}, "If-Match", seen)
	if a.Project.Title != "Second" || a.header.Get("ETag") == seen ||
		!strings.HasPrefix(a.header.Get("Content-Type"), "application/problem+json") {
		t.Errorf("the second is told %v %s", a.header, a.body)
	}
	c.want(200, "", c.org.Admin, "PATCH", path, object{"version": a.Project.Version, "materials": []string{"oak"}})
	c.want(400, "version_required", c.org.Admin, "PATCH", path, object{"version": 3, "title": "x"}, "If-Match", `"2"`)
	c.want(400, "version_required", c.org.Admin, "PATCH", path, object{"title": "x"}, "If-Match", "*")
}

// An undo leads back one change; with the version that was seen, once.
func TestAnUndoLeadsBack(t *testing.T) {
	t.Parallel()
	c := open(t)
	path, p := c.begin(c.org.Manager, "One")
	two := c.want(200, "", c.org.Manager, "PATCH", path, object{"version": p.Version, "title": "Two"}).Project
	three := c.want(200, "", c.org.Admin, "PATCH", path, object{"version": two.Version, "title": "Three"}).Project
	all := c.want(200, "", c.org.Viewer, "GET", path+"/versions", nil).Versions
	if len(all) != 2 || all[0].By != c.org.Admin.Name || !strings.Contains(all[0].What, "title") {
		t.Errorf("the versions are %+v", all)
	}
	back := c.want(200, "", c.org.Manager, "POST", path+"/undo", object{"version": three.Version}).Project
	if back.Title != "Two" {
		t.Errorf("it is %+v", back)
	}
	c.want(409, "changed", c.org.Manager, "POST", path+"/undo", object{"version": three.Version})
	if last := c.want(200, "", c.org.Manager, "POST", path+"/undo", nil).Project; last.Title != "One" {
		t.Errorf("it is %+v", last)
	}
	c.want(409, "nothing_to_undo", c.org.Manager, "POST", path+"/undo", nil)
	c.want(403, "role_required", c.org.Viewer, "POST", path+"/undo", nil)
}

// A project that is hidden comes back.
func TestAProjectIsArchived(t *testing.T) {
	t.Parallel()
	c := open(t)
	path, _ := c.begin(c.org.Manager, "One")
	p := c.want(200, "", c.org.Manager, "POST", path+"/archive", object{"archived": true}).Project
	if p.Status != projects.Archived {
		t.Errorf("it is %s", p.Status)
	}
	p = c.want(200, "", c.org.Manager, "POST", path+"/archive", object{"archived": false}).Project
	if p.Status != projects.Draft {
		t.Errorf("it is %s", p.Status)
	}
}

// S3-32: the profile of the business is saved as a whole, from the version that was seen.
func TestTheProfileIsSaved(t *testing.T) {
	t.Parallel()
	c := open(t)
	none := c.want(200, "", c.org.Viewer, "GET", "/api/business-profile", nil)
	if none.Profile.Version != 0 || none.header.Get("ETag") != `"0"` {
		t.Errorf("before it is saved it is %s", none.body)
	}
	site := "t-" + strings.ToLower(c.org.ID[:8])
	body := object{"site": site, "name": "Dale Joinery", "trade": "joiner", "city": "Leeds", "phone": "0113 496 0000",
		"whatsApp": "441134960000", "email": "hello@dalejoinery.example", "website": "https://dalejoinery.example",
		"about": "Two brothers and a bench."}
	saved := c.want(200, "", c.org.Manager, "PUT", "/api/business-profile", body, "If-Match", `"0"`).Profile
	if saved.Name != "Dale Joinery" || saved.Site != site || saved.Version < 1 {
		t.Errorf("saved is %+v", saved)
	}
	a := c.want(409, "changed", c.org.Admin, "PUT", "/api/business-profile", body)
	if a.Profile.Name != "Dale Joinery" || a.Profile.Version != saved.Version {
		t.Errorf("the second is told %s", a.body)
	}
	body["version"], body["about"] = saved.Version, ""
	if now := c.want(200, "", c.org.Admin, "PUT", "/api/business-profile", body).Profile; now.About != "" {
		t.Errorf("what was left out stayed: %+v", now)
	}
	c.want(403, "role_required", c.org.Viewer, "PUT", "/api/business-profile", body)
	other := localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), other.ID, "portfolio")
	body["version"] = 0
	c.want(409, "site_taken", other.Admin, "PUT", "/api/business-profile", body)
}

// Who asks too often is told when to come back.
func TestMembersHaveARate(t *testing.T) {
	t.Parallel()
	c := open(t, "RATE_PROJECTS_USER", "1")
	c.want(200, "", c.org.Manager, "GET", "/api/projects", nil)
	a := c.want(429, "user_rate_limited", c.org.Manager, "GET", "/api/projects", nil)
	if a.header.Get("Retry-After") == "" {
		t.Error("nothing is said of when to come back")
	}
	c.want(200, "", c.org.Admin, "GET", "/api/projects", nil)
}
