package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/pkg/api/conversations/stored"
	"github.com/bellhop-ai/bellhop/pkg/api/export"
	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/core"
	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/conversations"
	"github.com/bellhop-ai/bellhop/pkg/history"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	store "github.com/bellhop-ai/bellhop/pkg/supabase/conversations"
)

func TestMain(m *testing.M) { localtest.Main(m) }

// exporter is the export endpoint on the real stack, with kept conversations.
type exporter struct {
	t    *testing.T
	h    http.Handler
	home *core.Core
	keep store.Store
	org  localtest.Org
}

func onStack(t *testing.T) *exporter {
	t.Helper()
	stack := localtest.Stack(t)
	s := &boot.Service{Name: "export", Now: time.Now, Log: zerolog.Nop()}
	s.SupabaseURL, s.PublishableKey, s.JWKS = stack.URL(), stack.Keys().Publishable, string(stack.JWKS())
	s.ProofKeys = stack.ProofKeys()
	home, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	x := &exporter{t: t, home: home, keep: store.New(home.Client), org: localtest.NewOrg(t)}
	h, err := export.New(export.Config{
		Assistants: []assistants.Profile{{Name: "hospitality", Title: "Bernard", EntityKind: "property",
			AgentNames: []assistants.AgentName{{Name: "inventory", Label: "Inventory Agent"}}}},
		Default: "hospitality", Keys: keys(t), Now: func() time.Time { return night }, Identify: home.Identify,
		Conversations: x.keep,
	})
	if err != nil {
		t.Fatal(err)
	}
	x.h = httpx.Wrap(h, httpx.Config{Log: zerolog.Nop(), NewID: uuid.NewString, Now: time.Now, Timeout: time.Minute})
	return x
}

func (x *exporter) as(token string) identity.Caller {
	x.t.Helper()
	by, err := x.home.Identify(x.t.Context(), token)
	if err != nil {
		x.t.Fatal(err)
	}
	return by
}

func (x *exporter) get(token, path string) *httptest.ResponseRecorder {
	x.t.Helper()
	r := httptest.NewRequestWithContext(x.t.Context(), "GET", path, nil)
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	x.h.ServeHTTP(w, r)
	return w
}

