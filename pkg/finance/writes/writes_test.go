package writes_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/demo"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/finance/writes"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// books is a demo company's books, used by their owner.
type books struct {
	*testing.T
	session *mcp.ClientSession
	made    map[string]string // the last number that a tool answered with
	last    map[string]int64  // what the accounts have, nil where that is not known
}

func open(t *testing.T, s *demo.Server, company string) *books {
	t.Helper()
	users := s.Users()
	i := slices.IndexFunc(users, func(u demo.User) bool { return u.CompanyCode == company && u.Role == "owner" })
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: strings.Replace(users[i].URL, "/mcp?", "/mcp/json?", 1),
			HTTPClient: &http.Client{Transport: bearer(users[i].Token)}, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return &books{t, session, map[string]string{}, nil}
}

// read is the Reader of the tests.
func (b *books) read(ctx context.Context, _ identity.Caller, name string, arguments any) (json.RawMessage, error) {
	r, err := b.session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return nil, err
	}
	if r.IsError {
		return nil, fault.New(fault.Unprocessable, "%s", r.Content[0].(*mcp.TextContent).Text)
	}
	return json.Marshal(r.StructuredContent)
}

func (b *books) call(name string, arguments any) map[string]any {
	b.Helper()
	if !strings.HasPrefix(name, "get_") {
		b.last = nil
	}
	raw, err := b.read(b.Context(), identity.Caller{}, name, arguments)
	if err != nil {
		b.Fatalf("%s %v: %v", name, arguments, err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		b.Fatal(err)
	}
	return out
}

func (b *books) preview(name, arguments string) (tool.Preview, error) {
	return writes.Preview(name, b.read, ledgertest.Now)(b.Context(), identity.Caller{}, tool.Raw(arguments))
}

// balances returns what each account has, in paise.
func (b *books) balances() map[string]int64 {
	b.Helper()
	out := map[string]int64{}
	list, _ := b.call("get_charts_of_accounts", map[string]any{"limit": 100,
		"as_of": "2027-12-31"})["accounts"].([]any)
	for _, row := range list {
		a, _ := row.(map[string]any)
		out[fmt.Sprint(a["code"])] = hundredths(b.T, fmt.Sprint(a["balance"]))
	}
	return out
}

// hundredths reads rupees of an answer or of a line, debits positive.
func hundredths(t *testing.T, text string) int64 {
	t.Helper()
	sign := int64(1)
	if rest, ok := strings.CutPrefix(text, "Cr "); ok {
		sign, text = -1, rest
	}
	a, err := rupees.Parse(strings.TrimPrefix(text, "Dr "))
	if err != nil {
		var f float64 // 1e+06, as the protocol's SDK decodes numbers
		if _, other := fmt.Sscan(text, &f); other != nil {
			t.Fatalf("%q is no amount: %v", text, err)
		}
		return sign * int64(math.Round(f*100))
	}
	n, err := strconv.ParseInt(strings.Replace(a.Round(2).String(), ".", "", 1), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return sign * n
}

var (
	posted  = regexp.MustCompile(`^(Dr|Cr) (\S+) `)
	changed = regexp.MustCompile(`^([0-9]{4}) `)
)

// shown returns what a preview posts to each account.
func shown(t *testing.T, p tool.Preview) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	var sum int64
	for _, l := range p.Lines {
		if m := posted.FindStringSubmatch(l.Label); m != nil {
			n := hundredths(t, m[1]+" "+l.After)
			out[m[2]] += n
			sum += n
		} else if m := changed.FindStringSubmatch(l.Label); m != nil && l.Before != "" {
			n := hundredths(t, l.After) - hundredths(t, l.Before)
			out[m[1]] += n
			sum += n
		}
	}
	if sum != 0 {
		t.Errorf("%s: debits and credits differ by %d paise: %+v", p.Title, sum, p.Lines)
	}
	maps.DeleteFunc(out, func(_ string, n int64) bool { return n == 0 })
	return out
}

func after(p tool.Preview, label string) string {
	for _, l := range p.Lines {
		if l.Label == label {
			return l.After
		}
	}
	return ""
}

// write previews a write, makes it, and demands that the books changed as the
// preview showed. It returns the preview and the record that was written.
func (b *books) write(name, arguments string) (tool.Preview, map[string]any) {
	b.Helper()
	p, err := b.preview(name, arguments)
	if err != nil {
		b.Fatalf("%s %s: %v", name, arguments, err)
	}
	before := b.last
	if before == nil {
		before = b.balances()
	}
	var in map[string]any
	if err := json.Unmarshal([]byte(arguments), &in); err != nil {
		b.Fatal(err)
	}
	answer := b.call(name, in)
	now, want := b.balances(), shown(b.T, p)
	b.last = now
	got := map[string]int64{}
	for code, n := range now {
		if n != before[code] {
			got[code] = n - before[code]
		}
	}
	if !maps.Equal(got, want) {
		b.Errorf("%s %s: the preview shows %v, the books posted %v", name, arguments, want, got)
	}
	var record map[string]any
	for _, v := range answer {
		if o, ok := v.(map[string]any); ok {
			record = o
		}
	}
	if n, ok := record["number"].(string); ok {
		b.made[name] = n
	}
	if total, ok := record["total"]; ok && after(p, "Total") != "" &&
		hundredths(b.T, fmt.Sprint(total)) != hundredths(b.T, after(p, "Total")) {
		b.Errorf("%s: the total is %v, the preview shows %s", name, total, after(p, "Total"))
	}
	switch name {
	case "create_invoice", "create_bill", "create_sales_credit_note", "create_purchase_debit_note", "create_expense",
		"create_journal_entry":
		b.entered(name, want)
	}
	if p.Title == "" || strings.Contains(fmt.Sprint(p), "verified") {
		b.Errorf("%s: %+v", name, p)
	}
	return p, record
}

// entered demands that the journal of what a tool made has the posting that was shown.
// Stock has journals of its own.
func (b *books) entered(name string, want map[string]int64) {
	b.Helper()
	want = maps.Clone(want)
	entry, _ := b.call("get_journal_entry", map[string]any{"number": b.made[name]})["journal_entry"].(map[string]any)
	lines, _ := entry["lines"].([]any)
	for _, row := range lines {
		l, _ := row.(map[string]any)
		want[fmt.Sprint(l["account"])] -= hundredths(b.T, fmt.Sprint(l["debit"])) - hundredths(b.T,
			fmt.Sprint(l["credit"]))
	}
	delete(want, "1200") // inventory
	delete(want, "5010") // change in inventory
	maps.DeleteFunc(want, func(_ string, n int64) bool { return n == 0 })
	if len(want) > 0 || len(lines) < 2 {
		b.Errorf("%s: the journal of %s differs from the preview by %v", name, b.made[name], want)
	}
}

// warns demands a warning with each of the texts; none demands no warning.
func warns(t *testing.T, p tool.Preview, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(strings.Join(p.Warnings, "\n"), text) {
			t.Errorf("%s: no warning says %q: %q", p.Title, text, p.Warnings)
		}
	}
	if len(texts) == 0 && len(p.Warnings) > 0 {
		t.Errorf("%s: warnings %q", p.Title, p.Warnings)
	}
}

