package postgres

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// binaries is a folder with initdb and postgres.
type binaries struct {
	dir   string
	major int
}

// findBinaries takes the folder that was named, or else the first that works.
func findBinaries(ctx context.Context, cfg Config, as *account) (binaries, error) {
	if named := cmp.Or(cfg.BinDir, os.Getenv("DEV_PG_BIN")); named != "" && (cfg.BinDir != "" || !cfg.HideInstalled) {
		b, err := inspect(ctx, named, as)
		if err != nil {
			return binaries{}, fmt.Errorf("the PostgreSQL that was asked for cannot be used: %w", err)
		}
		return b, nil
	}
	if !cfg.HideInstalled {
		for _, dir := range installedDirs() {
			b, err := inspect(ctx, dir, as)
			if err == nil {
				return b, nil
			}
			if ctx.Err() != nil {
				return binaries{}, fmt.Errorf("look for PostgreSQL: %w", ctx.Err())
			}
			cfg.Log("passing over an installed PostgreSQL: %v", err)
		}
	}
	return cached(ctx, cfg, as)
}

// installedDirs lists where PostgreSQL may be installed: PATH first, then the
// places of the package managers, newest first.
func installedDirs() []string {
	dirs := filepath.SplitList(os.Getenv("PATH"))
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin",          // Debian, Ubuntu
		"/usr/pgsql-*/bin",                   // Fedora, Red Hat
		"/usr/libexec/postgresql*",           // Alpine
		"/opt/homebrew/opt/postgresql@*/bin", // Homebrew
		"/usr/local/opt/postgresql@*/bin",
		"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
	} {
		found, _ := filepath.Glob(pattern)
		slices.SortFunc(found, func(a, b string) int { return cmp.Compare(numberIn(b), numberIn(a)) })
		dirs = append(dirs, found...)
	}
	return slices.DeleteFunc(dirs, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "initdb"))
		return dir == "" || err != nil
	})
}

var versionNumber = regexp.MustCompile(`\d+`)

func numberIn(s string) int {
	n, _ := strconv.Atoi(versionNumber.FindString(s))
	return n
}

// inspect checks that a folder has a PostgreSQL that we can run and that
// brings the extensions the database needs.
func inspect(ctx context.Context, dir string, as *account) (binaries, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return binaries{}, err
	}
	for _, name := range []string{"initdb", "postgres"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return binaries{}, fmt.Errorf("%s has no %s", dir, name)
		}
	}
	// PATH may hold a link; the real folder is the one to be reached.
	if real, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres")); err == nil && !as.reaches(real) {
		return binaries{}, fmt.Errorf("user %s, who must run it, cannot reach %s", as.name, dir)
	}
	major, err := majorOf(ctx, filepath.Join(dir, "postgres"))
	if err != nil {
		return binaries{}, err
	}
	if major < oldestPG || major > newestPG {
		return binaries{}, fmt.Errorf("%s is PostgreSQL %d; versions %d to %d work", dir, major, oldestPG, newestPG)
	}
	if missing := missingExtension(ctx, dir); missing != "" {
		return binaries{}, fmt.Errorf("the PostgreSQL in %s lacks the extension %s", dir, missing)
	}
	return binaries{dir: dir, major: major}, nil
}

func majorOf(ctx context.Context, postgres string) (int, error) {
	cmd := exec.CommandContext(ctx, postgres, "-V")
	cmd.Dir, cmd.Env = "/", cleanEnv()
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s does not run: %w", postgres, err)
	}
	major := numberIn(string(out))
	if major == 0 {
		return 0, fmt.Errorf("%s tells no version: %q", postgres, out)
	}
	return major, nil
}

// missingExtension names a needed extension that is not installed. Without
// pg_config it cannot tell, and says none.
func missingExtension(ctx context.Context, dir string) string {
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "pg_config"), "--sharedir")
	cmd.Dir, cmd.Env = "/", cleanEnv()
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	for _, name := range []string{"btree_gist", "pgcrypto", "pg_trgm"} {
		control := filepath.Join(strings.TrimSpace(string(out)), "extension", name+".control")
		if _, err := os.Stat(control); err != nil {
			return name
		}
	}
	return ""
}

// cleanEnv is the whole environment of PostgreSQL's programs: nothing of
// PGDATA, PGPORT or a locale may leak in.
func cleanEnv() []string {
	return []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
}
