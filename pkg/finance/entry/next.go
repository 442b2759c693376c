package entry

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
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
// is pure; a look-up that failed counts as one that found nothing.
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
	default:
		s.make()
	}
	s.out.Draft = s.Draft
	s.out.Applied = s.applied()
	if len(s.out.Calls) > 0 {
		s.out.Ask, s.out.Ready = nil, nil
	}
	return s.out
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
	s.out.Pending[label(of)] = "to be said"
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
	var near []resolution.Choice
	for _, name := range variants(n.Said) {
		f := resolution.Find(of, name, s.results)
		switch {
		case f.Call != nil:
			s.out.Calls = []resolution.Call{*f.Call}
			return false
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

// product is one of the price list.
type product struct {
	Code   string      `json:"code"`
	Name   string      `json:"name"`
	HSN    string      `json:"hsn_sac"`
	Unit   string      `json:"unit"`
	Kind   string      `json:"kind"`
	GST    json.Number `json:"gst_rate"`
	Price  json.Number `json:"sale_price"`
	Stock  json.Number `json:"quantity"`
	Active *bool       `json:"active"`
}

func (s *step) productOf(code string) (product, bool) {
	for _, r := range s.results {
		var list struct {
			Products []product
			Product  product
		}
		if json.Unmarshal(r.Answer, &list) != nil {
			continue
		}
		for _, p := range append(list.Products, list.Product) {
			if p.Code == code {
				return p, true
			}
		}
	}
	return product{}, false
}

func squeeze(s string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", ",", "", "-", "").Replace(s))
}

func number0(n json.Number) (money.Amount, bool) {
	a, err := money.Parse(n.String())
	return a, err == nil && positive(a)
}

// invoice settles the customer, then each line.
func (s *step) invoice() {
	if !s.settle("customer", "customer", &s.Party) {
		return
	}
	if len(s.Lines) == 0 {
		s.ask("lines", resolution.NotSaid, nil,
			fmt.Sprintf(s.say("What is the invoice to %s for? Say items with quantity, or what for and how much.",
				"%s ke invoice mein kya likhna hai? Item aur quantity, ya kaam aur rakam batayein.",
				"%s के इनवॉइस में क्या लिखना है? आइटम और मात्रा, या काम और रकम बताइए।"), s.Party.Label))
		return
	}
	for i := range s.Lines {
		if !s.line(i) {
			return
		}
	}
	var lines []map[string]any
	free := false
	for _, l := range s.Lines {
		line := map[string]any{"description": l.Label, "rate": l.Rate}
		if p := s.Values["period"]; p != "" && (l.Code == "" || l.Quantity == "") {
			line["description"] = l.Label + ", " + p // services are of a month
		}
		put := func(name, value string) {
			if value != "" {
				line[name] = value
			}
		}
		put("product", l.Code)
		put("quantity", l.Quantity)
		put("hsn_sac", l.HSN)
		put("unit", l.Unit)
		put("gst_rate", l.GST)
		put("gst_rate", s.Values["gst_rate"])
		put("discount_percent", s.Values["discount_percent"])
		free = free || l.GST == ""
		lines = append(lines, line)
	}
	v := map[string]any{"customer": s.Party.Code, "lines": lines}
	s.dates(v)
	s.out.Pending["Amount"] = "before tax"
	if free && s.Values["gst_rate"] == "" {
		s.out.Pending["GST"] = "the usual rate of the books"
	}
	s.ready("create_invoice", "issue the invoice", v)
}

func (s *step) dates(v map[string]any) {
	for _, name := range []string{"date", "due_date"} {
		if d := s.Values[name]; d != "" {
			v[name] = d
			continue
		}
		if name == "date" {
			s.out.Pending["Date"] = "today"
		} else if s.Intent == "create_invoice" {
			s.out.Pending["Due date"] = "by the customer's terms"
		}
	}
}

// line settles a line of an invoice; it reports false while something is missing.
func (s *step) line(i int) bool {
	l := &s.Lines[i]
	at := func(slot string) string { return slot + ":" + itoa(i) }
	if l.Said == "" && l.Code == "" {
		s.ask(at("line"), resolution.NotSaid, nil, fmt.Sprintf(s.say("What is the %s for?",
			"%s kis cheez ka hai?", "%s किस चीज़ का है?"), s.rupees(l.Rate)))
		return false
	}
	if !l.Settled && !s.find(i) {
		return false
	}
	if l.Loose != "" && l.Rate == "" && l.Quantity != "" {
		choices := []resolution.Choice{{Label: fmt.Sprintf(s.say("%s for one", "%s ek ka", "%s एक का"),
			s.rupees(l.Loose)), Value: l.Loose}}
		all := *l
		if all.share() {
			choices = append(choices, resolution.Choice{Label: fmt.Sprintf(s.say("%s for all", "%s sabka",
				"%s सबका"), s.rupees(l.Loose)), Value: all.Rate})
		}
		s.ask(at("price"), resolution.NotSaid, choices,
			fmt.Sprintf(s.say("Is %s the price of one %s or of all %s?",
				"%s ek %s ka hai ya poore %s ka?", "%s एक %s का है या पूरे %s का?"), s.rupees(l.Loose), l.Label,
				l.Quantity))
		return false
	}
	if l.Loose != "" && l.Rate == "" {
		l.Rate, l.Loose = l.Loose, ""
	}
	if l.Rate == "" {
		return s.askRate(i)
	}
	return !l.Gross || s.withoutTax(i)
}

// askRate asks for the price of a line.
func (s *step) askRate(i int) bool {
	s.ask("rate:"+itoa(i), resolution.NotSaid, nil, fmt.Sprintf(s.say("What is the price of %s, before GST?",
		"%s ka rate kya hai, bina GST?", "%s का रेट क्या है, बिना जीएसटी?"), s.Lines[i].Label))
	return false
}

// withoutTax takes the GST out of a price that was said with it.
func (s *step) withoutTax(i int) bool {
	l := &s.Lines[i]
	rate := s.Values["gst_rate"]
	if rate == "" {
		rate = l.GST
	}
	if rate == "" {
		s.ask("gst_rate", resolution.NotSaid, rateChoices(), s.say("Which rate of GST is in the amount?",
			"Rakam mein kitna GST hai?", "रकम में कितना जीएसटी है?"))
		return false
	}
	hundred := money.FromInt(100)
	gross, err := money.Parse(l.Rate)
	percent, err2 := money.Parse(rate)
	times, err3 := gross.Mul(hundred)
	whole, err4 := percent.Add(hundred)
	net, ok := times.Quo(whole, 2)
	if errors.Join(err, err2, err3, err4) != nil || !ok || !positive(net) {
		l.Rate, l.Gross = "", false
		return s.askRate(i)
	}
	l.Rate, l.GST, l.Gross = plain(net), rate, false
	return true
}

func rateChoices() []resolution.Choice {
	return []resolution.Choice{{Label: "5%", Value: "5"}, {Label: "18%", Value: "18"}, {Label: "40%",
		Value: "40"}}
}

func (s *step) rupees(value string) string {
	a, err := money.Parse(value)
	if err != nil {
		return value
	}
	return strings.TrimSuffix(rupees.Format(a), ".00")
}

// find looks a line up in the price list.
func (s *step) find(i int) bool {
	l := &s.Lines[i]
	if l.Code == "" {
		f := resolution.Find("product", l.Said, s.results)
		if f.Call != nil {
			s.out.Calls = []resolution.Call{*f.Call}
			return false
		}
		fit := f.Fit
		if l.Loose != "" && len(fit) > 1 {
			fit = slices.DeleteFunc(slices.Clone(fit), func(c resolution.Choice) bool {
				return !strings.Contains(squeeze(c.Label), squeeze(l.Loose))
			})
		}
		switch {
		case len(fit) == 1:
			l.Code = fit[0].Value
		case len(f.Fit) > 1:
			s.ask("product:"+itoa(i), resolution.SeveralFit, f.Fit,
				fmt.Sprintf(s.say("%q fits more than one product. Which one?",
					"%q naam ke ek se zyada product hain. Kaunsa?",
					"%q नाम के एक से ज़्यादा प्रोडक्ट हैं। कौन सा?"), l.Said))
			return false
		case l.Rate == "" && l.Loose == "":
			s.ask("product:"+itoa(i), resolution.NotFound, f.Near,
				fmt.Sprintf(s.say("%q is not in the price list. What is its price, or which product is it?",
					"%q price list mein nahi hai. Rate kya hai, ya kaunsa product hai?",
					"%q रेट लिस्ट में नहीं है। रेट क्या है, या कौन सा प्रोडक्ट है?"), l.Said))
			return false
		default: // what is not in the price list is written as it was said
			l.Label, l.Settled = upper(l.Said), true
			return true
		}
	}
	p, ok := s.productOf(l.Code)
	if !ok {
		if _, made := s.answer("get_product", map[string]any{"product": l.Code}); made {
			l.Code, l.Said = "", ""
			return s.line(i)
		}
		s.call("get_product", "the price", map[string]any{"product": l.Code})
		return false
	}
	l.Label, l.HSN, l.Unit, l.Settled = p.Name, p.HSN, p.Unit, true
	if g, err := money.Parse(p.GST.String()); err == nil {
		l.GST = plain(g)
	}
	if l.Loose != "" {
		loose := l.Loose
		switch {
		case strings.Contains(squeeze(p.Name), squeeze(loose)):
			l.Loose = "" // "mixer grinder 750"
		case l.Quantity == "" && len(loose) <= 3 && !strings.Contains(loose, "."):
			l.Quantity, l.Loose = loose, "" // "pressure cooker 10"
		}
	}
	if l.Rate == "" && l.Loose == "" {
		if price, ok := number0(p.Price); ok {
			l.Rate = plain(price)
		}
	}
	if l.Quantity == "" && p.Kind != "service" {
		s.ask("quantity:"+itoa(i), resolution.NotSaid, nil, fmt.Sprintf(s.say("How many %s?", "%s kitne?",
			"%s कितने?"), l.Label))
		return false
	}
	return true
}

func upper(s string) string {
	r := []rune(s)
	if len(r) > 0 {
		return strings.ToUpper(string(r[:1])) + string(r[1:])
	}
	return s
}

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
	for _, name := range []string{"mode", "bank_reference"} {
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
		s.out.Pending["Settles"] = "what is due first"
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

// account is one of the chart of accounts.
type account struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Group  string `json:"group"`
	Money  bool   `json:"bank_or_cash"`
	Active *bool  `json:"active"`
}

// everyday are words of what small sums are spent on, by a word of the account.
func everyday(description string) []string {
	for w := range strings.FieldsSeq(description) {
		switch resolution.Fold(strings.Trim(w, ".,")) {
		case "chai", "tea", "coffee", "nashta", "lunch", "khana", "snacks", "pani", "water", "चाय", "नाश्ता",
			"खाना", "stationery",
			"stationary", "pen", "paper", "courier", "post", "postage", "safai", "cleaning":
			return []string{"Staff welfare", "Office expenses"}
		case "petrol", "diesel", "taxi", "auto", "cab", "fuel", "train", "flight", "bus", "ticket", "toll",
			"पेट्रोल", "डीज़ल", "hotel":
			return []string{"Travel and conveyance", "Vehicle"}
		case "kiraya", "kiraye", "bhada", "किराया":
			return []string{"Rent"}
		case "bijli", "light", "power", "बिजली":
			return []string{"Electricity"}
		case "phone", "mobile", "recharge", "internet", "wifi", "broadband":
			return []string{"Internet and telephone", "Telephone"}
		case "vetan", "pagar", "tankhwah", "salary", "majduri", "mazdoori", "वेतन":
			return []string{"Salaries and wages"}
		case "repair", "repairs", "marammat", "maintenance", "service", "मरम्मत":
			return []string{"Repairs and maintenance"}
		case "ads", "advertising", "advertisement", "vigyapan", "विज्ञापन":
			return []string{"Marketing", "Advertising"}
		case "transport", "freight", "tempo", "dhulai", "delivery":
			return []string{"Freight outward"}
		case "byaj", "ब्याज":
			return []string{"Interest on loan"}
		case "software", "subscription", "license":
			return []string{"Software subscriptions"}
		case "ca", "vakil", "lawyer", "audit", "consultant":
			return []string{"Professional fees"}
		}
	}
	return nil
}

func (s *step) accounts() ([]account, bool) {
	values := map[string]any{"limit": 100}
	raw, made := s.answer("get_charts_of_accounts", values)
	if !made {
		s.call("get_charts_of_accounts", "the accounts", values)
		return nil, false
	}
	var list struct{ Accounts []account }
	if json.Unmarshal(raw, &list) != nil {
		return nil, true
	}
	return slices.DeleteFunc(list.Accounts, func(a account) bool { return a.Active != nil && !*a.Active }), true
}

func choicesOf(list []account, is func(account) bool) []resolution.Choice {
	var out []resolution.Choice
	for _, a := range list {
		if is(a) {
			out = append(out, resolution.Choice{Label: a.Name, Value: a.Code})
		}
	}
	return out
}

func (s *step) expense() {
	switch {
	case s.Values["description"] == "":
		s.ask("description", resolution.NotSaid, nil, s.say("What was the money spent on?",
			"Kharcha kis cheez ka tha?", "खर्च किस चीज़ का था?"))
		return
	case s.Values["amount"] == "":
		s.ask("amount", resolution.NotSaid, nil, fmt.Sprintf(s.say("How much was spent on %s?",
			"%s par kitna kharch hua?",
			"%s पर कितना खर्च हुआ?"), s.Values["description"]))
		return
	}
	if s.Account.Code == "" || s.Bank.Code == "" {
		list, ok := s.accounts()
		if !ok {
			return
		}
		if !s.expenseAccount(list) || !s.paidFrom(list) {
			return
		}
	}
	v := map[string]any{"account": s.Account.Code, "amount": s.Values["amount"],
		"description": upper(s.Values["description"]),
		"paid_from":   s.Bank.Code}
	if s.Values["gst_rate"] != "" {
		v["gst_rate"] = s.Values["gst_rate"]
	}
	s.dates(v)
	s.ready("create_expense", "record the expense", v)
}

func (s *step) expenseAccount(list []account) bool {
	if s.Account.Code != "" {
		return true
	}
	expenses := choicesOf(list, func(a account) bool { return a.Type == "expense" })
	said := s.Account.Said
	names := []string{said}
	if said == "" {
		said = s.Values["description"]
		names = append([]string{said}, everyday(said)...)
	}
	var near []resolution.Choice
	for _, name := range names {
		fit, alike := resolution.Match(name, expenses)
		if len(fit) == 1 {
			s.Account = Name{Said: said, Code: fit[0].Value, Label: fit[0].Label}
			return true
		}
		near = append(append(near, fit...), alike...)
	}
	for _, group := range []string{"Operating expenses", ""} {
		for _, a := range list {
			c := resolution.Choice{Label: a.Name, Value: a.Code}
			if a.Type == "expense" && (group == "" || a.Group == group) && !slices.Contains(near, c) {
				near = append(near, c)
			}
		}
	}
	s.Account.Said = ""
	s.ask("account", resolution.NotFound, near, fmt.Sprintf(s.say("Under which account is %q booked?",
		"%q kaunse khate mein jayega?",
		"%q कौन से खाते में जाएगा?"), said))
	return false
}

// paidFrom settles the bank or cash account that the money came from.
func (s *step) paidFrom(list []account) bool {
	if s.Bank.Code != "" {
		return true
	}
	cash := func(a account) bool {
		low := strings.ToLower(a.Name)
		return strings.Contains(low, "cash") || strings.Contains(low, "nakad")
	}
	accounts := choicesOf(list, func(a account) bool { return a.Money })
	var fit []resolution.Choice
	switch mode := s.Values["mode"]; {
	case s.Bank.Said != "":
		fit, _ = resolution.Match(s.Bank.Said, accounts)
	case mode == "Cash":
		fit = choicesOf(list, func(a account) bool { return a.Money && cash(a) })
	case mode != "":
		fit = choicesOf(list, func(a account) bool { return a.Money && !cash(a) })
	}
	if len(fit) == 1 {
		s.Bank = Name{Said: s.Bank.Said, Code: fit[0].Value, Label: fit[0].Label}
		return true
	}
	if len(fit) > 1 {
		accounts = fit
	}
	s.ask("bank", resolution.NotSaid, accounts, s.say("From which account was it paid?", "Kis khate se diya?",
		"किस खाते से दिया?"))
	return false
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
	if s.Values["again"] == "" {
		f := resolution.Find(of, name, s.results)
		if f.Call != nil {
			s.out.Calls = []resolution.Call{*f.Call}
			return
		}
		for _, c := range f.Fit {
			if strings.EqualFold(squeeze(c.Label), squeeze(name)) {
				s.ask("again", resolution.SeveralFit, nil,
					fmt.Sprintf(s.say("There is a %s %s already (%s). Add another one?",
						"%s %s pehle se hai (%s). Phir bhi ek aur jodna hai?",
						"%s %s पहले से है (%s)। फिर भी एक और जोड़ना है?"), s.noun(of), c.Label, c.Value))
				return
			}
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
			out[name] = value
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
		"to":    "To"} {
		put(title, s.Values[name])
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
