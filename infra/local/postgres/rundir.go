package postgres

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	rundirPrefix = "bellhop-pg-"
	markerName   = "bellhop-postgres.json"
	sharedMemory = "/dev/shm"

	// A migrated cluster takes about 40 MB, a clone 8 MB; tests make many.
	roomNeeded = 1 << 30

	// The system allows 103 bytes on macOS; the socket's own name needs 20.
	longestSocketDir = 80
)

// rundir is a folder of ours with a locked marker file in it. Our process and
// the postmaster share the lock: while either lives, it is held. That tells
// the living from the dead without trusting a pid, which may have been reused
// or belong to another container.
type rundir struct {
	path string
	lock *os.File
}

// marker is what the marker file says, for people and for a clear error.
type marker struct {
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
}

var errLocked = errors.New("in use")

// claim locks the marker of a folder that exists, making it when needed.
func claim(path string) (*rundir, error) {
	file, err := os.OpenFile(filepath.Join(path, markerName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errLocked
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	// A sweeper may have removed the file between our opening and locking it.
	if !sameFile(file, filepath.Join(path, markerName)) {
		file.Close()
		return nil, errLocked
	}
	return &rundir{path: path, lock: file}, nil
}

func sameFile(file *os.File, path string) bool {
	a, err1 := file.Stat()
	b, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

// sign writes into the marker who holds it.
func (r *rundir) sign() error {
	text, err := json.Marshal(marker{PID: os.Getpid(), Started: time.Now().UTC()})
	if err != nil {
		return err
	}
	if err := r.lock.Truncate(0); err != nil {
		return err
	}
	_, err = r.lock.WriteAt(append(text, '\n'), 0)
	return err
}

// outlast waits until no other process holds the lock. Connections survive a
// killed postmaster for a moment, and still write.
func (r *rundir) outlast() error {
	deadline := time.Now().Add(10 * time.Second)
	r.unlock()
	for {
		again, err := claim(r.path)
		switch {
		case err == nil:
			r.lock = again.lock
			return nil
		case errors.Is(err, os.ErrNotExist):
			return nil // removed by another process
		case !errors.Is(err, errLocked):
			return err
		case time.Now().After(deadline):
			return fmt.Errorf("a process of the stopped PostgreSQL still uses %s", r.path)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (r *rundir) unlock() { _ = r.lock.Close() }

func (r *rundir) remove() error {
	err := os.RemoveAll(r.path)
	r.unlock()
	return err
}

// newRundir makes and claims a new folder under base.
func newRundir(base string) (*rundir, error) {
	// A sweeper may see the folder before its marker is locked, and take it.
	for range 100 {
		path, err := os.MkdirTemp(base, rundirPrefix)
		if err != nil {
			return nil, err
		}
		r, err := claim(path)
		if errors.Is(err, errLocked) || errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := os.Chmod(path, 0o711); err != nil { // the server's user passes through
			return nil, err
		}
		return r, r.sign()
	}
	return nil, fmt.Errorf("cannot keep a folder under %s", base)
}

// sweep removes the folders that killed processes left under base.
func sweep(base string) {
	found, _ := filepath.Glob(filepath.Join(base, rundirPrefix+"*"))
	for _, path := range found {
		// Without a marker it is not ours, or just being made.
		if info, err := os.Lstat(filepath.Join(path, markerName)); err != nil || !info.Mode().IsRegular() ||
			!ours(path) {
			continue
		}
		if r, err := claim(path); err == nil {
			_ = r.remove()
		}
	}
}

// ours reports whether we own a folder. In a shared temporary folder anybody
// may plant one with our prefix.
func ours(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir() && (*account)(nil).owns(info)
}

// bases lists where temporary folders may be, the best first.
func bases(as *account) []string {
	var all []string
	if roomy(sharedMemory) {
		all = append(all, sharedMemory)
	}
	for _, dir := range []string{os.TempDir(), "/tmp"} {
		if len(dir) <= longestSocketDir-len(rundirPrefix)-12 && as.reaches(dir) {
			all = append(all, dir)
		}
	}
	return all
}

func roomy(dir string) bool {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return false
	}
	if fs.Bavail*uint64(fs.Bsize) < roomNeeded {
		return false
	}
	probe, err := os.MkdirTemp(dir, "bellhop-probe-")
	if err != nil {
		return false
	}
	return os.Remove(probe) == nil
}

func readMarker(dir string) marker {
	var m marker
	if text, err := os.ReadFile(filepath.Join(dir, markerName)); err == nil {
		_ = json.Unmarshal(text, &m) // half-written: owner not known
	}
	return m
}
