package privacy

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// finder finds private things of one shape. Where the shape has a group, the first one
// is what was found.
type finder struct {
	kind  Kind
	shape func() *regexp.Regexp
	// needs are pieces of which a text has at least one, in small letters, for the shape to
	// be looked for; "#" stands for a digit. They spare most texts most of the work.
	needs []string
	// holds looks at s[i:j] and what stands around it; nil holds always.
	holds func(s string, i, j int) bool
}

// lazily returns what compiles a pattern at its first use.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// numberWord are numbers of houses as they are spoken.
const numberWord = `(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|` +
	`sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)` +
	`(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?)`

// spokenDigit is a digit of a phone number as it is spoken.
const spokenDigit = `(?:(?:double|triple|treble) )?(?:oh|zero|one|two|three|four|five|six|seven|eight|nine|nought)`

// The streets of English-speaking countries end in such words. The first are hardly
// anything else, so that they are found in small letters too; the others are ordinary
// words, found only as parts of names.
const (
	sureStreet = `(?:lane|road|street|avenue|crescent|boulevard|mews|rd|ave|blvd|cresc|ln|nagar|marg|gali)`
	nameStreet = `(?:Lane|Road|Street|Avenue|Crescent|Boulevard|Mews|Rd|Ave|Blvd|Cresc|Ln|St|Drive|Dr|Close|` +
		`Court|Ct|` +
		`Place|Pl|Way|Terrace|Gardens|Grove|Hill|Row|Square|Sq|Walk|Rise|Park|View|Highway|Hwy|Parkway|Pkwy|` +
		`Circle|Cir|` +
		`Trail|Loop|Green|Vale|Croft|Fold|Bank|Parade|Path|Wharf|Quay|Chase|Garth|Meadows?|Heights|Ridge|Terr|` +
		`Cul-de-sac|` +
		`Nagar|Marg|Gali|Chowk|Colony|Enclave|Layout|Vihar|Cross|Main|Apartments?|Society|Residency|Towers?)`
	houseNumber = `\d{1,5}(?:[-–/]\d{1,4})?[ ]?[A-Da-d]?`
	properWord  = `(?:\p{Lu}[\p{L}'’.-]*|\d{1,3}(?:st|nd|rd|th))`
	plainWord   = `[a-z][a-z'’]+`
)

