package gst_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// codes joins the codes of findings; none is the empty string.
func codes(t *testing.T, list []gst.Finding) string {
	t.Helper()
	var out []string
	for _, f := range list {
		if !strings.HasSuffix(f.Text, ".") || strings.Contains(f.Text, "%!") ||
			strings.Contains(strings.ToLower(f.Text), "verified") {
			t.Errorf("the sentence %q", f.Text)
		}
		out = append(out, f.Code)
	}
	return strings.Join(out, " ")
}

func day(t *testing.T, s string) calendar.Date {
	t.Helper()
	d, err := calendar.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestGSTINs(t *testing.T) {
	for in, want := range map[string]struct{ state, pan, findings string }{
		"32AADCK5978M1Z0":   {"32", "AADCK5978M", ""},
		" 32aadck5978m1z0 ": {"32", "AADCK5978M", ""},
		"22AAAAA0000A1Z5":   {"22", "AAAAA0000A", "gstin_check"},
		"29GGGGG1314R9Z6":   {"29", "GGGGG1314R", "gstin_check"},
		"32AADCK5978M1Z1":   {"32", "AADCK5978M", "gstin_check"},
		"99AADCK5978M1Z0":   {"99", "AADCK5978M", "gstin_check gstin_state"},
		"32AADEK5978M1Z0":   {"32", "AADEK5978M", "gstin_check gstin_pan"},
		"27AAAAA0000A1DX":   {"27", "", "gstin_special"},
		"0717USA12345UNE":   {"07", "", "gstin_special"},
		"9917SGP29001OSU":   {"", "", "gstin_special"},
		"32AADCK5978M0Z0":   {"", "", "gstin_form"},
		"AAAAAAAAAAAAAAA":   {"", "", "gstin_form"},
		"32AADCK5978M1Z":    {"", "", "refused"},
		"32AADCK5978M1Z00":  {"", "", "refused"},
		"32-ADCK5978M1Z0":   {"", "", "refused"},
		"३२AADCK5978M1Z0":   {"", "", "refused"},
		"":                  {"", "", "refused"},
	} {
		g, list, err := gst.CheckGSTIN(in)
		got := codes(t, list)
		if fault.KindOf(err) == fault.Invalid {
			got = "refused"
		}
		if got != want.findings || g.State != want.state || g.PAN != want.pan {
			t.Errorf("%q: state %q, PAN %q, %q; want %v", in, g.State, g.PAN, got, want)
		}
	}
}

// Domain rules 3: the check character finds every mistyped character.
func TestOneMistypedCharacterIsFound(t *testing.T) {
	const valid = "32AADCK5978M1Z0"
	for i := range valid {
		for _, c := range "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
			typed := valid[:i] + string(c) + valid[i+1:]
			if typed == valid {
				continue
			}
			if _, list, err := gst.CheckGSTIN(typed); err == nil && len(list) == 0 {
				t.Errorf("%s passes", typed)
			}
		}
	}
}

func TestPANs(t *testing.T) {
	for in, want := range map[string]struct{ holder, findings string }{
		"AAPPV1234K": {"individual", ""}, "aadck5978m": {"company", ""}, "AAAFA1234A": {"firm", ""},
		"AAAHA1234A": {"Hindu undivided family", ""}, "AAAEA1234A": {"", "pan_holder"},
		"AAPPV123K": {"", "refused"}, "AAPP11234K": {"", "refused"}, "": {"", "refused"},
	} {
		p, list, err := gst.CheckPAN(in)
		got := codes(t, list)
		if fault.KindOf(err) == fault.Invalid {
			got = "refused"
		}
		if got != want.findings || p.Holder != want.holder {
			t.Errorf("%q is of a %q, %q; want %v", in, p.Holder, got, want)
		}
		for _, f := range list {
			if strings.Contains(f.Text, "1234") {
				t.Errorf("%q shows the digits", f.Text)
			}
		}
	}
	for in, want := range map[string]string{"AAPPV1234K": "AAPPVXXXXK", "aappv1234k": "AAPPVXXXXK", "secret": "XXXXXX",
		"": ""} {
		if got := gst.MaskPAN(in); got != want {
			t.Errorf("%q is masked as %q, want %q", in, got, want)
		}
	}
}

