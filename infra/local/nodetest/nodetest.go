// Package nodetest runs checks that are written in JavaScript, so that our endpoints
// are tried by the clients that people really use. Node is found, packages are
// installed once for each lock file, outside of the repository; where there is
// no node or no registry the test is skipped and says why.
package nodetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// longest is how long a script or an installation may take.
const longest = 6 * time.Minute

// helpers are modules that every script finds beside it: tap.mjs, in which it
// lists its checks, and browser.mjs, with which it opens a browser.
//
//go:embed helpers
var helpers embed.FS

// Run runs a script of a folder that holds package.json and package-lock.json
// as well. The settings are handed over as JSON in the environment variable
// SETTINGS. The script reports by the Test Anything Protocol; each line of it
// becomes a subtest. oldest is the first major version of node that will do.
func Run(t *testing.T, folder, script string, oldest int, settings any) {
	t.Helper()
	node := find(t, oldest)
	modules := installed(t, folder)
	given, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	// Modules are looked up beside the script.
	work := t.TempDir()
	common, err := fs.Sub(helpers, "helpers")
	if err != nil {
		t.Fatal(err)
	}
	for _, files := range []fs.FS{os.DirFS(folder), common} {
		if err := os.CopyFS(work, files); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(modules, filepath.Join(work, "node_modules")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, script)
	cmd.WaitDelay = 5 * time.Second // for a browser that outlives a script which was cut off
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "SETTINGS="+string(given))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s ended with %v:\n%s%s", script, err, out.String(), errs.String())
	}
	report(t, out.String())
}

// report makes a subtest of each line of the protocol.
func report(t *testing.T, out string) {
	t.Helper()
	line := regexp.MustCompile(`^(ok|not ok) \d+ - (.*)$`)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	seen, plan := 0, -1
	for i, text := range lines {
		if count, ok := strings.CutPrefix(text, "1.."); ok {
			plan, _ = strconv.Atoi(count)
			continue
		}
		found := line.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		seen++
		t.Run(found[2], func(t *testing.T) {
			if found[1] != "ok" {
				t.Fatal(explanation(lines[i+1:]))
			}
			t.Log(explanation(lines[i+1:])) // how long it took
		})
	}
	if seen == 0 || plan != seen {
		t.Errorf("the script planned %d checks and reported %d:\n%s", plan, seen, out)
	}
}

// explanation joins the comment lines that follow a failure.
func explanation(lines []string) string {
	var b strings.Builder
	for _, text := range lines {
		comment, ok := strings.CutPrefix(text, "# ")
		if !ok {
			break
		}
		b.WriteString("\n" + comment)
	}
	return b.String()
}

// find returns the node to run, or skips the test when there is none. Under the
// race detector it skips the test, too: what clients of other people's ask runs
// without it, where it takes a tenth of the time, and our own clients, which ask
// side by side, run with it.
func find(t *testing.T, oldest int) string {
	t.Helper()
	if raced {
		t.Skip("clients in JavaScript run without the race detector")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	out, err := exec.CommandContext(t.Context(), node, "--version").Output()
	if err != nil {
		t.Fatalf("node --version: %v", err)
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < oldest {
		t.Skipf("node is %s, and this needs %d", strings.TrimSpace(string(out)), oldest)
	}
	return node
}

// Chromium returns the browser to run, or skips the test when none is installed.
// The headless shell is the same browser without windows, which takes a third less
// processor time.
func Chromium(t *testing.T) string {
	t.Helper()
	if raced {
		t.Skip("the browser runs without the race detector")
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	t.Skip("no Chromium is installed; the page is tried in it")
	return ""
}

// Modules returns the folder node_modules with the packages of a folder that
// holds package.json and package-lock.json, for tests that hand them to
// something else than node. Like Run it skips the test where it cannot.
func Modules(t *testing.T, folder string, oldest int) string {
	t.Helper()
	find(t, oldest)
	return installed(t, folder)
}

// installed returns a folder node_modules with exactly what the lock file
// names. It is installed once per lock file, outside of the repository; the
// test is skipped when it is not there yet and no registry can be reached.
func installed(t *testing.T, folder string) string {
	t.Helper()
	lock, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("there is no cache folder: %v", err)
	}
	sum := sha256.Sum256(lock)
	home := filepath.Join(cache, "bellhop", "node", hex.EncodeToString(sum[:8]))
	modules := filepath.Join(home, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules
	}
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		t.Fatal(err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(home), "new-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(fresh)
	install(t, folder, fresh)
	// Another process may have been faster; what it installed is the same.
	if err := os.Rename(fresh, home); err != nil {
		if _, missing := os.Stat(modules); missing != nil {
			t.Fatal(err)
		}
	}
	return modules
}

// unreachable is in npm's words about a registry that does not answer.
func unreachable() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|` +
		`EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|E50[234])\b`)
}

func install(t *testing.T, folder, dir string) {
	t.Helper()
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// No package gets to run a script of its own.
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund",
		"--fetch-retries=0", "--fetch-timeout=30000")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
	case unreachable().Match(out):
		t.Skipf("no package registry can be reached: %s", unreachable().Find(out))
	default:
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
}
