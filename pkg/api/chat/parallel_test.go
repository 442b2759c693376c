package chat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/api/chat"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/extras"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/hospitality"
)

// about reports whether a request is the step of the agent, counted from 0.
func about(who string, step int) func(script.Request) bool {
	return func(r script.Request) bool {
		steps := 0
		for _, m := range r.Messages {
			if m.Role == "tool" {
				steps++
			}
		}
		return strings.Contains(r.Messages[0].Content, "look after "+who) && steps == step
	}
}

// openToy starts the chat function with the toy assistant on a store of extras.
func openToy(t *testing.T, kind string, wrap func(extras.Store) extras.Store, steps ...script.Step) door {
	t.Helper()
	stack := localtest.Stack(t)
	client, err := supabase.New(localtest.Config(t, stack))
	fatal(t, err)
	store := extras.Store(hospitality.NewExtras(client))
	if wrap != nil {
		store = wrap(store)
	}
	toy, err := newToy(store, kind)
	fatal(t, err)
	return openAs(t, stack, func(c *chat.Config) {
		c.Assistants, c.Default = []*flow.Assistant{flow.Built(toy)}, "toy"
	}, steps...)
}

// toyOrg is an organisation that has the toy assistant.
func toyOrg(t *testing.T) localtest.Org {
	t.Helper()
	org := localtest.NewOrg(t)
	localtest.Give(t, localtest.Stack(t), org.ID, "toy")
	return org
}

// talked is a conversation with the toy: its second turn runs both agents.
func talked(t *testing.T, d door, token, id string) []any {
	t.Helper()
	list := []any{user("Hello")}
	resp, raw := d.post(t, "/api/chat", token, "", map[string]any{"id": id, "messages": list})
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %s", resp.StatusCode, raw)
	}
	return append(list, message(answer(t, raw)), user("To Goa"))
}

func completed(t *testing.T, raw []byte) stream.Completed {
	t.Helper()
	_, data, _ := bytes.Cut(raw, []byte("event: complete\ndata: "))
	raw, _, _ = bytes.Cut(data, []byte("\n"))
	var c stream.Completed
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return c
}

// A small assistant: its own flow, two runs at once, a part, a tool with a schema
// of a third party, and a mode over three turns.
func TestAToyAssistant(t *testing.T) {
	t.Parallel()
	org := toyOrg(t)
	d := openToy(t, "", nil,
		script.Step{When: about("stays", 0), Calls: []script.Call{{Name: "Weather_At", Arguments: `{"city":"Goa"}`}}},
		script.Step{When: about("stays", 1), Text: "Sunny."},
		script.Step{When: about("flights", 0), Calls: []script.Call{{Name: "find_options", Arguments: `{}`}}},
		script.Step{When: about("flights", 1), Text: "By train."},
		script.Step{When: about("flights", 2), Text: "Again by train."},
		script.Step{When: about("stays", 2), Text: "Still sunny."})
	list := []any{user("Hello")}
	for turn, want := range []string{"Where to?", "By train.\n\nSunny.", "Again by train.\n\nStill sunny."} {
		resp, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", map[string]any{"messages": list})
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("status %d: %s", resp.StatusCode, raw)
		}
		c := completed(t, raw)
		if c.Reply != want || fmt.Sprint(c.ExtractedEntities["turn"]) != fmt.Sprint(turn+1) || len(c.Runs) != 2 &&
			turn > 0 {
			t.Errorf("turn %d: %q, %v, runs %+v", turn, c.Reply, c.ExtractedEntities, c.Runs)
		}
		if turn == 0 && (c.Path != agent.PathFast || c.MatchedIntent == nil || c.MatchedIntent.ID != "greet" ||
			c.Category != agent.GeneralChat) {
			t.Errorf("the first answer says %q, %+v", c.Path, c.MatchedIntent)
		}
		if turn == 1 && (len(c.Parts) != 1 || c.Parts[0].Kind != "choices") {
			t.Errorf("parts %+v", c.Parts)
		}
		list = append(list, message(c.Answer), user("And then?"))
	}
}

