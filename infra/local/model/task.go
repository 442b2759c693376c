package model

import (
	"encoding/json"
	"regexp"
	"strings"
)

var (
	// shownForm is the object that a prompt shows as the form of its answer.
	shownForm = regexp.MustCompile(`JSON format:\s*(\{[^{}]*\})`)
	// quotedWords is what a quoted conversation begins with.
	quotedWords = regexp.MustCompile(`(?s)<chat_history>\s*(?i:user:)?\s*([^\n<]+)`)
)

// aboutQuoted answers a prompt that quotes a conversation and shows the object
// to answer with: texts are the first words of the conversation, lists are
// empty, since there is nothing to make them from. "" when the prompt is none.
func (pl *planner) aboutQuoted() string {
	last := pl.messages[len(pl.messages)-1].text
	shown, words := shownForm.FindStringSubmatch(last), quotedWords.FindStringSubmatch(last)
	var form map[string]any
	if shown == nil || words == nil || json.Unmarshal([]byte(shown[1]), &form) != nil {
		return ""
	}
	title := strings.Fields(words[1])
	for name, value := range form {
		switch value.(type) {
		case string:
			form[name] = strings.Join(title[:min(len(title), 6)], " ")
		case []any:
			form[name] = []any{}
		default:
			return ""
		}
	}
	return string(encode(form))
}
