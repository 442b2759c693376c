package sqs

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"time"
)

// sign puts a Signature Version 4 on a request that has neither a query nor a
// path that needs escaping. All headers that are set are signed.
func sign(r *http.Request, body []byte, c Credentials, region, service string, now time.Time) {
	moment := now.UTC().Format("20060102T150405Z")
	r.Header.Set("X-Amz-Date", moment)
	if c.Session != "" {
		r.Header.Set("X-Amz-Security-Token", c.Session.Reveal())
	}
	names := []string{"host"}
	for name := range r.Header {
		names = append(names, strings.ToLower(name))
	}
	slices.Sort(names)
	var canonical strings.Builder
	canonical.WriteString(r.Method + "\n" + r.URL.EscapedPath() + "\n\n")
	for _, name := range names {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.URL.Host
		}
		canonical.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	signed := strings.Join(names, ";")
	canonical.WriteString("\n" + signed + "\n" + digest(body))
	scope := strings.Join([]string{moment[:8], region, service, "aws4_request"}, "/")
	text := strings.Join([]string{"AWS4-HMAC-SHA256", moment, scope, digest([]byte(canonical.String()))}, "\n")
	key := []byte("AWS4" + c.Secret.Reveal())
	for _, part := range []string{moment[:8], region, service, "aws4_request"} {
		key = mac(key, part)
	}
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+c.ID+"/"+scope+", SignedHeaders="+signed+
		", Signature="+hex.EncodeToString(mac(key, text)))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
