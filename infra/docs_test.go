package infra_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What docs name is there, and what they have to name is named.
func TestDocs(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no docs were found: %v", err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(path)] = string(text)
	}

	t.Run("every link leads somewhere", func(t *testing.T) {
		link := regexp.MustCompile(`\]\(([\w./-]+\.(?:md|yaml|json|example))(?:#[\w-]*)?\)`)
		found := 0
		for name, text := range texts {
			for _, m := range link.FindAllStringSubmatch(text, -1) {
				found++
				if _, err := os.Stat(filepath.Join(root, "docs", filepath.FromSlash(m[1]))); err != nil {
					t.Errorf("%s links to %s: %v", name, m[1], err)
				}
			}
		}
		if found == 0 {
			t.Error("this test sees no link")
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
		flags := regexp.MustCompile(`Var\(&[\w.]+, "(\w+)"`).FindAllStringSubmatch(readText(t, "scripts/dev/main.go"), -1)
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

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
