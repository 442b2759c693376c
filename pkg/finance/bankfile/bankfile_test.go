package bankfile_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/statement"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/bankfile"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mcptools"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

var today = calendar.Date{Year: 2026, Month: 11, Day: 22}

// same is one statement in the forms of several banks.
func same() map[string]string {
	return map[string]string{
		"two columns": "Name,Asha\nAccount No,00411002277045\n\nDate,Narration,Chq./Ref.No.,Value Dt,Withdrawal " +
			"Amt.," +
			"Deposit Amt.,Closing Balance\n01/10/26,UPI  LUNCH,123,01/10/26,\"1,250.50\",,\"98,749.50\"\n" +
			"02/10/26,NEFT ACME,U9,03/10/26,,\"1,00,000.00\",\"1,98,749.50\"\n" +
			",Total,,,\"1,250.50\",\"1,00,000.00\",\n",
		"Dr and Cr": "Txn Date;Description;Ref No;Amount;Dr/Cr\n01-10-2026;UPI LUNCH;123;1250.50;DR\n" +
			"02-10-2026;NEFT ACME;U9;1,00,000.00;CR\n",
		"parentheses": "Date\tParticulars\tReference\tAmount (INR)\n1 Oct 2026\tUPI LUNCH\t123\t(1,250.50)\n" +
			"2 Oct 2026\tNEFT ACME\tU9\t100000\n",
		"suffixes": "DATE|REMARKS|UTR|AMOUNT\n2026-10-01|UPI LUNCH|123|1,250.50 Dr\n" +
			"2026-10-02 10:31:00|NEFT ACME|U9|1,00,000.00 Cr\n",
		"debit first": "Transaction Date,Value Date,Particulars,Cheque No,Debit,Credit,Balance\n" +
			"01-Oct-2026,,UPI LUNCH,123,1250.50,-,\n02-Oct-2026,,NEFT ACME,U9,0.00,\"1,00,000\",\n",
	}
}

