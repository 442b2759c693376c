package rupees_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Domain rules 3: lakh and crore, rounded before the unit is chosen.
func TestAmountsAreShownInLakhAndCrore(t *testing.T) {
	for in, want := range map[string]struct{ full, short string }{
		"0":                  {"₹0.00", "₹0.00"},
		"-0.004":             {"₹0.00", "₹0.00"},
		"-0.005":             {"-₹0.01", "-₹0.01"},
		"999.995":            {"₹1,000.00", "₹1,000.00"},
		"99999.99":           {"₹99,999.99", "₹99,999.99"},
		"99999.994":          {"₹99,999.99", "₹99,999.99"},
		"99999.995":          {"₹1,00,000.00", "₹1.00 lakh"},
		"-99999.995":         {"-₹1,00,000.00", "-₹1.00 lakh"},
		"100000":             {"₹1,00,000.00", "₹1.00 lakh"},
		"275000":             {"₹2,75,000.00", "₹2.75 lakh"},
		"9994999.99":         {"₹99,94,999.99", "₹99.95 lakh"},
		"9999499":            {"₹99,99,499.00", "₹99.99 lakh"},
		"9999500":            {"₹99,99,500.00", "₹1.00 crore"},
		"9999999":            {"₹99,99,999.00", "₹1.00 crore"},
		"-9999999":           {"-₹99,99,999.00", "-₹1.00 crore"},
		"10000000":           {"₹1,00,00,000.00", "₹1.00 crore"},
		"123456789":          {"₹12,34,56,789.00", "₹12.35 crore"},
		"1234567890000":      {"₹12,34,56,78,90,000.00", "₹1,23,456.79 crore"},
		"9999999999999999.9": {"₹9,99,99,99,99,99,99,999.90", "₹1,00,00,00,000.00 crore"},
	} {
		a := money.MustParse(in)
		if got := rupees.Format(a); got != want.full {
			t.Errorf("%s in full is %s, want %s", in, got, want.full)
		}
		if got := rupees.Short(a); got != want.short {
			t.Errorf("%s in short is %s, want %s", in, got, want.short)
		}
	}
}

func TestAmountsInWords(t *testing.T) {
	for in, want := range map[string]string{
		"0":         "Rupees Zero Only",
		"0.5":       "Rupees Zero and Fifty Paise Only",
		"1":         "Rupees One Only",
		"15.015":    "Rupees Fifteen and Two Paise Only",
		"100":       "Rupees One Hundred Only",
		"1018":      "Rupees One Thousand Eighteen Only",
		"123456.5":  "Rupees One Lakh Twenty Three Thousand Four Hundred Fifty Six and Fifty Paise Only",
		"100000.01": "Rupees One Lakh and One Paise Only",
		"99999.995": "Rupees One Lakh Only",
		"100000000": "Rupees Ten Crore Only",
		"12345678912": "Rupees One Thousand Two Hundred Thirty Four Crore Fifty Six Lakh Seventy Eight Thousand " +
			"Nine Hundred Twelve Only",
		"1000000000000": "Rupees One Lakh Crore Only",
		"-40":           "Minus Rupees Forty Only",
		"-0.001":        "Rupees Zero Only",
	} {
		if got := rupees.Words(money.MustParse(in)); got != want {
			t.Errorf("%s in words is %q, want %q", in, got, want)
		}
	}
}

