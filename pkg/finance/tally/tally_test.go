package tally_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/tally"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mcptools"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/uploads"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

func TestMain(m *testing.M) { localtest.Main(ledgertest.With(m)) }

// file is what Tally reads of a file.
type file struct {
	XMLName  xml.Name `xml:"ENVELOPE"`
	Request  string   `xml:"HEADER>TALLYREQUEST"`
	Report   string   `xml:"BODY>IMPORTDATA>REQUESTDESC>REPORTNAME"`
	Messages []struct {
		Ledger []struct {
			Name   string `xml:"NAME,attr"`
			Parent string `xml:"PARENT"`
			GSTIN  string `xml:"PARTYGSTIN"`
		} `xml:"LEDGER"`
		Voucher []read `xml:"VOUCHER"`
	} `xml:"BODY>IMPORTDATA>REQUESTDATA>TALLYMESSAGE"`
}

type read struct {
	ID      string `xml:"REMOTEID,attr"`
	Type    string `xml:"VCHTYPE,attr"`
	Name    string `xml:"VOUCHERTYPENAME"`
	Date    string `xml:"DATE"`
	Number  string `xml:"VOUCHERNUMBER"`
	Party   string `xml:"PARTYLEDGERNAME"`
	Entries []struct {
		Ledger   string `xml:"LEDGERNAME"`
		Positive string `xml:"ISDEEMEDPOSITIVE"`
		Amount   string `xml:"AMOUNT"`
	} `xml:"ALLLEDGERENTRIES.LIST"`
}

// imported reads a file as strictly as Tally: each voucher sums to zero, each entry
// has the sign of its side, and each ledger stands before it is named. It returns
// the vouchers and the groups of the ledgers.
func imported(t *testing.T, content []byte) (vouchers []read, groups map[string]string) {
	t.Helper()
	var f file
	if err := xml.Unmarshal(content, &f); err != nil {
		t.Fatalf("%v in %.300s", err, content)
	}
	if f.Request != "Import Data" || f.Report != "All Masters" {
		t.Errorf("the request is %q of %q", f.Request, f.Report)
	}
	groups = map[string]string{}
	ids, names := map[string]bool{}, map[string]bool{}
	for _, m := range f.Messages {
		for _, l := range m.Ledger {
			if names[strings.ToLower(l.Name)] || l.Parent == "" {
				t.Errorf("the ledger %q of %q is there twice, or in no group", l.Name, l.Parent)
			}
			names[strings.ToLower(l.Name)], groups[l.Name] = true, l.Parent
		}
		for _, v := range m.Voucher {
			vouchers = append(vouchers, v)
			sum := new(big.Rat)
			for _, e := range v.Entries {
				amount, ok := new(big.Rat).SetString(e.Amount)
				if !ok || amount.Sign() == 0 || (amount.Sign() < 0) != (e.Positive == "Yes") {
					t.Errorf("%s: %s is %q with the sign %s", v.Number, e.Ledger, e.Amount, e.Positive)
					continue
				}
				if groups[e.Ledger] == "" {
					t.Errorf("%s names %q, which is not in the file yet", v.Number, e.Ledger)
				}
				sum.Add(sum, amount)
			}
			if sum.Sign() != 0 || len(v.Entries) < 2 {
				t.Errorf("voucher %s sums to %s", v.Number, sum.FloatString(2))
			}
			if ids[v.ID] || v.ID == "" || v.Type != v.Name || len(v.Date) != 8 {
				t.Errorf("voucher %s has the id %q, types %s and %s, and the day %s", v.Number, v.ID, v.Type, v.Name,
					v.Date)
			}
			ids[v.ID] = true
		}
	}
	return vouchers, groups
}

