package entry

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// step is a draft on its way to the next call or question.
type step struct {
	Draft
	results []resolution.Result
	out     Step
}

// Next returns what comes after the results of this turn's look-ups, in any order. It
// is pure. Where a list could not be read the person is asked whether to try again;
// another look-up that failed counts as one that found nothing.
func (d Draft) Next(results []resolution.Result) Step {
	s := step{Draft: d.clone(), results: results}
	s.Asked, s.Offered = "", nil
	s.out.Pending = map[string]string{}
	switch {
	case s.Ended:
		s.out.Say = s.say("All right, nothing was entered.", "Theek hai, kuch nahi banaya.",
			"ठीक है, कुछ नहीं बनाया।")
	case s.Values["bad_date"] != "":
		s.ask("date", resolution.NoSuchDate, nil,
			fmt.Sprintf(s.say("There is no day %s. Which date do you mean?",
				"%s naam ki koi tareekh nahi hoti. Kaunsi tareekh?", "%s कोई तारीख नहीं है। कौन सी तारीख?"),
				s.Values["bad_date"]))
	case slices.ContainsFunc(results, unread):
		s.ask("again", resolution.NotSaid, []resolution.Choice{{Label: s.say("Try again", "Phir se", "फिर से"),
			Value: "again"}},
			s.say("The books could not be read just now. Try again?",
				"Books abhi nahi khul rahi. Phir se dekhein?",
				"बही अभी नहीं खुल रही। फिर से देखें?"))
	default:
		s.make()
	}
	if r := s.out.Ready; r != nil && slices.ContainsFunc(results, func(made resolution.Result) bool {
		return made.Tool == r.Tool && same(made.Arguments, r.Arguments)
	}) {
		s.out.Ready = nil // it was called, and became no proposal
		s.out.Say = s.say("That could not be prepared.", "Yeh taiyar nahi ho paya.", "यह तैयार नहीं हो पाया।")
	}
	s.out.Draft = s.Draft
	s.out.Applied = s.applied()
	if len(s.out.Calls) > 0 {
		s.out.Ask, s.out.Ready = nil, nil
	}
	return s.out
}

// unread reports whether a list could not be read, which says nothing about a name.
func unread(r resolution.Result) bool {
	switch r.Tool {
	case "get_all_customers", "get_all_vendors", "get_products", "get_charts_of_accounts", "get_bank_accounts",
		"get_all_invoices":
		return r.Answer == nil
	}
	return false
}

func (s *step) make() {
	switch s.Intent {
	case "create_invoice":
		s.invoice()
	case "record_payment", "pay_vendor":
		s.payment()
	case "create_expense":
		s.expense()
	case "send_reminder":
		s.reminder()
	case "send_invoice":
		s.email()
	case "void_invoice":
		if n, ok := s.document("customer"); ok && s.reason(s.say("Why is it void?",
			"Kis wajah se cancel karna hai?", "रद्द करने की वजह क्या है?")) {
			s.ready("void_invoice", "void the invoice", map[string]any{"number": n,
				"reason": s.Values["reason"]})
		}
	case "create_customer", "create_vendor":
		s.contact()
	case "create_credit_note":
		s.creditNote()
	case "adjust_stock":
		s.stock()
	case "file_return":
		s.filing()
	case "reconcile_bank":
		s.reconcile()
	}
}

func (s *step) ask(slot string, kind resolution.MissingKind, choices []resolution.Choice, question string) {
	if len(choices) > 8 {
		choices = choices[:8]
	}
	s.Asked, s.Offered = slot, choices
	of, _, _ := strings.Cut(slot, ":")
	s.pending(label(of), s.say("to be said", "batana hai", "बताना है"))
	s.out.Ask = &resolution.Missing{Kind: kind, Of: of, Question: question, Choices: choices}
}

func (s *step) call(tool, purpose string, values map[string]any) {
	s.out.Calls = []resolution.Call{{Tool: tool, Purpose: purpose, Arguments: arguments(values), LookUp: true}}
}

func (s *step) ready(tool, purpose string, values map[string]any) {
	s.Tool = tool
	s.out.Ready = &resolution.Call{Tool: tool, Purpose: purpose, Arguments: arguments(values)}
}

