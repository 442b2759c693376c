package duffel_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/duffel"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/limit"
)

// S1-13: what fails has a kind, by which it is retried or not, and a code.
func TestEachFailureOfALookHasItsKindAndCode(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		answer answer
		kind   fault.Kind
		code   string
	}{
		"gone": {refusal(422, "airline_error", "offer_no_longer_available", "G"), fault.Gone,
			"offer_unavailable"},
		"unknown": {refusal(404, "invalid_request_error", "not_found", "N"), fault.Gone, "offer_unavailable"},
		"expired": {refusal(422, "invalid_state_error", "offer_expired", "E"), fault.Gone, "offer_expired"},
		"unsupported": {refusal(422, "invalid_request_error", "unsupported_action", "U"), fault.Unprocessable,
			"unsupported"},
		"no access": {refusal(403, "authentication_error", "insufficient_permissions", "P"), fault.Upstream,
			"supplier_refused"},
		"an old form": {refusal(400, "invalid_request_error", "unsupported_version", "V"), fault.Unprocessable,
			"supplier_refused"},
		"an error":      {refusal(500, "api_error", "internal_server_error", "I"), fault.Upstream, "supplier_failed"},
		"a bad gateway": {answer{status: 502, body: "<html>"}, fault.Upstream, "supplier_failed"},
		"not available": {answer{status: 503}, fault.Unavailable, "supplier_unavailable"},
		"slow":          {refusal(504, "api_error", "gateway_timeout_error", "T"), fault.Timeout, "supplier_timeout"},
		"a redirect": {answer{status: 302, header: map[string]string{"Location": "/"}}, fault.Upstream,
			"supplier_failed"},
		"no JSON":  {answer{status: 200, body: "<html>"}, fault.Upstream, "supplier_failed"},
		"no offer": {answer{status: 200, body: `{"data":null}`}, fault.Upstream, "supplier_failed"},
		"a float": {answer{status: 200, body: `{"data":` + strings.Replace(offerWire("off_1", "90.80", "GBP"),
			`"90.80"`, `"9e1"`, 1) + `}`}, fault.Upstream, "supplier_failed"},
		"no currency": {answer{status: 200, body: data(offerWire("off_1", "90.80", "pounds"))}, fault.Upstream,
			"supplier_failed"},
		"over": {answer{status: 200, body: data(strings.Replace(offerWire("off_1", "90.80", "GBP"),
			"2026-11-22T12:30:00.000000Z", "2026-11-22T12:00:00Z", 1))}, fault.Gone, "offer_expired"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, s := script(t, map[string][]answer{"GET /air/offers/off_1": {tc.answer}})
			_, err := c.Flights().Offer(t.Context(), somebody, "off_1")
			if f := fault.From(err); f == nil || f.Kind != tc.kind || f.Code != tc.code {
				t.Errorf("it is %v", err)
			}
			if n := len(s.requests("GET /air/offers/off_1")); n != 1 {
				t.Errorf("the adapter asked %d times", n)
			}
		})
	}
}

// F-60: prices keep the currency and the digits in which they are told.
func TestPricesKeepTheirCurrencyAndDigits(t *testing.T) {
	t.Parallel()
	for total, shown := range map[string]string{"90.80 GBP": "£90.80", "45120 JPY": "¥45,120",
		"128.375 KWD": "KWD 128.375"} {
		amount, currency, _ := strings.Cut(total, " ")
		body := strings.ReplaceAll(strings.ReplaceAll(offerWire("off_1", amount, currency), `"40.80"`, `"4"`),
			`"40.00"`, `"4"`)
		c, _ := script(t, map[string][]answer{"GET /air/offers/off_1": {{status: 200, body: data(body)}}})
		o, err := c.Flights().Offer(t.Context(), somebody, "off_1")
		if err != nil || o.Total.Amount.String() != amount || strings.ReplaceAll(o.Total.String(), "\u00a0",
			" ") != shown {
			t.Errorf("%s is %s, %v", total, o.Total, err)
		}
	}
}

