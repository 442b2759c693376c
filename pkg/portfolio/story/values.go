package story

import (
	"regexp"
	"strings"
	"sync"
)

// lazily returns what compiles a pattern at its first use.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

const (
	count = `(?:\d+(?:[.,]\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|` +
		`a couple of|` +
		`half a|a|an)`
	months = `(?:january|february|march|april|may|june|july|august|september|october|november|december)`
)

var (
	durationForm = lazily(`(?i)\b(?:took|takes|done in|finished in|in about|completed in)(?: us| me|` +
		` the team)?(?: about| around| roughly| just| only| nearly| almost| over)*` +
		` (` + count + `(?: and a half)?(?: (?:to|or) ` + count + `)? (?:working )?(?:days?|weeks?|months?|` +
		`hours?))\b`)
	completedForm = lazily(`(?i)\b(?:finished|completed|done|wrapped up|handed over)(?: it| this| up|` +
		` the job)?(?: back)? (?:in|at the end of) ((?:` +
		months + `|spring|summer|autumn|winter)(?: (?:of )?(?:19|20)\d\d)?)\b`)
	sizeForm = lazily(`(?i)\b(` + count + ` ?(?:square (?:metres|meters|feet|foot|yards)|sq\.? ?(?:m|ft|metres|` +
		`meters|feet)|sqm|m2|m²))\b`)
)

// takeValues takes the duration, the completion and the size.
func (m *merger) takeValues(t parsed) {
	if f := durationForm().FindStringSubmatch(t.text); f != nil {
		m.set("duration", &m.story.Duration, strings.TrimSpace(f[1]))
	}
	if f := completedForm().FindStringSubmatch(t.text); f != nil {
		m.set("completed", &m.story.Completed, strings.TrimSpace(f[1]))
	}
	if f := sizeForm().FindStringSubmatch(t.text); f != nil {
		m.set("size", &m.story.Size, strings.TrimSpace(f[1]))
	}
}
