package entry

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// kind says what a token is.
type kind int

const (
	word    kind = iota
	figure       // a bare number: a quantity, or an amount without a sign
	amount       // a number with a currency, a unit such as lakh, or grouped digits
	day          // one day
	month        // a month or more
	number       // of a document
	address      // of e-mail
	gstin
	percent
	quoted
	pause // a comma, a semicolon or a new line
)

type token struct {
	kind     kind
	text     string
	form     string // of a word, folded
	from, to int
	amount   money.Amount
	days, or calendar.Range
	capital  bool
	worded   bool // a number in words
}

// lazily returns what compiles a pattern at its first use.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

const currency = `rupees?|rupaye|rupaya|rupay|rupe|rs\.?|inr|रुपये|रुपए|रूपये`

var (
	quotedText = lazily(`"([^"]{1,80})"|“([^”]{1,80})”|«([^»]{1,80})»`)
	mailLike   = lazily(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	gstinLike  = lazily(`(?i)\b[0-9]{2}[a-z]{5}[0-9]{4}[a-z][0-9a-z]z[0-9a-z]\b`)
	docLike    = lazily(`\b[A-Za-z]{1,6}[-/][0-9A-Za-z]*[0-9][0-9A-Za-z]*(?:[-/][0-9A-Za-z]+)*\b`)
	taxForm    = lazily(`(?i)^(?:gstr|fy|itr|form|q[1-4]|b2[bc]|tds)[-/]?`)
	docNumber  = lazily(`(?i)\b(?:invoice|inv|bill|receipt|note) (?:number |no\.? |nambar )?#?([0-9]{2,8})\b`)
	perCent    = lazily(`(?i)([0-9]{1,2}(?:\.[0-9]{1,2})?) ?(?:%|per ?cent\b|pratishat\b|प्रतिशत)`)
	slashedDay = lazily(`\b([0-9]{1,2})/([0-9]{1,2})\b`)
	anyFigure  = lazily(`(?i)(?:(₹|\b(?:rs\.?|inr)) ?)?(-?[0-9][0-9,]*(?:\.[0-9]+)?)` +
		`(?:( ?(?:lakhs?|lacs?|लाख|crores?|करोड़|करोड़|hazaar|hazar|hajar|thousand|हज़ार|हजार|हज़ार)|l|k)\b|` +
		`( ?(?:लाख|करोड़|करोड़|हज़ार|हजार|हज़ार)))?` +
		`( ?(?:/-|/=)| (?:` + currency + `))?`)
	hundreds = lazily(`(?i)(?:^|[ ,])([0-9]{1,2}|\p{L}[\p{L}\p{M}]*) ?(sau|hundred|` +
		`सौ)(?: (?:` + currency + `))?(?:$|[ ,.])`)
)

// lex reads a text. docs says that numbers of documents are meant where they stand,
// else they are parts of names, such as codes of products.
func lex(text string, today calendar.Date, docs bool) []token {
	var out []token
	taken := func(from, to int) bool {
		return slices.ContainsFunc(out, func(t token) bool { return from < t.to && t.from < to })
	}
	put := func(t token) {
		if !taken(t.from, t.to) {
			t.text = text[t.from:t.to]
			out = append(out, t)
		}
	}
	for _, at := range quotedText().FindAllStringIndex(text, -1) {
		_, left := utf8.DecodeRuneInString(text[at[0]:])
		_, right := utf8.DecodeLastRuneInString(text[:at[1]])
		put(token{kind: quoted, from: at[0], to: at[1], capital: true})
		last := &out[len(out)-1]
		last.text = strings.TrimSpace(text[at[0]+left : at[1]-right])
	}
	for _, at := range mailLike().FindAllStringIndex(text, -1) {
		put(token{kind: address, from: at[0], to: at[1]})
	}
	for _, at := range gstinLike().FindAllStringIndex(text, -1) {
		put(token{kind: gstin, from: at[0], to: at[1]})
	}
	for _, e := range intent.Entities(text, today) {
		if e.Kind == intent.DateEntity && !(e.Days.Days() > 31 && !strings.ContainsAny(e.Text, "0123456789")) {
			k := month
			if e.Days.Days() == 1 {
				k = day
			}
			if k == month && !monthSaid(e.Text) {
				continue
			}
			put(token{kind: k, from: e.From, to: e.To, days: e.Days, or: e.Or})
		}
	}
	for _, at := range slashedDay().FindAllStringSubmatchIndex(text, -1) {
		d, err := rupees.ParseDate(text[at[0]:at[1]] + "/" + itoa(today.Year))
		if err == nil {
			put(token{kind: day, from: at[0], to: at[1], days: calendar.Range{From: d, To: d.AddDays(1)}})
		}
	}
	for _, at := range docLike().FindAllStringIndex(text, -1) {
		switch {
		case taxForm().MatchString(text[at[0]:at[1]]):
		case docs:
			put(token{kind: number, from: at[0], to: at[1]})
		default: // one word, with its figures
			put(token{kind: word, from: at[0], to: at[1], capital: true,
				form: strings.ToLower(text[at[0]:at[1]])})
		}
	}
	if docs {
		for _, at := range docNumber().FindAllStringSubmatchIndex(text, -1) {
			put(token{kind: number, from: at[2], to: at[3]})
		}
	}
	for _, at := range perCent().FindAllStringSubmatchIndex(text, -1) {
		if a, err := money.ParseGrouped(text[at[2]:at[3]]); err == nil {
			put(token{kind: percent, from: at[0], to: at[1], amount: a})
		}
	}
	for _, at := range hundreds().FindAllStringSubmatchIndex(text, -1) {
		n := resolution.Number(strings.ToLower(text[at[2]:at[3]]))
		if a, err := money.ParseGrouped(text[at[2]:at[3]]); err == nil {
			n = atoi(a.String())
		}
		if n > 0 {
			end := at[5]
			put(token{kind: amount, from: at[2], to: end, amount: money.FromInt(n * 100)})
		}
	}
	for _, e := range intent.Entities(text, today) {
		if e.Kind == intent.AmountEntity && !unicode.IsDigit(first(e.Text)) && !strings.ContainsAny(e.Text,
			"0123456789") {
			put(token{kind: amount, from: e.From, to: e.To, amount: e.Amount})
		}
	}
	for _, at := range anyFigure().FindAllStringSubmatchIndex(text, -1) {
		if t, ok := readFigure(text, at); ok {
			put(t)
		}
	}
	out = append(out, words(text, out)...)
	slices.SortFunc(out, func(a, b token) int { return cmp.Compare(a.from, b.from) })
	return added(out)
}

func monthSaid(text string) bool {
	low := strings.ToLower(text)
	return strings.Contains(low, "month") || strings.Contains(low, "mahine") || len(low) > 2 &&
		!unicode.IsDigit(first(low)) &&
		strings.Contains("january february march april may june july august september october november december",
			strings.Fields(low)[0])
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// readFigure reads a number in figures. "5 L" and "750 W" are parts of a name, "5L" as
// well as "2.5L" may be.
func readFigure(text string, at []int) (token, bool) {
	t := token{kind: figure, from: at[0], to: at[1]}
	before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
	if at[0] > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before) || before == '_') {
		return token{}, false
	}
	group := func(i int) string {
		if at[2*i] < 0 {
			return ""
		}
		return text[at[2*i]:at[2*i+1]]
	}
	digits := strings.TrimSuffix(group(2), ",")
	if at[10] < 0 && at[6] < 0 && at[8] < 0 {
		t.to = at[4] + len(digits)
	}
	if after := first(text[t.to:]); t.to < len(text) && unicode.IsLetter(after) {
		return token{}, false // "3M", "4th": a word
	}
	sign := strings.HasPrefix(digits, "-")
	a, err := money.ParseGrouped(strings.TrimPrefix(digits, "-"))
	if err != nil {
		return token{}, false
	}
	if unit := strings.TrimSpace(group(3) + group(4)); unit != "" {
		if scaled, ok := intent.Amount(strings.TrimPrefix(digits, "-") + " " + unit); ok {
			a = scaled
		} else if unit == "hajar" {
			a, err = a.Mul(money.FromInt(1000))
		}
	}
	if sign {
		a, err = money.Zero.Sub(a)
	}
	t.amount = a
	if at[2] >= 0 || at[6] >= 0 || at[8] >= 0 || at[10] >= 0 || strings.Contains(digits, ",") {
		t.kind = amount
	}
	return t, err == nil
}

