package reading

import (
	"slices"
	"strings"
)

// airlineNames are names of airlines by IATA code, in small letters. A name that is also a
// word or a place stands with "air" or the like only.
var airlineNames = []struct{ code, names string }{
	{"A3", "aegean"}, {"AA", "american airlines"}, {"AC", "air canada"}, {"AF", "air france"}, {"AI", "air india"},
	{"AM", "aeromexico"}, {"AR", "aerolineas argentinas"}, {"AS", "alaska airlines"}, {"AV", "avianca"}, {"AY",
		"finnair"},
	{"AZ", "ita airways|alitalia"}, {"B6", "jetblue|jet blue"}, {"BA", "british airways"}, {"BG", "biman"},
	{"BR", "eva air"}, {"CA", "air china"}, {"CI", "china airlines"}, {"CM", "copa airlines"}, {"CX", "cathay " +
		"pacific|cathay"},
	{"CZ", "china southern"}, {"DE", "condor"}, {"DL", "delta airlines|delta air lines|delta"}, {"EI", "aer lingus"},
	{"EK", "emirates"}, {"ET", "ethiopian airlines|ethiopian"}, {"EW", "eurowings"}, {"EY", "etihad"}, {"FR",
		"ryanair"},
	{"FZ", "flydubai|fly dubai"}, {"G9", "air arabia"}, {"GA", "garuda"}, {"GF", "gulf air"}, {"HA", "hawaiian " +
		"airlines"},
	{"HU", "hainan airlines"}, {"HV", "transavia"}, {"IB", "iberia"}, {"IX", "air india express"}, {"J2",
		"azerbaijan airlines"},
	{"JL", "japan airlines|jal"}, {"JQ", "jetstar"}, {"KE", "korean air"}, {"KL", "klm"}, {"KQ", "kenya airways"},
	{"KU", "kuwait airways"}, {"LA", "latam"}, {"LH", "lufthansa"}, {"LO", "lot polish|lot airlines"}, {"LS", "jet2"},
	{"LX", "swiss air|swiss airlines"}, {"LY", "el al"}, {"ME", "middle east airlines"}, {"MH", "malaysia " +
		"airlines"}, {"MS", "egyptair"},
	{"MU", "china eastern"}, {"NH", "all nippon|ana airlines"}, {"NK", "spirit airlines"}, {"NZ", "air new zealand"},
	{"OS", "austrian airlines"}, {"OZ", "asiana"}, {"PC", "pegasus airlines|pegasus"}, {"PR", "philippine airlines"},
	{"PK", "pakistan international"}, {"QF", "qantas"}, {"QP", "akasa air|akasa"}, {"QR", "qatar airways"},
	{"RJ", "royal jordanian"}, {"AT", "royal air maroc"},
	{"SA", "south african airways"}, {"SG", "spicejet|spice jet"}, {"SK", "sas airlines|scandinavian airlines"},
	{"SN", "brussels airlines"},
	{"SQ", "singapore airlines"}, {"SV", "saudia"}, {"TG", "thai airways"}, {"TK", "turkish airlines"}, {"TP",
		"tap air portugal|tap portugal|air portugal"},
	{"U2", "easyjet|easy jet"}, {"UA", "united airlines"}, {"UL", "srilankan airlines|srilankan"}, {"UX", "air " +
		"europa"}, {"VN", "vietnam airlines"},
	{"VS", "virgin atlantic"}, {"VY", "vueling"}, {"W6", "wizz air|wizzair|wizz"}, {"WN", "southwest airlines"},
	{"WY", "oman air"},
	{"6E", "indigo airlines|indigo"}, {"ZZ", "duffel airways"}, {"5J", "cebu pacific"}, {"AK", "airasia|air " +
		"asia"}, {"TR", "scoot"},
}

// airlineOf returns the name of an airline by its code; "" for none that is known.
func airlineOf(code string) string {
	for _, a := range airlineNames {
		if a.code == code {
			name, _, _ := strings.Cut(a.names, "|")
			words := strings.Fields(name)
			for i, w := range words {
				words[i] = upperFirst(w)
			}
			return strings.Join(words, " ")
		}
	}
	return ""
}

// airlines finds names of airlines, and codes where "with" or "airline" stands beside.
func (t *text) airlines() []string {
	var out []string
	// Longer names first, so that "air india express" is not "air india".
	type name struct{ code, name string }
	var names []name
	for _, a := range airlineNames {
		for n := range strings.SplitSeq(a.names, "|") {
			names = append(names, name{a.code, n})
		}
	}
	slices.SortStableFunc(names, func(a, b name) int { return len(b.name) - len(a.name) })
	for _, n := range names {
		at := strings.Index(t.low, n.name)
		if at < 0 || !t.whole(at, at+len(n.name)) || !t.free(at, at+len(n.name)) {
			continue
		}
		if endsIn(t.before(at), "not", "no", "except", "without", "avoid", "hate", "never", "but") {
			continue // what is not wanted can't be filtered for
		}
		t.use(at, at+len(n.name))
		if !slices.Contains(out, n.code) {
			out = append(out, n.code)
		}
	}
	t.each(airlineCode, func(m match) bool {
		at := max(m.at[2], m.at[4]) // of the group that took part
		code := t.plain[at : at+2]
		if code != strings.ToUpper(code) || airlineOf(code) == "" {
			return false
		}
		if !slices.Contains(out, code) {
			out = append(out, code)
		}
		return true
	})
	return out
}

var airlineCode = lazily(`(?:with|on|by|only|fly|flying) ([a-z][a-z0-9]|[0-9][a-z])|the ([a-z][a-z0-9]|` +
	`[0-9][a-z]) (?:one|flight)`)
