// Package forms checks what people write into a hotel's records, and shows
// what an update would change. Its errors are fault.Invalid ones whose sentence
// says what to write instead.
package forms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// MaxPrice is the highest price that the records hold.
const MaxPrice = 9999999

// Line makes one line of user input: words joined by one space. Every other sign
// stays, seen or not: what shows a text makes hidden characters harmless.
func Line(s string) string { return strings.Join(strings.Fields(s), " ") }

// Text tidies a text of several lines: outer spaces go, line breaks stay.
func Text(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }

// storable refuses control signs, of which the database cannot hold some and
// none is meant. what is what holds them.
func storable(what, s string) error {
	for _, r := range s {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return fault.New(fault.Invalid, "The %s contains a control sign (U+%04X), which cannot be stored.", what,
				r)
		}
	}
	return nil
}

// Name tidies a name in place. what is what it names, such as "extra".
func Name(what string, name *string) error {
	*name = Line(*name)
	switch {
	case plaintext.Empty(*name):
		return fault.New(fault.Invalid, "The %s needs a name.", what)
	case utf8.RuneCountInString(*name) > 120:
		return fault.New(fault.Invalid, "The name is longer than 120 letters.")
	}
	return storable("name", *name)
}

// Words tidies a text in place and limits its letters. what is what the
// sentence calls it, such as "description".
func Words(what string, text *string, limit int) error {
	*text = Text(*text)
	if utf8.RuneCountInString(*text) > limit {
		return fault.New(fault.Invalid, "The %s is longer than %d letters.", what, limit)
	}
	return storable(what, *text)
}

// List tidies short words in place, such as amenities: each is one line of at
// most 60 letters; empty ones and repetitions go.
func List(what string, words *[]string, limit int) error {
	list := make([]string, 0, len(*words))
	known := map[string]bool{}
	for _, w := range *words {
		w = Line(w)
		key := strings.ToLower(w)
		if w == "" || known[key] {
			continue
		}
		if utf8.RuneCountInString(w) > 60 {
			return fault.New(fault.Invalid, "One of the %s is longer than 60 letters.", what)
		}
		if err := storable(what, w); err != nil {
			return err
		}
		known[key] = true
		list = append(list, w)
	}
	if len(list) > limit {
		return fault.New(fault.Invalid, "There are more than %d %s.", limit, what)
	}
	*words = list
	return nil
}

// Price checks the bounds of a price. what is what the sentence calls it, such
// as "price" or "weekend price".
func Price(what string, price money.Amount) error {
	switch limit := money.FromInt(MaxPrice); {
	case price.Negative():
		return fault.New(fault.Invalid, "The %s must not be below zero.", what)
	case price.Cmp(limit) > 0:
		return fault.New(fault.Invalid, "The %s must not be above %s.", what, limit)
	}
	return nil
}

// Cents refuses prices that the currency cannot express, instead of rounding
// them behind the person's back. Nil prices are left out.
func Cents(currency string, prices ...*money.Amount) error {
	digits := money.Digits(currency)
	for _, p := range prices {
		if p != nil && p.Decimals() > digits {
			return fault.New(fault.Invalid, "A price in %s has at most %d decimals.", currency, digits)
		}
	}
	return nil
}

// Percent checks a share from 0 to 100 with at most two decimals. argument is
// the name of the argument that holds it.
func Percent(argument string, rate money.Amount) error {
	if rate.Negative() || rate.Cmp(money.FromInt(100)) > 0 || rate.Decimals() > 2 {
		return fault.New(fault.Invalid, "%s must be from 0 to 100 percent, with at most two decimals.", argument)
	}
	return nil
}

// Between checks a whole number.
func Between(argument string, n, low, high int) error {
	if n < low || n > high {
		return fault.New(fault.Invalid, "%s must be from %d to %d, not %d.", argument, low, high, n)
	}
	return nil
}
