package feedback_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

var addresses = regexp.MustCompile(`p-[0-9a-f-]{36}@test\.example`)

type listed struct {
	Feedback []struct {
		At, Question, Answer, Comment, Label, Source, Rating, Signal, Reason, Path, Model string
		Weight                                                                            int
		Person                                                                            struct{ Name, Email string }
		Tools                                                                             []struct {
			Name string
			OK   bool
		}
	}
	Next   *string
	Totals *struct {
		Up, Down, Rephrase, FollowUp, Action, Score int
		Agents                                      []struct {
			Agent, Label    string
			Up, Down, Score int
		}
	}
}

func (l listed) questions() string {
	var list []string
	for _, f := range l.Feedback {
		list = append(list, f.Question)
	}
	return strings.Join(list, " ")
}

func (d door) list(t *testing.T, p localtest.Person, query string) listed {
	t.Helper()
	status, _, raw := d.call(t, "GET", "/api/feedback?"+query, p.Token, "", nil)
	var l listed
	if err := json.Unmarshal(raw, &l); err != nil || status != http.StatusOK {
		t.Fatalf("%s: status %d: %s (%v)", query, status, raw, err)
	}
	// The addresses of these people hold ids, which are none of ours to hide.
	if found := uuids.Find(addresses.ReplaceAll(raw, nil)); found != nil {
		t.Errorf("%s: %s is an id", query, found)
	}
	return l
}

// put writes entries whose question is a letter, one a day, the last one today.
func put(t *testing.T, org localtest.Org, p localtest.Person, letters string, more ...string) {
	t.Helper()
	set := map[string]string{"source": "'explicit'", "rating": "'up'", "weight": "3", "agent": "'inventory'",
		"assistant": "'hospitality'", "answer": "'All of them.'", "thread": "''", "tools": "'[]'",
		"created_at": "now() - $4::int * interval '1 day'"}
	for i := 0; i+1 < len(more); i += 2 {
		set[more[i]] = more[i+1]
	}
	var columns, values []string
	for column, value := range set {
		columns, values = append(columns, column), append(values, value)
	}
	for i, letter := range letters {
		localtest.SQL(t, `insert into public.feedback_log (org_id, user_id, question, message, answered_at, `+
			strings.Join(columns, ", ")+`)
			values ($1, $2, $3::text, encode(sha256(convert_to($3::text || gen_random_uuid()::text || $4::int, 'UTF8')), 'hex'), now(), `+strings.Join(values, ", ")+`)`,
			org.ID, p.ID, string(letter), len(letters)-1-i)
	}
}