// The rate headers are Duffel's count over all processes of the access token.
func TestTheRateHeadersAreHonoured(t *testing.T) {
	t.Parallel()
	left := func(remaining int, reset string) answer {
		return answer{status: 200, body: data(offerWire("off_1", "90.80", "GBP")), header: map[string]string{
			"ratelimit-limit": "60", "ratelimit-remaining": strconv.Itoa(remaining), "ratelimit-reset": reset}}
	}
	in := func(d time.Duration) string { return now().Add(d).Format(http.TimeFormat) }
	const name = "GET /air/offers/off_1"
	for text, tc := range map[string]struct {
		answer answer
		again  bool
	}{
		"some are left":       {left(1, in(30*time.Second)), true},
		"none are left":       {left(0, in(30*time.Second)), false},
		"none, seconds":       {left(0, "30"), false},
		"none until the past": {left(0, in(-time.Second)), true},
		"refused": {answer{status: 429,
			header: map[string]string{"ratelimit-reset": in(40 * time.Second)}}, false},
		"refused, without a time": {answer{status: 429, header: map[string]string{"retry-after": "20"}}, false},
		"an endless time":         {left(0, in(10000*time.Hour)), false},
	} {
		c, s := script(t, map[string][]answer{name: {tc.answer, left(5, in(time.Second))}})
		_, first := c.Flights().Offer(t.Context(), somebody, "off_1")
		if f := fault.From(first); f != nil && (f.Kind != fault.Limited || f.RetryAfter < 19*time.Second) {
			t.Errorf("%s: it is %v after %v", text, first, f.RetryAfter)
		}
		_, err := c.Flights().Offer(t.Context(), somebody, "off_1")
		if f := fault.From(err); tc.again != (err == nil) || f != nil && (f.Kind != fault.Limited ||
			f.Code != "supplier_rate_limited" || f.RetryAfter <= 0 || f.RetryAfter > 2*time.Minute) {
			t.Errorf("%s: the next is %v", text, err)
		}
		if asked := len(s.requests(name)); asked != map[bool]int{true: 2, false: 1}[tc.again] {
			t.Errorf("%s: Duffel was asked %d times", text, asked)
		}
	}
}

