package stream_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

var update = flag.Bool("update", false, "write testdata anew")

// turnEvents are those of a turn in which everything happens once.
func turnEvents(t *testing.T) []stream.Event {
	t.Helper()
	table := render.Table{
		Title:   "Extras",
		Columns: []render.Column{{Key: "name", Label: "Name"}, {Key: "price", Label: "Price", Right: true}},
		Rows:    [][]render.Cell{{render.Text("Tea & <cake>"), render.Text("₹45.00")}},
		Note:    "1 of 1",
	}
	proposal := consent.Proposal{
		Draft: consent.Draft{
			ID:     "11111111-2222-4333-8444-555555555555",
			Entity: "hidden-entity",
			Thread: "hidden-thread",
			Turn:   "t1",
			Tool:   "create_extra",
			Arguments: json.RawMessage(
				`{"name":"hidden-argument"}`,
			),
			Hash: "hidden-hash",
			Tier: "MEDIUM",
			Code: "K7QM",
			Preview: tool.Preview{
				Title: "Add the extra Kayak",
				Lines: []tool.Line{{Label: "Price", Before: "₹10.00", After: "₹12.00"}},
				Warnings: []string{
					"It replaces another.",
				},
				Targets: []tool.Target{{Table: "extras", Key: "hidden-target", Version: 3}},
			},
		},
		State: consent.Pending, ExpiresAt: time.Date(2026, 1, 15, 12, 10, 0, 0, time.UTC),
	}
	shown, err := part.New(part.Table{Table: table}, "list_extras", json.RawMessage(`{"include_inactive":true}`))
	if err != nil {
		t.Fatal(err)
	}
	shown.ID = "t1"
	view := proposal.View()
	events := []stream.Event{
		{Name: stream.Connected, Data: map[string]string{"requestId": "request-1"}},
		{Name: stream.Understanding, Data: struct{}{}},
		{Name: stream.Unverified, Data: map[string]any{"count": 1, "reasons": []string{"forged"}}},
		{Name: stream.RouteStarted, Data: map[string]int{"agents": 8, "intents": 0, "tools": 10}},
		{
			Name: stream.Routed,
			Data: map[string]string{
				"path":      "llm",
				"agent":     "inventory",
				"label":     "Inventory Agent",
				"reasoning": "extras",
				"how":       "model",
			},
		},
	}
	for _, e := range []agent.Event{
		agent.Generating{Step: 1},
		agent.Text{Text: "Let me <look> & see > all.\n"},
		agent.Started{Step: 1, CallID: "call_0_0_0", Tool: "list_extras", Title: "List extras",
			Arguments: json.RawMessage(`{"include_inactive":true}`)},
		agent.Finished{CallID: "call_0_0_0", Tool: "list_extras", OK: true, Records: 1, Message: "One extra.",
			Duration: 12 * time.Millisecond},
		agent.Shown{Part: shown},
		agent.Generating{Step: 2},
		agent.Text{Text: "\n\n<table><tr><td>Tea &amp; &lt;cake&gt;</td></tr></table>\n\n"},
		agent.Started{Step: 2, CallID: "call_0_1_0", Tool: "set_note", Title: "Set note",
			Arguments: json.RawMessage(`{}`)},
		agent.Committed{Tool: "set_note", Text: "Noted."},
		agent.Finished{CallID: "call_0_1_0", Tool: "set_note", OK: false, Message: "It was late."},
		agent.Proposed{Proposal: proposal},
	} {
		ev, ok := stream.FromAgent(e)
		if !ok {
			t.Fatalf("%T is no event for clients", e)
		}
		events = append(events, ev)
	}
	if ev, ok := stream.FromAgent(agent.Done{}); ok {
		t.Errorf("the end of a run became %s", ev.Name)
	}
	events = append(events, stream.Event{Name: stream.Complete, Step: 2, Data: stream.Completed{
		Query:             "Add a kayak <now>",
		Category:          "unified",
		ExtractedEntities: map[string]any{},
		Reasoning:         "extras",
		PipelineSteps: []stream.PipelineStep{
			{Tool: "list_extras", Description: "List extras", Purpose: "look up"},
		},
		Enrichments:    []stream.Enrichment{},
		ResponseFormat: "markdown",
		Response:       "Done & dusted",
		ToolResults: []stream.ToolResult{
			{Tool: "list_extras", Success: true},
			{Tool: "set_note", Error: "It was late."},
		},
		DataSources: []string{"list_extras"},
		Model:       "m-1",
		Iterations:  2,
		Answer: stream.Answer{
			Reply:        "Done & dusted",
			Parts:        []part.Part{shown},
			Agent:        "inventory",
			Label:        "Inventory Agent",
			Confirmation: &view,
			Finish:       agent.Confirm,
			Path:         "llm",
			Message: stream.Message{
				ID:      "t1",
				Role:    "assistant",
				Content: "Done & dusted",
				Agent:   "inventory",
				Label:   "Inventory Agent",
				Seal:    "b1.x",
			},
			Usage: stream.Usage{
				Input:  10,
				Output: 2,
				Total:  12,
				Cached: 4,
				Calls:  3,
			},
			Degraded:       []string{},
			RequestID:      "request-1",
			ConversationID: "thread-1",
		},
	}})
	return events
}

