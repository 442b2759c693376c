package storage_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/effect"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/supabase/storage"
)

// store is a file store that answers as it is told, and keeps what it was asked.
type store struct {
	storage.Bucket
	url    string
	mu     sync.Mutex
	asked  []string
	answer http.HandlerFunc
}

func open(t *testing.T, answer http.HandlerFunc) *store {
	t.Helper()
	return openWith(t, "sb_publishable_x", answer)
}

func openWith(t *testing.T, key identity.Secret, answer http.HandlerFunc) *store {
	t.Helper()
	s := &store{answer: answer}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what did not arrive is missed below
		s.mu.Lock()
		s.asked = append(s.asked, strings.TrimSpace(r.Method+" "+r.RequestURI+" "+r.Header.Get("Authorization")+" "+
			string(body)))
		s.mu.Unlock()
		s.answer(w, r)
	}))
	t.Cleanup(server.Close)
	client, err := supabase.New(supabase.Config{URL: server.URL, PublishableKey: key})
	if err != nil {
		t.Fatal(err)
	}
	s.Bucket, s.url = storage.New(client, "papers"), server.URL
	return s
}

func by() identity.Caller { return identity.Caller{Token: "mira"} }

func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // the client may have gone
	}
}

// What is public is read without a user: by the gateway's token for a publishable key,
// and by a legacy key, which is a token itself.
func TestPublicFilesAreReadWithoutAUser(t *testing.T) {
	t.Parallel()
	for key, want := range map[identity.Secret]string{
		"sb_publishable_x":   "GET /storage/v1/object/authenticated/papers/a",
		"eyJhbGciOiJIUzI1Ni": "GET /storage/v1/object/authenticated/papers/a Bearer eyJhbGciOiJIUzI1Ni",
	} {
		s := openWith(t, key, says(200, "words"))
		content, _, err := s.Read(t.Context(), identity.Caller{}, "a", 10)
		if string(content) != "words" || err != nil || !slices.Equal(s.asked, []string{want}) {
			t.Errorf("%q, %v; asked was %q", content, err, s.asked)
		}
	}
}

// Names are escaped part by part, and the caller's own token asks.
func TestRequestsSayWhatIsMeant(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := open(t, says(200, `{"url":"/object/upload/sign/papers/a/b?token=t1","token":"t1","signedURL":"/object/sign/`+
		`papers/a/b?token=t2","size":7,"content_type":"text/plain"}`))
	address, token, err := s.SignUpload(ctx, by(), "a/ü #?%/b")
	if err != nil || address != s.url+"/storage/v1/object/upload/sign/papers/a/b?token=t1" || token != "t1" {
		t.Errorf("%s %s %v", address, token, err)
	}
	if address, err = s.SignDownload(ctx, by(), "a/b", "Spa & menu.pdf", time.Minute); err != nil || address != s.url+
		"/storage/v1/object/sign/papers/a/b?token=t2&download=Spa+%26+menu.pdf" {
		t.Errorf("%s %v", address, err)
	}
	if o, err := s.Info(ctx, by(), "a/b"); err != nil || o != (storage.Object{Size: 7, Type: "text/plain"}) {
		t.Errorf("%+v %v", o, err)
	}
	if err := s.Put(ctx, by(), "a/b", "text/plain", []byte("words")); err != nil {
		t.Error(err)
	}
	if err := s.Remove(ctx, by(), "a/b", "a/c"); err != nil {
		t.Error(err)
	}
	if err := s.Remove(ctx, by()); err != nil {
		t.Error(err)
	}
	want := []string{
		"POST /storage/v1/object/upload/sign/papers/a/%C3%BC%20%23%3F%25/b Bearer mira",
		`POST /storage/v1/object/sign/papers/a/b Bearer mira {"expiresIn":60}`,
		"GET /storage/v1/object/info/papers/a/b Bearer mira",
		"POST /storage/v1/object/papers/a/b Bearer mira words",
		`DELETE /storage/v1/object/papers Bearer mira {"prefixes":["a/b","a/c"]}`,
	}
	if !slices.Equal(s.asked, want) {
		t.Errorf("asked\n%s\nwant\n%s", strings.Join(s.asked, "\n"), strings.Join(want, "\n"))
	}
	for _, name := range []string{"", "..", "a/../b", "a//b", "/a", "a/.", "a/"} {
		if _, _, err := s.SignUpload(ctx, by(), name); err == nil {
			t.Errorf("the name %q is taken", name)
		}
	}
	if err := s.Put(effect.ReadOnly(ctx), by(), "a/b", "text/plain", nil); !fault.Is(err, fault.Internal) {
		t.Errorf("a reading tool wrote: %v", err)
	}
	if len(s.asked) != len(want) {
		t.Errorf("more was asked: %v", s.asked[len(want):])
	}
}

