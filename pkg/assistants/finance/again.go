package finance

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/finance/followup"
	"github.com/bellhop-ai/bellhop/pkg/intent"
	"github.com/bellhop-ai/bellhop/pkg/llm"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

// past is a call of an earlier verified turn, with the beginning of its result.
type past struct {
	tool      tool.Tool
	arguments map[string]any
	result    string
}

// pastCalls returns the calls of earlier turns, the newest first.
func (w way) pastCalls(books *agent.Agent) []past {
	var out []past
	for _, e := range slices.Backward(w.t.History.Entries) {
		if e.State == nil || e.Role != llm.Assistant {
			continue
		}
		for _, s := range slices.Backward(e.State.Steps) {
			for i, c := range slices.Backward(s.Calls) {
				t, ok := books.Tools.Find(c.Name)
				p := past{tool: t}
				if !ok || i >= len(s.Results) || json.Unmarshal([]byte(c.Arguments), &p.arguments) != nil {
					continue
				}
				p.result = s.Results[i].Text
				out = append(out, p)
			}
		}
	}
	return out
}

// cursors are where the next page of a list begins, in the data of a result or in the
// beginning of one that was cut.
var cursors = regexp.MustCompile(`\\?"cursor\\?":\s*\\?"([^"\\]+)\\?"`)

// documents are numbers of invoices as the books write them.
var documents = regexp.MustCompile(`\bINV[/-][0-9A-Z][0-9A-Z/-]*[0-9]\b`)

// again returns the call that a follow-up means, with what it is for; false for a
// message that is none, or that refers to nothing there is.
func (w way) again(books *agent.Agent) (call llm.Call, purpose string, ok bool) {
	if !w.q.typed || !w.q.earlier || w.q.unsealed {
		return call, "", false
	}
	said := followup.Of(w.q.text)
	if said.Kind == followup.None {
		return call, "", false
	}
	calls := w.pastCalls(books)
	switch said.Kind {
	case followup.More:
		return nextPage(calls)
	case followup.Filter:
		return w.filtered(calls, said.Rest)
	case followup.Same:
		return same(calls, said.Rest)
	case followup.Send:
		return send(books, calls, said.Rest)
	}
	return call, "", false
}

// nextPage continues the last list, if it has more.
func nextPage(calls []past) (llm.Call, string, bool) {
	for _, p := range calls {
		if p.tool.Effect() != tool.Reads || !takes(p.tool, "cursor") {
			continue
		}
		m := cursors.FindStringSubmatch(p.result)
		if m == nil {
			return llm.Call{}, "", false
		}
		p.arguments["cursor"] = m[1]
		return called(p), "the next page of the list", true
	}
	return llm.Call{}, "", false
}

// filtered asks for the last list again, of less and from its first page.
func (w way) filtered(calls []past, by string) (llm.Call, string, bool) {
	for _, p := range calls {
		if p.tool.Effect() != tool.Reads || !takes(p.tool, "limit") && !takes(p.tool, "cursor") &&
			!takes(p.tool, "from") {
			continue
		}
		delete(p.arguments, "cursor")
		if !w.narrow(p, by) {
			return llm.Call{}, "", false
		}
		return called(p), "the list, of what is asked for", true
	}
	return llm.Call{}, "", false
}

// narrow adds what a list is filtered by: dates, one of the states that it knows, or
// a party.
func (w way) narrow(p past, by string) bool {
	for _, e := range intent.Entities(by, w.q.today) {
		if e.Kind == intent.DateEntity && takes(p.tool, "from") && takes(p.tool, "to") {
			p.arguments["from"], p.arguments["to"] = e.Days.From.String(), e.Days.To.AddDays(-1).String()
			return true
		}
	}
	if takes(p.tool, "status") {
		switch state := strings.ReplaceAll(strings.ToLower(by), " ", "_"); state {
		case "unpaid", "paid", "partly_paid", "overdue", "void", "draft", "open":
			p.arguments["status"] = state
			return true
		}
	}
	for name, values := range enums(p.tool) {
		for _, v := range values {
			if strings.EqualFold(strings.ReplaceAll(v, "_", " "), by) {
				p.arguments[name] = v
				return true
			}
		}
	}
	if name := partyOf(p.tool); name != "" && strings.ContainsFunc(by, isCapital) {
		p.arguments[name] = by
		return true
	}
	return false
}

