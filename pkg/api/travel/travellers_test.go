package travel_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// What is planted in a profile, and searched for wherever it must not be.
const (
	passport = "Z9173562"
	given    = "Meenakshi"
	family   = "Oberoi"
	born     = "1984-03-19"
	email    = "meenakshi.oberoi@example.com"
	phone    = "+447700900817"
)

func profile() object {
	return object{"self": true, "title": "Ms", "gender": "f", "givenName": " " + given, "familyName": family,
		"bornOn": born, "email": email, "phone": "+44 (0)7700 900-817",
		"passport": object{"number": "z 917-3562", "country": "in", "expires": "2031-05-20"}}
}

func caller(p localtest.Person, org localtest.Org) identity.Caller {
	return identity.Caller{UserID: p.ID, OrgID: org.ID, Token: identity.Secret(p.Token)}
}

// A profile is its person's own, whatever anybody's role is, and the number of a
// passport does not come back. A viewer, too, keeps travellers.
func TestATravellerIsItsPersonsOwn(t *testing.T) {
	t.Parallel()
	c := open(t)
	me := c.org.Viewer
	a := c.want(201, "", me, "POST", "/api/travellers", profile())
	if a.header.Get("Location") != "/api/travellers/PAX-1" || a.header.Get("ETag") == "" ||
		a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers: %v", a.header)
	}
	got := a.Traveller
	if got.Given != given || got.Phone != phone || got.Title != "ms" || got.Born.String() != born || !got.Self ||
		got.Passport == nil || got.Passport.Number != "••••••62" || got.Passport.Country != "IN" {
		t.Fatalf("kept as %+v %+v", got, got.Passport)
	}
	// Saved as it was shown, the number stays; the rest is replaced.
	form := profile()
	form["passport"] = got.Passport
	form["givenName"] = "मीनाक्षी"
	c.want(400, "version_required", me, "PUT", "/api/travellers/PAX-1", form)
	saved := c.want(200, "", me, "PUT", "/api/travellers/pax-1", form, "If-Match", a.header.Get("ETag")).Traveller
	c.want(409, "changed", me, "PUT", "/api/travellers/PAX-1", form, "If-Match", a.header.Get("ETag"))

	s := c.store
	summaries, err := s.Summaries(t.Context(), caller(me, c.org), calendar.Date{})
	if err != nil || len(summaries) != 1 {
		t.Fatal(summaries, err)
	}
	want := []string{"given name in Latin letters, as in the passport"}
	if sum := summaries[0]; sum.Complete || !slices.Equal(sum.Missing, want) || !sum.Passport || sum.Kind != "adult" {
		t.Errorf("a name in Devanagari: %+v", sum)
	}
	if _, err := s.People(t.Context(), caller(me, c.org), []string{"PAX-1"}); err == nil ||
		!strings.Contains(err.Error(), want[0]) {
		t.Errorf("ordered with a name in Devanagari: %v", err)
	}
	form["givenName"], form["version"] = given, saved.Version
	c.want(200, "", me, "PUT", "/api/travellers/PAX-1", form)
	people, err := s.People(t.Context(), caller(me, c.org), []string{"PAX-1"})
	if err != nil || len(people) != 1 || people[0].Documents[0].Number != passport || people[0].Family != family {
		t.Errorf("for an order: %+v %v", people, err)
	}

	for _, other := range []localtest.Person{c.org.Admin, c.org.Manager, localtest.NewOrg(t).Admin} {
		by := caller(other, c.org)
		if other != c.org.Admin && other != c.org.Manager {
			by.OrgID = ""
		} else if all := c.want(200, "", other, "GET", "/api/travellers", nil); len(all.Travellers) != 0 {
			t.Errorf("another member sees %s", all.body)
		} else {
			c.want(404, "unknown_traveller", other, "GET", "/api/travellers/PAX-1", nil)
			c.want(404, "unknown_traveller", other, "PUT", "/api/travellers/PAX-1", form, "If-Match", `"3"`)
			c.want(404, "unknown_traveller", other, "DELETE", "/api/travellers/PAX-1", nil)
		}
		if people, err := s.People(t.Context(), by, []string{"PAX-1"}); err == nil {
			t.Errorf("another person orders for %+v", people)
		}
	}

	// The same person twice is a double click; a code is given once.
	c.want(409, "traveller_exists", me, "POST", "/api/travellers", form2(form))
	c.want(204, "", me, "DELETE", "/api/travellers/PAX-1", nil)
	again := c.want(201, "", me, "POST", "/api/travellers", profile())
	if again.Traveller.Code == "PAX-1" {
		t.Errorf("%s is another traveller's by now", again.Traveller.Code)
	}
	// Who leaves the organisation leaves nothing.
	localtest.SQL(t, `delete from public.memberships where org_id = $1 and user_id = $2`, c.org.ID, me.ID)
	if left := localtest.SQL(t, `select code from public.travellers where org_id = $1`, c.org.ID); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}

	// F-48: what was planted stands in no log, no audit and no outbox.
	for _, table := range []string{"audit", "outbox", "effects", "proposals", "turns"} {
		rows := localtest.SQL(t, fmt.Sprintf(`select to_jsonb(t)::text as row from public.%s t where org_id = $1`,
			table),
			c.org.ID)
		if table == "audit" && len(rows) == 0 {
			t.Error("changes of travellers are not audited")
		}
		raw, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		planted(t, table, string(raw))
	}
	planted(t, "log", c.log.String())
	if !strings.Contains(c.log.String(), "/api/travellers") {
		t.Error("the log was not read")
	}
}

