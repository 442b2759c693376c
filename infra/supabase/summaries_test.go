package supabase_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// asJob runs SQL as a job does, with the secret key.
func asJob(t *testing.T, conn *pgx.Conn, work func(pgx.Tx) error) error {
	t.Helper()
	return request{role: "service_role", claims: `{"role":"service_role"}`}.do(t.Context(), conn, work)
}

// F-42: who takes no part in a conversation neither sees nor makes its summary,
// no one but a job calls what is for jobs, and a job calls nothing of people's.
func TestSummariesAreTheirPeoples(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	asha := newOrg(t, conn, "manager")
	colleague, stranger := asha.colleague(t, conn, "admin"), newOrg(t, conn, "admin")
	liar := stranger
	liar.org = asha.org // a token may say anything
	id := asha.said(t, conn, "th", "a secret about wallpaper")
	body := fmt.Sprintf(`{"id":%q,"leaseMs":60000,"lease":"a0000000-0000-4000-8000-000000000001","from":0,`+
		`"through":2,"summary":"forged","keyFacts":[],"token":"x","usage":{}}`, id)
	for who, p := range map[string]person{"a colleague": colleague, "a stranger": stranger, "a liar": liar} {
		for _, call := range []string{`select summary_claim($1)`, `select summary_put($1)`, `select summary_end($1)`} {
			if got := state(p.run(t.Context(), conn, nil, call, body)); got != "PT404 conversation_not_found" &&
				got != "PT403 not_a_member" {
				t.Errorf("%s: %s: %s", who, call, got)
			}
		}
		if got := state(p.run(t.Context(), conn, nil, `select summary_status($1)`,
			id)); got != "PT404 conversation_not_found" && got != "PT403 not_a_member" {
			t.Errorf("%s sees %s", who, got)
		}
	}
	for _, call := range []string{`job_summary_due(1, 1, 1, 1, 1)`, `job_summary_want('` + asha.org + `', '` + id +
		`')`, `job_summary_claim('` + asha.org + `', '{}')`,
		`job_summary_put('` + asha.org + `', '{}')`, `job_summary_end('` + asha.org + `', '{}')`,
		`job_budget_reserve('` + asha.org + `', '` + asha.user + `', 'm', 1, 1)`,
		`job_budget_settle('` + asha.org + `', '` + asha.user + `', '` + id + `', 'm', 1, 0, 1)`} {
		wantState(t, asha.run(t.Context(), conn, nil, `select `+call), "42501")
	}
	for _, call := range []string{`summary_claim('{}')`, `summary_put('{}')`, `summary_end('{}')`,
		`summary_status('x')`} {
		wantState(t, asJob(t, conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), `select `+
				call)
			return err
		}), "42501")
	}
	// A job that names the wrong organisation finds nothing there.
	wantState(t, asJob(t, conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `select job_summary_claim($1, $2)`, stranger.org, body)
		return err
	}), "PT404 conversation_not_found")
	// A caller who takes part needs the lease, and cannot claim to cover what is not there.
	wantState(t, asha.run(t.Context(), conn, nil, `select summary_put($1)`, body), "PT409 lease_lost")
	var claim map[string]any
	asha.see(t, conn, func(tx pgx.Tx) { claim = askJSON(t, tx, `select summary_claim($1)`, body) })
	mine := strings.ReplaceAll(body, "a0000000-0000-4000-8000-000000000001", fmt.Sprint(claim["lease"]))
	wantState(t, asha.run(t.Context(), conn, nil, `select summary_put($1)`, strings.ReplaceAll(mine, `"through":2`,
		`"through":99`)), "PT422 bad_summary")
	wantState(t, asha.run(t.Context(), conn, nil, `select summary_put($1)`, strings.ReplaceAll(mine, `"from":0`,
		`"from":1`)), "PT409 conversation_changed")
	wantState(t, asha.run(t.Context(), conn, nil, `select summary_put($1)`, mine), "")
}

// Twenty schedules at once hand each conversation out once; twenty who claim one
// are one who works and nineteen who wait.
func TestEachSummaryIsHandedOutOnce(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	asha := newOrg(t, conn, "manager")
	var ids []string
	for i := range 30 {
		ids = append(ids, asha.said(t, conn, fmt.Sprintf("th %d", i), "a word"))
	}
	for _, id := range ids {
		if err := asJob(t, conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), `select job_summary_want($1, $2)`, asha.org, id)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	handed := map[string]int{}
	counts := race(t, 20, func(_ int, conn *pgx.Conn) error {
		return asJob(t, conn, func(tx pgx.Tx) error {
			rows, err := tx.Query(t.Context(),
				`select e ->> 'id' from jsonb_array_elements(job_summary_due(100, 30, 30000, 50, 20)) e where e ->>
					'org' = $1`, asha.org)
			if err != nil {
				return err
			}
			got, err := pgx.CollectRows(rows, pgx.RowTo[string])
			mu.Lock()
			defer mu.Unlock()
			for _, id := range got {
				handed[id]++
			}
			return err
		})
	})
	if counts[""] != 20 || len(handed) != 30 {
		t.Errorf("%v; %d of 30 are handed out", counts, len(handed))
	}
	for id, n := range handed {
		if n != 1 {
			t.Errorf("%s is handed out %d times", id, n)
		}
	}
	outcomes := map[string]int{}
	counts = race(t, 20, func(_ int, conn *pgx.Conn) error {
		return asJob(t, conn, func(tx pgx.Tx) error {
			var outcome string
			err := tx.QueryRow(t.Context(), `select job_summary_claim($1, $2) ->> 'outcome'`, asha.org,
				fmt.Sprintf(`{"id":%q,"leaseMs":60000,"overTokens":-1}`, ids[0])).Scan(&outcome)
			mu.Lock()
			defer mu.Unlock()
			outcomes[outcome]++
			return err
		})
	})
	if counts[""] != 20 || outcomes["claimed"] != 1 || outcomes["running"] != 19 {
		t.Errorf("%v; %v", counts, outcomes)
	}
}
