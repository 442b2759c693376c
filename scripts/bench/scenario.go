package main

import (
	"context"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/assistants"
	"github.com/bellhop-ai/bellhop/pkg/assistants/profiles"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// scenario is all that the bench knows of the domain of an assistant that ships.
// What compares us with a plain loop is the bench's own assistant.
type scenario struct {
	assistant string
	// said is a conversation of which model calls and tokens are counted.
	said []string
	// question is answered by agent with one call of tool, which reads and takes no
	// arguments.
	question, agent, tool string
	writes                *writes  // nil measures none
	contest               *contest // nil measures none
}

// writes are confirmed writes of rows that are made for them.
type writes struct {
	rows string // a statement that makes $1 rows in the demo data and selects their count
	tool string
	// arguments changes the row of this number, from 1; i is the number of the write.
	arguments func(row, i int) map[string]any
}

// contest is something that many clients want at once and few can get.
type contest struct {
	name string
	// enter returns what makes the try of number i, and reports whether it won.
	enter    func(*supabase.Client) func(ctx context.Context, by identity.Caller, i int) (bool, error)
	overlaps string // a query that counts what was given twice
}

// scenarios returns those of the assistants that are measured.
func scenarios() []scenario { return []scenario{hospitality()} }

// model is the address of the canned model for one of its scripts.
func (s scenario) model(path string) string { return "/" + s.assistant + path }

// chat is the path of the assistant's turns.
func (s scenario) chat() string { return "/api/chat/" + s.assistant }

// profile is how the assistant presents itself.
func (s scenario) profile() (assistants.Profile, error) {
	return assistants.Find(profiles.All(), s.assistant)
}

// scripts serves the model of this scenario: at pathShort a plain answer, at
// pathDesk one call of the tool before it.
func (s scenario) scripts(mux *http.ServeMux, model func(agent string, answer func([]byte) reply) http.HandlerFunc) {
	short, called := textReply(), callReply(modelCall{s.tool, "{}"})
	at := func(path string) string { return "POST " + s.model(path) + "/chat/completions" }
	mux.HandleFunc(at(pathShort), model(s.agent, func([]byte) reply { return short }))
	mux.HandleFunc(at(pathDesk), model(s.agent, func(body []byte) reply {
		if results(body) > 0 {
			return short
		}
		return called
	}))
}