var (
	emailShape  = lazily(`[\p{L}\d._%+-]+(?:['’][\p{L}\d._%+-]+)?@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+`)
	spokenEmail = lazily(`(?i)[\p{L}\d._+-]+(?: dot [\p{L}\d]+)*(?: at | ?[(\[]at[)\]] ?)[\p{L}\d-]+` +
		`(?:(?: dot |\.| ?[(\[]dot[)\]] ?)[\p{L}\d]+)*(?: dot | ?[(\[]dot[)\]] ?)` +
		`(?:com|net|org|co|uk|in|de|es|fr|it|io|eu|us|biz|info|me|example)(?: dot (?:uk|in|au|nz|za))?`)

	hiddenEmail = lazily(`(?i)[\p{L}\d._+-]+ ?[(\[]at[)\]] ?[\p{L}\d-]+(?:\.[\p{L}\d-]+)+`)

	phoneShape  = lazily(`(?:\+|\b00)?\(?\d[\d ()./–-]{6,22}\d`)
	spokenPhone = lazily(`(?i)(?:plus )?` + spokenDigit + `(?:[ ,-]+` + spokenDigit + `){8,15}`)

	numbered = lazily(`(?:(?i:flat|apt\.?|apartment|unit|no\.?|number|house|suite) ?#?\d+\w?,? )?` +
		houseNumber + `,? (?:` + properWord + ` ){1,4}` + nameStreet + `\b\.?`)
	spokenStreet = lazily(`(?i)((?:\d{1,5} ?[a-d]?|` + numberWord + `) ((?:` + plainWord + ` ){1,3})` +
		sureStreet + `)\b`)
	ontoStreet = lazily(`(?i)\b(?:on|in|at|off|down|of|along|called) ([a-z][a-z'’]+ (?:` + plainWord +
		` )?(?:lane|road|street|avenue|crescent|boulevard|mews))\b`)
	// After "at" the ordinary words are streets too: "at 9 priory close".
	atStreet = lazily(`(?i)\b(?:at|address is|address) ((?:number |no\.? )?\d{1,4} ?[a-d]? (?:the )?(?:` +
		plainWord + ` ){0,2}(?:lane|road|street|avenue|drive|close|court|place|way|terrace|gardens|grove|hill|` +
		`row|square|walk|rise|park|view|crescent|green|mews))\b`)
	plot        = lazily(`(?i)\b(?:plot|villa) #?\d{1,4}[a-z]?\b`)
	chatLink    = lazily(`(?i)\bwa\.me/\+?\d{8,15}`)
	spokenPlate = lazily(`(?i)\b(?:plate|registration|reg|van|car|truck)(?: number)?(?: (?:is|was|reads|said))?:? ` +
		`([a-z]{2}\d{2} ?[a-z]{3})\b`)
	lowerCalle  = lazily(`\b(?:calle|rua|avenida|paseo) (?:de |del |de la )?[\p{L}]+(?: [\p{L}]+)? \d{1,4}\b`)
	namedStreet = lazily(`\p{Lu}[\p{L}'’-]+ (?:\p{Lu}[\p{L}'’-]+ )?(?:Lane|Road|Street|Avenue|Crescent|` +
		`Boulevard|Mews|Rd|Ave|Blvd)\b(?: \d{1,4}[a-z]?(?:[,.;]|$))?`)
	numberedStreet = lazily(`\b\d{1,3}(?:st|nd|rd|th) (?:Street|Avenue|St|Ave)\b`)
	poBox          = lazily(`(?i)\bP\.? ?O\.? ?Box \d+`)
	flat           = lazily(`(?i)((?:flat|apt\.?|apartment) (?:no\.? ?)?#?(?:[a-h]-?)?\d{1,4}[a-h]?)`)
	block          = lazily(`[A-H]-?\d{1,4}, (?:\p{Lu}[\p{L}]+ ){1,3}(?:Apartments?|Society|Residency|` +
		`Towers?|Enclave|Heights)\b`)
	romance = lazily(`(?i)(?:\d{1,4}(?: ?bis| ?ter)?,? )?(?:rue|avenue|calle|c/|avenida|avda\.?|paseo|via|` +
		`viale|piazza|plaza|corso) ` +
		`(?:d[eiu](?:l|lla|lle|gli)? |de la |de los |des? |l['’])?(?-i:\p{Lu})[\p{L}'’-]+(?: (?:(?-i:\p{Lu})|` +
		`de )[\p{L}'’-]*)*,? ?(?:n[º°.] ?)?\d{0,4}\b`)
	german = lazily(`\p{Lu}[\p{L}-]*(?:straße|strasse|str\.|weg|gasse|allee|platz|straat|gracht|laan|` +
		`plein)(?: \d{1,4} ?[a-h]?)\b|` +
		`\p{Lu}[\p{L}-]+ (?:Straße|Strasse|Str\.|Weg|Gasse|Allee|Platz) \d{1,4} ?[a-h]?\b`)
	indian = lazily(`(?i)(?:(?:house|plot|door|villa|h\.?|d\.?|shop) ?(?:no|` +
		`number)\.? ?#?[a-z]?-?\d[\da-z]*(?:[-/][\da-z]+)*)` +
		`|(?:#\d{1,4},? \d{1,2}(?:st|nd|rd|th) (?:cross|main))|(?:sector[ -]\d{1,3},? (?:noida|gurgaon|gurugram|` +
		`chandigarh))`)

	ukPlate = lazily(`\b[A-HJ-PR-Y][A-Y](?:0[1-9]|[1-7][0-9]) ?[A-HJ-PR-Z]{3}\b`)
	inPlate = lazily(`\b(?:AN|AP|AR|AS|BR|CG|CH|DD|DL|GA|GJ|HP|HR|JH|JK|KA|KL|LA|LD|MH|ML|MN|MP|MZ|NL|OD|PB|PY|` +
		`RJ|SK|TN|` +
		`TR|TS|UK|UP|WB)[ -]?\d{1,2}[A-Z]?[ -]?[A-Z]{1,3}[ -]?\d{4}\b`)
	nearbyPlate = lazily(`(?i)\b(?:plate|number plate|licen[cs]e plate|registration|reg|kennzeichen|` +
		`matr[ií]cula|van|car|truck)` +
		`(?: number| no\.?)?(?: (?:is|was|reads|said))?:? ((?-i:[A-Z0-9]{1,8}(?:[ -][A-Z0-9]{1,4}){0,3}))\b`)

	ukPostcode = lazily(`(?i)\b(?:A[BL]|B[ABDHLNRST]?|C[ABFHMORTVW]|D[ADEGHLNTY]|E[CHNX]?|F[KY]|G[LUY]?|` +
		`H[ADGPRSUX]|I[GMPV]|JE|` +
		`K[ATWY]|L[ADELNSU]?|M[EKL]?|N[EGNPRW]?|O[LX]|P[AEHLOR]|R[GHM]|S[AEGKLMNOPRSTWY]?|T[ADFNQRSW]|UB|` +
		`W[ACDFNRSV]?|YO|ZE)` +
		`\d[\dA-HJKPSTUW]? ?\d[ABD-HJLNP-UW-Z]{2}\b`)
	usZip = lazily(`\b(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|` +
		`S[CD]|T[NX]|UT|V[AT]|W[AIVY]),? ` +
		`(\d{5}(?:-\d{4})?)\b|\b\d{5}-\d{4}\b`)
	inPin    = lazily(`(?i)\b(?:pin ?(?:code)?:? ?)([1-8]\d{2} ?\d{3})\b`)
	inTown   = lazily(`\b\p{Lu}\p{Ll}+ ?[-–,]? ?([1-8]\d{2} ?\d{3})\b`)
	dutch    = lazily(`\b[1-9]\d{3} [A-Z]{2}\b`)
	fiveTown = lazily(`\b(\d{5}) (?:` + euCities + `)\b`)
)

