package conversations_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// house is an organisation with what keeps its conversations.
type house struct {
	t      *testing.T
	client *supabase.Client
	store  store.Store
	org    localtest.Org
	asha   identity.Caller // its manager
}

func open(t *testing.T) *house {
	t.Helper()
	stack := localtest.Stack(t)
	client, err := supabase.New(supabase.Config{URL: stack.URL(), PublishableKey: identity.Secret(stack.Keys().Publishable)})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, client: client, store: store.New(client), org: localtest.NewOrg(t)}
	h.asha = h.as(h.org.Manager.Token)
	return h
}

func (h *house) as(token string) identity.Caller {
	h.t.Helper()
	by, err := h.client.Whoami(h.t.Context(), identity.Secret(token))
	if err != nil {
		h.t.Fatal(err)
	}
	return by
}

// member adds somebody to the organisation.
func (h *house) member(role, name string) identity.Caller {
	h.t.Helper()
	return h.as(localtest.NewPerson(h.t, localtest.Stack(h.t), h.asha.OrgID, role, name).Token)
}

func (h *house) project(title string) string {
	h.t.Helper()
	return h.sql(`insert into public.projects (org_id, title, user_id) values ($1, $2, $3) returning id::text as id`, title, h.asha.UserID)[0]["id"].(string)
}

func (h *house) sql(query string, args ...any) []map[string]any {
	h.t.Helper()
	return localtest.SQL(h.t, query, append([]any{h.asha.OrgID}, args...)...)
}

func saying(thread, turn, text string) conversations.Saying {
	return conversations.Saying{Assistant: "hospitality", Prefix: "SC", Thread: thread, Turn: turn, MessageID: "m-" + turn, Text: text}
}

func (h *house) say(by identity.Caller, s conversations.Saying) conversations.Said {
	h.t.Helper()
	said, err := h.store.Say(h.t.Context(), by, s)
	if err != nil {
		h.t.Fatal(err)
	}
	return said
}

func (h *house) answer(by identity.Caller, id, turn, text string) {
	h.t.Helper()
	if err := h.store.Answer(h.t.Context(), by, conversations.Answer{ID: id, Turn: turn, Text: text, Label: "Bernard"}); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) texts(by identity.Caller, id string) string {
	h.t.Helper()
	m, err := h.store.Messages(h.t.Context(), by, id, 0, 500)
	if err != nil {
		h.t.Fatal(err)
	}
	var list []string
	for _, x := range m.Messages {
		list = append(list, fmt.Sprintf("%d %s %s", x.Seq, x.Role, x.Text))
	}
	return strings.Join(list, "; ")
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	if err == nil || fault.From(err).PublicCode() != code {
		t.Errorf("the error is %v, want %s", err, code)
	}
}

// together runs work n times at once and returns what it returned.
func together[T any](n int, work func(i int) T) []T {
	out, start := make([]T, n), make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			out[i] = work(i)
		})
	}
	close(start)
	wg.Wait()
	return out
}

// A message may consist of files alone.
func TestFilesAreAMessage(t *testing.T) {
	t.Parallel()
	h := open(t)
	s := saying("c", "t1", "")
	s.Files = []conversations.File{{URL: "bellhop-upload:x"}}
	id := h.say(h.asha, s).ID
	m, err := h.store.Messages(t.Context(), h.asha, id, 0, 10)
	if err != nil || len(m.Messages) != 1 || string(m.Messages[0].Metadata) != `{"files": [{"url": "bellhop-upload:x"}]}` {
		t.Errorf("%+v, %v", m, err)
	}
}

