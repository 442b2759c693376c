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
}

const acts = `booked|reserved|created|added|deleted|removed|cancelled|canceled|updated|changed|edited|moved|rescheduled|blocked|unblocked|sent|emailed|refunded|saved`

// The ways in which success is claimed, in English, Hindi and a mixture. They
// are few on purpose: a report of what others did is no claim.
var (
	firstPerson = regexp.MustCompile(`(?i)^(?:I|we)(?:'ve| have)?(?: now| just| already| successfully| also| gone ahead and| went ahead and)* (` + acts + `|confirmed (?:the|your) (?:booking|reservation))\b`)
	hindiFirst  = regexp.MustCompile(`(?i)^(?:maine|mainne|humne|hamne|मैंने|हमने)[^.!?।\n]*?(?:kar|bhej|hata|bana|jod|badal|mita|kara|कर|भेज|हटा|बना|जोड़|बदल|मिटा|करा) ?(?:diya|diye|dia|di|दिया|दिए|दी)`)
	passive     = regexp.MustCompile(`(?i)\b(?:has|have|is|are|was|were)(?: now| been| just| all| already| successfully)+ (` + acts + `)\b|\bsuccessfully (` + acts + `)\b|\b(?:booking|reservation|order) is confirmed\b`)
	exclaimed   = regexp.MustCompile(`(?i)(?:^|[.!?\n] *|— *)(?:all |it's |consider it )?(` + acts + `|confirmed|done)(?: and (?:booked|confirmed|done))?(?:!|\.? *✅)|^(done)\.?$`)
	hindi       = regexp.MustCompile(`(?i)\b(?:kar|bhej|hata|bana|jod|badal|mita) ?(?:diya|diye|dia|di)\b|\bho (?:gaya|gayi|gaye|gya|gyi|chuka|chuki)\b|(?:कर|भेज|हटा|बना|जोड़|बदल|मिटा) ?(?:दिया|दिए|दी)|हो (?:गया|गई|गयी|गए|गये|चुका|चुकी)`)
)

// ownClaims finds what a text says of its writer. It looks only behind the
// words for "I", since every answer goes through here.
func ownClaims(text string) []claim {
	var out []claim
	for _, word := range []string{"I", "i", "We", "we", "Maine", "maine", "Mainne", "mainne", "Humne", "humne", "Hamne", "hamne", "मैंने", "हमने"} {
		for rest := text; ; {
			i := strings.Index(rest, word+" ")
			if j := strings.Index(rest, word+"'ve "); j >= 0 && (i < 0 || j < i) {
				i = j
			}
			if i < 0 {
				break
			}
			if starts := i == 0 || !letter(rest[i-1]); starts {
				near := rest[i:min(len(rest), i+200)]
				if m := firstPerson.FindStringSubmatch(near); m != nil {
					out = append(out, claim{strings.ToLower(m[1])})
				} else if hindiFirst.MatchString(near) {
					out = append(out, claim{})
				}
			}
			rest = rest[i+len(word):]
		}
	}
	return out
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 }

// bareClaims finds what a text says to have happened, whoever did it.
func bareClaims(text string) []claim {
	var out []claim
	for _, shape := range []*regexp.Regexp{passive, exclaimed} {
		for _, m := range shape.FindAllStringSubmatch(text, -1) {
			out = append(out, claim{verb: strings.ToLower(m[1] + m[2])})
		}
	}
	for _, at := range hindi.FindAllStringIndex(text, -1) {
		if happened(text[at[1]:]) {
			out = append(out, claim{})
		}
	}
	return out
}

// happened reports whether a sentence goes on as one about the past: not as "kar
// diya jayega", which is to come, and not as a question.
func happened(rest string) bool {
	if next := strings.TrimLeft(rest, " "); strings.HasPrefix(next, "ja") || strings.HasPrefix(next, "जा") {
		return false
	}
	end := strings.IndexAny(rest, ".!?।\n")
	return end < 0 || rest[end] != '?'
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
// What it tells of others counts only where nothing was read that it could be
// telling of.
func (l *loop) correctClaims() error {
	var claims []claim
	bare := !l.anySuccess()
	for _, text := range l.texts {
		text = strings.ReplaceAll(text, "’", "'")
		claims = append(claims, ownClaims(text)...)
		if bare {
			claims = append(claims, bareClaims(text)...)
		}
	}
	unbacked := slices.ContainsFunc(claims, func(c claim) bool { return !c.backed(l.did) })
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
