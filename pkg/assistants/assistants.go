// Package assistants says what an assistant is to everybody who does not run
// its turns: plain data, which costs a function nothing to carry. Package
// profiles has the ones that ship; package flow has what runs them.
package assistants

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/bellhop-ai/bellhop/pkg/identity"
)

// Profile describes an assistant. It is immutable; code that changes a field
// changes a copy.
type Profile struct {
	Name        string // in addresses: "hospitality"
	Title       string // for people: "Bernard"
	Greeting    string
	Suggestions []string // questions that a new conversation offers
	// Changes are suggestions for those who may change data; they follow the others.
	Changes []string
	// Choices names, for arguments that take the code of something, the tool whose
	// table lists what there is in the columns "code" and "name":
	// {"room": "list_room_types"}. Forms offer it.
	Choices map[string]string
	// Opening names the tool whose parts a new conversation shows before anything
	// was said; it takes no arguments and only reads. "" shows none.
	Opening    string
	EntityKind string // what it works for: "property"; "" for an assistant that works for none
	// Records says that turns whose client names their conversation are kept
	// with it, and Prefix begins the numbers that people see: "SC" of "#SC-0001".
	Records bool
	Prefix  string
	// Projects says that each conversation is about one project, which the first message
	// makes where the request names none.
	Projects bool
	// Markdown says that tables in replies are Markdown for every client.
	Markdown bool
	// Shortens says that a conversation that outgrows the window of its agents is shortened
	// by itself: a sealed summary takes the place of its first messages for models.
	Shortens bool
	// Responses says that its models are asked by the Responses API, where the provider is
	// known to have it and the operator names no API.
	Responses bool
	// AgentNames are the agents that answer for it, with what people call them.
	AgentNames []AgentName
	// Variants are the ways of working that a request may choose besides the
	// assistant's own.
	Variants []Variant
	// Parts are the kinds of parts that its answers may have besides text, such
	// as "table".
	Parts []string
	// Hosts are those to which links in replies may lead.
	Hosts []string
	// Public names the tools that visitors may use where an operator admits them
	// and says nothing else: they read, and answer nothing about people.
	Public []string
	// Talk names the agents with whom visitors may speak although they have no tools.
	Talk []string
	// ReadsFiles says that tools of it read attached files by their ids, so models
	// are told these.
	ReadsFiles bool
}

// AgentName names an agent of an assistant.
type AgentName struct {
	Name  string // "inventory"
	Label string // "Inventory Agent"
}

// Variant is a way of working that a request may choose: a pipeline of another
// name, or to go deep. The assistant's flow reads the choice from its turn.
type Variant struct {
	Pipeline string // "realtime" or "api"; "" is the assistant's own
	Deep     bool
}

var prefixShape = regexp.MustCompile(`^[A-Z]{2,3}$`)

// Check reports what is missing or stands twice.
func (p Profile) Check() error {
	var problems []error
	if p.Name == "" {
		problems = append(problems, errors.New("an assistant needs a name"))
	}
	if p.Records && !prefixShape.MatchString(p.Prefix) {
		problems = append(problems, fmt.Errorf(
			"assistant %s: whose conversations are kept needs a prefix of two or three capitals", p.Name))
	}
	for i, a := range p.AgentNames {
		if slices.ContainsFunc(p.AgentNames[:i], func(o AgentName) bool { return o.Name == a.Name }) {
			problems = append(problems, fmt.Errorf("assistant %s: two agents are called %s", p.Name, a.Name))
		}
	}
	for i, v := range p.Variants {
		if v == (Variant{}) {
			problems = append(problems, fmt.Errorf("assistant %s: its own way of working is no variant", p.Name))
		}
		if slices.Contains(p.Variants[:i], v) {
			problems = append(problems, fmt.Errorf("assistant %s: the variant %q, deep %v, stands twice", p.Name,
				v.Pipeline, v.Deep))
		}
	}
	return errors.Join(problems...)
}

// Offers reports whether a request may choose this way of working.
func (p Profile) Offers(pipeline string, deep bool) bool {
	v := Variant{pipeline, deep}
	return v == Variant{} || slices.Contains(p.Variants, v)
}

// Choose returns the caller with the entity of that id or key chosen, of the kind
// for which the assistant works; an empty name chooses the first. An assistant
// that works for no entity has none. It reports false when the caller has no
// such entity.
func (p Profile) Choose(by identity.Caller, entity string) (identity.Caller, bool) {
	if p.EntityKind == "" {
		by.Entity = identity.Entity{}
		return by, entity == ""
	}
	return by.Choose(entity, p.EntityKind)
}

// Label returns what people call the agent of that name. It reports false for
// an agent that the assistant does not have.
func (p Profile) Label(agent string) (string, bool) {
	i := slices.IndexFunc(p.AgentNames, func(a AgentName) bool { return a.Name == agent })
	if i < 0 {
		return "", false
	}
	return p.AgentNames[i].Label, true
}

// Find returns the profile of that name, or a fault.NotFound error with the
// code "unknown_assistant".
func Find(all []Profile, name string) (Profile, error) {
	i := slices.IndexFunc(all, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, Unknown()
	}
	return all[i], nil
}
