package entry_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/finance/entry"
	"github.com/bellhop-ai/bellhop/pkg/finance/language"
	"github.com/bellhop-ai/bellhop/pkg/finance/resolution"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

var today = calendar.Date{Year: 2026, Month: 11, Day: 22} // a Sunday

func said(text string) entry.Context {
	return entry.Context{Text: text, Today: today, Language: language.Of(text)}
}

// books are the ledger's tools. They keep what they answered: nothing is written.
type books struct {
	url, token string
	allowed    map[string]*jsonschema.Resolved
	effects    map[string]string
	kept       map[string]json.RawMessage
	results    []resolution.Result // of the last turn
}

func serve(t *testing.T) *books {
	t.Helper()
	b := &books{allowed: map[string]*jsonschema.Resolved{}, effects: map[string]string{},
		kept: map[string]json.RawMessage{}}
	raw, err := os.ReadFile("../../boot/remote/manifests/ledger.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Tools []struct {
			Name, Effect string
			Input        jsonschema.Schema
		}
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	for _, tool := range manifest.Tools {
		b.effects[tool.Name] = tool.Effect
		if b.allowed[tool.Name], err = tool.Input.Resolve(nil); err != nil {
			t.Fatal(tool.Name, err)
		}
	}
	for _, u := range ledgertest.Serve(t).Users() {
		if u.Role == "owner" && b.token == "" {
			b.token, b.url = u.Token, strings.Replace(u.URL, "/mcp?", "/mcp/json?", 1)
		}
	}
	return b
}

// check reports arguments that the schema of a ledger's tool doesn't allow. The tools
// of ours take a number, and an address.
func (b *books) check(t *testing.T, c resolution.Call) {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(c.Arguments, &v); err != nil {
		t.Fatal(err)
	}
	if c.Tool == "email_invoice" || c.Tool == "email_payment_reminder" {
		if n, _ := v["number"].(string); n == "" {
			t.Errorf("%s has no number", c)
		}
		return
	}
	schema, ok := b.allowed[c.Tool]
	if !ok {
		t.Fatalf("there is no tool %s", c.Tool)
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("%s: %v", c, err)
	}
}

func (b *books) answer(t *testing.T, c resolution.Call) json.RawMessage {
	t.Helper()
	b.check(t, c)
	if b.effects[c.Tool] != "reads" || !c.LookUp {
		t.Fatalf("%s is no look-up", c)
	}
	if answer, ok := b.kept[c.String()]; ok {
		return answer
	}
	answer, refusal := b.use(t, c.Tool, c.Arguments)
	if refusal != "" {
		answer = nil
	}
	b.kept[c.String()] = answer
	return answer
}

// go on with a draft until something is asked for, or ready.
func (b *books) settle(t *testing.T, d entry.Draft) entry.Step {
	t.Helper()
	var results []resolution.Result
	for range 20 {
		s := d.Next(results)
		b.results = results
		if len(s.Calls) == 0 {
			if raw, err := json.Marshal(s.Draft); err != nil || len(raw) > 4096 {
				t.Errorf("the draft is %d bytes long, %v", len(raw), err)
			}
			return s
		}
		// A draft is kept as JSON.
		raw, err := json.Marshal(s.Draft)
		if err != nil {
			t.Fatal(err)
		}
		d = entry.Draft{}
		if err := json.Unmarshal(raw, &d); err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Calls {
			results = append(results, resolution.Result{Tool: c.Tool, Arguments: c.Arguments,
				Answer: b.answer(t, c)})
		}
	}
	t.Fatalf("the draft has no end: %+v", d)
	return entry.Step{}
}

// talk has messages of a person and, after ">", words of the questions that are to come.
func (b *books) talk(t *testing.T, intent string, messages ...string) entry.Step {
	t.Helper()
	d, ok := entry.Begin(intent, said(messages[0]))
	if !ok {
		t.Errorf("%q begins nothing", messages[0])
		return entry.Step{}
	}
	s := b.settle(t, d)
	for _, m := range messages[1:] {
		if question, ok := strings.CutPrefix(m, ">"); ok {
			if s.Ask == nil || !strings.Contains(s.Ask.Question, question) {
				t.Errorf("%q: not asked for %q: %+v %v", messages, question, s.Ask, s.Ready)
			}
			continue
		}
		d, ok := s.Draft.Add(said(m))
		if !ok {
			t.Errorf("%q: %q answers nothing of %+v", messages, m, s.Draft)
			return s
		}
		s = b.settle(t, d)
	}
	return s
}