// S2-63: administrators read their organisation's, everybody else their own, and
// find what they look for.
func TestFeedbackIsFound(t *testing.T) {
	t.Parallel()
	d, org, others := open(t), localtest.NewOrg(t), localtest.NewOrg(t)
	put(t, org, org.Manager, "A", "comment", "'100% right_'", "path", "'llm'", "model", "'gpt-4o-mini'", "tools",
		`'[{"name":"list_rooms","ok":true}]'`)
	put(t, org, org.Viewer, "B", "rating", "'down'", "weight", "-3", "reason", "'slow'", "agent", "'pricing'",
		"answer", "'₹1,200 for MOSS'")
	put(t, org, org.Viewer, "C", "source", "'implicit'", "rating", "null", "signal", "'rephrase'", "weight", "-1",
		"agent", "''")
	put(t, org, org.Admin, "D", "source", "'implicit'", "rating", "null", "signal", "'action'", "weight", "2")
	put(t, org, org.Admin, "E", "source", "'implicit'", "rating", "null", "signal", "'follow_up'", "weight", "1",
		"agent", "'gone'")
	put(t, others, others.Admin, "F")
	for query, want := range map[string]string{
		"": "E D C B A", "rating=up": "A", "rating=down": "B", "reason=slow": "B", "reason=wrong": "",
		"source=explicit": "B A", "source=implicit": "E D C", "signal=action": "D",
		"assistant=hospitality&agent=pricing": "B", "assistant=finance": "", "agent=inventory": "D A",
		"user=vera": "C B", "user=ada+testwright": "E D", "user=" +
			url.QueryEscape(strings.ToUpper(org.Manager.Email)): "A", "user=nobody": "", "user=%25": "",
		"text=moss": "B", "text=" + url.QueryEscape("₹1,200"): "B", "text=" + url.QueryEscape("100% RIGHT_"): "A",
		"text=_": "A", "text=%25": "A", "text=all+of": "E D C A",
		"text=" + url.QueryEscape(`x,or=(1.eq.1)'"--`): "", "rating=down&user=vera&text=moss": "B",
		"user=vera&rating=up": "",
	} {
		if got := d.list(t, org.Admin, query).questions(); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	for name, tc := range map[string]struct {
		by         localtest.Person
		query      string
		want       string
		up, down   int
		agentsSeen int
	}{
		"a manager sees what is theirs":            {org.Manager, "", "A", 1, 0, 1},
		"a viewer, too":                            {org.Viewer, "", "C B", 0, 1, 2},
		"and nothing of others by name":            {org.Viewer, "user=max", "", 0, 0, 0},
		"the other organisation sees its own":      {others.Admin, "", "F", 1, 0, 1},
		"its manager has said nothing":             {others.Manager, "", "", 0, 0, 0},
		"an administrator counts what is filtered": {org.Admin, "source=explicit", "B A", 1, 1, 2},
	} {
		l := d.list(t, tc.by, tc.query)
		if l.questions() != tc.want || l.Totals.Up != tc.up || l.Totals.Down != tc.down ||
			len(l.Totals.Agents) != tc.agentsSeen || l.Next != nil {
			t.Errorf("%s: %+v %+v", name, l.Feedback, l.Totals)
		}
	}
	all := d.list(t, org.Admin, "")
	if s := *all.Totals; s.Up != 1 || s.Down != 1 || s.Rephrase != 1 || s.FollowUp != 1 || s.Action != 1 ||
		s.Score != 2 {
		t.Errorf("the totals are %+v", s)
	}
	labels := ""
	for _, a := range all.Totals.Agents {
		labels += fmt.Sprintf("%s %d/%d %d, ", a.Label, a.Up, a.Down, a.Score)
	}
	if labels != "Bernard 0/0 -1, gone 0/0 1, Inventory Agent 1/0 5, Pricing Agent 0/1 -3, " {
		t.Errorf("by agent: %s", labels)
	}
	a := all.Feedback[4]
	if a.Person.Name != "Max Testwright" || a.Person.Email != org.Manager.Email || a.Comment != "100% right_" ||
		len(a.Tools) != 1 || !a.Tools[0].OK || a.Path != "llm" || !strings.HasSuffix(a.At, "+05:30") {
		t.Errorf("the entry is %+v", a)
	}
	// Whoever has left keeps their words and loses their name.
	localtest.SQL(t, `delete from public.memberships where org_id = $1 and user_id = $2`, org.ID, org.Manager.ID)
	if a := d.list(t, org.Admin, "rating=up").Feedback[0]; a.Person.Name != "" || a.Person.Email != "" ||
		a.Question != "A" {
		t.Errorf("the entry of somebody who left is %+v", a)
	}
	if status, _, _ := d.call(t, "GET", "/api/feedback", org.Manager.Token, "", nil); status != http.StatusForbidden {
		t.Errorf("who has left is answered %d", status)
	}
	for query, code := range map[string]string{
		"rating=none": "unknown_rating", "reason=ugly": "unknown_reason", "source=rumour": "unknown_source",
		"signal=smile": "unknown_signal",
		"limit=0":      "invalid", "limit=201": "invalid", "limit=x": "invalid", "from=yesterday": "invalid",
		"to=2026-02-30": "invalid",
		"cursor=x":      "bad_cursor", "cursor=MjAyNg": "bad_cursor", "text=" + strings.Repeat("x", 201): "invalid",
		"user=%00": "invalid", "user=%ff": "invalid",
	} {
		status, _, raw := d.call(t, "GET", "/api/feedback?"+query, org.Admin.Token, "", nil)
		var p httpx.Problem
		if err := json.Unmarshal(raw, &p); err != nil || status != http.StatusBadRequest || p.Code != code {
			t.Errorf("%s: status %d, %s", query, status, raw)
		}
	}
}

// Days are those of the property, both ends included. In Kolkata it is half past
// midnight of the 2nd when in Greenwich it is seven in the evening of the 1st.
func TestDaysAreThoseOfTheProperty(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	for question, at := range map[string]string{"A": "2026-03-01T18:29:59Z", "B": "2026-03-01T18:30:00Z",
		"C": "2026-03-02T18:29:59Z", "D": "2026-03-02T18:30:00Z"} {
		put(t, org, org.Viewer, question, "created_at", "'"+at+"'")
	}
	for query, want := range map[string]string{"from=2026-03-02&to=2026-03-02": "C B", "from=2026-03-02": "D C B",
		"to=2026-03-01": "A", "from=2026-03-03&to=2026-03-01": ""} {
		if got := d.list(t, org.Admin, query).questions(); got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
}

// Pages stay what they are while new entries arrive and old ones are taken back,
// also among entries of one moment.
func TestPagesAreStable(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	put(t, org, org.Viewer, "ABCDEF")
	localtest.SQL(t, `insert into public.feedback_log (org_id, user_id, message, source, rating, weight, assistant,
		agent, thread, question, answer, tools, answered_at, created_at)
		select $1, $2, encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), 'explicit', 'up', 3, 'hospitality', '',
			'', 'x', '', '[]', now(), now() - interval '30 days' from generate_series(1, 5) n`, org.ID, org.Viewer.ID)
	var pages []string
	seen, cursor := 0, ""
	for {
		l := d.list(t, org.Admin, "limit=2&cursor="+url.QueryEscape(cursor))
		if (l.Totals != nil) != (cursor == "") {
			t.Errorf("totals are on the wrong page")
		}
		pages = append(pages, l.questions())
		seen += len(l.Feedback)
		if l.Next == nil {
			break
		}
		cursor = *l.Next
		put(t, org, org.Viewer, "N")
		// The entry that the cursor names is gone when the page is asked for.
		if len(pages) == 2 {
			localtest.SQL(t, `delete from public.feedback_log where org_id = $1 and question = 'C'`, org.ID)
		}
	}
	if got := strings.Join(pages, ", "); got != "F E, D C, B A, x x, x x, x" || seen != 11 {
		t.Errorf("the pages are %q", got)
	}
}

// S2-63, F-52: the list as a file, in which nothing is a formula.
func TestFeedbackIsAFile(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	hostile := []string{"=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2+3", "\t=1", "＝1", `"),"=1`, "a;b\tc\nd",
		"\u202egnp.exe", "<script>alert(1)</script>", "plain"}
	for i, comment := range hostile {
		c := d.exchange(t, org, org.Viewer, comment, fmt.Sprint("Answer ", i))
		d.rate(t, org.Viewer, 200, c.body("down", "comment", comment))
	}
	for range 200 {
		put(t, org, org.Viewer, "x")
	}
	status, head, raw := d.call(t, "GET", "/api/feedback?limit=1&cursor=", org.Admin.Token, "text/csv", nil)
	if status != 200 || head.Get("Content-Type") != "text/csv; charset=utf-8" ||
		head.Get("Cache-Control") != "no-store" || head.Get("X-Content-Type-Options") != "nosniff" ||
		!regexp.MustCompile(`^attachment; filename="feedback-\d{4}-\d\d-\d\d\.csv"$`).MatchString(head.Get("Content-Disposition")) || !slices.Contains(head.Values("Vary"), "Accept") {
		t.Fatalf("status %d, %v: %s", status, head, raw[:min(300, len(raw))])
	}
	records, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(raw), "\ufeff"))).ReadAll()
	if err != nil || len(records) != 1+len(hostile)+200 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	if want := "When,Person,E-mail,Assistant,Agent,Source,Rating,Reason,Comment,Signal,Weight,Question,Answer,Tools," +
		"Path,Model"; strings.Join(records[0], ",") != want {
		t.Errorf("the head is %q", records[0])
	}
	said := map[string]bool{}
	for _, r := range records[1:] {
		said[r[8]] = true
		for i, field := range r {
			if field == "-3" && i == 10 {
				continue
			}
			if strings.IndexAny(field, "=+-@\t\r\n") == 0 || strings.HasPrefix(field, "＝") {
				t.Errorf("%q begins like a formula", field)
			}
		}
	}
	// A leading blank is no part of what was said.
	for _, want := range []string{"'=1+1", "'+cmd|' /C calc'!A0", "'@SUM(A1)", "'-2+3", "'＝1", `"),"=1`, "a;b\tc\nd",
		"\u202egnp.exe", "<script>alert(1)</script>", "plain"} {
		if !said[want] {
			t.Errorf("%q is not in the file", want)
		}
	}
	if found := uuids.FindAll(addresses.ReplaceAll(raw, nil), -1); found != nil {
		t.Errorf("ids are in the file: %s", found[0])
	}
	if tools := records[len(records)-1][13]; tools != "list_rooms, list_extras (failed)" {
		t.Errorf("the tools are %q", tools)
	}
	// A viewer's file has what is the viewer's; a manager has said nothing.
	_, _, raw = d.call(t, "GET", "/api/feedback", org.Manager.Token, "text/csv", nil)
	if n := strings.Count(string(raw), "\r\n"); n != 1 {
		t.Errorf("the manager's file has %d lines", n)
	}
	localtest.SQL(t, `insert into public.feedback_log (org_id, user_id, message, source, rating, weight, assistant,
		agent, thread, question, answer, tools, answered_at)
		select $1, $2, encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), 'explicit', 'up', 3, 'hospitality', '',
			'', 'x', '', '[]', now() from generate_series(1, 5000) n`, org.ID, org.Viewer.ID)
	status, head, raw = d.call(t, "GET", "/api/feedback", org.Admin.Token, "text/csv", nil)
	var p httpx.Problem
	if err := json.Unmarshal(raw, &p); err != nil || status != http.StatusRequestEntityTooLarge ||
		p.Limit != "feedback_entries" || head.Get("Content-Disposition") != "" {
		t.Errorf("too long a file: status %d, %s", status, raw[:min(300, len(raw))])
	}
}

