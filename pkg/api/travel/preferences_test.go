package travel_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
)

func texts(all []preferences.Decision) string {
	var out []string
	for _, d := range all {
		out = append(out, d.Text)
	}
	return strings.Join(out, "; ")
}

// S1-19, S1-33: preferences and decisions are kept across conversations, for their person
// alone, who sees, edits and forgets them. A viewer has them, too.
func TestPreferencesAreTheirPersonsOwn(t *testing.T) {
	t.Parallel()
	c := open(t)
	me, other := c.org.Viewer, c.org.Admin
	fresh := c.want(200, "", me, "GET", "/api/preferences", nil)
	if p := fresh.Preferences; p.Version != 0 || p.Learn || !p.KeepSearches || fresh.header.Get("ETag") != "" {
		t.Errorf("before anything is kept: %s", fresh.body)
	}
	a := c.want(200, "", me, "PATCH", "/api/preferences", object{"preferredAirlines": []string{" IndiGo ", "indigo",
		"KLM"},
		"preferredCabinClass": "Premium Economy", "homeAirport": "blr",
		"dietaryRestrictions": []string{"marmalade-free"},
		"budgetPreferences":   object{"flights": "economy"}})
	if p := a.Preferences; !slices.Equal(p.Airlines, []string{"IndiGo", "KLM"}) || p.Cabin != "premium_economy" ||
		p.Home != "BLR" || p.Budget.Flights != "economy" || p.Version == 0 {
		t.Errorf("kept: %s", a.body)
	}
	// What is left out stays; of two tabs the second is told.
	b := c.want(200, "", me, "PATCH", "/api/preferences", object{"learn": true}, "If-Match", a.header.Get("ETag"))
	if !b.Preferences.Learn || len(b.Preferences.Airlines) != 2 {
		t.Errorf("changed: %s", b.body)
	}
	c.want(409, "changed", me, "PATCH", "/api/preferences", object{"learn": false}, "If-Match", a.header.Get("ETag"))
	bad := c.want(422, "bad_fields", me, "PATCH", "/api/preferences", object{"homeAirport": "London",
		"preferredCabinClass": "roof", "travelInterests": []string{strings.Repeat("x", 81)}})
	if len(bad.Fields) != 3 {
		t.Errorf("refused: %s", bad.body)
	}

	for i, text := range []string{"No red-eye flights", "Hotels near the old town", "At most 150 euros a night",
		"no RED-EYE flights"} {
		d := c.want(201, "", me, "POST", "/api/decisions", object{"text": text, "about": "flights"}).Decision
		if want := []string{"D-1", "D-2", "D-3", "D-1"}[i]; d.Code != want {
			t.Errorf("%q is %s, want %s", text, d.Code, want)
		}
	}
	d := c.want(200, "", me, "PATCH", "/api/decisions/d-2", object{"about": "hotels"}).Decision
	if d.About != "hotels" || d.Text != "Hotels near the old town" {
		t.Errorf("changed: %+v", d)
	}
	for query, want := range map[string]string{
		"?q=a+flight+to+Rome":                   "No red-eye flights",
		"?q=hotel+in+the+old+town":              "Hotels near the old town",
		"?q=redeye":                             "No red-eye flights",
		"?q=how+many+euros+for+a+night&limit=1": "At most 150 euros a night",
		"": "At most 150 euros a night; Hotels near the old town; No red-eye " +
			"flights",
		"?q=sushi": "",
	} {
		if got := texts(c.want(200, "", me, "GET", "/api/decisions"+query, nil).Decisions); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	c.want(422, "bad_fields", me, "POST", "/api/decisions", object{"text": " ", "about": "cats"})
	c.want(404, "unknown_decision", other, "PATCH", "/api/decisions/D-1", object{"text": "mine"})
	c.want(404, "unknown_decision", other, "DELETE", "/api/decisions/D-1", nil)
	if p := c.want(200, "", other, "GET", "/api/preferences", nil).Preferences; p.Version != 0 || len(p.Airlines) > 0 {
		t.Errorf("another member sees %+v", p)
	}
	if all := c.want(200, "", other, "GET", "/api/decisions", nil).Decisions; len(all) != 0 {
		t.Errorf("another member sees %v", all)
	}

	// Searches are forgotten with the rest, and so is what an undo could bring back.
	searches := func() int {
		rows := localtest.SQL(t, `select code from public.travel_searches where org_id = $1 and user_id = $2`,
			c.org.ID,
			me.ID)
		return len(rows)
	}
	for i, at := range []string{"3 days", "1 hour"} {
		localtest.SQL(t, `insert into public.travel_searches (org_id, user_id, code, type, query, summary, at)
			values ($1, $2, $3, 'flight', '{}', 'London to Rome', now() - $4::text::interval)`, c.org.ID, me.ID,
			fmt.Sprintf("K7M%d", i+2), at)
	}
	if searches() != 2 {
		t.Fatal("the searches are not there")
	}
	c.want(200, "", me, "PATCH", "/api/preferences", object{"keepSearches": false})
	if searches() != 1 {
		t.Errorf("%d searches are left of a person who wants none kept", searches())
	}
	c.want(204, "", me, "DELETE", "/api/decisions/D-3", nil)
	c.want(404, "unknown_decision", me, "DELETE", "/api/decisions/D-3", nil)
	c.want(204, "", me, "DELETE", "/api/preferences", nil)
	if got := c.want(200, "", me, "GET", "/api/preferences", nil); got.Preferences.Version != 0 || searches() != 0 {
		t.Errorf("after forgetting: %s, %d searches", got.body, searches())
	}
	if all := c.want(200, "", me, "GET", "/api/decisions", nil).Decisions; len(all) != 0 {
		t.Errorf("after forgetting: %v", all)
	}
	rows := localtest.SQL(t, `select to_jsonb(t)::text as row from public.audit t where org_id = $1`, c.org.ID)
	raw, err := json.Marshal(rows)
	if err != nil || len(rows) < 4 {
		t.Fatal(rows, err)
	}
	for _, word := range []string{"marmalade", "IndiGo", "BLR", "red-eye", "150 euros"} {
		if strings.Contains(string(raw), word) || strings.Contains(c.log.String(), word) {
			t.Errorf("%s is in the audit or the log", word)
		}
	}
}

// Under a claim each write happens once, as for tools; two at once make one decision.
func TestPreferencesAreWrittenOnce(t *testing.T) {
	t.Parallel()
	c := open(t)
	by := caller(c.org.Viewer, c.org)
	claim := func(key string) effect.Claim {
		return effect.Claim{Key: key, Tool: "remember_decision", ArgsHash: strings.Repeat("a", 64),
			Assistant: "travel"}
	}
	ctx := effect.With(t.Context(), claim("turn-1.1.remember"))
	d := preferences.Decision{Text: "No red-eyes", About: "flights"}
	first, err := c.preferences.Decide(ctx, by, d)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.preferences.Decide(ctx, by, d); err != nil || again != first {
		t.Errorf("sent again: %+v %v, want %+v", again, err, first)
	}
	ctx = effect.With(t.Context(), claim("turn-1.2.update"))
	home := "LHR"
	for range 2 {
		p, err := c.preferences.Update(ctx, by, 0, preferences.Changes{Home: &home})
		if err != nil || p.Home != home || p.Version != 2 {
			t.Errorf("updated: %+v %v", p, err)
		}
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := c.preferences.Decide(t.Context(), by, preferences.Decision{Text: "Aisle seats"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	all, err := c.preferences.Decisions(t.Context(), by, "", 0)
	if err != nil || texts(all) != "Aisle seats; No red-eyes" {
		t.Errorf("decisions: %v %v", all, err)
	}
	visitor := by
	visitor.Visitor = "v1"
	if _, has, err := c.preferences.Get(t.Context(), visitor); has || err != nil {
		t.Errorf("a visitor of the account has preferences: %v", err)
	}
	if err := c.preferences.Forget(t.Context(), visitor); err == nil {
		t.Error("a visitor forgets what is the account's")
	}
	// The prompt's text is made of it (S1-19).
	p, has, err := c.preferences.Get(t.Context(), by)
	if err != nil {
		t.Fatal(err)
	}
	if got := preferences.Context(p, has, all, []bookings.Booking{}); !strings.Contains(got,
		"- Home Airport: LHR\n") ||
		!strings.Contains(got, "No red-eyes") {
		t.Error(got)
	}
}
