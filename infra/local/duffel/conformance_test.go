package duffel_test

import (
	"compress/gzip"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestHeaders holds the server against the overview of Duffel's documentation.
func TestHeaders(t *testing.T) {
	c := start(t, nil)
	for _, test := range []struct {
		name, header, value string
		status              int
		code                string
	}{
		{"no token", "Authorization", "", 401, "missing_authorization_header"},
		{"another scheme", "Authorization", "Basic x", 401, "invalid_authorization_header"},
		{"an unknown token", "Authorization", "Bearer duffel_test_two", 401, "access_token_not_found"},
		{"no version", "Duffel-Version", "", 400, "missing_version_header"},
		{"an old version", "Duffel-Version", "v1", 400, "unsupported_version"},
		{"no such version", "Duffel-Version", "v9", 400, "invalid_version_header"},
		{"no Accept", "Accept", "", 406, "unsupported_format"},
		{"another format", "Accept", "text/csv", 406, "unsupported_format"},
		{"another kind of body", "Content-Type", "text/plain", 400, "invalid_content_type_header"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := c.request("POST", "/air/offer_requests", strings.NewReader(`{"data":{}}`))
			if r.Header.Set(test.header, test.value); test.value == "" {
				r.Header.Del(test.header)
			}
			got := c.send(r)
			if got.status != test.status || got.code() != test.code {
				t.Errorf("answered %d %s", got.status, got.code())
			}
			if id := got.header.Get("X-Request-Id"); id == "" || got.Meta["request_id"] != id {
				t.Errorf("the request is %q in the header and %v in the body", id, got.Meta["request_id"])
			}
		})
	}
}

func TestBodies(t *testing.T) {
	c := start(t, nil)
	for body, code := range map[string]string{
		`{"slices":[]}`: "missing_data_param", `{"data":[]}`: "invalid_data_param", `{`: "bad_request",
		`{"data":{"slices":7}}`: "malformed_data_param",
	} {
		r := c.request("POST", "/air/offer_requests", strings.NewReader(body))
		if got := c.send(r); got.status != http.StatusBadRequest || got.code() != code {
			t.Errorf("%s: %d %s, want %s", body, got.status, got.code(), code)
		}
	}
	if got := c.call("GET", "/air/seats", nil); got.status != http.StatusNotFound || got.code() != "not_found" {
		t.Errorf("an unknown path: %d %s", got.status, got.code())
	}
}

