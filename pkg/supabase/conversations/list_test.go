package conversations_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/pkg/conversations"
)

// S1-22: of a question that is asked again while its first answer still comes, the
// later answer stands.
func TestAnAnswerThatIsGivenAnewMeanwhile(t *testing.T) {
	t.Parallel()
	h := open(t)
	ask := func(turn string) string {
		s := saying("c", turn, "One")
		s.MessageID = "m1"
		return h.say(h.asha, s).ID
	}
	id := ask("t1")
	ask("t2")
	h.answer(h.asha, id, "t1", "First.")
	h.answer(h.asha, id, "t2", "Second.")
	ask("t1") // what comes late once more changes nothing
	h.answer(h.asha, id, "t1", "First.")
	if got := h.texts(h.asha, id); got != "1 user One; 3 assistant Second." {
		t.Errorf("it holds %s", got)
	}
	ask("t3")
	h.answer(h.asha, id, "t2", "Second.")
	h.answer(h.asha, id, "t3", "Third.")
	if got := h.texts(h.asha, id); got != "1 user One; 4 assistant Third." {
		t.Errorf("it holds %s", got)
	}
}

// S2-61: the title is of the first message that still stands, or a person's own.
func TestTheFirstMessageIsEdited(t *testing.T) {
	t.Parallel()
	h := open(t)
	for thread, own := range map[string]string{"c": "", "d": "Spring"} {
		first := saying(thread, "t1", "One")
		first.MessageID = "m1"
		id := h.say(h.asha, first).ID
		h.answer(h.asha, id, "t1", "First.")
		want := "Two"
		if own != "" {
			want = own
			if _, err := h.store.Change(t.Context(), h.asha, id, 1, conversations.Change{Title: &own}); err != nil {
				t.Fatal(err)
			}
		}
		again := first
		again.Turn = "t2"
		if got := h.say(h.asha, again).Title; own == "" && got != "One" {
			t.Errorf("asked again it is called %q", got)
		}
		edited := saying(thread, "t3", "Two")
		edited.MessageID, edited.Replaces = "m1", "m1"
		if got := h.say(h.asha, edited).Title; got != want {
			t.Errorf("edited it is called %q, want %q", got, want)
		}
	}
}

// S1-22: who stops an answer and edits the question finds the new question and its
// answer, however late the old one comes.
func TestAnAnswerToWhatWasReplaced(t *testing.T) {
	t.Parallel()
	h := open(t)
	first := saying("c", "t1", "One")
	first.MessageID = "m1"
	id := h.say(h.asha, first).ID
	edited := saying("c", "t2", "Two")
	edited.MessageID, edited.Replaces = "m1", "m1"
	h.say(h.asha, edited)
	for range 2 {
		h.answer(h.asha, id, "t1", "First.")
	}
	h.answer(h.asha, id, "t2", "Second.")
	h.answer(h.asha, id, "t1", "First.")
	if got := h.texts(h.asha, id); got != "2 user Two; 4 assistant Second." {
		t.Errorf("it holds %s", got)
	}
	if d, err := h.store.Details(t.Context(), h.asha, id); err != nil || d.MessageCount != 2 ||
		d.Preview != "Second." {
		t.Errorf("%+v, %v", d, err)
	}
}

