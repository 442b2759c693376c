package page

import (
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// album hands out the photos of a page, and knows which have been shown.
type album struct {
	page   projects.Page
	title  string
	speech language
	o      Options
	used   []string
	top    string // the id of the photo at the top
	// beside are the texts that stand beside the story, folded.
	beside map[string]bool
}

func newAlbum(pg projects.Page, title string, speech language, o Options) *album {
	return &album{page: pg, title: title, speech: speech, o: o}
}

// photo returns the photo of that id, if there is one.
func (a *album) photo(id, sizes string) (photo, bool) {
	n := slices.IndexFunc(a.page.Images, func(i projects.Image) bool { return i.ID == id && len(i.Renditions) > 0 })
	if n < 0 {
		return photo{}, false
	}
	a.used = append(a.used, id)
	return newPhoto(a.page.Images[n], a.speech.photo(n+1, a.title), sizes, a.speech, a.o), true
}

// hero returns the photo at the top.
func (a *album) hero() *photo {
	images := slices.DeleteFunc(slices.Clone(a.page.Images), func(i projects.Image) bool {
		return len(i.Renditions) == 0
	})
	if len(images) == 0 {
		return nil
	}
	chosen := images[max(0, slices.IndexFunc(images, func(i projects.Image) bool { return i.Hero }))]
	a.top = chosen.ID
	p, _ := a.photo(chosen.ID, sizesHero)
	if p.Tall && p.Sizes != "" {
		p.Sizes = sizesTall
	}
	p.Stage, p.First = "", true
	return &p
}

// rest returns the ids of the photos that have not been shown.
func (a *album) rest() []string {
	var out []string
	for _, i := range a.page.Images {
		if !slices.Contains(a.used, i.ID) {
			out = append(out, i.ID)
		}
	}
	return out
}

// gallery writes photos side by side. A comparison has two, which are named. The photo
// at the top of the page is not shown again in a gallery.
func (a *album) gallery(m *markup, kind projects.BlockKind, ids []string) {
	var photos []photo
	for _, id := range ids[:min(len(ids), projects.MaxItems)] {
		if id == a.top && kind == projects.Gallery {
			continue
		}
		if p, ok := a.photo(id, sizesHalf); ok {
			photos = append(photos, p)
		}
	}
	n := len(photos)
	if n == 0 {
		return
	}
	if kind == projects.Comparison && n == 2 {
		photos[0].Stage, photos[1].Stage = a.speech.Before, a.speech.After
		class := "comparison"
		if photos[0].Tall && photos[1].Tall {
			class += " up"
		}
		m.figures(class, photos)
		return
	}
	class := "gallery"
	switch {
	case n == 1:
		class += " one"
		photos[0].wide(sizesWide)
	case n > 4:
		class += " many"
		for i := range photos {
			photos[i].wide(sizesSmall)
		}
	}
	if n > 1 && n%2 == 1 {
		class += " odd"
		photos[0].wide(sizesWide)
	}
	m.figures(class, photos)
}

// wide says how wide a photo is shown.
func (p *photo) wide(sizes string) {
	if p.Set != "" {
		p.Sizes = sizes
	}
}
