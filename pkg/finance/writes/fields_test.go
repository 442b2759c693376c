package writes_test

import (
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/writes"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// Only what is missing is asked for; what has a default or is in the records is
// filled in, and says where it comes from.
//
// S2-30, S2-31
func TestFieldsAreCollectedStepByStep(t *testing.T) {
	t.Parallel()
	b := open(t, ledgertest.Serve(t), "sahyadri")
	for name, tc := range map[string]struct {
		tool, arguments string
		applied         string // of "name=value (source)", "; " between
		pending, ask    string
	}{
		"nothing known": {"create_invoice", `{}`,
			"date=22/11/2026 (default); due_date=22/12/2026 (30 days) (default); number=the next of INV/26-27 " +
				"(default); currency=INR (default)", "customer lines", ""},
		"an invoice": {"create_invoice", `{"customer":"surat steel","date":"2026-11-20","lines":[{"product":"tw-28",` +
			`"quantity":3},{"description":"Delivery","rate":250}]}`,
			"customer=Surat Steel Emporium (C-0004) (looked_up); lines.1=Tawa, non-stick, 28 cm, 3 nos at ₹575.00 " +
				"(said); lines.1.hsn_sac=7615 (looked_up); lines.1.gst_rate=5 % (looked_up); lines.2=Delivery, " +
				"1 nos at ₹250.00 (said); lines.2.gst_rate=18 % (default); date=20/11/2026 (said); " +
				"due_date=04/01/2027 (45 days) (looked_up); place_of_supply=Gujarat (24) (looked_up)",
			"lines.2.hsn_sac", ""},
		"a name of two": {"create_invoice", `{"customer":"na"}`, "", "lines",
			"Which customer do you mean by “na”? radio Annapurna Home Stores|Hotel Sagar Kinara"},
		"a name of none": {"create_invoice", `{"customer":"Anapurna Stores Ltd"}`, "", "lines",
			"There is no customer “Anapurna Stores Ltd”. Which one do you mean? radio Annapurna Home Stores"},
		"a bill": {"create_bill",
			`{"vendor":"Kulkarni Estates","vendor_number":"R-1","lines":[{"description":"Rent","hsn_sac":"997212",` +
				`"rate":1}]}`, "vendor=Kulkarni Estates (V-0006) (said); tds_section=194I (looked_up); reverse_charge=no (default)", "", ""},
		"a receipt": {"create_payment", `{"contact":"C-0001"}`,
			"kind=receipt (default); contact=Annapurna Home Stores (C-0001) (looked_up); allocations=what is due " +
				"first (default); mode=NEFT (default); account=Current account (default)", "amount", ""},
		"an advance in cash": {"create_payment", `{"contact":"C-0001","amount":500,"mode":"cash","allocations":[]}`,
			"allocations=nothing: it is an advance (said); amount=₹500.00 (said); account=Cash in hand (default)", "",
			""},
		"an expense": {"create_expense", `{"amount":"1200.5"}`,
			"amount=₹1,200.50 (said); paid_from=Current account (default); gst_rate=0 % (default)", "description",
			"Which account does the expense belong to? dropdown Purchases|"},
		"an account like it": {"create_expense", `{"amount":1,"description":"x","account":"office freight"}`, "", "",
			"There is no account “office freight”. Which one is it? radio Freight inward|Office expenses|Freight " +
				"outward"},
		"a customer": {"create_customer", `{"name":"Pandharpur Lamps","gstin":"29AAGCB7383J1Z4"}`,
			"name=Pandharpur Lamps (said); gstin=29AAGCB7383J1Z4 (said); pan=AAGCBXXXXJ (looked_up); " +
				"state=Karnataka (29) (looked_up); terms_days=30 days (default)", "", ""},
		"a vendor by name": {"create_vendor", `{"name":"X"}`, "", "gstin", ""},
		"an entry": {"create_journal_entry",
			`{"narration":"x","lines":[{"account":"rent","debit":5},{"account":"bank","credit":4}]}`,
			"lines.1=rent Dr ₹5.00 (said); lines.2=bank Cr ₹4.00 (said)", "lines", ""},
		"a product": {"create_product", `{"name":"Lamp","sale_price":100}`,
			"kind=goods (default); gst_rate=18 % (default); sale_price=₹100.00 (said)", "hsn_sac", ""},
		"a change of nothing": {"update_customer", `{"customer":"Annapurna"}`, "customer=Annapurna (said)", "change",
			""},
		"a change": {"update_invoice", `{"number":"INV-1","due_date":"2026-12-01"}`,
			"number=INV-1 (said); due_date=01/12/2026 (said)", "", ""},
	} {
		f, err := writes.Fields(tc.tool, b.read, ledgertest.Now)(t.Context(), identity.Caller{},
			tool.Raw(tc.arguments))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var applied, pending []string
		for _, a := range f.Params.Applied {
			applied = append(applied, a.Name+"="+a.Value+" ("+a.Source+")")
		}
		for _, p := range f.Params.Pending {
			pending = append(pending, p.Name)
		}
		for want := range strings.SplitSeq(tc.applied, "; ") {
			if want != "" && !strings.Contains("; "+strings.Join(applied, "; ")+"; ", "; "+want+"; ") {
				t.Errorf("%s: %q is not in %q", name, want, applied)
			}
		}
		ask := ""
		if f.Ask != nil {
			ask = f.Ask.Question + " " + f.Ask.Type + " " + strings.Join(f.Ask.Options, "|")
		}
		if got := strings.Join(pending, " "); got != tc.pending || !strings.HasPrefix(ask, tc.ask) || tc.ask == "" &&
			ask != "" {
			t.Errorf("%s: pending %q, ask %q", name, got, ask)
		}
		if f.Whole() != (tc.pending == "" && tc.ask == "") {
			t.Errorf("%s: whole %v", name, f.Whole())
		}
		for _, d := range f.Parts() {
			if _, err := part.New(d, "", nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := writes.Fields("create_invoice", b.read, ledgertest.Now)(t.Context(), identity.Caller{},
		tool.Raw(`{"date":"31/02/2026"}`)); !fault.Is(err, fault.Invalid) ||
		!strings.Contains(err.Error(), "28 days") {
		t.Errorf("31/02: %v", err)
	}
	if writes.Fields("void_invoice", nil, nil) != nil || writes.Fields("get_invoice", nil, nil) != nil {
		t.Error("fields of what is not collected")
	}
}
