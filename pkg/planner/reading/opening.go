package reading

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/planner/questions"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

var (
	passport = lazily(`\b(?:\d{4}[ -]?){3,4}\d{1,4}\b|\b[a-z]{1,2}\d{6,9}\b`)

	// strange are words of other languages that no name of a place and no English has.
	strange = set(`ich wir möchten möchte wollen würden gerne nach und für eine einen einem reise reisen urlaub mit
		bitte wochenende tage personen flug nächste
		nous je voudrais voudrions voulons pour avec une voyage vacances jours semaine personnes depuis s'il est
		queremos quiero quisiera viaje para con una días personas desde vacaciones semana por favor somos
		vogliamo vorrei vorremmo viaggio per giorni persone settimana vacanza siamo
		willen graag reis naar voor dagen personen weken een
		queria gostaria viagem pessoas dias`)
)

// lazily returns what compiles a pattern at its first use.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// filler are words that mean nothing of their own to the planner, besides those of
// pkg/travel/reading.
var filler = set(`come comes swap replace exchange join increase raise double already loves likes between ` +
	`destination destinations origin departure budget breakfast many ` +
	`surprise am should be ` +
	`being been new drop remove forget cancel leave except until till through back ` +
	`friends friend more less bit add near close by front rooms trip trips ` +
	`holiday holidays vacation vacations getaway break breaks journey visit visiting
	wish like love enjoy thinking thought think idea ideas planned organise organize arrange itinerary
	plan plans spend spending explore exploring tour city cities country somewhere place places travellers travelers
	traveller traveler person persons adults adult budget money total altogether everything dates date start starts
	starting begin beginning end ends ending home based living live currently again time times first second third
	wanna gonna gotta lets us ours mine myself ourselves feel feeling hoping hope quite fairly kind sort bit little
	lot lots really pretty very definitely preferably ideally make made making change changed set put use keep
	keep instead rather sorry oops mistake meant mean correction fact also then after before and plus with of
	interested into interest interests pace style hotel hotels food eat eating stay stays accommodation must
	do see done ready same as well fine okay haan han ji theek hai aur`)

// private reports whether the message has what looks like the number of a document.
func (r *reader) private() bool { return passport().MatchString(r.Low()) }

// foreign reports whether the message is in a language that the rules do not read.
func (r *reader) foreign() bool {
	n, latin, letters := 0, 0, 0
	for _, c := range r.Plain() {
		if unicode.IsLetter(c) {
			letters++
			if c < 0x250 {
				latin++
			}
		}
	}
	for _, w := range strings.FieldsFunc(r.Low(), func(c rune) bool { return !unicode.IsLetter(c) && c != '\'' }) {
		if strange[w] {
			n++
		}
	}
	return n >= 2 || letters > 12 && 2*latin < letters
}

var courtesies = []struct {
	in   Intent
	list map[string]bool
}{
	{Thanks, phrases(`thanks|thank you|thanks a lot|thank you so much|thank you very much|many thanks|thx|ty|` +
		`dhanyavaad|shukriya|cheers|bye|goodbye|see you|that's all|that is all|that's all thanks|thanks that's ` +
		`all`)},
	{Greeting, phrases(`hi|hello|hey|hi there|hello there|good morning|good afternoon|good evening|namaste|hey ` +
		`there`)},
	{Help, phrases(`help|what can you do|what can you do for me|how does this work|how do you work|who are you|` +
		`what are you|help me|what can i ask|what can i ask you|kya kar sakte ho|menu|what do you do|what can ` +
		`you plan|what do you offer`)},
}

func phrases(list string) map[string]bool {
	out := map[string]bool{}
	for p := range strings.SplitSeq(list, "|") {
		out[p] = true
	}
	return out
}

// courtesy recognises whole messages that mean nothing but courtesy.
func (r *reader) courtesy() (Intent, bool) {
	s := r.Folded()
	for _, c := range courtesies {
		if c.in == Thanks && r.c.Mode == "CONFIRM" && yesWords().MatchString(r.Low()) {
			continue // "OK, thanks" agrees to the summary
		}
		if c.list[s] {
			return c.in, true
		}
	}
	return "", false
}

