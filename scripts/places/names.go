package main

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// wanted says whether another name of a city is kept. rank is how many cities are
// more important.
func wanted(name, country string, rank int) bool {
	if strings.ContainsAny(name, "()/0123456789") || utf8.RuneCountInString(name) > 40 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(name)
	if !unicode.IsLetter(first) {
		return false
	}
	if unicode.Is(unicode.Latin, first) {
		return rank < latinNames && latinName(name)
	}
	for _, r := range name {
		if unicode.Is(unicode.Latin, r) { // two names in one
			return false
		}
	}
	switch {
	case utf8.RuneCountInString(name) < 2:
		return false
	case rank < foreignNames:
		return true
	case rank < countryNames:
		return slices.ContainsFunc(scripts(country), func(t *unicode.RangeTable) bool { return unicode.Is(t, first) })
	}
	return false
}

// latinName refuses codes, transcriptions of other scripts (which GeoNames writes in
// small letters) and "city of" in other languages.
func latinName(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	if !unicode.IsUpper(first) || utf8.RuneCountInString(name) < 4 || name == strings.ToUpper(name) {
		return false
	}
	for _, begin := range []string{"Lungsod ", "Dakbayan ", "Kota ", "Bandar ", "Thanh ", "Thành ", "City of ",
		"Ciudad de ",
		"Cidade ", "Gorad ", "Gorod ", "Horad ", "Horod ", "Siudad ", "The ", "Cathair ", "Comuna ", "Mun. "} {
		if strings.HasPrefix(name, begin) {
			return false
		}
	}
	return true
}

// scripts are those in which a country writes its cities.
func scripts(country string) []*unicode.RangeTable {
	switch country {
	case "IN", "NP":
		return []*unicode.RangeTable{unicode.Devanagari, unicode.Bengali, unicode.Tamil, unicode.Telugu,
			unicode.Kannada,
			unicode.Malayalam, unicode.Gujarati, unicode.Gurmukhi, unicode.Oriya}
	case "BD":
		return []*unicode.RangeTable{unicode.Bengali}
	case "CN", "TW", "HK", "MO":
		return []*unicode.RangeTable{unicode.Han}
	case "JP":
		return []*unicode.RangeTable{unicode.Han, unicode.Katakana, unicode.Hiragana}
	case "KR":
		return []*unicode.RangeTable{unicode.Hangul}
	case "RU", "UA", "BY", "BG", "RS", "MK", "KZ", "KG", "MN":
		return []*unicode.RangeTable{unicode.Cyrillic}
	case "GR", "CY":
		return []*unicode.RangeTable{unicode.Greek}
	case "IL":
		return []*unicode.RangeTable{unicode.Hebrew}
	case "SA", "AE", "QA", "KW", "BH", "OM", "YE", "IQ", "IR", "SY", "JO", "LB", "PS", "EG", "LY", "TN", "DZ", "MA",
		"SD",
		"PK", "AF":
		return []*unicode.RangeTable{unicode.Arabic}
	case "TH":
		return []*unicode.RangeTable{unicode.Thai}
	case "GE":
		return []*unicode.RangeTable{unicode.Georgian}
	case "AM":
		return []*unicode.RangeTable{unicode.Armenian}
	}
	return nil
}
