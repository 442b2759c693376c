// Package names finds the record that a user means by a code or a name, and
// says in a sentence what there is when nothing fits.
package names

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Named is something that people call by a code or by a name.
type Named interface{ Naming() (code, name string) }

// Find returns the item that is called by the wanted code or name; case, spaces
// and hyphens do not matter, and where nothing fits so, accents and apostrophes
// do not either. kind is what such an item is called in the sentence of the
// fault.NotFound error, such as "room type". What several items are called is a
// fault.Invalid error that lists them; a code written exactly is always one.
func Find[T Named](list []T, wanted, kind string) (T, error) {
	var none T
	for _, item := range list {
		if code, _ := item.Naming(); code == strings.TrimSpace(wanted) {
			return item, nil
		}
	}
	key := Fold(wanted)
	for _, form := range []func(string) string{Fold, loose} {
		switch same := called(list, form, form(wanted)); len(same) {
		case 0:
		case 1:
			return same[0], nil
		default:
			return none, fault.New(fault.Invalid, "Several are called %q. Which one is meant: %s?", short(wanted),
				shown(same))
		}
	}
	return none, missing(list, wanted, key, kind)
}

func called[T Named](list []T, form func(string) string, key string) []T {
	if key == "" {
		return nil
	}
	var same []T
	for _, item := range list {
		if code, name := item.Naming(); form(code) == key || form(name) == key {
			same = append(same, item)
		}
	}
	return same
}

// Act finds the item as Find does and writes to it by its code. When nothing is
// found, write is called with the words themselves: a repeated call no longer
// finds what its first one has renamed or removed, but the store knows the act
// by its claim and gives the first one's answer. What was never there is the
// fault.NotFound error of Find.
func Act[T Named, R any](list []T, wanted, kind string, write func(code string) (R, error)) (R, error) {
	item, missing := Find(list, wanted, kind)
	if missing != nil && !fault.Is(missing, fault.NotFound) {
		var none R
		return none, missing
	}
	code, _ := item.Naming()
	if missing != nil {
		code = wanted
	}
	out, err := write(code)
	if missing != nil && fault.Is(err, fault.NotFound) {
		return out, missing
	}
	return out, err
}

// Taken returns the item that bears the name already, however it is written.
func Taken[T Named](list []T, name string) (item T, taken bool) {
	for _, item := range list {
		if _, other := item.Naming(); Fold(other) == Fold(name) {
			return item, true
		}
	}
	return item, false
}

// Fold returns the form in which names are compared: without case, without
// accents' different spellings, words joined by one space; hyphens count as
// spaces.
func Fold(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == '_' || unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cf, r): // invisible signs
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(s))
	return strings.Join(strings.Fields(s), " ")
}

// loose is Fold without accents and apostrophes. Only the marks of Latin letters
// go: in other scripts such marks are vowels.
func loose(s string) string {
	return Fold(strings.Map(func(r rune) rune {
		if r >= '\u0300' && r <= '\u036f' || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, norm.NFD.String(s)))
}

func missing[T Named](list []T, wanted, key, kind string) error {
	if len(list) == 0 {
		return fault.New(fault.NotFound, "There is no %s %q; there are none at all.", kind, short(wanted))
	}
	var near []T
	for _, item := range list {
		code, name := item.Naming()
		if alike(Fold(code), key) || alike(Fold(name), key) {
			near = append(near, item)
		}
	}
	if len(near) > 0 {
		return fault.New(fault.NotFound, "There is no %s %q. Did you mean %s?", kind, short(wanted), shown(near))
	}
	return fault.New(fault.NotFound, "There is no %s %q. There are: %s.", kind, short(wanted), shown(list))
}

// shown lists at most ten items as "Coco (COCO)".
func shown[T Named](list []T) string {
	var parts []string
	for _, item := range list[:min(10, len(list))] {
		code, name := item.Naming()
		if name == "" {
			parts = append(parts, code)
			continue
		}
		parts = append(parts, name+" ("+code+")")
	}
	if len(list) > 10 {
		parts = append(parts, "and others")
	}
	return strings.Join(parts, ", ")
}

func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// alike reports whether two folded names are near: one begins with the other,
// a word of one is in the other, or few letters differ.
func alike(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if len(b) >= 3 && strings.HasPrefix(a, b) || len(a) >= 3 && strings.HasPrefix(b, a) {
		return true
	}
	words := strings.Fields(b)
	for _, w := range strings.Fields(a) {
		if len(w) >= 4 && slices.Contains(words, w) {
			return true
		}
	}
	return distance([]rune(a), []rune(b)) <= max(1, min(len(a), len(b))/4)
}

// distance is the number of letters to insert, drop or replace. Long texts are
// never near, which also bounds the work.
func distance(a, b []rune) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		previous := row[0]
		row[0] = i + 1
		for j := range b {
			cost := previous
			if a[i] != b[j] {
				cost++
			}
			previous = row[j+1]
			row[j+1] = min(cost, previous+1, row[j]+1)
		}
	}
	return row[len(b)]
}
