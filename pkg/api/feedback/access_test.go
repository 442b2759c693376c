package feedback_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
)

// Who rates or lists too often is told when to come back, and others are not.
func TestTheDoorHasARate(t *testing.T) {
	t.Parallel()
	d, org := openWith(t, time.Now, 2), localtest.NewOrg(t)
	c := d.exchange(t, org, org.Manager, "Which rooms are free?", "All of them.")
	d.rate(t, org.Manager, 200, c.body("up"))
	d.list(t, org.Manager, "")
	if code := d.rate(t, org.Manager, 429, c.body("down")); code != "user_rate_limited" {
		t.Errorf("the code is %s", code)
	}
	if _, head, _ := d.call(t, "GET", "/api/feedback", org.Manager.Token, "", nil); head.Get("Retry-After") == "" {
		t.Error("nothing is said of when to come back")
	}
	if got := rows(t, org, "rating"); got != "up" {
		t.Errorf("kept is %s", got)
	}
	d.list(t, org.Admin, "")
}

// No one but the functions writes the table, whatever their role; and what they
// write is the caller's own.
func TestNobodyWritesTheTable(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	d.rate(t, org.Viewer, 200, d.exchange(t, org, org.Viewer, "Which rooms are free?", "All of them.").body("down"))
	url := localtest.Stack(t).URL() + "/rest/v1/"
	ask := func(p localtest.Person, method, path, body string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{"Authorization": "Bearer " + p.Token,
			"apikey": localtest.Stack(t).Keys().Publishable, "Content-Type": "application/json"} {
			r.Header.Set(k, v)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var b bytes.Buffer
		if _, err := b.ReadFrom(resp.Body); err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, b.String()
	}
	for _, p := range []localtest.Person{org.Viewer, org.Admin} {
		for method, body := range map[string]string{"PATCH": `{"answer":"x"}`, "DELETE": "", "POST": `{"org_id":"` +
			org.ID + `","user_id":"` + p.ID + `"}`} {
			if status, got := ask(p, method, "feedback_log?org_id=eq."+org.ID, body); status != http.StatusForbidden {
				t.Errorf("%s by %s: %d %s", method, p.Role, status, got)
			}
		}
	}
	for p, want := range map[localtest.Person]int{org.Viewer: 1, org.Manager: 0, org.Admin: 1,
		localtest.NewOrg(t).Admin: 0} {
		if _, got := ask(p, "GET", "feedback_log?select=rating", ""); strings.Count(got, "rating") != want {
			t.Errorf("%s reads %s, want %d rows", p.Name, got, want)
		}
	}
	// F-66: a member's own token writes no sign, whatever weight it names.
	status, got := ask(org.Manager, "POST", "rpc/feedback_notice", `{"p":{"message":"`+strings.Repeat("a", 64)+
		`","signal":"action","weight":100,"assistant":"hospitality","agent":"","thread":"","question":"",`+
		`"answer":"","tools":[],"answeredAt":"2026-01-01"}}`)
	if status != http.StatusForbidden {
		t.Errorf("a weight of one's own: %d %s", status, got)
	}
	if n := len(localtest.SQL(t, `select from public.feedback_log where org_id = $1`, org.ID)); n != 1 {
		t.Errorf("%d rows", n)
	}
}
