package model

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// groups are the synonyms that every domain shares: the first word of each line
// names a concept and the rest mean the same to us. They are everyday English
// and a little Hindi; the words of a business come with its domain.
var groups = []string{
	// verbs
	"list suchi सूची show print view display see which what dikhao dikhaiye batao batana tell overview dekho दिखाओ " +
		"दिखाइए बताओ",
	"get fetch retrieve open",
	"search find lookup dhundo",
	"create add new make register insert banao banaiye banana jodo बनाओ जोड जोडो नई नया",
	"update change edit modify set alter adjust rename raise increase lower reduce correct badlo badal badalna " +
		"badalni badalne move extend shorten amend reschedule shift swap replace postpone बदलो बदल बदलकर बदलना " +
		"बदलनी बदलने",
	"delete remove erase drop hatao hata hatado mitao हटाओ हटा",
	"restore reinstate uncancel",
	"cancel void radd रद्द",
	"send resend bhejo forward",
	"toggle switch enable disable activate deactivate",
	"validate valid verify",
	"compare versus vs against tulna comparison",
	"simulate calculate quote estimate preview",
	"summarise summarize summary recap",
	"record log enter",
	"complete finish done",
	// nouns
	"price cost rate tariff fee charge amount daam kimat worth pricing दाम कीमत रेट प्राइसिंग",
	"statistics stats stat figures numbers kpi kpis performance metrics",
	"details detail information info about describe",
	"status state",
	"today tonight aaj आज",
	"minimum min least",
	"maximum max most",
	"inactive archived hidden disabled deactivated unlisted",
	"email mail",
	"phone telephone mobile",
	"due baaki bakaya outstanding unpaid",
	"date dates day days daily tareekh tarikh तारीख",
	"every all each sab sabhi saare saari सब सभी सारे",
	"note notes remark comment",
	"per each",
	"child children kid kids bachha bachhe bachcha bachche बच्चा बच्चे",
	"week weekly hafta hafte",
	"month monthly mahina mahine",
	"later earlier sooner shorter longer",
	"pay pays payment paid",
}

// stopwords carry no meaning of their own here.
const stopwords = `a an type types the of for to in on at by with from and or is are was were be been do does did have has had we our us i me my you your
it its this that these those there here please can could would will shall should need want like some any much many how who when where why if then than
so one ones as up out off into over under about's let lets sell sells now just also too not no yes ok okay में की का के को से है हैं हो कर करो करना करनी दो ने क्या कोई इस एक और रहा रही kya hai hain ka ke ki ko se mein me mujhe please kar do karo
get's per during between after before until till through am pm only same one's their they them he she his her him next last coming
other another else someone somebody anyone anybody anything something everything nothing thing things lot well really maybe
yet ever always soon very quite even both either neither such own pls plz baare wala wali wale liye kis kisi kaun konse kaunse
kyu kyun kaise itna bhi hi woh yeh ye aap hum humare hamare mere apne gaya hua hui raha kardo dijiye permanently taken`

// readVerbs are the concepts that only look. Everything else is taken to act.
var readVerbs = []string{"list", "get", "search", "validate", "compare", "simulate", "check", "summarise", "describe",
	"read", "count", "view", "find", "lookup", "show", "query", "analyze", "analyse", "recommend", "calculate"}

// writeVerbs are the concepts with which people ask for a change.
var writeVerbs = []string{"create", "update", "delete", "cancel", "send", "toggle", "record", "complete", "block",
	"unblock", "book", "pay", "refund", "approve", "reject", "submit", "assign", "mark", "publish", "import", "upload",
	"merge", "reconcile", "confirm", "remember", "forget", "save", "restore"}

var (
	stopped = indexStops() // read only after start

	word    = regexp.MustCompile(`[\p{L}\p{M}\p{N}]+(?:'[\p{L}]+)?`)
	camel   = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	howMuch = regexp.MustCompile(`(?i)\bhow much (?:is|are|for) `)
	eMail   = regexp.MustCompile(`(?i)\be-mail`)
)

// lexicon knows which words mean the same: those of every domain and those of
// the domains that a server was given. It is read only once it is made.
type lexicon struct {
	phrases  []phrase          // several words that the domains have as one
	concepts map[string]string // the concept of each stem
	kinds    map[string]string // the kind of what has this word in its name
	said     map[string]bool   // words of the domains' sentences that are no names
	spelled  []string          // words with a meaning that mistyped ones are taken for
	codeSize int               // how long the codes in the domains' sentences are
	ofTools  map[string]bool   // words of the offered tools' names, stemmed
}

