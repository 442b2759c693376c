package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// flaky is a turn that calls one tool which fails a number of times.
type flaky struct {
	retry    tool.Retry
	failures int
	err      error
	time     time.Duration // until the deadline; 0 is none
	stopped  int           // the wait in which the person stops; 0 is none
}

// play returns the waits, how often the tool ran, and what the model read of it.
func (f flaky) play(t *testing.T) (waits []string, ran int, read string, used []agent.Use, events []agent.Event) {
	t.Helper()
	look := tool.New(tool.Spec{Name: "find_flight", Effect: tool.Reads,
		Description: "Finds flights somewhere else.", Retry: f.retry},
		func(context.Context, identity.Caller, struct{}) (map[string]string, error) {
			if ran++; ran <= f.failures {
				return nil, f.err
			}
			return map[string]string{"flight": "AI101"}, nil
		})
	set, err := tool.NewSet(look)
	if err != nil {
		t.Fatal(err)
	}
	model := &scripted{answers: []any{calls(call("find_flight", "{}")), says("There it is.")}}
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		if f.time > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, f.time)
			defer cancel()
		}
		stop := false
		run := agent.Run{
			Agent: &agent.Agent{Name: "travel", Tools: set, Rounds: 2, Window: 9},
			By:    identity.Caller{Role: identity.Viewer}, Model: model,
			Messages: []llm.Message{{Role: llm.User, Text: "go"}},
			Journal:  &memory{}, Now: time.Now, Consent: (&hotel{}).open(),
			Stopped: func(context.Context) bool { return stop },
			Wait: func(_ context.Context, d time.Duration) error {
				waits = append(waits, d.String())
				stop = len(waits) == f.stopped
				return nil
			},
		}
		for e, err := range run.Events(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, e)
			if d, ok := e.(agent.Done); ok {
				used = d.Outcome.Used
				read = d.Outcome.Steps[0].Results[0].Text
			}
		}
	})
	return waits, ran, read, used, events
}

// S1-3, S1-9, S1-10: what reads is tried again as its tool says, and the last
// failure is data.
func TestAReadIsTriedAgainAsItsToolSays(t *testing.T) {
	down := fault.New(fault.Unavailable, "The airline does not answer.")
	for name, tc := range map[string]struct {
		flaky
		waits string
		ran   int
		read  string
	}{
		"it works at once": {flaky{retry: tool.Retry{Most: 1}}, "", 1, `{"data":{"flight":"AI101"}}`},
		"it works the second time": {flaky{retry: tool.Retry{Most: 1}, failures: 1, err: down}, "1s", 2,
			`{"data":{"flight":"AI101"}}`},
		"it never works": {flaky{retry: tool.Retry{Most: 5}, failures: 9, err: down}, "1s 2s 4s 8s 8s",
			6, `Error: {"attempts":6,"code":"EXECUTION_FAILED","message":"The airline does not answer."}`},
		"a delay of its own": {flaky{retry: tool.Retry{Most: 2, Delay: 300 * time.Millisecond}, failures: 9,
			err: fault.New(fault.Unavailable, "The airline does not answer.").WithCode("no_airline")}, "300ms 600ms",
			3,
			`Error: {"attempts":3,"code":"no_airline","message":"The airline does not answer."}`},
		"what can't be mended": {flaky{retry: tool.Retry{Most: 5}, failures: 9,
			err: fault.New(fault.NotFound, "There is none.")}, "", 1,
			`Error: {"attempts":1,"code":"EXECUTION_FAILED","message":"There is none."}`},
		"what it says can be mended": {flaky{retry: tool.Retry{Most: 1, Which: func(error) bool { return true }},
			failures: 1, err: errors.New("odd")}, "1s", 2, `{"data":{"flight":"AI101"}}`},
		"a tool that says nothing": {flaky{failures: 9, err: down}, "", 1, "Error: The airline does not answer."},
		"no time to wait": {flaky{retry: tool.Retry{Most: 5}, failures: 9, err: down,
			time: 3 * time.Second}, "1s 2s", 3, `Error: {"attempts":3,`},
		"the person stops": {flaky{retry: tool.Retry{Most: 5}, failures: 9, err: down, stopped: 2},
			"1s 2s", 2, `Error: {"attempts":2,`},
	} {
		t.Run(name, func(t *testing.T) {
			waits, ran, read, used, events := tc.play(t)
			if strings.Join(waits, " ") != tc.waits || ran != tc.ran || !strings.HasPrefix(read, tc.read) {
				t.Errorf("ran %d times, waited %v, read %s", ran, waits, read)
			}
			if data, failed := strings.CutPrefix(read, "Error: "); failed && tc.retry.Most > 0 &&
				!json.Valid([]byte(data)) {
				t.Errorf("the failure is no data: %s", read)
			}
			attempts := 0
			for _, e := range events {
				if f, ok := e.(agent.Finished); ok {
					attempts = f.Attempts
				}
			}
			if attempts != tc.ran || len(used) != 1 {
				t.Errorf("the event says %d attempts, used %v", attempts, used)
			}
		})
	}
}

// F-72: what a model wanted to change behind a change that failed does not run,
// and is named, unless it is made up for.
func TestNothingIsWrittenBehindAWriteThatFailed(t *testing.T) {
	note := func(text string) llm.Call { return call("add_note", fmt.Sprintf(`{"text":%q}`, text)) }
	rename := call("rename_extra", `{"name":"Kayak"}`)
	lost := fault.New(fault.Conflict, "The log is full.")
	for name, tc := range map[string]struct {
		lost    error
		answers []any
		wrote   int
		results string
		says    string
	}{
		"it fails": {lost, []any{calls(note("a"), note("b"), call("find_extra", `{"name":"x"}`), rename),
			says("I could not note that.")}, 1,
			"Error: The log is full.|Not done: a change before it failed.|{|Not done: a change before it failed.",
			"Not done, since a change before it failed: add note, rename extra."},
		"it can't be read": {nil, []any{calls(call("add_note", `{"txt":"a"}`), note("b")), says("Hm.")}, 0,
			"Error: There is no argument|Not done: a change before it failed.", "failed: add note."},
		"it is made up for": {nil, []any{calls(call("add_note", `{"txt":"a"}`), note("b")), calls(note("b")),
			says("Noted.")}, 1,
			"Error: There is no argument|Not done: a change before it failed.", ""},
		"a read fails": {nil, []any{calls(call("break_down", "{}"), note("b")), says("Noted.")}, 1, "Error: |{", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := &hotel{lost: tc.lost}
			out := play(t, h, nil, 8, tc.answers...)
			if out.err != nil {
				t.Fatal(out.err)
			}
			results := out.Steps[0].Results
			for i, want := range strings.Split(tc.results, "|") {
				if !strings.HasPrefix(results[i].Text, want) {
					t.Errorf("call %d: %s", i, results[i].Text)
				}
			}
			if len(h.wrote) != tc.wrote || len(h.drafts) > 0 || tc.says != "" &&
				!strings.HasSuffix(out.Reply, tc.says) || tc.says == "" && strings.Contains(out.Reply, "Not done") {
				t.Errorf("wrote %v, proposed %d, says %q", h.wrote, len(h.drafts), out.Reply)
			}
		})
	}
}
