package rest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/rest"
)

// TestReasonPhrase sends the phrase that SQL chose where that is asked for, and
// a phrase cannot add lines to the answer.
func TestReasonPhrase(t *testing.T) {
	w := newWorld(t)
	w.sql(t, `create function public.refuse(phrase text) returns void language plpgsql as $$ begin raise sqlstate
		'PT402' using message = phrase; end $$`)
	tests := map[string]struct {
		phrases      bool
		phrase, want string
	}{
		"its own":      {true, "Out of gold", "402 Out of gold"},
		"the standard": {false, "Out of gold", "402 Payment Required"},
		"one line":     {true, "a\r\nX-Evil: 1", "402 a  X-Evil: 1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(w.serve(t, func(c *rest.Config) { c.ReasonPhrases = tt.phrases }))
			defer server.Close()
			phrase, err := json.Marshal(tt.phrase)
			if err != nil {
				t.Fatal(err)
			}
			body := strings.NewReader(`{"phrase":` + string(phrase) + `}`)
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/rpc/refuse", body)
			if err != nil {
				t.Fatal(err)
			}
			got, err := server.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer got.Body.Close()
			text, err := io.ReadAll(got.Body)
			if err != nil || got.Status != tt.want || got.Header.Get("X-Evil") != "" || !strings.Contains(string(text),
				"PT402") {
				t.Errorf("%q %v %s %v, want %q", got.Status, got.Header, text, err, tt.want)
			}
		})
	}
}
