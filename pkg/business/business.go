// Package business has what an organisation's administrators tell its assistants:
// of each company its country, with that country's accounting, its industry and its
// size, and the questions that new conversations offer.
package business

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Context is a company. Version is 0 while it is not described: then Country and
// Currency are those of the entity.
type Context struct {
	Entity      string `json:"entity"` // the entity's key
	Name        string `json:"name"`
	Country     string `json:"country"`  // ISO 3166-1 alpha-2
	Currency    string `json:"currency"` // ISO 4217
	Industry    string `json:"industry"`
	Size        string `json:"size,omitempty"` // micro, small, medium, large
	Description string `json:"description"`
	Version     int    `json:"version"`
}

// Country is what accounting in a country calls for. Version is 0 for what holds
// for every organisation.
type Country struct {
	Code       string `json:"country"` // ISO 3166-1 alpha-2
	Name       string `json:"name"`
	Currency   string `json:"currency"`
	Symbol     string `json:"currencySymbol"`
	Grouping   string `json:"digitGrouping"` // indian, as 1,23,456, or western
	DateFormat string `json:"dateFormat"`    // such as DD/MM/YYYY
	YearBegins int    `json:"yearBegins"`    // month in which the financial year begins
	Tax        string `json:"taxName"`
	// Thresholds are amounts in the currency by name, as "eWayBill": "50000".
	Thresholds map[string]string `json:"thresholds"`
	Version    int               `json:"version"`
}

// Store keeps both for an organisation. Only administrators may change them; a
// version that is not the newest is a fault.Conflict error.
type Store interface {
	// Businesses returns the companies of by's organisation that were described.
	Businesses(ctx context.Context, by identity.Caller) ([]Context, error)
	SaveBusiness(ctx context.Context, by identity.Caller, c Context) (Context, error)
	// Countries returns those of the product, as the organisation changed them, and
	// its own, by code.
	Countries(ctx context.Context, by identity.Caller) ([]Country, error)
	SaveCountry(ctx context.Context, by identity.Caller, c Country) (Country, error)
	// ResetCountry makes a country as it is for every organisation.
	ResetCountry(ctx context.Context, by identity.Caller, code string, version int) error
}

// Of returns every entity of the caller's organisation, described or not.
func Of(by identity.Caller, described []Context) []Context {
	list := make([]Context, 0, len(by.Entities))
	for _, e := range by.Entities {
		c := Context{Entity: e.Key, Country: region(e.Locale), Currency: e.Currency}
		for _, d := range described {
			if d.Entity == e.Key {
				c = d
			}
		}
		c.Name = e.Name
		list = append(list, c)
	}
	return list
}

// region returns the country of a locale such as en-IN, "" for none.
func region(locale string) string {
	_, country, _ := strings.Cut(locale, "-")
	return country
}

// Sentence describes the company of the caller's entity for instructions to a
// model, "" where nothing is known.
func Sentence(by identity.Caller, described []Context, countries []Country) string {
	var c Context
	for _, one := range Of(by, described) {
		if one.Entity == by.Entity.Key {
			c = one
		}
	}
	var parts []string
	if c.Industry != "" {
		parts = append(parts, "its industry is "+c.Industry)
	}
	if c.Size != "" {
		parts = append(parts, "it is a "+c.Size+" enterprise")
	}
	for _, country := range countries {
		if country.Code == c.Country {
			parts = append(parts, fmt.Sprintf(
				"its country is %s, where the financial year begins in %s and the tax is %s",
				country.Name, time.Month(country.YearBegins), country.Tax))
		}
	}
	if c.Currency != "" && c.Currency != by.Entity.Currency {
		parts = append(parts, "it reports in "+c.Currency)
	}
	if len(parts) == 0 {
		return ""
	}
	text := "About the company: " + strings.Join(parts, "; ") + "."
	if c.Description != "" {
		text += " " + strings.TrimRight(c.Description, ".") + "."
	}
	return text
}