func says(t *testing.T, p tool.Preview, label, text string) {
	t.Helper()
	if got := after(p, label); !strings.Contains(got, text) {
		t.Errorf("%s: %s is %q, want %q in %+v", p.Title, label, got, text, p.Lines)
	}
}

// What a preview shows is what the books post, for a company that trades goods:
// inside a state and between states, with stock, discounts, round-off, reverse
// charge, blocked credit, part payments and advances.
func TestTheBooksOfATraderPostWhatWasShown(t *testing.T) {
	t.Parallel()
	b := open(t, ledgertest.Serve(t), "sahyadri")
	p, _ := b.write("create_invoice", `{"customer":"Annapurna Home Stores","lines":[
		{"product":"WB-1L","description":"Water bottle, steel, 1 L","hsn_sac":"7323","quantity":7,"rate":"315.55","gst_rate":5},
		{"product":"WB-1L","description":"Water bottle, dented","hsn_sac":"7323","quantity":2.5,"rate":99.99,"gst_rate":5,"discount_percent":12.5},
		{"description":"Gift wrapping","hsn_sac":"998540","rate":33.33}]}`)
	says(t, p, "Place of supply", "Maharashtra (27), inside the state: CGST and SGST")
	says(t, p, "Our GSTIN", "check character fits")
	says(t, p, "Number", "the next of INV/26-27")
	says(t, p, "Due date", "22/12/2026 (30 days)")
	says(t, p, "In words", "Rupees Two Thousand")
	says(t, p, "CGST 9 % on ₹33.33", "₹3.00")
	says(t, p, "Reverse charge", "no")
	warns(t, p)
	again, err := b.preview("create_invoice", `{"customer":"annapurna","date":"2026-11-20","lines":[
		{"description":"The same","hsn_sac":"7323","rate":`+strings.NewReplacer("₹", "", ",",
		"").Replace(after(p, "Total"))+`,"gst_rate":0}]}`)
	if err != nil {
		t.Fatal(err)
	}
	warns(t, again, "Possible duplicate: "+b.made["create_invoice"]+
		" of Annapurna Home Stores, of 22/11/2026, has the same total")

	p, _ = b.write("create_invoice", `{"customer":"Surat Steel Emporium","date":"2026-11-20","lines":[
		{"product":"MG-750","description":"Mixer grinder 750 W","hsn_sac":"8509","quantity":3,"rate":3390}]}`)
	says(t, p, "Place of supply", "Gujarat (24), between states: IGST")
	says(t, p, "IGST 18 % on ₹10,170.00", "₹1,830.60")
	says(t, p, "Round off", "₹0.40")

	p, _ = b.write("create_bill", `{"vendor":"Rajkot Utensil Works","vendor_number":"RUW/881","lines":[
		{"product":"WB-1L","description":"Bottles","hsn_sac":"7323","quantity":100,"rate":210.10,"gst_rate":5}]}`)
	warns(t, p)
	dup, err := b.preview("create_bill", `{"vendor":"Rajkot","vendor_number":"ruw 881","lines":[{"description":"x",`+
		`"hsn_sac":"7323","rate":1}]}`)
	if err != nil {
		t.Fatal(err)
	}
	warns(t, dup, "is entered already as "+b.made["create_bill"])
	b.write("create_bill", `{"vendor":"Nashik Steel Products","vendor_number":"N-1","lines":[
		{"product":"PC-5L","description":"Cookers","hsn_sac":"7323","quantity":3,"rate":1180.33,"gst_rate":5,"itc":false},
		{"description":"Crate","hsn_sac":"4415","rate":250.50,"gst_rate":18}]}`)
	p, _ = b.write("create_bill", `{"vendor":"Shivneri Transport","vendor_number":"77","reverse_charge":true,"lines":[
		{"description":"Freight","hsn_sac":"996511","rate":4321,"gst_rate":5,"account":"Freight inward"}]}`)
	says(t, p, "Reverse charge", "yes: ₹216.06 is ours to pay")
	p, _ = b.write("create_bill", `{"vendor":"Shivneri Transport","vendor_number":"78","lines":[
		{"description":"Loading","hsn_sac":"996719","rate":900,"account":"freight"}]}`)
	says(t, p, "Vendor's GSTIN", "none")
	p, _ = b.write("create_bill", `{"vendor":"Kulkarni Estates","vendor_number":"R-11","lines":[
		{"description":"Rent","hsn_sac":"997212","rate":45000.55,"account":"rent"}]}`)
	says(t, p, "TDS 194I on ₹45,000.55", "₹4,500.00")
	says(t, p, "To be paid", "₹48,601.00")
	b.write("create_bill", `{"vendor":"Kulkarni Estates","vendor_number":"R-12","tds_section":"none","lines":[
		{"description":"Repairs of the gate","hsn_sac":"995419","rate":1000,"account":"repairs"}]}`)

	// A part payment, then more than is open: what is left is an advance.
	invoice := b.made["create_invoice"]
	p, _ = b.write("create_payment", `{"amount":5000,"bank_reference":"UTR778","allocations":[{"document":"`+invoice+
		`"}]}`)
	says(t, p, "Invoice "+invoice+", due 04/01/2027", "₹5,000.00 settled, ₹7,001.00 stays open")
	if len(p.Targets) != 1 || p.Targets[0] != (tool.Target{Table: "ledger:invoice", Key: invoice, Version: 1}) {
		t.Errorf("targets %+v", p.Targets)
	}
	p, _ = b.write("create_payment", `{"amount":9000,"tds":1,"mode":"cash","bank_reference":"utr-778",`+
		`"allocations":[{"document":"`+invoice+`"}]}`)
	says(t, p, "Advance", "₹2,000.00")
	warns(t, p, "has the same bank reference")
	b.write("create_payment", `{"contact":"Konkan Kitchen Mart","amount":"123456.78"}`)
	b.write("create_payment", `{"contact":"Mandovi","amount":750,"allocations":[]}`)
	b.write("create_payment", `{"kind":"payment","contact":"Rajkot","amount":15000,"mode":"UPI"}`)
	b.write("create_payment", `{"kind":"payment","contact":"Sanket Cartons","amount":1000000}`)
	// A receipt before the invoice is an advance that the invoice takes at once.
	b.write("create_invoice", `{"customer":"Deshmukh Bhandar","lines":[{"description":"Tawa","hsn_sac":"7615",`+
		`"rate":900,"gst_rate":5}]}`)
	p, _ = b.write("create_payment", `{"amount":1000,"date":"2026-11-19","allocations":[{"document":"`+
		b.made["create_invoice"]+`"}]}`)
	says(t, p, "Advance", "₹55.00")
	p, _ = b.write("create_expense", `{"account":"Travel and conveyance","amount":"1234.55","description":"Taxi",`+
		`"gst_rate":5}`)
	says(t, p, "Total", "₹1,296.27")
	p, _ = b.write("create_expense", `{"account":"6140","amount":12000,"description":"Chairs",`+
		`"vendor":"Faridabad Burners","gst_rate":18,"paid_from":"cash"}`)
	warns(t, p, "section 40A(3)")
}