// An address that leads elsewhere is not handed on.
func TestAddressesStayAtTheProject(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"https://evil.example/object/x?token=t", "//evil.example/object/x", "/evil", "",
		"object/x", "\x00"} {
		s := open(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"url":"`+url+`","signedURL":"`+url+`"}`)
		})
		if address, _, err := s.SignUpload(t.Context(), by(), "a"); err == nil {
			t.Errorf("%q became %s", url, address)
		}
		if address, err := s.SignDownload(t.Context(), by(), "a", "", time.Minute); err == nil {
			t.Errorf("%q became %s", url, address)
		}
	}
}

// Reads are bounded, whatever the store sends.
func TestReadsAreBounded(t *testing.T) {
	t.Parallel()
	const whole = "0123456789"
	serve := func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(whole))
	}
	for most, want := range map[int64]string{4: "0123", 10: whole, 99: whole} {
		content, size, err := open(t, serve).Read(t.Context(), by(), "a", most)
		if err != nil || string(content) != want || size != 10 {
			t.Errorf("at most %d: %q of %d, %v", most, content, size, err)
		}
	}
	if _, _, err := open(t, says(200, whole)).Read(t.Context(), by(), "a", 4); !fault.Is(err, fault.TooLarge) {
		t.Errorf("a store that knows no ranges: %v", err)
	}
	empty := open(t, says(400, `{"statusCode":"416","error":"InvalidRange",`+
		`"message":"The requested range is not satisfiable"}`))
	if content, size, err := empty.Read(t.Context(), by(), "a", 4); err != nil || len(content) != 0 || size != 0 {
		t.Errorf("an empty object: %q %d %v", content, size, err)
	}
}

// A refusal has the kind that its body means, and a sentence without a cause.
func TestRefusalsHaveTheirKind(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]fault.Kind{
		`{"statusCode":"404","error":"not_found","message":"Object not found"}`:               fault.NotFound,
		`{"statusCode":"409","error":"Duplicate","message":"The resource already exists"}`:    fault.Conflict,
		`{"statusCode":"413","error":"Payload too large","message":"exceeded"}`:               fault.TooLarge,
		`{"statusCode":"403","error":"Unauthorized","message":"row-level security of table"}`: fault.Forbidden,
		`{"statusCode":403,"error":"Unauthorized","message":"as a number"}`:                   fault.Forbidden,
		`{"statusCode":"500","error":"Internal","message":"s3 said secret-bucket-7"}`:         fault.Unavailable,
		`{"statusCode":"400","error":{"odd":1},"message":"?"}`:                                fault.Internal,
		`{"statusCode":"500","error":"Internal","message":"ENOSPC: no space left, write"}`:    fault.Full,
		`{"statusCode":"507","error":"InsufficientStorage","message":"x"}`:                    fault.Full,
		`<html>`: fault.Internal,
	} {
		_, _, err := open(t, says(400, body)).SignUpload(t.Context(), by(), "a")
		if f := fault.From(err); err == nil || f.Kind != want || f.Message == "" ||
			strings.Contains(f.Message, "secret") || strings.Contains(f.Message, "table") {
			t.Errorf("%s became %v", body, err)
		}
	}
	// Trouble that passes is worth another try, where nothing is written.
	tries := 0
	s := open(t, nil)
	s.answer = func(w http.ResponseWriter, r *http.Request) {
		if tries++; tries < 3 {
			says(503, "busy")(w, r)
			return
		}
		says(200, `{"url":"/object/upload/sign/papers/a?token=t","token":"t"}`)(w, r)
	}
	if _, _, err := s.SignUpload(t.Context(), by(), "a"); err != nil || tries != 3 {
		t.Errorf("after %d tries: %v", tries, err)
	}
	tries = 0
	if err := s.Put(t.Context(), by(), "a", "text/plain", []byte("x")); !fault.Is(err, fault.Unavailable) ||
		tries != 1 {
		t.Errorf("written %d times: %v", tries, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.SignUpload(gone, by(), "a"); !fault.Is(err, fault.Canceled) {
		t.Errorf("nobody waits: %v", err)
	}
}
