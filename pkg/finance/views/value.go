package views

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// decode reads JSON into maps, slices, strings, bools and json.Number; nil for
// what is no JSON.
func decode(raw json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// at returns what is at a path of members and places between dots: "a.0.b", where -1
// is the last place and "a[k=v]" the first object of a whose member k is v. It is nil
// where there is nothing.
func at(v any, path string) any {
	if path == "" {
		return v
	}
	for step := range strings.SplitSeq(path, ".") {
		name, filter, filtered := strings.Cut(step, "[")
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err == nil && i < 0 {
				i += len(x)
			}
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
		if filtered {
			key, value, _ := strings.Cut(strings.TrimSuffix(filter, "]"), "=")
			v = where(v, key, value)
		}
	}
	return v
}

func where(v any, key, value string) any {
	list, _ := v.([]any)
	for _, x := range list {
		if o, ok := x.(map[string]any); ok && o[key] == value {
			return x
		}
	}
	return nil
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// amount reads a number, or a text that is one.
func amount(v any) (money.Amount, bool) {
	var s string
	switch x := v.(type) {
	case json.Number:
		s = x.String()
	case string:
		s = x
	case int:
		return money.FromInt(x), true
	default:
		return money.Zero, false
	}
	if len(s) > 40 {
		return money.Zero, false
	}
	a, err := money.Parse(s)
	return a, err == nil
}

// holds reports whether a value says something: it is neither missing nor false, nor
// zero, nor empty.
func holds(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case bool:
		return x
	case string:
		return strings.TrimSpace(x) != ""
	case json.Number:
		a, ok := amount(x)
		return !ok || !a.IsZero()
	case []any:
		return len(x) > 0
	case map[string]any:
		return len(x) > 0
	case int:
		return x != 0
	}
	return true
}

// Limits of texts of an answer, in runes.
const (
	maxCell = 400 // in a table
	maxName = 120 // in a sentence, a title or a label
)

var (
	uuids = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	// handle is a handle of package tool as a whole value, embedded one within a text.
	handle = regexp.MustCompile(`^id-[a-z2-7]{6,52}$`)
)

// clean makes one line of a text of a third party, of at most limit runes, without
// ids and without characters that hide or turn text.
func clean(s string, limit int) string {
	if len(s) > limit*utf8.UTFMax*4 { // of what is far too long, the beginning is enough
		s = strings.ToValidUTF8(s[:limit*utf8.UTFMax*4], "")
	}
	if handle.MatchString(s) {
		return ""
	}
	if strings.Count(s, "-") >= 4 {
		s = uuids.ReplaceAllString(s, "…")
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, r == '\u2028', r == '\u2029', unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c': // Hindi is written with joiners
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > limit {
		s = strings.TrimSpace(string([]rune(s)[:limit-1])) + "…"
	}
	return s
}

// scalar is a value as text: that of a number is its digits.
func scalar(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	case int:
		return strconv.Itoa(x)
	case bool:
		return strconv.FormatBool(x)
	}
	return ""
}
