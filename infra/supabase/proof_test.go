package supabase_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// proofKey is a key of the tests' databases, by its name.
func proofKey(kid string) string {
	return kid + ":" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte(kid[:1]), 32))
}

func setProofKeys(ctx context.Context, database string) error {
	conn, err := pgx.Connect(ctx, server.ConnString(database, "postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `select app.set_proof_keys($1)`, proofKey("new")+","+proofKey("old"))
	return err
}

// prover makes proofs with the keys of the tests' databases.
func prover(keys string, at time.Time) (*supabase.Prover, error) {
	return supabase.NewProver(identity.Secret(keys), func() time.Time { return at }, rand.Reader)
}

// whose returns the subject and the organisation of a token.
func whose(claims string) (user, org string) {
	var c struct {
		Sub         string `json:"sub"`
		AppMetadata struct {
			OrgID string `json:"org_id"`
		} `json:"app_metadata"`
	}
	_ = json.Unmarshal([]byte(claims), &c)
	return c.Sub, c.AppMetadata.OrgID
}

// proven returns the headers of a request as JSON, with a proof unless it is bare
// or bears one already.
func (r request) proven(method, path string) (string, error) {
	all := map[string]string{}
	maps.Copy(all, r.headers)
	if _, has := all["x-bellhop-proof"]; !r.bare && !has && (r.role == "" || r.role == "authenticated") {
		p, err := prover(proofKey("new"), time.Now())
		if err != nil {
			return "", err
		}
		user, org := whose(r.claims)
		if all["x-bellhop-proof"], err = p.Prove(user, org, method, path, canonical(r.headers)); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(all)
	return string(text), err
}

func canonical(headers map[string]string) http.Header {
	h := http.Header{}
	for name, value := range headers {
		h.Set(name, value)
	}
	return h
}

// F-66: only a proof of the right key, person, organisation, method, path, time
// and effect opens what the server keeps, and each one once.
func TestAProofCountsForItsOwnRequestOnce(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	colleague := p.colleague(t, conn, "manager")
	p.room(t, conn, "COCO")
	now := time.Now()
	make := func(keys string, at time.Time, by person, method, path string, headers map[string]string) string {
		t.Helper()
		q, err := prover(keys, at)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := q.Prove(by.user, by.org, method, path, canonical(headers))
		if err != nil {
			t.Fatal(err)
		}
		return proof
	}
	good := make(proofKey("new"), now, p, "POST", "/rpc/turn_stop", nil)
	claim := effect("effect-proof", hashA, "")
	other := maps.Clone(claim)
	other["x-bellhop-tool"] = "delete_room_type"
	tests := map[string]struct {
		proof   string
		headers map[string]string
		want    string
	}{
		"none":         {"", nil, "PT403 proof_required"},
		"an older key": {make(proofKey("old"), now, p, "POST", "/rpc/turn_stop", nil), nil, ""},
		"a key that was removed": {make(proofKey("gone"), now, p, "POST", "/rpc/turn_stop", nil), nil,
			"PT403 proof_refused"},
		"another key by a known name": {make("new:"+strings.TrimPrefix(proofKey("xyz"), "xyz:"), now, p, "POST",
			"/rpc/turn_stop", nil), nil,
			"PT403 proof_refused"},
		"somebody else's": {make(proofKey("new"), now, colleague, "POST", "/rpc/turn_stop", nil), nil,
			"PT403 proof_refused"},
		"another method": {make(proofKey("new"), now, p, "PATCH", "/rpc/turn_stop", nil), nil,
			"PT403 proof_refused"},
		"another path": {make(proofKey("new"), now, p, "POST", "/rpc/turn_save", nil), nil, "PT403 proof_refused"},
		"too old": {make(proofKey("new"), now.Add(-3*time.Minute), p, "POST", "/rpc/turn_stop", nil), nil,
			"PT403 proof_stale"},
		"of the future": {make(proofKey("new"), now.Add(3*time.Minute), p, "POST", "/rpc/turn_stop", nil), nil,
			"PT403 proof_stale"},
		"for an effect": {make(proofKey("new"), now, p, "POST", "/rpc/turn_stop", claim), nil,
			"PT403 proof_refused"},
		"without its tool": {make(proofKey("new"), now, p, "POST", "/rpc/turn_stop", claim), other,
			"PT403 proof_refused"},
		"no form": {"v1.new.x", nil, "PT403 proof_refused"},
		"a changed digit": {good[:len(good)-1] + map[bool]string{true: "1", false: "0"}[strings.HasSuffix(good, "0")],
			nil, "PT403 proof_refused"},
		"the right one": {good, nil, ""},
	}
	for name, tt := range tests {
		headers := maps.Clone(tt.headers)
		if headers == nil {
			headers = map[string]string{}
		}
		if tt.proof != "" {
			headers["x-bellhop-proof"] = tt.proof
		}
		err := request{claims: p.claims(), path: "/rpc/turn_stop", headers: headers, bare: true}.do(t.Context(), conn,
			func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), `select turn_stop('th')`)
				return err
			})
		if got := state(err); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	again := request{claims: p.claims(), path: "/rpc/turn_stop", headers: map[string]string{"x-bellhop-proof": good}}
	wantState(t, again.do(t.Context(), conn, func(pgx.Tx) error { return nil }), "PT403 proof_used")
	// An effect's headers count with the proof only.
	bare := request{claims: p.claims(), method: "PATCH", path: "/room_types", headers: claim, bare: true}
	wantState(t, bare.do(t.Context(), conn, func(pgx.Tx) error { return nil }), "PT403 proof_required")
	// What a proof opens closes with its transaction.
	wantState(t, request{claims: p.claims(), bare: true}.do(t.Context(), conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `select turn_stop('th')`)
		return err
	}), "PT403 proof_required")
	if old := ask[int](t, conn, `select app.set_proof_keys($1)`, proofKey("new")+", "+proofKey("old")); old != 2 {
		t.Errorf("%d keys were set", old)
	}
}