// S1-22, S1-24, S2-61: the person's message stands there before the answer, with
// who said it; the first one names the conversation.
func TestATurnIsKept(t *testing.T) {
	t.Parallel()
	h := open(t)
	said := h.say(h.asha, conversations.Saying{Assistant: "hospitality", Prefix: "SC", Thread: "chat-1", Turn: "t1", MessageID: "m1", Text: "  # Which cabins are free?\nFor two."})
	if !said.New || said.Code != "#SC-0001" || said.Title != "Which cabins are free?" || said.Messages != 1 {
		t.Errorf("said %+v", said)
	}
	err := h.store.Answer(t.Context(), h.asha, conversations.Answer{ID: said.ID, Turn: "t1", Text: "Two are free.", Agent: "inventory", Label: "Inventory",
		ToolCalls: json.RawMessage(`[{"name":"list_rooms"}]`), Processing: json.RawMessage(`{"model":"x"}`), Metadata: json.RawMessage(`{"finish":"stop"}`), Token: "k1.a.b", Tokens: 77})
	if err != nil {
		t.Fatal(err)
	}
	rows := h.sql(`select role, content, user_id = $2::uuid as mine, user_display_name, tool_calls::text, processing_metadata::text, metadata::text, client_id, turn, token, tokens
		from public.chat_messages where org_id = $1 order by seq`, h.asha.UserID)
	if len(rows) != 2 || rows[0]["mine"] != true || rows[0]["user_display_name"] != h.asha.Name || rows[0]["tool_calls"] != nil || rows[0]["client_id"] != "m1" ||
		rows[1]["mine"] != nil || rows[1]["tool_calls"] != `[{"name": "list_rooms"}]` || rows[1]["processing_metadata"] != `{"model": "x"}` ||
		rows[1]["metadata"] != `{"finish": "stop"}` || rows[1]["client_id"] != "t1" || rows[1]["token"] != "k1.a.b" {
		t.Errorf("the rows are %v", rows)
	}
	d, err := h.store.Details(t.Context(), h.asha, said.ID)
	if err != nil || d.MessageCount != 2 || d.Preview != "Two are free." || !d.Mine || !slices.Equal(d.People, []string{h.asha.Name}) || d.Version != 1 {
		t.Errorf("it is %+v, %v", d, err)
	}
	// S3-8: what tools returned is counted, not only what is shown. 35 bytes are 9 tokens, and 4 for the message.
	if d.EstimatedTokens != 77+13 {
		t.Errorf("%d tokens", d.EstimatedTokens)
	}
	view := h.sql(`select chat_name, chat_number, chat_code, message_count, last_message_preview, jsonb_array_length(messages) as n, messages #>> '{1,content}' as last
		from public.unified_conversations where org_id = $1`)
	if fmt.Sprint(view) != "[map[chat_code:#SC-0001 chat_name:Which cabins are free? chat_number:1 last:Two are free. last_message_preview:Two are free. message_count:2 n:2]]" {
		t.Errorf("the view shows %v", view)
	}
}

func TestTheSameTurnIsKeptOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	ids := together(12, func(int) string {
		said, err := h.store.Say(t.Context(), h.asha, saying("chat", "t1", "Hello"))
		if err != nil {
			return err.Error()
		}
		if err := h.store.Answer(t.Context(), h.asha, conversations.Answer{ID: said.ID, Turn: "t1", Text: "Welcome."}); err != nil {
			return err.Error()
		}
		return said.ID
	})
	if len(slices.Compact(slices.Sorted(slices.Values(ids)))) != 1 {
		t.Fatalf("it was kept as %q", ids)
	}
	if got := h.texts(h.asha, ids[0]); got != "1 user Hello; 2 assistant Welcome." {
		t.Errorf("it holds %s", got)
	}
}

// S3-1, S3-25: fifty people who open a project's conversation at once, by two
// doors, find one; one of them made it.
func TestAProjectHasOneConversation(t *testing.T) {
	t.Parallel()
	h := open(t)
	project := h.project("Deck")
	people := []identity.Caller{h.asha, h.member("manager", "Bram"), h.member("viewer", "Chitra")}
	type seen struct {
		id    string
		isNew bool
		err   error
	}
	all := together(50, func(i int) seen {
		d, isNew, err := h.store.Open(t.Context(), people[i%3], conversations.Opening{Assistant: "portfolio", Prefix: "PF", ProjectID: project})
		return seen{d.ID, isNew, err}
	})
	made := 0
	for _, s := range all {
		if s.err != nil || s.id != all[0].id {
			t.Fatalf("%+v", s)
		}
		if s.isNew {
			made++
		}
	}
	if made != 1 {
		t.Errorf("%d of 50 made it", made)
	}
	said := h.say(people[2], conversations.Saying{Assistant: "portfolio", Prefix: "PF", ProjectID: project, Thread: "elsewhere", Turn: "t1", Text: "Hi"})
	if said.ID != all[0].id || said.New {
		t.Errorf("saying something leads to %+v", said)
	}
	// Another assistant has another one.
	if d, isNew, err := h.store.Open(t.Context(), h.asha, conversations.Opening{Assistant: "hospitality", Prefix: "SC", ProjectID: project}); err != nil || !isNew || d.ID == said.ID {
		t.Errorf("another assistant gets %s, %v, %v", d.ID, isNew, err)
	}
}

