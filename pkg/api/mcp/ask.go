package mcp

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/flow/direct"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// inputName names the elicitation of a call that asks.
const inputName = "consent"

// ask returns what asks a person: an elicitation where the client has them and
// the protocol lets a server without sessions use them, else the proposal.
func ask(req *mcp.CallToolRequest, p consent.Proposal) *mcp.CallToolResult {
	if !elicits(req) {
		view := p.View()
		return result(preview(p)+"\n\n"+howTo(p), structured{Confirmation: &view})
	}
	properties := map[string]any{"decision": map[string]any{
		"type": "string", "title": "Decision", "enum": []string{"approve", "reject"},
		"description": "Nothing is done unless you approve.",
	}}
	required := []string{"decision"}
	if p.Tier == tool.Critical.Tier() {
		properties["phrase"] = map[string]any{
			"type": "string", "title": "Phrase", "description": "To approve, type: yes " + p.Code,
		}
	}
	return &mcp.CallToolResult{
		InputRequests: mcp.InputRequestMap{inputName: &mcp.ElicitParams{
			Mode: "form", Message: preview(p),
			RequestedSchema: map[string]any{"type": "object", "properties": properties, "required": required},
		}},
		// It needs no seal: it opens nothing but the caller's own proposal, and only
		// for the call that it was made for.
		RequestState: p.ID,
	}
}

// elicits reports whether the client shows forms to its user between two
// requests of one call.
func elicits(req *mcp.CallToolRequest) bool {
	can := req.ClientCapabilities()
	return req.ProtocolVersion() >= stateless && can != nil && can.Elicitation != nil &&
		(can.Elicitation.Form != nil || can.Elicitation.URL == nil)
}

// settle takes the answer to an elicitation. It is the client's: a model chooses
// the name and the arguments of a call, and nothing else in a request.
func (h *Handler) settle(q *request, req *mcp.CallToolRequest, c direct.Call, said *mcp.ElicitResult) (
	*mcp.CallToolResult, error,
) {
	p, err := h.tools.Continue(q.ctx, q.by, q.runtime, c, req.Params.RequestState)
	if f := fault.From(err); f != nil && f.Code == "proposal_unknown" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: f.Message}
	}
	if err != nil {
		return nil, err
	}
	decision, phrase := decided(said)
	if decision == "" {
		if err := p.Usable(); err != nil {
			return nil, err
		}
		view := p.View()
		return result("The question was left open, and nothing was done. "+howTo(p), structured{Confirmation: &view}),
			nil
	}
	got, err := h.tools.Settle(q.ctx, q.by, p, direct.Decision{Approve: decision == "approve", Phrase: phrase})
	if changed, ok := errors.AsType[*consent.Changed](err); ok {
		return ask(req, changed.Proposal), nil
	}
	if err != nil {
		return nil, err
	}
	view := got.Proposal.View()
	if got.Result == nil {
		says := "The person declined, and nothing was done."
		if got.Proposal.State == consent.Consumed {
			says = "It had been done before the person declined."
		}
		return result(says, structured{Confirmation: &view}), nil
	}
	return done(q, *got.Result, &view), nil
}

// decided returns "approve", "reject", or "" for an answer that is neither.
func decided(said *mcp.ElicitResult) (decision, phrase string) {
	switch {
	case said.Action == "decline":
		return "reject", ""
	case said.Action != "accept":
		return "", ""
	}
	decision, _ = said.Content["decision"].(string)
	phrase, _ = said.Content["phrase"].(string)
	if decision != "approve" && decision != "reject" {
		return "", ""
	}
	return decision, phrase
}

// preview returns what a person is asked, as plain text of one fact a line.
func preview(p consent.Proposal) string {
	lines := []string{p.Preview.Title}
	for _, l := range p.Preview.Changed {
		lines = append(lines, "Changed since you were asked: "+l.Label+": was "+orNone(l.Before)+", now "+
			orNone(l.After))
	}
	for _, l := range p.Preview.Lines {
		text := l.Label + ": "
		if l.Before != "" {
			text += l.Before + " → "
		}
		lines = append(lines, text+l.After)
	}
	for _, w := range p.Preview.Warnings {
		lines = append(lines, "Note: "+w)
	}
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "\n")
}

func orNone(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// howTo says how a person answers without an elicitation.
func howTo(p consent.Proposal) string {
	body := `{"decision":"approve"}`
	if p.Tier == tool.Critical.Tier() {
		body = fmt.Sprintf(`{"decision":"approve","phrase":"yes %s"}`, p.Code)
	}
	return fmt.Sprintf("Nothing has been done yet. A person has to approve this until %s UTC (code %s): by POST "+
		"/api/confirmations/%s with %s, or \"reject\". No tool can approve it.",
		p.ExpiresAt.UTC().Format(time.TimeOnly), p.Code, p.ID, body)
}
