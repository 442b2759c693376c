package agent

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// cents is an amount in hundredths.
type cents int64

// figures are the numbers and dates of the sources of an answer, and what can be
// computed from them.
type figures struct {
	money  []cents // amounts, the newest first
	counts []int64 // small whole numbers: nights, guests, percents
	sums   map[cents]bool
	dates  []calendar.Date
	// made is computed from two of these, and times an amount times a count; both
	// are nil until they are asked for.
	made, times map[cents]bool
}

// Bounds of what is computed.
const (
	mostRead   = 64 << 10 // bytes of the sources, the newest
	mostMoney  = 60
	mostCounts = 40
	mostParts  = 12 // of a list whose partial sums count
	mostDates  = 400
	maxCount   = 100
	maxSpan    = 62 // days between two dates next to each other
)

var (
	memberNumber = regexp.MustCompile(`"([A-Za-z_]+)":\s*"?([0-9][0-9,]*(?:\.[0-9]+)?)"?`)
	// moneyMember are the members whose whole numbers are amounts, in any trade:
	// what has two decimals is one under any name but that of a percentage.
	moneyMember = regexp.MustCompile(`(?i)price|total|amount|revenue|paid|due|balance|cost|fee|deposit|discount|` +
		`sum|value|charge|refund|tax|money`)
	percentMember = regexp.MustCompile(`(?i)percent|pct`)
	anyNumber     = regexp.MustCompile(`[0-9][0-9,]*(?:\.[0-9]+)?`)
)

// newFigures reads the sources; the counts of the answer itself count, too.
func newFigures(sources, answer []string) *figures {
	f := &figures{sums: map[cents]bool{}}
	left := mostRead
	for _, text := range slices.Backward(sources) {
		text = text[max(0, len(text)-left):]
		f.read(text)
		left -= len(text)
	}
	for _, text := range answer {
		f.count(text)
	}
	return f
}

func (f *figures) read(text string) {
	lists := map[string][]cents{}
	for _, m := range memberNumber.FindAllStringSubmatch(text, -1) {
		amount, ok := centsOf(m[2])
		if !ok || !isMoney(m[1], m[2]) {
			continue
		}
		lists[m[1]] = append(lists[m[1]], amount)
		f.addMoney(amount)
	}
	for _, list := range lists {
		f.sum(list)
	}
	for _, m := range prices.FindAllStringSubmatch(text, -1) {
		if amount, ok := centsOf(anyNumber.FindString(m[0])); ok {
			f.addMoney(amount)
		}
	}
	f.count(text)
	for _, m := range isoDates.FindAllString(text, mostDates) {
		if d, err := calendar.Parse(m); err == nil && len(f.dates) < mostDates {
			f.dates = append(f.dates, d)
		}
	}
}

// isMoney reports whether the number of a member is an amount of money. Tools write
// amounts with two decimals, but for the whole ones that a person gave.
func isMoney(member, number string) bool {
	_, part, _ := strings.Cut(number, ".")
	if percentMember.MatchString(member) {
		return false
	}
	return len(part) == 2 || moneyMember.MatchString(member)
}

func (f *figures) addMoney(c cents) {
	if len(f.money) < mostMoney && !slices.Contains(f.money, c) {
		f.money = append(f.money, c)
	}
}

func (f *figures) count(text string) {
	for i := 0; i < len(text) && len(f.counts) < mostCounts; i++ {
		if !digit(text, i) {
			continue
		}
		end := i
		for digit(text, end) {
			end++
		}
		if v, err := strconv.ParseInt(text[i:end], 10, 64); err == nil && v > 1 && v <= maxCount && text[i] != '0' &&
			alone(text, i, end) && !slices.Contains(f.counts, v) {
			f.counts = append(f.counts, v)
		}
		i = end
	}
}

func digit(text string, i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }

// alone reports whether a number is no part of a date, a code, a time or a larger
// number.
func alone(text string, from, to int) bool {
	if from > 0 {
		b := text[from-1]
		if letter(b) || strings.IndexByte("-/.,", b) >= 0 || b == ':' && from > 1 && digit(text, from-2) {
			return false
		}
	}
	if to < len(text) {
		b := text[to]
		return !letter(b) && (strings.IndexByte("-/.,:", b) < 0 || !digit(text, to+1))
	}
	return true
}

