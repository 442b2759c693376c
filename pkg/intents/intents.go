// Package intents is what an organisation adds to the phrases that an assistant
// knows, and what is learnt from the turns of its people: which sentences were
// matched rightly, which needed a model, and which phrases that suggests.
//
// Nothing here is shared between organisations.
package intents

import (
	"context"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/plaintext"
)

// Bounds of what an organisation may keep for one assistant.
const (
	MaxIntents = 100
	MaxPhrases = 100 // of one intent
	MaxAll     = 1000
	MaxText    = 300 // letters of a description
)

// Source says where a phrase comes from.
type Source string

// The sources of phrases.
const (
	Written   Source = "written"   // by an administrator
	Generated Source = "generated" // by a model, and accepted by an administrator
	Suggested Source = "suggested" // said by people, and approved by an administrator
)

// Phrase is a phrase of an organisation's own.
type Phrase struct {
	Text   string `json:"phrase"`
	Source Source `json:"source"`
}

// Intent is an intent of an organisation's own.
type Intent struct {
	Name        string    `json:"name"`
	Agent       string    `json:"agent"` // the agent that answers
	Description string    `json:"description"`
	Phrases     []Phrase  `json:"phrases"`
	Version     int       `json:"version"` // 0 for one that is not kept yet
	UpdatedAt   time.Time `json:"updatedAt"`
}

// Own is what an organisation keeps for one assistant.
type Own struct {
	Version string // changes with each change of the intents
	// Intents are nil where Version is the one that the caller knows.
	Intents []Intent
	// Thresholds are the confidences from which intents are matched, where they
	// differ from the default.
	Thresholds map[string]float64
	// Suspended are the buckets of confidence that are not matched although the
	// threshold admits them.
	Suspended []Slot
}

// Store keeps organisations' intents. Each method acts for by.
type Store interface {
	// Read returns what by's organisation has; see Own. usual is the default
	// threshold.
	Read(ctx context.Context, by identity.Caller, assistant, known string, usual float64) (Own, error)
	// Learn keeps what a turn of by's showed.
	Learn(ctx context.Context, by identity.Caller, o Observation) error
}

// Editor changes organisations' intents for administrators; anybody else is a
// fault.Forbidden error.
type Editor interface {
	// Save creates an intent (version 0) or replaces one of the same version, and
	// returns its new version. It returns fault.Conflict errors with the codes
	// "intent_exists", "version_conflict" and "phrase_taken".
	Save(ctx context.Context, by identity.Caller, assistant string, in Intent) (version int, err error)
	Delete(ctx context.Context, by identity.Caller, assistant, name string, version int) error
	// Suggestions returns those of a status, the newest first.
	Suggestions(ctx context.Context, by identity.Caller, assistant string, status Status) ([]Suggestion, error)
	// Decide approves or rejects a suggestion. It returns a fault.Conflict error
	// with the code "suggestion_decided" where that was done before.
	Decide(ctx context.Context, by identity.Caller, assistant string, d Decision) (Decided, error)
	Report(ctx context.Context, by identity.Caller, assistant string, days int, usual float64) (Report, error)
}

// Status is what became of a suggestion.
type Status string

// The states of a suggestion.
const (
	Pending  Status = "pending"
	Approved Status = "approved"
	Rejected Status = "rejected"
)

// Suggestion is a sentence that needed a model ten times and more (S2-59).
type Suggestion struct {
	Code        string         `json:"code"`
	Agent       string         `json:"agent"` // that answered nine of ten times
	Phrase      string         `json:"phrase"`
	Status      Status         `json:"status"`
	Occurrences int            `json:"occurrences"`
	People      int            `json:"people"` // who said it
	Agents      map[string]int `json:"agents"` // how often each answered
	Tools       []string       `json:"tools"`
	Feedback    *float64       `json:"feedback"` // average weight; nil without any
	CreatedAt   time.Time      `json:"createdAt"`
	DecidedAt   *time.Time     `json:"decidedAt"`
}

// Decision is what an administrator makes of a suggestion.
type Decision struct {
	Code                  string
	Approve               bool
	Intent, Agent, Phrase string // of an approved one; the intent is made where there is none
}

// Decided is what came of a decision.
type Decided struct {
	Status Status `json:"status"`
	Intent string `json:"intent,omitempty"`
	Agent  string `json:"agent,omitempty"`
}

