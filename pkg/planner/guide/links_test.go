package guide_test

import (
	"slices"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/planner/guide"
)

func TestBetween(t *testing.T) {
	t.Parallel()
	codes, seen := guide.Codes(), 0
	for _, a := range codes {
		for _, b := range codes {
			list, back := guide.Between(a, b), guide.Between(b, a)
			seen += len(list)
			if len(list) != len(back) {
				t.Errorf("%s to %s has %d links, the way back %d", a, b, len(list), len(back))
			}
			for i, l := range list {
				if l.From != a || l.To != b || l.Option == "" || l.Provider == "" || l.Minutes <= 0 ||
					!slices.Contains(guide.Modes(), l.Mode) || l.Price.Currency != l.Currency || l.Price.To.IsZero() {
					t.Errorf("%s to %s: %+v", a, b, l)
				}
				if l.Currency != list[0].Currency || i > 0 && l.Price.From.Cmp(list[i-1].Price.From) < 0 {
					t.Errorf("%s to %s: the links are not ordered by one currency", a, b)
				}
				if back[i].Option != l.Option || back[i].From != b || back[i].To != a {
					t.Errorf("%s to %s: %+v, but back %+v", a, b, l, back[i])
				}
			}
		}
	}
	if seen == 0 {
		t.Error("there is no link")
	}
	for _, pair := range [][2]string{{"BOS", "BOS"}, {"BOS", "LIS"}, {"", "BOS"}, {"XXX", "BOS"}} {
		if list := guide.Between(pair[0], pair[1]); list != nil {
			t.Errorf("%q: %+v", pair, list)
		}
	}
}

func TestConvert(t *testing.T) {
	t.Parallel()
	of := func(from, to, currency string) guide.Range {
		return guide.Range{From: money.MustParse(from), To: money.MustParse(to), Currency: currency}
	}
	for _, code := range guide.Codes() {
		c, _ := guide.Of(code)
		r := c.Stays[0].Price
		euros, ok := guide.Convert(r, "EUR")
		if !ok {
			t.Errorf("%s has no rate", c.Currency)
			continue
		}
		back, ok := guide.Convert(euros, c.Currency)
		if !ok || back.From.Cmp(r.From) > 0 || back.To.Cmp(r.To) < 0 || back.Currency != c.Currency {
			t.Errorf("%s: %+v is %+v, and back %+v, which is not around it", code, r, euros, back)
		}
	}
	for _, test := range []struct {
		in       guide.Range
		currency string
		want     guide.Range
	}{
		{of("10.55", "12.30", "USD"), "USD", of("10.55", "12.30", "USD")},
		{of("100", "100", "EUR"), "USD", of("116", "116", "USD")},
		{of("10.01", "10.01", "EUR"), "USD", of("11", "12", "USD")},
		{of("10.49", "10.51", "EUR"), "INR", of("1069", "1073", "INR")},
		{of("0", "0", "GBP"), "JPY", of("0", "0", "JPY")},
		{of("87", "87", "GBP"), "USD", of("116", "116", "USD")},
	} {
		got, ok := guide.Convert(test.in, test.currency)
		if !ok || got.From.Cmp(test.want.From) != 0 || got.To.Cmp(test.want.To) != 0 || got.Currency != test.currency {
			t.Errorf("%+v in %s: got %+v, want %+v", test.in, test.currency, got, test.want)
		}
	}
	for _, bad := range []guide.Range{of("1", "2", "XXX"), of("1", "2", ""), of("1", "9999999999999999999", "EUR")} {
		if got, ok := guide.Convert(bad, "JPY"); ok {
			t.Errorf("%+v became %+v", bad, got)
		}
	}
	if _, ok := guide.Convert(of("1", "2", "EUR"), "CHF"); ok {
		t.Error("a rate that is not listed was found")
	}
	if guide.RatesDate() == "" {
		t.Error("the rates have no date")
	}
}

func TestWalk(t *testing.T) {
	t.Parallel()
	if m, min := guide.Walk(42.36, -71.06, 42.36, -71.06); m != 0 || min != 0 {
		t.Error(m, min)
	}
	// A hundredth of a degree of latitude is 1112 m.
	if m, min := guide.Walk(42.36, -71.06, 42.37, -71.06); m != 1446 || min != 19 {
		t.Error(m, min)
	}
	m, _ := guide.Walk(42.3554, -71.0640, 42.3764, -71.0608)
	if back, _ := guide.Walk(42.3764, -71.0608, 42.3554, -71.0640); m != back {
		t.Error(m, back)
	}
}
