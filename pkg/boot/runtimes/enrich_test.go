package runtimes_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// S2-40 S2-41 S2-51 S2-52 S2-53 S2-54 S2-55 S2-71: what code computes from the answers of
// the books is told to the model before it words them, and to the client with the answer.
func TestAnswersAreEnriched(t *testing.T) {
	t.Parallel()
	call := func(name, arguments string) script.Call { return script.Call{Name: name, Arguments: arguments} }
	model := script.Start(t, script.Step{Calls: []script.Call{
		call("trend", `{"months":14}`), call("get_aged_receivables_report", `{}`), call("anomaly_detection",
			`{"months":12}`),
		call("get_ap_aging", `{}`), call("get_vendor", `{"vendor":"V-0002"}`)}},
		script.Step{Text: "Sales rose."})
	b := newBooks(t, ledger.Trading, model.URL)
	c := b.as(b.org.Manager, "pipeline", "realtime")
	names, data := c.events("How are we doing?")
	var done struct {
		Enrichments []struct{ Type, Description string }
		Parts       []struct{ Kind string }
	}
	if len(data["complete"]) != 1 || json.Unmarshal(data["complete"][0], &done) != nil {
		t.Fatalf("it ends with %v", names)
	}
	var prompt strings.Builder
	for _, m := range model.Requests()[1].Messages {
		prompt.WriteString(m.Content + "\n")
	}
	var told strings.Builder
	for _, e := range done.Enrichments {
		told.WriteString(e.Type + ": " + e.Description + "\n")
	}
	for kind, want := range map[string]string{
		"trend":    "Revenue: Oct 2026 was ₹19,10,742.00, ▲ 44.7 % against Sep 2026 (₹13,20,596.00).",
		"ranking":  "Receivables, top of 10: Vidarbha Wholesale ₹8,42,364.00 (27.5 %)",
		"alert":    "⚠ Customers owe ₹14,40,661.00 that is overdue. ₹3,94,538.00 of it for more than 90 days",
		"anomaly":  "Office expenses in Oct 2026: ₹14,975.00 is 18.7 times the average of ₹800.00",
		"currency": "total ₹30,62,069.00",
		"compliance": "⚠ Bills of micro and small suppliers that are unpaid for more than 45 days: BILL/26-27/0068 " +
			"of Rajkot Utensil Works, ₹4,09,390.00, 52 days.",
	} {
		if !strings.Contains(told.String(), want) || !strings.Contains(told.String(), kind+": ") {
			t.Errorf("the client is not told %s %q in\n%s", kind, want, told.String())
		}
		// The model reads names of the books between quotes.
		if asked := strings.ReplaceAll(prompt.String(), `"`, ""); !strings.Contains(asked, want) {
			t.Errorf("the model is not told %q", want)
		}
	}
	if !strings.Contains(prompt.String(), "AUTO-ENRICHMENTS TO APPLY:\n") ||
		strings.Contains(model.Requests()[0].Messages[0].Content, "AUTO-ENRICHMENTS") {
		t.Errorf("the model reads\n%s", prompt.String())
	}
	charts := 0
	for _, p := range done.Parts {
		if p.Kind == "chart" {
			charts++
		}
	}
	if charts == 0 {
		t.Errorf("the parts are %v", done.Parts)
	}
}
