package publish

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// text is one that everybody will read.
type text struct {
	field string // as in Rule
	name  string // as people call it: "the title"
	words string
}

// public returns all texts of the page that people wrote or a model made.
func (v *validation) public() []text {
	p := v.project
	out := []text{{"title", "The title", p.Title}, {"type", "The kind of job", p.Type},
		{"description", "The text below the title", p.Description},
		{"seo", "The title for search engines", p.SEO.Title}, {"seo", "The text for search engines", p.SEO.Description},
		{"story", "The duration", p.Story.Duration}, {"story", "The time of completion", p.Story.Completed}}
	for _, list := range []struct {
		field, name string
		entries     []string
	}{{"materials", "A material", p.Materials}, {"techniques", "A technique", p.Techniques}, {"tags", "A tag", p.Tags}} {
		for _, e := range list.entries {
			out = append(out, text{list.field, list.name, e})
		}
	}
	for n, b := range p.Blocks {
		name := fmt.Sprintf("Piece %d of the page", n+1)
		out = append(out, text{"descriptionBlocks", name, b.Text})
		if b.Kind == projects.Gallery || b.Kind == projects.Comparison {
			continue // ids of photos
		}
		for _, item := range b.Items {
			out = append(out, text{"descriptionBlocks", name, item})
		}
	}
	for n, i := range p.Images {
		out = append(out, text{"images", fmt.Sprintf("The description of photo %d", n+1), i.Alt})
	}
	return slices.DeleteFunc(out, func(t text) bool { return t.words == "" })
}

// privacy checks what people in the photos and the client have a right to.
func (v *validation) privacy() {
	p := v.project.Private
	asked := !slices.ContainsFunc(v.ready, func(i projects.Image) bool { return !slices.Contains(p.Images, i.ID) })
	answer := func(id, field, of, has, none string) {
		ok := asked && (field == "none" || field == "agreed")
		kept := none
		if field == "agreed" {
			kept = has
		}
		wrong := "It is not said whether " + of + " can be seen in the photos."
		if field != "" && !asked {
			wrong = "Photos were added since it was said whether " + of + " can be seen in them."
		}
		v.rule(id, "privacy", ok, kept, wrong, "Look at the photos and say that there are none, or that those concerned agreed.")
	}
	answer("faces", p.Faces, "faces", "The people in the photos agreed.", "No faces can be seen in the photos.")
	answer("plates", p.Plates, "number plates", "The owners of the vehicles agreed.",
		"No number plates can be seen in the photos.")

	texts := v.public()
	var wrong []string
	field := "description"
	for _, t := range append(texts, text{"business.about", "The text about the business", v.business.About}) {
		for _, f := range v.private(t.words) {
			if len(wrong) == 0 {
				field = t.field
			}
			wrong = append(wrong, fmt.Sprintf("%s has %s: “%s”", t.name, f.kind, short(around(t.words, f.start, f.end), 120)))
		}
	}
	v.rule("private_texts", field, len(wrong) == 0, "No text names an address, a phone number or an e-mail address.",
		list(wrong), "Take it out; how to reach the business stands in its profile.")

	wrong, field = nil, "description"
	hidden := v.hidden()
	for _, t := range texts {
		for _, name := range hidden {
			if start, found := named(t.words, name); found {
				if len(wrong) == 0 {
					field = t.field
				}
				wrong = append(wrong, fmt.Sprintf("%s names %s: “%s”", t.name, name,
					short(around(t.words, start, start+len(name)), 120)))
				break
			}
		}
	}
	v.rule("place_detail", field, len(wrong) == 0, "No text says more of the place than may be shown.", list(wrong),
		"Take the name out, or allow the place to be shown more exactly. A street is never shown.")
}

// list joins findings to sentences, the first three of them.
func list(wrong []string) string {
	s := strings.Join(wrong[:min(3, len(wrong))], ". ")
	if n := len(wrong) - 3; n > 0 {
		s += fmt.Sprintf(". There are %d more", n)
	}
	return s + "."
}