// Entries are made from words alone, one question at a time, and end in a call that
// the tool takes as it is.
func TestDialogues(t *testing.T) {
	b := serve(t)
	raw, err := os.ReadFile("testdata/dialogues.txt")
	if err != nil {
		t.Fatal(err)
	}
	intent, covered := "", map[string]int{}
	var ready []resolution.Call
	for block := range strings.SplitSeq(string(raw), "\n\n") {
		var messages []string
		want := ""
		for line := range strings.Lines(block) {
			line = strings.TrimSpace(line)
			switch text := strings.TrimSpace(strings.TrimLeft(line, "-?=")); {
			case strings.HasPrefix(line, "["):
				intent = strings.Trim(line, "[]")
			case strings.HasPrefix(line, "-"):
				messages = append(messages, text)
			case strings.HasPrefix(line, "?"):
				messages = append(messages, ">"+text)
			case strings.HasPrefix(line, "="):
				want = text
			}
		}
		if len(messages) == 0 {
			continue
		}
		covered[intent]++
		s := b.talk(t, intent, messages...)
		if s.Ready == nil {
			t.Errorf("%q: %+v, want %s", messages, s.Ask, want)
			continue
		}
		b.check(t, *s.Ready)
		ready = append(ready, *s.Ready)
		if got := s.Ready.String(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", messages, got, want)
		}
		if s.Draft.Tool != s.Ready.Tool || len(s.Applied) == 0 && strings.Contains(want, "number") {
			t.Errorf("%q: tool %s, applied %v", messages, s.Draft.Tool, s.Applied)
		}
	}
	// What the dialogues end in is what the books accept.
	for _, c := range ready {
		if b.effects[c.Tool] == "critical" || b.allowed[c.Tool] == nil {
			continue // voids what is paid here, files what is filed, or is a tool of ours
		}
		if _, refusal := b.use(t, c.Tool, c.Arguments); refusal != "" {
			t.Errorf("%s is refused: %s", c, refusal)
		}
	}
	if len(covered) != 13 {
		t.Errorf("intents with dialogues: %v", covered)
	}
}

func (b *books) use(t *testing.T, tool string, arguments json.RawMessage) (data json.RawMessage,
	refusal string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{
			"name": tool, "arguments": arguments, "_meta": map[string]any{
				"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
				"io.modelcontextprotocol/clientInfo":         map[string]string{"name": "test", "version": "1"},
				"io.modelcontextprotocol/clientCapabilities": map[string]any{},
			}}})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Authorization": "Bearer " + b.token,
		"Content-Type": "application/json",
		"Accept":       "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28",
		"Mcp-Method": "tools/call",
		"Mcp-Name":   tool} {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var answer struct {
		Result struct {
			IsError           bool
			StructuredContent json.RawMessage
			Content           []struct{ Text string }
		}
		Error *struct{ Message string }
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		t.Fatal(tool, res.Status, err)
	}
	switch {
	case answer.Error != nil:
		return nil, answer.Error.Message
	case answer.Result.IsError:
		return nil, answer.Result.Content[0].Text
	}
	return answer.Result.StructuredContent, ""
}

// What says not to do it, asks how, or points at another document begins nothing.
func TestBeginsNothing(t *testing.T) {
	for _, c := range [][2]string{
		{"create_invoice", "Konkan ka invoice mat banao"},
		{"create_invoice", "don't create an invoice for Konkan"},
		{"create_invoice", "इनवॉइस मत बनाओ"},
		{"create_invoice", "invoice kaise banate hain"},
		{"create_invoice", "how do I create an invoice"},
		{"create_invoice", "same invoice for Konkan"},
		{"void_invoice", "cancel the last invoice"},
		{"send_invoice", "whatsapp the invoice to Konkan"},
		{"create_credit_note", "credit note of 5000 on Mandovi"},
		{"record_payment", "received 45,000 from Konkan after 10% TDS"},
		{"create_invoice", ""},
		{"create_invoice", strings.Repeat("5 tawa, ", 200)},
		{"create_invoice", "Konkan ke liye " + strings.Repeat("5 tawa, ", 11)},
		{"create_journal_entry", "journal entry banao"},
		{"profit", "profit"},
	} {
		if d, ok := entry.Begin(c[0], said(c[1])); ok {
			t.Errorf("%q begins %+v", c[1], d)
		}
	}
}

// A draft ends when it is called off, and keeps what it has when something else is
// said.
func TestCallingOff(t *testing.T) {
	b := serve(t)
	s := b.talk(t, "create_invoice", "Konkan ke liye invoice banao")
	for _, text := range []string{"stock kitna hai", "show my sales", "what is the balance?", "",
		"नया ग्राहक जोड़ो", "...",
		"aaj ki bikri batao", "overdue invoices", "profit and loss", "sales of last month"} {
		if d, ok := s.Draft.Add(said(text)); ok {
			t.Errorf("%q is an answer: %+v", text, d)
		} else if len(d.Lines) > 0 || d.Asked != s.Draft.Asked {
			t.Errorf("%q changed the draft: %+v", text, d)
		}
	}
	unnamed := b.talk(t, "create_invoice", "invoice banao")
	for _, text := range []string{"aaj ki bikri", "overdue invoices", "balance sheet", "आज की बिक्री"} {
		if d, ok := unnamed.Draft.Add(said(text)); ok {
			t.Errorf("%q is a customer: %+v", text, d)
		}
	}
	for _, text := range []string{"cancel", "rehne do", "Cancel karo!", "never mind", "रहने दो", "mat banao",
		"no"} {
		d, ok := s.Draft.Add(said(text))
		if !ok || !d.Ended {
			t.Errorf("%q does not end it: %+v", text, d)
			continue
		}
		if end := d.Next(nil); end.Say == "" || end.Ready != nil || end.Ask != nil || len(end.Calls) > 0 {
			t.Errorf("after %q: %+v", text, end)
		}
		if _, ok := d.Add(said("5 tawa")); ok {
			t.Error("a draft goes on after its end")
		}
	}
}

