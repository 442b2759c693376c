package postgres

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the unprivileged user a server runs as when we are root, since
// PostgreSQL refuses to run as root.
type account struct {
	name     string
	uid, gid uint32
}

// serverAccount returns nil when the server may run as ourselves.
func serverAccount() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 == nil && err2 == nil && uid != 0 {
			return &account{name: name, uid: uint32(uid), gid: uint32(gid)}, nil
		}
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")
}

func (a *account) credential() *syscall.Credential {
	if a == nil {
		return nil
	}
	return &syscall.Credential{Uid: a.uid, Gid: a.gid, Groups: []uint32{a.gid}}
}

func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	if err := os.Chown(path, int(a.uid), int(a.gid)); err != nil {
		return fmt.Errorf("give %s to user %s: %w", path, a.name, err)
	}
	return nil
}

// owns reports whether a file belongs to the account, or to ourselves when
// there is none.
func (a *account) owns(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if a == nil {
		return ok && int(stat.Uid) == os.Geteuid()
	}
	return ok && stat.Uid == a.uid
}

// reaches reports whether the account may pass through path and each folder
// above it. A part that does not exist yet counts as passable, for we make it.
func (a *account) reaches(path string) bool {
	if a == nil {
		return true
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for ; ; path = filepath.Dir(path) {
		if info, err := os.Stat(path); err == nil && !a.passes(info) {
			return false
		}
		if path == filepath.Dir(path) {
			return true
		}
	}
}

func (a *account) passes(info os.FileInfo) bool {
	if !info.IsDir() {
		return true
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch mode := info.Mode().Perm(); {
	case ok && stat.Uid == a.uid:
		return mode&0o100 != 0
	case ok && stat.Gid == a.gid:
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}
