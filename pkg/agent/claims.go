package agent

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/render"
)

// claim is a sentence in which a model says that something was done.
type claim struct {
	verb string // "booked"; "" for words that name no act
	// first says that the model speaks of itself. What it says of others ("has
	// been cancelled") may be a report of what it read.
	first bool
}

const acts = `booked|reserved|created|added|deleted|removed|cancelled|canceled|updated|changed|edited|moved|rescheduled|blocked|unblocked|sent|emailed|refunded|saved`

// The ways in which success is claimed, in English, Hindi and a mixture. They
// are few on purpose: a report of what others did is no claim.
var (
	firstPerson = regexp.MustCompile(`(?i)\b(?:I|we)(?:'ve| have)?(?: now| just| already| successfully| also| gone ahead and| went ahead and)* (` + acts + `|confirmed (?:the|your) (?:booking|reservation))\b`)
	passive     = regexp.MustCompile(`(?i)\b(?:has|have|is|are|was|were)(?: now| been| just| all| already| successfully)+ (` + acts + `)\b|\bsuccessfully (` + acts + `)\b|\b(?:booking|reservation|order) is confirmed\b`)
	exclaimed   = regexp.MustCompile(`(?i)(?:^|[.!?\n] *|— *)(?:all |it's |consider it )?(` + acts + `|confirmed|done)(?: and (?:booked|confirmed|done))?(?:!|\.? *✅)|^(done)\.?$`)
	hindiFirst  = regexp.MustCompile(`(?i)(?:\b(?:maine|mainne|humne|hamne)\b|मैंने|हमने)[^.!?।\n]*?(?:kar|bhej|hata|bana|jod|badal|mita|kara|कर|भेज|हटा|बना|जोड़|बदल|मिटा|करा) ?(?:diya|diye|dia|di|दिया|दिए|दी)`)
	hindi       = regexp.MustCompile(`(?i)\b(?:kar|bhej|hata|bana|jod|badal|mita) ?(?:diya|diye|dia|di)\b|\bho (?:gaya|gayi|gaye|gya|gyi|chuka|chuki)\b|(?:कर|भेज|हटा|बना|जोड़|बदल|मिटा) ?(?:दिया|दिए|दी)|हो (?:गया|गई|गयी|गए|गये|चुका|चुकी)`)
)

// claimsOf finds what a text claims.
func claimsOf(text string) []claim {
	if text == "" {
		return nil
	}
	text = strings.ReplaceAll(text, "’", "'")
	var out []claim
	for _, m := range firstPerson.FindAllStringSubmatch(text, -1) {
		out = append(out, claim{strings.ToLower(m[1]), true})
	}
	for _, m := range passive.FindAllStringSubmatch(text, -1) {
		out = append(out, claim{verb: strings.ToLower(m[1] + m[2])})
	}
	for _, m := range exclaimed.FindAllStringSubmatch(text, -1) {
		out = append(out, claim{verb: strings.ToLower(m[1] + m[2])})
	}
	if hindiFirst.MatchString(text) {
		out = append(out, claim{first: true})
	}
	if hindi.MatchString(text) {
		out = append(out, claim{})
	}
	return out
}

// families groups the words for one act: what a model says that it did, and how
// the names of tools that do it begin.
func families() map[string][]string {
	create := []string{"create", "add", "book", "make", "reserve", "select", "save", "record"}
	change := []string{"update", "edit", "set", "change", "move", "toggle", "apply", "confirm", "save", "cancel"}
	out := map[string][]string{"blocked": {"block"}, "unblocked": {"unblock", "delete", "remove"}, "refunded": {"refund", "update", "cancel", "record"}}
	for _, verb := range []string{"booked", "reserved", "created", "added"} {
		out[verb] = append([]string{"update", "edit", "set"}, create...)
	}
	for _, verb := range []string{"updated", "changed", "edited", "moved", "rescheduled"} {
		out[verb] = change
	}
	for _, verb := range []string{"deleted", "removed"} {
		out[verb] = []string{"delete", "remove", "cancel", "update", "edit", "clear", "unblock"}
	}
	for _, verb := range []string{"cancelled", "canceled"} {
		out[verb] = []string{"cancel", "void", "update", "delete", "set"}
	}
	for _, verb := range []string{"sent", "emailed"} {
		out[verb] = []string{"send", "mail", "email", "share", "create", "book"}
	}
	return out
}

// backed reports whether one of the tools that did something can have done what
// is claimed. Of tools with other names nobody knows.
func (c claim) backed(did []string) bool {
	verbs, known := families()[c.verb]
	if !known {
		return len(did) > 0
	}
	ours := []string{"create", "add", "update", "edit", "delete", "remove", "cancel", "send", "block", "unblock", "toggle", "set"}
	return slices.ContainsFunc(did, func(name string) bool {
		first, _, _ := strings.Cut(name, "_")
		return slices.Contains(verbs, first) || !slices.Contains(ours, first)
	})
}

// correctClaims says so when the model claimed what nothing in the turn did.
func (l *loop) correctClaims() error {
	read := l.anySuccess()
	unbacked := slices.ContainsFunc(l.claims, func(c claim) bool { return (c.first || !read) && !c.backed(l.did) })
	if !unbacked {
		return nil
	}
	l.out.Degraded = append(l.out.Degraded, "unbacked_claim")
	l.spoke = false
	if len(l.done) == 0 {
		return l.say("Note: nothing was changed in this answer.")
	}
	return l.say(render.Escape("Note: in this answer only the following was changed: " + strings.Join(l.done, " ")))
}
