package consent_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

type stay struct {
	Room   string        `json:"room,omitempty" jsonschema:"the room"`
	Day    calendar.Date `json:"day,omitzero" jsonschema:"the day"`
	Amount money.Amount  `json:"amount,omitzero" jsonschema:"the amount"`
	To     string        `json:"to,omitempty" jsonschema:"who is written to"`
	Kind   string        `json:"kind,omitempty" jsonschema:"what kind it is"`
	Text   string        `json:"text,omitempty" jsonschema:"what is written"`
}

// origin returns where one argument is said to come from, by a preview with one
// line that shows it as value.
func origin(t *testing.T, s consent.Sources, args, value, tier string) (tool.Origin, []string) {
	t.Helper()
	move := tool.New(tool.Spec{Name: "move_stay", Effect: tool.Changes,
		Description: "Moves a stay to another day or room."},
		func(context.Context, identity.Caller, stay) (string, error) { return "", nil },
		tool.Previewed(func(context.Context, identity.Caller, stay) (tool.Preview, error) {
			return tool.Preview{},
				nil
		}))
	call, err := move.Prepare([]byte(args))
	if err != nil {
		t.Fatal(err)
	}
	s.Today = calendar.Of(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)) // a Saturday
	p := tool.Preview{Lines: []tool.Line{{Label: "Made by code", After: "none"}, {Label: "Value", After: value}}}
	s.Mark(call, tier, &p)
	if p.Lines[0].Origin != "" {
		t.Errorf("%s: a line of code's own bears %q", args, p.Lines[0].Origin)
	}
	return p.Lines[1].Origin, p.Warnings
}

// What a person says is recognised in the spellings that people use, and what
// was not said is not.
func TestValuesAreFoundInWhatWasSaid(t *testing.T) {
	t.Parallel()
	type row struct{ said, args, shown string }
	yes := []row{
		{"12 December please", `{"day":"2026-12-12"}`, "12-Dec-2026"},
		{"from Dec 12th", `{"day":"2026-12-12"}`, "12-Dec-2026"},
		{"12 to 15 Dec", `{"day":"2026-12-15"}`, "15-Dec-2026"},
		{"on 2026-12-12", `{"day":"2026-12-12"}`, "12-Dec-2026"},
		{"12/12/2026", `{"day":"2026-12-12"}`, "12-Dec-2026"},
		{"05/01", `{"day":"2027-01-05"}`, "05-Jan-2027"},
		{"12-Dec-2026 works", `{"day":"2026-12-12"}`, "12-Dec-2026"},
		{"12 दिसंबर", `{"day":"2026-12-12"}`, "12-Dec-2026"},
		{"tomorrow", `{"day":"2026-11-22"}`, "22-Nov-2026"},
		{"kal ke liye", `{"day":"2026-11-22"}`, "22-Nov-2026"},
		{"परसों", `{"day":"2026-11-23"}`, "23-Nov-2026"},
		{"today please", `{"day":"2026-11-21"}`, "21-Nov-2026"},
		{"next Friday", `{"day":"2026-11-27"}`, "27-Nov-2026"},
		{"this weekend", `{"day":"2026-11-22"}`, "22-Nov-2026"},
		{"in 5 days", `{"day":"2026-11-26"}`, "26-Nov-2026"},
		{"from 12 December for three nights", `{"day":"2026-12-15"}`, "15-Dec-2026"},
		{"tomorrow, 2 nights", `{"day":"2026-11-24"}`, "24-Nov-2026"},
		{"from Monday for a week", `{"day":"2026-11-30"}`, "30-Nov-2026"},
		{"block all of December", `{"day":"2026-12-31"}`, "31-Dec-2026"},
		{"45 per guest", `{"amount":45}`, "₹45.00"},
		{"₹2,50,000 please", `{"amount":250000}`, "₹2,50,000.00"},
		{"2.5 lakh", `{"amount":250000}`, "₹2,50,000.00"},
		{"dedh lakh", `{"amount":150000}`, "₹1,50,000.00"},
		{"1.5k", `{"amount":1500}`, "₹1,500.00"},
		{"दो crore", `{"amount":2}`, "₹2.00"},
		{"४५ रुपये", `{"amount":45}`, "₹45.00"},
		{"twelve-fifty: 12.50", `{"amount":12.5}`, "₹12.50"},
		{"two of them", `{"amount":2}`, "2"},
		{"the COCO", `{"room":"Coco"}`, "Coco (COCO)"},
		{"lake  cabin, please", `{"room":"Lake Cabin"}`, "Lake Cabin"},
		{"kayaks", `{"room":"Kayak"}`, "Kayak"},
		{"José’s room", `{"room":"Jose\u0301s room"}`, "Josés room"},
		{"write to meera@example.com", `{"to":"meera@example.com"}`, "meera@example.com"},
	}
	for _, r := range yes {
		if got, warned := origin(t, consent.Sources{Said: []string{"hello", r.said}}, r.args, r.shown,
			"HIGH"); got != tool.FromPerson || len(warned) > 0 {
			t.Errorf("%q: %s is from %q, %v", r.said, r.args, got, warned)
		}
	}
	no := []row{
		{"12 December please", `{"day":"2026-12-13"}`, "13-Dec-2026"},
		{"tomorrow", `{"day":"2026-11-23"}`, "23-Nov-2026"},
		{"next Friday", `{"day":"2027-11-26"}`, "26-Nov-2027"},
		{"for three nights", `{"day":"2026-12-15"}`, "15-Dec-2026"},
		{"block December", `{"day":"2027-02-28"}`, "28-Feb-2027"},
		{"45 per guest", `{"amount":450}`, "₹450.00"},
		{"2.5 lakh", `{"amount":25000}`, "₹25,000.00"},
		{"the COCO", `{"room":"COCOA"}`, "COCOA"},
		{"the cocoa", `{"room":"COCO"}`, "COCO"},
		{"write to meera@example.com", `{"to":"meera@evil.example"}`, "meera@evil.example"},
		{"", `{"to":"meera@example.com"}`, "meera@example.com"},
	}
	for _, r := range no {
		if got, warned := origin(t, consent.Sources{Said: []string{r.said}}, r.args, r.shown,
			"HIGH"); got != tool.FromAssistant || len(warned) != 1 {
			t.Errorf("%q: %s is from %q, %v", r.said, r.args, got, warned)
		}
	}
}

