package travel_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
)

// S1-31: administrators and managers define tools and try them out; one that changes
// something is shown and not called. Another organisation does not know of them.
func TestAnOrganisationDefinesTools(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		_, _ = w.Write([]byte(`{"visa":"none","asked":"` + r.URL.Path + `","token":"` + r.Header.Get("Authorization") +
			`"}`))
	}))
	t.Cleanup(server.Close)
	c := open(t)
	const at = "/api/custom-tools"
	form := object{"name": "visa_rules", "description": "Says which visa somebody needs for a country.",
		"method":  "get",
		"address": server.URL + "/v1/{country}", "effect": "reads", "schema": object{"type": "object",
			"properties": object{"country": object{"type": "string"}}, "required": []string{"country"}}}
	c.want(403, "role_required", c.org.Viewer, "POST", at, form)
	c.want(403, "role_required", c.org.Viewer, "GET", at, nil)
	a := c.want(201, "", c.org.Manager, "POST", at, form)
	if a.Tool.Method != "GET" || !a.Tool.Enabled || a.header.Get("Location") != at+"/visa_rules" {
		t.Errorf("defined: %s", a.body)
	}
	c.want(409, "name_taken", c.org.Admin, "POST", at, form)
	tried := c.want(200, "", c.org.Manager, "POST", at+"/visa_rules/try", object{"arguments": object{"country": "PT"}})
	if !strings.Contains(tried.body, `"asked":"/v1/PT"`) || !strings.Contains(tried.body, `"sent":true`) {
		t.Errorf("tried: %s", tried.body)
	}
	form["method"], form["effect"], form["secret"] = "POST", "changes", "DESK"
	c.want(400, "version_required", c.org.Admin, "PUT", at+"/visa_rules", form)
	c.want(200, "", c.org.Admin, "PUT", at+"/visa_rules", form, "If-Match", a.header.Get("ETag"))
	c.want(409, "changed", c.org.Admin, "PUT", at+"/visa_rules", form, "If-Match", a.header.Get("ETag"))
	tried = c.want(200, "", c.org.Manager, "POST", at+"/visa_rules/try", object{"arguments": object{"country": "PT"}})
	if !strings.Contains(tried.body, `"sent":false`) || calls.Load() != 1 {
		t.Errorf("a tool that changes something was called: %d, %s", calls.Load(), tried.body)
	}
	bad := c.want(422, "bad_fields", c.org.Admin, "POST", at,
		object{"name": "x", "description": "What it does is unclear.",
			"method": "GET", "address": "https://169.254.169.254/latest", "schema": object{"type": "object"},
			"effect": "reads"})
	if len(bad.Fields) != 2 {
		t.Errorf("refused: %s", bad.body)
	}

	other := localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), other.ID, "travel")
	if all := c.want(200, "", other.Admin, "GET", at, nil); len(all.Tools) != 0 {
		t.Errorf("another organisation sees %s", all.body)
	}
	c.want(404, "unknown_tool", other.Admin, "GET", at+"/visa_rules", nil)
	c.want(404, "unknown_tool", other.Admin, "DELETE", at+"/visa_rules", nil)
	if all := c.want(200, "", c.org.Admin, "GET", at, nil); len(all.Tools) != 1 {
		t.Errorf("tools: %s", all.body)
	}
	c.want(204, "", c.org.Manager, "DELETE", at+"/visa_rules", nil)
	c.want(404, "unknown_tool", c.org.Manager, "GET", at+"/visa_rules", nil)
}
