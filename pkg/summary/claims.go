package summary

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A claim is a detail that a reader would take for a fact, so that it must be in
// the messages: a number, a date, a code or name, an address.
type claim struct {
	kind  kind
	text  string // as it is compared
	shown string
	day   day
}

type kind int

const (
	aNumber kind = iota
	aDate
	aWord // a name or a code
	anAddress
)

// day is a date as it was written; what was not written is 0.
type day struct{ year, month, day int }

// details are what one text says: what claims are compared with.
type details struct {
	numbers map[string]bool
	words   map[string]bool
	days    []day
	months  map[int]bool
	text    string // folded
}

const monthNames = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|` +
	`oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`

var (
	isoDate  = regexp.MustCompile(`\b(\d{4})-(\d{1,2})-(\d{1,2})\b`)
	dayFirst = regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?[\s-]+(` + monthNames +
		`)\b\.?(?:[\s,-]+(\d{4})\b)?`)
	monthOne  = regexp.MustCompile(`(?i)\b(` + monthNames + `)\b\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4})\b)?`)
	slashed   = regexp.MustCompile(`\b(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d{2})\b`)
	monthWord = regexp.MustCompile(`(?i)\b(?:` + monthNames + `)\b`)
	number    = regexp.MustCompile(`\b\d+(?:[.,:]\d+)*`)
	grouped   = regexp.MustCompile(`^\d{1,3}(?:,\d{2,3})+(?:\.\d+)?$`)
	address   = regexp.MustCompile(`(?i)\b(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	uuid      = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	name      = regexp.MustCompile(`[\p{L}\p{N}]+`)
	// speaking is what people do at the beginning of a sentence.
	speaking = regexp.MustCompile(`^\s+(?:asked|asks|wants|wanted|requested|requests|booked|said|says|prefers|needs|` +
		`has|is|was|will|confirmed|paid|pays|arrives|arrived|agreed)\b`)
)

// monthOf returns the number of a month's name.
func monthOf(text string) int {
	return 1 + slices.Index([]string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
		"dec"}, strings.ToLower(text)[:3])
}

// datesIn returns the dates of a text, and the text without them. One of the
// form 1/2/2026 is read in both ways.
func datesIn(text string) (days []day, rest string) {
	take := func(re *regexp.Regexp, read func(m []string) []day) {
		text = re.ReplaceAllStringFunc(text, func(found string) string {
			days = append(days, read(re.FindStringSubmatch(found))...)
			return " "
		})
	}
	take(isoDate, func(m []string) []day { return []day{{whole(m[1]), whole(m[2]), whole(m[3])}} })
	take(slashed, func(m []string) []day {
		year := whole(m[3])
		if year < 100 {
			year += 2000
		}
		return []day{{year, whole(m[2]), whole(m[1])}, {year, whole(m[1]), whole(m[2])}}
	})
	take(dayFirst, func(m []string) []day { return []day{{whole(m[3]), monthOf(m[2]), whole(m[1])}} })
	take(monthOne, func(m []string) []day { return []day{{whole(m[3]), monthOf(m[1]), whole(m[2])}} })
	return days, text
}

func whole(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0 // what was not written
	}
	return n
}

// plainNumber writes a number in the one form in which numbers are compared.
func plainNumber(text string) string {
	if grouped.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	if head, tail, found := strings.Cut(text, "."); found && strings.Trim(tail, "0") == "" {
		text = head
	}
	return text
}

// counted are the words for numbers; an article says "one" as well.
func counted(word string) string {
	at := slices.Index([]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
		"eleven", "twelve", "thirteen",
		"fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"}, word)
	if word == "a" || word == "an" || word == "single" {
		at = 0
	}
	if at < 0 {
		return ""
	}
	return strconv.Itoa(at + 1)
}

// detailsOf reads what a text says.
func detailsOf(text string) details {
	text = digits(text)
	d := details{numbers: map[string]bool{}, words: map[string]bool{}, months: map[int]bool{}, text: fold(text)}
	for _, w := range words(text) {
		d.words[w] = true
		if n := counted(w); n != "" {
			d.numbers[n] = true
		}
	}
	for sign, code := range map[string]string{"₹": "inr", "$": "usd", "€": "eur", "£": "gbp"} {
		if strings.Contains(text, sign) {
			d.words[code] = true
		}
	}
	d.days, _ = datesIn(text)
	for _, one := range d.days {
		d.months[one.month] = true
	}
	for _, m := range monthWord.FindAllString(text, -1) {
		d.months[monthOf(m)] = true
	}
	for _, n := range number.FindAllString(text, -1) {
		d.numbers[plainNumber(n)] = true
		for part := range strings.FieldsFuncSeq(n, func(r rune) bool { return r == '.' || r == ',' || r == ':' }) {
			d.numbers[plainNumber(part)] = true
		}
	}
	return d
}

// says reports whether the text has the claim.
func (d details) says(c claim) bool {
	switch c.kind {
	case aNumber:
		return d.numbers[c.text]
	case anAddress:
		return strings.Contains(d.text, c.text)
	case aDate:
		for _, have := range d.days {
			if have.month == c.day.month && have.day == c.day.day && (c.day.year == 0 || have.year == 0 &&
				d.numbers[strconv.Itoa(c.day.year)] || have.year == c.day.year) {
				return true
			}
		}
		// "1 to 4 March" says two dates and writes one.
		return d.months[c.day.month] && d.numbers[strconv.Itoa(c.day.day)] &&
			(c.day.year == 0 || d.numbers[strconv.Itoa(c.day.year)])
	}
	return d.words[c.text] || c.day.month > 0 && d.months[c.day.month]
}

// german are small words of a language that writes every noun with a capital
// letter, so that names cannot be told by it.
var german = regexp.MustCompile(`(?i)(?:^|\s)(?:der|das|dem|des|und|ist|sind|nicht|ein|eine|einen|einer|für|mit|auf|` +
	`von|zum|zur|wurde|werden|möchte|bis|vom|im|am)\b`)

// claimsOf returns what a sentence claims.
func claimsOf(sentence string) []claim {
	sentence = digits(sentence)
	names := len(german.FindAllString(sentence, 2)) < 2
	var out []claim
	rest := address.ReplaceAllStringFunc(sentence, func(found string) string {
		found = strings.TrimRight(found, ".,;:!?)")
		out = append(out, claim{kind: anAddress, text: fold(found), shown: found})
		return " "
	})
	days, rest := datesIn(rest)
	for i, d := range days {
		if i > 0 && days[i-1].year == d.year && days[i-1].month == d.day && days[i-1].day == d.month {
			continue // the other way to read the same
		}
		out = append(out, claim{kind: aDate, day: d, shown: shownDay(d)})
	}
	for _, n := range number.FindAllString(rest, -1) {
		out = append(out, claim{kind: aNumber, text: plainNumber(n), shown: n})
	}
	for i, at := range name.FindAllStringIndex(rest, -1) {
		w := rest[at[0]:at[1]]
		first, _ := utf8.DecodeRuneInString(w)
		code := strings.ToUpper(w) == w && strings.IndexFunc(w, unicode.IsLetter) >= 0
		switch {
		case !names && !code, !unicode.IsUpper(first) && !(code && unicode.IsDigit(first)),
			utf8.RuneCountInString(w) < 2:
			continue
		case i == 0 && !(code && len(w) > 2) && !(speaking.MatchString(rest[at[1]:]) && !usual(w)):
			continue // every sentence begins with a capital letter
		}
		c := claim{kind: aWord, text: fold(w), shown: w}
		if monthWord.FindString(w) == w {
			c.day.month = monthOf(w)
		}
		out = append(out, c)
	}
	return out
}

// usual reports whether a word that begins a sentence is not a name.
func usual(word string) bool {
	return slices.Contains([]string{"the", "they", "he", "she", "it", "we", "you", "this", "that", "these", "those",
		"there", "all", "both", "one", "some", "nobody", "nothing", "everything",
		"guest", "guests", "person", "people", "user", "users", "customer", "client", "assistant", "manager", "staff",
		"team", "conversation", "booking", "reservation", "payment", "room", "price", "total"},
		strings.ToLower(word))
}

func shownDay(d day) string {
	out := strconv.Itoa(d.day) + "/" + strconv.Itoa(d.month)
	if d.year > 0 {
		out += "/" + strconv.Itoa(d.year)
	}
	return out
}

// digits writes the digits of all scripts as 0 to 9.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf || r > 0xffff || !unicode.IsDigit(r) {
			return r
		}
		// In each script of this plane the ten digits stand in a row, and no row
		// begins right behind another.
		zero := r
		for unicode.IsDigit(zero-1) && r-zero < 9 {
			zero--
		}
		return '0' + r - zero
	}, text)
}

// fold makes letters comparable: lower case, without accents.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return plainLetter(unicode.ToLower(r))
	}, strings.ReplaceAll(text, "ß", "ss"))
}

// plainLetter returns the Latin letter under an accent.
func plainLetter(r rune) rune {
	if r < utf8.RuneSelf {
		return r
	}
	for plain, accented := range map[rune]string{'a': "àáâãäåā", 'c': "çćč", 'e': "èéêëēė", 'i': "ìíîïī", 'n': "ñń",
		'o': "òóôõöøō", 's': "śš", 'u': "ùúûüū", 'y': "ýÿ", 'z': "žźż"} {
		if strings.ContainsRune(accented, r) {
			return plain
		}
	}
	return r
}

// words returns the folded words of a text.
func words(text string) []string { return name.FindAllString(fold(text), -1) }
