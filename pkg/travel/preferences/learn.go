package preferences

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Change is one thing that a sentence says of what a person likes or has decided.
type Change struct {
	// Field is a member of Preferences by its name in JSON, "budgetPreferences.flights"
	// and its like for a budget, or FieldDecision.
	Field string `json:"field"`
	// Value is the form in which it is kept. That of homeAirport may be the name of a
	// place instead of a code; it is to be looked up.
	Value string `json:"value"`
	About string `json:"about,omitempty"` // what a decision is about
	// Drop says that it no longer holds.
	Drop bool `json:"drop,omitempty"`
	// Words are the person's own that say so.
	Words string `json:"words"`
}

// FieldDecision is the Field of a Change that is a decision.
const FieldDecision = "decision"

// oneOf is the expression that finds any of some words or groups of words, whatever their
// case.
func oneOf(words ...string) string { return `(?i)\b(?:` + strings.Join(words, "|") + `)\b` }

var (
	clauses   = regexp.MustCompile(`(?i),|\b(?:but|and)\b`)
	sentences = regexp.MustCompile(`[^.!?;\n]+[.!?;\n]?`)

	// Only what the person says of themselves or of their party is learned.
	firstPerson = regexp.MustCompile(oneOf(
		"i", "i'm", "i've", "im", "we", "we're", "we've", "my", "our", "us", "me"))
	otherPerson = regexp.MustCompile(oneOf(
		`(?:my|our) (?:wife|husband|partner|friends?|boss|colleague|mother|mom|mum|father|dad|son|` +
			`daughter|kids?|child|children|brother|sister|client|guests?|parents|girlfriend|boyfriend)(?:'s)? (?:is|` +
			`are|was|has|have|likes?|loves?|prefers?|eats?|wants?|needs?|always|flies|uses)`))
	oneTime = regexp.MustCompile(oneOf(
		`this (?:time|trip|once|flight|week|weekend|month)`, "just once", "for once", "tonight", "today",
		"tomorrow", "on this", `next (?:week|month|trip|friday|weekend)`, `last (?:time|trip|year|week|month)`))
	supposed = regexp.MustCompile(`(?i)^\s*(?:if|suppose|imagine|would|could|should|do|does|did|are|is|can|who|when|` +
		`where|which|what|how|why)\b`)
	// Words that would talk to a model are kept nowhere.
	commands = regexp.MustCompile(oneOf(
		"instructions?", "system prompt", "prompt", "ignore", "assistant", "as an ai", "pretend",
		"jailbreak", "tools?", "token", "password"))

	habit = regexp.MustCompile(oneOf(
		"always", "usually", "normally", "generally", "prefers?", "only fly", "only stay", "favou?rite",
		"tend to", "like to", "love to", "rather", "typically", "mostly", "every time"))
	eats = regexp.MustCompile(oneOf(
		"i'?m", "i am", "we're", "we are", "i eat", "we eat", "always", "only eat", "i need", "we need",
		"prefer", "diet", "food", "meals?", "i have", "we have", `(?:i|we) (?:don't|can't) eat`))
	needs = regexp.MustCompile(oneOf(
		"i'?m", "i am", "we are", "i use", "we use", "i need", "we need", "i have", "always", "require",
		"i travel with", "i can't", "we can't"))
	enjoys = regexp.MustCompile(oneOf(
		`(?:i|we)(?: really| both| all| also)? (?:like|love|enjoy|adore|(?:am|are) (?:into|interested in))`,
		`(?:i'?m|we're)(?: really)? (?:into|interested in)`, "interests?"))
	denied = regexp.MustCompile(oneOf(
		"not", "no longer", "don'?t", "never", "any ?more", "stopped", "hate", "dislike", "avoid"))

	cabins  = regexp.MustCompile(`(?i)\b(premium economy|economy|coach|business|first)( class| cabin)?\b`)
	cabined = regexp.MustCompile(`(?i)\b(?:fly|flying|travel) (?:in )?(?:premium economy|economy|coach|` +
		`business|first)\b`)
	flying = regexp.MustCompile(oneOf(
		"fly", "flying", "flights?", "seats?", "cabin", "class", "travel"))
	seats   = regexp.MustCompile(`(?i)\b(window|aisle)(?: seats?)?\b`)
	staying = regexp.MustCompile(oneOf(
		"stay", "stays", "staying", "hotels?", "rooms?", "accommodation", "book"))
	homes = regexp.MustCompile(`(?i:\bmy home (?:airport|base|city) is|` +
		`\b(?:i|we) (?:always |usually |normally )?(?:fly|leave|depart|travel) (?:out )?(?:from|of)|` +
		`\b(?:i'm|i am|we're|we are) based (?:in|out of)|\b(?:i|we) live in)` +
		`\s+([\p{Lu}][\p{L}'-]*(?: [\p{Lu}][\p{L}'-]*){0,3})`)
	budgets = regexp.MustCompile(`(?i)\b(cheap|cheapest|budget|low-cost|mid-range|midrange|premium|luxury|upscale|` +
		`high-end|five-star|5-star|four-star|4-star|three-star|3-star)\b`)

	decided = regexp.MustCompile(`(?i)\b(?:we|i)(?:'ve| have)? (?:said|agreed|decided|promised ourselves)` +
		`(?: that| on| to| we| i)*[ ,:]+(.+)$`)
	recall = regexp.MustCompile(`(?i)^(?:please )?(?:remember|note|keep in mind|don'?t forget)(?: that|:|,)?\s+(.+)$`)
	never  = regexp.MustCompile(`(?i)\b((?:i|we)(?:'ll| will)? never (?:want|take|fly|stay|book|eat|do|go)\b.*|` +
		`never book (?:me|us)\b.*|(?:let'?s|let us) never\b.*|no more\b.*|` +
		`(?:i|we) (?:don'?t|do not) (?:want|do|take|fly)\b.*\b(?:ever|any ?more|again)\b.*)$`)
	redEye = regexp.MustCompile(`(?i)\b(no red-?eyes?|no (?:overnight|night) flights?|` +
		`no (?:long )?(?:layovers?|connections?|stopovers?)|only (?:non-?stop|direct)(?: flights?)?)\b`)
)

