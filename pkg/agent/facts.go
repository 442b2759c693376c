package agent

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// fact is a price, a date or a code that a text states.
type fact struct {
	text  string // as written
	price bool   // number is an amount of money
	code  bool
	// number is the price without separators.
	number string
	// dates are what a date may mean: without a year, that of this year, the last
	// and the next one.
	dates []calendar.Date
}

const (
	currencies = `₹|Rs\.?|INR|US\$|\$|USD|€|EUR|£|GBP`
	figure     = `[0-9]+(?:,[0-9]+)*(?:\.[0-9]+)?`
	multiples  = `(?:\s?(?:k|lakhs?|lacs?|crores?|cr|thousand)\b)?`
	monthNames = `(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|` +
		`Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)`
	mostFacts = 100 // of a text that are checked
)

// The letters with which monthNames begin, and the words and signs of which prices
// and namedCodes need one.
const (
	monthStarts = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
	// Parts of the words of namedCodes, without the letters s and k, which other
	// letters than S and K are alike.
	codeMarks  = "code coupon boo erva confirm"
	priceMarks = "₹ Rs INR $ USD € EUR £ GBP rup रुपये dollar euro /- night guest person stay"
)

var (
	prices = regexp.MustCompile(`(?:` + currencies + `)\s?(` + figure + multiples + `)|` +
		`(` + figure + multiples + `)\s?(?:rupees|rupaye|rupaiye|रुपये|USD|INR|EUR|dollars|euros|/-)|` +
		`(` + figure + `) (?:per|a|each|/) ?(?:night|guest|person|stay)\b`)
	isoDates  = regexp.MustCompile(`\b(20[0-9]{2})-([0-9]{2})-([0-9]{2})\b`)
	dayMonths = regexp.MustCompile(`\b([0-9]{1,2})(?:st|nd|rd|th)?[ -](?:of )?(` + monthNames +
		`)\b\.?(?:,? ?-?(20[0-9]{2})\b)?`)
	monthDays  = regexp.MustCompile(`\b(` + monthNames + `)\.? ([0-9]{1,2})(?:st|nd|rd|th)?\b(?:,? (20[0-9]{2})\b)?`)
	codes      = regexp.MustCompile(`\b[A-Z]{2,}[A-Z0-9]*(?:-[A-Z0-9]+)*\b`)
	namedCodes = regexp.MustCompile(`(?i:\b(?:code|coupon|booking|reservation|confirmation)(?: (?:is|code|number|` +
		`no\.?))? ?[:#]? ?["“']?)([A-Z][A-Z0-9-]{2,})\b`)
	// common are abbreviations with a number that are no codes.
	common = regexp.MustCompile(`^(?:COVID-19|ISO-?[0-9]+|GST-?[0-9]+|VAT-?[0-9]+|UTF-?[0-9]+|SHA-?[0-9]+)$`)
	// supposed begin what is an example or a question, and states nothing.
	supposed = regexp.MustCompile(`(?i)\b(?:for example|e\.g\.|for instance|such as|say,|suppose|if you|would you|` +
		`shall i|should i|jaise)\b`)
)

