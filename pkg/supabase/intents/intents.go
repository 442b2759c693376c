// Package intents keeps organisations' own intents, and what is learnt from their
// turns, in the project's database.
package intents

import (
	"context"
	"strconv"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/intents"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Store is an intents.Store and an intents.Editor. It acts with the caller's own
// token.
type Store struct{ client *supabase.Client }

var (
	_ intents.Store  = Store{}
	_ intents.Editor = Store{}
)

// New returns the store in the project of client.
func New(client *supabase.Client) Store { return Store{client} }

func (s Store) as(by identity.Caller) supabase.Conn { return s.client.As(by).Control() }

// Read returns what by's organisation has; see intents.Store.
func (s Store) Read(ctx context.Context, by identity.Caller, assistant, known string, usual float64) (intents.Own,
	error) {
	own, err := supabase.Read[struct {
		Version    string             `json:"version"`
		Intents    []intents.Intent   `json:"intents"`
		Thresholds map[string]float64 `json:"thresholds"`
		Suspended  []intents.Slot     `json:"suspended"`
	}](ctx, s.as(by), "intents_read", supabase.Args{"p_assistant": assistant, "p_known": known,
		"p_default": decimal(usual)})
	return intents.Own{Version: own.Version, Intents: own.Intents, Thresholds: own.Thresholds,
		Suspended: own.Suspended}, err
}

// Learn keeps what a turn showed; see intents.Store.
func (s Store) Learn(ctx context.Context, by identity.Caller, o intents.Observation) error {
	k := o.Keep()
	tools := k.Tools
	if tools == nil {
		tools = []string{}
	}
	var choice *string
	if k.Checked {
		choice = &k.Choice
	}
	_, err := supabase.Call[any](ctx, s.as(by), "intent_learn", supabase.Args{"p": map[string]any{
		"assistant": k.Assistant, "thread": k.Thread, "question": k.Question, "form": k.Form, "query": k.Query,
		"how": k.How, "agent": k.Agent, "intent": k.Intent, "bucket": k.Bucket, "basis": k.Basis,
		"success": k.Success, "retried": k.Retried, "tools": tools, "strategy": k.Strategy, "choice": choice,
		"ms": min(k.Took, time.Hour).Milliseconds(),
	}})
	return err
}

// decimal writes a confidence as the database reads it.
func decimal(confidence float64) string { return strconv.FormatFloat(confidence, 'f', 6, 64) }

// phrase is a phrase with the form that makes it unique.
type phrase struct {
	Form   string         `json:"form"`
	Phrase string         `json:"phrase"`
	Source intents.Source `json:"source"`
}

// Save creates or replaces an intent; see intents.Editor.
func (s Store) Save(ctx context.Context, by identity.Caller, assistant string, in intents.Intent) (int, error) {
	list := make([]phrase, len(in.Phrases))
	for i, p := range in.Phrases {
		form, _ := intents.Form(p.Text)
		list[i] = phrase{form, p.Text, p.Source}
	}
	saved, err := supabase.Call[struct{ Version int }](ctx, s.as(by), "intent_save", supabase.Args{
		"p": map[string]any{"assistant": assistant, "name": in.Name, "agent": in.Agent, "description": in.Description,
			"phrases": list, "version": in.Version}})
	return saved.Version, err
}

// Delete deletes an intent; see intents.Editor.
func (s Store) Delete(ctx context.Context, by identity.Caller, assistant, name string, version int) error {
	_, err := supabase.Call[any](ctx, s.as(by), "intent_delete", supabase.Args{"p_assistant": assistant,
		"p_name":    name,
		"p_version": version})
	return err
}

// Suggestions lists suggestions; see intents.Editor.
func (s Store) Suggestions(ctx context.Context, by identity.Caller, assistant string,
	status intents.Status) ([]intents.Suggestion, error) {
	return supabase.Read[[]intents.Suggestion](ctx, s.as(by), "intent_suggestions",
		supabase.Args{"p_assistant": assistant, "p_status": string(status)})
}

// Decide decides on a suggestion; see intents.Editor.
func (s Store) Decide(ctx context.Context, by identity.Caller, assistant string,
	d intents.Decision) (intents.Decided, error) {
	p := map[string]any{"assistant": assistant, "code": d.Code, "approve": d.Approve}
	if d.Approve {
		form, _ := intents.Form(d.Phrase)
		p["intent"], p["agent"], p["phrase"], p["form"] = d.Intent, d.Agent, d.Phrase, form
	}
	return supabase.Call[intents.Decided](ctx, s.as(by), "intent_decide", supabase.Args{"p": p})
}

// Report returns what became of the last days' turns; see intents.Editor.
func (s Store) Report(ctx context.Context, by identity.Caller, assistant string, days int,
	usual float64) (intents.Report, error) {
	zone := by.Entity.TimeZone
	if zone == "" {
		zone = "UTC"
	}
	report, err := supabase.Read[intents.Report](ctx, s.as(by), "intent_report", supabase.Args{
		"p_assistant": assistant, "p_days": days, "p_zone": zone, "p_default": decimal(usual)})
	if err != nil {
		return report, err
	}
	report.Uses, err = supabase.Read[[]intents.Use](ctx, s.as(by), "tool_use_list",
		supabase.Args{"p_assistant": assistant})
	return report, err
}

// Used counts the tools of a turn of by's that no matcher looked at, each as often as
// it is named. Turns with an Observation are counted by Learn.
func (s Store) Used(ctx context.Context, by identity.Caller, assistant string, tools []string) error {
	_, err := supabase.Call[any](ctx, s.as(by), "tool_used", supabase.Args{"p_assistant": assistant, "p_tools": tools})
	return err
}