func TestRatesHaveDates(t *testing.T) {
	for on, want := range map[string]string{
		"2017-06-30": "", "2017-07-01": "0 0.25 3 5 12 18 28", "2025-09-21": "0 0.25 3 5 12 18 28",
		"2025-09-22": "0 0.25 3 5 18 40", "2026-11-22": "0 0.25 3 5 18 40",
	} {
		var got []string
		for _, r := range gst.Rates(day(t, on)) {
			got = append(got, r.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("the rates on %s are %v, want %s", on, got, want)
		}
	}
	for _, tc := range []struct{ rate, on, want, text string }{
		{"12", "2025-09-21", "", ""},
		{"12.00", "2025-09-22", "gst_rate_ended",
			"12 % ended as a rate of GST on 21/09/2025. The rates on 22/09/2025 are 0, 0.25, 3, 5, 18 and 40 %."},
		{"28", "2026-01-01", "gst_rate_ended", "28 % ended as a rate of GST on 21/09/2025. " +
			"The rates on 01/01/2026 are 0, 0.25, 3, 5, 18 and 40 %."},
		{"40", "2025-09-21", "gst_rate_early", "40 % is a rate of GST only from 22/09/2025 on. " +
			"The rates on 21/09/2025 are 0, 0.25, 3, 5, 12, 18 and 28 %."},
		{"40", "2025-09-22", "", ""},
		{"18.0", "2026-01-01", "", ""},
		{"17", "2026-01-01", "gst_rate_unknown",
			"17 % is not a rate of GST. The rates on 01/01/2026 are 0, 0.25, 3, 5, 18 and 40 %."},
		{"18", "2017-06-30", "gst_rate_before", "GST begins on 01/07/2017, after 30/06/2017."},
	} {
		list := gst.CheckRate(money.MustParse(tc.rate), day(t, tc.on))
		if got := codes(t, list); got != tc.want || len(list) > 0 && list[0].Text != tc.text {
			t.Errorf("%s %% on %s: %v, want %s %s", tc.rate, tc.on, list, tc.want, tc.text)
		}
	}
}

func TestTaxIsRoundedByHead(t *testing.T) {
	for _, tc := range []struct {
		taxable, rate    string
		interstate       bool
		cgst, sgst, igst string
	}{
		{"1000", "18", false, "90.00", "90.00", "0"},
		{"1000", "18", true, "0", "0", "180.00"},
		{"0.30", "5", false, "0.01", "0.01", "0"}, // 0.0075 each
		{"0.30", "5", true, "0", "0", "0.02"},     // 0.015
		{"33.35", "18", false, "3.00", "3.00", "0"},
		{"33.35", "18", true, "0", "0", "6.00"},
		{"100.06", "5", false, "2.50", "2.50", "0"},
		{"100.30", "5", true, "0", "0", "5.02"},
		{"100.20", "5", false, "2.51", "2.51", "0"}, // together 5.02, where IGST is 5.01
		{"100.20", "5", true, "0", "0", "5.01"},
		{"80000", "0.25", false, "100.00", "100.00", "0"},
		{"-100.20", "5", false, "-2.51", "-2.51", "0"},
		{"1000", "0", true, "0", "0", "0.00"},
		{"99999999999999999", "40", true, "0", "0", "39999999999999999.60"},
	} {
		got := gst.Split(money.MustParse(tc.taxable), money.MustParse(tc.rate), tc.interstate)
		for _, h := range []struct {
			got  money.Amount
			want string
		}{{got.CGST, tc.cgst}, {got.SGST, tc.sgst}, {got.IGST, tc.igst}} {
			if h.got.Cmp(money.MustParse(h.want)) != 0 {
				t.Errorf("%s at %s %%, interstate %t: %+v", tc.taxable, tc.rate, tc.interstate, got)
			}
		}
	}
	random := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		taxable, _ := money.FromInt(random.IntN(1e9)).Mul(money.MustParse("0.01"))
		for _, rate := range gst.Rates(calendar.Date{Year: 2026, Month: 1, Day: 1}) {
			inside, _ := gst.Split(taxable, rate, false).Total()
			across, _ := gst.Split(taxable, rate, true).Total()
			off, _ := inside.Sub(across)
			if off.Cmp(money.MustParse("0.01")) > 0 || off.Cmp(money.MustParse("-0.01")) < 0 {
				t.Fatalf("%s at %s %%: %s inside a state and %s across", taxable, rate, inside, across)
			}
			for _, across := range []bool{false, true} {
				if list := gst.CheckTax(taxable, rate, across, gst.Split(taxable, rate, across)); list != nil {
					t.Fatalf("%s at %s %%: %v", taxable, rate, list)
				}
			}
		}
	}
}

