package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// prepareFolders makes the folders of this server and takes their locks.
func (s *Server) prepareFolders(ctx context.Context) error {
	places := bases(s.as)
	if len(places) == 0 {
		return fmt.Errorf("no temporary folder with a short path that the server can reach (TMPDIR is %s)",
			os.TempDir())
	}
	for _, base := range places {
		sweep(base)
	}
	var err error
	if s.rundir, err = newRundir(places[0]); err != nil {
		return fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	if err := s.makeOwned(s.socketDir()); err != nil {
		return err
	}
	if s.cfg.Dir == "" {
		s.datadir = filepath.Join(s.rundir.path, "data")
		s.logfile = filepath.Join(s.rundir.path, "server.log")
		return nil
	}
	return s.openKept(ctx)
}

// openKept locks the folder that keeps the data.
func (s *Server) openKept(ctx context.Context) error {
	dir, err := keptPlace(s.cfg.Dir, s.as)
	if err != nil {
		return err
	}
	if asked, _ := filepath.Abs(s.cfg.Dir); asked != dir {
		s.cfg.Log("user %s cannot reach %s, so the data is in %s", s.as.name, s.cfg.Dir, dir)
	}
	if err := mkdirShared(dir); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	if s.kept, err = claimKept(ctx, dir); err != nil {
		return err
	}
	s.datadir = filepath.Join(dir, "data")
	s.logfile = filepath.Join(dir, "server.log")
	return s.checkKept()
}

// claimKept locks a folder with data. When the process that started its
// server is gone, the server is shutting down, and it is worth waiting.
func claimKept(ctx context.Context, dir string) (*rundir, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for {
		kept, err := claim(dir)
		if err == nil {
			return kept, kept.sign()
		}
		if !errors.Is(err, errLocked) {
			return nil, fmt.Errorf("lock the data folder: %w", err)
		}
		holder := readMarker(dir)
		if alive(holder.PID) || ctx.Err() != nil {
			return nil, fmt.Errorf("the database in %s is in use by process %d; stop that one or use another folder",
				dir, holder.PID)
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// checkKept refuses data that this PostgreSQL cannot serve, and clears away
// what a killed server left in it.
func (s *Server) checkKept() error {
	if info, err := os.Stat(s.datadir); err == nil && !s.as.owns(info) {
		return fmt.Errorf("the database in %s belongs to another user; run as that user, or start with -fresh to "+
			"make it anew", filepath.Dir(s.datadir))
	}
	text, err := os.ReadFile(filepath.Join(s.datadir, "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		if entries, _ := os.ReadDir(s.datadir); len(entries) > 0 {
			return fmt.Errorf("%s holds files but no database; use another folder", s.datadir)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the version of the data: %w", err)
	}
	if made, _ := strconv.Atoi(strings.TrimSpace(string(text))); made != s.bin.major {
		return fmt.Errorf("the database in %s was made by PostgreSQL %s, but this is PostgreSQL %d; start with "+
			"-fresh to make it anew",
			filepath.Dir(s.datadir), strings.TrimSpace(string(text)), s.bin.major)
	}
	pidfile := filepath.Join(s.datadir, "postmaster.pid")
	first, err := os.ReadFile(pidfile)
	if err != nil {
		return nil // shut down in order
	}
	line, _, _ := strings.Cut(string(first), "\n")
	pid, _ := strconv.Atoi(line)
	if alive(pid) && serves(pid, s.datadir) {
		return fmt.Errorf("the database in %s is in use by the PostgreSQL with process id %d; stop that one or use "+
			"another folder", filepath.Dir(s.datadir), pid)
	}
	// PostgreSQL itself would take a zombie or a reused pid for the old server.
	if err := os.Remove(pidfile); err != nil {
		return fmt.Errorf("remove a stale lock file: %w", err)
	}
	return nil
}

// initialise runs initdb unless there is a database. It works beside the
// final place, so a kill half-way leaves nothing that looks finished.
func (s *Server) initialise(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(s.datadir, "PG_VERSION")); err == nil {
		return nil
	}
	s.cfg.Log("creating a PostgreSQL %d database", s.bin.major)
	staging := s.datadir + ".new"
	if err := os.RemoveAll(staging); err != nil {
		return fmt.Errorf("remove an unfinished database: %w", err)
	}
	if err := s.makeOwned(staging); err != nil {
		return err
	}
	initdb := exec.Command(filepath.Join(s.bin.dir, "initdb"),
		"-D", staging, "-A", "trust", "--no-locale", "--no-sync", "-E", "UTF8", "-U", superuser)
	if err := s.run(ctx, initdb); err != nil {
		return s.explain("initdb failed", err)
	}
	if err := os.Remove(s.datadir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("put the new database in place: %w", err)
	}
	if err := os.Rename(staging, s.datadir); err != nil {
		return fmt.Errorf("put the new database in place: %w", err)
	}
	return nil
}

// launch starts the postmaster and waits until it answers.
func (s *Server) launch(ctx context.Context) error {
	cmd := exec.Command(filepath.Join(s.bin.dir, "postgres"), s.arguments()...)
	cmd.ExtraFiles = []*os.File{s.rundir.lock}
	if s.kept != nil {
		cmd.ExtraFiles = append(cmd.ExtraFiles, s.kept.lock)
	}
	var err error
	if s.proc, err = s.begin(cmd); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	if err := s.waitReady(ctx); err != nil {
		_ = s.proc.stop(false)
		return err
	}
	return nil
}

func (s *Server) arguments() []string {
	listen := ""
	if s.cfg.ListenTCP {
		listen = "127.0.0.1"
	}
	settings := []string{
		"unix_socket_directories=" + s.socketDir(),
		"unix_socket_permissions=0700",
		"listen_addresses=" + listen,
		"port=" + strconv.Itoa(s.port),
		"max_connections=200",
		"timezone=UTC",
		"log_timezone=UTC",
		"jit=off",
		"wal_level=minimal",
		"max_wal_senders=0",
	}
	if s.cfg.Dir == "" {
		settings = append(settings, "fsync=off", "full_page_writes=off", "autovacuum=off",
			"min_wal_size=32MB", "max_wal_size=256MB",
			"dynamic_shared_memory_type=mmap") // in the data folder, so that a killed server leaves none behind
	}
	args := []string{"-D", s.datadir}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// run runs a program to its end; begin starts one. Both as the server's user,
// with a clean environment, and with the log file for their output.
func (s *Server) run(ctx context.Context, cmd *exec.Cmd) error {
	p, err := s.begin(cmd)
	if err != nil {
		return err
	}
	if err := p.wait(ctx.Done()); err != nil {
		return errors.Join(ctx.Err(), err)
	}
	return nil
}

func (s *Server) begin(cmd *exec.Cmd) (*process, error) {
	log, err := os.OpenFile(s.logfile, os.O_CREATE|os.O_WRONLY|os.O_APPEND|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd.Dir, cmd.Env = "/", cleanEnv()
	cmd.Stdout, cmd.Stderr = log, log
	return startProcess(cmd, s.as)
}

// makeOwned makes a private folder for the server's user.
func (s *Server) makeOwned(path string) error {
	if err := os.Mkdir(path, 0o700); err != nil {
		return fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	return s.as.own(path)
}
