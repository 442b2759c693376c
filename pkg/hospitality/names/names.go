// Package names finds the thing that somebody means by a code or a name, and
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

// Find returns the item whose code or, failing that, whose name is the wanted
// one; case and spaces do not matter. kind is what such an item is called in
// the sentence of the fault.NotFound error, such as "room type". A name that
// several items bear is a fault.Invalid error that lists their codes.
func Find[T Named](list []T, wanted, kind string) (T, error) {
	var none T
	key := Fold(wanted)
	for _, item := range list {
		if code, _ := item.Naming(); Fold(code) == key {
			return item, nil
		}
	}
	var same []T
	for _, item := range list {
		if _, name := item.Naming(); Fold(name) == key {
			same = append(same, item)
		}
	}
	switch len(same) {
	case 1:
		return same[0], nil
	case 0:
		return none, missing(list, wanted, key, kind)
	}
	return none, fault.New(fault.Invalid, "Several are called %q. Which one is meant: %s?", short(wanted), shown(same))
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
