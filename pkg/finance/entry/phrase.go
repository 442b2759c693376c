package entry

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

func itoa(n int) string { return strconv.Itoa(n) }

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// phrase is a sequence of words and numbers that belong together, and the preposition
// before or the postposition behind it, in English.
type phrase struct {
	pre, post string
	start     int // where what follows pre begins in the text; 0 without pre
	tokens    []token
}

func set(text string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		out := map[string]bool{}
		for w := range strings.FieldsSeq(text) {
			out[resolution.Fold(w)] = true
		}
		return out
	})
}

// structure are words that hold an order together and name nothing.
var structure = set(`
banao bana banaye banaiye banana banado bnao bna banaya banayen de dijiye dena deni dedo kar karo kare karna
kariye kardo karke kat kaat kaato likh likho likhna likhdo likhiye daal dal dalo daalo chadha chadhao jod
jodo add create make raise issue prepare generate draft enter record book log put post mark receive received
got get paid pay gave given bhej bhejo bheja bhejna mila mile mili mil diya diye di aaya aaye aayi aye aa
gaya gaye gayi hai hain tha thi the a an my our me us mujhe mera mere meri hum hamara hamare humne hamne
maine main i we he she they have has had his her their please kripya zara plz pls ji bhai munimji now abhi
also bhi invoice invoices bill bills sales sale tax naya nayi new entry payment payments pymt receipt
kharcha kharche kharch expense expenses chahiye want need note do kijiye dilao dila yaad remind reminder
reminders send mail email share forward whatsapp chase spent spend hua hui hue lagao laga nikalo nikaal
settle settled collection jama transferred transfer transaction account khata amount rakam paisa paise money
customer customers vendor vendors supplier party grahak client void cancel radd delete hata hatao remove
file submit bhar bharo bharna return returns credit this that is it its it's are was were be been so total
kul only sirf bas pdf copy dated as darj correct set actual discount off about regarding broke tuta fix
galat wrong whom adjustment chhoot chhut write quantity qty level matra returned all entries automatically
automatic wapas vapas kiye लौटाया वापस everything can you could will would kindly sabka sab sabhi back can't
overdue date tarikh taarikh due against adjust stock reduce increase kam zyada badhao ghatao damaged toot
tut kharab broken reconcile milan match bank rate price bhav daam each per piece plus extra including
inclusive incl excluding exclusive excl gst with bina samet sahit taxes then phir tayyar taiyar pakka ho
jaye jaaye chuka chuke chukaya bhugtan kiya kia advance ok okay haan yes someone बनाओ बना बनाइए बनाना दो दे
दीजिए करो कर कीजिए काट लिखो लिख दर्ज जोड़ो जोड़ चढ़ाओ डालो भेजो भेज भेजना मिला मिले मिली दिया दिए दी आया आए
आई गया गए गई है हैं था थे थी मेरा मेरे मेरी मुझे हम हमने हमारे मैंने कृपया जी इनवॉइस बिल जीएसटी टैक्स नया नई
एंट्री पेमेंट भुगतान रसीद खर्च खर्चा खर्चे चाहिए याद दिलाओ रिमाइंडर ग्राहक सप्लायर वेंडर पार्टी रद्द कैंसल
हटाओ फाइल रिटर्न क्रेडिट नोट स्टॉक कम ज्यादा खराब टूट रेट कीमत हर मेल हो जाए पैसे पैसा रकम खाता कुल हुआ हुई
down refund becha beche bechi sold uska iska unka m/s gstin petty बेचा बेचे nikle nikla निकले delivered
goods तैयार गलत लो काटो
`)

// family are words that follow "and" in names of companies.
var family = set(`sons co company brothers bros associates sanz`)

// ordinary reports whether tokens are words of an order that name nothing.
func ordinary(list []token) bool {
	for _, t := range list {
		if t.kind != word || t.capital || !resolution.Explains(t.form) {
			return false
		}
	}
	return true
}

// onlyDay reports whether a text says a day and nothing else.
func onlyDay(text string, c Context) bool {
	all := lex(text, c.Today, false)
	for i, t := range all {
		_, n := after(all, i)
		if t.kind != day && t.kind != pause && !(t.kind == word && (structure()[t.form] || n > 0 ||
			before(t.form) != "")) {
			return false
		}
	}
	return true
}

// trimmed leaves the words of an order before and behind a name in capitals.
func trimmed(list []token) []token {
	if !slices.ContainsFunc(list, func(t token) bool { return t.capital }) {
		return list
	}
	for len(list) > 1 && ordinary(list[:1]) {
		list = list[1:]
	}
	for len(list) > 1 && ordinary(list[len(list)-1:]) {
		list = list[:len(list)-1]
	}
	return list
}

// before and after are the words that say what a phrase is.
func before(form string) string {
	switch form {
	case "for", "to", "from", "on", "of", "at", "by", "via", "against", "towards", "in", "named", "called",
		"because",
		"into":
		return form
	case "@", "rate", "price", "bhav", "dam", "रेट", "कीमत":
		return "at"
	case "through", "using":
		return "by"
	}
	return ""
}