// docs/adding-an-assistant.md shows the code of the toy as it is compiled here.
func TestThePageOnAssistantsShowsThisCode(t *testing.T) {
	page, err := os.ReadFile("../../../docs/adding-an-assistant.md")
	fatal(t, err)
	code, err := os.ReadFile("toy_test.go")
	fatal(t, err)
	if lines := bytes.Count(code, []byte("\n")); lines > 150 {
		t.Errorf("the toy has %d lines", lines)
	}
	blocks := strings.Split(string(page), "```go\n")[1:]
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "\n```")
		if !strings.Contains(string(code), block) {
			t.Errorf("this is not in the toy:\n%s", block)
		}
	}
	if len(blocks) < 4 {
		t.Errorf("the page has %d blocks", len(blocks))
	}
}

// diesOnce is a store that fails before the first kite of a name is written, as a
// process does that dies there.
type diesOnce struct {
	extras.Store
	name string
	died *atomic.Bool
}

func (s diesOnce) Create(ctx context.Context, by identity.Caller, e extras.Extra) (extras.Extra, error) {
	if e.Name == s.name && s.died.CompareAndSwap(false, true) {
		panic("the process dies")
	}
	return s.Store.Create(ctx, by, e)
}

func kiteCalls(name string) []script.Call {
	return []script.Call{{Name: "note_kite", Arguments: `{"name":"` + name + `"}`}}
}

func kitesOf(t *testing.T, org localtest.Org) []string {
	t.Helper()
	var names []string
	for _, row := range localtest.SQL(t, "select name from extras where org_id = $1 order by created_at", org.ID) {
		names = append(names, fmt.Sprint(row["name"]))
	}
	return names
}

// F-74: the events and the acts of two runs come in one order, however slow one of
// them is; each act happens once, also when the turn is sent again, and the runs'
// events say whose they are.
func TestParallelRunsActInOneOrder(t *testing.T) {
	t.Parallel()
	org := toyOrg(t)
	arrived := make(chan struct{})
	d := openToy(t, "property", nil,
		// The first run answers only after the second has asked for its second step,
		// or has to wait with its act.
		script.Step{When: about("flights", 0), Hold: arrived, Calls: kiteCalls("First")},
		script.Step{When: about("stays", 0), Arrived: func(script.Request) { close(arrived) },
			Calls: kiteCalls("Second")},
		script.Step{When: about("flights", 1), Text: "One."}, script.Step{When: about("stays", 1), Text: "Two."})
	body := map[string]any{"id": "thread-1", "turn": "t1", "messages": talked(t, d, org.Manager.Token, "thread-1")}
	_, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", body)
	if got := kitesOf(t, org); !slices.Equal(got, []string{"First", "Second"}) {
		t.Errorf("kites %q\n%s", got, raw)
	}
	text := string(raw)
	for _, want := range []string{`{"run":"flights","callId":"call_3_0_0_flights"`,
		`{"run":"stays","callId":"call_3_0_0_stays"`} {
		if strings.Count(text, want) != 2 {
			t.Errorf("%s stands %d times in\n%s", want, strings.Count(text, want), text)
		}
	}
	if strings.Index(text, `{"run":"flights","text"`) > strings.Index(text, `{"run":"stays","text"`) {
		t.Errorf("the order is another: %s", text)
	}
	_, again := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", body)
	if string(again) != text || len(kitesOf(t, org)) != 2 {
		t.Errorf("sent again: %q\n%s", kitesOf(t, org), again)
	}
}

