package users_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	userservice "github.com/bellhop-ai/bellhop/pkg/users"
)

// Whatever breaks, and wherever: afterwards the user is there as a whole or not
// at all, and asking again leads to a whole one.
func TestNobodyIsHalfMade(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		step, how string
		// left says that the account stays behind; it belongs to no one.
		left bool
		also string // another step that is broken, before it is sent
	}{
		"the look-up fails":       {step: "account_find", how: "before"},
		"the account is not made": {step: "POST /auth/v1/admin/users", how: "before"},
		"the account is made and nobody is told": {step: "POST /auth/v1/admin/users", how: "after",
			left: true},
		"the membership is not made": {step: "member_add", how: "before"},
		"the membership is not made, nor the mess wiped": {step: "member_add", how: "before",
			also: "DELETE /auth/v1/admin/users", left: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, org := open(t), localtest.NewOrg(t)
			email := address()
			body := `{"email":"` + email + `","name":"Mira","role":"manager","password":"open sesame 1"}`
			d.cut(func(r *http.Request) string {
				what := r.Method + " " + r.URL.Path
				switch {
				case strings.Contains(what, tt.step):
					return tt.how
				case tt.also != "" && strings.Contains(what, tt.also):
					return "before"
				}
				return ""
			})
			if status, a := d.call(t, "POST", "/api/users", org.Admin.Token, body); status < 500 {
				t.Fatalf("it went well: %d %s", status, a.raw)
			}
			d.cut(nil)
			if n := accounts(t, email); n != 0 != tt.left {
				t.Errorf("%d accounts are left", n)
			}
			if n := memberships(t, org); n != 3 {
				t.Errorf("%d members", n)
			}
			if tt.left {
				// What is left opens nothing.
				token, err := signIn(t, email, "open sesame 1")
				if err != nil {
					t.Fatal(err)
				}
				if status, who := d.me(t, token); status != 403 {
					t.Errorf("it opens %d %s", status, who.raw)
				}
			}
			d.want(t, 201, "", "POST", "/api/users", org.Admin.Token, body)
			if accounts(t, email) != 1 || memberships(t, org) != 4 {
				t.Errorf("then there are %d accounts and %d members", accounts(t, email), memberships(t, org))
			}
		})
	}
}

// The membership is made, but its answer is lost: the person is whole, and a
// machine, whose key no one will ever see, is gone.
func TestALostAnswerLeavesNoKey(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	d.cut(func(r *http.Request) string {
		if strings.HasSuffix(r.URL.Path, "member_add") {
			return "after"
		}
		return ""
	})
	email := address()
	for body, members := range map[string]int{`{"email":"` + email + `"}`: 4, `{"kind":"machine","name":"Till"}`: 3} {
		localtest.SQL(t, `delete from public.memberships where org_id = $1 and user_id not in ($2, $3, $4)`, org.ID,
			org.Admin.ID, org.Manager.ID, org.Viewer.ID)
		if status, a := d.call(t, "POST", "/api/users", org.Admin.Token, body); status < 500 {
			t.Errorf("%s went well: %d %s", body, status, a.raw)
		}
		if n := memberships(t, org); n != members {
			t.Errorf("after %s there are %d members", body, n)
		}
	}
	if n := len(localtest.SQL(t, `select from auth.users where raw_app_meta_data ->> 'bellhop_org' = $1 and email
		like 'm-%'`, org.ID)); n != 0 {
		t.Errorf("%d machines are left", n)
	}
}

