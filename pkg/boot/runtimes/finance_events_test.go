package runtimes_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// S2-10, S2-13: over a few turns all events of the source are sent, each with what the
// turn really did.
func TestFinanceSendsAllEvents(t *testing.T) {
	t.Parallel()
	const odd, half = "is anything odd about our friends at the moment", "so what do you make of all of our cartons"
	from := func(text string) func(script.Request) bool {
		return func(r script.Request) bool { return r.Last("user").Content == text }
	}
	model := script.Start(t,
		script.Step{When: from(odd), Calls: []script.Call{{Name: "get_aged_receivables_report", Arguments: `{}`}}},
		script.Step{When: from(odd), Text: "A lot is overdue."},
		script.Step{When: from(half), Text: "I begin to say", Fault: script.CutStream(3), Times: -1})
	b := newBooks(t, ledger.Trading, model.URL)
	c := b.as(b.org.Manager)
	all := map[string]bool{}
	for _, turn := range []struct {
		text, order string
		says        map[string]string
	}{
		{"namaste", "connected understanding_started route_started route_classified response_chunk complete",
			map[string]string{
				"route_started": `"intents":84`, "route_classified": `"path":"direct"`,
				"complete": `"category":"general_chat"`}},
		{"invoices above ₹50,000", "connected understanding_started route_started intent_detecting intent_detected " +
			"entities_extracted route_classified mode_switch tools_filtered pipeline_planned pipeline_executing " +
			"executing_tool tool_result part enrichments_planned enrichments_applying response_chunk complete",
			map[string]string{
				"intent_detected": `"id":"invoices_list"`, "entities_extracted": `₹50,000.00`,
				"mode_switch":    `"to":"unified"`,
				"tools_filtered": `"categories":["invoices"]`, "pipeline_planned": `"tool":"get_all_invoices"`,
				"executing_tool": `"min_amount":"50000"`,
				"tool_result":    `"success":true`, "enrichments_planned": `"type":"alert"`}},
		{odd, "connected understanding_started route_started intent_detecting intent_detected entities_extracted " +
			"route_classified tools_filtered response_generating executing_tool tool_result part " +
			"enrichments_planned enrichments_applying response_generating response_chunk complete", map[string]string{
			"route_classified": `"path":"llm"`, "tool_result": `"records":10`, "enrichments_applying": `27.5 %`,
			"response_generating": `{"step":0}`, "response_chunk": `"text":"A`, "complete": `"iterationCount":1`}},
		{half, "connected understanding_started route_started intent_detecting intent_detected entities_extracted " +
			"route_classified tools_filtered response_generating response_chunk error", map[string]string{
			"error": `"message":"The assistant `}},
	} {
		names, data := c.events(turn.text)
		if got := strings.Join(slices.Compact(names), " "); got != turn.order {
			t.Errorf("%q sends\n%s, want\n%s", turn.text, got, turn.order)
		}
		for event, part := range turn.says {
			if len(data[event]) == 0 || !strings.Contains(string(data[event][0]), part) {
				t.Errorf("%q: %s is %s, without %s", turn.text, event, data[event], part)
			}
		}
		for _, n := range names {
			all[n] = true
		}
	}
	for name := range strings.FieldsSeq(`connected understanding_started route_started route_classified tools_filtered
		intent_detecting intent_detected entities_extracted pipeline_planned pipeline_executing enrichments_planned
		enrichments_applying executing_tool tool_result mode_switch response_generating response_chunk complete error`) {
		if !all[name] {
			t.Errorf("%s is never sent, only %v", name, slices.Sorted(maps.Keys(all)))
		}
	}
}

// uuids are ids of records.
var uuids = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)

// S2-14, S2-29: the last event has all members of the source, with true content, and no
// event an id of a record: only the turn and its message are named.
func TestTheLastEventSaysAll(t *testing.T) {
	t.Parallel()
	model := script.Start(t, script.Step{Calls: []script.Call{{Name: "get_all_transactions", Arguments: `{"limit":5}`},
		{Name: "get_all_invoices", Arguments: `{"limit":5}`},
		{Name: "get_invoice", Arguments: `{"number":"INV-99999"}`}}},
		script.Step{Text: "There they are."})
	b := newBooks(t, ledger.Trading, model.URL, "OPENAI_MODEL=gpt-4o")
	c := b.as(b.org.Manager, "pipeline", "realtime")
	names, data := c.events("list the transactions and invoices of Nov 2026")
	var done map[string]json.RawMessage
	if len(data["complete"]) != 1 || json.Unmarshal(data["complete"][0], &done) != nil {
		t.Fatal(names)
	}
	for member, want := range map[string]string{
		"query": `"list the transactions and invoices of Nov 2026"`, "path": `"llm"`, "category": `"unified"`,
		"matchedIntent": `"moduleId":"`, "extractedEntities": `"date":"01/11/2026 – 30/11/2026"`,
		"reasoning":     `direct_llm_all_mcp_tools`,
		"pipelineSteps": `{"tool":"get_all_transactions","description":"`, "enrichments": `[`,
		"responseFormat": `"markdown"`,
		"response":       `There they are.`, "mcpToolResults": `"tool":"get_all_invoices"`,
		"dataSources": `"get_all_transactions"`,
		"llmModel":    `gpt-4o"`, "iterationCount": `1`, "usage": `"input":200,"output":20,"total":220`,
	} {
		if !strings.Contains(string(done[member]), want) {
			t.Errorf("%s is %s, without %s", member, done[member], want)
		}
	}
	if !strings.Contains(string(done["mcpToolResults"]), `"success":false,"error":"`) ||
		!strings.Contains(string(done["mcpToolResults"]), `"success":true`) {
		t.Errorf("the results are %s", done["mcpToolResults"])
	}
	var message struct{ ID string }
	var request string
	if json.Unmarshal(done["message"], &message) != nil || json.Unmarshal(done["requestId"], &request) != nil {
		t.Fatal("no message")
	}
	for name, events := range data {
		for _, e := range events {
			for _, id := range uuids.FindAllString(string(e), -1) {
				if id != message.ID && id != request {
					t.Errorf("%s has the id %s: %.500s", name, id, e)
				}
			}
		}
	}
}

// S2-7: a model that never ends its calls is asked ten times.
func TestFinanceEndsAfterTenRounds(t *testing.T) {
	t.Parallel()
	model := script.Start(t, script.Step{Times: -1, Calls: []script.Call{{Name: "get_cash_position",
		Arguments: `{}`}}})
	b := newBooks(t, ledger.Trading, model.URL)
	a := b.as(b.org.Manager, "pipeline", "realtime").ask("how much cash is there?")
	if n := len(model.Requests()); n < 2 || n > 11 || a.Finish == "stop" {
		t.Errorf("%d requests, %s", n, a)
	}
}
