package entry

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// opened is an invoice or a bill.
type opened struct {
	Number  string
	Balance json.Number
	Total   json.Number
	Contact string
	Code    string `json:"contact_code"`
	Lines   []struct {
		Line        int
		Description string
		Quantity    json.Number
	}
}

// open reads a document; ok is false until the look-up was made.
func (s *step) open(tool, number string) (doc *opened, ok bool) {
	raw, made := s.answer(tool, map[string]any{"number": number})
	if !made {
		s.call(tool, "the document", map[string]any{"number": number})
		return nil, false
	}
	var a struct{ Invoice, Bill *opened }
	if json.Unmarshal(raw, &a) != nil {
		return nil, true
	}
	if a.Bill != nil {
		return a.Bill, true
	}
	return a.Invoice, true
}

func (s *step) payment() {
	of, tool, kind := "customer", "get_invoice", "receipt"
	if s.Intent == "pay_vendor" {
		of, tool, kind = "vendor", "get_bill", "payment"
	}
	v := map[string]any{"kind": kind}
	if (len(s.Documents) == 0 || s.Party.Said != "") && !s.settle(of, of, &s.Party) {
		return
	}
	if s.Party.Code != "" {
		v["contact"] = s.Party.Code
	}
	if s.Values["amount"] == "" {
		var choices []resolution.Choice
		question := s.say("How much was it?", "Kitni rakam?", "कितनी रकम?")
		if len(s.Documents) == 1 {
			doc, made := s.open(tool, s.Documents[0])
			if !made {
				return
			}
			if doc == nil {
				n := s.Documents[0]
				s.Documents = nil
				s.ask("number", resolution.NotFound, nil,
					fmt.Sprintf(s.say("There is no document %s. What is the number?",
						"%s naam ka document nahi mila. Number kya hai?", "%s नहीं मिला। नंबर क्या है?"), n))
				return
			}
			if open, ok := number0(doc.Balance); ok {
				choices = []resolution.Choice{{Label: s.rupees(plain(open)), Value: plain(open)}}
				question = fmt.Sprintf(s.say("%s of %s is open. How much was it?",
					"%s baki hai %s ka. Kitni rakam?",
					"%s बाकी है %s का। कितनी रकम?"), s.rupees(plain(open)), doc.Number)
			} else {
				question = fmt.Sprintf(s.say("Nothing of %s is open. How much was it?",
					"%s ka kuch baki nahi hai. Kitni rakam?",
					"%s का कुछ बाकी नहीं है। कितनी रकम?"), doc.Number)
			}
		}
		s.ask("amount", resolution.NotSaid, choices, question)
		return
	}
	v["amount"] = s.Values["amount"]
	if s.Values["mode"] == "" {
		s.ask("mode", resolution.NotSaid, modeChoices(), s.say("How was it paid?",
			"Kis tarah se: UPI, NEFT, cash ya cheque?",
			"कैसे: UPI, NEFT, नकद या चेक?"))
		return
	}
	for _, name := range []string{"mode", "bank_reference", "tds"} {
		if s.Values[name] != "" {
			v[name] = s.Values[name]
		}
	}
	var settled []map[string]any
	for _, n := range s.Documents {
		settled = append(settled, map[string]any{"document": n})
	}
	if settled != nil {
		v["allocations"] = settled
	} else {
		s.pending("Settles", s.say("what is due first", "jo pehle due hai", "जो पहले देय है"))
	}
	s.dates(v)
	s.ready("create_payment", "record the payment", v)
}

func modeChoices() []resolution.Choice {
	var out []resolution.Choice
	for _, m := range []string{"UPI", "NEFT", "Cash", "Cheque"} {
		out = append(out, resolution.Choice{Label: m, Value: m})
	}
	return out
}

// readPayment reads who paid or is paid, and how much.
func (d *Draft) readPayment(list []phrase) {
	said, several := "", false
	var parts []phrase
	for _, p := range list {
		rest := p
		rest.tokens = nil
		for i, t := range p.tokens {
			bare := t.kind == figure && !t.worded && (len(p.tokens) == 1 || i == len(p.tokens)-1 ||
				i == 0 && (!p.tokens[1].capital || t.amount.Cmp(money.FromInt(100)) >= 0))
			if (t.kind == amount || bare) && positive(t.amount) {
				if said != "" && said != plain(t.amount) {
					several = true // which one is asked
				}
				said = plain(t.amount)
				continue
			}
			rest.tokens = append(rest.tokens, t)
		}
		if len(rest.tokens) > 0 {
			parts = append(parts, rest)
		}
	}
	list = parts
	if !several {
		d.set("amount", said)
	}
	if d.Party.Code != "" || d.Party.Said != "" && d.Asked != "customer" && d.Asked != "vendor" {
		return
	}
	marks := []string{"by", "from"}
	if d.Intent == "pay_vendor" {
		marks = []string{"to"}
	}
	var named []phrase
	for _, p := range list {
		if name, _ := p.split(true); len(name) > 0 && !ordinary(name) && (slices.Contains(marks, p.post) ||
			slices.Contains(marks,
				p.pre)) {
			d.Party = Name{Said: textOf(trimmed(name))}
			return
		}
		if p.plain() || len(p.tokens) > 1 {
			named = append(named, p)
		}
	}
	if name, _ := party(named); name != "" {
		d.Party = Name{Said: name}
	}
}