func after(all []token, i int) (post string, n int) {
	form := all[i].form
	if form == "k" {
		form = "ke"
	}
	next := ""
	if i+1 < len(all) && all[i+1].kind == word {
		next = all[i+1].form
	}
	switch form {
	case "ke", "के":
		switch next {
		case "liye", "lie", "lye", "लिए", "लिये":
			return "for", 2
		case "nam", "naam", "नाम":
			return "for", 2
		case "hisab", "हिसाब", "rate", "bhav", "रेट", "भाव":
			return "each", 2
		case "sath", "saath", "साथ":
			return "with", 2
		}
		return "of", 1
	case "ka", "ki", "का", "की":
		return "of", 1
	case "ko", "को":
		return "to", 1
	case "ne", "ने":
		return "by", 1
	case "se", "से":
		return "from", 1
	case "par", "pe", "पर":
		return "on", 1
	case "mein", "min", "में", "mai":
		return "in", 1
	case "nam", "नाम", "namak":
		return "named", 1
	case "each", "wala", "wale", "wali", "prati", "वाला", "वाले", "apiece":
		return "each", 1
	case "per", "प्रति":
		return "each", 2
	}
	return "", 0
}

// phrases splits tokens into phrases. Dates and what else is no part of one end it.
func phrases(all []token) []phrase {
	shouts := true
	for _, t := range all {
		if t.kind == word && !t.capital && unicode.IsLetter(first(t.text)) && first(t.text) < 0x80 {
			shouts = false
		}
	}
	var out []phrase
	var now phrase
	flush := func(post string) {
		if len(now.tokens) > 0 {
			now.post = post
			out = append(out, now)
		}
		now = phrase{}
	}
	for i := 0; i < len(all); i++ {
		t := all[i]
		switch {
		case t.kind == quoted, t.kind == amount:
			now.tokens = append(now.tokens, t)
			continue
		case t.kind == figure:
			if numberHere(all, i) {
				now.tokens = append(now.tokens, t)
			}
			continue
		case t.kind != word:
			flush("")
			continue
		}
		named := !shouts && t.capital && (i > 0 && !spoken(all[i-1])) && (named(all, i-1) || named(all, i+1))
		if t.form == "and" || t.text == "&" || t.form == "aur" || t.form == "और" || t.form == "tatha" ||
			t.form == "or" {
			joined := i > 0 && i+1 < len(all) && content(all[i-1]) && content(all[i+1]) &&
				len(now.tokens) > 0 &&
				(t.text == "&" || all[i-1].capital && all[i+1].capital || family()[all[i+1].form])
			if joined && !hasNumber(now.tokens) {
				now.tokens = append(now.tokens, t)
				continue
			}
			flush("")
			continue
		}
		if post, n := after(all, i); n > 0 && !named && len(now.tokens) > 0 {
			flush(post)
			i += n - 1
			continue
		}
		if pre := before(t.form); pre != "" && !(named && i > 0) {
			flush("")
			now.pre, now.start = pre, t.to
			continue
		}
		if structure()[t.form] && !named {
			pre, start := now.pre, now.start
			flush("")
			if len(out) == 0 || pre != "" {
				now.pre, now.start = pre, start // "for a customer called X"
			}
			continue
		}
		if _, n := after(all, i); n > 0 && !named {
			i += n - 1
			continue
		}
		now.tokens = append(now.tokens, t)
	}
	flush("")
	return out
}

func spoken(t token) bool { return t.kind == pause }

// content reports whether a token is a word that may be a part of a name.
func content(t token) bool {
	return t.kind == quoted || t.kind == word && !structure()[t.form] && before(t.form) == ""
}

// named reports whether there is a part of a name that is written as one.
func named(all []token, i int) bool {
	if i < 0 || i >= len(all) {
		return false
	}
	t := all[i]
	return t.kind == word && t.capital && i > 0 && content(t)
}

// numberHere reports whether a number in words is one: "do" is also "please do", and
// "ek bill" one that isn't counted.
func numberHere(all []token, i int) bool {
	t := all[i]
	if !t.worded {
		return true
	}
	if i+1 >= len(all) {
		return i == 0
	}
	next := all[i+1]
	if next.kind != word || structure()[next.form] || before(next.form) != "" {
		_, n := after(all, i+1)
		return n > 0 && t.form != "do" && t.form != "दो"
	}
	if (t.form == "do" || t.form == "दो") && i > 0 && all[i-1].kind == word && structure()[all[i-1].form] {
		switch all[i-1].form {
		case "bana", "kar", "de", "bhej", "likh", "kat", "dal", "jod", "chadha", "बना", "कर", "काट", "लिख",
			"भेज", "दे":
			return false
		}
	}
	return true
}

func hasNumber(list []token) bool {
	for _, t := range list {
		if t.kind == figure || t.kind == amount {
			return true
		}
	}
	return false
}

func (p phrase) plain() bool { return len(p.tokens) > 0 && !hasNumber(p.tokens) }

// only reports whether a phrase is one number.
func (p phrase) only() bool { return len(p.tokens) == 1 && hasNumber(p.tokens) }

// text returns what tokens say, at most 80 characters of it.
func textOf(list []token) string {
	var out []string
	for _, t := range list {
		out = append(out, strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, t.text))
	}
	return cut(strings.Join(out, " "))
}

// cut shortens what is repeated of a text.
func cut(s string) string {
	if r := []rune(s); len(r) > 80 {
		return strings.TrimSpace(string(r[:80]))
	}
	return s
}

func positive(a money.Amount) bool { return a.Cmp(money.Zero) > 0 }