// euCities are large towns of countries whose postcodes have five digits.
const euCities = `Berlin|Hamburg|München|Muenchen|Munich|Köln|Koeln|Frankfurt|Stuttgart|Düsseldorf|Leipzig|` +
	`Dresden|Hannover|` +
	`Nürnberg|Bremen|Bonn|Essen|Dortmund|Paris|Lyon|Marseille|Toulouse|Nice|Nantes|Bordeaux|Lille|Strasbourg|` +
	`Madrid|Barcelona|` +
	`Valencia|Sevilla|Málaga|Zaragoza|Bilbao|Granada|Roma|Rome|Milano|Milan|Torino|Turin|Napoli|Naples|Firenze|` +
	`Florence|` +
	`Bologna|Venezia|Genova|Palermo|Verona|Alicante|Murcia|Palma|Helsinki|Stockholm|Heidelberg|Freiburg|` +
	`Augsburg|Mainz`

func finders() []finder {
	digit := []string{"#"}
	spoken := []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
	streets := []string{"lane", "road", "street", "avenue", "crescent", "boulevard", "mews", " rd", " ave",
		" blvd", " cresc",
		" ln", "nagar", "marg", "gali"}
	return []finder{
		{Email, emailShape, []string{"@"}, nil},
		{Email, spokenEmail, []string{" dot ", "dot)", "dot]"}, nil},
		{Email, hiddenEmail, []string{"(at)", "[at]"}, nil},
		{Phone, phoneShape, digit, isPhone},
		{Phone, spokenPhone, spoken, nil},
		{Address, numbered, digit, isStreet},
		{Address, spokenStreet, streets, isSpokenStreet},
		{Address, atStreet, []string{"at ", "address "}, isSpokenStreet},
		{Address, plot, []string{"plot ", "villa "}, isFlat},
		{Address, lowerCalle, []string{"calle ", "rua ", "avenida ", "paseo "}, nil},
		{Phone, chatLink, []string{"wa.me/"}, nil},
		{Plate, spokenPlate, digit, nil},
		{Address, namedStreet, streets, isNamedStreet},
		{Address, numberedStreet, digit, nil},
		{Address, ontoStreet, streets, isPlainStreet},
		{Address, poBox, []string{"box "}, nil},
		{Address, flat, []string{"flat ", "apt", "apartment"}, isFlat},
		{Address, block, digit, nil},
		{Address, romance, []string{"rue ", "avenue ", "calle ", "c/", "avenida ", "avda", "paseo ", "via ",
			"viale ", "piazza ",
			"plaza ", "corso "}, isRomance},
		{Address, german, digit, nil},
		{Address, indian, digit, nil},
		{Plate, ukPlate, digit, nil},
		{Plate, inPlate, digit, nil},
		{Plate, nearbyPlate, digit, hasDigitAndLetter},
		{Postcode, ukPostcode, digit, isPostcode},
		{Postcode, usZip, digit, nil},
		{Postcode, inPin, digit, nil},
		{Postcode, inTown, digit, nil},
		{Postcode, dutch, digit, isDutch},
		{Postcode, fiveTown, digit, nil},
	}
}

// worth reports whether a text, in small letters, may have what a finder looks for.
func (f finder) worth(lower string, digits bool) bool {
	for _, n := range f.needs {
		if n == "#" && digits || strings.Contains(lower, n) {
			return true
		}
	}
	return false
}

// wordBefore returns the word that ends before i, in small letters.
func wordBefore(s string, i int) string {
	s = strings.TrimRight(s[:i], " :#.\t")
	at := strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if at < 0 {
		return strings.ToLower(s)
	}
	_, size := utf8.DecodeRuneInString(s[at:])
	return strings.ToLower(s[at+size:])
}
