package postgres_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/postgres"
	"github.com/jackc/pgx/v5"
)

func TestSmoke(t *testing.T) {
	s, err := postgres.Start(t.Context(), postgres.Config{Log: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	for range 2 {
		if err := s.Bootstrap(t.Context(), "postgres"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.CreateDatabase(t.Context(), "copy", "postgres"); err != nil {
		t.Fatal(err)
	}
	c, err := pgx.Connect(t.Context(), s.ConnString("copy", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(t.Context(), `create schema app; alter role authenticator set pgrst.db_pre_request = 'app.pre_request'`); err != nil {
		t.Fatal(err)
	}
	t.Log(s.ConnString("copy", "postgres"), s.DataDir())
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
}
