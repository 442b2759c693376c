package entry

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
)

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
		case "chai", "tea", "coffee", "nashta", "nashte", "नाश्ते", "चाय-पानी", "lunch", "khana", "snacks",
			"pani", "water", "चाय", "नाश्ता",
			"खाना", "stationery",
			"stationary", "pen", "paper", "courier", "post", "postage", "safai", "cleaning":
			return []string{"Staff welfare", "Office expenses"}
		case "petrol", "diesel", "taxi", "auto", "ऑटो", "टैक्सी", "fare", "cab", "fuel", "train", "flight",
			"bus", "ticket", "toll",
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

// readExpense reads what was bought, and for how much.
func (d *Draft) readExpense(list []phrase) {
	sum, several := "", false
	var what, whom []string
	for _, p := range list {
		var said []token
		for _, t := range p.tokens {
			switch {
			case (t.kind == amount || t.kind == figure && !t.worded) && positive(t.amount):
				several = several || sum != "" && sum != plain(t.amount)
				sum = plain(t.amount)
			case t.kind == figure || t.kind == amount:
			default:
				said = append(said, t)
			}
		}
		switch {
		case len(said) == 0:
		case p.post == "to" || p.pre == "to":
			whom = append(whom, textOf(said))
		default:
			what = append(what, textOf(said))
		}
	}
	if len(what) == 0 {
		what = whom
	}
	if d.Values["description"] == "" {
		d.set("description", strings.Join(what, " "))
	}
	if !several { // else it is asked
		d.set("amount", sum)
	}
}