var (
	yesWords = lazily(`^(?:(?:please|thanks|thank you|h+m+|well|oh|um)[ ,.]*)*(?:(?:yes|yeah|yep|yup|sure|` +
		`correct|exactly|right|` +
		`ok(?:ay)?|haan?(?: ` +
		`ji)?|ji haan|` +
		`sahi hai|th(?:ee|i)k hai|bilkul|kar ?do|karo|chalo|perfect|great|wonderful|excellent|absolutely|` +
		`definitely|of course|` +
		`agreed|approved?|love it|` +
		`(?:that |this |it |all |everything )*(?:looks?|sounds?|is|'s) (?:all |very |really )?(?:good|great|` +
		`fine|right|` +
		`correct|perfect|ok(?:ay)?|wonderful)|` +
		`all (?:correct|right|fine|good)|that's (?:it|right|correct|good|fine|great|perfect)|all good|go ahead|` +
		`go for it|go on|please do|` +
		`confirm(?:ed)?|i confirm|(?:just )?do it|let's (?:go|do it|do that)|(?:start )?plan(?:ning)?(?: it| ` +
		`them| the trip)?|` +
		`that works|works for me|proceed|continue|(?:make|show)(?: me)? the (?:plans?|options))` +
		`(?:[ ,.!;]+(?:please|to me|for me|then|now|with it|and)\b)*(?:[ ,.!;]+|$))+`)
	noWords = lazily(`^(?:(?:h+m+|well|oh|um)[ ,.]*)*(?:(?:no thanks|no thank you|no|nope|nah|nahin?|not quite|` +
		`not really|not yet|wrong|` +
		`that's (?:wrong|not right|not it)|that is (?:wrong|not right)|not right|` +
		`(?:i (?:want|need|would like|'d like) to |we (?:want|need) to |let's |let me |can we |please )*` +
		`(?:change|try|see|have) (?:something|some things?|anything)(?: else| different)?|` +
		`something (?:else|different)|something is wrong|actually|wait|hold on|sorry|` +
		`(?:i |i've |i have |we |we've |we have )?(?:changed|change) (?:my|our) minds?|change of mind|on second ` +
		`thoughts?|` +
		`(?:i |we )?(?:don't|do not) like (?:any of )?(?:these|them|those|any|it|this|that)|` +
		`none of (?:these|them|those)(?: (?:please|work|fit)\w*)?|` +
		`(?:show me |give me |i want |we want |can we have )?(?:other|different|more|new) (?:options|plans|` +
		`ideas|suggestions)|` +
		`reject(?: them| all| these)?|try again|plan (?:it )?again)\b[ ,.!;]*)+`)
	softNo = lazily(`^(?:(?:actually|wait|hold on|sorry)[ ,.!;]*)+$`)

	skipWords = lazily(`(?:(?:i |we )?(?:don't|do not|doesn't|does not) (?:really )?(?:mind|care|` +
		`matter)|` +
		`(?:(?:the |our |my )?(?:budget|dates?) (?:is|are) )?(?:quite |very )?flexible(?: (?:budget|dates?))?|` +
		`whenever(?: (?:it is|it's|is))?(?: (?:cheap(?:est)?|best))?|` +
		`skip (?:it|this|that|these|them|all|the (?:rest|questions?|others?))?|skip|` +
		`(?:it |that |the rest )?(?:doesn't|does not|don't|do not) matter|` +
		`(?:you|u) (?:can )?(?:choose|decide|pick)(?: (?:it|the rest|everything|for (?:me|us)))?|up to you|` +
		`surprise (?:me|us)|` +
		`no preferences?|no special (?:wishes|interests|needs)|whatever(?: you (?:like|think))?|anything (?:is ` +
		`fine|goes|works)|` +
		`any(?:thing)? is (?:fine|ok(?:ay)?)|(?:i|we) (?:have no idea|don't know)(?: yet)?|no idea|not sure(?: ` +
		`yet)?|` +
		`nothing special|none|koi bhi|kuch bhi)`)

	resetWords = lazily(`(?:let's |please |can we |i want to )?(?:start (?:all )?over(?: again)?|` +
		`start again|start afresh|` +
		`start from scratch|reset(?: (?:everything|it|the trip|all))?|forget (?:this|the|that|my|about this) trip|` +
		`forget (?:everything|all (?:of )?(?:that|this|it))|clear (?:everything|the trip|it all)|begin again|` +
		`(?:a |plan a )?(?:completely )?new trip|another trip|scrap (?:it|this|that|everything|the trip)|phir ` +
		`se shuru(?: karo)?)`)

	skipConfirm = lazily(`(?:and |please |just )*(?:skip (?:the )?confirm(?:ation|ing)?|` +
		`no (?:need (?:to|for a?) ?)?confirm(?:ation)?(?: needed| required)?|` +
		`without (?:a |any |the )?(?:confirmation|confirming|asking(?: me| back| again)?)|` +
		`(?:don't|do not|no need to) ask(?: me| us)?(?: (?:again|back|anything|any ?(?:more )?questions))*|` +
		`no (?:more |further )?questions(?: please)?|just plan(?: it)?|plan (?:it )?(?:right away|straight away|` +
		`directly|at once))`)

	changeOf = lazily(`(?:except|apart from|but not|other than)(?: for)? (?:the |my |our )?(dates?|days|` +
		`destinations?|city|cities|` +
		`budget|money|travell?ers|number of people|people|party|origin|start(?:ing point)?|pace|interests|hotel ` +
		`style)|` +
		`(?:(?:let's |please |i (?:want|need) to |can we |we (?:want|need) to ` +
		`)*(?:change|correct|fix|edit)|` +
		`(?:the )?wrong|different|other|another) (?:the |my |our )?(dates?|days|week|month|weekend|places?|` +
		`destinations?|city|cities|budget|money|` +
		`travell?ers|people|party|origin|start(?:ing point)?|pace|interests|hotel style)(?: (?:is|are) wrong)?|` +
		`(?:the |my |our )?(dates?|days|destinations?|city|cities|budget|travell?ers|number of people|origin|` +
		`pace) ` +
		`(?:is|are) (?:wrong|not right)`)
)

