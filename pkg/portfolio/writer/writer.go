// Package writer makes the texts of a project's page: title, description, blocks,
// what search engines show, the order of the photos, and advice on what to improve.
//
// Each of them is made by a language model where the context carries one (With), and
// else, or where the model fails, by rules from the facts alone. Nothing is invented:
// what a model writes is checked sentence by sentence against what is known of the
// project, and sentences with figures, materials, places, names or praise that the
// project does not have are left out. Neither way shows the client's address.
package writer

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Ask makes one model call. It is safe for concurrent use.
type Ask func(ctx context.Context, r llm.Request) (llm.Answer, error)

// Who made something.
const (
	ByModel = "model"
	ByRules = "rules"
)

// The codes of Origin.Degraded, besides the public codes of the faults of a model call
// ("model_unavailable", "budget_exhausted" and so on).
const (
	// SentencesLeftOut says that sentences of the model were left out: they had details that
	// the project does not have, or ones that are private.
	SentencesLeftOut = "sentences_left_out"
	// AnswerUnusable says that the model's answer was not used, or one of its texts was not.
	AnswerUnusable = "model_answer_unusable"
	// CallsSpent says that no call of the turn was left.
	CallsSpent = "model_calls_spent"
)

// Origin is who made something and what it was made without.
type Origin struct {
	Made     string   `json:"made"` // ByModel or ByRules
	Degraded []string `json:"degraded,omitempty"`
}

// Kind is one of the things that are made.
type Kind string

// The kinds that Begin starts.
const (
	ContentKind Kind = "content"
	LayoutKind  Kind = "layout"
	QualityKind Kind = "quality"
)

// Draft has all texts of a page.
type Draft struct {
	Title       string           `json:"title"`
	Description string           `json:"description"`
	SEO         projects.SEO     `json:"seo"`
	Tags        []string         `json:"tags"`
	Blocks      []projects.Block `json:"descriptionBlocks"`
	// Questions are at most three, on what would make the page better.
	Questions []string `json:"questions"`
	Origin
}

// Changes returns what the draft changes of its project.
func (d Draft) Changes() projects.Changes {
	return projects.Changes{Title: &d.Title, Description: &d.Description, SEO: &d.SEO, Tags: &d.Tags,
		Blocks: &d.Blocks}
}

// Arrangement is an order of the texts and photos of a page.
type Arrangement struct {
	// Blocks are valid: galleries and comparisons have only photos of the project that are
	// ready, and every text block that the project had is among them, unchanged.
	Blocks []projects.Block `json:"descriptionBlocks"`
	Order  []string         `json:"order"` // the ids of all photos
	Hero   string           `json:"hero"`  // a photo's id; "" where none is ready
	Origin
}

// Changes returns what the arrangement changes of its project.
func (a Arrangement) Changes() projects.Changes {
	c := projects.Changes{Blocks: &a.Blocks}
	if len(a.Order) > 0 {
		c.Order = &a.Order
	}
	if a.Hero != "" {
		c.Hero = &a.Hero
	}
	return c
}

// Advice is what would make a page better. It never says whether a page may be
// published.
type Advice struct {
	Points []Point `json:"points"` // at most 8, the most useful first
	Origin
}

// Point is one piece of advice.
type Point struct {
	Field string `json:"field"` // one of Fields
	What  string `json:"what"`  // what to do, a sentence
	Why   string `json:"why"`   // what for, a sentence
}

// Fields returns what a Point may be about, as the members of a project are called.
func Fields() []string {
	return []string{"title", "description", "seo", "tags", "type", "place", "materials", "techniques", "problem",
		"challenge", "solution", "result", "details", "descriptionBlocks", "images", "alt", "hero"}
}

// Text is one section of a page made anew. The other sections are "".
type Text struct {
	Section     string       `json:"section"`
	Title       string       `json:"title,omitempty"`
	Description string       `json:"description,omitempty"`
	SEO         projects.SEO `json:"seo,omitzero"`
	Origin
}

// Changes returns what the section changes of its project.
func (t Text) Changes() projects.Changes {
	switch t.Section {
	case "title":
		return projects.Changes{Title: &t.Title}
	case "description":
		return projects.Changes{Description: &t.Description}
	}
	return projects.Changes{SEO: &t.SEO}
}

// Told is what messages say of a job, in the words of the person who wrote them: a
// value has no word that they do not have.
type Told struct {
	Title      string         `json:"title,omitempty"`
	Type       string         `json:"type,omitempty"`
	Place      projects.Place `json:"place,omitzero"`
	Materials  []string       `json:"materials,omitempty"`
	Techniques []string       `json:"techniques,omitempty"`
	Problem    string         `json:"problem,omitempty"`
	Challenge  string         `json:"challenge,omitempty"`
	Solution   string         `json:"solution,omitempty"`
	Result     string         `json:"result,omitempty"`
	Duration   string         `json:"duration,omitempty"`
	Completed  string         `json:"completed,omitempty"`
	Size       string         `json:"size,omitempty"`
	Detail     string         `json:"detail,omitempty"`
	Origin
}

// Limits of what is made, in letters.
const (
	maxTitle          = 120
	maxDescription    = 2000
	maxSEOTitle       = 70
	maxSEODescription = 160
	maxTag            = 60
	maxTags           = 12
	maxQuestions      = 3
	maxQuestion       = 200
	maxPoints         = 8
)
