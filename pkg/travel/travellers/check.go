package travellers

import (
	"net/mail"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
)

// Problem says what is wrong with a field of the form, by its name in JSON:
// "passport.number". Text is a sentence for people, without what they wrote.
type Problem struct {
	Field string `json:"field"`
	Text  string `json:"text"`
}

// Bounds of a profile.
const (
	maxName  = 60
	maxEmail = 120
	oldest   = 1900 // no traveller was born before
)

var (
	phones    = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
	numbers   = regexp.MustCompile(`^[A-Z0-9]{4,20}$`)
	countries = regexp.MustCompile(`^[A-Z]{2}$`)
)

// masked begins a number that is shown without its first signs.
const masked = "•"

// Check returns the traveller in the form in which it is kept, and what is wrong with
// it. Names may be in any script: whether an airline takes them is asked for an order
// alone. Fields may be empty, but a traveller has a name; today is a local date.
func Check(t Traveller, today calendar.Date) (Traveller, []Problem) {
	var problems []Problem
	wrong := func(field, text string) { problems = append(problems, Problem{field, text}) }
	t.Given, t.Family = tidy(t.Given), tidy(t.Family)
	t.Title, t.Gender = strings.ToLower(tidy(t.Title)), strings.ToLower(tidy(t.Gender))
	for _, name := range []struct{ field, text string }{{"givenName", t.Given}, {"familyName", t.Family}} {
		switch {
		case utf8.RuneCountInString(name.text) > maxName:
			wrong(name.field, "A name has at most 60 letters.")
		case !isName(name.text):
			wrong(name.field, "A name has letters, spaces, hyphens and apostrophes only.")
		}
	}
	if t.Given == "" && t.Family == "" {
		wrong("givenName", "Please enter a name.")
	}
	if !oneOf(t.Title, "", "mr", "mrs", "ms", "miss", "dr") {
		wrong("title", "The title is one of mr, mrs, ms, miss and dr.")
	}
	if !oneOf(t.Gender, "", "m", "f") {
		wrong("gender", "The gender is m or f, as in the passport.")
	}
	if !t.Born.IsZero() && (t.Born.After(today) || t.Born.Year < oldest) {
		wrong("bornOn", "The date of birth is not in the future, and not before 1900.")
	}
	t.Email = tidy(t.Email)
	if t.Email != "" && !isAddress(t.Email) {
		wrong("email", "This is not an e-mail address.")
	}
	t.Phone = phone(t.Phone)
	if t.Phone != "" && !phones.MatchString(t.Phone) {
		wrong("phone", "A phone number is written with its country, as +44 7700 900123.")
	}
	p, found := passport(t.Passport)
	t.Passport = p
	return t, append(problems, found...)
}

// passport returns the document in its form, and what is wrong with it. One without a
// number is none.
func passport(given *Passport) (*Passport, []Problem) {
	if given == nil {
		return nil, nil
	}
	p := *given
	var problems []Problem
	p.Country = strings.ToUpper(tidy(p.Country))
	p.Number = strings.TrimSpace(p.Number)
	if !strings.HasPrefix(p.Number, masked) {
		p.Number = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(p.Number))
	}
	if p.Number == "" && p.Country == "" && p.Expires.IsZero() {
		return nil, nil
	}
	if !strings.HasPrefix(p.Number, masked) && !numbers.MatchString(p.Number) {
		problems = append(problems, Problem{"passport.number", "A passport's number has 4 to 20 letters and figures."})
	}
	if !countries.MatchString(p.Country) {
		problems = append(problems, Problem{"passport.country",
			"The country that issued the passport is written with two letters, as GB."})
	}
	if p.Expires.IsZero() {
		problems = append(problems, Problem{"passport.expires", "Please enter the day on which the passport expires."})
	}
	return &p, problems
}

// tidy returns a text with single spaces and none around it.
func tidy(s string) string { return strings.Join(strings.Fields(s), " ") }

func oneOf(s string, allowed ...string) bool {
	for _, a := range allowed {
		if s == a {
			return true
		}
	}
	return false
}

// isName reports whether a text has what names have, in any script. The joiners are
// needed to write names of Indic scripts.
func isName(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" '’.-\u200c\u200d", r) {
			return false
		}
	}
	return utf8.ValidString(s)
}

func isAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || len(s) > maxEmail {
		return false
	}
	_, host, _ := strings.Cut(s, "@")
	return strings.Contains(strings.Trim(host, "."), ".")
}

// phone returns a number as E.164 writes it, if it can be read so.
func phone(s string) string {
	s = strings.NewReplacer(" ", "", "(0)", "", "(", "", ")", "", "-", "", ".", "", "/", "", "\u00a0", "").Replace(s)
	if rest, ok := strings.CutPrefix(s, "00"); ok {
		return "+" + rest
	}
	return s
}