// books reads the demo company over MCP, and its database.
func books(t *testing.T) tally.Reader {
	t.Helper()
	server := ledgertest.Serve(t)
	raw, err := os.ReadFile(filepath.Join("..", "..", "boot", "remote", "manifests", "ledger.json"))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := mcptools.ReadManifest(raw)
	if err != nil {
		t.Fatal(err)
	}
	c, err := mcptools.New(mcptools.Config{Egress: egress.Config{Loopback: true}, Hosts: []string{"127.0.0.1"},
		Now: time.Now, Outbox: struct{ effect.Outbox }{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	user := server.Users()[0]
	as := identity.Caller{OrgID: user.OrgID, Entity: identity.Entity{ID: user.EntityID},
		Remote: identity.Secret(user.Token)}
	to := mcptools.Server{Name: "ledger", URL: server.URL(), Manifest: manifest}
	return func(ctx context.Context, _ identity.Caller, tool string, arguments any) (json.RawMessage, error) {
		in, err := json.Marshal(arguments)
		if err != nil {
			return nil, err
		}
		return c.Try(ctx, as, to, tool, in)
	}
}

// A quarter of the demo books becomes vouchers that balance, with the amounts of
// the documents, and the file can be downloaded from the link.
func TestAQuarterIsExported(t *testing.T) {
	t.Parallel()
	reading := books(t)
	client, err := supabase.New(localtest.Config(t, localtest.Stack(t)))
	if err != nil {
		t.Fatal(err)
	}
	by, err := client.Whoami(t.Context(), identity.Secret(localtest.NewOrg(t).Manager.Token))
	if err != nil {
		t.Fatal(err)
	}
	by, _ = by.Choose("", "property")
	export := tally.Tools(reading, uploads.NewService(client))[0]
	call, err := export.Prepare([]byte(`{"from":"2026-08-01","to":"2026-10-31"}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := call.Run(effect.With(t.Context(), effect.Claim{Key: "tally-export-1", ArgsHash: call.Hash,
		Tool: export.Name(), Turn: "t", Assistant: "finance"}), by)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Parts) != 1 || got.Refused != nil || bytes.Contains(got.Data, []byte("http")) {
		t.Fatalf("%d parts, %v, %s", len(got.Parts), got.Refused, got.Data)
	}
	var link part.Link
	if err := json.Unmarshal(got.Parts[0].Data, &link); err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(link.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s, %v", resp.Status, err)
	}
	vouchers, groups := imported(t, content)
	if len(vouchers) != got.Records || len(vouchers) < 50 {
		t.Errorf("%d vouchers, and the answer says %d", len(vouchers), got.Records)
	}
	answer, err := reading(t.Context(), by, "get_all_invoices", map[string]any{"from": "2026-08-01",
		"to":    "2026-10-31",
		"limit": 100})
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Invoices []struct {
			Number, Customer, Status string
			Total                    money.Amount
		}
	}
	if err := json.Unmarshal(answer, &list); err != nil || len(list.Invoices) == 0 {
		t.Fatalf("%v, %d invoices", err, len(list.Invoices))
	}
	kinds := map[string]int{}
	for _, v := range vouchers {
		kinds[v.Type]++
		if v.Date < "20260801" || v.Date > "20261031" {
			t.Errorf("%s is of %s", v.Number, v.Date)
		}
	}
	for _, kind := range []string{"Sales", "Purchase", "Receipt", "Payment"} {
		if kinds[kind] == 0 {
			t.Errorf("there is no %s among %v", kind, kinds)
		}
	}
	for _, i := range list.Invoices {
		at := slices.IndexFunc(vouchers, func(v read) bool { return v.Number == i.Number && v.Type == "Sales" })
		if i.Status == "void" {
			continue
		}
		if at < 0 {
			t.Errorf("invoice %s is not in the file", i.Number)
			continue
		}
		v := vouchers[at]
		debit := slices.IndexFunc(v.Entries, func(e struct {
			Ledger   string `xml:"LEDGERNAME"`
			Positive string `xml:"ISDEEMEDPOSITIVE"`
			Amount   string `xml:"AMOUNT"`
		}) bool {
			return e.Ledger == v.Party
		})
		if debit < 0 || v.Entries[debit].Amount != "-"+i.Total.Round(2).String() ||
			groups[v.Party] != "Sundry Debtors" ||
			!strings.HasPrefix(v.Party, i.Customer) {
			t.Errorf("invoice %s of %s over %s is %+v", i.Number, i.Customer, i.Total, v)
		}
	}
	// The same period again has the same ids: importing it twice adds nothing.
	day := func(m time.Month, d int) calendar.Date { return calendar.Date{Year: 2026, Month: m, Day: d} }
	again, err := tally.Read(t.Context(), by, reading, day(8, 1), day(10, 31))
	if err != nil {
		t.Fatal(err)
	}
	var second bytes.Buffer
	if err := again.Write(&second); err != nil || !bytes.Equal(second.Bytes(), content) {
		t.Errorf("the second file differs: %v", err)
	}
}

func TestPeriodsThatAreRefused(t *testing.T) {
	t.Parallel()
	none := func(context.Context, identity.Caller, string, any) (json.RawMessage, error) {
		return json.RawMessage(`{"journal_entries":[],"accounts":[],"customers":[],"vendors":[],"invoices":[],"bills":[],
			"credit_notes":[],"debit_notes":[],"payments":[],"company":{}}`), nil
	}
	export := tally.Tools(none, (*uploadsThatFail)(nil))[0]
	for arguments, says := range map[string]string{
		`{"from":"2026-10-31","to":"2026-10-01"}`: "before it begins on 31/10/2026",
		`{"from":"2025-04-01","to":"2026-03-31"}`: "at most three months",
		`{"from":"2026-02-31","to":"2026-03-31"}`: "date",
	} {
		if _, err := export.Prepare([]byte(arguments)); fault.KindOf(err) != fault.Invalid ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", arguments, err)
		}
	}
	run := func(t tool.Tool) error {
		call, err := t.Prepare([]byte(`{"from":"2026-10-01","to":"2026-10-31"}`))
		if err != nil {
			return err
		}
		_, err = call.Run(effect.With(context.Background(), effect.Claim{Key: "tally-export-2", ArgsHash: call.Hash}),
			identity.Caller{})
		return err
	}
	if err := run(export); fault.KindOf(err) != fault.Unprocessable {
		t.Errorf("a period without entries: %v", err)
	}
	if err := run(tally.Tools(none, nil)[0]); fault.From(err).Code != "files_not_set_up" {
		t.Errorf("without files: %v", err)
	}
}

type uploadsThatFail struct{}

func (*uploadsThatFail) Save(context.Context, identity.Caller, string, string, []byte) (string, time.Duration, error) {
	return "", 0, fault.New(fault.Full, "There is no room.")
}

func TestNamesAreEscapedAndVouchersBalance(t *testing.T) {
	n := money.FromInt
	b := tally.Books{Company: "Us", Ledgers: []tally.Ledger{{Name: `A & B <"Traders">`, Group: "Sundry Debtors",
		GSTIN: "32AADCK5978M1Z0", State: "Kerala"}, {Name: "बिक्री", Group: "Sales Accounts"}},
		Vouchers: []tally.Voucher{{Type: "Sales", Number: "1", Date: calendar.Date{Year: 2026, Month: 4, Day: 1},
			Narration: "a\x00b</NARRATION>", Entries: []tally.Entry{
				{Ledger: `A & B <"Traders">`, Debit: n(100)}, {Ledger: "बिक्री", Credit: n(100)}}}}}
	// Two entries of the books may have the same number and day.
	b.Vouchers = append(b.Vouchers, b.Vouchers[0])
	var out bytes.Buffer
	if err := b.Write(&out); err != nil {
		t.Fatal(err)
	}
	vouchers, groups := imported(t, out.Bytes())
	if len(vouchers) != 2 || groups[`A & B <"Traders">`] != "Sundry Debtors" || vouchers[0].Date != "20260401" {
		t.Errorf("%v, %+v", groups, vouchers)
	}
	for name, change := range map[string]func(*tally.Voucher){
		"a paisa too much":           func(v *tally.Voucher) { v.Entries[0].Debit = money.MustParse("100.01") },
		"one entry":                  func(v *tally.Voucher) { v.Entries = v.Entries[:1] },
		"a ledger that is not there": func(v *tally.Voucher) { v.Entries[0].Ledger = "Other" },
	} {
		v := b.Vouchers[0]
		v.Entries = slices.Clone(v.Entries)
		change(&v)
		var out bytes.Buffer
		if err := (tally.Books{Ledgers: b.Ledgers, Vouchers: []tally.Voucher{v}}).Write(&out); err == nil ||
			out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", name, err, out.Len())
		}
	}
}