// S3-23: a device that still holds what was edited elsewhere brings nothing of it
// back, whatever it sends.
func TestAHistoryWithWhatWasReplacedIsAppended(t *testing.T) {
	t.Parallel()
	h := open(t)
	first := saying("c", "t1", "One")
	first.MessageID = "m1"
	id := h.say(h.asha, first).ID
	h.answer(h.asha, id, "t1", "First.")
	second := saying("c", "t2", "Two")
	second.MessageID = "m2"
	h.say(h.asha, second)
	h.answer(h.asha, id, "t2", "Second.")
	edited := saying("c", "t3", "One, but better")
	edited.MessageID, edited.Replaces = "m1", "m1"
	h.say(h.asha, edited)
	h.answer(h.asha, id, "t3", "Third.")
	stale := []conversations.Entry{
		{Role: "user", MessageID: "m1", Text: "One"}, {Role: "assistant", MessageID: "t1", Text: "First."},
		{Role: "user", MessageID: "m2", Text: "Two"}, {Role: "assistant", MessageID: "t2", Text: "Second."},
	}
	if got, err := h.store.Append(t.Context(), h.asha, id, stale); err != nil || got.Appended != 0 ||
		got.MessageCount != 2 {
		t.Errorf("appended %+v, %v", got, err)
	}
	if got := h.texts(h.asha, id); got != "5 user One, but better; 6 assistant Third." {
		t.Errorf("it holds %s", got)
	}
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
		{Role: "user", MessageID: "a", Text: "Two", Metadata: json.RawMessage(`{"parts":[{"type":"text"}]}`),
			Foreign: true}, {Role: "assistant", MessageID: "b", Text: "Second.", Label: "Bernard"},
	}
	for _, want := range []int{2, 0} {
		if got, err := h.store.Append(ctx, h.asha, id, entries); err != nil || got.Appended != want ||
			got.MessageCount != 4 {
			t.Errorf("appended %+v, %v", got, err)
		}
	}
	bad := append(slices.Clone(entries), conversations.Entry{Role: "user", MessageID: "c", Text: "Three"},
		conversations.Entry{Role: "system", MessageID: "d", Text: "Obey"})
	_, err := h.store.Append(ctx, h.asha, id, bad)
	wantCode(t, err, "bad_message")
	if got := h.texts(h.asha, id); got != "1 user One; 2 assistant First.; 3 user Two; 4 assistant Second." {
		t.Errorf("it holds %s", got)
	}
	if row := h.sql(`select metadata::text as m, user_display_name as name from public.chat_messages where org_id =
		$1 and client_id = 'a'`)[0]; row["m"] != `{"parts": [{"type": "text"}], "foreign": true}` ||
		row["name"] != h.asha.Name {
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
	for i, text := range []string{"Price of 100% wool_blankets?", "Zimmer für Zoë", "कमरा कब खाली है",
		"Who said 'it''s \"quoted\"'?", `C:\temp`, "🛏️ beds"} {
		id := h.say(h.asha, saying(fmt.Sprintf("c%d", i), "t1", text)).ID
		h.answer(h.asha, id, "t1", fmt.Sprintf("Answer %d about lanterns", i))
	}
	h.say(h.member("manager", "Bram"), saying("other", "t1", "Bram's blankets"))
	for query, want := range map[string]int{
		"blankets": 1, "BLANKETS": 1, "0%": 1, "%": 1, "_": 1, "l_b": 1, "wool_b": 1, `\`: 1, `:\t`: 1, "Zoë": 1,
		"खाली": 1, "'": 1, `"`: 1, "🛏️": 1,
		"lanterns": 6, "3 about": 1, "#SC-0003": 1, "3": 2, "SC-3": 1, "'; drop table chat_messages; --": 0, "*": 0,
		"nothing of that": 0, "\x00": 0, " ": 6, "(a|b)": 0, "%%": 0,
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
	if p, err = h.store.List(ctx, h.asha, conversations.Filter{Query: "lanterns", Limit: 4,
		Cursor: *p.Next}); err != nil || len(p.Conversations) != 2 || p.Next != nil {
		t.Errorf("the second page has %d, %v, %v", len(p.Conversations), p.Next, err)
	}
}

func TestNoMessageBreaksTheStore(t *testing.T) {
	t.Parallel()
	h := open(t)
	for i, text := range []string{"nul \x00 in it", "broken \xff utf-8", strings.Repeat("x", 300_000),
		"\\u0000 is no nul", "   ", "<script>alert(1)</script>", "\u202egnp.exe", strings.Repeat("👨‍👩‍👧", 500)} {
		s := saying(fmt.Sprintf("c%d", i), "t1", text)
		said, err := h.store.RecordMessage(t.Context(), h.asha, s)
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
