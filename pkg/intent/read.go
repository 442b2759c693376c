package intent

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// othersFile has sentences that express none of the intents.
const othersFile = "others"

// Read reads a set from the text files of a folder, with a phrase on each line. A file
// is an intent named after it, or several: a line such as [cash_today] begins one, and
// what it is named then. others.txt has sentences that express none of them. Empty
// lines and lines that begin with # are left out.
func Read(files fs.FS, folder string) (Set, error) {
	var set Set
	names, err := fs.Glob(files, path.Join(folder, "*.txt"))
	if err != nil {
		return set, fmt.Errorf("intent: %w", err)
	}
	for _, name := range names {
		raw, err := fs.ReadFile(files, name)
		if err != nil {
			return set, fmt.Errorf("intent: %w", err)
		}
		for _, in := range sections(strings.TrimSuffix(path.Base(name), ".txt"), string(raw)) {
			if in.Name == othersFile {
				set.Others = append(set.Others, in.Phrases...)
			} else {
				set.Intents = append(set.Intents, in)
			}
		}
	}
	return set, set.Check()
}

// sections returns the intents of a file: that of its name where phrases stand before
// the first line in brackets, and those that such lines name.
func sections(name, text string) []Intent {
	var out []Intent
	begun := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case len(line) > 2 && line[0] == '[' && line[len(line)-1] == ']':
			out, begun = append(out, Intent{Name: line[1 : len(line)-1]}), true
			continue
		case !begun:
			out, begun = append(out, Intent{Name: name}), true
		}
		last := &out[len(out)-1]
		last.Phrases = append(last.Phrases, line)
	}
	if !begun {
		out = append(out, Intent{Name: name})
	}
	return out
}