// F-74, F-63: what fails in one run leaves a gap that the answer names; what the
// other did stands, once.
func TestARunThatFailsLeavesAGap(t *testing.T) {
	t.Parallel()
	org := toyOrg(t)
	d := openToy(t, "property", nil,
		script.Step{When: about("flights", 0), Fault: script.Status(http.StatusBadRequest, nil, "")},
		script.Step{When: about("stays", 0), Calls: kiteCalls("Only")}, script.Step{When: about("stays", 1),
			Text: "Noted."})
	_, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", map[string]any{"id": "thread-1",
		"messages": talked(t, d, org.Manager.Token, "thread-1")})
	c := completed(t, raw)
	if !strings.Contains(c.Reply, "Noted.") ||
		!strings.Contains(c.Reply, "Flights: this part of the answer is missing.") ||
		!slices.Contains(c.Degraded, agent.RunFailed) || c.Finish != agent.Failed || len(c.Runs) != 2 ||
		c.Runs[0].Error == "" || c.Runs[1].Error != "" {
		t.Errorf("answer %s", raw)
	}
	if got := kitesOf(t, org); !slices.Equal(got, []string{"Only"}) {
		t.Errorf("kites %q", got)
	}
}

// F-74: one question is asked for a turn: the first in the order of the events. No
// act of another run follows it, and the answer says so; the question stands last.
func TestOneOfSeveralRunsAsks(t *testing.T) {
	t.Parallel()
	org := toyOrg(t)
	d := openToy(t, "property", nil,
		script.Step{When: about("flights", 0),
			Calls: []script.Call{{Name: "add_kite", Arguments: `{"name":"Asked"}`}}},
		script.Step{When: about("stays", 0), Calls: kiteCalls("Never")}, script.Step{When: about("stays", 1),
			Text: "Not yet."})
	_, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", map[string]any{"id": "thread-1",
		"messages": talked(t, d, org.Manager.Token, "thread-1")})
	c := completed(t, raw)
	if c.Confirmation == nil || c.Confirmation.Tool != "add_kite" || c.Finish != agent.Confirm ||
		!strings.HasSuffix(c.Reply, "("+c.Confirmation.Code+")") || !slices.Contains(c.Degraded, agent.ActNotRun) {
		t.Errorf("answer %s", raw)
	}
	if got := kitesOf(t, org); len(got) != 0 {
		t.Errorf("kites %q", got)
	}
}

// F-74: a process that dies between the acts of two runs does each once when the
// turn is sent again.
func TestADeathBetweenTheActsOfTwoRuns(t *testing.T) {
	t.Parallel()
	org := toyOrg(t)
	died := new(atomic.Bool)
	steps := []script.Step{
		{When: about("flights", 0), Calls: kiteCalls("First")}, {When: about("stays", 0), Calls: kiteCalls("Second")},
		{When: about("flights", 1), Fault: script.Status(http.StatusBadRequest, nil, "")},
		{When: about("stays", 1), Fault: script.Status(http.StatusBadRequest, nil, "")},
		{When: about("flights", 1), Text: "One."}, {When: about("stays", 1), Text: "Two."},
	}
	d := openToy(t, "property", func(s extras.Store) extras.Store { return diesOnce{s, "Second", died} }, steps...)
	body := map[string]any{"id": "thread-1", "turn": "t1", "messages": talked(t, d, org.Manager.Token, "thread-1")}
	d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", body)
	if !died.Load() || !slices.Equal(kitesOf(t, org), []string{"First"}) {
		t.Fatalf("died %v, kites %q", died.Load(), kitesOf(t, org))
	}
	localtest.SQL(t, `update public.turns set finished_at = null, finish = null, frames = null, lease_until =
		clock_timestamp() where org_id = $1`, org.ID)
	_, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream", body)
	if got := kitesOf(t, org); !slices.Equal(got, []string{"First", "Second"}) {
		t.Errorf("kites %q\n%s", got, raw)
	}
}

