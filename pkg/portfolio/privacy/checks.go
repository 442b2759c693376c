package privacy

import (
	"slices"
	"strings"
	"unicode"
)

// isPhone tells phone numbers from dates, sizes, prices, standards and the numbers of
// orders and articles.
func isPhone(s string, i, j int) bool {
	text := s[i:j]
	digits := strings.Map(keepDigits, text)
	if len(digits) < 9 || len(digits) > 15 {
		return false
	}
	if i > 0 && strings.ContainsRune("$€£₹#.,/-", rune(s[i-1])) || j < len(s) && (s[j] == '%' || s[j] == '"') {
		return false
	}
	before := wordBefore(s, i)
	if slices.Contains(otherNumbers(), before) || standard().MatchString(s[:i]) {
		return false
	}
	if strings.HasPrefix(text, "+") || strings.HasPrefix(text, "00") || strings.HasPrefix(text, "(") {
		return len(digits) >= 9
	}
	if slices.Contains(calling(), before) {
		return true
	}
	if dateShape().MatchString(text) {
		return false
	}
	groups := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
	switch {
	case digits[0] == '0': // national numbers of most countries
		return len(digits) <= 12
	case len(digits) == 10 && usGroups(groups): // 555-123-4567
		return true
	case len(digits) == 11 && groups[0] == "1" && usGroups(groups[1:]): // 1-800-555-0199
		return true
	case len(digits) == 10 && digits[0] >= '6' && len(groups) <= 2 && !strings.ContainsAny(text, "./"): // India
		return true
	case len(digits) == 9 && strings.ContainsRune("6789", rune(digits[0])) && len(groups) >= 3 && len(groups) <= 4 &&
		!strings.ContainsAny(text, "./"): // Spain
		return len(groups[0]) >= 2
	case len(digits) == 12 && strings.HasPrefix(digits, "91") && len(groups) <= 3:
		return true
	}
	return false
}

func keepDigits(r rune) rune {
	if r >= '0' && r <= '9' {
		return r
	}
	return -1
}

func usGroups(groups []string) bool {
	return len(groups) == 3 && len(groups[0]) == 3 && len(groups[1]) == 3 && len(groups[2]) == 4
}

// otherNumbers are words before numbers that are not those of phones.
func otherNumbers() []string {
	return strings.Fields(`order serial model part ref reference invoice sku article art batch certificate
		cert ean barcode iban account quote iso din astm ral registration gstin vat policy licence license item
		product job`)
}

// calling are words before numbers that are those of phones.
func calling() []string {
	return []string{"phone", "tel", "telephone", "mobile", "mob", "call", "ring", "whatsapp", "text", "cell", "fax",
		"teléfono", "telefono", "móvil", "telefon", "handy", "phone number"}
}

// standard is the name of a body before the number of its standard.
var standard = lazily(`\b(?:BS|EN|IS)[ -]$`)

var dateShape = lazily(`^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|^(?:19|` +
	`20)\d{2} ?[-–] ?(?:19|20)\d{2}$`)

// isStreet tells "14 Rosewood Lane" from "20 Oak Drive Bolts" and "2 Way Switch".
func isStreet(s string, i, j int) bool {
	text := s[i:j]
	words := strings.Fields(text)
	for _, w := range words[1 : len(words)-1] {
		if slices.Contains([]string{"The", "Old", "New", "St.", "Of", "Grand"}, w) {
			continue
		}
		if among(noName(), strings.ToLower(strings.Trim(w, ".,"))) {
			return false
		}
	}
	return true
}

// isSpokenStreet is isStreet for small letters.
func isSpokenStreet(s string, i, j int) bool {
	words := strings.Fields(strings.ToLower(s[i:j]))
	named := false
	if words[0] == "number" || words[0] == "no" || words[0] == "no." {
		words = words[1:]
	}
	if len(words) == 3 && words[1] == "the" {
		return true // "14 the avenue"
	}
	for _, w := range words[1 : len(words)-1] {
		if among(noName(), w) || among(kindOfStreet(), w) {
			return false
		}
		named = named || !numberShape().MatchString(w)
	}
	return named
}

