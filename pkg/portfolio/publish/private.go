package publish

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/privacy"
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
		{"seo", "The title for search engines", p.SEO.Title},
		{"seo", "The text for search engines", p.SEO.Description},
		{"place", "The place", Place(p)},
		{"story", "The duration", p.Story.Duration}, {"story", "The time of completion", p.Story.Completed}}
	for _, list := range []struct {
		field, name string
		entries     []string
	}{{"materials", "A material", p.Materials}, {"techniques", "A technique", p.Techniques},
		{"tags", "A tag", p.Tags}} {
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
		v.rule(id, "privacy", ok, kept, wrong,
			"Look at the photos and say that there are none, or that those concerned agreed.")
	}
	answer("faces", p.Faces, "faces", "The people in the photos agreed.", "No faces can be seen in the photos.")
	answer("plates", p.Plates, "number plates", "The owners of the vehicles agreed.",
		"No number plates can be seen in the photos.")

	var private, exact findings
	hidden := v.hidden()
	for _, t := range v.public() {
		t.words = norm.NFC.String(t.words)
		found := v.private(t.words)
		for _, f := range found {
			private.add(t, "has "+kinds(f.Kind), f.Start, f.End)
		}
		for _, name := range hidden {
			start, end := named(t.words, name)
			if start < end && !slices.ContainsFunc(found, func(f privacy.Finding) bool {
				return f.Start < end && start < f.End // said already
			}) {
				exact.add(t, "names "+name, start, end)
				break
			}
		}
	}
	about := text{"business.about", "The text about the business", v.business.About}
	for _, f := range v.private(about.words) {
		private.add(about, "has "+kinds(f.Kind), f.Start, f.End)
	}
	v.rule("private_texts", private.field(), len(private.said) == 0,
		"No text names an address, a phone number or the like.", private.String(),
		"Take it out; how to reach the business stands in its profile.")
	v.rule("place_detail", exact.field(), len(exact.said) == 0,
		"No text says more of the place than may be shown.", exact.String(),
		"Take the name out, or allow the place to be shown more exactly. A street is never shown.")
}

// findings are sentences on what was found in texts.
type findings struct {
	said  []string
	first string // the field of the first
}

// add notes what stands in a text between two bytes, with its sentence.
func (f *findings) add(t text, what string, start, end int) {
	if len(f.said) == 0 {
		f.first = t.field
	}
	f.said = append(f.said, fmt.Sprintf("%s %s: “%s”", t.name, what, short(around(t.words, start, end), 120)))
}

func (f *findings) field() string {
	if f.first == "" {
		return "description"
	}
	return f.first
}

// String returns the first three of them.
func (f *findings) String() string {
	s := strings.Join(f.said[:min(3, len(f.said))], ". ")
	if n := len(f.said) - 3; n > 0 {
		s += fmt.Sprintf(". There are %d more", n)
	}
	return s + "."
}

// kinds says what a finding is, in words.
func kinds(k privacy.Kind) string {
	switch k {
	case privacy.Phone:
		return "a phone number"
	case privacy.Email:
		return "an e-mail address"
	case privacy.Plate:
		return "a number plate"
	case privacy.Postcode:
		return "a postcode"
	}
	return "an address"
}

// private returns what is private in a text, other than the business's own.
func (v *validation) private(words string) []privacy.Finding {
	return slices.DeleteFunc(privacy.Find(words), func(f privacy.Finding) bool {
		switch f.Kind {
		case privacy.Email:
			return strings.EqualFold(f.Text, v.business.Email)
		case privacy.Phone:
			return own(digits(f.Text), v.business)
		}
		return false
	})
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
	out = append(out, place.Street, strings.TrimLeftFunc(place.Street, func(r rune) bool {
		return !unicode.IsLetter(r) // without its number
	}))
	// "Headingley, near the park" is hidden by each of its parts.
	for _, s := range slices.Clone(out) {
		out = append(out, strings.Split(s, ",")...)
	}
	for i := range out {
		out[i] = strings.TrimSpace(norm.NFC.String(out[i]))
	}
	return slices.DeleteFunc(out, func(s string) bool {
		return utf8.RuneCountInString(s) < 3 || slices.Contains(shown, s)
	})
}

// named returns where a text has a name as whole words, written with the same capitals,
// since a place may be called Bath; start and end are the same where it has not.
func named(words, name string) (start, end int) {
	name = norm.NFC.String(name)
	for at := 0; ; at = end {
		i := strings.Index(words[at:], name)
		if i < 0 {
			return 0, 0
		}
		start, end = at+i, at+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(words[:start])
		after, _ := utf8.DecodeRuneInString(words[end:])
		if !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			return start, end
		}
	}
}

// around returns the sentence in which something stands.
func around(words string, start, end int) string {
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
