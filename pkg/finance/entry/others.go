package entry

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// reason asks for why, unless it was said.
func (s *step) reason(question string) bool {
	if s.Values["reason"] != "" {
		return true
	}
	s.ask("reason", resolution.NotSaid, nil, question)
	return false
}

// document returns the one number that was said. Without one it offers the latest
// invoices of the customer who was named.
func (s *step) document(of string) (string, bool) {
	if len(s.Documents) == 1 {
		return s.Documents[0], true
	}
	var choices []resolution.Choice
	for _, n := range s.Documents {
		choices = append(choices, resolution.Choice{Label: n, Value: n})
	}
	if len(choices) == 0 && s.Party.Said != "" && of != "" {
		if !s.settle(of, of, &s.Party) {
			return "", false
		}
		values := map[string]any{"customer": s.Party.Code, "limit": 5}
		raw, made := s.answer("get_all_invoices", values)
		if !made {
			s.call("get_all_invoices", "the invoices of this customer", values)
			return "", false
		}
		var list struct {
			Invoices []struct{ Number, Date string }
		}
		if json.Unmarshal(raw, &list) == nil {
			for _, v := range list.Invoices {
				choices = append(choices, resolution.Choice{Label: v.Number + ", " + shownDate(v.Date),
					Value: v.Number})
			}
		}
	}
	s.ask("number", resolution.NotSaid, choices, s.say("Which invoice? Please give its number.",
		"Kaunsa invoice? Number batayein.",
		"कौन सा इनवॉइस? नंबर बताइए।"))
	return "", false
}

func (s *step) reminder() {
	switch {
	case len(s.Documents) > 0:
		n, ok := s.document("")
		if !ok {
			return
		}
		doc, made := s.open("get_invoice", n)
		if !made {
			return
		}
		if doc == nil {
			s.Documents = nil
			s.document("")
			return
		}
		// An address is needed to mail the reminder; without one it is recorded.
		raw, made := s.answer("get_customer", map[string]any{"customer": doc.Code})
		if !made && doc.Code != "" {
			s.call("get_customer", "the customer's address", map[string]any{"customer": doc.Code})
			return
		}
		var c struct{ Customer struct{ Name, Email string } }
		if json.Unmarshal(raw, &c) == nil && c.Customer.Email != "" {
			s.Party = Name{Said: c.Customer.Name, Code: doc.Code, Label: c.Customer.Name}
			s.ready("email_payment_reminder", "mail the reminder", map[string]any{"number": doc.Number})
			return
		}
		s.ready("send_payment_reminders", "record the reminder", map[string]any{"invoice": doc.Number})
	case s.Party.Said != "":
		if s.settle("customer", "customer", &s.Party) {
			s.ready("send_payment_reminders", "remind this customer", map[string]any{"customer": s.Party.Code})
		}
	case s.Values["whom"] == "all":
		s.ready("send_payment_reminders", "remind all customers", map[string]any{})
	default:
		s.ask("whom", resolution.NotSaid, []resolution.Choice{{Label: s.say("All overdue customers",
			"Sab overdue customer",
			"सभी बकाया ग्राहक"), Value: "all"}},
			s.say("Who is to be reminded: all overdue customers, or one of them?",
				"Kisko reminder bhejna hai: sab ko ya ek customer ko?",
				"किसको रिमाइंडर भेजना है: सबको या एक ग्राहक को?"))
	}
}

func (s *step) email() {
	n, ok := s.document("customer")
	if !ok {
		return
	}
	v := map[string]any{"number": n}
	if s.Values["to"] != "" {
		v["to"] = s.Values["to"]
	}
	s.ready("email_invoice", "mail the invoice", v)
}