// factsOf returns the prices, dates and codes that the sentences of a text state.
// Questions and examples state none.
func factsOf(text string, today calendar.Date) []fact {
	var out []fact
	seen := map[string]bool{}
	for _, s := range sentences(text) {
		stated := statedIn(s, today)
		if len(stated) == 0 || strings.HasSuffix(s, "?") || supposed.MatchString(s) {
			continue
		}
		for _, f := range stated {
			if !seen[f.text] && len(out) < mostFacts {
				seen[f.text] = true
				out = append(out, f)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b fact) int {
		return strings.Index(text, a.text) - strings.Index(text, b.text)
	})
	return out
}

// statedIn returns what one sentence states. Most sentences have no figure, no
// name of a month and no capitals side by side, and finding that out costs a
// hundredth of what the expressions cost.
func statedIn(s string, today calendar.Date) []fact {
	var out []fact
	figures := strings.ContainsAny(s, "0123456789")
	if figures {
		for _, m := range found(prices, priceMarks, s) {
			number := cmp.Or(m[1], m[2], m[3])
			if m[3] != "" && len(m[3]) < 2 {
				continue // "2 a night" is no price
			}
			out = append(out, fact{text: strings.TrimSpace(m[0]), price: true, number: number})
		}
		if strings.Contains(s, "20") && strings.Contains(s, "-") {
			for _, m := range isoDates.FindAllStringSubmatch(s, -1) {
				if d, err := calendar.Parse(m[0]); err == nil {
					out = append(out, fact{text: m[0], dates: []calendar.Date{d}})
				}
			}
		}
		for _, m := range found(dayMonths, monthStarts, s) {
			out = append(out, dated(m[0], m[3], m[2], m[1], today))
		}
		for _, m := range found(monthDays, monthStarts, s) {
			out = append(out, dated(m[0], m[3], m[1], m[2], today))
		}
	}
	if !capitals(s) {
		return out
	}
	if figures {
		for _, c := range codes.FindAllString(s, -1) {
			if isCode(c) {
				out = append(out, fact{text: c, code: true})
			}
		}
	}
	if !marked(strings.ToLower(s), codeMarks) {
		return out
	}
	for _, m := range namedCodes.FindAllStringSubmatch(s, -1) {
		if strings.ToUpper(m[1]) == m[1] {
			out = append(out, fact{text: m[1], code: true})
		}
	}
	return out
}

// found returns where an expression matches; it looks only into what has one of
// the marks, separated by spaces, of which each match has one.
func found(expression *regexp.Regexp, marks, s string) [][]string {
	if !marked(s, marks) {
		return nil
	}
	return expression.FindAllStringSubmatch(s, -1)
}

func marked(s, marks string) bool {
	for mark := range strings.FieldsSeq(marks) {
		if strings.Contains(s, mark) {
			return true
		}
	}
	return false
}

// capitals reports whether a capital is followed by another one or by what may
// stand in a code.
func capitals(s string) bool {
	for i := 1; i < len(s); i++ {
		c := s[i]
		if s[i-1] >= 'A' && s[i-1] <= 'Z' && (c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-') {
			return true
		}
	}
	return false
}

// sentences cuts a text where a sentence or a line ends. A point within a number
// or an abbreviation of two letters ends none.
func sentences(text string) []string {
	var out []string
	start := 0
	for i, r := range text {
		end := r == '\n' || r == '।'
		if r == '.' || r == '!' || r == '?' {
			next, _ := utf8.DecodeRuneInString(text[i+1:])
			word := text[start:i]
			word = word[strings.LastIndexAny(word, " (")+1:]
			end = unicode.IsSpace(next) && len(word) > 2
		}
		if end {
			out = append(out, strings.TrimSpace(text[start:i+utf8.RuneLen(r)]))
			start = i + utf8.RuneLen(r)
		}
	}
	return append(out, strings.TrimSpace(text[start:]))
}

// isCode reports whether capitals and digits are a code and no abbreviation.
func isCode(s string) bool {
	digits := 0
	for _, r := range s {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	return digits > 0 && len(s) >= 5 && !common.MatchString(s)
}

func dated(text, year, month, day string, today calendar.Date) fact {
	f := fact{text: strings.TrimRight(text, " ,.")}
	m, err := time.Parse("Jan", month[:3])
	d, _ := strconv.Atoi(day)
	if err != nil {
		return f
	}
	years := []int{today.Year, today.Year + 1, today.Year - 1}
	if y, err := strconv.Atoi(year); err == nil {
		years = []int{y}
	}
	for _, y := range years {
		// A day that its month does not have is another date, as it is for time.Date.
		f.dates = append(f.dates, calendar.Of(time.Date(y, m.Month(), d, 0, 0, 0, 0, time.UTC)))
	}
	return f
}

// nearDays is how far from today a date needs no source: "the day after
// tomorrow is the 24th".
const nearDays = 14

// The note below an answer names the facts between these.
const (
	factsNote   = "Note: no record that was read for this answer shows "
	factsAdvice = ". Please check before relying on it."
)

// checkFacts adds a note to an answer in which the model states prices, dates or
// codes that are in none of its sources: the results of tools, in this turn and
// in verified earlier ones, the user's own words, and the instructions. What is
// computed from them counts as found.
func (l *loop) checkFacts() error {
	today := l.today()
	var facts []fact
	for _, text := range l.texts {
		facts = append(facts, factsOf(text, today)...)
	}
	if len(facts) == 0 {
		return nil
	}
	texts := l.sourceTexts()
	facts = slices.DeleteFunc(facts, func(f fact) bool { return f.near(today) || f.literal(texts) })
	if len(facts) == 0 {
		return nil
	}
	known, shown := consent.NewIndex(texts, today), newFigures(texts, l.texts)
	var missing []string
	for _, f := range facts {
		if !f.known(known) && !f.computed(shown) && !slices.Contains(missing, f.text) {
			missing = append(missing, f.text)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	l.out.Degraded = append(l.out.Degraded, "unsupported_facts")
	l.offers = l.offers || asks(l.reply.String())
	l.spoke = false
	return l.say(render.Escape(factsNote + strings.Join(missing, ", ") + factsAdvice))
}

// sourceTexts returns what the statements of an answer may come from.
func (l *loop) sourceTexts() []string {
	var texts []string
	if l.Heard != nil {
		for _, text := range l.Heard() {
			texts = append(texts, withoutNamed(text))
		}
	}
	for _, m := range l.messages {
		if m.Role != llm.Assistant {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// withoutNamed returns an earlier answer without the facts that its note named:
// being repeated makes them no better.
func withoutNamed(text string) string {
	stated, note, found := strings.Cut(text, factsNote)
	named, rest, ended := strings.Cut(note, factsAdvice)
	if !found || !ended {
		return text
	}
	for name := range strings.SplitSeq(named, ", ") {
		stated = strings.ReplaceAll(stated, name, "")
	}
	return stated + rest
}

func (f fact) near(today calendar.Date) bool {
	return slices.ContainsFunc(f.dates, func(d calendar.Date) bool {
		days := today.Until(d)
		return days >= -nearDays && days <= nearDays
	})
}

// literal reports whether a source has the fact in one of its usual forms. It is
// quick and finds nearly all that are true.
func (f fact) literal(texts []string) bool {
	forms := []string{f.text}
	if f.price {
		plain := strings.ReplaceAll(f.number, ",", "")
		whole := strings.TrimSuffix(plain, ".00")
		forms = append(forms, f.number, plain, whole, whole+".00")
	}
	for _, d := range f.dates {
		forms = append(forms, d.String(), d.Show())
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		return slices.ContainsFunc(forms, func(form string) bool { return stands(text, form) })
	})
}

// stands reports whether a text has a form that is no part of a longer word or
// number.
func stands(text, form string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], form)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(form)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, size := utf8.DecodeRuneInString(text[to:])
		more, _ := utf8.DecodeRuneInString(text[to+size:])
		inNumber := (after == '.' || after == ',') && unicode.IsDigit(more)
		if !within(before) && !within(after) && before != '.' && !inNumber {
			return true
		}
		at = from + 1
	}
}

func within(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// known reports whether a source has the fact in another notation.
func (f fact) known(in consent.Index) bool {
	if f.price {
		number, multiple := f.number, ""
		if i := strings.IndexFunc(number, unicode.IsLetter); i > 0 {
			number, multiple = strings.TrimSpace(number[:i]), number[i:]
		}
		if multiple != "" {
			amount, ok := scaled(number, multiple)
			return ok && in.Has(tool.Value{Text: amount, Num: true})
		}
		return in.Has(tool.Value{Text: number, Num: true})
	}
	if f.code {
		return in.Has(tool.Value{Text: f.text})
	}
	return len(f.dates) == 0 || slices.ContainsFunc(f.dates, func(d calendar.Date) bool {
		return in.Has(tool.Value{Text: d.String(), Date: true})
	})
}
