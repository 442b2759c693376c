package classify_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/finance/classify"
	"github.com/bellhop-ai/bellhop/pkg/llm"
)

func TestOf(t *testing.T) {
	const talk, books = classify.GeneralChat, classify.Unified
	for text, want := range map[string]classify.Kind{
		"": talk, "🙂": talk,
		"hi": talk, "Hello Munimji!": talk, "namaste": talk, "NAMASTE 🙏": talk, "good morning sir": talk,
		"thanks": talk, "thank you so much": talk, "ok": talk, "okay, sure": talk, "got it": talk,
		"bye": talk, "goodbye": talk, "alvida": talk, "help": talk, "what can you do?": talk, "who are you": talk,
		"haan": talk, "nahi": talk, "theek hai": talk, "accha": talk, "धन्यवाद": talk, "नमस्ते मुनीमजी": talk,
		"आप कौन हैं?": talk,
		"sunny today": talk, "aap kaise hain": talk,

		"history":                    talk, // short, nothing of the books; but see below
		"hi, show my bills":          books,
		"help me create an invoice":  books,
		"thanks, now the profit":     books,
		"ok bill dikhao":             books,
		"kahaan gaya paisa":          books,
		"haan toh kharcha kitna hua": books,
		"kitna baaki hai":            books,
		"naafa":                      books,
		"munaafa":                    books,
		"khareedi":                   books,
		"purvanumaaan":               books,
		"bikree batao":               books,
		"recievable":                 books,
		"invioce":                    books,
		"इस महीने की बिक्री": books,
		"ख़र्च":         books,
		"gst":           books,
		"balance sheet": books,
		"JV/26-27/0001": books,
		"25000":         books,
		"what is the weather in Delhi at the moment": books,
	} {
		if got := classify.Of(text, false); got.Kind != want {
			t.Errorf("Of(%q) is %s with %v, want %s", text, got.Kind, got.Keywords, want)
		}
	}
}

// What is short belongs to what was said before.
func TestOfLaterTurns(t *testing.T) {
	for text, want := range map[string]classify.Kind{
		"yes": classify.Unified, "haan": classify.Unified, "nahi": classify.Unified,
		"and last month?": classify.Unified,
		"Sharma Traders":  classify.Unified, "12": classify.Unified, "ok, thanks": classify.Unified,
		"thanks": classify.GeneralChat, "hello": classify.GeneralChat, "bye": classify.GeneralChat,
		"who are you": classify.GeneralChat, "": classify.GeneralChat,
	} {
		if got := classify.Of(text, true).Kind; got != want {
			t.Errorf("Of(%q) is %s, want %s", text, got, want)
		}
	}
}

// Words are compared whole.
func TestKeywordsAreWholeWords(t *testing.T) {
	for _, text := range []string{"history of the world", "kahaan ho", "a machine in march", "stick and shock",
		"capable", "approach", "start with art"} {
		if got := classify.Of(text, true).Keywords; len(got) > 0 {
			t.Errorf("%q has the keywords %v", text, got)
		}
	}
}

func TestTheListOfKeywords(t *testing.T) {
	groups, names := classify.Groups()
	total := 0
	for _, g := range groups {
		total += len(names[g])
		for _, n := range names[g] {
			found := classify.Of(n, false).Keywords
			if len(found) != 1 || found[0].Name != n {
				t.Errorf("%q of %s is found as %v", n, g, found)
			}
		}
	}
	if total < 64 || len(groups) < 20 {
		t.Errorf("there are %d keywords in %d groups", total, len(groups))
	}
	for _, given := range strings.Fields(`create edit delete record send file void import clone reconcile merge
		show get report analyze compare invoice bill payment expense journal customer vendor inventory
		revenue profit cash receivable payable gst tax kpi forecast banao dikhao batao kharcha bikri naafa baaki`) {
		if found := classify.Of(given, false).Keywords; len(found) != 1 {
			t.Errorf("%q is found as %v", given, found)
		}
	}
}

// S2-3, S2-4, S2-18
func TestTier(t *testing.T) {
	long := strings.Repeat("please look at all of it ", 5)
	for text, want := range map[string]llm.Tier{
		"show my invoices":                        llm.Cheap,
		"compare sales":                           llm.Cheap,
		"compare sales and show the trend":        llm.Capable,
		"compare compare comparison":              llm.Capable,
		"a detailed analysis of expenses":         llm.Capable,
		"sales step by step and then a deep dive": llm.Capable,
		"bikri ki tulna aur vishleshan":           llm.Capable,
		"purvanumaaan aur tulna":                  llm.Capable,
		"बिक्री का विश्लेषण और पूर्वानुमान": llm.Capable,
		"our headquarters are trendy":                    llm.Cheap,
		"invoice for the quarter":                        llm.Cheap,
		"quarter on quarter, year over year":             llm.Capable,
		"then and there":                                 llm.Cheap,
		long + "and make a forecast":                     llm.Capable,
		long + "and make a list of invoices":             llm.Cheap,
		"forecast of " + strings.Repeat("cash ", 27):     llm.Cheap,
		"the forecast of " + strings.Repeat("cash ", 27): llm.Capable,
	} {
		if got := classify.Tier(text); got != want {
			t.Errorf("Tier(%q) is %s, want %s", text, got, want)
		}
	}
}

