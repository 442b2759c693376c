package entry

import "slices"

// split divides a phrase that names a party from the item in it: "Grewal Crafts 10
// chairs". "24 Seven Stores" and "Ten Cookers" are names.
func (p phrase) split(strong bool) (name, rest []token) {
	t := p.tokens
	if t[0].kind == quoted {
		return t[:1], t[1:]
	}
	from := 0
	if t[0].kind == figure && len(t) > 1 {
		capitals := true
		for _, w := range t[1:] {
			capitals = capitals && (w.capital || w.text == "&" || w.form == "and")
		}
		switch {
		case capitals && (strong || t[0].worded && t[0].capital), t[0].worded && strong && !hasNumber(t[1:]):
			return t, nil
		case strong:
			for i := len(t); i > 1; i-- {
				if !t[i-1].capital {
					return t[i:], t[:i]
				}
			}
		}
		return nil, t
	}
	for from < len(t) && t[from].kind != figure && t[from].kind != amount {
		from++
	}
	return t[:from], t[from:]
}

// party finds the phrase of the party and returns the others; its item stays.
func party(list []phrase) (name string, rest []phrase) {
	take := func(i int, strong bool) bool {
		said, item := list[i].split(strong)
		if len(said) == 0 || ordinary(said) {
			return false
		}
		name = textOf(trimmed(said))
		rest = slices.Clone(list[:i])
		if len(item) > 0 {
			rest = append(rest, phrase{tokens: item, post: list[i].post})
		}
		rest = append(rest, list[i+1:]...)
		return true
	}
	marked := func(p phrase) bool {
		return p.post == "for" || p.post == "to" || p.pre == "to" || p.pre == "on" || p.pre == "named" ||
			p.pre == "called"
	}
	for _, good := range []func(phrase) bool{
		marked,
		func(p phrase) bool { return p.plain() && p.pre == "" && p.tokens[0].capital },
		func(p phrase) bool { return p.plain() && p.pre == "for" },
		func(p phrase) bool { return p.plain() && p.pre == "" },
		func(p phrase) bool { return p.plain() && p.pre == "of" },
		func(p phrase) bool { return !p.only() && p.pre != "at" },
	} {
		for i, p := range list {
			if good(p) && take(i, marked(p) || p.pre == "for" && p.tokens[0].capital) {
				return name, rest
			}
		}
	}
	return "", list
}

func (d *Draft) partyOf(list []phrase) (string, bool) {
	if d.Party.Code != "" {
		return "", false
	}
	name, _ := party(list)
	return name, name != ""
}