// S2-62: a kept conversation of two people in every format, with who said what
// and when, what is not verified, and without ids of ours.
func TestAKeptConversationIsExported(t *testing.T) {
	t.Parallel()
	x := onStack(t)
	ctx := t.Context()
	max := x.as(x.org.Manager.Token)
	said, err := x.keep.RecordMessage(ctx, max, conversations.UserMessage{Assistant: "hospitality", Prefix: "SC",
		EntityID: x.org.Entity.ID, Thread: "t", Turn: "t1", MessageID: uuid.NewString(),
		Text: "What do rooms cost? <script>"})
	if err != nil {
		t.Fatal(err)
	}
	reply := "Here they are:\n\n" + rates().HTML()
	token, err := keys(t).SealStored(history.Location{Tenant: max.OrgID, Assistant: "hospitality",
		Conversation: said.ID, Message: "t1"}, reply, history.State{Agent: "inventory"})
	if err != nil {
		t.Fatal(err)
	}
	kept := keptChart(t)
	if err := x.keep.Answer(ctx, max, conversations.Answer{ID: said.ID, Turn: "t1", Text: reply, Token: token,
		Metadata: kept}); err != nil {
		t.Fatal(err)
	}
	vera := x.as(x.org.Viewer.Token)
	if _, err := x.keep.Add(ctx, max, said.ID, vera.Email); err != nil {
		t.Fatal(err)
	}
	if _, err := x.keep.RecordMessage(ctx, vera, conversations.UserMessage{Assistant: "hospitality", Prefix: "SC",
		Thread: said.ID, Turn: "t2", Text: "And =1+1?"}); err != nil {
		t.Fatal(err)
	}
	if err := x.keep.Answer(ctx, vera, conversations.Answer{ID: said.ID, Turn: "t2",
		Text: "I refunded you.", Metadata: kept}); err != nil {
		t.Fatal(err)
	}
	localtest.SQL(t, `update public.chat_messages set created_at = '2026-01-15 19:00Z' where org_id = $1`, max.OrgID)
	for _, format := range []string{"md", "html", "json", "csv", "xlsx", "pdf"} {
		w := x.get(vera.Token.Reveal(), "/api/export/"+said.ID+"?format="+format)
		if w.Code != http.StatusOK || w.Header().Get("Content-Disposition") != `attachment; `+
			`filename="bernard-sc-0001-2026-01-16.`+format+`"` {
			t.Fatalf("%s: %d %v %.300s", format, w.Code, w.Header(), w.Body)
		}
		if found := uuids.FindAll(w.Body.Bytes(), -1); found != nil {
			t.Errorf("%s holds the ids %q", format, found)
		}
		if format == "xlsx" || format == "pdf" {
			continue
		}
		text := w.Body.String()
		when := "16-Jan-2026 00:30"
		if format == "json" {
			when = "2026-01-16T00:30:00+05:30"
		}
		for _, want := range []string{"Bernard · Inventory Agent", when, "not verified", "Max Testwright",
			"Vera Testwright", "refunded"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %s: %.2000s", want, format, text)
			}
		}
	}
	if f := book(t, x.get(max.Token.Reveal(), "/api/export/"+said.ID+
		"?format=xlsx").Body.Bytes()); !slices.Equal(f.GetSheetList(), []string{"Prices", "Rates", "Messages"}) {
		t.Errorf("the sheets are %q", f.GetSheetList())
	}
	// The chart is drawn again before its table, and only with the verified answer.
	page := x.get(max.Token.Reveal(), "/api/export/"+said.ID+"?format=html").Body.String()
	drawn, table := strings.Index(page, "<svg xmlns="), strings.Index(page, "<caption>Rates")
	if drawn < 0 || drawn > table || strings.Count(page, "<svg xmlns=") != 2 || strings.Contains(page, "client sent") {
		t.Errorf("the page is %s", page)
	}
	for path, status := range map[string]int{"/api/export/" + said.ID + "?format=docx": 400, "/api/export/x": 404,
		"/api/export/" + uuid.NewString(): 404} {
		if w := x.get(max.Token.Reveal(), path); w.Code != status {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := x.get(x.org.Admin.Token, "/api/export/"+said.ID); w.Code != http.StatusNotFound {
		t.Errorf("who takes no part: %d", w.Code)
	}
	if err := x.keep.Delete(ctx, max, said.ID); err != nil {
		t.Fatal(err)
	}
	if w := x.get(max.Token.Reveal(), "/api/export/"+said.ID); w.Code != http.StatusConflict {
		t.Errorf("a deleted one: %d", w.Code)
	}
}

// keptChart is the metadata of an answer with a chart beside its table.
func keptChart(t *testing.T) json.RawMessage {
	t.Helper()
	price := money.FromInt(4500)
	table, err := part.New(part.Table{Table: rates()}, "list_rates", nil)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := part.New(part.Draw(chart.Chart{Title: "Prices", Form: chart.Bars, Unit: "INR",
		Labels: []string{"Deluxe"}, Series: []chart.Series{{Name: "Price", Values: []*money.Amount{&price}}}}),
		"list_rates", nil)
	if err != nil {
		t.Fatal(err)
	}
	table.ID, drawn.ID, drawn.Beside = "t1a", "t1b", "t1a"
	kept, err := stored.KeepShown([]part.Part{table, drawn})
	if err != nil || bytes.Contains(kept, []byte("svg")) {
		t.Fatalf("kept is %s, %v", kept, err)
	}
	return kept
}

// A long conversation is read in pages and written whole, in order.
func TestALongKeptConversationIsExportedWhole(t *testing.T) {
	t.Parallel()
	x := onStack(t)
	by := x.as(x.org.Manager.Token)
	var entries []conversations.Entry
	for i := range 1999 {
		entries = append(entries, conversations.Entry{Role: conversations.User, MessageID: fmt.Sprintf("m%d", i),
			Text: fmt.Sprintf("Line %d.", i)})
	}
	said, err := x.keep.RecordMessage(t.Context(), by, conversations.UserMessage{Assistant: "hospitality",
		Prefix: "SC", Thread: "t", Turn: "t1", MessageID: "first", Text: "Line at the beginning."})
	if err != nil {
		t.Fatal(err)
	}
	entries = append([]conversations.Entry{{Role: conversations.User, MessageID: "first",
		Text: "Line at the beginning."}}, entries...)
	if _, err := x.keep.Append(t.Context(), by, said.ID, entries); err != nil {
		t.Fatal(err)
	}
	var out struct{ Messages []struct{ Content string } }
	if err := json.Unmarshal(x.get(by.Token.Reveal(), "/api/export/"+said.ID+"?format=json").Body.Bytes(),
		&out); err != nil {
		t.Fatal(err)
	}
	for i, m := range out.Messages {
		if m.Content != entries[i].Text {
			t.Fatalf("message %d is %q", i, m.Content)
		}
	}
	if len(out.Messages) != 2000 {
		t.Errorf("%d messages", len(out.Messages))
	}
	if w := x.get(by.Token.Reveal(), "/api/export/"+said.ID+"?format=pdf"); w.Code != http.StatusOK {
		t.Errorf("pdf: %d", w.Code)
	}
}
