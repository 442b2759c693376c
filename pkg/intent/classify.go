package intent

// classify marks the tokens that are entities.
func (s *sentence) classify() {
	out := s.tokens[:0]
	for i := 0; i < len(s.tokens); i++ {
		t := s.tokens[i]
		w := s.text(t)
		switch {
		case form(w):
		case digits(w) && len(w) <= 9:
			t.class = number
		case w[0] >= '0' && w[0] <= '9':
			t.class = numeric(w)
		case len(w) == 1 && w[0] == '$':
			// The figure follows, or stands before.
			if i+1 < len(s.tokens) && digit(s.text(s.tokens[i+1])[0]) {
				i++
				t.to = s.tokens[i].to
			}
			t.class = amount
		case mixed(w):
			t.class = code
		default:
			t.class = named(w)
		}
		if n := len(out); n > 0 && t.class == amount && out[n-1].class == number {
			out[n-1].class, out[n-1].hash = amount, hashOf([]byte{'#', '0' + byte(amount)})
			continue
		}
		t.hash = hashOf(s.text(t))
		if t.class != word {
			t.hash = hashOf([]byte{'#', '0' + byte(t.class)})
		}
		out = append(out, t)
	}
	s.tokens = out
}

// form reports whether a word with a digit names a form of a tax authority, which is
// no code: "gstr3b", "3b".
func form(w []byte) bool {
	return len(w) > 4 && string(w[:4]) == "gstr" || len(w) == 2 && digit(w[0]) && w[1] == 'b'
}

func digits(w []byte) bool {
	for _, c := range w {
		if !digit(c) && c != '.' {
			return false
		}
	}
	return true
}

// numeric classifies a token that begins with a digit.
func numeric(w []byte) class {
	colons, slashes, dashes, letters := 0, 0, 0, 0
	n := 0
	for i, c := range w {
		switch {
		case c == ':':
			colons++
		case c == '/':
			slashes++
		case c == '-':
			dashes++
		case c >= 'a' && c <= 'z':
			if letters == 0 {
				n = i
			}
			letters++
		}
	}
	switch {
	case letters > 0:
		switch string(w[n:]) {
		case "am", "pm", "hrs", "h":
			return moment
		case "st", "nd", "rd", "th":
			return number
		case "k", "l", "cr", "lakh", "crore", "rs", "inr":
			return amount
		}
		return code
	case colons > 0:
		return moment
	case slashes > 0 && dashes > 0:
		return code // "26-27/0017", of a document
	case slashes+dashes > 0:
		return date
	}
	return number
}

// mixed reports whether a word that begins with a letter holds a digit.
func mixed(w []byte) bool {
	for _, c := range w {
		if digit(c) {
			return true
		}
	}
	return false
}

// named returns the class of a word that names a number, a day or an amount.
func named(w []byte) class {
	switch string(w) {
	case "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "fifteen",
		"twenty", "thirty", "forty", "fifty", "sixty", "hundred", "thousand", "million",
		"ek", "do_", "teen", "chaar", "char", "paanch", "panch", "chhah", "saat", "aath", "nau", "das", "bees":
		return number
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
		"january", "february", "march", "april", "june", "july", "august", "september", "october",
		"november", "december", "jan", "feb", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
		"somvaar", "mangalvaar", "budhvaar", "guruvaar", "shukravaar", "shanivaar", "ravivaar":
		return date
	case "dollar", "dollars", "rupee", "rupees", "rupaye", "lakh", "lac", "crore", "hazaar", "bucks", "rs", "inr":
		return amount
	}
	return word
}

const (
	offset64 = 14695981039346656037
	prime64  = 1099511628211
)

func hashOf(w []byte) uint64 {
	h := uint64(offset64)
	for _, c := range w {
		h = (h ^ uint64(c)) * prime64
	}
	return h
}
