package questions

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// about are the words by which a question shows its field, tried in this order: the first
// that is found decides.
var about = []struct {
	field trip.Field
	words func() *regexp.Regexp
}{
	{trip.Origin, lazily(`\b(?:from where|wh(?:ere|ich (?:city|airport|place))\b.*\b(?:from|depart\w*|` +
		`start\w*|based|live)|starting point|origin|home (?:city|airport)|departure (?:city|airport|point)|` +
		`(?:travell?ing|flying|coming|leaving|setting off|departing) from)\b`)},
	{trip.Dietary, lazily(`\b(?:diet\w*|allerg\w*|vegetarian|vegan|halal|kosher|gluten\w*|` +
		`intoleran\w*)\b`)},
	{trip.MustDos, lazily(`\b(?:must[- ](?:do|see|visit|have)\w*|can't miss|cannot miss|` +
		`(?:not|don't) want to miss|sights? .*\binclude|have to (?:see|do))\b`)},
	{trip.HotelStyle, lazily(`\b(?:hotel (?:style|type)|(?:style|type|kind|sort) of (?:hotel|` +
		`accommodation|stay|place to stay|lodging)|accommodations?|lodging|boutique|hostel|where .*\bstay|` +
		`(?:prefer|like) to stay|hotels?)\b`)},
	{trip.PaceOf, lazily(`\b(?:pace|packed|relaxed|how (?:busy|full|much .*in a day)|leisurely|` +
		`fast[- ]paced|easy[- ]going)\b`)},
	{trip.Interests, lazily(`\b(?:interest\w*|hobb\w+|enjoy|activities|like to (?:do|see)|` +
		`experiences|into)\b`)},
	{trip.Constraints, lazily(`\b(?:constraint\w*|restriction\w*|mobility|accessib\w+|wheelchair|` +
		`special needs|limitation\w*|requirement\w*|avoid)\b`)},
	{trip.BudgetLevel, lazily(`\b(?:budget\w*|spend\w*|costs?|price\w*|money|afford\w*|` +
		`how much|economy|luxury|expens\w+)\b`)},
	{trip.Party, lazily(`\b(?:how many (?:people|of you|persons?|travell?ers?|adults|guests|` +
		`are (?:you|travell?ing|going|coming)|will)|travell?ers|who(?:'s| is| will| are|'ll)? .*\b(?:travell?\w*|` +
		`go\w*|com\w+|join\w*|with you|along)|party size|group size|size of (?:your|the) (?:group|party)|` +
		`people|adults|children|kids|alone|solo|companions?|number of (?:guests|persons?))\b`)},
	{trip.Dates, lazily(`\b(?:when|dates?|days?|nights?|how long|duration|length|weeks?|month|` +
		`season|timeframe|time of (?:the )?year|period|start and end|arriv\w+|stay for)\b`)},
	{trip.Destinations, lazily(`\b(?:where|destinations?|which (?:city|cities|place|places|country)|` +
		`what (?:city|place|country)|go to|visit)\b`)},
}

// lazily returns what compiles a pattern at its first use.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// topic returns the field of a question: what its words say, or else what it says itself.
func topic(q Question) trip.Field {
	if q.Field != "" {
		return q.Field
	}
	return Topic(q.Text)
}

// Topic returns the field that a question is about by its words, "" for none of them.
func Topic(text string) trip.Field {
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	for _, a := range about {
		if a.words().MatchString(text) {
			return a.field
		}
	}
	return ""
}

var everything = lazily(`\b(?:everything|all (?:the |your |of the )?(?:details|information|` +
	`preferences)|` +
	`as much (?:detail|information)|anything and everything|tell me more about (?:yourself|your trip))\b`)

// tooWide reports whether a question wants everything at once, or is about four topics or
// more.
func tooWide(text string) bool {
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	topics := 0
	for _, a := range about {
		if a.words().MatchString(text) {
			topics++
		}
	}
	return topics >= 5 || everything().MatchString(text)
}

// content returns the words of a question that carry its meaning, each in one form, sorted.
func content(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if empty[w] {
			continue
		}
		w = stem(w)
		if same, ok := synonyms[w]; ok {
			w = same
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// alike reports whether two sets of words ask for the same: most words of the smaller one
// are in the other, and at least half of all are in both.
func alike(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return 5*both >= 4*min(len(a), len(b)) && 2*both >= len(a)+len(b)-both
}

// stem cuts the usual endings of a word.
func stem(w string) string {
	for _, end := range []string{"ing", "ies", "ed", "es", "s"} {
		if head, ok := strings.CutSuffix(w, end); ok && len(head) >= 3 {
			if end == "ies" {
				return head + "y"
			}
			return head
		}
	}
	return w
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// empty are words that say nothing of what is asked for.
var empty = set(`a an and any are at be been can could d did do does for from had has have how i if in is it its ll
	may me might my of on or please re s shall should so some t tell that the their there they this to us want was
	we what when where which who will with would you your yours like know let also there's just about any trip
	planning plan prefer preference preferred need there did any`)

// synonyms are stems of words that mean the same in a question.
var synonyms = map[string]string{"kid": "child", "children": "child", "people": "person", "travell": "travel",
	"traveler": "person", "traveller": "person", "guest": "person", "rent": "hire", "automobile": "car",
	"vehicle": "car", "driv": "drive", "flight": "fly", "plane": "fly", "birthday": "celebration",
	"anniversary": "celebration", "occasion": "celebration", "celebrat": "celebration", "fav": "favourite",
	"favorite": "favourite", "shop": "shopp", "visa": "passport", "restaurant": "food", "cuisine": "food",
	"din": "food", "eat": "food", "insur": "insurance", "lugg": "bag", "suitcase": "bag", "baggage": "bag",
	"luggage": "bag", "public": "transit", "metro": "transit", "subway": "transit"}
