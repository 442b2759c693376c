package reservations

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// checkName refuses what no reservation can bear; otherwise a name stays exactly
// as it was typed.
func checkName(name string) error {
	switch {
	case plaintext.Empty(name):
		return fault.New(fault.Invalid, "The guest needs a name.")
	case utf8.RuneCountInString(name) > 160:
		return fault.New(fault.Invalid, "The guest's name is longer than 160 letters.")
	}
	return checkText("The guest's name", name, 160)
}

func checkText(what, text string, limit int) error {
	switch {
	case strings.ContainsRune(text, 0):
		return fault.New(fault.Invalid, "%s holds a character that can't be stored.", what)
	case utf8.RuneCountInString(text) > limit:
		return fault.New(fault.Invalid, "%s may have up to %d letters.", what, limit)
	}
	return nil
}

// tidy brings e-mail, phone and country into the form in which they are kept,
// and explains what it can't read.
func (g *Guest) tidy() error {
	g.Email = strings.TrimSpace(g.Email)
	g.PhoneCountryCode = digits(g.PhoneCountryCode)
	g.Phone = strings.Join(strings.Fields(strings.NewReplacer("(", " ", ")", " ", ".", " ", "/",
		" ").Replace(digits(g.Phone))), " ")
	g.Country = strings.ToUpper(strings.TrimSpace(g.Country))
	if code := strings.TrimPrefix(strings.TrimPrefix(g.PhoneCountryCode, "+"), "00"); code != "" {
		g.PhoneCountryCode = "+" + code
	}
	switch {
	case g.Email != "" && (len(g.Email) > 254 || !regexp.MustCompile(`^[^\s@]+@[^\s@]+$`).MatchString(g.Email)):
		return fault.New(fault.Invalid, "%q is not an e-mail address such as asha@example.com.", clip(g.Email))
	case g.PhoneCountryCode != "" && !regexp.MustCompile(`^\+[1-9][0-9]{0,3}$`).MatchString(g.PhoneCountryCode):
		return fault.New(fault.Invalid, "%q is not a telephone country code such as +91.", clip(g.PhoneCountryCode))
	case strings.HasPrefix(g.Phone, "+"):
		return fault.New(fault.Invalid, "The country code and the number are two things: write phone_country_code "+
			"as +91 and phone as 98765 43210.")
	case g.Phone != "" && !regexp.MustCompile(`^[0-9][0-9 -]{2,19}$`).MatchString(g.Phone):
		return fault.New(fault.Invalid, "%q is not a telephone number: 3 to 20 digits, spaces and hyphens, without "+
			"the country code.", clip(g.Phone))
	case g.Country != "" && !regexp.MustCompile(`^[A-Z]{2}$`).MatchString(g.Country):
		return fault.New(fault.Invalid, "%q is not a country in two letters such as IN or GB.", clip(g.Country))
	}
	return checkText("The e-mail address", g.Email, 254)
}

// digits trims a text and writes the decimal digits of every script as 0 to 9.
func digits(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf || !unicode.Is(unicode.Nd, r) {
			return r
		}
		// Each script's ten digits stand in a row, and its zero has no digit before it.
		value := rune(0)
		for unicode.Is(unicode.Nd, r-1-value) && value < 9 {
			value++
		}
		return '0' + value
	}, norm.NFKC.String(s)))
}

func checkPeople(adults, children int) error {
	switch {
	case adults < 1 || adults > 200:
		return fault.New(fault.Invalid, "adults must be from 1 to 200, not %d.", adults)
	case children < 0 || children > 200:
		return fault.New(fault.Invalid, "children must be from 0 to 200, not %d.", children)
	}
	return nil
}
