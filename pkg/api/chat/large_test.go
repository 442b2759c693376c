package chat_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/hospitality/extras"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// page is a page of a log.
type page struct {
	Page int `json:"page" jsonschema:"which page, from 1"`
}

// logs is a tool whose answers are large: 19 KiB each.
func logs(extras.Store) []tool.Tool {
	spec := tool.Spec{Name: "read_log", Effect: tool.Reads, Description: "Reads a page of the log of flights."}
	return []tool.Tool{tool.New(spec,
		func(_ context.Context, _ identity.Caller, in page) (map[string]string, error) {
			line := fmt.Sprintf("page %02d is calm; ", in.Page)
			return map[string]string{"lines": strings.Repeat(line, 19<<10/len(line))}, nil
		})}
}

// A turn of as many calls as there may be, with 300 KiB of results, is
// sealed like any other: the answer says that results were summarised, and the
// next turn reads all calls with the beginnings of their results.
func TestALargeTurnIsSealedWithSummaries(t *testing.T) {
	t.Parallel()
	var steps []script.Step
	for i := range 4 {
		var calls []script.Call
		for j := range agent.MaxCalls / 4 {
			calls = append(calls, script.Call{Name: "read_log", Arguments: fmt.Sprintf(`{"page":%d}`,
				i*agent.MaxCalls/4+j+1)})
		}
		steps = append(steps, script.Step{Calls: calls})
	}
	steps = slices.Concat([]script.Step{script.Route("flyer")}, steps, []script.Step{{Text: "All calm."}},
		[]script.Step{script.Route("flyer"), {Text: "As I said."}})
	l := openLabOf(t, labParts{tools: logs}, steps...)
	send := func(list ...any) stream.Answer {
		t.Helper()
		_, raw := l.post(t, "/api/chat", l.org.Manager.Token, "application/json",
			map[string]any{"id": "large-1", "messages": list})
		return answer(t, raw)
	}
	first := send(user("Read the whole log."))
	if first.Reply != "All calm." || !slices.Equal(first.Degraded, []string{"results_summarised"}) {
		t.Fatalf("%q, degraded %v", first.Reply, first.Degraded)
	}
	requests := l.model.Requests()
	shown := 0
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role == "tool" {
			shown += len(m.Content)
		}
	}
	if shown < 290<<10 {
		t.Errorf("the first turn reads %d bytes of results", shown)
	}
	if len(first.Message.Seal) > 64<<10 {
		t.Errorf("the seal has %d bytes", len(first.Message.Seal))
	}

	second := send(user("Read the whole log."), first.Message, user("And was page 7 calm?"))
	if second.Reply != "As I said." || len(second.Degraded) != 0 {
		t.Errorf("the next turn: %q, degraded %v", second.Reply, second.Degraded)
	}
	requests = l.model.Requests()
	results, whole := 0, 0
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role != "tool" {
			continue
		}
		results++
		want := fmt.Sprintf("page %02d is calm", results)
		if !strings.Contains(m.Content, want) || !strings.Contains(m.Content, "bytes more were shown; digest ") {
			t.Errorf("result %d is read as %.80q…", results, m.Content)
		}
		whole += len(m.Content)
	}
	if results != agent.MaxCalls || whole > 32<<10 {
		t.Errorf("the next turn reads %d results with %d bytes", results, whole)
	}
	if v := l.model.Violations(); len(v) > 0 {
		t.Errorf("the model was sent an invalid list: %v", v)
	}
}
