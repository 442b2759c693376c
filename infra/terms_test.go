package infra_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// homely are words for which the field has terms: endpoint, untrusted text, user
// of another organisation, caller, no caller.
var homely = regexp.MustCompile(`(?i)\b(doors?|strangers?|strangers'|whoever|nobody(?:'s)?|somebody(?:'s)?|purse)\b`)

// quoted are the words as the names of members and columns.
var quoted = regexp.MustCompile("[\"`'](?:door|p_door)[\"`']|[{,] ?\"door\"|^--   door ")

// Comments use the field's terms, in packages and in the migrations of the first
// release.
func TestCommentsUseStandardTerms(t *testing.T) {
	t.Parallel()
	complain := func(place, comment string) {
		for line := range strings.SplitSeq(comment, "\n") {
			if word := homely.FindString(quoted.ReplaceAllString(line, "")); word != "" &&
				!strings.HasPrefix(line, "// Door ") {
				t.Errorf("%s: %q: write endpoint, untrusted text, another user, the caller, no user or another "+
					"standard term in the place of %q", place, strings.TrimSpace(line), word)
			}
		}
	}
	err := filepath.WalkDir("../pkg", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.Contains(path, "hospitality") { // words of the domain: a desk, a door
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				complain(set.Position(c.Pos()).String(), c.Text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	migrations, err := filepath.Glob("supabase/migrations/2026112210*.sql")
	if err != nil || len(migrations) == 0 {
		t.Fatal(err, len(migrations))
	}
	for _, name := range migrations {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			if _, comment, found := strings.Cut(line, "--"); found {
				complain(name, "--"+comment)
			}
		}
	}
}
