package customtools_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/customtools"
)

// sender refuses addresses as egress does, and keeps what it was asked to send.
type sender struct{ sent []customtools.Request }

func (*sender) Check(address string) error { return egress.Config{}.Check(address) }

func (s *sender) Send(_ context.Context, _ identity.Caller, r customtools.Request) (json.RawMessage, error) {
	s.sent = append(s.sent, r)
	return json.RawMessage(`{"visa":"none"}`), nil
}

func visa() customtools.Definition {
	return customtools.Definition{Name: "visa_rules", Description: "Says which visa somebody needs for a country.",
		Method: "GET", Address: "https://visa.example/v1/{country}?lang=en", Effect: customtools.Reads, Enabled: true,
		Schema: json.RawMessage(`{"type":"object","properties":{"country":{"type":"string"},"days":{"type":"integer"},
			"list":{"type":"array","items":{"type":"string"}}},"required":["country"]}`)}
}

func TestWhatCannotBeAToolIsRefusedByField(t *testing.T) {
	t.Parallel()
	if _, problems := customtools.Check(visa(), &sender{}); len(problems) > 0 {
		t.Fatalf("refused: %v", problems)
	}
	for field, breaks := range map[string][]func(*customtools.Definition){
		"name":        {func(d *customtools.Definition) { d.Name = "Visa rules" }},
		"description": {func(d *customtools.Definition) { d.Description = "short" }},
		"method": {func(d *customtools.Definition) { d.Method = "DELETE" },
			func(d *customtools.Definition) { d.Effect = customtools.Changes }},
		"effect": {func(d *customtools.Definition) { d.Effect = "destroys" }},
		"secret": {func(d *customtools.Definition) { d.Secret = "sk-live-123" }},
		"schema": {func(d *customtools.Definition) { d.Schema = json.RawMessage(`{"type":"string"}`) },
			func(d *customtools.Definition) { d.Schema = nil },
			func(d *customtools.Definition) {
				d.Schema = json.RawMessage(`{"type":"object","properties":{"country":{"$ref":"https://evil.example/` +
					`s.json"}}}`)
			}},
		"address": {func(d *customtools.Definition) { d.Address = "https://{country}.example/" },
			func(d *customtools.Definition) { d.Address = "https://visa.example/{land}" },
			func(d *customtools.Definition) { d.Address = "https://visa.example/{country" },
			func(d *customtools.Definition) { d.Address = "http://visa.example/{country}" },
			func(d *customtools.Definition) { d.Address = "file:///etc/{country}" },
			func(d *customtools.Definition) { d.Address = "https://169.254.169.254/{country}" },
			func(d *customtools.Definition) { d.Address = "https://localhost/{country}" }},
	} {
		for i, change := range breaks {
			d := visa()
			change(&d)
			if _, problems := customtools.Check(d, &sender{}); len(problems) != 1 || problems[0].Field != field {
				t.Errorf("%s %d: %v", field, i, problems)
			}
		}
	}
}

func TestARequestGoesWhereItWasDefined(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		`{"country":"PT"}`:                      "https://visa.example/v1/PT?lang=en",
		`{"country":"Côte d'Ivoire","days":30}`: "https://visa.example/v1/C%C3%B4te%20d%27Ivoire?lang=en&days=30",
		`{"country":"a/../../admin?x=1#y"}`:     "https://visa.example/v1/a%2F..%2F..%2Fadmin%3Fx=1%23y?lang=en",
		`{"country":".."}`:                      "",
		`{"country":""}`:                        "",
		`{}`:                                    "",
		`{"country":"PT","list":["a"]}`:         "",
		`[]`:                                    "",
	} {
		r, err := visa().Request(json.RawMessage(arguments))
		if want == "" {
			if err == nil {
				t.Errorf("%s: leads to %s", arguments, r.Address)
			}
			continue
		}
		if err != nil || r.Address != want || r.Body != nil {
			t.Errorf("%s: %s %v, want %s", arguments, r.Address, err, want)
		}
	}
	post := visa()
	post.Method = "POST"
	r, err := post.Request(json.RawMessage(`{"country":"PT","list":["a"],"days":3}`))
	if err != nil || r.Address != "https://visa.example/v1/PT?lang=en" || string(r.Body) != `{"days":3,"list":["a"]}` {
		t.Errorf("%+v %v", r, err)
	}
}

// stored is a customtools.Store of some definitions.
type stored struct {
	customtools.Store
	all []customtools.Definition
}

func (s stored) List(context.Context, identity.Caller) ([]customtools.Definition, error) {
	return s.all, nil
}

// Those that read run unasked and are untrusted; without an outbox none changes anything,
// and a broken one takes no other along.
func TestToolsOfAnOrganisation(t *testing.T) {
	t.Parallel()
	changes, off, broken := visa(), visa(), visa()
	changes.Name, changes.Method, changes.Effect = "ask_travel_desk", "POST", customtools.Changes
	off.Name, off.Enabled = "switched_off", false
	broken.Name, broken.Address = "broken_one", "https://10.0.0.1/{country}"
	s := &sender{}
	declared, err := customtools.Tools(t.Context(), identity.Caller{}, customtools.Config{Sender: s,
		Store: stored{all: []customtools.Definition{visa(), changes, off, broken}}})
	if err != nil || len(declared) != 1 {
		t.Fatal(len(declared), err)
	}
	set, err := tool.NewSets(1).Set(nil, declared)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, one := range set.All() {
		names = append(names, one.Spec().Name)
		if one.Spec().Effect != tool.Reads || strings.Join(one.Spec().Untrusted, "") != "*" {
			t.Errorf("%+v", one.Spec())
		}
	}
	if strings.Join(names, " ") != "custom_visa_rules" {
		t.Errorf("tools: %v", names)
	}
	answer, err := declared[0].Run(t.Context(), identity.Caller{}, json.RawMessage(`{"country":"PT"}`))
	if err != nil || len(s.sent) != 1 || s.sent[0].Method != "GET" || answer == nil {
		t.Errorf("%v %v %v", answer, err, s.sent)
	}
}
