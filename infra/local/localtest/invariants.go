package localtest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/invariants"
	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// Invariants fails the test for each invariant that does not hold in the
// database of s. Acknowledged are the turns, or ids of proposals, whose writes
// the test was told are done. Tests that fill the shared database by hand may
// leave rows there that no code of ours would: use a clone.
func Invariants(t testing.TB, s *stack.Stack, acknowledged ...string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.ConnString("supabase_admin"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	breaches, err := invariants.Check(ctx, conn, acknowledged...)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range breaches {
		t.Errorf("%s does not hold: %s", b.Name, b.What)
	}
}
