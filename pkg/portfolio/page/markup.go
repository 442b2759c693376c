package page

import (
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// markup writes those parts of a document that repeat: html/template takes a
// microsecond for each value, of which a long story has a thousand. Every value is
// escaped here, for texts and for quoted attributes alike.
type markup struct{ strings.Builder }

// text writes a text.
func (m *markup) text(s string) { m.WriteString(html.EscapeString(s)) }

// attr writes an attribute; one that is "" is left out.
func (m *markup) attr(name, value string) {
	if value == "" {
		return
	}
	m.WriteString(` ` + name + `="`)
	m.text(value)
	m.WriteByte('"')
}

// elements writes an element of a name for each text.
func (m *markup) elements(name string, texts ...string) {
	for _, s := range texts {
		m.WriteString("<" + name + ` dir="auto">`)
		m.text(s)
		m.WriteString("</" + name + ">")
	}
}

// image writes an image element. Photos below the first are loaded when they are near.
func (m *markup) image(p photo) {
	m.WriteString("<img")
	m.attr("src", p.Src)
	m.attr("srcset", p.Set)
	m.attr("sizes", p.Sizes)
	m.attr("width", strconv.Itoa(p.Width))
	m.attr("height", strconv.Itoa(p.Height))
	m.WriteString(` alt="`)
	m.text(p.Alt)
	if p.First {
		m.WriteString(`" fetchpriority="high">`)
		return
	}
	m.WriteString(`" loading="lazy" decoding="async">`)
}

// figures writes photos side by side; each leads to its largest rendition.
func (m *markup) figures(class string, photos []photo) {
	m.WriteString(`<div class="` + class + `">`)
	for _, p := range photos {
		m.WriteString("<figure><a")
		m.attr("href", p.Full)
		m.WriteByte('>')
		m.image(p)
		m.WriteString("</a>")
		if p.Stage != "" {
			m.WriteString("<figcaption>")
			m.text(p.Stage)
			m.WriteString("</figcaption>")
		}
		m.WriteString("</figure>")
	}
	m.WriteString("</div>")
}

// html returns what was written.
func (m *markup) html() template.HTML {
	return template.HTML(m.String()) // escaped where it was written
}

// Element is the photo as an image element.
func (p photo) Element() template.HTML {
	var m markup
	m.image(p)
	return m.html()
}

// items returns the entries of a list.
func items(texts []string) template.HTML {
	var m markup
	m.elements("li", lines(texts)...)
	return m.html()
}

// repeats reports whether a piece is a list of what stands beside the story. It is left
// out of the story, with its heading.
func (a *album) repeats(b projects.Block) bool {
	return b.Kind == projects.List && b.Text == "" && len(b.Items) > 0 &&
		!slices.ContainsFunc(b.Items, func(s string) bool {
			_, value, _ := strings.Cut(s, ": ") // "Duration: three weeks"
			return !a.beside[fold(s)] && (value == "" || !a.beside[fold(value)])
		})
}

// story writes the pieces of a page that have something to show, and the photos that
// none of them has shown.
func (a *album) story(more []string, list []projects.Block) template.HTML {
	var m markup
	m.Grow(16 << 10)
	m.elements("p", more...)
	for n, b := range list {
		if a.repeats(b) || b.Kind == projects.Heading && n+1 < len(list) && a.repeats(list[n+1]) {
			continue
		}
		switch b.Kind {
		case projects.Heading:
			m.elements("h2", lines([]string{b.Text})...)
		case projects.Paragraph:
			m.elements("p", paragraphs(b.Text)...)
		case projects.Quote:
			if text := paragraphs(b.Text); len(text) > 0 {
				m.WriteString("<blockquote>")
				m.elements("p", text...)
				m.WriteString("</blockquote>")
			}
		case projects.List:
			m.elements("p", lines([]string{b.Text})...)
			if entries := lines(b.Items); len(entries) > 0 {
				m.WriteString("<ul>")
				m.elements("li", entries...)
				m.WriteString("</ul>")
			}
		case projects.Gallery, projects.Comparison:
			a.gallery(&m, b.Kind, b.Items)
		}
	}
	a.gallery(&m, projects.Gallery, a.rest())
	return m.html()
}
