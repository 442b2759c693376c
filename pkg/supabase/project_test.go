package supabase_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

func TestSomebodySignsInAndIsKnown(t *testing.T) {
	t.Parallel()
	c, s := project(t), localtest.Stack(t)
	if err := c.Health(t.Context()); err != nil {
		t.Error(err)
	}
	_, err := c.SignIn(t.Context(), "manager@sojourn.example", "wrong")
	isFault(t, err, fault.Unauthorized, "invalid_credentials")
	session, err := c.SignIn(t.Context(), "manager@sojourn.example", stack.DemoPassword)
	if err != nil {
		t.Fatal(err)
	}
	if session, err = c.Refresh(t.Context(), session.RefreshToken); err != nil || session.ExpiresIn != time.Hour {
		t.Fatalf("the session is %+v, %v", session, err)
	}
	v, err := supabase.NewVerifier(supabase.VerifierConfig{URL: s.URL()})
	if err != nil {
		t.Fatal(err)
	}
	claims, err := v.Verify(t.Context(), session.AccessToken)
	if err != nil || claims.UserID != session.UserID || claims.Email != "manager@sojourn.example" {
		t.Fatalf("the claims are %+v, %v", claims, err)
	}
	by, err := c.Whoami(t.Context(), session.AccessToken)
	if err != nil || by.UserID != claims.UserID || by.OrgID != claims.OrgID || by.Role != identity.Manager ||
		by.Name != "Milan Keystone" || by.Token != session.AccessToken {
		t.Errorf("whoami says %+v, %v", by, err)
	}
	if by, ok := by.Choose("", "property"); !ok || by.Entity.TimeZone != "Asia/Kolkata" ||
		by.Entity.Currency != "INR" {
		t.Errorf("the property is %+v", by.Entity)
	}
	// A membership that has ended ends at once, whatever the token says.
	org := localtest.NewOrg(t)
	localtest.SQL(t, `delete from public.memberships where org_id = $1 and user_id = $2`, org.ID, org.Viewer.ID)
	_, err = c.Whoami(t.Context(), identity.Secret(org.Viewer.Token))
	isFault(t, err, fault.Forbidden, "not_a_member")
	// A token of no one is refused by the project too.
	_, err = c.Whoami(t.Context(), identity.Secret(org.Viewer.Token[:len(org.Viewer.Token)-4]+"AAAA"))
	isFault(t, err, fault.Unauthorized, "")
}

// extra is enough of a row for these tests.
type extra struct {
	Code    string `json:"code"`
	Name    string `json:"name"`
	Version int    `json:"version"`
}

