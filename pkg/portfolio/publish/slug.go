package publish

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// maxSlug leaves room for the "-2" of a slug that is taken.
const maxSlug = 60

// small are words that addresses do without.
const small = " a an and at by for from in into my of on our the to with de del el en la las los y con "

// Slug returns a project's part of an address: "oak-kitchen-renovation-leeds". It is
// made of the title and of the town or region, as far as the place may be shown, in
// ASCII letters, digits and single hyphens; at most 60 of them. A project without a
// title is called by its type, and one without both "project".
func Slug(p projects.Project) string {
	words := spelt(p.Title)
	if len(words) == 0 {
		words = spelt(p.Type)
	}
	if len(words) == 0 {
		words = []string{"project"}
	}
	shown, _, _ := strings.Cut(Place(p), ",")
	if place := spelt(shown); len(place) > 0 && !contains(words, place) {
		words = append(words, place...)
	}
	if kept := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return strings.Contains(small, " "+w+" ")
	}); len(kept) > 0 {
		words = kept
	}
	slug := ""
	for _, w := range words {
		switch {
		case slug == "":
			slug = w[:min(maxSlug, len(w))]
		case len(slug)+1+len(w) > maxSlug:
			return slug
		default:
			slug += "-" + w
		}
	}
	return slug
}

// SlugOf returns the slug under which a project is to be published: the one that it has,
// since people have links to it, else Slug. One that names a part of the place that is
// not shown any more gives way to Slug, too, unless that names it as well.
func SlugOf(p projects.Project) string {
	if p.Slug == "" {
		return Slug(p)
	}
	now, has, shown := Slug(p), strings.Split(p.Slug, "-"), spelt(Place(p))
	for _, part := range []string{p.Place.Street, p.Place.District, p.Place.City, p.Place.Region,
		p.Place.Country} {
		words := spelt(part)
		if len(words) > 0 && !contains(shown, words) && contains(has, words) &&
			!contains(strings.Split(now, "-"), words) {
			return now
		}
	}
	return p.Slug
}

// contains reports whether one list of words stands in another.
func contains(words, wanted []string) bool {
	for i := range words {
		if i+len(wanted) <= len(words) && slices.Equal(words[i:i+len(wanted)], wanted) {
			return true
		}
	}
	return false
}

// spelt returns the words of a text in small ASCII letters and digits; other scripts
// are transliterated.
func spelt(text string) []string {
	return strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			return unicode.ToLower(r)
		case r == '\'': // "Müller's" is "mullers"
			return -1
		}
		return ' '
	}, unidecode.Unidecode(norm.NFKC.String(text))))
}
