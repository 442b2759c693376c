package localtest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// SQL runs one statement as role postgres, past all row policies, in the
// shared database, and returns its rows by column. Values are what a test can
// compare at ease: UUIDs, dates (2026-01-31) and numerics are strings, JSON is
// decoded, the rest is as pgx has it.
func SQL(t testing.TB, query string, args ...any) []map[string]any {
	t.Helper()
	_, pool := running(t)
	rows, err := pool.Query(context.Background(), query, args...)
	return collect(t, query, rows, err)
}

// SQLOn is SQL on another stack, such as a clone.
func SQLOn(t testing.TB, s *stack.Stack, query string, args ...any) []map[string]any {
	t.Helper()
	if isShared(s) {
		return SQL(t, query, args...) // whose connections are open already
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.ConnString("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, query, args...)
	return collect(t, query, rows, err)
}

// Script runs several statements without arguments as role postgres in the
// database of s, all or none of them.
func Script(t testing.TB, s *stack.Stack, statements string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.ConnString("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	// The simple protocol runs them as one transaction.
	if _, err := conn.PgConn().Exec(ctx, statements).ReadAll(); err != nil {
		t.Fatalf("%s: %v", statements, err)
	}
}

func collect(t testing.TB, query string, rows pgx.Rows, err error) []map[string]any {
	t.Helper()
	var all []map[string]any
	if err == nil {
		all, err = pgx.CollectRows(rows, plainRow)
	}
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return all
}

func plainRow(row pgx.CollectableRow) (map[string]any, error) {
	values, err := row.Values()
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	for i, field := range row.FieldDescriptions() {
		if out[field.Name], err = plain(field, values[i]); err != nil {
			return nil, fmt.Errorf("column %s: %w", field.Name, err)
		}
	}
	return out, nil
}

func plain(field pgconn.FieldDescription, value any) (any, error) {
	switch v := value.(type) {
	case [16]byte:
		return uuid.UUID(v).String(), nil
	case pgtype.Numeric:
		return v.Value()
	case time.Time:
		if field.DataTypeOID == pgtype.DateOID {
			return v.Format(time.DateOnly), nil
		}
	}
	return value, nil
}