var (
	countryCode   = regexp.MustCompile(`^[A-Z]{2}$`)
	currencyCode  = regexp.MustCompile(`^[A-Z]{3}$`)
	thresholdName = regexp.MustCompile(`^[a-z][A-Za-z0-9]{0,39}$`)
	// unfit are signs that have a meaning in instructions to models.
	unfit = regexp.MustCompile("[\\x00-\\x1f\\x7f{}<>`]")
)

func bad(code, format string, args ...any) error {
	return fault.New(fault.Unprocessable, format, args...).WithCode(code)
}

// line refuses what is no single line of at most so many letters.
func line(what, text string, most int) error {
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > most || unfit.MatchString(text) {
		return bad("bad_text", "The %s is one line of at most %d letters, without braces and angle brackets.",
			what, most)
	}
	return nil
}

// CheckContext returns the context with blanks trimmed, or a fault.Unprocessable
// error that says what is wrong.
func CheckContext(c Context) (Context, error) {
	c.Industry, c.Description = strings.TrimSpace(c.Industry), strings.TrimSpace(c.Description)
	switch {
	case !countryCode.MatchString(c.Country):
		return c, bad("bad_country", "The country is a code of two capitals, such as IN.")
	case !currencyCode.MatchString(c.Currency):
		return c, bad("bad_currency", "The currency is a code of three capitals, such as INR.")
	case c.Version < 0:
		return c, bad("bad_version", "The version is a number from 0.")
	}
	switch c.Size {
	case "", "micro", "small", "medium", "large":
	default:
		return c, bad("bad_size", "The size is one of these: micro, small, medium, large.")
	}
	if err := line("industry", c.Industry, 80); err != nil {
		return c, err
	}
	return c, line("description", c.Description, 300)
}

// CheckCountry returns the country with blanks trimmed and amounts in their plain
// form, or a fault.Unprocessable error that says what is wrong.
func CheckCountry(c Country) (Country, error) {
	c.Name, c.Tax, c.Symbol = strings.TrimSpace(c.Name), strings.TrimSpace(c.Tax), strings.TrimSpace(c.Symbol)
	switch {
	case !countryCode.MatchString(c.Code):
		return c, bad("bad_country", "The country is a code of two capitals, such as IN.")
	case !currencyCode.MatchString(c.Currency):
		return c, bad("bad_currency", "The currency is a code of three capitals, such as INR.")
	case c.Name == "" || c.Tax == "" || c.Symbol == "":
		return c, bad("missing_text", "The name, the tax's name and the currency's symbol must be given.")
	case c.Grouping != "indian" && c.Grouping != "western":
		return c, bad("bad_grouping", "The digits are grouped as indian or western.")
	case c.DateFormat != "DD/MM/YYYY" && c.DateFormat != "MM/DD/YYYY" && c.DateFormat != "YYYY-MM-DD":
		return c, bad("bad_date_format", "The form of dates is one of these: DD/MM/YYYY, MM/DD/YYYY, YYYY-MM-DD.")
	case c.YearBegins < 1 || c.YearBegins > 12:
		return c, bad("bad_month", "The financial year begins in a month from 1 to 12.")
	case c.Version < 0:
		return c, bad("bad_version", "The version is a number from 0.")
	case len(c.Thresholds) > 30:
		return c, bad("too_many_thresholds", "There are at most 30 thresholds.")
	}
	for _, text := range []struct {
		what, text string
		most       int
	}{{"name", c.Name, 60}, {"tax's name", c.Tax, 40}, {"currency's symbol", c.Symbol, 8}} {
		if err := line(text.what, text.text, text.most); err != nil {
			return c, err
		}
	}
	thresholds := make(map[string]string, len(c.Thresholds))
	for name, text := range c.Thresholds {
		amount, err := money.Parse(text)
		if !thresholdName.MatchString(name) || err != nil || amount.Negative() {
			return c, bad("bad_threshold",
				"A threshold has a name of letters and digits, and an amount such as 50000.")
		}
		thresholds[name] = amount.String()
	}
	c.Thresholds = thresholds
	return c, nil
}