// F-66: no role reads the keys, calls what sets them, or writes used proofs.
func TestProofKeysAreOutOfReach(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	for _, role := range []string{"anon", "authenticated", "service_role", "authenticator"} {
		for _, table := range []string{"app.proof_keys", "app.proof_nonces"} {
			for _, privilege := range []string{"select", "insert", "update", "delete", "truncate"} {
				if ask[bool](t, conn, `select has_table_privilege($1, $2, $3)`, role, table, privilege) {
					t.Errorf("%s may %s %s", role, privilege, table)
				}
			}
		}
		if ask[bool](t, conn, `select has_function_privilege($1, 'app.set_proof_keys(text)', 'execute')`, role) {
			t.Errorf("%s may set the keys", role)
		}
	}
}

// Used proofs go when they are too old to be used again.
func TestUsedProofsAreForgotten(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	exec(t, tx, `insert into app.proof_nonces (nonce, at) select int4send(n) || '\xff', clock_timestamp() - n *
		interval '3 minutes' from generate_series(1, 3) n`)
	if n := ask[int](t, tx, `select app.clean_up_proofs()`); n != 2 {
		t.Errorf("%d were forgotten, want the 2 that are older than five minutes", n)
	}
}

// A proposal is used up by the write that it is for: one that names it and changes
// nothing is undone, and the proposal stays open.
func TestAProposalIsNotUsedUpByNothing(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	p := newOrg(t, conn, "manager")
	p.room(t, conn, "COCO")
	id := p.propose(t, conn, "th", "NOP", "[]")
	patch := func(key, sql string) error {
		r := request{claims: p.claims(), method: "PATCH", path: "/room_types", headers: effect(key, hashA, id)}
		return r.do(t.Context(), conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), sql)
			return err
		})
	}
	wantState(t, patch("effect-nothing", `update public.room_types set code = code where code = 'NONE'`),
		"PT409 nothing_done")
	if got := ask[string](t, conn, `select state from public.proposals where id = $1`, id); got != "pending" {
		t.Errorf("the proposal is %s", got)
	}
	wantState(t, patch("effect-something", raise), "")
}

// BenchmarkProof measures the check of one proof, the nonce included.
func BenchmarkProof(b *testing.B) {
	conn, err := pgx.Connect(b.Context(), server.ConnString("empty", "postgres"))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(b.Context())
	p, err := prover(proofKey("new"), time.Now())
	if err != nil {
		b.Fatal(err)
	}
	const user, org = "3f0c5b52-54a1-4f57-9d0b-6b1f6f6c2a11", "9a4f7a70-6a57-4d0e-8a32-0f7a51d9c3e4"
	tx, err := conn.Begin(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = tx.Rollback(b.Context()) }()
	if _, err := tx.Exec(b.Context(), `select set_config('request.jwt.claims', $1, true),
		set_config('request.path', '/rpc/x', true)`,
		fmt.Sprintf(`{"sub":%q,"role":"authenticated","app_metadata":{"org_id":%q}}`, user, org)); err != nil {
		b.Fatal(err)
	}
	// One statement checks many, so that the way to the database is no part of it.
	const batch = 200
	for b.Loop() {
		b.StopTimer()
		list := make([]string, batch)
		for i := range list {
			if list[i], err = p.Prove(user, org, "POST", "/rpc/x", nil); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		if _, err := tx.Exec(b.Context(),
			`select count(*) filter (where app.check_proof(jsonb_build_object('x-bellhop-proof', h), 'POST')) from
				unnest($1::text[]) h`, list); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/proof")
}
