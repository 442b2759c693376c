package reading

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/travel/places"
	"github.com/bellhop-ai/bellhop/pkg/travel/reading"
)

const (
	ordinals = `first|second|third|1st|2nd|3rd|last|middle`
	tiers    = `cheap(?:er|est)?|budget|low(?:est)?|mid(?:dle|-range|range)?|balanced|luxur(?:y|ious)|` +
		`(?:most )?expensive|dear(?:er|est)?|high(?:[- ]end)?|fanc(?:y|iest)`
	optionNoun = `(?:one|option|plan|itinerary|choice)`
)

var (
	optionRef = lazily(`(?:(?:option|plan|number|no\.?|#) ?(\d|one|two|three|a|b|c)|opt-(\d)|` +
		`(?:the )?(?:(` + ordinals + `)|(` + tiers + `))(?: ` + optionNoun + `)?)`)
	choosing = lazily(`^(?:(?:ok(?:ay)?|yes|no|actually|cancel|instead|rather|wait|sorry|after all|great|` +
		`perfect|then|please|let's|lets|let us|i|we|i'll|` +
		`we'll|i will|we will|` +
		`i'd|we'd|would|like|want|to|prefer|take|choose|pick|select|go|with|for|have|do|book|want|chalo|wala|` +
		`the|one|option|plan|is|best|good|looks|sounds|great|perfect|nice|thanks|it|that|my|favourite|favorite|` +
		`love|` +
		`lo|le|lete|hain|itinerary|number|choice)\b[ ,.!]*)*$`)

	swapWord = `(?:another|a different|different|a new|an alternative|some other|other|change|swap|replace|switch|` +
		`a better|better|a nicer|nicer|a cheaper|cheaper)`
	swapOf = lazily(`\b` + swapWord + `(?: (?:the|our|my|out|to|for|a|an))*(?: [a-z]+)?? ` +
		`(hotels?|stay|accommodation|place to stay|hostel|flights?|trains?|transport|way (?:there|to get there)|` +
		`bus|` +
		`restaurants?|places? to eat|(?:place|somewhere) for (?:breakfast|lunch|dinner)|somewhere to eat|` +
		`dinners?|lunch(?:es)?|breakfasts?|meals?|day ?\d{1,2}|(?:first|second|` +
		`third|last) day)\b`)
	swapLoose = lazily(`\b(?:remove|drop|skip|without|cancel)\b.*\b(?:on|from) (day ?\d{1,2}|the (?:first|` +
		`second|third|last) day)\b|` +
		`\b(?:give|make|plan|redo|change) (day ?\d{1,2}|the (?:first|second|third|` +
		`last) day)\b.*|` +
		`\b(?:something (?:else|different)|another plan|other things) (?:on|for) (day ?\d{1,2}|the (?:first|` +
		`second|third|last) day)\b`)
	dontLike = lazily(`\b(?:don't|do not|not) (?:really )?like the (hotel|flight|train|restaurant|` +
		`dinner|lunch|breakfast)\b`)
	betterPart = lazily(`\b(?:cheaper|better|nicer|different|else|other)\b.*?\b(hotel|flight|train|restaurant|` +
		`dinner|lunch|breakfast)\b`)
	chooses    = lazily(`\b(?:take|choose|pick|select|go (?:with|for)|want|prefer|book)\b`)
	unknownRef = lazily(`^(?:the )?(?:first|second|third|fourth|last|middle|option \d|number \d)(?: one| option|` +
		` plan)?$`)
	showsOne = lazily(`^(?:please |can you |could you )*(?:show|open|see|display|tell|describe|explain)\b`)
	swapWith = lazily(`\b(?:for|with|to|by) ((?:the )?[a-z0-9\x80-\xff][^,.;!?]{2,60})$`)
	dayOf    = lazily(`\bday ?(\d{1,2})\b|\b(first|second|third|last) day\b`)
	mealOf   = lazily(`\b(breakfast|lunch|dinner|evening|noon|morning)\b`)

	shareWords = lazily(`\b(?:share|send|forward|mail|email|e-mail|whatsapp)\b.*\b(?:it|this|that|` +
		`plans?|trip|` +
		`link|itinerary|options?|wife|husband|partner|friends?|family|mum|mom|dad|with)\b|\b(?:a|the|share|` +
		`sharing|public) link\b|` +
		`^(?:please )?share(?: (?:it|this|that))?$`)
	unshareWords = lazily(`\b(?:unshare|stop sharing|(?:revoke|remove|delete|withdraw|cancel|` +
		`disable|kill) ` +
		`(?:the |all |my |our )*(?:share )?(?:links?|sharing|share))\b|` +
		`\bwho(?: else)? (?:can|could|may|is able to) (?:see|open|read|look at|view)\b|` +
		`\bis (?:it|this|that|the (?:plan|trip)) (?:public|shared|private)\b`)
	shareDays = lazily(`\bfor (\d{1,3}|a|one|two|three) (days?|weeks?|months?)\b`)
	mailCue   = lazily(`\b(?:send|mail|email|e-mail|whatsapp|forward)\b`)
	pdfWords  = lazily(`\b(?:pdf|printable(?: version)?|print(?:ed)? (?:it|them|this|version|the (?:plans?|` +
		`options?|trip))|(?:as )?a document|download (?:it|the ` +
		`plans?|this))\b`)
	calWords = lazily(`\b(?:calendar|\.?ics|ical|outlook)\b`)
	compares = lazily(`\b(?:what(?:'s| is| are) the differences?|differences?|differ|compare|` +
		`comparison|` +
		`which (?:one )?(?:is|would be|do you) (?:better|best|recommend)\w*|` +
		`which(?: (?:one|option|plan|of (?:them|the three|these)))? (?:has|have|is|are|gives|includes) (?:the |` +
		`more |less |fewer )[a-z]+|pros and cons)\b`)
	whyWords = lazily(`^(?:but |and )?(?:why|how come|what makes|how did you|where (?:do|does|did) ` +
		`.* come from|kyun?|kyon)\b|\bwhy$|^(?:and )?how much (?:is|are|does|do|would|will|for|of)\b|` +
		`^(?:and )?what(?:'s| is| are| does| do| would| will)\b.*\b(?:costs?|prices?|total)\b`)
	showWords = lazily(`^(?:please |can you |could you )*(?:show|see|display|list|open|give)(?: me| ` +
		`us)?(?: again)?` +
		`(?: the| my| our| these| those| all)* (?:plans?|options?|itinerar(?:y|ies)|three|results?|suggestions|` +
		`trip)(?: again)?$|` +
		`^(?:the )?(?:plans|options)(?: again)?$|^show (?:them|it|me)(?: again)?$|^what (?:are|were) the ` +
		`(?:plans|options)$|` +
		`^(?:go )?back to the (?:plans|options)$`)
	tripsWords = lazily(`\b(?:(?:my|our|all|saved|other|earlier|previous|past) trips|list (?:of ` +
		`)?(?:the )?trips|which trips)\b`)
	asksFirst = lazily(`^(?:which|what|when|where|who|how|is|are|does|do|did|was|were|will|would|` +
		`could|should)\b`)
)

