package postgres

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"

	"github.com/jackc/pgx/v5"
)

//go:embed bootstrap.sql
var bootstrapSQL string

// Bootstrap gives a database what Supabase's cloud has before the first
// migration: roles, schemas, auth.users, extensions and default privileges.
// It may be repeated. A clone of a bootstrapped database needs none.
func (s *Server) Bootstrap(ctx context.Context, database string) error {
	s.bootstrapping.Lock()
	defer s.bootstrapping.Unlock()
	conn, err := s.connect(ctx, database)
	if err != nil {
		return fmt.Errorf("bootstrap %s: %w", database, err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	// The simple protocol runs the whole file as one transaction.
	if _, err := conn.PgConn().Exec(ctx, bootstrapSQL).ReadAll(); err != nil {
		return fmt.Errorf("bootstrap %s: %w", database, err)
	}
	return nil
}

// CreateDatabase makes a database as a copy of template, or an empty one when
// template is "". The copy keeps the template's owner. No client may be connected
// to the template, or PostgreSQL waits up to 5 seconds for them to leave and
// then refuses; several copies may be made at once.
func (s *Server) CreateDatabase(ctx context.Context, name, template string) error {
	template = cmp.Or(template, "template0")
	return s.maintain(ctx, template, func(conn *pgx.Conn) error {
		var owner string
		err := conn.QueryRow(ctx, "select pg_get_userbyid(datdba) from pg_database where datname = $1",
			template).Scan(&owner)
		if err != nil {
			return fmt.Errorf("look up template %s: %w", template, err)
		}
		// Copying files beats replaying them through the log, and both are
		// safe here. PostgreSQL 15, the oldest we run, is the first to choose.
		_, err = conn.Exec(ctx, fmt.Sprintf("create database %s template %s owner %s strategy file_copy",
			quoteName(name), quoteName(template), quoteName(owner)))
		if err != nil {
			return fmt.Errorf("create database %s from %s: %w", name, template, err)
		}
		return nil
	})
}

// DropDatabase removes a database and disconnects its clients. It is
// content when there is none.
func (s *Server) DropDatabase(ctx context.Context, name string) error {
	return s.maintain(ctx, name, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, fmt.Sprintf("drop database if exists %s with (force)",
			quoteName(name))); err != nil {
			return fmt.Errorf("drop database %s: %w", name, err)
		}
		return nil
	})
}

// maintain connects to a database other than the one that is worked on. That
// is template1, which is hardly ever cloned, since connections are in the way
// of cloning. Cloning template1 itself waits until no other client is at work.
func (s *Server) maintain(ctx context.Context, besides string, work func(*pgx.Conn) error) error {
	database := "template1"
	if besides == database {
		database = "postgres"
		s.maintaining.Lock()
		defer s.maintaining.Unlock()
	} else {
		s.maintaining.RLock()
		defer s.maintaining.RUnlock()
	}
	conn, err := s.connect(ctx, database)
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return work(conn)
}

func quoteName(name string) string { return pgx.Identifier{name}.Sanitize() }
