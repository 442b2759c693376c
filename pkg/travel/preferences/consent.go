package preferences

import (
	"context"
	"regexp"
	"strings"
)

// messageKey carries the person's newest message through the calls of one turn.
type messageKey struct{}

// WithMessage returns a context of a turn that answers a message. A tool that is run there
// is the idea of a model or of rules; without a message the person ran it by a form.
func WithMessage(ctx context.Context, text string) context.Context {
	return context.WithValue(ctx, messageKey{}, text)
}

var (
	asksTo = regexp.MustCompile(`(?i)\b(?:remember|memori[sz]e|keep in mind|bear in mind|note (?:that|down)|` +
		`make a note|take note|don.?t forget|from now on|save|store|yaad|merk|` +
		`(?:set|update|change|add) .{0,40}\bmy\b|my .{0,40}\bpreferences?\b)|याद`)
	assents = regexp.MustCompile(`(?i)^\W*(?:yes|yeah|yep|sure|ok(?:ay)?|please do|go ahead|` +
		`do (?:it|that|so)|of course|haan|ji|kar do|ja|oui|si|हाँ|हां|जी)(?:\W|$)`)
)

// maxAssent is how many words a message has at most that only says yes.
const maxAssent = 6

// NotAgreed is the code of a refusal to remember what the person did not agree to.
const NotAgreed = "not_agreed"

// Assents reports whether a message only says yes.
func Assents(text string) bool {
	return len(strings.Fields(text)) <= maxAssent && assents.MatchString(text)
}

// Agreed reports whether a preference or a decision may be remembered in a turn: the person
// agreed that such things are (Learn), asks for it or says yes in the newest message, or ran
// the tool without words (S1-33).
func Agreed(ctx context.Context, p Preferences) bool {
	text, said := ctx.Value(messageKey{}).(string)
	return !said || p.Learn || asksTo.MatchString(text) || Assents(text)
}