func encode16(text string, order binary.AppendByteOrder, mark bool) []byte {
	var b []byte
	if mark {
		b = order.AppendUint16(b, 0xFEFF)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// The same statement is read from the files of several banks, and as the ledger's own
// reader reads it.
func TestTheSameStatementInManyForms(t *testing.T) {
	const want = "2026-10-01 -1250.50 UPI LUNCH 123\n2026-10-02 100000 NEFT ACME U9\n"
	for name, text := range same() {
		for coding, file := range map[string][]byte{
			"UTF-8": []byte(text), "UTF-8 with a mark": []byte("\uFEFF" + text),
			"UTF-16 LE": encode16(text, binary.LittleEndian, true), "UTF-16 BE": encode16(text, binary.BigEndian,
				true),
			"UTF-16 LE without a mark": encode16(text, binary.LittleEndian, false),
			"CRLF":                     []byte(strings.ReplaceAll(text, "\n", "\r\n")),
		} {
			s, err := bankfile.Parse(file, today)
			if err != nil || len(s.Problems)+len(s.Warnings) != 0 {
				t.Errorf("%s in %s: %v, %v, %v", name, coding, err, s.Problems, s.Warnings)
				continue
			}
			got := ""
			for _, l := range s.Lines {
				amount := l.Amount.String()
				got += fmt.Sprintln(l.Date, strings.TrimSuffix(amount, ".00"), l.Narration, l.Reference)
			}
			if got != want {
				t.Errorf("%s in %s:\n%s", name, coding, got)
			}
			theirs, err := statement.Parse([]byte(s.Text))
			if err != nil || len(theirs) != len(s.Lines) {
				t.Fatalf("the ledger reads %d lines, %v", len(theirs), err)
			}
			for i, l := range theirs {
				if ours := s.Lines[i]; l.Date.Format(time.DateOnly) != ours.Date.String() || l.Row != ours.Row ||
					l.Narration != ours.Narration || l.Reference != ours.Reference || l.Occurrence != ours.Same {
					t.Errorf("%s: the ledger reads %+v, we %+v", name, l, ours)
				}
			}
		}
	}
	s, err := bankfile.Parse([]byte(same()["two columns"]), today)
	if err != nil {
		t.Fatal(err)
	}
	in, out, err := s.Sums()
	from, to := s.Period()
	if err != nil || rupees.Format(in) != "₹1,00,000.00" || rupees.Format(out) != "₹1,250.50" ||
		s.Account != "00411002277045" ||
		from.String()+to.String() != "2026-10-012026-10-02" || s.Lines[0].Balance.String() != "98749.50" {
		t.Errorf("%v in, %v out, account %s, %v to %v: %v", in, out, s.Account, from, to, err)
	}
}

// Each bad line is told by its number and column; nothing of it is guessed.
func TestBadLines(t *testing.T) {
	const head = "Date,Narration,Ref,Withdrawal,Deposit,Balance\n"
	for line, want := range map[string]string{
		"31/02/2026,X,,5,,": "Line 2, column Date: \"31/02/2026\" is not a date: February 2026 " +
			"has 28 days.",
		"13/13/2026,X,,5,,":                    "there is no month 13",
		"23/11/2026,X,,5,,":                    "Line 2, column Date: 23/11/2026 is in the future.",
		"01/11/2026,X,,five,,":                 "Line 2, column Withdrawal: \"five\" is not an amount",
		"01/11/2026,X,,5,7,":                   "Line 2: It has both a withdrawal and a deposit.",
		"01/11/2026,X,,,\"12,34.00\",":         "column Deposit",
		"01/11/2026,X,,,5,abc":                 "column Balance",
		"01/11/2026,X,,,2.5 lakh,":             "\"2.5 lakh\" is not an amount",
		"01/11/2026,X,,,1.005,":                "more than two decimals",
		"01/11/2026,X,,,1e5,":                  "is not an amount",
		"01/11/2026,X,,,$5,":                   "is not an amount",
		"01/11/2026,X,,(5,,":                   "column Withdrawal",
		"01/11/2026,X,,,99999999999999999999,": "column Deposit",
	} {
		s, err := bankfile.Parse([]byte(head+line+"\n02/11/2026,Y,,,9,\n"), today)
		if err != nil || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Error(), want) || len(s.Lines) != 1 {
			t.Errorf("%s: %v, %v", line, s.Problems, err)
			continue
		}
		if refusal := s.Refusal("oct.csv"); !fault.Is(refusal, fault.Unprocessable) ||
			!strings.Contains(refusal.Error(), want) {
			t.Errorf("%s: %v", line, refusal)
		}
	}
	for name, test := range map[string]struct{ file, want string }{
		"empty":         {"", "No line"},
		"no table":      {"Dear customer,\nthank you", "No line"},
		"no lines":      {head + ",Total,,,,\n", "no transactions"},
		"Excel":         {"PK\x03\x04rest", "Excel"},
		"PDF":           {"%PDF-1.7", "PDF"},
		"binary":        {"Date,Amount\x00\xff", "not text"},
		"half a UTF-16": {"\xff\xfeD\x00a", "middle of a character"},
		"too many":      {head + strings.Repeat("01/11/2026,X,,,1,\n", bankfile.MaxLines+1), "more than 20000"},
	} {
		if _, err := bankfile.Parse([]byte(test.file), today); !fault.Is(err, fault.Unprocessable) ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := head + strings.Repeat("01/11/2026,X,,x,,\n", 300)
	if s, err := bankfile.Parse([]byte(many), today); err != nil || len(s.Problems) != 200 ||
		!strings.Contains(s.Refusal("a.csv").Error(), "200 or more") {
		t.Errorf("%d problems, %v", len(s.Problems), err)
	}
}

// What a bank's file says about itself is checked.
func TestBalancesFollow(t *testing.T) {
	const head = "Date,Narration,Withdrawal,Deposit,Balance\n"
	for name, test := range map[string]struct {
		lines string
		want  string
	}{
		"oldest first": {"01/11/2026,A,,10,110\n02/11/2026,B,5,,105\n03/11/2026,C,,1,106\n", ""},
		"newest first": {"03/11/2026,C,,1,106\n02/11/2026,B,5,,105\n01/11/2026,A,,10,110\n", ""},
		"a line is missing": {"01/11/2026,A,,10,110\n03/11/2026,C,,1,106\n04/11/2026,D,,1,107\n",
			"in 1 of 2 places, first at line 3"},
		"without balances": {"01/11/2026,A,,10,\n03/11/2026,C,,1,\n", ""},
	} {
		s, err := bankfile.Parse([]byte(head+test.lines), today)
		if got := strings.Join(s.Warnings, " "); err != nil || (got == "") != (test.want == "") ||
			!strings.Contains(got, test.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	s, err := bankfile.Parse([]byte(head+strings.Repeat("01/11/2026,TEA,10,,\n", 3)), today)
	if err != nil || s.Repeated() != 2 || s.Lines[2].Same != 3 {
		t.Errorf("%+v, %v", s.Lines, err)
	}
}

// cabinet holds uploaded files by id.
type cabinet map[string][]byte

func (c cabinet) ReadFile(_ context.Context, _ identity.Caller, id string) (string, []byte, error) {
	if c[id] == nil {
		return "", nil, fault.New(fault.NotFound, "There is no such file.")
	}
	return id + ".csv", c[id], nil
}

// outbox records acts as ours does: the second one with a key is the first.
type outbox map[string]effect.Entry

func (o outbox) Begin(ctx context.Context, _ identity.Caller, kind string, _ json.RawMessage) (effect.Entry, bool,
	error) {
	claim, _ := effect.From(ctx)
	if e, ok := o[claim.Key]; ok {
		return e, false, nil
	}
	o[claim.Key] = effect.Entry{Key: claim.Key, Kind: kind}
	return o[claim.Key], true, nil
}

func (o outbox) Settle(_ context.Context, _ identity.Caller, e effect.Entry) (effect.Entry, error) {
	o[e.Key] = e
	return e, nil
}

// A file that was uploaded is shown, imported once into the real books, and can be
// matched then.
func TestImport(t *testing.T) {
	s := ledgertest.Serve(t)
	var by identity.Caller
	remote := mcptools.Server{Name: "ledger", URL: s.URL()}
	for _, u := range s.Users() {
		if u.Role == "owner" && u.CompanyCode == "tungabhadra" {
			by = identity.Caller{UserID: "u", OrgID: u.OrgID, Role: identity.Admin,
				Entity: identity.Entity{ID: u.EntityID, TimeZone: "Asia/Kolkata"}}
			remote.Secret = identity.Secret(u.Token)
		}
	}
	raw, err := os.ReadFile("../../boot/remote/manifests/ledger.json")
	if err != nil {
		t.Fatal(err)
	}
	if remote.Manifest, err = mcptools.ReadManifest(raw); err != nil {
		t.Fatal(err)
	}
	c, err := mcptools.New(mcptools.Config{Egress: egress.Config{Loopback: true}, Hosts: []string{"127.0.0.1"},
		Now: time.Now, Outbox: outbox{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	declared, err := c.Tools(t.Context(), by, remote)
	if err != nil {
		t.Fatal(err)
	}
	const head = "Account No: XXXXXXXXXX7045\n\nDate,Narration,Ref No,Withdrawal,Deposit\n"
	files := cabinet{
		"oct": encode16(head+"19/11/2026,RTGS CHARGES,,236.00,\n21/11/2026,UPI ASHA,U1,,\"1,00,000.00\"\n"+
			"21/11/2026,UPI ASHA,U1,,\"1,00,000.00\"\n", binary.LittleEndian, true),
		"other": []byte("Account: 999999999\nDate,Narration,Withdrawal,Deposit\n21/11/2026,X,,5\n"),
		"bad":   []byte(head + "31/02/2026,X,,5,\n"),
	}
	mine, ok := bankfile.Declare(declared, files, ledgertest.Now)
	if !ok {
		t.Fatal("the books import no statements")
	}
	set, err := tool.NewSets(1).Set(nil, append(declared, mine))
	if err != nil {
		t.Fatal(err)
	}
	prepare := func(name, arguments string) tool.Call {
		t.Helper()
		found, _ := set.Find(name)
		call, err := found.Prepare([]byte(arguments))
		if err != nil {
			t.Fatal(err)
		}
		return call
	}
	call := prepare(bankfile.Name, `{"file":"oct"}`)
	show := func() string {
		t.Helper()
		p, err := call.Preview(t.Context(), by)
		if err != nil {
			t.Fatal(err)
		}
		text := p.Title
		for _, l := range p.Lines {
			text += "\n" + l.Label + ": " + l.After
		}
		return text + "\n" + strings.Join(p.Warnings, "\n")
	}
	if got, want := show(), "Import the bank statement oct.csv\nAccount: Residency Road current account\nPeriod: "+
		"19/11/2026 to 21/11/2026\nLines: 3\nMoney in: ₹2,00,000.00\nMoney out: ₹236.00\nEqual lines in the file: "+
		"1, each counted\nAlike in the books already: 1 of 3 lines, by day, amount and narration\n"; got != want {
		t.Errorf("the preview is\n%s\nwant\n%s", got, want)
	}
	if found, _ := set.Find(bankfile.Name); !found.Spec().Effect.Asks() {
		t.Error("it is not asked about")
	}
	run := func(key string) (tool.Result, error) {
		return call.Run(effect.With(t.Context(), effect.Claim{Key: key, ArgsHash: call.Hash, Tool: bankfile.Name,
			Turn:      "t",
			Assistant: "finance", Proposal: "00000000-0000-4000-8000-000000000009"}), by)
	}
	r, err := run("t.1")
	if err != nil || r.Text != "3 of 3 lines were added to Residency Road current account; 0 were in the books "+
		"already." {
		t.Fatalf("%q, %s, %v", r.Text, r.Data, err)
	}
	if r, err = run("t.1"); err != nil || !strings.Contains(string(r.Data), `"done":true`) {
		t.Errorf("the second time: %s, %v", r.Data, err)
	}
	if got := show(); !strings.Contains(got, "Alike in the books already: 3 of 3 lines") {
		t.Errorf("after the import:\n%s", got)
	}
	if r, err = run("t.9"); err != nil || !strings.Contains(r.Text, "0 of 3 lines were added") {
		t.Errorf("another import of the file: %q, %v", r.Text, err)
	}
	suggested, err := prepare("suggest_bank_matches", `{}`).Run(t.Context(), by)
	if err != nil || strings.Count(string(suggested.Data), "UPI ASHA") != 2 {
		t.Errorf("the suggestions are %s, %v", suggested.Data, err)
	}
	drafts := bankfile.Drafts(suggested.Data)
	i := slices.IndexFunc(drafts, func(c part.Choice) bool { return c.Label == "Bank charges ₹236.00 of 19/11/2026" })
	if i < 0 {
		t.Fatalf("the drafts are %+v", drafts)
	}
	call = prepare(drafts[i].Tool, string(drafts[i].Arguments))
	if r, err := run("t.3"); err != nil || !strings.Contains(string(r.Data), "EXP/26-27/") {
		t.Errorf("the draft became %s, %v", r.Data, err)
	}
	suggested, err = prepare("suggest_bank_matches", `{}`).Run(t.Context(), by)
	if err != nil || !strings.Contains(string(suggested.Data), "EXP/26-27/") {
		t.Errorf("the entry is no suggestion: %s, %v", suggested.Data, err)
	}

	for arguments, want := range map[string]string{
		`{"file":"none"}`:  "There is no such file.",
		`{"file":"bad"}`:   "February 2026 has 28 days",
		`{"file":"other"}`: "999999999, which the books do not have",
		`{"file":"other","bank_account":"residency road current account"}`: "has the number 00411002277045",
		`{"file":"oct","bank_account":"Petty cash"}`:                       "no bank account \"Petty cash\"",
	} {
		if _, err := prepare(bankfile.Name, arguments).Preview(t.Context(), by); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", arguments, err)
		}
	}
	call = prepare(bankfile.Name, `{"file":"bad"}`)
	if _, err := run("t.2"); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("a bad file: %v", err)
	}
	var q *tool.Question
	if _, err := prepare(bankfile.Name, `{"file":"other"}`).Preview(t.Context(), by); !errors.As(err, &q) ||
		len(q.Parts()) != 1 {
		t.Errorf("the account is not asked for: %v", err)
	}
	if _, ok := bankfile.Declare(nil, files, ledgertest.Now); ok {
		t.Error("books without the tool import files")
	}
}

// Lines that the books have nothing for become drafts of entries, where there is one
// thing that they can be.
func TestDrafts(t *testing.T) {
	line := func(amount, narration, postings, documents string) string {
		return fmt.Sprintf(`{"id":"id-1","date":"2026-11-19","amount":%s,"narration":%q,"bank_reference":"U1",`+
			`"postings":[%s],"open_documents":[%s]}`, amount, narration, postings, documents)
	}
	document := func(number string) string { return `{"number":"` + number + `","contact":"Asha","balance":5}` }
	for name, test := range map[string]struct {
		lines []string
		want  string // label, tool and arguments of each draft
	}{
		"a receipt": {[]string{line("84715", "UPI ASHA", "", document("INV/1"))},
			`Receipt ₹84,715.00 for INV/1, Asha create_payment {"allocations":[{"document":"INV/1"}],"amount":84715,` +
				`"bank_reference":"U1","date":"2026-11-19","kind":"receipt"}`},
		"a payment": {[]string{line("-5.50", "NEFT ASHA", "", document("BILL/1"))},
			`Payment ₹5.50 for BILL/1, Asha create_payment {"allocations":[{"document":"BILL/1"}],"amount":5.50,` +
				`"bank_reference":"U1","date":"2026-11-19","kind":"payment"}`},
		"the bank's charges": {[]string{line("-236", "RTGS CHARGES", "", "")},
			`Bank charges ₹236.00 of 19/11/2026 create_expense ` +
				`{"account":"Bank charges","amount":236,"date":"2026-11-19","description":"RTGS CHARGES"}`},
		"charges of others":    {[]string{line("-236", "FREIGHT CHARGES VRL", "", "")}, ""},
		"money that came back": {[]string{line("236", "RTGS CHARGES REVERSED", "", "")}, ""},
		"it is posted":         {[]string{line("5", "UPI", `{"number":"RCT/1"}`, document("INV/1"))}, ""},
		"two documents":        {[]string{line("5", "UPI", "", document("INV/1")+","+document("INV/2"))}, ""},
		"two lines for one": {[]string{line("5", "UPI", "", document("INV/1")),
			line("5", "UPI", "", document("INV/1"))}, ""},
		"nothing is known of it": {[]string{line("18450", "UPI UNKNOWN", "", "")}, ""},
	} {
		got := ""
		for _, c := range bankfile.Drafts(json.RawMessage(`{"suggestions":[` + strings.Join(test.lines, ",") + `]}`)) {
			got += c.Label + " " + c.Tool + " " + string(c.Arguments)
		}
		if got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, test.want)
		}
	}
	var many []string
	for range 20 {
		many = append(many, line("-236", "SMS CHARGES", "", ""))
	}
	p := bankfile.WithDrafts(func(json.RawMessage, json.RawMessage) tool.Presentation {
		return tool.Presentation{Text: "16 lines"}
	})(nil, json.RawMessage(`{"suggestions":[`+strings.Join(many, ",")+`]}`))
	if choices, ok := p.Parts[0].(part.Choices); !ok || len(choices.Choices) != 6 || choices.Check() != nil ||
		p.Text != "16 lines" {
		t.Errorf("%+v", p)
	}
	if bankfile.Drafts(json.RawMessage(`{"suggestions":[{"amount":"x"}]}`)) != nil {
		t.Error("drafts of nothing")
	}
}