// What people type is kept as they typed it, and hurts no one.
func TestHostileCommentsAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	for typed, stored := range map[string]string{
		"<img src=x onerror=alert(1)>": "", "'; drop table feedback_log; --": "", "\u202eesrever": "",
		"e\u0301 and \u00e9": "", "👩‍👩‍👧 \u200b": "👩‍👩‍👧 \u200b",
		"a\x00b\x07c": "abc", "line\r\nline\tend": "line\nline\tend", "  blanks  ": "blanks",
		strings.Repeat("ल", 2000): "", `{"a":"\u0000"}`: "", "\\ % _ * ( ) , .": "",
		"lone \xff byte": "lone \ufffd byte",
	} {
		want := stored
		if want == "" {
			want = typed
		}
		said := strings.ToValidUTF8(typed, "")
		c := d.exchange(t, org, org.Viewer, "Which rooms are free?"+said, "All of them.\x00"+said)
		d.rate(t, org.Viewer, 200, c.body("down", "comment", typed))
		l := d.list(t, org.Admin, "limit=1")
		if got := l.Feedback[0].Comment; got != want {
			t.Errorf("%q is kept as %q", typed, got)
		}
	}
	// Long questions and answers are cut between letters, and say so.
	c := d.exchange(t, org, org.Viewer, strings.Repeat("क", 3000), strings.Repeat("ख", 9000))
	d.rate(t, org.Viewer, 200, c.body("up"))
	f := d.list(t, org.Admin, "limit=1").Feedback[0]
	if len([]rune(f.Question)) != 2000 || len([]rune(f.Answer)) != 4000 || !strings.HasSuffix(f.Question, "क …") ||
		!strings.HasSuffix(f.Answer, "ख …") {
		t.Errorf("kept are %d and %d letters", len([]rune(f.Question)), len([]rune(f.Answer)))
	}
}
