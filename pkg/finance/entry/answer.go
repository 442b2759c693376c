package entry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

var (
	each    = lazily(`(?i)\b(?:each|per|piece|ek ka|prati|har ek|one|rate)\b|एक का|प्रति`)
	inAll   = lazily(`(?i)\b(?:all|total|in all|kul|sab|sabka|sum)\b|कुल|सब`)
	skipped = lazily(`(?i)^(?:skip|none|no|nahi|nahi hai|not registered|unregistered|bina gst|without gst|` +
		`baad mein|later|pata nahi|` +
		`नहीं|नहीं है|छोड़ो)[.!]*$`)
	accepts = lazily(`(?i)^(?:yes|haan|ha|han|ok|okay|theek hai|sure|anyway|add anyway|phir bhi|हाँ|हां|` +
		`ठीक है)\b.*$|^(?:हाँ|हां)`)
	again   = lazily(`(?i)\b(?:again|retry|phir se|dobara)\b|फिर से|दोबारा`)
	command = lazily(`(?i)^(?:please |zara )?(?:show|open|list|create|make|send|find|compare|report|export|` +
		`download)\b|` +
		`\b(?:dikhao|dikha do|batao|nikalo)\b`)
)

// answered applies a message as the answer to what was asked for, where it can be one.
func (d *Draft) answered(text string, c Context) bool {
	slot, i := d.slot()
	all := lex(text, c.Today, slot == "number")
	short := strings.Trim(text, " .!")
	one := func() (money.Amount, bool) {
		var found []token
		for _, t := range all {
			if t.kind == figure || t.kind == amount {
				found = append(found, t)
			}
		}
		if len(found) != 1 || !positive(found[0].amount) {
			return money.Zero, false
		}
		return found[0].amount, true
	}
	switch slot {
	case "rate", "quantity", "price":
		value, ok := one()
		if i >= len(d.Lines) {
			return false
		}
		l := &d.Lines[i]
		switch {
		case slot == "price" && !ok && each().MatchString(text):
			l.Rate, l.Loose = l.Loose, ""
		case slot == "price" && !ok && inAll().MatchString(text):
			return l.share()
		case !ok || len(all) > 6:
			return false
		case slot == "quantity":
			l.Quantity = plain(value)
		default:
			l.Rate, l.Loose = plain(value), ""
		}
		return true
	case "amount":
		value, ok := one()
		if ok {
			d.set("amount", plain(value))
			// "25,000 by UPI"
			if at := modes().FindString(text); at != "" {
				d.set("mode", modeOf(at))
			}
		}
		return ok
	case "gst_rate":
		for _, t := range all {
			if (t.kind == percent || t.kind == figure) && t.amount.Cmp(money.FromInt(100)) < 0 {
				d.set("gst_rate", plain(t.amount))
				return true
			}
		}
		return false
	case "mode":
		if at := modes().FindString(text); at != "" {
			d.set("mode", modeOf(at))
			return true
		}
		return false
	case "reason", "description", "line":
		if command().MatchString(text) || len([]rune(short)) < 3 || len(strings.Fields(short)) > 20 {
			return false
		}
		if slot == "line" {
			if i >= len(d.Lines) {
				return false
			}
			d.Lines[i].Said = cut(short)
			return true
		}
		if slot == "description" && strings.EqualFold(modes().FindString(short), short) {
			d.set("mode", modeOf(short)) // of something that is still to be said
			return true
		}
		d.set(slot, short)
		return true
	case "number":
		for _, t := range all {
			if t.kind == number || t.kind == figure && len(all) == 1 {
				d.Documents = []string{strings.ToUpper(t.text)}
				return true
			}
		}
		return false
	case "name":
		if command().MatchString(text) || len(strings.Fields(short)) > 8 {
			return false
		}
		before := d.Values["name"]
		d.readParty(text, c)
		if d.Values["name"] == before && len([]rune(short)) > 1 && len(strings.Fields(short)) > 0 &&
			!partyWords()[foldAll(short)] {
			d.set("name", short)
		}
		return d.Values["name"] != before
	case "registration", "gstin":
		if skipped().MatchString(short) {
			delete(d.Values, "gstin")
			d.set("registration", "none")
			return true
		}
		for _, t := range all {
			if t.kind == gstin {
				d.set("gstin", strings.ToUpper(t.text))
				return true
			}
		}
		if name, ok := state(short); ok {
			delete(d.Values, "gstin")
			d.set("state", name)
			return true
		}
		return false
	case "again":
		return accepts().MatchString(short) || again().MatchString(short)
	case "customer", "vendor", "bank", "account", "product", "whom":
		return d.named(slot, i, text, all)
	case "change":
		switch {
		case taken().MatchString(text):
			d.set("change", "out")
		case given().MatchString(text):
			d.set("change", "in")
		default:
			return false
		}
		return true
	}
	return false
}

