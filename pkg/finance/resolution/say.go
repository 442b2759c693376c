package resolution

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
)

// say returns the sentence in the language of the person.
func (p Plan) say(english, hinglish, hindi string) string {
	switch p.c.Language {
	case language.Hinglish:
		return hinglish
	case language.Hindi:
		return hindi
	}
	return english
}

func (p Plan) sayNoDate() string {
	return fmt.Sprintf(p.say("There is no day %s. Which date do you mean?",
		"%s naam ki koi tareekh nahi hoti. Kaunsi tareekh?", "%s कोई तारीख नहीं है। कौन सी तारीख?"), p.said.badDate)
}

func (p Plan) sayNumber() string {
	return p.say("What is the number of the document?", "Document ka number kya hai?", "दस्तावेज़ का नंबर क्या है?")
}

// noun returns what is asked for, in the language of the person.
func (p Plan) noun(of string) string {
	switch of {
	case "customer":
		return p.say("customer", "customer", "ग्राहक")
	case "vendor":
		return p.say("vendor", "vendor", "सप्लायर")
	case "product":
		return p.say("product", "product", "प्रोडक्ट")
	case "account":
		return p.say("account", "khata", "खाता")
	}
	return p.say("bank account", "bank account", "बैंक खाता")
}

func (p Plan) sayWhich(of string) string {
	return fmt.Sprintf(p.say("Which %s do you mean?", "Kaunsa %s?", "कौन सा %s?"), p.noun(of))
}

// several asks which of some records is meant.
func (p Plan) several(kind MissingKind, s Source, records []record) *Missing {
	m := &Missing{Kind: kind, Of: s.Of, Question: p.sayWhich(s.Of)}
	same := map[string]int{}
	for _, r := range records {
		same[r.Name]++
	}
	for _, r := range records {
		label := r.Name
		if same[r.Name] > 1 && r.Code != "" {
			label += " (" + r.Code + ")"
		}
		m.Choices = append(m.Choices, Choice{Label: label, Value: given(s, r)})
	}
	name := strings.TrimSpace(p.said.name)
	switch {
	case kind == NotFound && len(m.Choices) > 0:
		m.Question = fmt.Sprintf(p.say("There is no %s %q. Do you mean one of these?",
			"%s %q nahi mila. Inme se koi hai?", "%s %q नहीं मिला। क्या इनमें से कोई है?"), p.noun(s.Of), name)
	case kind == NotFound:
		m.Question = fmt.Sprintf(p.say("There is no %s %q. Please give the name as in the books.",
			"%s %q nahi mila. Books mein jo naam hai wo batayein.", "%s %q नहीं मिला। बही में जो नाम है वह बताइए।"),
			p.noun(s.Of), name)
	case name != "":
		m.Question = fmt.Sprintf(p.say("%q fits more than one %s. Which one?",
			"%q naam ke ek se zyada %s hain. Kaunsa?", "%q नाम के एक से ज़्यादा %s हैं। कौन सा?"), name, p.noun(s.Of))
	}
	return m
}
