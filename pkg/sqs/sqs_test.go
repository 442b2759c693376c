package sqs_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/sqs"
)

func TestMessagesGoTenToARequest(t *testing.T) {
	t.Parallel()
	var got []string
	var requests []int
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		var in struct {
			URL     string `json:"QueueUrl"`
			Entries []struct {
				ID          string `json:"Id"`
				MessageBody string
			}
		}
		if err := json.Unmarshal(body, &in); err != nil {
			t.Error(err)
		}
		for name, want := range map[string]string{"X-Amz-Target": "AmazonSQS.SendMessageBatch",
			"Content-Type": "application/x-amz-json-1.0", "X-Amz-Security-Token": "session"} {
			if r.Header.Get(name) != want {
				t.Errorf("%s is %q", name, r.Header.Get(name))
			}
		}
		if a := r.Header.Get("Authorization"); !strings.HasPrefix(a,
			"AWS4-HMAC-SHA256 Credential=KEY/20261121/eu-west-1/sqs/aws4_request, "+
				"SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, ") {
			t.Errorf("it is signed %s", a)
		}
		if !strings.HasSuffix(in.URL, "/1/summaries") {
			t.Errorf("it is for %s", in.URL)
		}
		ids := map[string]bool{}
		for _, e := range in.Entries {
			ids[e.ID] = true
			got = append(got, e.MessageBody)
		}
		if len(ids) != len(in.Entries) {
			t.Errorf("two messages share an id: %v", in.Entries)
		}
		requests = append(requests, len(in.Entries))
		switch {
		case strings.Contains(string(body), "message 3 "):
			fmt.Fprint(w, `{"Failed":[{"Id":"m3","Code":"InternalError","SenderFault":false}],"Successful":[]}`)
		case strings.Contains(string(body), "message 13 "):
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"__type":"com.amazonaws.sqs#AccessDenied"}`)
		default:
			fmt.Fprint(w, `{"Successful":[]}`)
		}
	}))
	t.Cleanup(service.Close)
	q, err := sqs.New(sqs.Config{URL: service.URL + "/1/summaries", Region: "eu-west-1",
		Now: func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) },
		Credentials: func() sqs.Credentials {
			return sqs.Credentials{ID: "KEY", Secret: "secret",
				Session: "session"}
		}})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i := range 23 {
		all = append(all, fmt.Sprintf("message %d \"quoted\"", i))
	}
	err = q.Send(t.Context(), all)
	// Every message was tried, whatever became of those before it.
	if fmt.Sprint(requests) != "[10 10 3]" || fmt.Sprint(got) != fmt.Sprint(all) {
		t.Errorf("%v: %q", requests, got)
	}
	if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "refused 1 of 10") ||
		!strings.Contains(err.Error(), "AccessDenied") {
		t.Errorf("it says %v", err)
	}
	requests = nil
	if err := q.Send(t.Context(), all[20:]); err != nil || fmt.Sprint(requests) != "[3]" {
		t.Errorf("%v, %v", requests, err)
	}
}

func TestAQueueMustBeOne(t *testing.T) {
	t.Parallel()
	for address, good := range map[string]bool{
		"https://sqs.eu-west-1.amazonaws.com/123456789012/name": true,
		"https://sqs.cn-north-1.amazonaws.com.cn/1/name":        true,
		"": false, "name": false, "https://sqs.eu-west-1.amazonaws.com/": false, "https://queue.example/1/name": false,
		"ftp://sqs.eu-west-1.amazonaws.com/1/name": false,
	} {
		_, err := sqs.New(sqs.Config{URL: address, Now: time.Now,
			Credentials: func() sqs.Credentials { return sqs.Credentials{} }})
		if (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
	}
}
