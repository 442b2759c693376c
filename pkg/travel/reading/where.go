package reading

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// role is what a place is for.
type role int

const (
	bare role = iota // named without a word before it
	origin
	destination
	within // "in Lisbon", "near Lisbon"
	backTo
	backFrom
	via
)

// spot is a place that a message names.
type spot struct {
	at, to     int
	role       role
	words      string
	candidates []places.Place
}

// clear reports whether one place is meant.
func (s spot) clear() bool { return len(s.candidates) == 1 }

var besides = lazily(`^ ?(?:se|-|,)? ?$`)

// word is a word of the message.
type word struct {
	at, to int
	low    string
}

var wordShape = lazily(`[a-z0-9\x80-\xff]+(?:['.][a-z0-9\x80-\xff]+)*\.?`)

// tokens are the words of the message.
func (t *text) tokens() []word {
	var out []word
	for _, at := range wordShape().FindAllStringIndex(t.low, -1) {
		w := strings.TrimRight(t.low[at[0]:at[1]], ".")
		if w == "st" || w == "mt" || w == "ft" {
			w = t.low[at[0]:at[1]]
		}
		out = append(out, word{at[0], at[0] + len(w), w})
	}
	return out
}

// roleBefore is the role that the words before a place give it.
var roleBefore = []struct {
	role    role
	pattern func() *regexp.Regexp
}{
	{backFrom, lazily(`(?:back|return(?:ing|s)?|home) from(?: the)?$`)},
	{backTo, lazily(`(?:back|return(?:ing|s)?)(?: (?:flight|trip))? to(?: the)?$|(?:back|home) in$`)},
	{via, lazily(`\b(?:via|through|stop(?:ping)? (?:over )?in|connecting in|change in)(?: the)?$`)},
	{origin, lazily(`\b(?:from|leaving|departing|departing from|ex|out of|starting in|i live in|` +
		`i'm in|i am in|based in|leave|we live in)(?: the)?$`)},
	{destination, lazily(`\b(?:to|into|towards|visit|visiting|reach|for|see|explore|destination|` +
		`destination is|destination:)(?: the)?$`)},
	{within, lazily(`\b(?:in|near|at|around|within|close to|next to|of)(?: the| central| downtown)?$`)},
}

// mostLookUps is how many names are looked up of one message.
const mostLookUps = 80

// longestPlace is how many words a name of a place has at most.
const longestPlace = 5

