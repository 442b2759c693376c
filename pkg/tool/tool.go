// Package tool makes a Go function into something that a model, a person's
// card or another program can call by JSON, and nothing else.
//
// A tool is declared once, by New: its input struct is the JSON Schema that the
// model reads, its output struct is the answer. Everything that reaches the
// function has been checked: unknown and duplicate keys, wrong types, numbers
// out of range and deep nesting are refused with a sentence that tells the
// model what to write instead.
//
// How much a tool does to the world is stated by its Effect. From Changes on a
// tool has a preview, and an assistant runs it only with a person's consent.
package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
)

// Effect is the one scale of what a tool does to the world.
type Effect uint8

// The scale. The zero Effect is not on it, so that it must be stated.
const (
	Reads    Effect = iota + 1 // changes nothing
	Writes                     // small and reversible; runs unasked
	Changes                    // creates or changes business records; asks
	Destroys                   // deletes, cancels, mails, moves money, acts in bulk; asks
	Critical                   // voids, files, administers users; asks for a typed phrase
)

// String returns the name of the effect as the catalogue shows it.
func (e Effect) String() string {
	switch e {
	case Reads:
		return "reads"
	case Writes:
		return "writes"
	case Changes:
		return "changes"
	case Destroys:
		return "destroys"
	case Critical:
		return "critical"
	}
	return "unstated"
}

// Tier returns the word for the effect in consent: LOW, MEDIUM, HIGH or
// CRITICAL; "" for a tool that only reads.
func (e Effect) Tier() string {
	switch e {
	case Writes:
		return "LOW"
	case Changes:
		return "MEDIUM"
	case Destroys:
		return "HIGH"
	case Critical:
		return "CRITICAL"
	}
	return ""
}

// Asks reports whether an assistant needs consent for the effect.
func (e Effect) Asks() bool { return e >= Changes }

// Spec describes a tool.
type Spec struct {
	// Name is a verb and a noun that the users would say: list_extras.
	Name string
	// Effect must be stated.
	Effect Effect
	// Description is what the model reads. The first sentence says what the
	// tool does; the rest says when to choose it.
	Description string
	// Extension gives the reason for a tool that the source documents do not
	// name; "" for one that they do.
	Extension string
	// Untrusted names the members of the answer's JSON, at any depth, in which
	// untrusted text may stand, such as a guest's notes. "*" means all of it.
	// After such words were read, small writes ask, too, and nothing in them
	// counts as a source of what is done next.
	Untrusted []string
	// Target says whose things a tool that writes touches; the zero Target is
	// Shared. After untrusted text was read it decides whether a small write
	// asks.
	Target Reach
	// Repeatable says of a small write that the same call once more is meant so and does
	// no harm, as an undo: the user is not asked whether it is to be done again.
	Repeatable bool
	// Retry says how often a tool that reads is tried again. Of any other it is an
	// error: nothing that writes is tried again blindly.
	Retry Retry
	// Category groups tools of one subject, such as "invoices"; "" for none.
	Category string
	// Component names what a page shows the answer with: "FlightCard"; "" for any.
	Component string
	// Shows, if not empty, names the kinds of parts that the output shows besides
	// its table; see Shower. An assistant whose profile does not name them does not
	// start. Without it, parts of kinds that the profile does not name are dropped.
	Shows []string
	// Foreign is the name that the tool has where it comes from; "" for a tool of
	// ours. See FromSchema.
	Foreign string
	// IDs are the members of a foreign tool's answers that hold its ids.
	IDs []string
}

// Preview is what a person sees before consenting: made by the tool from the
// checked arguments, never by a model.
type Preview struct {
	Title    string   `json:"title"` // "Add the extra Stargazing"
	Lines    []Line   `json:"lines"`
	Warnings []string `json:"warnings,omitempty"`
	// Changed is what another answer to the same call says differently, where
	// the person was asked before: Before as it was shown, After as it is.
	Changed []Line `json:"changed,omitempty"`
	// Targets are the rows that the call is about, with their versions. Another
	// question about one of them takes the place of this one.
	Targets []Target `json:"targets,omitempty"`
	// Reads is all that was read while the preview was made. Call.Preview fills
	// it in; a yes holds as long as the same questions have the same answers.
	Reads []effect.Read `json:"-"`
}

// Line is one fact of a preview. Before is empty for something new. Origin says
// where the value comes from when a model called the tool; tools leave it empty.
type Line struct {
	Label  string `json:"label"`
	Before string `json:"before,omitempty"`
	After  string `json:"after"`
	Origin Origin `json:"origin,omitempty"`
}

// Origin is where a value of a model's call comes from.
type Origin string

// The origins, the best first. A value that code made has none.
const (
	FromPerson    Origin = "person"    // the person typed it
	FromTurn      Origin = "turn"      // a tool of ours answered it in this turn
	FromHistory   Origin = "history"   // or in an earlier one that is sealed
	FromAssistant Origin = "assistant" // none: the model chose it
)

