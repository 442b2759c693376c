// Package projects is about the jobs that a contractor shows: what was done, with
// what, the photos of it, and the page that is made of these.
package projects

import (
	"slices"
	"time"
)

// Status is how far a project is for the public.
type Status string

// The statuses of a project.
const (
	Draft     Status = "draft"
	Published Status = "published"
	Archived  Status = "archived"
)

// Phase is what a project needs next; the store derives it from the project.
type Phase string

// The phases, in their usual order.
const (
	Talking   Phase = "talking"   // the story is incomplete
	Photos    Phase = "photos"    // it has no photos
	Drafting  Phase = "drafting"  // its texts are to be written
	Review    Phase = "review"    // it may be published once the checks are passed
	Live      Phase = "published" // the page is public
	MaxImages       = 30          // of one project
)

// Project is one job with all that is known of it.
type Project struct {
	Code  string `json:"code"`  // "PRJ-K7QMPX"
	Title string `json:"title"` // at most 120 letters; "" before it is written
	Type  string `json:"type"`  // "kitchen renovation"
	// Place is where the job was done. Only what Detail allows is ever shown.
	Place  Place  `json:"place"`
	Detail Detail `json:"locationDetail"`

	Story      Story    `json:"story"`
	Materials  []string `json:"materials"`
	Techniques []string `json:"techniques"`
	Tags       []string `json:"tags"`

	Description string  `json:"description"` // the text below the title, at most 2,000 letters
	SEO         SEO     `json:"seo"`
	Blocks      []Block `json:"descriptionBlocks"`
	Images      []Image `json:"images"` // in the order in which they are shown
	// Private is what the owner has said of people and signs in the photos.
	Private Private `json:"privacy"`

	Status      Status     `json:"status"`
	Phase       Phase      `json:"phase"`
	Slug        string     `json:"slug"` // of the published page; "" before
	URL         string     `json:"url"`  // its path, "/p/<site>/<slug>"; "" before
	PublishedAt *time.Time `json:"publishedAt"`
	// Changed says that the project was changed since it was published.
	Changed   bool      `json:"changedSincePublished"`
	Summary   string    `json:"summary"` // of the conversation; "" for none
	Version   int       `json:"version"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Place is an address, from the finest part to the coarsest; unknown parts are "".
type Place struct {
	Street   string `json:"street,omitempty"` // with its number; never shown
	District string `json:"district,omitempty"`
	City     string `json:"city,omitempty"`
	Region   string `json:"region,omitempty"`
	Country  string `json:"country,omitempty"`
}

// Detail is how exactly a project's place is shown.
type Detail string

// The details, the coarsest first. A street is never shown. "" is ByCity.
const (
	Nowhere    Detail = "none"
	ByCountry  Detail = "country"
	ByRegion   Detail = "region"
	ByCity     Detail = "city"
	ByDistrict Detail = "district"
)

// Details returns all of them.
func Details() []Detail { return []Detail{Nowhere, ByCountry, ByRegion, ByCity, ByDistrict} }

// Shown returns the place as it may be shown, the finest allowed part first:
// "Leeds, Yorkshire". It is "" where nothing may be shown or nothing is known.
func (p Place) Shown(d Detail) string {
	parts := []string{p.Country}
	switch d {
	case Nowhere:
		return ""
	case ByCountry:
	case ByRegion:
		parts = []string{p.Region, p.Country}
	case ByDistrict:
		parts = []string{p.District, p.City, p.Region}
	default:
		parts = []string{p.City, p.Region, p.Country}
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	var shown string
	for i, s := range parts[:min(2, len(parts))] {
		if i > 0 {
			shown += ", "
		}
		shown += s
	}
	return shown
}

// Story is what was said of the job. Each field holds what the person said, in few
// sentences; "" is not said. Nothing stands there that the person did not say.
type Story struct {
	Problem   string `json:"problem,omitempty"`   // what the client had or wished
	Challenge string `json:"challenge,omitempty"` // what was difficult
	Solution  string `json:"solution,omitempty"`  // what was done
	Result    string `json:"result,omitempty"`    // what came of it
	Duration  string `json:"duration,omitempty"`  // "three weeks"
	Completed string `json:"completed,omitempty"` // "May 2026"
	Size      string `json:"size,omitempty"`      // "18 square metres"
	Detail    string `json:"detail,omitempty"`    // what the person is proud of
	// Notes are what was said otherwise before, the newest last; at most 20.
	Notes []Note `json:"notes,omitempty"`
	// Asked names the questions that were asked, and Skipped those that the person
	// did not want to answer; no question is asked twice.
	Asked   []string `json:"asked,omitempty"`
	Skipped []string `json:"skipped,omitempty"`
	// Facts are sentences of the person with figures or names that no field holds,
	// the oldest first; at most 60.
	Facts []string `json:"facts,omitempty"`
}

// Note is a statement that took the place of another.
type Note struct {
	Field string `json:"field"` // "materials"
	Was   string `json:"was"`
	Is    string `json:"is"`
}

// SEO is what search engines show.
type SEO struct {
	Title       string `json:"title,omitempty"`       // at most 70 letters
	Description string `json:"description,omitempty"` // at most 160 letters
}

// Block is one piece of the page below the title.
type Block struct {
	Kind BlockKind `json:"kind"`
	// Text is that of a heading or a paragraph, or the words of a quote.
	Text string `json:"text,omitempty"`
	// Items are the lines of a list, or the ids of the photos of a gallery; a
	// comparison has two: before and after.
	Items []string `json:"items,omitempty"`
}

// BlockKind is what a block is.
type BlockKind string

// The kinds of blocks.
const (
	Heading    BlockKind = "heading"
	Paragraph  BlockKind = "paragraph"
	List       BlockKind = "list"
	Quote      BlockKind = "quote"
	Gallery    BlockKind = "gallery"
	Comparison BlockKind = "comparison"
)

// BlockKinds returns all of them.
func BlockKinds() []BlockKind {
	return []BlockKind{Heading, Paragraph, List, Quote, Gallery, Comparison}
}

// Limits of blocks.
const (
	MaxBlocks    = 40
	MaxBlockText = 3000 // letters
	MaxItems     = 30
)

// Image is a photo of a project.
type Image struct {
	ID    string `json:"id"`   // 24 letters and digits, as uploads have
	Name  string `json:"name"` // of the file, for its owner
	Alt   string `json:"alt"`  // what is to be seen, at most 200 letters; "" before it is said
	Stage Stage  `json:"stage"`
	Hero  bool   `json:"hero"` // the one at the top of the page
	// State is reading while the photo is processed, then ready or refused.
	State  ImageState `json:"state"`
	Reason string     `json:"reason,omitempty"` // a sentence, when it is refused
	// Width and Height are those of the largest rendition, in pixels.
	Width      int         `json:"width"`
	Height     int         `json:"height"`
	Renditions []Rendition `json:"renditions"` // the smallest first
}

// Rendition is a photo at one width.
type Rendition struct {
	Width  int `json:"width"` // pixels
	Height int `json:"height"`
	Bytes  int `json:"bytes"`
}

// Stage is when in the job a photo was taken.
type Stage string

// The stages; "" is not said.
const (
	Before Stage = "before"
	During Stage = "during"
	After  Stage = "after"
)

// ImageState is how far a photo is.
type ImageState string

// The states of a photo.
const (
	Reading ImageState = "reading"
	Ready   ImageState = "ready"
	Refused ImageState = "refused"
)

// Private is what the owner has confirmed of the photos, at Images: the ids of the
// photos to which the answers belong.
type Private struct {
	// Faces and Plates are "none" (there are none to be seen) or "agreed" (the people
	// agreed); "" is not answered.
	Faces  string   `json:"faces,omitempty"`
	Plates string   `json:"plates,omitempty"`
	Images []string `json:"images,omitempty"`
}

// Hero returns the photo at the top of the page: the one that was chosen, else the
// first that is ready. It reports false where there is none.
func (p Project) Hero() (Image, bool) {
	ready := p.Ready()
	for _, i := range ready {
		if i.Hero {
			return i, true
		}
	}
	if len(ready) == 0 {
		return Image{}, false
	}
	return ready[0], true
}

// Ready returns the photos that can be shown, in order.
func (p Project) Ready() []Image {
	return slices.DeleteFunc(slices.Clone(p.Images), func(i Image) bool { return i.State != Ready })
}

// Image returns the photo of that id.
func (p Project) Image(id string) (Image, bool) {
	i := slices.IndexFunc(p.Images, func(i Image) bool { return i.ID == id })
	if i < 0 {
		return Image{}, false
	}
	return p.Images[i], true
}

// Business is what a page says of who did the job: the profile of an organisation.
type Business struct {
	Site     string `json:"site"` // its part of addresses: "dale-joinery"; "" before it is saved
	Name     string `json:"name"`
	About    string `json:"about"`    // at most 600 letters
	Trade    string `json:"trade"`    // "joiner"
	City     string `json:"city"`     // where it works
	Phone    string `json:"phone"`    // as it is to be shown
	WhatsApp string `json:"whatsApp"` // digits in the international form; the page links to it
	Email    string `json:"email"`
	Website  string `json:"website"` // an https address
	// Logo is a photo's id, as of an Image; Rendition sizes are in LogoSizes.
	Logo      string      `json:"logo"`
	LogoSizes []Rendition `json:"logoSizes,omitempty"`
	Version   int         `json:"version"` // 0 before it is saved
}