// acts reads what is to be done with plans that exist. It reports whether the message is
// such an order; then Rest is empty unless the option that is meant is unknown.
func (r *reader) acts() bool {
	low := r.Folded()
	in := r.act(low)
	if in == "" {
		return false
	}
	r.out.Intent, r.out.Ask = in, nil
	r.Use(0, len(r.Low()))
	return true
}

func (r *reader) act(low string) Intent {
	switch {
	case unshareWords().MatchString(low):
		return Unshare
	case shareWords().MatchString(low) && !asksFirst().MatchString(low) && !pdfWords().MatchString(low) &&
		r.plansMeant(low):
		if m := shareDays().FindStringSubmatch(low); m != nil {
			n, per := reading.Number(m[1]), 1
			switch m[2][0] {
			case 'w':
				per = 7
			case 'm':
				per = 30
			}
			if v, err := strconv.Atoi(m[1]); err == nil {
				n = v
			}
			r.out.ShareDays = n * per
		}
		if mailCue().MatchString(low) {
			r.out.Refused = append(r.out.Refused, "I send nothing to others: I make a link, and you send it.")
		}
		r.out.Option = r.option(low)
		return Share
	case pdfWords().MatchString(low):
		r.out.Option = r.option(low)
		return PDF
	case calWords().MatchString(low):
		r.out.Option = r.option(low)
		return Calendar
	case showWords().MatchString(low):
		return Show
	case tripsWords().MatchString(low):
		return Trips
	}
	if in := r.swap(low); in != "" {
		return in
	}
	if len(r.c.Options) == 0 {
		return ""
	}
	if r.out.Option = r.option(low); r.out.Option != "" && showsOne().MatchString(low) {
		return Show
	}
	switch {
	case whyWords().MatchString(low):
		r.out.Option = r.option(low)
		return Why
	case compares().MatchString(low):
		r.out.Option = ""
		return Compare
	case asksFirst().MatchString(low):
		r.out.Option = ""
		return ""
	}
	r.out.Option = r.option(low)
	if r.out.Option == "" && !unknownRef().MatchString(low) &&
		!(optionRef().MatchString(low) && chooses().MatchString(low)) {
		return ""
	}
	if r.choice(low) {
		return Select
	}
	r.out.Option = ""
	return ""
}

