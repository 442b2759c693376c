package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// elsewhere is a third party's tool that writes; nothing in these tests calls it.
func elsewhere() tool.Act {
	return tool.Act{Outbox: struct{ effect.Outbox }{}, Kind: "ledger",
		Attempt: func(context.Context, identity.Caller, string, tool.Raw) (any, string, error) { return nil, "", nil }}
}

// What a third party writes goes through the outbox, or there is no such tool.
func TestAForeignToolThatWritesNeedsTheOutbox(t *testing.T) {
	t.Parallel()
	for e := tool.Reads; e <= tool.Critical; e++ {
		spec := tool.Spec{Name: "Invoice.Pay", Effect: e}
		_, plain := tool.FromSchema(spec, nil, echo)
		_, once := tool.FromSchema(spec, nil, nil, tool.AtMostOnce(elsewhere()))
		if writes := e != tool.Reads; (plain != nil) != writes || (once == nil) != writes {
			t.Errorf("%s: by a function %v, at most once %v", e, plain, once)
		}
		_, err := tool.NewSets(1).Set(nil, []tool.Declaration{{Spec: spec, Run: echo}})
		if (err != nil) != (e != tool.Reads) {
			t.Errorf("%s, declared: %v", e, err)
		}
	}
	spec := tool.Spec{Name: "Invoice.Pay", Effect: tool.Writes}
	for name, change := range map[string]func(*tool.Act){
		"no outbox":  func(a *tool.Act) { a.Outbox = nil },
		"no attempt": func(a *tool.Act) { a.Attempt = nil },
		"no kind":    func(a *tool.Act) { a.Kind = "" },
	} {
		act := elsewhere()
		change(&act)
		if _, err := tool.FromSchema(spec, nil, nil, tool.AtMostOnce(act)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := tool.FromSchema(spec, nil, echo, tool.AtMostOnce(elsewhere())); err == nil {
		t.Error("two ways to run it are accepted")
	}
	declared := []tool.Declaration{{Spec: spec, Act: new(elsewhere())}}
	if _, err := tool.NewSets(1).Set(nil, declared); err != nil {
		t.Error(err)
	}
}

func echo(_ context.Context, _ identity.Caller, arguments tool.Raw) (any, error) {
	return arguments, nil
}

const invoiceSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","required":["customer"],"properties":{
	"customer":{"$ref":"#/$defs/party","description":"who pays"},
	"lines":{"type":"array","items":{"$ref":"#/$defs/line"}},
	"kind":{"enum":["sale",2,null,{"a":1}]},"when":{"type":"string","format":"date"},"either":{"type":["string","integer"]}},
	"$defs":{"party":{"type":"object","properties":{"name":{"type":"string"}},"additionalProperties":false},
		"line":{"type":"object","properties":{"text":{"type":"string","pattern":"^(?!x)"},"sub":{"type":"array","items":{"$ref":"#/$defs/line"}}}}}}`

func createInvoice(t *testing.T, e tool.Effect) tool.Tool {
	t.Helper()
	run, options := echo, []tool.Option[tool.Raw](nil)
	if e != tool.Reads {
		run, options = nil, append(options, tool.AtMostOnce(elsewhere()))
	}
	made, err := tool.FromSchema(tool.Spec{Name: "Invoice.Create", Effect: e,
		Description: "Creates an invoice.\u200b\U000E0041"}, []byte(invoiceSchema), run, options...)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestAForeignToolIsCheckedLikeOurs(t *testing.T) {
	t.Parallel()
	made := createInvoice(t, tool.Reads)
	if m := made.Model(); m.Description != "Creates an invoice." || strings.Contains(string(m.Parameters),
		"$ref") || !strings.Contains(string(m.Parameters), `"description":"who pays"`) {
		t.Errorf("a model reads %s, %s", m.Description, m.Parameters)
	}
	call, err := made.Prepare([]byte(`{"lines":[{"text":"a","sub":[{"sub":[]}],"more":1}],"customer":{"name":"Asha"}` +
		`,"kind":2,"either":5.0,"extra":true}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := call.Run(t.Context(), identity.Caller{})
	if err != nil || string(r.Data) != string(call.Arguments) ||
		string(r.Data) != `{"customer":{"name":"Asha"},"either":5,"extra":true,"kind":2,"lines":[{"more":1,`+
			`"sub":[{"sub":[]}],"text":"a"}]}` {
		t.Errorf("it got %s, %v", r.Data, err)
	}
	if trusted, outside := made.Trusted(r.Data); !outside || string(trusted) != "{}" {
		t.Errorf("its answer is trusted: %s", trusted)
	}
	for args, says := range map[string]string{
		`{}`:                                         `"customer" is missing: who pays`,
		`{"customer":7}`:                             "customer must be an object",
		`{"customer":{"nom":1}}`:                     `no argument "customer.nom"`,
		`{"customer":{},"kind":"gift"}`:              "kind must be one of",
		`{"customer":{},"kind":3}`:                   "do not fit",
		`{"customer":{},"when":"soon"}`:              "YYYY-MM-DD",
		`{"customer":{},"either":true}`:              "do not fit",
		`{"customer":{"name":"a` + "\u200b" + `b"}}`: "nobody sees",
	} {
		if _, err := made.Prepare([]byte(args)); !fault.Is(err, fault.Invalid) ||
			!strings.Contains(fault.From(err).Message, says) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// What a foreign tool does to the world is our statement, and what asks shows
// each argument.
func TestAForeignToolThatChangesIsShownByItsArguments(t *testing.T) {
	t.Parallel()
	made := createInvoice(t, tool.Changes)
	call, err := made.Prepare([]byte(`{"customer":{"name":"Asha"},"other":2}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := call.Preview(t.Context(), identity.Caller{})
	if err != nil || p.Title != "Invoice.Create" || fmt.Sprint(p.Lines) != "[{Customer  name Asha } {Other  2 }]" {
		t.Errorf("%v, %v", p, err)
	}
	if _, err := call.Run(effect.With(t.Context(), effect.Claim{Key: "k"}),
		identity.Caller{Role: identity.Manager}); !fault.Is(err, fault.Internal) {
		t.Errorf("without consent: %v", err)
	}
	own, err := tool.FromSchema(tool.Spec{Name: "pay", Effect: tool.Changes}, nil, nil, tool.AtMostOnce(elsewhere()),
		tool.Previewed(func(_ context.Context, _ identity.Caller, in tool.Raw) (tool.Preview, error) {
			return tool.Preview{Title: "Pay " + string(in)}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	call, _ = own.Prepare([]byte(`{"a":1}`))
	if p, err := call.Preview(t.Context(), identity.Caller{}); err != nil || p.Title != `Pay {"a":1}` {
		t.Errorf("%v, %v", p, err)
	}
	// A preview of our own asks the third party, which knows its ids.
	known := tool.WithHandles(t.Context(), tool.NewHandles("t", []tool.Handle{{Name: "id-aaaaaa", ID: []byte("7")}}))
	call, _ = own.Prepare([]byte(`{"a":"id-aaaaaa"}`))
	if p, err := call.Preview(known, identity.Caller{}); err != nil || p.Title != `Pay {"a":7}` {
		t.Errorf("%v, %v", p, err)
	}
	if _, err := call.Preview(t.Context(), identity.Caller{}); !fault.Is(err, fault.NotFound) {
		t.Errorf("a handle that nobody gave: %v", err)
	}
}

func TestASchemaThatLeadsElsewhereOrHasNoEndIsRefused(t *testing.T) {
	t.Parallel()
	bomb := `{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{`
	for i := range 12 {
		bomb += fmt.Sprintf(`"d%d":{"properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"},`+
			`"c":{"$ref":"#/$defs/d%d"}}},`, i, i+1, i+1, i+1)
	}
	for name, tc := range map[string]struct{ schema, says string }{
		"a page elsewhere":      {`{"properties":{"a":{"$ref":"https://evil.example/s.json"}}}`, "leads out of it"},
		"a file":                {`{"properties":{"a":{"$ref":"other.json#/a"}}}`, "leads out of it"},
		"an anchor":             {`{"properties":{"a":{"$ref":"#x"}}}`, "leads out of it"},
		"nowhere":               {`{"properties":{"a":{"$ref":"#/$defs/b"}}}`, "leads nowhere"},
		"a reference that runs": {`{"properties":{"a":{"$dynamicRef":"#a"}}}`, "can't be followed"},
		"too deep": {strings.Repeat(`{"properties":{"a":`, 40) + "{}" + strings.Repeat("}}", 40),
			"nested deeper"},
		"a bomb":            {bomb + `"d12":{}}}`, "more than 2000 parts"},
		"too long":          {`{"description":"` + strings.Repeat("a", 70_000) + `"}`, "longer than 65536 bytes"},
		"no object":         {`{"type":"string"}`, "not of an object"},
		"a list":            {`[]`, "not an object"},
		"no JSON":           {`{`, "schema of the arguments"},
		"a hidden argument": {`{"properties":{"a` + "\u200b" + `b":{}}}`, "what nobody sees"},
		"a hidden choice":   {`{"properties":{"a":{"enum":["x` + "\u200b" + `y"]}}}`, "what nobody sees"},
	} {
		if _, err := tool.FromSchema(tool.Spec{Name: "x", Effect: tool.Reads}, []byte(tc.schema),
			echo); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// One that only goes round ends.
	round, err := tool.FromSchema(tool.Spec{Name: "x", Effect: tool.Reads},
		[]byte(`{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}`+
			`}`), echo)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := round.Prepare([]byte(`{"a":{"a":{}}}`)); err != nil {
		t.Error(err)
	}
	for name, spec := range map[string]tool.Spec{"no effect": {Name: "x"}, "no name": {Effect: tool.Reads}} {
		if _, err := tool.FromSchema(spec, nil, echo); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestForeignNamesStayDifferentAndLeadBack(t *testing.T) {
	t.Parallel()
	accepted := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	names := []string{"Invoice.Create", "Invoice_Create", "Invoice/Create", "invoice.create", "a", "get-user",
		"चालान", "🧾", "..", strings.Repeat("x", 64), strings.Repeat("x", 65), strings.Repeat("x", 66), "x y"}
	for _, n := range slices.Clone(names) {
		names = append(names, tool.ModelName(n)+"") // a user calls a tool as another one is called here
	}
	slices.Sort(names)
	names = slices.Compact(names)
	seen := map[string]string{}
	for _, n := range names {
		made, err := tool.FromSchema(tool.Spec{Name: n, Effect: tool.Reads}, nil, echo)
		if err != nil {
			t.Fatal(err)
		}
		if other, twice := seen[made.Name()]; twice || !accepted.MatchString(made.Name()) || made.Spec().Foreign != n {
			t.Errorf("%q becomes %q, as %q does", n, made.Name(), other)
		}
		seen[made.Name()] = n
	}
	if got := tool.ModelName("get-user"); got != "get-user" {
		t.Errorf("a good name becomes %s", got)
	}
}

// Each caller has functions of its own, and the declarations are encoded once.
func TestASetOfDeclarationsIsEncodedOnceForAllCallers(t *testing.T) {
	t.Parallel()
	sets := tool.NewSets(2)
	own, err := tool.NewSet(bookStay(t))
	if err != nil {
		t.Fatal(err)
	}
	declared := func(who, description string) []tool.Declaration {
		return []tool.Declaration{{Spec: tool.Spec{Name: "Who.Am.I", Effect: tool.Reads, Description: description},
			Schema: json.RawMessage(`{"properties":{"a":{"type":"string"}}}`),
			Run:    func(context.Context, identity.Caller, tool.Raw) (any, error) { return who, nil }}}
	}
	var wg sync.WaitGroup
	wires := make([]*llm.Toolset, 20)
	for i := range wires {
		wg.Go(func() {
			set, err := sets.Set(own, declared(fmt.Sprint("caller ", i), "Says who calls."))
			if err != nil {
				t.Error(err)
				return
			}
			made, _ := set.Find(tool.ModelName("Who.Am.I"))
			call, err := made.Prepare(nil)
			if err != nil {
				t.Error(err)
				return
			}
			if r, err := call.Run(t.Context(), identity.Caller{}); err != nil ||
				string(r.Data) != fmt.Sprintf(`"caller %d"`, i) {
				t.Errorf("caller %d is answered %s, %v", i, r.Data, err)
			}
			wires[i] = set.Model()
		})
	}
	wg.Wait()
	for _, w := range wires {
		if w != wires[0] || len(w.Tools()) != 2 {
			t.Fatal("it is encoded more than once")
		}
	}
	// Another description is another manifest; the oldest one is forgotten.
	for _, description := range []string{"Says who it is.", "Says it again."} {
		set, err := sets.Set(own, declared("x", description))
		if err != nil || set.Model() == wires[0] || set.Model().Tools()[1].Description != description {
			t.Errorf("%s: %v", description, err)
		}
	}
	if set, err := sets.Set(own, declared("x", "Says who calls.")); err != nil || set.Model() == wires[0] {
		t.Errorf("more is remembered than was said: %v", err)
	}
	twice := append(declared("a", "Says who calls."), declared("b", "Says who calls.")...)
	if _, err := sets.Set(nil, twice); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a name that stands in it twice: %v", err)
	}
}

// S1-3, S1-10: the delays of retries, and who may have them.
func TestOnlyWhatReadsIsTriedAgain(t *testing.T) {
	t.Parallel()
	down := fault.New(fault.Unavailable, "It is down.")
	r := tool.Retry{Most: 5}
	var waits []string
	for n := 1; n <= 6; n++ {
		wait, ok := r.After(n, down)
		waits = append(waits, fmt.Sprint(wait, ok))
	}
	if got := strings.Join(waits, " "); got != "1s true 2s true 4s true 8s true 8s true 0s false" {
		t.Error(got)
	}
	if _, again := r.After(1, fault.New(fault.NotFound, "It is not there.")); again {
		t.Error("what another attempt can't mend is tried again")
	}
	own := tool.Retry{Most: 1, Delay: time.Minute,
		Which: func(err error) bool { return fault.Is(err, fault.NotFound) }}
	if wait, again := own.After(1, fault.New(fault.NotFound, "It is not there.")); !again || wait != 8*time.Second {
		t.Errorf("%v %v", wait, again)
	}
	for e := tool.Writes; e <= tool.Critical; e++ {
		_, err := tool.FromSchema(tool.Spec{Name: "pay", Effect: e, Retry: tool.Retry{Most: 1}}, nil, nil,
			tool.AtMostOnce(elsewhere()))
		if err == nil || !strings.Contains(err.Error(), "only what reads may be tried again") {
			t.Errorf("%s: %v", e, err)
		}
		ours := tool.New(tool.Spec{Name: "pay_it", Effect: e, Description: "Pays what is to be paid.",
			Retry: tool.Retry{Most: 1}},
			func(context.Context, identity.Caller, struct{}) (bool, error) { return true, nil })
		if _, err := tool.NewSet(ours); err == nil || !strings.Contains(err.Error(),
			"only what reads may be tried again") {
			t.Errorf("%s: %v", e, err)
		}
	}
}

// What people see of a third party's answer is made by our code, from the answer
// with handles in the place of ids.
func TestAForeignAnswerIsShownByOurCode(t *testing.T) {
	t.Parallel()
	answer := `{"customers":[{"id":"0b9c9a80-2a4e-4e0f-9d0e-1d6a3c2b1f00","name":"Acme","owes":"12.50"}]}`
	run := func(context.Context, identity.Caller, tool.Raw) (any, error) { return json.RawMessage(answer), nil }
	present := func(arguments, answer json.RawMessage) tool.Presentation {
		var a struct {
			Customers []struct{ ID, Name, Owes string }
		}
		if err := json.Unmarshal(answer, &a); err != nil || string(arguments) != `{"page":2}` {
			panic(fmt.Sprint("arguments ", string(arguments), ", answer ", err))
		}
		table := render.Table{Columns: []render.Column{{Key: "name", Label: "Customer"}, {Key: "id", Label: "Id"}},
			Rows: [][]render.Cell{{render.Text(a.Customers[0].Name), render.Text(a.Customers[0].ID)}}}
		return tool.Presentation{Text: a.Customers[0].Name + " owes " + a.Customers[0].Owes + ".", Table: &table}
	}
	read := func(present func(arguments, answer json.RawMessage) tool.Presentation) (tool.Result, error) {
		set, err := tool.NewSets(1).Set(nil, []tool.Declaration{{Spec: tool.Spec{Name: "list", Effect: tool.Reads},
			Schema: json.RawMessage(`{"properties":{"page":{"type":"integer"}}}`), Run: run, Present: present}})
		if err != nil {
			t.Fatal(err)
		}
		made, _ := set.Find("list")
		call, err := made.Prepare([]byte(`{"page": 2}`))
		if err != nil {
			t.Fatal(err)
		}
		return call.Run(t.Context(), identity.Caller{})
	}
	r, err := read(present)
	if err != nil || r.Text != "Acme owes 12.50." || r.Records != 1 || r.Table == nil ||
		strings.Contains(string(r.Data)+fmt.Sprint(r.Table), "0b9c9a80") ||
		!strings.Contains(string(r.Data), `"owes":"12.50"`) {
		t.Errorf("%+v, %v", r, err)
	}
	if len(r.Parts) != 1 || r.Parts[0].Kind != "table" {
		t.Errorf("the parts are %+v", r.Parts)
	}
	if _, err := read(func(_, _ json.RawMessage) tool.Presentation { panic("broken") }); fault.KindOf(err) != fault.Internal {
		t.Errorf("a presentation that panics: %v", err)
	}
}
