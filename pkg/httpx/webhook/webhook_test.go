package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx/webhook"
)

const (
	oldKey = "whsec_b2xkIGtleSBvbGQga2V5IG9sZCBrZXkgb2xk"
	newKey = "whsec_bmV3IGtleSBuZXcga2V5IG5ldyBrZXkgbmV3"
)

var now = time.Unix(1_900_000_000, 0)

func signature(t *testing.T, key, id string, at int64, body string) string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(key, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	h := hmac.New(sha256.New, raw)
	fmt.Fprintf(h, "%s.%d.%s", id, at, body)
	return "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

func verifier(t *testing.T, seen func(context.Context, string) (bool, error)) *webhook.Verifier {
	t.Helper()
	v, err := webhook.New(webhook.Config{Keys: []string{newKey, oldKey}, Seen: seen,
		Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func never(context.Context, string) (bool, error) { return false, nil }

// F-49
func TestOnlyGenuineRequestsPass(t *testing.T) {
	t.Parallel()
	const id, body = "msg_1", `{"type":"order.created",  "id":1}`
	at := now.Unix()
	good := signature(t, newKey, id, at, body)
	stranger := "whsec_" + base64.StdEncoding.EncodeToString([]byte("the key of somebody else"))
	tests := map[string]struct {
		id, moment, signature, body string
		good                        bool
	}{
		"as it was signed":         {id, fmt.Sprint(at), good, body, true},
		"by the old key":           {id, fmt.Sprint(at), signature(t, oldKey, id, at, body), body, true},
		"the second of two":        {id, fmt.Sprint(at), "v1,AAAA " + good, body, true},
		"beside another version":   {id, fmt.Sprint(at), "v1a,xyz " + good, body, true},
		"five minutes old":         {id, fmt.Sprint(at - 300), signature(t, newKey, id, at-300, body), body, true},
		"five minutes ahead":       {id, fmt.Sprint(at + 300), signature(t, newKey, id, at+300, body), body, true},
		"older":                    {id, fmt.Sprint(at - 301), signature(t, newKey, id, at-301, body), body, false},
		"further ahead":            {id, fmt.Sprint(at + 301), signature(t, newKey, id, at+301, body), body, false},
		"another body":             {id, fmt.Sprint(at), good, body + " ", false},
		"the body encoded anew":    {id, fmt.Sprint(at), good, `{"id":1,"type":"order.created"}`, false},
		"another id":               {"msg_2", fmt.Sprint(at), good, body, false},
		"another moment":           {id, fmt.Sprint(at + 1), good, body, false},
		"a moment written twice":   {id, "0" + fmt.Sprint(at), good, body, false},
		"an id with a dot":         {"msg.1", fmt.Sprint(at), signature(t, newKey, "msg.1", at, body), body, false},
		"somebody else's key":      {id, fmt.Sprint(at), signature(t, stranger, id, at, body), body, false},
		"another version alone":    {id, fmt.Sprint(at), "v2," + strings.TrimPrefix(good, "v1,"), body, false},
		"no version":               {id, fmt.Sprint(at), strings.TrimPrefix(good, "v1,"), body, false},
		"a signature of no form":   {id, fmt.Sprint(at), "v1,%%%", body, false},
		"no signature":             {id, fmt.Sprint(at), "", body, false},
		"no id":                    {"", fmt.Sprint(at), signature(t, newKey, "", at, body), body, false},
		"no moment":                {id, "", good, body, false},
		"the right one, too late":  {id, fmt.Sprint(at), strings.Repeat("v1,AAAA ", 1000) + good, body, false},
		"an empty body, as signed": {id, fmt.Sprint(at), signature(t, newKey, id, at, ""), "", true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/", strings.NewReader(tc.body))
			r.Header.Set("webhook-id", tc.id)
			r.Header.Set("webhook-timestamp", tc.moment)
			r.Header.Set("webhook-signature", tc.signature)
			got, again, err := verifier(t, never).Read(httptest.NewRecorder(), r)
			if tc.good && (err != nil || again || string(got) != tc.body) {
				t.Errorf("got %q, %v, %v", got, again, err)
			}
			if !tc.good && (!fault.Is(err, fault.Unauthorized) || got != nil) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// F-49: the same request again is known, and one that is not genuine leaves no
// trace.
func TestARepetitionIsKnown(t *testing.T) {
	t.Parallel()
	ids := map[string]int{}
	v := verifier(t, func(_ context.Context, id string) (bool, error) {
		ids[id]++
		return ids[id] > 1, nil
	})
	read := func(id, sign string) (bool, error) {
		r := httptest.NewRequest("POST", "/", strings.NewReader("x"))
		r.Header.Set("webhook-id", id)
		r.Header.Set("webhook-timestamp", fmt.Sprint(now.Unix()))
		r.Header.Set("webhook-signature", sign)
		_, again, err := v.Read(httptest.NewRecorder(), r)
		return again, err
	}
	if _, err := read("msg_1", "v1,AAAA"); err == nil || len(ids) != 0 {
		t.Errorf("%v, and noted are %v", err, ids)
	}
	for i := range 3 {
		if again, err := read("msg_1", signature(t, newKey, "msg_1", now.Unix(), "x")); err != nil ||
			again != (i > 0) {
			t.Errorf("time %d: %v, %v", i+1, again, err)
		}
	}
	broken := verifier(t, func(context.Context, string) (bool, error) { return false, errors.New("away") })
	r := httptest.NewRequest("POST", "/", strings.NewReader(strings.Repeat("x", 2<<20)))
	if _, _, err := broken.Read(httptest.NewRecorder(), r); !fault.Is(err, fault.TooLarge) {
		t.Errorf("two megabytes: %v", err)
	}
}

func TestKeysMustBeKeys(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{"none": nil, "empty": {""}, "no base64": {"whsec_%%"},
		"short": {"whsec_YWJj"}, "one of two": {newKey, "x"}} {
		if _, err := webhook.New(webhook.Config{Keys: keys, Seen: never, Now: time.Now}); err == nil ||
			strings.Contains(err.Error(), "YWJj") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
