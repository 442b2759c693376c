package invoice_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/demo"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	sink "github.com/bellhop-ai/bellhop/infra/local/mail"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/export/pdf"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/invoice"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mail"
	"github.com/bellhop-ai/bellhop/pkg/mcptools"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/control"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	uploaded "github.com/bellhop-ai/bellhop/pkg/uploads/pdf"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

func TestMain(m *testing.M) { localtest.Main(ledgertest.With(m)) }

// office is a company with its books behind the real protocol, an outbox in the
// real database and a mail server.
type office struct {
	t     *testing.T
	read  invoice.Reader
	sql   func(query string, args ...any) string // of the ledger
	by    identity.Caller
	other identity.Caller // of the same organisation
	mail  *sink.Server
	wrong sink.Fault
	tools []tool.Tool

	client  *supabase.Client
	company string // the id in the ledger
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{t: t}
	books := ledgertest.Seeded(t)
	server, err := demo.Start(t.Context(), demo.Config{ConnString: books.Pool().Config().ConnString(),
		Secret: "ledgertest",
		Now:    ledgertest.Now, Log: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	o.sql = func(query string, args ...any) string {
		t.Helper()
		var text string
		if err := books.Pool().QueryRow(t.Context(), query, args...).Scan(&text); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return text
	}
	o.read = reader(t, server)
	o.company = o.sql("select company_id::text from ledger.entities where entity_id = $1", server.Users()[0].EntityID)
	client, err := supabase.New(localtest.Config(t, localtest.Stack(t)))
	if err != nil {
		t.Fatal(err)
	}
	o.client = client
	org := localtest.NewOrg(t)
	for token, by := range map[string]*identity.Caller{org.Manager.Token: &o.by, org.Admin.Token: &o.other} {
		who, err := client.Whoami(t.Context(), identity.Secret(token))
		if err != nil {
			t.Fatal(err)
		}
		*by, _ = who.Choose("", "property")
	}
	o.mail, err = sink.Start(sink.Config{Now: ledgertest.Now, Fault: func() sink.Fault { return o.wrong }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.mail.Stop() })
	sender, err := mail.New(mail.Config{URL: identity.Secret(o.mail.URL()), From: "books@bellhop.example",
		Now: ledgertest.Now, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	o.tools = invoice.Tools(invoice.Config{Read: o.read, Outbox: control.NewOutbox(client), Mail: sender,
		PDF: pdf.WriteSheet, Now: ledgertest.Now})
	return o
}

// reader reads the trading company's books over MCP.
func reader(t *testing.T, server *demo.Server) invoice.Reader {
	t.Helper()
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

func (o *office) call(name, arguments string) tool.Call {
	o.t.Helper()
	i := slices.IndexFunc(o.tools, func(t tool.Tool) bool { return t.Name() == name })
	call, err := o.tools[i].Prepare([]byte(arguments))
	if err != nil {
		o.t.Fatal(err)
	}
	return call
}

// consented returns a context in which a person has said yes to the call: a
// proposal of it is stored, and its claim is there.
func (o *office) consented(by identity.Caller, call tool.Call) context.Context {
	o.t.Helper()
	id := uuid.NewString()
	if _, err := control.NewProposals(o.client).Propose(o.t.Context(), by, consent.Draft{
		ID: id, Entity: by.Entity.ID, Assistant: "hospitality", Agent: "inventory", Turn: id, Tool: call.Tool.Name(),
		Arguments: call.Arguments, Hash: call.Hash, Tier: call.Tool.Effect().Tier(), Code: id[:8],
	}); err != nil {
		o.t.Fatal(err)
	}
	return effect.With(o.t.Context(), effect.Claim{Key: id, ArgsHash: call.Hash, Tool: call.Tool.Name(), Turn: id,
		Assistant: "hospitality", Proposal: id})
}

// run calls a tool with consent of its own.
func (o *office) run(by identity.Caller, name, arguments string) (tool.Result, error) {
	o.t.Helper()
	call := o.call(name, arguments)
	return call.Run(o.consented(by, call), by)
}

// overdue returns the numbers of overdue invoices whose customers have an address.
func (o *office) overdue() []string {
	o.t.Helper()
	answer, err := o.read(o.t.Context(), o.by, "get_overdue_invoices", map[string]int{"limit": 50})
	if err != nil {
		o.t.Fatal(err)
	}
	var list struct{ Invoices []struct{ Number string } }
	if err := json.Unmarshal(answer, &list); err != nil {
		o.t.Fatal(err)
	}
	var numbers []string
	for _, i := range list.Invoices {
		if v, err := invoice.Read(o.t.Context(), o.by, o.read, i.Number); err == nil && v.Customer.Email != "" {
			numbers = append(numbers, i.Number)
		}
	}
	if len(numbers) < 3 {
		o.t.Fatalf("%d overdue invoices with an address", len(numbers))
	}
	return numbers
}

// text is what a PDF says, without line ends and double spaces.
func text(t *testing.T, file []byte) string {
	t.Helper()
	said, err := uploaded.Read(work.ForFile(t.Context()), file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(said.Body), " ")
}

// An invoice is shown, mailed with what the law wants on it, and mailed once.
func TestAnInvoiceIsPreviewedAndMailed(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	number := o.overdue()[0]
	v, err := invoice.Read(t.Context(), o.by, o.read, number)
	if err != nil {
		t.Fatal(err)
	}
	arguments := `{"number":"` + number + `"}`
	shown, err := o.call("email_invoice", arguments).Preview(t.Context(), o.by)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for _, l := range shown.Lines {
		lines[l.Label] = l.After
	}
	if !strings.Contains(lines["To"], v.Customer.Email) ||
		lines["Address from"] != "the customer's record in the books" ||
		lines["Total"] == "" || !strings.HasSuffix(lines["Attached"], ".pdf") || len(shown.Targets) != 0 {
		t.Errorf("shown is %+v", shown)
	}
	call := o.call("email_invoice", arguments)
	ctx := o.consented(o.by, call)
	for range 2 {
		if _, err := call.Run(ctx, o.by); err != nil {
			t.Fatal(err)
		}
	}
	got := o.mail.Messages()
	if len(got) != 1 || len(got[0].Files) != 1 {
		t.Fatalf("%d messages came", len(got))
	}
	m := got[0]
	if m.To[0] != v.Customer.Email || !strings.Contains(m.From, v.Supplier.Name) ||
		m.Files[0].Type != "application/pdf" {
		t.Errorf("it came as %s to %v with %s", m.From, m.To, m.Files[0].Name)
	}
	page := text(t, m.Files[0].Content)
	for _, want := range []string{v.Number, v.Supplier.Name, v.Supplier.GSTIN, v.Customer.Name, v.Lines[0].HSN,
		"Place of supply", "Reverse charge", "Round-off", "In words: Rupees"} {
		for where, in := range map[string]string{"the PDF": page, "the text": m.Text, "the HTML": m.HTML} {
			if !strings.Contains(in, want) {
				t.Errorf("%s has no %q", where, want)
			}
		}
	}
}

func TestAnotherAddressIsSaidToBeAnother(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	number := o.overdue()[0]
	shown, err := o.call("email_invoice", `{"number":"`+number+`","to":"boss@example.com"}`).Preview(t.Context(), o.by)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(shown.Warnings, func(w string) bool { return strings.HasPrefix(w, "The books have ") }) ||
		!slices.ContainsFunc(shown.Lines, func(l tool.Line) bool { return l.After == "named in this chat" }) {
		t.Errorf("shown is %+v", shown)
	}
	// A name is the customer's own, or nobody's.
	v, err := invoice.Read(t.Context(), o.by, o.read, number)
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(v.Customer.Name, " ")
	shown, err = o.call("email_invoice", `{"number":"`+number+`","to":"`+strings.ToLower(name)+
		`"}`).Preview(t.Context(), o.by)
	if err != nil || !strings.Contains(shown.Title, v.Customer.Email) {
		t.Errorf("to %s: %q, %v", name, shown.Title, err)
	}
	if _, err := o.call("email_invoice", `{"number":"`+number+`","to":"Zzyzx"}`).Preview(t.Context(),
		o.by); fault.KindOf(
		err) != fault.Invalid {
		t.Errorf("to another name: %v", err)
	}
	// A customer without an address, a void invoice, one that does not exist.
	id := o.sql(`update ledger.contacts set email = null where kind = 'customer' and id = (select contact_id
		from ledger.documents where number = $1 and company_id::text = $2) returning id::text`, number, o.company)
	if _, err := o.call("email_invoice", `{"number":"`+number+`"}`).Preview(t.Context(), o.by); fault.KindOf(err) !=
		fault.Unprocessable {
		t.Errorf("customer %s without an address: %v", id, err)
	}
	if _, err := o.call("email_invoice", `{"number":"INV-0"}`).Preview(t.Context(), o.by); err == nil {
		t.Error("an invoice that does not exist is shown")
	}
	for _, bad := range []string{`{"number":""}`, `{"number":"1","to":"a@b.c, d@e.f"}`, `{"number":"1","to":"a@"}`} {
		if _, err := o.tools[0].Prepare([]byte(bad)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Each invoice and step is mailed once, whoever asks and in whatever turn; what was
// refused by the mail server may be asked for again.
func TestAReminderIsMailedOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	numbers := o.overdue()
	first := `{"number":"` + numbers[0] + `"}`
	o.wrong = sink.Refuse
	if _, err := o.run(o.by, "email_payment_reminder", first); err == nil {
		t.Fatal("a refused mail is no error")
	}
	o.wrong = sink.None
	res, err := o.run(o.by, "email_payment_reminder", first)
	if err != nil || !strings.Contains(res.Text, "mailed to") {
		t.Fatalf("%q, %v", res.Text, err)
	}
	res, err = o.run(o.by, "email_payment_reminder", first)
	if err != nil || !strings.Contains(res.Text, "already") {
		t.Errorf("asked again: %q, %v", res.Text, err)
	}
	if _, err := o.run(o.other, "email_payment_reminder", first); fault.From(err) == nil ||
		fault.From(err).Code != "reminder_claimed" {
		t.Errorf("asked by another person: %v", err)
	}
	if _, err := o.run(o.by, "email_payment_reminder", `{"number":"`+strings.ToLower(numbers[0])+`"}`); fault.
		From(err) == nil || fault.From(err).Code != "reminder_claimed" {
		t.Errorf("asked in other words: %v", err)
	}
	if n := len(o.mail.Messages()); n != 1 {
		t.Fatalf("%d messages came", n)
	}
	if m := o.mail.Messages()[0]; len(m.Files) != 1 || !strings.Contains(m.Subject, "overdue") {
		t.Errorf("it came as %q with %d files", m.Subject, len(m.Files))
	}
	if _, err := o.run(o.by, "email_payment_reminder", `{"number":"`+numbers[1]+`"}`); err != nil {
		t.Errorf("another invoice: %v", err)
	}
	paid := o.sql(`select number from ledger.invoices where state = 'paid' and company_id::text = $1 limit 1`,
		o.company)
	if _, err := o.call("email_payment_reminder", `{"number":"`+paid+`"}`).Preview(t.Context(),
		o.by); fault.KindOf(err) !=
		fault.Unprocessable {
		t.Errorf("a paid invoice: %v", err)
	}
}

func TestWithoutMailTheToolsSaySo(t *testing.T) {
	t.Parallel()
	for _, one := range invoice.Tools(invoice.Config{
		Read: func(context.Context, identity.Caller, string, any) (json.RawMessage, error) { return nil, nil },
		PDF:  pdf.WriteSheet, Now: ledgertest.Now,
	}) {
		call, err := one.Prepare([]byte(`{"number":"INV-1"}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := call.Preview(t.Context(), identity.Caller{}); fault.From(err).Code != "mail_not_set_up" {
			t.Errorf("%s: %v", one.Name(), err)
		}
	}
}

func TestStepsOfReminders(t *testing.T) {
	for days, want := range map[int]int{-1: 0, 0: 0, 1: 1, 6: 1, 7: 7, 14: 7, 15: 15, 29: 15, 30: 30, 59: 30, 60: 60,
		400: 60} {
		if got := invoice.Step(days); got != want {
			t.Errorf("%d days overdue is step %d, want %d", days, got, want)
		}
	}
}

// example is an invoice inside of a state with two rates.
func example(t *testing.T) invoice.Invoice {
	t.Helper()
	var v invoice.Invoice
	if err := json.Unmarshal([]byte(`{"number":"INV/26-27/0012","date":"2026-11-20","due_date":"2026-12-20",
		"gstin":"32AADCK5978M1Z0","place_of_supply":"32","supply":"intra","lines":[
		{"line":1,"description":"काजू, 10 kg","hsn_sac":"080131","quantity":10,"unit":"kg","rate":900,"taxable":9000,
			"gst_rate":5,"cgst":225,"sgst":225,"igst":0},
		{"line":2,"description":"Design","hsn_sac":"998391","quantity":1.5,"unit":"hrs","rate":1000.33,
			"discount_percent":10,"taxable":1350.45,"gst_rate":18,"cgst":121.54,"sgst":121.54,"igst":0}],
		"taxable":10350.45,"cgst":346.54,"sgst":346.54,"igst":0,"round_off":0.47,"total":11044,"settled":0,
		"balance":11044,"state":"unpaid","einvoice":{"irn":"`+strings.Repeat("a1", 32)+`","ack_number":"112"}}`),
		&v); err != nil {
		t.Fatal(err)
	}
	v.Supplier = invoice.Party{Name: "Nilgiri <b>Foods</b>", GSTIN: "32AADCK5978M1Z0", State: "Kerala",
		StateCode: "32",
		Address:   "1 Hill Road\nKochi"}
	v.Customer = invoice.Party{Name: "Konkan Stores", GSTIN: "32AADCK5978M1Z0", State: "Kerala", StateCode: "32"}
	return v
}

func TestTheParticularsOfTheLaw(t *testing.T) {
	sheet, err := example(t).Sheet(ledgertest.Now())
	if err != nil {
		t.Fatal(err)
	}
	plain := sheet.Plain()
	for _, want := range []string{"Tax invoice INV/26-27/0012", "GSTIN: 32AADCK5978M1Z0", "State: Kerala (32)",
		"Place of supply: Kerala (32)", "Reverse charge: No", "HSN/SAC 080131", "HSN/SAC 998391", "Quantity 1.5 hrs",
		"Discount 10 %", "GST 5 %; Taxable 9,000.00; CGST 225.00; SGST 225.00",
		"GST 18 %; Taxable 1,350.45; CGST 121.54; SGST 121.54", "Taxable value; ₹ 10,350.45", "Round-off; ₹ 0.47",
		"Total; ₹ 11,044.00", "In words: Rupees Eleven Thousand Forty Four Only", "IRN: a1a1", "Date: 20/11/2026"} {
		if !strings.Contains(plain, want) {
			t.Errorf("there is no %q in\n%s", want, plain)
		}
	}
	if html := sheet.HTML(); strings.Contains(html, "<b>Foods") || !strings.Contains(html, "&lt;b&gt;Foods") {
		t.Error("a name is markup")
	}
	var file bytes.Buffer
	if err := pdf.WriteSheet(&file, sheet); err != nil {
		t.Fatal(err)
	}
	if page := text(t, file.Bytes()); !strings.Contains(page, "11,044.00") || !strings.Contains(page, "काजू") {
		t.Errorf("the PDF says %s", page)
	}
}

func TestOtherInvoicesHaveOtherHeads(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*invoice.Invoice)
		want   []string
		codes  string
	}{
		"inside a state":    {func(*invoice.Invoice) {}, []string{"Tax invoice"}, ""},
		"a union territory": {func(v *invoice.Invoice) { v.Place = "31" }, []string{"UTGST 225.00"}, ""},
		"between states": {func(v *invoice.Invoice) {
			v.Supply, v.Place = "inter", "29"
		}, []string{"IGST", "Karnataka (29)"}, "gst_cgst_across"},
		"an export without tax": {func(v *invoice.Invoice) { v.Supply, v.Place = "export", "96" },
			[]string{"Other country (96)", "letter of undertaking"}, ""},
		"reverse charge": {func(v *invoice.Invoice) { v.ReverseCharge = true },
			[]string{"Reverse charge: Yes", "payable by the recipient"}, ""},
		"no tax": {func(v *invoice.Invoice) {
			v.Lines = v.Lines[:1]
			v.Lines[0].GST, v.Lines[0].Tax = v.RoundOff.Round(0), v.Tax
			v.Lines[0].CGST, v.Lines[0].SGST = v.Settled, v.Settled
		}, []string{"Bill of supply"}, ""},
		"no GSTIN": {func(v *invoice.Invoice) { v.Supplier.GSTIN = "" }, []string{"Invoice INV",
			"not registered"}, ""},
		"a doubtful GSTIN": {func(v *invoice.Invoice) { v.Customer.GSTIN = "22AAAAA0000A1Z5" }, nil, "gstin_check"},
		"three digits":     {func(v *invoice.Invoice) { v.Lines[0].HSN = "080" }, nil, "hsn_length"},
		"a long number":    {func(v *invoice.Invoice) { v.Number = "INVOICE/26-27/0012" }, nil, "number_length"},
	} {
		v := example(t)
		tc.change(&v)
		sheet, err := v.Sheet(ledgertest.Now())
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.want {
			if !strings.Contains(sheet.Plain(), want) {
				t.Errorf("%s: there is no %q in\n%s", name, want, sheet.Plain())
			}
		}
		codes := map[string]bool{}
		for _, f := range v.Check() {
			codes[f.Code] = true
		}
		if tc.codes == "" && len(codes) > 0 || tc.codes != "" && !codes[tc.codes] {
			t.Errorf("%s: found %v, want %q", name, codes, tc.codes)
		}
	}
}

// An e-invoice bears the number of its registration.
func TestARegisteredInvoiceShowsItsIRN(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	number := o.sql(`select d.number from ledger.invoices d join ledger.contacts c on c.id = d.contact_id
		where d.company_id::text = $1 and c.gstin is not null and d.state <> 'void' order by d.date desc limit 1`,
		o.company)
	o.sql(`select ledger.generate_einvoice(company_id, id)::text from ledger.documents
		where number = $1 and company_id::text = $2`, number, o.company)
	v, err := invoice.Read(t.Context(), o.by, o.read, number)
	if err != nil || len(v.Registered.IRN) != 64 {
		t.Errorf("the IRN is %q, %v", v.Registered.IRN, err)
	}
	if found := v.Check(); len(found) > 0 {
		t.Errorf("an invoice of the demo books has %v", found)
	}
}