func foldAll(s string) string {
	if strings.ContainsAny(s, " ") || s == "" {
		return ""
	}
	return strings.ToLower(s)
}

// state returns the name of the state that is said, in whatever spelling.
func state(said string) (string, bool) {
	if code, ok := gst.StateCode(said); ok {
		return gst.StateName(code)
	}
	var all []resolution.Choice
	for i := 1; i < 40; i++ {
		code := fmt.Sprintf("%02d", i)
		if name, ok := gst.StateName(code); ok {
			all = append(all, resolution.Choice{Label: name, Value: code})
		}
	}
	fit, _ := resolution.Match(said, all)
	if len(fit) != 1 {
		return "", false
	}
	return fit[0].Label, true
}

// share makes the loose number, which is the price of all, the price of one. It
// reports false where that is no whole number of paise.
func (l *Line) share() bool {
	total, err := money.Parse(l.Loose)
	n, err2 := money.Parse(l.Quantity)
	if err != nil || err2 != nil {
		return false
	}
	one, ok := total.Quo(n, 2)
	if !ok {
		return false
	}
	if back, err := one.Mul(n); err != nil || back.Cmp(total) != 0 {
		return false
	}
	l.Rate, l.Loose = plain(one), ""
	return true
}

// named applies a name as the answer to a question for one.
func (d *Draft) named(slot string, i int, text string, all []token) bool {
	if newParty().MatchString(text) || command().MatchString(text) || len(all) > 8 {
		return false
	}
	if slot == "whom" && everybody().MatchString(text) {
		d.set("whom", "all")
		return true
	}
	if at := modes().FindString(text); slot == "bank" && at != "" && d.Intent == "create_expense" {
		d.Bank = Name{}
		d.set("mode", modeOf(at))
		return true
	}
	if d.Tool == "create_payment" && strings.EqualFold(modes().FindString(text), strings.Trim(text, " .!")) {
		d.set("mode", modeOf(text))
		return true
	}
	list := phrases(all)
	name, rest := party(list)
	words := slices.DeleteFunc(slices.Clone(all), func(t token) bool {
		return t.kind == day ||
			t.kind == month
	})
	if name == "" && ordinary(words) {
		return false // "aaj ki bikri": another question
	}
	if name == "" || slot == "product" {
		if name = textOf(all); len(list) == 0 {
			return false
		}
		rest = nil
	}
	switch slot {
	case "customer", "vendor", "whom":
		d.Party = Name{Said: name}
		if d.Intent == "create_invoice" {
			for _, p := range rest {
				d.readItem(p)
			}
		}
	case "bank":
		d.Bank = Name{Said: name}
	case "account":
		d.Account = Name{Said: name}
	case "product":
		if i >= len(d.Lines) {
			return false
		}
		l := &d.Lines[i]
		if len(list) == 1 && list[0].only() &&
			d.Intent == "create_invoice" { // the price of what is not in the list
			l.Rate = plain(list[0].tokens[0].amount)
			return true
		}
		l.Name, l.Settled = Name{Said: name}, false
	}
	return true
}
