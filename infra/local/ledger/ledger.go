// Package ledger is a small double-entry company ledger in a PostgreSQL database
// of its own: a local implementation of the accounting software that the finance
// assistant reaches by MCP.
//
// The books are in SQL: the files in sql make schema ledger, whose functions post
// documents, payments and journals and compute the reports. This package opens
// such a database, migrates it and fills it with two demo companies.
//
// Amounts are rupees with two decimals, dates are local dates of the company.
// docs/ledger.md has the rules and their sources.
package ledger

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed sql/*.sql
var files embed.FS

// Database is the name of the ledger's database in the local stack's cluster.
const Database = "ledger"

// Ledger is an open ledger. Its methods may be called concurrently.
type Ledger struct {
	pool *pgxpool.Pool
	now  func() time.Time
}

// Open returns the ledger in the database of pool, which stays the caller's, and
// brings its schema up to date. now is the clock of the books; nil is time.Now.
func Open(ctx context.Context, pool *pgxpool.Pool, now func() time.Time) (*Ledger, error) {
	if now == nil {
		now = time.Now
	}
	if err := Migrate(ctx, pool); err != nil {
		return nil, err
	}
	return &Ledger{pool: pool, now: now}, nil
}

// Pool is the pool that Open was given, for reads that need no clock.
func (l *Ledger) Pool() *pgxpool.Pool { return l.pool }

// Now is the clock of the books.
func (l *Ledger) Now() time.Time { return l.now() }

// Tx runs work in one transaction on behalf of actor, with the clock of the books.
// Refusals of the SQL functions come back as an [*Error] in the chain. Where
// transactions waited for each other, work runs again in another one.
func (l *Ledger) Tx(ctx context.Context, actor string, work func(pgx.Tx) error) error {
	for attempt := 1; ; attempt++ {
		err := l.tx(ctx, pgx.TxOptions{}, actor, work)
		pg, ok := errors.AsType[*pgconn.PgError](err)
		if !ok || pg.Code != "40P01" || attempt == maxAttempts {
			return err
		}
	}
}

// maxAttempts bounds how often Tx runs work.
const maxAttempts = 3

// Read is Tx for reads: one snapshot for all of them, and no writes.
func (l *Ledger) Read(ctx context.Context, work func(pgx.Tx) error) error {
	return l.tx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, "", work)
}

func (l *Ledger) tx(ctx context.Context, options pgx.TxOptions, actor string, work func(pgx.Tx) error) error {
	return refusal(pgx.BeginTxFunc(ctx, l.pool, options, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "select set_config('ledger.actor', $1, true), set_config('ledger.now', $2, true)",
			actor, l.now().UTC().Format(time.RFC3339Nano))
		if err != nil {
			return fmt.Errorf("set the actor and the clock: %w", err)
		}
		return work(tx)
	}))
}

// Codes of refusals: the SQLSTATEs that the functions of schema ledger raise.
const (
	NotFound = "LG404" // the company has no such thing
	Conflict = "LG409" // the state of the books does not allow it
	Invalid  = "LG422" // an argument is missing or wrong
	Closed   = "LG423" // the period is locked or filed
)

// Error is a refusal of the books.
type Error struct {
	Code     string // one of the constants above
	Sentence string // for people
	cause    error
}

func (e *Error) Error() string { return e.Sentence }

// Unwrap returns the database's error.
func (e *Error) Unwrap() error { return e.cause }

// refusal puts an Error into the chain where the database refused by a rule of
// the books.
func refusal(err error) error {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case ok && strings.HasPrefix(pg.Code, "LG"):
		return &Error{Code: pg.Code, Sentence: pg.Message, cause: err}
	case ok && pg.Code == "23505": // two transactions at once made the same thing
		return &Error{Code: Conflict, Sentence: "This was entered already.", cause: err}
	}
	return err
}

// Digest changes with the text of any of the SQL files.
func Digest() string {
	sum := sha256.New()
	for _, f := range sqlFiles() {
		fmt.Fprintf(sum, "%s\x00%d\x00%s", f.name, len(f.text), f.text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

type sqlFile struct{ name, text string }

func sqlFiles() []sqlFile {
	names, err := fs.Glob(files, "sql/*.sql")
	if err != nil {
		panic(err) // a bad pattern
	}
	slices.Sort(names)
	all := make([]sqlFile, len(names))
	for i, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // files that were compiled in
		}
		all[i] = sqlFile{name, string(text)}
	}
	return all
}

// Migrate makes schema ledger in an empty database, in one transaction. It is
// content with a database that has it, and refuses one that another version made:
// the ledger holds demo data, which is made anew instead of migrated.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	digest := Digest()
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock(hashtext('ledger.migrate'))"); err != nil {
			return fmt.Errorf("lock the ledger: %w", err)
		}
		var had *string
		err := tx.QueryRow(ctx, `select obj_description(oid, 'pg_namespace') from pg_namespace
			where nspname = 'ledger'`).Scan(&had)
		switch {
		case err == nil && had != nil && *had == digest:
			return nil
		case err == nil:
			return errors.New("the ledger was made by another version; start with -fresh to make it anew")
		case !errors.Is(err, pgx.ErrNoRows):
			return fmt.Errorf("look for the ledger: %w", err)
		}
		for _, f := range sqlFiles() {
			// The simple protocol takes a whole file.
			if _, err := tx.Conn().PgConn().Exec(ctx, f.text).ReadAll(); err != nil {
				return located(f, err)
			}
		}
		if _, err := tx.Exec(ctx, "comment on schema ledger is '"+digest+"'"); err != nil {
			return fmt.Errorf("note the version of the ledger: %w", err)
		}
		return nil
	})
}

// located adds the line of the file to an error of PostgreSQL.
func located(f sqlFile, err error) error {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || pg.Position == 0 {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	runes := []rune(f.text)
	before := string(runes[:min(int(pg.Position)-1, len(runes))])
	return fmt.Errorf("%s, line %d: %w", f.name, 1+strings.Count(before, "\n"), err)
}
