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

const faultsFile = "../docs/faults.md"

const faultsHead = `# Faults

What may go wrong, what has to come of it, and the tests that show it. This file is made by ` + "`go test ./infra -run TestFaults -update`" + `
from the comments "F-nn" of the tests; what stands open is written by hand in ` + "`infra/faults_rows_test.go`" + `. A test counts when it drives the
product: tests of the stand-ins in ` + "`infra/local`" + ` do not.

`

// TestFaults holds docs/faults.md to the tests.
func TestFaults(t *testing.T) {
	shown := testsByFault(t)
	var b strings.Builder
	b.WriteString(faultsHead)
	states := map[string]int{}
	var body strings.Builder
	for _, row := range faultRows() {
		tests := shown[row.id]
		delete(shown, row.id)
		state := "shown"
		switch {
		case len(tests) == 0 && row.open == "":
			t.Errorf("%s (%s): no test names it, and nothing says why", row.id, row.fault)
			state = "open"
		case len(tests) == 0 && strings.HasPrefix(row.open, "comes with"):
			state = "not yet"
		case len(tests) == 0:
			state = "open"
		case row.open != "":
			state = "partly"
		}
		states[state]++
		cell := strings.Join(tests, "<br>")
		if row.open != "" {
			cell = strings.TrimPrefix(cell+"<br>"+"*"+row.open+"*", "<br>")
		}
		fmt.Fprintf(&body, "| %s | %s | %s | %s | %s |\n", row.id, row.fault, row.outcome, state, cell)
	}
	for id, tests := range shown {
		t.Errorf("%v name %s, which is no row of the matrix", tests, id)
	}
	fmt.Fprintf(&b, "%d rows: %d shown, %d partly, %d open, %d not yet, for want of what they are about.\n\n",
		len(faultRows()), states["shown"], states["partly"], states["open"], states["not yet"])
	b.WriteString("| | fault | required | state | tests, and what is open |\n|---|---|---|---|---|\n" + body.String())
	got, err := os.ReadFile(faultsFile)
	if err == nil && string(got) == b.String() {
		return
	}
	if !*update {
		t.Fatal("docs/faults.md is stale: go test ./infra -run TestFaults -update")
	}
	if err := os.WriteFile(faultsFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

var faultID = regexp.MustCompile(`\bF-[0-9]{2}\b`)

// testsByFault reads which tests name which faults: in the comment above the
// test or inside of it, or in the heading of a story.
func testsByFault(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	note := func(text, test string) {
		for _, id := range faultID.FindAllString(text, -1) {
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
