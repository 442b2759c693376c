package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

type order struct {
	Room    string        `json:"room_code" jsonschema:"the room's code"`
	From    calendar.Date `json:"from,omitzero" jsonschema:"the first night"`
	Price   money.Amount  `json:"price,omitzero" jsonschema:"what it costs"`
	Guests  int           `json:"guests,omitempty" jsonschema:"how many come"`
	Quiet   bool          `json:"quiet,omitempty" jsonschema:"true for a quiet room"`
	Emails  []string      `json:"emails,omitempty" jsonschema:"who is written to"`
	Message string        `json:"message,omitempty" jsonschema:"what is written"`
}

func orders(t *testing.T) []tool.Tool {
	t.Helper()
	run := func(context.Context, identity.Caller, order) (string, error) { return "done", nil }
	preview := tool.Previewed(func(context.Context, identity.Caller, order) (tool.Preview, error) {
		return tool.Preview{Title: "Its own preview"}, nil
	})
	return []tool.Tool{
		tool.New(tool.Spec{Name: "read_order", Effect: tool.Reads, Description: "Reads an order of somebody's."}, run),
		tool.New(tool.Spec{Name: "note_order", Effect: tool.Writes, Description: "Notes an order, which is small."},
			run),
		tool.New(tool.Spec{Name: "place_order", Effect: tool.Changes,
			Description: "Places an order, which is not small."}, run, preview),
	}
}

// S2-35: a policy is stricter than the tools, never laxer.
func TestAPolicyMovesEffectsUpOnly(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		effects map[string]tool.Effect
		wrong   string
	}{
		"up":                  {map[string]tool.Effect{"note_order": tool.Changes, "place_order": tool.Critical}, ""},
		"to where it is":      {map[string]tool.Effect{"place_order": tool.Changes}, ""},
		"none":                {nil, ""},
		"down":                {map[string]tool.Effect{"place_order": tool.Writes}, "cannot be raised"},
		"off the scale":       {map[string]tool.Effect{"place_order": tool.Critical + 1}, "cannot be raised"},
		"unstated":            {map[string]tool.Effect{"place_order": 0}, "cannot be raised"},
		"what only reads":     {map[string]tool.Effect{"read_order": tool.Changes}, "cannot be raised"},
		"a tool there is not": {map[string]tool.Effect{"drop_all": tool.Critical}, "no tool drop_all"},
	}
	for name, tc := range tests {
		own := orders(t)
		raised, err := tool.Raise(own, tc.effects)
		if (err == nil) != (tc.wrong == "") || err != nil && !strings.Contains(err.Error(), tc.wrong) {
			t.Errorf("%s: %v", name, err)
		}
		for i, r := range raised {
			if want := max(own[i].Effect(), tc.effects[r.Name()]); r.Effect() != want || r.Check() != nil {
				t.Errorf("%s: %s is %s, want %s (%v)", name, r.Name(), r.Effect(), want, r.Check())
			}
		}
		if own[1].Effect() != tool.Writes {
			t.Errorf("%s: the policy reaches the tools of others", name)
		}
	}
	raised, err := tool.Raise(orders(t), map[string]tool.Effect{"note_order": tool.Destroys})
	if err != nil {
		t.Fatal(err)
	}
	call, err := raised[1].Prepare([]byte(`{"room_code":"COCO"}`))
	if err != nil {
		t.Fatal(err)
	}
	manager := identity.Caller{Role: identity.Manager}
	claim := effect.Claim{Key: "a-key-of-its-own", Tool: "note_order"}
	if _, err := call.Run(effect.With(t.Context(), claim), manager); err == nil || !strings.Contains(fmt.Sprint(err),
		"consent") {
		t.Errorf("a raised tool ran without consent: %v", err)
	}
	claim.Proposal = "11111111-2222-4333-8444-555555555555"
	if _, err := call.Run(effect.With(t.Context(), claim), manager); err != nil {
		t.Errorf("with consent: %v", err)
	}
}

func TestASmallWriteIsShownByItsArguments(t *testing.T) {
	t.Parallel()
	list := orders(t)
	call, err := list[1].Prepare([]byte(`{"room_code":"COCO","from":"2026-12-24","price":12.50,"guests":2,` +
		`"quiet":true,"emails":["a@b.example","c@d.example"]}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := call.Preview(t.Context(), identity.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range p.Lines {
		lines = append(lines, l.Label+": "+l.After)
	}
	if got := p.Title + "; " + strings.Join(lines,
		"; "); got != "Note order; Emails: a@b.example, c@d.example; From: 2026-12-24; Guests: 2; Price: 12.5; "+
		"Quiet: yes; Room code: COCO" {
		t.Error(got)
	}
	reading, err := list[0].Prepare([]byte(`{"room_code":"COCO"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reading.Preview(t.Context(), identity.Caller{}); err == nil {
		t.Error("what only reads has a preview")
	}
	var steering []string
	for _, v := range call.Values() {
		steering = append(steering, fmt.Sprintf("%s=%s %v %v", v.Name, v.Text, v.Date, v.Num))
	}
	if got := strings.Join(steering, "; "); got != "emails[1]=a@b.example false false; emails[2]=c@d.example false "+
		"false; from=2026-12-24 true false; guests=2 false true; price=12.5 false true; room_code=COCO false "+
		"false" {
		t.Error(got)
	}
}

func TestStrangersWordsAreTakenOut(t *testing.T) {
	t.Parallel()
	none := orders(t)[0]
	some := tool.Distrust([]tool.Tool{none}, "notes", "requests")[0]
	all := tool.Distrust([]tool.Tool{none}, "*")[0]
	tests := map[string]struct {
		tool       tool.Tool
		data, want string
		outside    bool
	}{
		"nothing is declared": {none, `{"notes":"obey"}`, `{"notes":"obey"}`, false},
		"no such member":      {some, `{"code":"A"}`, `{"code":"A"}`, false},
		"at the top":          {some, `{"code":"A","notes":"obey"}`, `{"code":"A"}`, true},
		"in a list, far below": {some, `{"list":[{"code":"A"},{"code":"B","guest":{"requests":["obey"]}}]}`,
			`{"list":[{"code":"A"},{"code":"B","guest":{}}]}`, true},
		"blank":                    {some, `{"code":"A","notes":"  "}`, `{"code":"A","notes":"  "}`, false},
		"a number says nothing":    {some, `{"notes":7}`, `{"notes":7}`, false},
		"a word beside a blank":    {some, `{"notes":"","requests":{"a":["x"]}}`, `{}`, true},
		"the name in another text": {some, `{"code":"the \"notes\": of A"}`, `{"code":"the \"notes\": of A"}`, false},
		"all of it":                {all, `{"code":"A"}`, `{}`, true},
		"what was cut":             {some, `{"notes":"obey me … (12 bytes more`, `{}`, true},
	}
	for name, tc := range tests {
		got, outside := tc.tool.Trusted(json.RawMessage(tc.data))
		if string(got) != tc.want || outside != tc.outside {
			t.Errorf("%s: %s, %v", name, got, outside)
		}
	}
}
