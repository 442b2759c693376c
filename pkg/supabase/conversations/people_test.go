package conversations_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// Clients choose the names of turns: two people's may be the same, and no one
// takes the place of another's answer.
func TestTurnsOfTwoPeople(t *testing.T) {
	t.Parallel()
	h := open(t)
	bram := h.member("manager", "Bram")
	id := h.say(h.asha, saying("c", "1", "Asha asks")).ID
	if _, err := h.store.Add(t.Context(), h.asha, id, bram.Email); err != nil {
		t.Fatal(err)
	}
	h.answer(bram, id, "1", "Forged for Asha.")
	his := saying(id, "1", "Bram asks")
	his.MessageID = "1"
	h.say(bram, his)
	for range 2 {
		h.answer(h.asha, id, "1", "To Asha.")
		h.answer(bram, id, "1", "To Bram.")
	}
	if got := h.texts(h.asha, id); got != "1 user Asha asks; 2 assistant Forged for Asha.; 3 user Bram asks; 4 "+
		"assistant To Asha." {
		t.Errorf("it holds %s", got)
	}
	// The token of her answer is bound to this name.
	if rows := h.sql(`select client_id from public.chat_messages where org_id = $1 and content = 'To Asha.'`); rows[0]["client_id"] != "1" {
		t.Errorf("%v", rows)
	}
}

// A request that comes late once more does not say again what was replaced.
func TestALateRepetitionSaysNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	id := h.say(h.asha, saying("c", "t1", "One")).ID
	edited := saying(id, "t2", "Two")
	edited.Replaces, edited.MessageID = "m-t1", "m-t1"
	h.say(h.asha, edited)
	h.say(h.asha, saying("c", "t1", "One"))
	if got := h.texts(h.asha, id); got != "2 user Two" {
		t.Errorf("it holds %s", got)
	}
}

// S2-62
func TestADeletedConversationCanBeRestored(t *testing.T) {
	t.Parallel()
	h := open(t)
	ctx := t.Context()
	id := h.say(h.asha, saying("c", "t1", "Hello")).ID
	for range 2 {
		if err := h.store.Delete(ctx, h.asha, id); err != nil {
			t.Fatal(err)
		}
	}
	// A turn that was running is kept; a new one is refused.
	h.answer(h.asha, id, "t1", "Welcome.")
	_, err := h.store.RecordMessage(ctx, h.asha, saying("c", "t2", "More"))
	wantCode(t, err, "conversation_deleted")
	_, err = h.store.Messages(ctx, h.asha, id, 0, 10)
	wantCode(t, err, "conversation_deleted")
	list := func(deleted bool) int {
		p, err := h.store.List(ctx, h.asha, conversations.Filter{Deleted: deleted})
		if err != nil {
			t.Fatal(err)
		}
		return len(p.Conversations)
	}
	if list(false) != 0 || list(true) != 1 {
		t.Errorf("%d live, %d deleted", list(false), list(true))
	}
	bram := h.member("admin", "Bram")
	wantCode(t, h.store.Delete(ctx, bram, id), "conversation_not_found")
	d, err := h.store.Restore(ctx, h.asha, id)
	if err != nil || d.DeletedAt != nil || d.Version != 3 {
		t.Fatalf("restored %+v, %v", d, err)
	}
	if got := h.texts(h.asha, id); got != "1 user Hello; 2 assistant Welcome." {
		t.Errorf("it holds %s", got)
	}
}