// Domain rules 3: amounts as people write them.
func TestAmountsAreReadAsPeopleWriteThem(t *testing.T) {
	for in, want := range map[string]string{
		"1,23,456.00": "123456", "1,234,567": "1234567", "500": "500", "₹500": "500", "Rs. 500/-": "500",
		"Rs.1,500": "1500", "INR 2,50,000": "250000", "500 rupees": "500", "(1,234.00)": "-1234",
		"(₹1,234.00)": "-1234", "₹(1,234.00)": "-1234", "-₹1,234": "-1234", "₹-1,234": "-1234", "−500": "-500",
		"+500": "500", "2.5 lakh": "250000", "2.5 Lakhs": "250000", "₹2.5L": "250000", "₹2.5 L": "250000",
		"1.5 Cr": "15000000", "₹1.50 crore": "15000000", "25 hazaar": "25000", "25k": "25000", "dedh lakh": "150000",
		"Dhai Crore": "25000000", "sawa do lakh": "225000", "paune teen lakh": "275000", "saadhe teen lakh": "350000",
		"2 lakh 50 hazaar": "250000", "Ek lakh pachaas hazaar": "150000", "paanch sau rupaye": "500",
		"das hazaar": "10000", "bees lakh": "2000000", "1 crore 25 lakh 50 hazaar": "12550000",
		"-₹2.75 lakh": "-275000", "₹१,२३,४५६.५०": "123456.50", "ढाई लाख": "250000", "२.५ लाख": "250000",
		"500 Dr": "-500", "500 Dr.": "-500", "1,234.00DR": "-1234", "  99,999.995 ": "99999.995", "0": "0",
		"500 Cr": "5000000000", "₹\u00a0500": "500", "12,34": "", "1,2,3": "", "": "", "₹": "", "-": "", "()": "",
		"(5": "", "5)": "", "--5": "",
		"-(500)": "", "(500) Dr": "", "-5 Dr": "", "1.2.3": "", "free": "", "five": "", "lakh": "", "2 rooms": "",
		"5 lakh and 3": "", "5 lakh 2 lakh": "", "5 hazaar 3 lakh": "", "500 200": "", "1e5": "", "0x10": "",
		"NaN": "", "₹$5": "", "$5": "", "5 dollars": "", "100%": "", "99999999999999999999": "",
	} {
		got, err := rupees.Parse(in)
		switch {
		case want == "" && fault.KindOf(err) != fault.Invalid:
			t.Errorf("%q is read as %s (%v)", in, got, err)
		case want != "" && (err != nil || got.Cmp(money.MustParse(want)) != 0):
			t.Errorf("%q is %s (%v), want %s", in, got, err, want)
		}
	}
}

func TestLinesOfAStatementTellTheirSide(t *testing.T) {
	for in, want := range map[string]string{
		"1,234.00 Cr": "1234.00 true", "1,234.00 CR.": "1234.00 true", "1,234.00 Dr": "-1234.00 true",
		"(1,234.00)": "-1234.00 true", "-5": "-5 true", "+5": "5 true", "5": "5 false", "(5) Cr": "refused",
		"5 Dr Cr": "refused",
	} {
		a, signed, err := rupees.ParseEntry(in)
		got := fmt.Sprintf("%s %t", a, signed)
		if err != nil {
			got = "refused"
		}
		if got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}

// What is written is read as the same amount, to the paisa in full and to a
// hundredth of the unit in short.
func TestWrittenAmountsAreReadAgain(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		digits := random.IntN(15)
		paise := random.Int64N(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits+2)), nil).Int64())
		if random.IntN(2) == 0 {
			paise = -paise
		}
		a := money.MustParse(big.NewRat(paise, 100).FloatString(2))
		if got, err := rupees.Parse(rupees.Format(a)); err != nil || got.Cmp(a) != 0 {
			t.Fatalf("%s is read as %s (%v)", rupees.Format(a), got, err)
		}
		short := rupees.Short(a)
		got, err := rupees.Parse(short)
		if err != nil {
			t.Fatalf("%s: %v", short, err)
		}
		within := "0"
		switch {
		case strings.Contains(short, "lakh"):
			within = "500"
		case strings.Contains(short, "crore"):
			within = "50000"
		}
		off, _ := got.Sub(a)
		if most := money.MustParse(within); off.Cmp(most) > 0 || most.Cmp(must(money.Zero.Sub(off))) < 0 {
			t.Fatalf("%s stands for %s and is read as %s", short, a, got)
		}
		if again := rupees.Short(got); again != short {
			t.Fatalf("%s is read and shown as %s", short, again)
		}
		if strings.Contains(short, "100.00 lakh") || strings.HasPrefix(short, "-₹0.00") {
			t.Fatalf("%s is shown as %s", a, short)
		}
	}
}

