package page

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// site is the list of an organisation's projects.
type site struct {
	Head  head
	Firm  firm
	Cards []card
}

// card is a project in the list.
type card struct {
	Title, Type, Place string
	Address            string
	Photo              *photo
}

// note is a document that says that there is nothing.
type note struct {
	Head       head
	Title      string
	Text, Home string
}

func newSite(s projects.Site, o Options) site {
	texts := []string{s.Business.About}
	for _, pg := range s.Pages {
		texts = append(texts, pg.Title, pg.Description)
	}
	speech := languageOf(texts...)
	v := site{Firm: newFirm(s.Business, "", speech, o)}
	var items []object
	for n, pg := range s.Pages {
		c := card{Title: clean(pg.Title), Type: clean(pg.Type), Place: clean(pg.Place),
			Address: Address(o.Site, pg.Slug)}
		if c.Title == "" {
			c.Title = speech.Untitled
		}
		if p := newAlbum(pg, c.Title, speech, o).hero(); p != nil {
			p.wide(sizesCard)
			p.First = n == 0
			c.Photo = p
			if v.Head.Photo == nil {
				v.Head.Photo = p
			}
		}
		v.Cards = append(v.Cards, c)
		items = append(items, object{"@type": "ListItem", "position": n + 1, "name": c.Title,
			"url": o.whole(c.Address)})
	}
	h := &v.Head
	h.Speech, h.Kind, h.SiteName, h.Canonical = speech, "website", v.Firm.Name, o.whole(v.Firm.Home)
	h.Title = v.Firm.Name
	if by := join(v.Firm.Trade, v.Firm.City); by != "" {
		h.Title += " – " + by
	}
	if len(v.Firm.About) > 0 {
		h.Description = summary(v.Firm.About[0])
	}
	if h.Description == "" {
		h.Description = speech.All + " " + v.Firm.Name
	}
	h.finish(v.Firm, o)
	things := []object{businessData(s.Business, v.Firm, o)}
	if len(items) > 0 {
		things = append(things, object{"@type": "ItemList", "itemListElement": items})
	}
	h.Data = encoded(things...)
	return v
}

func newNote(title, text string, o Options) note {
	return note{Title: title, Text: text, Home: home(o),
		Head: head{Speech: speak("en"), Title: title, Description: text, Hidden: true}}
}

// join puts a dot between the texts that say something.
func join(a, b string) string {
	if a != "" && b != "" {
		return a + " · " + b
	}
	return a + b
}

// Named joins the kind and the place of a job.
func (c card) Named() string { return join(c.Type, c.Place) }

// Named joins the kind and the place of a job.
func (p project) Named() string { return join(p.Type, p.Place) }

// Beside reports whether something stands beside the story.
func (p project) Beside() bool {
	return len(p.Facts)+len(p.Lists) > 0
}

// Reach reports whether there are buttons at the lower edge of a phone.
func (p project) Reach() bool {
	return slices.ContainsFunc(p.Firm.Contacts, func(l link) bool { return l.Kind == "phone" || l.Kind == "whatsapp" })
}

// Named joins the trade and the town of a business.
func (f firm) Named() string { return join(f.Trade, f.City) }

// address is an entry of a sitemap.
type address struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

// WriteSitemap writes the addresses of an organisation's pages as sitemaps.org asks.
func WriteSitemap(w io.Writer, s projects.Site, o Options) error {
	o = o.of(s.Business)
	home := address{Loc: o.whole(home(o))}
	var pages []address
	for _, pg := range s.Pages {
		pages = append(pages, address{Loc: o.whole(Address(o.Site, pg.Slug)), LastMod: day(pg.Changed)})
	}
	if len(s.Pages) > 0 {
		home.LastMod = day(slices.MaxFunc(s.Pages, func(a, b projects.Page) int {
			return a.Changed.Compare(b.Changed)
		}).Changed)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return xml.NewEncoder(w).Encode(struct {
		XMLName xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URL     []address `xml:"url"`
	}{URL: append([]address{home}, pages...)})
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// WriteRobots writes a robots.txt that allows everything and names the sitemap.
func WriteRobots(w io.Writer, o Options) error {
	_, err := fmt.Fprintf(w, "User-agent: *\nDisallow:\n\nSitemap: %s\n", o.whole(Address(o.Site, "sitemap.xml")))
	return err
}