// The wait of a count that begins anew soon is waited for.
func TestAShortWaitIsWaited(t *testing.T) {
	t.Parallel()
	c, s := script(t, map[string][]answer{"GET /air/offers/off_1": {
		{status: 429, header: map[string]string{"ratelimit-reset": now().Add(40 * time.Millisecond).Format(time.RFC3339Nano)}},
		{status: 200, body: data(offerWire("off_1", "90.80", "GBP"))}}})
	if _, err := c.Flights().Offer(t.Context(), somebody, "off_1"); !fault.Is(err, fault.Limited) {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := c.Flights().Offer(short, somebody, "off_1"); err == nil ||
		len(s.requests("GET /air/offers/off_1")) != 1 {
		t.Errorf("beyond the deadline it is %v", err)
	}
	if _, err := c.Flights().Offer(t.Context(), somebody, "off_1"); err != nil {
		t.Error(err)
	}
}

// counter is a limit.ProviderCounter that refuses, and remembers what it was asked.
type counter struct{ asked []limit.ProviderRate }

func (c *counter) TakeProvider(_ context.Context, by identity.Caller, r limit.ProviderRate, _ time.Duration) (
	time.Duration, bool, error) {
	c.asked = append(c.asked, r)
	return time.Minute, false, nil
}

// S1-18
func TestEachCallTakesAPlaceOfTheOrganisation(t *testing.T) {
	t.Parallel()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	t.Cleanup(server.Close)
	k := &counter{}
	c, err := duffel.New(duffel.Config{APIKey: token, BaseURL: server.URL, Now: now,
		Gate: limit.ProviderGate{Counter: k}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Flights().Search(t.Context(), somebody, family()); fault.From(err).Code != "provider_rate_limited" {
		t.Error(err)
	}
	want := limit.ProviderRate{Provider: "duffel", Capacity: 10, PerSecond: 5}
	if len(k.asked) != 1 || k.asked[0] != want || asked != 0 {
		t.Errorf("it took %v, and Duffel was asked %d times", k.asked, asked)
	}
}

func TestDuffelWaitsForAirlinesAsLongAsTheCallerHasTime(t *testing.T) {
	t.Parallel()
	for within, want := range map[time.Duration][2]int{5 * time.Second: {2000, 2000}, 30 * time.Second: {20000, 27000},
		time.Hour: {60000, 60000}} {
		c, s := script(t, map[string][]answer{"POST /air/offer_requests": {refusal(503, "api_error", "x", "")}})
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		_, _ = c.Flights().Search(ctx, somebody, family())
		ms, _ := strconv.Atoi(s.requests("POST /air/offer_requests")[0].query["supplier_timeout"][0])
		if ms < want[0] || ms > want[1] {
			t.Errorf("within %v airlines have %d ms", within, ms)
		}
	}
}

func TestASearchThatBreaksOffShowsWhatCame(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]answer{
		"an error":         refusal(500, "api_error", "internal_server_error", ""),
		"a cut":            {status: 200, body: page("", offerWire("off_3", "95.00", "GBP"))[:700]},
		"a trailing comma": {status: 200, body: `{"data":[],}`},
		"a deep nest":      {status: 200, body: `{"data":[` + strings.Repeat("[", 1<<20)},
		"another kind":     {status: 200, body: `{"data":{"id":"off_3"},"meta":{}}`},
	} {
		c, _ := script(t, map[string][]answer{
			"POST /air/offer_requests": {{status: 201, body: requestWire}},
			"GET /air/offers": {{status: 200, body: page("cur_2", offerWire("off_1", "90.80", "GBP"))},
				second},
		})
		found, err := c.Flights().Search(t.Context(), somebody, family())
		if err != nil || len(found.Offers) != 1 || !found.More {
			t.Errorf("%s: %d offers, more: %v, %v", name, len(found.Offers), found.More, err)
		}
	}
	c, _ := script(t, map[string][]answer{"POST /air/offer_requests": {{status: 201, body: requestWire}},
		"GET /air/offers": {{status: 200, body: page("")}}})
	if found, err := c.Flights().Search(t.Context(), somebody, family()); err != nil || len(found.Offers) != 0 ||
		found.More {
		t.Errorf("no offers are %+v, %v", found, err)
	}
}

func TestNothingThatCannotBeIsAsked(t *testing.T) {
	t.Parallel()
	c, s := script(t, nil)
	q := family()
	q.Slices[0].Origin = "../air"
	none, many := family(), family()
	none.Ages = nil
	many.Ages = make([]int, 10)
	for _, err := range []error{
		second(c.Flights().Search(t.Context(), somebody, q)), second(c.Flights().Search(t.Context(), somebody, none)),
		second(c.Flights().Search(t.Context(), somebody, many)),
		second(c.Flights().Offer(t.Context(), somebody, "../orders")), second(c.Flights().Get(t.Context(), somebody,
			"")),
		second(c.Flights().Quote(t.Context(), somebody, "ord_1/..")),
		second(c.Stays().Rates(t.Context(), somebody, "srr_1?x")), second(c.Stays().Get(t.Context(), somebody, "..")),
	} {
		if k := fault.KindOf(err); k != fault.Unprocessable && k != fault.Gone && k != fault.NotFound {
			t.Errorf("it is %v", err)
		}
	}
	if len(s.asked) != 0 {
		t.Errorf("Duffel was asked %v", s.asked)
	}
}

func second[T any](_ T, err error) error { return err }

func TestAServerThatIsNotThereIsNotReached(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	c, err := duffel.New(duffel.Config{APIKey: token, BaseURL: server.URL, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Flights().Offer(t.Context(), somebody, "off_1")
	if f := fault.From(err); f.Code != "supplier_unavailable" || strings.Contains(err.Error(), "off_1") {
		t.Errorf("it is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Flights().Offer(ctx, somebody, "off_1"); !fault.Is(err, fault.Canceled) ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("a stopped look is %v", err)
	}
}

func TestAConfigurationIsChecked(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]duffel.Config{
		"no token":    {Now: now},
		"no clock":    {APIKey: token},
		"a bad token": {APIKey: "duffel_test_\nX-Evil: 1", Now: now},
		"http":        {APIKey: token, Now: now, BaseURL: "http://api.duffel.com"},
		"no host":     {APIKey: token, Now: now, BaseURL: "https://"},
	} {
		if _, err := duffel.New(cfg); err == nil || strings.Contains(err.Error(), "Evil") {
			t.Errorf("%s: %v", name, err)
		}
	}
	live, err := duffel.New(duffel.Config{APIKey: "duffel_live_x", Now: now})
	if err != nil || live.Test() {
		t.Error("a live token is one of the test mode", err)
	}
}