// Changes and voids show what they take back and what they post anew.
func TestTheBooksTakeBackWhatWasShown(t *testing.T) {
	t.Parallel()
	b := open(t, ledgertest.Serve(t), "sahyadri")
	b.write("create_invoice", `{"customer":"Konkan Kitchen Mart","date":"2026-11-10","lines":[
		{"product":"WB-1L","description":"Bottle","hsn_sac":"7323","quantity":7,"rate":315.55,"gst_rate":5},
		{"description":"Tawa","hsn_sac":"7615","rate":575.45,"gst_rate":5}]}`)
	number := b.made["create_invoice"]
	p, _ := b.write("update_invoice", `{"number":"`+number+`","notes":"By Monday","lines":[
		{"product":"WB-1L","description":"Bottle","hsn_sac":"7323","quantity":3,"rate":315.55,"gst_rate":5},
		{"product":"PC-5L","description":"Cooker","hsn_sac":"7323","quantity":1,"rate":1640,"gst_rate":5}]}`)
	says(t, p, "Notes", "By Monday")
	if p.Targets[0] != (tool.Target{Table: "ledger:invoice", Key: number, Version: 1}) {
		t.Errorf("targets %+v", p.Targets)
	}
	b.write("update_invoice", `{"number":"`+number+`","customer":"Surat Steel Emporium","date":"2026-11-21"}`)
	p, _ = b.write("void_invoice", `{"number":"`+number+`","reason":"Wrong customer"}`)
	warns(t, p, "cannot be undone")
	if _, err := b.preview("void_invoice", `{"number":"`+number+`","reason":"Again"}`); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("voided twice: %v", err)
	}
	// Goods that came in and are gone cannot go back.
	b.write("create_product", `{"code":"LAMP","name":"Desk lamp","hsn_sac":"9405"}`)
	b.write("create_bill", `{"vendor":"Nashik Steel Products","vendor_number":"N-7","lines":[
		{"product":"lamp","description":"Lamps","hsn_sac":"9405","quantity":3,"rate":100.33}]}`)
	lamps := b.made["create_bill"]
	b.write("adjust_stock", `{"product":"lamp","quantity":-1,"reason":"broken"}`)
	b.write("adjust_stock", `{"product":"lamp","quantity":1,"unit_cost":77.77,"reason":"found"}`)
	if p, err := b.preview("update_bill", `{"number":"`+lamps+
		`","lines":[{"product":"lamp","description":"Lamps","hsn_sac":"9405","quantity":1,"rate":90}]}`); err != nil ||
		len(p.Warnings) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	b.write("update_bill", `{"number":"`+lamps+
		`","lines":[{"product":"lamp","description":"Lamps","hsn_sac":"9405","quantity":2,"rate":90}]}`)
	b.write("void_bill", `{"number":"`+lamps+`","reason":"Not ours"}`)
	b.write("create_bill", `{"vendor":"Nashik Steel Products","vendor_number":"N-8","lines":[
		{"product":"lamp","description":"Lamps","hsn_sac":"9405","quantity":3,"rate":100.33}]}`)
	b.write("adjust_stock", `{"product":"lamp","quantity":-2,"reason":"broken"}`)
	gone, err := b.preview("void_bill", `{"number":"`+b.made["create_bill"]+`","reason":"x"}`)
	if err != nil {
		t.Fatal(err)
	}
	warns(t, gone, "There are only 1 NOS of Desk lamp in stock")
	b.write("create_bill", `{"vendor":"Joshi and Rao, Chartered Accountants","vendor_number":"JR-9","lines":[
		{"description":"Audit","hsn_sac":"998222","rate":25000,"account":"professional"}]}`)
	bill := b.made["create_bill"]
	p, _ = b.write("update_bill", `{"number":"`+bill+
		`","lines":[{"description":"Audit","hsn_sac":"998222","rate":26000.5,"account":"professional"}]}`)
	says(t, p, "TDS", "₹2,600.00")
	b.write("update_bill", `{"number":"`+bill+`","tds_section":"none"}`)
	b.write("update_bill", `{"number":"`+bill+`","vendor_number":"JR-10"}`)
	b.write("create_payment", `{"kind":"payment","amount":100,"allocations":[{"document":"`+bill+`"}]}`)
	p, err = b.preview("void_bill", `{"number":"`+bill+`","reason":"x"}`)
	if err != nil {
		t.Fatal(err)
	}
	warns(t, p, "₹100.00 of "+bill+" is settled, "+b.made["create_payment"])
}

