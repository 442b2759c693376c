package conversations_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

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
	client, err := supabase.New(localtest.Config(t, stack))
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, client: client, store: store.New(client), org: localtest.NewOrg(t)}
	localtest.Give(t, stack, h.org.ID, "portfolio", "finance")
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

// member adds a user to the organisation.
func (h *house) member(role, name string) identity.Caller {
	h.t.Helper()
	return h.as(localtest.NewPerson(h.t, localtest.Stack(h.t), h.asha.OrgID, role, name).Token)
}

func (h *house) project(title string) string {
	h.t.Helper()
	return h.sql(`insert into public.projects (org_id, title, user_id) values ($1, $2, $3) returning id::text as id`,
		title, h.asha.UserID)[0]["id"].(string)
}

func (h *house) sql(query string, args ...any) []map[string]any {
	h.t.Helper()
	return localtest.SQL(h.t, query, append([]any{h.asha.OrgID}, args...)...)
}

func saying(thread, turn, text string) conversations.UserMessage {
	return conversations.UserMessage{Assistant: "hospitality", Prefix: "SC", Thread: thread, Turn: turn,
		MessageID: "m-" + turn, Text: text}
}

func (h *house) say(by identity.Caller, s conversations.UserMessage) conversations.Recorded {
	h.t.Helper()
	said, err := h.store.RecordMessage(h.t.Context(), by, s)
	if err != nil {
		h.t.Fatal(err)
	}
	return said
}

