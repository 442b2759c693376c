package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

const manifestName = "manifest.json"

// cached returns the downloaded PostgreSQL, downloading it when it is missing
// or broken.
func cached(ctx context.Context, cfg Config, as *account) (binaries, error) {
	b, err := fromCache(ctx, cfg, as)
	if err != nil {
		return binaries{}, fmt.Errorf("no PostgreSQL %d to %d is installed and none could be downloaded (%w); "+
			"install one with apt-get install postgresql or brew install postgresql@17",
			oldestPG, newestPG, err)
	}
	return b, nil
}

func fromCache(ctx context.Context, cfg Config, as *account) (binaries, error) {
	p, ok := pinFor(runtime.GOOS, runtime.GOARCH)
	if !ok {
		return binaries{}, fmt.Errorf("there is no build for %s on %s", runtime.GOOS, runtime.GOARCH)
	}
	dir, err := cachePlace(cfg, as, p)
	if err != nil {
		return binaries{}, err
	}
	f := fetcher{pin: p, dir: dir, log: cfg.Log, registry: func(ctx context.Context) string {
		return registryBase(ctx,
			cfg.Registry)
	}}
	if err := f.ensure(ctx); err != nil {
		return binaries{}, err
	}
	return inspect(ctx, filepath.Join(dir, "native", "bin"), as)
}

// cachePlace picks a folder that we can write and the server's user can reach.
func cachePlace(cfg Config, as *account, p pin) (string, error) {
	if cfg.Cache != "" {
		dir, err := filepath.Abs(cfg.Cache)
		if err != nil {
			return "", err
		}
		if !as.reaches(dir) {
			return "", fmt.Errorf("user %s, who must run it, cannot reach the cache %s", as.name, dir)
		}
		return dir, mkdirShared(filepath.Dir(dir))
	}
	name := pinned + "-" + p.platform
	var places []string
	if home, err := os.UserCacheDir(); err == nil {
		places = append(places, filepath.Join(home, "bellhop", "postgres", name))
	}
	if as != nil {
		places = append(places, filepath.Join("/var/cache/bellhop/postgres", name))
	}
	places = append(places, filepath.Join(os.TempDir(), fmt.Sprintf("bellhop-%d", os.Geteuid()), name))
	for _, dir := range places {
		if !as.reaches(dir) || mkdirShared(filepath.Dir(dir)) != nil {
			continue
		}
		// In a shared temporary folder another process may have been here first.
		if !ours(filepath.Dir(dir)) {
			continue
		}
		return dir, nil
	}
	return "", fmt.Errorf("no cache folder can be used, tried %v", places)
}

// mkdirShared makes a folder and those above it passable for everybody,
// whatever the umask. Folders that exist stay as they are.
func mkdirShared(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	if parent := filepath.Dir(path); parent != path {
		if err := mkdirShared(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o755); errors.Is(err, fs.ErrExist) {
		return nil // another process was quicker
	} else if err != nil {
		return err
	}
	return os.Chmod(path, 0o755)
}

// manifest lists what was unpacked, so that a damaged cache is noticed.
type manifest struct {
	SHA512 string           `json:"sha512"`
	Files  map[string]int64 `json:"files"` // size by path; for a link, that of the file behind it
}

// whole reports whether dir holds all that was unpacked there.
func whole(dir string, p pin) bool {
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return false
	}
	var m manifest
	if json.Unmarshal(text, &m) != nil || m.SHA512 != p.sha512 || len(m.Files) == 0 {
		return false
	}
	for name, size := range m.Files {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Size() != size {
			return false
		}
	}
	return true
}

// writeManifest records every file under dir.
func writeManifest(dir string, p pin) error {
	m := manifest{SHA512: p.sha512, Files: map[string]int64{}}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		m.Files[name] = info.Size()
		return err
	})
	if err != nil {
		return err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, manifestName), text, 0o644)
}

// lockBeside takes the lock that guards dir, waiting for the process that has it.
func lockBeside(ctx context.Context, dir string) (unlock func(), err error) {
	file, err := os.OpenFile(dir+".lock", os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = file.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			file.Close()
			return nil, err
		}
		select {
		case <-ctx.Done():
			file.Close()
			return nil, fmt.Errorf("wait for another download: %w", ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