func TestTaxOfTheWrongPlaceIsFound(t *testing.T) {
	n, rate := money.FromInt, money.FromInt(18)
	for name, tc := range map[string]struct {
		interstate bool
		tax        gst.Tax
		want       string
	}{
		"IGST inside a state":      {false, gst.Tax{IGST: n(180)}, "gst_igst_inside"},
		"CGST and SGST across":     {true, gst.Tax{CGST: n(90), SGST: n(90)}, "gst_cgst_across"},
		"only half of it":          {false, gst.Tax{CGST: n(90)}, "gst_amount"},
		"a wrong amount":           {true, gst.Tax{IGST: n(18)}, "gst_amount"},
		"what is due inside":       {false, gst.Tax{CGST: n(90), SGST: n(90)}, ""},
		"what is due across":       {true, gst.Tax{IGST: n(180)}, ""},
		"no tax at all for a rate": {true, gst.Tax{}, "gst_amount"},
	} {
		if got := codes(t, gst.CheckTax(n(1000), rate, tc.interstate, tc.tax)); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

func TestPlacesOfSupply(t *testing.T) {
	const kerala = "32AADCK5978M1Z0"
	for name, tc := range map[string]struct {
		of         gst.Supply
		place      string
		interstate bool
		findings   string
	}{
		"goods delivered in the state": {gst.Supply{Supplier: "32", Customer: "32", Delivery: "32"}, "Kerala", false,
			""},
		"goods delivered elsewhere": {gst.Supply{Supplier: "32", Customer: "32", Delivery: "29"}, "Karnataka", true,
			""},
		"goods without an address": {gst.Supply{Supplier: "32"}, "Kerala", false, ""},
		"goods to an address":      {gst.Supply{Supplier: "32", Customer: "33"}, "Tamil Nadu", true, ""},
		"a service for a registered customer": {gst.Supply{Supplier: "29", GSTIN: kerala, Service: true}, "Kerala",
			true,
			""},
		"a service for a consumer": {gst.Supply{Supplier: "29", Customer: "29", Service: true}, "Karnataka", false,
			""},
		"a hotel room for a customer of another state": {gst.Supply{Supplier: "30", GSTIN: kerala, Service: true,
			Property: "30"}, "Goa", false, ""},
		"a special economic zone in the state": {gst.Supply{Supplier: "32", Customer: "32", SEZ: true}, "Kerala", true,
			""},
		"abroad": {gst.Supply{Supplier: "32", Customer: "96", Service: true},
			"Other country", true, ""},
		"an address that is not of the GSTIN": {gst.Supply{Supplier: "32", Customer: "29", GSTIN: kerala,
			Service: true},
			"Kerala", false, "place_state_differs"},
		"a GSTIN that fails its check": {gst.Supply{Supplier: "22", GSTIN: "22AAAAA0000A1Z5", Service: true},
			"Chhattisgarh", false, "gstin_check"},
		"a GSTIN that is none": {gst.Supply{Supplier: "32", GSTIN: "none", Customer: "32"}, "Kerala", false,
			"gstin_form"},
		"a code of no state": {gst.Supply{Supplier: "32", Customer: "77"}, "", true, "place_unknown"},
	} {
		p, list := gst.PlaceOfSupply(tc.of)
		if got := codes(t, list); p.Name != tc.place || p.Interstate != tc.interstate || got != tc.findings ||
			p.Why == "" {
			t.Errorf("%s: %+v %q, want %s %t %q", name, p, got, tc.place, tc.interstate, tc.findings)
		}
	}
}

func TestStates(t *testing.T) {
	for code, want := range map[string]string{"32": "Kerala SGST", "04": "Chandigarh UTGST", "07": "Delhi SGST",
		"38": "Ladakh UTGST", "34": "Puducherry SGST", "25": "", "00": "", "": ""} {
		name, ok := gst.StateName(code)
		if got := name + " " + gst.StateTax(code); ok && got != want || ok != (want != "") {
			t.Errorf("%q is %q, want %q", code, got, want)
		}
	}
	for text, want := range map[string]string{"kerala": "32", "Kerala": "32", "32": "32", " Tamil nadu ": "33",
		"code": "",
		"":     "", "Ker": ""} {
		if got, ok := gst.StateCode(text); got != want || ok != (want != "") {
			t.Errorf("%q has the code %q, want %q", text, got, want)
		}
	}
}

func TestCodesAndNumbers(t *testing.T) {
	for code, want := range map[string]string{"9963": "", "996311": "", "1006": "", "100630": "", "10063020": "",
		"123": "hsn_length", "10": "hsn_length", "12345": "hsn_length", "": "hsn_missing", "10A6": "hsn_digits",
		"9963१": "hsn_digits", "0012": "hsn_chapter", "7701": "hsn_chapter", "99631100": "hsn_length"} {
		if got := codes(t, gst.CheckHSN(code)); got != want {
			t.Errorf("HSN %q: %q, want %q", code, got, want)
		}
	}
	if !gst.Service("996311") || gst.Service("100630") || gst.Service("") {
		t.Error("a code of goods or services is taken for the other")
	}
	for number, want := range map[string]string{"INV/26-27/0012": "", "1": "", "ABCDEFGH/26-2712": "",
		"ABCDEFGH/26-27123": "number_length", "": "number_missing", "INV 12": "number_characters",
		"INV_12": "number_characters", "बिल/12": "number_characters",
		"INVOICE NUMBER 00012": "number_length number_characters"} {
		if got := codes(t, gst.CheckNumber(number)); got != want {
			t.Errorf("invoice %q: %q, want %q", number, got, want)
		}
	}
}
