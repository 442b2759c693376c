package page

import (
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// head is what every document says of itself.
type head struct {
	Speech      language
	Title       string
	Description string
	Canonical   string
	Kind        string // of Open Graph: "article", "website"
	SiteName    string
	Icon        string
	Photo       *photo // for those who share the page
	PhotoURL    string
	Published   string // RFC 3339
	Modified    string
	Data        template.JS // JSON-LD
	Hidden      bool        // from search engines
}

// firm is the business as a page shows it.
type firm struct {
	Name, Trade, City string
	About             []string
	Home              string // the path of its list
	Logo              *photo
	Contacts          []link
	Ask               template.URL // asks about a job like the one of the page; "" for none
}

// link is a contact as a button.
type link struct {
	Kind, Label, Text string
	Address           template.URL // checked by Contacts
}

// photo is an image element.
type photo struct {
	Src, Set, Sizes string
	Alt             string
	Width, Height   int
	// SrcWidth and SrcHeight are those of Src.
	SrcWidth, SrcHeight int
	Full                string // the address of the largest rendition
	Stage               string // "Before"
	Tall                bool
	First               bool // on the page
}

// fact is a line of the table beside the story.
type fact struct{ Name, Value string }

// entries are a list beside the story.
type entries struct {
	Name  string
	Items template.HTML
}

type project struct {
	Head     head
	Firm     firm
	Title    string
	Type     string
	Place    string
	Lead     string
	Hero     *photo
	Story    template.HTML
	Facts    []fact
	Lists    []entries
	Date     string // "22 November 2026"
	DateTime string
}

// Where photos stand, for the choice of a rendition.
const (
	sizesHero    = "(min-width:1240px) 1176px, 100vw"
	sizesTall    = "(min-width:1240px) 520px, (min-width:900px) 44vw, 100vw"
	sizesWide    = "(min-width:1240px) 760px, (min-width:980px) 62vw, 100vw"
	sizesHalf    = "(min-width:1240px) 374px, (min-width:980px) 31vw, (min-width:560px) 48vw, 100vw"
	sizesSmall   = "(min-width:1240px) 374px, (min-width:980px) 31vw, 48vw"
	sizesCard    = "(min-width:1240px) 376px, (min-width:900px) 31vw, (min-width:600px) 47vw, 100vw"
	sizesLogo    = "56px"
	shortSummary = 160 // letters of a description for search engines
)

func newProject(pg projects.Page, o Options) project {
	texts := []string{pg.Title, pg.Type, pg.Description}
	for _, b := range pg.Blocks {
		texts = append(texts, b.Text)
	}
	speech := languageOf(texts...)
	v := project{Title: clean(pg.Title), Type: clean(pg.Type), Place: clean(pg.Place)}
	if v.Title == "" {
		v.Title = speech.Untitled
	}
	v.Firm = newFirm(pg.Business, v.Title, speech, o)
	about := paragraphs(pg.Description)
	if len(about) > 0 {
		v.Lead, about = about[0], about[1:]
	}
	for _, f := range []fact{{speech.Job, v.Type}, {speech.Place, v.Place},
		{speech.Completed, clean(pg.Completed)}, {speech.Duration, clean(pg.Duration)}} {
		if f.Value != "" {
			v.Facts = append(v.Facts, f)
		}
	}
	if !pg.Published.IsZero() {
		v.Date, v.DateTime = pg.Published.UTC().Format(speech.Date), pg.Published.UTC().Format(time.DateOnly)
	}
	album := newAlbum(pg, v.Title, speech, o)
	album.beside = map[string]bool{}
	for _, text := range slices.Concat(pg.Materials, pg.Techniques,
		[]string{v.Type, v.Place, v.Firm.City, v.Firm.Trade}) {
		album.beside[fold(text)] = true
	}
	topics := slices.DeleteFunc(lines(pg.Tags), func(s string) bool { return album.beside[fold(s)] })
	for _, f := range v.Facts {
		album.beside[fold(f.Value)] = true
	}
	v.Hero = album.hero()
	v.Story = album.story(about, pg.Blocks)
	for _, l := range []entries{{speech.Materials, items(pg.Materials)}, {speech.Techniques, items(pg.Techniques)},
		{speech.Topics, items(topics)}} {
		if l.Items != "" {
			v.Lists = append(v.Lists, l)
		}
	}

	v.Head = head{Speech: speech, Title: clean(pg.SEO.Title), Description: clean(pg.SEO.Description), Kind: "article",
		Canonical: o.whole(Address(o.Site, pg.Slug)), SiteName: v.Firm.Name, Published: stamp(pg.Published),
		Modified: stamp(pg.Changed), Photo: v.Hero}
	if v.Head.Title == "" {
		v.Head.Title = v.Title
		if v.Firm.Name != "" && utf8.RuneCountInString(v.Title+v.Firm.Name) < 64 {
			v.Head.Title += " – " + v.Firm.Name
		}
	}
	if v.Head.Description == "" {
		v.Head.Description = summary(v.Lead)
	}
	v.Head.finish(v.Firm, o)
	v.Head.Data = projectData(pg, v, o)
	return v
}

// finish fills in what follows from the rest.
func (h *head) finish(f firm, o Options) {
	if f.Logo != nil {
		h.Icon = f.Logo.Src
	}
	if h.Photo != nil {
		h.PhotoURL = o.whole(h.Photo.Src)
	}
}

// newFirm returns the business as the page of a title shows it, or, where that is "",
// the list of all pages.
func newFirm(b projects.Business, title string, speech language, o Options) firm {
	f := firm{Name: clean(b.Name), Trade: clean(b.Trade), City: clean(b.City), About: paragraphs(b.About)}
	if f.Name == "" {
		f.Name = "Portfolio"
	}
	f.Home = home(o)
	if b.Logo != "" && len(b.LogoSizes) > 0 {
		logo := newPhoto(projects.Image{ID: b.Logo, Renditions: b.LogoSizes}, "", sizesLogo, speech, o)
		f.Logo = &logo
	}
	labels := map[string]string{"phone": speech.Call, "whatsapp": "WhatsApp", "email": speech.Email,
		"website": speech.Website}
	message := escaped(fmt.Sprintf(speech.Hello, title))
	for _, c := range Contacts(b) {
		if title != "" && c.Kind == "whatsapp" {
			c.Address += "?text=" + message
		}
		address := template.URL(c.Address) // its scheme and its form are known: see Contacts
		f.Contacts = append(f.Contacts, link{c.Kind, labels[c.Kind], c.Text, address})
		switch {
		case title == "" || f.Ask != "":
		case c.Kind == "whatsapp":
			f.Ask = address
		case c.Kind == "email":
			f.Ask = template.URL(c.Address + "?subject=" + escaped(title) + "&body=" + message)
		}
	}
	return f
}

// escaped escapes a value of a query. Mail programs take a plus sign for one.
func escaped(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// home returns the path of an organisation's list; "" where the organisation is unknown.
func home(o Options) string {
	if o.Site == "" {
		return ""
	}
	return "/p/" + url.PathEscape(o.Site)
}

// newPhoto makes an image element. Its address is that of the rendition which is just
// 960 pixels wide or less, for readers that know no srcset.
func newPhoto(i projects.Image, alt, sizes string, speech language, o Options) photo {
	p := photo{Alt: clean(i.Alt), Width: i.Width, Height: i.Height, Sizes: sizes, Tall: i.Height > i.Width,
		Stage: speech.stage(i.Stage)}
	if p.Alt == "" {
		p.Alt = alt
	}
	sorted := slices.SortedFunc(slices.Values(i.Renditions), func(a, b projects.Rendition) int {
		return a.Width - b.Width
	})
	var set []string
	for n, r := range sorted {
		address := o.Image(i.ID, r.Width)
		if n == 0 || r.Width <= 960 {
			p.Src, p.SrcWidth, p.SrcHeight = address, r.Width, r.Height
		}
		p.Full, p.Width, p.Height = address, r.Width, r.Height
		set = append(set, address+" "+strconv.Itoa(r.Width)+"w")
	}
	if len(set) > 1 {
		p.Set = strings.Join(set, ", ")
	} else {
		p.Sizes = ""
	}
	return p
}

// paragraphs returns the parts of a text between its empty lines.
func paragraphs(s string) []string {
	return lines(strings.Split(strings.ReplaceAll(clean(s), "\r", ""), "\n\n"))
}

// lines returns the texts that say something.
func lines(list []string) []string {
	var out []string
	for _, s := range list {
		if s = clean(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// fold returns the form in which texts are compared.
func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(clean(s))), " ") }

// summary cuts a text to what search engines show, at the end of a word.
func summary(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= shortSummary {
		return s
	}
	cut := string([]rune(s)[:shortSummary-1])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:–-") + "…"
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