// answer returns the answer of a look-up; ok is false until it was made.
func (s *step) answer(tool string, values map[string]any) (json.RawMessage, bool) {
	want := arguments(values)
	for _, r := range s.results {
		if r.Tool == tool && same(r.Arguments, want) {
			return r.Answer, true
		}
	}
	return nil, false
}

func same(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// settle looks a name up; it reports true when it is settled.
func (s *step) settle(of, slot string, n *Name) bool {
	if n.Code != "" {
		return true
	}
	if n.Said == "" {
		s.ask(slot, resolution.NotSaid, nil, fmt.Sprintf(s.say("Which %s?", "Kaunsa %s?", "कौन सा %s?"),
			s.noun(of)))
		return false
	}
	if (of == "customer" || of == "vendor") && gstinLike().FindString(n.Said) == n.Said {
		return s.registered(of, slot, n)
	}
	var near []resolution.Choice
	for _, name := range variants(n.Said) {
		f := resolution.Find(of, name, s.results)
		switch {
		case f.Call != nil:
			s.out.Calls = []resolution.Call{*f.Call}
			return false
		case len(f.Fit) == 1 && !inFull(name, f.Fit[0]) && of != "product":
			near = f.Fit
		case len(f.Fit) == 1:
			n.Code, n.Label = f.Fit[0].Value, f.Fit[0].Label
			return true
		case len(f.Fit) > 1:
			s.ask(slot, resolution.SeveralFit, f.Fit, fmt.Sprintf(s.say("%q fits more than one %s. Which one?",
				"%q naam ke ek se zyada %s hain. Kaunsa?", "%q नाम के एक से ज़्यादा %s हैं। कौन सा?"), n.Said,
				s.noun(of)))
			return false
		}
		if near == nil {
			near = f.Near
		}
	}
	s.ask(slot, resolution.NotFound, near, s.unknown(of, n.Said, len(near) > 0))
	return false
}

// registered looks a party up by its GSTIN.
func (s *step) registered(of, slot string, n *Name) bool {
	values := map[string]any{of: n.Said}
	raw, made := s.answer("get_"+of, values)
	if !made {
		s.call("get_"+of, "the "+of+" of this GSTIN", values)
		return false
	}
	var a struct{ Customer, Vendor struct{ Code, Name string } }
	if json.Unmarshal(raw, &a) == nil {
		n.Code, n.Label = a.Customer.Code+a.Vendor.Code, a.Customer.Name+a.Vendor.Name
	}
	if n.Code == "" {
		s.ask(slot, resolution.NotFound, nil, s.unknown(of, n.Said, false))
	}
	return n.Code != ""
}

// inFull reports whether each word of a name stands in that of a record: "Joshi
// Brothers" are not "Joshi and Rao".
func inFull(name string, c resolution.Choice) bool {
	for w := range strings.FieldsSeq(name) {
		switch form := strings.ToLower(strings.Trim(w, ".,")); form {
		case "", "and", "&", "the", "of", "ji", "m/s", "pvt", "ltd", "private", "limited", "co", "company",
			"shri", "shree", "sri":
			continue
		}
		if fit, _ := resolution.Match(w, []resolution.Choice{c}); len(fit) == 0 && !strings.EqualFold(c.Value,
			name) {
			return false
		}
	}
	return true
}

// variants are a name as it was said, and without words at its ends that may have been
// part of the order.
func variants(said string) []string {
	words := strings.Fields(said)
	from, to := 0, len(words)
	for from < to && structure()[resolution.Fold(words[from])] {
		from++
	}
	for to > from && structure()[resolution.Fold(words[to-1])] {
		to--
	}
	if from == to || from == 0 && to == len(words) {
		return []string{said}
	}
	return []string{said, strings.Join(words[from:to], " ")}
}

func (s *step) unknown(of, said string, near bool) string {
	var add string
	switch of {
	case "customer", "vendor":
		add = fmt.Sprintf(s.say(" Or say \"add a new %s\".", " Ya \"naya %s jodo\" kahein.",
			" या \"नया %s जोड़ो\" कहिए।"), s.noun(of))
	}
	if near {
		return fmt.Sprintf(s.say("There is no %s %q. Do you mean one of these?",
			"%s %q nahi mila. Inme se koi hai?",
			"%s %q नहीं मिला। क्या इनमें से कोई है?"), s.noun(of), said) + add
	}
	return fmt.Sprintf(s.say("There is no %s %q. What is the name in the books?",
		"%s %q nahi mila. Books mein kya naam hai?",
		"%s %q नहीं मिला। बही में क्या नाम है?"), s.noun(of), said) + add
}

func (s *step) noun(of string) string {
	switch of {
	case "customer":
		return s.say("customer", "customer", "ग्राहक")
	case "vendor":
		return s.say("vendor", "vendor", "सप्लायर")
	case "product":
		return s.say("product", "product", "प्रोडक्ट")
	case "account":
		return s.say("account", "khata", "खाता")
	}
	return s.say("bank account", "bank account", "बैंक खाता")
}

func (s *step) rupees(value string) string {
	a, err := money.Parse(value)
	if err != nil {
		return value
	}
	return strings.TrimSuffix(rupees.Format(a), ".00")
}

// pending says what is still to be said, or what the books fill in.
func (s *step) pending(name, hint string) { s.out.Pending[s.title(name)] = hint }

// title returns what a value is called, in the language of the person. Hinglish has the
// English words.
func (d Draft) title(name string) string {
	if d.Language != language.Hindi {
		return name
	}
	switch name {
	case "Customer":
		return "ग्राहक"
	case "Vendor":
		return "सप्लायर"
	case "Product":
		return "प्रोडक्ट"
	case "Items":
		return "आइटम"
	case "Quantity":
		return "मात्रा"
	case "Price":
		return "रेट"
	case "Amount":
		return "रकम"
	case "Account":
		return "खाता"
	case "Bank account", "Paid from":
		return "किस खाते से"
	case "Paid by":
		return "भुगतान का तरीका"
	case "Date":
		return "तारीख"
	case "Due date":
		return "देय तारीख"
	case "Reason":
		return "वजह"
	case "Description":
		return "विवरण"
	case "Documents", "Number":
		return "नंबर"
	case "Name":
		return "नाम"
	case "State":
		return "राज्य"
	case "Month":
		return "महीना"
	case "Phone":
		return "फोन"
	case "E-mail":
		return "ईमेल"
	case "GSTIN":
		return "जीएसटीआईएन"
	case "Return":
		return "रिटर्न"
	case "Settles":
		return "किसका भुगतान"
	}
	return name
}

func label(of string) string {
	switch of {
	case "customer", "vendor", "product", "amount", "quantity", "reason", "description", "account", "date",
		"month", "name":
		return strings.ToUpper(of[:1]) + of[1:]
	case "lines", "line":
		return "Items"
	case "rate", "price":
		return "Price"
	case "gst_rate":
		return "GST"
	case "mode":
		return "Paid by"
	case "bank":
		return "Bank account"
	case "number":
		return "Number"
	case "registration", "gstin":
		return "GSTIN"
	case "return":
		return "Return"
	}
	return "Answer"
}

// applied is what is settled, for people.
func (s *step) applied() map[string]string {
	out := map[string]string{}
	put := func(name, value string) {
		if value != "" {
			out[s.title(name)] = value
		}
	}
	party := "Customer"
	if s.Intent == "pay_vendor" {
		party = "Vendor"
	}
	if s.Party.Code != "" {
		put(party, s.Party.Label)
	}
	put("Account", s.Account.Label)
	put("Paid from", s.Bank.Label)
	var items []string
	for _, l := range s.Lines {
		if l.Label == "" {
			continue
		}
		text := l.Label
		if l.Quantity != "" {
			text = l.Quantity + " × " + text
		}
		if l.Rate != "" {
			text += fmt.Sprintf(" at %s", s.rupees(l.Rate))
		}
		items = append(items, text)
	}
	put("Items", strings.Join(items, "; "))
	put("Documents", strings.Join(s.Documents, ", "))
	for name, title := range map[string]string{"name": "Name", "gstin": "GSTIN", "state": "State",
		"email": "E-mail", "phone": "Phone",
		"mode": "Paid by", "bank_reference": "Reference", "reason": "Reason", "description": "Description",
		"month": "Month",
		"to":    "To", "notes": "Notes"} {
		put(title, s.Values[name])
	}
	if a := s.Values["tds"]; a != "" {
		put("TDS", s.rupees(a))
	}
	if a := s.Values["amount"]; a != "" {
		put("Amount", s.rupees(a))
	}
	for name, title := range map[string]string{"date": "Date", "due_date": "Due date"} {
		if d := s.Values[name]; d != "" {
			put(title, shownDate(d))
		}
	}
	return out
}
