package infra_test

import (
	"bufio"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Lines have fewer columns than this; a tab is four.
const columns = 120

// longLines lists the files that have longer lines, and how many: a file that is
// not listed has none, and a listed one gets no more of them. Below a folder that
// is listed with a star nothing is held yet.
const longLines = "testdata/long_lines.txt"

// TestLinesAreShort holds Go (but for tests), SQL and Markdown to fewer than 120
// columns. What cannot be broken is not counted: tags of struct fields, and in
// Markdown the rows of tables, code and single links.
func TestLinesAreShort(t *testing.T) {
	t.Parallel()
	known, free := listedLines(t)
	long := map[string]int{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		if d.IsDir() {
			if slices.Contains(free, name+"/") {
				return filepath.SkipDir
			}
			if path != ".." && strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		if n, err := tooLong(name, path); err != nil || n > 0 {
			long[name] = n
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		var b strings.Builder
		for _, folder := range free {
			fmt.Fprintf(&b, "%s *\n", folder)
		}
		for _, name := range slices.Sorted(maps.Keys(long)) {
			fmt.Fprintf(&b, "%s %d\n", name, long[name])
		}
		if err := os.WriteFile(longLines, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(long)) {
		if long[name] > known[name] {
			t.Errorf("%s has %d lines of %d columns or more, and may have %d: break them, or list them "+
				"with go test ./infra -run TestLinesAreShort -update", name, long[name], columns, known[name])
		}
	}
}

// listedLines returns the files of longLines with their counts, and the folders.
func listedLines(t *testing.T) (known map[string]int, free []string) {
	t.Helper()
	listed, err := os.ReadFile(longLines)
	if err != nil {
		t.Fatal(err)
	}
	known = map[string]int{}
	for line := range strings.Lines(string(listed)) {
		name, count, _ := strings.Cut(strings.TrimSpace(line), " ")
		if count == "*" {
			free = append(free, name)
			continue
		}
		if known[name], err = strconv.Atoi(count); err != nil {
			t.Fatalf("%s: %q", longLines, line)
		}
	}
	return known, free
}

// tooLong counts the lines of a file that are too long; 0 for files that are not
// held to it. Migrations that were applied cannot change.
func tooLong(name, path string) (int, error) {
	kind := filepath.Ext(name)
	switch {
	case kind != ".go" && kind != ".sql" && kind != ".md", strings.HasSuffix(name, "_test.go"),
		strings.HasPrefix(name, "infra/supabase/migrations/20261122"):
		return 0, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, code := 0, false
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text := strings.ReplaceAll(lines.Text(), "\t", "    ")
		if kind == ".md" && strings.HasPrefix(strings.TrimSpace(text), "```") {
			code = !code
		}
		if utf8.RuneCountInString(text) < columns {
			continue
		}
		switch {
		case kind == ".md" && (code || strings.HasPrefix(strings.TrimSpace(text), "|") ||
			!strings.Contains(strings.TrimSpace(text), " ")):
		case kind == ".go" && strings.Contains(text, "`json:\""):
		default:
			n++
		}
	}
	return n, lines.Err()
}
