package publish

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/page"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Validate checks a project and the profile of its organisation. The rules are always
// the same ones in the same order.
func Validate(p projects.Project, b projects.Business) Report {
	v := validation{project: p, business: b, ready: p.Ready()}
	v.texts()
	v.photos()
	v.privacy()
	v.profile()
	v.limits()
	return Report{OK: !slices.ContainsFunc(v.rules, func(r Rule) bool { return !r.OK }), Rules: v.rules}
}

// validation is one run over a project.
type validation struct {
	project  projects.Project
	business projects.Business
	ready    []projects.Image
	rules    []Rule
}

// rule adds a rule: kept says that it is kept, and otherwise wrong and mend what is
// the matter and what to do.
func (v *validation) rule(id, field string, ok bool, kept, wrong, mend string) {
	r := Rule{ID: id, OK: ok, Reason: kept, Field: field}
	if !ok {
		r.Reason, r.Mend = wrong, mend
	}
	v.rules = append(v.rules, r)
}

func (v *validation) texts() {
	p := v.project
	v.rule("title", "title", said(p.Title), "The page has a title.", "The page has no title.",
		"Write one, such as “Oak kitchen renovation in Leeds”, or ask the assistant for it.")
	v.rule("type", "type", said(p.Type), "The kind of job is said.", "It is not said what kind of job this was.",
		"Name it, such as “kitchen renovation”.")
	shown, where := Place(p), "The place is not shown."
	if shown != "" {
		where = "The place is shown as “" + shown + "”."
	}
	v.rule("place", "place", shown != "" || p.Detail == projects.Nowhere, where,
		"It is not known where the job was, as "+how(p.Detail)+".",
		"Name the town, or choose that the place is not shown. The street never is.")
	letters := utf8.RuneCountInString(strings.TrimSpace(p.Description))
	v.rule("description", "description", letters >= MinDescription, "The text below the title says enough.",
		fmt.Sprintf("The text below the title has %s; it needs at least %d.", count(letters, "letter"),
			MinDescription),
		"Add a sentence on what the client wished for and what was done.")
	v.rule("blocks", "descriptionBlocks", slices.ContainsFunc(p.Blocks, func(b projects.Block) bool {
		return said(b.Text) || len(b.Items) > 0
	}), "The page tells about the job.", "The page tells nothing about the job yet.",
		"Add a paragraph, or ask the assistant to write the page.")
}

// how says in words what a detail shows.
func how(d projects.Detail) string {
	switch d {
	case projects.ByCountry:
		return "far as its country"
	case projects.ByRegion:
		return "far as its region"
	case projects.ByDistrict:
		return "far as its district"
	}
	return "far as its town"
}

func (v *validation) photos() {
	p := v.project
	n := len(v.ready)
	enough := count(n, "photo") + " will be shown."
	if hero, ok := p.Hero(); ok {
		enough = fmt.Sprintf("%s will be shown, number %d at the top.", count(n, "photo"), v.number(hero.ID))
	}
	v.rule("photos", "images", n >= MinPhotos, enough,
		fmt.Sprintf("The page has %s; it needs at least %d.", count(n, "photo"), MinPhotos),
		"Add photos; one before and one after the work say most.")

	reading := v.numbers(func(i projects.Image) bool { return i.State == projects.Reading })
	v.rule("photos_read", "images", len(reading) == 0, "All photos have been read.",
		sentence(reading, "is still being read.", "are still being read."), "Wait a moment and check again.")
	refused := v.numbers(func(i projects.Image) bool { return i.State == projects.Refused })
	v.rule("photos_refused", "images", len(refused) == 0, "Every photo can be shown.",
		sentence(refused, "cannot be shown.", "cannot be shown."), "Take it out, or add the photo again as a JPEG.")
	unsaid := v.numbers(func(i projects.Image) bool { return i.State == projects.Ready && !said(i.Alt) })
	v.rule("alt_texts", "images", len(unsaid) == 0, "Every photo has a description for those who cannot see it.",
		sentence(unsaid, "has no description.", "have no description."),
		"Say in a few words what is to be seen, such as “The finished island with its oak top”.")
}

// number is a photo's place in the order, from 1.
func (v *validation) number(id string) int {
	return 1 + slices.IndexFunc(v.project.Images, func(i projects.Image) bool { return i.ID == id })
}

// numbers names the photos of which f is true, as people see them.
func (v *validation) numbers(f func(projects.Image) bool) []string {
	var out []string
	for n, i := range v.project.Images {
		if f(i) {
			name := fmt.Sprint(n + 1)
			if i.Name != "" {
				name += " (" + short(i.Name, 40) + ")"
			}
			out = append(out, name)
		}
	}
	return out
}