func addExtra(t *testing.T, c *supabase.Client, by identity.Caller, name string) extra {
	t.Helper()
	x, err := supabase.Insert[extra](t.Context(), c.As(by), "extras", "code,name,version",
		map[string]any{"org_id": by.OrgID, "entity_id": by.Entity.ID, "name": name, "price": 1})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func manager(t *testing.T, c *supabase.Client) identity.Caller {
	t.Helper()
	by, err := c.Whoami(t.Context(), identity.Secret(localtest.NewOrg(t).Manager.Token))
	if err != nil {
		t.Fatal(err)
	}
	by, _ = by.Choose("", "property")
	return by
}

// F-43: on the real dialect, values are what they are.
func TestConditionsMatchLiterally(t *testing.T) {
	t.Parallel()
	c := project(t)
	by := manager(t, c)
	odd := []string{`a,b`, `a"b`, `a\b`, `(x)`, `x,or=(name.eq.y)`, `null`, `true`, `50%`, `a_c`, `a*c`, `abc`, `{a}`,
		`Zoë`, `a.b:c`, ` padded `, `a&b=c`, `a+b`}
	for _, name := range odd {
		addExtra(t, c, by, name)
	}
	found := func(where supabase.Cond) []string {
		t.Helper()
		rows, err := supabase.Select[extra](t.Context(), c.As(by), supabase.Query{Table: "extras",
			Columns: "code,name,version", Where: []supabase.Cond{where}})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range rows {
			names = append(names, r.Name)
		}
		return names
	}
	for _, name := range odd {
		for how, where := range map[string]supabase.Cond{"eq": supabase.Eq("name", name),
			"in": supabase.In("name", []string{name, "absent"}), "contains": supabase.Contains("name", name)} {
			if got := found(where); len(got) != 1 || got[0] != name {
				t.Errorf("%s %q finds %q", how, name, got)
			}
		}
	}
	if got := found(supabase.In("name", odd)); len(got) != len(odd) {
		t.Errorf("all of them are %q", got)
	}
	if got := found(supabase.Not(supabase.In("name", odd[1:]))); len(got) != 1 || got[0] != odd[0] {
		t.Errorf("all but those are %q", got)
	}
	if got := found(supabase.In("name", []string{})); len(got) != 0 {
		t.Errorf("none of none is %q", got)
	}
	if got := found(supabase.Or(supabase.Eq("name", "a,b"), supabase.Eq("name", "abc"))); len(got) != 2 {
		t.Errorf("either of two is %q", got)
	}
}

func TestOneRowIsChangedOrNone(t *testing.T) {
	t.Parallel()
	c := project(t)
	by := manager(t, c)
	x := addExtra(t, c, by, "Kite Flying")
	addExtra(t, c, by, "Kite Making")
	q := func(where ...supabase.Cond) supabase.Query {
		return supabase.Query{Table: "extras", Columns: "code,name,version", Where: where}
	}
	_, err := supabase.Update[extra](t.Context(), c.As(by), q(supabase.Contains("name", "kite")),
		map[string]any{"price": 99})
	isFault(t, err, fault.NotFound, "")
	if n := len(localtest.SQL(t, `select from public.extras where org_id = $1 and price = 99`, by.OrgID)); n != 0 {
		t.Errorf("%d rows were changed", n)
	}
	y, err := supabase.Update[extra](t.Context(), c.As(by), q(supabase.Eq("code", x.Code), supabase.Version(1)),
		map[string]any{"name": "Kites"})
	if err != nil || y.Name != "Kites" || y.Version != 2 {
		t.Fatalf("got %+v, %v", y, err)
	}
	_, err = supabase.Update[extra](t.Context(), c.As(by), q(supabase.Eq("code", x.Code), supabase.Version(1)),
		map[string]any{"name": "Late"})
	isFault(t, err, fault.Conflict, "changed")
	if _, err = supabase.Delete[extra](t.Context(), c.As(by), q(supabase.Eq("code", x.Code),
		supabase.Version(2))); err != nil {
		t.Error(err)
	}
	_, err = supabase.One[extra](t.Context(), c.As(by), q(supabase.Eq("code", x.Code)))
	isFault(t, err, fault.NotFound, "")
	_, err = supabase.Insert[extra](t.Context(), c.As(by), "extras", "code,name,version",
		map[string]any{"org_id": by.OrgID, "entity_id": by.Entity.ID, "name": "Twin", "code": "KITE-MAKING",
			"price": 1})
	isFault(t, err, fault.Conflict, "duplicate")
}

// F-09 on the real database: the answer is cut off after the commit, and the
// write is found again by its claim.
func TestAWriteWhoseAnswerIsLostIsFound(t *testing.T) {
	t.Parallel()
	s := localtest.Stack(t)
	by := manager(t, project(t))
	cfg := localtest.Config(t, s)
	cfg.HTTP = wire(func(r *http.Request) (*http.Response, error) {
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err == nil && r.Method == http.MethodPost {
			resp.Body.Close()
			return nil, http.ErrServerClosed
		}
		return resp, err
	})
	c, err := supabase.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	claim := act
	claim.Proposal = ""
	x, err := supabase.Insert[extra](effect.With(t.Context(), claim), c.As(by), "extras", "code,name,version",
		map[string]any{"org_id": by.OrgID, "entity_id": by.Entity.ID, "name": "Kite Flying", "price": 1})
	if err != nil || x != (extra{"KITE-FLYING", "Kite Flying", 1}) {
		t.Errorf("got %+v, %v", x, err)
	}
	if n := len(localtest.SQL(t, `select from public.extras where org_id = $1`, by.OrgID)); n != 1 {
		t.Errorf("there are %d rows", n)
	}
}
