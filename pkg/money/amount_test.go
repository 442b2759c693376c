package money_test

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// F-60
func TestSumsAreExact(t *testing.T) {
	tests := map[string]struct{ a, b, sum, difference string }{
		"tenths that no float holds":   {"0.1", "0.2", "0.3", "-0.1"},
		"a large and a small amount":   {"1000000000000000", "0.01", "1000000000000000.01", "999999999999999.99"},
		"negative amounts":             {"-12.50", "-0.50", "-13.00", "-12.00"},
		"amounts that cancel out":      {"19.99", "-19.99", "0.00", "39.98"},
		"figures of different lengths": {"1", "0.001", "1.001", "0.999"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			a, b := money.MustParse(tc.a), money.MustParse(tc.b)
			if got, err := a.Add(b); err != nil || got.String() != tc.sum {
				t.Errorf("%s + %s = %s (%v), want %s", a, b, got, err, tc.sum)
			}
			if got, err := a.Sub(b); err != nil || got.String() != tc.difference {
				t.Errorf("%s - %s = %s (%v), want %s", a, b, got, err, tc.difference)
			}
		})
	}
}

func TestAnAmountThatIsTooLargeIsAnErrorAndNotARoundedOne(t *testing.T) {
	most := money.MustParse("9999999999999999999")
	if got, err := most.Add(money.FromInt(1)); err == nil {
		t.Errorf("the sum is %s", got)
	}
	if got, err := most.Mul(money.FromInt(10)); err == nil {
		t.Errorf("the product is %s", got)
	}
	if got, err := money.MustParse("-9999999999999999999").Sub(money.FromInt(1)); err == nil {
		t.Errorf("the difference is %s", got)
	}
}

// F-60
func TestOnlyPlainNumbersAreAmounts(t *testing.T) {
	for _, good := range []string{"45", "45.00", "-1234.5", "0", "0.001", "1000000000000000.10", "007"} {
		if _, err := money.Parse(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	refused := map[string]string{
		"nothing": "", "an exponent": "1e3", "a large exponent": "1E999", "grouping": "1,234.50",
		"Indian grouping": "12,34,567",
		"an underscore":   "1_000", "a space": "1 000", "a space before": " 5", "a plus": "+5", "a symbol": "₹45",
		"a code": "45 INR",
		"a word": "free", "not a number": "NaN", "infinity": "Inf", "two points": "1.2.3", "two signs": "--5",
		"only a sign":  "-",
		"only a point": ".", "hexadecimal": "0x10", "digits of another script": "४५", "a line end": "45\n",
		"more digits than are kept exactly":  "0.12345678901234567891",
		"a whole number beyond all accounts": strings.Repeat("9", 40),
	}
	for name, s := range refused {
		if a, err := money.Parse(s); err == nil {
			t.Errorf("%s: %q is read as %s", name, s, a)
		}
	}
}

// F-60
func TestAHalfIsRoundedAwayFromZero(t *testing.T) {
	tests := map[string]struct {
		in     string
		digits int
		want   string
	}{
		"half a cent up":              {"0.005", 2, "0.01"},
		"half a cent down":            {"-0.005", 2, "-0.01"},
		"an even cent and a half":     {"0.025", 2, "0.03"},
		"an odd cent and a half":      {"0.035", 2, "0.04"},
		"under a half":                {"0.0049999", 2, "0.00"},
		"over a half":                 {"0.0050001", 2, "0.01"},
		"a carry through all figures": {"99.995", 2, "100.00"},
		"whole units":                 {"2.5", 0, "3"},
		"negative whole units":        {"-2.5", 0, "-3"},
		"padding":                     {"7", 2, "7.00"},
		"a negative trifle":           {"-0.004", 2, "0.00"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := money.MustParse(tc.in).Round(tc.digits).String(); got != tc.want {
				t.Errorf("%s in %d digits is %s, want %s", tc.in, tc.digits, got, tc.want)
			}
		})
	}
}

// exact rounds a ratio half away from zero, in arithmetic that knows no limit.
func exact(r *big.Rat, digits int) string {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	n := new(big.Int).Mul(new(big.Int).Abs(r.Num()), scale)
	n.Mul(n, big.NewInt(2)).Add(n, r.Denom())
	n.Quo(n, new(big.Int).Mul(r.Denom(), big.NewInt(2)))
	if r.Sign() < 0 {
		n.Neg(n)
	}
	return new(big.Rat).SetFrac(n, scale).FloatString(digits)
}

func rat(t *testing.T, a money.Amount) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(a.String())
	if !ok {
		t.Fatalf("%s is no number", a)
	}
	return r
}

