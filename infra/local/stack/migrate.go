package stack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// historySQL makes the tables in which the official tool notes what it did.
// Column dated is ours: the moment around which the demo data lies.
const historySQL = `
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[],
  name text);
create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null);
alter table supabase_migrations.seed_files add column if not exists dated timestamptz;`

type migration struct {
	version, name, text string
}

func (m migration) file() string { return m.version + "_" + m.name + ".sql" }

// migrate applies the migrations that the database lacks, in their order and
// each in a transaction of its own. It changes nothing when the database has
// one that is unknown or that has changed since.
func migrate(ctx context.Context, conn *pgx.Conn, files fs.FS, log func(string, ...any)) error {
	began := time.Now()
	all, err := readMigrations(files)
	if err != nil {
		return err
	}
	if _, err := conn.PgConn().Exec(ctx, historySQL).ReadAll(); err != nil {
		return fmt.Errorf("make the table of migrations: %w", err)
	}
	applied, err := readApplied(ctx, conn)
	if err != nil {
		return err
	}
	missing, err := compare(all, applied)
	if err != nil {
		return err
	}
	for _, m := range missing {
		err := runFile(ctx, conn, "migration "+m.file(), m.text,
			`insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)`,
			m.version, m.name, []string{m.text})
		if err != nil {
			return err
		}
	}
	if len(missing) == 0 {
		log("migrations: all %d are applied", len(all))
		return nil
	}
	log("migrations: %d applied in %s", len(missing), since(began))
	return nil
}

var migrationName = regexp.MustCompile(`^([0-9]{14})_([a-z0-9_]+)\.sql$`)

func readMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, fmt.Errorf("list the migrations: %w", err)
	}
	slices.Sort(names)
	var all []migration
	for _, name := range names {
		parts := migrationName.FindStringSubmatch(path.Base(name))
		if parts == nil {
			return nil, fmt.Errorf("%s is not named like a migration: 14 digits, an underscore, a name in small "+
				"letters", name)
		}
		if n := len(all); n > 0 && all[n-1].version == parts[1] {
			return nil, fmt.Errorf("two migrations have the version %s", parts[1])
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read a migration: %w", err)
		}
		all = append(all, migration{version: parts[1], name: parts[2], text: string(text)})
	}
	return all, nil
}

func readApplied(ctx context.Context, conn *pgx.Conn) ([]migration, error) {
	rows, err := conn.Query(ctx, `select version, coalesce(name, ''), coalesce(array_to_string(statements, e'\n'), '')
		from supabase_migrations.schema_migrations order by version`)
	if err != nil {
		return nil, fmt.Errorf("read the table of migrations: %w", err)
	}
	applied, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (m migration, err error) {
		err = row.Scan(&m.version, &m.name, &m.text)
		return m, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the table of migrations: %w", err)
	}
	return applied, nil
}

// anew tells what to do about a database that cannot be brought up to date.
const anew = "start with -fresh to make the database anew, which loses what is in it"

// compare returns what has to be applied. What was applied must be a beginning
// of all, unchanged.
func compare(all, applied []migration) ([]migration, error) {
	for i, m := range applied {
		at := slices.IndexFunc(all, func(other migration) bool { return other.version == m.version })
		switch {
		case at < 0:
			return nil, fmt.Errorf("the database has the migration %s, which is not among the files; %s", m.file(),
				anew)
		case all[at].text != m.text:
			return nil, fmt.Errorf("the migration %s has changed since it was applied; %s", all[at].file(), anew)
		case at != i:
			return nil, fmt.Errorf("the migration %s is older than some that were applied; %s", all[i].file(), anew)
		}
	}
	return all[len(applied):], nil
}

// stale is how far the demo data may lie from the present before we say so.
const stale = 7 * 24 * time.Hour

// seed applies each file of demo data once, in the order of their names. With a
// clock of its own the demo data is dated by that clock: the file's now() finds
// ours before the real one.
func seed(ctx context.Context, conn *pgx.Conn, files fs.FS, now func() time.Time, log func(string, ...any)) error {
	names, err := fs.Glob(files, "seeds/*.sql")
	if err != nil {
		return fmt.Errorf("list the demo data: %w", err)
	}
	if len(names) == 0 {
		return errors.New("there is no demo data: seeds/*.sql matches no file")
	}
	for _, name := range names {
		if err := seedFile(ctx, conn, files, name, now, log); err != nil {
			return err
		}
	}
	return nil
}

func seedFile(
	ctx context.Context, conn *pgx.Conn, files fs.FS, name string, now func() time.Time, log func(string, ...any),
) error {
	what := "demo data of " + strings.TrimSuffix(path.Base(name), ".sql")
	began := time.Now()
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return fmt.Errorf("read the demo data: %w", err)
	}
	sum := sha256.Sum256(text)
	hash := hex.EncodeToString(sum[:])
	sql, at := string(text), began
	if now != nil {
		at = now()
		sql = datedAt(at, sql)
	}
	kept, err := seeded(ctx, conn, name, hash, at)
	if err != nil {
		return err
	}
	if kept != "" {
		log("%s: %s", what, kept)
		return nil
	}
	err = runFile(ctx, conn, "demo data "+name, sql,
		"insert into supabase_migrations.seed_files (path, hash, dated) values ($1, $2, $3)", name, hash, at)
	if err != nil {
		return err
	}
	// A fresh database knows nothing of how its rows are spread.
	if _, err := conn.Exec(ctx, "analyze"); err != nil {
		return fmt.Errorf("analyse the demo data: %w", err)
	}
	log("%s: applied in %s", what, since(began))
	return nil
}

// seeded says what is known about demo data that was applied before, or
// nothing when there is none.
func seeded(ctx context.Context, conn *pgx.Conn, name, hash string, now time.Time) (string, error) {
	var had string
	var dated *time.Time
	err := conn.QueryRow(ctx, "select hash, dated from supabase_migrations.seed_files where path = $1",
		name).Scan(&had, &dated)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("look for the demo data: %w", err)
	case had != hash:
		return "kept as it is; " + name + " has changed since, and -fresh applies it anew", nil
	case dated != nil && now.Sub(*dated).Abs() > stale:
		return "kept as it is; its bookings lie around " + dated.UTC().Format(time.DateOnly) +
			", and -fresh makes new ones", nil
	}
	return "kept as it is", nil
}

// datedAt wraps statements in another now(). It adds no line before them.
func datedAt(now time.Time, sql string) string {
	return fmt.Sprintf(`create schema seed_clock; `+
		`create function seed_clock.now() returns timestamptz language sql stable as $clock$ select timestamptz `+
		`'%s' $clock$; `+
		`set local search_path = seed_clock, pg_catalog, "$user", public, extensions; `,
		now.UTC().Format(time.RFC3339)) +
		sql + "\n; drop schema seed_clock cascade;"
}

// runFile runs the statements of a file and one of ours, which notes it, in
// one transaction.
func runFile(ctx context.Context, conn *pgx.Conn, what, sql, note string, args ...any) error {
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// The simple protocol takes a whole file.
		if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, note, args...)
		return err
	})
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Position > 0 {
		before := []rune(sql)[:min(int(pg.Position)-1, len([]rune(sql)))]
		return fmt.Errorf("%s, line %d: %w", what, 1+strings.Count(string(before), "\n"), err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
