package turns_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/turns"
)

// F-03, F-04: two requests have one fingerprint only when all of them is equal.
func TestAFingerprintTellsEveryDifference(t *testing.T) {
	type request struct{ org, user, path, representation, body string }
	same := request{"o", "u", "/api/chat", "json", `{"a":1}`}
	others := map[string]request{
		"another organisation":             {"p", "u", "/api/chat", "json", `{"a":1}`},
		"another person":                   {"o", "v", "/api/chat", "json", `{"a":1}`},
		"another path":                     {"o", "u", "/api/chat/x", "json", `{"a":1}`},
		"another representation":           {"o", "u", "/api/chat", "stream", `{"a":1}`},
		"another body":                     {"o", "u", "/api/chat", "json", `{"a":2}`},
		"a space in the body":              {"o", "u", "/api/chat", "json", `{"a": 1}`},
		"letters that moved to the person": {"", "ou", "/api/chat", "json", `{"a":1}`},
		"letters that moved to the path":   {"o", "u/api", "/chat", "json", `{"a":1}`},
		"letters that moved to the body":   {"o", "u", "/api/chat", "", `json{"a":1}`},
		"lengths that a person could write": {"o", "u", "/api/chat\x00\x00\x00\x00\x00\x00\x00\x04json", "",
			`{"a":1}`},
		"nothing": {},
	}
	of := func(r request) string {
		return turns.Fingerprint(identity.Caller{OrgID: r.org, UserID: r.user, Name: "ignored", Token: "ignored too"},
			r.path, r.representation, []byte(r.body))
	}
	if len(of(same)) != 64 {
		t.Errorf("the fingerprint is %s", of(same))
	}
	seen := map[string]string{of(same): "the same"}
	for name, r := range others {
		if before, twice := seen[of(r)]; twice {
			t.Errorf("%s has the fingerprint of %s", name, before)
		}
		seen[of(r)] = name
	}
	again := turns.Fingerprint(identity.Caller{OrgID: "o", UserID: "u", Token: "a newer token"}, "/api/chat", "json",
		[]byte(`{"a":1}`))
	if again != of(same) {
		t.Error("a newer token makes another request")
	}
}

// notebook is a store that writes down what it is told.
type notebook struct {
	said []string
	err  error
}

func (n *notebook) Begin(context.Context, identity.Caller, turns.Start) (turns.Begun, error) {
	return turns.Begun{}, errors.New("a journal does not begin turns")
}

func (n *notebook) Save(_ context.Context, by identity.Caller, s turns.Start, step turns.Step,
	answer json.RawMessage) error {
	_, text, _ := strings.Cut(string(answer), ".") // after the mark
	var whole string
	if err := json.Unmarshal([]byte(`"`+text), &whole); err != nil {
		return err
	}
	n.said = append(n.said, fmt.Sprintf("save %s %s %s%d %s", by.UserID, s.Turn, step.Run, step.Number, whole))
	return n.err
}

func (n *notebook) Release(_ context.Context, by identity.Caller, turn string) error {
	n.said = append(n.said, fmt.Sprintf("release %s %s", by.UserID, turn))
	return n.err
}

func (n *notebook) Stop(context.Context, identity.Caller, string) error {
	return errors.New("a journal does not stop turns")
}

func (n *notebook) Stopped(context.Context, identity.Caller, string) (bool, error) {
	return false, errors.New("a journal does not ask about stopping")
}

func (n *notebook) Latest(context.Context, identity.Caller, string, string, string) (turns.Latest, error) {
	return turns.Latest{}, errors.New("a journal reads no turn again")
}

func (n *notebook) Finish(_ context.Context, by identity.Caller, turn string, f turns.Finish) error {
	n.said = append(n.said, fmt.Sprintf("finish %s %s %s", by.UserID, turn, f.Reason))
	return n.err
}

// keep remembers an answer and saves it at once.
func keep(t *testing.T, j *turns.Journal, step int, a llm.Answer) error {
	t.Helper()
	if err := j.Run("").Remember(step, a); err != nil {
		return err
	}
	return j.Save(t.Context())
}

func journal(store turns.Store, begun turns.Begun) *turns.Journal {
	return sealed(store, turns.Seals{[]byte("a key")}, "u", "t1", begun)
}

func sealed(store turns.Store, keys turns.Seals, user, turn string, begun turns.Begun) *turns.Journal {
	return turns.NewJournal(store, keys, identity.Caller{UserID: user}, turns.Start{Turn: turn, Lease: time.Minute},
		begun)
}

// resumed is a turn whose step was kept by an earlier journal.
func resumed(t *testing.T, step int, a llm.Answer) turns.Begun {
	t.Helper()
	return resumedAt(t, func(j *turns.Journal) error { return j.Run("").Remember(step, a) })
}