var numberShape = lazily(`^(?i:\d+|` + numberWord + `|[a-d])$`)

// isNamedStreet tells "Rosewood Lane" from "The Road" and "Main Street style".
func isNamedStreet(s string, i, j int) bool {
	first := strings.ToLower(strings.Fields(s[i:j])[0])
	return strings.ToLower(s[i:j]) != "silk road" && !among(noName(), first) && !among(kindOfStreet(), first)
}

// isPlainStreet tells "on rosewood lane" from "on the main road" and "in every street".
func isPlainStreet(s string, i, j int) bool {
	words := strings.Fields(strings.ToLower(s[i:j]))
	for _, w := range words[:len(words)-1] {
		if among(noName(), w) || among(kindOfStreet(), w) || len(w) < 3 ||
			numberShape().MatchString(w) {
			return false
		}
	}
	return true
}

func isRomance(s string, i, j int) bool {
	text := s[i:j]
	lower := strings.ToLower(text)
	if strings.HasPrefix(lower, "via ") || strings.HasPrefix(lower, "plaza ") || strings.HasPrefix(lower, "corso ") {
		return strings.ContainsAny(text, "0123456789")
	}
	return true
}

// noName are words that no street is called by: units, prepositions, articles, verbs.
func noName() string {
	return `a an the of on in at to up down by from for with and or but is was are were it its
		this that these
		those my our your his her their over under off into onto across along near behind next new old more
			other same
		metre metres meter meters m mm cm feet foot ft inch inches yard yards mile miles km square sq cubic
			hour hours day
		days week weeks month months minute minutes year years litre litres kilo kilos kg ton tons tonne tonnes
			bag bags
		box boxes piece pieces coat coats layer layers door doors house houses window windows people lads men
			guys trips
		way lane laned went go going did we they i he she you who where when then so because away block blocks
			left right
		percent pounds quid euros dollars rupees grand point times`
}

// kindOfStreet are words that say what sort of street it is, not which one.
func kindOfStreet() string {
	return `main side back busy quiet narrow country private public own whole dirt gravel access service
		little small big long steep wide single one-way two-way dead tarmac farm cobbled shared residential high same
		nearest local new next old front first last another any no some each every concrete block paved unmade
			nice lovely posh leafy pretty cul tree-lined ordinary typical normal winding
		bumpy muddy terraced cul-de-sac silk`
}

func hasDigitAndLetter(s string, i, j int) bool {
	text := strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return -1
		}
		return r
	}, s[i:j])
	return strings.ContainsFunc(text, unicode.IsDigit) && strings.ContainsFunc(text, unicode.IsLetter) &&
		len(text) >= 5
}

// isPostcode tells "ls6 3qb" from "m10 2ft".
func isPostcode(s string, i, j int) bool {
	text := s[i:j]
	if text == strings.ToUpper(text) {
		return true
	}
	if !strings.Contains(text, " ") || text != strings.ToLower(text) {
		return false
	}
	return !slices.Contains(strings.Fields("ft ha hp lb yd st nd rd th hr gb tb db hz pt sq pa ah wh wl"),
		text[len(text)-2:])
}

// isDutch tells "1017 AB" from "2026 SS" and "2500 RPM".
func isDutch(s string, i, j int) bool {
	letters := s[j-2:]
	if slices.Contains([]string{"SA", "SD", "SS", "AD", "BC", "HP", "PS", "UK", "US", "EU", "BS", "EN", "IS",
		"AM", "PM", "LE", "GT"}, letters) {
		return false
	}
	year := s[i:i+2] == "19" || s[i:i+2] == "20"
	return !year
}

// isFlat tells "flat 3" from "a flat 3 mm profile".
func isFlat(s string, i, j int) bool {
	next, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(s[j:])), " ")
	return !among(`mm cm m x by inch inches foot feet ft metre metres meter meters kg millimetre millimetres mil`,
		strings.Trim(next, ".,;"))
}

// among reports whether a list of words, parted by spaces, has a word.
func among(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}
