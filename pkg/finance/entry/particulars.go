package entry

import (
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
)

// readReturned reads what of an invoice came back.
func (d *Draft) readReturned(list []phrase, text string) {
	if returned().MatchString(text) {
		d.set("reason", "Return")
	}
	if harm().MatchString(text) && d.Values["reason"] == "" {
		d.set("reason", "Damaged")
	}
	if whole().MatchString(text) {
		d.set("whole", "yes")
	}
	for _, p := range list {
		if !p.plain() && !p.only() && p.tokens[0].kind == figure {
			d.readItem(p)
		} else if p.plain() && d.Party.Said == "" {
			d.Party = Name{Said: textOf(p.tokens)}
		}
	}
}

// readStock reads of what the stock changes, and by how much.
func (d *Draft) readStock(list []phrase, text string) {
	switch {
	case exactly().MatchString(text) && !given().MatchString(text) && !taken().MatchString(text):
		d.set("change", "to")
	case counted().MatchString(text) && !given().MatchString(text) && !taken().MatchString(text):
		d.set("change", "to")
	case taken().MatchString(text), harm().MatchString(text):
		d.set("change", "out")
	case given().MatchString(text):
		d.set("change", "in")
	}
	if m := harm().FindString(text); m != "" && d.Values["reason"] == "" {
		d.set("reason", reasonOf(m))
	}
	if len(d.Lines) == 0 {
		d.Lines = []Line{{}}
	}
	l := &d.Lines[0]
	for _, p := range list {
		for i, t := range p.tokens {
			if t.kind == figure && l.Quantity == "" && (i == 0 || i == len(p.tokens)-1) {
				l.Quantity = plain(t.amount)
			}
		}
		name, rest := p.split(false)
		if len(name) == 0 && len(rest) > 1 {
			name = rest[1:]
			for len(name) > 1 && pieces()[name[0].form] {
				name = name[1:]
			}
		}
		if len(name) > 0 && l.Said == "" && !ordinary(name) && !counted().MatchString(textOf(name)) {
			l.Said = textOf(trimmed(name))
		}
	}
}

func reasonOf(said string) string {
	switch low := strings.ToLower(said); {
	case strings.HasPrefix(low, "chor"), low == "stolen", low == "चोरी":
		return "Stolen"
	case low == "lost":
		return "Lost"
	case low == "expired":
		return "Expired"
	case low == "counted", low == "ginti", low == "गिनती":
		return "Counted"
	}
	return "Damaged"
}

// readReturn reads which return of which month is filed.
func (d *Draft) readReturn(all []token, text string, c Context) {
	low := strings.ToLower(text)
	switch {
	case strings.Contains(low, "3b"), strings.Contains(low, "3-b"), strings.Contains(low, "3बी"),
		strings.Contains(low, "3 b"):
		d.set("return", "file_gstr3b")
	case strings.Contains(low, "gstr-1"), strings.Contains(low, "gstr1"), strings.Contains(low, "gstr 1"),
		strings.Contains(low, "आर-1"), strings.Contains(low, "आर 1"):
		d.set("return", "file_gstr1")
	}
	for _, t := range all {
		if t.kind == month && t.days.Days() < 32 {
			m := t.days.From
			if m.After(c.Today) {
				m.Year--
			}
			d.set("month", m.String()[:7])
		}
	}
}

// readParty reads a new customer or vendor.
func (d *Draft) readParty(text string, c Context) {
	rest := text
	for _, t := range lex(text, c.Today, false) {
		switch t.kind {
		case gstin:
			d.set("gstin", strings.ToUpper(t.text))
		case address:
			d.set("email", t.text)
		case quoted:
			d.set("name", t.text)
			continue
		default:
			continue
		}
		rest = strings.Replace(rest, t.text, " | ", 1)
	}
	if p := phoneLike().FindString(rest); p != "" {
		d.set("phone", p)
		rest = strings.Replace(rest, p, " | ", 1)
	}
	for _, w := range []string{"state", "in", "from"} {
		for _, m := range stateSaid().FindAllStringSubmatch(rest, -1) {
			if code, ok := gst.StateCode(strings.TrimSpace(m[1])); ok && w == "state" {
				if name, ok := gst.StateName(code); ok {
					d.set("state", name)
					rest = strings.Replace(rest, m[0], " | ", 1)
				}
			}
		}
	}
	if d.Values["name"] != "" && d.Asked != "name" {
		return
	}
	rest = partyRest().ReplaceAllString(rest, "")
	best := ""
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool {
		return strings.ContainsRune(",;:|\n",
			r)
	}) {
		words := strings.Fields(part)
		for len(words) > 0 && d.noName(words[0], true) {
			words = words[1:]
		}
		for len(words) > 0 && d.noName(words[len(words)-1], false) {
			words = words[:len(words)-1]
		}
		// Between the name and the end there may be words such as "ko customer mein".
		for i, w := range words {
			if i > 0 && d.noName(w, false) && !strings.EqualFold(w, "and") && strings.ToLower(w) == w {
				words = words[:i]
				break
			}
		}
		if s := strings.Trim(strings.Join(words, " "), ` .!"'`); len(s) > len(best) {
			best = s
		}
	}
	if len([]rune(best)) > 1 {
		d.set("name", best)
	}
}

var stateSaid = lazily(`(?i)\b(?:state|in|from)(?: is)? ([a-z]+(?: [a-z]+)?)`)

// noName reports whether a word at an end of a sentence is no part of the name.
func (d *Draft) noName(w string, start bool) bool {
	_ = start
	w = strings.Trim(w, `.!?"'`)
	return w == "" || partyWords()[resolution.Fold(w)]
}
