package gst

import (
	"strings"
)

// CheckHSN says what is wrong with the HSN of goods or the SAC of services. Since
// April 2021 an invoice bears 4 digits, or 6 where the turnover of the year before
// was above 5 crore; exports bear 8.
func CheckHSN(code string) []Finding {
	code = strings.TrimSpace(code)
	n := len(code)
	switch {
	case code == "":
		return []Finding{found("hsn_missing", "The HSN of the goods or the SAC of the service is missing.")}
	case strings.Trim(code, "0123456789") != "":
		return []Finding{found("hsn_digits", "An HSN or SAC has only digits; %s has other characters.",
			cut(code))}
	case n != 4 && n != 6 && n != 8:
		return []Finding{found("hsn_length", "An HSN or SAC has 4, 6 or 8 digits; %s has %d.", cut(code), n)}
	case strings.HasPrefix(code, "00") || strings.HasPrefix(code, "77"):
		return []Finding{found("hsn_chapter", "There is no chapter %s of the HSN.", code[:2])}
	case strings.HasPrefix(code, "99") && n == 8:
		return []Finding{found("hsn_length", "The SAC of a service has 4 or 6 digits; %s has 8.", code)}
	}
	return nil
}

// Service reports whether a code is the SAC of a service, not the HSN of goods.
func Service(code string) bool { return strings.HasPrefix(strings.TrimSpace(code), "99") }

// CheckNumber says what is wrong with the number of an invoice by rule 46 of the
// CGST Rules: at most 16 characters, which are letters, digits, - and /.
func CheckNumber(invoice string) []Finding {
	var list []Finding
	number := strings.TrimSpace(invoice)
	if number == "" {
		return []Finding{found("number_missing", "The number of the invoice is missing.")}
	}
	if n := len([]rune(number)); n > 16 {
		list = append(list, found("number_length", "The number of an invoice has at most 16 characters; %s has %d.",
			cut(number), n))
	}
	other := strings.IndexFunc(number, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '-' || r == '/')
	})
	if other >= 0 {
		list = append(list, found("number_characters",
			"The number of an invoice has only letters, digits, - and /; %s has others.", cut(number)))
	}
	return list
}

// cut shortens what a sentence repeats of a text.
func cut(s string) string {
	const most = 40 // runes
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
