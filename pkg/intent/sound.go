package intent

// sound appends to out how a word sounds, whatever its spelling: "booking" and
// "buking", "kamraa" and "kamra" are alike. English endings are left out.
func sound(out, w []byte) []byte {
	w = stem(w)
	for i := 0; i < len(w); i++ {
		c := w[i]
		next := byte(0)
		if i+1 < len(w) {
			next = w[i+1]
		}
		switch {
		case c == 'p' && next == 'h':
			c = 'f'
			i++
		case next == 'h' && aspirated(c):
			if c == 'c' || c == 's' {
				c -= 'a' - 'A'
			}
			i++
		case c == 'e' && next == 'e', c == 'y' && i > 0:
			c = 'i'
		case c == 'o' && next == 'o':
			c = 'u'
		case c == 'w':
			c = 'v'
		case c == 'z':
			c = 'j'
		case c == 'q', c == 'c' && next != 'e' && next != 'i' && next != 'y':
			c = 'k'
		}
		if len(out) > 0 && out[len(out)-1] == c {
			continue
		}
		out = append(out, c)
	}
	// What is silent at the end is left out.
	for len(out) > 2 && (out[len(out)-1] == 'e' || out[len(out)-1] == 'h') {
		out = out[:len(out)-1]
	}
	return out
}

// stem cuts the commonest endings of English words.
func stem(w []byte) []byte {
	n := len(w)
	switch {
	case n > 5 && string(w[n-3:]) == "ing":
		return w[:n-3]
	case n > 4 && (string(w[n-2:]) == "ed" || string(w[n-2:]) == "es"):
		return w[:n-2]
	case n > 3 && w[n-1] == 's' && w[n-2] != 's':
		return w[:n-1]
	}
	return w
}

func aspirated(c byte) bool {
	switch c {
	case 'k', 'g', 't', 'd', 'b', 'c', 's', 'j':
		return true
	}
	return false
}

// Sound returns how a word of small Latin letters sounds, whatever its spelling: two
// spellings of one name have the same sound.
func Sound(word string) string { return string(sound(nil, []byte(word))) }