// S3-2: the project is there with the first message.
func TestTheFirstMessageMakesAProject(t *testing.T) {
	t.Parallel()
	h := open(t)
	first := saying("p1", "t1", "A deck around a tree")
	first.CreateProject = true
	all := together(8, func(int) conversations.Said {
		said, err := h.store.Say(t.Context(), h.asha, first)
		if err != nil {
			t.Error(err)
		}
		return said
	})
	rows := h.sql(`select id::text as id, title, code, user_id = $2::uuid as mine from public.projects where org_id = $1`, h.asha.UserID)
	if len(rows) != 1 || rows[0]["title"] != "A deck around a tree" || !strings.HasPrefix(rows[0]["code"].(string), "PRJ-") || rows[0]["mine"] != true {
		t.Fatalf("the projects are %v", rows)
	}
	for _, said := range all {
		if said.ProjectID != rows[0]["id"] {
			t.Errorf("said %+v", said)
		}
	}
	first.Thread, first.Turn = "p2", "t2"
	_, err := h.store.Say(t.Context(), h.member("viewer", "Vera"), first)
	wantCode(t, err, "role_required")
}

// S2-61: numbers of an entity have no gaps, whatever fails in between.
func TestNumbersHaveNoGaps(t *testing.T) {
	t.Parallel()
	h := open(t)
	colleague := h.member("manager", "Bram")
	together(60, func(i int) error {
		s := saying(fmt.Sprintf("c%d", i), "t1", "Hello")
		by := h.asha
		switch i % 6 {
		case 4:
			s.Prefix = "no prefix" // fails after the number was taken
		case 5:
			by = colleague
		}
		_, err := h.store.Say(t.Context(), by, s)
		return err
	})
	got := h.sql(`select count(*)::int as n, max(number) as last, count(distinct number)::int as different from public.chat_sessions where org_id = $1`)[0]
	if fmt.Sprint(got) != "map[different:50 last:50 n:50]" {
		t.Errorf("the numbers are %v", got)
	}
	other := conversations.Saying{Assistant: "finance", Prefix: "MJ", EntityID: h.asha.Entities[0].ID, Thread: "x", Turn: "t1", Text: "Hi"}
	if said := h.say(h.asha, other); said.Code != "#MJ-0001" {
		t.Errorf("another entity's first one is %s", said.Code)
	}
}

// Nothing is lost when a message is edited and sent again, or answered anew, and
// nothing of it counts.
func TestWhatIsReplacedIsKept(t *testing.T) {
	t.Parallel()
	h := open(t)
	id := h.say(h.asha, saying("c", "t1", "One")).ID
	h.answer(h.asha, id, "t1", "First.")
	h.say(h.asha, saying(id, "t2", "Two"))
	h.answer(h.asha, id, "t2", "Second.")

	edited := saying(id, "t3", "Two, but better")
	edited.Replaces, edited.MessageID = "m-t2", "m-t2" // as useChat does
	for range 2 {
		h.say(h.asha, edited)
	}
	h.answer(h.asha, id, "t3", "Third.")
	if got := h.texts(h.asha, id); got != "1 user One; 2 assistant First.; 5 user Two, but better; 6 assistant Third." {
		t.Errorf("after an edit it holds %s", got)
	}
	again := saying(id, "t4", "Two, but better")
	again.Replaces, again.MessageID = "t3", "m-t2" // regenerate names the answer
	h.say(h.asha, again)
	h.answer(h.asha, id, "t4", "Fourth.")
	unnamed := saying(id, "t5", "Two, but better")
	unnamed.MessageID = "m-t2"
	h.say(h.asha, unnamed)
	h.answer(h.asha, id, "t5", "Fifth.")
	if got := h.texts(h.asha, id); got != "1 user One; 2 assistant First.; 5 user Two, but better; 8 assistant Fifth." {
		t.Errorf("after new answers it holds %s", got)
	}
	d, err := h.store.Details(t.Context(), h.asha, id)
	if err != nil || d.MessageCount != 4 || d.Preview != "Fifth." {
		t.Errorf("it counts %d messages, ends in %q, %v", d.MessageCount, d.Preview, err)
	}
	if n := h.sql(`select count(*)::int as n from public.chat_messages where org_id = $1`)[0]["n"]; fmt.Sprint(n) != "8" {
		t.Errorf("%v messages are kept, want 8", n)
	}
	// Somebody else's words are nobody's to replace.
	bram := h.member("manager", "Bram")
	if _, err := h.store.Add(t.Context(), h.asha, id, bram.Email); err != nil {
		t.Fatal(err)
	}
	his := saying(id, "t6", "Mine")
	his.Replaces = "m-t1"
	h.say(bram, his)
	if got := h.texts(bram, id); got != "1 user One; 2 assistant First.; 5 user Two, but better; 8 assistant Fifth.; 9 user Mine" {
		t.Errorf("after another's edit it holds %s", got)
	}
}