// ledger returns the tools of the ledger's manifest.
func ledger(t testing.TB) []classify.Tool {
	t.Helper()
	raw, err := os.ReadFile("../../boot/remote/manifests/ledger.json")
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Tools []classify.Tool }
	if err := json.Unmarshal(raw, &m); err != nil || len(m.Tools) < 90 {
		t.Fatal(err, len(m.Tools))
	}
	return m.Tools
}

func TestChoose(t *testing.T) {
	tools := ledger(t)
	for _, c := range []struct {
		text     string
		previous []string
		strategy classify.Strategy
		want     []string // tools that are offered
		not      []string // tools that are not
	}{
		{"show overdue invoices of Sharma", nil, classify.KeywordMatched,
			[]string{"get_overdue_invoices", "get_all_invoices", "get_all_customers"}, []string{"file_gstr1",
				"get_trial_balance"}},
		{"kitna bakaya hai", nil, classify.KeywordMatched, []string{"get_aged_receivables_report"},
			[]string{"create_product"}},
		{"इस महीने का खर्च दिखाओ", nil, classify.KeywordMatched, []string{"list_expenses", "get_expense_breakdown"},
			[]string{"get_all_invoices"}},
		{"create an invoice for Acme for 5 chairs", nil, classify.KeywordMatched,
			[]string{"create_invoice", "get_customer", "create_customer", "get_product"},
			[]string{"get_trial_balance"}},
		{"what changed in the day book", nil, classify.KeywordMatched, []string{"get_day_book"},
			[]string{"create_invoice"}},
		{"the reminders that were recorded", nil, classify.KeywordMatched, []string{"get_payment_reminders"}, nil},
		{"is anything wrong with us at the moment", nil, classify.DefaultUnified, []string{"get_kpi_dashboard",
			"get_all_invoices"},
			[]string{"delete_journal_entry"}},
		{"and last month?", []string{"reports_gst"}, classify.KeywordMatched, []string{"get_gst_summary"},
			[]string{"get_all_invoices"}},
		{"and the bills?", []string{"invoices"}, classify.KeywordMatched, []string{"get_all_invoices", "get_bills"},
			[]string{"get_gst_summary"}},
		{"and now tell me about everything else in stock", []string{"invoices"}, classify.KeywordMatched,
			[]string{"get_products"}, []string{"create_invoice"}},
	} {
		got := classify.Choose(c.text, c.previous, tools)
		if got.Strategy != c.strategy {
			t.Errorf("%q: %s with %v", c.text, got.Strategy, got.Categories)
		}
		for _, w := range c.want {
			if !slices.Contains(got.Names, w) {
				t.Errorf("%q is offered %v of %v, not %s", c.text, got.Names, got.Categories, w)
			}
		}
		for _, w := range c.not {
			if slices.Contains(got.Names, w) {
				t.Errorf("%q is offered %v of %v, also %s", c.text, got.Names, got.Categories, w)
			}
		}
		if len(got.Names) == len(tools) {
			t.Errorf("%q is offered all tools", c.text)
		}
	}
	all := classify.All(tools)
	if all.Strategy != classify.DirectAll || len(all.Names) != len(tools) || len(all.Categories) != 22 {
		t.Errorf("All is %s with %d tools of %v", all.Strategy, len(all.Names), all.Categories)
	}
	// A server whose tools have no categories of ours.
	others := []classify.Tool{{"weigh_parcel", "parcels", "Weigh a parcel."},
		{"track_parcel", "", "Where a parcel is."}}
	if got := classify.Choose("show my invoices", nil, others); got.Strategy != classify.AllFallback ||
		len(got.Names) != 2 {
		t.Errorf("no tool of the categories: %+v", got)
	}
	others = append(others, classify.Tool{"list_ships", "", "Ships at sea."}, classify.Tool{"weather", "",
		"Weather at sea."})
	if got := classify.Choose("weigh it", nil, others); got.Strategy != classify.KeywordMatched ||
		!slices.Equal(got.Names, []string{"weigh_parcel"}) {
		t.Errorf("a tool that is named: %+v", got)
	}
	if got := classify.Choose("weigh it", nil, nil); len(got.Names) != 0 {
		t.Errorf("no tools: %+v", got)
	}
}

// S2-20
func TestFollowUpsKeepTheCategories(t *testing.T) {
	tools := ledger(t)
	first := classify.Choose("what GST do I have to pay this month", nil, tools)
	next := classify.Choose("and last month?", first.Categories, tools)
	if !next.FollowUp || !slices.Equal(next.Categories, first.Categories) {
		t.Errorf("after %+v comes %+v", first.Categories, next)
	}
	if other := classify.Choose("please show the whole stock now", first.Categories, tools); other.FollowUp {
		t.Errorf("a new question is %+v", other)
	}
	if alone := classify.Choose("and last month?", nil, tools); alone.FollowUp {
		t.Errorf("without a turn before: %+v", alone)
	}
}

func BenchmarkOf(b *testing.B) {
	for b.Loop() {
		classify.Of("please show me the overdue invoices of Sharma Traders for the last quarter", false)
	}
}

func BenchmarkChoose(b *testing.B) {
	tools := ledger(b)
	for b.Loop() {
		classify.Choose("please show me the overdue invoices of Sharma Traders for the last quarter", nil, tools)
	}
}