// sentence says something of photos: "Photo 2 (hall.jpg) has no description."
func sentence(photos []string, one, more string) string {
	switch n := len(photos); {
	case n == 0:
		return ""
	case n == 1:
		return "Photo " + photos[0] + " " + one
	case n > 4:
		return fmt.Sprintf("Photos %s and %d more %s", strings.Join(photos[:3], ", "), n-3, more)
	default:
		return "Photos " + strings.Join(photos[:n-1], ", ") + " and " + photos[n-1] + " " + more
	}
}

// profile checks what the page says of who did the job.
func (v *validation) profile() {
	b := v.business
	v.rule("business_name", "business.name", said(b.Name) && b.Site != "", "The page says who did the job.",
		"The business profile has no name.", "Save the profile with the name of the business.")
	v.rule("business_contact", "business.phone", len(page.Contacts(b)) > 0, "The page says how to get in touch.",
		"Readers of the page could not get in touch.",
		"Add a phone number, a WhatsApp number, an e-mail address or a website (https) to the business profile.")
}

// limits checks lengths. The store holds most of them already; texts that came by
// another way are measured here.
func (v *validation) limits() {
	p := v.project
	var long, field = "", "title"
	check := func(name, of string, text string, most int) {
		if n := utf8.RuneCountInString(text); long == "" && n > most {
			long, field = fmt.Sprintf("%s has %d letters; at most %d fit.", name, n, most), of
		}
	}
	most := func(name, of string, n, limit int) {
		if long == "" && n > limit {
			long, field = fmt.Sprintf("%s: there are %d, and at most %d fit.", name, n, limit), of
		}
	}
	check("The title", "title", p.Title, MaxTitle)
	check("The text below the title", "description", p.Description, MaxDescription)
	for _, list := range []struct {
		name, field string
		entries     []string
	}{{"Materials", "materials", p.Materials}, {"Techniques", "techniques", p.Techniques}, {"Tags", "tags", p.Tags}} {
		most(list.name, list.field, len(list.entries), MaxEntries)
		for _, e := range list.entries {
			check(fmt.Sprintf("“%s” of the %s", short(e, 30), strings.ToLower(list.name)), list.field, e, MaxEntry)
		}
	}
	most("Pieces of the page", "descriptionBlocks", len(p.Blocks), projects.MaxBlocks)
	for n, b := range p.Blocks {
		check(fmt.Sprintf("Piece %d of the page", n+1), "descriptionBlocks", b.Text, projects.MaxBlockText)
		most(fmt.Sprintf("Entries of piece %d", n+1), "descriptionBlocks", len(b.Items), projects.MaxItems)
		for _, item := range b.Items {
			check(fmt.Sprintf("An entry of piece %d", n+1), "descriptionBlocks", item, projects.MaxBlockText)
		}
	}
	most("Photos", "images", len(p.Images), projects.MaxImages)
	for n, i := range p.Images {
		check(fmt.Sprintf("The description of photo %d", n+1), "images", i.Alt, MaxAlt)
	}
	check("The text about the business", "business.about", v.business.About, MaxAbout)
	v.rule("lengths", field, long == "", "No text is too long.", long, "Make it shorter.")

	title, text := utf8.RuneCountInString(p.SEO.Title), utf8.RuneCountInString(p.SEO.Description)
	wrong := fmt.Sprintf("The title for search engines has %d letters; at most %d fit.", title, MaxSEOTitle)
	if title <= MaxSEOTitle {
		wrong = fmt.Sprintf("The text for search engines has %d letters; at most %d fit.", text, MaxSEOText)
	}
	v.rule("seo", "seo", title <= MaxSEOTitle && text <= MaxSEOText, "Search engines can show title and text whole.",
		wrong, "Make it shorter, or leave it empty: then the page's own title and text are taken.")

	size := page.Size(Snapshot(p, v.business, time.Time{}))
	v.rule("size", "descriptionBlocks", size <= MaxPage, "The page is light enough for a phone.",
		fmt.Sprintf("The page has %d KB of text; at most %d KB are sent to a phone.", size/1000, MaxPage/1000),
		"Shorten its longest pieces, or take some out.")
}

// said reports whether a text has letters or digits.
func said(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// count says a number of things.
func count(n int, thing string) string {
	switch n {
	case 0:
		return "no " + thing + "s"
	case 1:
		return "one " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// short cuts a text to so many letters.
func short(s string, letters int) string {
	r := []rune(strings.TrimSpace(s))
	if len(r) <= letters {
		return string(r)
	}
	return strings.TrimSpace(string(r[:letters-1])) + "…"
}
