package privacy_test

import (
	"os"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
)

func lines(t *testing.T, name string) []string {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' || strings.HasPrefix(line, "#4") {
			out = append(out, line)
		}
	}
	return out
}

// What is private is found, with its kind and its place.
func TestFindsWhatIsPrivate(t *testing.T) {
	t.Parallel()
	list := lines(t, "private.txt")
	if len(list) < 80 {
		t.Fatalf("%d examples", len(list))
	}
	for _, line := range list {
		kind, rest, _ := strings.Cut(line, ": ")
		before, rest, _ := strings.Cut(rest, "[")
		want, after, _ := strings.Cut(rest, "]")
		text := before + want + after
		found := false
		for _, f := range privacy.Find(text) {
			if text[f.Start:f.End] != f.Text {
				t.Errorf("%q: %+v is not at its place", text, f)
			}
			// The finding may hold a little more than what is wanted: a name of a town.
			if f.Kind == privacy.Kind(kind) && f.Start <= len(before) && f.End >= len(before)+len(want) {
				found = true
			}
		}
		if !found {
			t.Errorf("%q: want %s %q, got %+v", text, kind, want, privacy.Find(text))
		}
		if got := privacy.Redact(text); len(privacy.Find(got)) > 0 || strings.Contains(got, want) {
			t.Errorf("%q is left as %q", text, got)
		}
	}
}

// What builders say all day is not taken for private.
func TestLeavesWhatIsHarmless(t *testing.T) {
	t.Parallel()
	list := lines(t, "harmless.txt")
	if len(list) < 80 {
		t.Fatalf("%d examples", len(list))
	}
	for _, text := range list {
		if got := privacy.Find(text); len(got) > 0 {
			t.Errorf("%q: %+v", text, got)
		}
		if got := privacy.Redact(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"", "🏠", "<script>", "14 Rosewood Lane, LS6 3QB", "\xff\xfe", "(((((((((((",
		"+44 7700 900123 900123"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for _, found := range privacy.Find(s) {
			if found.Start < last || found.End <= found.Start || s[found.Start:found.End] != found.Text {
				t.Fatalf("%q: %+v", s, found)
			}
			last = found.End
		}
		if got := privacy.Redact(s); len(privacy.Find(got)) > 0 {
			t.Fatalf("%q is left as %q", s, got)
		}
	})
}