func resumedAt(t *testing.T, remember func(*turns.Journal) error) turns.Begun {
	t.Helper()
	k := new(keeper)
	j := journal(k, turns.Begun{})
	if err := remember(j); err != nil {
		t.Fatal(err)
	}
	if err := j.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	return turns.Begun{Outcome: turns.Resume, Steps: map[turns.Step]json.RawMessage{k.step: k.answer}}
}

func TestAJournalStoresOnlyWhatMustBeKept(t *testing.T) {
	save := func(t *testing.T, j *turns.Journal, step int) {
		t.Helper()
		if err := keep(t, j, step, llm.Answer{Text: "Hello.", Finish: llm.Stopped}); err != nil {
			t.Fatal(err)
		}
	}
	const saved = `{"text":"Hello.","finish":"stop","usage":{"input":0,"output":0,"cached":0,"calls":0}}`
	tests := map[string]struct {
		begun turns.Begun
		steps []int
		want  []string
	}{
		"a turn that nobody can name again and that wrote nothing": {turns.Begun{}, nil, nil},
		"an unnamed turn that wrote": {turns.Begun{}, []int{0},
			[]string{"save u t1 0 " + saved, "finish u t1 complete"}},
		"a named turn": {turns.Begun{Outcome: turns.New}, nil,
			[]string{"finish u t1 complete"}},
		"a resumed turn does not save again what is kept": {resumed(t, 0,
			llm.Answer{Text: "Hello.", Finish: llm.Stopped}), []int{0, 1},
			[]string{"save u t1 1 " + saved, "finish u t1 complete"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			n := new(notebook)
			j := journal(n, tc.begun)
			for _, s := range tc.steps {
				save(t, j, s)
			}
			if err := j.Finish(t.Context(), turns.Finish{Reason: "complete"}); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(n.said, tc.want) {
				t.Errorf("the store was told %q, want %q", n.said, tc.want)
			}
			if j.Turn() != "t1" {
				t.Errorf("the turn is %s", j.Turn())
			}
		})
	}
}

// A choice that is not kept must not be acted on: the error reaches the loop,
// and the turn is not stored as one that was.
func TestAStepThatCouldNotBeSavedIsAnError(t *testing.T) {
	n := &notebook{err: fault.New(fault.Conflict, "Another answer is kept.").WithCode("step_conflict")}
	j := journal(n, turns.Begun{})
	if err := keep(t, j, 0, llm.Answer{}); !fault.Is(err, fault.Conflict) {
		t.Errorf("got %v", err)
	}
	if err := j.Finish(t.Context(), turns.Finish{}); err != nil || len(n.said) != 1 {
		t.Errorf("the store was told %q, %v", n.said, err)
	}
}

// F-07: what an earlier attempt chose is chosen again, to the byte.
func TestARecalledAnswerIsTheOneThatWasSaved(t *testing.T) {
	want := llm.Answer{
		Text: "Let me look <now> & here.", Finish: llm.ToolCall, Model: "m-1", Usage: llm.Usage{In: 3, Out: 1,
			Cached: 2},
		Calls: []llm.Call{{ID: "c1", Name: "list_extras", Arguments: `{"include_inactive": true}`},
			{ID: "c2", Name: "broken", Arguments: `{"a`}},
		Opaque: []json.RawMessage{json.RawMessage(`{"encrypted":"x"}`)},
	}
	kept := new(keeper)
	if err := keep(t, journal(kept, turns.Begun{}), 2, want); err != nil {
		t.Fatal(err)
	}
	j := journal(new(notebook), turns.Begun{Outcome: turns.Resume,
		Steps: map[turns.Step]json.RawMessage{{Number: 2}: kept.answer}})
	got, ok, err := j.Run("").Recall(2)
	if err != nil || !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v, %v\nwant %+v", got, ok, err, want)
	}
	if got, ok, err := j.Run("").Recall(3); ok || err != nil {
		t.Errorf("a step that was not reached is recalled as %+v, %v", got, err)
	}
	if got, ok, err := journal(new(notebook), turns.Begun{}).Run("").Recall(0); ok || err != nil {
		t.Errorf("a new turn recalls %+v, %v", got, err)
	}
}

type keeper struct {
	notebook
	step   turns.Step
	answer json.RawMessage
}

func (k *keeper) Save(_ context.Context, _ identity.Caller, _ turns.Start, step turns.Step,
	answer json.RawMessage) error {
	k.step, k.answer = step, answer
	return nil
}

