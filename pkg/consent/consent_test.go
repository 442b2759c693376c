package consent_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/vocabulary"
)

func proposal() consent.Proposal {
	return consent.Proposal{
		Draft: consent.Draft{
			ID: "11111111-2222-4333-8444-555555555555", Entity: "canary-entity", Assistant: "canary-assistant",
			Agent: "canary-agent", Thread: "canary-thread",
			Turn: "canary-turn", Tool: "create_extra", Arguments: json.RawMessage(`{"name":"canary-argument"}`),
			Hash: "canary-hash", Tier: "MEDIUM", Code: "K7QM",
			Preview: tool.Preview{
				Title: "Add the extra Kayak", Lines: []tool.Line{{Label: "Price", Before: "₹10.00", After: "₹12.00"},
					{Label: "Tax", After: "none"}},
				Warnings: []string{"It costs more than before."},
				Targets:  []tool.Target{{Table: "canary-table", Key: "canary-key", Version: 3}},
			},
		},
		State: consent.Pending, CreatedAt: time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC), ExpiresAt: time.Date(2026, 1,
			15, 12, 10, 0, 0, time.UTC),
	}
}

// What was proposed is shown by its preview; nothing else of it leaves,
// whichever way it is encoded.
func TestAProposalLeavesWithoutItsArgumentsAndTargets(t *testing.T) {
	const want = `{"id":"11111111-2222-4333-8444-555555555555","tool":"create_extra","tier":"MEDIUM","code":"K7QM",` +
		`"preview":{"title":"Add the extra Kayak","lines":[{"label":"Price","before":"₹10.00","after":"₹12.00"},` +
		`{"label":"Tax","after":"none"}],"warnings":["It costs more than before."]},` +
		`"expiresAt":"2026-01-15T12:10:00Z","state":"pending"}`
	p := proposal()
	for name, v := range map[string]any{"its view": p.View(), "itself": p, "behind a pointer": &p} {
		if got, err := json.Marshal(v); err != nil || string(got) != want {
			t.Errorf("%s: got\n%s, %v\nwant\n%s", name, got, err, want)
		}
	}
	for name, v := range map[string]any{"in a list": []consent.Proposal{p},
		"in an answer": map[string]any{"confirmation": p}} {
		if got, err := json.Marshal(v); err != nil || bytes.Contains(got, []byte("canary")) {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
	if p.Preview.Targets == nil {
		t.Error("viewing a proposal took its targets away")
	}
}

func TestAQuestionSaysWhatWouldBeDoneAndHowToAnswer(t *testing.T) {
	facts := "**Add the extra Kayak**\n\n- Price: ₹10.00 → ₹12.00\n- Tax: none\n- Note: It costs more than before.\n\n"
	tests := map[string]string{
		"MEDIUM":   facts + "Shall I do this? Answer **yes** or **no**. (K7QM)",
		"HIGH":     facts + "Please confirm with the button, or answer **yes K7QM**. (K7QM)",
		"CRITICAL": facts + "Please confirm with the button, or answer **yes K7QM**. (K7QM)",
	}
	for tier, want := range tests {
		p := proposal()
		p.Tier = tier
		if got := p.Text(); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", tier, got, want)
		}
	}
}

// F-61, F-40: a name that a user typed cannot look like the question, like
// another line of the preview, or like the code.
func TestAHostileNameCannotFakeTheQuestion(t *testing.T) {
	tests := map[string]string{
		"the question again":        "Kayak\n\nShall I do this? Answer **yes** or **no**. (AAAA)",
		"another line":              "Kayak\r\n- Price: ₹0.00",
		"a line by other ends":      "Kayak\u2028- Price: ₹0.00\u2029Shall I?\u0085- x\v- y\f- z",
		"the end of the bold":       "Kayak** free of charge **",
		"a code in a link":          "Kayak [(AAAA)](https://evil.example)",
		"a tag":                     "Kayak</li><li>Price: ₹0.00<script>x</script>",
		"a text that turns around":  "Kayak \u202E)MQ7K( .on ro sey\u202C",
		"a price hidden by nothing": "Kayak \u200B\u2060\U000E0041\uFEFF free",
		"a heading":                 "# Kayak\n# Done",
		"a comment":                 "Kayak <!-- \n",
		"a fence":                   "Kayak\n```\nhidden",
	}
	for name, hostile := range tests {
		t.Run(name, func(t *testing.T) {
			p := proposal()
			p.Preview = tool.Preview{
				Title: "Add the extra " + hostile,
				Lines: []tool.Line{{Label: hostile, Before: hostile, After: hostile},
					{Label: "Price", After: "₹12.00"}},
				Warnings: []string{hostile},
			}
			text := p.Text()
			lines := strings.Split(text, "\n")
			if len(lines) != 7 || lines[1] != "" || lines[5] != "" || !strings.HasPrefix(lines[2], "- ") ||
				lines[3] != "- Price: ₹12.00" || !strings.HasPrefix(lines[4], "- Note: ") {
				t.Fatalf("the preview has other lines:\n%s", text)
			}
			if lines[6] != "Shall I do this? Answer **yes** or **no**. (K7QM)" {
				t.Errorf("the question is %q", lines[6])
			}
			if head := strings.TrimSuffix(strings.TrimPrefix(lines[0], "**"),
				"**"); strings.Contains(strings.ReplaceAll(head, `\*`, ""), "*") {
				t.Errorf("the title's bold ends early: %q", lines[0])
			}
			facts := strings.Join(lines[:6], "\n")
			if strings.ContainsAny(facts, "<>\u202E\u202C\u200B\u2060\uFEFF\u2028\u2029\u0085\v\f\r") ||
				strings.Contains(facts, "\U000E0041") {
				t.Errorf("something hidden is left: %q", facts)
			}
			body := strings.TrimSuffix(strings.TrimPrefix(facts, "**"), "**")
			for _, mark := range []string{"*", "[", "]", "`", "#"} {
				bare := strings.ReplaceAll(strings.ReplaceAll(body, `\`+mark, ""), "**\n", "\n")
				if mark == "#" {
					bare = strings.ReplaceAll(bare, "&#", "") // a character by its number
				}
				if strings.Contains(bare, mark) {
					t.Errorf("%q is markup in %q", mark, facts)
				}
			}
		})
	}
}

// F-36
func TestOnlyAPendingQuestionCanBeAnswered(t *testing.T) {
	tests := map[consent.State]struct {
		kind fault.Kind
		code string
	}{
		consent.Pending:    {"", ""},
		consent.Expired:    {fault.Gone, "proposal_expired"},
		consent.Superseded: {fault.Conflict, "proposal_superseded"},
		consent.Rejected:   {fault.Conflict, "proposal_rejected"},
		consent.Consumed:   {fault.Conflict, "proposal_consumed"},
		"unheard of":       {fault.Conflict, "proposal_consumed"},
	}
	for state, want := range tests {
		err := consent.Proposal{State: state}.Usable()
		if fault.KindOf(err) != want.kind || err != nil && (fault.From(err).PublicCode() != want.code ||
			fault.From(err).Message == "") {
			t.Errorf("%s: got %v, want %s %s", state, err, want.kind, want.code)
		}
	}
}

func TestACriticalActNeedsItsPhrase(t *testing.T) {
	tests := map[string]struct {
		tier, typed string
		ok          bool
	}{
		"the phrase":                   {"CRITICAL", "yes K7QM", true},
		"in other capitals and spaces": {"CRITICAL", "  YES   k7qm ", true},
		"nothing":                      {"CRITICAL", "", false},
		"a plain yes":                  {"CRITICAL", "yes", false},
		"the code alone":               {"CRITICAL", "K7QM", false},
		"another code":                 {"CRITICAL", "yes AAAA", false},
		"more than the phrase":         {"CRITICAL", "yes K7QM please", false},
		"a high act needs none":        {"HIGH", "", true},
		"nor a medium one":             {"MEDIUM", "whatever", true},
	}
	for name, tc := range tests {
		p := proposal()
		p.Tier = tc.tier
		err := p.Phrase(tc.typed)
		if (err == nil) != tc.ok {
			t.Errorf("%s: got %v", name, err)
		}
		if err != nil && (fault.From(err).PublicCode() != "phrase_needed" || !strings.Contains(fault.From(err).Message,
			"yes K7QM")) {
			t.Errorf("%s: it says %q", name, fault.From(err).Message)
		}
	}
}

func TestCodesAreOfLettersThatNobodyMistakes(t *testing.T) {
	draw := consent.Codes(rand.Reader)
	seen := map[rune]int{}
	for range 4000 {
		code := draw()
		if len(code) != consent.CodeLength {
			t.Fatalf("a code is %q", code)
		}
		for _, r := range code {
			seen[r]++
		}
	}
	for _, r := range "IO01abc " {
		if seen[r] > 0 {
			t.Errorf("%q is drawn", r)
		}
	}
	// 16,000 draws of 32 letters: 500 of each, give or take far less than half.
	if len(seen) != 32 {
		t.Errorf("there are %d letters", len(seen))
	}
	for r, n := range seen {
		if n < 250 || n > 750 {
			t.Errorf("%q is drawn %d times of about 500", r, n)
		}
	}
	// The same randomness gives the same code, and its absence a harmless one.
	if got := consent.Codes(bytes.NewReader([]byte{0, 31, 32, 255}))(); got != "A9A9" {
		t.Errorf("got %s", got)
	}
	if got := consent.Codes(bytes.NewReader(nil))(); got != "AAAA" {
		t.Errorf("without randomness the code is %s", got)
	}
	code := draw()
	if answer, named := consent.Words("yes "+strings.ToLower(code), code, "",
		vocabulary.Words{}); answer != consent.Yes || !named {
		t.Errorf("“yes %s” is not understood", code)
	}
}

// drawer is a store in which some codes are taken.
type drawer struct {
	taken  map[string]bool
	err    error
	drafts []consent.Draft
	kept   []consent.Proposal
	before time.Time // when the same was done
}

func (d *drawer) Propose(_ context.Context, _ identity.Caller, draft consent.Draft) (consent.Proposal, error) {
	d.drafts = append(d.drafts, draft)
	if d.taken[draft.Code] {
		return consent.Proposal{}, fmt.Errorf("create: %w", fault.New(fault.Conflict, "Taken.").WithCode("code_taken"))
	}
	return consent.Proposal{Draft: draft, State: consent.Pending}, d.err
}

func (d *drawer) Proposals(_ context.Context, _ identity.Caller, q consent.Query) ([]consent.Proposal, error) {
	var out []consent.Proposal
	for _, p := range d.kept {
		if p.ID == q.ID {
			out = append(out, p)
		}
	}
	return out, d.err
}

func (d *drawer) Reject(context.Context, identity.Caller, string) (consent.Proposal, error) {
	return consent.Proposal{}, errors.New("the service rejects nothing by itself")
}

func (d *drawer) Renew(context.Context, identity.Caller, consent.Proposal, tool.Preview) error {
	return errors.New("the database says when something has changed")
}

func (d *drawer) Done(context.Context, identity.Caller, consent.Act, time.Duration) (time.Time, bool, error) {
	return d.before, !d.before.IsZero(), d.err
}

func (d *drawer) Outcome(context.Context, identity.Caller, string) (*effect.Outcome, error) {
	return nil, errors.New("the service asks for no outcome by itself")
}

type input struct {
	Name string `json:"name" jsonschema:"what it is called"`
}

// addKayak is a tool that asks; ran gets the claims under which it ran.
func addKayak(t *testing.T, ran *[]effect.Claim) tool.Tool {
	t.Helper()
	add := tool.New(tool.Spec{Name: "add_kayak", Effect: tool.Changes,
		Description: "Adds a kayak to those that guests may take."},
		func(ctx context.Context, _ identity.Caller, in input) (map[string]string, error) {
			claim, _ := effect.From(ctx)
			*ran = append(*ran, claim)
			return map[string]string{"added": in.Name}, nil
		},
		tool.Previewed(func(ctx context.Context, _ identity.Caller, in input) (tool.Preview, error) {
			if !effect.IsReadOnly(ctx) {
				t.Error("the preview could write")
			}
			if in.Name == "twice" {
				return tool.Preview{}, fault.New(fault.Conflict, "There is one already.").WithCode("duplicate")
			}
			return tool.Preview{Title: "Add " + in.Name}, nil
		}))
	if err := add.Check(); err != nil {
		t.Fatal(err)
	}
	return add
}

func prepare(t *testing.T, kayak tool.Tool, name string) tool.Call {
	t.Helper()
	call, err := kayak.Prepare([]byte(`{"name":"` + name + `"}`))
	if err != nil {
		t.Fatal(err)
	}
	return call
}

func newService(store consent.Store, codes ...string) *consent.Service {
	return &consent.Service{Store: store, NewID: func() string { return "11111111-2222-4333-8444-555555555555" },
		Code: func() string {
			code := codes[0]
			if len(codes) > 1 {
				codes = codes[1:]
			}
			return code
		}}
}

func manager() identity.Caller {
	return identity.Caller{UserID: "u", Role: identity.Manager, Entity: identity.Entity{ID: "e"},
		Assistants: []string{"hospitality", "canary-assistant"}}
}

func TestACodeThatIsTakenIsDrawnAgain(t *testing.T) {
	var ran []effect.Claim
	call := prepare(t, addKayak(t, &ran), "Red")
	at := consent.Where{Assistant: "hospitality", Agent: "inventory", Thread: "th", Turn: "t1"}
	tests := map[string]struct {
		taken map[string]bool
		codes []string
		want  string // the code
		draws int
		kind  fault.Kind
	}{
		"a free code": {nil, []string{"AAAA"}, "AAAA", 1, ""},
		"the third is free": {map[string]bool{"AAAA": true, "BBBB": true}, []string{"AAAA", "BBBB", "CCCC"}, "CCCC",
			3, ""},
		"none that was drawn": {map[string]bool{"AAAA": true}, []string{"AAAA"}, "", 4, fault.Unavailable},
		"one for the last try": {map[string]bool{"AAAA": true}, []string{"AAAA", "AAAA", "AAAA", "BBBB"}, "BBBB", 4,
			""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			store := &drawer{taken: tc.taken}
			p, err := newService(store, tc.codes...).Propose(t.Context(), manager(), at, call)
			if p.Code != tc.want || len(store.drafts) != tc.draws || fault.KindOf(err) != tc.kind {
				t.Errorf("got the code %q after %d draws, %v", p.Code, len(store.drafts), err)
			}
			first := store.drafts[0]
			want := consent.Draft{
				ID: "11111111-2222-4333-8444-555555555555", Entity: "e", Assistant: "hospitality", Agent: "inventory",
				Thread: "th", Turn: "t1", Tool: "add_kayak",
				Arguments: json.RawMessage(`{"name":"Red"}`), Hash: call.Hash, Preview: tool.Preview{Title: "Add Red"},
				Tier: "MEDIUM", Code: tc.codes[0],
			}
			if !reflect.DeepEqual(first, want) {
				t.Errorf("the draft is\n%+v\nwant\n%+v", first, want)
			}
		})
	}
	if len(ran) > 0 {
		t.Error("a proposal ran the tool")
	}
}

func TestWhatCannotBeProposedIsNotStored(t *testing.T) {
	var ran []effect.Claim
	kayak := addKayak(t, &ran)
	viewer := manager()
	viewer.Role = identity.Viewer
	tests := map[string]struct {
		by   identity.Caller
		name string
		err  error // of the store
		kind fault.Kind
		code string
		told int // drafts that the store saw
	}{
		"by somebody who only looks": {viewer, "Red", nil, fault.Forbidden, "forbidden", 0},
		"by somebody without a role": {identity.Caller{}, "Red", nil, fault.Forbidden, "forbidden", 0},
		"what the preview knows of":  {manager(), "twice", nil, fault.Conflict, "duplicate", 0},
		"when the store does not answer": {manager(), "Red", fault.New(fault.Unavailable, "Later."), fault.Unavailable,
			"unavailable", 0},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			store := &drawer{err: tc.err}
			_, err := newService(store, "AAAA").Propose(t.Context(), tc.by, consent.Where{},
				prepare(t, kayak, tc.name))
			if !fault.Is(err, tc.kind) || fault.From(err).PublicCode() != tc.code || len(store.drafts) != tc.told {
				t.Errorf("got %v after %d drafts", err, len(store.drafts))
			}
		})
	}
	if len(ran) > 0 {
		t.Error("the tool ran")
	}
}

// The same act a moment ago is told by the clock of the place.
func TestTheSameAgainIsSaidInAWarning(t *testing.T) {
	var ran []effect.Claim
	by := manager()
	by.Entity.TimeZone = "Asia/Kolkata"
	store := &drawer{before: time.Date(2026, 1, 15, 8, 32, 0, 0, time.UTC)}
	p, err := newService(store, "AAAA").Propose(t.Context(), by, consent.Where{Why: "Because."},
		prepare(t, addKayak(t, &ran), "Red"))
	if err != nil || fmt.Sprint(p.Preview.Warnings) != "[Because. The same was done at 14:02. This would do it "+
		"again.]" {
		t.Errorf("the warnings are %q, %v", p.Preview.Warnings, err)
	}
	store = &drawer{before: store.before, err: fault.New(fault.Unavailable, "Later.")}
	if _, err := newService(store, "AAAA").Propose(t.Context(), by, consent.Where{}, prepare(t, addKayak(t, &ran),
		"Red")); !fault.Is(err, fault.Unavailable) || len(store.drafts) > 0 {
		t.Errorf("where nobody knows: %v, %d drafts", err, len(store.drafts))
	}
}

// F-36, F-42, F-73: what is not there and what is another user's look the same.
func TestAnUnknownProposalIsSaidInOneWay(t *testing.T) {
	own := proposal()
	store := &drawer{kept: []consent.Proposal{own}}
	for _, id := range []string{"", "1 or 1=1", "99999999-2222-4333-8444-555555555555", own.ID + "x"} {
		if p, err := newService(store).Find(t.Context(), manager(), id); !fault.Is(err, fault.NotFound) ||
			fault.From(err).PublicCode() != "proposal_unknown" {
			t.Errorf("%q: got %+v, %v", id, p, err)
		}
	}
	without := manager() // one whose organisation does not have the assistant
	without.Assistants = []string{"hospitality"}
	if p, err := newService(store).Find(t.Context(), without, own.ID); !fault.Is(err, fault.NotFound) ||
		fault.From(err).PublicCode() != "proposal_unknown" {
		t.Errorf("without the assistant: got %+v, %v", p, err)
	}
	if p, err := newService(store).Find(t.Context(), manager(), own.ID); err != nil || p.Code != "K7QM" {
		t.Errorf("got %+v, %v", p, err)
	}
	store.err = fault.New(fault.Unavailable, "Later.")
	if _, err := newService(store).Find(t.Context(), manager(), own.ID); !fault.Is(err, fault.Unavailable) {
		t.Errorf("got %v", err)
	}
}

// F-36: the act is the stored one, under the proposal's own key; anything else
// is refused before the tool runs.
func TestWhatIsCarriedOutIsWhatWasShown(t *testing.T) {
	var ran []effect.Claim
	kayak := addKayak(t, &ran)
	p := proposal()
	p.Tool, p.Turn, p.Assistant, p.Arguments, p.Hash = "add_kayak", "t1", "hospitality",
		json.RawMessage(`{"name":"Red"}`), prepare(t, kayak, "Red").Hash
	got, err := newService(&drawer{}).Execute(t.Context(), manager(), p, kayak)
	if err != nil || string(got.Data) != `{"added":"Red"}` {
		t.Fatalf("got %s, %v", got.Data, err)
	}
	want := effect.Claim{Key: p.ID, ArgsHash: p.Hash, Tool: "add_kayak", Turn: "t1", Assistant: "hospitality",
		Proposal: p.ID}
	if len(ran) != 1 || ran[0] != want {
		t.Errorf("it ran under %+v", ran)
	}
	changed := p
	changed.Arguments = json.RawMessage(`{"name":"Blue"}`)
	viewer := manager()
	viewer.Role = identity.Viewer
	odd := p
	odd.Arguments = json.RawMessage(`{"colour":"Red"}`)
	for name, tc := range map[string]struct {
		p    consent.Proposal
		by   identity.Caller
		code string
	}{
		"other arguments":               {changed, manager(), "proposal_mismatch"},
		"arguments of an older schema":  {odd, manager(), "invalid"},
		"a role that was taken away":    {p, viewer, "forbidden"}, // F-39
		"a role that was never granted": {p, identity.Caller{}, "forbidden"},
	} {
		if _, err := newService(&drawer{}).Execute(t.Context(), tc.by, tc.p, kayak); err == nil ||
			fault.From(err).PublicCode() != tc.code {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if len(ran) != 1 {
		t.Errorf("the tool ran %d times", len(ran))
	}
}
