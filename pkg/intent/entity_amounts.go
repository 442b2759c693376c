package intent

import (
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

const (
	unitWords = `lakhs?|lacs?|लाख|crores?|cr|करोड़|करोड़|hazaar|hazar|thousand|हज़ार|हजार|हज़ार|k|l`
	smallNumb = `ek|do|teen|tin|chaar|char|paanch|panch|chhah|chhe|saat|aath|nau|das|` +
		`एक|दो|तीन|चार|पाँच|पांच|छह|सात|आठ|नौ|दस`
)

var (
	figure = lazily(`(?i)(?:(₹|\$|€|£|rs\.?|inr) ?)?` +
		`([0-9०-९][0-9०-९,]*(?:\.[0-9०-९]+)?)(?: ?(` + unitWords + `))?` +
		`( ?(?:rupees?|rupaye|rs|inr|dollars?|रुपये|रुपए))?`)
	// "dhai crore", "sawa do lakh", "paune teen lakh", "saadhe teen lakh", "do lakh".
	spoken = lazily(`(?i)(?:(dedh|डेढ़|dhai|dhaai|adhai|ढाई)|` +
		`(?:(sawa|सवा|paune|पौने|saadhe|sadhe|साढ़े) )?(` + smallNumb + `)) (` + unitWords + `)`)
)

func amountFinders() []finder {
	return []finder{{spoken, readSpoken}, {figure, readFigure}}
}

// Amount reads a text that is nothing but an amount without a sign, as people in
// India write it: "1,23,456.00", "2.5 lakh", "₹2.5L", "25 hazaar", "dhai crore",
// "paune teen lakh", "१,००० रुपये".
func Amount(text string) (money.Amount, bool) {
	if len(text) > maxBytes {
		return money.Zero, false
	}
	if m := spoken().FindStringSubmatch(text); m != nil && m[0] == text {
		e, ok := readSpoken(m, "", calendar.Date{})
		return e.Amount, ok
	}
	m := figure().FindStringSubmatch(text)
	if m == nil || m[0] != text {
		return money.Zero, false
	}
	a, err := money.ParseGrouped(m[2])
	if err != nil {
		return money.Zero, false
	}
	e, ok := amountOf(a, m[3])
	return e.Amount, ok
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
	}
	return 1000
}

func numberWord(w string) int {
	for i, forms := range []string{"ek एक", "do दो", "teen tin तीन", "chaar char चार", "paanch panch पाँच पांच",
		"chhah chhe छह", "saat सात", "aath आठ", "nau नौ", "das दस"} {
		for f := range strings.FieldsSeq(forms) {
			if f == w {
				return i + 1
			}
		}
	}
	return 0
}