func TestTheBestSourceCounts(t *testing.T) {
	t.Parallel()
	found := []string{`{"data":{"code":"COCO","day":"2026-12-12","amount":"1250.00","to":"meera@example.com"}}`}
	for name, tc := range map[string]struct {
		s      consent.Sources
		args   string
		shown  string
		origin tool.Origin
	}{
		"this turn's results": {consent.Sources{Turn: found, History: found}, `{"room":"COCO"}`, "COCO",
			tool.FromTurn},
		"an earlier turn's": {consent.Sources{History: found}, `{"day":"2026-12-12"}`, "12-Dec-2026",
			tool.FromHistory},
		"an amount in them": {consent.Sources{Turn: found}, `{"amount":1250}`, "₹1,250.00", tool.FromTurn},
		"an address in them": {consent.Sources{Turn: found}, `{"to":"Meera@Example.com"}`, "Meera@Example.com",
			tool.FromTurn},
		"the worst of one line": {consent.Sources{Said: []string{"coco"}, Turn: found},
			`{"room":"COCO","day":"2026-12-12"}`, "COCO on 12-Dec-2026", tool.FromTurn},
		"a member's name is none": {consent.Sources{Turn: []string{`{"amount":"1"}`}}, `{"room":"COCO"}`, "COCO",
			tool.FromAssistant},
		"prose steers nothing": {consent.Sources{}, `{"text":"` + strings.Repeat("dear guest ", 9) + `"}`,
			"dear guest", ""},
	} {
		if got, _ := origin(t, tc.s, tc.args, tc.shown, "MEDIUM"); got != tc.origin {
			t.Errorf("%s: got %q, want %q", name, got, tc.origin)
		}
	}
	// MEDIUM is quiet: the mark is enough.
	if _, warned := origin(t, consent.Sources{}, `{"room":"COCO"}`, "COCO", "MEDIUM"); len(warned) > 0 {
		t.Errorf("it warns: %v", warned)
	}
}

// An act that would touch more rows than one may is not even asked about.
func TestAnActOnTooManyRowsIsRefused(t *testing.T) {
	t.Parallel()
	for rows, ok := range map[int]bool{100: true, 101: false} {
		wipe := tool.New(tool.Spec{Name: "wipe_rooms", Effect: tool.Destroys,
			Description: "Wipes a number of rooms away."},
			func(context.Context, identity.Caller, struct{}) (string, error) { return "", nil },
			tool.Previewed(func(context.Context, identity.Caller, struct{}) (tool.Preview, error) {
				return tool.Preview{Title: "Wipe", Targets: make([]tool.Target, rows)}, nil
			}))
		call, err := wipe.Prepare(nil)
		if err != nil {
			t.Fatal(err)
		}
		store := &drawer{}
		_, err = newService(store, "AAAA").Propose(t.Context(), manager(), consent.Where{}, call)
		if (err == nil) != ok || !ok && (fault.From(err).Code != "too_many_rows" || len(store.drafts) > 0) {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}

func BenchmarkOrigins(b *testing.B) {
	results := strings.Repeat(`{"code":"COCO","name":"Coco","price":"1250.00","day":"2026-12-12"},`, 500)
	move := tool.New(tool.Spec{Name: "move_stay", Effect: tool.Changes,
		Description: "Moves a stay to another day or room."},
		func(context.Context, identity.Caller, stay) (string, error) { return "", nil })
	call, err := move.Prepare([]byte(`{"room":"COCO","day":"2026-12-12","amount":1250}`))
	if err != nil {
		b.Fatal(err)
	}
	s := consent.Sources{Said: []string{"move it to the other one"}, Turn: []string{results},
		History: []string{results}, Today: calendar.Of(time.Now())}
	for b.Loop() {
		p := tool.Preview{Lines: []tool.Line{{After: "COCO"}, {After: "12-Dec-2026"}, {After: "₹1,250.00"}}}
		s.Mark(call, "HIGH", &p)
	}
}
