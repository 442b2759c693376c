package gst_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/gst"
	"github.com/bellhop-ai/bellhop/pkg/identity"
)

func noon() time.Time { return time.Date(2026, time.November, 22, 6, 30, 0, 0, time.UTC) }

// run calls a tool by its JSON form and returns what it says, or the kind of error.
func run(t *testing.T, name, arguments string) string {
	t.Helper()
	for _, one := range gst.Tools(noon) {
		if one.Name() != name {
			continue
		}
		call, err := one.Prepare([]byte(arguments))
		if err == nil {
			r, failed := call.Run(t.Context(), identity.Caller{})
			if failed == nil {
				return r.Text
			}
			err = failed
		}
		return string(fault.KindOf(err)) + ": " + fault.From(err).Message
	}
	t.Fatalf("there is no %s", name)
	return ""
}

func TestGSTIsCalculated(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"amount":"1 lakh","rate":"18","from_state":"Kerala"}`: "On ₹1,00,000.00 at 18 %, supplied from Kerala " +
			"(32) to Kerala (32): CGST ₹9,000.00 and SGST ₹9,000.00, in all ₹1,18,000.00.",
		`{"amount":"1 lakh","rate":"18 %","from_state":"32","to_state":"karnataka"}`: "On ₹1,00,000.00 at 18 %, " +
			"supplied from Kerala (32) to Karnataka (29): IGST ₹18,000.00, in all ₹1,18,000.00.",
		`{"amount":"100.20","rate":"5","from_state":"Chandigarh"}`: "CGST ₹2.51 and " +
			"UTGST ₹2.51, in all ₹105.22.",
		`{"amount":"1,18,000","rate":"18","includes_gst":true,"from_state":"32AADCK5978M1Z0"}`: "On ₹1,00,000.00 at 18 %",
		`{"amount":"1000","rate":"12","from_state":"Goa"}`: "12 % ended as a " +
			"rate of GST on 21/09/2025.",
		`{"amount":"1000","rate":"12","from_state":"Goa","date":"21/09/2025"}`: "CGST ₹60.00 and SGST ₹60.00, in " +
			"all ₹1,120.00.",
		`{"amount":"free","rate":"18","from_state":"Goa"}`:                     "invalid: ",
		`{"amount":"1000","rate":"180","from_state":"Goa"}`:                    "invalid: ",
		`{"amount":"1000","rate":"18","from_state":"Atlantis"}`:                "invalid: ",
		`{"amount":"1000","rate":"18","from_state":"Goa","date":"31/02/2026"}`: "February 2026 has 28 days",
	} {
		if got := run(t, "calculate_gst", arguments); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}

func TestDetailsAreChecked(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"gstin":"32AADCK5978M1Z0"}`: "has the form of a GSTIN of Kerala (32) and its check character fits; " +
			"whether it is registered was not asked.",
		`{"gstin":"22AAAAA0000A1Z5"}`: "The check character of GSTIN 22AAAAA0000A1Z5 does not fit",
		`{"gstin":"22AAAAA"}`:         "A GSTIN has 15 letters and digits",
		`{"pan":"AAPPV1234K"}`: "AAPPVXXXXK has the form of the PAN of one kind of holder: " +
			"individual",
		`{"hsn_sac":"123"}`:                      "4, 6 or 8 digits; 123 has 3.",
		`{"hsn_sac":"9963"}`:                     "has the form of a SAC of services.",
		`{"gst_rate":"28"}`:                      "28 % ended as a rate of GST on 21/09/2025.",
		`{"gst_rate":"28","date":"21/09/2025"}`:  "28 % is a rate of GST on 21/09/2025.",
		`{"invoice_number":"INVOICE/26-27/001"}`: "at most 16 characters",
		`{}`:                                     "invalid: Nothing was given",
	} {
		got := run(t, "check_tax_details", arguments)
		if !strings.Contains(got, want) || strings.Contains(strings.ToLower(got), "verified") ||
			strings.Contains(got, "1234K") {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}
