// Package resolution answers clear questions without a model: for each intent there is
// a flow, kept as data, that says which tools are called with which arguments, and
// where the arguments come from: the dates, amounts, numbers and names of the sentence,
// results of earlier calls, or constants (S2-73). The files in flows have the form of
// flow.schema.json.
package resolution

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
)

//go:embed flows/*.json
var files embed.FS

// Flow is how the question of an intent is answered.
type Flow struct {
	Intent      string     `json:"intent"`
	Module      string     `json:"-"`
	Name        string     `json:"name"`        // for people
	Description string     `json:"description"` // for people
	Steps       []StepSpec `json:"steps,omitempty"`
	// Writes says that the intent changes something. Such a flow has no steps: what it
	// wants is proposed by a model.
	Writes bool `json:"writes,omitempty"`
	// Ahead says that the question is about the future: "Friday" is the next one. Else a
	// date without a year is the last one.
	Ahead bool `json:"ahead,omitempty"`
	// Named and Numbered are the flows that answer instead where the sentence names a
	// customer or vendor, or has the number of a document: "what do they owe" is another
	// question than "what does Deshmukh owe".
	Named string `json:"named,omitempty"`
	// Unless are words that make it another question, such as "least" of the greatest:
	// it is not planned then.
	Unless   []string `json:"unless,omitempty"`
	Numbered string   `json:"numbered,omitempty"`
	// Otherwise is the flow that answers where there is nothing of the name: a vendor in
	// the place of a customer.
	Otherwise string `json:"otherwise,omitempty"`
	// AnyName says that the answer shows everything, also what a name in the sentence
	// stands for. Another flow without an argument for a name is not planned for a
	// sentence with one.
	AnyName bool `json:"any_name,omitempty"`
}

// StepSpec is one call of a flow.
type StepSpec struct {
	Tool      string            `json:"tool"`
	Purpose   string            `json:"purpose"` // for people, such as "the overdue invoices"
	Arguments map[string]Source `json:"arguments"`
}

// Source says where an argument comes from.
type Source struct {
	From SourceKind `json:"source"`
	// Default is what stands in for a thing that the sentence doesn't say: "leave_out",
	// "ask", or a period: "today", "this_month", "last_month", "this_year". A name may be
	// "sole": the only one there is, or else asked for.
	Default string `json:"default,omitempty"`
	// Value is a constant, or a default number.
	Value any `json:"value,omitempty"`
	// Of is what a name names: customer, vendor, product, account or bank.
	Of string `json:"of,omitempty"`
	// Give is "name" where a tool wants a name, not a code.
	Give string `json:"give,omitempty"`
	// Choices are values by the words that mean them.
	Choices map[string][]string `json:"choices,omitempty"`
	// Part is the part of a comparison.
	Part string `json:"part,omitempty"`
	// Least and Most bound a number.
	Least int `json:"least,omitempty"`
	Most  int `json:"most,omitempty"`
	// Tool and Pointer name a value in the result of an earlier step (RFC 6901).
	Tool    string `json:"tool,omitempty"`
	Pointer string `json:"pointer,omitempty"`
}

// SourceKind is a kind of source.
type SourceKind string

// The kinds of sources.
const (
	FromConstant    SourceKind = "constant"
	FromPeriodStart SourceKind = "period_start" // first day, YYYY-MM-DD
	FromPeriodEnd   SourceKind = "period_end"   // last day, not after today unless all of it is
	FromDay         SourceKind = "day"          // one day: of a period its last one, today at the latest
	FromMonth       SourceKind = "month"        // YYYY-MM
	FromComparison  SourceKind = "comparison"   // two periods, or how long one is
	FromNumber      SourceKind = "number"       // number of a document
	FromName        SourceKind = "name"         // looked up, since people seldom write names in full
	FromLeast       SourceKind = "least"        // "above 1 lakh"
	FromMost        SourceKind = "most"         // "below 1 lakh"
	FromDays        SourceKind = "days"         // "more than 30 days"
	FromDaysAhead   SourceKind = "days_ahead"   // "in the next 10 days", "by Friday"
	FromMonths      SourceKind = "months"       // "for 6 months"
	FromWords       SourceKind = "words"        // one of choices
	FromResult      SourceKind = "result"       // of an earlier step
)

// Described is what people read of an intent.
type Described struct{ Name, Module, Description string }

// Flows are all resolution flows. It is immutable and safe for concurrent use.
type Flows struct {
	byIntent map[string]*Flow
	intents  []string
	words    *explained
}

// Load reads the flows of finance.
func Load() (*Flows, error) {
	names, err := files.ReadDir("flows")
	if err != nil {
		return nil, fmt.Errorf("resolution: %w", err)
	}
	f := &Flows{byIntent: map[string]*Flow{}, words: readExplained()}
	for _, n := range names {
		raw, err := files.ReadFile(path.Join("flows", n.Name()))
		if err != nil {
			return nil, fmt.Errorf("resolution: %w", err)
		}
		if err := f.add(raw); err != nil {
			return nil, fmt.Errorf("resolution: %s: %w", n.Name(), err)
		}
	}
	for _, flow := range f.byIntent {
		for _, other := range []string{flow.Named, flow.Numbered, flow.Otherwise} {
			if _, there := f.byIntent[other]; other != "" && !there {
				return nil, fmt.Errorf("resolution: the flow %q leads to %q, which there is not", flow.Intent, other)
			}
		}
	}
	return f, nil
}

func (f *Flows) add(raw []byte) error {
	var file struct {
		Module string `json:"module"`
		Flows  []Flow `json:"flows"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return err
	}
	for _, flow := range file.Flows {
		flow.Module = file.Module
		if _, there := f.byIntent[flow.Intent]; there {
			return fmt.Errorf("there are two flows of %q", flow.Intent)
		}
		if flow.Writes == (len(flow.Steps) > 0) {
			return fmt.Errorf("the flow %q neither reads nor writes, or both", flow.Intent)
		}
		f.byIntent[flow.Intent] = &flow
		f.intents = append(f.intents, flow.Intent)
	}
	return nil
}

// Intents returns the names of the intents that have a flow, those that write among them.
func (f *Flows) Intents() []string { return slices.Clone(f.intents) }

// Flow returns the flow of an intent.
func (f *Flows) Flow(intent string) (Flow, bool) {
	flow, ok := f.byIntent[intent]
	if !ok {
		return Flow{}, false
	}
	return *flow, true
}

// Describe describes an intent.
func (f *Flows) Describe(intent string) (Described, bool) {
	flow, ok := f.byIntent[intent]
	if !ok {
		return Described{}, false
	}
	return Described{flow.Name, flow.Module, flow.Description}, true
}
