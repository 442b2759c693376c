package infra_test

import (
	"fmt"
	"go/scanner"
	"go/token"
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
// not listed has none, and a listed one gets no more of them.
const longLines = "testdata/long_lines.txt"

// TestLinesAreShort holds Go, SQL and Markdown to fewer than 120 columns. What cannot be
// broken is not counted: in Go tags of struct fields and what lies within a raw string,
// whose value would be another, in Markdown rows of tables, code and single links, and
// what below pkg is told to a model as it stands.
func TestLinesAreShort(t *testing.T) {
	t.Parallel()
	known := listedLines(t)
	long := map[string]int{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		if d.IsDir() {
			if path != ".." && strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" ||
				d.Name() == "node_modules" {
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

// listedLines returns the files of longLines with their counts.
func listedLines(t *testing.T) map[string]int {
	t.Helper()
	listed, err := os.ReadFile(longLines)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]int{}
	for line := range strings.Lines(string(listed)) {
		name, count, _ := strings.Cut(strings.TrimSpace(line), " ")
		if known[name], err = strconv.Atoi(count); err != nil {
			t.Fatalf("%s: %q", longLines, line)
		}
	}
	return known
}

// tooLong counts the lines of a file that are too long; 0 for files that are not
// held to it. Migrations that were applied cannot change.
func tooLong(name, path string) (int, error) {
	kind := filepath.Ext(name)
	if kind != ".go" && kind != ".sql" && kind != ".md" ||
		kind == ".md" && strings.HasPrefix(name, "pkg/") ||
		strings.HasPrefix(name, "infra/supabase/migrations/20261122") {
		return 0, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	raw := map[int]bool{}
	if kind == ".go" {
		raw = rawLines(text)
	}
	n, number, code := 0, 0, false
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")
		if kind == ".md" && strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		switch {
		case utf8.RuneCountInString(line) < columns:
		case kind == ".md" && (code || strings.HasPrefix(strings.TrimSpace(line), "|") ||
			!strings.Contains(strings.TrimSpace(line), " ")):
		case kind == ".go" && (raw[number] || strings.Contains(line, "`json:\"")):
		default:
			n++
		}
	}
	return n, nil
}

// rawLines returns the lines of Go that a raw string of more than one line, or a single
// one without a space, takes up.
func rawLines(text []byte) map[int]bool {
	lines := map[int]bool{}
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	for {
		pos, kind, lit := s.Scan()
		if kind == token.EOF {
			return lines
		}
		if kind != token.STRING || lit[0] != '`' {
			continue
		}
		first := file.Line(pos)
		last := first + strings.Count(lit, "\n")
		if first == last && strings.Contains(lit, " ") {
			continue
		}
		for n := first; n <= last; n++ {
			lines[n] = true
		}
	}
}