var nameShape = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// CheckName returns a fault.Unprocessable error for what is no name of an intent.
func CheckName(name string) error {
	if !nameShape.MatchString(name) {
		return fault.New(fault.Unprocessable,
			"The name of an intent has small letters, digits and underscores, at most 64, and begins with a letter.").
			WithCode("bad_name")
	}
	return nil
}

// Check returns the intent as it is kept, or a fault.Unprocessable error with a
// sentence on what is wrong with it. base is the model of the assistant's own
// phrases, and others are the organisation's other intents: a phrase that stands in
// another intent is a fault.Conflict error with the code "phrase_taken".
func Check(in Intent, base *intent.Model, others []Intent) (Intent, error) {
	in.Name = strings.TrimSpace(in.Name)
	if err := CheckName(in.Name); err != nil {
		return in, err
	}
	if base.Find(in.Agent) < 0 {
		return in, fault.New(fault.Unprocessable, "There is no agent %q. The agents are: %s.", in.Agent,
			strings.Join(base.Intents(), ", ")).WithCode("unknown_agent")
	}
	in.Description = strings.TrimSpace(plaintext.Clean(in.Description))
	if utf8.RuneCountInString(in.Description) > MaxText {
		return in, fault.New(fault.Unprocessable, "The description may have at most %d letters.", MaxText).
			WithCode("description_too_long")
	}
	if len(in.Phrases) == 0 {
		return in, fault.New(fault.Unprocessable, "The intent %q has no phrases.", in.Name).WithCode("no_phrases")
	}
	if len(in.Phrases) > MaxPhrases {
		return in, fault.New(fault.Unprocessable, "The intent %q has %d phrases; at most %d are possible.", in.Name,
			len(in.Phrases), MaxPhrases).WithCode("too_many_phrases")
	}
	taken := forms(others)
	var kept []Phrase
	seen := map[string]bool{}
	for _, p := range in.Phrases {
		p, form, err := checkPhrase(p, in.Name)
		if err != nil {
			return in, err
		}
		if owner := taken[form]; owner != "" && owner != in.Name {
			return in, errTaken(p.Text, owner)
		}
		if owner := baseOwner(base, p.Text); owner != "" && owner != in.Agent {
			return in, errTaken(p.Text, owner)
		}
		if !seen[form] {
			seen[form] = true
			kept = append(kept, p)
		}
	}
	in.Phrases = kept
	return in, nil
}

// errTaken refuses a phrase that stands in another intent.
func errTaken(phrase, owner string) error {
	return fault.New(fault.Conflict, "The phrase %q stands in the intent %q already. Keep it in one of them.",
		phrase, owner).WithCode("phrase_taken")
}

// forms returns the names of the intents by the forms of their phrases.
func forms(all []Intent) map[string]string {
	out := map[string]string{}
	for _, in := range all {
		for _, p := range in.Phrases {
			out[intent.Comparable(p.Text)] = in.Name
		}
	}
	return out
}

// baseOwner returns the agent whose file has the phrase; "" for none.
func baseOwner(base *intent.Model, phrase string) string {
	if r := base.Match(phrase); r.Reason == intent.Exact {
		return base.Name(r.Intent)
	}
	return ""
}

// checkPhrase returns a phrase as it is kept, with the form in which it is compared.
func checkPhrase(p Phrase, name string) (kept Phrase, form string, err error) {
	if !utf8.ValidString(p.Text) {
		return p, "", fault.New(fault.Unprocessable, "The intent %q has a phrase that is no text.", name).
			WithCode("bad_phrase")
	}
	p.Text = strings.Join(strings.Fields(plaintext.Clean(p.Text)), " ")
	if len(p.Text) > intent.MaxPhrase {
		return p, "", fault.New(fault.Unprocessable, "A phrase of the intent %q is longer than %d bytes.", name,
			intent.MaxPhrase).WithCode("phrase_too_long")
	}
	form = intent.Comparable(p.Text)
	if !hasLetter(form) {
		return p, "", fault.New(fault.Unprocessable, "The intent %q has a phrase without a word: %q.", name, p.Text).
			WithCode("phrase_without_word")
	}
	switch p.Source {
	case Written, Generated, Suggested:
	default:
		p.Source = Written
	}
	return p, form, nil
}

// Form returns the form in which a phrase is compared, and whether it may be one:
// it has a word, and is no longer than a phrase.
func Form(text string) (form string, ok bool) {
	form = intent.Comparable(text)
	return form, hasLetter(form) && len(text) <= intent.MaxPhrase && utf8.RuneCountInString(form) <= maxForm
}

// maxForm bounds forms, which the database keeps as keys.
const maxForm = 900