func encode(t *testing.T, turn string, events ...stream.Event) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := stream.Encoder{Turn: turn}
	for _, e := range events {
		frame, err := enc.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(frame)
	}
	return b.Bytes()
}

// S2-13, S2-14: the bytes that clients have been reading since they were
// written. Run with -update after a change on purpose and read the difference.
func TestTheNativeStreamIsAsItWas(t *testing.T) {
	compare(t, "turn.golden", encode(t, "t1", turnEvents(t)...))
	late := fault.Wrap(fault.Limited, errors.New("hidden cause"), "Too many requests <just> now.").
		WithRetryAfter(7 * time.Second)
	compare(
		t,
		"failed.golden",
		encode(
			t,
			"t1",
			stream.Event{Name: stream.Connected, Data: map[string]string{"requestId": "request-1"}},
			stream.Fail(late, "request-1"),
		),
	)
}

func compare(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
	if bytes.Contains(got, []byte("hidden")) {
		t.Errorf("%s shows what must stay behind", name)
	}
}

type frame struct{ id, name, data string }

func frames(t *testing.T, raw []byte) []frame {
	t.Helper()
	shape := regexp.MustCompile(`^id: (.*)\nevent: (.*)\ndata: (.*)$`)
	var out []frame
	for part := range strings.SplitSeq(strings.TrimSuffix(string(raw), "\n\n"), "\n\n") {
		if strings.HasPrefix(part, ":") {
			continue
		}
		m := shape.FindStringSubmatch(part)
		if m == nil {
			t.Fatalf("%q is no frame", part)
		}
		out = append(out, frame{m[1], m[2], m[3]})
	}
	return out
}

// S2-13: the names that clients switch on, and no others.
func TestEveryEventHasAKnownNameAndAnIdInOrder(t *testing.T) {
	known := []string{
		"connected",
		"understanding_started",
		"history_unverified",
		"route_started",
		"route_classified",
		"executing_tool",
		"tool_result",
		"response_generating",
		"response_chunk",
		"part",
		"write_committed",
		"proposal",
		"complete",
		"error",
	}
	seen := map[string]bool{}
	var ids []string
	for _, f := range frames(t, encode(t, "t1", append(turnEvents(t), stream.Fail(errors.New("x"), "r"))...)) {
		seen[f.name] = true
		ids = append(ids, f.id)
		if !json.Valid([]byte(f.data)) {
			t.Errorf("the data of %s is %s", f.name, f.data)
		}
	}
	for _, name := range known {
		if !seen[name] {
			t.Errorf("nothing made the event %s", name)
		}
		delete(seen, name)
	}
	if len(seen) > 0 {
		t.Errorf("there are events of unknown names: %v", seen)
	}
	want := "t1.0.1 t1.0.2 t1.0.3 t1.0.4 t1.0.5 t1.1.1 t1.1.2 t1.1.3 t1.1.4 t1.1.5 t1.2.1 t1.2.2 t1.2.3 t1.2.4 " +
		"t1.2.5 t1.2.6 t1.2.7 t1.2.8"
	if got := strings.Join(ids, " "); got != want {
		t.Errorf("the ids are %s, want %s", got, want)
	}
}