// plansMeant reports whether "share a room" and the like are not meant.
func (r *reader) plansMeant(low string) bool {
	return !strings.Contains(low, "room") && !strings.Contains(low, "bed")
}

// choice reports whether the message says nothing but which option it takes.
func (r *reader) choice(low string) bool {
	if reading.Number(low) > 0 {
		return true
	}
	without := low
	if r.out.Option == "" {
		without = optionRef().ReplaceAllString(without, " ") // one that is not there: the third of two
	}
	for _, o := range r.c.Options {
		if o.ID != r.out.Option {
			continue
		}
		if t := strings.ToLower(o.Title); t != "" {
			without = strings.ReplaceAll(without, t, " ")
		}
		without = optionRef().ReplaceAllString(without, " ")
		own := strings.Fields(places.Fold(o.Title))
		without = strings.Join(slices.DeleteFunc(strings.Fields(without), func(w string) bool {
			return slices.Contains(own, places.Fold(w))
		}), " ")
	}
	return choosing().MatchString(strings.Join(strings.Fields(without), " "))
}

// option returns the id of the option that a text names: by its number, its title, its
// tier; "" for none or several.
func (r *reader) option(low string) string {
	list := r.c.Options
	if len(list) == 0 {
		return ""
	}
	if n := reading.Number(low); n >= 1 && n <= len(list) && !r.open(trip.Party) {
		return list[n-1].ID
	}
	var titled []string
	for _, o := range list {
		if t := strings.ToLower(o.Title); t != "" && strings.Contains(low, t) {
			titled = append(titled, o.ID)
		}
	}
	if len(titled) == 1 {
		return titled[0]
	}
	low = dayOf().ReplaceAllString(low, " ")
	for _, m := range optionRef().FindAllStringSubmatchIndex(low, -1) {
		g := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return low[m[2*i]:m[2*i+1]]
		}
		if !wordAt(low, m[0], m[1]) {
			continue
		}
		n := 0
		switch {
		case g(1) != "":
			n = reading.Number(g(1))
			switch g(1) {
			case "a", "b", "c":
				n = int(g(1)[0]-'a') + 1
			}
		case g(2) != "":
			if i := slices.IndexFunc(list, func(o Shown) bool { return o.ID == "opt-"+g(2) }); i >= 0 {
				return list[i].ID
			}
		case g(3) != "":
			n = nth(g(3), len(list))
			if g(3) == "middle" && len(list) == 3 {
				n = 2
			}
		case g(4) == "cheaper" && !strings.Contains(low[m[0]:m[1]], " "):
			// A wish for less money, no option: "the cheaper one" is one.
		case g(4) != "":
			if id := tier(list, tierOf(g(4))); id != "" {
				return id
			}
		}
		if n >= 1 && n <= len(list) {
			return list[n-1].ID
		}
	}
	// By words that one title alone has.
	var byWord []string
	for _, o := range list {
		for w := range strings.FieldsSeq(places.Fold(o.Title)) {
			if len(w) < 4 || !slices.Contains(strings.Fields(places.Fold(low)), w) {
				continue
			}
			if !slices.ContainsFunc(list, func(p Shown) bool {
				return p.ID != o.ID && slices.Contains(strings.Fields(places.Fold(p.Title)), w)
			}) && !slices.Contains(byWord, o.ID) {
				byWord = append(byWord, o.ID)
			}
		}
	}
	if len(byWord) == 1 {
		return byWord[0]
	}
	return ""
}

