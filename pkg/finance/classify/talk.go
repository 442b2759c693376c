package classify

import (
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
)

// phrases are sequences of folded words by their first word, the longest first.
type phrases map[string][][]string

func newPhrases(text string) func() phrases {
	return sync.OnceValue(func() phrases {
		p := phrases{}
		for phrase := range strings.SplitSeq(text, ",") {
			words := fold(phrase)
			p[words[0]] = append(p[words[0]], words)
		}
		for _, all := range p {
			slices.SortStableFunc(all, func(a, b []string) int { return len(b) - len(a) })
		}
		return p
	})
}

// at returns the phrase with which words begin; nil for none.
func (p phrases) at(words []string) []string {
	for _, phrase := range p[words[0]] {
		if has(words, phrase) {
			return phrase
		}
	}
	return nil
}

// in returns the different phrases in words; near spellings of words of seven letters
// and more count.
func (p phrases) in(words []string) []string {
	var out []string
	for i := range words {
		found := strings.Join(p.at(words[i:]), " ")
		if found == "" && len(words[i]) >= 7 {
			for first, all := range p {
				if language.Near(first, words[i]) && len(all[0]) == 1 {
					found = first
				}
			}
		}
		if found != "" && !slices.Contains(out, found) {
			out = append(out, found)
		}
	}
	return out
}

// talk is a kind of small talk.
type talk int

const (
	noTalk   talk = iota
	courtesy      // greetings, thanks, farewells
	answer        // yes, no, fine: they may belong to what was said before
	meta          // questions about the assistant
)

// The small talk of S2-15. A message is one when it has nothing else in it.
var (
	courtesies = newPhrases(`hi, hii, hiii, hey, hello, helo, hallo, namaste, namaskar, namaskaram, pranam, ram
		ram, jai hind, radhe radhe, salam, salaam, sat sri akal, vanakkam, good morning, good
		afternoon, good evening, good night, good day, gm, suprabhat, shubh prabhat, thanks,
		thank you, thankyou, thx, ty, tysm, thanks a lot, many thanks, dhanyavaad, dhanyavad,
		dhanyawad, shukriya, bahut dhanyavaad, bye, bye bye, goodbye, good bye, see you, see
		you later, alvida, phir milenge, fir milenge, tata, welcome, great job, well done,
		good job, nice, wow, super, how are you, how are you doing, kaise ho, kaise hain, aap
		kaise hain, aap kaise ho, kya haal hai, kya hal hai, whats up, what's up, sup, नमस्ते,
		नमस्कार, प्रणाम, राम राम, धन्यवाद, शुक्रिया, अलविदा, सुप्रभात, कैसे हो, कैसे हैं, आप
		कैसे हैं, क्या हाल है, फिर मिलेंगे, हाय, हेलो, हैलो`)
	answers = newPhrases(`ok, okay, k, okk, okie, sure, got it, understood, fine, alright, all right, cool,
		perfect, yes, yeah, yep, yup, no, nope, nah, not now, haan, haa, ha, han, haan ji, ji,
		ji haan, ji nahi, nahi, nahin, na, nahi ji, theek, thik, theek hai, thik hai, tik hai,
		accha, acha, achha, accha ji, sahi, sahi hai, bilkul, samajh gaya, samajh gayi, ho
		gaya, chalo, chalega, koi baat nahi, हाँ, हां, जी, जी हाँ, नहीं, जी नहीं, ठीक, ठीक है,
		अच्छा, सही, सही है, बिल्कुल, समझ गया, चलो, ओके, please, pls`)
	metas = newPhrases(`help, help me, madad, madad karo, help please, what can you do, what can you do for
		me, what do you do, what all can you do, how can you help, how can you help me, who
		are you, what are you, what is your name, what's your name, are you a bot, are you
		human, are you a robot, who made you, tum kaun ho, aap kaun ho, aap kaun hain, kaun ho
		tum, kaun ho aap, tum kya kar sakte ho, aap kya kar sakte ho, aap kya kar sakte hain,
		kya kar sakte ho, kya kya kar sakte ho, aapka naam kya hai, tumhara naam kya hai, meri
		madad karo, मदद, मदद करो, आप कौन हैं, तुम कौन हो, आप कौन हो, आप क्या कर सकते हैं, तुम
		क्या कर सकते हो, आपका नाम क्या है`)
	// fillers stand beside small talk.
	fillers = newPhrases(`munimji, munim ji, munim, bellhop, sir, madam, ma'am, bhai, bhaiya, dost, ji, there,
		everyone, all, so much, very much, a lot, bahut, bahut bahut, for the help, for your
		help, please, then, now, again, today, have a nice day, मुनीमजी, मुनीम जी, भाई, सर,
		बहुत`)
)

// smallTalk returns which small talk the words are; noTalk where anything else is said.
func smallTalk(words []string) talk {
	is := noTalk
	for i := 0; i < len(words); {
		rest := words[i:]
		best, kind := 0, noTalk
		for k, list := range [...]phrases{courtesy: courtesies(), answer: answers(), meta: metas()} {
			if n := len(list.at(rest)); n > best {
				best, kind = n, talk(k)
			}
		}
		if n := len(fillers().at(rest)); n > best {
			best, kind = n, noTalk
		}
		if best == 0 {
			return noTalk
		}
		// "haan, thanks" may answer a question, "ok, what can you do" asks one.
		if kind != noTalk && (is == noTalk || kind == meta || kind == answer && is != meta) {
			is = kind
		}
		i += best
	}
	return is
}
