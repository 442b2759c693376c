package stack_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

func start(t *testing.T, cfg stack.Config) *stack.Stack {
	t.Helper()
	s, err := stack.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *stack.Stack) {
	t.Helper()
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}

// folder is one that PostgreSQL's user can reach when the tests run as root;
// t.TempDir is closed to others.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "bellhop-stack-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

func ask[T any](t *testing.T, s *stack.Stack, sql string, args ...any) (v T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.ConnString("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

func call(t *testing.T, s *stack.Stack, method, path, token, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("apikey", s.Keys().Publishable)
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// upload makes a public bucket that holds one object.
func upload(t *testing.T, s *stack.Stack, bucket, name, text string) {
	t.Helper()
	for _, part := range [][2]string{
		{"/bucket", `{"name":"` + bucket + `","public":true}`},
		{"/object/" + bucket + "/" + name, text},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/storage/v1"+part[0],
			strings.NewReader(part[1]))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("apikey", s.Keys().Secret)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", part[0], answer.Status)
		}
	}
}

func token(t *testing.T, s *stack.Stack, email string) string {
	t.Helper()
	text, err := s.Token(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestTheDemoUsersSignInAndAreWhoTheyAre(t *testing.T) {
	s := start(t, stack.Config{Seed: true})
	users, err := s.Users(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	orgs, roles := map[string]int{}, map[string]int{}
	for _, u := range users {
		orgs[u.Org]++
		roles[u.Role]++
		status, body := call(t, s, "POST", "/auth/v1/token?grant_type=password", "", `{"email":"`+u.Email+
			`","password":"`+u.Password+`"}`)
		var session struct {
			AccessToken string `json:"access_token"`
		}
		if err := json.Unmarshal([]byte(body), &session); err != nil || status != http.StatusOK {
			t.Fatalf("%s cannot sign in: %d %s", u.Email, status, body)
		}
		var me struct{ Name, OrgName, Role, Email string }
		status, body = call(t, s, "POST", "/rest/v1/rpc/whoami", session.AccessToken, `{}`)
		if err := json.Unmarshal([]byte(body), &me); err != nil || status != http.StatusOK {
			t.Fatalf("whoami as %s: %d %s", u.Email, status, body)
		}
		if me.Name != u.Name || me.OrgName != u.Org || me.Role != u.Role || me.Email != u.Email {
			t.Errorf("%+v says of itself %+v", u, me)
		}
	}
	if len(orgs) < 2 || roles["admin"] < 2 || roles["manager"] < 2 || roles["viewer"] < 2 {
		t.Errorf("organisations %v and roles %v; want two organisations with each role", orgs, roles)
	}
}

func TestTheRestServerTellsWhyItRefusesAToken(t *testing.T) {
	var ahead atomic.Int64 // of the real time
	s := start(t, stack.Config{Seed: true,
		Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
	good := token(t, s, "viewer@sojourn.example")
	header, rest, _ := strings.Cut(good, ".")
	claims, signature, _ := strings.Cut(rest, ".")
	forged := base64.RawURLEncoding.EncodeToString([]byte(`{"role":"service_role"}`))
	other := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"ES256","kid":"another"}`))
	tests := map[string]struct {
		token string
		later time.Duration
		want  string
	}{
		"expired": {good, 2 * time.Hour, "PGRST303 JWT expired"},
		"with other claims": {header + "." + forged + "." + signature, 0,
			"PGRST301 JWT cryptographic operation failed"},
		"with another's key": {other + "." + claims + "." + signature, 0,
			"PGRST301 No suitable key or wrong key type"},
		"that is something else": {"abc", 0, "PGRST301 JWT couldn't be decoded"},
	}
	if status, body := call(t, s, "GET", "/rest/v1/entities?select=key", good, ""); status != http.StatusOK ||
		body != `[{"key":"SOJ"}]` {
		t.Fatalf("a good token: %d %s", status, body)
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ahead.Store(int64(test.later))
			defer ahead.Store(0)
			status, body := call(t, s, "GET", "/rest/v1/entities?select=key", test.token, "")
			var refusal struct{ Code, Message string }
			if err := json.Unmarshal([]byte(body), &refusal); err != nil {
				t.Fatalf("%v: %s", err, body)
			}
			if got := refusal.Code + " " + refusal.Message; status != http.StatusUnauthorized || got != test.want {
				t.Errorf("%d %s, want 401 %s", status, got, test.want)
			}
		})
	}
}

func TestTheDataIsKeptBetweenRunsUntilFresh(t *testing.T) {
	cfg := stack.Config{Data: filepath.Join(folder(t), "dev"), Seed: true, Addr: "127.0.0.1:0"}
	var lines []string
	cfg.Log = func(format string, _ ...any) { lines = append(lines, format) }

	first := start(t, cfg)
	admin := token(t, first, "admin@sojourn.example")
	if n := ask[int](t, first, "with gone as (update public.orgs set name = 'Renamed' where slug = 'harbour' "+
		"returning 1) select count(*) from gone"); n != 1 {
		t.Fatal("no organisation was renamed, so this proves nothing")
	}
	if _, err := stack.Start(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "in use by process") {
		t.Errorf("a second stack on the same data: %v", err)
	}
	again := cfg
	again.Fresh = true
	if _, err := stack.Start(t.Context(), again); err == nil || !strings.Contains(err.Error(), "in use by process") {
		t.Errorf("a second, fresh stack on the same data: %v", err)
	}
	upload(t, first, "kept", "menu.txt", "soup")
	keys, seals, jwks, addr := first.Keys(), first.SealKeys(), string(first.JWKS()), strings.TrimPrefix(first.URL(),
		"http://")
	stop(t, first)

	// The address is part of a token, so the old one needs the old port.
	cfg.Addr = addr
	second := start(t, cfg)
	if second.Keys() != keys || second.SealKeys() != seals || string(second.JWKS()) != jwks {
		t.Error("keys or secrets were not kept")
	}
	if name := ask[string](t, second, "select name from public.orgs where slug = 'harbour'"); name != "Renamed" {
		t.Errorf("the change was not kept: %s", name)
	}
	if status, body := call(t, second, "GET", "/rest/v1/entities?select=key", admin, ""); status != http.StatusOK {
		t.Errorf("a token of the first run: %d %s", status, body)
	}
	if status, body := call(t, second, "GET", "/storage/v1/object/public/kept/menu.txt", "",
		""); status != http.StatusOK || body != "soup" {
		t.Errorf("an object of the first run: %d %s", status, body)
	}
	stop(t, second)
	objects := filepath.Join(cfg.Data, "storage", "objects")
	if entries, err := os.ReadDir(objects); err != nil || len(entries) != 1 {
		t.Errorf("%d objects are kept: %v", len(entries), err)
	}

	cfg.Fresh = true
	third := start(t, cfg)
	if name := ask[string](t, third, "select name from public.orgs where slug = 'harbour'"); name == "Renamed" {
		t.Error("-fresh kept the data")
	}
	if entries, err := os.ReadDir(objects); err != nil || len(entries) != 0 {
		t.Errorf("-fresh kept %d objects: %v", len(entries), err)
	}
	if third.Keys() == keys || third.SealKeys() == seals || string(third.JWKS()) == jwks {
		t.Error("-fresh kept keys or secrets")
	}
}

func TestMigrationsAreAppliedOnceAndNeverChange(t *testing.T) {
	const one, two, three = "migrations/20260101000000_one.sql", "migrations/20260102000000_two.sql",
		"migrations/20260103000000_three.sql"
	base := fstest.MapFS{
		one: {Data: []byte("create table public.one (id int);")},
		two: {Data: []byte("create table public.two (id int); insert into public.two values (1);")},
	}
	with := func(change map[string]string) fstest.MapFS {
		files := maps.Clone(base)
		for name, text := range change {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		return files
	}
	dir := filepath.Join(folder(t), "dev")
	stop(t, start(t, stack.Config{Data: dir, Files: base}))
	without := maps.Clone(base)
	delete(without, two)

	refused := map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"a changed one": {with(map[string]string{two: "create table public.two (id bigint);"}),
			"20260102000000_two.sql has changed"},
		"an unknown one": {without, "20260102000000_two.sql, which is not among the files"},
		"an older one": {with(map[string]string{"migrations/20260101120000_late.sql": "select 1;"}),
			"20260101120000_late.sql is older"},
		"a broken one": {with(map[string]string{three: "create table public.three (id int);\nselect\n  nonsense;"}),
			"20260103000000_three.sql, line 3:"},
		"a misnamed one": {with(map[string]string{"migrations/three.sql": "select 1;"}),
			"not named like a migration"},
		"a version twice": {with(map[string]string{"migrations/20260102000000_again.sql": "select 1;"}),
			"two migrations have the version"},
	}
	for name, test := range refused {
		t.Run(name, func(t *testing.T) {
			s, err := stack.Start(t.Context(), stack.Config{Data: dir, Files: test.files})
			if err == nil {
				stop(t, s)
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}

	s := start(t, stack.Config{Data: dir,
		Files: with(map[string]string{three: "create table public.three (id int);"})})
	if n := ask[int](t, s, "select count(*) from public.two"); n != 1 {
		t.Errorf("the second migration ran %d times", n)
	}
	if n := ask[int](t, s, "select count(*) from supabase_migrations.schema_migrations where name in ('one', 'two', "+
		"'three')"); n != 3 {
		t.Errorf("%d migrations are noted, want 3", n)
	}
	if owner := ask[string](t, s, "select tableowner from pg_tables where tablename = 'three'"); owner != "postgres" {
		t.Errorf("the tables belong to %s", owner)
	}
}

func TestTheDemoDataIsDatedByTheClock(t *testing.T) {
	day := time.Date(2031, 3, 5, 6, 0, 0, 0, time.UTC)
	s := start(t, stack.Config{Seed: true, Now: func() time.Time { return day }})
	n := ask[int](t, s, "select count(*) from public.reservations where check_in <= '2031-03-05' and check_out > "+
		"'2031-03-05'")
	if n == 0 {
		t.Error("nobody is in the house on the clock's day")
	}
	if left := ask[bool](t, s, "select to_regnamespace('seed_clock') is not null"); left {
		t.Error("the other now() was left behind")
	}
}

func TestOldDemoDataIsSaidToBeOld(t *testing.T) {
	files := fstest.MapFS{"seeds/toys.sql": {Data: []byte("create table public.seeded (at timestamptz); insert into " +
		"public.seeded values (now());")}}
	first := time.Date(2031, 3, 5, 6, 0, 0, 0, time.UTC)
	dir := filepath.Join(folder(t), "dev")
	runs := []struct {
		day  time.Time
		seed string
		want string
	}{
		{first, "", "demo data of toys: applied in"},
		{first.AddDate(0, 0, 6), "", "demo data of toys: kept as it is\n"},
		{first.AddDate(0, 0, 9), "", "demo data of toys: kept as it is; its bookings lie around 2031-03-05, and " +
			"-fresh"},
		{first.AddDate(0, 0, -9), "", "demo data of toys: kept as it is; its bookings lie around 2031-03-05, and " +
			"-fresh"},
		{first, "select 1;", "demo data of toys: kept as it is; seeds/toys.sql has changed since, and -fresh"},
	}
	for _, run := range runs {
		var said strings.Builder
		cfg := stack.Config{
			Data: dir, Seed: true, Files: files, Now: func() time.Time { return run.day },
			Log: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) },
		}
		if run.seed != "" {
			cfg.Files = fstest.MapFS{"seeds/toys.sql": {Data: []byte(run.seed)}}
		}
		s := start(t, cfg)
		if !strings.Contains(said.String(), run.want) {
			t.Errorf("on %s it said %q, want %q", run.day.Format(time.DateOnly), said.String(), run.want)
		}
		if at := ask[time.Time](t, s, "select at from public.seeded"); !at.Equal(first) {
			t.Errorf("the demo data is of %s", at)
		}
		stop(t, s)
	}
}

func TestAClonesDataIsItsOwn(t *testing.T) {
	s := start(t, stack.Config{Seed: true})
	var clones []*stack.Stack
	for range 2 {
		c, err := s.Clone(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		clones = append(clones, c)
		t.Cleanup(func() { stop(t, c) })
	}
	if n := ask[int](t, clones[0], "with gone as (update public.orgs set name = 'Renamed' returning 1) select "+
		"count(*) from gone"); n == 0 {
		t.Fatal("nothing was changed, so this proves nothing")
	}
	for name, other := range map[string]*stack.Stack{"original": s, "other clone": clones[1]} {
		status, body := call(t, other, "GET", "/rest/v1/orgs?select=name", token(t, other, "viewer@sojourn.example"),
			"")
		if status != http.StatusOK || strings.Contains(body, "Renamed") {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	status, _ := call(t, clones[1], "GET", "/rest/v1/orgs?select=name", token(t, clones[0], "viewer@sojourn.example"),
		"")
	if status != http.StatusUnauthorized {
		t.Errorf("a clone's token opens another clone: %d", status)
	}
	stop(t, clones[0])
	if n := ask[int](t, s, "select count(*) from pg_database where datname like 'bellhop\\__'"); n != 1 {
		t.Errorf("%d databases of clones are left, want 1", n)
	}
}

func TestTheEnvironmentOfAFunction(t *testing.T) {
	local := start(t, stack.Config{})
	env := environment(local)
	want := map[string]string{
		"SUPABASE_URL": local.URL(), "SUPABASE_PUBLISHABLE_KEY": local.Keys().Publishable,
		"SUPABASE_JWKS": string(local.JWKS()),
		"SEAL_KEYS":     local.SealKeys(), "PROOF_KEYS": local.ProofKeys(), "OPENAI_BASE_URL": local.ModelURL(),
		"OPENAI_API_KEY": "local", "OPENAI_PROFILE": "openai", "MOCK_OPENAI": "true",
	}
	if !maps.Equal(env, want) {
		t.Errorf("%v, want %v", env, want)
	}
	if text := strings.Join(local.Env(), "\n"); strings.Contains(text, "sb_secret") {
		t.Error("a function got the secret key")
	}

	other := start(t, stack.Config{OpenAI: stack.OpenAI{BaseURL: "http://127.0.0.1:9/v1/", Key: "mine"}})
	env = environment(other)
	if env["OPENAI_BASE_URL"] != "http://127.0.0.1:9/v1" || env["OPENAI_API_KEY"] != "mine" ||
		env["MOCK_OPENAI"] != "" {
		t.Errorf("with a real model: %v", env)
	}
}

func environment(s *stack.Stack) map[string]string {
	env := map[string]string{}
	for _, pair := range s.Env() {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	return env
}
