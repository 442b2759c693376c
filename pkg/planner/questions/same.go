package questions

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// about are the phrases by which a question shows its field, tried in this order: the first
// that is found decides. "diet*" is any word that begins so, "…" any words or none.
var about = []struct {
	field   trip.Field
	phrases string
}{
	{trip.Origin, "from where|where … from|where … depart*|where … start*|where … based|where … live|" +
		"which city … from|which airport … from|which place … from|what city … from|what airport … from|" +
		"which city … depart*|which airport|what airport|which city … start*|" +
		"which city … live|starting point|origin|" +
		"home city|home airport|departure city|departure airport|departure point|" +
		"travel* from|flying from|coming from|" +
		"leaving from|setting off from|departing from"},
	{trip.Dietary, "diet*|allerg*|vegetarian*|vegan*|halal|kosher|gluten*|intoleran*|not eat|can't eat|don't eat"},
	{trip.MustDos, "must do*|must see*|must visit*|must have*|can't miss|cannot miss|want to miss|have to see|" +
		"have to do|sights … include|must"},
	{trip.HotelStyle, "hotel*|style of|type of stay|kind of stay|" +
		"accommodation*|lodging|boutique|hostel*|where … stay|" +
		"place to stay|like to stay|prefer to stay"},
	{trip.PaceOf, "pace|packed|relaxed|leisurely|how busy|how full|how much … in a day|easy going"},
	{trip.Interests, "interest*|hobb*|enjoy*|activity|activities|" +
		"like to do|like to see|experiences|what … into|like most"},
	{trip.Constraints, "constraint*|restriction*|mobility|accessib*|wheelchair*|special needs|limitation*|" +
		"requirement*|avoid"},
	{trip.BudgetLevel, "budget*|spend*|cost*|price*|money|afford*|how much|economy|luxury|expens*"},
	{trip.Party, "how many people|how many of you|how many person*|how many travel*|" +
		"how many adult*|how many guest*|" +
		"how many are|how many will|travelers|travellers|who … travel*|who … go*|" +
		"who … com*|who … join*|who … with you|" +
		"who … along|party size|group size|size of … group|size of … party|people|adults|children|kids|alone|solo|" +
		"companion*|number of guests|number of person*"},
	{trip.Dates, "when|date*|day*|night*|how long|duration|length|week*|month*|season|timeframe|time of … year|" +
		"period|start and end|arriv*|stay for"},
	{trip.Destinations, "where|destination*|which city|which cities|which place*|which country|what city|" +
		"what place|what country|go to|visit"},
}

// phrase is a sequence of words of one field.
type phrase struct {
	topic int // index in about
	words []string
}

// phrases are those of about by their first words, and those whose first word is a prefix.
var phrases = sync.OnceValues(func() (map[string][]phrase, []phrase) {
	first := map[string][]phrase{}
	var open []phrase
	for i, a := range about {
		for p := range strings.SplitSeq(a.phrases, "|") {
			words := strings.Fields(p)
			if strings.HasSuffix(words[0], "*") {
				open = append(open, phrase{i, words})
				continue
			}
			first[words[0]] = append(first[words[0]], phrase{i, words})
		}
	}
	return first, open
})

// topics returns a bit for each field of about that the words of a text show.
func topics(text string) uint {
	words := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
	first, open := phrases()
	var found uint
	for i, w := range words {
		for _, p := range first[w] {
			if found&(1<<p.topic) == 0 && follows(words[i:], p.words) {
				found |= 1 << p.topic
			}
		}
		for _, p := range open {
			if found&(1<<p.topic) == 0 && follows(words[i:], p.words) {
				found |= 1 << p.topic
			}
		}
	}
	return found
}

// follows reports whether a text begins with a phrase.
func follows(text, phrase []string) bool {
	for i, p := range phrase {
		if p == "…" {
			for j := range text {
				if follows(text[j:], phrase[i+1:]) {
					return true
				}
			}
			return false
		}
		if len(text) == 0 {
			return false
		}
		if begin, ok := strings.CutSuffix(p, "*"); ok && !strings.HasPrefix(text[0], begin) || !ok && text[0] != p {
			return false
		}
		text = text[1:]
	}
	return true
}

// topic returns the field of a question: the one it says, or else what its words show.
func topic(q Question) trip.Field {
	if q.Field != "" {
		return q.Field
	}
	return Topic(q.Text)
}

// Topic returns the field that a question is about by its words, "" for none of them.
func Topic(text string) trip.Field {
	found := topics(text)
	for i, a := range about {
		if found&(1<<i) != 0 {
			return a.field
		}
	}
	return ""
}

// everything are phrases of questions that want all at once.
var everything = []string{"everything", "all the details", "all your", "all details", "all of the details",
	"all the information", "all information", "as much detail", "as much information", "tell me more about your"}

// tooWide reports whether a question wants everything at once, or is about five topics or
// more.
func tooWide(text string) bool {
	if bits.OnesCount(topics(text)) >= 5 {
		return true
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(everything, func(p string) bool { return strings.Contains(text, p) })
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
