package intent

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

const (
	unitWords = `lakhs?|lacs?|लाख|crores?|cr|करोड़|करोड़|hazaar|hazar|thousand|हज़ार|हजार|हज़ार|sau|सौ|k|l`
	currency  = `rupees?|rupaye|rs|inr|dollars?|रुपये|रुपए`
)

// numberWords are the words for numbers before a unit, in the spellings that people
// use: 1 to 20, the tens, and what stands between them in prices.
func numberWords() map[int]string {
	return map[int]string{
		1: "ek एक", 2: "do दो", 3: "teen tin तीन", 4: "chaar char चार", 5: "paanch panch पाँच पांच",
		6: "chhah chhe chah छह छः",
		7: "saat सात", 8: "aath आठ", 9: "nau नौ", 10: "das दस", 11: "gyarah gyara ग्यारह", 12: "barah baarah बारह",
		13: "terah तेरह", 14: "chaudah चौदह", 15: "pandrah pandra पंद्रह पन्द्रह", 16: "solah सोलह",
		17: "satrah सत्रह",
		18: "atharah अठारह", 19: "unnis उन्नीस", 20: "bees bis बीस", 22: "bais बाईस", 24: "chaubis चौबीस",
		25: "pachees pachis पच्चीस", 30: "tees tis तीस", 35: "paintees paintis पैंतीस", 40: "chalees chalis चालीस",
		45: "paintalees paintalis पैंतालीस", 50: "pachaas pachas पचास", 55: "pachpan पचपन", 60: "saath साठ",
		65: "painsath पैंसठ", 70: "sattar सत्तर", 75: "pachhattar pachattar पचहत्तर", 80: "assi अस्सी",
		85: "pachasi पचासी", 90: "nabbe नब्बे", 95: "pachanve पचानवे",
	}
}

// anyNumberWord is a pattern for the words.
func anyNumberWord() string {
	var all []string
	for _, forms := range numberWords() {
		all = append(all, strings.Fields(forms)...)
	}
	slices.Sort(all)
	return strings.Join(all, "|")
}

var (
	figure = lazily(`(?i)(?:(₹|\$|€|£|rs\.?|inr) ?)?` +
		`([0-9०-९][0-9०-९,]*(?:\.[0-9०-९]+)?)(?: ?(` + unitWords + `))?` +
		`( ?(?:` + currency + `))?`)
	// "dhai crore", "sawa do lakh", "paune teen lakh", "saadhe teen lakh", "do lakh".
	spoken = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:(dedh|डेढ़|dhai|dhaai|adhai|ढाई)|` +
			`(?:(sawa|सवा|paune|पौने|saadhe|sadhe|साढ़े) )?(` + anyNumberWord() + `)) (` + unitWords + `)` +
			`( (?:` + currency + `))?`)
	})
	lastUnit = lazily(`(?i)(` + unitWords + `)(?: ?(?:` + currency + `))?$`)
)

func amountFinders() []finder {
	return []finder{{spoken, readSpoken}, {figure, readFigure}}
}

// Amount reads a text that is nothing but an amount without a sign, as people in
// India write it: "1,23,456.00", "2.5 lakh", "₹2.5L", "25 hazaar", "dhai crore",
// "paune teen lakh", "do lakh pachaas hazaar", "१,००० रुपये".
func Amount(text string) (money.Amount, bool) {
	if len(text) > maxBytes {
		return money.Zero, false
	}
	found := find(text, calendar.Date{}, append(amountFinders(), finder{figure, readBare}))
	if len(found) != 1 || found[0].Text != text {
		return money.Zero, false
	}
	return found[0].Amount, true
}

// readBare is readFigure for a text of which nothing else can be meant.
func readBare(m []string, _ string, _ calendar.Date) (Entity, bool) {
	a, err := money.ParseGrouped(m[2])
	if err != nil {
		return Entity{}, false
	}
	return amountOf(a, m[3])
}

// joined makes one of the amounts that stand side by side and are said as one, the
// larger unit first: "2 lakh 50 hazaar", "do hazaar paanch sau". The list is in the
// order of the sentence.
func joined(list []Entity, sentence string) []Entity {
	var out []Entity
	for _, e := range list {
		if n := len(out) - 1; n >= 0 && said(out[n], e, sentence) {
			if sum, err := out[n].Amount.Add(e.Amount); err == nil {
				out[n].Amount, out[n].To, out[n].Text = sum, e.To, sentence[out[n].From:e.To]
				continue
			}
		}
		out = append(out, e)
	}
	return out
}

// said reports whether b continues a.
func said(a, b Entity, sentence string) bool {
	if a.Kind != AmountEntity || b.Kind != AmountEntity || b.From != a.To+1 || sentence[a.To] != ' ' {
		return false
	}
	m := lastUnit().FindStringSubmatch(a.Text)
	own := strings.IndexFunc(b.Text, unicode.IsLetter) >= 0 && !strings.HasPrefix(b.Text, "₹")
	return m != nil && own && b.Amount.Cmp(money.FromInt(unitOf(strings.ToLower(m[1])))) < 0
}

// readFigure reads "₹2.5L", "2,50,000" and "25 hazaar". A bare number is an amount
// only with a sign, a unit or a currency.
func readFigure(m []string, _ string, _ calendar.Date) (Entity, bool) {
	if m[1] == "" && m[3] == "" && m[4] == "" && !strings.Contains(m[2], ",") {
		return Entity{}, false
	}
	a, err := money.ParseGrouped(m[2])
	if err != nil {
		return Entity{}, false
	}
	return amountOf(a, m[3])
}

// readSpoken reads quarters and halves as Hindi says them.
func readSpoken(m []string, _ string, _ calendar.Date) (Entity, bool) {
	var hundredths int
	switch strings.ToLower(m[1]) {
	case "":
		n := numberWord(strings.ToLower(m[3])) * 100
		switch strings.ToLower(m[2]) {
		case "sawa", "सवा":
			n += 25
		case "paune", "पौने":
			n -= 25
		case "saadhe", "sadhe", "साढ़े":
			n += 50
		}
		hundredths = n
	case "dedh", "डेढ़":
		hundredths = 150
	default:
		hundredths = 250
	}
	a, err := money.FromInt(hundredths).Mul(money.MustParse("0.01"))
	if err != nil {
		return Entity{}, false
	}
	return amountOf(a, m[4])
}

func amountOf(a money.Amount, unit string) (Entity, bool) {
	a, err := a.Mul(money.FromInt(unitOf(strings.ToLower(unit))))
	return Entity{Kind: AmountEntity, Amount: a}, err == nil
}

func unitOf(unit string) int {
	switch {
	case unit == "":
		return 1
	case unit[0] == 'c' || strings.HasPrefix(unit, "कर"):
		return 10_000_000
	case unit[0] == 'l' || strings.HasPrefix(unit, "ला"):
		return 100_000
	case unit[0] == 's' || strings.HasPrefix(unit, "सौ"):
		return 100
	}
	return 1000
}

func numberWord(w string) int {
	for n, forms := range numberWords() {
		if slices.Contains(strings.Fields(forms), w) {
			return n
		}
	}
	return 0
}
