package postgres_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/bellhop-ai/bellhop/infra/local/postgres"
)

// query runs a statement on a server and returns the only value of its answer.
func query(ctx context.Context, s *postgres.Server, sql string) (int, error) {
	conn, err := pgx.Connect(ctx, s.ConnString("postgres", "supabase_admin"))
	if err != nil {
		return 0, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var n int
	err = conn.QueryRow(ctx, sql).Scan(&n)
	return n, err
}

func TestASnapshotIsPreparedOnceAndCopied(t *testing.T) {
	t.Parallel()
	prepared := 0
	snapshot := &postgres.Snapshot{Key: "one", Folder: t.TempDir(), Prepare: func(ctx context.Context,
		s *postgres.Server) error {
		prepared++
		conn, err := pgx.Connect(ctx, s.ConnString("postgres", "supabase_admin"))
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, "create table public.things as select 7 as n")
		return err
	}}
	for range 3 {
		s := start(t, postgres.Config{Snapshot: snapshot})
		if n, err := query(t.Context(), s, "select sum(n)::int from public.things"); n != 7 || err != nil {
			t.Errorf("a copy holds %d, %v; what another server wrote is not its own", n, err)
		}
		if n, err := query(t.Context(), s, "insert into public.things values (5) returning n"); n != 5 || err != nil {
			t.Errorf("a copy takes %d, %v", n, err)
		}
	}
	if prepared != 1 {
		t.Errorf("it was prepared %d times", prepared)
	}
	other := *snapshot
	other.Key = "two"
	start(t, postgres.Config{Snapshot: &other})
	if prepared != 2 {
		t.Error("another key was answered with the same snapshot")
	}
}

func TestWhatWasNotPreparedIsNotKept(t *testing.T) {
	t.Parallel()
	folder, broken := t.TempDir(), errors.New("the disk is full")
	failing := &postgres.Snapshot{Key: "one", Folder: folder, Prepare: func(context.Context,
		*postgres.Server) error {
		return broken
	}}
	if _, err := postgres.Start(t.Context(), postgres.Config{Snapshot: failing}); !errors.Is(err, broken) {
		t.Errorf("the start says %v", err)
	}
	if kept, err := filepath.Glob(filepath.Join(folder, "[0-9a-f]*")); len(kept) != 0 || err != nil {
		t.Errorf("kept: %v, %v", kept, err)
	}
	// A folder that can't be one: each server prepares itself.
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	prepared := 0
	alone := &postgres.Snapshot{Key: "one", Folder: filepath.Join(file, "below"), Prepare: func(context.Context,
		*postgres.Server) error {
		prepared++
		return nil
	}}
	start(t, postgres.Config{Snapshot: alone})
	start(t, postgres.Config{Snapshot: alone})
	if prepared != 2 {
		t.Errorf("it was prepared %d times", prepared)
	}
}