// opening reads the yes or no with which a message begins.
func (r *reader) opening() {
	if at := yesWords().FindStringIndex(r.Low()); at != nil && r.ends(at[1]) && !planWhat().MatchString(r.Low()) {
		r.yes = true
		r.Use(0, at[1])
		return
	}
	if at := noWords().FindStringIndex(r.Low()); at != nil && r.ends(at[1]) {
		// "Actually" begins a correction, and "no" before a noun is no answer: "no flights".
		if !softNo().MatchString(r.Low()[:at[1]]) {
			if at[1] < len(r.Low()) && strings.HasSuffix(r.Low()[:at[1]], " ") &&
				!strings.ContainsAny(r.Low()[:at[1]], ",.!;") && bareNo().MatchString(r.Low()[:at[1]]) {
				return
			}
			r.no = true
		}
		r.Use(0, at[1])
	}
}

// planWhat are messages that begin with "plan" and say what.
var planWhat = lazily(`^(?:please )?(?:start )?plan(?:ning)? (?:(?:it|them|the trip) again|a|an|me|us|my|our|` +
	`for|\d|another|the (?:journey|` +
	`way|rest))\b`)

var bareNo = lazily(`^(?:no|wrong|other|different|more|new) $`)

// ends reports whether a word ends before i.
func (r *reader) ends(i int) bool {
	if i >= len(r.Low()) {
		return true
	}
	inner := func(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80 || b == '\'' }
	return !inner(r.Low()[i]) || !inner(r.Low()[i-1])
}

// control reads what is about the conversation: a reset, a skip, no confirmation.
func (r *reader) control() {
	take := func(p *regexp.Regexp) bool {
		found := false
		r.Take(p, func([]string, int, int) bool { found = true; return true })
		return found
	}
	if take(resetWords()) {
		r.out.Update.Reset = true
		r.c.Trip, r.c.Options = trip.Context{}, nil
		r.c.Ledger = questions.Ledger{}
	}
	r.out.SkipConfirm = take(skipConfirm())
	r.Take(changeOf(), func(g []string, _, _ int) bool {
		f := fieldOf(g[1] + g[2] + g[3])
		if f == "" {
			return false
		}
		for _, q := range questions.For(trip.Context{}, questions.Ledger{}, r.today) {
			if q.Field == f {
				r.ask(q)
				r.no = true
			}
		}
		return true
	})
	r.Take(skipWords(), func(_ []string, from, to int) bool {
		r.skip = true
		clause := r.clause(from, to)
		switch f := questions.Topic(clause); {
		case f != "":
			r.skipped = append(r.skipped, f)
		case skipRest().MatchString(clause):
			r.skipAll = true
		}
		return true
	})
	if r.Folded() == "nothing" || r.Folded() == "anything" {
		r.skip = true
		r.Use(0, len(r.Low()))
	}
}

