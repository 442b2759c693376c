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
		select chr(65 + a) || chr(65 + b) || chr(65 + c) as c from generate_series(0, 25) a, generate_series(0, 25) b, generate_series(0, 25) c) q
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
