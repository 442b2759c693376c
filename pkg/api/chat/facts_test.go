package chat_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
)

// S0-62: a price, date or code of an answer that is in no result, no verified
// earlier turn and no words of the person is named below the answer and in
// degraded, in each representation; what was read, said or computed is not.
func TestAnAnswerSaysWhatNoRecordShows(t *testing.T) {
	t.Parallel()
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, code, name, price, per)
		select $1, id, 'KAYAK', 'Kayak', 45, 'guest' from public.entities where org_id = $1`, org.ID)
	read := script.Step{Calls: []script.Call{{Name: "list_extras"}}}
	const invented = "Kayak is ₹45.00 per guest, so ₹180 for 4. The sauna is ₹62.00 with the coupon SAUNA20, from " +
		"17 June 2031."
	const note = "Note: no record that was read for this answer shows ₹62.00, SAUNA20, 17 June 2031."
	said := user("List the extras for 4 guests on 9 March 2031")
	for _, accept := range []string{"application/json", "text/event-stream"} {
		d := open(t, script.Route("inventory"), read, script.Step{Text: invented})
		_, raw := d.post(t, "/api/chat", org.Manager.Token, accept, map[string]any{"messages": []any{said}})
		if s := string(raw); !strings.Contains(s, note) || !strings.Contains(s, `"degraded":["unsupported_facts"]`) {
			t.Errorf("%s: %s", accept, raw)
		}
	}
	// What the verified answer before read is no news, and the note is no source.
	d := open(t, script.Route("inventory"), read, script.Step{Text: "Kayak is ₹45.00 per guest."},
		script.Step{Text: "On 9 March 2031 it is ₹45, for 4 of you ₹180.00."},
		script.Step{Text: "The sauna is ₹62.00."}, script.Step{Text: "Yes, ₹62.00."})
	messages := []any{said}
	for i, want := range []bool{false, false, true, true} {
		_, raw := d.post(t, "/api/chat", org.Manager.Token, "", map[string]any{"id": "facts-1", "agent": "inventory",
			"messages": messages})
		a := answer(t, raw)
		if slices.Contains(a.Degraded, "unsupported_facts") != want {
			t.Errorf("answer %d: %q, %v", i, a.Reply, a.Degraded)
		}
		messages = append(messages, a.Message, user("And on that day? And the sauna, really?"))
	}
}
