package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Snapshot is the data folder of a stopped server, prepared once and copied by
// every temporary server that asks for the same one. Copying it takes a tenth
// of the time that initdb, the migrations and the demo data take.
type Snapshot struct {
	// Key names all that the content depends on besides the PostgreSQL: the
	// text of the migrations, say, and the day of the demo data.
	Key string
	// Prepare fills a new server. It closes its own connections.
	Prepare func(context.Context, *Server) error
	// Folder keeps the snapshots. Empty means bellhop/clusters in the user's
	// cache folder. Where it can't be written, each server prepares itself.
	Folder string
}

// keptSnapshots is how many snapshots stay; the day and each change of a
// migration make another.
const keptSnapshots = 4

// restore puts the snapshot into the data folder, making it first where there
// is none. ok is false when no snapshot can be had: the caller then prepares
// its own server.
func (s *Server) restore(ctx context.Context) (ok bool, err error) {
	from, err := s.snapshot(ctx)
	if err != nil || from == "" {
		return false, err
	}
	// Beside the final place, so that a kill half-way leaves nothing that looks
	// finished.
	staging := s.datadir + ".new"
	if err := os.RemoveAll(staging); err != nil {
		return false, fmt.Errorf("remove an unfinished copy: %w", err)
	}
	if err := copyFolder(from, staging, s.as); err != nil {
		return false, fmt.Errorf("copy a prepared database: %w", err)
	}
	if err := os.Rename(staging, s.datadir); err != nil {
		return false, fmt.Errorf("put the copy in place: %w", err)
	}
	return true, nil
}

// snapshot returns the folder of the snapshot, "" where none can be kept.
func (s *Server) snapshot(ctx context.Context) (string, error) {
	want := s.cfg.Snapshot
	folder := want.Folder
	if folder == "" {
		home, err := os.UserCacheDir()
		if err != nil {
			return "", nil
		}
		folder = filepath.Join(home, "bellhop", "clusters")
	}
	if os.MkdirAll(folder, 0o700) != nil || !ours(folder) {
		return "", nil
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%s", s.bin.major, s.bin.dir, bootstrapSQL, want.Key))
	place := filepath.Join(folder, hex.EncodeToString(sum[:12]))
	if used(place) {
		return place, nil
	}
	unlock, err := lockBeside(ctx, filepath.Join(folder, "making"))
	if err != nil {
		return "", ctx.Err() // a folder that cannot be locked keeps nothing
	}
	defer unlock()
	if used(place) { // made by the process that held the lock
		return place, nil
	}
	prune(folder)
	return place, s.make(ctx, place)
}

// make prepares a server of its own and keeps its data folder.
func (s *Server) make(ctx context.Context, place string) error {
	cfg := s.cfg
	cfg.Snapshot = nil
	maker, err := Start(ctx, cfg)
	if err != nil {
		return err
	}
	err = s.cfg.Snapshot.Prepare(ctx, maker)
	// In order, so that the data folder is whole without its log. What is in
	// the way of that was in the way of preparing, too.
	stopErr := maker.proc.stop(true)
	if err == nil && stopErr == nil {
		err = keep(maker.datadir, place)
	}
	return errors.Join(err, stopErr, maker.release())
}

// keep copies a data folder to its place in one step.
func keep(datadir, place string) error {
	staging, err := os.MkdirTemp(filepath.Dir(place), ".new-")
	if err != nil {
		return fmt.Errorf("keep a prepared database: %w", err)
	}
	defer os.RemoveAll(staging)
	if err := copyFolder(datadir, filepath.Join(staging, "data"), nil); err != nil {
		return fmt.Errorf("keep a prepared database: %w", err)
	}
	if err := os.Rename(filepath.Join(staging, "data"), place); err != nil {
		return fmt.Errorf("keep a prepared database: %w", err)
	}
	return nil
}

// used reports whether there is a snapshot, and notes that it is needed.
func used(place string) bool {
	now := time.Now()
	return os.Chtimes(place, now, now) == nil
}

// prune removes snapshots that were not used for an hour, but for the newest few,
// and what a killed process left unfinished. The caller holds the lock.
func prune(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	type snapshot struct {
		path string
		used time.Time
	}
	var all []snapshot
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.IsDir() {
			continue
		}
		all = append(all, snapshot{filepath.Join(folder, e.Name()), info.ModTime()})
	}
	slices.SortFunc(all, func(a, b snapshot) int { return b.used.Compare(a.used) })
	for i, old := range all {
		unfinished := filepath.Base(old.path)[0] == '.'
		if i >= keptSnapshots-1 && time.Since(old.used) > time.Hour || unfinished {
			_ = os.RemoveAll(old.path)
		}
	}
}

// copyFolder copies files and folders, and gives the copies to an account.
func copyFolder(from, to string, as *account) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		switch {
		case entry.IsDir():
			err = os.Mkdir(target, 0o700)
		case entry.Type().IsRegular():
			err = copyFile(path, target)
		default:
			return fmt.Errorf("%s is neither a file nor a folder", path)
		}
		if err != nil {
			return err
		}
		return as.own(target)
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
