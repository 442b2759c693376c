package tool_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

type per string

func (per) Values() []string { return []string{"stay", "night"} }

type extra struct {
	Name  string        `json:"name" jsonschema:"what guests call it"`
	Price money.Amount  `json:"price" jsonschema:"the price in the property's currency"`
	Per   per           `json:"per,omitempty" jsonschema:"what the price is for"`
	From  calendar.Date `json:"from,omitzero" jsonschema:"the first day on which it is offered"`
	Tags  []string      `json:"tags,omitempty" jsonschema:"words to find it by"`
}

func addExtra(t *testing.T, run func(context.Context, identity.Caller, extra) (map[string]any, error)) tool.Tool {
	t.Helper()
	made := tool.New(tool.Spec{Name: "add_extra", Effect: tool.Writes,
		Description: "Adds an extra that guests can book."}, run)
	if err := made.Check(); err != nil {
		t.Fatal(err)
	}
	return made
}

// S0-48, F-22
func TestArgumentsAreCheckedBeforeTheFunctionRuns(t *testing.T) {
	add := addExtra(t, func(_ context.Context, _ identity.Caller, in extra) (map[string]any, error) {
		return nil,
			nil
	})
	tests := map[string]struct{ args, says string }{
		"an unknown key is named, with those that exist": {`{"name":"A","price":1,"prize":2}`,
			`no argument "prize"; the arguments are from, name, per, price, tags`},
		"a near miss is recognised": {`{"Name":"A","price":1}`, `Did you mean "name"?`},
		"a missing argument is named with its meaning": {`{"name":"A"}`,
			`"price" is missing: the price in the property's currency`},
		"a key that stands twice is refused": {`{"name":"A","price":1,"price":2}`,
			`"price" stands in it twice`},
		"a wrong type is said": {`{"name":"A","price":"dear"}`, `price must be a number`},
		"a value outside the closed set is said": {`{"name":"A","price":1,"per":"moon"}`,
			`per must be one of stay, night`},
		"a date in another form is refused": {`{"name":"A","price":1,"from":"12 March"}`,
			`from must be a date in the form YYYY-MM-DD`},
		"a day that does not exist is refused": {`{"name":"A","price":1,"from":"2026-02-30"}`,
			`is not a date`},
		"NaN is no JSON":                {`{"name":"A","price":NaN}`, `not one valid JSON object`},
		"a text that no database takes": {`{"name":"A\u0000","price":1}`, `U+0000`},
		"an exponent is refused":        {`{"name":"A","price":1e999}`, `not written plainly`},
		"a cut object is refused":       {`{"name":"A","pri`, `ends too early`},
		"two objects are refused":       {`{"name":"A","price":1} {}`, `something follows`},
		"a list is no object":           {`[1]`, `must be one JSON object`},
		"deep nesting is refused": {`{"name":` + strings.Repeat("[", 50) +
			strings.Repeat("]", 50) + `}`, `nested deeper`},
		"a wrong item is named by its place": {`{"name":"A","price":1,"tags":["x",2]}`,
			`tags[1] must be a text`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := add.Prepare([]byte(tc.args))
			if !fault.Is(err, fault.Invalid) {
				t.Fatalf("got %v, want an invalid fault", err)
			}
			if got := fault.From(err).Message; !strings.Contains(got, tc.says) {
				t.Errorf("the sentence is %q, want it to say %q", got, tc.says)
			}
		})
	}
}

func TestCanonicalArgumentsDoNotDependOnHowTheyWereWritten(t *testing.T) {
	add := addExtra(t, func(_ context.Context, _ identity.Caller, in extra) (map[string]any, error) {
		return nil,
			nil
	})
	a, err := add.Prepare([]byte(`{"price": 45.10, "name":"Star <gazing>"}`))
	if err != nil {
		t.Fatal(err)
	}
	b, err := add.Prepare([]byte("{\"name\":\"Star \\u003cgazing>\",\n\"price\":4.51e1}"))
	if err != nil {
		t.Fatal(err)
	}
	if string(a.Arguments) != `{"name":"Star <gazing>","price":45.1}` || a.Hash != b.Hash {
		t.Errorf("got %s (%s) and %s (%s)", a.Arguments, a.Hash, b.Arguments, b.Hash)
	}
}

