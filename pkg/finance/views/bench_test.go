package views_test

import (
	"encoding/json"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/views"
)

// BenchmarkAnswer is what the answer of a turn without a model costs: a page of 25
// invoices, said and shown.
func BenchmarkAnswer(b *testing.B) {
	answer := companies(b)[0].call("get_all_invoices", `{}`)
	arguments := json.RawMessage(`{}`)
	b.ReportAllocs()
	for b.Loop() {
		views.Say(language.Hindi, "get_all_invoices", arguments, answer)
		views.Present("get_all_invoices", arguments, answer)
	}
}
