package summary

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// source is what a summary may be made of, item by item.
type source struct {
	items []Item
	said  []details
}

func newSource(items []Item) source {
	s := source{items: items, said: make([]details, len(items))}
	for i, it := range items {
		s.said[i] = detailsOf(it.Who + ": " + it.Text)
	}
	return s
}

// orders are what a text says that wants to be obeyed by its reader, the
// assistant. No report of a conversation needs them.
var orders = regexp.MustCompile(`(?i)\b(?:` +
	`(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|rules?|prompts?|above|previous|earlier|` +
	`everything)` +
	`|system prompt|developer mode|jailbreak` +
	`|you (?:are now|must|have to|shall)\b|from now on|act as\b|pretend (?:to be|that)` +
	`|(?:do not|don't|never|no need to|without) (?:ask(?:ing)?|wait(?:ing)?)?(?: for)? ?(?:any |` +
	`further )?(?:confirm\w*|consent|approv\w*|permission)` +
	`|(?:always|automatically) (?:approve|confirm|agree|accept|comply)` +
	`|(?:approved|authori[sz]ed|consented) (?:to )?(?:all|every|any|in advance)` +
	`|(?:call|use|run|invoke) the (?:tool|function)` +
	`)`)

var (
	markup = regexp.MustCompile("(?s)<[^<>]*>|!\\[[^\\]]*\\]\\([^)]*\\)|[`*_#|]{2,}|`")
	// asked is how a question of consent ends: with a code that a yes may name.
	asked = regexp.MustCompile(`\s*\([A-HJ-NP-Z2-9]{4}\)\W*$`)
	link  = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// clean makes one line of plain text of what a model wrote, of at most so many
// letters.
func clean(text string, most int) string {
	text = link.ReplaceAllString(markup.ReplaceAllString(text, " "), "$1")
	text = strings.TrimLeft(strings.Join(strings.Fields(text), " "), "-•#> ")
	text = asked.ReplaceAllString(strings.TrimSuffix(text, markDoubtful), "")
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most])
		if at := strings.LastIndexByte(text, ' '); at > 0 {
			text = text[:at]
		}
		text += " …"
	}
	return text
}

// verdict is what is to be done with a line.
type verdict int

const (
	sure     verdict = iota // a participant of the conversation says so
	doubtful                // only unverified text says so
	refused                 // it is an order, holds an id, or says nothing
	baseless                // it has a detail that is in no item
)

// judge decides about a line that cites items by their numbers, from 1. Of a
// baseless one it returns the details.
func (s source) judge(text string, from []int) (verdict, []string) {
	if utf8.RuneCountInString(text) < 3 || strings.HasSuffix(text, ":") || uuid.MatchString(text) ||
		orders.MatchString(text) {
		return refused, nil
	}
	var missing []string
	onlyDoubtful := false
	for _, c := range claimsOf(text) {
		known, vouched := false, false
		for i, d := range s.said {
			if d.says(c) {
				known = true
				vouched = vouched || !s.items[i].Doubtful
			}
		}
		if !known {
			missing = append(missing, c.shown)
		}
		onlyDoubtful = onlyDoubtful || known && !vouched
	}
	if len(missing) > 0 {
		return baseless, missing
	}
	// What it cites counts too, and where it cites nothing, everything does:
	// words without details could come from anywhere.
	cited := slices.DeleteFunc(slices.Clone(from), func(n int) bool { return n < 1 || n > len(s.items) })
	dubious := slices.ContainsFunc(cited, func(n int) bool { return s.items[n-1].Doubtful }) ||
		len(cited) == 0 && slices.ContainsFunc(s.items, func(it Item) bool { return it.Doubtful })
	if onlyDoubtful || dubious {
		return doubtful, nil
	}
	return sure, nil
}