// contact makes a new customer or vendor.
func (s *step) contact() {
	of := strings.TrimPrefix(s.Intent, "create_")
	name := s.Values["name"]
	if name == "" {
		s.ask("name", resolution.NotSaid, nil, fmt.Sprintf(s.say("What is the name of the %s?",
			"Naye %s ka naam kya hai?",
			"नए %s का नाम क्या है?"), s.noun(of)))
		return
	}
	v := map[string]any{"name": name}
	if number := s.Values["gstin"]; number != "" {
		g, findings, err := gst.CheckGSTIN(number)
		if err != nil || len(findings) > 0 {
			delete(s.Values, "gstin")
			why := number
			if len(findings) > 0 {
				why = findings[0].Text
			} else if err != nil {
				why = err.Error()
			}
			s.ask("gstin", resolution.NotSaid, nil, why+" "+s.say("Please give it again, or say \"skip\".",
				"Dobara batayein, ya \"skip\" kahein.", "फिर से बताइए, या \"skip\" कहिए।"))
			return
		}
		v["gstin"] = g.Text
		if state, ok := gst.StateName(g.State); ok {
			v["state"] = state
			s.set("state", state)
		}
	} else if s.Values["state"] != "" {
		v["state"] = s.Values["state"]
	} else if s.Values["registration"] == "" {
		s.ask("registration", resolution.NotSaid, nil,
			fmt.Sprintf(s.say("What is the GSTIN of %s? Without one, say the state, or \"skip\".",
				"%s ka GSTIN kya hai? Na ho to state batayein, ya \"skip\" kahein.",
				"%s का जीएसटीआईएन क्या है? न हो तो राज्य बताइए, या \"skip\" कहिए।"), name))
		return
	}
	for _, n := range []string{"email", "phone"} {
		if s.Values[n] != "" {
			v[n] = s.Values[n]
		}
	}
	f := resolution.Find(of, name, s.results)
	if f.Call != nil {
		s.out.Calls = []resolution.Call{*f.Call}
		return
	}
	for _, c := range f.Fit {
		if squeeze(c.Label) == squeeze(name) {
			s.ask("name", resolution.SeveralFit, nil,
				fmt.Sprintf(s.say("There is a %s %s already (%s). What is the name of the new one?",
					"%s %s pehle se hai (%s). Naye ka naam kya hai?",
					"%s %s पहले से है (%s)। नए का नाम क्या है?"),
					s.noun(of), c.Label, c.Value))
			return
		}
	}
	s.ready(s.Intent, "add the "+of, v)
}

func (s *step) creditNote() {
	n, ok := s.document("customer")
	if !ok {
		return
	}
	v := map[string]any{"invoice": n}
	if s.Values["whole"] == "" && s.Values["line"] == "" {
		doc, made := s.open("get_invoice", n)
		if !made {
			return
		}
		if doc == nil {
			s.Documents = nil
			s.document("")
			return
		}
		choices := []resolution.Choice{{Label: s.say("The whole invoice", "Poora invoice", "पूरा इनवॉइस"),
			Value: "0"}}
		var lines []resolution.Choice
		for _, l := range doc.Lines {
			lines = append(lines, resolution.Choice{Label: l.Description, Value: itoa(l.Line)})
		}
		var fit []resolution.Choice
		if len(s.Lines) > 0 && s.Lines[0].Said != "" {
			fit, _ = resolution.Match(s.Lines[0].Said, lines)
		}
		if len(fit) != 1 {
			s.ask("line", resolution.NotSaid, append(choices, lines...),
				fmt.Sprintf(s.say("What of %s is credited: the whole invoice, or one line?",
					"%s mein se kya wapas hua: poora invoice ya ek item?",
					"%s में से क्या वापस हुआ: पूरा इनवॉइस या एक आइटम?"), n))
			return
		}
		s.set("line", fit[0].Value)
	}
	if line := s.Values["line"]; line != "" && line != "0" && s.Values["whole"] == "" {
		of := map[string]any{"line": atoi(line)}
		if len(s.Lines) > 0 && s.Lines[0].Quantity != "" {
			of["quantity"] = s.Lines[0].Quantity
		} else if s.Values["quantity"] != "" {
			of["quantity"] = s.Values["quantity"]
		}
		v["lines"] = []any{of}
	}
	if !s.reason(s.say("Why is it credited?", "Credit note ki wajah kya hai?", "क्रेडिट नोट की वजह क्या है?")) {
		return
	}
	v["reason"] = s.Values["reason"]
	s.dates(v)
	s.ready("create_sales_credit_note", "issue the credit note", v)
}