// S2-13: the events of flows that match intents, run a plan of tools or enrich
// figures, with the members that front ends read.
func TestEventsOfFlowsHaveTheirMembers(t *testing.T) {
	i := stream.Intent{
		ID:          "i1",
		Name:        "Overdue invoices",
		ModuleID:    "sales",
		Confidence:  0.95,
		Description: "Who owes us",
	}
	e := []stream.Enrichment{{Type: "trend", Description: "How it went"}}
	var got []string
	for _, f := range frames(t, encode(t, "t1",
		stream.DetectingIntent(40), stream.DetectedIntent(i),
		stream.ExtractedEntities(map[string]any{"period": "2026"}),
		stream.PlannedPipeline([]stream.PipelineStep{{Tool: "get_revenue_kpi", Description: "Revenue",
			Purpose: "look up"}}),
		stream.ExecutingPipeline(1, 2), stream.PlannedEnrichments(e), stream.ApplyingEnrichments(e))) {
		got = append(got, f.name+" "+f.data)
	}
	want := []string{
		`intent_detecting {"intents":40}`,
		`intent_detected {"id":"i1","name":"Overdue invoices","moduleId":"sales","confidence":0.95,` +
			`"description":"Who owes us"}`,
		`entities_extracted {"entities":{"period":"2026"}}`,
		`pipeline_planned {"steps":[{"tool":"get_revenue_kpi","description":"Revenue","purpose":"look up"}]}`,
		`pipeline_executing {"of":2,"step":1}`,
		`enrichments_planned {"enrichments":[{"type":"trend","description":"How it went"}]}`,
		`enrichments_applying {"enrichments":[{"type":"trend","description":"How it went"}]}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the events (-want +got):\n%s", diff)
	}
}

func TestATurnsNameCannotBreakAFrame(t *testing.T) {
	for _, turn := range []string{"a\nevent: complete\ndata: {}\n\n", "a\r\n\r\nb", "a\x00b", "a\x7f", "\n"} {
		raw := encode(t, turn, stream.Event{Name: stream.Connected, Data: struct{}{}})
		got := frames(t, raw)
		if len(got) != 1 || got[0].name != stream.Connected || bytes.ContainsAny(raw, "\r\x00\x7f") {
			t.Errorf("the turn %q made %q", turn, raw)
		}
	}
}

func TestTextTravelsAsItWasWritten(t *testing.T) {
	const text = "a < b > c & d \"e\" \u2028 ₹ 👍\nnext"
	ev, _ := stream.FromAgent(agent.Text{Text: text})
	raw := encode(t, "t", ev)
	for _, escaped := range []string{`\u003c`, `\u003e`, `\u0026`} {
		if bytes.Contains(raw, []byte(escaped)) {
			t.Errorf("%s stands in %s", escaped, raw)
		}
	}
	var data struct{ Text string }
	if err := json.Unmarshal([]byte(frames(t, raw)[0].data), &data); err != nil || data.Text != text {
		t.Errorf("%q is read back as %q, %v", text, data.Text, err)
	}
}

func TestDataThatCannotBeEncodedIsAnError(t *testing.T) {
	enc := stream.Encoder{Turn: "t"}
	if frame, err := enc.Encode(
		stream.Event{Name: "part", Data: func() {}},
	); err == nil ||
		!strings.Contains(err.Error(), "part") {
		t.Errorf("got %q, %v", frame, err)
	}
}