func newLexicon(domains []Domain) *lexicon {
	all := groupsWith(domains)
	l := &lexicon{concepts: indexGroups(all), kinds: map[string]string{}, spelled: spellingsOf(all)}
	for _, d := range domains {
		l.phrases = append(l.phrases, phrasesOf(d)...)
		for _, line := range d.Kinds {
			kind, words, _ := strings.Cut(line, ":")
			for _, w := range strings.Fields(words) {
				l.kinds[stem(w)] = strings.TrimSpace(kind)
			}
		}
	}
	l.learnWords(domains)
	return l
}

// groupsWith returns the groups of every domain and those of these.
func groupsWith(domains []Domain) []string {
	all := groups
	for _, d := range domains {
		all = slices.Concat(all, d.Synonyms)
	}
	return all
}

func indexGroups(all []string) map[string]string {
	out := map[string]string{}
	for _, g := range all {
		members := strings.Fields(g)
		for _, m := range members {
			if _, taken := out[stem(m)]; !taken {
				out[stem(m)] = members[0]
			}
		}
	}
	return out
}

func indexStops() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(stopwords) {
		out[w] = true
	}
	return out
}

// term is one word of a text as it is compared: its concept, and where it was.
type term struct {
	concept    string
	raw        string
	start, end int // byte offsets, into the text given to terms
}

// plain rewrites spellings that would otherwise fall apart into two words. It
// keeps byte length wherever it can not matter, so offsets are not promised
// across it.
func plain(text string) string {
	// Devanagari letters are written with and without the dot below.
	text = strings.NewReplacer("’", "'", "_", " ", "\u093c", "", "\u095b", "\u091c", "\u095c",
		"\u0921").Replace(camel.ReplaceAllString(text, "$1 $2"))
	text = howMuch.ReplaceAllString(text, "what price ")
	return eMail.ReplaceAllString(text, "email")
}

// plain rewrites as the function does, and the phrases of the domains.
func (l *lexicon) plain(text string) string {
	text = plain(text)
	for _, p := range l.phrases {
		text = p.said.ReplaceAllString(text, p.means)
	}
	return text
}

// terms returns the meaningful words of text in order.
func (l *lexicon) terms(text string) []term {
	text = l.plain(text)
	var out []term
	for _, at := range word.FindAllStringIndex(text, -1) {
		raw := text[at[0]:at[1]]
		low := strings.ToLower(strings.TrimSuffix(raw, "'s"))
		if stopped[low] {
			continue
		}
		out = append(out, term{concept: l.conceptOf(low), raw: raw, start: at[0], end: at[1]})
	}
	return out
}

// conceptsIn returns the set of concepts of text.
func (l *lexicon) conceptsIn(text string) map[string]bool {
	out := map[string]bool{}
	for _, t := range l.terms(text) {
		out[t.concept] = true
	}
	return out
}

func (l *lexicon) conceptOf(low string) string {
	s := stem(low)
	if c, ok := l.concepts[s]; ok {
		return c
	}
	return s
}

// stem cuts the common English endings. It need not be right, only the same
// for the forms of a word.
func stem(w string) string {
	w = strings.ToLower(w)
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		w = w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes") ||
		strings.HasSuffix(w, "xes")):
		w = w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") &&
		!strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	switch {
	case len(w) > 5 && strings.HasSuffix(w, "ing"):
		w = undouble(w[:len(w)-3])
	case len(w) > 4 && strings.HasSuffix(w, "ed"):
		w = undouble(w[:len(w)-2])
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeious", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// spoken turns an identifier into words: "check_in" into "check in".
func spoken(name string) string {
	name = camel.ReplaceAllString(name, "$1 $2")
	return strings.ToLower(strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return r == '_' || r == '-' ||
			r == ' ' || r == '.'
	}), " "))
}

// ask is what a piece of text asks for, verb-wise.
type intent struct {
	write   string // the first write concept, "" when none
	read    bool   // some read verb or question word
	orders  bool   // begins with the write verb
	negated bool   // "don't", "do not", "mat": whatever the verb, leave it
}