// unsigned drops the sign of a zero, which amounts do not have.
func unsigned(s string) string {
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// F-60: rounding and dividing agree with arithmetic that has no limit.
func TestRoundingAgreesWithExactArithmetic(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := func() money.Amount {
		minor, digits := random.Int64N(1e12)-5e11, random.IntN(5)
		return money.MustParse(new(big.Rat).SetFrac(big.NewInt(minor), new(big.Int).Exp(big.NewInt(10),
			big.NewInt(int64(digits)), nil)).FloatString(digits))
	}
	for range 20_000 {
		a, b, digits := draw(), draw(), random.IntN(4)
		if got, want := a.Round(digits).String(), unsigned(exact(rat(t, a), digits)); got != want {
			t.Fatalf("%s in %d digits is %s, want %s", a, digits, got, want)
		}
		if b.IsZero() {
			continue
		}
		got, ok := a.Quo(b, digits)
		if want := unsigned(exact(new(big.Rat).Quo(rat(t, a), rat(t, b)), digits)); !ok || got.String() != want {
			t.Fatalf("%s ÷ %s in %d digits is %s (%v), want %s", a, b, digits, got, ok, want)
		}
	}
}

func TestAQuotientByZeroIsNotDefined(t *testing.T) {
	for _, zero := range []string{"0", "0.00", "-0"} {
		if q, ok := money.FromInt(5).Quo(money.MustParse(zero), 2); ok || !q.IsZero() {
			t.Errorf("5 ÷ %s is %s, %v", zero, q, ok)
		}
	}
	if q, ok := money.Zero.Quo(money.FromInt(5), 2); !ok || q.String() != "0.00" {
		t.Errorf("0 ÷ 5 is %s, %v", q, ok)
	}
}

// F-60
func TestPeopleReadACurrencyInItsOwnForm(t *testing.T) {
	tests := map[string]struct{ amount, code, want string }{
		"lakhs":                        {"1234567", "INR", "₹12,34,567.00"},
		"crores":                       {"1234567890.5", "INR", "₹1,23,45,67,890.50"},
		"a hundred":                    {"100", "INR", "₹100.00"},
		"a thousand":                   {"1000", "INR", "₹1,000.00"},
		"a lakh":                       {"100000", "INR", "₹1,00,000.00"},
		"millions":                     {"1234567.5", "USD", "$1,234,567.50"},
		"euros":                        {"999.999", "EUR", "€1,000.00"},
		"pounds below zero":            {"-1234.5", "GBP", "-£1,234.50"},
		"yen have no minor unit":       {"1234.5", "JPY", "¥1,235"},
		"dinars have a thousand parts": {"1234.5", "KWD", "KWD 1,234.500"},
		"a currency without a mark":    {"45", "CHF", "CHF 45.00"},
		"an unknown currency":          {"45", "???", "??? 45.00"},
		"no sign on nothing":           {"-0.004", "USD", "$0.00"},
		"a very large amount":          {"1000000000000000.1", "USD", "$1,000,000,000,000,000.10"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := money.MustParse(tc.amount).Format(tc.code); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
	for code, want := range map[string]int{"INR": 2, "USD": 2, "JPY": 0, "KWD": 3, "": 2, "nonsense": 2} {
		if got := money.Digits(code); got != want {
			t.Errorf("%q has %d digits, want %d", code, got, want)
		}
	}
}

// F-60: an amount crosses JSON as a number, to the last figure.
func TestJSONLosesNothing(t *testing.T) {
	tests := map[string]struct{ in, out string }{
		"cents that no float holds":  {`{"a":1000000000000000.10}`, `{"a":1000000000000000.10}`},
		"zeros behind the point":     {`{"a":45.00}`, `{"a":45.00}`},
		"a numeric text":             {`{"a":"-1234.50"}`, `{"a":-1234.50}`},
		"nothing":                    {`{"a":null}`, `{"a":0}`},
		"nineteen figures":           {`{"a":12345678901234567.89}`, `{"a":12345678901234567.89}`},
		"a trifle of a foreign unit": {`{"a":0.001}`, `{"a":0.001}`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var v struct {
				A money.Amount `json:"a"`
			}
			if err := json.Unmarshal([]byte(tc.in), &v); err != nil {
				t.Fatal(err)
			}
			out, err := json.Marshal(v)
			if err != nil || string(out) != tc.out {
				t.Errorf("got %s (%v), want %s", out, err, tc.out)
			}
		})
	}
	for _, bad := range []string{`1e3`, `"1e3"`, `"1,000"`, `""`, `true`, `{}`, `[1]`, `"free"`} {
		var a money.Amount
		if err := json.Unmarshal([]byte(bad), &a); err == nil {
			t.Errorf("%s is read as %s", bad, a)
		}
	}
}

func TestAmountsCompareByValue(t *testing.T) {
	a, b := money.MustParse("1.50"), money.MustParse("1.5")
	if a.Cmp(b) != 0 || a.Cmp(money.FromInt(2)) >= 0 || money.FromInt(2).Cmp(a) <= 0 {
		t.Error("1.50, 1.5 and 2 are in the wrong order")
	}
	if a.Decimals() != 1 || money.FromInt(7).Decimals() != 0 {
		t.Errorf("1.50 needs %d decimals and 7 needs %d", a.Decimals(), money.FromInt(7).Decimals())
	}
	if a.Negative() || !money.MustParse("-0.01").Negative() || !money.Zero.IsZero() {
		t.Error("a sign is wrong")
	}
}

func TestGroupedNumbersAreRead(t *testing.T) {
	for in, want := range map[string]string{
		"1,23,456.00": "123456.00", "12,34,56,789.5": "123456789.5", "1,234,567.00": "1234567.00", "1,234": "1234",
		"999": "999", "-1,00,000": "-100000", "१,२३,४५६.७५": "123456.75", "0.5": "0.5", "1234567": "1234567",
		"12,34": "", "1,2,3": "", "1,23,45": "", "1,2345": "", ",123": "", "1,": "", "1,23,456,789": "", "": "",
		"-":     "",
		"1.2,3": "", "1,234.5.6": "", "1 000": "", "12a": "", "+5": "", "1e3": "",
	} {
		got, err := money.ParseGrouped(in)
		switch {
		case want == "" && err == nil:
			t.Errorf("%q is read as %s", in, got)
		case want != "" && (err != nil || got.String() != want):
			t.Errorf("%q is %s (%v), want %s", in, got, err, want)
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		a := money.MustParse(big.NewInt(random.Int64N(1e15) - 5e14).String())
		for code, symbol := range map[string]string{"INR": "₹", "USD": "$"} {
			text := strings.Replace(a.Format(code), symbol, "", 1)
			if got, err := money.ParseGrouped(text); err != nil || got.Cmp(a) != 0 {
				t.Fatalf("%s of %s is read as %s (%v)", text, a, got, err)
			}
		}
	}
}
