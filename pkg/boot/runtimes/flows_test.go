package runtimes_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// S2-73: flows look names up in any spelling and script, and ask for what is missing.
func TestFlowsFindNamesAndDays(t *testing.T) {
	t.Parallel()
	b := newBooks(t, ledger.Trading, "")
	for _, c := range []struct {
		text, tool, reply string
	}{
		{"Deshmukh Bhandar ka kitna baki hai", "get_customer", "Deshmukh Bhandar"},
		{"मांडवी ट्रेडर्स का कितना बाकी है", "get_customer", "Mandovi Traders"},
		{"how much do we owe Nashik Steel", "get_vendor", "Nashik Steel Products"},
		{"how much does Zebra Mining owe us", "", "Zebra Mining"},
		{"profit from 01/02/2026 to 31/02/2026", "", "31/02/2026"},
	} {
		a := b.as(b.org.Manager).ask(c.text)
		called := slices.ContainsFunc(a.McpToolResults, func(r struct {
			Tool    string
			Success bool
			Error   string
		}) bool {
			return r.Tool == c.tool && r.Success
		})
		if a.Path != "fast" || a.Usage.Calls != 0 || called != (c.tool != "") || !strings.Contains(a.Reply, c.reply) {
			t.Errorf("%q: %s", c.text, a)
		}
	}
}

// S2-3, S2-4, S2-16, S2-18: what needs thought goes to the capable model, what does not
// to the cheap one, each with the tools that its words name.
func TestComplexQuestionsGoToTheCapableModel(t *testing.T) {
	t.Parallel()
	model := script.Start(t, script.Step{Text: "One."}, script.Step{Text: "Two."})
	b := newBooks(t, ledger.Services, model.URL, "OPENAI_MODEL=large", "OPENAI_MODEL_CHEAP=small")
	b.as(b.org.Manager).ask("do we happen to keep godown ka maal under somebody else's roof, and why so")
	b.as(b.org.Manager).ask("give me a comprehensive vishleshan of what our travelling consultants did, step by step")
	requests := model.Requests()
	if len(requests) != 2 || requests[0].Model != "small" || requests[1].Model != "large" {
		t.Fatalf("the models are %v", requests)
	}
	offered := func(i int, name string) bool { return slices.Contains(requests[i].Tools, name) }
	if !offered(0, "get_products") || offered(0, "file_gstr1") || !offered(1, "trend") || offered(1, "file_gstr1") {
		t.Errorf("the tools are %v and %v", requests[0].Tools, requests[1].Tools)
	}
}
