// Package followup understands messages that only make sense after the one before:
// the next page of a list, a list of fewer, the last entry again for another party,
// the last document by mail. It knows a closed set of forms in English, Hinglish and
// Hindi; whatever else a message says, it is no follow-up.
package followup

import (
	"regexp"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
)

// Kind is what a follow-up wants.
type Kind string

// The kinds. The zero Kind is no follow-up.
const (
	None   Kind = ""
	More   Kind = "more"   // the next page of the last list
	Filter Kind = "filter" // the last list, of less; from its first page
	Same   Kind = "same"   // the last entry, for another party
	Send   Kind = "send"   // the last document, by mail
)

// FollowUp is a message that refers to what was there before.
type FollowUp struct {
	Kind Kind
	// Rest is what the message says besides: what to filter by, or the other party, as
	// written. "" for nothing.
	Rest string
}

// more are whole messages, folded.
const more = `
show more|more|some more|next|next page|show next|show the next page|the rest|show the rest|show all|continue|go on
aur dikhao|aur dikha do|aur|aur batao|aage|aage dikhao|agla|agla page|agle|baki dikhao|aur dikhaiye|aur bhi dikhao
और दिखाओ|और दिखाइए|और|आगे
आगे दिखाओ|अगला पेज|बाकी दिखाओ`

// send are whole messages before an address, folded.
const send = `
send it|send this|send that|mail it|email it|mail this|send it to the customer|send it by mail|send the invoice
bhej do|bhejo|ise bhejo|isko bhejo|ise bhej do|isko bhej do
ye bhejo|ye bhej do|mail kar do|ise mail kar do|email kar do
bhej dijiye|bhejiye|isko mail karo|customer ko bhej do
भेजो|भेज दो|इसे भेजो|इसे भेज दो
इसको भेज दो|मेल कर दो|भेज दीजिए`

var (
	filterForm = lazily(`^(?:filter(?: it| them| the list)?(?: by| for| on)?|only(?: show)?|just(?: show)?|` +
		`show only|sirf|bas|केवल|सिर्फ|बस)\s+(.+?)(?:\s+(?:wale|wali|vale|vali|वाले|वाली))?` +
		`(?:\s+(?:dikhao|dikha do|dikhaiye|batao|दिखाओ|बताओ))?$`)
	// andForm is another period or party: "and last year?", "aur pichle saal?".
	andForm = lazily(`^(?:and(?: for| in)?|what about|how about|aur|और)\s+(.+?)` +
		`(?:\s+(?:ka|ki|ke|mein|me|का|की|के|में))?$`)
	sameForm = lazily(`^(?:(?:please\s+)?(?:do\s+)?(?:the\s+)?same(?:\s+(?:thing|entry|invoice|bill))?` +
		`\s+(?:for|to|with)\s+(.+)|` +
		`(?:yahi|wahi|same|aisa hi|yehi)\s+(.+?)\s+ke liye(?:\s+bhi)?(?:\s+(?:karo|kar do|banao|bana do))?|` +
		`(.+?)\s+ke liye bhi(?:\s+(?:yahi|wahi|same|karo|kar do|banao|bana do))*|` +
		`(?:यही|वही)\s+(.+?)\s+के लिए(?:\s+भी)?(?:\s+(?:करो|कर दो|बनाओ|बना दो))?|` +
		`(.+?)\s+के लिए भी(?:\s+(?:यही|करो|बनाओ|कर दो|बना दो))*)$`)
	address = lazily(`(?i)(?:\s+(?:to|par|pe|ko))?\s*([\w.+-]+@[\w-]+(?:\.[\w-]+)+)(?:\s+(?:par|pe|ko|पर|को))?`)
)

// lazily returns what compiles a pattern at its first use.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?i)" + pattern) })
}

// Of returns what a message refers to.
func Of(text string) FollowUp {
	text = strings.TrimRight(strings.TrimSpace(text), ".!?। ")
	if text == "" || len(text) > 200 || denies(text) {
		return FollowUp{}
	}
	if among(more, text) {
		return FollowUp{Kind: More}
	}
	to := ""
	if m := address().FindStringSubmatch(text); m != nil {
		to = m[1]
	}
	if among(send, address().ReplaceAllString(text, " ")) {
		return FollowUp{Kind: Send, Rest: to}
	}
	if m := sameForm().FindStringSubmatch(text); m != nil {
		for _, rest := range m[1:] {
			if rest = trimmed(rest); rest != "" {
				return FollowUp{Kind: Same, Rest: rest}
			}
		}
	}
	if m := andForm().FindStringSubmatch(text); m != nil && len(strings.Fields(m[1])) <= 4 && !asks(m[1]) {
		return FollowUp{Kind: Filter, Rest: trimmed(m[1])}
	}
	if m := filterForm().FindStringSubmatch(text); m != nil {
		return FollowUp{Kind: Filter, Rest: trimmed(m[1])}
	}
	return FollowUp{}
}

func trimmed(s string) string { return strings.Trim(strings.TrimSpace(s), `"'“”‘’,`) }

// among reports whether a text is one of the forms, in any spelling that folds alike.
func among(forms, text string) bool {
	said := folded(text)
	for line := range strings.SplitSeq(forms, "\n") {
		for form := range strings.SplitSeq(line, "|") {
			if form != "" && folded(form) == said {
				return true
			}
		}
	}
	return false
}

// polite are words that change nothing.
func polite(w string) bool {
	switch w {
	case "please", "pls", "plz", "kindly", "ji", "na", "bhai", "zara", "ok", "okay", "now", "abhi",
		"कृपया", "जी", "ज़रा":
		return true
	}
	return false
}

func folded(text string) string {
	var out []string
	for w := range language.Words(text) {
		if w = strings.ToLower(w); !polite(w) {
			out = append(out, language.Fold(w))
		}
	}
	return strings.Join(out, " ")
}

// asks reports whether words ask something of their own: "aur kitna baaki hai".
func asks(text string) bool {
	for w := range language.Words(strings.ToLower(text)) {
		switch w {
		case "kitna", "kitne", "kitni", "kaun", "kya", "kab", "kahan", "hai", "hain", "karo", "kar", "banao", "bhejo",
			"what",
			"who", "how", "when", "which", "is", "are", "do", "make", "send", "show", "dikhao", "batao",
			"कितना", "कितने", "कौन", "क्या", "कब", "है", "हैं", "करो", "बनाओ", "भेजो", "दिखाओ", "बताओ":
			return true
		}
	}
	return false
}

// denies reports whether a message says not to do something: "mat bhejo".
func denies(text string) bool {
	for w := range language.Words(text) {
		switch strings.ToLower(w) {
		case "mat", "nahi", "nahin", "not", "don't", "dont", "don’t", "never", "no", "cancel", "stop", "mana", "ruko",
			"wait",
			"मत", "नहीं", "नही", "रुको":
			return true
		}
	}
	return false
}
