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
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// uiFrames encodes events as the AI SDK reads them.
func uiFrames(t *testing.T, u *stream.UI, events ...stream.Event) string {
	t.Helper()
	var b strings.Builder
	for _, e := range events {
		frame, err := u.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(frame)
	}
	return b.String()
}

func fromAgent(t *testing.T, e agent.Event) stream.Event {
	t.Helper()
	out, ok := stream.FromAgent(e)
	if !ok {
		t.Fatalf("%T is no event", e)
	}
	return out
}

func completed(finish agent.Finish, seal string) stream.Event {
	return stream.Event{Name: stream.Complete, Data: stream.Completed{Answer: stream.Answer{
		Agent:          "inventory",
		Label:          "Inventory Agent",
		Finish:         finish,
		Path:           "llm",
		RequestID:      "r1",
		ConversationID: "c1",
		Degraded:       []string{},
		Message:        stream.Message{Seal: seal},
	}}}
}

// The parsers of the AI SDK end a whole stream at one unknown part or one null,
// so the bytes are held here as well as by the SDK itself.
func TestTheUIStreamIsMadeOfKnownParts(t *testing.T) {
	t.Parallel()
	got := uiFrames(
		t,
		stream.NewUI("t1", "c1", nil),
		stream.Event{Name: stream.Connected, Data: map[string]string{"requestId": "r1"}},
		stream.Event{Name: stream.Understanding, Data: struct{}{}},
		stream.Event{Name: stream.Routed, Data: map[string]string{"agent": "inventory"}},
		fromAgent(t, agent.Generating{Step: 1}),
		stream.Say("One "),
		stream.Say(""),
		stream.Say("moment."),
		fromAgent(
			t,
			agent.Started{
				Step:      1,
				CallID:    "call_1",
				Tool:      "list_extras",
				Title:     "List extras",
				Arguments: json.RawMessage(`{}`),
			},
		),
		fromAgent(
			t,
			agent.Finished{
				CallID:   "call_1",
				Tool:     "list_extras",
				OK:       true,
				Records:  2,
				Duration: 3 * time.Millisecond,
			},
		),
		fromAgent(
			t,
			agent.Shown{
				Part: part.Part{
					Kind:      "choices",
					ID:        "t1a",
					Data:      json.RawMessage(`{"choices":[{"label":"<Go on>","words":"go on"}]}`),
					Text:      "- <Go on>",
					Tool:      "list_extras",
					Arguments: json.RawMessage(`{}`),
				},
			},
		),
		fromAgent(t, agent.Generating{Step: 2}),
		stream.Say("Two <b>\u2028"),
		completed(agent.Stop, "b2.x"),
	)
	want := strings.Join([]string{
		`{"type":"start","messageId":"t1","messageMetadata":{"conversationId":"c1"}}`,
		`{"type":"data-agent","id":"agent","data":{"agent":"inventory"}}`,
		`{"type":"start-step"}`,
		`{"type":"text-start","id":"t1-1"}`,
		`{"type":"text-delta","id":"t1-1","delta":"One "}`,
		`{"type":"text-delta","id":"t1-1","delta":"moment."}`,
		`{"type":"text-end","id":"t1-1"}`,
		`{"type":"tool-input-available","toolCallId":"call_1","toolName":"list_extras","title":"List extras",` +
			`"input":{},"providerExecuted":true}`,
		`{"type":"tool-output-available","toolCallId":"call_1","output":{"success":true,"records":2,"durationMs":3},` +
			`"providerExecuted":true}`,
		`{"type":"data-choices","id":"t1a","data":{"choices":[{"label":"<Go on>","words":"go on"}],` +
			`"text":"- <Go on>","tool":"list_extras","arguments":{}}}`,
		`{"type":"finish-step"}`,
		`{"type":"start-step"}`,
		`{"type":"text-start","id":"t1-2"}`,
		`{"type":"text-delta","id":"t1-2","delta":"Two <b>\u2028"}`,
		`{"type":"text-end","id":"t1-2"}`,
		`{"type":"finish-step"}`,
		`{"type":"finish","finishReason":"stop","messageMetadata":{"seal":"b2.x","agent":"inventory",` +
			`"label":"Inventory Agent","finish":"stop","path":"llm","usage":{"input":0,"output":0,"total":0,` +
			`"cached":0,"calls":0},"degraded":[],"requestId":"r1","conversationId":"c1"}}`,
		`[DONE]`,
	}, "\n")
	if diff := cmp.Diff(
		want,
		strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(got), "\n\n", "\n"), "data: ", ""),
	); diff != "" {
		t.Errorf("the stream (-want +got):\n%s", diff)
	}
}

