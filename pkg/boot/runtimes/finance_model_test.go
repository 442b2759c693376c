package runtimes_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// anything answers every request with the same words.
func anything(text string) script.Step { return script.Step{Text: text, Times: -1} }

// asked says something in a conversation of its own, and returns the first request
// that the model got for it; false for none.
func (b books) asked(model *script.Server, text string, more ...any) (script.Request, bool) {
	b.t.Helper()
	before := len(model.Requests())
	b.as(b.org.Manager, more...).ask(text)
	if now := model.Requests(); len(now) > before {
		return now[before], true
	}
	return script.Request{}, false
}

// S2-1: at Azure's endpoint the key has its own header, instructions the role
// developer, and an answer 8192 tokens, or fewer where the request says so.
func TestFinanceAtAzure(t *testing.T) {
	t.Parallel()
	model := script.Start(t, anything("Nothing is odd."))
	b := newBooks(t, ledger.Trading, model.URL, "OPENAI_PROFILE=azure-v1", "OPENAI_MODEL=gpt-4o")
	const odd = "give me a detailed analysis of whether something is odd about our cartons"
	for _, c := range []struct {
		more []any
		want int
	}{{nil, 8192}, {[]any{"maxTokens", 700}, 700}, {[]any{"maxTokens", 20000}, 8192}} {
		r, ok := b.asked(model, odd, c.more...)
		var sent struct {
			Messages            []struct{ Role string }
			MaxCompletionTokens int `json:"max_completion_tokens"`
		}
		if !ok || json.Unmarshal(r.Body, &sent) != nil {
			t.Fatalf("with %v no model is asked", c.more)
		}
		if sent.MaxCompletionTokens != c.want || r.Header.Get("Api-Key") != "local" || r.Authorization != "" {
			t.Errorf("with %v: %d tokens, headers %v", c.more, sent.MaxCompletionTokens, r.Header)
		}
		if sent.Messages[0].Role != "developer" ||
			slices.ContainsFunc(sent.Messages, func(m struct{ Role string }) bool {
				return m.Role == "system"
			}) {
			t.Errorf("the roles are %v", sent.Messages)
		}
	}
}

// S2-2, S2-3, S2-4, S2-18: which model is asked, and for how many tokens, by the
// words of the question alone.
func TestTheTierIsOfTheQuestion(t *testing.T) {
	t.Parallel()
	model := script.Start(t, anything("That is all."))
	b := newBooks(t, ledger.Trading, model.URL, "OPENAI_MODEL=large", "OPENAI_MODEL_CHEAP=small")
	const filler = " and please look at every one of the cartons that we had from the two men at the corner of the " +
		"lane since we moved in there"
	for text, want := range map[string]string{
		"is something odd about the cartons of our neighbour":                           "small",
		"please analyze if the cartons of our neighbour are odd":                        "small",
		"please analyze the cartons of our neighbour and predict more":                  "large",
		"give me a deep dive on our cartons, step by step":                              "large",
		"vishleshan karo cartons ka, aur purvanumaaan bhi":                              "large",
		"an anomaly of our cartons, year over year please":                              "large",
		"is there a variance of our cartons at all" + filler + filler[:30]:              "large",
		"is something odd about our cartons at all" + filler + " so that nothing hides": "small",
	} {
		r, ok := b.asked(model, text)
		tokens := map[string]int{"small": 2048, "large": 8192}[want]
		if !ok || r.Model != want || r.MaxTokens != tokens {
			t.Errorf("%q asks %q for %d tokens, want %s", text, r.Model, r.MaxTokens, want)
		}
	}
	if r, ok := b.asked(model, "is something odd about our cartons", "pipeline", "realtime"); !ok ||
		r.Model != "large" || r.MaxTokens != 8192 {
		t.Errorf("realtime asks %q for %d tokens", r.Model, r.MaxTokens)
	}
}

// S2-11, S2-27, S2-28: three prompts. Munimji looks only after the books; small talk
// has no tools, a wording neither tools nor more than the figures.
func TestFinanceHasThreePrompts(t *testing.T) {
	t.Parallel()
	model := script.Start(t, anything("Namaste!"))
	b := newBooks(t, ledger.Trading, model.URL, "FINANCE_WORDING=model", "OPENAI_MODEL=large",
		"OPENAI_MODEL_CHEAP=small")
	prompts := map[string]bool{}
	for _, c := range []struct {
		text   string
		tokens int
		tools  bool
		says   []string
	}{
		{"give me a detailed analysis of whether something is odd about our cartons", 8192, true,
			[]string{"prepare entries", "ask only for what is missing", "```params", "```clarification",
				"Decline anything else"}},
		{"how much cash do we have today?", 2048, false,
			[]string{"The figures that answer the question are already there",
				"add no figure, no advice and no question"}},
		{"namaste", 512, false, []string{"This message needs no figures", "Anything else you decline kindly"}},
	} {
		r, ok := b.asked(model, c.text)
		if !ok || r.MaxTokens != c.tokens || len(r.Tools) > 0 != c.tools {
			t.Errorf("%q asks for %d tokens with %d tools", c.text, r.MaxTokens, len(r.Tools))
			continue
		}
		system := r.Messages[0].Content
		prompts[system] = true
		for _, want := range append(c.says, "You are Munimji", "₹2.75 lakh, ₹1.50 crore; never million", "DD/MM/YYYY",
			"Hindi in Devanagari, or Hinglish", "an experienced accountant",
			"Never use words such as API, payload, endpoint, schema",
			"Today: 22/11/2026 (Sunday)", "Financial year 2026-27: 01/04/2026 to 31/03/2027") {
			if !strings.Contains(system, want) {
				t.Errorf("for %q the prompt has no %q", c.text, want)
			}
		}
	}
	if len(prompts) != 3 {
		t.Errorf("there are %d prompts", len(prompts))
	}
}