// Learn returns what a text of the person says of their preferences and decisions, with
// the words that back each. It reads plain sentences in the first person and takes
// nothing from questions, from suppositions, from what is said of another person, and
// from what is said of one trip only. To learn is not to keep: that takes consent.
func Learn(text string) []Change { return learn(text, sync.OnceValue(newLexicons)) }

// learn is Learn with the words that are made when the first sentence wants them.
func learn(text string, lex func() *lexicons) []Change {
	var found []Change
	add := func(c Change) {
		c.Words = tidy(c.Words)
		same := func(o Change) bool { return o.Field == c.Field && strings.EqualFold(o.Value, c.Value) }
		if c.Value != "" && !slices.ContainsFunc(found, same) {
			found = append(found, c)
		}
	}
	for _, s := range sentences.FindAllString(strings.ReplaceAll(text, "’", "'"), 100) {
		if len(s) > 600 || strings.HasSuffix(s, "?") || supposed.MatchString(s) || commands.MatchString(s) {
			continue
		}
		s = strings.TrimSpace(strings.TrimRight(s, ".!;\n"))
		if decision(s, lex, add) || !firstPerson.MatchString(s) || otherPerson.MatchString(s) ||
			oneTime.MatchString(s) {
			continue
		}
		learnFlying(s, lex, add)
		learnStaying(s, lex, add)
		learnBody(s, lex, add)
		if m := homes.FindStringSubmatch(s); m != nil {
			add(Change{Field: "homeAirport", Value: strings.TrimSpace(m[1]), Words: s})
		}
	}
	return found
}

// decision reports whether the sentence says what was decided, or is to be remembered.
func decision(s string, lex func() *lexicons, add func(Change)) bool {
	if oneTime.MatchString(s) {
		return false
	}
	what := ""
	if m := recall.FindStringSubmatch(s); m != nil {
		// What is remembered of what a person likes is a preference where there is a field.
		if inner := learn(m[1], lex); len(inner) > 0 {
			for _, c := range inner {
				add(c)
			}
			return true
		}
		what = m[1]
	} else if m := decided.FindStringSubmatch(s); m != nil {
		what = m[1]
	} else if m := never.FindStringSubmatch(s); m != nil {
		what = m[1]
	} else if m := redEye.FindStringSubmatch(s); m != nil && firstPerson.MatchString(s) && habit.MatchString(s) {
		what = m[1]
	}
	what = strings.TrimSpace(strings.TrimSuffix(tidy(what), ","))
	if n := len([]rune(what)); n < 4 || n > maxDecision {
		return false
	}
	add(Change{Field: FieldDecision, Value: what, About: aboutOf(what), Words: s})
	return true
}

