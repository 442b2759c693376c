// Package enrich finds more in the answers of tools than they say.
package enrich

import (
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// Result is the answer of a tool.
type Result struct {
	Tool              string
	Arguments, Answer json.RawMessage
}

// Enrichment is one thing that was found.
type Enrichment struct{ Type, Description string }

// Found is what was found.
type Found struct{ Enrichments []Enrichment }

// Of returns what is found in results.
func Of([]Result, calendar.Date) Found { return Found{} }

// Prompt is what a model reads of it.
func (f Found) Prompt() string { return "" }

// Say is what people read of it.
func (f Found) Say(language.Language) []string { return nil }

// Parts are charts of it.
func (f Found) Parts() []part.Data { return nil }
