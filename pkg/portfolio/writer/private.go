package writer

import "regexp"

// hidden matches what is private in any text: telephone numbers, e-mail addresses,
// and streets with a house number.
var hidden = regexp.MustCompile(`(?i)[\w.+-]+@[\w-]+(?:\.[\w-]+)+` +
	`|\+?\d[\d ()-]{7,}\d` +
	`|\b\d+[a-z]?,? (?:[A-Z][\w']+ ){1,3}(?:street|st|road|rd|lane|ln|avenue|ave|drive|dr|close|court|ct|crescent|` +
	`way|terrace|place|pl|gardens|grove|hill|square|walk|mews|row|boulevard|blvd|nagar|marg)\b` +
	`|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b`)

// span is a part of a text, from one byte to before another.
type span struct{ from, to int }

// privateIn returns where a text has something private.
func privateIn(text string) []span {
	var out []span
	for _, at := range hidden.FindAllStringIndex(text, -1) {
		out = append(out, span{at[0], at[1]})
	}
	return out
}