// F-60: the amount that the function sees is the text that was written.
func TestAmountsArriveExactly(t *testing.T) {
	var got string
	add := addExtra(t, func(_ context.Context, _ identity.Caller, in extra) (map[string]any, error) {
		got = in.Price.String()
		return nil, nil
	})
	call, err := add.Prepare([]byte(`{"name":"A","price":100000000000000.10}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx := effect.With(t.Context(), effect.Claim{Key: "turn:0:0"})
	if _, err := call.Run(ctx, identity.Caller{Role: identity.Manager}); err != nil {
		t.Fatal(err)
	}
	if got != "100000000000000.1" {
		t.Errorf("the price arrived as %s", got)
	}
}

// F-62
func TestAPanicBecomesAnErrorWithoutItsText(t *testing.T) {
	add := addExtra(t, func(context.Context, identity.Caller, extra) (map[string]any,
		error) {
		panic("select * from secrets")
	})
	call, err := add.Prepare([]byte(`{"name":"A","price":1}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx := effect.With(t.Context(), effect.Claim{Key: "turn:0:0"})
	_, err = call.Run(ctx, identity.Caller{Role: identity.Admin})
	if !fault.Is(err, fault.Internal) || strings.Contains(fault.From(err).Message, "secrets") {
		t.Errorf("got %v", err)
	}
}

// A caller who may only look writes what is their own, and nothing else.
func TestAViewerWritesTheirOwn(t *testing.T) {
	t.Parallel()
	type note struct {
		Text string `json:"text" doc:"What to note."`
	}
	for target, want := range map[tool.Reach]bool{tool.Own: true, tool.Shared: false, tool.Outside: false} {
		ran := false
		spec := tool.Spec{Name: "add_note", Effect: tool.Writes, Description: "Adds a note.", Target: target}
		add := tool.New(spec, func(context.Context, identity.Caller, note) (map[string]any,
			error) {
			ran = true
			return nil, nil
		})
		call, err := add.Prepare([]byte(`{"text":"Pack a map"}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = call.Run(effect.With(t.Context(), effect.Claim{Key: "turn:0:0"}),
			identity.Caller{Role: identity.Viewer})
		if ran != want || fault.Is(err, fault.Forbidden) == want {
			t.Errorf("%s: ran %v, %v", target, ran, err)
		}
	}
}

func TestNobodyWritesWithoutAClaimOrARole(t *testing.T) {
	ran := false
	add := addExtra(t, func(context.Context, identity.Caller, extra) (map[string]any, error) {
		ran = true
		return nil,
			nil
	})
	call, err := add.Prepare([]byte(`{"name":"A","price":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := call.Run(t.Context(), identity.Caller{Role: identity.Admin}); !fault.Is(err, fault.Internal) {
		t.Errorf("without a claim: %v", err)
	}
	ctx := effect.With(t.Context(), effect.Claim{Key: "turn:0:0"})
	if _, err := call.Run(ctx, identity.Caller{Role: identity.Viewer}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("as a viewer: %v", err)
	}
	if ran {
		t.Error("the function ran")
	}
}

func TestAReadingToolRunsWithWritingForbidden(t *testing.T) {
	look := tool.New(tool.Spec{Name: "look_around", Effect: tool.Reads,
		Description: "Looks around and reports what it sees."},
		func(ctx context.Context, _ identity.Caller, _ struct{}) (bool, error) {
			return effect.IsReadOnly(ctx), nil
		})
	call, err := look.Prepare(nil)
	if err != nil {
		t.Fatal(err)
	}
	// A claim in the context must not lift the ban.
	r, err := call.Run(effect.With(t.Context(), effect.Claim{Key: "k"}), identity.Caller{})
	if err != nil || string(r.Data) != "true" {
		t.Errorf("got %s, %v", r.Data, err)
	}
}

func TestAWrongDeclarationIsReported(t *testing.T) {
	type silent struct {
		Name string `json:"name"`
	}
	bad := tool.New(tool.Spec{Name: "Bad Tool", Description: "x"},
		func(context.Context, identity.Caller, silent) (int, error) { return 0, nil })
	err := bad.Check()
	for _, want := range []string{"verb_noun", "no effect", "too short", "property name has no description"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the report %v does not say %q", err, want)
		}
	}
	asks := tool.New(tool.Spec{Name: "drop_all", Effect: tool.Destroys,
		Description: "Deletes everything that there is."},
		func(context.Context, identity.Caller, struct{}) (int, error) { return 0, nil })
	if err := asks.Check(); err == nil || !strings.Contains(err.Error(), "no preview") {
		t.Errorf("a destroying tool without a preview: %v", err)
	}
}