// Target is one row by its table and human key.
type Target struct {
	Table   string `json:"table"`
	Key     string `json:"key"`
	Version int    `json:"version"`
}

// Tabler is implemented by outputs that people see as a table.
type Tabler interface{ Table() render.Table }

// Shower is implemented by outputs that people see as more than a table: as a
// chart of the same figures, as choices, as a link. The parts are shown beside
// the output's table, where there is one. A part that may not be shown is left
// out, and Result.Refused says why; so is one of a kind that a stated Spec.Shows
// does not name.
type Shower interface{ Show() []part.Data }

// Summarizer is implemented by outputs that say themselves in a sentence or two
// what happened or was found; models and people both read it.
type Summarizer interface{ Summarize() string }

// Counter is implemented by outputs that know how many records they hold.
type Counter interface{ Count() int }

// Checker is implemented by (pointers to) inputs whose fields must fit each
// other. Check may also tidy the input. Its error is a fault.Invalid one, or
// becomes one.
type Checker interface{ Check() error }

// Result is what a tool answered.
type Result struct {
	Data    json.RawMessage // compact JSON
	Text    string          // what Summarizer said
	Table   *render.Table   // what Tabler laid out, nil without rows
	Records int
	// Parts are what people see: the table first, perhaps without its last rows,
	// then what Shower returned. Named gives them their ids.
	Parts []part.Part
	// Refused is why parts are missing, for the log; nil when none is.
	Refused error
}

// Named returns the parts with ids of next. All but choices, which stand at the
// end of an answer, stand beside the table, where there is one.
func (r Result) Named(next func() string) []part.Part {
	parts := slices.Clone(r.Parts)
	for i := range parts {
		parts[i].ID = next()
		if i > 0 && r.Table != nil && parts[i].Kind != (part.Choices{}).Kind() {
			parts[i].Beside = parts[0].ID
		}
	}
	return parts
}

// Kinds returns the kinds of parts of the tool's answers as far as its
// declaration says: the table, and those of Spec.Shows. Callers must not change
// it.
func (t Tool) Kinds() []string { return t.kinds }

// Tool is one declared tool. It is immutable and safe for concurrent use.
type Tool struct {
	spec    Spec
	input   func() input // made when it is first asked for: most tools of a process never are
	decode  func(raw []byte) (input any, err error)
	run     func(ctx context.Context, by identity.Caller, input any) (any, error)
	preview func(ctx context.Context, by identity.Caller, input any) (Preview, error)
	plain   bool // its preview may be made from its arguments
	present func(arguments, answer json.RawMessage) Presentation
	bounds  *Bounds
	kinds   []string // of the parts of its answers, as far as its declaration says
	once    bool     // what it does outside goes through the outbox
}

// input is what is known of a tool's input struct.
type input struct {
	schema   *jsonschema.Schema
	resolved *jsonschema.Resolved
	wire     json.RawMessage
	rules    *rule
	fault    error // what is wrong with the declaration
}

func inputOf(t reflect.Type) input {
	var in input
	if in.schema, in.fault = schemaFor(t); in.fault != nil {
		return in
	}
	if in.resolved, in.fault = in.schema.Resolve(nil); in.fault != nil {
		return in
	}
	if in.rules, in.fault = rulesOf(t, ""); in.fault != nil {
		return in
	}
	in.wire, in.fault = json.Marshal(in.schema)
	return in
}

// Option adds to a tool.
type Option[In any] func(*Tool)

// Previewed gives the tool its preview. It runs with the effect forbidden: its
// context refuses every write.
func Previewed[In any](preview func(ctx context.Context, by identity.Caller, in In) (Preview, error)) Option[In] {
	return func(t *Tool) {
		t.preview = func(ctx context.Context, by identity.Caller, input any) (Preview, error) {
			return preview(ctx, by, *input.(*In))
		}
	}
}

// New declares a tool. In must be a struct whose every field has a json name
// and a jsonschema description; omitempty says optional. A wrong declaration
// does not panic: Check reports it, and the catalogue test calls Check.
func New[In, Out any](spec Spec, run func(ctx context.Context, by identity.Caller, in In) (Out, error),
	options ...Option[In]) Tool {
	t := Tool{spec: spec, kinds: slices.Clone(spec.Shows)}
	t.spec.Description = strings.TrimSpace(spec.Description)
	if reflect.TypeFor[Out]().Implements(reflect.TypeFor[Tabler]()) {
		t.kinds = append(t.kinds, part.Table{}.Kind())
	}
	t.run = func(ctx context.Context, by identity.Caller, input any) (any, error) {
		return run(ctx, by, *input.(*In))
	}
	t.decode = func(raw []byte) (any, error) {
		in := new(In)
		if err := json.Unmarshal(raw, in); err != nil {
			return nil, fault.Wrap(fault.Invalid, err, "The arguments of %s could not be read: %s.", spec.Name,
				plainDecodeError(err))
		}
		if c, ok := any(in).(Checker); ok {
			if err := c.Check(); err != nil {
				if fault.KindOf(err) == fault.Internal {
					return nil, fault.New(fault.Invalid, "%s", err)
				}
				return nil, err
			}
		}
		return in, nil
	}
	for _, o := range options {
		o(&t)
	}
	t.input = sync.OnceValue(func() input { return inputOf(reflect.TypeFor[In]()) })
	return t
}

