package chat_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/bellhop-ai/bellhop/infra/local/localtest"
	"github.com/bellhop-ai/bellhop/infra/local/model/script"
	"github.com/bellhop-ai/bellhop/infra/local/nodetest"
)

// F-05, F-33, F-36, S3-9: the AI SDK's own chat, in the two versions that are in
// use, speaks with the function: it asks, streams, approves, refuses, stops,
// edits, asks anew, and its resent history is believed where it is ours.
func TestTheAISDKIsServed(t *testing.T) {
	greet := func(text string) script.Step {
		return script.Step{Text: text, When: func(r script.Request) bool {
			return slices.Equal(r.Tools,
				[]string{"route_to_agent"})
		}}
	}
	never := make(chan struct{})
	var steps []script.Step
	for _, version := range []string{"ai6", "ai7"} {
		steps = append(steps,
			script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "list_extras"}}},
			script.Step{Text: "Here they are."},
			script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "list_room_types"}}},
			script.Step{Text: "These."},
			script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "create_extra",
				Arguments: fmt.Sprintf(`{"name":"Sauna %s","price":30,"per":"night"}`, version)}}},
			greet("You are welcome."),
			script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "create_extra",
				Arguments: `{"name":"Gong","price":5,"per":"stay"}`}}},
			script.Route("inventory"), script.Step{Text: "Once upon a time there was a hotel with cabins.",
				Hold: never, HoldAfter: 3},
			greet("Good day."),
			script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "list_room_types"}}},
			script.Step{Text: "These again."},
			script.Route("inventory"), script.Step{Text: "The same again."},
			greet("With what?"),
			script.Route("inventory"), script.Step{Text: "I begin to", Fault: script.CutStream(2), Times: 2},
		)
	}
	d := open(t, steps...)
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Picnic', 20)
		returning code`, org.ID, org.Entity.ID)
	nodetest.Run(t, "testdata/ui", "client.mjs", 20, map[string]string{"url": d.url, "token": org.Manager.Token})
	if left := d.model.Unused(); len(left) > 0 {
		t.Errorf("the model was not asked for %q", left)
	}
	if broken := d.model.Violations(); len(broken) > 0 {
		t.Errorf("the model would refuse: %q", broken)
	}
	rows := localtest.SQL(t, `select count(*) as n from public.extras where org_id = $1 and name like 'Sauna%'`,
		org.ID)
	if fmt.Sprint(rows[0]["n"]) != "2" {
		t.Errorf("the approved extras are %v", rows)
	}
}

// Version 5 of the AI SDK has no approval requests, and each version can read a
// plain text.
func TestTheAISDKIsServedInOtherWays(t *testing.T) {
	t.Parallel()
	steps := []script.Step{script.Route("inventory"), {Calls: []script.Call{{Name: "create_extra",
		Arguments: `{"name":"Sauna","price":30,"per":"night"}`}}}}
	for range 3 {
		steps = append(steps, script.Route("inventory"), script.Step{Calls: []script.Call{{Name: "list_extras"}}},
			script.Step{Text: "Here they are."},
			script.Route("inventory"), script.Step{Text: "I begin to", Fault: script.CutStream(2), Times: 2})
	}
	d := open(t, steps...)
	org := localtest.NewOrg(t)
	localtest.SQL(t, `insert into public.extras (org_id, entity_id, name, price) values ($1, $2, 'Picnic', 20)`,
		org.ID, org.Entity.ID)
	nodetest.Run(t, "testdata/ui", "others.mjs", 20, map[string]string{"url": d.url, "token": org.Manager.Token})
	if left := d.model.Unused(); len(left) > 0 {
		t.Errorf("the model was not asked for %q", left)
	}
}

// A page with the AI SDK that is left in the middle of an answer reads it on when it is
// opened again.
func TestTheAISDKReadsOn(t *testing.T) {
	t.Parallel()
	var steps []script.Step
	var holds []chan struct{}
	for range 2 {
		hold := make(chan struct{})
		holds = append(holds, hold)
		steps = append(steps, script.Route("inventory"), script.Step{Text: "Once upon a time there was a hotel.",
			Hold: hold, HoldAfter: 3})
	}
	d := open(t, steps...)
	released := 0
	control := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(holds[released])
		released++
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(control.Close)
	org := localtest.NewOrg(t)
	nodetest.Run(t, "testdata/ui", "resume.mjs", 20, map[string]string{"url": d.url, "token": org.Manager.Token,
		"control": control.URL})
}
