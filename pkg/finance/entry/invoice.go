package entry

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

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
		if l.HSN == "" {
			put("hsn_sac", s.Values["hsn_sac"])
		}
		put("unit", l.Unit)
		put("gst_rate", l.GST)
		put("gst_rate", s.Values["gst_rate"])
		put("discount_percent", s.Values["discount_percent"])
		free = free || l.GST == ""
		lines = append(lines, line)
	}
	v := map[string]any{"customer": s.Party.Code, "lines": lines}
	if s.Values["notes"] != "" {
		v["notes"] = s.Values["notes"]
	}
	s.dates(v)
	s.pending("Amount", s.say("before tax", "tax se pehle", "टैक्स से पहले"))
	if free && s.Values["gst_rate"] == "" {
		s.pending("GST", s.say("the usual rate of the books", "books ka usual rate", "बही की सामान्य दर"))
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
			s.pending("Date", s.say("today", "aaj", "आज"))
		} else if s.Intent == "create_invoice" {
			s.pending("Due date", s.say("by the customer's terms", "customer ki terms se",
				"ग्राहक की शर्तों से"))
		}
	}
}

// line settles a line of an invoice; it reports false while something is missing.
func (s *step) line(i int) bool {
	l := &s.Lines[i]
	at := func(slot string) string { return slot + ":" + itoa(i) }
	if l.Said == "" && l.Code == "" {
		of := l.Quantity
		if l.Rate != "" {
			of = s.rupees(l.Rate)
		}
		s.ask(at("line"), resolution.NotSaid, nil, fmt.Sprintf(s.say("What is the %s for?",
			"%s kis cheez ka hai?", "%s किस चीज़ का है?"), of))
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
