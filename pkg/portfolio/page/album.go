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
	images := slices.DeleteFunc(slices.Clone(a.page.Images), func(i projects.Image) bool { return len(i.Renditions) == 0 })
	if len(images) == 0 {
		return nil
	}
	chosen := images[max(0, slices.IndexFunc(images, func(i projects.Image) bool { return i.Hero }))]
	p, _ := a.photo(chosen.ID, sizesHero)
	if p.Tall && p.Sizes != "" {
		p.Sizes = sizesTall
	}
	p.Stage = ""
	return &p
}

// blocks returns the pieces of the story that have something to show, and the photos
// that none of them has shown.
func (a *album) blocks(list []projects.Block) []block {
	var out []block
	for _, b := range list {
		v := block{Kind: string(b.Kind), Text: clean(b.Text)}
		switch b.Kind {
		case projects.Heading:
		case projects.Paragraph, projects.Quote:
			v.Paragraphs, v.Text = paragraphs(b.Text), ""
		case projects.List:
			v.Items = lines(b.Items)
		case projects.Gallery, projects.Comparison:
			v = a.gallery(b.Kind, b.Items)
		default:
			continue
		}
		if v.Text != "" || len(v.Paragraphs) > 0 || len(v.Items) > 0 || len(v.Photos) > 0 {
			out = append(out, v)
		}
	}
	var rest []string
	for _, i := range a.page.Images {
		if !slices.Contains(a.used, i.ID) {
			rest = append(rest, i.ID)
		}
	}
	if v := a.gallery(projects.Gallery, rest); len(v.Photos) > 0 {
		out = append(out, v)
	}
	return out
}

// gallery returns photos side by side. A comparison has two, which are named.
func (a *album) gallery(kind projects.BlockKind, ids []string) block {
	v := block{Kind: string(kind)}
	for _, id := range ids[:min(len(ids), projects.MaxItems)] {
		if p, ok := a.photo(id, sizesHalf); ok {
			v.Photos = append(v.Photos, p)
		}
	}
	n := len(v.Photos)
	if kind == projects.Comparison && n == 2 {
		for i, name := range []string{a.speech.Before, a.speech.After} {
			v.Photos[i].Stage = name
		}
		if v.Photos[0].Tall && v.Photos[1].Tall {
			v.Class = "up"
		}
		return v
	}
	v.Kind = string(projects.Gallery)
	switch {
	case n == 1:
		v.Class = "one"
		v.Photos[0].wide(sizesWide)
	case n > 4:
		v.Class = "many"
		for i := range v.Photos {
			v.Photos[i].wide(sizesSmall)
		}
	}
	if n > 1 && n%2 == 1 {
		v.Class += " odd"
		v.Photos[0].wide(sizesWide)
	}
	return v
}

// wide says how wide a photo is shown.
func (p *photo) wide(sizes string) {
	if p.Set != "" {
		p.Sizes = sizes
	}
}
