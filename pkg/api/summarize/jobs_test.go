package summarize_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"time"
)

const (
	oldKey = "whsec_b2xkIGtleSBvbGQga2V5IG9sZCBrZXkgb2xk"
	newKey = "whsec_bmV3IGtleSBuZXcga2V5IG5ldyBrZXkgbmV3"
)

func signature(key, id string, at int64, body string) string {
	raw, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(key, "whsec_")) // keys of this file
	h := hmac.New(sha256.New, raw)
	fmt.Fprintf(h, "%s.%d.%s", id, at, body)
	return "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// hook asks for a summary as another server would.
func (r *rig) hook(ctx context.Context, name, org, id string) (int, object) {
	body := fmt.Sprintf(`{"type":"conversation.summarize","timestamp":"2026-11-21T12:00:00Z","data":{"orgId":%q,"sessionId":%q}}`, org, id)
	at := time.Now().Unix()
	return r.call(ctx, "POST", "/api/webhooks/summarize", "", body, "webhook-id", name, "webhook-timestamp", fmt.Sprint(at), "webhook-signature", signature(newKey, name, at, body))
}
