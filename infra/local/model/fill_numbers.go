package model

import (
	"encoding/json"
	"regexp"
	"strings"
)

// assignNumbers gives figures to numeric properties, best neighbours first.
func (f *filler) assignNumbers(s *schema, args map[string]any) {
	for i, facts := range f.texts {
		if i > 0 && facts.text == f.texts[0].text {
			continue
		}
		for {
			var to *property
			var from *number
			top := 0.9
			for pi := range s.props {
				p := &s.props[pi]
				if _, taken := args[p.name]; taken || !isNumeric(*p) {
					continue
				}
				for ni := range facts.numbers {
					n := &facts.numbers[ni]
					if n.isTaken || p.is("integer") && strings.Contains(n.value, ".") {
						continue
					}
					if score := f.near(*p, *n, s, i); score > top+1e-9 {
						to, from, top = p, n, score
					}
				}
			}
			if to == nil {
				break
			}
			from.isTaken = true
			args[to.name] = numeral(*to, from.value)
		}
	}
	f.correct(s, args)
	// One figure left over and one required number still open belong together.
	for _, facts := range f.texts {
		var free []*number
		for ni := range facts.numbers {
			if !facts.numbers[ni].isTaken && !facts.numbers[ni].isSpoken {
				free = append(free, &facts.numbers[ni])
			}
		}
		for _, p := range s.props {
			if _, taken := args[p.name]; taken || !isNumeric(p) || !s.needs(p.name) || len(free) != 1 {
				continue
			}
			free[0].isTaken = true
			args[p.name] = numeral(p, free[0].value)
			break
		}
	}
}

// correct puts the bare figure of "make it 20" in the place of the one figure
// that was given before, or of the one price among several.
func (f *filler) correct(s *schema, args map[string]any) {
	first := f.texts[0]
	if !corrects.MatchString(first.text) || len(first.numbers) != 1 || first.numbers[0].isTaken {
		return
	}
	var given, prices []property
	for _, p := range s.props {
		if _, ok := args[p.name]; !ok || !isNumeric(p) {
			continue
		}
		given = append(given, p)
		if priceProp.MatchString(p.name) {
			prices = append(prices, p)
		}
	}
	if len(given) > 1 {
		given = prices
	}
	if len(given) == 1 {
		first.numbers[0].isTaken = true
		args[given[0].name] = numeral(given[0], first.numbers[0].value)
	}
}

func isNumeric(p property) bool {
	return len(p.enum) == 0 && (p.is("integer") || p.is("number") || isDecimal(p))
}

func numeral(p property, value string) any {
	if isDecimal(p) {
		return value
	}
	return json.Number(value)
}

var percentText = regexp.MustCompile(`(?i)\bpercent\b`)

// near scores how well figure n fits property p.
func (f *filler) near(p property, n number, s *schema, textIndex int) float64 {
	score := 0.0
	money := regexp.MustCompile(`(?i)price|cost|rate|amount|fee|charge|total|budget|value`).MatchString(p.name)
	percent := regexp.MustCompile(`(?i)percent|pct`).MatchString(p.name) || regexp.MustCompile(`(?i)discount|tax`).MatchString(p.name) && !money
	either := money && percentText.MatchString(p.description) // "how many percent, or how much"
	for _, t := range terms(spoken(p.name)) {
		best := 0.0
		for d, c := range n.after[:min(2, len(n.after))] {
			if c == t.concept {
				best = max(best, 2.4-0.9*float64(d))
			}
		}
		for d, c := range n.before {
			if c == t.concept {
				best = max(best, 2.2-0.45*float64(d))
			}
		}
		score += best
	}
	per := len(n.after) > 0 && n.after[0] == "per"
	switch {
	case n.percent && (percent || either):
		score += 4
	case n.percent != percent && (n.percent || percent && n.money):
		return 0
	case money && (n.money || per):
		score += 2
	case n.money:
		return 0
	case per:
		score -= 1.5
	}
	if textIndex > 0 && textIndex < len(f.m.asked)+1 {
		// A bare figure answers the question that was asked.
		for i, q := range f.m.asked {
			if i > 0 && q != "" && f.m.goal[i] == f.texts[textIndex].text && asksFor(q, p) {
				score += 3
			}
		}
	}
	if n.from {
		score -= 1
	}
	if n.to && score > 0 {
		score += 0.5
	}
	return score
}
