package runtimes_test

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// handle is what stands for an id of the books in a conversation.
var handle = regexp.MustCompile(`\bid-[a-z2-7]{6,52}\b`)

// obedient returns the address of a model that calls the tool which a message names
// behind "run", with the arguments there, and then says that it is done. @id is the
// first handle that it was told.
func obedient(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(script.Func(func(r script.Request) script.Step {
		last := r.Messages[len(r.Messages)-1]
		_, order, ok := strings.Cut(last.Content, "run ")
		name, arguments, both := strings.Cut(strings.TrimSpace(order), " ")
		if last.Role != "user" || !ok || !both {
			return script.Step{Text: "That is all."}
		}
		for _, m := range r.Messages {
			if id := handle.FindString(m.Content); id != "" && m.Role == "tool" {
				arguments = strings.ReplaceAll(arguments, "@id", id)
				break
			}
		}
		return script.Step{Calls: []script.Call{{Name: name, Arguments: arguments}}}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// S2-30, S2-35, S2-43: nine kinds of records are proposed with what the person did not
// say, and made after a yes.
func TestNineKindsAreMade(t *testing.T) {
	t.Parallel()
	b := newBooks(t, ledger.Trading, obedient(t))
	for _, c := range []struct {
		call  string
		shown []string
		done  string
	}{
		{`create_invoice {"customer":"Konkan Kitchen Mart","lines":[{"description":"Steel bowl","quantity":3,` +
			`"rate":"400.00","gst_rate":5,"hsn_sac":"7323"}]}`,
			[]string{"Number: the next of INV/26-27", "Date: 22/11/2026", "Due date: 22/12/2026",
				"CGST 2.5 % on ₹1,200.00: ₹30.00",
				"Rupees One Thousand Two Hundred Sixty Only"},
			"Invoice INV/26-27/0194 for Konkan Kitchen Mart, ₹1,260.00"},
		{`create_bill {"vendor":"Rajkot Utensil Works","vendor_number":"RU/78/26",` +
			`"lines":[{"description":"Steel bowl","quantity":3,"rate":"300.00","gst_rate":5,"hsn_sac":"7323"}]}`,
			[]string{"between states: IGST", "Dr 1320 Input IGST: ₹45.00", "Reverse charge: no"},
			"Bill BILL/26-27/0090 of Rajkot Utensil Works, ₹945.00"},
		{`create_payment {"contact":"Konkan Kitchen Mart","amount":1000,"date":"2026-11-20"}`,
			[]string{"Invoice INV/26-27/0147, due 12/11/2026: ₹94,892.00 open",
				"Cr 1100 Trade receivables: ₹1,000.00"},
			"Receipt RCT/26-27/0194, Konkan Kitchen Mart, ₹1,000.00"},
		{`create_customer {"name":"Nashik Bartan Bhandar","state":"Maharashtra"}`, []string{"Code: the next one",
			"not registered",
			"Payment terms: 30 days"}, "Customer Nashik Bartan Bhandar is added"},
		{`create_vendor {"name":"Sangli Steel House","state":"Maharashtra"}`, []string{"Maharashtra (27)"},
			"Vendor Sangli Steel House is added"},
		{`create_sales_credit_note {"invoice":"INV/26-27/0190","reason":"Damaged","lines":[{"line":1,"quantity":1}]}`,
			[]string{"Stock of Mixer grinder 750 W: 67 NOS → 68 NOS",
				"Open of INV/26-27/0190: ₹33,276.00 → ₹29,116.00"},
			"Credit note CN/26-27/0009 for Deshmukh Bhandar, ₹4,160.00"},
		{`create_expense {"account":"Office expenses","amount":250,"description":"Tea"}`,
			[]string{"Dr 6140 Office expenses: ₹250.00"}, "Expense EXP/26-27/0005, Tea, ₹250.00"},
		{`create_journal_entry {"narration":"Cash to bank","lines":[{"account":"1000","credit":500},` +
			`{"account":"1010","debit":500}]}`,
			[]string{"Dr 1010 Current account: ₹500.00", "Cr 1000 Cash in hand: ₹500.00"}, "Journal entry JV/26-27/"},
		{`create_product {"name":"Copper jug","hsn_sac":"7418","gst_rate":5,"sale_price":900}`,
			[]string{"Sale price: ₹900.00"}, "Product Copper jug, sale price ₹900.00, is added"},
	} {
		k := b.as(b.org.Manager, "pipeline", "realtime")
		draft := k.ask("run " + c.call)
		for _, want := range c.shown {
			if draft.Confirmation == nil || !strings.Contains(draft.Reply, want) {
				t.Errorf("%s\nhas no %q: %s", c.call, want, draft)
			}
		}
		if draft.Confirmation == nil || draft.Confirmation.Tier != "MEDIUM" {
			continue
		}
		if done := k.ask("haan, kar do"); !strings.Contains(done.Reply, c.done) || len(done.McpToolResults) != 1 {
			t.Errorf("%s\nafter a yes: %s", c.call, done)
		}
	}
}

// S2-35, S2-45: seven kinds of records are changed after a yes, two deleted after more
// than that. What is shown of a change is what changes.
func TestSevenKindsAreChangedAndTwoDeleted(t *testing.T) {
	t.Parallel()
	b := newBooks(t, ledger.Trading, obedient(t))
	for _, c := range []struct{ before, call, shown, hidden, done string }{
		{"", `update_invoice {"number":"INV/26-27/0190","due_date":"2026-12-31"}`, "Due date: 05/12/2026 → 31/12/2026",
			"Stock",
			"Invoice INV/26-27/0190"},
		{"", `update_bill {"number":"BILL/26-27/0089","notes":"Checked by hand"}`, "Notes: Checked by hand", "Stock",
			"is changed"},
		{"", `update_payment {"number":"RCT/26-27/0193","notes":"By RTGS of the evening"}`, "Notes: By RTGS",
			"Amount:",
			"Receipt RCT/26-27/0193"},
		{"", `update_customer {"customer":"Konkan Kitchen Mart","phone":"020 5550 4321"}`, "Phone: 020 5550 4321",
			"E-mail", "is changed"},
		{"", `update_vendor {"vendor":"Sanket Cartons","phone":"020 5550 4322"}`, "Phone: 020 5550 4322", "E-mail",
			"is changed"},
		{"", `update_credit_note {"number":"CN/26-27/0008","reason":"Broken on the way"}`,
			"Reason: Returned by the customer → Broken on the way", "Stock", "is changed"},
		{`get_all_transactions {"limit":1,"status":"unmatched"}`,
			`update_transaction {"id":"@id","note":"asked the bank"}`,
			"asked the bank", "id-", "with the note: asked the bank"},
		{"", `delete_expense {"number":"EXP/26-27/0004"}`, "Cr 6190 Repairs and maintenance: ₹3,068.00",
			"yes** or **no", "is deleted"},
		{"", `delete_journal_entry {"number":"JV/26-27/0478"}`, "Dr 1000 Cash in hand: ₹3,550.00", "yes** or **no",
			"is deleted"},
	} {
		k := b.as(b.org.Manager, "pipeline", "realtime")
		if c.before != "" {
			k.ask("run " + c.before)
		}
		draft := k.ask("run " + c.call)
		if draft.Confirmation == nil || !strings.Contains(draft.Reply, c.shown) ||
			strings.Contains(draft.Reply, c.hidden) {
			t.Errorf("%s\nis shown as %s", c.call, draft)
			continue
		}
		tier := "MEDIUM"
		if strings.HasPrefix(c.call, "delete") {
			tier = "HIGH"
			if again := k.ask("haan, kar do"); len(again.McpToolResults) > 0 && again.Confirmation == nil {
				t.Errorf("%s\na bare yes does it: %s", c.call, again)
			} else if draft = again; draft.Confirmation == nil {
				t.Errorf("%s\nafter a bare yes: %s", c.call, again)
				continue
			}
		}
		if draft.Confirmation.Tier != tier {
			t.Errorf("%s\nhas the tier %s", c.call, draft.Confirmation.Tier)
		}
		if done := k.decide(draft, "approve"); !strings.Contains(done.Reply, c.done) {
			t.Errorf("%s\nafter a yes: %s", c.call, done)
		}
	}
}

// S2-34, S2-39, S2-50: what is wrong with an entry is said before it is made, in words
// of accountants; what can't be made is refused, and nothing is.
func TestWhatIsWrongWithAnEntryIsSaid(t *testing.T) {
	t.Parallel()
	b := newBooks(t, ledger.Trading, obedient(t))
	jargon := regexp.MustCompile(`(?i)\b(api|payload|endpoint|schema|stack trace|json|sql|uuid)\b`)
	b.as(b.org.Manager, "pipeline", "realtime").made(`create_customer {"name":"ACME Pvt Ltd","state":"Goa"}`)
	line := `"lines":[{"description":"Steel bowl","quantity":3,"rate":"400.00","gst_rate":5,"hsn_sac":"7323"}]`
	for _, c := range []struct {
		call, says, not string
		proposed        bool
	}{
		{`create_customer {"name":"Acme Private Limited","state":"Goa"}`, `Possible duplicate: ACME Pvt Ltd`, "",
			true},
		{`create_customer {"name":"Konkan","gstin":"27AAGCK3349R1ZT"}`,
			"Konkan Kitchen Mart (C-0003) has the same GSTIN", "", true},
		{`create_customer {"name":"Nilgiri Crafts","gstin":"27AAGCK3349R1ZA"}`,
			"The check character of GSTIN 27AAGCK3349R1ZA does not fit", "verified", true},
		{`create_vendor {"name":"Other Works","pan":"AAMFR2268H"}`, "has the same PAN", "AAMFR2268H", true},
		{`create_invoice {"customer":"Konkan Kitchen Mart",` + strings.Replace(line, `:5`, `:12`, 1) + `}`,
			"12 % ended as a rate of GST on 21/09/2025", "", true},
		{`create_invoice {"customer":"Konkan Kitchen Mart",` + strings.Replace(line, `"7323"`, `"732"`, 1) + `}`,
			"An HSN or SAC has 4, 6 or 8 digits; 732 has 3", "", true},
		{`create_invoice {"customer":"Konkan Kitchen Mart","place_of_supply":"Gujarat",` + line + `}`,
			"inside a state CGST and SGST are due", "", true},
		{`create_invoice {"customer":"Deshmukh Bhandar","date":"2026-11-20","lines":[{"description":"Mixer grinder",` +
			`"quantity":8,"rate":"3525.00","gst_rate":18,"hsn_sac":"8509"}]}`,
			"Possible duplicate: INV/26-27/0190", "", true},
		{`create_bill {"vendor":"Sanket Cartons","vendor_number":"RU/1",` + strings.Replace(line, `:3,`, `:-3,`, 1) +
			`}`, "", "", false},
		{`create_invoice {"customer":"Konkan Kitchen Mart","date":"2026-02-31",` + line + `}`,
			"February 2026 has 28 days", "", false},
		{`create_payment {"contact":"Konkan Kitchen Mart","amount":"about five"}`, "argument", "", false},
		{`create_payment {"contact":"Konkan Kitchen Mart","amount":-5}`, "", "", false},
		{`create_invoice {"customer":"Nobody & Sons",` + line + `}`, "", "", false},
		{`create_journal_entry {"narration":"x","lines":[{"account":"1000","credit":500},{"account":"1010",` +
			`"debit":400}]}`, "differ", "", false},
	} {
		a := b.as(b.org.Manager, "pipeline", "realtime").ask("run " + c.call)
		said := a.Reply
		for _, r := range a.McpToolResults {
			said += "\n" + r.Error
		}
		if (a.Confirmation != nil) != c.proposed || !strings.Contains(said, c.says) || c.not != "" &&
			strings.Contains(said, c.not) {
			t.Errorf("%s\nsays %s\n%s", c.call, said, a)
		}
		if word := jargon.FindString(said); word != "" {
			t.Errorf("%s\nsays %q: %s", c.call, word, said)
		}
	}
}

// made proposes and approves.
func (c *conversation) made(call string) answer {
	c.t.Helper()
	return c.decide(c.ask("run "+call), "approve")
}
