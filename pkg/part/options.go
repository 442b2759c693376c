package part

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	// maxQuestion is how many runes may stand behind a list that is offered.
	maxQuestion = 120
	// maxOption is how many runes an item of it may have; its label may be cut.
	maxOption = 200
)

var (
	listed = regexp.MustCompile(`^(?:[-*•]|[0-9]{1,2}[.)]) +(.+)$`)
	// stated is what an option must not have: figures, amounts, and marks of tables,
	// links and code. Only plain words are sent as a person's own.
	stated = regexp.MustCompile("[0-9₹$€£<>|`\\[\\]]|://")
)

// Options reads the list that a reply in Markdown ends with and asks to choose from: one to
// eight short items, with nothing behind them but one line that ends with a question
// mark. Each becomes a choice that sends its words. It returns false for any other
// reply, and where an item has a figure.
func Options(reply string) (Choices, bool) {
	lines := strings.Split(strings.TrimSpace(reply), "\n")
	last := len(lines) - 1
	if question := strings.Trim(lines[last], " *_"); !strings.HasSuffix(question, "?") ||
		listed.MatchString(lines[last]) ||
		utf8.RuneCountInString(question) > maxQuestion {
		return Choices{}, false
	}
	var out Choices
	for i := last - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		if line == "" && len(out.Choices) == 0 {
			continue
		}
		item := listed.FindStringSubmatch(line)
		if item == nil {
			break
		}
		words := strings.Trim(item[1], " *_")
		if stated.MatchString(words) || utf8.RuneCountInString(words) > maxOption || words == "" {
			return Choices{}, false
		}
		out.Choices = append([]Choice{{Label: labelOf(upperFirst(words)), Words: words}}, out.Choices...)
	}
	return out, len(out.Choices) > 0 && len(out.Choices) <= maxChoices
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(r)) + s[size:]
}