// And for one that sells services, with exports and deducted tax.
func TestTheBooksOfAServiceCompanyPostWhatWasShown(t *testing.T) {
	t.Parallel()
	b := open(t, ledgertest.Serve(t), "tungabhadra")
	list, _ := b.call("get_all_customers", map[string]any{"limit": 100})["customers"].([]any)
	seen := map[string]bool{}
	for _, row := range list {
		c, _ := row.(map[string]any)
		state := fmt.Sprint(c["state"])
		if seen[state] {
			continue
		}
		seen[state] = true
		p, _ := b.write("create_invoice", fmt.Sprintf(`{"customer":%q,"lines":[
			{"description":"Retainer","hsn_sac":"998314","rate":"61803.39"},{"description":"Books","hsn_sac":"4901","rate":100.25,"gst_rate":0}]}`,
			c["code"]))
		tax := map[string]string{"Karnataka": "CGST 9 % on ₹61,803.39", "Other country": ""}
		label, ok := tax[state]
		if !ok {
			label = "IGST 18 % on ₹61,803.39"
		}
		if label != "" {
			says(t, p, label, "₹")
		} else {
			warns(t, p, "an export bears no GST")
		}
		p, _ = b.write("create_payment", fmt.Sprintf(`{"amount":50000,"tds":6180,"allocations":[{"document":%q,`+
			`"amount":40000}]}`,
			b.made["create_invoice"]))
		says(t, p, "Advance", "₹16,180.00")
	}
	if len(seen) < 3 {
		t.Errorf("customers in %v only", seen)
	}
}

