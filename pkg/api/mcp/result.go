package mcp

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// structured is the structured content of a result: what the tool answered, or
// what is asked, or for an approved call both. It is an object in all protocol
// versions, whatever a tool answers.
type structured struct {
	Data         json.RawMessage `json:"data,omitempty"`
	Confirmation *consent.View   `json:"confirmation,omitempty"`
	Error        *failure        `json:"error,omitempty"`
}

// failure is why a call failed, with the codes of the other handlers' problems.
type failure struct {
	Code       string `json:"code"`
	Detail     string `json:"detail"`
	RetryAfter int    `json:"retryAfter,omitempty"` // seconds
}

// maxTable is how many bytes of a table's rows the text of a result has; the
// structured content has all of them.
const maxTable = 64 << 10

// done returns the result of a tool: the data, and for clients that hand their
// model nothing but text, the summary and the table, or without a table the data.
func done(q *request, r tool.Result, settled *consent.View) *mcp.CallToolResult {
	if r.Refused != nil {
		q.fail(r.Refused)
	}
	var texts []string
	if r.Text != "" {
		texts = append(texts, r.Text)
	}
	if r.Table != nil {
		texts = append(texts, r.Table.Markdown(maxTable))
	} else if len(r.Data) > 0 && string(r.Data) != "null" {
		texts = append(texts, cut(string(r.Data)))
	}
	return result(strings.Join(texts, "\n\n"), structured{Data: r.Data, Confirmation: settled})
}

// cut bounds JSON that stands in for a table.
func cut(data string) string {
	if len(data) <= maxTable {
		return data
	}
	return strings.ToValidUTF8(data[:maxTable], "") + "… (" + strconv.Itoa(len(data)-maxTable) +
		" more bytes are in the structured content)"
}

// failed returns the result of a call that failed: the sentence, never the cause.
func failed(err error) *mcp.CallToolResult {
	f := fault.From(err)
	r := result(f.Message, structured{Error: &failure{
		Code: f.PublicCode(), Detail: f.Message, RetryAfter: int(math.Ceil(f.RetryAfter.Seconds())),
	}})
	r.IsError = true
	return r
}

func result(text string, content structured) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: content}
}