func fieldOf(word string) trip.Field {
	switch {
	case strings.HasPrefix(word, "da"), strings.HasPrefix(word, "week"), word == "month":
		return trip.Dates
	case strings.HasPrefix(word, "dest"), strings.HasPrefix(word, "cit"), strings.HasPrefix(word, "place"):
		return trip.Destinations
	case strings.HasPrefix(word, "budget"), word == "money":
		return trip.BudgetLevel
	case strings.HasPrefix(word, "trav"), word == "people", word == "party", word == "number of people":
		return trip.Party
	case word == "origin", strings.HasPrefix(word, "start"):
		return trip.Origin
	case word == "pace":
		return trip.PaceOf
	case word == "interests":
		return trip.Interests
	case word == "hotel style":
		return trip.HotelStyle
	}
	return ""
}

// clause returns the part of the message between marks around i to j.
func (r *reader) clause(i, j int) string {
	low := r.Low()
	for i > 0 && !strings.ContainsRune(".,;!?", rune(low[i-1])) {
		i--
	}
	for j < len(low) && !strings.ContainsRune(".,;!?", rune(low[j])) {
		j++
	}
	return low[i:j]
}

var skipRest = lazily(`\b(?:rest|everything|all|others?|surprise|(?:you|u) (?:can )?(?:choose|decide|pick)|up ` +
	`to you)\b`)

// defaults fills in what the person does not want to say: those are assumptions, and the
// fields do not count as given.
func (r *reader) defaults() {
	if r.no && len(r.meaningful()) == 0 && r.out.Update.Empty() && len(r.c.Options) == 0 && r.c.Mode != "CONFIRM" {
		// "No" to an optional question is an answer.
		open := r.c.Ledger.Outstanding()
		if len(open) > 0 && !slices.ContainsFunc(open, func(e questions.Entry) bool { return e.Field.Critical() }) {
			r.skip, r.no = true, false
		}
	}
	if !r.skip {
		return
	}
	next, _ := r.c.Trip.Merge(r.out.Update)
	missing := next.Critical()
	fields := r.skipped
	if len(fields) == 0 || r.skipAll {
		// A bare "skip" leaves the critical questions open while an optional one is asked.
		open := r.c.Ledger.Outstanding()
		optional := slices.ContainsFunc(open, func(e questions.Entry) bool { return !e.Field.Critical() })
		for _, e := range open {
			if e.Field != "" && (r.skipAll || !optional || !e.Field.Critical()) {
				fields = append(fields, e.Field)
			}
		}
	}
	if r.skipAll {
		fields = append(fields, missing...)
	}
	for _, f := range trip.Fields() {
		if !slices.Contains(fields, f) || slices.Contains(r.out.Given, f) ||
			f.Critical() && !slices.Contains(missing, f) {
			continue
		}
		r.out.Skipped = append(r.out.Skipped, f)
		switch f {
		case trip.Destinations:
			r.out.Skipped = r.out.Skipped[:len(r.out.Skipped)-1] // nothing can be planned without it
			r.ask(r.somewhere(""))
		case trip.Dates:
			first := next.Dates.Start
			nights := next.Dates.Nights
			if nights == 0 {
				nights = 3
			}
			if first.IsZero() {
				first = questions.Fridays(r.today.AddDays(21), 1)[0]
			}
			r.out.Update.Dates = trip.DateRange{Start: first, End: first.AddDays(nights)}
			r.assume("I took " + trip.Span(first, first.AddDays(nights)) + " as the dates.")
		case trip.Party:
			r.out.Update.Travellers = &trip.Travellers{Adults: 2}
			r.assume("I took two adults as those who travel.")
		case trip.BudgetLevel:
			r.out.Update.Budget = trip.Mid
			r.assume("I took a mid-range budget.")
		case trip.Origin:
			yes := true
			r.out.Update.LocalOnly = &yes
			r.assume("I plan from the arrival on, without the journey there.")
		}
	}
}