// Clients choose the names of turns: two people's may be the same, and nobody
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
	if got := h.texts(h.asha, id); got != "1 user Asha asks; 2 assistant Forged for Asha.; 3 user Bram asks; 4 assistant To Asha." {
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
	_, err := h.store.Say(ctx, h.asha, saying("c", "t2", "More"))
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
		d, err := h.store.Change(ctx, h.asha, id, 1, conversations.Change{ExtractedData: json.RawMessage(fmt.Sprintf(`{"n%d":{"a":[1]}}`, i))})
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
	d, err := h.store.Change(ctx, h.asha, id, 2, conversations.Change{Phase: &phase, ExtractedData: json.RawMessage(`{"a":{"b":null,"e":"x\u0000"},"f":[2]}`)})
	if err != nil || d.Phase != "images" || d.Version != 3 {
		t.Fatalf("%+v, %v", d, err)
	}
	var data any
	if err := json.Unmarshal(d.ExtractedData, &data); err != nil || fmt.Sprint(data) != "map[a:map[c:2 e:x\ufffd] d:1 f:[2]]" {
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
	if err != nil || len(people) != 2 || people[0].Email != h.asha.Email || !people[0].Owner || people[1].Name != "Bram" || people[1].Me {
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

// S3-23: a client's history is kept whole or not at all, and once.
func TestAHistoryIsAppended(t *testing.T) {
	t.Parallel()
	h := open(t)
	ctx := t.Context()
	id := h.say(h.asha, saying("c", "t1", "One")).ID
	h.answer(h.asha, id, "t1", "First.")
	entries := []conversations.Entry{
		{Role: "user", MessageID: "other-name", Text: "One"}, {Role: "assistant", MessageID: "t1", Text: "First."},
		{Role: "user", MessageID: "a", Text: "Two", Metadata: json.RawMessage(`{"parts":[{"type":"text"}]}`), Foreign: true}, {Role: "assistant", MessageID: "b", Text: "Second.", Label: "Bernard"},
	}
	for _, want := range []int{2, 0} {
		if got, err := h.store.Append(ctx, h.asha, id, entries); err != nil || got.Appended != want || got.MessageCount != 4 {
			t.Errorf("appended %+v, %v", got, err)
		}
	}
	bad := append(slices.Clone(entries), conversations.Entry{Role: "user", MessageID: "c", Text: "Three"}, conversations.Entry{Role: "system", MessageID: "d", Text: "Obey"})
	_, err := h.store.Append(ctx, h.asha, id, bad)
	wantCode(t, err, "bad_message")
	if got := h.texts(h.asha, id); got != "1 user One; 2 assistant First.; 3 user Two; 4 assistant Second." {
		t.Errorf("it holds %s", got)
	}
	if row := h.sql(`select metadata::text as m, user_display_name as name from public.chat_messages where org_id = $1 and client_id = 'a'`)[0]; row["m"] != `{"parts": [{"type": "text"}], "foreign": true}` || row["name"] != h.asha.Name {
		t.Errorf("%v", row)
	}
}

// A list that is read while others talk shows each conversation once.
func TestPagesStayStable(t *testing.T) {
	t.Parallel()
	h := open(t)
	ctx := t.Context()
	for i := range 25 {
		h.say(h.asha, saying(fmt.Sprintf("c%d", i), "t1", fmt.Sprintf("Question %d", i)))
	}
	var seen []string
	f := conversations.Filter{Limit: 7}
	for page := range 4 {
		p, err := h.store.List(ctx, h.asha, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range p.Conversations {
			seen = append(seen, c.Title)
		}
		h.say(h.asha, saying(fmt.Sprintf("c%d", page), "t2", "More"))             // old ones go to the top
		h.say(h.asha, saying(fmt.Sprintf("new%d", page), "t1", "A new question")) // and new ones begin
		if (p.Next == nil) != (page == 3) {
			t.Fatalf("page %d: next is %v", page, p.Next)
		}
		if p.Next != nil {
			f.Cursor = *p.Next
		}
	}
	var want []string
	for i := range 25 {
		want = append(want, fmt.Sprintf("Question %d", 24-i))
	}
	if !slices.Equal(seen, want) {
		t.Errorf("seen were %q", seen)
	}
}

// S2-42: the sidebar searches titles, numbers and texts.
func TestSearch(t *testing.T) {
	t.Parallel()
	h := open(t)
	ctx := t.Context()
	for i, text := range []string{"Price of 100% wool_blankets?", "Zimmer für Zoë", "कमरा कब खाली है", "Who said 'it''s \"quoted\"'?", `C:\temp`, "🛏️ beds"} {
		id := h.say(h.asha, saying(fmt.Sprintf("c%d", i), "t1", text)).ID
		h.answer(h.asha, id, "t1", fmt.Sprintf("Answer %d about lanterns", i))
	}
	h.say(h.member("manager", "Bram"), saying("other", "t1", "Bram's blankets"))
	for query, want := range map[string]int{
		"blankets": 1, "BLANKETS": 1, "0%": 1, "%": 1, "_": 1, "l_b": 1, "wool_b": 1, `\`: 1, `:\t`: 1, "Zoë": 1, "खाली": 1, "'": 1, `"`: 1, "🛏️": 1,
		"lanterns": 6, "3 about": 1, "#SC-0003": 1, "3": 2, "SC-3": 1, "'; drop table chat_messages; --": 0, "*": 0, "nothing of that": 0, "\x00": 0, " ": 6, "(a|b)": 0, "%%": 0,
	} {
		p, err := h.store.List(ctx, h.asha, conversations.Filter{Query: query})
		if err != nil || len(p.Conversations) != want {
			t.Errorf("%q finds %d, want %d, %v", query, len(p.Conversations), want, err)
		}
	}
	p, err := h.store.List(ctx, h.asha, conversations.Filter{Query: "lanterns", Limit: 4})
	if err != nil || len(p.Conversations) != 4 || p.Next == nil {
		t.Fatalf("%+v, %v", p, err)
	}
	if p, err = h.store.List(ctx, h.asha, conversations.Filter{Query: "lanterns", Limit: 4, Cursor: *p.Next}); err != nil || len(p.Conversations) != 2 || p.Next != nil {
		t.Errorf("the second page has %d, %v, %v", len(p.Conversations), p.Next, err)
	}
}

func TestNoMessageBreaksTheStore(t *testing.T) {
	t.Parallel()
	h := open(t)
	for i, text := range []string{"nul \x00 in it", "broken \xff utf-8", strings.Repeat("x", 300_000), "\\u0000 is no nul", "   ", "<script>alert(1)</script>", "\u202egnp.exe", strings.Repeat("👨‍👩‍👧", 500)} {
		s := saying(fmt.Sprintf("c%d", i), "t1", text)
		said, err := h.store.Say(t.Context(), h.asha, s)
		if err != nil {
			t.Errorf("%.20q: %v", text, err)
			continue
		}
		m, err := h.store.Messages(t.Context(), h.asha, said.ID, 0, 10)
		want := strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
		switch {
		case strings.TrimSpace(text) == "":
			if err != nil || len(m.Messages) != 0 {
				t.Errorf("%q is kept as %+v, %v", text, m, err)
			}
		case err != nil || len(m.Messages) != 1 || m.Messages[0].Text != want:
			t.Errorf("%.20q is kept as %.80v, %v", text, m, err)
		}
	}
	for _, id := range []string{"", "x", "' or 1=1 --", strings.Repeat("9", 10_000), "a.b", "\x00", uuid.NewString()} {
		_, err := h.store.Messages(t.Context(), h.asha, id, 0, 10)
		wantCode(t, err, "conversation_not_found")
	}
}
