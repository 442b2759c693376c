package portfolio

import (
	"strings"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/tools"
)

// command is a message that orders one thing and says nothing of the job.
type command string

// The commands. The first three ask for the long work.
const (
	generate   command = "generate"
	arrange    command = "arrange"
	coach      command = "coach"
	preview    command = "preview"
	edit       command = "edit"
	missing    command = "missing"
	publishing command = "publish"
	unpublish  command = "unpublish"
	undo       command = "undo"
	photos     command = "photos"
	greeting   command = "greeting"
	list       command = "list"
	// Their sections follow what they begin with.
	retitle    command = rewriting + "title"
	redescribe command = rewriting + "description"
	reseo      command = rewriting + "seo"
)

// rewriting begins the commands that write one section anew.
const rewriting = "rewrite "

// commandOf returns the command that a message is, "" where it is none: whole messages
// are known, so that nothing of a story is taken for an order.
func commandOf(text string) command {
	said := folded(text)
	for _, c := range []struct {
		is   command
		said []string
	}{
		{generate, []string{folded(tools.GenerateWords), "write the page", "write the page now",
			"write the page please",
			"generate the page", "make the page", "make the page now", "make my page", "create the page",
			"build the page"}},
		{arrange, []string{folded(tools.LayoutWords), "arrange the page", "arrange the photos"}},
		{coach, []string{folded(tools.CoachWords), "what would make it better", "how can i make it better",
			"what would make the page better"}},
		{preview, []string{"show me the page", "show the page", "show the preview", "preview", "let me see the page",
			"let me see it", "show me", "how does it look"}},
		{edit, []string{"edit the page", "open the editor", "let me edit it", "edit"}},
		{missing, []string{"what is missing", "what is still missing", "what's missing", "what's still missing",
			"is it ready", "can i publish", "can it be published", "is anything missing", "what else do you need"}},
		{publishing, []string{"publish the page", "publish it", "publish", "publish the page now", "put it online",
			"go live",
			"publish now", "make it public", "can you publish it", "publish my page"}},
		{unpublish, []string{"unpublish the page", "unpublish it", "unpublish", "take it down", "take the page down",
			"take it offline", "take the page offline"}},
		{undo, []string{"undo", "undo that", "undo the last change", "undo it", "take that back"}},
		{photos, []string{"i have photos", "i have photos of a job", "add photos", "upload photos", "here are photos",
			"i want to add photos", "photos"}},
		{retitle, []string{"rewrite the title", "regenerate the title", "another title", "give me another title"}},
		{redescribe, []string{"rewrite the description", "regenerate the description", "another description"}},
		{reseo, []string{"rewrite the seo", "regenerate the seo", "rewrite the search texts"}},
		{list, []string{"my projects", "list my projects", "show my projects", "which projects do i have",
			"what projects do i have"}},
		{greeting, []string{"hello", "hi", "hey", "hi there", "hello there", "good morning", "good afternoon",
			"good evening", "namaste", "hola", "help", "what can you do", "we just finished a job", "thanks",
			"thank you", "ok", "okay"}},
	} {
		for _, s := range c.said {
			if said == s {
				return c.is
			}
		}
	}
	return ""
}

// folded writes a message in small letters, without marks at its ends and without
// "please".
func folded(text string) string {
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	text = strings.Join(strings.Fields(text), " ")
	trim := func(s string) string {
		return strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	text = trim(text)
	text = trim(strings.TrimSuffix(strings.TrimPrefix(text, "please "), " please"))
	return text
}