// finding is something private in a text, from byte start to end.
type finding struct {
	kind       string // "a phone number"
	start, end int
}

var (
	emails  = regexp.MustCompile(`[\pL\d._%+-]+@[\pL\d-]+(\.[\pL\d-]+)+`)
	phones  = regexp.MustCompile(`\+?\d[\d ()/.-]{7,}\d`)
	streets = regexp.MustCompile(`\b\d{1,5}[a-zA-Z]?,? (\p{Lu}[\pL'’]+ ){1,3}(Street|St|Road|Rd|Lane|Ln|Avenue|Ave|` +
		`Drive|Close|Court|Way|Place|Terrace|Crescent|Grove|Gardens|Row|Square|Mews|Boulevard|Blvd|Nagar|Marg)\b`)
)

// private returns what is private in a text, other than the business's own.
func (v *validation) private(words string) []finding {
	var out []finding
	for _, i := range emails.FindAllStringIndex(words, -1) {
		if !strings.EqualFold(words[i[0]:i[1]], v.business.Email) {
			out = append(out, finding{"an e-mail address", i[0], i[1]})
		}
	}
	for _, i := range phones.FindAllStringIndex(words, -1) {
		if n := digits(words[i[0]:i[1]]); len(n) >= 9 && len(n) <= 15 && !own(n, v.business) {
			out = append(out, finding{"a phone number", i[0], i[1]})
		}
	}
	for _, i := range streets.FindAllStringIndex(words, -1) {
		out = append(out, finding{"an address", i[0], i[1]})
	}
	return out
}

// own reports whether a number is that of the business. Numbers are compared by their
// last nine digits, since a country's number may be left out.
func own(number string, b projects.Business) bool {
	for _, other := range []string{digits(b.Phone), digits(b.WhatsApp)} {
		if n := min(9, len(number), len(other)); n >= 6 && number[len(number)-n:] == other[len(other)-n:] {
			return true
		}
	}
	return false
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// hidden returns the names of the place that may not be shown.
func (v *validation) hidden() []string {
	place := v.project.Place
	var out, shown []string
	switch v.project.Detail {
	case projects.Nowhere, projects.ByCountry:
		out = []string{place.District, place.City, place.Region}
		shown = []string{place.Country}
	case projects.ByRegion:
		out = []string{place.District, place.City}
		shown = []string{place.Region, place.Country}
	case projects.ByDistrict:
		shown = []string{place.District, place.City, place.Region, place.Country}
	default:
		out = []string{place.District}
		shown = []string{place.City, place.Region, place.Country}
	}
	out = append(out, place.Street, strings.TrimLeftFunc(place.Street, func(r rune) bool { return !unicode.IsLetter(r) }))
	return slices.DeleteFunc(out, func(s string) bool { return utf8.RuneCountInString(s) < 3 || slices.Contains(shown, s) })
}

// named returns where a text has a name as whole words, written with the same capitals:
// a place may be called Bath.
func named(words, name string) (start int, found bool) {
	words, name = norm.NFC.String(words), norm.NFC.String(name)
	for at := 0; ; {
		i := strings.Index(words[at:], name)
		if i < 0 {
			return 0, false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(words[:i])
		after, _ := utf8.DecodeRuneInString(words[i+len(name):])
		if !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			return i, true
		}
		at = i + len(name)
	}
}

// around returns the sentence in which something stands.
func around(words string, start, end int) string {
	start, end = min(start, len(words)), min(end, len(words))
	if i := strings.LastIndexAny(words[:start], ".!?\n"); i >= 0 {
		start = i + 1
	} else {
		start = 0
	}
	if i := strings.IndexAny(words[end:], ".!?\n"); i >= 0 {
		end += i
	} else {
		end = len(words)
	}
	return strings.TrimSpace(words[start:end])
}
