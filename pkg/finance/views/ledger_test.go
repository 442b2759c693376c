package views_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/ledger/demo"
	"github.com/bellhop-ai/bellhop/infra/local/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// call is a call of a tool.
type call struct{ tool, arguments string }

// company calls the tools of the ledger for one of the demo companies.
type company struct {
	t       testing.TB
	url     string
	u       demo.User
	calls   []call // what is asked of it
	answers map[call]json.RawMessage
}

// companies are those of the demo ledger, as their owners see them, with their answers.
func companies(t testing.TB) []company {
	t.Helper()
	var out []company
	for _, u := range ledgertest.Serve(t).Users() {
		known := slices.ContainsFunc(out, func(c company) bool { return c.u.Company == u.Company })
		if u.Role != "owner" || known {
			continue
		}
		c := company{t: t, url: strings.Replace(u.URL, "/mcp?", "/mcp/json?", 1), u: u,
			answers: map[call]json.RawMessage{}}
		for line := range strings.SplitSeq(strings.TrimSpace(asked), "\n") {
			tool, arguments, _ := strings.Cut(line, " ")
			c.calls = append(c.calls, call{tool, arguments})
		}
		var lines struct{ Transactions []struct{ ID string } }
		if err := json.Unmarshal(c.call("get_all_transactions", `{"status":"matched","limit":1}`),
			&lines); err != nil {
			t.Fatal(err)
		}
		c.calls = append(c.calls, call{"get_transaction", `{"id":"` + lines.Transactions[0].ID + `"}`})
		if strings.HasPrefix(u.Company, "Sahyadri") { // the other one has neither stock nor challans
			c.calls = append(c.calls, call{"get_product", `{"product":"DS-51"}`},
				call{"get_all_invoices", `{"customer":"Annapurna Home Stores","from":"2026-10-01","to":"2026-10-31"}`},
				call{"get_overdue_invoices", `{"customer":"Mandovi Traders","as_of":"2026-10-31"}`},
				call{"get_aged_receivables_report", `{"as_of":"2026-03-31"}`},
				call{"get_bills", `{"vendor":"Deccan Appliances","status":"overdue"}`},
				call{"get_all_payments", `{"kind":"payment","contact":"Rajkot","from":"2026-10-01"}`},
				call{"get_delivery_challan", `{"number":"DC/26-27/0003"}`})
		}
		for _, asked := range c.calls {
			c.answers[asked] = c.call(asked.tool, asked.arguments)
		}
		out = append(out, c)
	}
	return out
}

// call calls a tool with arguments, a JSON object, and returns its structured answer.
func (c company) call(tool, arguments string) json.RawMessage {
	c.t.Helper()
	answer, refusal := c.try(tool, arguments)
	if refusal != "" {
		c.t.Fatalf("%s %s: %s", tool, arguments, refusal)
	}
	return answer
}

func (c company) try(tool, arguments string) (answer json.RawMessage, refusal string) {
	c.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{
		"io.modelcontextprotocol/protocolVersion":"2026-07-28",
		"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},
		"io.modelcontextprotocol/clientCapabilities":{}}}}`, tool, arguments)
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url, bytes.NewReader([]byte(body)))
	if err != nil {
		c.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + c.u.Token, "Content-Type": "application/json",
		"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28",
		"Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	var reply struct {
		Result struct {
			StructuredContent json.RawMessage
			IsError           bool
			Content           []struct{ Text string }
		}
		Error json.RawMessage
	}
	if err := json.Unmarshal(raw, &reply); err != nil || reply.Error != nil {
		c.t.Fatalf("%s: %v: %s", tool, err, raw)
	}
	if reply.Result.IsError {
		return nil, reply.Result.Content[0].Text
	}
	return reply.Result.StructuredContent, ""
}