func (h *house) answer(by identity.Caller, id, turn, text string) {
	h.t.Helper()
	if err := h.store.Answer(h.t.Context(), by, conversations.Answer{ID: id, Turn: turn, Text: text,
		Label: "Bernard"}); err != nil {
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
	if err != nil || len(m.Messages) != 1 ||
		string(m.Messages[0].Metadata) != `{"files": [{"url": "bellhop-upload:x"}]}` {
		t.Errorf("%+v, %v", m, err)
	}
}

// S1-22, S1-24, S2-61: the person's message stands there before the answer, with
// who said it; the first one names the conversation.
func TestATurnIsKept(t *testing.T) {
	t.Parallel()
	h := open(t)
	said := h.say(h.asha, conversations.UserMessage{Assistant: "hospitality", Prefix: "SC", Thread: "chat-1",
		Turn: "t1", MessageID: "m1", Text: "  # Which cabins are free?\nFor two."})
	if !said.New || said.Code != "#SC-0001" || said.Title != "Which cabins are free?" || said.Messages != 1 {
		t.Errorf("said %+v", said)
	}
	err := h.store.Answer(t.Context(), h.asha, conversations.Answer{ID: said.ID, Turn: "t1", Text: "Two are free.",
		Agent: "inventory", Label: "Inventory",
		ToolCalls: json.RawMessage(`[{"name":"list_rooms"}]`), Processing: json.RawMessage(`{"model":"x"}`),
		Metadata: json.RawMessage(`{"finish":"stop"}`), Token: "k1.a.b", Tokens: 77})
	if err != nil {
		t.Fatal(err)
	}
	rows := h.sql(`select role, content, user_id = $2::uuid as mine, user_display_name, tool_calls::text,
		processing_metadata::text, metadata::text, client_id, turn, token, tokens
		from public.chat_messages where org_id = $1 order by seq`, h.asha.UserID)
	if len(rows) != 2 || rows[0]["mine"] != true || rows[0]["user_display_name"] != h.asha.Name ||
		rows[0]["tool_calls"] != nil || rows[0]["client_id"] != "m1" ||
		rows[1]["mine"] != nil || rows[1]["tool_calls"] != `[{"name": "list_rooms"}]` ||
		rows[1]["processing_metadata"] != `{"model": "x"}` ||
		rows[1]["metadata"] != `{"finish": "stop"}` || rows[1]["client_id"] != "t1" || rows[1]["token"] != "k1.a.b" {
		t.Errorf("the rows are %v", rows)
	}
	d, err := h.store.Details(t.Context(), h.asha, said.ID)
	if err != nil || d.MessageCount != 2 || d.Preview != "Two are free." || !d.Mine ||
		!slices.Equal(d.People, []string{h.asha.Name}) || d.Version != 1 {
		t.Errorf("it is %+v, %v", d, err)
	}
	// S3-8: what tools returned is counted, not only what is shown. 35 bytes are 9 tokens, and 4 for the message.
	if d.EstimatedTokens != 77+13 {
		t.Errorf("%d tokens", d.EstimatedTokens)
	}
	view := h.sql(`select chat_name, chat_number, chat_code, message_count, last_message_preview,
		jsonb_array_length(messages) as n, messages #>> '{1,content}' as last
		from public.unified_conversations where org_id = $1`)
	if fmt.Sprint(view) != "[map[chat_code:#SC-0001 chat_name:Which cabins are free? chat_number:1 last:Two are "+
		"free. last_message_preview:Two are free. message_count:2 n:2]]" {
		t.Errorf("the view shows %v", view)
	}
}

func TestTheSameTurnIsKeptOnce(t *testing.T) {
	t.Parallel()
	h := open(t)
	ids := together(12, func(int) string {
		said, err := h.store.RecordMessage(t.Context(), h.asha, saying("chat", "t1", "Hello"))
		if err != nil {
			return err.Error()
		}
		if err := h.store.Answer(t.Context(), h.asha, conversations.Answer{ID: said.ID, Turn: "t1",
			Text: "Welcome."}); err != nil {
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
// endpoints, find one; one of them made it.
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
		d, isNew, err := h.store.Open(t.Context(), people[i%3], conversations.Opening{Assistant: "portfolio",
			Prefix: "PF", ProjectID: project})
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
	said := h.say(people[2], conversations.UserMessage{Assistant: "portfolio", Prefix: "PF", ProjectID: project,
		Thread: "elsewhere", Turn: "t1", Text: "Hi"})
	if said.ID != all[0].id || said.New {
		t.Errorf("saying something leads to %+v", said)
	}
	// Another assistant has another one.
	if d, isNew, err := h.store.Open(t.Context(), h.asha, conversations.Opening{Assistant: "hospitality", Prefix: "SC",
		ProjectID: project}); err != nil || !isNew || d.ID == said.ID {
		t.Errorf("another assistant gets %s, %v, %v", d.ID, isNew, err)
	}
}

// S3-2: the project is there with the first message.
func TestTheFirstMessageMakesAProject(t *testing.T) {
	t.Parallel()
	h := open(t)
	first := saying("p1", "t1", "A deck around a tree")
	first.CreateProject = true
	all := together(8, func(int) conversations.Recorded {
		said, err := h.store.RecordMessage(t.Context(), h.asha, first)
		if err != nil {
			t.Error(err)
		}
		return said
	})
	rows := h.sql(`select id::text as id, title, code, user_id = $2::uuid as mine from public.projects where org_id
		= $1`, h.asha.UserID)
	if len(rows) != 1 || rows[0]["title"] != "" || !strings.HasPrefix(rows[0]["code"].(string),
		"PRJ-") || rows[0]["mine"] != true {
		t.Fatalf("the projects are %v", rows)
	}
	for _, said := range all {
		if said.ProjectID != rows[0]["id"] {
			t.Errorf("said %+v", said)
		}
	}
	first.Thread, first.Turn = "p2", "t2"
	// Who may not begin one talks without it.
	said, err := h.store.RecordMessage(t.Context(), h.member("viewer", "Vera"), first)
	if err != nil || said.ProjectID != "" || said.ID == "" {
		t.Errorf("a viewer gets %+v %v", said, err)
	}
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
		_, err := h.store.RecordMessage(t.Context(), by, s)
		return err
	})
	got := h.sql(`select count(*)::int as n, max(number) as last, count(distinct number)::int as different from
		public.chat_sessions where org_id = $1`)[0]
	if fmt.Sprint(got) != "map[different:50 last:50 n:50]" {
		t.Errorf("the numbers are %v", got)
	}
	other := conversations.UserMessage{Assistant: "finance", Prefix: "MJ", EntityID: h.asha.Entities[0].ID,
		Thread: "x", Turn: "t1", Text: "Hi"}
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
	if got := h.texts(h.asha, id); got != "1 user One; 2 assistant First.; 5 user Two, but better; 6 assistant "+
		"Third." {
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
	if got := h.texts(h.asha, id); got != "1 user One; 2 assistant First.; 5 user Two, but better; 8 assistant "+
		"Fifth." {
		t.Errorf("after new answers it holds %s", got)
	}
	d, err := h.store.Details(t.Context(), h.asha, id)
	if err != nil || d.MessageCount != 4 || d.Preview != "Fifth." {
		t.Errorf("it counts %d messages, ends in %q, %v", d.MessageCount, d.Preview, err)
	}
	if n := h.sql(`select count(*)::int as n from public.chat_messages where org_id = $1`)[0]["n"]; fmt.Sprint(n) != "8" {
		t.Errorf("%v messages are kept, want 8", n)
	}
	// Another user's words are no one's to replace.
	bram := h.member("manager", "Bram")
	if _, err := h.store.Add(t.Context(), h.asha, id, bram.Email); err != nil {
		t.Fatal(err)
	}
	his := saying(id, "t6", "Mine")
	his.Replaces = "m-t1"
	h.say(bram, his)
	if got := h.texts(bram, id); got != "1 user One; 2 assistant First.; 5 user Two, but better; 8 assistant "+
		"Fifth.; 9 user Mine" {
		t.Errorf("after another's edit it holds %s", got)
	}
}
