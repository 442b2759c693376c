package infra_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What a test shows is named in a comment of it, and listed on a page. A page
// has rows of a table of ours, with the tests that name them.

// The states of a row.
const (
	shown      = "shown"
	partly     = "partly"
	standsOpen = "open"
	notYet     = "not yet"
)

// shownPage is one page that is made from the comments of tests.
type shownPage struct {
	file, test string         // the page, and the test that makes it
	head       string         // what stands above the table
	columns    string         // the table's first line
	id         *regexp.Regexp // what the comments name
	rows       []shownRow
	// judge says in which state a row is that these tests name, and what is
	// wrong with that, or "".
	judge func(row shownRow, tests []string) (state, wrong string)
	// count says how many rows are in which state.
	count func(states map[string]int) string
}

// shownRow is one row. Open is what no test shows.
type shownRow struct {
	id    string
	cells []string
	state string // as it was written down, "" where the tests decide
	open  string
}

// check holds a page to the tests, or writes it.
func (p shownPage) check(t *testing.T) {
	t.Helper()
	named := testsThatName(t, p.id)
	states := map[string]int{}
	seen := map[string]bool{}
	var body strings.Builder
	for _, row := range p.rows {
		if seen[row.id] {
			t.Errorf("%s stands there twice", row.id)
		}
		seen[row.id] = true
		tests := named[row.id]
		delete(named, row.id)
		state, wrong := p.judge(row, tests)
		if wrong != "" {
			t.Errorf("%s (%s): %s", row.id, row.cells[0], wrong)
		}
		states[state]++
		cell := strings.Join(tests, "<br>")
		if row.open != "" {
			cell = strings.TrimPrefix(cell+"<br>"+"*"+row.open+"*", "<br>")
		}
		fmt.Fprintf(&body, "| %s | %s | %s | %s |\n", row.id, strings.Join(row.cells, " | "), state, cell)
	}
	for id, tests := range named {
		t.Errorf("%v name %s, which is no row of %s", tests, id, p.file)
	}
	page := p.head + p.count(states) + "\n\n" + p.columns + "\n|" +
		strings.Repeat("---|", strings.Count(p.columns, "|")-1) + "\n" + body.String()
	path := filepath.Join(root, filepath.FromSlash(p.file))
	got, err := os.ReadFile(path)
	if err == nil && string(got) == page {
		return
	}
	if !*update {
		t.Fatalf("%s is stale: go test ./infra -run %s -update", p.file, p.test)
	}
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

// testsThatName reads which tests name which ids: in the comment above the
// test or inside of it, in the heading of a story, or in a comment of a test
// that runs in Node. Tests of the stand-ins in infra/local do not count.
func testsThatName(t *testing.T, ids *regexp.Regexp) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	note := func(text, test string) {
		for _, id := range ids.FindAllString(text, -1) {
			if !slices.Contains(found[id], test) {
				found[id] = append(found[id], test)
			}
		}
	}
	for _, top := range []string{"pkg", "functions", "infra", "scripts"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			name = filepath.ToSlash(name)
			switch {
			case d.IsDir() && (name == "infra/local" || d.Name() == "node_modules"):
				return filepath.SkipDir
			case strings.HasSuffix(name, ".txtar"):
				raw, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				heading, _, _ := strings.Cut(string(raw), "\n-- ")
				note(heading, "`"+name+"`")
			case strings.HasSuffix(name, ".mjs"):
				raw, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				for line := range strings.Lines(string(raw)) {
					if comment, ok := strings.CutPrefix(strings.TrimSpace(line), "//"); ok {
						note(comment, "`"+name+"`")
					}
				}
			case strings.HasSuffix(name, "_test.go"):
				return readTests(path, func(text, test string) {
					note(text, fmt.Sprintf("`%s` %s", filepath.ToSlash(filepath.Dir(name)), test))
				})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// readTests hands out every comment of a file that belongs to a test.
func readTests(path string, note func(text, test string)) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") && !strings.HasPrefix(f.Name.Name, "Fuzz") {
			continue
		}
		begin := f.Pos()
		if f.Doc != nil {
			begin = f.Doc.Pos()
		}
		for _, c := range file.Comments {
			if c.Pos() >= begin && c.End() <= f.End() {
				note(c.Text(), f.Name.Name)
			}
		}
	}
	return nil
}
