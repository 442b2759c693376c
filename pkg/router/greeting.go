package router

import (
	"regexp"
	"strings"
)

// maxGreeting bounds what a router may say by itself, in bytes.
const maxGreeting = 400

// code finds what looks like a code of ours: capitals alone, such as COCO. Codes
// with digits are found as figures.
var code = regexp.MustCompile(`\b[\p{Lu}_-]{3,}\b`)

// courtesy begins a sentence that says nothing of any data: a greeting, thanks, or
// what the assistant itself is and can do.
var courtesy = regexp.MustCompile(`(?i)^(?:hello|hi|hey|good (?:day|morning|afternoon|evening|night)|welcome|` +
	`greetings|namaste|namaskar|नमस्ते|नमस्कार|` +
	`thanks|thank you|you(?:'re|’re| are) (?:very |most )?welcome|my pleasure|with pleasure|glad to|happy to|` +
	`at your service|goodbye|bye|` +
	`see you|have a|take care|sorry|pardon|excuse me|please|i(?:'m|’m| am) (?:not sure|\p{L}+,? (?:your|the) |` +
	`sorry)|i can(?:not|'t|’t)? help|i (?:do not|don't|don’t|did not|didn't|didn’t) |` +
	`i(?:'m|’m| am) \p{Lu}\p{Ll}+[.!]|how (?:may|can) i|what (?:may|can) i)`)

// Courteous reports whether a text of the router's own may be shown: it is a
// greeting or a question back, of at most two sentences, and holds no figure and
// no code. Everything else is an agent's to say, who has tools to look it up.
func Courteous(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxGreeting || strings.ContainsFunc(text, digit) || code.MatchString(text) ||
		strings.ContainsAny(text, "\n|<`#*") {
		return false
	}
	sentences := split(text)
	if len(sentences) > 2 {
		return false
	}
	for _, s := range sentences {
		if !strings.HasSuffix(s, "?") && !courtesy.MatchString(s) {
			return false
		}
	}
	return true
}

func digit(r rune) bool { return r >= '0' && r <= '9' || r >= '०' && r <= '९' }

// split returns the sentences of a text, each with its end.
func split(text string) []string {
	var out []string
	begin := 0
	for i, r := range text {
		if !strings.ContainsRune(".!?।", r) {
			continue
		}
		end := i + len(string(r))
		if s := strings.TrimLeft(strings.TrimSpace(text[begin:end]), ".!?। "); s != "" {
			out = append(out, strings.TrimSpace(text[begin:end]))
		} else if len(out) > 0 {
			out[len(out)-1] += strings.TrimSpace(text[begin:end])
		}
		begin = end
	}
	if rest := strings.TrimSpace(text[begin:]); rest != "" {
		out = append(out, rest)
	}
	return out
}
