// Package ledgertest gives tests a ledger in a real PostgreSQL: one server per
// test process, started when it is first asked for, and a copy of a prepared
// database per test.
//
//	func TestMain(m *testing.M) { ledgertest.Main(m) }
//
//	func TestInvoice(t *testing.T) {
//		l := ledgertest.Seeded(t) // the two demo companies
package ledgertest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/demo"
	"github.com/bellhop-ai/bellhop/infra/local/postgres"
)

// Templates: the schema alone, and the schema with the demo companies.
const (
	emptyTemplate  = "ledger_empty"
	seededTemplate = "ledger_seeded"
)

// Now is the moment at which the ledgers of tests stand: a Sunday noon in India.
func Now() time.Time { return time.Date(2026, time.November, 22, 6, 30, 0, 0, time.UTC) }

// shared is the server of this test process. Tests have no other way to share a
// thing than a variable of the package.
var shared struct {
	mu     sync.Mutex
	main   bool
	pg     *postgres.Server
	err    error
	clones int
}

// Main runs the tests of a package and ends the process, having stopped the
// server if a test asked for one. Call it from TestMain.
func Main(m *testing.M) { os.Exit(With(m).Run()) }

// Runner runs the tests of a package, as *testing.M does.
type Runner interface{ Run() int }

// With is m with the ledger, for a package that has another Main:
//
//	func TestMain(m *testing.M) { localtest.Main(ledgertest.With(m)) }
func With(m Runner) Runner { return withLedger{m} }

type withLedger struct{ Runner }

func (w withLedger) Run() int {
	shared.main = true
	code := w.Runner.Run()
	if shared.pg != nil {
		if err := shared.pg.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stop PostgreSQL:", err)
			code = max(code, 1)
		}
	}
	return code
}

// Seeded returns a ledger with the two demo companies, of its own: the test may
// write. It ends with the test.
func Seeded(t testing.TB) *ledger.Ledger {
	t.Helper()
	return clone(t, seededTemplate)
}

// Empty returns a ledger without companies. It ends with the test.
func Empty(t testing.TB) *ledger.Ledger {
	t.Helper()
	return clone(t, emptyTemplate)
}

// Serve is Seeded behind its MCP server, with the tokens of the demo users. It
// ends with the test.
func Serve(t testing.TB) *demo.Server {
	t.Helper()
	return serve(t, Seeded(t))
}

// ServeFor is Serve, with the company of a code, such as ledger.Trading, as the entity
// of another organisation: one that a test made elsewhere.
func ServeFor(t testing.TB, company, orgID, entityID string) *demo.Server {
	t.Helper()
	l := Seeded(t)
	if _, err := l.Pool().Exec(t.Context(), `with org as (insert into ledger.orgs (id, name) values ($2::uuid,
		$2::uuid::text) returning id)
		update ledger.entities e set org_id = org.id, entity_id = $3::uuid from org, ledger.companies c
		where c.id = e.company_id and c.code = $1`, company, orgID, entityID); err != nil {
		t.Fatal(err)
	}
	return serve(t, l)
}

// Secret makes the tokens of the servers of tests; see demo.Token.
const Secret = "ledgertest"

func serve(t testing.TB, l *ledger.Ledger) *demo.Server {
	t.Helper()
	s, err := demo.Start(context.Background(), demo.Config{
		ConnString: l.Pool().Config().ConnString(), Secret: Secret, Now: Now, Log: t.Logf,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func clone(t testing.TB, template string) *ledger.Ledger {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	pg, name := server(ctx, t)
	if err := pg.CreateDatabase(ctx, name, template); err != nil {
		t.Fatal(err)
	}
	pool, err := pgxpool.New(ctx, pg.ConnString(name, "supabase_admin"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		pool.Close()
		if err := pg.DropDatabase(context.Background(), name); err != nil {
			t.Error(err)
		}
	})
	l, err := ledger.Open(ctx, pool, Now)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func server(ctx context.Context, t testing.TB) (*postgres.Server, string) {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if !shared.main {
		t.Fatal("this package needs: func TestMain(m *testing.M) { ledgertest.Main(m) }")
	}
	if shared.pg == nil && shared.err == nil {
		shared.pg, shared.err = postgres.Start(ctx, postgres.Config{Snapshot: &postgres.Snapshot{
			Key:     "ledger " + ledger.Digest() + " " + ledger.SeedDigest() + " " + Now().Format(time.RFC3339),
			Prepare: prepare,
		}})
	}
	if shared.err != nil {
		t.Fatalf("the ledger's PostgreSQL did not start: %v", shared.err)
	}
	shared.clones++
	return shared.pg, fmt.Sprintf("ledger_%d", shared.clones)
}

func prepare(ctx context.Context, pg *postgres.Server) error {
	err := fill(ctx, pg, emptyTemplate, "", func(*ledger.Ledger) error { return nil })
	if err != nil {
		return err
	}
	return fill(ctx, pg, seededTemplate, emptyTemplate, func(l *ledger.Ledger) error { return l.Seed(ctx) })
}

func fill(ctx context.Context, pg *postgres.Server, name, template string, work func(*ledger.Ledger) error) error {
	if err := pg.CreateDatabase(ctx, name, template); err != nil {
		return err
	}
	pool, err := pgxpool.New(ctx, pg.ConnString(name, "supabase_admin"))
	if err != nil {
		return err
	}
	defer pool.Close()
	l, err := ledger.Open(ctx, pool, Now)
	if err != nil {
		return err
	}
	return work(l)
}
