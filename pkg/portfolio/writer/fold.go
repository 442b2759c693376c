package writer

import (
	"regexp"
	"strings"
	"unicode"
)

// fold makes letters comparable: small ones, without accents.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && r < 0x900 {
			return -1
		}
		r = unicode.ToLower(r)
		if r < 0x80 {
			return r
		}
		for i, accented := range [...]string{"àáâãäåā", "çćč", "èéêëēė", "ìíîïī", "ñń", "òóôõöøō", "śš", "ùúûüū", "ýÿ",
			"žźż"} {
			if strings.ContainsRune(accented, r) {
				return rune("aceinosuyz"[i])
			}
		}
		if r == '’' || r == '‘' {
			return '\''
		}
		return r
	}, text)
}

var word = regexp.MustCompile(`[\pL\pM]+(?:['’][\pL]+)?|\pN+(?:[.,:]\pN+)*`)

// stem returns what the forms of a folded English word share: "tile" and "tiling"
// are "til".
func stem(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'")
	switch w {
	case "metre", "metres", "meters":
		return "meter"
	case "grey":
		return "gray"
	case "does", "goes", "us", "this", "its", "has", "was", "is", "as", "yes", "thus":
		return w
	}
	if strings.HasSuffix(w, "our") && len(w) > 5 { // colour, color
		w = w[:len(w)-2] + "r"
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"),
		strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "zes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && len(w) > 3:
		w = w[:len(w)-1]
	}
	for _, end := range []string{"ing", "ied", "ed"} {
		if rest, ok := strings.CutSuffix(w, end); ok && len(rest) >= 3 && strings.ContainsAny(rest, "aeiouy") {
			if w = rest; end == "ied" {
				return w + "y"
			}
			if n := len(w); w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
				w = w[:n-1]
			}
			break
		}
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}