// aboutOf says what a decision is about, by its words.
func aboutOf(s string) string {
	s = " " + strings.ToLower(s) + " "
	for _, one := range []struct{ about, words string }{
		{"flights", "red-eye,redeye,red eye,flight,fly,airline,layover,connection,stopover,non-stop,nonstop," +
			"window,aisle,seat,airport"},
		{"hotels", "hotel,hostel,room,stay,airbnb,resort"},
		{"food", "restaurant,food,eat,breakfast,dinner,lunch,meal"},
		{"budget", "budget,spend,cost,price,cheap,expensive,money"},
		{"activities", "museum,tour,hike,beach,activity,activities,concert,show"},
	} {
		for word := range strings.SplitSeq(one.words, ",") {
			if strings.Contains(s, word) {
				return one.about
			}
		}
	}
	return "other"
}

// learnFlying reads cabins, seats, airlines and what flights may cost.
func learnFlying(s string, lex func() *lexicons, add func(Change)) {
	if !habit.MatchString(s) {
		return
	}
	drop := denied.MatchString(s)
	if m := cabins.FindStringSubmatch(s); m != nil && flying.MatchString(s) {
		cabin := strings.ReplaceAll(strings.ToLower(m[1]), " ", "_")
		if cabin == "coach" {
			cabin = "economy"
		}
		if m[2] != "" || cabined.MatchString(s) {
			add(Change{Field: "preferredCabinClass", Value: cabin, Drop: drop, Words: s})
		}
	}
	if m := seats.FindStringSubmatch(s); m != nil && flying.MatchString(s) && !drop {
		add(Change{Field: FieldDecision, Value: strings.ToLower(m[1]) + " seat", About: "flights", Words: s})
	}
	for _, name := range lex().airlines.in(s) {
		add(Change{Field: "preferredAirlines", Value: name, Drop: drop, Words: s})
	}
	if m := budgets.FindStringSubmatch(s); m != nil && flying.MatchString(s) && !staying.MatchString(s) &&
		!cabins.MatchString(s) && !drop {
		add(Change{Field: "budgetPreferences.flights", Value: budgetOf(m[1]), Words: s})
	}
}

// learnStaying reads hotel chains and what a night may cost.
func learnStaying(s string, lex func() *lexicons, add func(Change)) {
	if !habit.MatchString(s) && !enjoys.MatchString(s) {
		return
	}
	drop := denied.MatchString(s)
	for _, name := range lex().chains.in(s) {
		add(Change{Field: "preferredHotelChains", Value: name, Drop: drop, Words: s})
	}
	if m := budgets.FindStringSubmatch(s); m != nil && staying.MatchString(s) && !flying.MatchString(s) && !drop {
		add(Change{Field: "budgetPreferences.accommodations", Value: budgetOf(m[1]), Words: s})
	}
}

// learnBody reads what the person eats, needs and likes to do. The sentence says whose
// words they are; what is denied, each clause says for itself.
func learnBody(s string, lex func() *lexicons, add func(Change)) {
	for _, clause := range clauses.Split(s, -1) {
		drop := denied.MatchString(clause)
		if eats.MatchString(s) {
			for _, name := range lex().diets.in(clause) {
				// "I don't eat pork" is itself the restriction.
				drop := drop && !strings.HasPrefix(name, "no ")
				add(Change{Field: "dietaryRestrictions", Value: name, Drop: drop, Words: s})
			}
		}
		if needs.MatchString(s) {
			for _, name := range lex().needs.in(clause) {
				add(Change{Field: "accessibilityNeeds", Value: name, Drop: drop, Words: s})
			}
		}
		if enjoys.MatchString(s) {
			for _, name := range lex().interests.in(clause) {
				add(Change{Field: "travelInterests", Value: name, Drop: drop, Words: s})
			}
		}
	}
}