// sum adds the total of a list, its running totals, and for a short list the sums
// of all its parts.
func (f *figures) sum(list []cents) {
	total := cents(0)
	for _, c := range list {
		total += c
		f.sums[total] = true
	}
	if len(list) > mostParts {
		return
	}
	for mask := range 1 << len(list) {
		part := cents(0)
		for i, c := range list {
			if mask>>i&1 == 1 {
				part += c
			}
		}
		f.sums[part] = true
	}
}

// computed reports whether the fact follows from the figures.
func (f fact) computed(from *figures) bool {
	switch {
	case f.price:
		number := strings.TrimRightFunc(f.number, func(r rune) bool { return r < '0' || r > '9' })
		if strings.ContainsFunc(f.number, func(r rune) bool { return r >= 'a' && r <= 'z' }) {
			amount, ok := scaled(number, strings.TrimSpace(f.number[len(number):]))
			if !ok {
				return true // not a number that is understood here
			}
			number = amount
		}
		c, ok := centsOf(number)
		return !ok || from.gives(c)
	case len(f.dates) > 0:
		return slices.ContainsFunc(f.dates, from.spans)
	}
	return false
}

// gives reports whether an amount is a shown one, rounded, or a sum, a difference,
// a multiple, a share or a percentage of shown ones.
func (f *figures) gives(c cents) bool {
	unit := cents(1)
	for unit < c && c%(unit*10) == 0 {
		unit *= 10
	}
	rounded := func(a cents) bool { return a == c || unit > 1 && unit <= c/10 && a-c <= unit/2 && c-a <= unit/2 }
	if slices.ContainsFunc(f.money, rounded) {
		return true
	}
	for s := range f.sums {
		if rounded(s) {
			return true
		}
	}
	if f.made == nil {
		f.compute()
	}
	if f.made[c] {
		return true
	}
	// So many nights and one more amount.
	return len(f.money) <= mostParts && slices.ContainsFunc(f.money, func(a cents) bool {
		return f.times[c-a] || f.times[c+a]
	})
}

func (f *figures) compute() {
	f.made, f.times = map[cents]bool{}, map[cents]bool{}
	for _, a := range f.money {
		for _, b := range f.money {
			f.made[a+b], f.made[max(a, b)-min(a, b)] = true, true
		}
		for _, n := range f.counts {
			count := cents(n)
			share := (a*count + 50) / 100
			f.made[a*count], f.made[(a+count/2)/count], f.times[a*count] = true, true, true
			f.made[share], f.made[a-share], f.made[a+share] = true, true, true
		}
	}
}

// spans reports whether a date lies between two dates that stand next to each
// other, such as those of a stay, or so many shown days after or before one.
func (f *figures) spans(d calendar.Date) bool {
	for i, at := range f.dates {
		days := at.Until(d)
		if days >= -1 && days <= 1 || slices.Contains(f.counts, int64(max(days, -days))) {
			return true
		}
		if i+1 < len(f.dates) && at.Until(f.dates[i+1]) <= maxSpan && days > 0 && d.Before(f.dates[i+1]) {
			return true
		}
	}
	return false
}

// centsOf reads a number in hundredths, rounding what is below them away.
func centsOf(text string) (cents, bool) {
	whole, part, _ := strings.Cut(strings.ReplaceAll(text, ",", ""), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n > 1e12 {
		return 0, false
	}
	part = (part + "00")[:2]
	p, err := strconv.ParseInt(part, 10, 64)
	return cents(n*100 + p), err == nil
}

// scaled returns a number with a word such as "lakh" as a plain number.
func scaled(number, multiple string) (string, bool) {
	c, ok := centsOf(number)
	factor := map[string]cents{"k": 1e3, "thousand": 1e3, "lakh": 1e5, "lakhs": 1e5, "lac": 1e5, "lacs": 1e5,
		"crore": 1e7, "crores": 1e7, "cr": 1e7}[strings.ToLower(strings.TrimSpace(multiple))]
	if !ok || factor == 0 {
		return "", false
	}
	c *= factor
	return strconv.FormatInt(int64(c/100), 10), true
}
