package views_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/views"
)

// wrote are calls that write, in their order. LINE is an unmatched bank line, STATEMENT a
// file of a bank, and JOURNAL the number of the last journal entry.
const wrote = `
create_customer {"name":"Nilgiri Stores","state":"Tamil Nadu","email":"pay@nilgiri.example"}
update_customer {"customer":"Nilgiri Stores","terms_days":30}
create_vendor {"name":"Sahyadri Paper","gstin":"27AADCB2230M1Z2"}
update_vendor {"vendor":"Sahyadri Paper","phone":"020 5550 1234"}
create_product {"name":"Kettle, 1.5 L","code":"KT-15","hsn_sac":"8516","gst_rate":18,"sale_price":1450,"purchase_price":980}
update_product {"product":"KT-15","sale_price":1500}
adjust_stock {"product":"DS-51","quantity":-2,"reason":"Broken in transport"}
create_invoice {"customer":"Annapurna Home Stores","lines":[{"description":"Kettle","hsn_sac":"8516","rate":100000,"gst_rate":18}]}
update_invoice {"number":"INV/26-27/0194","notes":"By courier"}
generate_einvoice {"number":"INV/26-27/0194"}
cancel_einvoice {"number":"INV/26-27/0194"}
create_sales_credit_note {"invoice":"INV/26-27/0192","reason":"Returned","lines":[{"line":1,"quantity":1}]}
update_credit_note {"number":"CN/26-27/0009","reason":"Damaged"}
create_payment {"contact":"Annapurna Home Stores","amount":50000,"allocations":[]}
update_payment {"number":"RCT/26-27/0194","mode":"UPI"}
apply_advance {"payment":"RCT/26-27/0194","document":"INV/26-27/0192","amount":20000}
void_payment {"number":"RCT/26-27/0194","reason":"Entered twice"}
create_invoice {"customer":"Nilgiri Stores","lines":[{"description":"Tawa","hsn_sac":"7615","rate":400,"gst_rate":5}]}
void_invoice {"number":"INV/26-27/0195","reason":"Entered twice"}
create_bill {"vendor":"Sahyadri Paper","vendor_number":"SP-1","lines":[{"description":"Paper","hsn_sac":"4802","rate":2000,"gst_rate":18,"account":"6140"}]}
update_bill {"number":"BILL/26-27/0090","notes":"Checked"}
create_purchase_debit_note {"bill":"BILL/26-27/0089","reason":"Short by one","lines":[{"line":1,"quantity":1}]}
void_bill {"number":"BILL/26-27/0090","reason":"Entered twice"}
create_expense {"description":"Courier","account":"6140","amount":500,"gst_rate":18}
delete_expense {"number":"EXP/26-27/0005"}
create_journal_entry {"narration":"Rent of the month","lines":[{"account":"6110","debit":1000},{"account":"1010","credit":1000}]}
delete_journal_entry {"number":"JOURNAL"}
create_account {"code":"6199","name":"Festival gifts","type":"expense","group":"Operating expenses"}
create_delivery_challan {"customer":"Annapurna Home Stores","lines":[{"description":"Stove","rate":4000,"quantity":2}]}
update_delivery_challan {"number":"DC/26-27/0004","status":"delivered"}
send_payment_reminders {"customer":"Mandovi Traders"}
send_payment_reminders {"customer":"Lakshmi Gift Gallery"}
update_transaction {"id":"LINE","note":"Ask the bank"}
match_bank_transaction {"id":"LINE","numbers":["JV/26-27/0479"]}
unmatch_bank_transaction {"id":"LINE"}
reconcile_bank_account {}
import_bank_statement {"file_name":"bank.csv","content_base64":"STATEMENT"}
import_bank_statement {"file_name":"bank.csv","content_base64":"STATEMENT"}
create_account {"code":"1020","name":"Savings account","type":"asset","group":"Cash and bank","cash":true}
create_bank_account {"account":"1020","bank":"Sahyadri Nagari Bank","name":"Savings","number":"50200011889999"}
set_period_status {"month":"2026-11","status":"locked"}
set_period_status {"month":"2026-11","status":"open"}
file_gstr1 {"month":"2026-11"}
file_gstr3b {"month":"2026-11"}
`

const bankFile = "Date,Narration,Withdrawal,Deposit,Balance\n21/11/2026,RTGS CHARGES,118.00,,1547192.84\n" +
	"21/11/2026,UPI COUNTER,,2500.00,1549692.84\n"

// filing is the answer of a return that is filed: the demo company has filed all months
// that are over.
func filing(form, figures string) json.RawMessage {
	return json.RawMessage(`{"filing":{"id":"0d000000-0000-4000-8000-000000000001","form":"` + form +
		`","period":"2026-11",` +
		`"arn":"AA2711260000AB","filed_on":"2026-12-01","figures":` + figures + `}}`)
}

// What was done is said with its number, its amount and its day.
func TestWhatWasWrittenIsSaid(t *testing.T) {
	c := companies(t)[0]
	var lines struct{ Transactions []struct{ ID string } }
	if err := json.Unmarshal(c.call("get_all_transactions", `{"status":"unmatched","limit":1}`), &lines); err != nil {
		t.Fatal(err)
	}
	places := []string{"JOURNAL", ""}
	places = append(places, "LINE", lines.Transactions[0].ID, "STATEMENT",
		base64.StdEncoding.EncodeToString([]byte(bankFile)))
	answers := map[call]json.RawMessage{
		{"file_gstr1", `{"month":"2026-11"}`}: filing("GSTR-1", `{"taxable":1910742.0,"tax":213624.96}`),
		{"file_gstr3b", `{"month":"2026-11"}`}: filing("GSTR-3B",
			`{"output":213624.96,"credit":175502.35,"net":38917.61}`),
	}
	var out bytes.Buffer
	did := map[string]bool{}
	for line := range strings.SplitSeq(strings.TrimSpace(wrote), "\n") {
		tool, arguments, _ := strings.Cut(line, " ")
		did[tool] = true
		answer, prepared := answers[call{tool, arguments}]
		if !prepared {
			answer = c.call(tool, strings.NewReplacer(places...).Replace(arguments))
		}
		var made struct {
			Entry struct{ Number string } `json:"journal_entry"`
		}
		if err := json.Unmarshal(answer, &made); err == nil && made.Entry.Number != "" {
			places[1] = made.Entry.Number
		}
		write(&out, call{tool, arguments}, answer, true)
		if text := views.Say(language.English, tool, nil, answer); strings.Contains(text, "record") &&
			!strings.Contains(tool, "reminders") {
			t.Errorf("%s has no words: %s", tool, text)
		}
	}
	// The number of the acknowledgement is made of a random id.
	text := regexp.MustCompile(`(Acknowledgement \| )\d{15}`).ReplaceAll(out.Bytes(), []byte("${1}…"))
	golden(t, "testdata/writes.txt", text)
	for name, tool := range manifest(t) {
		if !tool.reads() && !did[name] {
			t.Errorf("%s is not used", name)
		}
	}
}
