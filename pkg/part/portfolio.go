package part

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// projectCode is what people call a project.
var (
	projectCode = regexp.MustCompile(`^[A-Z0-9][A-Z0-9-]{0,31}$`)
	photoID     = regexp.MustCompile(`^[a-z2-9]{24}$`)
)

// maxDescription is how many letters the text below a title has.
const maxDescription = 2000

// Photos is the content of a part of the kind photos: a place to drop photos of a
// project, which the client uploads and attaches to it.
type Photos struct {
	Project string `json:"project"` // its code
	Title   string `json:"title"`
	// Wanted says of which there are too few: "before", "during" or "after".
	Wanted []string `json:"wanted,omitempty"`
	Have   int      `json:"have"` // photos that are there
	Most   int      `json:"most"` // photos that may be there
}

// Kind is "photos".
func (Photos) Kind() string { return "photos" }

// Text says what is asked for.
func (p Photos) Text() string { return fmt.Sprintf("%s (%d of at most %d)", p.Title, p.Have, p.Most) }

// Check requires a project and a title.
func (p Photos) Check() error {
	if !projectCode.MatchString(p.Project) || !short(p.Title, maxSent) || p.Have < 0 || p.Most < 1 {
		return errors.New("the project, the title or the numbers of photos are missing")
	}
	for _, w := range p.Wanted {
		if !slices.Contains([]string{"before", "during", "after"}, w) {
			return fmt.Errorf("photos of the stage %q are unknown", w)
		}
	}
	return nil
}

// Page is the content of a part of the kind page: a project as its page will look, for
// a panel beside the conversation. It has no markup.
type Page struct {
	Project string `json:"project"` // its code
	Version int    `json:"version"`
	Status  string `json:"status"` // draft, published, archived
	URL     string `json:"url,omitempty"`
	// Open asks the client to show the panel; otherwise it refreshes one that is open.
	Open bool `json:"open,omitempty"`
	// Edit asks for the panel in which the texts are edited, by tools.
	Edit        bool        `json:"edit,omitempty"`
	Title       string      `json:"title"`
	Type        string      `json:"type,omitempty"`
	Place       string      `json:"place,omitempty"` // as it will be shown
	Description string      `json:"description,omitempty"`
	SEOTitle    string      `json:"seoTitle,omitempty"`
	SEOText     string      `json:"seoDescription,omitempty"`
	Tags        []string    `json:"tags,omitempty"`
	Materials   []string    `json:"materials,omitempty"`
	Techniques  []string    `json:"techniques,omitempty"`
	Blocks      []PageBlock `json:"blocks,omitempty"`
	Photos      []PagePhoto `json:"photos,omitempty"`
	// Missing are sentences on what still keeps it from being published.
	Missing []string `json:"missing,omitempty"`
}

// PageBlock is one piece of the page; see Page.
type PageBlock struct {
	Kind  string   `json:"kind"` // heading, paragraph, list, quote, gallery, comparison
	Text  string   `json:"text,omitempty"`
	Items []string `json:"items,omitempty"` // lines, or ids of photos
}

// PagePhoto is a photo of the page. Its address, which is signed for some minutes, is
// asked for at /api/projects/{project}/images/{id}.
type PagePhoto struct {
	ID     string `json:"id"`
	Alt    string `json:"alt,omitempty"`
	Stage  string `json:"stage,omitempty"`
	Hero   bool   `json:"hero,omitempty"`
	State  string `json:"state"` // reading, ready, refused
	Reason string `json:"reason,omitempty"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// Kind is "page".
func (Page) Kind() string { return "page" }

// Text writes the page as plain text.
func (p Page) Text() string {
	title := p.Title
	if title == "" {
		title = "(no title yet)"
	}
	lines := []string{title}
	for _, s := range []string{strings.Join(slices.DeleteFunc([]string{p.Type, p.Place},
		func(s string) bool { return s == "" }), ", "), p.Description} {
		if s != "" {
			lines = append(lines, s)
		}
	}
	for _, b := range p.Blocks {
		if b.Text != "" {
			lines = append(lines, b.Text)
		}
		if b.Kind == "list" {
			for _, i := range b.Items {
				lines = append(lines, "- "+i)
			}
		}
	}
	if n := len(p.Photos); n > 0 {
		lines = append(lines, fmt.Sprintf("(%d photos)", n))
	}
	for _, m := range p.Missing {
		lines = append(lines, "Missing: "+m)
	}
	return strings.Join(lines, "\n")
}

// Check requires a project, and ids of photos.
func (p Page) Check() error {
	if !projectCode.MatchString(p.Project) || p.Status == "" {
		return errors.New("the page has no project or no status")
	}
	for _, f := range p.Photos {
		if !photoID.MatchString(f.ID) || utf8.RuneCountInString(f.Alt) > maxAlt {
			return fmt.Errorf("%q is no photo, or its text is long", f.ID)
		}
	}
	return nil
}

// Cut leaves out the last blocks, and shortens the words of photos, the description and
// what is missing.
func (p Page) Cut(share float64) Data {
	if keep := int(share * float64(len(p.Blocks))); keep < len(p.Blocks) {
		p.Blocks = append(slices.Clone(p.Blocks[:keep]), PageBlock{Kind: "paragraph",
			Text: fmt.Sprintf("(%d more pieces are not shown here)", len(p.Blocks)-keep)})
	}
	shorter := func(text string, most int) string {
		if r, n := []rune(text), max(20, int(share*float64(most))); len(r) > n {
			return string(r[:n-1]) + "…"
		}
		return text
	}
	p.Photos, p.Missing = slices.Clone(p.Photos), slices.Clone(p.Missing)
	for i := range p.Photos {
		p.Photos[i].Alt, p.Photos[i].Reason = shorter(p.Photos[i].Alt, maxAlt), shorter(p.Photos[i].Reason, maxAlt)
	}
	for i := range p.Missing {
		p.Missing[i] = shorter(p.Missing[i], maxSent)
	}
	p.Description = shorter(p.Description, maxDescription)
	return p
}