// types lists the parts of a stream in order.
func types(t *testing.T, frames string) string {
	t.Helper()
	var list []string
	for frame := range strings.SplitSeq(strings.TrimSpace(frames), "\n\n") {
		var p struct{ Type, ToolCallID string }
		body := strings.TrimPrefix(frame, "data: ")
		if body == "[DONE]" {
			list = append(list, "done")
			continue
		}
		if err := json.Unmarshal([]byte(body), &p); err != nil {
			t.Fatalf("%s: %v", frame, err)
		}
		list = append(list, strings.TrimSuffix(p.Type+" "+p.ToolCallID, " "))
	}
	return strings.Join(list, ", ")
}

func TestAQuestionAndItsAnswerAreOneMessage(t *testing.T) {
	t.Parallel()
	start := stream.Event{Name: stream.Connected, Data: map[string]string{}}
	began := fromAgent(t, agent.Started{CallID: "call_9", Tool: "create_extra", Arguments: json.RawMessage(`{}`)})
	tests := map[string]struct {
		continued *stream.Continued
		events    []stream.Event
		want      string
	}{
		"the question": {
			events: []stream.Event{
				start,
				began,
				fromAgent(t, agent.Finished{CallID: "call_9", OK: true, Asked: true}),
				fromAgent(
					t,
					agent.Proposed{Proposal: consent.Proposal{Draft: consent.Draft{ID: "p1"}}},
				),
				stream.Say("Shall I?"),
				completed(agent.Confirm, "s"),
			},
			want: "start, start-step, tool-input-available call_9, tool-approval-request call_9, data-proposal, " +
				"text-start, text-delta, text-end, finish-step, finish, done",
		},
		"approved and done": {
			continued: &stream.Continued{MessageID: "m1", CallID: "call_1", Approved: true},
			events: []stream.Event{
				start,
				began,
				fromAgent(t, agent.Finished{CallID: "call_9", OK: true}),
				completed(agent.Stop, "s"),
			},
			want: "start, tool-output-available call_1, finish, done",
		},
		"approved and failed": {
			continued: &stream.Continued{MessageID: "m1", CallID: "call_1", Approved: true},
			events: []stream.Event{
				start,
				began,
				fromAgent(t, agent.Finished{CallID: "call_9", Message: "No."}),
				completed(agent.Stop, "s"),
			},
			want: "start, tool-output-error call_1, finish, done",
		},
		"approved, done, and more after it": {
			continued: &stream.Continued{MessageID: "m1", CallID: "call_1", Approved: true},
			events: []stream.Event{
				start,
				began,
				fromAgent(t, agent.Finished{CallID: "call_9", OK: true}),
				fromAgent(t, agent.Generating{Step: 1}),
				fromAgent(t, agent.Started{CallID: "call_10", Tool: "list_extras", Arguments: json.RawMessage(`{}`)}),
				fromAgent(t, agent.Finished{CallID: "call_10", OK: true}),
				completed(agent.Stop, "s"),
			},
			want: "start, tool-output-available call_1, start-step, tool-input-available call_10, " +
				"tool-output-available call_10, finish-step, finish, done",
		},
		"approved too late": {
			continued: &stream.Continued{MessageID: "m1", CallID: "call_1", Approved: true},
			events:    []stream.Event{start, stream.Say("The time has passed."), completed(agent.Stop, "s")},
			want: "start, start-step, text-start, text-delta, text-end, tool-output-error call_1, finish-step, " +
				"finish, done",
		},
		"turned down": {
			continued: &stream.Continued{MessageID: "m1", CallID: "call_1"},
			events:    []stream.Event{start, stream.Say("All right."), completed(agent.Stop, "s")},
			want: "start, start-step, text-start, text-delta, text-end, tool-output-denied call_1, " +
				"finish-step, finish, done",
		},
		"a failure": {
			events: []stream.Event{
				start,
				stream.Say("Let me"),
				stream.Fail(fault.New(fault.Upstream, "The model is away."), "r1"),
			},
			want: "start, start-step, text-start, text-delta, error, done",
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := types(t, uiFrames(t, stream.NewUI("t1", "", tc.continued), tc.events...)); got != tc.want {
				t.Errorf("it is\n%s, want\n%s", got, tc.want)
			}
		})
	}
}
