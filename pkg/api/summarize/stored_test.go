package summarize_test

import (
	"strings"
	"testing"
)

const (
	oldKey = "whsec_b2xkIGtleSBvbGQga2V5IG9sZCBrZXkgb2xk"
	newKey = "whsec_bmV3IGtleSBuZXcga2V5IG5ldyBrZXkgbmV3"
)

// S3-20: the summary of a stored conversation is made when a session ends, kept
// with it, and grows with it.
func TestAStoredConversationIsSummedUp(t *testing.T) {
	t.Parallel()
	r := open(t)
	me := r.org.Manager
	id := r.talk(me, "", dinner()...)
	if before := r.want(200, "GET", "/api/summarize/"+id, me.Token, nil); before["state"] != "none" || before["covers"] != 0.0 || before["messages"] != 6.0 {
		t.Errorf("before: %v", before)
	}
	got := r.want(200, "POST", "/api/summarize/"+id, me.Token, object{"reason": "end"})
	text, _ := got["summary"].(string)
	if got["outcome"] != "done" || got["state"] != "done" || got["covers"] != 6.0 || !strings.HasPrefix(text, "Summary of the first 6 messages.\n\n") || !strings.Contains(text, "Asha Verma") {
		t.Fatalf("it answers %v", got)
	}
	if facts := got["keyFacts"].([]any); len(facts) == 0 {
		t.Error("no fact is kept")
	}
	t.Logf("%s", text)
}