// spots finds places by the words around them. Days, people and wishes must have been
// found before.
func (t *text) spots() []spot {
	words := t.tokens()
	var out []spot
	taken := make([]bool, len(words))
	try := func(from, to int, r role, loose bool) bool {
		s, ok := t.place(words, from, to, loose)
		if !ok {
			return false
		}
		s.role = r
		out = append(out, s)
		t.use(s.at, s.to)
		for i := from; i < to; i++ {
			taken[i] = true
		}
		return true
	}
	usable := func(i int) bool { return i < len(words) && !taken[i] && t.free(words[i].at, words[i].to) }
	// Places behind the words that give them a role.
	for i := range words {
		if !usable(i) {
			continue
		}
		before := t.before(words[i].at)
		for _, b := range roleBefore {
			if !b.pattern().MatchString(before) {
				continue
			}
			longest := i
			for longest < len(words) && longest < i+longestPlace && usable(longest) && (longest == i ||
				t.joined(words[longest-1], words[longest])) {
				longest++
			}
			for to := longest; to > i; to-- {
				if try(i, to, b.role, b.role <= destination && b.role != bare) {
					break
				}
			}
			break
		}
	}
	// "London to Paris", "Delhi se Mumbai", "LHR-JFK": what stands before.
	for i := range words {
		after := strings.TrimLeft(t.low[words[i].to:], " ")
		hindi := beginsWith(after, "se", "tak", "jana", "jaana", "ke liye", "mein", "me")
		dashed := strings.HasPrefix(t.low[words[i].to:], "-") || strings.HasPrefix(after, "- ")
		if !usable(i) || !hindi && !dashed && !beginsWith(after, "to") {
			continue
		}
		r := origin
		if hindi && !beginsWith(after, "se") {
			r = destination
		}
		for from := max(0, i-longestPlace+1); from <= i; from++ {
			joined := true
			for k := from; k < i; k++ {
				joined = joined && t.joined(words[k], words[k+1])
			}
			if joined && usable(from) && try(from, i+1, r, false) {
				if dashed && i+1 < len(words) {
					for to := min(len(words), i+1+longestPlace); to > i+1; to-- {
						if usable(i+1) && try(i+1, to, destination, false) {
							break
						}
					}
				}
				break
			}
		}
	}
	// What is named without such words.
	for i := 0; i < len(words); i++ {
		if !usable(i) {
			continue
		}
		longest := i
		for longest < len(words) && longest < i+longestPlace && usable(longest) && (longest == i ||
			t.joined(words[longest-1], words[longest])) {
			longest++
		}
		for to := longest; to > i; to-- {
			if try(i, to, bare, false) {
				i = to - 1
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b spot) int { return a.at - b.at })
	// "Delhi to Mumbai" after "se" and the like: a bare place behind an origin is where the
	// journey goes.
	for i := range out {
		if out[i].role == bare && i > 0 && out[i-1].role == origin &&
			besides().MatchString(t.low[out[i-1].to:out[i].at]) {
			out[i].role = destination
		}
	}
	return out
}

// joined reports whether two words may be parts of one name.
func (t *text) joined(a, b word) bool {
	between := t.low[a.to:b.at]
	return between == " " || between == "-" || between == ", " || between == "." || between == ". "
}

// place looks up words from i to j. loose allows near spellings and words in small letters
// that are other words as well.
func (t *text) place(words []word, i, j int, loose bool) (spot, bool) {
	first, last := words[i], words[j-1]
	name := t.plain[first.at:last.to]
	if len(name) < 3 || j-i == 1 && common()[first.low] && (!loose || !upper(name)) {
		return spot{}, false
	}
	if t.lookUps++; t.lookUps > mostLookUps {
		return spot{}, false
	}
	found := places.Lookup(name)
	if len(found) == 0 {
		return spot{}, false
	}
	capital := t.plain[first.at] >= 'A' && t.plain[first.at] <= 'Z'
	exact := named(found[0], name)
	if j-i > 1 && !(exact && plainName(name)) {
		// More words than a name has: "Lisbon please", "the meeting in Rome".
		for _, w := range words[i:j] {
			if common()[w.low] && w.low != "new" && w.low != "the" && w.low != "city" && w.low != "airport" {
				return spot{}, false
			}
		}
		if common()[last.low] && last.low != "city" && last.low != "airport" {
			return spot{}, false
		}
	}
	if _, area, ok := strings.Cut(name, ","); ok && !inArea(found[0], area) {
		return spot{}, false
	}
	code := len(name) == 3 && strings.EqualFold(found[0].Code, name)
	switch {
	case code && !exact:
		if name != strings.ToUpper(name) && !loose {
			return spot{}, false
		}
	case !exact && !loose && !capital:
		return spot{}, false
	}
	if !exact && !code && !capital && len(name) < 5 {
		return spot{}, false
	}
	return spot{at: first.at, to: last.to, words: name, candidates: found}, true
}

func upper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

func plainName(name string) bool { return !strings.Contains(name, ",") }

// inArea reports whether what stands behind a comma is the country or the region of a place.
func inArea(p places.Place, area string) bool {
	switch folded := places.Fold(area); folded {
	case places.Fold(places.CountryName(p.Country)), places.Fold(p.Region), strings.ToLower(p.Country):
		return true
	case "uk", "england", "scotland", "wales", "britain", "great britain":
		return p.Country == "GB"
	case "usa", "us", "america":
		return p.Country == "US"
	case "uae", "emirates":
		return p.Country == "AE"
	default:
		return len(folded) == 2 && p.Country == "US"
	}
}

// named reports whether a name is that of the place.
func named(p places.Place, name string) bool {
	head, _, _ := strings.Cut(name, ",")
	folded := places.Fold(head)
	return folded == places.Fold(p.Name) || folded == places.Fold(p.City)
}

// common are words that are no place unless they are written as one.
var common = setOf(`a an and any are as at be been best big book booking but buy by can cancel cheap cheapest city
	could date day days do does down drive eat fast fastest few fine first flight flights fly for free friend
	friends from
	get give go going good great guest have help hey hi hold home hotel hotels how i if in instead into is it its
	job just know
	last leave let like list little live long look lot make march may me mean meet more most move much my name
	near need new next
	nice night no not now of off ok okay on one only open or other our out over own pay person plan please price
	read really
	rest return room rooms same search see sell send she show so some soon sort split stay stop sun take tell
	than thanks that
	the their them then there these they thing this those three through ticket tickets time to today tour town
	travel trip try two
	under up us use very visit wait want was way we week weekend well what when where which who why will with
	without work would yes
	you your back also around about after again all always before between both business class comfort cost deal
	direct during
	early economy else end enough even evening every everything family find flying half hand happy hot hour house idea
	kids kind late later least less lunch dinner breakfast maybe meal meeting money month morning noon nothing
	number offer
	option options paid party past people per place point possible problem quick rather ready red right round
	second seat seats
	set short side since single sister small son start still such sure summer sunny table tax taxi that's think
	third tomorrow tonight too
	total train travelling traveling type until view warm water weather winter world year years yet airport
	airports beach
	center centre cities country island area trips flights' airline airlines meet meeting conference wedding
	holiday holidays
	vacation honeymoon spring autumn fall mobile orange bath reading nice best hope enterprise liberal eye hi
	hello dear sir madam
	thank change
	correct wrong actually sorry add remove rename rate calendar itinerary bookings preferences travellers
	traveller passport
	hai hain karo kar do dikhao chahiye jana jaana ka ki ke ko mein me se tak aur ya nahi nahin haan bhai log
	liye wapas wapsi batao
	kitna kitne kaun sa sasta saste book kardo dena de humko mujhe hum main abhi`)

// setOf returns what makes a set of words at its first use.
func setOf(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		out := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			out[w] = true
		}
		return out
	})
}

// hotelPlace is how a search for hotels is told a place: by name, since the code of a
// city may be that of an airport outside.
func hotelPlace(p places.Place) string {
	if p.Kind == places.Airport {
		return p.Code
	}
	name := p.Name
	if p.Region != "" && p.Region != p.Name && len(places.Lookup(name)) > 1 {
		name += ", " + p.Region
	}
	if country := places.CountryName(p.Country); country != "" && country != p.Name {
		name += ", " + country
	}
	return name
}

// placeName is a place by its code for a sentence: "Lisbon".
func placeName(code string) string {
	if p, ok := places.ByCode(code); ok && len(code) == 3 {
		if p.Kind == places.Airport && p.City != "" {
			return p.City + " (" + code + ")"
		}
		return p.Name + " (" + code + ")"
	}
	return code
}

// lookup is places.Lookup of a text that may be long.
func lookup(name string) []places.Place {
	if len(name) > 100 {
		return nil
	}
	return places.Lookup(name)
}