// Name returns the name.
func (t Tool) Name() string { return t.spec.Name }

// Title returns the name as people would write it: "List extras".
func (t Tool) Title() string { return words(t.spec.Name) }

// Effect returns the effect.
func (t Tool) Effect() Effect { return t.spec.Effect }

// Spec returns the description.
func (t Tool) Spec() Spec { return t.spec }

// Schema returns the JSON Schema of the arguments. Callers must not change it.
func (t Tool) Schema() json.RawMessage { return t.input().wire }

// Model returns the tool in the form that models read, with a shorter schema
// than Schema.
func (t Tool) Model() llm.Tool { return t.told(map[string]string{}) }

// Call is a tool with checked arguments.
type Call struct {
	Tool Tool
	// Arguments are canonical: keys sorted, no spaces, no duplicates, numbers in
	// one form.
	Arguments json.RawMessage
	// Hash is the hex SHA-256 of Arguments.
	Hash  string
	input any
}

// Prepare checks the arguments. The error is a fault.Invalid one with a message
// that says what to write instead.
func (t Tool) Prepare(arguments []byte) (Call, error) {
	in := t.input()
	if in.fault != nil {
		return Call{}, fault.Wrap(fault.Internal, in.fault, "The tool %s is not usable.", t.spec.Name)
	}
	value, canonical, err := parseArguments(arguments)
	if err != nil {
		return Call{}, err
	}
	if problem := explain(in.schema, value, ""); problem != "" {
		return Call{}, fault.New(fault.Invalid, "%s", problem)
	}
	// explain recognizes common mistakes; the library makes the final check.
	if err := in.resolved.Validate(floats(value)); err != nil {
		return Call{}, fault.Wrap(fault.Invalid, err, "The arguments of %s do not fit it.", t.spec.Name)
	}
	decoded, err := t.decode(canonical)
	if err != nil {
		return Call{}, err
	}
	if problem := t.bounds.judge(in.rules, value, ""); problem != "" {
		return Call{}, fault.New(fault.Invalid, "%s", problem)
	}
	sum := sha256.Sum256(canonical)
	return Call{Tool: t, Arguments: canonical, Hash: hex.EncodeToString(sum[:]), input: decoded}, nil
}

// Run runs the call and encodes its answer. A panic in the tool becomes an
// error. A tool that reads is run with writing forbidden; any other needs an
// effect.Claim in the context, or it is refused; one that asks for consent
// needs the claim of a proposal.
func (c Call) Run(ctx context.Context, by identity.Caller) (r Result, err error) {
	if c.Tool.Effect() == Reads {
		ctx = effect.ReadOnly(ctx)
	} else if claim, claimed := effect.From(ctx); !claimed {
		return Result{}, fault.New(fault.Internal, "The tool %s was called without a claim.", c.Tool.Name())
	} else if c.Tool.Effect().Asks() && claim.Proposal == "" {
		return Result{}, fault.New(fault.Internal, "The tool %s was called without consent.", c.Tool.Name())
	} else if !c.Tool.Allows(by.Role) {
		return Result{}, fault.New(fault.Forbidden, "Your role may look, but not change anything.")
	}
	defer contain(c.Tool.Name(), &err)
	out, err := c.Tool.run(ctx, by, c.input)
	if err != nil {
		return Result{}, err
	}
	return encode(out, c)
}

func encode(out any, c Call) (Result, error) {
	data, err := json.Marshal(out)
	if err != nil {
		return Result{}, fmt.Errorf("encode a tool's answer: %w", err)
	}
	r := Result{Data: data, Records: 1}
	show := func(d part.Data) {
		if len(c.Tool.spec.Shows) > 0 && !slices.Contains(c.Tool.kinds, d.Kind()) {
			r.Refused = errors.Join(r.Refused, fault.Wrap(fault.Internal,
				fmt.Errorf("the tool %s does not say that it shows a part of the kind %s", c.Tool.Name(), d.Kind()),
				"A part of the answer could not be made.").WithCode("part_refused"))
			return
		}
		p, err := part.New(d, c.Tool.Name(), c.Arguments)
		if err != nil {
			r.Refused = errors.Join(r.Refused, err)
			return
		}
		r.Parts = append(r.Parts, p)
	}
	if t, ok := out.(Tabler); ok {
		table := t.Table()
		r.Records = len(table.Rows)
		if len(table.Rows) > 0 {
			r.Table = &table
			show(part.Table{Table: table})
		}
	}
	if s, ok := out.(Shower); ok {
		for _, d := range s.Show() {
			show(d)
		}
	}
	if t, ok := out.(Summarizer); ok {
		r.Text = t.Summarize()
	}
	if n, ok := out.(Counter); ok {
		r.Records = n.Count()
	}
	return r, nil
}
