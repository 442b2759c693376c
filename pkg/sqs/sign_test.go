package sqs

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// The published vectors "get-vanilla" and "post-vanilla" of Signature Version 4.
func TestTheSignatureIsTheStandardOne(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]string{
		"GET":  "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
		"POST": "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
	} {
		r, err := http.NewRequestWithContext(t.Context(), method, "https://example.amazonaws.com/", nil)
		if err != nil {
			t.Fatal(err)
		}
		sign(r, nil, Credentials{ID: "AKIDEXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}, "us-east-1",
			"service", time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC))
		if got := r.Header.Get("Authorization"); !strings.HasSuffix(got, "SignedHeaders=host;x-amz-date, Signature="+
			want) {
			t.Errorf("%s: %s", method, got)
		}
	}
}
