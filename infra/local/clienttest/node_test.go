package clienttest_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// oldestNode is what the pinned client asks for.
const oldestNode = 20

// needNode returns the node to run, or skips the test when there is none.
func needNode(t *testing.T) string {
	t.Helper()
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
	if n, err := strconv.Atoi(major); err != nil || n < oldestNode {
		t.Skipf("node is %s, and the client needs %d", strings.TrimSpace(string(out)), oldestNode)
	}
	return node
}

// needModules returns a folder node_modules with exactly what the lock file
// names. It is installed once per lock file, outside of the repository; the
// test is skipped when it is not there yet and no registry can be reached.
func needModules(t *testing.T) string {
	t.Helper()
	lock, err := os.ReadFile(filepath.Join("testdata", "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("there is no cache folder: %v", err)
	}
	sum := sha256.Sum256(lock)
	home := filepath.Join(cache, "bellhop", "clienttest", hex.EncodeToString(sum[:8]))
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
	install(t, fresh)
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
	return regexp.MustCompile(`(?i)\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|E50[234])\b`)
}

func install(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// No package gets to run a script of its own.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
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