func (s *step) stock() {
	l := &s.Lines[0]
	if l.Code == "" {
		if !s.settle("product", "product:0", &l.Name) {
			return
		}
	}
	if l.Quantity == "" {
		s.ask("quantity:0", resolution.NotSaid, nil, fmt.Sprintf(s.say("How many %s?", "%s kitne?",
			"%s कितने?"), l.Label))
		return
	}
	quantity, err := money.Parse(l.Quantity)
	if err != nil {
		return
	}
	switch s.Values["change"] {
	case "":
		s.ask("change", resolution.NotSaid, []resolution.Choice{{Label: s.say("Add", "Jodna hai", "जोड़ना है"),
			Value: "in"},
			{Label: s.say("Take out", "Kam karna hai", "कम करना है"), Value: "out"}},
			fmt.Sprintf(s.say("Are %s %s added or taken out?", "%s %s jodna hai ya kam karna hai?",
				"%s %s जोड़ना है या कम करना है?"),
				l.Quantity, l.Label))
		return
	case "out":
		quantity, err = money.Zero.Sub(quantity)
	case "to":
		p, ok := s.productOf(l.Code)
		if !ok {
			if _, made := s.answer("get_product", map[string]any{"product": l.Code}); !made {
				s.call("get_product", "the stock", map[string]any{"product": l.Code})
			}
			return
		}
		var now money.Amount
		if now, err = money.Parse(p.Stock.String()); err == nil {
			quantity, err = quantity.Sub(now)
		}
	}
	if err != nil {
		return
	}
	if !s.reason(s.say("Why is the stock changed?", "Stock kyun badal raha hai?", "स्टॉक क्यों बदल रहा है?")) {
		return
	}
	v := map[string]any{"product": l.Code, "quantity": plain(quantity), "reason": s.Values["reason"]}
	s.dates(v)
	s.ready("adjust_stock", "change the stock", v)
}

func (s *step) filing() {
	switch {
	case s.Values["return"] == "":
		s.ask("return", resolution.NotSaid, []resolution.Choice{{Label: "GSTR-1", Value: "file_gstr1"},
			{Label: "GSTR-3B", Value: "file_gstr3b"}},
			s.say("Which return: GSTR-1 or GSTR-3B?", "Kaunsa return: GSTR-1 ya GSTR-3B?",
				"कौन सा रिटर्न: GSTR-1 या GSTR-3B?"))
	case s.Values["month"] == "":
		s.ask("month", resolution.NotSaid, nil, s.say("Of which month?", "Kaunse mahine ka?",
			"कौन से महीने का?"))
	default:
		s.ready(s.Values["return"], "file the return", map[string]any{"month": s.Values["month"]})
	}
}

func (s *step) reconcile() {
	values := map[string]any{"limit": 100}
	raw, made := s.answer("get_bank_accounts", values)
	if !made {
		s.call("get_bank_accounts", "the bank accounts", values)
		return
	}
	var list struct {
		Accounts []struct{ Name, Bank, Number string } `json:"bank_accounts"`
	}
	_ = json.Unmarshal(raw, &list) // an answer of another form has none
	var choices []resolution.Choice
	for _, a := range list.Accounts {
		choices = append(choices, resolution.Choice{Label: a.Name + ", " + a.Bank, Value: a.Name})
	}
	if s.Bank.Code == "" && s.Bank.Said != "" {
		if fit, _ := resolution.Match(s.Bank.Said, choices); len(fit) == 1 {
			s.Bank.Code, s.Bank.Label = fit[0].Value, fit[0].Label
		} else {
			s.ask("bank", resolution.NotFound, choices, s.unknown("bank", s.Bank.Said, len(choices) > 0))
			return
		}
	}
	switch {
	case s.Bank.Code != "":
		s.ready("reconcile_bank_account", "match the statement", map[string]any{"bank_account": s.Bank.Code})
	case len(choices) == 1:
		s.ready("reconcile_bank_account", "match the statement", map[string]any{})
	default:
		s.ask("bank", resolution.SeveralFit, choices, s.say("Which bank account?", "Kaunsa bank account?",
			"कौन सा बैंक खाता?"))
	}
}
