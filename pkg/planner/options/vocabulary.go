package options

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/plaintext"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// vocabulary is what an option backs: the words of its names and texts, and its figures.
type vocabulary struct {
	words   map[string]bool
	figures map[string]bool
	names   []string
}

// vocabularyOf returns that of an option and of the trip that it is for.
func vocabularyOf(o Option, c trip.Context) vocabulary {
	v := vocabulary{words: map[string]bool{}, figures: map[string]bool{}}
	v.read(o.Title, o.Description, string(o.Tier), string(o.Pace), o.Focus, o.Style, o.Dining, o.EstimatedTotalCost,
		c.Title(), c.Detail(), strings.Join(o.Highlights, " "), strings.Join(o.Tags, " "))
	v.read(c.Preferences.Interests...)
	v.read(c.MustDos...)
	if c.Origin != nil {
		v.read(c.Origin.Name)
	}
	for _, p := range c.Destinations {
		v.read(p.Name)
	}
	for _, d := range o.Itinerary.Days {
		v.read(d.City, d.Title, d.Date.Weekday().String(), d.Date.Month.String(), itoa(d.Number), itoa(d.Date.Day))
		entries := slices.Concat(d.Transport, d.Meals, d.Activities)
		if d.Accommodation != nil {
			entries = append(entries, *d.Accommodation)
			v.read(itoa(d.Accommodation.Nights))
		}
		for _, e := range entries {
			v.read(e.Name, e.Area, e.Detail, e.Starts, e.Ends)
			v.names = append(v.names, e.Name)
		}
	}
	v.read(itoa(len(o.Itinerary.Days)))
	return v
}

// figure is a number as it is written in a text, with its separators.
var figure = regexp.MustCompile(`\d+(?:[.,:]\d+)*`)

func (v vocabulary) read(texts ...string) {
	for _, t := range texts {
		for _, w := range tokensOf(t) {
			v.words[w] = true
		}
		for _, f := range figure.FindAllString(t, -1) {
			v.figures[strings.ReplaceAll(f, ",", "")] = true
		}
	}
}

// has reports whether the option has a thing of a name.
func (v vocabulary) has(name string) bool {
	return slices.ContainsFunc(v.names, func(n string) bool { return same(n, name) })
}

// sentenceEnd is where a sentence ends.
var sentenceEnd = regexp.MustCompile(`[.!?]+(?:\s+|$)`)

// backed returns the sentences of a text that the option backs, at most so many letters of
// them, as plain text.
func (v vocabulary) backed(text string, most int) string {
	text = strings.Join(strings.Fields(plaintext.Clean(text)), " ")
	if len(text) > 8*most {
		return ""
	}
	var kept []string
	letters := 0
	for len(text) > 0 {
		end := len(text)
		if at := sentenceEnd.FindStringIndex(text); at != nil {
			end = at[1]
		}
		s := strings.TrimSpace(text[:end])
		text = text[end:]
		letters += utf8.RuneCountInString(s) + 1
		if letters > most+1 {
			break
		}
		if v.backs(s) {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, " ")
}

// plain returns a name without marks, "" where it is none.
func plain(s string, most int) string {
	s = strings.Join(strings.Fields(plaintext.Clean(s)), " ")
	if marked(s) || utf8.RuneCountInString(s) > most {
		return ""
	}
	return s
}

// marked reports whether a text has marks of Markdown or HTML or an address.
func marked(s string) bool {
	low := strings.ToLower(s)
	return strings.ContainsAny(s, "<>[]{}|*_#`~@\\") || strings.Contains(low, "://") ||
		strings.Contains(low, "www.") || strings.Contains(low, "http")
}

// promise are words that say what no option does.
var promise = regexp.MustCompile(`(?i)\b(?:booked|reserved|confirmed|guaranteed?|discounts?|free of charge|` +
	`for free|free (?:entry|entrance|admission|tickets?)|included|refunded|paid)\b`)

// backs reports whether a sentence has only names and figures of the option, no marks and
// no promise.
func (v vocabulary) backs(s string) bool {
	if s == "" || marked(s) || promise.MatchString(s) {
		return false
	}
	for _, f := range figure.FindAllString(s, -1) {
		if !v.figures[strings.ReplaceAll(f, ",", "")] {
			return false
		}
	}
	if strings.ContainsFunc(figure.ReplaceAllString(s, ""), unicode.IsDigit) { // digits of other scripts
		return false
	}
	first := true
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\'' && r != '’' && !unicode.Is(unicode.Mn, r)
	}) {
		w = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(w, "'’"), "'s"), "’s")
		r, _ := utf8.DecodeRuneInString(w)
		named := unicode.IsUpper(r) || !unicode.Is(unicode.Latin, r) && unicode.IsLetter(r)
		if named && !v.knows(w) && !(first && mayOpen(w)) {
			return false
		}
		first = false
	}
	return true
}

// knows reports whether a word with a capital letter stands in the option, or names a day
// or a month.
func (v vocabulary) knows(w string) bool {
	for _, t := range tokensOf(w) {
		if !v.words[t] && !v.words[strings.TrimSuffix(t, "s")] && t != "i" {
			return false
		}
	}
	return true
}

// mayOpen reports whether a word may begin a sentence without being a name.
func mayOpen(w string) bool { return slices.Contains(openings(), strings.ToLower(w)) }

// openings returns words with which sentences about trips begin.
func openings() []string {
	return strings.Fields(`
		a about across add affordable after afternoon afternoons all along also an and another any arrival arrive
		arriving art as at balance balanced based be beaches because before begin beginning begins best between both
		breakfast breakfasts brunch budget but by calm casual central cheap cheaper city classic close combine
		combines comfort comfortable compact cosy cover covers cultural culture day days depart departure dine
		dining dinner dinners discover drive during each early ease easy eat eating economical end ends enjoy
		evening evenings every everything expect explore families family few fewer fine finish first five fly focus
		focused follow food for four free from frugal full galleries gallery gardens gentle get give gives go good
		guided half have head here high historic history home hotel hotels ideal if in indulgent it its just keep
		keeps landmark landmarks last late later lean leans leave leaving leisurely less light linger live local
		long look low lunch lunches luxury made main make makes many market markets meals mid mix moderate modest
		more morning mornings most move museum museums music nature near nearby next night nights no not of on once
		one only open our over own pace packed parks part pause perfect plan plenty polished quiet read refined
		relax relaxed rest restaurants return ride rides save saver saves scenic sea see set settle shop shopping
		short sights simple six sleep slow slower small spend spends spread start starts stay stays steady step stop
		stops street stroll strolls suits swim take takes taste tastes that the then there these this three thrifty
		through time to today together tour town train trains transfer travel traveller travellers try two under
		unhurried unwind up upscale use value view views visit visits wake walk walks wander way we weekend well
		what when where while wind with within you your`)
}