// F-64: of two tabs that saw the same, one changes and the other is shown what
// is there now.
func TestTwoTabsLoseNothing(t *testing.T) {
	t.Parallel()
	h := open(t)
	ctx := t.Context()
	id := h.say(h.asha, saying("c", "t1", "Hello")).ID
	type change struct {
		d   conversations.Detail
		err error
	}
	all := together(20, func(i int) change {
		d, err := h.store.Change(ctx, h.asha, id, 1,
			conversations.Change{ExtractedData: json.RawMessage(fmt.Sprintf(`{"n%d":{"a":[1]}}`, i))})
		return change{d, err}
	})
	won := 0
	for _, c := range all {
		switch {
		case c.err == nil:
			won++
		case fault.From(c.err).PublicCode() != "changed" || c.d.Version != 2 || len(c.d.ExtractedData) < 10:
			t.Errorf("%+v, %v", c.d, c.err)
		}
	}
	if won != 1 {
		t.Errorf("%d of 20 won", won)
	}
	// S3-19: members are merged, at any depth, and null takes one away.
	h.sql(`update public.chat_sessions set extracted_data = '{"a":{"b":1,"c":2},"d":1}' where org_id = $1`)
	phase := "images"
	d, err := h.store.Change(ctx, h.asha, id, 2, conversations.Change{Phase: &phase,
		ExtractedData: json.RawMessage(`{"a":{"b":null,"e":"x\u0000"},"f":[2]}`)})
	if err != nil || d.Phase != "images" || d.Version != 3 {
		t.Fatalf("%+v, %v", d, err)
	}
	var data any
	if err := json.Unmarshal(d.ExtractedData, &data); err != nil ||
		fmt.Sprint(data) != "map[a:map[c:2 e:x\ufffd] d:1 f:[2]]" {
		t.Errorf("the data are %s, %v", d.ExtractedData, err)
	}
	// Talking is no change.
	h.say(h.asha, saying("c", "t2", "More"))
	if d, err := h.store.Details(ctx, h.asha, id); err != nil || d.Version != 3 {
		t.Errorf("version %d, %v", d.Version, err)
	}
}

func TestPeople(t *testing.T) {
	t.Parallel()
	h := open(t)
	ctx := t.Context()
	bram, chitra := h.member("viewer", "Bram"), h.member("admin", "Chitra")
	id := h.say(h.asha, saying("c", "t1", "Hello")).ID
	people, err := h.store.Add(ctx, h.asha, id, " "+strings.ToUpper(bram.Email))
	if err != nil || len(people) != 2 || people[0].Email != h.asha.Email || !people[0].Owner ||
		people[1].Name != "Bram" || people[1].Me {
		t.Fatalf("%+v, %v", people, err)
	}
	h.say(bram, saying(id, "t2", "Hello, too"))
	d, err := h.store.Details(ctx, bram, id)
	if err != nil || d.Mine || !slices.Equal(d.People, []string{h.asha.Name, "Bram"}) || d.MessageCount != 2 {
		t.Errorf("%+v, %v", d, err)
	}
	if rows := h.sql(`select user_display_name as name from public.chat_messages where org_id = $1 order by seq`); rows[1]["name"] != "Bram" {
		t.Errorf("%v", rows)
	}
	_, err = h.store.People(ctx, chitra, id)
	wantCode(t, err, "conversation_not_found")
	_, err = h.store.Add(ctx, chitra, id, chitra.Email)
	wantCode(t, err, "conversation_not_found")
	_, err = h.store.Remove(ctx, bram, id, h.asha.Email)
	wantCode(t, err, "owner_stays")
	_, err = h.store.Add(ctx, bram, id, "nobody@elsewhere.example")
	wantCode(t, err, "unknown_person")
	if _, err = h.store.Add(ctx, bram, id, chitra.Email); err != nil {
		t.Fatal(err)
	}
	_, err = h.store.Remove(ctx, bram, id, chitra.Email)
	wantCode(t, err, "not_yours")
	wantCode(t, h.store.Delete(ctx, bram, id), "not_yours")
	if _, err = h.store.Remove(ctx, h.asha, id, bram.Email); err != nil {
		t.Fatal(err)
	}
	// The tab that is still open: the answer to what he said is kept, then it is over.
	h.answer(bram, id, "t2", "Welcome, both.")
	_, err = h.store.Messages(ctx, bram, id, 0, 10)
	wantCode(t, err, "conversation_not_found")
	if said := h.say(bram, saying(id, "t3", "Still there?")); said.ID == id || !said.New {
		t.Errorf("what he says now leads to %+v", said)
	}
	// Whose owner has left, everybody in it may delete.
	hers := h.say(chitra, saying("hers", "t1", "Mine")).ID
	if _, err := h.store.Add(ctx, chitra, hers, bram.Email); err != nil {
		t.Fatal(err)
	}
	wantCode(t, h.store.Delete(ctx, bram, hers), "not_yours")
	h.sql(`delete from public.memberships where org_id = $1 and user_id = $2`, chitra.UserID)
	if err := h.store.Delete(ctx, bram, hers); err != nil {
		t.Error(err)
	}
	_, err = h.store.Messages(ctx, chitra, id, 0, 10)
	wantCode(t, err, "not_a_member")
}