// Deleting begins with what counts, and doing it again finishes it.
func TestADeletedUserIsOutAtOnce(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	a := d.want(t, 201, "", "POST", "/api/users", org.Admin.Token, `{"kind":"machine","name":"Till"}`)
	token := d.want(t, 200, "", "POST", "/api/users/token", "", `{"key":"`+a.APIKey+`"}`).AccessToken
	d.cut(func(r *http.Request) string {
		if r.Method == "DELETE" {
			return "before"
		}
		return ""
	})
	d.want(t, 503, "account_left", "DELETE", "/api/users/"+a.User.ID, org.Admin.Token, "")
	if status, who := d.me(t, token); status != 403 {
		t.Errorf("its session gets %d %s", status, who.raw)
	}
	d.want(t, 401, "bad_key", "POST", "/api/users/token", "", `{"key":"`+a.APIKey+`"}`)
	d.cut(nil)
	d.want(t, 204, "", "DELETE", "/api/users/"+a.User.ID, org.Admin.Token, "")
	if n := len(localtest.SQL(t, `select from auth.users where id = $1`, a.User.ID)); n != 0 {
		t.Error("its account is left")
	}
}

// S2-64: adding a user of another organisation tells nothing of it, takes
// nothing from it, and deleting them again leaves their account alone.
func TestSomebodyOfAnotherOrganisationIsAdded(t *testing.T) {
	t.Parallel()
	d, ours, theirs := open(t), localtest.NewOrg(t), localtest.NewOrg(t)
	body := func(email string) string {
		return `{"email":"` + email + `","name":"Guest","role":"admin","password":"open sesame 1"}`
	}
	known := d.want(t, 201, "", "POST", "/api/users", ours.Admin.Token, body(theirs.Manager.Email))
	fresh := d.want(t, 201, "", "POST", "/api/users", ours.Admin.Token, body(address()))
	mask := func(a answer) string {
		text := strings.Replace(a.raw, `"`+a.User.ID+`"`, "ID", 1)
		text = strings.Replace(text, `"`+a.User.Email+`"`, "EMAIL", 1)
		return regexp.MustCompile(`"createdAt":"[^"]+"`).ReplaceAllString(text, "AT")
	}
	if mask(known) != mask(fresh) {
		t.Errorf("the answers differ:\n%s\n%s", mask(known), mask(fresh))
	}
	// Her password and her place in her own organisation are what they were.
	if _, err := signIn(t, theirs.Manager.Email, "open sesame 1"); err == nil {
		t.Error("a stranger set her password")
	}
	if status, who := d.me(t, localtest.Token(t, theirs.Manager.Email)); status != 200 || who.Role != "manager" ||
		who.OrgName != theirs.Name {
		t.Errorf("she is now %d %s", status, who.raw)
	}
	// She chooses when to come over, and may go back.
	list := d.want(t, 200, "", "GET", "/api/users/me/orgs", theirs.Manager.Token, "").Orgs
	for _, o := range list {
		if o.Current != (o.Slug == theirs.Slug) || (o.Role == "admin") != (o.Slug == ours.Slug) {
			t.Errorf("%+v", o)
		}
	}
	if len(list) != 2 {
		t.Fatalf("she belongs to %+v", list)
	}
	for _, org := range []localtest.Org{ours, theirs, ours} {
		d.want(t, 204, "", "PUT", "/api/users/me/org", theirs.Manager.Token, `{"org":"`+org.Slug+`"}`)
		if status, who := d.me(t, localtest.Token(t, theirs.Manager.Email)); status != 200 || who.OrgName != org.Name {
			t.Errorf("after choosing %s: %d %s", org.Name, status, who.raw)
		}
	}
	d.want(t, 404, "unknown_org", "PUT", "/api/users/me/org", ours.Viewer.Token, `{"org":"`+theirs.Slug+`"}`)
	d.want(t, 401, "unauthorized", "PUT", "/api/users/me/org", "", `{"org":"`+theirs.Slug+`"}`)
	d.want(t, 204, "", "DELETE", "/api/users/"+known.User.ID, ours.Admin.Token, "")
	// Her tokens name an organisation that she has left: she is let in nowhere but here.
	stray := localtest.Token(t, theirs.Manager.Email)
	if status, _ := d.me(t, stray); status != 403 {
		t.Errorf("deleted there, she gets %d", status)
	}
	d.want(t, 204, "", "PUT", "/api/users/me/org", stray, `{"org":"`+theirs.Slug+`"}`)
	if accounts(t, theirs.Manager.Email) != 1 {
		t.Error("her account is gone")
	}
	if status, _ := d.me(t, theirs.Manager.Token); status != 200 {
		t.Errorf("she is out: %d", status)
	}
	// No one learns by another address either whether it is known.
	users := d.want(t, 200, "", "GET", "/api/users", ours.Admin.Token, "").Users
	if slices.ContainsFunc(users, func(u userservice.User) bool { return u.Email == theirs.Manager.Email }) {
		t.Errorf("the list is %+v", users)
	}
}