// Next is pure, and a look-up that failed is said, not tried for ever.
func TestNextIsPure(t *testing.T) {
	d, _ := entry.Begin("create_invoice", said("Konkan ke liye 10 pressure cooker aur 5 tawa ka invoice banao"))
	before, _ := json.Marshal(d)
	one, two := d.Next(nil), d.Next(nil)
	after, _ := json.Marshal(d)
	if string(before) != string(after) || len(one.Calls) != 1 ||
		one.Calls[0].String() != two.Calls[0].String() {
		t.Errorf("%s became %s", before, after)
	}
	failed := resolution.Result{Tool: one.Calls[0].Tool, Arguments: one.Calls[0].Arguments}
	s := d.Next([]resolution.Result{failed})
	if s.Ask == nil || !strings.Contains(s.Ask.Question, "Phir se") || len(s.Calls) > 0 || s.Ready != nil {
		t.Errorf("where the books cannot be read: %+v", s)
	}
	if d, ok := s.Draft.Add(said("phir se")); !ok || len(d.Next(nil).Calls) != 1 {
		t.Errorf("it is not tried again: %+v", d)
	}
	// A number that the books don't have is asked for again.
	d, _ = entry.Begin("record_payment", said("mark invoice INV-9 as paid"))
	s = d.Next(nil)
	s = s.Draft.Next([]resolution.Result{{Tool: s.Calls[0].Tool, Arguments: s.Calls[0].Arguments}})
	if s.Ask == nil || s.Ask.Of != "number" || !strings.Contains(s.Ask.Question, "INV-9") {
		t.Errorf("a number that isn't there: %+v", s)
	}
}

// People see what is settled and what is still to be said, in their language.
func TestWhatIsShown(t *testing.T) {
	b := serve(t)
	s := b.talk(t, "create_invoice", "create an invoice for Konkan")
	if want := map[string]string{"Customer": "Konkan Kitchen Mart"}; !maps.Equal(s.Applied, want) {
		t.Errorf("applied %v", s.Applied)
	}
	if want := map[string]string{"Items": "to be said"}; !maps.Equal(s.Pending, want) {
		t.Errorf("pending %v", s.Pending)
	}
	d, _ := s.Draft.Add(said("10 pressure cookers"))
	s = b.settle(t, d)
	if s.Ready == nil || s.Applied["Items"] != "10 × Pressure cooker 5 L at ₹1,640" ||
		s.Pending["Date"] != "today" {
		t.Errorf("applied %v, pending %v", s.Applied, s.Pending)
	}
	// A call that became no proposal is not made again.
	again := d.Next(append(b.results, resolution.Result{Tool: s.Ready.Tool, Arguments: s.Ready.Arguments}))
	if again.Ready != nil || again.Say == "" {
		t.Errorf("it goes on with %+v", again)
	}
	s = b.talk(t, "record_payment", "मांडवी से 5000 मिले")
	if s.Applied["रकम"] != "₹5,000" || s.Pending["भुगतान का तरीका"] == "" {
		t.Errorf("applied %v, pending %v", s.Applied, s.Pending)
	}
	for intent, want := range map[string]string{"file_return": "file_gstr3b",
		"send_reminder": "email_payment_reminder"} {
		if d, ok := entry.Begin(intent, said("INV/26-27/0193 3B October")); !ok || d.Tool != want {
			t.Errorf("%s will call %s", intent, d.Tool)
		}
	}
}

// Nothing that is said makes a draft panic, grow, or fill in what was not said.
func FuzzDraft(f *testing.F) {
	for _, s := range []string{"Konkan ke liye 10 cooker", "₹ -5 ,, at @ for", "\x00\xff 5 dozen", "do do do",
		"31/02 ka 1e9 %", "ke liye ke"} {
		f.Add("create_invoice", s, s)
		f.Add("record_payment", s, "5 5 5")
		f.Add("create_customer", s, "27AAPFU0939F1ZV")
		f.Add("adjust_stock", s, "kam")
	}
	f.Fuzz(func(t *testing.T, intent, one, two string) {
		d, ok := entry.Begin(intent, said(one))
		if !ok {
			return
		}
		for range 3 {
			s := d.Next(nil)
			if s.Ready != nil && s.Ready.Arguments == nil {
				t.Fatal("a call without arguments")
			}
			if raw, err := json.Marshal(s.Draft); err != nil || len(raw) > 8192 {
				t.Fatal(len(raw), err)
			}
			d, _ = s.Draft.Add(said(two))
		}
	})
}