// A preview says what speaks against a write: what it found that may be the same,
// what the law does not know, and what the books will refuse.
//
// S2-34
func TestAPreviewWarns(t *testing.T) {
	t.Parallel()
	b := open(t, ledgertest.Serve(t), "sahyadri")
	annapurna := "27AAKFA4821L1Z"
	customers, _ := b.call("get_all_customers", map[string]any{"search": "annapurna"})["customers"].([]any)
	if c, _ := customers[0].(map[string]any); strings.HasPrefix(fmt.Sprint(c["gstin"]), annapurna) {
		annapurna = fmt.Sprint(c["gstin"])
	}
	wrong := annapurna[:14] + "A"
	if wrong == annapurna {
		wrong = annapurna[:14] + "B"
	}
	const line = `"lines":[{"description":"Tawa","hsn_sac":"7615","rate":575,"gst_rate":5}]`
	for name, tc := range map[string]struct {
		tool, arguments string
		warns           []string
	}{
		"the same GSTIN": {"create_customer", `{"name":"Other name","gstin":"` + annapurna + `"}`,
			[]string{"Annapurna Home Stores (C-0001) has the same GSTIN"}},
		"the same PAN": {"create_customer", `{"name":"Other name","state":"Goa","pan":"AAKFA4821L"}`,
			[]string{"Annapurna Home Stores (C-0001) has the same PAN AAKFAXXXXL"}},
		"nearly the same name": {"create_customer", `{"name":"M/s ANNAPOORNA Home-Store","state":"27"}`,
			[]string{"Annapurna Home Stores (C-0001) has a name that is much like"}},
		"a legal form": {"create_vendor", `{"name":"Deccan Appliances Pvt. Ltd.","state":"36"}`,
			[]string{"Deccan Appliances (V-0003) has a name"}},
		"a failing checksum": {"create_customer", `{"name":"Zeta","gstin":"` + wrong + `"}`,
			[]string{"check character of GSTIN"}},
		"no state": {"create_customer", `{"name":"Zeta"}`,
			[]string{"the state is ours, Maharashtra (27)"}},
		"another state": {"create_customer", `{"name":"Zeta","state":"Goa","gstin":"` + annapurna + `"}`,
			[]string{"The state is Goa, but the GSTIN is of Maharashtra"}},
		"an old rate": {"create_invoice",
			`{"customer":"C-0001","lines":[{"description":"Tawa","hsn_sac":"7615","rate":575,"gst_rate":12}]}`,
			[]string{"12 % ended as a rate of GST on 21/09/2025", "refuse"}},
		"HSN of three digits": {"create_invoice",
			`{"customer":"C-0001","lines":[{"description":"Tawa","hsn_sac":"761","rate":575,"gst_rate":5}]}`,
			[]string{"761 has 3"}},
		"IGST inside a state": {"create_invoice", `{"customer":"C-0001","place_of_supply":"Goa",` + line + `}`,
			[]string{"IGST is charged although Annapurna Home Stores and we are both registered in Maharashtra (27)"}},
		"CGST across": {"create_invoice", `{"customer":"Surat Steel","place_of_supply":"27",` + line + `}`,
			[]string{"CGST and SGST are charged although Surat Steel Emporium is registered in Gujarat (24)"}},
		"a closed month": {"create_invoice", `{"customer":"C-0001","date":"2026-09-30",` + line + `}`,
			[]string{"The returns for September 2026 are filed: the books will refuse this"}},
		"last year": {"create_expense",
			`{"account":"Rent","amount":1,"description":"x","date":"2026-03-31"}`,
			[]string{"31/03/2026 is in the financial year 2025-26, not in this one (2026-27)"}},
		"before the books": {"create_expense",
			`{"account":"Rent","amount":1,"description":"x","date":"2024-03-31"}`, []string{"before the books begin"}},
		"the future": {"create_invoice", `{"customer":"C-0001","date":"2026-11-23",` + line + `}`,
			[]string{"in the future: today is 22/11/2026"}},
		"another rate": {"create_invoice",
			`{"customer":"C-0001","lines":[{"product":"tw-28","description":"Tawa","hsn_sac":"7615","rate":575}]}`,
			[]string{"has GST of 5 % in the list of products, this line 18 %"}},
		"a product's name": {"create_invoice",
			`{"customer":"C-0001","lines":[{"product":"Tawa, non-stick, 28 cm","description":"Tawa",` +
				`"hsn_sac":"7615","rate":575,"gst_rate":5}]}`, []string{"only its code, TW-28, moves stock"}},
		"no stock": {"create_invoice",
			`{"customer":"C-0001","lines":[{"product":"DW-12","description":"Dishwasher","hsn_sac":"8422","rate":1,` +
				`"quantity":5000}]}`, []string{"There are only"}},
		"cash": {"create_payment",
			`{"contact":"C-0001","amount":200000,"mode":"Cash","allocations":[]}`, []string{"section 269ST"}},
	} {
		p, err := b.preview(tc.tool, tc.arguments)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, text := range tc.warns {
			if !strings.Contains(strings.Join(p.Warnings, "\n"), text) {
				t.Errorf("%s: no warning says %q: %q", name, text, p.Warnings)
			}
		}
	}
	for name, tc := range map[string]struct{ tool, arguments, says string }{
		"31/02": {"create_invoice", `{"customer":"C-0001","date":"2027-02-31",` + line + `}`,
			"February 2027 has 28 days"},
		"no such customer": {"create_invoice", `{"customer":"Nobody",` + line + `}`, "There is no customer"},
		"no such account": {"create_expense", `{"account":"Elephants","amount":1,"description":"x"}`,
			"There is no account"},
		"before its date": {"create_invoice", `{"customer":"C-0001","due_date":"2026-11-01",` + line + `}`,
			"before the date"},
		"half a paisa": {"create_expense", `{"account":"Rent","amount":1.005,"description":"x"}`,
			"at most two decimals"},
		"four decimals": {"create_invoice",
			`{"customer":"C-0001","lines":[{"description":"x","rate":1,"quantity":0.1234}]}`,
			"at most three decimals"},
		"a small discount": {"create_invoice",
			`{"customer":"C-0001","lines":[{"description":"x","rate":1,"discount_percent":1.125}]}`,
			"at most two decimals"},
		"too much": {"create_expense", `{"account":"Rent","amount":"99999999999999999","description":"x"}`,
			"larger than the books take"},
		"no lines":       {"create_invoice", `{"customer":"C-0001","lines":[]}`, "1 to 200 lines"},
		"an amount of 0": {"create_payment", `{"contact":"C-0001","amount":0}`, "more than zero"},
		"no TDS section": {"create_bill", `{"vendor":"V-0001","tds_section":"194ZZ",` + line + `}`,
			"no section 194ZZ"},
	} {
		if _, err := b.preview(tc.tool, tc.arguments); err == nil || !strings.Contains(fault.From(err).Message,
			tc.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, _ := b.write("create_customer", `{"name":"Pandharpur Lamps LLP","gstin":"29AAGCB7383J1Z4","terms_days":15}`)
	says(t, p, "State", "Karnataka (29)")
	p, _ = b.write("update_customer", `{"customer":"Pandharpur","phone":"020 5550 1234","terms_days":45}`)
	if len(p.Lines) != 2 || p.Lines[1].Before != "15 days" || p.Lines[1].After != "45 days" {
		t.Errorf("%+v", p.Lines)
	}
	if len(p.Targets) != 1 || p.Targets[0].Table != "ledger:customer" || p.Targets[0].Version != 1 {
		t.Errorf("%+v", p.Targets)
	}
}