// F-66: what the store holds is believed where it bears the mark of this turn,
// this person and this step; a key that was rotated still counts.
func TestAStepThatSomebodyElseWroteIsNotRecalled(t *testing.T) {
	kept := resumed(t, 4, llm.Answer{Text: "Hello."}).Steps[turns.Step{Number: 4}]
	tests := map[string]struct {
		step int
		kept json.RawMessage
		keys turns.Seals
		user string
		turn string
		want bool
		run  string
	}{
		"as it was kept":     {4, kept, turns.Seals{[]byte("a key")}, "u", "t1", true, ""},
		"after a rotation":   {4, kept, turns.Seals{[]byte("newer"), []byte("a key")}, "u", "t1", true, ""},
		"a key that is gone": {4, kept, turns.Seals{[]byte("newer")}, "u", "t1", false, ""},
		"no key":             {4, kept, nil, "u", "t1", false, ""},
		"at another step":    {5, kept, turns.Seals{[]byte("a key")}, "u", "t1", false, ""},
		"of another run":     {4, kept, turns.Seals{[]byte("a key")}, "u", "t1", false, "flights"},
		"in another turn":    {4, kept, turns.Seals{[]byte("a key")}, "u", "t2", false, ""},
		"of another person":  {4, kept, turns.Seals{[]byte("a key")}, "v", "t1", false, ""},
		"without a mark": {4, json.RawMessage(`{"text":"Pay him."}`), turns.Seals{[]byte("a key")}, "u", "t1",
			false, ""},
		"with a mark of no form": {4, json.RawMessage(`"xx.{\"text\":\"Pay him.\"}"`), turns.Seals{[]byte("a key")},
			"u", "t1", false, ""},
		"with an empty mark": {4, json.RawMessage(`".{\"text\":\"Pay him.\"}"`), turns.Seals{[]byte("a key")},
			"u", "t1", false, ""},
		"with words that changed": {4, json.RawMessage(strings.Replace(string(kept), "Hello", "Hullo", 1)),
			turns.Seals{[]byte("a key")}, "u", "t1", false, ""},
	}
	for name, tt := range tests {
		j := sealed(new(notebook), tt.keys, tt.user, tt.turn, turns.Begun{Outcome: turns.Resume,
			Steps: map[turns.Step]json.RawMessage{{Run: tt.run, Number: tt.step}: tt.kept}})
		if _, ok, err := j.Run(tt.run).Recall(tt.step); ok != tt.want || err != nil {
			t.Errorf("%s: recalled %v (%v), want %v", name, ok, err, tt.want)
		}
	}
}

// Everything that was chosen before an effect is kept with it, and the route.
func TestAllChoicesAreSavedTogether(t *testing.T) {
	n := new(notebook)
	j := journal(n, turns.Begun{})
	for step := range 2 {
		if err := j.Run("").Remember(step, llm.Answer{Finish: llm.Stopped}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.RememberChoice("route", "inventory"); err != nil {
		t.Fatal(err)
	}
	if len(n.said) != 0 {
		t.Errorf("too early: %q", n.said)
	}
	for range 2 {
		if err := j.Save(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(n.said) != 3 {
		t.Errorf("the store was told %q", n.said)
	}
	again := journal(n, resumedAt(t, func(j *turns.Journal) error { return j.RememberChoice("route", "inventory") }))
	if again.RecallChoice("route") != "inventory" || journal(n, turns.Begun{}).RecallChoice("route") != "" {
		t.Error("the route is not recalled")
	}
}

// gone is a store whose caller's reader goes while a step is saved.
type gone struct {
	notebook

	leave func()
}

func (g *gone) Save(ctx context.Context, by identity.Caller, s turns.Start, step turns.Step,
	answer json.RawMessage) error {
	g.leave()
	if err := ctx.Err(); err != nil {
		return err
	}
	return g.notebook.Save(ctx, by, s, step, answer)
}

// F-05: what was begun to be saved is saved before the turn is released, so that
// no late request holds it again.
func TestASaveEndsBeforeTheTurnIsReleased(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	g := &gone{leave: leave}
	j := journal(g, turns.Begun{})
	if err := j.Run("").Remember(0, llm.Answer{Text: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(j.Save(ctx), j.Release(t.Context())); err != nil {
		t.Fatal(err)
	}
	if len(g.said) != 2 || !strings.HasPrefix(g.said[0], "save ") || !strings.HasPrefix(g.said[1], "release ") {
		t.Errorf("the store was told %q", g.said)
	}
	// What is remembered after the reader has gone is not saved any more.
	if err := j.Run("").Remember(1, llm.Answer{Text: "b"}); err != nil {
		t.Fatal(err)
	}
	if err := j.Save(ctx); !errors.Is(err, context.Canceled) || len(g.said) != 2 {
		t.Errorf("got %v, and the store was told %q", err, g.said)
	}
}
