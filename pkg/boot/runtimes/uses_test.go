package runtimes_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// uses returns how often the organisation used tools, as tool_registry says it.
func (b books) uses() map[string]float64 {
	b.t.Helper()
	rows := localtest.SQL(b.t, `select json_object_agg(tool, used)::text as used from public.tool_usage where
		org_id = $1`,
		b.org.ID)
	used := map[string]float64{}
	if text, ok := rows[0]["used"].(string); ok {
		if err := json.Unmarshal([]byte(text), &used); err != nil {
			b.t.Fatal(err)
		}
	}
	return used
}

// S2-12, S2-21: the write of an invoice drops the answers that it changes, and leaves
// the others; S2-70: tools are counted as they are used, and not when an answer was kept.
func TestAWriteDropsTheAnswersThatItChanges(t *testing.T) {
	t.Parallel()
	model := script.Start(t, script.Step{Calls: []script.Call{{Name: "create_invoice", Arguments: `{"customer":` +
		`"Konkan Kitchen Mart","lines":[{"description":"Pressure cooker, 5 litres","quantity":10,"rate":"1250.00",` +
		`"gst_rate":5,"hsn_sac":"7323"}]}`}}}, script.Step{Text: "It is made."})
	b := newBooks(t, ledger.Trading, model.URL)
	const owed, vendors = "who owes me money?", "list all vendors"
	path := func(text string) string { return b.as(b.org.Manager).ask(text).Path }
	first := b.as(b.org.Manager).ask(owed)
	if got := path(vendors); first.Path != "fast" || got != "fast" {
		t.Fatalf("the first answers: %s, %s", first.Path, got)
	}
	before := b.uses()
	if got := path(owed) + " " + path(vendors); got != "cached cached" {
		t.Fatalf("the second answers: %s", got)
	}
	if len(before) == 0 || len(first.McpToolResults) == 0 || before[first.McpToolResults[0].Tool] != 1 {
		t.Errorf("counted %v", before)
	}
	if after := b.uses(); len(after) != len(before) || after[first.McpToolResults[0].Tool] != 1 {
		t.Errorf("an answer that was kept counts: %v", after)
	}
	c := b.as(b.org.Manager)
	made := c.decide(c.ask("Konkan Kitchen Mart ke liye 10 pressure cooker ka invoice banao, 1250 each, for their "+
		"new kitchen"),
		"approve")
	if !strings.Contains(made.Reply, "INV/") {
		t.Fatalf("nothing was made: %s", made)
	}
	if got := path(owed) + " " + path(vendors); got != "fast cached" {
		t.Errorf("after the invoice: %s", got)
	}
}