func TestAnswersAreCompressedWhenAsked(t *testing.T) {
	c := start(t, nil)
	r := c.request("GET", "/places/suggestions?query=london", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	z, err := gzip.NewReader(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var got reply
	if err := json.NewDecoder(z).Decode(&got); err != nil || at(got.Data, 0, "iata_code") != "LON" {
		t.Errorf("%v: %v", err, at(got.Data, 0))
	}
}

func TestRateLimit(t *testing.T) {
	c := start(t, func(cfg *duffelConfig) { cfg.PerMinute = 2 })
	left := []string{}
	for range 2 {
		left = append(left, c.call("GET", "/air/orders", nil).header.Get("Ratelimit-Remaining"))
	}
	over := c.call("GET", "/air/orders", nil)
	if strings.Join(left, " ") != "1 0" || over.status != http.StatusTooManyRequests ||
		over.code() != "rate_limit_exceeded" {
		t.Errorf("left %v, then %d %s", left, over.status, over.code())
	}
	resets, err := http.ParseTime(over.header.Get("Ratelimit-Reset"))
	if err != nil || !resets.After(c.clock.at) {
		t.Fatalf("it resets at %v (%v)", resets, err)
	}
	c.clock.at = resets
	if again := c.call("GET", "/air/orders", nil); again.status != http.StatusOK {
		t.Errorf("after the reset: %d", again.status)
	}
}

func TestWhatASearchRefuses(t *testing.T) {
	c := start(t, nil)
	slice := func(from, to, date string) m { return m{"origin": from, "destination": to, "departure_date": date} }
	adult := m{"type": "adult"}
	one, many := []any{slice("LHR", "JFK", "2026-12-18")}, []any{}
	for range 10 {
		many = append(many, adult)
	}
	for _, test := range []struct {
		name          string
		query         string
		body          m
		code, pointer string
	}{
		{"a past date", "", m{"slices": []any{slice("LHR", "JFK", "2026-11-22")}, "passengers": []any{adult}},
			"validation_format", "/slices/0/departure_date"},
		{"no date", "", m{"slices": []any{slice("LHR", "JFK", "2026-02-30")}, "passengers": []any{adult}},
			"validation_format", "/slices/0/departure_date"},
		{"return first", "", m{"slices": []any{slice("LHR", "JFK", "2026-12-18"), slice("JFK", "LHR", "2026-12-17")},
			"passengers": []any{adult}}, "validation_format", "/slices/1/departure_date"},
		{"the same place", "", m{"slices": []any{slice("LHR", "LON", "2026-12-18")}, "passengers": []any{adult}},
			"validation_format", "/slices/0/destination"},
		{"an unknown place", "", m{"slices": []any{slice("XQX", "JFK", "2026-12-18")}, "passengers": []any{adult}},
			"validation_format", "/slices/0/origin"},
		{"ten passengers", "", m{"slices": one, "passengers": many}, "validation_length", "/passengers"},
		{"nobody", "", m{"slices": one, "passengers": []any{}}, "validation_required", "/passengers"},
		{"infants alone", "", m{"slices": one, "passengers": []any{adult, m{"age": 1}, m{"age": 0}}},
			"validation_format", "/passengers"},
		{"type and age", "", m{"slices": one, "passengers": []any{m{"type": "adult", "age": 40}}},
			"invalid_field_sets", "/passengers/0"},
		{"a grown child", "", m{"slices": one, "passengers": []any{m{"age": 18}}},
			"validation_inclusion", "/passengers/0/age"},
		{"a cabin", "", m{"slices": one, "passengers": []any{adult}, "cabin_class": "coach"},
			"validation_inclusion", "/cabin_class"},
		{"connections", "", m{"slices": one, "passengers": []any{adult}, "max_connections": 3},
			"validation_inclusion", "/max_connections"},
		{"a short wait", "?supplier_timeout=100", m{"slices": one, "passengers": []any{adult}},
			"validation_inclusion", "/supplier_timeout"},
	} {
		got := c.call("POST", "/air/offer_requests"+test.query, test.body)
		pointer := ""
		if len(got.Errors) == 1 {
			pointer, _ = at(got.Errors[0], "source", "pointer").(string)
		}
		if got.status != http.StatusUnprocessableEntity || got.code() != test.code || pointer != test.pointer {
			t.Errorf("%s: %d %s at %s", test.name, got.status, got.code(), pointer)
		}
	}
}

func TestTheSameRequestFindsTheSame(t *testing.T) {
	c := start(t, nil)
	first, second := c.search("LHR", "JFK"), c.search("LHR", "JFK")
	a, b := offersOf(first), offersOf(second)
	if len(a) != 229 || len(b) != len(a) {
		t.Fatalf("%d and %d offers", len(a), len(b))
	}
	owners := map[any]bool{}
	for i := range a {
		if at(a[i], "total_amount") != at(b[i], "total_amount") || at(a[i], "slices", 0, "comparison_key") !=
			at(b[i], "slices", 0, "comparison_key") {
			t.Fatalf("offer %d differs", i)
		}
		owners[at(a[i], "owner", "iata_code")] = true
	}
	if at(a[0], "id") == at(b[0], "id") || len(owners) < 8 {
		t.Errorf("the ids are the same, or there are only the airlines %v", owners)
	}
}

func TestPages(t *testing.T) {
	c := start(t, nil)
	id := at(c.search("LHR", "JFK").Data, "id").(string)
	path, seen, last := "/air/offers?offer_request_id="+id+"&sort=total_amount", map[any]bool{}, 0.0
	pages := 0
	for after := any(""); after != nil; pages++ {
		next := path + "&limit=100"
		if after != "" {
			next += "&after=" + after.(string)
		}
		got := c.call("GET", next, nil)
		for _, o := range got.Data.([]any) {
			seen[at(o, "id")] = true
			if now := price(t, o); now < last {
				t.Fatalf("%v after %v", now, last)
			} else {
				last = now
			}
		}
		if _, total := got.Meta["total"]; total || got.Meta["limit"] != 100.0 {
			t.Fatalf("meta is %v", got.Meta)
		}
		after = got.Meta["after"]
	}
	if len(seen) != 229 || pages != 3 {
		t.Errorf("%d offers on %d pages", len(seen), pages)
	}
	if got := c.call("GET", path, nil); len(got.Data.([]any)) != 50 {
		t.Errorf("%d offers by default", len(got.Data.([]any)))
	}
	for _, limit := range []string{"0", "201", "x"} {
		if got := c.call("GET", path+"&limit="+limit, nil); got.code() != "validation_inclusion" {
			t.Errorf("limit %s: %s", limit, got.code())
		}
	}
	direct := c.call("GET", path+"&max_connections=0&limit=200", nil)
	for _, o := range direct.Data.([]any) {
		if at(o, "slices", 0, "segments", 1) != nil {
			t.Fatal("an offer with a connection")
		}
	}
}