func form2(form object) object {
	again := object{}
	for name, value := range form {
		if name != "version" {
			again[name] = value
		}
	}
	return again
}

// planted fails where something of the profile is found.
func planted(t *testing.T, where, text string) {
	t.Helper()
	for _, secret := range []string{passport, given, family, born, email, phone, "मीनाक्षी"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s: %s is there", where, secret)
		}
	}
}

// Each field that is wrong is named, and what was written is not repeated.
func TestAFormIsRefusedByField(t *testing.T) {
	t.Parallel()
	c := open(t)
	form := profile()
	form["givenName"], form["gender"], form["bornOn"], form["email"] = "<b>"+given, "x", "2999-01-01", "@"+email
	form["phone"], form["title"] = "12", "Rev"
	form["passport"] = object{"number": passport + "!", "country": "India", "expires": ""}
	a := c.want(422, "bad_fields", c.org.Viewer, "POST", "/api/travellers", form)
	var names []string
	for _, f := range a.Fields {
		names = append(names, f.Field)
	}
	want := []string{"givenName", "title", "gender", "bornOn", "email", "phone", "passport.number", "passport.country",
		"passport.expires"}
	if !slices.Equal(names, want) {
		t.Errorf("refused %v, want %v", names, want)
	}
	planted(t, "the refusal", a.body)
	form = profile()
	form["bornOn"] = "19.3.1984"
	a = c.want(400, "invalid", c.org.Viewer, "POST", "/api/travellers", form)
	planted(t, "the refusal", a.body)
	planted(t, "the log", c.log.String())
	c.want(400, "invalid", c.org.Viewer, "POST", "/api/travellers", object{"givnName": "A"})
	localtest.Take(t, localtest.Stack(t), c.org.ID, "travel")
	c.want(404, "unknown_assistant", c.org.Viewer, "GET", "/api/travellers", nil)
}

// What an airline takes for an adult is asked as of the day of the flight.
func TestKindsAreOfTheDay(t *testing.T) {
	t.Parallel()
	c := open(t)
	me := c.org.Viewer
	for _, tr := range []object{
		{"givenName": "A", "familyName": "X", "bornOn": "2014-12-05"},
		{"givenName": "B", "familyName": "X", "bornOn": "2024-12-05"},
		{"givenName": "C", "familyName": "X"},
	} {
		c.want(201, "", me, "POST", "/api/travellers", tr)
	}
	s := c.store
	for day, want := range map[string]string{
		"2026-12-04": "child infant_without_seat adult", "2026-12-05": "adult child adult",
	} {
		on, err := calendar.Parse(day)
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Summaries(t.Context(), caller(me, c.org), on)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, one := range all {
			kinds = append(kinds, string(one.Kind))
		}
		if got := strings.Join(kinds, " "); got != want {
			t.Errorf("%s: %s, want %s", day, got, want)
		}
	}
}
