package supabase_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/money"
)

// F-60: prices are rounded to the decimals with which they are shown, of which
// amounts are kept with two at most.
func TestPricesHaveTheDecimalsOfTheirCurrency(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	got := ask[string](t, conn, `select string_agg(c, ' ' order by c) from (
		select chr(65 + a) || chr(65 + b) || chr(65 + c) as c from generate_series(0, 25) a, generate_series(0, 25)
			b, generate_series(0, 25) c) q
		where app.currency_digits(c) = 0`)
	var want []string
	for n := range 26 * 26 * 26 {
		if code := fmt.Sprintf("%c%c%c", 'A'+n/676, 'A'+n/26%26, 'A'+n%26); money.Digits(code) == 0 {
			want = append(want, code)
		}
	}
	if want := strings.Join(want, " "); got != want {
		t.Errorf("without decimals are\n%s, want\n%s", got, want)
	}
}

// F-60: amounts in sentences of the database look like all others.
func TestTheDatabaseShowsAmountsAsEverybodyElse(t *testing.T) {
	t.Parallel()
	conn := connect(t, "empty")
	for _, currency := range []string{"INR", "USD", "EUR", "GBP", "JPY", "CHF", "KRW"} {
		for _, text := range []string{"0", "0.1", "-0.001", "7.5", "999", "1000", "12345.67", "100000", "-1234567.89",
			"99999999.99", "1000000000.5"} {
			amount, err := money.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := ask[string](t, conn, `select app.show_money($1, $2::text::numeric)`, currency, text),
				amount.Format(currency); got != want {
				t.Errorf("%s %s is shown as %q, want %q", currency, text, got, want)
			}
		}
	}
}
