package openapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/api/openapi"
)

func TestTheDocumentIsServedOnceToEachClient(t *testing.T) {
	h := openapi.Handler()
	first := httptest.NewRecorder()
	h.ServeHTTP(first, httptest.NewRequest(http.MethodGet, "/api/openapi.json", nil))
	var doc struct{ OpenAPI string }
	if err := json.Unmarshal(first.Body.Bytes(), &doc); err != nil || doc.OpenAPI != "3.1.0" {
		t.Fatalf("it says %q, %v", doc.OpenAPI, err)
	}
	if got := first.Header().Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("its type is %q", got)
	}
	again := httptest.NewRequest(http.MethodGet, "/api/openapi.json", nil)
	again.Header.Set("If-None-Match", first.Header().Get("ETag"))
	second := httptest.NewRecorder()
	h.ServeHTTP(second, again)
	if second.Code != http.StatusNotModified || second.Body.Len() != 0 {
		t.Errorf("sent again: status %d, %d bytes", second.Code, second.Body.Len())
	}
}