// Several administrators, of two organisations, add one address at the same
// moment: there is one account, a member of both, and each organisation hears
// once that it was added.
func TestOneAddressIsAddedManyTimesAtOnce(t *testing.T) {
	t.Parallel()
	d, orgs := open(t), []localtest.Org{localtest.NewOrg(t), localtest.NewOrg(t)}
	for range 3 {
		email := address()
		statuses := make([][]int, len(orgs))
		var mu sync.Mutex
		var wg sync.WaitGroup
		for i, org := range orgs {
			for range 4 {
				wg.Go(func() {
					status, _ := d.call(t, "POST", "/api/users", org.Admin.Token, `{"email":"`+email+`"}`)
					mu.Lock()
					defer mu.Unlock()
					statuses[i] = append(statuses[i], status)
				})
			}
		}
		wg.Wait()
		for i, org := range orgs {
			slices.Sort(statuses[i])
			if !slices.Equal(statuses[i], []int{201, 409, 409, 409}) {
				t.Errorf("organisation %d hears %v", i, statuses[i])
			}
			n := len(localtest.SQL(t, `select from public.memberships m join auth.users u on u.id = m.user_id where
				m.org_id = $1 and u.email = $2`, org.ID, email))
			if n != 1 {
				t.Errorf("organisation %d has it %d times", i, n)
			}
		}
		if n := accounts(t, email); n != 1 {
			t.Errorf("there are %d accounts", n)
		}
	}
}

// No one waits in an account with another user's address for what others will
// give it: without a password it opens by its owner's mail alone.
func TestNobodyKnowsANewPersonsPassword(t *testing.T) {
	t.Parallel()
	d, org := openWith(t, false), localtest.NewOrg(t)
	email := address()
	d.want(t, 422, "password_by_mail", "POST", "/api/users", org.Admin.Token, `{"email":"`+email+
		`","password":"open sesame 1"}`)
	if accounts(t, email) != 0 {
		t.Error("the account was made all the same")
	}
	d.want(t, 201, "", "POST", "/api/users", org.Admin.Token, `{"email":"`+email+`"}`)
	if _, err := signIn(t, email, "open sesame 1"); err == nil {
		t.Error("the refused password opens it")
	}
}

// An account that belongs to no one, such as one made in the dashboard, is
// used, and not deleted by a caller who used it.
func TestAnAccountWithoutAnOrganisationIsUsed(t *testing.T) {
	t.Parallel()
	d, org := open(t), localtest.NewOrg(t)
	p := localtest.NewPerson(t, localtest.Stack(t), uuid.NewString(), "", "Drift")
	a := d.want(t, 201, "", "POST", "/api/users", org.Admin.Token, `{"email":"`+p.Email+`"}`)
	if a.User.ID != p.ID {
		t.Errorf("made %s for %s", a.raw, p.ID)
	}
	if status, who := d.me(t, localtest.Token(t, p.Email)); status != 200 || who.OrgName != org.Name {
		t.Errorf("after signing in again: %d %s", status, who.raw)
	}
	d.want(t, 204, "", "DELETE", "/api/users/"+p.ID, org.Admin.Token, "")
	if accounts(t, p.Email) != 1 {
		t.Error("an account that was there before is gone")
	}
}

func memberships(t *testing.T, org localtest.Org) int {
	t.Helper()
	return len(localtest.SQL(t, `select from public.memberships where org_id = $1`, org.ID))
}
