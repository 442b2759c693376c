package postgres_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/postgres"
)

func TestKeptData(t *testing.T) {
	dir := filepath.Join(folder(t), "not", "yet", "there")
	first := start(t, postgres.Config{Dir: dir})
	exec(t, connect(t, first, "postgres", "supabase_admin"), "create table kept as select 42 as n")

	t.Run("is refused to a second server", func(t *testing.T) {
		_, err := postgres.Start(t.Context(), postgres.Config{Dir: dir})
		wantError(t, err, dir, fmt.Sprintf("in use by process %d", os.Getpid()))
		wantError(t, postgres.Remove(dir), dir, "in use")
	})
	stop(t, first)

	t.Run("survives a stop", func(t *testing.T) {
		s := start(t, postgres.Config{Dir: dir})
		if n := ask[int](t, connect(t, s, "postgres", "supabase_admin"), "select n from kept"); n != 42 {
			t.Errorf("kept %d, want 42", n)
		}
		stop(t, s)
	})

	t.Run("survives a killed server", func(t *testing.T) {
		s := start(t, postgres.Config{Dir: dir})
		conn := connect(t, s, "postgres", "supabase_admin")
		exec(t, conn, "update kept set n = 43")
		exec(t, conn, "checkpoint") // commits are not waited for
		if err := syscall.Kill(s.PID(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		<-s.Done()
		if _, err := os.Stat(filepath.Join(s.DataDir(), "postmaster.pid")); err != nil {
			t.Fatalf("the killed server left no lock file, so this proves nothing: %v", err)
		}
		stop(t, s)
		again := start(t, postgres.Config{Dir: dir})
		if n := ask[int](t, connect(t, again, "postgres", "supabase_admin"), "select n from kept"); n != 43 {
			t.Errorf("kept %d, want 43", n)
		}
		stop(t, again)
	})

	t.Run("starts though a stranger has the old server's pid", func(t *testing.T) {
		pidfile := filepath.Join(dir, "data", "postmaster.pid")
		if err := os.WriteFile(pidfile, fmt.Appendf(nil, "%d\n%s\n", os.Getpid(), dir), 0o644); err != nil {
			t.Fatal(err)
		}
		stop(t, start(t, postgres.Config{Dir: dir}))
	})

	t.Run("is refused by another version", func(t *testing.T) {
		version := filepath.Join(dir, "data", "PG_VERSION")
		right, err := os.ReadFile(version)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(version, []byte("14\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = postgres.Start(t.Context(), postgres.Config{Dir: dir})
		wantError(t, err, "PostgreSQL 14", "PostgreSQL "+strings.TrimSpace(string(right)), "-fresh")
		if err := os.WriteFile(version, right, 0o644); err != nil {
			t.Fatal(err)
		}
	})

	t.Run("is new after Remove", func(t *testing.T) {
		if err := postgres.Remove(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("the folder is still there: %v", err)
		}
		if err := postgres.Remove(dir); err != nil {
			t.Errorf("second Remove: %v", err)
		}
		s := start(t, postgres.Config{Dir: dir})
		if ask[bool](t, connect(t, s, "postgres", "supabase_admin"), "select to_regclass('kept') is not null") {
			t.Error("old data is still there")
		}
	})
}

func TestKeptFolderWithStrangeFiles(t *testing.T) {
	dir := folder(t)
	precious := filepath.Join(dir, "data", "precious.txt")
	if err := os.MkdirAll(filepath.Dir(precious), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(precious, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		_, err := postgres.Start(t.Context(), postgres.Config{Dir: dir})
		wantError(t, err, "belongs to another user", "-fresh")
		giveToServer(t, filepath.Dir(precious))
	}
	_, err := postgres.Start(t.Context(), postgres.Config{Dir: dir})
	wantError(t, err, "holds files but no database")
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}

// Root's own folders are closed to the server's user.
func TestKeptFolderOutOfReach(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root runs the server as somebody else")
	}
	asked := filepath.Join(t.TempDir(), "db")
	if err := os.Chmod(filepath.Dir(asked), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := postgres.Remove(asked); err != nil {
			t.Error(err)
		}
	})
	s := start(t, postgres.Config{Dir: asked})
	exec(t, connect(t, s, "postgres", "supabase_admin"), "create table kept ()")
	if strings.HasPrefix(s.DataDir(), asked) {
		t.Errorf("the data is in %s, which was out of reach", s.DataDir())
	}
	where := s.DataDir()
	stop(t, s)
	again := start(t, postgres.Config{Dir: asked})
	if again.DataDir() != where {
		t.Errorf("the data moved from %s to %s", where, again.DataDir())
	}
	stop(t, again)
}

// giveToServer makes the server's user the owner of a folder, by copying the
// owner of a running server's data.
func giveToServer(t *testing.T, dir string) {
	t.Helper()
	info, err := os.Stat(start(t, postgres.Config{}).DataDir())
	if err != nil {
		t.Fatal(err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	if err := os.Chown(dir, int(stat.Uid), int(stat.Gid)); err != nil {
		t.Fatal(err)
	}
}

func stop(t *testing.T, s *postgres.Server) {
	t.Helper()
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
}
