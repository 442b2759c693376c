package intent

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// othersFile has sentences that express none of the intents.
const othersFile = "others"

// Read reads a set from the text files of a folder: a file for each intent, named
// after it, with a phrase on each line, and others.txt with sentences that express
// none of them. Empty lines and lines that begin with # are left out.
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
		var phrases []string
		for line := range strings.Lines(string(raw)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				phrases = append(phrases, line)
			}
		}
		if base := strings.TrimSuffix(path.Base(name), ".txt"); base == othersFile {
			set.Others = phrases
		} else {
			set.Intents = append(set.Intents, Intent{Name: base, Phrases: phrases})
		}
	}
	return set, set.Check()
}
