package story_test

import (
	"os"
	"strings"
	"testing"
)

// The word lists are as large as they are said to be, name nothing twice, and their cues
// can be read.
func TestWordLists(t *testing.T) {
	t.Parallel()
	read := func(name string) []string {
		content, err := os.ReadFile("words/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(string(content)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				lines = append(lines, line)
			}
		}
		return lines
	}
	groups := map[string]bool{}
	for name, least := range map[string]int{"materials.txt": 120, "techniques.txt": 120, "types.txt": 60} {
		forms, n := map[string]string{}, 0
		for _, line := range read(name) {
			if line[0] == '[' {
				if name == "types.txt" {
					groups[strings.Trim(line, "[]")] = true
				}
				continue
			}
			n++
			term, list, _ := strings.Cut(line, ":")
			for f := range strings.SplitSeq(term+","+list, ",") {
				f = strings.ToLower(strings.TrimSpace(f))
				if other, there := forms[f]; f != "" && there && other != term {
					t.Errorf("%s: %q stands for %q and for %q", name, f, other, term)
				}
				forms[f] = term
			}
		}
		if n < least {
			t.Errorf("%s has %d entries, want %d", name, n, least)
		}
	}
	answers := map[string]bool{}
	for _, line := range read("answers.txt") {
		if line[0] == '[' {
			answers[strings.Trim(line, "[]")] = true
			continue
		}
		if n := len(strings.Split(line, "|")); n > 4 {
			t.Errorf("%q has %d answers, want at most four", line, n)
		}
	}
	for g := range groups {
		if g != "house" && !answers[g] {
			t.Errorf("jobs of the group %s have no usual answers", g)
		}
	}
	for _, line := range read("cues.txt") {
		head, _, ok := strings.Cut(line, ":")
		part, weight, spaced := strings.Cut(head, " ")
		if !ok || !spaced || len(weight) != 1 || weight < "1" || weight > "9" ||
			!strings.Contains(" problem challenge solution result detail none ", " "+part+" ") {
			t.Errorf("%q cannot be read", line)
		}
	}
}
