package story

import "strings"

// findTalk marks the sentences that are said to the assistant about the page, not of the
// job: requests, questions and judgements of what was written.
func (t *parsed) findTalk(about context) {
	from := 0
	for i := range t.clauses {
		if i+1 < len(t.clauses) && t.clauses[i+1].goesOn {
			continue
		}
		tokens := t.tokens[t.clauses[from].from:t.clauses[i].to]
		if t.isTalk(tokens, about) {
			for k := from; k <= i; k++ {
				c := &t.clauses[k]
				c.talk, c.field, c.part = true, "", none
			}
		}
		from = i + 1
	}
}

// longRequest is how many words a request has at most that is known only by a word for a
// part of the page.
const longRequest = 16

// ofPage are words for the parts of a page, and its photos.
const ofPage = `title|description|heading|paragraph|preview|publish|the page|a page|the photo|the photos|` +
	`photos are|my photos|first photo|second photo|third photo|uploaded|upload|typo|draft|the text|the tag|` +
	`tags|hero|new project|the link|these photos|in photo|sending you|pictures are|the pictures`

func (t *parsed) isTalk(tokens []token, about context) bool {
	k := 0
	for k+1 < len(tokens) && (noise(tokens[k].word) ||
		among("so and well okay ok right yeah yes no please now then but thanks also just", tokens[k].word)) {
		k++
	}
	first, second := tokens[k].word, wordAt(tokens, k+1, len(tokens))
	words := wordsOf(tokens)
	end := tokens[len(tokens)-1].to
	asks := end < len(t.text) && t.text[end] == '?'
	switch {
	case asks && among(`can could would will what how is are do does where when why which who should may shall have has
		did kya puedes puede`, first):
		return true
	case among("can could would will", first) && second == "you":
		return true
	case hasAny(words, "please|i love it|i like it|i dont like"):
		return true
	case among(`generate publish unpublish regenerate rewrite undo show upload shorten translate rename edit preview
		archive`, first):
		return true
	case !about.asked && among(`change delete remove send start check update add make write keep let give tell
		use`, first):
		return true // as an answer it is what was done: "make it bigger"
	case len(tokens) <= longRequest && hasAny(words, ofPage):
		return true
	}
	// "It looks good now", as a whole message, is said of the page.
	whole := len(tokens) == len(t.tokens) && len(tokens) <= 5
	return whole && !about.asked && among("it that thats its this they", first) &&
		hasAny(words, "looks|look|better|good|wrong")
}

// hasAny reports whether folded words have one of the phrases, which are parted by bars.
func hasAny(words, phrases string) bool {
	for p := range strings.SplitSeq(phrases, "|") {
		at := strings.Index(words, p)
		for at >= 0 {
			end := at + len(p)
			if (at == 0 || words[at-1] == ' ') && (end == len(words) || words[end] == ' ') {
				return true
			}
			next := strings.Index(words[at+1:], p)
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	return false
}