// words returns the words between other tokens, and the pauses.
func words(text string, taken []token) []token {
	rest := []byte(text)
	for _, t := range taken {
		for i := t.from; i < t.to; i++ {
			rest[i] = 0
		}
	}
	var out []token
	from := -1
	flush := func(to int) {
		if from < 0 {
			return
		}
		start, w := from, text[from:to]
		from = -1
		trimmed := strings.Trim(w, `.'’"-–!?()[]/`)
		if strings.HasSuffix(trimmed, "'s") || strings.HasSuffix(trimmed, "’s") {
			trimmed = trimmed[:strings.LastIndexAny(trimmed, "'’")]
		}
		if trimmed == "" {
			return
		}
		t := token{text: trimmed, form: resolution.Fold(trimmed), from: start, to: to,
			capital: unicode.IsUpper(first(trimmed))}
		if n := resolution.Number(strings.ToLower(trimmed)); n > 0 {
			t.kind, t.worded, t.amount = figure, true, money.FromInt(n)
		}
		out = append(out, t)
	}
	for i, r := range text {
		switch {
		case rest[i] == 0:
			flush(i)
		case r == ',' || r == ';' || r == '\n' || r == ':':
			flush(i)
			out = append(out, token{kind: pause, from: i, to: i + 1})
		case r == '@':
			flush(i)
			out = append(out, token{kind: word, text: "@", form: "@", from: i, to: i + 1})
		case unicode.IsSpace(r) || r == '+' || unicode.IsControl(r):
			flush(i)
		case from < 0:
			from = i
		}
	}
	flush(len(text))
	return out
}

// added joins "2 lakh 50 hazaar" and leaves the minus of a quantity.
func added(in []token) []token {
	var out []token
	for _, t := range in {
		if n := len(out) - 1; n >= 0 && t.kind == amount && out[n].kind == amount && t.from-out[n].to <= 1 &&
			t.amount.Cmp(out[n].amount) < 0 && strings.ContainsFunc(out[n].text, unicode.IsLetter) {
			if sum, err := out[n].amount.Add(t.amount); err == nil {
				out[n].amount, out[n].to, out[n].text = sum, t.to, out[n].text+" "+t.text
				continue
			}
		}
		out = append(out, t)
	}
	return out
}
