package stream_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// aguiFrames encodes events as clients of AG-UI read them.
func aguiFrames(t *testing.T, enc stream.Encoding, events ...stream.Event) []string {
	t.Helper()
	var b strings.Builder
	for _, e := range events {
		frame, err := enc.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(frame)
	}
	return strings.Split(strings.ReplaceAll(strings.TrimSpace(b.String()), "data: ", ""), "\n\n")
}

// The reply of a turn is one message whose last event has its seal, so that a client
// that resends its messages is believed; a question is an interrupt.
func TestAQuestionOfAGUIIsAnInterrupt(t *testing.T) {
	t.Parallel()
	view := consent.View{ID: "p1", Tool: "create_extra", Tier: "MEDIUM",
		ExpiresAt: time.Date(2031, 1, 15, 6, 40, 0, 0, time.UTC)}
	view.Preview.Title = "Add <Kayak>"
	end := completed(agent.Confirm, "b2.x")
	answer := end.Data.(stream.Completed)
	answer.Confirmation = &view
	end.Data = answer
	got := aguiFrames(t, stream.NewAGUI("t1", "c1", "run 1", nil),
		stream.Event{Name: stream.Connected, Data: map[string]string{"requestId": "r1"}},
		stream.Event{Name: stream.Understanding, Data: struct{}{}},
		stream.Event{Name: stream.Routed, Data: map[string]string{"agent": "inventory"}},
		fromAgent(t, agent.Generating{Step: 1}),
		stream.Say(""), stream.Say("One <b>"),
		fromAgent(t, agent.Started{Step: 1, CallID: "call_1", Tool: "create_extra", Title: "Add",
			Arguments: json.RawMessage(`{"name":"Kayak"}`)}),
		fromAgent(t, agent.Finished{CallID: "call_1", OK: true, Asked: true}),
		stream.Event{Name: "proposal", Data: view}, stream.Say(" moment."), end)
	proposal, err := json.Marshal(view)
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.ReplaceAll(strings.ReplaceAll(string(proposal), `\u003c`, "<"), `\u003e`, ">")
	want := []string{
		`{"type":"RUN_STARTED","threadId":"c1","runId":"run 1","protocolVersion":"1.0"}`,
		`{"type":"CUSTOM","name":"route_classified","value":{"agent":"inventory"}}`,
		`{"type":"STEP_STARTED","stepName":"step 1"}`,
		`{"type":"TEXT_MESSAGE_START","messageId":"t1","role":"assistant"}`,
		`{"type":"TEXT_MESSAGE_CONTENT","messageId":"t1","delta":"One <b>"}`,
		`{"type":"TOOL_CALL_START","toolCallId":"t1:call_1","toolCallName":"create_extra","parentMessageId":"t1",` +
			`"metadata":{"title":"Add"}}`,
		`{"type":"TOOL_CALL_ARGS","delta":"{\"name\":\"Kayak\"}","toolCallId":"t1:call_1"}`,
		`{"type":"TOOL_CALL_END","toolCallId":"t1:call_1"}`,
		`{"type":"CUSTOM","name":"proposal","value":` + shown + `}`,
		`{"type":"TEXT_MESSAGE_CONTENT","messageId":"t1","delta":" moment."}`,
		`{"type":"TEXT_MESSAGE_END","messageId":"t1","metadata":{"seal":"b2.x","agent":"inventory",` +
			`"label":"Inventory Agent"}}`,
		`{"type":"STEP_FINISHED","stepName":"step 1"}`,
		`{"type":"RUN_FINISHED","threadId":"c1","runId":"run 1","result":{"agent":"inventory",` +
			`"label":"Inventory Agent","finish":"confirm","path":"llm","degraded":[],"requestId":"r1",` +
			`"conversationId":"c1"},` +
			`"outcome":{"type":"interrupt","interrupts":[{"id":"p1","reason":"confirmation","message":"Add <Kayak>",` +
			`"toolCallId":"t1:call_1",` +
			`"responseSchema":{"properties":{"approved":{"type":"boolean"},` +
			`"phrase":{"description":"what has to be typed, for the tier CRITICAL","type":"string"}},` +
			`"required":["approved"],"type":"object"},` +
			`"expiresAt":"2031-01-15T06:40:00.000Z","metadata":{"proposal":` + shown + `}}]},` +
			`"usage":[{"inputTokens":0,"outputTokens":0,"totalTokens":0,"cachedInputTokens":0}]}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the run (-want +got):\n%s", diff)
	}
}

// The answer to a question is the result of the call that asked; several runs of a
// turn have steps of their own; a failure ends the run where it is.
func TestRunsOfAGUIGoOn(t *testing.T) {
	t.Parallel()
	begin := stream.Event{Name: stream.Connected, Data: map[string]string{}}
	ran := []stream.Event{fromAgent(t, agent.Started{CallID: "call_9", Tool: "x", Arguments: json.RawMessage(`{}`)}),
		fromAgent(t, agent.Finished{CallID: "call_9", OK: true})}
	named := func(run string, step int) stream.Event {
		return fromAgent(t, agent.Named{Run: run, Event: agent.Generating{Step: step}})
	}
	for name, tc := range map[string]struct {
		continued *stream.Continued
		events    []stream.Event
		want      string
	}{
		"approved": {&stream.Continued{CallID: "run-0:call_1", Approved: true},
			append(ran, completed(agent.Stop, "s")),
			"RUN_STARTED, TOOL_CALL_RESULT run-0:call_1, TEXT_MESSAGE_START, TEXT_MESSAGE_END, RUN_FINISHED"},
		"turned down": {&stream.Continued{CallID: "run-0:call_1"}, []stream.Event{completed(agent.Stop, "")},
			"RUN_STARTED, TOOL_CALL_RESULT run-0:call_1, TEXT_MESSAGE_START, TEXT_MESSAGE_END, RUN_FINISHED"},
		"in several runs": {nil, []stream.Event{named("a", 1), named("b", 1), named("a", 2),
			completed(agent.Stop, "s")},
			"RUN_STARTED, CUSTOM run, STEP_STARTED a step 1, CUSTOM run, STEP_STARTED b step 1, CUSTOM run, " +
				"STEP_FINISHED a step 1, STEP_STARTED a step 2, TEXT_MESSAGE_START, TEXT_MESSAGE_END, STEP_FINISHED " +
				"a step 2, STEP_FINISHED b step 1, RUN_FINISHED"},
		"failed": {nil, []stream.Event{stream.Say("Let me"), stream.Fail(fault.New(fault.Upstream, "It is away."),
			"r1")},
			"RUN_STARTED, TEXT_MESSAGE_START, TEXT_MESSAGE_CONTENT, RUN_ERROR"},
	} {
		var list []string
		// What is encoded again, because it could not be kept, goes on from the copy.
		for _, frame := range aguiFrames(t, stream.NewAGUI("t1", "c1", "r1", tc.continued).Copy(),
			append([]stream.Event{begin}, tc.events...)...) {
			var e struct{ Type, ToolCallID, StepName, Name string }
			if err := json.Unmarshal([]byte(frame), &e); err != nil {
				t.Fatalf("%s: %v", frame, err)
			}
			list = append(list, strings.TrimSpace(e.Type+" "+e.ToolCallID+e.StepName+e.Name))
		}
		if got := strings.Join(list, ", "); got != tc.want {
			t.Errorf("%s: it is\n%s, want\n%s", name, got, tc.want)
		}
	}
}
