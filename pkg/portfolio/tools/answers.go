package tools

import (
	"context"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// edited is the answer of a tool that changed a project: its state in few words, and
// its page, which refreshes a panel that is open.
type edited struct {
	Project  string          `json:"project"`
	Version  int             `json:"version"`
	Status   projects.Status `json:"status"`
	Phase    projects.Phase  `json:"phase"`
	Missing  []string        `json:"missing,omitempty"`  // sentences on what keeps it from being published
	Warnings []string        `json:"warnings,omitempty"` // sentences on what was changed
	said     string
	page     part.Page
}

// edited returns the answer of a change that is said so.
func (t *set) edited(ctx context.Context, by identity.Caller, p projects.Project, said string) edited {
	if p.Changed && p.Status == projects.Published {
		said += " The public page stays as it is until it is published again."
	}
	out := edited{Project: p.Code, Version: p.Version, Status: p.Status, Phase: p.Phase, said: said}
	for _, r := range t.failed(ctx, by, p) {
		out.Missing = append(out.Missing, r.Reason+" "+r.Mend)
		// What a text says too much of is said at once; the rest is for later.
		if r.ID == "private_texts" || r.ID == "place_detail" {
			out.Warnings = append(out.Warnings, r.Reason)
		}
	}
	out.page = pageOf(p, out.Missing)
	return out
}

// Summarize says what was changed.
func (e edited) Summarize() string { return strings.Join(append([]string{e.said}, e.Warnings...), " ") }

// Show refreshes the page.
func (e edited) Show() []part.Data { return []part.Data{e.page} }

// pageOf lays a project out as a part.
func pageOf(p projects.Project, missing []string) part.Page {
	page := part.Page{
		Project: p.Code, Version: p.Version, Status: string(p.Status), URL: p.URL, Title: p.Title, Type: p.Type,
		Place: p.Place.Shown(p.Detail), Description: p.Description, SEOTitle: p.SEO.Title, SEOText: p.SEO.Description,
		Tags: p.Tags, Materials: p.Materials, Techniques: p.Techniques, Missing: missing,
	}
	for _, b := range p.Blocks {
		page.Blocks = append(page.Blocks, part.PageBlock{Kind: string(b.Kind), Text: b.Text, Items: b.Items})
	}
	hero, _ := p.Hero()
	for _, i := range p.Images {
		page.Photos = append(page.Photos, part.PagePhoto{ID: i.ID, Alt: i.Alt, Stage: string(i.Stage),
			Hero: i.ID == hero.ID, State: string(i.State), Reason: i.Reason, Width: i.Width, Height: i.Height})
	}
	return page
}

// photo finds a photo of a project by its id or by its number in the order of today.
func photo(p projects.Project, named string) (projects.Image, error) {
	named = strings.TrimSpace(named)
	if image, ok := p.Image(named); ok {
		return image, nil
	}
	number := strings.TrimSpace(strings.TrimPrefix(strings.ToLower(strings.TrimPrefix(named, "#")), "photo"))
	if n, err := strconv.Atoi(strings.TrimPrefix(number, "#")); err == nil && n >= 1 && n <= len(p.Images) {
		return p.Images[n-1], nil
	}
	if len(p.Images) == 0 {
		return projects.Image{}, fault.New(fault.NotFound, "The project %s has no photos yet.", p.Code).
			WithCode("photo_not_found")
	}
	return projects.Image{}, fault.New(fault.NotFound, "The project %s has no photo %q. Write a number from 1 to %d, "+
		"or an id of getProject.", p.Code, named, len(p.Images)).WithCode("photo_not_found")
}

// number returns the place of a photo in the order, from 1.
func number(p projects.Project, id string) int {
	for i, image := range p.Images {
		if image.ID == id {
			return i + 1
		}
	}
	return 0
}

// short cuts a text for a sentence.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return text
}
