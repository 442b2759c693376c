package agent

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
)

// claim is a sentence in which a model says that something was done.
type claim struct {
	verb string // "booked"; "" for words that name no act
}

// done are the words by which every assistant reports an act.
const done = `created|added|deleted|removed|cancelled|canceled|updated|changed|edited|moved|sent|emailed|saved`

// Claims finds what a model says that was done: in the words that all assistants
// have in common and in those of one. It is immutable.
type Claims struct {
	first, passive, exclaimed *regexp.Regexp
	backed                    map[string][]string // by what is claimed: the first words of tools that can do it
	known                     []string            // first words of tools of which it is known what they do
}

// The phrases that claim success, in English, Hindi and Hinglish. They are few
// on purpose: a report of what others did is no claim.
var (
	hindiFirst = regexp.MustCompile(`(?i)^(?:maine|mainne|humne|hamne|मैंने|हमने)[^.!?।\n]*?(?:kar|bhej|hata|bana|jod|badal|mita|kara|कर|भेज|हटा|बना|जोड़|बदल|मिटा|करा) ?(?:diya|diye|dia|di|दिया|दिए|दी)`)
	hindi      = regexp.MustCompile(`(?i)\b(?:kar|bhej|hata|bana|jod|badal|mita) ?(?:diya|diye|dia|di)\b|` +
		`\bho (?:gaya|gayi|gaye|gya|gyi|chuka|chuki)\b|` +
		`(?:कर|भेज|हटा|बना|जोड़|बदल|मिटा) ?(?:दिया|दिए|दी)|हो (?:गया|गई|गयी|गए|गये|चुका|चुकी)`)

	commonClaims = sync.OnceValue(func() *Claims { return NewClaims(vocabulary.Words{}) })
)

// NewClaims returns what finds claims in the words of an assistant.
func NewClaims(own vocabulary.Words) *Claims {
	c := &Claims{backed: map[string][]string{}, known: []string{
		"create", "add", "update", "edit", "delete", "remove", "cancel", "send", "toggle", "set",
	}}
	for verb, tools := range families() {
		c.backed[verb] = tools
	}
	var ours []string
	for _, v := range own.Verbs {
		c.known = append(c.known, v.Tools...)
		for _, verb := range v.Done {
			c.backed[verb] = append(c.backed[verb], v.Backed...)
			ours = append(ours, verb)
		}
	}
	acts, things := oneOf(append(strings.Split(done, "|"), ours...)), oneOf(own.Confirmed)
	also := oneOf(append(ours, "confirmed", "done"))
	byMe, byAll := "", ""
	if len(own.Confirmed) > 0 {
		byMe, byAll = `|confirmed (?:the|your) (?:`+things+`)`, `|\b(?:`+things+`) is confirmed\b`
	}
	c.first = regexp.MustCompile(`(?i)^(?:I|we)(?:'ve| have)?` +
		`(?: now| just| already| successfully| also| gone ahead and| went ahead and)* (` + acts + byMe + `)\b`)
	c.passive = regexp.MustCompile(`(?i)\b(?:has|have|is|are|was|were)(?: now| been| just| all| already|` +
		` successfully)+ (` +
		acts + `)\b|\bsuccessfully (` + acts + `)\b` + byAll)
	c.exclaimed = regexp.MustCompile(`(?i)(?:^|[.!?\n] *|— *)(?:all |it's |consider it )?(` + acts +
		`|confirmed|done)(?: and (?:` + also + `))?(?:!|\.? *✅)|^(done)\.?$`)
	return c
}

// oneOf is an expression that one of the words matches.
func oneOf(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	return strings.Join(quoted, "|")
}

// own finds what a text says of its writer. It looks only behind the
// words for "I", since every answer goes through here.
func (c *Claims) own(text string) []claim {
	var out []claim
	for _, word := range []string{
		"I", "i", "We", "we", "Maine", "maine", "Mainne", "mainne", "Humne", "humne", "Hamne", "hamne", "मैंने",
		"हमने",
	} {
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
				if m := c.first.FindStringSubmatch(near); m != nil {
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

// bare finds what a text says to have happened, by whatever actor.
func (c *Claims) bare(text string) []claim {
	var out []claim
	for _, shape := range []*regexp.Regexp{c.passive, c.exclaimed} {
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
	out := map[string][]string{}
	for _, family := range []struct{ said, tools []string }{
		{[]string{"created", "added"}, []string{"create", "add", "update", "edit", "set"}},
		{[]string{"updated", "changed", "edited", "moved"}, []string{"update", "edit", "set", "toggle", "cancel"}},
		{[]string{"deleted", "removed"}, []string{"delete", "remove", "cancel", "update", "edit"}},
		{[]string{"cancelled", "canceled"}, []string{"cancel", "update", "delete", "set"}},
		{[]string{"sent", "emailed"}, []string{"send", "create"}},
	} {
		for _, verb := range family.said {
			out[verb] = slices.Clone(family.tools)
		}
	}
	return out
}

// holds reports whether one of the tools that did something can have done what is
// claimed. Of tools with other names it is not known.
func (c *Claims) holds(said claim, did []string) bool {
	tools, known := c.backed[said.verb]
	if !known {
		return len(did) > 0
	}
	return slices.ContainsFunc(did, func(name string) bool {
		first, _, _ := strings.Cut(vocabulary.ToolWords(name), " ")
		return slices.Contains(tools, first) || !slices.Contains(c.known, first)
	})
}

// correctClaims adds a note when the model claimed something that no call of
// the turn did. A statement about others counts only where no data was read
// that could support it.
func (l *loop) correctClaims() error {
	finds := l.Claims
	if finds == nil {
		finds = commonClaims()
	}
	var claims []claim
	bare := !l.anySuccess()
	for _, text := range l.texts {
		text = strings.ReplaceAll(text, "’", "'")
		claims = append(claims, finds.own(text)...)
		if bare {
			claims = append(claims, finds.bare(text)...)
		}
	}
	unbacked := slices.ContainsFunc(claims, func(c claim) bool { return !finds.holds(c, l.did) })
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