func isCapital(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 0x0900 && r <= 0x097F }

// same repeats the last entry for another party. What names that one entry, such as
// its number, is left to the books.
func same(calls []past, party string) (llm.Call, string, bool) {
	for _, p := range calls {
		name := partyOf(p.tool)
		if p.tool.Effect() == tool.Reads || name == "" || p.arguments[name] == nil {
			continue
		}
		p.arguments[name] = party
		for _, own := range []string{"number", "bill_number", "vendor_number", "reference", "invoice", "bill",
			"allocations",
			"place_of_supply"} {
			delete(p.arguments, own)
		}
		return called(p), "the same entry for " + party, true
	}
	return llm.Call{}, "", false
}

// emailInvoice is our tool that mails an invoice.
const emailInvoice = "email_invoice"

// send mails the invoice that was made or shown last.
func send(books *agent.Agent, calls []past, to string) (llm.Call, string, bool) {
	t, ok := books.Tools.Find(emailInvoice)
	if !ok {
		return llm.Call{}, "", false
	}
	for _, p := range calls {
		numbers := documents.FindAllString(p.result, 2)
		if number, ok := p.arguments["number"].(string); ok && documents.MatchString(number) {
			numbers = []string{number}
		}
		// "It" means nothing where several were shown.
		if len(numbers) == 0 || len(numbers) == 2 && numbers[0] != numbers[1] {
			if len(numbers) == 0 {
				continue
			}
			return llm.Call{}, "", false
		}
		arguments := map[string]any{"number": numbers[0]}
		if to != "" {
			arguments["to"] = to
		}
		return called(past{tool: t, arguments: arguments}), "the invoice by mail", true
	}
	return llm.Call{}, "", false
}

func called(p past) llm.Call {
	raw, err := json.Marshal(p.arguments)
	if err != nil { // strings and what was JSON before
		return llm.Call{Name: p.tool.Name()}
	}
	return llm.Call{Name: p.tool.Name(), Arguments: string(raw)}
}

// schema is what is read of a tool's schema.
type schema struct {
	Properties map[string]struct {
		Enum []any `json:"enum"`
	} `json:"properties"`
}

func schemaOf(t tool.Tool) schema {
	var s schema
	_ = json.Unmarshal(t.Schema(), &s) // a schema that is none takes nothing
	return s
}

func takes(t tool.Tool, argument string) bool {
	_, ok := schemaOf(t).Properties[argument]
	return ok
}

// partyOf returns the argument that names the other party; "" for none.
func partyOf(t tool.Tool) string {
	for _, name := range []string{"customer", "vendor", "contact", "party"} {
		if takes(t, name) {
			return name
		}
	}
	return ""
}

// enums returns the values of the arguments that have only certain ones.
func enums(t tool.Tool) map[string][]string {
	out := map[string][]string{}
	for name, p := range schemaOf(t).Properties {
		for _, v := range p.Enum {
			if s, ok := v.(string); ok && s != "" {
				out[name] = append(out[name], s)
			}
		}
	}
	return out
}

// once is a plan of one call, whose result is the answer.
type once struct {
	w       way
	call    llm.Call
	purpose string
}

// Next calls, and says what came.
func (o once) Next(_ context.Context, results []agent.Answered, _ func(string) error) (agent.Planned, error) {
	if len(results) == 0 {
		return agent.Planned{Answer: llm.Answer{Calls: []llm.Call{o.call}}, Purposes: []string{o.purpose}, Step: 1,
			Of: 1}, nil
	}
	return agent.Planned{Answer: llm.Answer{Text: o.w.say(results)}}, nil
}
