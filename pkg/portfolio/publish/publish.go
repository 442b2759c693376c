// Package publish decides whether a project may be shown to everybody, and says
// under which address. Its rules are code: no model has a say in them.
package publish

import (
	"time"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Limits of what is published, in letters, photos and bytes.
const (
	MinDescription = 80
	MinPhotos      = 2
	MaxTitle       = 120
	MaxDescription = 2000
	MaxSEOTitle    = 70
	MaxSEOText     = 160
	MaxAlt         = 200
	MaxEntries     = 30 // of materials, techniques and tags, each
	MaxEntry       = 60
	MaxAbout       = 600
	MaxPage        = 60_000 // bytes of the written page, without photos
)

// Report says of each rule whether a project keeps it.
type Report struct {
	OK    bool   `json:"ok"` // all rules are kept
	Rules []Rule `json:"rules"`
}

// Rule is one condition of being published.
type Rule struct {
	ID string `json:"id"` // "alt_texts"
	OK bool   `json:"ok"`
	// Reason says what was found: "The page has a title.", "Photo 2 has no description."
	Reason string `json:"reason"`
	// Mend says what to do; "" where the rule is kept.
	Mend string `json:"mend,omitempty"`
	// Field names what is to be changed, as in the JSON of a project: "title", "images";
	// of the profile with its name before it: "business.phone".
	Field string `json:"field"`
}

// Failed returns the rules that are not kept.
func (r Report) Failed() []Rule {
	var out []Rule
	for _, rule := range r.Rules {
		if !rule.OK {
			out = append(out, rule)
		}
	}
	return out
}

// Missing returns one sentence or two for each rule that is not kept: what was found
// and what to do.
func (r Report) Missing() []string {
	var out []string
	for _, rule := range r.Failed() {
		out = append(out, rule.Reason+" "+rule.Mend)
	}
	return out
}

// Place returns where the job was, as it may be shown.
func Place(p projects.Project) string { return p.Place.Shown(p.Detail) }

// Snapshot returns the page that a project would have if it was published at that
// time. The stored one is made by the database from its own rows; this one is for
// previews and checks.
func Snapshot(p projects.Project, b projects.Business, at time.Time) projects.Page {
	slug, first := p.Slug, at
	if slug == "" {
		slug = Slug(p)
	}
	if p.PublishedAt != nil {
		first = *p.PublishedAt
	}
	images := p.Ready()
	for i := range images {
		images[i].Name, images[i].Reason = "", ""
	}
	return projects.Page{Slug: slug, Title: p.Title, Type: p.Type, Place: Place(p), Description: p.Description,
		SEO: p.SEO, Tags: p.Tags, Materials: p.Materials, Techniques: p.Techniques, Completed: p.Story.Completed,
		Duration: p.Story.Duration, Blocks: p.Blocks, Images: images, Business: b, Published: first, Changed: at}
}
