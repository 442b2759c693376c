package model

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// assignNumbers gives figures to numeric properties, best neighbours first.
func (f *filler) assignNumbers(s *schema, args map[string]any) {
	for i, entities := range f.texts {
		if i > 0 && entities.text == f.texts[0].text {
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
				for ni := range entities.numbers {
					n := &entities.numbers[ni]
					if n.isTaken || n.isMore || p.is("integer") && strings.Contains(n.value, ".") {
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
	for _, p := range s.props {
		if _, taken := args[p.name]; !taken && p.is("integer") && (p.name == "days" || p.name == "nights") &&
			f.texts[0].nights > 0 {
			args[p.name] = json.Number(strconv.Itoa(f.texts[0].nights))
		}
	}
	f.correct(s, args)
	// One figure left over and one required number still open belong together.
	for _, entities := range f.texts {
		var free []*number
		for ni := range entities.numbers {
			if n := entities.numbers[ni]; !n.isTaken && !n.isSpoken && !n.isMore {
				free = append(free, &entities.numbers[ni])
			}
		}
		for _, p := range s.props {
			if _, taken := args[p.name]; taken || !isNumeric(p) || len(free) != 1 ||
				!s.needs(p.name) && !f.onlyPlace(s, p, *free[0]) {
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

// onlyPlace says whether a figure that is the new value of something can be of no
// other argument than p.
func (f *filler) onlyPlace(s *schema, p property, n number) bool {
	if f.tool.reads || f.tool.verb == "create" || !f.holds(p, n) {
		return false
	}
	return !slices.ContainsFunc(s.props, func(other property) bool {
		return other.name != p.name && isNumeric(other) && f.holds(other, n)
	})
}

// holds says whether a figure may be a value of p: a percentage of what is one.
func (f *filler) holds(p property, n number) bool {
	percent := percentProp.MatchString(p.name) || percentText.MatchString(p.description)
	switch {
	case n.percent:
		return percent
	case n.money:
		return !percent && priceProp.MatchString(p.name)
	}
	return !percent
}

var rankProp = regexp.MustCompile(`(?i)^(?:limit|top|count|max_results|page_size)$`)

var percentProp = regexp.MustCompile(`(?i)percent|pct|tax`)

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
	percent := regexp.MustCompile(`(?i)percent|pct`).MatchString(p.name) ||
		regexp.MustCompile(`(?i)discount|tax`).MatchString(p.name) && !money
	either := money && percentText.MatchString(p.description) // "how many percent, or how much"
	for _, t := range f.planner.terms(spoken(p.name)) {
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
	if rankProp.MatchString(p.name) {
		if n.isRank {
			return 4
		}
		return 0
	}
	if n.bound != "" && !(len(n.before) > 0 && slices.Contains(n.before, f.planner.conceptOf("price")) &&
		!f.planner.mentions(
			f.texts[0].text, p)) && strings.Contains("_"+p.name+"_", "_"+n.bound+"_") {
		if percent = percentText.MatchString(p.description); percent == n.percent {
			score += 5
		}
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
	if textIndex > 0 && textIndex < len(f.planner.asked)+1 {
		// A bare figure answers the question that was asked.
		for i, q := range f.planner.asked {
			if i > 0 && q != "" && f.planner.goal[i] == f.texts[textIndex].text && f.planner.asksFor(q, p) {
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