// S2-6, S2-8: the same sentence goes two ways. Realtime takes no kept answer, no fast
// path and no small talk of ours; the other pipeline takes all three.
func TestFinanceHasTwoPipelines(t *testing.T) {
	t.Parallel()
	model := script.Start(t, anything("As the model says."))
	b := newBooks(t, ledger.Trading, model.URL)
	const cash, hello = "how much cash do we have today?", "namaste"
	for _, c := range []struct{ pipeline, text, path string }{
		{"api", cash, "fast"}, {"realtime", cash, "llm"}, {"api", cash, "cached"}, {"realtime", cash, "llm"},
		{"api", hello, "direct"},
		{"realtime", hello, "llm"}, {"api", cash, "cached"},
	} {
		before := len(model.Requests())
		a := b.as(b.org.Manager, "pipeline", c.pipeline).ask(c.text)
		calls := len(model.Requests()) - before
		if a.Path != c.path || (calls == 1) != (c.path == "llm") {
			t.Errorf("%s %q: %d requests, %s", c.pipeline, c.text, calls, a)
		}
		if calls == 1 && len(model.Requests()[before].Tools) < 97 {
			t.Errorf("%s %q: %d tools", c.pipeline, c.text, len(model.Requests()[before].Tools))
		}
		if c.text == cash && c.pipeline == "realtime" && (a.MatchedIntent == nil ||
			a.MatchedIntent.ID != "cash_today") {
			t.Errorf("realtime matches %+v", a.MatchedIntent)
		}
	}
}

// S2-25: all tools of the source are offered by their names.
func TestFinanceOffersTheToolsOfTheSource(t *testing.T) {
	t.Parallel()
	model := script.Start(t, anything("Yes."))
	b := newBooks(t, ledger.Trading, model.URL)
	r, _ := b.asked(model, "what can you look up?", "pipeline", "realtime")
	for name := range strings.FieldsSeq(`get_all_invoices create_invoice get_bills create_bill get_all_payments create_payment
		get_all_customers create_customer get_all_vendors create_vendor get_all_sales_credit_notes get_charts_of_accounts
		get_all_transactions get_aged_receivables_report get_aged_payables_report get_all_delivery_challans create_expense
		list_expenses import_bank_statement create_product adjust_stock create_journal_entry file_gstr1 generate_einvoice
		get_profit_loss get_balance_sheet get_trial_balance get_cash_flow_statement get_cash_position forecast_cash_flow
		get_revenue_breakdown get_expense_breakdown get_ap_aging get_gst_summary get_gstr1_data get_gstr3b_data get_itc_summary
		get_revenue_kpi compare_periods forecast trend anomaly_detection budget_vs_actual`) {
		if !r.Offers(name) {
			t.Errorf("%s is not offered", name)
		}
	}
}

// S2-16, S2-20, S2-24: words of many kinds choose the tools, in three languages; a few
// words after an answer go on with its group.
func TestKeywordsChooseTheTools(t *testing.T) {
	t.Parallel()
	call := script.Step{Calls: []script.Call{{Name: "get_itc_summary", Arguments: `{}`}}, Times: -1,
		When: func(r script.Request) bool {
			return strings.HasPrefix(r.Messages[len(r.Messages)-1].Content, "is it right how the input credit")
		}}
	model := script.Start(t, call, anything("That is so."))
	b := newBooks(t, ledger.Trading, model.URL)
	for text, c := range map[string]struct{ with, without string }{
		"clone the invoice that was wrong for someone":                {"create_invoice", "get_trial_balance"},
		"is a challan of ours open somewhere, I ask":                  {"get_all_delivery_challans", "create_expense"},
		"kya koi naya aadmi hamare kharche ke chori mein shaamil hai": {"list_expenses", "get_all_invoices"},
		"क्या कोई नया आदमी हमारे खर्च की चोरी में शामिल है": {"list_expenses", "create_invoice"},
		"does a journal of ours look odd to you somehow": {"get_journal_entries", "create_invoice"},
		"is what our stock says true, do you think":      {"get_products", "file_gstr1"},
		"who of the vendors might be cheating on us":     {"get_all_vendors", "file_gstr1"},
	} {
		r, ok := b.asked(model, text)
		if !ok || !r.Offers(c.with) || r.Offers(c.without) {
			t.Errorf("%q: %t, offers %v", text, ok, r.Tools)
		}
	}
	c := b.as(b.org.Manager)
	first := c.ask("is it right how the input credit was taken with our cartons?")
	if len(first.McpToolResults) != 1 {
		t.Fatal(first)
	}
	before := len(model.Requests())
	c.ask("and before that")
	r := model.Requests()[before]
	if !r.Offers("get_itc_summary") || r.Offers("create_expense") || len(r.Tools) > 60 {
		t.Errorf("the follow-up is offered %d: %v", len(r.Tools), r.Tools)
	}
}
