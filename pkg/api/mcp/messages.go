package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
)

// maxBatch is how many messages one request may carry. Batches are of protocol
// version 2025-03-26; versions before and after have none.
const maxBatch = 16

// messages are what a request's body carries.
type messages struct {
	body  []byte // encoded anew: it says to the SDK what it said to us
	batch bool
	calls int // of tools
	// refusal, if not nil, is the answer to a single message that reaches no
	// server.
	refusal *refusal
}

// message is a JSON-RPC request, notification or response.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// params returns where the params of each method that this server has are
// decoded. Others belong to what it leaves out: prompts, resources, logging,
// completion and subscriptions.
func params(method string) (into any, known bool) {
	switch method {
	case "initialize":
		return new(mcp.InitializeParams), true
	case "ping":
		return new(mcp.PingParams), true
	case "server/discover":
		return new(mcp.DiscoverParams), true
	case "tools/list":
		return new(mcp.ListToolsParams), true
	case callMethod:
		return new(mcp.CallToolParamsRaw), true
	}
	return nil, false
}

const callMethod = "tools/call"

// readMessages reads a body. A body that is no JSON-RPC is an error.
func readMessages(w http.ResponseWriter, r *http.Request) (messages, error) {
	var raw json.RawMessage
	if _, err := httpx.ReadJSON(w, r, &raw); err != nil {
		return messages{}, err
	}
	raw = bytes.TrimSpace(raw)
	if raw[0] != '[' {
		m, err := messageOf(raw)
		if err != nil {
			return messages{}, err
		}
		got := messages{refusal: m.refused(r)}
		if m.Method == callMethod {
			got.calls = 1
		}
		got.body, err = json.Marshal(m)
		return got, err
	}
	return readBatch(raw)
}

func readBatch(raw json.RawMessage) (messages, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return messages{}, notRPC()
	}
	if len(items) == 0 || len(items) > maxBatch {
		return messages{}, fault.New(fault.Invalid, "A batch has 1 to %d messages.", maxBatch)
	}
	got, list, ids := messages{batch: true}, []message{}, map[string]bool{}
	for _, item := range items {
		m, err := messageOf(item)
		if err != nil {
			return messages{}, err
		}
		if _, known := params(m.Method); len(m.ID) > 0 && m.Method != "" && !known {
			return messages{}, fault.New(fault.Invalid, "A message of the batch has a method that this server does "+
				"not have.")
		}
		if id := string(m.ID); id != "" {
			if ids[id] {
				return messages{}, fault.New(fault.Invalid, "Two messages of the batch have the same id.")
			}
			ids[id] = true
		}
		if m.Method == callMethod {
			got.calls++
		}
		list = append(list, m)
	}
	var err error
	got.body, err = json.Marshal(list)
	return got, err
}

// idShape is what an id may be: a text, or a whole number that every client can
// hold.
var idShape = regexp.MustCompile(`^(?:"[^\x00-\x1f]{0,512}"|-?[0-9]{1,15})$`)

func messageOf(raw json.RawMessage) (message, error) {
	var m message
	if err := json.Unmarshal(raw, &m); err != nil || m.Version != "2.0" || len(m.ID) > 0 && !idShape.Match(m.ID) {
		return m, notRPC()
	}
	switch answered := len(m.Result) > 0 || len(m.Error) > 0; {
	case m.Method == "" && !answered, m.Method != "" && answered, answered && len(m.ID) == 0:
		return m, notRPC()
	case m.Method != "" && len(m.ID) == 0 && !isNotification(m.Method):
		return m, fault.New(fault.Invalid, "A request needs an id.")
	}
	return m, nil
}

func notRPC() error {
	return fault.New(fault.Invalid, "The request's body is no JSON-RPC 2.0 message with an id that is a text or a "+
		"whole number.")
}

func isNotification(method string) bool { return len(method) > 14 && method[:14] == "notifications/" }

// refused returns the answer to a message that the SDK need not see, nil for any
// other. Notifications and responses have no effect: there is no session that
// they could be about.
func (m message) refused(r *http.Request) *refusal {
	if len(m.ID) == 0 || m.Method == "" {
		return &refusal{status: http.StatusAccepted}
	}
	into, known := params(m.Method)
	switch {
	case !known:
		status := http.StatusOK
		if r.Header.Get("Mcp-Protocol-Version") >= stateless {
			status = http.StatusNotFound
		}
		return &refusal{status, m.ID, jsonrpc.CodeMethodNotFound, "This server does not have this method."}
	case len(m.Params) > 0 && json.Unmarshal(m.Params, into) != nil:
		return &refusal{http.StatusOK, m.ID, jsonrpc.CodeInvalidParams, "The params do not fit the method."}
	}
	return nil
}

// stateless is the first protocol version without a handshake.
const stateless = "2026-07-28"

// refusal is an answer that no server gave: a JSON-RPC error, or a status alone.
type refusal struct {
	status int
	id     json.RawMessage
	code   int
	says   string
}

func (f *refusal) write(w http.ResponseWriter) error {
	if f.says == "" {
		w.WriteHeader(f.status)
		return nil
	}
	httpx.JSON(w, f.status, map[string]any{
		"jsonrpc": "2.0", "id": f.id, "error": map[string]any{"code": f.code, "message": f.says},
	})
	return nil
}
