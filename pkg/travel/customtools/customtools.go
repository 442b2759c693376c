// Package customtools has the tools that an organisation defines for its travel assistant
// (S1-31): a request to an address of its choice, with arguments that a schema describes.
package customtools

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Effects of tools.
const (
	Reads   = "reads"   // runs unasked
	Changes = "changes" // asks first, and is called once
)

// Definition is a tool as an organisation defines it.
type Definition struct {
	Name        string `json:"name"` // "visa_rules"; models know it as "custom_visa_rules"
	Description string `json:"description"`
	Method      string `json:"method"` // GET or POST
	// Address is an https address, with arguments by name in braces in its path or query:
	// "https://visa.example/v1/{country}". Arguments that it does not name are the query of
	// a GET, and the JSON body of a POST.
	Address string          `json:"address"`
	Schema  json.RawMessage `json:"schema"` // JSON Schema of the arguments, of type object
	// Secret is the name of a token that the operator keeps for this organisation; it is
	// sent as the bearer. "" sends none.
	Secret    string    `json:"secret"`
	Effect    string    `json:"effect"`
	Enabled   bool      `json:"enabled"`
	Version   int       `json:"version"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Problem says what is wrong with a field, by its name in JSON.
type Problem struct {
	Field string `json:"field"`
	Text  string `json:"text"` // a sentence for people
}

// Store keeps the tools of organisations. Only administrators and managers change them.
type Store interface {
	List(ctx context.Context, by identity.Caller) ([]Definition, error)
	// Save defines a tool (Version 0), or replaces the one of that name and version.
	Save(ctx context.Context, by identity.Caller, d Definition) (Definition, error)
	Delete(ctx context.Context, by identity.Caller, name string) error
}

// Request is a call of a tool as it is sent. It has no token.
type Request struct {
	Method  string          `json:"method"`
	Address string          `json:"address"`
	Body    json.RawMessage `json:"body,omitempty"`
	Secret  string          `json:"secret,omitempty"` // its name
	Key     string          `json:"-"`                // of an act that happens once; "" of one that reads
}

// Sender sends requests to the public Internet alone. Check refuses an address by its
// spelling. Errors of Send are faults; one that is marked with effect.NotDone says that
// nothing was done. The answer is JSON, text as {"text"}, and untrusted.
type Sender interface {
	Check(address string) error
	Send(ctx context.Context, by identity.Caller, r Request) (json.RawMessage, error)
}

const (
	maxDescription = 500
	minDescription = 10
	maxAddress     = 500
	maxSchema      = 16 << 10
)

var (
	names        = regexp.MustCompile(`^[a-z][a-z0-9_]{2,39}$`)
	secrets      = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,39}$`)
	placeholders = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_]*)\}`)
	// An address's host is written out: an argument does not choose where a call goes.
	hosted = regexp.MustCompile(`^https?://[^/?#{}\s]+(?:[/?][^#\s]*)?$`)
)

// Check returns the definition in the form in which it is kept, and what is wrong with it.
func Check(d Definition, s Sender) (Definition, []Problem) {
	var problems []Problem
	wrong := func(field, text string) { problems = append(problems, Problem{field, text}) }
	d.Name, d.Method = strings.TrimSpace(d.Name), strings.ToUpper(strings.TrimSpace(d.Method))
	d.Description = strings.Join(strings.Fields(d.Description), " ")
	d.Address, d.Effect = strings.TrimSpace(d.Address), strings.ToLower(strings.TrimSpace(d.Effect))
	if !names.MatchString(d.Name) {
		wrong("name", "A name has 3 to 40 lower-case letters, figures and _, as visa_rules.")
	}
	if n := utf8.RuneCountInString(d.Description); n < minDescription || n > maxDescription {
		wrong("description", "Say in 10 to 500 letters what the tool does and when to use it.")
	}
	if d.Method != "GET" && d.Method != "POST" {
		wrong("method", "The method is GET or POST.")
	}
	if d.Effect != Reads && d.Effect != Changes {
		wrong("effect", "The effect is reads or changes.")
	} else if d.Effect == Changes && d.Method == "GET" {
		wrong("method", "A tool that changes something is called by POST.")
	}
	if d.Secret != "" && !secrets.MatchString(d.Secret) {
		wrong("secret", "The name of a secret has capital letters, figures and _.")
	}
	members, ok := membersOf(d)
	if !ok {
		wrong("schema", "The arguments are described by a JSON Schema of type object, of at most 16 KB.")
	}
	plain := placeholders.ReplaceAllString(d.Address, "x")
	switch {
	case len(d.Address) > maxAddress || strings.ContainsAny(plain, "{}") || !hosted.MatchString(d.Address):
		wrong("address", "An address is https:// and a host; arguments in braces stand behind the host.")
	case s.Check(plain) != nil:
		wrong("address", "This address may not be called: it is not of the public Internet, or not https.")
	default:
		for _, m := range placeholders.FindAllStringSubmatch(d.Address, -1) {
			if ok && !members[m[1]] {
				wrong("address", "The schema has no argument {"+m[1]+"}.")
				break
			}
		}
	}
	return d, problems
}

// membersOf returns the names of the arguments, false where the schema cannot be used.
func membersOf(d Definition) (map[string]bool, bool) {
	var schema struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if len(d.Schema) > maxSchema || json.Unmarshal(d.Schema, &schema) != nil || schema.Type != "object" {
		return nil, false
	}
	never := func(context.Context, identity.Caller, tool.Raw) (any, error) { return nil, nil }
	if _, err := tool.FromSchema(tool.Spec{Name: "custom_tool", Effect: tool.Reads,
		Description: "A tool to be checked."}, d.Schema, never); err != nil {
		return nil, false
	}
	members := map[string]bool{}
	for name := range schema.Properties {
		members[name] = true
	}
	return members, true
}