// nth returns the number of an ordinal; last is that of "last".
func nth(word string, last int) int {
	switch word {
	case "first", "1st":
		return 1
	case "second", "2nd":
		return 2
	case "third", "3rd":
		return 3
	case "last":
		return last
	}
	return 0
}

func wordAt(s string, i, j int) bool {
	inner := func(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80 }
	return (i == 0 || !inner(s[i-1])) && (j == len(s) || !inner(s[j]))
}

// tier returns the id of the only option of a tier.
func tier(list []Shown, t trip.Budget) string {
	id := ""
	for _, o := range list {
		if o.Tier == t {
			if id != "" {
				return ""
			}
			id = o.ID
		}
	}
	return id
}

func tierOf(word string) trip.Budget {
	switch word[0] {
	case 'c':
		return trip.Low
	case 'b':
		if word == "budget" {
			return trip.Low
		}
		return trip.Mid
	case 'l':
		if strings.HasPrefix(word, "lux") {
			return trip.High
		}
		return trip.Low
	case 'm':
		if strings.HasPrefix(word, "most") {
			return trip.High
		}
		return trip.Mid
	}
	return trip.High
}

// swap reads what is to be another in an option.
func (r *reader) swap(low string) Intent {
	what, at := "", 0
	if m := swapOf().FindStringSubmatchIndex(low); m != nil {
		what, at = low[m[2]:m[3]], m[1]
	} else if m := swapLoose().FindStringSubmatchIndex(low); m != nil {
		what, at = "day", m[1]
	} else if m := betterPart().FindStringSubmatchIndex(low); m != nil {
		what, at = low[m[2]:m[3]], m[1]
	} else if m := dontLike().FindStringSubmatchIndex(low); m != nil {
		what, at = low[m[2]:m[3]], m[1]
	}
	if what == "" {
		return ""
	}
	if len(r.c.Options) == 0 && r.c.Mode != "FINALIZE" {
		return ""
	}
	if m := dayOf().FindStringSubmatch(low); m != nil {
		r.out.Swap.Day = reading.Number(m[1])
		if m[1] == "" {
			r.out.Swap.Day = nth(m[2], r.c.Trip.Dates.Days())
		}
	}
	tail := low[min(at, len(low)):]
	r.out.Option = r.option(low)
	if m := swapWith().FindStringSubmatchIndex(tail); m != nil && r.out.Option == "" {
		with := tail[m[2]:m[3]]
		if !dayOf().MatchString(with) && !mealOf().MatchString(with) && !strings.Contains(with, "another") &&
			!strings.Contains(with, "else") && !strings.Contains(with, "different") {
			r.out.Swap.With = r.original(with)
		}
	}
	switch what[0] {
	case 'h', 's', 'a':
		return SwapStay
	case 'f', 't', 'w':
		return SwapGo
	case 'b':
		if what == "bus" {
			return SwapGo
		}
	case 'p':
		if strings.HasSuffix(what, "stay") {
			return SwapStay
		}
	}
	if what == "day" || strings.Contains(what, "day") {
		if r.out.Swap.Day == 0 {
			return ""
		}
		return SwapDay
	}
	switch m := mealOf().FindString(low); m {
	case "breakfast", "lunch", "dinner":
		r.out.Swap.Meal = m
	case "evening":
		r.out.Swap.Meal = "dinner"
	case "noon":
		r.out.Swap.Meal = "lunch"
	case "morning":
		r.out.Swap.Meal = "breakfast"
	}
	return SwapMeal
}

// original returns words of the folded message as the person wrote them.
func (r *reader) original(words string) string {
	if i := strings.Index(r.Low(), words); i >= 0 {
		return trip.Clean(r.Plain()[i : i+len(words)])
	}
	return trip.Clean(words)
}