// F-74: a run has its own time. One that hangs leaves a gap; the other one's answer
// stands.
func TestASlowRunIsLeftOut(t *testing.T) {
	t.Parallel()
	org := toyOrg(t)
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	toy, err := newToy(nil, "")
	fatal(t, err)
	toy.Flow = flow.Func(func(ctx context.Context, turn *flow.Turn) iter.Seq2[agent.Event, error] {
		flights, _ := turn.Agent("flights")
		stays, _ := turn.Agent("stays")
		return turn.Parallel(ctx, flow.Member{Name: "flights", Agent: flights, Within: time.Second},
			flow.Member{Name: "stays", Agent: stays})
	})
	d := openAs(t, localtest.Stack(t), func(c *chat.Config) {
		c.Assistants, c.Default = []*flow.Assistant{flow.Built(toy)}, "toy"
	}, script.Step{When: about("flights", 0), Hold: never, Text: "Late."}, script.Step{When: about("stays", 0),
		Text: "In time."})
	_, raw := d.post(t, "/api/chat", org.Manager.Token, "text/event-stream",
		map[string]any{"messages": []any{user("To Goa")}})
	c := completed(t, raw)
	if !strings.HasPrefix(c.Reply, "In time.\n\nFlights: this part of the answer is missing.") ||
		!slices.Contains(c.Degraded, agent.RunFailed) {
		t.Errorf("answer %s", raw)
	}
}

// Facts that are read in part degrade the answer; a failure ends the turn with its
// own sentence. A mode that is too large is not kept, and the last one is.
func TestFactsAndModesThatFail(t *testing.T) {
	t.Parallel()
	org := toyOrg(t)
	for name, tc := range map[string]struct {
		facts func(context.Context, identity.Caller, time.Time) (any, error)
		size  int
		want  string
	}{
		"incomplete facts": {func(_ context.Context, by identity.Caller, _ time.Time) (any, error) {
			return "Friday " + string(by.Role), fault.New(fault.Unavailable, "No projects.")
		}, 10, flow.FactsIncomplete},
		"no facts": {func(context.Context, identity.Caller, time.Time) (any, error) {
			return nil, fault.New(fault.Unavailable, "The projects cannot be read.")
		}, 10, "The projects cannot be read."},
		"a large mode": {nil, flow.MaxMode, flow.ModeNotKept},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			toy, err := newToy(nil, "")
			fatal(t, err)
			if tc.facts != nil {
				toy.Facts = tc.facts
			}
			toy.Flow = flow.Func(func(ctx context.Context, turn *flow.Turn) iter.Seq2[agent.Event, error] {
				err := turn.SetMode(strings.Repeat("m", tc.size))
				var large *flow.ModeTooLarge
				if errors.As(err, &large) != (tc.size == flow.MaxMode) {
					t.Errorf("the mode: %v", err)
				}
				stays, _ := turn.Agent("stays")
				return turn.Run(ctx, stays)
			})
			d := openAs(t, localtest.Stack(t), func(c *chat.Config) {
				c.Assistants, c.Default = []*flow.Assistant{flow.Built(toy)}, "toy"
			}, script.Step{Text: "Sunny."})
			if _, raw := d.post(t, "/api/chat", org.Manager.Token, "",
				map[string]any{"messages": []any{user("To Goa")}}); !bytes.Contains(raw, []byte(tc.want)) {
				t.Errorf("want %s in %s", tc.want, raw)
			}
		})
	}
}

// S0-9, S0-61: what a router's model says is shown where it is a greeting or a
// question back. Anything else is answered by an agent.
func TestARouterAnswersNoQuestionOfTheDomain(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	for said, shown := range map[string]bool{
		"Good day! What may I do for you?": true, "COCO is free next weekend.": false,
		"Occupancy was 72 percent.":      false,
		"The cabin by the lake is free.": false,
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			steps := []script.Step{{Text: said}}
			if !shown {
				steps = append(steps, script.Step{Text: "I looked it up."})
			}
			d := openAs(t, localtest.Stack(t), func(*chat.Config) {}, steps...)
			_, raw := d.post(t, "/api/chat", org.Manager.Token, "",
				map[string]any{"messages": []any{user("Is it free?")}})
			if a := answer(t, raw); shown != (a.Reply == said) || shown != (a.Agent == "") {
				t.Errorf("%q by %q", a.Reply, a.Agent)
			}
		})
	}
}
