package model

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// file is a file that stands in a user message, between marks, as many programs
// write one down: <attached_file name="…"> … </attached_file>.
type file struct {
	name string
	body string
}

var (
	fileMarks = regexp.MustCompile(`(?is)<(attached_file|attachment|document|file)\b([^>]*)>\n?(.*?)\n?</` +
		`(?:attached_file|attachment|document|file)>`)
	fileName = regexp.MustCompile(`\bname="([^"]*)"`)
	// rule parts a word on the file from the file itself.
	rule      = regexp.MustCompile(`(?m)^-{3,}\s*$`)
	fileWords = regexp.MustCompile(`(?i)\b(?:files?|attached|attachments?|documents?|pdf|spreadsheet|workbook|excel|csv|pictures?|photos?|images?|scan|upload(?:ed)?|what does (?:it|this|that) say|summar\w+|read (?:it|this))\b`)
	lookUp    = regexp.MustCompile(`(?i)^\W*(?:please\s+)?(?:list|show|get|find|search|check|view|look up)\b`)
	unseen    = regexp.MustCompile(`\(a part of type image_url\)`)
)

// withoutFiles parts what a person said from the files beside it.
func withoutFiles(text string) (string, []file) {
	var files []file
	for _, found := range fileMarks.FindAllStringSubmatch(text, -1) {
		f := file{name: "the file", body: found[3]}
		if name := fileName.FindStringSubmatch(found[2]); name != nil {
			f.name = "“" + name[1] + "”"
		}
		if at := rule.FindStringIndex(f.body); at != nil {
			f.body = f.body[at[1]:]
		}
		files = append(files, f)
	}
	said := fileMarks.ReplaceAllString(text, "")
	return strings.TrimSpace(unseen.ReplaceAllString(said, "")), files
}

// setFilesAside leaves only what people said in the user messages: nothing in a
// file picks a tool or fills an argument. The files of the last message that has
// any are kept for questions about them.
func (t *conversation) setFilesAside() (files []file, here bool) {
	t.messages = slices.Clone(t.messages)
	last := -1
	for i, one := range t.messages {
		if one.role != "user" {
			continue
		}
		last = i
		said, found := withoutFiles(one.text)
		here = len(found) > 0
		if here {
			files = found
		}
		t.messages[i].text = said
	}
	return files, here && last >= 0
}

// ofFiles answers a question about a file from the lines of the file.
func (pl *planner) ofFiles() (string, bool) {
	if len(pl.files) == 0 || pl.intentOf(pl.said).write != "" {
		return "", false
	}
	wanted := pl.conceptsIn(pl.said)
	for _, t := range pl.terms(pl.said) {
		if fileWords.MatchString(t.raw) {
			delete(wanted, t.concept)
		}
	}
	named := pl.said == "" || fileWords.MatchString(pl.said)
	if !named && (!pl.filesHere || lookUp.MatchString(pl.said)) {
		return "", false // "list the extras" is for a tool
	}
	var parts []string
	for _, f := range pl.files {
		if strings.Contains(f.body, "(The picture is shown") {
			parts = append(parts, "I am a rule-based stand-in and cannot see the picture "+f.name+".")
			continue
		}
		if lines := pl.fitting(f.body, wanted); len(lines) > 0 {
			parts = append(parts, fmt.Sprintf("%s says:\n%s", upperFirst(f.name), bullets(lines)))
		} else if named {
			parts = append(parts, fmt.Sprintf("%s begins:\n%s", upperFirst(f.name), bullets(beginning(f.body))))
		}
	}
	return strings.Join(parts, "\n\n"), len(parts) > 0
}

// mostLines is how many lines of a file are quoted.
const mostLines = 5

// fitting returns the lines that share most words with a question.
func (l *lexicon) fitting(body string, wanted map[string]bool) []string {
	best, out := 1, []string(nil)
	for line := range strings.Lines(body) {
		score := 0
		for concept := range l.conceptsIn(line) {
			if wanted[concept] {
				score++
			}
		}
		if score > best {
			best, out = score, nil
		}
		if score == best && len(out) < mostLines {
			out = append(out, quoted(line))
		}
	}
	return out
}

func beginning(body string) []string {
	var out []string
	for line := range strings.Lines(body) {
		if line = quoted(line); line != "" && len(out) < mostLines {
			out = append(out, line)
		}
	}
	return out
}

func quoted(line string) string { return clip(strings.TrimSpace(line), 200) }