func must(a money.Amount, err error) money.Amount {
	if err != nil {
		panic(err)
	}
	return a
}

func TestDatesAreReadAndSaidWhyNot(t *testing.T) {
	for in, want := range map[string]string{
		"15/01/2026": "15/01/2026", "1-4-26": "01/04/2026", "31.03.2026": "31/03/2026", "2026-03-31": "31/03/2026",
		"29/02/2024": "29/02/2024", "29/02/2000": "29/02/2000", "15-Jan-2026": "15/01/2026",
		"3 September 2026": "03/09/2026", "15-jan-26": "15/01/2026", "१५/०१/२०२६": "15/01/2026",
		" 1/1/2026 ":  "01/01/2026",
		"31/02/2026":  "February 2026 has 28 days",
		"29/02/2026":  "February 2026 has 28 days",
		"29/02/1900":  "February 1900 has 28 days",
		"30/02/2024":  "February 2024 has 29 days",
		"31/04/2026":  "April 2026 has 30 days",
		"2026-02-31":  "February 2026 has 28 days",
		"0/01/2026":   "January 2026 has 31 days",
		"12/31/2026":  "there is no month 31",
		"01/00/2026":  "there is no month 0",
		"01/01/0026":  "a year from 1900 to 2199",
		"1/1/226":     "write it as DD/MM/YYYY",
		"":            "write it as DD/MM/YYYY",
		"tomorrow":    "write it as DD/MM/YYYY",
		"1/1":         "write it as DD/MM/YYYY",
		"1/1/2026/1":  "write it as DD/MM/YYYY",
		"1/Ja/2026":   "write it as DD/MM/YYYY",
		"111/1/2026":  "write it as DD/MM/YYYY",
		"-1/1/2026x":  "write it as DD/MM/YYYY",
		"01/001/2026": "write it as DD/MM/YYYY",
	} {
		d, err := rupees.ParseDate(in)
		switch {
		case err != nil && (fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %s", in, err, want)
		case err == nil && rupees.Date(d) != want:
			t.Errorf("%q is %s, want %s", in, rupees.Date(d), want)
		}
	}
	if got := rupees.Date(calendar.Date{}); got != "" {
		t.Errorf("no day is %q", got)
	}
	first := calendar.Date{Year: 1999, Month: time.December, Day: 25}
	for n := range 40_000 {
		if d := first.AddDays(n); d.Year < 2200 {
			if got, err := rupees.ParseDate(rupees.Date(d)); err != nil || got != d {
				t.Fatalf("%s is read as %s (%v)", rupees.Date(d), got, err)
			}
		}
	}
}

func TestFinancialYears(t *testing.T) {
	for in, want := range map[string]string{"31/03/2026": "2025-26", "01/04/2026": "2026-27", "31/12/1999": "1999-00",
		"31/03/2000": "1999-00", "29/02/2024": "2023-24"} {
		d, err := rupees.ParseDate(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := rupees.YearOf(d); got.String() != want || got.Range().From.After(d) || !d.Before(got.Range().To) {
			t.Errorf("%s is in %s, want %s", in, got, want)
		}
	}
	y := rupees.Year(2025)
	if got := y.Quarter(4); rupees.Date(got.From) != "01/01/2026" || rupees.Date(got.To.AddDays(-1)) != "31/03/2026" {
		t.Errorf("the fourth quarter is %v", got)
	}
	if y.Assessment().String() != "2026-27" {
		t.Errorf("the assessment year is %s", y.Assessment())
	}
	for in, want := range map[string]string{"2025-26": "2025-26", "FY 2025-26": "2025-26", " fy26 ": "2025-26",
		"2025-27": "", "Q1 FY26": "", "2025": "", "": "", "2025-26 and more": ""} {
		got, err := rupees.ParseYear(in)
		if want == "" && fault.KindOf(err) != fault.Invalid || want != "" && (err != nil || got.String() != want) {
			t.Errorf("%q is %s (%v), want %s", in, got, err, want)
		}
	}
}