// asks reports whether a text only wants to know something.
func (i intent) asks() bool { return i.read && i.write == "" }

var (
	refusal = regexp.MustCompile(`(?i)\b(?:don'?t|do not|mat|na(?: ` +
		`+kar))\b\s*\w|^\W*(?:please\s+)?never\b|(?:^|\s)मत(?:\s|$)|\bna\s+kar`)
	bookVerb  = regexp.MustCompile(`(?i)(?:^|[.;,]\s*|\b(?:please|to|and|then|you|now|let's)\s+)(?:book|reserve)\b`)
	question  = regexp.MustCompile(`(?i)^\s*(?:and\s+|so\s+)?(?:which|what|when|where|who|how|is|are|was|were|do|does|did|can|could|has|have|kya|kitn\w+|any)\b|\?\s*$`)
	polite    = regexp.MustCompile(`(?i)^\s*(?:can|could|would|will) you\b`)
	switching = regexp.MustCompile(`(?i)\b(?:turn|mark|take|put|bring)\b.*\b(?:on|off|available|unavailable|back|out)\b`)
	turnedOff = regexp.MustCompile(`(?i)\b(?:is|are) (?:now )?(?:off|finished|sold out|back(?: on)?|available ` +
		`again|unavailable)\b|\bwe(?:'re| are) out of\b|\bno more\b`)
	corrects = regexp.MustCompile(`(?i)^\W*(?:(?:no|yes|ok(?:ay)?|but|please|actually)\b[\s,` +
		`]*)*(?:make|change|set) (?:it|that|this|them)\b`)
	makes   = regexp.MustCompile(`^\W*(?:[Pp]lease\s+)?[Mm]ake\s+(?:the\s+|[A-Z]*\d|[A-Z]{3})`)
	becomes = regexp.MustCompile(`(?i)\b(?:to|is now|are now|now costs?|now|should be|should ` +
		`cost|at)\s+[₹$€£]?\d[\d.,` +
		`]*\s*(?:%|percent|rs|rupees)?\s*$|\d\s*(?:%|percent)?\s*(?:kar|karo|kardo|rakho)\b`)
	moving = regexp.MustCompile(`(?i)\bput\b.*\b(?:in|into)\b`)
	freeUp = regexp.MustCompile(`(?i)\b(?:free up|open up|release)\b`)
)

// asks reads the verbs of text.
func (l *lexicon) intentOf(text string) intent {
	var out intent
	out.negated = refusal.MatchString(text)
	isQuestion := question.MatchString(text) && !polite.MatchString(text)
	if bookVerb.MatchString(text) {
		out.write = "create"
	}
	for _, t := range l.terms(text) {
		switch {
		case isIn(t.concept, readVerbs):
			// A read verb in front decides: "show the changes" changes nothing.
			if out.write == "" {
				out.read = true
			}
		case isIn(t.concept, writeVerbs) && !out.read && out.write == "" && !adjective(t):
			out.write = t.concept
		}
	}
	if out.write == "" && !out.read {
		switch {
		case becomes.MatchString(text):
			out.write = "update"
		case freeUp.MatchString(text):
			out.write = "unblock"
		case switching.MatchString(text), turnedOff.MatchString(text):
			out.write = "toggle"
		case moving.MatchString(text):
			out.write = "update"
		}
	}
	if out.write == "create" && makes.MatchString(text) {
		out.write = "update" // "make WELCOME10 15 percent"
	}
	if first := l.terms(text); out.write != "" && len(first) > 0 {
		low := strings.ToLower(first[0].raw)
		out.orders = isIn(first[0].concept, writeVerbs) && !strings.HasSuffix(low, "s") &&
			!strings.HasSuffix(low, "ed")
	}
	// "Was COCO cancelled?" asks; "can you cancel it?" orders.
	if isQuestion {
		out.read, out.write, out.orders = true, "", false
	}
	return out
}

// adjective says whether a write word is used to describe: "cancelled
// bookings", "new arrivals" stay ambiguous and count as verbs only bare.
func adjective(t term) bool {
	low := strings.ToLower(t.raw)
	return strings.HasSuffix(low, "ed") && low != "need"
}

func isIn(s string, list []string) bool {
	for _, l := range list {
		if s == l || s == stem(l) || stem(s) == stem(l) {
			return true
		}
	}
	return false
}

func upperFirst(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return s
	}
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}
