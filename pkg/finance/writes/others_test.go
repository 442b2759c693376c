package writes_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/writes"
)

// Each tool of the ledger that writes has a preview.
func TestEveryWriteIsShown(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../boot/remote/manifests/ledger.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Tools []struct{ Name, Effect string }
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	for _, tool := range manifest.Tools {
		if shown := writes.Preview(tool.Name, nil, ledgertest.Now) != nil; shown != (tool.Effect != "reads") {
			t.Errorf("%s, which %s: shown %v", tool.Name, tool.Effect, shown)
		}
	}
}

// Notes, advances, entries by hand and stock are posted as they were shown.
func TestTheBooksPostNotesAdvancesAndEntriesAsShown(t *testing.T) {
	t.Parallel()
	b := open(t, ledgertest.Serve(t), "sahyadri")
	b.write("create_invoice", `{"customer":"Hotel Sagar Kinara","date":"2026-11-12","lines":[
		{"product":"WB-1L","description":"Bottle","hsn_sac":"7323","quantity":10,"rate":315.55,"gst_rate":5},
		{"description":"Engraving","hsn_sac":"998898","rate":99.99}]}`)
	invoice := b.made["create_invoice"]
	b.write("create_payment", `{"amount":3000,"allocations":[{"document":"`+invoice+`"}]}`)
	p, _ := b.write("create_sales_credit_note", `{"invoice":"`+invoice+
		`","reason":"Dented","lines":[{"line":1,"quantity":2}]}`)
	says(t, p, "Advance", "₹232.00 is left over")
	note := b.made["create_sales_credit_note"]
	p, _ = b.write("update_credit_note", `{"number":"`+note+`","lines":[{"line":2}],"reason":"Not engraved"}`)
	says(t, p, "Reason", "Not engraved")
	says(t, p, "Total", "₹118.00")
	b.write("update_credit_note", `{"number":"`+note+`","date":"2026-11-21"}`)
	more, err := b.preview("create_sales_credit_note", `{"invoice":"`+invoice+`"}`)
	if err != nil {
		t.Fatal(err)
	}
	warns(t, more, note+" over ₹118.00 was issued against", "more than "+invoice+" was for")

	b.write("create_bill", `{"vendor":"Deccan Appliances","vendor_number":"DA-5","date":"2026-11-15","lines":[
		{"product":"MG-750","description":"Mixer","hsn_sac":"8509","quantity":4,"rate":2480.25}]}`)
	bill := b.made["create_bill"]
	b.write("create_purchase_debit_note", `{"bill":"`+bill+`","lines":[{"line":1,"quantity":1}]}`)

	// An advance, applied later, then changed and voided.
	b.write("create_payment", `{"contact":"Hotel Sagar Kinara","date":"2026-11-13","amount":500,"allocations":[]}`)
	payment := b.made["create_payment"]
	p, _ = b.write("apply_advance", `{"payment":"`+payment+`","document":"`+invoice+`","amount":50}`)
	says(t, p, "Left of "+payment, "₹450.00")
	p, _ = b.write("update_payment", `{"number":"`+payment+`","amount":600,"mode":"UPI"}`)
	warns(t, p, "was applied to "+invoice+" later; that is taken back")
	b.write("apply_advance", `{"payment":"`+payment+`","document":"`+invoice+`"}`)
	p, _ = b.write("void_payment", `{"number":"`+payment+`","reason":"Bounced"}`)
	warns(t, p, "open again")
	b.write("create_payment", `{"contact":"Konkan Kitchen Mart","amount":100000}`)
	b.write("update_payment", `{"number":"`+b.made["create_payment"]+`","amount":"99999.5","tds":"0.5"}`)
	b.write("update_payment", `{"number":"`+b.made["create_payment"]+`","date":"2026-11-20","account":"cash"}`)

	b.write("create_journal_entry", `{"narration":"Depreciation","lines":[
		{"account":"Depreciation","debit":2500.5},{"account":"1590","credit":"2500.50"}]}`)
	p, err = b.preview("create_journal_entry",
		`{"narration":"Again","lines":[{"account":"rent","debit":2500.5},{"account":"bank","credit":2500.5}]}`)
	if err != nil {
		t.Fatal(err)
	}
	warns(t, p, "Possible duplicate: "+b.made["create_journal_entry"])
	b.write("delete_journal_entry", `{"number":"`+b.made["create_journal_entry"]+`"}`)
	b.write("create_expense", `{"account":"Rent","amount":700,"description":"Shed"}`)
	b.write("delete_expense", `{"number":"`+b.made["create_expense"]+`"}`)
	p, _ = b.write("create_product", `{"code":"lamp","name":"Desk lamp","hsn_sac":"9405","sale_price":1200,`+
		`"purchase_price":"800.10","opening_quantity":12.5}`)
	says(t, p, "Opening stock", "12.5 NOS at ₹800.10 = ₹10,001.25")
	p, _ = b.write("adjust_stock", `{"product":"lamp","quantity":-2.5,"reason":"damaged"}`)
	says(t, p, "Stock", "10 NOS")
	b.write("adjust_stock", `{"product":"LAMP","quantity":3,"unit_cost":"850.55","reason":"counted"}`)
	b.write("adjust_stock", `{"product":"LAMP","quantity":3,"reason":"counted"}`)
	p, _ = b.write("update_product", `{"product":"LAMP","sale_price":1250}`)
	says(t, p, "Sale price", "₹1,250.00")
	b.write("create_account", `{"code":"6175","name":"Trade fairs","type":"expense","group":"Operating expenses"}`)
	b.write("create_delivery_challan", `{"customer":"Hotel Sagar Kinara","vehicle":"mh12ab1234",`+
		`"lines":[{"product":"LAMP","quantity":2}]}`)
	p, _ = b.write("update_delivery_challan", `{"number":"`+b.made["create_delivery_challan"]+
		`","status":"invoiced","invoice_number":"`+invoice+`"}`)
	says(t, p, "Status", "invoiced")

	for name, tc := range map[string]struct{ tool, arguments, says string }{
		"one side only": {"create_journal_entry",
			`{"narration":"x","lines":[{"account":"rent","debit":1},{"account":"bank","credit":2}]}`,
			"differ by ₹1.00"},
		"a document's journal": {"delete_journal_entry", `{"number":"JV/26-27/9999"}`, "no journal entry"},
		"more than there is": {"adjust_stock", `{"product":"LAMP","quantity":-500,"reason":"x"}`,
			"There are only 16 NOS"},
		"a product's name": {"create_product", `{"name":"desk LAMP"}`, "already"},
		"an account's name": {"create_account", `{"code":"9999","name":"Rent","type":"expense","group":"x"}`,
			"already"},
		"an earlier note": {"create_sales_credit_note", `{"invoice":"` + invoice + `","date":"2026-11-01"}`,
			"cannot be earlier"},
		"a line too many": {"create_sales_credit_note", `{"invoice":"` + invoice + `","lines":[{"line":3}]}`,
			"no line 3"},
		"nothing left": {"apply_advance", `{"payment":"` + payment + `","document":"` + invoice + `"}`,
			"Nothing of"},
	} {
		if _, err := b.preview(tc.tool, tc.arguments); err == nil || !strings.Contains(fault.From(err).Message,
			tc.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The bank, reminders and returns are shown before they are written, too.
func TestTheBankRemindersAndReturnsAreShown(t *testing.T) {
	t.Parallel()
	b := open(t, ledgertest.Serve(t), "tungabhadra")
	find := func(search string) string {
		list, _ := b.call("get_all_transactions", map[string]any{"search": search,
			"status": "unmatched"})["transactions"].([]any)
		row, _ := list[0].(map[string]any)
		return fmt.Sprint(row["id"])
	}
	p, _ := b.write("update_transaction", `{"id":"`+find("CHEQUE BOOK")+`","account":"Bank charges"}`)
	if !strings.Contains(p.Title, "₹590.00 to Bank charges") || strings.Contains(fmt.Sprint(p), find("RTGS")) {
		t.Errorf("%+v", p)
	}
	p, _ = b.write("update_transaction", `{"id":"`+find("RTGS CHARGES")+`","note":"Ask the bank","status":"excluded"}`)
	says(t, p, "Status", "excluded")
	p, err := b.preview("reconcile_bank_account", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.call("reconcile_bank_account", map[string]any{}); fmt.Sprint(got["matched"]) != after(p,
		"Of these, one posting fits clearly") {
		t.Errorf("matched %v, shown %+v", got, p.Lines)
	}
	list, _ := b.call("get_all_transactions", map[string]any{"status": "matched", "limit": 1})["transactions"].([]any)
	row, _ := list[0].(map[string]any)
	id := fmt.Sprint(row["id"])
	p, _ = b.write("unmatch_bank_transaction", `{"id":"`+id+`"}`)
	was := p.Lines[len(p.Lines)-1].Before
	p, _ = b.write("match_bank_transaction", `{"id":"`+id+`"}`)
	says(t, p, "It is", strings.Fields(was)[0])
	b.write("create_bank_account", `{"account":"1000","name":"Petty cash","bank":"none","number":"1","opening":10}`)
	p, _ = b.write("import_bank_statement", `{"bank_account":"Petty cash","file_name":"nov.csv","content":"Date,`+
		`Narration,Withdrawal,Deposit\n22/11/2026,Tea,10.00,\n22/11/2026,Refund,,1250.5\n"}`)
	says(t, p, "Lines", "2")
	says(t, p, "Money in", "₹1,250.50")
	if _, err := b.preview("import_bank_statement",
		`{"bank_account":"Petty cash","content":"Date,Narration,Withdrawal,Deposit\n31/02/2026,Tea,10.00,\n"}`); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("a statement with 31/02: %v", err)
	}

	reminders, err := b.preview("send_payment_reminders", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	sent, _ := b.call("send_payment_reminders", map[string]any{})["recorded"].([]any)
	if want := fmt.Sprintf("Remind of %d invoice", len(sent)); !strings.HasPrefix(reminders.Title, want) ||
		len(sent) == 0 {
		t.Errorf("%q, want %q", reminders.Title, want)
	}
	for _, s := range sent {
		r, _ := s.(map[string]any)
		label := fmt.Sprintf("%v, %v", r["number"], r["customer"])
		says(t, reminders, label, fmt.Sprint(r["recipient"]))
	}
	if _, err := b.preview("send_payment_reminders", `{}`); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("reminded twice: %v", err)
	}

	// October is locked: its GSTR-1 is filed, or not yet.
	p, _ = b.write("set_period_status", `{"month":"2026-10","status":"open"}`)
	says(t, p, "Books of October 2026", "open")
	b.write("set_period_status", `{"month":"2026-10","status":"locked"}`)
	for _, form := range []string{"file_gstr1", "file_gstr3b"} {
		p, err := b.preview(form, `{"month":"2026-10"}`)
		if fault.Is(err, fault.Conflict) && strings.Contains(fault.From(err).Message, "filed already") {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		warns(t, p, "cannot be undone")
		filing, _ := b.call(form, map[string]any{"month": "2026-10"})["filing"].(map[string]any)
		figures, _ := filing["figures"].(map[string]any)
		for label, of := range map[string]string{"Taxable value": "taxable", "IGST": "igst", "To be paid": "net",
			"Input credit": "credit"} {
			if shown := after(p, label); shown != "" && hundredths(t, fmt.Sprint(figures[of])) != hundredths(t,
				shown) {
				t.Errorf("%s: %s is %s, filed were %v", form, label, shown, figures)
			}
		}
	}
	if _, err := b.preview("file_gstr1", `{"month":"2026-11"}`); !fault.Is(err, fault.Conflict) {
		t.Errorf("a month that is not over: %v", err)
	}
	b.write("create_invoice", `{"customer":"C-0001","lines":[{"description":"Retainer","hsn_sac":"998314",`+
		`"rate":1000}]}`)
	p, _ = b.write("generate_einvoice", `{"number":"`+b.made["create_invoice"]+`"}`)
	says(t, p, "Total", "₹1,180.00")
	b.write("cancel_einvoice", `{"number":"`+b.made["create_invoice"]+`"}`)
}