// budgetOf is the word that is kept of one for what things may cost.
func budgetOf(word string) string {
	switch strings.ToLower(word) {
	case "cheap", "cheapest", "budget", "low-cost", "three-star", "3-star":
		return "economy"
	case "mid-range", "midrange", "four-star", "4-star":
		return "mid-range"
	case "premium", "upscale":
		return "premium"
	}
	return "luxury"
}

// lexicon finds the entries of a list in sentences.
type lexicon struct{ forms []form }

// form is a spelling, in lower case with single spaces, and what is kept for it.
type form struct{ spelled, kept string }

func newLexicon(entries []string) lexicon {
	var l lexicon
	for _, entry := range entries {
		kept, more, _ := strings.Cut(entry, ": ")
		for spelled := range strings.SplitSeq(kept+", "+more, ", ") {
			if spelled != "" {
				l.forms = append(l.forms, form{words(spelled), kept})
			}
		}
	}
	// The longest first, so that "Air India Express" is no "Air India".
	slices.SortStableFunc(l.forms, func(a, b form) int { return len(b.spelled) - len(a.spelled) })
	return l
}

// in returns what the sentence has of the lexicon, each once, in the order of the
// sentence.
func (l lexicon) in(s string) []string {
	text := " " + words(s) + " "
	type place struct {
		at   int
		kept string
	}
	var found []place
	for _, f := range l.forms {
		at := strings.Index(text, " "+f.spelled+" ")
		if at < 0 {
			continue
		}
		text = strings.Replace(text, " "+f.spelled+" ", " "+strings.Repeat("_", len(f.spelled))+" ", 1)
		if !slices.ContainsFunc(found, func(p place) bool { return p.kept == f.kept }) {
			found = append(found, place{at, f.kept})
		}
	}
	slices.SortFunc(found, func(a, b place) int { return a.at - b.at })
	var kept []string
	for _, p := range found {
		kept = append(kept, p.kept)
	}
	return kept
}

// words returns the words of a text in lower case, with single spaces.
func words(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// lexicons are the words that Learn knows.
type lexicons struct{ airlines, chains, diets, needs, interests lexicon }

func newLexicons() *lexicons {
	return &lexicons{newLexicon(airlineWords()), newLexicon(chainWords()), newLexicon(dietWords()),
		newLexicon(needWords()), newLexicon(interestWords())}
}

// Apply returns what changes of the preferences p by what was learned, and the decisions
// among it. Names of places as homes are left out: their code is looked up first.
func Apply(p Preferences, learned []Change) (Changes, []Decision) {
	var c Changes
	var decisions []Decision
	lists := map[string]struct {
		now     []string
		changed **[]string
	}{
		"preferredAirlines":    {p.Airlines, &c.Airlines},
		"preferredHotelChains": {p.HotelChains, &c.HotelChains},
		"dietaryRestrictions":  {p.Dietary, &c.Dietary},
		"accessibilityNeeds":   {p.Accessibility, &c.Accessibility},
		"travelInterests":      {p.Interests, &c.Interests},
	}
	budget := p.Budget
	for _, l := range learned {
		if list, ok := lists[l.Field]; ok {
			if *list.changed == nil {
				now := slices.Clone(list.now)
				*list.changed = &now
			}
			now := slices.DeleteFunc(**list.changed, func(s string) bool { return strings.EqualFold(s, l.Value) })
			if !l.Drop {
				now = append(now, l.Value)
			}
			**list.changed = now
			continue
		}
		switch l.Field {
		case "preferredCabinClass":
			cabin := l.Value
			if l.Drop {
				cabin = p.Cabin
				if cabin == l.Value {
					cabin = ""
				}
			}
			c.Cabin = &cabin
		case "homeAirport":
			if airports.MatchString(l.Value) {
				home := l.Value
				c.Home = &home
			}
		case "budgetPreferences.flights":
			budget.Flights = l.Value
		case "budgetPreferences.accommodations":
			budget.Accommodations = l.Value
		case "budgetPreferences.activities":
			budget.Activities = l.Value
		case FieldDecision:
			decisions = append(decisions, Decision{Text: l.Value, About: l.About})
		}
	}
	if budget != p.Budget {
		c.Budget = &budget
	}
	return c, decisions
}
