package infra_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What docs name is there, and what they have to name is named.
func TestDocs(t *testing.T) {
	docs := filepath.Join(root, "docs")
	texts := map[string]string{}
	err := filepath.WalkDir(docs, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(docs, name)
		texts[filepath.ToSlash(below)] = string(text)
		return err
	})
	if err != nil || len(texts) == 0 {
		t.Fatalf("no docs were found: %v", err)
	}

	t.Run("every link leads somewhere, and from the README to every page", func(t *testing.T) {
		link := regexp.MustCompile(`\]\(([\w./-]+\.(?:md|yaml|json|jsx|example))?(?:#([\w-]+))?\)`)
		reached := map[string]bool{}
		for next := []string{"README.md", "CHANGELOG.md"}; len(next) > 0; next = next[1:] {
			page := next[0]
			if reached[page] || !strings.HasSuffix(page, ".md") {
				continue
			}
			reached[page] = true
			for _, m := range link.FindAllStringSubmatch(readText(t, page), -1) {
				to := page
				if m[1] != "" {
					to = path.Join(path.Dir(page), m[1])
				}
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); err != nil {
					t.Errorf("%s links to %s: %v", page, m[1], err)
					continue
				}
				if m[2] != "" && !slices.Contains(anchors(readText(t, to)), m[2]) {
					t.Errorf("%s links to #%s, which %s does not have", page, m[2], to)
				}
				next = append(next, to)
			}
		}
		for name := range texts {
			if !reached["docs/"+name] {
				t.Errorf("no link leads to %s", name)
			}
		}
	})

	t.Run("every setting is told of", func(t *testing.T) {
		settings := regexp.MustCompile(`(?m)^#?([A-Z][A-Z_]+)=`).FindAllStringSubmatch(readText(t, ".env.example"), -1)
		if len(settings) == 0 {
			t.Error("this test sees no setting")
		}
		for _, m := range settings {
			if !strings.Contains(texts["operating.md"]+texts["local-stack.md"], "`"+m[1]+"`") {
				t.Errorf("neither operating.md nor local-stack.md tells of %s", m[1])
			}
		}
	})

	t.Run("every flag of scripts/dev is told of", func(t *testing.T) {
		flags := regexp.MustCompile(`Var\(&[\w.]+, "(\w+)"`).FindAllStringSubmatch(readText(t, "scripts/dev/main.go"),
			-1)
		if len(flags) == 0 {
			t.Error("this test sees no flag")
		}
		for _, m := range flags {
			if !strings.Contains(texts["local-stack.md"], "`-"+m[1]+"`") {
				t.Errorf("local-stack.md does not tell of -%s", m[1])
			}
		}
	})

	t.Run("every event is told of", func(t *testing.T) {
		events := regexp.MustCompile(`(?m)^            (\w+): \{ \$ref: .*Event' \}$`).FindAllStringSubmatch(readText(t, "infra/testdata/openapi/doors.yaml"), -1)
		if len(events) == 0 {
			t.Error("this test sees no event")
		}
		for _, m := range events {
			if !strings.Contains(texts["streams.md"], "| `"+m[1]+"` |") {
				t.Errorf("streams.md does not tell of the event %s", m[1])
			}
		}
	})
}

// anchors are the names by which headings are linked to: small letters, no
// punctuation, hyphens for blanks.
func anchors(text string) []string {
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
